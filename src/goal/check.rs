//! `parallax goal check`: what is wrong with a schedule.

use crate::flags::Format;
use crate::output::print;
use analysis::goal::check::{attempt, problems};
use analysis::goal::file;
use goal::Schedule;
use models::names::counted;
use models::network::SendRule;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `parallax goal check`.
#[derive(clap::Args)]
pub struct CheckArguments {
    /// A GOAL schedule, as text or in LogGOPSim's binary form; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only read the schedule and print counts
    #[arg(long)]
    read_only: bool,
    /// Output format of the counts
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

impl CheckArguments {
    /// Reads and checks the schedule, and prints what is wrong; exit code 2 where something is.
    pub fn check(&self) -> anyhow::Result<ExitCode> {
        let schedule = file::read(&self.file)?;
        let name = file::name(&self.file);
        let problems = if self.read_only { Vec::new() } else { problems(&schedule) };
        for problem in &problems {
            note!("{name}: {problem}");
        }
        if !problems.is_empty() {
            return Ok(ExitCode::from(2));
        }
        let buffered = match self.read_only {
            true => None,
            false => attempt(&schedule, SendRule::Synchronous).err().map(|error| error.to_string()),
        };
        let text = match self.format {
            Format::Table => self.table(&name, &schedule, buffered),
            Format::Json => self.json(&name, &schedule, buffered),
        };
        print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    fn table(&self, name: &str, schedule: &Schedule, buffered: Option<String>) -> String {
        let (ranks, ops, messages) = (schedule.ranks(), schedule.ops().len(), schedule.messages());
        let verdict = if self.read_only { "" } else { ": nothing wrong" };
        let mut text = format!(
            "{name}: {}, {}, {}{verdict}\n",
            counted(ranks, "rank"),
            counted(ops, "operation"),
            counted(messages, "message")
        );
        if let Some(error) = buffered {
            text += "It ends only where short messages are buffered. If every sender waits for its receiver: ";
            text += &error;
            text.push('\n');
        }
        text
    }

    fn json(&self, name: &str, schedule: &Schedule, buffered: Option<String>) -> String {
        let mut object = json!({
            "file": name,
            "ranks": schedule.ranks(),
            "operations": schedule.ops().len(),
            "dependencies": schedule.edges().len(),
            "messages": schedule.messages(),
        });
        if !self.read_only {
            object["problems"] = json!([]);
            object["without_buffers"] = json!(buffered);
        }
        format!("{object}\n")
    }
}
