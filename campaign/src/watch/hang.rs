//! Distinction of a stopped or hung rank from a busy one.

use measure::board::{Status, host_name};
use programs::rank::Phase;
use std::time::{Duration, Instant};

/// Silence after which a process on this host counts as stopped. Heartbeats come four times a second. Those of other
/// hosts, which write into a shared file system, may take much longer to arrive, so that the patience applies there.
const STOPPED_AFTER: Duration = Duration::from_secs(10);

/// Record of the last heartbeat and the last progress of each rank.
pub(super) struct HangWatch {
    patience: Duration,
    started: Option<Instant>,
    outcomes: usize,
    seen: Vec<SeenProgress>,
}

struct SeenProgress {
    heartbeats: u64,
    beat_at: Instant,
    progress: u64,
    progress_at: Instant,
}

/// Reason why the ranks will not finish.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The rank never signed in.
    NeverStarted(u32, Duration),
    /// The rank never signed in, but another one did.
    NotSeen(u32, Status, Duration),
    /// The process of the rank has been stopped.
    Stopped(Status, Duration),
    /// No rank has entered a new phase for too long. The first is the one furthest behind.
    NoProgress(Vec<Status>, Duration),
}

impl Reason {
    /// Returns the reason in words. `place` names a rank with its host and phase.
    pub(super) fn describe(&self, place: impl Fn(&Status) -> String) -> String {
        match self {
            Reason::NeverStarted(rank, after) => {
                format!("rank {rank} had not started after {} s; `parallax doctor` tries the launcher", after.as_secs())
            }
            Reason::NotSeen(rank, other, after) => {
                format!(
                    "rank {rank} did not register within {} s, but {} did; on several hosts all ranks must see the \
                     run's folder: put it on a file system that they share (--out)",
                    after.as_secs(),
                    place(other)
                )
            }
            Reason::Stopped(status, after) => {
                format!("{} has stopped: no heartbeat for {} s", place(status), after.as_secs())
            }
            Reason::NoProgress(ranks, after) => {
                let places: Vec<_> = ranks.iter().map(place).collect();
                let all = places.join("\n  ");
                format!(
                    "no rank has made progress for {} s (--timeout); furthest behind first:\n  {all}",
                    after.as_secs()
                )
            }
        }
    }
}

impl HangWatch {
    /// Returns a watch that reports a hang after `patience` without progress.
    pub(super) fn new(patience: Duration) -> HangWatch {
        HangWatch { patience, started: None, outcomes: 0, seen: Vec::new() }
    }

