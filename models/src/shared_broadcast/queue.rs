//! A rank's queue in shared memory, and the segment of all queues.

use crate::quantity::Bytes;

/// Length of the longest queue: 1 TiB, as of any number of bytes that is read.
const MOST_BYTES: u64 = 1 << 40;
/// Bytes of a rank's number in the segment's array of leaders.
const LEADER_BYTES: u64 = 4;
/// Length up to which the publication's Table 1 calls a queue small (green); up to ten times this it calls it moderate
/// (yellow).
const SMALL: Bytes = Bytes(10 << 20);

/// A queue of buffers, all of one length, which may be split into sets of as many buffers each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Queue {
    fragment_bytes: u64,
    buffers: u64,
    sets: u64,
}

crate::named! {
    /// Size class of a queue's memory, by the colours of the publication's Table 1.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Size {
        /// Below 10 MiB, green in Table 1.
        Small => "small",
        /// 10 to 100 MiB, yellow in Table 1.
        Moderate => "moderate",
        /// Above 100 MiB, red in Table 1.
        Large => "large",
    }
    /// Name of the size in files.
    fn name;
}

impl Queue {
    /// Returns a queue of s buffers of f bytes in q sets.
    ///
    /// # Errors
    /// Fails for no buffers, for buffers of no bytes, for sets that are not equally long, and for more than a tebibyte.
    pub fn new(fragment_bytes: u64, buffers: u64, sets: u64) -> Result<Queue, String> {
        if fragment_bytes == 0 || buffers == 0 || sets == 0 {
            return Err(format!(
                "expected at least one buffer of at least one byte in at least one set, found {buffers} of \
                 {fragment_bytes} B in {sets}"
            ));
        }
        if !buffers.is_multiple_of(sets) {
            return Err(format!(
                "expected a number of buffers that is a multiple of the number of sets, {sets}, found {buffers}"
            ));
        }
        if fragment_bytes.checked_mul(buffers).is_none_or(|bytes| bytes > MOST_BYTES) {
            return Err(format!("expected a queue of up to 1 TiB, found {buffers} buffers of {fragment_bytes} B"));
        }
        Ok(Queue { fragment_bytes, buffers, sets })
    }

    /// Returns a queue of as many buffers of f bytes as some memory holds, in q sets.
    ///
    /// # Errors
    /// Fails for memory for fewer buffers than sets, and where [`Queue::new`] fails.
    pub fn filling(memory_bytes: u64, fragment_bytes: u64, sets: u64) -> Result<Queue, String> {
        let of_a_set = memory_bytes.checked_div(fragment_bytes.saturating_mul(sets)).unwrap_or(0);
        if of_a_set == 0 {
            return Err(format!(
                "expected a queue with room for a buffer of {fragment_bytes} B in each set ({sets}), found {memory_bytes} B"
            ));
        }
        Queue::new(fragment_bytes, of_a_set * sets, sets)
    }

    /// Returns f, the bytes of a buffer, which holds a fragment.
    pub fn fragment_bytes(&self) -> u64 {
        self.fragment_bytes
    }

    /// Returns s, the number of buffers of the queue.
    pub fn buffers(&self) -> u64 {
        self.buffers
    }

    /// Returns q, the number of sets of the queue.
    pub fn sets(&self) -> u64 {
        self.sets
    }

    /// Returns b = s f, the bytes of all buffers.
    pub fn bytes(&self) -> u64 {
        self.fragment_bytes * self.buffers
    }

    /// Returns s/q, the number of buffers of a set.
    pub fn buffers_of_a_set(&self) -> u64 {
        self.buffers / self.sets
    }

    /// Returns F = ⌈m/f⌉, the number of fragments of a message.
    pub fn fragments(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.fragment_bytes)
    }

    /// Returns u = ⌈F/(s/q)⌉, the number of uses of a set that a message takes.
    pub fn uses(&self, bytes: u64) -> u64 {
        self.fragments(bytes).div_ceil(self.buffers_of_a_set())
    }

    /// Returns the bytes of a message's fragment with this number, from 0: f, or the rest of the message.
    pub fn fragment(&self, bytes: u64, number: u64) -> u64 {
        bytes.saturating_sub(number.saturating_mul(self.fragment_bytes)).min(self.fragment_bytes)
    }

    /// Returns the offset in a message of its fragment with this number, and its bytes.
    pub fn part(&self, bytes: u64, number: u64) -> (u64, u64) {
        (number * self.fragment_bytes, self.fragment(bytes, number))
    }

    /// Returns the bytes of the segment of p ranks: the leaders' numbers, a page with the two counters of each set, and
    /// for each rank s control words on a page each and s buffers on whole pages. Kurnosov and Tokmasheva 2020, section
    /// 4.1: w + w q + p s (w + f), with w bytes of a page, where f is whole pages and the leaders need no second one.
    pub fn segment_bytes(&self, ranks: u32, page_bytes: u64) -> u64 {
        let paged = |bytes: u64| bytes.div_ceil(page_bytes).saturating_mul(page_bytes);
        let of_a_rank = self.buffers.saturating_mul(page_bytes.saturating_add(paged(self.fragment_bytes)));
        let counters = self.sets.saturating_mul(page_bytes);
        let queues = u64::from(ranks).saturating_mul(of_a_rank);
        paged(u64::from(ranks) * LEADER_BYTES).saturating_add(counters).saturating_add(queues)
    }
}

impl Size {
    /// Returns the size class of a queue of `bytes` bytes.
    pub fn for_bytes(bytes: u64) -> Size {
        match bytes {
            bytes if bytes < SMALL.0 => Size::Small,
            bytes if bytes <= 10 * SMALL.0 => Size::Moderate,
            _ => Size::Large,
        }
    }
}
