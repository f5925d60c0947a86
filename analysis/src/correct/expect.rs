//! The expected times of a call and of a benchmark that times it, on a calibrated machine: simulated ranks carry it
//! out.

use models::clock::ClockSpread;
use models::collective::{Algorithm, Collective, Shape};
use models::network::Network;
use models::platform::Platform;
use programs::budget::{Configuration, Repeats};
use programs::machine::{Arithmetic, Bound, Estimate, Machine};
use programs::method::{
    Buffer, FirstCall, Method, MethodSettings, Order, RoundTimeSettings, StopRule, Subject, WindowSettings,
};
use programs::observation::{Implementation, World};
use programs::sync::Sync;
use sim::{Predictor, SimError};
use study::correct::{Doubt, Expected, Pair, Refusal, Source};

/// Seed of the simulated clocks' draws: they are as fine as the machine's, and so is everything that depends on them.
const SEED: u64 = 1;
/// Number of calls that are simulated where calls are timed apart: without noise they are all alike.
const ALIKE: u64 = 8;
/// Number of calls that are simulated in a loop: longer loops take the same time per call, to 0.4 % of a call.
const LONGEST_LOOP: u64 = 256;
/// Number of calls that are simulated where the first call counts; the cost of connecting is weighted as in the full
/// number.
const WITH_FIRST: u64 = 64;
/// Number of calls assumed for a benchmark that does not state it.
const CALLS: u64 = 1_000;
/// Share by which a model may miss a calibrated transfer time before its predictions of calls are doubted, too.
const POOR_FIT: f64 = 0.25;

/// A call whose time a benchmark prints.
pub(super) struct Subjected<'a> {
    pub collective: Collective,
    pub algorithm: &'static Algorithm,
    /// Number of ranks, root, and lengths of the call.
    pub shape: Shape,
    /// The barrier that the benchmark calls.
    pub barrier: &'static Algorithm,
    /// Library whose algorithm it is, and whose copies beside the messages therefore count; `None` where it is not
    /// known.
    pub library: Option<World>,
    /// Party whose algorithm it is, Parallax or the library, with the elements that the library combines.
    pub arithmetic: Arithmetic,
    /// Configuration under which the number comes about.
    pub configuration: &'a Configuration,
    /// Number of calls, where it is known.
    pub calls: Option<u64>,
}

/// Returns the configuration of the reference: a call timed as well as possible, with the buffers in this state.
fn reference(buffer: Buffer) -> Configuration {
    Configuration { buffer, ..Configuration::perfect() }
}

/// Describes the reference, and names the cost that this machine's file lacks for it.
pub(super) fn words(buffer: Buffer, machine: &Machine) -> String {
    let known = match buffer {
        Buffer::Touched | Buffer::Cold | Buffer::Pool if !machine.has_memory() => {
            " (this machine file has no cost for this state: E4 is predicted as 0)"
        }
        Buffer::Touched | Buffer::Same | Buffer::Cold | Buffer::Pool | Buffer::Misaligned => "",
    };
    format!(
        "{}, the time of the slowest rank of one call that all ranks enter at the same instant{}{known}.",
        buffer.name(),
        buffer.words()
    )
}

/// Returns the expected reference and printed number on a machine, with bounds and doubts.
///
/// # Errors
/// Fails on messages longer than its calibration's, and on calls that simulated ranks cannot do.
pub(super) fn expected(machine: &Machine, buffer: Buffer, call: &Subjected) -> Result<Expected, Refusal> {
    let longest = longest_message(call.algorithm, &call.shape);
    let calibrated = machine.transfer.iter().map(|point| point.bytes).max();
    if let Some(most) = calibrated.filter(|&most| longest > most) {
        return Err(Refusal::BeyondCalibration { bytes: longest, longest: most });
    }
    let machine = &weighed(machine, call);
    let pair = |machine: &Machine, bound: Bound| pair(machine, bound, buffer, call);
    let best = predictor(machine, Bound::Best, call.arithmetic)?;
    let budget = best.budget(&reference(buffer), &printed(call), &order(call, &best.network)).map_err(refused)?;
    let together = [Bound::Low, Bound::High].into_iter().map(|bound| pair(machine, bound)).collect::<Result<_, _>>()?;
    let apart =
        machine.apart().into_iter().map(|(_, [low, high])| Ok([pair(&low, Bound::Best)?, pair(&high, Bound::Best)?]));
    let apart = apart.collect::<Result<_, Refusal>>()?;
    let doubts = doubts(machine, &best, longest).map_err(refused)?;
    Ok(Expected { together, apart, doubts, ..Expected::new(Source::Predicted, budget) })
}

/// Returns the reference and the printed number at the best values of all parameters.
///
/// # Errors
/// Fails on calls that simulated ranks cannot do.
pub(super) fn best(machine: &Machine, buffer: Buffer, call: &Subjected) -> Result<Pair, Refusal> {
    pair(&weighed(machine, call), Bound::Best, buffer, call)
}

fn pair(machine: &Machine, bound: Bound, buffer: Buffer, call: &Subjected) -> Result<Pair, Refusal> {
    let on = predictor(machine, bound, call.arithmetic)?;
    let us = |configuration: &Configuration| on.printed(configuration, &order(call, &on.network)).map_err(refused);
    Ok(Pair { reference_us: us(&reference(buffer))?, printed_us: us(&printed(call))? })
}

