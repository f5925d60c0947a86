//! Facts about this machine, its libraries and this program, which belong to every measurement.

mod libraries;
mod variables;

pub use libraries::launches;

use crate::launch::{Launcher, Processors, Site};
use measure::board::host_name;
use programs::machine::Provenance;
use std::fs::read_to_string;

/// Commit that this program was built from, where it is known.
pub const COMMIT: Option<&str> = option_env!("PARALLAX_COMMIT");

/// Version of this program, with the commit where it is known.
pub const VERSION: &str = env!("PARALLAX_VERSION");

/// Returns label and value of each fact, without those that cannot be read. The store of all campaigns identifies some
/// by their labels (`started`, `commit`).
pub fn facts(launchers: &[Launcher], site: &Site) -> Vec<(String, String)> {
    let mut facts = of_program();
    facts.extend(of_machine());
    let hosts = site.hosts.iter().map(|host| format!("{} ({})", host.name, host.slots)).collect::<Vec<_>>();
    facts.push(("hosts of MPI ranks (cores)".to_owned(), hosts.join(", ")));
    facts.extend(launchers.iter().flat_map(libraries::library_facts));
    // Variables that are not valid text are recorded with replacement characters.
    let text = |value: std::ffi::OsString| value.to_string_lossy().into_owned();
    facts.extend(variables::variables(std::env::vars_os().map(|(name, value)| (text(name), text(value)))));
    let trimmed = facts.into_iter().map(|(label, value)| (label, value.trim().to_owned()));
    trimmed.filter(|(_, value)| !value.is_empty()).collect()
}

/// Returns the time of the start, and the program's version.
fn of_program() -> Vec<(String, String)> {
    let mut facts = vec![("started", utc_now()), ("parallax", env!("CARGO_PKG_VERSION").to_owned())];
    facts.extend(COMMIT.map(|commit| ("commit", commit.to_owned())));
    facts.into_iter().map(|(label, value)| (label.to_owned(), value)).collect()
}

/// Returns facts about the machine that this command runs on.
fn of_machine() -> Vec<(String, String)> {
    let mut facts = vec![("host".to_owned(), host_name())];
    let mut add = |label: &str, value: Option<String>| facts.extend(value.map(|value| (label.to_owned(), value)));
    let info = read_to_string("/proc/cpuinfo").unwrap_or_default();
    add("processor", field(&info, "model name").or_else(|| field(&info, "CPU part")));
    add("cores", Some(cores().to_string()));
    let memory = read_to_string("/proc/meminfo").unwrap_or_default();
    add("memory", field(&memory, "MemTotal"));
    add("memory available", field(&memory, "MemAvailable"));
    add("kernel", read_to_string("/proc/sys/kernel/osrelease").ok());
    add("clock source", read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource").ok());
    add("governor", read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").ok());
    add(
        "virtual machine",
        info.contains(" hypervisor").then(|| "yes: another guest may take the processor".to_owned()),
    );
    let load = read_to_string("/proc/loadavg").ok();
    // Averages over 1, 5 and 15 minutes.
    add("load before the run", load.map(|text| text.split(' ').take(3).collect::<Vec<_>>().join(" ")));
    facts
}

/// Returns the processor's name, and the number of cores that this process may use.
pub fn processor() -> String {
    let info = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = field(&info, "model name").or_else(|| field(&info, "CPU part")).unwrap_or_else(|| "unknown".to_owned());
    format!("{name}, {} cores", cores())
}

/// Returns the number of cores that this process may use.
pub fn cores() -> u32 {
    Processors::here().usable() as u32
}

fn field(info: &str, name: &str) -> Option<String> {
    let line = info.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Returns the origin of a calibration that is made here and now. `confidence` is the confidence level of all
/// intervals.
pub fn provenance(ran_by: impl Into<String>, how: impl Into<String>, confidence: f64) -> Provenance {
    let host = host_name();
    Provenance { date: utc_now(), host, ran_by: ran_by.into(), how: how.into(), confidence }
}

/// Returns the current time, as in `2026-11-21T07:30:00Z`.
pub fn utc_now() -> String {
    utc(std::time::SystemTime::now())
}

/// Returns a time, as in `2026-11-21T07:30:00Z`. Times before 1970 become the beginning of 1970.
pub fn utc(time: std::time::SystemTime) -> String {
    let seconds = time.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days as i64);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60)
}

/// Returns year, month and day of a day counted from 1970-01-01 (Hinnant 2013, civil_from_days).
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(19_782), (2024, 2, 29));
        assert_eq!(civil(20_778), (2026, 11, 21));
    }
}
