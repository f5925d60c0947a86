//! Results of a run, for people and for programs.

use super::critical::Critical;
use super::model::Model;
use models::time::{Span, Time};
use serde_json::{Map, Value, json};
use sim::goal::Run;
use std::fmt::Write;

/// What is shown.
pub struct Outcome<'a> {
    pub file: &'a str,
    pub model: &'a Model,
    pub noise: &'a [String],
    pub seed: u64,
    pub run: &'a Run,
    pub critical: Option<&'a Critical<'a>>,
}

/// The quantiles that are printed, in per cent.
const QUANTILES: [usize; 5] = [5, 25, 50, 75, 95];

/// Finish times of all ranks together, in ps.
struct Spread {
    min: u64,
    mean: f64,
    max: u64,
    last_rank: usize,
    /// The smallest time by which that share of the ranks has finished.
    quantiles: [u64; 5],
}

impl Spread {
    fn of(finish: &[Time]) -> Spread {
        let mut sorted: Vec<u64> = finish.iter().map(|time| time.0).collect();
        sorted.sort_unstable();
        let count = sorted.len();
        let max = sorted.last().copied().unwrap_or(0);
        Spread {
            min: sorted.first().copied().unwrap_or(0),
            mean: sorted.iter().map(|&time| time as f64).sum::<f64>() / count.max(1) as f64,
            max,
            last_rank: finish.iter().position(|time| time.0 == max).unwrap_or(0),
            quantiles: QUANTILES.map(|q| sorted.get((count * q).div_ceil(100).saturating_sub(1)).copied().unwrap_or(0)),
        }
    }
}

impl Outcome<'_> {
    /// One JSON object.
    pub fn json(&self, per_rank: bool) -> String {
        let run = self.run;
        let spread = Spread::of(&run.finish);
        let quantiles: Map<String, Value> =
            QUANTILES.iter().zip(spread.quantiles).map(|(q, time)| (format!("q{q}"), json!(time))).collect();
        let finish = if per_rank {
            json!(run.finish.iter().map(|time| time.0).collect::<Vec<_>>())
        } else {
            json!({ "min": spread.min, "mean": spread.mean, "max": spread.max, "quantiles": quantiles })
        };
        let parameters: Map<String, Value> =
            self.model.parameters.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect();
        let mut object = json!({
            "file": self.file,
            "model": self.model.name,
            "rules": self.model.rules.to_string(),
            "parameters": parameters,
            "noise": self.noise,
            "seed": self.seed,
            "engine": run.engine.name(),
            "ranks": run.finish.len(),
            "messages": run.messages,
            "events": run.events,
            "finish_ps": finish,
        });
        if let Some(reason) = &run.not_fast {
            object["engine_reason"] = json!(reason);
        }
        if let Some(critical) = self.critical {
            object["critical_path"] = critical.json();
        }
        format!("{object:#}\n")
    }

    /// Lines for people.
    pub fn table(&self, per_rank: bool) -> String {
        let (run, spread) = (self.run, Spread::of(&self.run.finish));
        let parameters: Vec<String> =
            self.model.parameters.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        let noise = if self.noise.is_empty() { "none".to_owned() } else { self.noise.join(" ") };
        let why = run.not_fast.as_ref().map_or(String::new(), |reason| format!(" (not the fast one: {reason})"));
        let mut text = String::new();
        let mut line = |key: &str, value: String| {
            let _ = writeln!(text, "{key:<10} {value}");
        };
        line("schedule", format!("{}: {} ranks, {} messages", self.file, run.finish.len(), run.messages));
        line("model", self.model.name.clone());
        line("parameters", parameters.join(", "));
        line("noise", format!("{noise}, seed {}", self.seed));
        line("engine", format!("{}, {} events{why}", run.engine.name(), run.events));
        line("finish", format!("{} (rank {} is last)", precise(spread.max), spread.last_rank));
        line("earliest", precise(spread.min));
        line("mean", precise(spread.mean.round() as u64));
        let quantiles = QUANTILES.iter().zip(spread.quantiles).map(|(q, time)| format!("{q} %: {}", precise(time)));
        line("quantiles", quantiles.collect::<Vec<_>>().join(", "));
        if let Some(critical) = self.critical {
            text += &critical.text();
        }
        if per_rank {
            let _ = writeln!(text, "\n{:>8} {:>20}", "rank", "finish_ns");
            for (rank, finish) in run.finish.iter().enumerate() {
                let _ = writeln!(text, "{rank:>8} {:>20}", format!("{}.{:03}", finish.0 / 1000, finish.0 % 1000));
            }
        }
        text
    }
}

/// `12.3 µs (12345.678 ns)`
fn precise(ps: u64) -> String {
    format!("{} ({}.{:03} ns)", Span(ps), ps / 1000, ps % 1000)
}
