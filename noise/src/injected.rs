//! Rates that generators of noise reached, and times of a command beside them.

use models::names::counted;
use models::time::Span;
use render::columns;
use render::data::{Filled, Known, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::significant;
use render::results::Results;

/// Result of a generator of noise.
pub struct Injected {
    /// Name of the events.
    pub what: &'static str,
    /// Number of threads that generated events.
    pub threads: u32,
    /// Sums over the whole time.
    pub total: Reached,
    /// Sums of each second.
    pub seconds: Vec<Reached>,
    /// Notes that qualify the result.
    pub notes: Vec<String>,
    /// Command that ran beside the generators, if there was one.
    pub command: Option<Disturbed>,
}

/// Sums of the events within some time.
pub struct Reached {
    /// End of that time, in s since the begin.
    pub at_s: f64,
    /// Length of that time, in s.
    pub for_s: f64,
    /// Number of events that were generated.
    pub events: u64,
    /// Number of bytes that the events moved.
    pub bytes: u64,
    /// Sum of the durations of all events.
    pub busy: Span,
    /// Sum of the delays of the events' begins against their plan.
    pub late: Span,
    /// Number of events that were left out or remained without an answer.
    pub lost: u64,
}

/// Times of a command, run after run.
pub struct Disturbed {
    /// Command line as it is typed.
    pub command: String,
    /// Times without the disturbance, in s.
    pub alone: Vec<f64>,
    /// Times with the disturbance, in s.
    pub disturbed: Vec<f64>,
}

impl Disturbed {
    /// Returns the times without and with the disturbance.
    fn sides(&self) -> [(&'static str, &[f64]); 2] {
        [("alone", &self.alone), ("disturbed", &self.disturbed)]
    }

    /// Returns the mean and the least of the times of each side, and the noise norm.
    fn norms(&self) -> Table {
        let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len().max(1) as f64;
        let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
        let columns: [Filled<(&str, &[f64])>; 5] = [
            (SIDE.column(), &|(side, _)| (*side).into()),
            (RUNS.column(), &|(_, times)| times.len().into()),
            (MEAN.headed("mean"), &|(_, times)| mean(times).into()),
            (LEAST.headed("least"), &|(_, times)| least(times).into()),
            (columns::NORM.headed("noise norm N").shown(Style::Share), &|(_, times)| {
                ((mean(times) - least(times)) / least(times)).into()
            }),
        ];
        Table::from_rows("norms", &self.sides(), &columns)
    }

    /// Returns a row for each run.
    fn runs(&self) -> Table {
        let sides = self.sides();
        let runs: Vec<(&str, f64)> =
            sides.iter().flat_map(|(side, times)| times.iter().map(move |&time| (*side, time))).collect();
        let columns: [Filled<(&str, f64)>; 2] =
            [(SIDE.column(), &|(side, _)| (*side).into()), (TIME.column(), &|(_, time)| (*time).into())];
        Table::from_rows("runs", &runs, &columns)
    }
}

const SIDE: Known = Known::text("side", "`alone`, or `disturbed` by the generator", "alone");
const RUNS: Known = Known::integer("runs", "", "number of runs", "5");
const MEAN: Known = Known::number("mean_s", "s", "mean time of a run", "0.21");
const LEAST: Known = Known::number("least_s", "s", "the shortest", "0.2");
const TIME: Known = Known::number("time_s", "s", "time of a run", "0.2");

impl Injected {
    /// Returns a row for each of these sums.
    fn table<'a>(&self, name: &'static str, all: impl IntoIterator<Item = &'a Reached>) -> Table {
        let threads = f64::from(self.threads.max(1));
        let columns: [Filled<Reached>; 9] = [
            (columns::EVENT.column(), &|_| self.what.into()),
            (columns::AT.column(), &|of| of.at_s.into()),
            (columns::THREADS.column(), &|_| self.threads.into()),
            (columns::EVENTS.column(), &|of| of.events.into()),
            (columns::MOVED.column(), &|of| of.bytes.into()),
            (columns::EACH_TIME.column(), &|of| of.each_us().into()),
            (columns::LATE.column(), &|of| of.late_us().into()),
            (columns::BUSY.column(), &|of| of.share(threads).into()),
            (columns::LOST_EVENTS.column(), &|of| of.lost.into()),
        ];
        Table::from_rows(name, all, &columns)
    }
}

impl Reached {
    fn each_us(&self) -> f64 {
        self.busy.as_us() / self.events.max(1) as f64
    }

    fn late_us(&self) -> f64 {
        self.late.as_us() / self.events.max(1) as f64
    }

    /// Returns the busy share of the time of this number of threads.
    fn share(&self, threads: f64) -> f64 {
        self.busy.as_seconds() / (self.for_s * threads).max(1e-9)
    }
}

impl Results for Injected {
    fn answer(&self) -> String {
        let Reached { for_s, events, bytes, lost, .. } = self.total;
        let threads = counted(self.threads, "thread");
        let mut answer = format!(
            "{events} {} in {} s by {threads}: {} in a second, {} µs each, {} % of a thread's time",
            self.what,
            significant(for_s),
            significant(events as f64 / for_s.max(1e-9)),
            significant(self.total.each_us()),
            significant(self.total.share(f64::from(self.threads.max(1))) * 100.0)
        );
        if bytes > 0 {
            answer += &format!(", {} MB/s", significant(bytes as f64 / 1e6 / for_s.max(1e-9)));
        }
        if self.total.late > Span::ZERO {
            answer += &format!("; begun {} µs late on average", significant(self.total.late_us()));
        }
        if lost > 0 {
            answer += &format!("; {lost} left out or without an answer");
        }
        answer
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn page(&self) -> Page {
        let command = self.command.as_ref().map(|command| {
            Section::new(&command.command).with_tables([View::new(&command.norms()).whole().laid_out()])
        });
        Page {
            question: "What did the disturbance reach?".to_owned(),
            answer: self.answer(),
            details: self.notes(),
            sections: command.into_iter().collect(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table("total", [&self.total])
    }

    fn others(&self) -> Vec<Table> {
        let command = self.command.iter().flat_map(|command| [command.norms(), command.runs()]);
        std::iter::once(self.table("seconds", &self.seconds)).chain(command).collect()
    }

    fn facts(&self) -> Vec<(&'static str, render::data::Cell)> {
        vec![("command", self.command.as_ref().map(|command| command.command.as_str()).into())]
    }
}
