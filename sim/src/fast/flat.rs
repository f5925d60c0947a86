//! Rounds in which every position sends to the one `distance` after it, as loops over one array of times.
//!
//! Where the gaps never bind (g + B·G ≤ o_s + o_r + 2·B·O: the next send or receive comes later anyway), a
//! rank is its CPU's time and nothing else, and one round is
//!
//! new[i] = max(old[i] + own, old[i − distance] + through) + after
//!
//! with three constants of the model. Ranks that all stand at the same time stay together in every such
//! round: one number stands for all of them.

use models::network::{Network, SendRule};
use models::time::{Span, Time};
use rayon::prelude::*;

/// Exchange under a model whose gaps do not bind, as three constants in ps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exchange {
    /// CPU time of a send.
    pub own: u64,
    /// Time from the begin of a send to the message's arrival.
    pub through: u64,
    /// CPU time of a receive.
    pub after: u64,
}

impl Exchange {
    /// Returns the constants for messages of one length, `None` where the model has no such form.
    pub(super) fn for_bytes(network: &Network, bytes: u64) -> Option<Exchange> {
        if let Network::Hockney(model) = network {
            let transfer = model.transfer(bytes).0;
            return match model.send_rule {
                SendRule::Busy => Some(Exchange { own: transfer, through: transfer, after: 0 }),
                SendRule::Eager => Some(Exchange { own: 0, through: transfer, after: 0 }),
                SendRule::Synchronous | SendRule::Detached => None,
            };
        }
        let model = network.loggops()?;
        let (sending, receiving) = (model.overhead_send + model.handling(bytes), model.receiving(bytes));
        let gap_binds = model.gap + model.stretch(bytes) > sending + receiving;
        (!gap_binds && !model.is_rendezvous(bytes)).then(|| Exchange {
            own: sending.0,
            through: (model.leaving(bytes) + model.latency).0,
            after: receiving.0,
        })
    }

    /// Returns the longest that one round can take from the latest rank's time.
    fn longest(self) -> u64 {
        self.own.max(self.through).saturating_add(self.after)
    }

    /// Plays one round. `old` and `new` are equally long.
    pub(super) fn round(self, old: &[u64], new: &mut [u64], distance: u32) {
        let distance = distance as usize;
        let wrapped = old.len() - distance;
        let (first, rest) = new.split_at_mut(distance);
        self.pairs(&old[..distance], &old[wrapped..], first);
        self.pairs(&old[distance..], &old[..wrapped], rest);
    }

    /// Plays one round in one array, for numbers of ranks of which two arrays do not fit: from the last piece to the
    /// first, so that no source is overwritten before it is read. Times that wrap round the ring are kept in `wrapped`
    /// meanwhile.
    pub(super) fn round_in_place(self, times: &mut [u64], distance: u32, wrapped: &mut Vec<u64>) {
        let distance = distance as usize;
        wrapped.clear();
        wrapped.extend_from_slice(&times[times.len() - distance..]);
        let mut source = Vec::with_capacity(PIECE);
        let mut end = times.len();
        while end > 0 {
            let start =
                if end > distance { distance.max(end.saturating_sub(PIECE)) } else { end.saturating_sub(PIECE) };
            source.clear();
            let sources =
                if start >= distance { &times[start - distance..end - distance] } else { &wrapped[start..end] };
            source.extend_from_slice(sources);
            self.run_in_place(&mut times[start..end], &source);
            end = start;
        }
    }

    fn run_in_place(self, times: &mut [u64], source: &[u64]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions that this copy is compiled for.
            return unsafe { self.run_in_place_avx2(times, source) };
        }
        self.run_in_place_portable(times, source);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn run_in_place_avx2(self, times: &mut [u64], source: &[u64]) {
        self.run_in_place_portable(times, source);
    }

    #[inline(always)]
    fn run_in_place_portable(self, times: &mut [u64], source: &[u64]) {
        times.iter_mut().zip(source).for_each(|(time, source)| *time = self.one(*time, *source));
    }

    /// Plays one rank's part. Times stay below 2⁶¹ ([`fits`]), so that signed comparison, which processors have, is
    /// right, and sums do not wrap.
    #[inline(always)]
    fn one(self, own: u64, source: u64) -> u64 {
        let (add_own, add_through, add_after) = (self.own as i64, self.through as i64, self.after as i64);
        let (stays, comes) = ((own as i64).wrapping_add(add_own), (source as i64).wrapping_add(add_through));
        stays.max(comes).wrapping_add(add_after) as u64
    }

    fn pairs(self, own: &[u64], source: &[u64], new: &mut [u64]) {
        if new.len() < PARALLEL {
            return self.run(own, source, new);
        }
        let pieces = own.par_chunks(PIECE).zip(source.par_chunks(PIECE));
        new.par_chunks_mut(PIECE).zip(pieces).for_each(|(new, (own, source))| self.run(own, source, new));
    }

    fn run(self, own: &[u64], source: &[u64], new: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions that this copy is compiled for.
            return unsafe { self.run_avx2(own, source, new) };
        }
        self.run_portable(own, source, new);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn run_avx2(self, own: &[u64], source: &[u64], new: &mut [u64]) {
        self.run_portable(own, source, new);
    }

    #[inline(always)]
    fn run_portable(self, own: &[u64], source: &[u64], new: &mut [u64]) {
        for ((new, own), source) in new.iter_mut().zip(own).zip(source) {
            *new = self.one(*own, *source);
        }
    }
}

/// Number of ranks from which rounds are played in one array.
pub(super) const IN_PLACE: u32 = 1 << 28;
/// Number of ranks from which a round is spread over all cores.
const PARALLEL: usize = 1 << 22;
/// Number of ranks in one piece of a spread round.
const PIECE: usize = if cfg!(test) { 16 } else { 1 << 16 };

/// Returns true if times that start at `latest` stay below 2⁶¹ ps (26 days) for `rounds` rounds: sums of two do not
/// wrap.
pub(super) fn fits(latest: Time, rounds: u64, exchange: Exchange) -> bool {
    exchange.longest().checked_mul(rounds).and_then(|sum| sum.checked_add(latest.0)).is_some_and(|end| end < 1 << 61)
}

/// Plays one round of ranks that all stand at the same time.
pub(super) fn together(at: Time, exchange: Exchange) -> Time {
    at + Span(exchange.longest())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_round_in_place_is_a_round(times in proptest::collection::vec(0u64..1_000_000, 1..300), distance in any::<u32>()) {
            let exchange = Exchange { own: 500, through: 7_000, after: 30 };
            let distance = distance % times.len() as u32;
            let mut new = vec![0; times.len()];
            exchange.round(&times, &mut new, distance);
            let mut in_place = times;
            exchange.round_in_place(&mut in_place, distance, &mut Vec::new());
            prop_assert_eq!(new, in_place);
        }
    }
}
