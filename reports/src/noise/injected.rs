//! What generators of noise reached, and what a command took beside them.

use models::names::counted;
use models::time::Span;
use render::plots::numbers::significant;
use serde_json::{Value, json};
use std::fmt::Write;

/// What was reached.
pub struct Injected {
    /// What an event is.
    pub what: &'static str,
    /// How many threads did it.
    pub threads: u32,
    /// For how long.
    pub seconds: f64,
    /// How many there were.
    pub events: u64,
    /// What they moved.
    pub bytes: u64,
    /// What they took, added up.
    pub busy: Span,
    /// How much later than planned they began, added up.
    pub late: Span,
    /// What was left out, or went without an answer.
    pub lost: u64,
    /// What must be known.
    pub notes: Vec<String>,
    /// A command that ran beside them.
    pub command: Option<Disturbed>,
}

/// What a command took, in s, run after run.
pub struct Disturbed {
    /// As people type it.
    pub command: String,
    /// Without the disturbance.
    pub alone: Vec<f64>,
    /// With it.
    pub disturbed: Vec<f64>,
}

/// Mean and least of some times, and the noise norm N = (mean − least) / least.
fn norm(times: &[f64]) -> (f64, f64, f64) {
    let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    (mean, least, (mean - least) / least)
}

impl Injected {
    fn mean_us(&self) -> f64 {
        self.busy.as_us() / self.events.max(1) as f64
    }

    fn late_us(&self) -> f64 {
        self.late.as_us() / self.events.max(1) as f64
    }

    /// The share of one thread's time that it was busy.
    fn share(&self) -> f64 {
        self.busy.as_seconds() / (self.seconds * f64::from(self.threads.max(1))).max(1e-9)
    }

    /// For people.
    pub fn text(&self) -> String {
        let Injected { what, threads, seconds, events, bytes, lost, .. } = self;
        let threads = counted(threads, "thread");
        let rate = *events as f64 / seconds.max(1e-9);
        let mut text = format!(
            "{events} {what} in {} s by {threads}: {} in a second, {} µs each, {} % of a thread's time",
            significant(*seconds),
            significant(rate),
            significant(self.mean_us()),
            significant(self.share() * 100.0)
        );
        if *bytes > 0 {
            let _ = write!(text, ", {} MB/s", significant(*bytes as f64 / 1e6 / seconds.max(1e-9)));
        }
        if self.late > Span::ZERO {
            let _ = write!(text, "; begun {} µs late on average", significant(self.late_us()));
        }
        if *lost > 0 {
            let _ = write!(text, "; {lost} left out or without an answer");
        }
        text.push('\n');
        self.notes.iter().for_each(|note| _ = writeln!(text, "  {note}"));
        if let Some(command) = &self.command {
            let _ = writeln!(text, "{}", command.command);
            for (how, times) in [("alone", &command.alone), ("disturbed", &command.disturbed)] {
                let (mean, least, norm) = norm(times);
                let [mean, least, norm] = [mean, least, norm * 100.0].map(significant);
                let runs = times.len();
                let _ =
                    writeln!(text, "  {how:<10} {runs} runs, mean {mean} s, least {least} s, noise norm N = {norm} %");
            }
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let command = self.command.as_ref().map(|command| {
            let side = |times: &[f64]| {
                let (mean, least, norm) = norm(times);
                json!({ "times_s": times, "mean_s": mean, "least_s": least, "noise_norm": norm })
            };
            json!({ "command": command.command, "alone": side(&command.alone), "disturbed": side(&command.disturbed) })
        });
        json!({
            "total": {
                "what": self.what, "threads": self.threads, "seconds": self.seconds, "events": self.events,
                "bytes": self.bytes, "mean_us": self.mean_us(), "late_us": self.late_us(), "share": self.share(),
                "lost": self.lost, "notes": self.notes, "command": command,
            }
        })
    }
}
