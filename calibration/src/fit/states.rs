//! Samples by the state of the machine in which they were taken: calibrations look at the machine between kinds of
//! exchanges, as cores may be slowed, or moved, from one to the next.

use crate::states::commonest;
use programs::calibration::{Sample, Touch};
use programs::machine::CoreState;
use std::collections::{BTreeMap, BTreeSet};

/// Least share of its looks in the state in which a calibration was made.
const LEAST_SHARE: f64 = 0.5;
/// Least share of one calibration's exchanges timed between two looks of a state, if parameters are to be of that
/// state.
const LEAST_BETWEEN: f64 = 0.5;
/// Least share of exchanges between two looks of the state or in a calibration that mostly was in it: times between
/// near and far cores differ by a factor of five, and those of slowed cores by two, so that a few lengths of another
/// state spoil a fit.
const LEAST_ALIKE: f64 = 0.95;

/// Returns the state in which most of these samples were taken; `None` if it changed too often or was not observed.
pub fn core_state(samples: &[Sample]) -> Option<CoreState> {
    let looks: Vec<CoreState> = samples.iter().filter_map(seen).collect();
    commonest(&looks).filter(|(_, share)| *share >= LEAST_SHARE).map(|(state, _)| state)
}

fn seen(sample: &Sample) -> Option<CoreState> {
    let look = sample.looked()?;
    Some(CoreState { line_ns: look.line?.as_ns(), work_ns: Some(look.work.as_ns()) })
}

/// Properties that exchanges of one kind have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ExchangeKind {
    Trains { messages: u32, delayed: bool },
    LateReceives,
    LateSends,
    Readings,
    Left,
    Touched(Touch),
}

fn kind(sample: &Sample) -> Option<(ExchangeKind, u64)> {
    let kind = match sample {
        Sample::RoundTrips(of) => ExchangeKind::Trains { messages: of.messages, delayed: of.delay.0 > 0 },
        Sample::LateReceives(_) => ExchangeKind::LateReceives,
        Sample::LateSends(_) => ExchangeKind::LateSends,
        Sample::Readings(_) => ExchangeKind::Readings,
        Sample::Left(_) => ExchangeKind::Left,
        Sample::Touched(timed) => ExchangeKind::Touched(timed.touch),
        Sample::Looked(_) => return None,
    };
    Some((kind, sample.bytes().unwrap_or(0)))
}

/// Certainty that an exchange was timed in the wanted state; the most certain first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Met {
    /// The looks before and behind it found that state.
    Between,
    /// Most looks of its calibration found that state.
    Mostly,
    /// The looks around it found cache lines that take as long, at another speed of cores.
    AtAnotherSpeed,
    /// No look indicates that state.
    Elsewhere,
}

/// Whether the looks before and behind a place found the wanted state.
fn between(looks: &[(usize, CoreState)], place: usize, is_wanted: impl Fn(&CoreState) -> bool) -> bool {
    let (before, behind) = looks.split_at(looks.partition_point(|(look, _)| *look <= place));
    [before.last(), behind.first()].into_iter().all(|look| look.is_some_and(|(_, found)| is_wanted(found)))
}

/// Returns the exchanges of several calibrations that were timed in this state, between two looks that found it,
/// whatever state most of a calibration was made in. Together they are nearly all exchanges of one calibration (each
/// chooses some lengths of its own); of the few that none timed in that state, those that come nearest to it. `None`
/// where these are too many, because the state was hardly met. Looks are left out.
pub fn in_state<'a>(calibrations: impl Iterator<Item = &'a [Sample]>, wanted: &CoreState) -> Option<Vec<Sample>> {
    let timed: Vec<Vec<Timed>> = calibrations.map(|samples| timed(samples, wanted)).collect();
    let mut surest: BTreeMap<(ExchangeKind, u64), Met> = BTreeMap::new();
    for (kind, _, met) in timed.iter().flatten() {
        let best = surest.entry(*kind).or_insert(*met);
        *best = (*best).min(*met);
    }
    let kinds_of = |of: &Vec<Timed>| of.iter().map(|(kind, ..)| *kind).collect::<BTreeSet<_>>();
    let share = |kinds: &BTreeSet<(ExchangeKind, u64)>, least: Met| {
        kinds.iter().filter(|kind| surest[kind] <= least).count() as f64 / kinds.len() as f64
    };
    let is_whole = |kinds: &BTreeSet<(ExchangeKind, u64)>| {
        share(kinds, Met::Between) >= LEAST_BETWEEN && share(kinds, Met::Mostly) >= LEAST_ALIKE
    };
    let whole = timed.iter().map(kinds_of).find(is_whole)?;
    // Of other lengths either every timed exchange is taken or none: a train is useful only beside a ping-pong of its
    // length.
    let partly: BTreeSet<u64> =
        surest.iter().filter(|(_, met)| **met > Met::Mostly).map(|((_, bytes), _)| *bytes).collect();
    let is_chosen = |(kind, _, met): &&Timed| {
        surest[kind] == *met && (whole.contains(kind) || *met <= Met::Mostly && !partly.contains(&kind.1))
    };
    Some(timed.iter().flatten().filter(is_chosen).map(|(_, sample, _)| (*sample).clone()).collect())
}

/// Kind and length of an exchange, the exchange, and the certainty that it was timed in the wanted state.
type Timed<'a> = ((ExchangeKind, u64), &'a Sample, Met);

