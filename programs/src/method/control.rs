//! Control messages of methods with synchronised clocks, sent between timed calls.

use crate::rank::Rank;
use models::clock::GlobalClock;
use models::time::Span;

/// Sends rank 0's message to every other rank in turn.
pub(crate) async fn broadcast<R: Rank>(rank: &R, message: &mut [u8]) {
    if rank.id() == 0 {
        for other in 1..rank.size() {
            rank.send(other, message).await;
        }
    } else {
        rank.receive(0, message).await;
    }
}

/// Gathers all ranks' messages of equal length on rank 0, one behind the other in rank order. Other ranks get their own
/// message alone. The messages replace the content of `all`.
pub(crate) async fn gather<R: Rank>(rank: &R, own: &[u8], all: &mut Vec<u8>) {
    all.clear();
    all.extend_from_slice(own);
    if rank.id() == 0 {
        all.resize(own.len() * rank.size() as usize, 0);
        for other in 1..rank.size() {
            let at = own.len() * other as usize;
            rank.receive(other, &mut all[at..at + own.len()]).await;
        }
    } else {
        rank.send(0, own).await;
    }
}

/// Duration of the slowest of several announcements with all ranks' answers, on rank 0's clock.
pub(super) async fn slowest_announcement<R: Rank>(rank: &R, clock: &GlobalClock, announcements: u32) -> Span {
    let mut slowest = Span::ZERO;
    for _ in 0..announcements {
        let before = clock.time(rank.read_clock());
        broadcast(rank, &mut [0; 8]).await;
        gather(rank, &[], &mut Vec::new()).await;
        slowest = slowest.max(clock.time(rank.read_clock()).since(before));
    }
    slowest
}

/// Number at byte `at` of a message.
pub(super) fn word(message: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(message[at..at + 8].try_into().expect("eight bytes"))
}

/// Duration multiplied by a factor, rounded once.
pub(super) fn stretched(span: Span, factor: f64) -> Span {
    Span((span.0 as f64 * factor).round() as u64)
}
