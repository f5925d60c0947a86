//! Timelines of the unsynchronised loop: the activities of each rank, simulated or measured, drawn as those of any
//! trace.

#[cfg(test)]
mod tests;
pub(crate) mod trace;

use formats::trace::{TELLING, Within, drawing};
use models::collective::Collective;
use models::time::{Span, Time};
use programs::method::Method;
use programs::observation::Observation;
use programs::trace::{Interval, Trace, TracedCall};
use render::columns;
use render::data::{Filled, Kind, Table};
use render::plots::Drawing;
use render::plots::numbers::{TimeUnit, significant};
use scenario::axis::Key;
use study::comparison::SubjectComparison;

models::named! {
    /// Choice between a subject's two timelines.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Which {
        /// The timeline of the simulated ranks.
        Predicted => "Simulated",
        /// The timeline of the real ranks.
        Measured => "Measured",
    }
    /// The word for it in titles: `Simulated` or `Measured`.
    fn title;
}

impl Which {
    /// Returns the word for it in files.
    fn source(self) -> &'static str {
        match self {
            Which::Predicted => "predicted",
            Which::Measured => "measured",
        }
    }

    /// Heading of the number that the loop's number is compared with.
    fn against(self) -> &'static str {
        match self {
            Which::Predicted => "true",
            Which::Measured => "window",
        }
    }

    fn observation(self, subject: &SubjectComparison) -> Option<&Observation> {
        match self {
            Which::Predicted => subject.predicted_trace.as_ref(),
            Which::Measured => subject.measured_trace.as_ref(),
        }
    }

    fn trace(self, subject: &SubjectComparison) -> Option<Trace> {
        self.observation(subject).and_then(trace::first_block)
    }
}

/// Draws the first block of a subject's `loop-trace`, one lane for each rank. Both timelines of a subject have the same
/// time axis. `None` where the trace was not run.
pub fn draw_timeline(subject: &SubjectComparison, which: Which) -> Option<Drawing> {
    let mut trace = which.trace(subject)?;
    let ends = Which::ALL.iter().filter_map(|side| side.trace(subject)).flat_map(|trace| trace.finish);
    let flag = if subject.oversubscribed && which == Which::Measured { ", oversubscribed" } else { "" };
    trace.title = format!("{}: {}{flag}", which.title(), subject.title());
    let within = Within {
        until: ends.max().unwrap_or(Time::ZERO),
        caption: caption(subject, which).unwrap_or_default(),
        told: told_rank(subject),
        root: (subject.case.subject.collective != Collective::Barrier).then_some(subject.case.subject.root),
        heads: ["loop says", which.against()],
    };
    for (rank, [says, truth]) in (0..).zip(columns(subject, which).unwrap_or_default()) {
        let own = trace.samples.iter_mut().find(|sample| sample.rank == rank);
        own.into_iter().for_each(|sample| sample.says_ps = (says * 1e6).round() as i64);
        trace.reference.push(Span((truth * 1e6).round() as u64));
    }
    Some(drawing(trace, within))
}

/// The numbers of the picture of [`draw_timeline`]: a line for each bar, times counted from the first entry. `None` where the
/// trace was not run.
pub fn numbers(subject: &SubjectComparison, which: Which) -> Option<Table> {
    let trace = which.trace(subject)?;
    let call = |bar: &Interval| {
        let within = |call: &&TracedCall| call.rank == bar.rank && call.from <= bar.start && bar.end <= call.to;
        trace.calls.iter().find(within).and_then(|call| call.number).unwrap_or_default()
    };
    let us = |at: Time| at.since(Time::ZERO).as_us();
    let columns: [Filled<Interval>; 6] = [
        (columns::SOURCE.column(), &|_| which.source().into()),
        (columns::RANK.column(), &|bar| bar.rank.into()),
        (columns::named("call", Kind::Integer), &|bar| call(bar).into()),
        (columns::named("activity", Kind::Text), &|bar| bar.activity.name().into()),
        (columns::START.column(), &|bar| us(bar.start).into()),
        (columns::named("end_us", Kind::Number), &|bar| us(bar.end).into()),
    ];
    let keys = trace.intervals.iter().map(|_| Key::of_subject(&subject.case));
    Some(columns::of_cases(Table::from_rows("rows", &trace.intervals, &columns), keys))
}

/// Whether a subject has a timeline at all.
pub fn is_traced(subject: &SubjectComparison) -> bool {
    Which::ALL.iter().any(|which| which.trace(subject).is_some())
}

/// One or two sentences on the rank that the loop misreports most, as the timeline shows it. `None` where the trace or
/// the loop was not run.
pub fn caption(subject: &SubjectComparison, which: Which) -> Option<String> {
    let trace = which.trace(subject)?;
    let Some(rank) = told_rank(subject) else {
        let looped = subject.by(Method::Loop).is_some();
        return looped.then(|| "The loop misreports no rank by more than 5 %.".to_owned());
    };
    let (in_loop, waited) = (trace::in_loop(&trace, rank), trace::waited(&trace, rank));
    let unit = TimeUnit::fitting([in_loop.as_us()]);
    let calls = trace.samples.iter().map(|sample| sample.calls).max().unwrap_or(0);
    let mut text = format!("Rank {rank} spends {} in {calls} calls", unit.print(in_loop.as_us()));
    if waited > Span::ZERO {
        let share = waited.as_us() / in_loop.as_us() * 100.0;
        text += &format!(
            ", {} of it ({share:.0} %) waiting for messages that have not been sent yet",
            unit.print(waited.as_us())
        );
    }
    text += ".";
    if let Some([says, truth]) = columns(subject, which).and_then(|us| us.get(rank as usize).copied()) {
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

/// The rank that the loop misreports most, predicted or measured; `None` where it misreports no rank by more than 5 %,
/// or was not run.
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

/// The loop's number for each rank, beside the true time (simulated) or the window method's number (measured), in µs.
fn columns(subject: &SubjectComparison, which: Which) -> Option<Vec<[f64; 2]>> {
    let looped = &subject.by(Method::Loop)?.rows;
    Some(match which {
        Which::Predicted => {
            let truth = subject.reference_us.iter().map(|truth| truth.value);
            looped.iter().zip(truth).map(|(row, truth)| [row.predicted_us.value, truth]).collect()
        }
        Which::Measured => {
            let window = &subject.by(Method::Window)?.rows;
            looped.iter().zip(window).map(|(row, window)| [row.measured_us.value, window.measured_us.value]).collect()
        }
    })
}
