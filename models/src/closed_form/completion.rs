//! Times under Hockney of one call of a barrier or of a collective with a root when all ranks enter together, until the
//! last rank is done.
//!
//! T(x) is the transfer of x bytes. Forms hold for eager and for busy senders, to the picosecond; where none is known,
//! or a form is only known for some shapes, the answer is `None`. Combining and copying cost nothing here.

use super::{barrier, bcast, gather, reduce, scatter};
use crate::collective::{Algorithm, Collective, Shape};
use crate::network::{Hockney, SendRule};
use crate::time::Span;

/// Returns the time at which the last rank of a call is done; `None` where no form is known.
pub fn completion(algorithm: &Algorithm, model: &Hockney, shape: &Shape) -> Option<Span> {
    let busy = match model.send_rule {
        SendRule::Eager => false,
        SendRule::Busy => true,
        SendRule::Synchronous | SendRule::Detached => return None,
    };
    if shape.ranks == 1 {
        return Some(Span::ZERO);
    }
    let call = Call { model, shape, busy };
    match algorithm.collective {
        Collective::Barrier => barrier::completion(algorithm.name, &call),
        Collective::Bcast => bcast::completion(algorithm.name, &call),
        Collective::Reduce => reduce::completion(algorithm.name, &call),
        Collective::Gather => gather::completion(algorithm.name, &call),
        Collective::Scatter => scatter::completion(algorithm.name, &call),
        Collective::Allreduce
        | Collective::Allgather
        | Collective::Alltoall
        | Collective::ReduceScatter
        | Collective::Scan
        | Collective::Exscan => None,
    }
}

/// One call on P ≥ 2 ranks.
pub(super) struct Call<'a> {
    pub model: &'a Hockney,
    pub shape: &'a Shape,
    /// Whether senders are busy; otherwise they are eager.
    pub busy: bool,
}

impl Call<'_> {
    /// Returns T(bytes), the transfer of a message.
    pub(super) fn transfer(&self, bytes: u64) -> Span {
        self.model.transfer(bytes)
    }

    /// Returns P − 1, the number of ranks beside the root.
    pub(super) fn others(&self) -> u64 {
        u64::from(self.shape.ranks - 1)
    }

    /// Returns T of the first segment of the buffer, and of all segments together, one after the other.
    pub(super) fn segments(&self) -> (Span, Span) {
        let (shape, whole) = (self.shape, self.shape.whole());
        let count = shape.segments(shape.bytes);
        let first = self.transfer(shape.segment(whole, 0).bytes);
        (first, first * (count - 1) + self.transfer(shape.segment(whole, count - 1).bytes))
    }

    /// Returns T of the longest block but that of position 0.
    pub(super) fn longest_block(&self) -> Span {
        let longest = match self.shape.counts {
            None => self.shape.bytes,
            Some(_) => (1..self.shape.ranks).map(|position| self.shape.block_bytes(position)).max().unwrap_or(0),
        };
        self.transfer(longest)
    }

    /// Returns T(bytes) + T(2·bytes) + T(4·bytes) + … + T(P/2·bytes), if P is a power of two: a tree or an exchange
    /// that doubles.
    pub(super) fn doubling(&self, bytes: u64) -> Option<Span> {
        let doublings = self.shape.log2_floor();
        self.shape.ranks.is_power_of_two().then(|| (0..doublings).map(|i| self.transfer(bytes << i)).sum())
    }

    /// Returns the length of one of P equal chunks of the buffer, if there are such.
    pub(super) fn equal_chunk(&self) -> Option<u64> {
        let ranks = u64::from(self.shape.ranks);
        self.shape.bytes.is_multiple_of(ranks).then(|| self.shape.bytes / ranks)
    }
}
