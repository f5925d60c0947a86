//! nccl-tests and rccl-tests: devices and settings, heads, a row for each size with numbers out of place and in place.
//!
//! Source: src/util.cu (2.19.6: `writeDeviceReport`, `writeResultHeader`, `writeBenchmarkLineBody`), src/common.cu of
//! 2.10 and before, where the last column of each part is `error` and texts do not name the collective. Times are in
//! µs, GB are 10⁹ bytes. Buffers lie in the memory of devices; the numbers in place make a row of their own.

use super::conditions::say;
use super::names::collective;
use super::runs::{Reader, Said};
use super::text::{TextPlace, comment};
use super::{Column, ImportError, Imported, PrintedRow};

/// Whether a line is found in these texts alone.
pub(super) fn is_its_own(line: &str) -> bool {
    let words = comment(line).unwrap_or(line);
    let is_head = words.split_whitespace().take(3).eq(["size", "count", "type"]);
    let marks = ["nThread ", "nccl-tests version ", "rccl-tests version ", "Collective test starting: "];
    is_head || marks.iter().any(|mark| words.trim_start().starts_with(mark))
}

/// The content of a line that is no row, even if a mail or a page has removed its `#`.
fn remark(line: &str) -> Option<&str> {
    let is_one = || is_its_own(line) || line.starts_with("Rank ") || line.starts_with("(B) ");
    comment(line).or_else(|| is_one().then_some(line))
}

#[derive(Default)]
pub(super) struct Nccl {
    now: PrintedRow,
    /// The greatest rank of a device, plus one.
    ranks: u32,
    /// Heads of the numbers of a row.
    heads: Vec<String>,
    /// Number of heads among those of operation and root.
    named: usize,
    /// Number of words behind the numbers, which make up a time stamp.
    behind: usize,
}

impl Reader for Nccl {
    fn started(&mut self, program: &str) {
        self.call(program);
    }

    fn begins(&self, line: &str) -> bool {
        !self.heads.is_empty() && is_its_own(line)
    }

    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said {
        if let Some(content) = remark(line) {
            self.remark(content, run);
            return Said::Its;
        }
        let cells: Vec<&str> = line.split_whitespace().collect();
        let is_row = cells.first().is_some_and(|cell| cell.parse::<u64>().is_ok());
        if line.is_empty() {
            return Said::Its;
        }
        if self.heads.is_empty() || !is_row {
            return Said::Foreign;
        }
        match self.rows(place, &cells) {
            Ok(rows) => run.rows.extend(rows),
            Err(error) => return Said::Broken(error.message),
        }
        Said::Its
    }

    fn end(&mut self, run: &mut Imported) {
        if run.rows.iter().any(|row| row.benchmark == UNNAMED) {
            run.notes.push("the text does not say which collective was called: its program's name does".to_owned());
        }
    }
}

/// Name of a collective that a text does not name.
const UNNAMED: &str = "unnamed";
/// Buffers of the two parts of a row's numbers, in their order.
const PARTS: [&str; 2] = ["device", "device, in place"];

impl Nccl {
    /// The collective that a program calls, by the program's name.
    fn call(&mut self, program: &str) {
        let name = program.rsplit('/').next().unwrap_or(program);
        let name = name.strip_suffix("_perf").unwrap_or(name);
        self.now.benchmark = name.to_owned();
        self.now.collective = collective(&name.replace("all_", "all").replace("sendrecv", ""));
    }

