//! Where posted receives and messages meet: first come, first served among those that fit.
//!
//! For a rank that uses no wildcards, either receives or messages of one (source, tag) wait, in order. Few wait at one
//! time: they are in a short list for each rank, searched from its front. Those of a rank for which many wait are in a
//! hashed table by (source, tag). Ranks that use wildcards keep every waiting item in each list in which someone may look
//! for it (at most four), and forget taken items when they reach a list's front: the work is proportional to the number of
//! items, whatever their order.

use super::near::fetch;
use crate::{ANY, OpKind, Schedule};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

const NONE: u32 = u32::MAX;

/// Length up to which a list is searched from its front.
const SHORT: u32 = 12;

/// Receives and messages that wait, as numbers that the engine gives them.
pub(super) struct Mail {
    /// What waits for each rank.
    lists: Vec<List>,
    nodes: Vec<Node>,
    free: u32,
    /// Queues by (to, from, tag), of the ranks whose lists were long.
    queues: FxHashMap<(u32, u32, u32), Fifo>,
    /// Whether each rank uses wildcards. Empty if there are no wildcards at all.
    wild: Vec<bool>,
    posted: Shelf,
    unexpected: Shelf,
}

/// What waits for one rank: a list in the order in which it came, or only its length where it is in the table.
#[derive(Clone, Copy)]
struct List {
    first: u32,
    last: u32,
    length: u32,
    is_in_table: bool,
}

impl List {
    const EMPTY: List = List { first: NONE, last: NONE, length: 0, is_in_table: false };
}

struct Fifo {
    head: u32,
    tail: u32,
    of_messages: bool,
}

/// A receive or message that waits, with the next one of its list or queue.
struct Node {
    from: u32,
    tag: u32,
    item: u32,
    next: u32,
    is_message: bool,
}

impl Mail {
    pub(super) fn new(schedule: &Schedule) -> Mail {
        let wild = if schedule.has_wildcards() { wild_ranks(schedule) } else { Vec::new() };
        Mail {
            lists: vec![List::EMPTY; schedule.ranks() as usize],
            nodes: Vec::new(),
            free: NONE,
            queues: FxHashMap::default(),
            wild,
            posted: Shelf::default(),
            unexpected: Shelf::default(),
        }
    }

    /// Returns true if a receive of this rank, or a send to it, matches more than one source or tag.
    #[inline]
    pub(super) fn is_wild(&self, rank: u32) -> bool {
        !self.wild.is_empty() && self.wild[rank as usize]
    }

    /// Asks the processor to bring near what waits for a rank.
    #[inline(always)]
    pub(super) fn fetch(&self, rank: u32) {
        fetch(&self.lists, rank as usize);
    }

    /// Looks for the message of a receive, which waits if there is none.
    #[inline]
    pub(super) fn receive(&mut self, to: u32, from: u32, tag: u32, receive: u32) -> Option<u32> {
        if self.is_wild(to) {
            let found = match (from, tag) {
                (ANY, ANY) => self.unexpected.take(&[(to, ANY, ALL)]),
                (_, ANY) => self.unexpected.take(&[(to, from, ALL)]),
                _ => self.unexpected.take(&[(to, from, tag.into()), (to, from, ANY.into())]),
            };
            if found.is_none() {
                self.posted.put(receive, &[(to, from, tag.into()), (to, from, ALL)]);
            }
            return found;
        }
        self.meet(to, from, tag, receive, false)
    }

    /// Looks for the receive of a message, which waits if there is none.
    #[inline]
    pub(super) fn message(&mut self, to: u32, from: u32, tag: u32, message: u32) -> Option<u32> {
        if self.is_wild(to) {
            let (named, any) = (u64::from(tag), u64::from(ANY));
            let found = match tag {
                ANY => self.posted.take(&[(to, from, ALL), (to, ANY, ALL)]),
                _ => self.posted.take(&[(to, from, named), (to, from, any), (to, ANY, named), (to, ANY, any)]),
            };
            if found.is_none() {
                self.unexpected.put(message, &[(to, from, named), (to, from, ALL), (to, ANY, named), (to, ANY, ALL)]);
            }
            return found;
        }
        self.meet(to, from, tag, message, true)
    }

