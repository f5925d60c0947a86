//! Numbers for a terminal.

/// Sign in place of a missing number.
pub(crate) const NOTHING: &str = "–";

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
}