    fn remark(&mut self, content: &str, run: &mut Imported) {
        let words: Vec<&str> = content.split_whitespace().collect();
        match words.as_slice() {
            ["nccl-tests" | "rccl-tests", "version", version, ..] => run.version = Some((*version).to_owned()),
            ["Collective", "test", "starting:", program, ..] => self.call(program),
            ["nThread", ..] => {
                let behind = words.windows(2).find(|pair| pair[0] == "iters:" && pair[1].parse::<u64>().is_ok());
                // The first `iters:` counts calls before the timed ones.
                let last =
                    words.windows(3).find(|words| words[1] == "iters:" && !["warmup", "agg"].contains(&words[0]));
                self.now.calls =
                    last.map(|words| words[2]).or(behind.map(|pair| pair[1])).and_then(|calls| calls.parse().ok());
                run.fact("settings", content);
            }
            ["Rank", rank, ..] => {
                let rank = rank.parse::<u32>().ok().and_then(|rank| rank.checked_add(1));
                self.ranks = self.ranks.max(rank.unwrap_or(0));
                if let Some(group) = words.iter().position(|word| *word == "Group").and_then(|at| words.get(at + 1)) {
                    // Usually there is one group of all ranks.
                    let others = self.now.word("groups").to_owned();
                    say(&mut self.now, "groups", if *group == "0" { &others } else { "several" });
                }
                run.fact(&format!("device of rank {}", words[1]), content);
            }
            ["size", "count", "type", rest @ ..] => {
                let first = rest.iter().position(|head| ["time", "cputime"].contains(head)).unwrap_or(rest.len());
                let (numbers, behind): (Vec<&str>, Vec<&str>) =
                    rest[first..].iter().partition(|head| **head != "timestamp");
                self.named = rest[..first].iter().filter(|head| ["redop", "root"].contains(head)).count();
                self.heads = numbers.into_iter().map(str::to_owned).collect();
                // A date and a time of day.
                self.behind = 2 * behind.len();
                self.now.ranks = (self.ranks > 0).then_some(self.ranks);
                if self.now.benchmark.is_empty() {
                    UNNAMED.clone_into(&mut self.now.benchmark);
                }
            }
            _ => {
                if let Some((label, value)) = content.split_once(" : ") {
                    run.fact(label, value);
                }
            }
        }
    }

    /// Returns the rows of a line: one for each part that has numbers.
    fn rows(&self, place: TextPlace, cells: &[&str]) -> Result<Vec<PrintedRow>, ImportError> {
        let numbers = self.heads.len();
        // Size, count and type come first; operation and root may be blank.
        let named = cells.len().checked_sub(numbers + self.behind + 3).filter(|named| *named <= self.named);
        // A word there is the operation, which the root always follows.
        let is_word = cells.get(3).is_some_and(|cell| cell.parse::<f64>().is_err());
        let named = named.filter(|named| !is_word || *named == self.named);
        let before = named.map(|named| named + 3).ok_or_else(|| {
            let all = numbers + self.behind + 3 + self.named;
            place.error(format!("expected {all} values as in the head, found {}: the row was cut off", cells.len()))
        })?;
        let mut row = PrintedRow { line: place.line, ..self.now.clone() };
        row.bytes = Some(place.whole(cells[0], "bytes")?);
        row.count = Some(place.whole(cells[1], "elements")?);
        row.datatype = Some(cells[2].to_owned());
        let root = cells[3..before].iter().find_map(|cell| cell.parse::<u32>().ok());
        let reduction =
            cells[3..before].iter().find(|cell| cell.parse::<u32>().is_err() && cell.parse::<i64>().is_err());
        say(&mut row, "reduction", reduction.filter(|name| !["sum", "none"].contains(*name)).unwrap_or(&""));
        say(&mut row, "root", &root.filter(|root| *root > 0).map(|root| root.to_string()).unwrap_or_default());
        let each = numbers / PARTS.len();
        let parts = cells[before..before + numbers].chunks(each.max(1)).zip(self.heads.chunks(each.max(1)));
        let mut rows = Vec::new();
        for (what, (cells, heads)) in PARTS.into_iter().zip(parts) {
            let columns = heads.iter().zip(cells).map(|(head, cell)| column(place, head, cell));
            let mut part = PrintedRow { columns: columns.collect::<Result<_, _>>()?, ..row.clone() };
            say(&mut part, "buffers", what);
            rows.push(part);
        }
        Ok(rows)
    }
}

fn column(place: TextPlace, head: &str, cell: &str) -> Result<Column, ImportError> {
    let name = match head {
        "time" => "time_us",
        "cputime" => "cpu_time_us",
        "algbw" => "algorithm_gb_per_s",
        "busbw" => "bus_gb_per_s",
        "#wrong" => "defects",
        "error" => "largest_error",
        "i_min" => "min_us",
        "i_max" => "max_us",
        "i_p99" => "p99_us",
        "i_cv%" => "variation_percent",
        other => other,
    };
    let value = if cell == "N/A" { None } else { place.number(cell, 0, head)? };
    Ok(Column { head: head.to_owned(), name: name.to_owned(), value })
}
