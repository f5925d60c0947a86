//! A broadcast to one reader, fragment by fragment.

use super::{Copies, Costs, NodeCosts, Queue};
use crate::time::{Span, Time};

/// Returns the time for which a message is under way to one reader, by the steps of root and reader as the
/// publication's Figure 3 draws them.
///
/// Before use j of a set the root waits until the reader has left the set's use before (j − q), which takes t_WO, and
/// the reader waits as long until the set is open. R_k, when fragment k lies in the queue, and x_k, when it has been
/// read:
///
/// - R_k = R_{k−1} + C(l_k), with R_{k−1} = max(R_{k−1}, left_{j−q}) + t_WO at the begin of use j;
/// - x_k = max(x_{k−1}, R_k) + t_W + C(l_k), with x_{k−1} = left_{j−1} + t_WO at the begin of use j;
/// - left_j = x_k + t_A at the end of use j.
///
/// The closed form [`exact`](super::exact) says the same.
///
/// ```
/// use parallax_models::shared_broadcast::{Costs, Queue, exact, one_reader};
///
/// let (costs, queue) = (Costs::PUBLISHED, Queue::new(8192, 4, 2)?);
/// assert_eq!(one_reader(&costs, &queue, 100_000), exact(&costs, &queue, 100_000).total());
/// # Ok::<(), String>(())
/// ```
pub fn one_reader(costs: &Costs, queue: &Queue, bytes: u64) -> Span {
    let (mut root, mut reader) = (Time::ZERO, Time::ZERO);
    let mut left = vec![Time::ZERO; queue.sets() as usize];
    let fragments = queue.fragments(bytes);
    for number in 0..fragments {
        let set = (number / queue.buffers_of_a_set() % queue.sets()) as usize;
        if number.is_multiple_of(queue.buffers_of_a_set()) {
            root = root.max(left[set]) + costs.set;
            reader += costs.set;
        }
        let copy = costs.copy.for_bytes(queue.fragment(bytes, number));
        root += copy;
        reader = reader.max(root) + costs.notification + copy;
        if (number + 1).is_multiple_of(queue.buffers_of_a_set()) || number + 1 == fragments {
            reader += costs.leave;
            left[set] = reader;
        }
    }
    reader.since(Time::ZERO)
}

/// Returns that time with all that a node adds to it: copies that are under way at once share the memory, notifications
/// cost the root n and are seen v later, and the reader clears its control word, which its copy has to hide (c). With
/// the four parameters of [`Costs`] alone it is [`one_reader`].
///
/// ```
/// use parallax_models::shared_broadcast::{NodeCosts, Queue, one_reader_on_a_node};
/// use parallax_models::time::Span;
///
/// // Two copies at once are no faster than one after the other: all bytes are copied twice, whatever the number of buffers.
/// let costs = NodeCosts::parse("t=1ns/B,M=1ns/B,tW=0,tWO=0,tA=0")?;
/// let took = |buffers| Ok::<_, String>(one_reader_on_a_node(&costs, &Queue::new(1024, buffers, 1)?, 1 << 20));
/// assert_eq!([took(1)?, took(32)?], [Span::from_ns(2 << 20); 2]);
/// # Ok::<(), String>(())
/// ```
pub fn one_reader_on_a_node(costs: &NodeCosts, queue: &Queue, bytes: u64) -> Span {
    if *costs == NodeCosts::from_costs(costs.one) {
        return one_reader(&costs.one, queue, bytes);
    }
    let mut pair = ReaderPair {
        costs,
        queue,
        bytes,
        sides: [Side::default(); 2],
        filled: Vec::new(),
        left: Vec::new(),
        cleared: Time::ZERO,
    };
    let mut copies = Copies::new(1, costs.memory);
    loop {
        let begins = [ReaderPair::ROOT, ReaderPair::READER].map(|side| pair.begin(side));
        let first = begins.into_iter().enumerate().filter_map(|(side, at)| Some((at?, side))).min();
        match (copies.next(), first) {
            (Some(end), first) if first.is_none_or(|(begin, _)| end <= begin) => {
                copies.end(end).into_iter().for_each(|side| pair.ended(side as usize, end));
            }
            (_, Some((begin, side))) => {
                let alone = costs.one.copy.for_bytes(queue.fragment(bytes, pair.sides[side].copied));
                pair.sides[side].is_copying = true;
                if side == ReaderPair::READER {
                    pair.cleared = begin + costs.clear;
                }
                copies.begin(begin, side as u32, [0; 2], (costs.one.copy, alone));
            }
            (_, None) => return pair.sides[ReaderPair::READER].free.since(Time::ZERO),
        }
    }
}

/// Root and reader of a message.
struct ReaderPair<'a> {
    costs: &'a NodeCosts,
    queue: &'a Queue,
    bytes: u64,
    sides: [Side; 2],
    /// Times at which the reader sees that each fragment lies in the queue.
    filled: Vec<Time>,
    /// Times at which the reader left each use of a set.
    left: Vec<Time>,
    /// Time at which the reader has cleared its control word.
    cleared: Time,
}

/// Progress of root or reader.
#[derive(Clone, Copy, Default)]
struct Side {
    /// Number of fragments that it has copied.
    copied: u64,
    is_copying: bool,
    /// Time at which it had done everything before.
    free: Time,
}

impl ReaderPair<'_> {
    const ROOT: usize = 0;
    const READER: usize = 1;

    /// Returns the time at which a side begins its next copy; `None` while it copies, waits for the other one, or has
    /// copied all.
    fn begin(&self, side: usize) -> Option<Time> {
        let Side { copied, is_copying, free } = self.sides[side];
        if is_copying || copied == self.queue.fragments(self.bytes) {
            return None;
        }
        let of_a_set = self.queue.buffers_of_a_set();
        let set = if copied.is_multiple_of(of_a_set) { self.costs.one.set } else { Span::ZERO };
        if side == ReaderPair::READER {
            let filled = *self.filled.get(copied as usize)?;
            return Some((free + set).max(filled) + self.costs.one.notification);
        }
        // Within a set the use before has been waited for.
        let left = match (copied / of_a_set).checked_sub(self.queue.sets()) {
            Some(before) => *self.left.get(before as usize)?,
            None => Time::ZERO,
        };
        Some(free.max(left) + set)
    }

    /// Records that a side's copy has ended.
    fn ended(&mut self, side: usize, at: Time) {
        let own = &mut self.sides[side];
        *own = Side { copied: own.copied + 1, is_copying: false, free: at };
        if side == ReaderPair::ROOT {
            own.free += self.costs.notify;
            self.filled.push(own.free + self.costs.visible);
            return;
        }
        own.free = at.max(self.cleared);
        if own.copied.is_multiple_of(self.queue.buffers_of_a_set()) || own.copied == self.queue.fragments(self.bytes) {
            own.free += self.costs.one.leave;
            self.left.push(own.free);
        }
    }
}
