//! From a campaign's lines to its tables: which observations belong together.

use super::cells::{cell, first_call, fixed_window, printed, seen};
use super::memory::memory;
use super::overlap::hidden;
use super::table::micros;
use super::{CONFIDENCE, Cell, DOUBTFUL_SHARE, FirstCall, GroupCard, Measured, Row, Subject};
use crate::clocks::{Examined, share_one_clock, too_unsure};
use crate::compare::{CompareError, clock_bound_us, clock_check};
use crate::comparison::ClockCheckRow;
use crate::states::{Load, State, States, load};
use models::method::Method;
use models::observation::{Case, ClockCheck, Observation, Occasion};
use render::groups::{distinct, latest, together};
use scenario::store::{Line, facts};
use std::collections::BTreeSet;

/// What a campaign measured.
///
/// # Errors
/// [`CompareError::NoCampaign`].
pub fn measured(lines: &[Line]) -> Result<Measured, CompareError> {
    let campaign = lines.iter().rev().find_map(|line| match line {
        Line::Campaign { question, seed, reproduce, .. } => Some((question, *seed, reproduce)),
        _ => None,
    });
    let (question, seed, reproduce) = campaign.ok_or(CompareError::NoCampaign)?;
    let observations = observations(lines);
    let states = States::of(observations.iter().copied());
    let clocks: Vec<ClockCheckRow> = clock_checks(lines).into_iter().map(clock_check).collect();
    let mut subjects = subjects(&observations, &states);
    subjects.iter_mut().for_each(|subject| subject.empty_window = empty_window(subject, &clocks));
    Ok(Measured {
        question: question.clone(),
        seed,
        confidence: CONFIDENCE,
        environment: facts(lines),
        reproduce: reproduce.clone(),
        subjects,
        load: load(observations.iter().copied()).and_then(|load| load.sentence()),
        states,
        clocks,
        cards: cards(lines),
        memory: memory(lines),
        left_out: left_out(lines),
        launches: None,
    })
}

/// A window with nothing in it is told beside references that take less than so many of them.
const SHORT: f64 = 10.0;

/// What a window with nothing in it takes on these ranks, and which references are short beside it; none where there are none.
fn empty_window(subject: &Subject, clocks: &[ClockCheckRow]) -> Option<String> {
    let of = |row: &&ClockCheckRow| {
        (row.world, row.carrier, row.ranks)
            == (subject.case.place.world, subject.case.place.carrier, subject.case.place.ranks)
            && row.variant.is_empty()
    };
    let empty_us = clocks.iter().find(of)?.null_us.value;
    let references = subject.rows.iter().filter_map(|row| {
        let reference = row.methods.iter().find(|cell| cell.is_reference)?.us?.value;
        (reference > 0.0 && empty_us > 0.0 && reference < SHORT * empty_us).then_some((row.bytes, empty_us / reference))
    });
    let short: Vec<String> = references.map(|(bytes, share)| format!("{:.0} % at {bytes} B", share * 100.0)).collect();
    let empty = micros(Some(empty_us));
    (!short.is_empty())
        .then(|| format!("an empty window takes {empty} µs, which is part of every reference: {}", short.join(", ")))
}

/// Every operation in every state of the machine that was met often enough: the most visited state comes first.
fn subjects(observations: &[&Observation], states: &States) -> Vec<Subject> {
    let all: Vec<Observation> = observations.iter().map(|one| (*one).clone()).collect();
    let fresh = first_of_launches(observations);
    let homes: Vec<Option<usize>> = observations.iter().map(|one| home(one, states)).collect();
    let campaign = Campaign { observations, fresh: &fresh, homes: &homes, place: Some(0) };
    if states.met.is_empty() {
        return in_one_state(&all, None, campaign);
    }
    let mut found = Vec::new();
    for (place, state) in states.told().into_iter().enumerate() {
        let here: Vec<Observation> = all
            .iter()
            .filter(|one| place == 0 || one.ranks.iter().any(|record| !record.looks.is_empty()))
            .filter_map(|one| states.only(state, one))
            .collect();
        found.extend(in_one_state(&here, Some(state), Campaign { place: Some(place), ..campaign }));
    }
    let at_home = observations.iter().zip(&homes).filter(|(_, home)| home.is_some());
    let told: BTreeSet<&Case> = at_home.map(|(one, _)| &one.case).collect();
    let is_told = |one: &Observation| match one.case.timing.conditions.reference {
        true => found.iter().any(|subject| belongs(&one.case, &subject.case) && subject.has(one.case.subject.bytes)),
        false => told.contains(&one.case),
    };
    let left: Vec<Observation> = all.iter().filter(|one| !is_told(one)).cloned().collect();
    let mut changing = in_one_state(&left, None, Campaign { place: None, ..campaign });
    changing.iter_mut().for_each(|subject| subject.changing = true);
    found.extend(changing);
    found
}

