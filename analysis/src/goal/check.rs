//! What is wrong with a schedule.

use goal::check::Problem;
use goal::{Rules, RunError, Schedule};
use models::engine::Engine;
use models::network::{Hockney, Network, SendRule};
use models::noise::Quiet;
use models::time::{PerByte, Span};

/// All that is wrong, each in a sentence.
pub fn problems(schedule: &Schedule) -> Vec<String> {
    let found = goal::check::check(schedule);
    let mut problems: Vec<String> = found.iter().map(Problem::to_string).collect();
    if found.iter().all(|problem| matches!(problem, Problem::Sizes(_))) {
        problems.extend(attempt(schedule, SendRule::Eager).err().map(|error| error.to_string()));
    }
    problems
}

/// Runs a schedule with this send rule, to find out whether it ends.
///
/// # Errors
/// Why it does not.
pub fn attempt(schedule: &Schedule, send_rule: SendRule) -> Result<(), RunError> {
    let rules = Rules::Network(Network::Hockney(Hockney { alpha: Span(1), beta: PerByte(0.0), send_rule }));
    let timeless = |error| if matches!(error, RunError::Overflow { .. }) { Ok(()) } else { Err(error) };
    goal::run(schedule, &rules, &Quiet, Engine::Auto).map(|_| ()).or_else(timeless)
}
