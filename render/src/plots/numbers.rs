//! Numbers as the page and its pictures print them: three significant digits, one time unit per table or picture.

use programs::machine::Estimate;

models::named! {
    /// Unit of all times in a table or picture.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum TimeUnit {
        /// Times in microseconds, µs.
        Us => "µs",
        /// Times in milliseconds, ms.
        Ms => "ms",
    }
    /// Returns the symbol of the unit.
    fn symbol;
}

impl TimeUnit {
    /// Returns milliseconds where the largest time, in µs, reaches one and the smallest does not vanish beside it (0.01
    /// ms), microseconds otherwise.
    pub fn fitting(times_us: impl IntoIterator<Item = f64>) -> TimeUnit {
        let usable = times_us.into_iter().filter(|time| time.is_finite() && *time > 0.0);
        let (smallest, largest) =
            usable.fold((f64::INFINITY, 0.0), |(low, high), time| (time.min(low), time.max(high)));
        if largest >= 1_000.0 && smallest >= 10.0 { TimeUnit::Ms } else { TimeUnit::Us }
    }

    /// Converts a time in µs into this unit.
    pub fn convert(self, us: f64) -> f64 {
        match self {
            TimeUnit::Us => us,
            TimeUnit::Ms => us / 1_000.0,
        }
    }

    /// Converts an estimate in µs into this unit.
    pub fn of_estimate(self, us: Estimate) -> Estimate {
        Estimate { value: self.convert(us.value), low: self.convert(us.low), high: self.convert(us.high) }
    }

    /// Prints a time in µs in this unit, to the nanosecond.
    pub fn exactly(self, us: f64) -> String {
        let places = match self {
            TimeUnit::Us => 3,
            TimeUnit::Ms => 6,
        };
        with_minus(format!("{:.places$}", self.convert(us)))
    }

    /// Prints a time in µs with the unit: `2.50 ms`.
    pub fn print(self, us: f64) -> String {
        format!("{} {}", significant(self.convert(us)), self.symbol())
    }
}

/// Share of its value below which an interval is not shown, since it is meaningless to readers.
const NARROW: f64 = 1e-4;

/// Prints three significant digits, whole numbers from 100 on; `–` for anything that is not finite.
pub fn significant(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let magnitude = value.abs();
    let digits = match magnitude {
        0.0 => 0,
        99.95.. => 0,
        9.995.. => 1,
        0.9995.. => 2,
        // 0.0123 has its first digit two places after the point, and three of them are printed.
        _ => (2.0 - magnitude.log10().floor()).min(9.0) as usize,
    };
    with_minus(format!("{value:.digits$}"))
}

/// Prints a value and its interval `[low, high]`, all three with as many decimal places as two significant digits of
/// the interval's width take (JCGM 100:2008, 7.2.6). If that would print a positive number as zero, it has two digits
/// itself. An exact value has three significant digits and no interval; one whose interval is less than a
/// ten-thousandth of it has four and no interval.
pub fn with_limits(estimate: &Estimate) -> (String, Option<String>) {
    let Estimate { value, low, high } = *estimate;
    let width = high - low;
    let places = |number: f64| (1.0 - number.log10().floor()).clamp(0.0, 9.0) as usize;
    let digits = places(width);
    let is_lost = low >= 0.0 && value > 0.0 && value * 10f64.powi(digits as i32) < 1.0;
    let digits = if is_lost { places(value).min(digits + 4) } else { digits };
    let print = |number: f64| match width.is_finite() && width > 0.0 && number.is_finite() {
        true => with_minus(format!("{number:.digits$}")),
        false => significant(number),
    };
    let is_exact = low == value && high == value;
    if width > 0.0 && width < value.abs() * NARROW {
        let digits = (3.0 - value.abs().log10().floor()).clamp(0.0, 9.0) as usize;
        return (with_minus(format!("{value:.digits$}")), None);
    }
    let limits = (!is_exact && value.is_finite()).then(|| format!("[{}, {}]", print(low), print(high)));
    (print(value), limits)
}

