//! One simulation, or several realisations of its noise.

use crate::show::Answer;
use models::engine::Engine;
use models::noise::Noise;
use models::spread::Spread;
use scenario::BadInput;
use sim::Simulation;

/// Simulates once. `seed` is that of the noise.
///
/// # Errors
///
/// Says why the simulator refuses.
pub fn once(simulation: &Simulation, engine: Engine, seed: u64, per_rank: bool) -> Result<Answer, BadInput> {
    let outcome = simulation.run(engine).map_err(failed)?;
    let mut answer = Answer::new(simulation, seed);
    answer.engine = outcome.engine.to_string();
    answer.messages = outcome.messages;
    answer.calls = outcome.calls.iter().map(|&(_, last)| last).collect();
    answer.skew = outcome.finish.range();
    answer.untouched = !simulation.noise.is_none() && {
        let quiet = quiet(simulation).run(engine).map_err(failed)?.finish;
        (0..simulation.shape.ranks).all(|rank| quiet.time(rank) == outcome.finish.time(rank))
    };
    if per_rank {
        answer.per_rank = Some(outcome.finish.to_vec());
    }
    answer.spread = Some(outcome.finish.into_spread());
    Ok(answer)
}

/// Returns the simulation without its noise.
fn quiet(simulation: &Simulation) -> Simulation {
    Simulation { noise: Noise::none(), ..simulation.clone() }
}

/// Simulates several realisations of the noise: of each the last rank's finish counts.
///
/// # Errors
///
/// Says why the simulator refuses, and fails for several realisations of no noise.
pub fn realise(simulation: &Simulation, engine: Engine, seed: u64, realisations: u32) -> Result<Answer, BadInput> {
    if simulation.noise.is_none() {
        return Err(BadInput("--realisations: without --noise all of them are the same".to_owned()));
    }
    let ends = simulation
        .realise(engine, 0..realisations, |outcome| (outcome.finish.range(), outcome.messages, outcome.engine))
        .map_err(failed)?;
    let mut answer = Answer::new(simulation, seed);
    let mut last: Vec<_> = ends.iter().map(|((_, last), ..)| *last).collect();
    answer.engine = ends[0].2.to_string();
    answer.messages = ends.iter().map(|end| end.1).sum();
    answer.realisations = Some(last.clone());
    answer.spread = Some(Spread::from_times(&mut last));
    Ok(answer)
}

/// Makes an error of the simulator one of the user's input, which the user can change.
pub fn failed(error: sim::SimError) -> BadInput {
    BadInput(error.to_string())
}
