//! The answer in sentences: how wrong each benchmark is, and how to run it.

use super::{Audit, Row};
use crate::plots::numbers::bytes;
use crate::states::States;
use crate::statistics::median;
use models::observation::World;

/// A number within this share of its reference is right for most purposes.
const RIGHT: f64 = 0.1;
/// A way to run a benchmark is good if this share of its numbers is right.
const GOOD_SHARE: f64 = 0.8;

/// One way to run a benchmark, and how wrong its numbers are.
struct Way<'a> {
    tool: &'a str,
    run_as: String,
    column: &'a str,
    rows: Vec<&'a Row>,
}

impl Way<'_> {
    /// The typical factor by which numbers are wrong, as a logarithm.
    fn error(&self) -> f64 {
        let errors: Vec<f64> = self.rows.iter().map(|row| row.over.log_ratio.value.abs()).collect();
        median(&errors).unwrap_or(f64::INFINITY)
    }

    /// How many numbers are right.
    fn right(&self) -> usize {
        self.rows.iter().filter(|row| row.over.log_ratio.value.abs() <= (1.0 + RIGHT).ln()).count()
    }

    fn worst(&self) -> Option<&Row> {
        let error = |row: &&&Row| row.over.log_ratio.value.abs();
        self.rows.iter().max_by(|one, other| error(one).total_cmp(&error(other))).copied()
    }
}

/// The firm rows of the state that was met most, of columns that people read.
fn firm(audit: &Audit, world: World) -> Vec<&Row> {
    let state = audit.states.met.first().copied();
    let wanted = |row: &&Row| row.world == world && row.state == state && row.over.is_firm() && !row.is_least();
    audit.rows.iter().filter(wanted).collect()
}

fn ways<'a>(rows: &[&'a Row]) -> Vec<Way<'a>> {
    let mut ways: Vec<Way> = Vec::new();
    for row in rows {
        match ways.iter_mut().find(|way| way.run_as == row.run_as() && way.column == row.column) {
            Some(way) => way.rows.push(row),
            None => ways.push(Way { tool: &row.tool, run_as: row.run_as(), column: &row.column, rows: vec![row] }),
        }
    }
    ways
}

fn worlds(audit: &Audit) -> Vec<World> {
    let mut worlds: Vec<World> = audit.rows.iter().map(|row| row.world).collect();
    worlds.sort_unstable();
    worlds.dedup();
    worlds
}

/// `×0.71 [0.69, 0.73]`.
pub(super) fn ratio(row: &Row) -> String {
    match row.over.ratio() {
        (value, Some((low, high))) => format!("×{value:.2} [{low:.2}, {high:.2}]"),
        (value, None) => format!("×{value:.2}"),
    }
}

/// The first sentence: how wrong benchmarks are as people run them.
pub fn answer(audit: &Audit) -> String {
    let mut said = Vec::new();
    for world in worlds(audit) {
        let rows = firm(audit, world);
        let plain: Vec<&Row> = rows.iter().copied().filter(|row| row.flags.is_empty()).collect();
        let (least, most) = (extreme(&plain, -1.0), extreme(&plain, 1.0));
        if let (Some(least), Some(most)) = (least, most) {
            said.push(format!(
                "On {} benchmarks with their default flags print {} ({}, {} {}) to {} ({}, {} {}) of the reference.",
                world.title(),
                ratio(least),
                least.title(),
                least.collective,
                bytes(least.bytes),
                ratio(most),
                most.title(),
                most.collective,
                bytes(most.bytes),
            ));
        }
    }
    if said.is_empty() {
        "No ratio is firm enough for an answer: take more launches.".to_owned()
    } else {
        said.join(" ")
    }
}

fn extreme<'a>(rows: &[&'a Row], sign: f64) -> Option<&'a Row> {
    let key = |row: &&&Row| sign * row.over.log_ratio.value;
    rows.iter().max_by(|one, other| key(one).total_cmp(&key(other))).copied()
}

/// Which flags and which column to use of each benchmark, and which benchmark no flags mend.
pub fn advice(audit: &Audit) -> Vec<String> {
    let mut said = Vec::new();
    for world in worlds(audit) {
        let rows = firm(audit, world);
        let all = ways(&rows);
        let mut tools: Vec<&str> = all.iter().map(|way| way.tool).collect();
        tools.sort_unstable();
        tools.dedup();
        for tool in tools {
            let of_tool = || all.iter().filter(|way| way.tool == tool);
            if let Some(best) = of_tool().min_by(|one, other| one.error().total_cmp(&other.error())) {
                said.push(of_one(world, tool, best));
            }
        }
    }
    if let Some(state) = audit.states.met.first() {
        said.push(format!("All of this holds while {}.", States::words(state)));
    }
    said
}

fn of_one(world: World, tool: &str, best: &Way) -> String {
    let (right, all) = (best.right(), best.rows.len());
    let percent = RIGHT * 100.0;
    let worst = best.worst().map(|row| format!("; worst {}: {} {}", ratio(row), row.collective, bytes(row.bytes)));
    let numbers =
        format!("{right} of {all} numbers within {percent:.0} % of the reference{}", worst.unwrap_or_default());
    let place = world.title();
    if right as f64 >= GOOD_SHARE * all as f64 {
        return format!("{place}: run {} and read {}: {numbers}.", best.run_as, best.column);
    }
    format!("{place}: no flags mend {tool}; the best is {}, column {}: {numbers}.", best.run_as, best.column)
}
