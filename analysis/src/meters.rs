//! Meters: typical work of programs, repeated on real and on simulated ranks.

use crate::meanwhile::meanwhile;
use crate::p2p::{Ready, Tested};
use crate::testing::notices;
use campaign::Campaign;
use campaign::launch::Site;
use campaign::testing::{LaunchTasks, TestKind, TestPlan};
use measure::inject::{Copies, Direction, Generator};
use measure::job::{Task, available_memory_bytes};
use models::limits::LONGEST_BUFFER;
use models::network::Hockney;
use models::noise::Noise;
use models::platform::Platform;
use probes::tested::summary;
use programs::meters::{Meter, Metered, Regions, Solver};
use programs::observation::World;
use render::summary::Summary;
use scenario::BadInput;
use scenario::store::{Line, TaskResult, Tested as Answer};
use sim::SimWorld;
use std::time::Duration;

/// Largest number of times that are kept of all ranks together: more would be gigabytes.
const MOST_TIMES: u64 = 1 << 24;
/// Largest number of rows of all ranks together: each takes some 200 B.
const MOST_ROWS: u64 = 20_000_000;
/// Bytes of memory that each thread of a disturbance copies: more than caches hold.
const DISTURBED_BYTES: u64 = 64 << 20;

/// Refuses meters that these ranks cannot run.
///
/// # Errors
/// States the fault and the expected values.
pub fn check(meter: &Meter, tested: &Tested<'_>) -> Result<(), BadInput> {
    let ranks = tested.ranks;
    let grid = match meter {
        Meter::Patterns(patterns) => Some(patterns.grid),
        Meter::Solver(solver) => Some(solver.grid),
        Meter::Regions(_) => None,
    };
    if let Some(grid) = grid.filter(|grid| grid.ranks() != Some(ranks)) {
        return Err(BadInput(format!("--grid: expected {ranks} ranks, like --ranks; found {grid}")));
    }
    let (most, place) = (tested.place.most_ranks(tested.site.cores), tested.place);
    if ranks > most {
        return Err(BadInput(format!("--ranks: expected 1 to {most} ranks ({place}), found {ranks}")));
    }
    if meter.buffer_bytes(ranks) > LONGEST_BUFFER {
        return Err(BadInput("--large: expected messages that fit 26 times into 2 GiB".to_owned()));
    }
    match meter {
        Meter::Regions(Regions { bytes, regions, .. }) => {
            let least = 8 * u64::from(*regions);
            if *bytes < least {
                return Err(BadInput(format!(
                    "--bytes: expected {least} B or more, 8 for each region; found {bytes} B"
                )));
            }
            // Each rank has three arrays.
            let needed = bytes.saturating_mul(3).saturating_mul(ranks.into());
            if let Some(available) = available_memory_bytes().filter(|available| needed > *available) {
                let message = format!(
                    "three arrays of {bytes} B on {ranks} ranks do not fit into the {available} B of memory that are left"
                );
                return Err(BadInput(format!("--bytes: {message}; expected fewer")));
            }
        }
        Meter::Solver(Solver { rows, .. }) => {
            let all = rows.iter().fold(u64::from(ranks), |product, &side| product.saturating_mul(side.into()));
            if all > MOST_ROWS {
                return Err(BadInput(format!(
                    "--rows: expected at most {MOST_ROWS} rows of all ranks together, found {all}"
                )));
            }
        }
        Meter::Patterns(_) if ranks < 2 => {
            let message = "expected 2 or more, which exchange messages in patterns";
            return Err(BadInput(format!("--ranks: {message}; found {ranks}")));
        }
        Meter::Patterns(_) => {}
    }
    let times = u64::from(ranks).saturating_mul(meter.times());
    if times > MOST_TIMES {
        return Err(BadInput(format!("expected at most {MOST_TIMES} times of all ranks together, found {times}")));
    }
    tested.place.accepts(&tested.model, &tested.noise)
}

/// Returns the plan of real ranks that run meters, a launch for each.
pub fn plan<K: TestKind>(meters: &[Meter], world: World, ranks: u32, emulated: Hockney) -> TestPlan<K> {
    let asked = |meter: &Meter| LaunchTasks::new(world, ranks, vec![Task::Meter(meter.clone())]);
    TestPlan::new(world, emulated, meters.iter().map(asked).collect())
}

/// Has real ranks run the meters that a campaign does not hold yet. Threads of this process copy memory beside a launch
/// whose meters ask for that.
///
/// # Errors
/// Fails on ranks that died, hung or refuse.
pub fn ask<K: TestKind>(
    plan: &TestPlan<K>,
    campaign: &mut Campaign,
    site: &Site,
    patience: Duration,
) -> anyhow::Result<()> {
    notices(|load| {
        plan.run_tasks_amid(campaign, site, patience, load, |launched, ask| {
            meanwhile(disturbance(launched.asked), || ask(&mut |_, _| Ok(())))
        })
    })
}

/// Returns the generator that disturbs a launch, if its meters ask for one.
fn disturbance(asked: &LaunchTasks) -> Option<Generator> {
    let threads = asked.tasks.iter().find_map(|task| match task {
        Task::Meter(Meter::Regions(regions)) => Some(regions.disturbers),
        _ => None,
    });
    let threads = threads.filter(|&threads| threads > 0)?;
    let steps = vec![Direction::Write, Direction::Read];
    Some(Generator::Memory(Copies { bytes: DISTURBED_BYTES, steps, threads, repeats: None }))
}

/// Returns the times of simulated ranks.
///
/// # Errors
/// Fails on ranks that wait for ever, and on meters that simulated ranks do not have.
pub fn simulate(meter: &Meter, ranks: u32, (platform, noise, seed): (Platform, Noise, u64)) -> anyhow::Result<Summary> {
    if matches!(meter, Meter::Regions(_)) {
        return Err(
            BadInput("--world: simulated ranks have no memory to access; expected real ranks".to_owned()).into()
        );
    }
    let mut ran_by = format!("simulated ranks, {platform}");
    if !noise.is_none() {
        ran_by += &format!("; noise {noise}, seed {seed}");
    }
    let control = platform.network;
    let world = SimWorld { network: platform, noise, ..SimWorld::ideal(control, ranks) };
    let answers: Vec<Metered> = world.run(async |rank| meter.run(&rank).await)?.results;
    let found = TaskResult::Metered { meter: meter.clone(), ranks: meter.gathered(answers) };
    let here = Answer::here(0, campaign::environment::utc_now(), found);
    let line = Line::Tested(Box::new(Answer { world: World::Simulated, ranks, ran_by, ..here }));
    Ok(summary(&[line]).ok_or_else(|| BadInput("no rank answered".to_owned()))?)
}

/// Checks the meters and prepares the ranks of a place.
///
/// # Errors
/// Fails on wrong choices and files.
pub fn ready(meters: &[Meter], tested: &Tested<'_>) -> Result<Ready, BadInput> {
    meters.iter().try_for_each(|meter| check(meter, tested))?;
    tested.prepare()
}
