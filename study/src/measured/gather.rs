//! Assignment of a campaign's observations to the tables in which they belong together.

use super::cells::{cell, first_call, fixed_window, printed, seen};
use super::memory::memory;
use super::overlap::hidden;
use super::table::micros;
use super::{Cell, DOUBTFUL_SHARE, FirstCall, GroupCard, Measured, MeasuredRow, Reading, Subject};
use crate::compare::{CompareError, clock_bound_us, clock_check};
use crate::comparison::ClockCheckRow;
use calibration::states::{Load, MetState, States, Visits, load};
use models::clock::ReportCard;
use probes::clocks::{Examined, too_unsure};
use programs::method::Method;
use programs::observation::{Case, ClockCheck, Family, Observation, Occasion, World};
use rayon::prelude::*;
use render::groups::{grouped, latest, together};
use scenario::store::{CampaignLines, Recorded};
use std::collections::{BTreeMap, BTreeSet};

/// Gathers everything that a campaign measured.
///
/// # Errors
/// [`CompareError::NoCampaign`]; [`CompareError::Unreadable`].
pub fn measured<'a>(lines: impl Into<CampaignLines<'a>>) -> Result<Measured, CompareError> {
    measured_by(lines, Reading::default())
}

/// Gathers everything that a campaign measured, by the settings of a reading.
///
/// # Errors
/// [`CompareError::NoCampaign`]; [`CompareError::Unreadable`].
pub fn measured_by<'a>(lines: impl Into<CampaignLines<'a>>, reading: Reading) -> Result<Measured, CompareError> {
    let lines: CampaignLines = lines.into();
    let campaign = lines.question().ok_or(CompareError::NoCampaign)?;
    let gathered = Gathered::from_lines(lines, reading);
    let clocks: Vec<ClockCheckRow> =
        clock_checks(lines).into_iter().map(|check| clock_check(check, reading.confidence_of_clocks())).collect();
    let mut subjects = gathered.subjects()?;
    subjects.iter_mut().for_each(|subject| subject.empty_window = empty_window(subject, &clocks));
    Ok(Measured {
        question: campaign.question.to_owned(),
        seed: campaign.seed,
        reading,
        environment: lines.facts(),
        reproduce: campaign.reproduce.to_vec(),
        subjects,
        load: load(gathered.records.iter()).and_then(|load| load.sentence()),
        states: gathered.states,
        clocks,
        cards: cards(lines),
        memory: memory(lines),
        left_out: lines.left_out().map(|(what, why)| format!("{what}: {why}")).collect(),
        launches: None,
    })
}

/// Multiple of an empty window's time below which a reference counts as short.
const SHORT: f64 = 10.0;

/// Describes the time of an empty window on these ranks, and the references that are short beside it; `None` where
/// there are none.
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

/// Observations of a campaign that have numbers to report, in the order of time; of a case that is there twice, the
/// last. Their stamps are read table row by table row.
struct Gathered<'a> {
    reading: Reading,
    records: Vec<Recorded<'a>>,
    states: States,
    /// Case that came first in each launch of ranks.
    fresh: BTreeSet<(&'a Case, Occasion)>,
    /// Visits of each observation to the states with tables of their own.
    visits: Vec<Visits>,
    /// Indices of the observations of each family's calls.
    own: BTreeMap<Family, Vec<usize>>,
    /// Indices of the observations that were measured as the reference of each family with buffers in any state.
    references: BTreeMap<Family, Vec<usize>>,
}

/// Observations of one table: those of its calls and of their reference, in the order of time.
struct Members<'a> {
    family: &'a Family,
    all: Vec<usize>,
}

