//! Method `round-time`: the clocks are synchronised, and the root announces only the next start, until enough starts
//! were valid or a time budget is spent (ReproMPI; Hunold & Carpen-Amarie 2018).
//!
//! In each round rank 0 reads its clock, adds the time of an announcement, and announces the start. Every rank reads
//! its clock, waits for the start, and calls. All report to rank 0 whether they read the clock too late, which makes
//! the start invalid for all. No window has to hold the call, so no window length has to be found and no call overruns.

use super::control::{broadcast, gather, slowest_announcement, stretched, word};
use super::look::{last_look, look};
use super::window::{read_span, write_span};
use crate::observation::{RankRecord, RoundTimeRecord, Stamp};
use crate::operation::Operation;
use crate::rank::{Phase, Rank};
use models::clock::GlobalClock;
use models::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Settings of method `round-time`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RoundTimeSettings {
    /// Number of valid starts after which the method ends.
    pub starts: u32,
    /// Time after which no further start is announced, on rank 0's clock.
    #[serde(deserialize_with = "read_span", serialize_with = "write_span")]
    pub budget: Span,
    /// Factor between the slowest announcement with answers and the time from announcement to start (ReproMPI: 3 times
    /// the mean announcement without answers, which takes about half the time of one with answers).
    pub slack: f64,
    /// Number of announcements that are tried beforehand.
    pub announcements: u32,
}

impl Default for RoundTimeSettings {
    fn default() -> Self {
        RoundTimeSettings { starts: 100, budget: Span::from_ms(1_000), slack: 1.5, announcements: 10 }
    }
}

/// Number of rounds between two observations of the machine's state.
const ROUNDS_PER_LOOK: u32 = 10;

/// Number of rounds per wanted valid start after which the method gives up, if the budget does not end it.
const MOST_ROUNDS_PER_START: u32 = 10;

/// Largest number of starts for which room is reserved at the begin.
const MOST_RESERVED: u32 = 1_000;

pub(super) async fn run<R: Rank, O: Operation>(
    rank: &R,
    settings: &RoundTimeSettings,
    operation: &O,
    clock: &GlobalClock,
    record: &mut RankRecord,
) -> RoundTimeRecord {
    rank.enter_phase(Phase::RoundTime);
    operation.rewind();
    let announce = stretched(slowest_announcement(rank, clock, settings.announcements).await, settings.slack);
    let begun = clock.time(rank.read_clock());
    let most_rounds = settings.starts.saturating_mul(MOST_ROUNDS_PER_START);
    let (mut valid, mut last_was_valid) = (0, false);
    let mut all = Vec::new();
    record.stamps.reserve(settings.starts.min(MOST_RESERVED) as usize);
    for round in 0.. {
        rank.enter_phase(Phase::RoundTime);
        if round % ROUNDS_PER_LOOK == 0 {
            look(rank, operation, record).await;
        }
        operation.ready(rank);
        let now = clock.time(rank.read_clock());
        let enough = valid >= settings.starts || round >= most_rounds || now.since(begun) >= settings.budget;
        let (start, before) = share_start(rank, if enough { Time::ZERO } else { now + announce }, last_was_valid).await;
        if let Some(stamp) = record.stamps.last_mut() {
            stamp.valid = before;
        }
        if start == Time::ZERO {
            break;
        }
        let late = one_start(rank, operation, clock.reading(start), round, &mut record.stamps).await;
        gather(rank, &[u8::from(late)], &mut all).await;
        last_was_valid = all.iter().all(|late| *late == 0);
        valid += u32::from(last_was_valid);
    }
    last_look(rank, record);
    RoundTimeRecord { announce, spent: clock.time(rank.read_clock()).since(begun) }
}

/// Waits for the start and calls. Returns whether this rank read its clock too late.
async fn one_start<R: Rank, O: Operation>(
    rank: &R,
    operation: &O,
    due: models::clock::Ticks,
    round: u32,
    stamps: &mut Vec<Stamp>,
) -> bool {
    let late = rank.read_clock() >= due;
    rank.wait_until(due).await;
    let start = rank.read_clock();
    operation.call(rank).await;
    let end = rank.read_clock();
    stamps.push(Stamp { block: round, calls: 1, due: Some(due), start, end, valid: false });
    late
}

/// Announces from rank 0 to all ranks the next start (`Time::ZERO`: no more), and whether the one before was valid.
async fn share_start<R: Rank>(rank: &R, start: Time, last_was_valid: bool) -> (Time, bool) {
    let mut message = [0; 9];
    message[..8].copy_from_slice(&start.0.to_le_bytes());
    message[8] = u8::from(last_was_valid);
    broadcast(rank, &mut message).await;
    (Time(word(&message, 0)), message[8] == 1)
}
