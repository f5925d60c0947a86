//! From the answers of ranks to the machine, in every state of its cores that they met.

use super::Answers;
use super::plan::CalibrationPlan;
use anyhow::Context;
use calibration::fit::{ToFit, core_state, in_state};
use calibration::holds::apart;
use calibration::refine::{Findings, refine};
use calibration::states::commonest;
use measure::job::Outcome;
use models::clock::ReportCard;
use models::network::{Network, SendRule};
use models::time::Span;
use programs::calibration::Sample;
use programs::machine::{CoreState, Machine, Provenance};
use statistics::median;
use std::collections::BTreeSet;

/// Context of the answers of a calibration.
pub(super) struct FitContext<'a> {
    pub name: &'a str,
    /// The plan that the ranks carried out.
    pub plan: &'a CalibrationPlan,
    /// The network that ranks play, where they play one.
    pub network: Option<Network>,
    /// True if ranks share cores.
    pub crowded: bool,
    /// Returns the machine's provenance for the program that ran the ranks.
    pub provenance: &'a dyn Fn(&str) -> Provenance,
}

impl FitContext<'_> {
    /// Returns the send rule for which Hockney's model is fitted.
    fn send_rule(&self) -> SendRule {
        match self.network {
            Some(Network::Hockney(hockney)) => hockney.send_rule,
            Some(_) | None => SendRule::Eager,
        }
    }

    fn to_fit<'a>(&'a self, provenance: Provenance, samples: &'a [Sample]) -> ToFit<'a> {
        ToFit { name: self.name, provenance, send_rule: self.send_rule(), samples }
    }
}

/// Messages that were exchanged in one launch.
struct Messages<'a> {
    ran_by: &'a str,
    samples: &'a [Sample],
    control: Span,
    state: Option<CoreState>,
}

/// Findings of all launches together, other than messages.
#[derive(Default)]
struct Together {
    findings: Findings,
    card: Option<ReportCard>,
}

/// Fits the machine in the state in which most launches were, with those of other states, and returns it with the
/// findings beside its messages.
///
/// # Errors
/// Fails on exchanges from which nothing can be fitted.
pub(super) fn fitted(known: &FitContext, answers: &Answers) -> anyhow::Result<(Machine, Findings)> {
    let together = together(answers)?;
    let all: Vec<Messages> = answers.launches.iter().filter_map(|outcomes| messages(outcomes)).collect();
    let states = states(&all);
    let mut machines =
        states.iter().map(|state| of_state(known, answers, &together, &all, state)).collect::<Result<Vec<_>, _>>()?;
    anyhow::ensure!(!machines.is_empty(), "no messages were exchanged");
    let (mut machine, findings) = machines.remove(0);
    machine.other_states = machines.into_iter().map(|(machine, _)| machine).collect();
    let used: usize = states.iter().map(Vec::len).sum();
    machine.notes.extend(notes(&machine, &states, all.len() - used));
    if known.crowded {
        machine.notes.push("oversubscribed: ranks share fewer cores, so noise was not sampled".to_owned());
    }
    machine.notes.extend(answers.load.clone());
    Ok((machine, findings))
}

fn together(answers: &Answers) -> anyhow::Result<Together> {
    let mut together = Together::default();
    for outcome in answers.launches.iter().flatten() {
        match outcome {
            Outcome::ClockReported(found) => together.card = Some(found.clone()),
            Outcome::Explored(finding) => together.findings.add(finding.clone()),
            Outcome::Calibrated { .. } | Outcome::Measured(_) => {}
            other => anyhow::bail!("unexpected answer {other:?}"),
        }
    }
    Ok(together)
}

fn messages(outcomes: &[Outcome]) -> Option<Messages<'_>> {
    outcomes.iter().find_map(|outcome| match outcome {
        Outcome::Calibrated { ran_by, samples, control } => {
            Some(Messages { ran_by, samples, control: *control, state: core_state(samples) })
        }
        _ => None,
    })
}

/// Groups launches by state. The group with most launches comes first, of several such the one that was met first.
/// Launches in which the state changed are in no group, unless there are no others.
fn states<'a, 'b>(all: &'b [Messages<'a>]) -> Vec<Vec<&'b Messages<'a>>> {
    let mut states: Vec<(CoreState, Vec<&Messages>)> = Vec::new();
    for messages in all {
        let Some(state) = messages.state else { continue };
        match states.iter_mut().find(|(known, _)| known.is_like(&state)) {
            Some((_, of)) => of.push(messages),
            None => states.push((state, vec![messages])),
        }
    }
    states.sort_by_key(|(_, of)| std::cmp::Reverse(of.len()));
    if states.is_empty() {
        return Vec::from_iter((!all.is_empty()).then(|| all.iter().collect()));
    }
    states.into_iter().map(|(_, of)| of).collect()
}

