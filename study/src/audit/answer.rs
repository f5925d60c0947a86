//! The answer in sentences: the error of each benchmark, and the best way to run it.

use super::ways::{Choice, Good, choice, ways};
use super::{Audit, AuditRow, text_answer};
use calibration::states::States;
use programs::observation::World;
use render::plots::numbers::bytes;

/// The firm rows of the most visited state, without columns of minima.
fn firm(audit: &Audit, world: World) -> Vec<&AuditRow> {
    let state = audit.states.met.first().copied();
    let wanted = |row: &&AuditRow| row.world == world && row.state == state && row.over.is_firm() && !row.is_least();
    audit.rows.iter().filter(wanted).collect()
}

fn worlds(audit: &Audit) -> Vec<World> {
    let mut worlds: Vec<World> = audit.rows.iter().map(|row| row.world).collect();
    worlds.sort_unstable();
    worlds.dedup();
    worlds
}

/// The ratio with its interval: `×0.71 [0.69, 0.73]`.
pub(super) fn ratio(row: &AuditRow) -> String {
    match row.over.ratio() {
        (value, Some((low, high))) => format!("×{value:.2} [{low:.2}, {high:.2}]"),
        (value, None) => format!("×{value:.2}"),
    }
}

/// The first sentence: the errors of benchmarks with their default flags.
pub(super) fn conclude(audit: &Audit) -> String {
    if audit.texts.is_some() {
        return text_answer::conclude(audit);
    }
    let mut said = Vec::new();
    for world in worlds(audit) {
        let rows = firm(audit, world);
        let plain: Vec<&AuditRow> = rows.iter().copied().filter(|row| row.flags.is_empty()).collect();
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
        "All ratios are too uncertain for an answer: take more launches.".to_owned()
    } else {
        said.join(" ")
    }
}

pub(super) fn extreme<'a>(rows: &[&'a AuditRow], sign: f64) -> Option<&'a AuditRow> {
    // Sorts by the end of the interval next to the other numbers: a wide interval makes no number the extreme one.
    let key = |row: &&&AuditRow| {
        let (low, high) = row.over.log_ends();
        if sign > 0.0 { low } else { -high }
    };
    rows.iter().max_by(|one, other| key(one).total_cmp(&key(other))).copied()
}

/// Recommends flags and a column of each benchmark, with the quality of these; for texts, names the questions that they
/// leave open.
pub(super) fn advice(audit: &Audit) -> Vec<String> {
    if let Some(texts) = &audit.texts {
        return text_answer::advice(audit, texts);
    }
    let mut said = Vec::new();
    for world in worlds(audit) {
        let rows = firm(audit, world);
        let mut tools: Vec<&str> = rows.iter().map(|row| row.tool.as_str()).collect();
        tools.sort_unstable();
        tools.dedup();
        for tool in tools {
            let of_tool: Vec<&AuditRow> = rows.iter().copied().filter(|row| row.tool == tool).collect();
            // Flags are compared with the benchmark's default flags: without firm numbers of these there is no advice.
            if of_tool.iter().all(|row| !row.flags.is_empty()) {
                continue;
            }
            said.extend(choice(&ways(&of_tool)).map(|choice| of_one(world, tool, &choice)));
        }
    }
    if !said.is_empty() {
        said.push(CONTRADICTION.to_owned());
    }
    if let Some(state) = audit.states.met.first().filter(|_| !said.is_empty()) {
        let all: usize = audit.states.met.iter().map(|state| state.stretches).sum();
        let share = 100.0 * state.stretches as f64 / all.max(1) as f64;
        let others = if audit.states.reported().len() > 1 { "; other states have tables of their own" } else { "" };
        said.push(format!(
            "All of this holds while {}, which was the case {share:.0} % of the time{others}.",
            States::words(state)
        ));
    }
    said
}

/// Explains when another audit would contradict this one.
const CONTRADICTION: &str = "A count like \"18 to 22\" has two limits because the intervals of some numbers cross the \
                             10 % limit; numbers whose launches fall into two groups are not counted. A way is called \
                             good if four fifths of its numbers are right, and better only if its lower limit exceeds \
                             the other's upper limit. More launches narrow the counts. Another audit contradicts this \
                             one only if its counts for the same way do not overlap these.";

fn of_one(world: World, tool: &str, choice: &Choice) -> String {
    let (place, best, count) = (world.title(), choice.best, choice.best.count());
    let worst = best.worst().map(|row| format!("; worst {}: {} {}", ratio(row), row.collective, bytes(row.bytes)));
    let numbers = format!("{}{}", count.words(), worst.unwrap_or_default());
    let others = match choice.alike.as_slice() {
        [] => String::new(),
        [other] => format!(" Not clearly better or worse: {}.", other.name()),
        [one, other] => format!(" Not clearly better or worse: {}, and {}.", one.name(), other.name()),
        [other, rest @ ..] => format!(" Not clearly better or worse: {}, and {} other ways.", other.name(), rest.len()),
    };
    let said = match (choice.is_better, count.good()) {
        (true, Good::Yes) => format!("run {} and read {}: {numbers}", best.run_as(), best.column),
        (true, Good::No) => format!("the best of {tool} is {}, and it is not good: {numbers}", best.name()),
        (true, Good::Open) => format!("the best of {tool} is {}, perhaps good enough: {numbers}", best.name()),
        (false, Good::Yes) => {
            format!("run {} as it is and read {}; no flags are clearly better: {numbers}", best.run_as(), best.column)
        }
        (false, Good::No) => {
            format!("no flags are clearly better than {}, which is not good: {numbers}", best.name())
        }
        (false, Good::Open) => format!("no flags are clearly better than {}: {numbers}", best.name()),
    };
    format!("{place}: {said}.{others}")
}