    /// Looks at all ranks at an instant and returns the reason of a hang. Once there are outcomes every rank has
    /// started, whether its heartbeats arrive here or not.
    pub(super) fn look(&mut self, ranks: &[Status], outcomes: usize, now: Instant) -> Option<Reason> {
        let started = *self.started.get_or_insert(now);
        if self.seen.is_empty() {
            let first = |_: &Status| SeenProgress { heartbeats: 0, beat_at: now, progress: 0, progress_at: now };
            self.seen = ranks.iter().map(first).collect();
        }
        // Ranks wait until an outcome is on the disk, however long that takes.
        let taken = std::mem::replace(&mut self.outcomes, outcomes) != outcomes;
        for (seen, status) in self.seen.iter_mut().zip(ranks) {
            if seen.heartbeats != status.heartbeats {
                (seen.heartbeats, seen.beat_at) = (status.heartbeats, now);
            }
            if taken || seen.progress != status.progress {
                (seen.progress, seen.progress_at) = (status.progress, now);
            }
        }
        let here = host_name();
        for (seen, status) in self.seen.iter().zip(ranks).filter(|(_, status)| status.phase != Phase::Finished) {
            if status.process == 0 && outcomes == 0 && now - started > self.patience {
                return Some(match ranks.iter().find(|other| other.process != 0) {
                    Some(other) => Reason::NotSeen(status.rank, other.clone(), self.patience),
                    None => Reason::NeverStarted(status.rank, self.patience),
                });
            }
            // This is shorter than the patience, because a stopped rank also delays the others, and is the one to
            // report.
            let silence = if status.host == here { STOPPED_AFTER.min(self.patience / 2) } else { self.patience };
            if status.process != 0 && now - seen.beat_at > silence {
                return Some(Reason::Stopped(status.clone(), silence));
            }
        }
        if self.seen.iter().all(|seen| now - seen.progress_at > self.patience) {
            let mut behind: Vec<Status> = ranks.to_vec();
            behind.sort_by_key(|status| (status.progress, status.rank));
            return Some(Reason::NoProgress(behind, self.patience));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(progress: [u64; 2], heartbeats: [u64; 2]) -> Vec<Status> {
        let status = |rank: usize| Status {
            rank: rank as u32,
            process: 100 + rank as u32,
            host: host_name(),
            phase: Phase::Window,
            task: 0,
            progress: progress[rank],
            heartbeats: heartbeats[rank],
            lost: Default::default(),
        };
        vec![status(0), status(1)]
    }

    #[test]
    fn a_rank_without_heartbeats_has_stopped() {
        let (start, mut watch) = (Instant::now(), HangWatch::new(Duration::from_secs(60)));
        assert_eq!(watch.look(&ranks([1, 1], [1, 1]), 0, start), None);
        assert_eq!(watch.look(&ranks([1, 1], [9, 1]), 0, start + Duration::from_secs(9)), None);
        let reason = watch.look(&ranks([1, 1], [19, 1]), 0, start + Duration::from_secs(11));
        assert!(matches!(reason, Some(Reason::Stopped(ref status, _)) if status.rank == 1), "{reason:?}");
    }

    #[test]
    fn ranks_of_other_hosts_are_given_all_patience_and_need_not_be_seen() {
        let (start, mut watch) = (Instant::now(), HangWatch::new(Duration::from_secs(60)));
        let mut all = ranks([1, 1], [1, 1]);
        all[1].host = "far-away".to_owned();
        assert_eq!(watch.look(&all, 0, start), None);
        all[0].heartbeats = 99;
        all[0].progress = 9;
        assert_eq!(watch.look(&all, 0, start + Duration::from_secs(59)), None);
        all[0].heartbeats = 100;
        let reason = watch.look(&all, 0, start + Duration::from_secs(61));
        assert!(matches!(reason, Some(Reason::Stopped(ref status, _)) if status.rank == 1), "{reason:?}");
    }

    #[test]
    fn a_rank_that_is_not_seen_is_missed_only_until_there_are_outcomes() {
        let (start, mut watch) = (Instant::now(), HangWatch::new(Duration::from_secs(60)));
        let mut all = ranks([1, 0], [1, 0]);
        all[1].process = 0;
        assert_eq!(watch.look(&all, 0, start), None);
        (all[0].heartbeats, all[0].progress) = (9, 9);
        let later = start + Duration::from_secs(61);
        assert_eq!(watch.look(&all, 1, later), None, "it took part in an outcome");
        let missed = watch.look(&all, 0, later).expect("missed");
        insta::assert_snapshot!(missed.describe(|status| format!("rank {}", status.rank)));
    }

    #[test]
    fn ranks_that_waited_for_a_slow_disk_do_not_hang() {
        let (start, mut watch) = (Instant::now(), HangWatch::new(Duration::from_secs(3)));
        assert_eq!(watch.look(&ranks([7, 6], [1, 1]), 0, start), None);
        assert_eq!(watch.look(&ranks([7, 6], [9, 9]), 1, start + Duration::from_secs(4)), None);
        let reason = watch.look(&ranks([7, 6], [10, 10]), 1, start + Duration::from_secs(8));
        assert!(matches!(reason, Some(Reason::NoProgress(..))), "{reason:?}");
    }

    #[test]
    fn ranks_that_live_but_get_nowhere_hang_and_the_last_is_named_first() {
        let (start, mut watch) = (Instant::now(), HangWatch::new(Duration::from_secs(60)));
        for second in 0..=60 {
            let looked = watch.look(&ranks([7, 6], [second, second]), 0, start + Duration::from_secs(second));
            assert_eq!(looked, None, "after {second} s");
        }
        let reason = watch.look(&ranks([7, 6], [61, 61]), 0, start + Duration::from_secs(61));
        let text = reason.unwrap().describe(|status| format!("rank {} in phase '{}'", status.rank, status.phase));
        let (last, first) = (text.find("rank 1 in phase 'window'"), text.find("rank 0 in phase"));
        assert!(last.is_some() && last < first, "{text}");
        insta::assert_snapshot!(text);
    }
}
