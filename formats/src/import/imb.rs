//! Intel MPI Benchmarks 2 to 2021 and the Pallas benchmarks before them: facts, then for each operation and number of
//! processes a heading and a table.
//!
//! Source: `IMB_print_header`, `IMB_show_procids`, `IMB_display_times` in src_c/IMB_output.c, imb.cpp,
//! MT/MT_benchmark.h (2021.11); `Show_Procids` in Output.c (Pallas 2.2). Sizes that ran out of time or memory have a
//! text in place of numbers and are left out.

use super::conditions::{OFF_CACHE, ROTATING, SYNCHRONISATION, say};
use super::heads::{Head, Role, row, say_validated};
use super::names::{collective, combines};
use super::runs::{Reader, Said};
use super::text::{TextPlace, comment};
use super::{Imported, PrintedRow};

/// The version of a title like `#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part`.
pub(super) fn title(line: &str) -> Option<&str> {
    let title = comment(line)?;
    let is_maker = |maker: &str| maker.starts_with("Intel") || maker.starts_with("PALLAS");
    let (_, version) = title.split_once("MPI Benchmark").filter(|(maker, _)| is_maker(maker))?;
    let version = version.strip_prefix(" Suite").or(version.strip_prefix('s')).unwrap_or(version);
    Some(version.split(',').next().unwrap_or(version).trim())
}

/// Whether a line stands above all tables of a run: where its title was cut off, these begin it.
fn is_fact(line: &str) -> bool {
    let known =
        ["Calling sequence was", "MPI_Datatype", "Minimum message length in bytes", "List of Benchmarks to run"];
    comment(line).is_some_and(|fact| known.iter().any(|known| fact.starts_with(known)))
}

/// Whether a line is found in IMB's text alone.
pub(super) fn is_its_own(line: &str) -> bool {
    title(line).is_some() || is_fact(line) || line.starts_with("# Benchmarking ")
}

/// The first number of a version: 3 for `V3.2.4`.
pub fn major(version: &str) -> Option<u32> {
    version.trim_start_matches('V').split(['.', ' ']).next()?.parse().ok()
}

/// Unit of rates, judged by the version: a megabyte is 2²⁰ bytes up to 3.2 and 10⁶ bytes from 2018 on. For versions
/// between them it is not known.
fn throughput(version: Option<&str>) -> &'static str {
    match version.and_then(major) {
        Some(..=3) => "mib_per_s",
        Some(2018..) => "mb_per_s",
        Some(_) | None => "mbytes_per_s",
    }
}

fn head(head: &str, version: Option<&str>) -> Head {
    let name = match head {
        "#bytes" => return Head::new(head, Role::Bytes),
        "#repetitions" => return Head::new(head, Role::Calls),
        "Group" => return Head::new(head, Role::Word { name: "group".to_owned() }),
        "t_min[usec]" => "min_us",
        "t_max[usec]" => "max_us",
        "t_avg[usec]" => "mean_us",
        "t[usec]" => "time_us",
        "t_ovrl[usec]" => "overall_us",
        "t_pure[usec]" => "pure_us",
        "t_CPU[usec]" => "compute_us",
        "Mbytes/sec" => throughput(version),
        "Msg/sec" => "messages_per_s",
        _ => return Head::other(head),
    };
    Head::plain(head, name)
}

/// The heads of a table, if the line holds them: all tables count calls.
pub(super) fn heads(line: &str, version: Option<&str>) -> Option<Vec<Head>> {
    let cells: Vec<&str> = line.split_whitespace().collect();
    cells.contains(&"#repetitions").then(|| cells.into_iter().map(|cell| head(cell, version)).collect())
}

#[derive(Default)]
pub(super) struct Imb {
    titled: bool,
    now: PrintedRow,
    table: Option<Vec<Head>>,
    /// The command's lines so far, while further lines of it follow.
    command: Option<String>,
}

