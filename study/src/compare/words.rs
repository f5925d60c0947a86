//! Names and numbers in the form of the answer's sentences.

use crate::comparison::{RankRow, SubjectComparison};
use models::collective::Collective;
use programs::method::Method;
use programs::observation::{Carrier, Implementation};

/// The ratio in words: `5.48 times the reference`.
pub(super) fn times(row: &RankRow) -> String {
    match (row.measured_ratio.value, row.predicted_ratio.value) {
        (measured, _) if measured.is_finite() => format!("{} times the reference", short(measured)),
        (_, predicted) if predicted.is_finite() => format!("{} times the simulated reference", short(predicted)),
        _ => format!("{} µs, with no reference to compare it with,", short(row.measured_us.value)),
    }
}

/// The ratio in short: `1.02 times`.
pub(super) fn says(row: &RankRow) -> String {
    match (row.measured_ratio.value, row.predicted_ratio.value) {
        (measured, _) if measured.is_finite() => format!("{} times", short(measured)),
        (_, predicted) if predicted.is_finite() => format!("{} times by prediction", short(predicted)),
        _ => format!("{} µs", short(row.measured_us.value)),
    }
}

/// The method's activity: `a loop of 4 unsynchronised linear broadcasts`.
pub(super) fn doing(subject: &SubjectComparison, method: Method) -> String {
    match method {
        Method::Loop if subject.case.timing.calls == 1 => format!("a single unsynchronised {}", what(subject, false)),
        Method::Loop => format!("a loop of {} unsynchronised {}", subject.case.timing.calls, what(subject, true)),
        Method::BarrierLoop => format!("timing each {} after a barrier", what(subject, false)),
        Method::BarrierSubtract => {
            format!("subtracting the barriers from a loop of barriers and {}", what(subject, true))
        }
        Method::RootRotation => format!("a series of {} with changing roots", what(subject, true)),
        Method::BarrierOwn => format!("timing each {} after a dissemination barrier", what(subject, false)),
        Method::BarrierInside => format!("timing {} together with a barrier after each", what(subject, true)),
        Method::RoundTime => format!("starting each {} at an announced time", what(subject, false)),
        Method::Window | Method::LoopTrace => format!("method {method} on a {}", what(subject, false)),
    }
}

/// The collective in words: `linear broadcasts`, `broadcast of the library`.
pub(super) fn what(subject: &SubjectComparison, several: bool) -> String {
    let noun = subject.case.subject.collective.noun();
    let plural = if several { "s" } else { "" };
    match &subject.case.subject.implementation {
        Implementation::Own(name) => format!("{name} {noun}{plural}"),
        Implementation::Library => format!("{noun}{plural} of the library"),
        Implementation::Shared(queued) => format!("{noun}{plural} through shared memory ({queued})"),
        Implementation::Forced(name) => format!("{noun}{plural} of the library (made to use {name})"),
        Implementation::Tuned(name) => format!("{noun}{plural} of the library (tuned by {name})"),
    }
}

/// The place of the measurement: `over the emulated network (threads, more ranks than cores)`.
pub(super) fn place(subject: &SubjectComparison) -> String {
    let world = subject.case.place.world.title();
    match (subject.case.place.carrier, subject.oversubscribed) {
        (Carrier::Emulated(_), false) => format!("over the emulated network ({world})"),
        (Carrier::Emulated(_), true) => format!("over the emulated network ({world}, more ranks than cores)"),
        (Carrier::Native, false) => format!("over {world}'s own transport"),
        (Carrier::Native, true) => format!("over {world}'s own transport (more ranks than cores)"),
        (Carrier::Modelled, _) => "on simulated ranks".to_owned(),
    }
}

/// Name of a rank: `rank 0, the root`.
pub(super) fn rank_name(subject: &SubjectComparison, rank: u32) -> String {
    let root = rank == subject.case.subject.root && subject.case.subject.collective != Collective::Barrier;
    if root { format!("rank {rank}, the root") } else { format!("rank {rank}") }
}

/// A number with two decimals below 10, one below 100, and none from there on.
pub(super) fn short(value: f64) -> String {
    let digits = if value < 10.0 {
        2
    } else if value < 100.0 {
        1
    } else {
        0
    };
    format!("{value:.digits$}")
}

/// The text with a capital first letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