/// In which of the states with tables of their own the first call of a case is told: that in which it began or, where that is not
/// clear, the most visited one in which something of it was measured; 0 where there are no states.
fn home(observation: &Observation, states: &States) -> Option<usize> {
    if states.met.is_empty() {
        return Some(0);
    }
    let told = states.told();
    let is_there = |state: &State| states.only(state, observation).is_some();
    let began = states.of_beginning(observation).filter(|state| is_there(state));
    told.iter().position(|state| Some(*state) == began).or_else(|| told.iter().position(|state| is_there(state)))
}

/// What is known of a campaign beyond one state of the machine.
#[derive(Clone, Copy)]
struct Campaign<'a> {
    /// In all states.
    observations: &'a [&'a Observation],
    /// The case that came first in each launch.
    fresh: &'a [(&'a Case, Occasion)],
    /// In which state each observation's first call is told.
    homes: &'a [Option<usize>],
    /// The state that is told; none where it changed.
    place: Option<usize>,
}

impl Campaign<'_> {
    /// The first call with so many bytes of a subject in a launch, where it is told in this state; `windows` are this state's.
    fn first_call(&self, key: &Case, bytes: u64, windows: &[&Observation], launch: u32) -> Option<FirstCall> {
        let of = |one: &Observation| {
            one.occasion.launch == launch && one.case.subject.bytes == bytes && belongs(&one.case, key)
        };
        let (first, home) = self.observations.iter().zip(self.homes).find(|(one, _)| of(one))?;
        let windows = windows.iter().find(|one| one.occasion.launch == launch).copied();
        (*home == self.place).then(|| first_call(first, windows, self.fresh.contains(&first.key())))?
    }

    /// The case whose windows are the reference of this subject: windows of their own or, where none were asked for, the
    /// window method's. In a state in which it was not met there is no reference: windows with buffers in another state are
    /// not put in its place.
    fn reference(&self, key: &Case) -> Option<&Case> {
        let cases = self.observations.iter().map(|one| &one.case).filter(|case| belongs(case, key));
        let windows: Vec<&Case> = cases.filter(|case| case.timing.method == Method::Window).collect();
        windows.iter().find(|case| case.timing.conditions.reference).or(windows.first()).copied()
    }
}

fn in_one_state(observations: &[Observation], state: Option<&State>, campaign: Campaign<'_>) -> Vec<Subject> {
    let observations: Vec<&Observation> = observations.iter().collect();
    let own = observations.iter().filter(|observation| !observation.case.timing.conditions.reference);
    let mut keys = distinct(own.map(|observation| subject_of(&observation.case)));
    // One operation's worlds stand below each other.
    keys.sort_by_cached_key(|key| {
        (key.subject.collective, key.subject.call, key.place.ranks, key.subject.implementation.clone(), key.clone())
    });
    keys.iter().map(|key| subject(key, &observations, state, campaign)).collect()
}

/// The observations that have numbers to tell; where a case is there twice, the last.
fn observations(lines: &[Line]) -> Vec<&Observation> {
    latest(lines.iter().filter_map(|line| match line {
        Line::Measured(one) if one.case.timing.method != Method::LoopTrace => Some((one.key(), one)),
        _ => None,
    }))
}

