//! From cases to orders for ranks, and from calibrated machines to predictions.

use super::plays_hockney;
use models::clock::{ClockSpread, DrawnClocks};
use models::platform::Platform;
use models::time::Span;
use programs::calibration::{CalibrationSettings, Leaving};
use programs::machine::{Arithmetic, Bound, Machine};
use programs::method::{Buffer, Method, MethodSettings, NATIVE_WARMUP, Order, PLAYED_WARMUP, Subject};
use programs::observation::{Carrier, Case, Conditions, Implementation, Observation, Occasion};
use programs::played::as_played;
use programs::sync::Sync;
use scenario::store::Line;
use scenario::{Group, Scenario};
use sim::Predictor;

/// Number of barriers that a calibration beside measurements times.
const LEFT_BARRIERS: u32 = 200;
/// Largest number of calls that a timeline shows.
const DRAWN_CALLS: u32 = 12;

/// Returns the order of a case for the ranks of any world.
///
/// # Errors
/// Fails on a barrier of a library that Parallax does not have.
pub(super) fn order(scenario: &Scenario, case: &Case) -> anyhow::Result<Order> {
    let traced = case.timing.method == Method::LoopTrace;
    let calls = if traced { case.timing.calls.min(DRAWN_CALLS) } else { case.timing.calls };
    let barrier = scenario.barrier_of(case).on(case.place.ranks).map_err(anyhow::Error::msg)?;
    let mut settings = settings(scenario, case.timing.method, calls, barrier);
    if case.place.carrier == Carrier::Native && scenario.warmup.is_none() {
        settings.warmup = NATIVE_WARMUP;
    }
    if case.timing.conditions.buffer != Buffer::default() {
        settings.factors.buffer = case.timing.conditions.buffer;
    }
    if case.timing.conditions.delay.is_some() {
        settings.factors.delay = case.timing.conditions.delay;
    }
    if let Some(length) = case.timing.conditions.window {
        (settings.window.floor, settings.window.cap) = (length, length);
    }
    Ok(Order {
        subject: Subject::Collective(case.subject.collective, case.subject.implementation.clone()),
        shape: case.shape(),
        call: case.subject.call,
        copies_as: None,
        environment: Default::default(),
        settings,
    })
}

/// Returns the settings of windows around waits of known duration: no barrier has a part in their times.
pub(super) fn of_waits(scenario: &Scenario) -> MethodSettings {
    settings(scenario, Method::Window, 1, Implementation::Own("dissemination".to_owned()))
}

/// Returns the settings with which the ranks of any world check their clocks: windows around waits. Where waiting
/// sleeps, the windows are so long that waking up late by tens of µs is not too late.
pub(super) fn clock_check(scenario: &Scenario, oversubscribed: bool) -> MethodSettings {
    let mut settings = of_waits(scenario);
    if oversubscribed {
        settings.window.floor = Span::from_ms(3).min(settings.window.cap);
    }
    settings
}

/// Returns the settings of a method in the scenario.
fn settings(scenario: &Scenario, method: Method, calls: u32, barrier: Implementation) -> MethodSettings {
    MethodSettings {
        method,
        calls,
        samples: if method == Method::LoopTrace { 1 } else { scenario.samples },
        warmup: scenario.warmup.unwrap_or(PLAYED_WARMUP),
        barrier,
        sync: Sync::Linear,
        window: scenario.window.clone(),
        round_time: scenario.round_time.clone(),
        factors: scenario.factors.clone(),
    }
}

