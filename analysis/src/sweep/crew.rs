//! Simulates points on all cores, and returns their results in the order of points.
//!
//! Small points run beside each other, each on one thread. A large one waits until they are done and then has all
//! threads: two that share one pool would wait inside each other.

use super::work::Work;
use anyhow::Context;
use campaign::interrupted;
use reports::sweep::Found;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Interval at which the clock and Ctrl-C are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Number of points per thread that are handed out and not yet done.
const WAITING_PER_THREAD: u64 = 4;
/// Largest distance between the first point that is not done and other points that are handed out.
const MOST_AHEAD: u64 = 1 << 14;

/// Result of a point: its row, or the reason of its failure.
pub(super) type Result = std::result::Result<Found, String>;

/// Threads that simulate points.
pub(super) struct Crew {
    work: Arc<Work>,
    hand_out: Sender<Range<u64>>,
    done: Sender<(u64, Result)>,
    results: Receiver<(u64, Result)>,
    /// Pools of a single thread each, so that the parallel parts of a point stay on its thread.
    _threads: Vec<rayon::ThreadPool>,
    count: usize,
}

impl Crew {
    /// Starts as many threads as rayon would use: all cores, or RAYON_NUM_THREADS.
    pub(super) fn new(work: Arc<Work>) -> anyhow::Result<Crew> {
        let count = rayon::current_num_threads();
        let (hand_out, taken) = channel();
        let (done, results) = channel();
        let taken = Arc::new(Mutex::new(taken));
        let mut threads = Vec::with_capacity(count);
        for _ in 0..count {
            let thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().context("cannot start a thread")?;
            let (work, taken, done) = (work.clone(), taken.clone(), done.clone());
            thread.spawn(move || {
                while let Some(range) = next(&taken) {
                    for result in range.clone().zip(work.simulate(range)) {
                        if done.send(result).is_err() {
                            return;
                        }
                    }
                }
            });
            threads.push(thread);
        }
        Ok(Crew { work, hand_out, done, results, _threads: threads, count })
    }

    /// Simulates a range of points. `take` receives each result in order, as soon as all before it are there; `tick` is
    /// called at regular intervals. Returns false if the user has asked to stop.
    pub(super) fn simulate_range(
        &self,
        range: Range<u64>,
        mut take: impl FnMut(u64, Result) -> anyhow::Result<()>,
        mut tick: impl FnMut(),
    ) -> anyhow::Result<bool> {
        let together = self.work.sweep.together();
        let most_under_way = WAITING_PER_THREAD * self.count as u64 * together;
        let (mut next, mut due, mut under_way, mut alone) = (range.start, range.start, 0, false);
        let mut early = BTreeMap::new();
        while due < range.end {
            while next < range.end && next - due < MOST_AHEAD && under_way < most_under_way && !alone {
                alone = self.work.is_alone(next);
                if alone && under_way > 0 {
                    alone = false;
                    break;
                }
                let end = range.end.min((next / together + 1) * together);
                self.begin(next..end, alone)?;
                (next, under_way) = (end, under_way + (end - next));
            }
            match self.results.recv_timeout(LOOK_EVERY) {
                Ok((index, result)) => {
                    early.insert(index, result);
                    under_way -= 1;
                    alone &= under_way > 0;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => anyhow::bail!("the threads of this sweep are gone"),
            }
            while let Some(result) = early.remove(&due) {
                take(due, result)?;
                due += 1;
            }
            tick();
            if interrupted() {
                return Ok(due == range.end);
            }
        }
        Ok(true)
    }

    fn begin(&self, range: Range<u64>, alone: bool) -> anyhow::Result<()> {
        if !alone {
            return self.hand_out.send(range).context("the threads of this sweep are gone");
        }
        let (work, done) = (self.work.clone(), self.done.clone());
        // The last result of a sweep that was stopped has no receiver.
        rayon::spawn(move || {
            range.clone().zip(work.simulate(range)).for_each(|result| drop(done.send(result)));
        });
        Ok(())
    }
}

fn next(taken: &Mutex<Receiver<Range<u64>>>) -> Option<Range<u64>> {
    taken.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}