/// What the rows of a table have in common.
fn subject_of(case: &Case) -> Case {
    case.by(Method::Window).with(|case| {
        case.subject.bytes = 0;
        case.subject.counts = None;
        case.timing.conditions.window = None;
    })
}

/// The case that came first in each launch: of ranks that were started together.
fn first_of_launches<'a>(observations: &[&'a Observation]) -> Vec<(&'a Case, Occasion)> {
    let launches = observations.iter().map(|one| ((one.case.place, one.occasion), one.key()));
    together(launches).into_iter().map(|launch| launch[0]).collect()
}

/// True for a case of this subject: its methods, and the reference, whose buffers may be in another state.
fn belongs(case: &Case, key: &Case) -> bool {
    let mut of = subject_of(case);
    if case.timing.conditions.reference {
        (of.timing.conditions.reference, of.timing.conditions.buffer) = (false, key.timing.conditions.buffer);
    }
    of == *key
}

fn subject(key: &Case, observations: &[&Observation], state: Option<&State>, campaign: Campaign<'_>) -> Subject {
    let own: Vec<&Observation> =
        observations.iter().copied().filter(|observation| belongs(&observation.case, key)).collect();
    let mut bytes: Vec<u64> = own.iter().map(|observation| observation.case.subject.bytes).collect();
    bytes.sort_unstable();
    bytes.dedup();
    let mut launches: Vec<u32> = own.iter().map(|observation| observation.occasion.launch).collect();
    launches.sort_unstable();
    launches.dedup();
    let reference = campaign.reference(key).map(|case| case.timing.conditions);
    let apart = reference.as_ref().is_some_and(|conditions| conditions.reference);
    let rows = bytes.iter().map(|&bytes| {
        let here: Vec<&Observation> = own.iter().copied().filter(|other| other.case.subject.bytes == bytes).collect();
        let first = |windows: &[&Observation]| {
            launches.iter().filter_map(|&launch| campaign.first_call(key, bytes, windows, launch)).collect()
        };
        row(bytes, &here, apart, first)
    });
    Subject {
        case: key.clone(),
        measured_by: own.first().map(|first| first.ran_by.clone()).unwrap_or_default(),
        oversubscribed: own.iter().any(|observation| observation.oversubscribed),
        one_clock: own.iter().all(|observation| share_one_clock(&observation.ranks)),
        launches: launches.len(),
        state: state.copied(),
        changing: false,
        reference: reference.map(|conditions| conditions.buffer),
        empty_window: None,
        rows: rows.collect(),
    }
}

/// The numbers at one length; `apart` where the reference has windows of its own. `first_calls` finds them beside the reference's
/// windows.
fn row(bytes: u64, here: &[&Observation], apart: bool, first_calls: impl Fn(&[&Observation]) -> Vec<FirstCall>) -> Row {
    let adapting = || {
        let usual =
            |one: &&Observation| one.case.timing.conditions.window.is_none() && !one.case.timing.conditions.reference;
        here.iter().copied().filter(usual)
    };
    let of = |method: Method| {
        let mut launches: Vec<&Observation> =
            adapting().filter(|observation| observation.case.timing.method == method).collect();
        launches.sort_by_key(|observation| observation.occasion);
        launches
    };
    let mut windows: Vec<&Observation> =
        here.iter().copied().filter(|one| one.case.timing.conditions.reference).collect();
    windows.sort_by_key(|observation| observation.occasion);
    if !apart {
        windows = of(Method::Window);
    }
    let (columns, start_skew_us, exit_skew_us) = seen(&windows);
    let order = [Method::Window].into_iter().chain(Method::reported().filter(|&method| method != Method::Window));
    let others = order.filter(|&method| !of(method).is_empty() && (apart || method != Method::Window));
    let reference = (!windows.is_empty()).then(|| cell((Method::Window, true), &windows, &windows));
    let others = others.map(|method| cell((method, false), &of(method), &windows));
    let mut methods: Vec<Cell> = reference.into_iter().chain(others).collect();
    let mut benchmarks = printed(of, &windows);
    let shaky = methods.first().filter(|cell| cell.is_reference).and_then(shaky);
    if shaky.is_some() {
        methods.iter_mut().for_each(|cell| cell.ratio = None);
        benchmarks.iter_mut().for_each(|printed| printed.ratio = None);
    }
    let us = methods.first().filter(|cell| cell.is_reference).and_then(|cell| cell.us).map(|us| us.value);
    // Without a number a clock that jumped is told all the same.
    let unsure = |launch: &&Observation| too_unsure(&launch.ranks, us.unwrap_or(f64::INFINITY), DOUBTFUL_SHARE);
    let record = windows.last().and_then(|windows| windows.ranks.first()?.window.as_ref());
    Row {
        bytes,
        methods,
        benchmarks,
        disturbed: load(here.iter().copied()).filter(Load::makes_times_doubtful).and_then(|load| load.sentence()),
        columns,
        start_skew_us,
        exit_skew_us,
        window_us: record.and_then(|record| Some(record.deltas.last()?.as_us())),
        window_capped: record.is_some_and(|record| record.capped),
        clock_bound_us: adapting().next().map(|_| clock_bound_us(adapting().flat_map(|other| &other.ranks))),
        unsure: windows.iter().find_map(unsure),
        shaky,
        first_calls: first_calls(&windows),
        fixed_windows: fixed_windows(here, &windows),
        hidden: hidden(of),
    }
}

