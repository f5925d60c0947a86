//! Numbers, bars and colours for a terminal.

use crate::comparison::Verdict;
use render::paint::Paint;

/// Sign in place of a missing number.
pub(crate) const NOTHING: &str = "–";

/// Verdicts in their colours.
pub trait PaintVerdict {
    /// Prints the count of a verdict in its colour: `3 ≈`.
    fn tally(self, count: usize, verdict: Verdict) -> String;
    /// Prints the verdict in green, yellow or red.
    fn verdict(self, verdict: Verdict) -> String;
}

impl PaintVerdict for Paint {
    fn tally(self, count: usize, verdict: Verdict) -> String {
        let (code, sign) = match verdict {
            Verdict::Agrees => ("32", "✓"),
            Verdict::Close => ("33", "≈"),
            Verdict::Differs => ("31", "✗"),
            Verdict::Idle => ("2", "take no time"),
            Verdict::Unmeasured => ("2", "simulated"),
            Verdict::Unpredicted => ("2", "measured"),
        };
        self.with(code, &format!("{count} {sign}"))
    }

    fn verdict(self, verdict: Verdict) -> String {
        match verdict {
            Verdict::Agrees => self.with("32", "agrees"),
            Verdict::Close => self.with("33", "close"),
            Verdict::Differs => self.with("31", "differs"),
            Verdict::Idle | Verdict::Unmeasured | Verdict::Unpredicted => self.with("2", "–"),
        }
    }
}

/// Sets cells in columns of these widths, with two blanks before each: to the right, or to the left where a width is
/// negative. Cells of width 0 are left out.
pub fn in_columns<const N: usize>(cells: [&str; N], widths: [isize; N]) -> String {
    let cells = cells.into_iter().zip(widths).filter(|(_, width)| *width != 0);
    let cells = cells.map(|(cell, width)| match (width.unsigned_abs(), width > 0) {
        (width, true) => format!("  {cell:>width$}"),
        (width, false) => format!("  {cell:<width$}"),
    });
    cells.collect::<String>() + "  "
}

/// Prints a number with four significant digits, at most four decimals: `1402`, `21.44`, `0.2134`.
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return NOTHING.to_owned();
    }
    let magnitude = value.abs();
    let decimals = [1_000.0, 100.0, 10.0, 1.0].iter().position(|&from| magnitude >= from).unwrap_or(4);
    format!("{value:.decimals$}")
}

/// Prints a ratio with two decimals, without decimals from 100 on.
pub fn ratio(value: f64) -> String {
    match value {
        value if !value.is_finite() => NOTHING.to_owned(),
        value if value.abs() < 100.0 => format!("{value:.2}"),
        value => format!("{value:.0}"),
    }
}

/// Prints a share: `<0.1 %`, `0.4 %`, `12 %`.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if !percent.is_finite() => NOTHING.to_owned(),
        percent if percent > 0.0 && percent < 0.05 => "<0.1 %".to_owned(),
        percent if percent.abs() < 9.95 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

/// Draws a bar of `cells` columns from 0 to `full` ≥ 1, in eighths of a cell, with a mark at 1 where the bar does not
/// reach it; blank where there is no value.
pub fn bar(value: f64, full: f64, cells: usize) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    if cells == 0 || !value.is_finite() {
        return " ".repeat(cells);
    }
    let share = |of: f64| (of / full).clamp(0.0, 1.0);
    let eighths = (share(value) * cells as f64 * 8.0).round() as usize;
    let mut drawn: Vec<char> = vec!['█'; eighths / 8];
    if !eighths.is_multiple_of(8) {
        drawn.push(EIGHTHS[eighths % 8]);
    }
    let mark = ((share(1.0) * cells as f64).ceil() as usize).clamp(1, cells) - 1;
    let reached = drawn.len();
    drawn.resize(cells, ' ');
    if reached <= mark {
        drawn[mark] = '│';
    }
    drawn.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_and_nothing_is_a_dash() {
        let shown = [12_345.6, 1_402.4, 140.24, 21.444, 5.5, 0.213_44, 0.0, f64::NAN, f64::INFINITY].map(number);
        assert_eq!(shown, ["12346", "1402", "140.2", "21.44", "5.500", "0.2134", "0.0000", "–", "–"]);
        assert_eq!([5.499, 123.4, f64::NAN].map(ratio), ["5.50", "123", "–"]);
        assert_eq!([0.0, 1e-4, 0.0041, 0.0995, 0.12].map(percent), ["0.0 %", "<0.1 %", "0.4 %", "10 %", "12 %"]);
        assert_eq!(percent(f64::NAN), "–");
    }

    #[test]
    fn bars_have_eighths_and_a_mark_at_one() {
        assert_eq!(bar(5.0, 5.0, 10), "██████████");
        assert_eq!(bar(2.5, 5.0, 10), "█████     ");
        assert_eq!(bar(0.8125, 5.0, 10), "█▋        ");
        assert_eq!(bar(0.25, 5.0, 10), "▌│        ");
        assert_eq!(bar(1.0, 1.0, 4), "████");
        assert_eq!(bar(0.5, 1.0, 4), "██ │");
        assert_eq!(bar(f64::NAN, 5.0, 10), " ".repeat(10));
        assert_eq!(bar(1.0, 5.0, 0), "");
    }
}