/// Prints value and interval in one text: `2.00 [1.90, 2.10]`.
pub fn with_interval(estimate: &Estimate) -> String {
    let (value, limits) = with_limits(estimate);
    limits.map_or(value.clone(), |limits| format!("{value} {limits}"))
}

/// Prints the probability of a test.
pub fn probability(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

/// Prints a signed share in percent: `+3.1 %`.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if !percent.is_finite() {
        return "–".to_owned();
    }
    let digits = if percent.abs() < 9.95 { 1 } else { 0 };
    if percent.abs() < 0.05 {
        return "0.0 %".to_owned();
    }
    with_minus(format!("{percent:+.digits$} %"))
}

/// Prints a number of bytes in the largest binary unit that divides it: `64 KiB`, `1000 B`.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0 => "0 B".to_owned(),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} B"),
    }
}

/// Returns the text with minus signs in place of hyphens.
pub fn with_minus(text: String) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_significant_digits() {
        let cases = [
            (0.0, "0"),
            (0.012_345, "0.0123"),
            (0.1, "0.100"),
            (0.999_6, "1.00"),
            (1.0, "1.00"),
            (9.996, "10.0"),
            (-12.34, "−12.3"),
            (99.96, "100"),
            (12_345.6, "12346"),
        ];
        for (value, text) in cases {
            assert_eq!(significant(value), text);
        }
        assert_eq!(significant(f64::NAN), "–");
        assert_eq!(significant(f64::INFINITY), "–");
    }

    #[test]
    fn an_exact_value_has_no_interval() {
        assert_eq!(with_interval(&Estimate { value: 2.0, low: 2.0, high: 2.0 }), "2.00");
        assert_eq!(with_interval(&Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN }), "–");
        assert_eq!(with_interval(&Estimate { value: 2.0, low: f64::NEG_INFINITY, high: 2.1 }), "2.00 [–, 2.10]");
    }

    #[test]
    fn the_width_of_an_interval_decides_how_many_digits_are_printed() {
        let printed = |value: f64, half: f64| with_interval(&Estimate { value, low: value - half, high: value + half });
        assert_eq!(printed(2.0, 0.1), "2.00 [1.90, 2.10]");
        assert_eq!(printed(205.457, 1.35), "205.5 [204.1, 206.8]");
        assert_eq!(printed(205.457, 13.5), "205 [192, 219]");
        assert_eq!(printed(0.012_345_678, 2e-6), "0.0123457 [0.0123437, 0.0123477]");
        assert_eq!(printed(-1.0, 2.5), "−1.0 [−3.5, 1.5]");
        assert_eq!(printed(1.374_999_999_5, 5e-10), "1.375");
        assert_eq!(printed(1.000_003_347, 2e-9), "1.000");
        assert_eq!(printed(205.4567, 1e-3), "205.5");
        // A ratio that is hardly known is not printed as 0.
        assert_eq!(with_interval(&Estimate { value: 0.342, low: 0.004, high: 129.3 }), "0.34 [0.00, 129.30]");
    }

    #[test]
    fn one_unit_serves_a_whole_table() {
        assert_eq!(TimeUnit::fitting([3.0, 999.0, f64::NAN]), TimeUnit::Us);
        assert_eq!(TimeUnit::fitting([30.0, 0.0, 1_000.0]).print(2_500.0), "2.50 ms");
        assert_eq!(TimeUnit::fitting([3.0, 1_000.0]).print(2_500.0), "2500 µs");
    }

    #[test]
    fn shares_carry_their_sign_and_bytes_their_unit() {
        assert_eq!(percent(-0.0312), "−3.1 %");
        assert_eq!(percent(-0.000_2), "0.0 %");
        assert_eq!(percent(0.42), "+42 %");
        assert_eq!(percent(f64::NEG_INFINITY), "–");
        assert_eq!([bytes(0), bytes(1_000), bytes(65_536), bytes(3 << 20)], ["0 B", "1000 B", "64 KiB", "3 MiB"]);
    }
}