    /// Returns true if a message of this source and tag waits for a rank without wildcards.
    #[inline]
    pub(super) fn has_message(&self, to: u32, from: u32, tag: u32) -> bool {
        let list = self.lists[to as usize];
        if list.is_in_table {
            return self.queues.get(&(to, from, tag)).is_some_and(|fifo| fifo.of_messages);
        }
        let mut at = list.first;
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.from == from && node.tag == tag {
                return node.is_message;
            }
            at = node.next;
        }
        false
    }

    /// Takes the first item of the other kind for this (source, tag), or lets this one wait.
    #[inline]
    fn meet(&mut self, to: u32, from: u32, tag: u32, item: u32, is_message: bool) -> Option<u32> {
        let list = self.lists[to as usize];
        if list.is_in_table {
            return self.meet_in_table(to, from, tag, item, is_message);
        }
        let (mut before, mut at) = (NONE, list.first);
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.from == from && node.tag == tag {
                if node.is_message == is_message {
                    break;
                }
                let (found, next) = (node.item, node.next);
                self.unlink(to, before, at, next);
                return Some(found);
            }
            (before, at) = (at, node.next);
        }
        let node = self.new_node(Node { from, tag, item, next: NONE, is_message });
        let list = &mut self.lists[to as usize];
        let last = std::mem::replace(&mut list.last, node);
        list.length += 1;
        match last {
            NONE => list.first = node,
            last => self.nodes[last as usize].next = node,
        }
        if self.lists[to as usize].length > SHORT {
            self.move_to_table(to);
        }
        None
    }

    /// Takes a node out of a rank's list.
    #[inline]
    fn unlink(&mut self, to: u32, before: u32, at: u32, next: u32) {
        let list = &mut self.lists[to as usize];
        list.length -= 1;
        if list.last == at {
            list.last = before;
        }
        match before {
            NONE => list.first = next,
            before => self.nodes[before as usize].next = next,
        }
        self.nodes[at as usize].next = std::mem::replace(&mut self.free, at);
    }

    #[cold]
    fn move_to_table(&mut self, to: u32) {
        let list = std::mem::replace(&mut self.lists[to as usize], List { is_in_table: true, ..List::EMPTY });
        let mut at = list.first;
        while at != NONE {
            let next = self.nodes[at as usize].next;
            self.put_in_table(to, at);
            at = next;
        }
        self.lists[to as usize].length = list.length;
    }

    /// Puts a node behind those of its (source, tag).
    fn put_in_table(&mut self, to: u32, at: u32) {
        let Node { from, tag, is_message, .. } = self.nodes[at as usize];
        self.nodes[at as usize].next = NONE;
        let fifo =
            self.queues.entry((to, from, tag)).or_insert(Fifo { head: NONE, tail: NONE, of_messages: is_message });
        match std::mem::replace(&mut fifo.tail, at) {
            NONE => fifo.head = at,
            tail => self.nodes[tail as usize].next = at,
        }
    }

    fn meet_in_table(&mut self, to: u32, from: u32, tag: u32, item: u32, is_message: bool) -> Option<u32> {
        if let Entry::Occupied(mut entry) = self.queues.entry((to, from, tag))
            && entry.get().of_messages != is_message
        {
            let head = entry.get().head;
            let Node { item, next, .. } = self.nodes[head as usize];
            self.nodes[head as usize].next = std::mem::replace(&mut self.free, head);
            match next {
                NONE => drop(entry.remove()),
                next => entry.get_mut().head = next,
            }
            let list = &mut self.lists[to as usize];
            list.length -= 1;
            list.is_in_table = list.length > 0;
            return Some(item);
        }
        let node = self.new_node(Node { from, tag, item, next: NONE, is_message });
        self.put_in_table(to, node);
        self.lists[to as usize].length += 1;
        None
    }

    #[inline]
    fn new_node(&mut self, node: Node) -> u32 {
        if self.free == NONE {
            self.nodes.push(node);
            return self.nodes.len() as u32 - 1;
        }
        let place = self.free;
        self.free = std::mem::replace(&mut self.nodes[place as usize], node).next;
        place
    }

    /// Returns true if a receive or a message still waits.
    pub(super) fn is_waiting(&self) -> bool {
        let waits = |shelf: &Shelf| shelf.items.iter().any(|item| item.1);
        self.lists.iter().any(|list| list.length > 0) || waits(&self.posted) || waits(&self.unexpected)
    }

    /// Returns the receives and messages that still wait, each in ascending order of their numbers.
    pub(super) fn left(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut receives, mut messages) = (self.posted.left(), self.unexpected.left());
        let heads = self.lists.iter().map(|list| list.first).chain(self.queues.values().map(|fifo| fifo.head));
        for mut at in heads {
            while at != NONE {
                let Node { item, next, is_message, .. } = self.nodes[at as usize];
                let list = if is_message { &mut messages } else { &mut receives };
                list.push(item);
                at = next;
            }
        }
        receives.sort_unstable();
        messages.sort_unstable();
        (receives, messages)
    }
}

