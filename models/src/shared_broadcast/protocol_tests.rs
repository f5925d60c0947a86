//! The broadcast over a memory of tokens, whose ranks are resumed in any order: the right bytes, and no deadlock.

use super::*;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

const RANKS: std::ops::RangeInclusive<u32> = 1..=9;
/// No byte of a message has this value: what a buffer holds while it is filled.
const BEING_FILLED: u8 = 255;

#[derive(Default)]
struct Tokens {
    words: BTreeMap<Word, u64>,
    buffers: BTreeMap<(u32, u64), Vec<u8>>,
    messages: Vec<Vec<u8>>,
    touched: usize,
}

struct Member<'a> {
    tokens: &'a RefCell<Tokens>,
    rank: u32,
}

impl Tokens {
    fn for_ranks(ranks: u32) -> RefCell<Tokens> {
        RefCell::new(Tokens { messages: vec![Vec::new(); ranks as usize], ..Tokens::default() })
    }
}

impl Member<'_> {
    fn word(&self, word: Word) -> u64 {
        let first = if matches!(word, Word::Open { .. }) { NEVER_OPEN } else { 0 };
        self.tokens.borrow().words.get(&word).copied().unwrap_or(first)
    }

    /// Others go on in between.
    async fn let_others(&self) {
        self.tokens.borrow_mut().touched += 1;
        let mut been = false;
        poll_fn(|_| if std::mem::replace(&mut been, true) { Poll::Ready(()) } else { Poll::Pending }).await;
    }
}

impl SharedMemory for Member<'_> {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn ranks(&self) -> u32 {
        self.tokens.borrow().messages.len() as u32
    }

    async fn store(&self, word: Word, value: u64) {
        self.let_others().await;
        self.tokens.borrow_mut().words.insert(word, value);
    }

    async fn wait_for(&self, word: Word, value: u64) {
        while self.word(word) != value {
            self.let_others().await;
        }
    }

    async fn wait_above(&self, word: Word, value: u64) -> u64 {
        while self.word(word) <= value {
            self.let_others().await;
        }
        self.word(word)
    }

    async fn decrement(&self, word: Word) {
        self.let_others().await;
        let left = self.word(word) - 1;
        self.tokens.borrow_mut().words.insert(word, left);
    }

    async fn copy_in(&self, buffer: u64, offset: u64, bytes: u64) {
        let place = (self.rank, buffer);
        self.tokens.borrow_mut().buffers.insert(place, vec![BEING_FILLED; bytes as usize]);
        self.let_others().await;
        let tokens = &mut *self.tokens.borrow_mut();
        let part = &tokens.messages[self.rank as usize][offset as usize..][..bytes as usize];
        tokens.buffers.insert(place, part.to_vec());
    }

    async fn copy_out(&self, owner: u32, buffer: u64, offset: u64, bytes: u64) {
        self.let_others().await;
        let tokens = &mut *self.tokens.borrow_mut();
        let part = &tokens.buffers[&(owner, buffer)];
        assert_eq!(part.len() as u64, bytes);
        tokens.messages[self.rank as usize][offset as usize..][..bytes as usize].copy_from_slice(part);
    }

    async fn copy_between(&self, owner: u32, buffer: u64, bytes: u64) {
        let place = (self.rank, buffer);
        self.tokens.borrow_mut().buffers.insert(place, vec![BEING_FILLED; bytes as usize]);
        self.let_others().await;
        let tokens = &mut *self.tokens.borrow_mut();
        let part = tokens.buffers[&(owner, buffer)].clone();
        assert_eq!(part.len() as u64, bytes);
        tokens.buffers.insert(place, part);
    }
}

impl Combining for Member<'_> {
    async fn keep(&self, _offset: u64, _bytes: u64) {
        // The contribution lies where the result comes.
        self.let_others().await;
    }

    async fn combine_between(&self, owner: u32, buffer: u64, bytes: u64) {
        self.let_others().await;
        let tokens = &mut *self.tokens.borrow_mut();
        let other = tokens.buffers[&(owner, buffer)].clone();
        assert_eq!(other.len() as u64, bytes);
        add(tokens.buffers.get_mut(&(self.rank, buffer)).expect("it was filled"), &other);
    }

    async fn combine_out(&self, owner: u32, buffer: u64, offset: u64, bytes: u64) {
        self.let_others().await;
        let tokens = &mut *self.tokens.borrow_mut();
        let other = &tokens.buffers[&(owner, buffer)];
        add(&mut tokens.messages[self.rank as usize][offset as usize..][..bytes as usize], other);
    }
}

fn add(to: &mut [u8], other: &[u8]) {
    assert_eq!(to.len(), other.len());
    to.iter_mut().zip(other).for_each(|(to, other)| *to = to.wrapping_add(*other));
}

