//! Time limit of a job, and its notation in batch systems.

use std::fmt;
use std::str::FromStr;

/// Time limit in whole seconds, at least a minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Number of seconds until the job is ended.
    pub seconds: u32,
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        let expected = || "expected hours:minutes:seconds, like 01:30:00".to_owned();
        let parts: Vec<&str> = text.split(':').collect();
        let [hours, minutes, seconds] = parts.as_slice() else { return Err(expected()) };
        let part = |text: &str, limit: u32| {
            let digits = !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u32>().ok().filter(|number| digits && *number < limit).ok_or_else(expected)
        };
        let seconds = part(hours, 10_000)? * 3_600 + part(minutes, 60)? * 60 + part(seconds, 60)?;
        if seconds < 60 { Err("expected at least a minute, like 00:01:00".to_owned()) } else { Ok(Limit { seconds }) }
    }
}

/// Writes the limit as Slurm and PBS do: hours:minutes:seconds.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds;
        write!(f, "{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_hours_minutes_and_seconds() {
        assert_eq!("1:30:00".parse(), Ok(Limit { seconds: 5_400 }));
        assert_eq!(Limit { seconds: 5_400 }.to_string(), "01:30:00");
        for wrong in ["90", "1:30", "01:60:00", "00:00:59", "+1:00:00", "a:00:00", "1:2:3:4"] {
            assert!(wrong.parse::<Limit>().is_err(), "{wrong}");
        }
    }
}