fn of_state(
    known: &FitContext,
    answers: &Answers,
    together: &Together,
    all: &[Messages],
    state: &[&Messages],
) -> anyhow::Result<(Machine, Findings)> {
    let first = state.first().context("a state was met")?;
    let seen = commonest(&state.iter().filter_map(|messages| messages.state).collect::<Vec<_>>()).map(|(seen, _)| seen);
    let samples = seen.and_then(|seen| in_state(all.iter().map(|messages| messages.samples), &seen));
    let own = || state.iter().flat_map(|messages| messages.samples).cloned().collect();
    let samples = samples.unwrap_or_else(own);
    let provenance = (known.provenance)(first.ran_by);
    let fitted = known.to_fit(provenance, &samples).machine_in(seen)?;
    let mut machine = Machine { control_us: first.control.as_us(), clock: together.card.clone(), ..fitted };
    let mut findings = together.findings.clone();
    findings.left = samples.iter().filter_map(Sample::left).cloned().collect();
    refine(&mut machine, &findings);
    if let Some(rehearsals) = &known.plan.rehearsals {
        let is_state = |found: Option<CoreState>| match (machine.core_state(), found) {
            (Some(wanted), Some(found)) => wanted.is_like(&found),
            (None, _) => true,
            (Some(_), None) => false,
        };
        machine.rehearsed = rehearsals.seen(&answers.launches, is_state);
        machine.notes.extend(rehearsed(&machine));
    }
    let moved = moved(known, &machine, state);
    machine.notes.extend(moved);
    Ok((machine, findings))
}

/// Returns a note on the rehearsals in the state of a machine.
fn rehearsed(machine: &Machine) -> Option<String> {
    let all = || machine.rehearsed.iter();
    let launches = all().map(|one| one.launches).max()?;
    let bytes = || all().flat_map(|one| &one.bytes);
    let (shortest, longest) = (bytes().min()?, bytes().max()?);
    let benchmarks: BTreeSet<&str> = all().map(|one| one.benchmark.title()).collect();
    let collectives: BTreeSet<&str> = all().map(|one| one.collective.name()).collect();
    Some(format!(
        "rehearsals: {} collectives of {shortest} to {longest} B timed as {} time them, in {} of this state; `parallax \
         correct` uses them to correct the error of predictions",
        collectives.len(),
        benchmarks.into_iter().collect::<Vec<_>>().join(" and "),
        of_launches(launches as usize)
    ))
}

/// Returns notes on launches whose messages or arithmetic take other times than over all launches of the same state,
/// with the speed of their cores.
fn moved(known: &FitContext, machine: &Machine, state: &[&Messages]) -> Vec<String> {
    let works: Vec<Option<f64>> = state.iter().map(|messages| work_ns(messages.samples)).collect();
    let told = state.iter().zip(&works).filter(|_| state.len() > 1).filter_map(|(messages, work)| {
        let alone = known.to_fit(machine.provenance.clone(), messages.samples).values().ok()?;
        let off: Vec<String> =
            apart(machine, &alone).into_iter().map(|(what, factor)| format!("{what} took ×{factor:.2}")).collect();
        let least = works.iter().flatten().copied().reduce(f64::min);
        let work = work.zip(least).map(|(here, least)| {
            format!("; in it a core took {here:.0} ns for the same work, {least:.0} ns in the fastest launch")
        });
        let off = off.join(", ");
        let work = work.unwrap_or_default();
        (!off.is_empty())
            .then(|| format!("launches differ: in one launch {off} of the time over all launches of this state{work}"))
    });
    told.collect()
}

/// Returns the median time that the ranks' cores took for the work of a look during these exchanges, in nanoseconds.
fn work_ns(samples: &[Sample]) -> Option<f64> {
    let looks = samples.iter().filter_map(Sample::looked);
    median(&looks.map(|look| look.work.as_ns()).collect::<Vec<f64>>())
}

/// Returns notes on the number of launches per state, where there are several states or the state changed in some
/// launches.
fn notes(machine: &Machine, states: &[Vec<&Messages>], changed: usize) -> Vec<String> {
    let mut notes = Vec::new();
    let of = |(machine, state): (&Machine, &Vec<&Messages>)| {
        Some(format!("{}, {}", machine.core_state()?, of_launches(state.len())))
    };
    let found: Vec<String> = machine.states().zip(states).filter_map(of).collect();
    if let [first, others @ ..] = found.as_slice()
        && !others.is_empty()
    {
        let others = others.join("; ");
        notes.push(format!(
            "states: cores changed between near and far, or between full and reduced speed; a cache line between \
             neighbours takes {first} in the state of these parameters; the file also has the parameters of the \
             other states: {others}"
        ));
    }
    if changed > 0 && !found.is_empty() {
        notes.push(format!("states: {} left out, in which the cores' state changed", of_launches(changed)));
    }
    notes
}

fn of_launches(count: usize) -> String {
    if count == 1 { "1 launch".to_owned() } else { format!("{count} launches") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_most_launches_comes_first_and_launches_in_which_it_changed_are_in_none() {
        let of = |lines: &[Option<f64>]| {
            let state = |line_ns| CoreState { line_ns, work_ns: Some(600.0) };
            let all = lines.iter().map(|line_ns| Messages {
                ran_by: "",
                samples: &[],
                control: Span::ZERO,
                state: line_ns.map(state),
            });
            let all: Vec<Messages> = all.collect();
            let told = states(&all)
                .into_iter()
                .map(|state| state.iter().map(|one| one.state.map(|state| state.line_ns)).collect::<Vec<_>>());
            told.collect::<Vec<_>>()
        };
        let (near, far) = (Some(30.0), Some(230.0));
        assert_eq!(of(&[far, near, None, Some(33.0)]), [vec![near, Some(33.0)], vec![far]]);
        assert_eq!(of(&[None, None]), [vec![None, None]], "nobody could look");
        assert_eq!(of(&[]), Vec::<Vec<Option<f64>>>::new());
    }
}