impl<'a> Gathered<'a> {
    fn from_lines(lines: CampaignLines<'a>, reading: Reading) -> Gathered<'a> {
        let usual = lines.recorded().filter(|one| one.case().timing.method != Method::LoopTrace);
        let all: Vec<Recorded> = usual.collect();
        let last = latest(all.iter().enumerate().map(|(index, one)| (one.key(), index)));
        let records: Vec<Recorded> = last.into_iter().map(|index| all[index]).collect();
        let states = States::from_observations(records.iter());
        let fresh = together(records.iter().map(|one| ((one.case().place, one.occasion()), one.key())));
        let of_kind = |is_reference: bool, key: fn(&Case) -> Family| {
            let of = records.iter().enumerate();
            let of = of.filter(move |(_, one)| one.case().timing.conditions.reference == is_reference);
            grouped(of.map(|(index, one)| (key(one.case()), index))).into_iter().collect()
        };
        Gathered {
            fresh: fresh.into_iter().map(|launch| launch[0]).collect(),
            visits: records.iter().map(|one| states.visits(one, one.stamps())).collect(),
            own: of_kind(false, Case::family),
            references: of_kind(true, |case| case.family().with_any_buffer()),
            states,
            records,
            reading,
        }
    }

    /// Returns every operation in every state of the machine that was met often enough, the most visited state first.
    fn subjects(&self) -> Result<Vec<Subject>, CompareError> {
        if self.states.met.is_empty() {
            return self.in_one_state(None, Some(0), |_| true);
        }
        let mut found = Vec::new();
        for (place, state) in self.states.reported().into_iter().enumerate() {
            let is_here = |visits: &Visits| (place == 0 || visits.is_looked_at) && visits.visited[place];
            found.extend(self.in_one_state(Some(state), Some(place), |index| is_here(&self.visits[index]))?);
        }
        let at_home = self.records.iter().enumerate().filter(|(index, _)| self.home(*index).is_some());
        let told: BTreeSet<&Case> = at_home.map(|(_, one)| one.case()).collect();
        let rows = found.iter().flat_map(|subject| subject.rows.iter().map(move |row| (subject, row.bytes)));
        let rows: BTreeSet<(Family, u64)> =
            rows.map(|(subject, bytes)| (subject.case.family().with_any_buffer(), bytes)).collect();
        let is_told = |index: usize| {
            let case = self.records[index].case();
            match case.timing.conditions.reference {
                true => rows.contains(&(case.family().with_any_buffer(), case.subject.bytes)),
                false => told.contains(case),
            }
        };
        let mut changing = self.in_one_state(None, None, |index| !is_told(index))?;
        changing.iter_mut().for_each(|subject| subject.changing = true);
        found.extend(changing);
        Ok(found)
    }

    /// Returns the subjects of those observations that were made in a state. `place` is the index of the state; `None`
    /// where it changed.
    fn in_one_state(
        &self,
        state: Option<&MetState>,
        place: Option<usize>,
        is_here: impl Fn(usize) -> bool,
    ) -> Result<Vec<Subject>, CompareError> {
        let here: Vec<bool> = (0..self.records.len()).map(is_here).collect();
        let any = |family: &&Family| self.own[*family].iter().any(|&index| here[index]);
        let mut families: Vec<&Family> = self.own.keys().filter(any).collect();
        // One operation's worlds stand below each other.
        families.sort_by_cached_key(|family| {
            let Case { place, subject, .. } = family.windows();
            (subject.collective, subject.call, place.ranks, subject.implementation, *family)
        });
        families.into_iter().map(|family| self.subject(&self.members(family), state, place, &here)).collect()
    }

    /// Returns the index of the state, among those with tables of their own, whose table has the first call of an
    /// observation. It is the state in which the case began or, where that is not clear, the most visited one in which
    /// something of it was measured; 0 where there are no states.
    fn home(&self, index: usize) -> Option<usize> {
        let Visits { began, visited, .. } = &self.visits[index];
        match self.states.met.is_empty() {
            true => Some(0),
            false => began.filter(|&began| visited[began]).or_else(|| visited.iter().position(|visited| *visited)),
        }
    }

    fn members<'f>(&self, family: &'f Family) -> Members<'f> {
        let references = self.references.get(&family.with_any_buffer());
        let mut all: Vec<usize> = self.own[family].iter().chain(references.into_iter().flatten()).copied().collect();
        all.sort_unstable();
        Members { family, all }
    }

    fn subject(
        &self,
        members: &Members<'_>,
        state: Option<&MetState>,
        place: Option<usize>,
        here: &[bool],
    ) -> Result<Subject, CompareError> {
        let head = |index: &usize| self.records[*index];
        let own: Vec<usize> = members.all.iter().copied().filter(|&index| here[index]).collect();
        let launches: BTreeSet<u32> = own.iter().map(|index| head(index).occasion().launch).collect();
        let timings = || members.all.iter().map(|index| head(index).case().timing);
        let windows = || timings().filter(|timing| timing.method == Method::Window);
        // A state in which the reference was not met has none: windows with buffers in another state do not replace it.
        let reference = windows().find(|timing| timing.conditions.reference).or_else(|| windows().next());
        let reference = reference.map(|timing| timing.conditions);
        let apart = reference.is_some_and(|conditions| conditions.reference);
        let by_bytes = |indices: &[usize]| -> BTreeMap<u64, Vec<usize>> {
            grouped(indices.iter().map(|index| (head(index).case().subject.bytes, *index))).into_iter().collect()
        };
        let all = by_bytes(&members.all);
        let of_length = |(bytes, indices): (u64, Vec<usize>)| {
            let read: Vec<Observation> =
                indices.iter().filter_map(|&index| self.read(index, state).transpose()).collect::<Result<_, _>>()?;
            let first = |windows: &[&Observation]| -> Result<Vec<FirstCall>, CompareError> {
                let of = |&launch: &u32| self.first_call(&all[&bytes], windows, launch, place).transpose();
                launches.iter().filter_map(of).collect()
            };
            row(bytes, &read.iter().collect::<Vec<_>>(), apart, &self.reading, first)
        };
        let rows = by_bytes(&own).into_par_iter().map(of_length).collect::<Result<_, _>>()?;
        let heads = || own.iter().map(head);
        Ok(Subject {
            case: members.family.windows(),
            measured_by: heads().next().map(|first| first.ran_by().to_owned()).unwrap_or_default(),
            oversubscribed: heads().any(|one| one.is_oversubscribed()),
            one_clock: heads().all(|one| one.is_on_one_clock()),
            launches: launches.len(),
            state: state.copied(),
            changing: false,
            reference: reference.map(|conditions| conditions.buffer),
            empty_window: None,
            rows,
        })
    }

    /// Reads an observation with its stamps, of one state only if there is one.
    fn read(&self, index: usize, state: Option<&MetState>) -> Result<Option<Observation>, CompareError> {
        let whole = self.records[index].read()?;
        Ok(match state {
            Some(state) => self.states.only(state, &whole),
            None => Some(whole.into_owned()),
        })
    }

    /// Returns the first call of a length in a launch, if the table of this state has it; `windows` are those of this
    /// state.
    fn first_call(
        &self,
        of_length: &[usize],
        windows: &[&Observation],
        launch: u32,
        place: Option<usize>,
    ) -> Result<Option<FirstCall>, CompareError> {
        let is_its = |index: &usize| self.records[*index].occasion().launch == launch;
        let first = of_length.iter().copied().find(is_its).filter(|index| self.home(*index) == place);
        let Some(first) = first.map(|index| self.records[index]) else { return Ok(None) };
        let windows = windows.iter().find(|one| one.occasion.launch == launch).copied();
        Ok(first_call(&*first.read()?, windows, self.fresh.contains(&first.key())))
    }
}

