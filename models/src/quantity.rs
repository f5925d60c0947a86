//! Numbers with units in the notation of files and flags: `"2.5 us"`, `"10 ns/B"`, `"64 KiB"`, `"20 ppm"`.
//!
//! A bare number is refused: every quantity has its unit where it is written.

use crate::time::{PerByte, Span};
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Kind of quantity that can be read from text with a unit.
pub trait Quantity: Sized {
    /// Expected form of the text, for error messages.
    const EXPECTED: &'static str;
    /// Value in this type's own unit, or `None` if the unit or the number does not fit.
    fn from_number_and_unit(number: f64, unit: &str) -> Option<Self>;
}

/// Quantity of a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

/// Relative rate error in parts per million, which may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Ppm(pub f64);

/// Duration that may be negative, in picoseconds (clock offsets).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignedSpan(pub i64);

/// Share or factor in millionths, which is exact and has an order. Files have it as a number: 0.05.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Millionths(pub u32);

impl Millionths {
    /// Returns the number itself: 0.05 of 50 000 millionths.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1e6
    }

    /// Reads a share, in percent or as a number: `5%` or `0.05`.
    ///
    /// # Errors
    /// States the expected form.
    pub fn parse_share(text: &str) -> Result<Millionths, String> {
        let (number, over) = text.trim().strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
        let share = number.trim().parse::<f64>().ok().and_then(|number| Millionths::try_from(number / over).ok());
        share.ok_or_else(|| {
            format!("expected a share, like 5% or 0.05, with at most 4 decimals of a percent, found '{text}'")
        })
    }

    /// Returns the share in percent, without its sign: `5`, `2.5`.
    pub fn percent(self) -> String {
        decimal(i128::from(self.0), 4)
    }
}

impl TryFrom<f64> for Millionths {
    type Error = String;

    fn try_from(number: f64) -> Result<Millionths, String> {
        let millionths = (number * 1e6).round();
        // Only the rounding of decimals to binary numbers is forgiven.
        let is_whole = (0.0..=f64::from(u32::MAX)).contains(&millionths) && (number * 1e6 - millionths).abs() < 1e-3;
        if is_whole {
            Ok(Millionths(millionths as u32))
        } else {
            Err(format!("expected a number of 0 to 4294 with at most 6 decimals, found {number}"))
        }
    }
}

impl From<Millionths> for f64 {
    fn from(number: Millionths) -> f64 {
        number.as_f64()
    }
}

/// Writes the number: `1.1`.
impl fmt::Display for Millionths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal(i128::from(self.0), 6))
    }
}

/// Picoseconds in one of the usual time units.
fn ps_per(unit: &str) -> Option<f64> {
    Some(match unit {
        "ps" => 1.0,
        "ns" => 1e3,
        "us" | "µs" | "μs" => 1e6,
        "ms" => 1e9,
        "s" => 1e12,
        _ => return None,
    })
}

impl Quantity for Span {
    const EXPECTED: &'static str = "a duration of 0 to 1000 s with its unit (ps, ns, us, ms or s), like \"2.5 us\"";
    fn from_number_and_unit(number: f64, unit: &str) -> Option<Span> {
        let ps = number * ps_per(unit)?;
        (0.0..=1e15).contains(&ps).then(|| Span(ps.round() as u64))
    }
}

impl Quantity for SignedSpan {
    const EXPECTED: &'static str =
        "a duration of -1000 s to 1000 s with its unit (ps, ns, us, ms or s), like \"-40 us\"";
    fn from_number_and_unit(number: f64, unit: &str) -> Option<SignedSpan> {
        let ps = number * ps_per(unit)?;
        (-1e15..=1e15).contains(&ps).then(|| SignedSpan(ps.round() as i64))
    }
}

impl Quantity for PerByte {
    const EXPECTED: &'static str =
        "a cost per byte of 0 to 1 s/B with its unit (ps/B, ns/B or us/B), like \"0.04 ns/B\"";
    fn from_number_and_unit(number: f64, unit: &str) -> Option<PerByte> {
        let ps = number * ps_per(unit.strip_suffix("/B")?)?;
        (0.0..=1e12).contains(&ps).then_some(PerByte(ps))
    }
}

impl Quantity for Bytes {
    const EXPECTED: &'static str = "a whole number of bytes up to 1 TiB with its unit (B, k or KiB, M or MiB, G or GiB, T or TiB of 1024 each; kB, MB, GB, TB of 1000 each), like \"64 KiB\"";
    fn from_number_and_unit(number: f64, unit: &str) -> Option<Bytes> {
        let factor = match unit {
            "B" => 1.0,
            "kB" => 1e3,
            "MB" => 1e6,
            "GB" => 1e9,
            "TB" => 1e12,
            "k" | "K" | "KB" | "KiB" => 1024.0,
            "m" | "M" | "MiB" => 1024.0 * 1024.0,
            "g" | "G" | "GiB" => 1024f64.powi(3),
            "t" | "T" | "TiB" => 1024f64.powi(4),
            _ => return None,
        };
        let bytes = number * factor;
        ((0.0..=1024f64.powi(4)).contains(&bytes) && bytes.fract() == 0.0).then_some(Bytes(bytes as u64))
    }
}