/// Returns the configuration of the printed number without the benchmark's rule on the number of starts: a few starts
/// have the same result.
fn printed(call: &Subjected) -> Configuration {
    let mut printed = call.configuration.clone();
    printed.gap.rules = None;
    printed
}

/// Returns the machine for simulated ranks, without noise: noise is in the reference as in the printed number.
fn predictor(machine: &Machine, bound: Bound, arithmetic: Arithmetic) -> Result<Predictor, Refusal> {
    let platform = machine.best_platform(bound, arithmetic).map_err(Refusal::NotSimulated)?;
    let network = platform.network;
    Ok(Predictor {
        network: platform,
        control: machine.control(),
        clocks: machine.clock.as_ref().map_or(machine.clocks(), ClockSpread::of_card),
        good_clocks: machine.clocks(),
        seed: SEED,
        ..Predictor::perfect(network)
    })
}

/// Returns the order of the ranks of a platform, apart from the timing, which the configurations set.
fn order(call: &Subjected, platform: &Platform) -> Order {
    let is_known = call.library.is_some() && platform.barrier(call.shape.ranks).is_some();
    let barrier = if is_known { Implementation::Library } else { Implementation::Own(call.barrier.name.to_owned()) };
    let calls = call.calls.unwrap_or(CALLS).clamp(1, most_calls(call.configuration));
    Order {
        subject: Subject::Collective(call.collective, Implementation::Own(call.algorithm.name.to_owned())),
        shape: call.shape,
        call: models::call::Call::default(),
        copies_as: call.library,
        environment: Default::default(),
        settings: MethodSettings {
            method: Method::RoundTime,
            calls: calls as u32,
            samples: 1,
            warmup: 2,
            barrier,
            sync: Sync::Linear,
            window: WindowSettings { stop: StopRule::Counts { starts: 100, valid: 8 }, ..WindowSettings::default() },
            round_time: RoundTimeSettings::default(),
            factors: programs::method::Factors { buffer: Buffer::Same, ..Default::default() },
        },
    }
}

/// Returns the largest number of calls that is simulated.
fn most_calls(configuration: &Configuration) -> u64 {
    if configuration.repeats != Repeats::Apart {
        LONGEST_LOOP
    } else if configuration.first_call == FirstCall::Included {
        WITH_FIRST
    } else {
        ALIKE
    }
}

/// Returns the machine with a cost of connecting that is scaled down where fewer calls are simulated than were made,
/// since the first call then weighs more. Parts that no simulation needs are removed, as the machine is copied for
/// every parameter.
fn weighed(machine: &Machine, call: &Subjected) -> Machine {
    let mut machine = machine.clone();
    machine.rehearsed.clear();
    machine.other_states.clear();
    let (all, made) = (call.calls.unwrap_or(CALLS), most_calls(call.configuration));
    let share = if all > made { made as f64 / all as f64 } else { 1.0 };
    machine.connect_us =
        machine.connect_us.map(|us| Estimate { value: us.value * share, low: us.low * share, high: us.high * share });
    machine
}

/// Returns the length of the longest message of a call in bytes: a rank at either end or at the root sends it.
fn longest_message(algorithm: &Algorithm, shape: &Shape) -> u64 {
    let ends = [0, shape.root, shape.ranks - 1];
    let sent = ends.into_iter().flat_map(|rank| algorithm.steps(shape, rank).filter_map(|step| step.sent()));
    sent.map(|(_, part)| part.bytes).max().unwrap_or(0)
}

/// Returns the doubts that the machine file itself casts on its model, for messages up to this length.
fn doubts(machine: &Machine, best: &Predictor, longest: u64) -> Result<Vec<Doubt>, SimError> {
    let inside =
        |change: &&programs::machine::ProtocolChange| longest > change.last_bytes && longest < change.next_bytes;
    let protocol = machine.protocol.iter().find(inside);
    let mut doubts: Vec<Doubt> = protocol
        .map(|change| Doubt::Protocol { last: change.last_bytes, next: change.next_bytes })
        .into_iter()
        .collect();
    let distance = |bytes: u64| (bytes.max(1) as f64 / longest.max(1) as f64).ln().abs();
    let nearest = machine.transfer.iter().min_by(|a, b| distance(a.bytes).total_cmp(&distance(b.bytes)));
    if let Some(point) = nearest {
        let measured = point.half_round_trip_us.value;
        let modelled = one_way_us(best.network.network, point.bytes)?;
        if (modelled - measured).abs() > POOR_FIT * measured {
            doubts.push(Doubt::PoorFit { bytes: point.bytes, ratio: modelled / measured });
        }
    }
    Ok(doubts)
}

/// Returns the duration of a single message between two idle ranks in µs: a broadcast to one other rank.
fn one_way_us(network: Network, bytes: u64) -> Result<f64, SimError> {
    let linear = Algorithm::find(Collective::Bcast, "linear").map_err(SimError::Order)?;
    let once = reference(Buffer::Same);
    let call = Subjected {
        collective: Collective::Bcast,
        algorithm: linear,
        shape: Shape::new(2, 0, bytes),
        barrier: Algorithm::find(Collective::Barrier, "dissemination").map_err(SimError::Order)?,
        library: None,
        arithmetic: Arithmetic::Own,
        configuration: &once,
        calls: Some(1),
    };
    Predictor::perfect(network).printed(&once, &order(&call, &Platform::plain(network)))
}

fn refused(error: SimError) -> Refusal {
    Refusal::NotSimulated(error.to_string())
}