fn wild_ranks(schedule: &Schedule) -> Vec<bool> {
    let mut wild = vec![false; schedule.ranks() as usize];
    for rank in 0..schedule.ranks() {
        for op in &schedule.ops()[schedule.ops_of(rank).start as usize..schedule.ops_of(rank).end as usize] {
            match op.kind {
                OpKind::Send if op.tag == ANY => wild[op.peer as usize] = true,
                OpKind::Receive if op.tag == ANY || op.peer == ANY => wild[rank as usize] = true,
                OpKind::Send | OpKind::Receive | OpKind::Calc => {}
            }
        }
    }
    wild
}

/// Key in place of a tag for the list of all items, whatever their tag.
const ALL: u64 = 1 << 32;

/// Key of a list: (to, from or ANY, tag or ANY or ALL).
type Key = (u32, u32, u64);

/// Items in order, each in several lists.
#[derive(Default)]
struct Shelf {
    lists: FxHashMap<Key, VecDeque<u32>>,
    /// Items in the order in which they came, with whether they still wait.
    items: Vec<(u32, bool)>,
}

impl Shelf {
    fn put(&mut self, item: u32, keys: &[Key]) {
        let place = self.items.len() as u32;
        self.items.push((item, true));
        for (index, key) in keys.iter().enumerate() {
            if !keys[..index].contains(key) {
                self.lists.entry(*key).or_default().push_back(place);
            }
        }
    }

    /// Takes the item of these lists that came first.
    fn take(&mut self, keys: &[Key]) -> Option<u32> {
        let items = &mut self.items;
        let mut first = None;
        for key in keys {
            let Entry::Occupied(mut list) = self.lists.entry(*key) else { continue };
            while let Some(&front) = list.get().front()
                && !items[front as usize].1
            {
                list.get_mut().pop_front();
            }
            match list.get().front() {
                Some(&front) => first = Some(first.map_or(front, |first: u32| first.min(front))),
                None => drop(list.remove()),
            }
        }
        let (item, waits) = &mut items[first? as usize];
        *waits = false;
        Some(*item)
    }

    fn left(&self) -> Vec<u32> {
        self.items.iter().filter(|(_, waits)| *waits).map(|(item, _)| *item).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Source, tag, number.
    type Item = (u32, u32, u32);

    fn fits(from: u32, tag: u32, source: u32, sent: u32) -> bool {
        (from == ANY || from == source) && (tag == ANY || sent == ANY || tag == sent)
    }

    proptest! {
        /// Against searching two lists from the front, as the definition says.
        #[test]
        fn the_first_that_fits_is_found(
            items in prop::collection::vec((any::<bool>(), 0u32..3, prop_oneof![3 => 0u32..3, 1 => Just(ANY)], any::<bool>()), 0..60),
            wild: bool,
        ) {
            let text = if wild { "num_ranks 1\nrank 0 { recv 1b from -1 }" } else { "num_ranks 1\nrank 0 {}" };
            let mut mail = Mail::new(&crate::text::read("", text.as_bytes()).unwrap());
            let (mut posted, mut waiting): (Vec<Item>, Vec<Item>) = (vec![], vec![]);
            for (number, (is_message, peer, tag, any_source)) in items.into_iter().enumerate() {
                let (number, tag) = (number as u32, if tag == ANY && !wild { 0 } else { tag });
                if is_message {
                    let expected = posted.iter().position(|&(from, wanted, _)| fits(from, wanted, peer, tag));
                    let expected = expected.map(|at| posted.remove(at).2);
                    prop_assert_eq!(mail.message(0, peer, tag, number), expected);
                    if expected.is_none() { waiting.push((peer, tag, number)) }
                } else {
                    let from = if any_source && wild { ANY } else { peer };
                    let expected = waiting.iter().position(|&(source, sent, _)| fits(from, tag, source, sent));
                    let expected = expected.map(|at| waiting.remove(at).2);
                    prop_assert_eq!(mail.receive(0, from, tag, number), expected);
                    if expected.is_none() { posted.push((from, tag, number)) }
                }
            }
            let numbers = |list: &[Item]| list.iter().map(|item| item.2).collect::<Vec<_>>();
            prop_assert_eq!(mail.left(), (numbers(&posted), numbers(&waiting)));
        }
    }
}
