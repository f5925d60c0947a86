//! Faults of a schedule.

use goal::check::Problem;
use goal::{ChosenNoise, Rules, RunError, Schedule};
use models::engine::Engine;
use models::names::counted;
use models::network::{Hockney, Network, SendRule};
use models::time::{PerByte, Span};
use render::columns;
use render::data::{Filled, Table};
use render::page::Page;
use render::results::Results;

/// Returns all faults, each as a sentence.
pub fn problems(schedule: &Schedule) -> Vec<String> {
    let found = goal::check::check(schedule);
    let mut problems: Vec<String> = found.iter().map(Problem::to_string).collect();
    if found.iter().all(|problem| matches!(problem, Problem::Sizes(_))) {
        problems.extend(attempt(schedule, SendRule::Eager).err().map(|error| error.to_string()));
    }
    problems
}

/// Runs a schedule with this send rule to see whether it ends.
///
/// # Errors
/// Gives the reason why it does not end.
pub fn attempt(schedule: &Schedule, send_rule: SendRule) -> Result<(), RunError> {
    let rules = Rules::Network(Network::Hockney(Hockney { alpha: Span(1), beta: PerByte(0.0), send_rule }));
    let timeless = |error| if matches!(error, RunError::Overflow { .. }) { Ok(()) } else { Err(error) };
    ChosenNoise::NONE.run(schedule, &rules, Engine::Auto, &mut |_| {}).map(|_| ()).or_else(timeless)
}

/// A schedule without faults.
pub struct Checked {
    /// Name of the schedule's file.
    pub name: String,
    /// Schedule that was read.
    pub schedule: Schedule,
    /// Whether it was checked, not only read.
    pub is_complete: bool,
    /// Reason why it does not end where messages are not buffered; `None` if it does.
    pub buffered: Option<String>,
}

impl Results for Checked {
    fn answer(&self) -> String {
        let Checked { name, schedule, .. } = self;
        let (ops, messages) = (counted(schedule.ops().len(), "operation"), counted(schedule.messages(), "message"));
        let verdict = if self.is_complete { ": nothing wrong" } else { "" };
        format!("{name}: {}, {ops}, {messages}{verdict}", counted(schedule.ranks(), "rank"))
    }

    fn notes(&self) -> Vec<String> {
        let only = "It ends only where short messages are buffered. If every sender waits for its receiver: ";
        self.buffered.iter().map(|error| format!("{only}{error}")).collect()
    }

    fn page(&self) -> Page {
        let question = "Is anything wrong with the schedule?".to_owned();
        Page { question, answer: self.answer(), details: self.notes(), ..Page::default() }
    }

    fn rows(&self) -> Table {
        let columns: [Filled<Schedule>; 6] = [
            (columns::FILE.column(), &|_| self.name.clone().into()),
            (columns::RANKS.column(), &|schedule| schedule.ranks().into()),
            (columns::OPS.column(), &|schedule| schedule.ops().len().into()),
            (columns::DEPENDENCIES.column(), &|schedule| schedule.edges().len().into()),
            (columns::MESSAGES.column(), &|schedule| schedule.messages().into()),
            (columns::WITHOUT_BUFFERS.column(), &|_| self.buffered.clone().into()),
        ];
        Table::from_rows("rows", [&self.schedule], &columns)
    }
}
