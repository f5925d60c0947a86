//! FTQ, fixed time quantum: units of work, counted by intervals of the global clock.

use crate::rank::Rank;
use models::clock::GlobalClock;
use models::time::{Span, Time};

/// Multiply-adds of a unit, which take about a tenth of a µs.
const UNIT: u64 = 64;

/// Counts the units that begin in each interval of the global clock. The first interval begins at `begin`.
pub(super) async fn count<R: Rank>(rank: &R, clock: &GlobalClock, begin: Time, interval: Span, counts: &mut Vec<u32>) {
    let most = counts.capacity();
    let boundary = |index: usize| clock.reading(begin + interval * index as u64).0;
    let (mut units, mut next) = (0, boundary(1));
    while counts.len() < most {
        rank.multiply_add(UNIT).await;
        units += 1;
        let now = rank.read_clock().0;
        while now >= next && counts.len() < most {
            counts.push(std::mem::take(&mut units));
            next = boundary(counts.len() + 1);
        }
    }
}