impl Reader for Imb {
    fn begins(&self, line: &str) -> bool {
        let has_table = !self.now.benchmark.is_empty();
        (self.titled || has_table) && title(line).is_some() || has_table && is_fact(line)
    }

    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said {
        if let Some(version) = title(line) {
            self.titled = true;
            run.version = Some(version.to_owned());
        } else if let Some(heads) = heads(line, run.version.as_deref()) {
            say_validated(&heads, &mut self.now);
            self.table = Some(heads);
        } else if let Some(name) = line.strip_prefix("# Benchmarking ") {
            self.now = heading(name.trim(), run);
            self.table = None;
        } else if let Some(content) = comment(line) {
            match &mut self.command {
                Some(command) if !content.is_empty() => {
                    command.push(' ');
                    command.push_str(content);
                }
                _ if content.starts_with("Calling sequence was") => self.command = Some(String::new()),
                _ => self.remark(content, run),
            }
        } else if line.is_empty() {
            if let Some(command) = self.command.take_if(|command| !command.is_empty()) {
                run.fact("command line", &command);
            }
        } else if is_failure(line) {
            return Said::Broken("the tool says why it has no numbers".to_owned());
        } else {
            match row(place, self.table.as_deref(), line, &self.now) {
                Ok(row) => run.rows.push(row),
                Err(said) => return said,
            }
        }
        Said::Its
    }
}

/// A row with the facts of an operation's tables, as far as the run states them.
fn heading(name: &str, run: &Imported) -> PrintedRow {
    let label = if combines(name) { "MPI_Datatype for reductions" } else { "MPI_Datatype" };
    let mut row = PrintedRow {
        benchmark: name.to_owned(),
        collective: collective(name),
        datatype: run.said(label).map(str::to_owned),
        ..PrintedRow::default()
    };
    if run.behind("-sync").is_some_and(is_off) {
        say(&mut row, SYNCHRONISATION, "off");
    }
    if run.behind("-root_shift").is_some_and(|value| !is_off(value)) {
        say(&mut row, "root", ROTATING);
    }
    if run.behind("-off_cache").is_some_and(|value| value != "0") {
        say(&mut row, "buffers", OFF_CACHE);
    }
    row
}

/// Whether a flag's value switches it off.
fn is_off(value: &str) -> bool {
    ["0", "off", "disable", "no"].contains(&value)
}

/// Whether a row states why it has no numbers.
fn is_failure(content: &str) -> bool {
    ["out-of-mem.", "int-overflow", "time-out."].iter().any(|failure| content.contains(failure))
}

/// The digits with which a text begins.
fn leading(text: &str) -> Option<&str> {
    let digits = text.trim_start().split(|letter: char| !letter.is_ascii_digit()).next()?;
    (!digits.is_empty()).then_some(digits)
}

impl Imb {
    /// Reads a remark: `#processes = 4 (threads: 2)`, `MODE: AGGREGATE`, `Date : …`,
    /// `( 2 groups of 4 processes each running simultaneous )`.
    fn remark(&mut self, content: &str, run: &mut Imported) {
        let behind = |mark: &str| content.split_once(mark).map(|(_, rest)| rest);
        let ranks = behind("#processes = ").or_else(|| behind(" groups of ")).and_then(leading);
        if let Some(ranks) = ranks.and_then(|ranks| ranks.parse().ok()) {
            self.now.ranks = Some(ranks);
        }
        if let Some((groups, _)) = content.split_once(" groups of ") {
            say(&mut self.now, "groups", groups.trim_start_matches(['(', ' ']));
        }
        for (mark, name) in [("(threads: ", "threads"), ("window_size = ", "window_size")] {
            if let Some(value) = behind(mark).and_then(leading) {
                say(&mut self.now, name, value);
            }
        }
        if let Some(mode) = content.strip_prefix("MODE:") {
            say(&mut self.now, "mode", &mode.trim().to_ascii_lowercase());
        } else if self.now.benchmark.is_empty()
            && let Some((label, value)) = content.split_once(':')
        {
            run.fact(label, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_old_and_new_versions() {
        let old = title("#    Intel (R) MPI Benchmark Suite V3.2.4, MPI-1 part");
        assert_eq!((old, throughput(old)), (Some("V3.2.4"), "mib_per_s"));
        let new = title("#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part");
        assert_eq!((new, throughput(new)), (Some("2021.11"), "mb_per_s"));
        assert_eq!(throughput(title("#    Intel (R) MPI Benchmarks 4.1 Update 1, MPI-1 part")), "mbytes_per_s");
        let oldest = title("#    PALLAS MPI Benchmark Suite V2.2.1, MPI-1 part");
        assert_eq!((oldest, throughput(oldest)), (Some("V2.2.1"), "mib_per_s"));
        assert_eq!(title("# MPI Benchmarks"), None);
    }
}