impl Quantity for Ppm {
    const EXPECTED: &'static str = "a rate error of -300000 to 300000 ppm, like \"20 ppm\"";
    fn from_number_and_unit(number: f64, unit: &str) -> Option<Ppm> {
        (unit == "ppm" && number.abs() <= 300_000.0).then_some(Ppm(number))
    }
}

/// Writes a whole number of units of 10^−`digits` as a decimal: exact, without zeros at its end. `decimal(1_500, 3)` is
/// `1.5`: 1500 ps in ns.
pub fn decimal(number: i128, digits: u32) -> String {
    let scale = 10u128.pow(digits);
    let (whole, rest) = (number.unsigned_abs() / scale, number.unsigned_abs() % scale);
    let sign = if number < 0 { "−" } else { "" };
    if rest == 0 {
        return format!("{sign}{whole}");
    }
    let rest = format!("{rest:0width$}", width = digits as usize);
    format!("{sign}{whole}.{}", rest.trim_end_matches('0'))
}

/// Reads a quantity from text. The error names the expected form.
pub fn parse<Q: Quantity>(text: &str) -> Result<Q, String> {
    let trimmed = text.trim();
    let split = trimmed.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(split);
    number
        .parse()
        .ok()
        .and_then(|number| Q::from_number_and_unit(number, unit.trim()))
        .ok_or_else(|| format!("expected {}, found \"{text}\"", Q::EXPECTED))
}

/// Field that serde reads from a string with a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WithUnit<Q>(pub Q);

impl<'de, Q: Quantity> Deserialize<'de> for WithUnit<Q> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<Q>(PhantomData<Q>);
        impl<Q: Quantity> Visitor<'_> for Reader<Q> {
            type Value = WithUnit<Q>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(Q::EXPECTED)
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                parse(text).map(WithUnit).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Reader(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_and_end_without_zeros() {
        let texts =
            [(0, 6), (1_500_000, 6), (1, 6), (-20, 3), (7, 0), (12_000, 3)].map(|(n, digits)| decimal(n, digits));
        assert_eq!(texts, ["0", "1.5", "0.000001", "−0.02", "7", "12"]);
    }

    #[test]
    fn shares_are_exact_in_millionths() {
        assert_eq!(["5%", "0.05", " 5 % "].map(Millionths::parse_share), [const { Ok(Millionths(50_000)) }; 3]);
        assert_eq!((Millionths(25_000).percent().as_str(), Millionths(1_100_000).to_string().as_str()), ("2.5", "1.1"));
        assert_eq!(Millionths(1_100_000).as_f64(), 1.1);
        for wrong in ["", "-1%", "x", "0.00001%", "NaN", "1e9"] {
            assert!(Millionths::parse_share(wrong).is_err(), "{wrong:?} was read as a share");
        }
    }

    #[test]
    fn units_are_read_and_bare_numbers_refused() {
        assert_eq!(parse::<Span>("2.5 us"), Ok(Span::from_ns(2_500)));
        assert_eq!(parse::<Span>("2.5µs"), Ok(Span::from_ns(2_500)));
        assert_eq!(parse::<PerByte>("0.04 ns/B"), Ok(PerByte(40.0)));
        assert_eq!(parse::<Bytes>("64 KiB"), Ok(Bytes(65_536)));
        assert_eq!(parse::<Bytes>("1.5 kB"), Ok(Bytes(1_500)));
        assert_eq!([parse::<Bytes>("1K"), parse::<Bytes>("64k")], [Ok(Bytes(1_024)), Ok(Bytes(65_536))]);
        assert_eq!([parse::<Bytes>("1M"), parse::<Bytes>("2G")], [Ok(Bytes(1 << 20)), Ok(Bytes(2 << 30))]);
        assert_eq!(parse::<SignedSpan>("-40 us"), Ok(SignedSpan(-40_000_000)));
        assert_eq!(parse::<Ppm>("-3.5 ppm"), Ok(Ppm(-3.5)));
        for wrong in ["2", "2 parsecs", "us", "-1 us", "1e3 us", "", "2000 s", "2 ns/B"] {
            assert!(parse::<Span>(wrong).is_err(), "{wrong:?} was read as a duration");
        }
        assert!(parse::<Bytes>("1.5 B").is_err());
        assert!(parse::<PerByte>("2 ns").is_err());
    }
}
