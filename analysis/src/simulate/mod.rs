//! One algorithm, called k times back to back by simulated ranks; or timed by a method.

pub mod entry;
pub mod method;
pub(crate) mod show;

pub use show::Answer;

use models::engine::Engine;
use models::spread::Spread;
use scenario::BadInput;
use sim::Simulation;
use std::path::Path;

/// The longest trace that is worth drawing: each message is three bars and a line.
const MOST_TRACED_RANKS: u32 = 1 << 14;

/// Rather a word beforehand than a death half-way.
///
/// # Errors
/// More memory than there is.
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

/// Simulates once; `seed` is that of the noise.
///
/// # Errors
/// What the simulator refuses.
pub fn once(simulation: &Simulation, engine: Engine, seed: u64, per_rank: bool) -> Result<Answer, BadInput> {
    let outcome = simulation.run(engine).map_err(failed)?;
    let mut answer = Answer::of(simulation, seed);
    answer.engine = outcome.engine.to_string();
    answer.messages = outcome.messages;
    answer.repetitions = outcome.repetitions.iter().map(|&(_, last)| last).collect();
    answer.skew = outcome.finish.range();
    if per_rank {
        answer.per_rank = Some(outcome.finish.to_vec());
    }
    answer.spread = Some(outcome.finish.into_spread());
    Ok(answer)
}

/// Simulates several realisations of the noise: of each the last rank's finish counts.
///
/// # Errors
/// What the simulator refuses; several realisations of no noise.
pub fn realise(simulation: &Simulation, engine: Engine, seed: u64, realisations: u32) -> Result<Answer, BadInput> {
    if simulation.noise.is_none() {
        return Err(BadInput("--realisations: without --noise all of them are the same".to_owned()));
    }
    let ends = simulation
        .realise(engine, 0..realisations, |outcome| (outcome.finish.range(), outcome.messages, outcome.engine))
        .map_err(failed)?;
    let mut answer = Answer::of(simulation, seed);
    let mut last: Vec<_> = ends.iter().map(|((_, last), ..)| *last).collect();
    answer.engine = ends[0].2.to_string();
    answer.messages = ends.iter().map(|end| end.1).sum();
    answer.realisations = Some(last.clone());
    answer.spread = Some(Spread::of(&mut last));
    Ok(answer)
}

/// Draws what every rank does.
///
/// # Errors
/// A form that is not known; more ranks than a picture can show; a file that cannot be written.
pub fn draw(file: &Path, simulation: &Simulation) -> Result<(), BadInput> {
    reports::trace::Format::of(file).map_err(BadInput)?;
    if simulation.shape.ranks > MOST_TRACED_RANKS {
        let found = simulation.shape.ranks;
        let message = format!("--timeline: expected at most {MOST_TRACED_RANKS} ranks, found {found}");
        return Err(BadInput(message));
    }
    let (_, mut trace) = simulation.traced().map_err(failed)?;
    trace.title = show::title(simulation);
    reports::trace::write(file, &trace).map_err(BadInput)?;
    note!("timeline: {}", file.display());
    Ok(())
}

/// What the simulator refuses is the user's to change.
fn failed(error: sim::SimError) -> BadInput {
    BadInput(error.to_string())
}
