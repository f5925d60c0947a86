//! Fits a machine whose simulated ranks print the published numbers.

use super::job::Job;
use super::{Choice, Selected};
use crate::calibrate::MachineFiles;
use fit::{AS_GOOD, Candidate, Chosen, Errors, Fit, Reach, share};
use models::collective::{Algorithm, Collective, Shape};
use programs::machine::{Machine, Provenance};
use programs::observation::Barrier;
use published::{Grounds, InForce};
use scenario::BadInput;
use std::path::PathBuf;
use study::printed::{Evidence, LeftOut};

/// Confidence in the machine file, although its intervals are no confidence intervals, as its notes say.
const CONFIDENCE: f64 = 0.95;

/// Source of the barrier between the calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Behind {
    /// The barrier that the rows state.
    Known,
    /// A barrier that the user gives.
    Given(Barrier),
    /// The barrier of Open MPI that fits best.
    Choose,
}

/// Request of a fit to published numbers.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// Numbers to which parameters are fitted.
    pub choice: Choice,
    /// Source of the barrier between the calls.
    pub behind: Behind,
    /// Path of the machine file; `None` for the next free name.
    pub out: Option<PathBuf>,
    /// Whether an existing machine file may be replaced.
    pub overwrite: bool,
    /// Command line of this fit, for the provenance.
    pub command: String,
}

/// A machine that was fitted.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The fitted machine itself.
    pub machine: Machine,
    /// Path of the machine file.
    pub file: PathBuf,
    /// Quality of the fit with each barrier, the best first, fits before screens; empty where the barrier was known.
    pub evidence: Vec<Evidence>,
    /// Rows that were not fitted, with reasons.
    pub left_out: Vec<LeftOut>,
    /// Number of simulations of all numbers during the fit.
    pub evaluations: usize,
}

impl Calibration {
    /// Fits the parameters and writes the machine file.
    ///
    /// # Errors
    /// Fails on a choice of several jobs or without numbers to fit, on an unknown barrier, and on a file that cannot be
    /// written.
    pub fn fit_machine(&self) -> anyhow::Result<Fitted> {
        let given = match self.behind {
            Behind::Given(barrier) => Some(barrier),
            Behind::Known | Behind::Choose => None,
        };
        let selected = self.choice.selected(given)?;
        let job = selected.job()?;
        let known = match self.behind {
            Behind::Known | Behind::Given(_) => Some(selected.barrier()?),
            Behind::Choose => None,
        };
        let files = MachineFiles::at(self.out.as_deref(), &format!("{}-{}", job.system, job.ranks), self.overwrite)?;
        let done = self.fitted(&selected, &job, known, &files.name());
        // The folder beside the machine file stays empty, unlike that of other calibrations.
        files.take_back();
        let (machine, evidence, evaluations) = done?;
        files.write_machine(&machine)?;
        Ok(Fitted { machine, file: files.file, evidence, left_out: selected.left_out, evaluations })
    }

    fn fitted(
        &self,
        selected: &Selected,
        job: &Job,
        known: Option<InForce>,
        name: &str,
    ) -> Result<(Machine, Vec<Evidence>, usize), BadInput> {
        let platform = selected.platform()?;
        let (barrier, fit, evidence) = match &known {
            Some(known) => {
                let fit = Fit::compute(&selected.rows(), &selected.benchmark(known.barrier, platform.clone()));
                (known.barrier, fit.map_err(|error| selected.wrong(error))?, Vec::new())
            }
            None => {
                let Chosen { barrier, fit, candidates } = chosen(selected, job.ranks, &platform)?;
                (barrier, fit, evidence(&candidates))
            }
        };
        let mut machine = fit::machine(name, self.provenance(job), &fit);
        machine.longest_printed_bytes = selected.taken.iter().map(|one| one.printed.shape.bytes).max();
        if selected.mapped && machine.near.is_none() {
            let why = "no pair of nodes is in one cell and another one is not, or class.switch.L is given";
            machine.notes.push(format!("L near is not fitted: {why}"));
        }
        let by = barrier.on(job.ranks).map_err(BadInput)?;
        let grounds = known.map_or("the one that fits best", |known| words(known.grounds));
        machine.notes.push(format!("barrier between the calls: {}, {grounds}", by.name()));
        if !evidence.is_empty() {
            let each =
                evidence.iter().map(|one| format!("{} {:.0} % ({})", one.barrier, one.mean_error * 100.0, one.reach));
            machine.notes.push(format!("mean error by barrier: {}", each.collect::<Vec<_>>().join(", ")));
        }
        if !platform.is_empty() {
            machine.notes.push(format!("known beside the parameters: --platform {}", shortened(&platform)));
        }
        machine.notes.push(format!(
            "intervals are the ranges over all parameters whose mean error is up to {AS_GOOD} times the least, and no \
             confidence intervals"
        ));
        Ok((machine, evidence, fit.evaluations))
    }

