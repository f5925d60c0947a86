//! Results of a run, for people and for programs.

use super::critical::Critical;
use super::model::Model;
use goal::Run;
use lessons::show::{rows, spread_text};
use models::names::counted;
use models::spread::Spread;
use render::data::Object;
use render::results::{Look, Results};
use reports::sweep::Drawn;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// What is shown.
pub(super) struct Outcome<'a> {
    pub file: &'a str,
    pub model: &'a Model,
    pub noise: &'a str,
    pub seed: u64,
    pub run: &'a Run,
    pub critical: Option<&'a Critical<'a>>,
    pub drawn: Option<&'a Drawn>,
}

impl Outcome<'_> {
    /// One JSON object.
    pub(super) fn json(&self, per_rank: bool) -> String {
        let run = self.run;
        let parameters: Map<String, Value> =
            self.model.parameters.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect();
        let mut object = json!({
            "file": self.file,
            "ranks": run.finish.len(),
            "model": self.model.name,
            "parameters": parameters,
            "noise": self.noise,
            "seed": self.seed,
            "engine": run.engine.name(),
            "messages": run.messages,
            "events": run.events,
            "finish_ps": Spread::of(&mut run.finish.clone()),
        });
        if per_rank {
            object["finish_per_rank_ps"] = json!(run.finish);
        }
        if let Some(reason) = &run.not_fast {
            object["engine_reason"] = json!(reason);
        }
        if let Some(critical) = self.critical {
            object["critical_path"] = critical.json();
        }
        if let Some(machine) = &self.model.machine {
            object["machine"] = json!(machine.name);
        }
        if let Some(drawn) = self.drawn {
            object["sensitivity"] = json!(Object(drawn))["pieces"].clone();
        }
        format!("{object}\n")
    }

    /// Lines for people.
    pub(super) fn table(&self, per_rank: bool) -> String {
        let run = self.run;
        let spread = Spread::of(&mut run.finish.clone());
        let why = run.not_fast.as_ref().map_or(String::new(), |reason| format!(" (not the fast one: {reason})"));
        let last = run.finish.iter().position(|&time| time == spread.max).unwrap_or(0);
        let mut text = format!("{}, {}\n", self.file, counted(run.finish.len(), "rank"));
        let mut line = |label: &str, value: String| {
            let _ = writeln!(text, "  {label:<10} {value}");
        };
        line("model", self.model.rules.to_string());
        if let Some(machine) = &self.model.machine {
            line("machine", machine.words());
        }
        if self.noise != "none" {
            line("noise", format!("{}, seed {}", self.noise, self.seed));
        }
        line("engine", format!("{}{why}", run.engine.name()));
        line("messages", run.messages.to_string());
        line("finish", spread_text(&spread, "rank"));
        line("last", format!("rank {last}"));
        if let Some(critical) = self.critical {
            text += &critical.text();
        }
        if per_rank {
            let _ = writeln!(text, "  {:<10} finish of each rank", "ranks");
            rows(&mut text, &run.finish, "rank", 0);
        }
        if let Some(drawn) = self.drawn {
            let _ = write!(text, "\n{}", drawn.page().terminal(Look::IN_FILES));
        }
        text
    }
}