/// A reference that is known to this share only, on either side, is none.
const SHAKY_HALF_WIDTH: f64 = 0.25;
/// A reference of which fewer windows were valid tells of those in which ranks were undisturbed, if of anything.
const SHAKY_VALID_SHARE: f64 = 0.25;

/// Why the window method's number cannot be what others are held against, if it cannot.
fn shaky(window: &Cell) -> Option<String> {
    let Some(us) = window.us else {
        let none = "windows was valid: in each a rank started late, or was not done when the next one began";
        return (window.starts > 0).then(|| format!("none of {} {none}", window.starts));
    };
    let half_width = (us.high - us.low) / 2.0 / us.value;
    let valid = window.samples as f64 / window.starts.max(1) as f64;
    if half_width > SHAKY_HALF_WIDTH {
        return Some(format!("{:.3} µs is known to ± {:.0} % only", us.value, half_width * 100.0));
    }
    (valid < SHAKY_VALID_SHARE).then(|| format!("only {} of {} windows were valid", window.samples, window.starts))
}

fn fixed_windows(here: &[&Observation], reference: &[&Observation]) -> Vec<super::FixedWindow> {
    let mut lengths: Vec<_> = here.iter().filter_map(|observation| observation.case.timing.conditions.window).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let of = |length| {
        let launches: Vec<&Observation> =
            here.iter().copied().filter(|other| other.case.timing.conditions.window == Some(length)).collect();
        fixed_window(&launches, reference)
    };
    lengths.into_iter().filter_map(of).collect()
}

/// One check for each group of ranks, the last.
fn clock_checks(lines: &[Line]) -> Vec<&ClockCheck> {
    let mut all: Vec<&ClockCheck> = Vec::new();
    for line in lines {
        let Line::ClockCheck(check) = line else { continue };
        match all.iter().position(|known| known.place() == check.place()) {
            Some(place) => all[place] = check,
            None => all.push(check),
        }
    }
    all
}

/// One report card for each group of ranks, the last.
fn cards(lines: &[Line]) -> Vec<GroupCard> {
    let mut all: Vec<GroupCard> = Vec::new();
    for line in lines {
        let Line::ReportCard { world, ranks, card } = line else { continue };
        let new = GroupCard { world: *world, ranks: *ranks, clock: Examined::new((**card).clone(), None) };
        match all.iter().position(|known| (known.world, known.ranks) == (new.world, new.ranks)) {
            Some(place) => all[place] = new,
            None => all.push(new),
        }
    }
    all
}

fn left_out(lines: &[Line]) -> Vec<String> {
    let said = lines.iter().filter_map(|line| match line {
        Line::LeftOut { what, why } => Some(format!("{what}: {why}")),
        _ => None,
    });
    said.collect()
}