/// Returns the exchanges of a group's ranks from which its cases can be predicted: lengths around theirs. Emulated
/// ranks play Hockney's model, which ping-pongs determine completely.
pub(super) fn calibration(group: &Group) -> CalibrationSettings {
    // The lengths are at least four, however short the cases' messages are.
    let longest = group.longest_message().max(64);
    let mut bytes: Vec<u64> = group.cases.iter().map(|case| case.subject.bytes.max(1)).collect();
    bytes.extend([1, longest / 4, longest / 2, longest]);
    if group.carrier == Carrier::Native {
        // Algorithms send halves, and both blocks at once; protocols change between.
        let beside: Vec<u64> = bytes.iter().flat_map(|&bytes| [(bytes / 2).max(1), bytes * 2]).collect();
        bytes.extend(beside.into_iter().filter(|&bytes| bytes <= longest));
    }
    bytes.sort_unstable();
    bytes.dedup();
    match group.carrier {
        Carrier::Emulated(_) | Carrier::Modelled => CalibrationSettings::ping_pongs(bytes, 25, 2),
        Carrier::Native => CalibrationSettings {
            leaving: Some(Leaving::new(Implementation::Library, LEFT_BARRIERS)),
            ..CalibrationSettings::whole(bytes, 400, Span::from_ms(100))
        },
    }
}

/// Returns prediction and truth of a case at the best values of the parameters and at both ends of their intervals.
pub(super) fn predictions(
    scenario: &Scenario,
    machine: &Machine,
    case: &Case,
    occasion: Occasion,
) -> anyhow::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for bound in [Bound::Low, Bound::Best, Bound::High] {
        let platform = platform(machine, case, bound)?;
        let (network, ran_by) = (platform.network, platform.to_string());
        let order = as_played(case, &order(scenario, case)?, &platform);
        let own = drawn_by(scenario, case.timing.conditions, occasion);
        let predictor = Predictor {
            network: platform,
            control: machine.control(),
            clocks: own.map_or_else(|| clocks(scenario, machine), |own| own.spread),
            seed: own.map_or(scenario.seed, |own| own.seed),
            ..Predictor::perfect(network)
        };
        let prediction = predictor.predict(&order)?;
        let observation = Observation { occasion, ..Observation::new(case.clone(), ran_by, prediction.ranks) };
        lines.push(Line::Truth { case: case.clone(), occasion, bound, spans: prediction.truth });
        lines.push(Line::Predicted { bound, network, observation });
    }
    Ok(lines)
}

/// Returns the clocks of the ranks of a group whose machine the scenario gives: simulated ranks and real ones have the
/// same. `None` for clocks without added errors.
pub(super) fn drawn_clocks(scenario: &Scenario, group: &Group) -> Option<DrawnClocks> {
    drawn_by(scenario, group.conditions, group.occasion)
}

fn drawn_by(scenario: &Scenario, conditions: Conditions, occasion: Occasion) -> Option<DrawnClocks> {
    let label = conditions.machine?;
    let spread = scenario.machines.iter().find(|machine| machine.label == Some(label))?.clocks;
    (spread != ClockSpread::default()).then(|| DrawnClocks { spread, seed: seed_of(scenario, occasion.launch) })
}

/// Returns the seed of a launch, from which its clocks and noise are drawn. Seeds of launches are far apart, so that no
/// stream of a launch is another's.
pub(super) fn seed_of(scenario: &Scenario, launch: u32) -> u64 {
    scenario.seed.wrapping_add(u64::from(launch).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Returns the clocks of the scenario with the machine's cost of a reading, which only calibrations on a library's own
/// transport have.
fn clocks(scenario: &Scenario, machine: &Machine) -> ClockSpread {
    let read_cost = machine.clock_read_us.map_or(scenario.clocks.read_cost, |_| machine.clocks().read_cost);
    ClockSpread { read_cost, ..scenario.clocks }
}

/// Returns the platform of a case: the network that an emulated carrier plays, else the machine's best platform.
fn platform(machine: &Machine, case: &Case, bound: Bound) -> anyhow::Result<Platform> {
    if plays_hockney(case.place.carrier) {
        return Ok(machine.hockney(bound).into());
    }
    machine.best_platform(bound, Arithmetic::from_case(case)).map_err(anyhow::Error::msg)
}
