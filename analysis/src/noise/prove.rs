//! Predictions from recorded noise against real ranks: noise is recorded, work between synchronisations is timed on the
//! same CPUs, and noise is recorded again.

use super::recorded::{CLASSES, classes, recording};
use crate::meanwhile::meanwhile;
use anyhow::Context;
use campaign::environment::{cores, utc_now};
use campaign::launch::{Processors, Site};
use campaign::testing::{LaunchTasks, OfProof, TestPlan};
use campaign::{Campaign, notice_interrupts};
use measure::detours::{Labour, Recording as Recorded};
use measure::inject::{Bursts, Generator};
use measure::job::Task;
use models::closed_form::noise::slowest_recorded;
use models::noise::RecordedDelays;
use models::quantity;
use models::time::Span;
use programs::detours::{Collection, Program, Worked, Working};
use programs::machine::Estimate;
use programs::observation::{Emulation, World};
use scenario::BadInput;
use scenario::store::{Line, Proof, TaskResult, Tested};
use statistics::noise::{Figures, Recording, prolonged_us};
use statistics::{Batches, mean, mean_with_interval};
use std::time::Duration;

/// Request of a proof.
pub struct Prove {
    /// World of the ranks.
    pub world: World,
    /// Number of ranks that work.
    pub ranks: u32,
    /// CPUs of each host; empty for those that ranks may use.
    pub cpus: Vec<u32>,
    /// Lengths of the grains of work.
    pub grains: Vec<Span>,
    /// Duration of each recording of noise, and of the work on each length.
    pub time: Span,
}

/// Folders of the recordings before and after the work.
const FOLDERS: [&str; 2] = ["before", "after"];
/// Confidence of the intervals.
const CONFIDENCE: f64 = 0.95;
impl Prove {
    /// Returns the plan of a single launch of three parts: a recording, the work, and another recording.
    ///
    /// # Errors
    /// States the fault of the request.
    pub fn plan(&self) -> Result<TestPlan<OfProof>, BadInput> {
        if let Some(short) = self.grains.iter().find(|&&grain| grain < Span::from_us(10)) {
            return Err(BadInput(format!("--grain: expected 10us or more, found {short}")));
        }
        if self.time < Span::from_ms(100) {
            return Err(BadInput(format!("--time: expected 100ms or more, found {}", self.time)));
        }
        let collection = Collection { time: self.time, ..Collection::default() };
        let record = |folder: &str| {
            let (collection, cpus, folder) = (collection.clone(), self.cpus.clone(), folder.to_owned());
            Task::Record(Recorded { collection, cpus, folder, live: false, tracefs: None })
        };
        let working = Working { grains: self.grains.clone(), time: self.time };
        let work = Task::Work(Labour { working, cpus: self.cpus.clone() });
        let tasks = vec![record(FOLDERS[0]), work, record(FOLDERS[1])];
        let asked = LaunchTasks::new(self.world, self.ranks, tasks);
        Ok(TestPlan::new(self.world, Emulation::Untimed.named(), vec![asked]))
    }
}

/// Returns the CPUs that ranks and bursts share: the named ones, or the first that this process may use.
pub fn shared_cpus(named: &[u32], ranks: u32) -> Vec<u32> {
    let all = || Processors::here().allowed.into_iter().map(|cpu| cpu as u32);
    if named.is_empty() { all().take(ranks as usize).collect() } else { named.to_vec() }
}

/// Parses bursts like `cpu:period=10ms,duration=250us`, also with `random` or `common`.
///
/// # Errors
/// Names the expected form.
pub fn bursts(text: &str, cpus: Vec<u32>) -> Result<Bursts, BadInput> {
    let bad = |message: String| BadInput(format!("--inject: {message}"));
    let expected =
        || bad(format!("expected cpu:period=10ms,duration=250us, also with random or common, found '{text}'"));
    let keys = text.strip_prefix("cpu:").ok_or_else(expected)?;
    let [mut period, mut duration] = [None, None];
    let (mut is_random, mut is_common) = (false, false);
    for key in keys.split(',') {
        match key.split_once('=') {
            Some(("period", value)) => period = Some(quantity::parse::<Span>(value).map_err(bad)?),
            Some(("duration", value)) => duration = Some(quantity::parse::<Span>(value).map_err(bad)?),
            None if key == "random" => is_random = true,
            None if key == "common" => is_common = true,
            _ => return Err(expected()),
        }
    }
    let (period, duration) = period.zip(duration).ok_or_else(expected)?;
    Bursts { cpus, period, duration, is_random, is_common, seed: 1 }.checked().map_err(bad)
}

/// Has the ranks record and work unless the campaign has their answers, with bursts meanwhile if there are any, and
/// adds the comparison of measured and predicted times.
///
/// # Errors
/// Fails on ranks that died, hung or refuse, on impossible bursts, and on recordings that cannot be read.
pub fn ask(
    plan: &TestPlan<OfProof>,
    campaign: &mut Campaign,
    site: &Site,
    patience: Duration,
    bursts: Option<&Bursts>,
) -> anyhow::Result<()> {
    notice_interrupts()?;
    if proved(campaign) {
        return Ok(());
    }
    meanwhile(bursts.map(|bursts| Generator::Cpu(bursts.clone())), || {
        plan.run_tasks(campaign, site, patience, || None)
    })?;
    let points = points(campaign)?;
    let mut line = Tested::here(cores(), utc_now(), TaskResult::Proved { points });
    if let Some(first) = campaign.records().tested().next() {
        (line.world, line.carrier, line.ranks) = (first.world, first.carrier, first.ranks);
        (line.ran_by, line.notes) = (first.ran_by.clone(), first.notes.clone());
    }
    campaign.append(Line::Tested(Box::new(line)))
}