/// Broadcasts, on ranks that are resumed in an order that `seed` makes, until all have made all calls; what was
/// touched.
fn play(scheme: Scheme, ranks: u32, calls: &[(u32, u64)], seed: u64) -> usize {
    let tokens = Tokens::for_ranks(ranks);
    resume(ranks, seed, async |rank: u32| {
        let (member, mut broadcast) = (Member { tokens: &tokens, rank }, Broadcast::new(scheme));
        for (number, &(root, bytes)) in calls.iter().enumerate() {
            let expected: Vec<u8> = (0..bytes).map(|at| ((at * 7 + number as u64 * 31) % 251) as u8).collect();
            let mine = if rank == root { expected.clone() } else { vec![0; bytes as usize] };
            tokens.borrow_mut().messages[rank as usize] = mine;
            broadcast.call(&member, root, bytes).await;
            assert_eq!(tokens.borrow().messages[rank as usize], expected, "rank {rank}, call {number}");
        }
    });
    tokens.into_inner().touched
}

/// Resumes ranks in an order that `seed` makes, until all are done.
fn resume(ranks: u32, mut seed: u64, program: impl AsyncFn(u32)) {
    let mut running: Vec<Pin<Box<dyn Future<Output = ()> + '_>>> =
        (0..ranks).map(|rank| Box::pin(program(rank)) as _).collect();
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..10_000_000 {
        if running.is_empty() {
            return;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let next = (seed >> 33) as usize % running.len();
        if pin!(&mut running[next]).poll(&mut context).is_ready() {
            drop(running.swap_remove(next));
        }
    }
    panic!("{ranks} ranks: never done");
}

fn trees() -> [Notified; 7] {
    ["flat", "chain", "kary:2", "kary:4", "complete:2", "knomial:2", "knomial:3"]
        .map(|text| Notified::parse(text).expect("a tree"))
}

#[test]
fn every_rank_is_notified_once_from_any_root() {
    for tree in trees() {
        assert_eq!(Notified::parse(&tree.to_string()), Ok(tree));
        for ranks in RANKS {
            for root in 0..ranks {
                let mut notified: Vec<u32> =
                    (0..ranks).flat_map(|rank| tree.children(rank, root, ranks)).chain([root]).collect();
                notified.sort_unstable();
                assert_eq!(notified, (0..ranks).collect::<Vec<_>>(), "{tree}, root {root} of {ranks}");
                for child in (0..ranks).filter(|&rank| rank != root) {
                    let parent = tree.parent(child, root, ranks).expect("not the root");
                    assert!(tree.children(parent, root, ranks).any(|one| one == child), "{tree}: {parent} → {child}");
                    assert_eq!(tree.depth(child, root, ranks), tree.depth(parent, root, ranks) + 1);
                }
            }
        }
    }
    assert_eq!(Notified::CHAIN.children(6, 5, 8).collect::<Vec<_>>(), [7]);
    assert_eq!(Notified::FLAT.depth(4, 5, 8), 1);
    for wrong in ["kary", "kary:1", "knomial:x", "flat:2", "ring"] {
        assert!(Notified::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_message_of_no_bytes_and_a_rank_alone_touch_nothing() {
    let queue = Queue::new(4, 4, 2).expect("a queue");
    for design in Design::ALL {
        let scheme = Scheme { design, queue, tree: Notified::CHAIN };
        assert_eq!(play(scheme, 5, &[(0, 0), (3, 0)], 1), 0);
        assert_eq!(play(scheme, 1, &[(0, 100)], 1), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6_000))]

    #[test]
    fn the_right_bytes_arrive_in_any_order_of_ranks(
        design in 0..4usize, fragment in 1..5u64, of_a_set in 1..4u64, sets in 1..4u64, tree in 0..7usize, ranks in RANKS,
        calls in prop::collection::vec((0..9u32, 0..40u64), 1..7), seed in any::<u64>(),
    ) {
        let queue = Queue::new(fragment, of_a_set * sets, sets).expect("a queue");
        let calls: Vec<(u32, u64)> = calls.into_iter().map(|(root, bytes)| (root % ranks, bytes)).collect();
        play(Scheme { design: Design::ALL[design], queue, tree: trees()[tree] }, ranks, &calls, seed);
    }
}

/// Calls of MPICH's within a node.
#[derive(Clone, Copy, Debug)]
enum Made {
    Bcast,
    Barrier,
    Reduce,
    Allreduce,
}

/// Which calls through cells left which ranks with another message or sum than they should have, or too early.
fn wrong(queue: Queue, [tree, up]: [Notified; 2], ranks: u32, calls: &[(Made, u64)], seed: u64) -> Vec<(usize, u32)> {
    let scheme = Scheme { design: Design::ReleaseGather, queue, tree };
    let (tokens, come) = (Tokens::for_ranks(ranks), RefCell::new(vec![0; calls.len()]));
    let wrong: RefCell<Vec<(usize, u32)>> = RefCell::default();
    resume(ranks, seed, async |rank: u32| {
        let (member, mut broadcast) = (Member { tokens: &tokens, rank }, Broadcast::new(scheme));
        for (number, &(made, bytes)) in calls.iter().enumerate() {
            let own = |rank: u32| -> Vec<u8> {
                (0..bytes).map(|at| (at * 7 + number as u64 * 31 + u64::from(rank) * 13) as u8).collect()
            };
            tokens.borrow_mut().messages[rank as usize] = own(rank);
            come.borrow_mut()[number] += 1;
            let has = |expected: Vec<u8>| tokens.borrow().messages[rank as usize] == expected;
            let is_right = match made {
                Made::Bcast => {
                    broadcast.call(&member, 0, bytes).await;
                    has(own(0))
                }
                Made::Barrier => {
                    tokens.borrow_mut().messages[rank as usize] = vec![0];
                    broadcast.barrier(&member).await;
                    come.borrow()[number] == ranks
                }
                Made::Reduce => {
                    broadcast.reduce(&member, up, bytes).await;
                    rank > 0 || has(sum(ranks, own))
                }
                Made::Allreduce => {
                    broadcast.allreduce(&member, up, bytes).await;
                    has(sum(ranks, own))
                }
            };
            if !is_right {
                wrong.borrow_mut().push((number, rank));
            }
        }
    });
    wrong.into_inner()
}

fn sum(ranks: u32, own: impl Fn(u32) -> Vec<u8>) -> Vec<u8> {
    let mut all = own(0);
    (1..ranks).for_each(|rank| add(&mut all, &own(rank)));
    all
}

/// Every sequence of up to three kinds of calls, on up to five ranks, in some orders of ranks each: as cells are used
/// again and again.
#[test]
fn calls_through_cells_have_the_right_result_in_any_order() {
    let kinds = [Made::Bcast, Made::Barrier, Made::Reduce, Made::Allreduce];
    let sequences = (0..64).map(|number| [kinds[number % 4], kinds[number / 4 % 4], kinds[number / 16]]);
    for (sequence, ranks) in sequences.flat_map(|sequence| (1..=4).map(move |ranks| (sequence, ranks))) {
        // A barrier behind each lets the next one find cells that nobody uses any more, as allreduces ask for.
        let calls = sequence.into_iter().zip([1, 7, 12]).flat_map(|call| [call, (Made::Barrier, 0)]);
        let calls: Vec<(Made, u64)> = calls.cycle().take(24).collect();
        for (buffers, up) in [(2, "complete:4"), (2, "complete:2"), (4, "flat"), (4, "chain")] {
            let queue = Queue::new(3, buffers, 1).expect("a queue");
            let trees = ["flat", up].map(|text| Notified::parse(text).expect("a tree"));
            for seed in 0..3 {
                assert_eq!(
                    wrong(queue, trees, ranks, &calls, seed),
                    [],
                    "{sequence:?}, {ranks} ranks, {buffers} cells, {up}"
                );
            }
        }
    }
}

/// Between reductions, and between allreduces, nothing is needed.
#[test]
fn calls_of_one_kind_follow_each_other_through_cells() {
    for made in [Made::Bcast, Made::Barrier, Made::Reduce, Made::Allreduce] {
        for (ranks, seed) in (2..=5).flat_map(|ranks| (0..20).map(move |seed| (ranks, seed))) {
            let trees = [Notified::FLAT, Notified::complete(2)];
            let queue = Queue::new(4, 4, 1).expect("a queue");
            assert_eq!(wrong(queue, trees, ranks, &[(made, 9); 9], seed), [], "{made:?}, {ranks} ranks");
        }
    }
}

/// Why MPICH counts allreduces apart: while a rank copies a result out, broadcasts that are counted with them let rank
/// 0 fill that cell again.
#[test]
fn broadcasts_between_allreduces_let_a_result_be_overwritten() {
    let calls = [Made::Allreduce, Made::Bcast, Made::Bcast, Made::Bcast, Made::Allreduce].map(|made| (made, 4));
    let queue = Queue::new(4, 4, 1).expect("a queue");
    let found: BTreeSet<(usize, u32)> =
        (0..2_000).flat_map(|seed| wrong(queue, [Notified::FLAT; 2], 2, &calls, seed)).collect();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [(0, 1)], "the first result, on the rank that is late");
}