/// Computes the numbers at one length; `apart` where the reference has windows of its own. `first_calls` finds the
/// first calls beside the reference's windows.
fn row(
    bytes: u64,
    here: &[&Observation],
    apart: bool,
    reading: &Reading,
    first_calls: impl Fn(&[&Observation]) -> Result<Vec<FirstCall>, CompareError>,
) -> Result<MeasuredRow, CompareError> {
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
    let reference = (!windows.is_empty()).then(|| cell((Method::Window, true), &windows, &windows, reading));
    let others = others.map(|method| cell((method, false), &of(method), &windows, reading));
    let mut methods: Vec<Cell> = reference.into_iter().chain(others).collect();
    let mut benchmarks = printed(of, &windows, reading.confidence());
    let shaky = methods.first().filter(|cell| cell.is_reference).and_then(shaky);
    if shaky.is_some() {
        methods.iter_mut().for_each(|cell| cell.ratio = None);
        benchmarks.iter_mut().for_each(|printed| printed.ratio = None);
    }
    let us = methods.first().filter(|cell| cell.is_reference).and_then(|cell| cell.us).map(|us| us.value);
    // Without a number a clock that jumped is told all the same.
    let unsure = |launch: &&Observation| too_unsure(&launch.ranks, us.unwrap_or(f64::INFINITY), DOUBTFUL_SHARE);
    let record = windows.last().and_then(|windows| windows.ranks.first()?.window.as_ref());
    Ok(MeasuredRow {
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
        first_calls: first_calls(&windows)?,
        fixed_windows: fixed_windows(here, &windows, reading),
        hidden: hidden(of),
    })
}

/// Largest relative half width of the interval that a reference may have.
const SHAKY_HALF_WIDTH: f64 = 0.25;
/// Least share of valid windows of a reference; with fewer, it describes undisturbed ranks at best.
const SHAKY_VALID_SHARE: f64 = 0.25;

/// Returns the reason why the window method's number cannot be a reference, if there is one.
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

fn fixed_windows(here: &[&Observation], reference: &[&Observation], reading: &Reading) -> Vec<super::FixedWindow> {
    let mut lengths: Vec<_> = here.iter().filter_map(|observation| observation.case.timing.conditions.window).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let of = |length| {
        let launches: Vec<&Observation> =
            here.iter().copied().filter(|other| other.case.timing.conditions.window == Some(length)).collect();
        fixed_window(&launches, reference, reading)
    };
    lengths.into_iter().filter_map(of).collect()
}

/// Returns the last clock check of each group of ranks.
fn clock_checks(lines: CampaignLines<'_>) -> Vec<&ClockCheck> {
    latest(lines.clock_checks().map(|check| (check.place(), check)))
}

/// Returns the last report card of each group of ranks.
fn cards(lines: CampaignLines<'_>) -> Vec<GroupCard> {
    let last = latest(lines.report_cards().map(|(group, card)| (group, (group, card))));
    let card = |((world, ranks), card): ((World, u32), &ReportCard)| GroupCard {
        world,
        ranks,
        clock: Examined::new(card.clone(), None),
    };
    last.into_iter().map(card).collect()
}