fn proved(campaign: &Campaign) -> bool {
    campaign.records().tested().any(|tested| matches!(tested.found, TaskResult::Proved { .. }))
}

/// Returns the measured and the predicted times of each length of grain.
fn points(campaign: &Campaign) -> anyhow::Result<Vec<Proof>> {
    let worked = campaign.records().tested().find_map(|tested| match &tested.found {
        TaskResult::Worked { ranks, .. } => ranks.first(),
        _ => None,
    });
    let worked = worked.context("no rank has worked")?;
    let recordings = FOLDERS.map(|folder| recording(&[campaign.folder().join(folder).display().to_string()], None));
    let [before, after] = recordings;
    let recordings = [before?, after?];
    worked.programs.iter().map(|program| point(worked, program, &recordings)).collect()
}

fn point(worked: &Worked, program: &Program, recordings: &[Recording; 2]) -> anyhow::Result<Proof> {
    let us: Vec<f64> = program.took.iter().map(|took| took.as_us()).collect();
    let measured = estimate(&us).context("too few launches; expected a longer --time")?;
    // A barrier counts as work, too.
    let grain = program.grain + worked.barrier;
    let grains = vec![grain; program.count as usize];
    let mut each = Vec::new();
    for recording in recordings {
        let all: Vec<usize> = (0..recording.ranks().len()).collect();
        let launches = recording.launches(&all, &grains).took;
        let us: Vec<f64> = launches.iter().map(|took| took.as_us()).collect();
        each.push(
            estimate(&us).context("no launch fits into the recording; expected shorter grains, or a longer --time")?,
        );
    }
    let count = f64::from(program.count);
    let independent = recordings.iter().map(|recording| {
        let delays = RecordedDelays::from_delays(recording.delays(grain))?;
        Some(count * (grain.as_us() + slowest_recorded(recording.ranks().len() as u64, &delays).mean_ps / 1e6))
    });
    let independent: Vec<f64> = independent.collect::<Option<_>>().context("a grain is longer than the recording")?;
    let classes = classes(CLASSES)?;
    let closed = recordings.iter().map(|recording| {
        let figures: Vec<Figures> =
            classes.iter().map(|class| recording.figures(class, recording.ranks().len())).collect();
        prolonged_us(&figures, Figures::simultaneity, grain).ok().map(|us| count * us)
    });
    let closed: Option<Vec<f64>> = closed.collect();
    Ok(Proof {
        grain_us: program.grain.as_us(),
        count: program.count,
        barrier_us: worked.barrier.as_us(),
        launches: us.len() as u32,
        measured,
        played: expected(&each, &measured),
        recordings: [each[0].value, each[1].value],
        closed: closed.map(|closed| mean(&closed)),
        independent: mean(&independent),
    })
}

/// Returns the mean of both recordings, with the range in which the measured mean between them is expected. The range
/// grows with the uncertainty of each recording, with their distance, and with the uncertainty of the measured mean.
fn expected(recordings: &[Estimate], measured: &Estimate) -> Estimate {
    let error = |of: &Estimate| (of.high - of.low) / 4.0;
    let value = (recordings[0].value + recordings[1].value) / 2.0;
    let apart = (recordings[0].value - recordings[1].value) / 2.0;
    let errors = (error(&recordings[0]).powi(2) + error(&recordings[1]).powi(2)) / 4.0;
    let reach = 2.0 * (errors + apart * apart + error(measured).powi(2)).sqrt();
    Estimate { value, low: value - reach, high: value + reach }
}

/// Mean with its interval; successive launches may depend on each other.
fn estimate(us: &[f64]) -> Option<Estimate> {
    let batches = Batches::from_samples(us).and_then(|batches| batches.interval(|batch| Some(mean(batch)), CONFIDENCE));
    batches.or_else(|| mean_with_interval(us, CONFIDENCE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_are_read_and_what_is_none_is_refused() {
        let read = bursts("cpu:period=10ms,duration=250us,common", vec![1]).unwrap();
        assert_eq!((read.period, read.duration, read.is_common), (Span::from_ms(10), Span::from_us(250), true));
        for wrong in
            ["net:rate=1", "cpu:period=1ms", "cpu:period=1ms,duration=2ms", "cpu:period=1ms,duration=1us,x", ""]
        {
            assert!(bursts(wrong, vec![1]).unwrap_err().0.starts_with("--inject: "), "{wrong}");
        }
    }

    #[test]
    fn a_mean_is_expected_where_both_recordings_and_its_own_error_allow() {
        let of = |value: f64, reach: f64| Estimate { value, low: value - reach, high: value + reach };
        let expected = expected(&[of(100.0, 2.0), of(104.0, 2.0)], &of(0.0, 4.0));
        // Errors 1, 1 and 2; half of what lies between them 2: 2 √(1/2 + 4 + 4).
        assert_eq!(expected.value, 102.0);
        assert!((expected.high - 102.0 - 2.0 * 8.5_f64.sqrt()).abs() < 1e-12);
    }
}
