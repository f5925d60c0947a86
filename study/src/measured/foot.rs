//! Text below the tables: the first calls of all, the quality of clocks, memory, and the legend.

use super::Measured;
use super::table::{micros, times};
use calibration::states::States;
use models::clock::Verdict;
use programs::method::Buffer;
use programs::observation::World;
use render::words::{indented, wrapped};

/// Describes the calls that set everything up: nothing was timed before them in their launch.
pub(super) fn first_of_all(measured: &Measured, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for subject in &measured.subjects {
        for (row, call) in subject.rows.iter().flat_map(|row| row.first_calls.iter().map(move |call| (row, call))) {
            if call.fresh {
                let ratio = times(call.ratio());
                let (launch, world) = (call.launch, subject.case.place.world.title());
                let (bytes, ranks) = (row.bytes, subject.case.place.ranks);
                lines.push(format!(
                    "{world}, {ranks} ranks, launch {launch}: {} of {bytes} B, {} µs, {ratio}",
                    subject.operation(),
                    micros(Some(call.first_us))
                ));
            }
        }
    }
    lines.sort();
    let mut all: Vec<String> = lines.iter().flat_map(|line| indented(line, width, "  ")).collect();
    if !all.is_empty() {
        let title = "The very first collective of a launch, and how many times its later ones' time";
        all.splice(0..0, wrapped(title, width, ""));
    }
    all
}

/// Describes the largest possible errors of the clocks, over everything that was measured in a world.
pub(super) fn bounds(measured: &Measured, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut worlds: Vec<(&str, u32)> =
        measured.subjects.iter().map(|one| (one.case.place.world.title(), one.case.place.ranks)).collect();
    worlds.sort_unstable();
    worlds.dedup();
    for (world, ranks) in worlds {
        let own = measured
            .subjects
            .iter()
            .filter(|one| (one.case.place.world.title(), one.case.place.ranks) == (world, ranks));
        let bounds: Vec<(f64, f64)> =
            own.clone().flat_map(|one| &one.rows).filter_map(|row| row.clock_bound_us).collect();
        let worst = |pick: fn(&(f64, f64)) -> f64| bounds.iter().map(pick).reduce(f64::max);
        let sync = own.clone().next().map_or("", |one| one.case.timing.conditions.sync.name());
        let how = match own.clone().all(|one| one.one_clock) {
            true => format!("all ranks share one clock; a check of that ({sync} synchronisation) found theirs"),
            false => format!("{sync} synchronisation; clocks"),
        };
        let line = format!(
            "{world}, {ranks} ranks: {how} within {} µs of rank 0's at the start of every case, {} µs at its end",
            micros(worst(|bound| bound.0)),
            micros(worst(|bound| bound.1))
        );
        lines.extend(indented(&line, width, "  "));
    }
    lines
}

/// Describes the states of the machine that were met, and the measurements that were left out.
pub(super) fn states(measured: &Measured, width: usize) -> Vec<String> {
    let all: usize = measured.states.met.iter().map(|state| state.stretches).sum::<usize>() + measured.states.unclear;
    let (several, unclear) = (measured.states.met.len() > 1, measured.states.unclear * 20 > all);
    if measured.states.met.is_empty() || !(several || unclear) {
        return Vec::new();
    }
    let mut lines: Vec<String> = Vec::new();
    let told = measured.states.reported();
    for state in &measured.states.met {
        let untold = !told.contains(&state);
        lines.push(format!(
            "{}: {} of {all} blocks, {} visits, {} launches{}",
            States::words(state),
            state.stretches,
            state.visits,
            state.launches,
            if untold { "; too few for tables" } else { "" }
        ));
    }
    lines.push(format!(
        "changed or unclear during a block: {} blocks, left out of their tables",
        measured.states.unclear
    ));
    let mut all = lines.iter().flat_map(|line| indented(line, width, "  ")).collect::<Vec<_>>();
    all.insert(
        0,
        "States of the machine (cores near each other or far, at full speed or slowed), which are never mixed"
            .to_owned(),
    );
    all
}

/// Describes the reference of these measurements.
pub(super) fn reference(measured: &Measured) -> String {
    reference_words(measured.subjects.iter().find_map(|subject| subject.reference))
}

/// Describes a reference whose buffers are in this state.
pub(crate) fn reference_words(buffer: Option<Buffer>) -> String {
    let state = buffer.map_or("", Buffer::words);
    format!("from a common start by synchronised clocks to the slowest rank's end (windows){state}")
}

/// Returns the explanations that apply to all tables.
pub(super) fn legend(measured: &Measured, width: usize) -> Vec<String> {
    let text = format!(
        "A method's number is the median of the slowest rank's times. Reference: {}. Start skew: last start minus \
         first start of a window on the global clock; exit skew: the same of ends. All calls of a method start warm; \
         the first call of each case is kept apart. Operations and methods were measured in an order drawn by seed {}; \
         intervals ({} %): --details. – means no data.",
        reference(measured),
        measured.seed,
        measured.reading.confidence() * 100.0
    );
    wrapped(&text, width, "")
}

/// Describes the quality of the clock of each group of ranks, a line each.
pub(super) fn cards(measured: &Measured, width: usize) -> Vec<String> {
    let line = |group: &super::GroupCard| {
        let (card, world, ranks) = (&group.clock.card, group.world.title(), group.ranks);
        let why =
            if group.clock.verdict == Verdict::Good { String::new() } else { format!(": {}", group.clock.remarks) };
        format!(
            "{world}, {ranks} ranks: clock {} moves in steps of {:.1} ns, a read costs {:.1} ns, {:+.2} ± {:.2} ppm to the raw \
             clock: {}{why}",
            card.name,
            card.granularity_ns,
            card.read_ns,
            card.against_raw_ppm,
            card.against_raw_error_ppm,
            group.clock.verdict
        )
    };
    measured.cards.iter().map(line).flat_map(|line| indented(&line, width, "  ")).collect()
}

/// Describes the memory of each group of ranks, a line each.
pub(super) fn memory(measured: &Measured, width: usize) -> Vec<String> {
    let mb = |mb: Option<f64>| mb.map_or_else(|| "– MB".to_owned(), |mb| format!("{mb:.1} MB"));
    let line = |group: &super::GroupMemory| {
        let (world, ranks, begin, end) = (group.world.title(), group.ranks, mb(group.begin_mb), mb(group.end_mb));
        match group.world {
            World::Threads => {
                format!("{world}, {ranks} ranks: one process, {begin} before anything was measured, {end} at the end")
            }
            World::Mpi(_) | World::Simulated => {
                format!("{world}, {ranks} ranks: {begin} per rank after MPI_Init, {end} at the end")
            }
        }
    };
    let mut lines: Vec<String> =
        measured.memory.iter().map(line).flat_map(|line| indented(&line, width, "  ")).collect();
    if !lines.is_empty() {
        lines.insert(0, "Resident memory".to_owned());
    }
    lines
}