/// Returns the certainty with which each exchange of a calibration was timed in a state.
fn timed<'a>(samples: &'a [Sample], wanted: &CoreState) -> Vec<Timed<'a>> {
    let mostly = core_state(samples).is_some_and(|state| wanted.is_like(&state));
    let looks: Vec<(usize, CoreState)> =
        samples.iter().enumerate().filter_map(|(place, sample)| Some((place, seen(sample)?))).collect();
    let met = |place: usize| {
        if between(&looks, place, |found| wanted.is_like(found)) {
            Met::Between
        } else if mostly {
            Met::Mostly
        } else if between(&looks, place, |found| wanted.at_any_speed().is_like(found)) {
            Met::AtAnotherSpeed
        } else {
            Met::Elsewhere
        }
    };
    samples.iter().enumerate().filter_map(|(place, sample)| Some((kind(sample)?, sample, met(place)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::time::Span;
    use programs::calibration::{Prtt, TimedTouch};
    use programs::observation::MachineLook;

    fn look(work_ns: u64) -> Sample {
        Sample::Looked(MachineLook { line: Some(Span::from_ns(40)), work: Span::from_ns(work_ns) })
    }

    fn ping_pong(bytes: u64, us: u64) -> Sample {
        let round_trips = vec![Span::from_us(us)];
        Sample::RoundTrips(Prtt { messages: 1, delay: Span::ZERO, bytes, round_trips, sending: Vec::new() })
    }

    fn touched(us: u64) -> Sample {
        Sample::Touched(TimedTouch { touch: Touch::Same, bytes: 8, times: 1, spans: vec![Span::from_us(us)] })
    }

    const FULL: CoreState = CoreState { line_ns: 42.0, work_ns: Some(1_000.0) };

    #[test]
    fn exchanges_on_slowed_cores_are_left_out_where_others_of_their_kind_were_not() {
        let first = [look(1_000), ping_pong(8, 2), look(1_010), ping_pong(64, 5), look(1_600), touched(7), look(1_000)];
        let second =
            [look(1_700), ping_pong(8, 3), look(1_700), ping_pong(64, 4), look(1_020), touched(6), look(1_000)];
        let both = || [&first[..], &second[..]].into_iter();
        let chosen = in_state(both(), &FULL).expect("met");
        assert_eq!(
            chosen,
            [ping_pong(8, 2), ping_pong(64, 5), touched(6)],
            "of 64 B that which was mostly at full speed"
        );
        let full_then_slowed = |lengths: std::ops::Range<u64>| {
            let full = lengths.flat_map(|bytes| [look(1_000), ping_pong(bytes, 5)]);
            let slowed = [look(1_700), ping_pong(8, 3)].into_iter().chain(vec![look(1_700); 40]);
            full.chain([look(1_000)]).chain(slowed).collect::<Vec<Sample>>()
        };
        let chosen = in_state([&full_then_slowed(100..130)[..]].into_iter(), &FULL).expect("met");
        assert_eq!((chosen.len(), chosen.last()), (31, Some(&ping_pong(8, 3))), "no kind is lost");
        assert_eq!(
            in_state([&full_then_slowed(100..110)[..]].into_iter(), &FULL),
            None,
            "one kind of eleven is too much"
        );
        let train = || {
            Sample::RoundTrips(Prtt {
                messages: 16,
                delay: Span::ZERO,
                bytes: 16,
                round_trips: vec![Span::from_us(9)],
                sending: Vec::new(),
            })
        };
        let alone = [look(1_000), train(), look(1_000), look(1_700), ping_pong(16, 4), look(1_700), look(1_700)];
        let chosen = in_state([&alone[..], &full_then_slowed(100..130)].into_iter(), &FULL).expect("met");
        assert!(!chosen.contains(&train()), "a train without the ping-pong of its length");
        let own_lengths = [look(1_700), ping_pong(16, 4), ping_pong(32, 4), ping_pong(8, 3), look(1_700)];
        let chosen = in_state([&own_lengths[..], &full_then_slowed(100..130)].into_iter(), &FULL).expect("met");
        assert_eq!(chosen.len(), 31 + 1, "another calibration's 8 B, not the lengths that only it chose");
        let slowed = CoreState { work_ns: Some(1_650.0), ..FULL };
        assert_eq!(in_state(both(), &slowed), None, "met by one kind of three");
        let far = CoreState { line_ns: 200.0, ..FULL };
        assert_eq!(in_state(both(), &far), None);
    }

    #[test]
    fn parameters_of_far_cores_are_not_completed_by_exchanges_between_near_ones() {
        let far_look = || Sample::Looked(MachineLook { line: Some(Span::from_ns(200)), work: Span::from_ns(1_000) });
        let far = CoreState { line_ns: 200.0, ..FULL };
        let begun = [far_look(), ping_pong(8, 9), far_look(), ping_pong(64, 9), far_look()];
        let moved = [&begun[..], &[look(1_000), ping_pong(512, 2), look(1_000), look(1_000), look(1_000)]].concat();
        assert_eq!(in_state([&moved[..]].into_iter(), &far), None, "512 B were exchanged between near cores only");
        let ended = [far_look(), ping_pong(512, 9), far_look()];
        let chosen = in_state([&moved[..], &ended[..]].into_iter(), &far).expect("met");
        assert_eq!(chosen, [ping_pong(8, 9), ping_pong(64, 9), ping_pong(512, 9)]);
    }

    #[test]
    fn the_state_of_a_calibration_is_that_of_most_of_its_looks() {
        let of = |works: &[u64]| core_state(&works.iter().map(|&ns| look(ns)).collect::<Vec<_>>());
        assert_eq!(of(&[1_000, 1_700, 1_020, 1_010]), Some(CoreState { line_ns: 40.0, work_ns: Some(1_010.0) }));
        assert_eq!(of(&[1_000, 1_700, 3_000]), None);
        assert_eq!(core_state(&[touched(1)]), None, "nobody looked");
    }
}