    fn provenance(&self, job: &Job) -> Provenance {
        let runs: Vec<String> = job.runs.iter().map(|run| date(run)).collect();
        Provenance {
            date: runs.join(", "),
            host: job.system.clone(),
            ran_by: format!("{}, {} ranks, {}", job.system, job.ranks, job.libraries.join(", ")),
            how: format!("from printed numbers, by: {}", self.command),
            confidence: CONFIDENCE,
        }
    }
}

/// Returns the barrier of Open MPI that fits best, with the quality of each fit.
fn chosen(selected: &Selected, ranks: u32, platform: &str) -> Result<Chosen, BadInput> {
    let shape = Shape::new(ranks, 0, 0);
    let there = Algorithm::for_collective(Collective::Barrier)
        .filter(|one| one.openmpi.is_some() && one.accepts(&shape).is_ok());
    let barriers: Vec<Barrier> = there.map(|algorithm| Barrier::Own(algorithm.name)).collect();
    let usual = barriers.first().copied().ok_or_else(|| BadInput(format!("no barrier is for {ranks} ranks")))?;
    let found = fit::choose(&selected.rows(), &selected.benchmark(usual, platform.to_owned()), &barriers);
    found.map_err(|error| selected.wrong(error))
}

fn evidence(candidates: &[Candidate]) -> Vec<Evidence> {
    let least = |reach: Reach| {
        let same = candidates.iter().filter(|one| one.reach == reach).map(|one| one.errors.mean);
        same.fold(f64::INFINITY, f64::min)
    };
    let evidence = |&Candidate { barrier, reach, errors }: &Candidate| {
        let Errors { mean, median, p90, count } = errors;
        Evidence {
            barrier: barrier.to_string(),
            reach: reach.to_string(),
            numbers: count,
            mean_error: share(mean),
            median_error: share(median),
            p90_error: share(p90),
            times_best: mean / least(reach),
        }
    };
    candidates.iter().map(evidence).collect()
}

/// Returns a platform's text without the nodes of every rank.
fn shortened(platform: &str) -> String {
    let pair = |pair: &str| {
        if pair.starts_with("placement=list:") { "placement=list:…".to_owned() } else { pair.to_owned() }
    };
    platform.split(',').map(pair).collect::<Vec<_>>().join(",")
}

fn words(grounds: Grounds) -> &'static str {
    match grounds {
        Grounds::Stated => "stated by a file of the run",
        Grounds::Inferred => "inferred from the time of the run and the rules that the framework had then",
        Grounds::Given => "given by the user",
    }
}

/// Returns a run's time, `2025_04_04___18_21_29`, as files write dates; its time zone is not published.
fn date(run: &str) -> String {
    let parts: Option<(&str, &str)> = run.split_once("___").filter(|_| run.len() == "2025_04_04___18_21_29".len());
    parts.map_or(run.to_owned(), |(day, time)| format!("{}T{}Z", day.replace('_', "-"), time.replace('_', ":")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_dated_as_machines_are() {
        assert_eq!(date("2025_04_04___18_21_29"), "2025-04-04T18:21:29Z");
        assert_eq!(date("first"), "first");
    }
}
