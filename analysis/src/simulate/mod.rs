//! Simulations of one algorithm that simulated ranks call several times back to back, or that a method times.

mod answer;
mod timed;

pub use answer::SimulatedAnswer;
pub use timed::TimedCalls;

use crate::sensitivity::Varied;
use models::engine::Engine;
use models::network::Network;
use questions::method::{MethodChoice, trace as traced};
use questions::show;
use render::drawn::Drawn;
use render::plots::Paper;
use reports::sweep::sensitivity::Sensitivity;
use scenario::BadInput;
use sim::Simulation;
use std::path::Path;

/// Largest number of ranks in a trace that is worth drawing: each message is three bars and a line.
const MOST_TRACED_RANKS: u32 = 1 << 14;

/// Refuses a simulation that would run out of memory half-way.
///
/// # Errors
/// Fails on a need of more memory than is available.
pub fn check_memory(simulation: &Simulation, engine: Engine) -> Result<(), BadInput> {
    let needed = simulation.memory_bytes(engine);
    match measure::job::available_memory_bytes() {
        Some(available) if needed > available => Err(BadInput(format!(
            "--ranks: this needs about {} GB of memory, and {} GB are available; expected fewer ranks, or another algorithm",
            needed.div_ceil(1_000_000_000),
            available / 1_000_000_000
        ))),
        _ => Ok(()),
    }
}

/// Returns the last finish as a function of one parameter after the other, or `None` if none is named.
///
/// # Errors
/// Fails on parameters that the network does not have, on noise, and where the simulator does.
pub fn sensitivity(simulation: &Simulation, engine: Engine, asked: &[String]) -> Result<Option<Drawn>, BadInput> {
    if asked.is_empty() {
        return Ok(None);
    }
    let flag = "--sensitivity";
    let panel = |text: &String| {
        let varied = Varied::of_simulation(flag, &[], text, simulation)?;
        Ok(varied.panel(vec![varied.simulated(flag, simulation.algorithm.name, simulation, engine)?]))
    };
    let panels = asked.iter().map(panel).collect::<Result<_, BadInput>>()?;
    let notes = vec![simulation.platform.to_string()];
    Ok(Some(Sensitivity { title: show::title(simulation), notes, panels }.drawn()))
}

/// Calls that a timeline shows.
pub struct TimelineCalls<'a> {
    /// Simulation of the calls.
    pub simulation: &'a Simulation,
    /// Simulation of the same calls by another algorithm, drawn beside them.
    pub beside: Option<&'a Simulation>,
}

/// Draws the activity of every rank over time, in the calls alone or while a method times them, whose own messages
/// cross a network of their own; `seed` is that of the noise.
///
/// # Errors
/// Fails on an unknown format, on more ranks than a picture can show, and on a file that cannot be written.
pub fn draw_timeline(
    file: &Path,
    &TimelineCalls { simulation, beside }: &TimelineCalls<'_>,
    timed: Option<(&MethodChoice, Network)>,
    seed: u64,
    paper: &Paper,
) -> Result<(), BadInput> {
    formats::trace::Format::from_path(file).map_err(BadInput)?;
    if simulation.shape.ranks > MOST_TRACED_RANKS {
        let found = simulation.shape.ranks;
        let message = format!("--timeline: expected at most {MOST_TRACED_RANKS} ranks, found {found}");
        return Err(BadInput(message));
    }
    let mut trace = traced(simulation, timed, seed)?;
    trace.title = show::title(simulation);
    if let Some(other) = beside {
        let name = other.algorithm.name;
        trace = trace.beside(simulation.algorithm.name, traced(other, timed, seed)?, name);
        trace.title += &format!(", beside {name}");
    }
    if let Some((MethodChoice { method: Some(method), .. }, _)) = timed {
        trace.title += &format!(", timed by {}", method.words());
    }
    let noise = show::noise(simulation, seed).map(|noise| format!("Noise: {noise}."));
    trace.about = [format!("Model: {}.", simulation.platform)].into_iter().chain(noise).collect();
    formats::trace::write(file, &trace, paper).map_err(BadInput)?;
    note!("timeline: {}", file.display());
    Ok(())
}
