//! Timelines of the unsynchronised loop: what each rank did, simulated or measured, as SVG.
//!
//! A receive is split where its message's send begins: before that the rank waits for something
//! that does not exist yet, after that the message is on its way. The n-th receive from a rank
//! belongs to that rank's n-th send to this one.

mod picture;
#[cfg(test)]
mod tests;
pub(crate) mod trace;

use crate::comparison::SubjectComparison;
use crate::plots::Drawing;
use crate::plots::numbers::{TimeUnit, significant};
use crate::table::{Csv, Heads};
use models::method::Method;
use models::observation::Observation;
use models::time::Span;
use picture::{Columns, Picture};
use scenario::axis::{Axis, Key};
use trace::Trace;

/// A ratio of two times that is worth telling, in either direction.
const TELLING: f64 = 1.05;

models::named! {
    /// Which of a subject's two timelines.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Which {
        /// The simulated ranks'.
        Predicted => "Simulated",
        /// The real ranks'.
        Measured => "Measured",
    }
    /// The word for it in titles: `Simulated` or `Measured`.
    fn title;
}

impl Which {
    /// The word for it in files.
    fn source(self) -> &'static str {
        match self {
            Which::Predicted => "predicted",
            Which::Measured => "measured",
        }
    }

    fn observation(self, subject: &SubjectComparison) -> Option<&Observation> {
        match self {
            Which::Predicted => subject.predicted_trace.as_ref(),
            Which::Measured => subject.measured_trace.as_ref(),
        }
    }

    fn trace(self, subject: &SubjectComparison) -> Option<Trace> {
        self.observation(subject).and_then(Trace::of)
    }
}

/// The picture of the first block of a subject's `loop-trace`, one lane for each rank. Both
/// timelines of a subject have the same time axis. `None` where the trace was not run.
pub fn draw(subject: &SubjectComparison, which: Which) -> Option<Drawing> {
    let trace = which.trace(subject)?;
    let both = Which::ALL.iter().filter_map(|side| side.trace(subject));
    let until = both.map(|trace| trace.end).max().unwrap_or(trace.end);
    let flag = if subject.oversubscribed && which == Which::Measured { ", oversubscribed" } else { "" };
    let title = format!("{}: {}{flag}", which.title(), subject.title());
    let picture = Picture {
        label: format!("Timeline. {title}. {}", caption(subject, which).unwrap_or_default()),
        trace,
        title,
        until_us: until.as_us(),
        root: subject.case.root,
        told: told_rank(subject),
        columns: columns(subject, which),
    };
    Some(picture.drawing())
}

/// What [`draw`] draws as numbers: a line for each bar, times counted from the first entry. `None` where the trace was
/// not run.
pub fn csv(subject: &SubjectComparison, which: Which) -> Option<String> {
    let trace = which.trace(subject)?;
    let (key, source) = (Key::of_subject(&subject.case), which.source());
    let row = |bar: &trace::Bar| {
        let what = (source, bar.rank, bar.call, bar.activity.name());
        (key.shared_cells(), what, bar.from.as_us(), bar.to.as_us())
    };
    let heads = (Heads(&Axis::shared_heads()), Heads("source,rank,call,activity,start_us,end_us"));
    Some(Csv::new(heads).rows(trace.bars.iter().map(row)).text())
}

/// Whether a subject has a timeline at all.
pub fn is_traced(subject: &SubjectComparison) -> bool {
    Which::ALL.iter().any(|which| which.trace(subject).is_some())
}

/// One or two sentences that say what the timeline shows of the rank that the loop misreports most.
/// `None` where the trace or the loop was not run.
pub fn caption(subject: &SubjectComparison, which: Which) -> Option<String> {
    let trace = which.trace(subject)?;
    let Some(rank) = told_rank(subject) else {
        let looped = subject.by(Method::Loop).is_some();
        return looped.then(|| "The loop misreports no rank by more than 5 %.".to_owned());
    };
    let (in_loop, waited) = (trace.in_loop(rank), trace.waited(rank));
    let unit = TimeUnit::fitting([in_loop.as_us()]);
    let calls = trace.calls();
    let mut text = format!("Rank {rank} spends {} in {calls} calls", unit.print(in_loop.as_us()));
    if waited > Span::ZERO {
        let share = waited.as_us() / in_loop.as_us() * 100.0;
        text += &format!(
            ", {} of it ({share:.0} %) waiting for messages that have not been sent yet",
            unit.print(waited.as_us())
        );
    }
    text += ".";
    if let Some([says, truth]) = columns(subject, which).and_then(|columns| columns.us.get(rank as usize).copied()) {
        let against = match which {
            Which::Predicted => "one call on its own takes it",
            Which::Measured => "the window method, which starts all ranks together, reports",
        };
        let unit = TimeUnit::fitting([says, truth]);
        text += &format!(
            " The loop reports {} per call; {against} {} (ratio {}).",
            unit.print(says),
            unit.print(truth),
            significant(says / truth)
        );
    }
    Some(text)
}

/// The rank that the loop misreports most, predicted or measured; none where it misreports no rank
/// by more than 5 %, or was not run.
fn told_rank(subject: &SubjectComparison) -> Option<u32> {
    let shift = |ratio: f64| if ratio > 0.0 && ratio.is_finite() { ratio.ln().abs() } else { 0.0 };
    let mut told: Option<(u32, f64)> = None;
    for row in &subject.by(Method::Loop)?.rows {
        let shift = shift(row.predicted_ratio.value).max(shift(row.measured_ratio.value));
        if shift > told.map_or(TELLING.ln(), |(_, most)| most) {
            told = Some((row.rank, shift));
        }
    }
    told.map(|(rank, _)| rank)
}

/// What the loop says beside the truth (simulated) or the window method's number (measured).
fn columns(subject: &SubjectComparison, which: Which) -> Option<Columns> {
    let looped = &subject.by(Method::Loop)?.rows;
    let heads = match which {
        Which::Predicted => ["loop says", "true"],
        Which::Measured => ["loop says", "window"],
    };
    let us = match which {
        Which::Predicted => {
            let truth = subject.reference_us.iter().map(|truth| truth.value);
            looped.iter().zip(truth).map(|(row, truth)| [row.predicted_us.value, truth]).collect()
        }
        Which::Measured => {
            let window = &subject.by(Method::Window)?.rows;
            looped.iter().zip(window).map(|(row, window)| [row.measured_us.value, window.measured_us.value]).collect()
        }
    };
    Some(Columns { heads, us })
}
