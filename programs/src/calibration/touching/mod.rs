//! Costs of touching memory by who holds it: messages of ranks 0 and 1 whose buffers somebody rewrote, flushed or has
//! just received, and combinations and copies of rank 0 within its memory.
//!
//! Each touch is compared with [`Touch::Same`], the state that network models are fitted to: what is sent was never
//! rewritten, and what is received lies apart. Before each round trip both ranks bring their memory into the state,
//! outside the timed region; then rank 1 says that it is there.

mod once;
mod touch;
mod windows;

pub use touch::Touch;

use super::Sample;
use super::exchange::{Exchange, agree, of_second};
use super::run::{FEWEST_WARM_UPS, look_between, times, warm_up};
use crate::rank::{Phase, Rank};
use models::collective::{Part, Shape};
use models::footprint::Footprint;
use models::platform::Buffer;
use models::time::Span;
use once::once;
use serde::{Deserialize, Serialize};

/// Lengths and numbers of timed touches.
pub(super) struct Touching {
    /// Lengths of the touched memory, in bytes.
    bytes: Vec<u64>,
    /// Number of turns that all touches of a length take.
    turns: u32,
    /// Number of samples of each touch and length in a turn that are kept.
    samples: u32,
    /// Number of samples before those, not kept.
    warmup: u32,
}

/// Times of one touch of one length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedTouch {
    /// Kind of touch that was timed.
    pub touch: Touch,
    /// Length of the touched memory, in bytes.
    pub bytes: u64,
    /// Number of touches in each sample: a round trip holds two messages.
    pub times: u32,
    /// Duration of each sample, with one reading of the clock.
    pub spans: Vec<Span>,
}

/// Time limit of a touch of one length in one turn, where ranks share cores or messages take long; fewer samples than
/// [`FEWEST`] are never taken.
const LIMIT: Span = Span::from_ms(4);
const FEWEST: u32 = 2;

/// Number of copies and combinations between two readings of the clock: a single short one takes no longer than the
/// readings.
const AT_ONCE: u32 = 16;

/// Number of bytes that copies and combinations in a row read, and as many that they write: more than a core's first
/// cache holds, less than its second one.
const ROAM: u64 = 64 << 10;

/// Least length in bytes for which pages are renewed: shorter memory is hardly more than a page, and libraries'
/// allocators keep it.
const PAGES_FROM: u64 = 32 << 10;

/// Number of round trips of a length before any of its touches is timed, if they take no longer than the limit: twice
/// the number of cells of which a library passes messages through each in turn (MPICH: 64), as methods call often
/// before they time calls.
const ROUND_TRIPS_BEFORE: u32 = 128;

/// Makes the round trips of [`ROUND_TRIPS_BEFORE`]; ranks 0 and 1 call it.
async fn warm_up_pool<R: Rank>(rank: &R, bytes: u64) {
    let round_trip = Exchange::PingPong { bytes };
    let one = warm_up(rank, round_trip, FEWEST_WARM_UPS).await;
    let count = agree(rank, times(LIMIT, one).min(u64::from(ROUND_TRIPS_BEFORE))).await;
    warm_up(rank, round_trip, count as u32).await;
}

impl Touching {
    /// Length in bytes of the buffer that copies and combinations in a row need.
    pub(super) const ROOM: u64 = 2 * ROAM;

    /// Returns settings for these lengths, whose touches take a fraction of a second.
    pub(super) fn for_lengths(bytes: Vec<u64>) -> Touching {
        Touching { bytes, turns: 4, samples: 15, warmup: 5 }
    }

    /// Times all touches, with a look before each turn; ranks 0 and 1 call it. Rank 0's samples are then at the end of
    /// `all`.
    pub(super) async fn pair<R: Rank>(&self, rank: &R, all: &mut Vec<Sample>) {
        let mine = Span(rank.clock_domain().map_or(0, |domain| domain + 1));
        let theirs = of_second(rank, &[mine]).await;
        let one_clock = agree(rank, u64::from(mine > Span::ZERO && theirs == [mine])).await == 1;
        for pass in Touch::PASSES {
            for &bytes in &self.bytes {
                warm_up_pool(rank, bytes).await;
                for _ in 0..self.turns {
                    look_between(rank, all).await;
                    for &touch in pass {
                        rank.enter_phase(Phase::Calibration);
                        let mut timed = TimedTouch { touch, bytes, times: 0, spans: Vec::new() };
                        self.turn(rank, &mut timed, one_clock).await;
                        all.extend(Some(timed).filter(|timed| !timed.spans.is_empty()).map(Sample::Touched));
                    }
                }
            }
        }
        rank.use_buffers(Buffer::Same);
        rank.work_on(&Footprint::default());
    }

    async fn turn<R: Rank>(&self, rank: &R, timed: &mut TimedTouch, one_clock: bool) {
        let (buffer, footprint) = timed.touch.state(timed.bytes);
        let element = timed.touch.element();
        if element.is_some_and(|element| !timed.bytes.is_multiple_of(element.bytes())) {
            return;
        }
        // Either rank may be unable to flush; the library is the same on both, and its calls are all ranks'.
        let can = rank.use_buffers(buffer)
            && element.is_none_or(|element| rank.combine(Part::range(0, 0), Part::range(0, 0), element))
            && (timed.touch != Touch::Renewed || timed.bytes >= PAGES_FROM && rank.renew_pages(1) > 0)
            && (timed.touch.call().is_none() || R::HAS_LIBRARY && rank.size() == 2);
        let other = of_second(rank, &[Span(u64::from(can))]).await;
        if agree(rank, u64::from(can && other == [Span(1)])).await == 0 {
            return;
        }
        rank.work_on(&footprint);
        if let Some((collective, roots)) = timed.touch.call() {
            roots.iter().for_each(|&root| rank.prepare(collective, &Shape::new(2, root, timed.bytes)));
        }
        let begun = rank.read_clock();
        for _ in 0..FEWEST {
            once(rank, timed.touch, timed.bytes).await;
        }
        let one = Span(rank.timescale().span(begun, rank.read_clock()).0 / u64::from(FEWEST));
        let fit = agree(rank, times(LIMIT, one)).await.max(u64::from(FEWEST));
        let count = fit.min(u64::from(self.warmup + self.samples)) as u32;
        let skipped = self.warmup.min(count / 4) as usize;
        if let Some(act) = once::in_windows(timed.touch, rank.id(), timed.bytes).filter(|_| one_clock) {
            timed.times = 1;
            timed.spans.extend(windows::timed(rank, &act, count, one).await.into_iter().skip(skipped));
            return;
        }
        for sample in 0..count as usize {
            let (times, span) = once(rank, timed.touch, timed.bytes).await;
            if sample >= skipped {
                timed.times = times;
                timed.spans.push(span);
            }
        }
    }
}
