//! Times that a cache line takes from core to core, measured by two threads of this process at a time.

use anyhow::Context;
use campaign::environment::{cores, utc_now};
use campaign::launch::Site;
use campaign::planned::CommandPlan;
use campaign::progress::Expected;
use campaign::{Campaign, interrupted, notice_interrupts};
use measure::probe::look;
use models::time::Span;
use programs::machine::PairLook;
use programs::observation::World;
use scenario::BadInput;
use scenario::store::{Line, TaskResult, Tested};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Number of looks at each pair where nothing is watched over time.
const LOOKS: usize = 5;
/// Approximate duration of a look at a pair.
const A_LOOK: Duration = Duration::from_millis(2);
/// Pause between two looks over time.
const PAUSE: Duration = Duration::from_millis(1);

/// Request to look at cores.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Looks {
    /// Cores between all pairs of which lines are timed.
    pub cores: Vec<usize>,
    /// Duration of repeated looks; `None` for a fixed number of looks per pair.
    pub time: Option<Span>,
}

impl CommandPlan for Looks {
    const NAME: &'static str = "probe lines";
    const ABOUT: &'static str = "cores";

    fn question(&self) -> String {
        "How long does a cache line take from core to core?".to_owned()
    }

    fn seed(&self) -> u64 {
        // No order is drawn.
        0
    }

    fn worlds(&self) -> &[World] {
        &[]
    }

    fn ranks(&self) -> Vec<u32> {
        Vec::new()
    }

    fn expected(&self, _: &Site) -> anyhow::Result<Expected> {
        let pairs = (self.cores.len() * self.cores.len().saturating_sub(1) / 2) as u64;
        let looks = A_LOOK.saturating_mul(u32::try_from(pairs).unwrap_or(u32::MAX)).saturating_mul(LOOKS as u32);
        let mut expected = Expected::new(Self::NAME, ["pair of cores", "pairs of cores"]);
        expected.and(pairs, self.time.map_or(looks, Duration::from));
        Ok(expected)
    }
}

impl Looks {
    /// Looks at all pairs of the cores, unless the campaign holds the results.
    ///
    /// # Errors
    /// Fails on cores that cannot be probed, and on an interrupt before the first look.
    pub fn ask(&self, campaign: &mut Campaign) -> anyhow::Result<()> {
        if campaign.has_found() {
            return Ok(());
        }
        notice_interrupts()?;
        let (looks, took) = self.look(&self.cores)?;
        // The duration of the looks is recorded beside the results; without a duration every pair has all its looks.
        anyhow::ensure!(self.time.is_some() || !interrupted(), "interrupted; --resume probes again");
        let for_s = self.time.map(|_| (took * 10.0).round() / 10.0);
        let found = TaskResult::Lines { cores: self.cores.clone(), for_s, looks };
        campaign.append(Line::Tested(Box::new(Tested::here(cores(), utc_now(), found))))
    }

    /// Returns the request with its cores in order, or with all that this process may use if none are named.
    ///
    /// # Errors
    /// Fails on fewer than two cores, and on one that this process may not use.
    pub fn chosen(self, allowed: &[usize]) -> Result<Looks, BadInput> {
        let known = || allowed.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        if allowed.len() < 2 {
            return Err(BadInput(format!(
                "probing cache lines needs two cores, but this process may use only one (core {}); give it more \
                 (taskset, the job's or the container's cores)",
                known()
            )));
        }
        if let Some(missing) = self.cores.iter().find(|core| !allowed.contains(core)) {
            return Err(BadInput(format!("--cores: this process may not use core {missing}; it may use {}", known())));
        }
        let mut cores = if self.cores.is_empty() { allowed.to_vec() } else { self.cores.clone() };
        cores.sort_unstable();
        cores.dedup();
        if cores.len() < 2 {
            return Err(BadInput(format!("--cores: expected two different cores or more, among {}", known())));
        }
        Ok(Looks { cores, ..self })
    }

    /// Looks at all pairs in turns, a number of times or until the time is over; returns the looks and their duration
    /// in seconds.
    fn look(&self, cores: &[usize]) -> anyhow::Result<(Vec<PairLook>, f64)> {
        let (begin, mut looks) = (Instant::now(), Vec::new());
        let ends = self.time.map(Duration::from);
        let over = |turns: usize| ends.map_or(turns >= LOOKS, |end| begin.elapsed() >= end);
        let pairs: Vec<[usize; 2]> = cores
            .iter()
            .enumerate()
            .flat_map(|(nth, &one)| cores[nth + 1..].iter().map(move |&to| [one, to]))
            .collect();
        for turns in 0.. {
            for &cores in &pairs {
                // Every pair has its first turn, however short the time is.
                if turns > 0 && over(turns) || interrupted() {
                    break;
                }
                let at_s = begin.elapsed().as_secs_f64();
                let [one, other] = look(cores).context("cannot probe cache lines between cores")?;
                if let Some(line) = one.line {
                    looks.push(PairLook {
                        cores,
                        at_s,
                        line_ns: line.as_ns(),
                        work_ns: [one.work.as_ns(), other.work.as_ns()],
                    });
                }
                if ends.is_some() {
                    std::thread::sleep(PAUSE);
                }
            }
            if over(turns + 1) || interrupted() {
                break;
            }
        }
        anyhow::ensure!(!(looks.is_empty() && interrupted()), "interrupted");
        Ok((looks, begin.elapsed().as_secs_f64()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(cores: &[usize], allowed: &[usize]) -> Result<Vec<usize>, String> {
        let looks = Looks { cores: cores.to_vec(), time: None };
        looks.chosen(allowed).map(|looks| looks.cores).map_err(|error| error.to_string())
    }

    #[test]
    fn cores_are_those_of_this_process_or_some_of_them() {
        assert_eq!(chosen(&[], &[1, 3, 8]), Ok(vec![1, 3, 8]));
        assert_eq!(chosen(&[8, 1, 8], &[1, 3, 8]), Ok(vec![1, 8]));
        let refused = |cores: &[usize], allowed: &[usize], words: &str| {
            let error = chosen(cores, allowed).expect_err("refused");
            assert!(error.contains(words), "{error}");
        };
        refused(&[], &[5], "this process may use only one (core 5); give it more");
        refused(&[0, 1], &[1, 3], "this process may not use core 0; it may use 1, 3");
        refused(&[3, 3], &[1, 3], "--cores: expected two different cores or more, among 1, 3");
    }
}
