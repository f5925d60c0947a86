//! The command line: number of hosts, links between them, differences of their clocks, and the command to run.

use clap::Parser;
use models::quantity::{SignedSpan, parse as parse_quantity};
use models::time::Span;
use std::ffi::OsString;

/// Runs a command on the first of several hosts made on this machine, and removes them when it ends.
///
/// Hosts are called node1, node2, … and joined by a switch. The command finds a host file in PARALLAX_HOSTS; Open MPI's
/// and MPICH's launchers use the hosts by themselves. Needs root; ends with code 2 where hosts cannot be made.
#[derive(Debug, Parser)]
#[command(name = "netlab", version, max_term_width = 100)]
pub(crate) struct Options {
    /// How many hosts, 1 to 64
    #[arg(value_parser = clap::value_parser!(u8).range(1..=64))]
    pub hosts: u8,
    /// Rate of every host's link, in each direction, like 80mbit [default: as fast as this machine]
    #[arg(long, value_parser = rate)]
    pub rate: Option<Rate>,
    /// Time from one host to another, like 500us [default: as short as this machine can]
    #[arg(long, value_parser = delay)]
    pub delay: Option<Span>,
    /// Groups of hosts that are nearer to each other than --delay, like 4:10ms: node1 to node4, node5 to node8, …
    #[arg(long, value_name = "HOSTS:DELAY", value_parser = near, requires = "delay")]
    pub near: Option<Near>,
    /// How far the monotonic clocks of node1, node2, … are ahead of this machine's, like 0s,2.5s,-1ms; the rest are 0
    #[arg(long, value_name = "OFFSET,…", value_delimiter = ',', allow_hyphen_values = true, value_parser = offset)]
    pub offset: Vec<SignedSpan>,
    /// Ranks that each host has room for
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub slots: u16,
    /// What to run on node1
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// Group of hosts that are nearer to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    /// Number of hosts in a group, at least 1.
    pub hosts: usize,
    /// Time from one host of a group to another.
    pub delay: Span,
}

/// Rate of a link in bits per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rate(pub u64);

impl Rate {
    /// Returns the time of `bytes` bytes on the link, in ns.
    pub(crate) fn time_ns(self, bytes: usize) -> u64 {
        (bytes as u64).saturating_mul(8).saturating_mul(1_000_000_000) / self.0
    }

    /// Returns the bytes that pass at once after a pause: 100 µs' worth, which timers keep up with, and at least a
    /// frame.
    pub(crate) fn burst_bytes(self) -> u64 {
        (self.0 / 8 / 10_000).max(2_000)
    }
}

fn rate(text: &str) -> Result<Rate, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "bit" => 1.0,
        "kbit" => 1e3,
        "mbit" => 1e6,
        "gbit" => 1e9,
        _ => 0.0,
    };
    let bits = number.trim().parse::<f64>().unwrap_or(0.0) * factor;
    if (8_000.0..=400e9).contains(&bits) {
        Ok(Rate(bits.round() as u64))
    } else {
        Err("expected 8kbit to 400gbit (bits per second: bit, kbit, mbit or gbit), like 80mbit".to_owned())
    }
}

/// Longest delay that is accepted: longer ones are a mistake of the unit.
const LONGEST: Span = Span::from_ms(10_000);

fn delay(text: &str) -> Result<Span, String> {
    let delay: Span = parse_quantity(text)?;
    if delay <= LONGEST { Ok(delay) } else { Err("expected at most 10 s".to_owned()) }
}

fn near(text: &str) -> Result<Near, String> {
    let expected = || "expected hosts of a group and the time between them, like 4:10ms".to_owned();
    let (hosts, time) = text.split_once(':').ok_or_else(expected)?;
    let hosts = hosts.trim().parse().ok().filter(|hosts| *hosts > 0).ok_or_else(expected)?;
    Ok(Near { hosts, delay: delay(time)? })
}

fn offset(text: &str) -> Result<SignedSpan, String> {
    if text == "0" { Ok(SignedSpan(0)) } else { parse_quantity(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_units_and_bounds() {
        assert_eq!(rate("80mbit"), Ok(Rate(80_000_000)));
        assert_eq!(rate("2.5gbit"), Ok(Rate(2_500_000_000)));
        for wrong in ["80", "80mb", "mbit", "-1mbit", "0kbit", "1e9gbit"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Rate(80_000_000).time_ns(1_000), 100_000);
    }

    #[test]
    fn groups_have_hosts_and_a_delay() {
        assert_eq!(near("4:10ms"), Ok(Near { hosts: 4, delay: Span::from_ms(10) }));
        for wrong in ["4", "0:1ms", "x:1ms", "4:", "4:11s", "4:1"] {
            assert!(near(wrong).is_err(), "{wrong}");
        }
        let words = ["netlab", "8", "--near", "4:10ms", "--", "true"];
        assert!(Options::try_parse_from(words).is_err(), "far hosts need a delay");
    }

    #[test]
    fn the_command_line_is_read_as_people_write_it() {
        let words = ["netlab", "3", "--rate", "1gbit", "--offset", "0,-1ms,2.5s", "--", "mpirun", "-n", "3"];
        let options = Options::try_parse_from(words).expect("a good line");
        assert_eq!(options.offset, [SignedSpan(0), SignedSpan(-1_000_000_000), SignedSpan(2_500_000_000_000)]);
        assert_eq!(options.command, ["mpirun", "-n", "3"].map(OsString::from));
        assert!(Options::try_parse_from(["netlab", "2"]).is_err(), "nothing to run");
        assert!(Options::try_parse_from(["netlab", "0", "--", "true"]).is_err(), "no hosts");
    }
}
