//! Comparison of the ways to run a benchmark, as far as the launches allow it.
//!
//! A number is right if the whole interval of its ratio lies within 10 % of the reference, wrong if none of it does,
//! and open otherwise: another audit may find it on either side. So a way has between `right` and `right + open` right
//! numbers. It is better than another one if the least of its count exceeds the most of the other's, for numbers that
//! both have: this holds for any outcome of the open ones. Two audits of the same benchmarks contradict each other if
//! one of them calls a way better that the other one can distinguish from its own best ways. That takes numbers whose
//! true ratios lie outside of their intervals (one in twenty), or another state of the machine.

use super::AuditRow;
use crate::over::RIGHT;
use models::collective::Collective;
use programs::method::Preset;
use render::groups::together;
use std::cmp::Reverse;

/// A way to run a benchmark is good if this share of its numbers is right.
const GOOD_SHARE: f64 = 0.8;

/// Remark on numbers of rooted calls whose root changes.
pub const ROOTS_TAKE_TURNS: &str = "the root rotates: another quantity than the time from one root";

/// One way to run a benchmark, with its numbers.
#[derive(Clone, Debug)]
pub(super) struct Way<'a> {
    pub tool: &'a str,
    pub column: &'a str,
    pub rows: Vec<&'a AuditRow>,
}

/// Count of right numbers, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    /// Numbers that are surely right.
    pub right: usize,
    /// Numbers that may be right or wrong.
    pub open: usize,
    /// Number of all numbers.
    pub all: usize,
}

/// Whether enough numbers are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Good {
    /// Enough numbers are right in any case.
    Yes,
    /// Too few numbers are right in any case.
    No,
    /// The open numbers decide.
    Open,
}

impl Count {
    pub(super) fn most(self) -> usize {
        self.right + self.open
    }

    pub(super) fn good(self) -> Good {
        let enough = |count: usize| count as f64 >= GOOD_SHARE * self.all as f64;
        match (enough(self.right), enough(self.most())) {
            (true, _) => Good::Yes,
            (false, false) => Good::No,
            (false, true) => Good::Open,
        }
    }

    /// `22 of 28 numbers within 10 % of the reference`; `18 to 22 of 28 …` where some are open.
    pub(super) fn words(self) -> String {
        let (right, most, all, percent) = (self.right, self.most(), self.all, RIGHT * 100.0);
        let count = if self.open == 0 { right.to_string() } else { format!("{right} to {most}") };
        format!("{count} of {all} numbers within {percent:.0} % of the reference")
    }
}

impl<'a> Way<'a> {
    fn key(row: &AuditRow) -> (Collective, u64, &str) {
        (row.collective, row.bytes, &row.element)
    }

    pub(super) fn count(&self) -> Count {
        count(self.rows.iter().copied())
    }

    /// Counts the numbers that another way has, too.
    fn count_beside(&self, other: &Way) -> Count {
        let there = |row: &&AuditRow| other.rows.iter().any(|known| Way::key(known) == Way::key(row));
        count(self.rows.iter().copied().filter(there))
    }

    /// Whether it is better for any outcome of the open numbers.
    pub(super) fn is_better_than(&self, other: &Way) -> bool {
        self.count_beside(other).right > other.count_beside(self).most()
    }

    pub(super) fn worst(&self) -> Option<&'a AuditRow> {
        // Sorts by the least possible error: a wide interval makes no number the worst.
        let error = |row: &&&AuditRow| row.over.at_least();
        self.rows.iter().max_by(|one, other| error(one).total_cmp(&error(other))).copied()
    }

    /// Whether it runs the benchmark with its default flags.
    fn is_plain(&self) -> bool {
        self.rows.first().is_some_and(|row| row.flags.is_empty())
    }

    /// The benchmark with its flags: `IMB -root_shift on (roots take turns: …)`.
    pub(super) fn run_as(&self) -> String {
        let row = self.rows.first();
        let turns = row.is_some_and(|row| row.flags.contains("-root_shift on"));
        let mark = if turns { format!(" ({ROOTS_TAKE_TURNS})") } else { String::new() };
        row.map(|row| row.run_as() + &mark).unwrap_or_default()
    }

    /// Name of the way: `OSU -f, column Max Latency(us)`.
    pub(super) fn name(&self) -> String {
        format!("{}, column {}", self.run_as(), self.column)
    }
}

fn count<'a>(rows: impl Iterator<Item = &'a AuditRow>) -> Count {
    let mut found = Count::default();
    let limit = RIGHT.ln_1p();
    for row in rows {
        let (low, high) = row.over.log_ends();
        found.all += 1;
        if low >= -limit && high <= limit {
            found.right += 1;
        } else if low <= limit && high >= -limit {
            found.open += 1;
        }
    }
    found
}

/// Groups these rows by way.
pub(super) fn ways<'a>(rows: &[&'a AuditRow]) -> Vec<Way<'a>> {
    let ways = together(rows.iter().map(|&row| ((row.run_as(), &row.column), row)));
    ways.into_iter().map(|rows| Way { tool: &rows[0].tool, column: &rows[0].column, rows }).collect()
}

/// The recommended way to run one benchmark.
pub(super) struct Choice<'w, 'a> {
    pub best: &'w Way<'a>,
    /// Whether it is better than the benchmark with its default flags and the usually quoted column.
    pub is_better: bool,
    /// Other ways that may have as many right numbers.
    pub alike: Vec<&'w Way<'a>>,
}

/// Returns the best of a benchmark's ways: the plain one, unless another is better than it.
pub(super) fn choice<'w, 'a>(ways: &'w [Way<'a>]) -> Option<Choice<'w, 'a>> {
    let quoted = |way: &&Way| {
        let preset = Preset::ALL.into_iter().find(|preset| preset.title() == way.tool);
        preset.is_some_and(|preset| preset.columns().first().is_some_and(|column| column.head == way.column))
    };
    let plain = || ways.iter().filter(|way| way.is_plain());
    let usual = plain().find(quoted).or_else(|| plain().next()).or(ways.first())?;
    let better = ways.iter().filter(|way| way.is_better_than(usual));
    // The first of equally many: `min_by_key` takes it.
    let best = better.min_by_key(|way| Reverse((way.count().right, way.count().most())));
    let (best, is_better) = best.map_or((usual, false), |best| (best, true));
    let apart = |way: &&Way| !std::ptr::eq(*way, best);
    let alike = ways.iter().filter(apart).filter(|way| way.count_beside(best).most() >= best.count_beside(way).right);
    let alike = alike.filter(|way| !best.is_better_than(way)).collect();
    Some(Choice { best, is_better, alike })
}
