//! Grains of work between synchronisations, carried out by ranks whose detours were recorded.

use super::recording::{Recording, Stretch};
use crate::{Autocorrelation, Batches};
use models::time::Span;
use programs::machine::Estimate;

/// Launches of a program of grains, one after the other for the length of the recording: all ranks work a grain from
/// the same instant on, and the next begins when the last of them is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launches {
    /// Time of each launch.
    pub took: Vec<Span>,
    /// Time of a launch without noise, T_1.
    pub alone: Span,
}

impl Launches {
    /// Returns the mean over launches, T_p, in µs, `None` where no launch fitted into the recording.
    pub fn mean_us(&self) -> Option<f64> {
        let sum: f64 = self.took.iter().map(|took| took.as_us()).sum();
        (!self.took.is_empty()).then(|| sum / self.took.len() as f64)
    }

    /// Returns T_p with its interval: launches follow each other, so that a disturbance of one may reach the next, too
    /// ([`Batches`]). `None` where there are too few launches for that.
    pub fn interval_us(&self) -> Option<Estimate> {
        let us: Vec<f64> = self.took.iter().map(|took| took.as_us()).collect();
        let mean = |batch: &[f64]| Some(batch.iter().sum::<f64>() / batch.len() as f64);
        Batches::from_samples(&us)?.interval(mean, 0.95)
    }

    /// Returns the number of independent launches that would fix the mean as well as these, which depend on each other.
    pub fn effective(&self) -> Option<f64> {
        let us: Vec<f64> = self.took.iter().map(|took| took.as_us()).collect();
        Some(Autocorrelation::from_samples(&us)?.effective_n)
    }

    /// Returns the efficiency, E_p = T_1 / T_p.
    pub fn efficiency(&self) -> Option<f64> {
        self.mean_us().map(|mean| self.alone.as_us() / mean)
    }

    /// Returns the efficiency of the longest launch, E_pmin = T_1 / T_pmax.
    pub fn least_efficiency(&self) -> Option<f64> {
        self.took.iter().max().map(|longest| self.alone.as_us() / longest.as_us())
    }

    /// Returns the efficiency of the shortest launch, E_pmax = T_1 / T_pmin.
    pub fn largest_efficiency(&self) -> Option<f64> {
        self.took.iter().min().map(|shortest| self.alone.as_us() / shortest.as_us())
    }
}

/// Rank that works, and has come to a detour.
struct Worker<'a> {
    detours: &'a [Stretch],
    /// First detour that has not ended when it works next.
    next: usize,
}

impl Worker<'_> {
    /// Returns the time at which work begun at `at` is done: a rank inside a detour makes no progress. A detour that
    /// starts at the end of the work, or ends at its begin, does not touch it.
    fn done(&mut self, at: u64, work: u64) -> u64 {
        while self.detours.get(self.next).is_some_and(|detour| detour.end <= at) {
            self.next += 1;
        }
        let mut done = at + work;
        for detour in &self.detours[self.next..] {
            if detour.start >= done {
                break;
            }
            done += detour.end - detour.start.max(at);
        }
        done
    }
}

/// Largest number of places of a grain on each rank.
const MOST_PLACES: u64 = 1_000_000;

impl Recording {
    /// Returns the times by which a grain of work takes longer on one of the ranks, each as likely as the others, that
    /// begins anywhere in the time in which the rank can work: at equal steps of working time, an eighth of the grain
    /// of a rank that loses nothing, or longer ones where that were too many.
    ///
    /// Steps of time as it passes would count a long detour once for each step within it, though the program of a rank
    /// that is inside it does not go on: of one rank, E = 1 − (share of detours) would not come out.
    pub fn delays(&self, grain: Span) -> Vec<Span> {
        let places = (self.length / (grain.0 / 8).max(1)).clamp(1, MOST_PLACES);
        let mut delays = Vec::new();
        for rank in &self.ranks {
            // As many places on a rank that loses much as on one that loses little: any of them may be the one.
            let step = (self.length.saturating_sub(rank.taken().0) / places).max(1);
            let worker = || Worker { detours: &rank.detours, next: 0 };
            let (mut grains, mut steps, mut at) = (worker(), worker(), 0);
            loop {
                let done = grains.done(at, grain.0);
                if done > self.length {
                    break;
                }
                delays.push(Span(done - at - grain.0));
                at = steps.done(at, step);
            }
        }
        delays
    }

    /// Plays launches of these grains on some of the ranks, by their numbers. The one that would end behind the
    /// recording is left out.
    ///
    /// # Panics
    ///
    /// Panics for a rank that was not recorded.
    pub fn launches(&self, ranks: &[usize], grains: &[Span]) -> Launches {
        let mut workers: Vec<Worker> =
            ranks.iter().map(|&rank| Worker { detours: &self.ranks[rank].detours, next: 0 }).collect();
        let alone = grains.iter().copied().sum();
        let (mut took, mut begin) = (Vec::new(), 0);
        if alone == Span::ZERO {
            // Without work launches would never end.
            return Launches { took, alone };
        }
        loop {
            let end = grains.iter().fold(begin, |now, grain| {
                workers.iter_mut().map(|worker| worker.done(now, grain.0)).max().unwrap_or(now + grain.0)
            });
            if end > self.length {
                break;
            }
            took.push(Span(end - begin));
            begin = end;
        }
        Launches { took, alone }
    }
}
