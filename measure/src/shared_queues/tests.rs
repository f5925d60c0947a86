//! Every interleaving of two ranks, and threads under stress.

use super::*;
use models::call::Call;
use models::shared_broadcast::{Design, NEVER_OPEN, Notified, Queue, Scheme};

/// Memory of words and cells that loom watches: it finds reads that race with writes.
struct Watched {
    words: Vec<(Word, loom::sync::atomic::AtomicU64)>,
    buffers: Vec<[loom::cell::UnsafeCell<u8>; 2]>,
}

struct Watcher {
    memory: loom::sync::Arc<Watched>,
    rank: u32,
    /// A byte for each fragment.
    message: Vec<Cell<u8>>,
}

impl Watched {
    fn new(ranks: u32, queue: Queue) -> Watched {
        let sets = (0..queue.sets()).flat_map(|set| [(Word::Readers { set }, 0), (Word::Open { set }, NEVER_OPEN)]);
        let of_buffer = |rank, buffer| [Word::Control { rank, buffer }, Word::Filled { rank, buffer }];
        let of_buffers = |rank| (0..queue.buffers()).flat_map(move |buffer| of_buffer(rank, buffer));
        let flags = |rank| [Word::Released { rank }, Word::Gathered { rank }];
        let of_ranks = (0..ranks).flat_map(|rank| of_buffers(rank).chain(flags(rank))).map(|word| (word, 0));
        let word = |(word, first)| (word, loom::sync::atomic::AtomicU64::new(first));
        let buffer = |_| [loom::cell::UnsafeCell::new(0), loom::cell::UnsafeCell::new(0)];
        Watched { words: sets.chain(of_ranks).map(word).collect(), buffers: (0..ranks).map(buffer).collect() }
    }
}

impl Watcher {
    fn word(&self, word: Word) -> &loom::sync::atomic::AtomicU64 {
        &self.memory.words.iter().find(|(known, _)| *known == word).expect("a word").1
    }

    fn buffer(&self, owner: u32, buffer: u64) -> &loom::cell::UnsafeCell<u8> {
        &self.memory.buffers[owner as usize][buffer as usize]
    }
}

impl SharedMemory for Watcher {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn ranks(&self) -> u32 {
        self.memory.buffers.len() as u32
    }

    async fn store(&self, word: Word, value: u64) {
        handshake::publish(self.word(word), value);
    }

    async fn wait_for(&self, word: Word, value: u64) {
        handshake::await_value(self.word(word), |found| found == value, loom::thread::yield_now);
    }

    async fn wait_above(&self, word: Word, value: u64) -> u64 {
        handshake::await_value(self.word(word), |found| found > value, loom::thread::yield_now)
    }

    async fn decrement(&self, word: Word) {
        handshake::leave(self.word(word));
    }

    async fn copy_in(&self, buffer: u64, offset: u64, _: u64) {
        let byte = self.message[offset as usize].get();
        // SAFETY: loom ends the test where somebody else touches the cell.
        self.buffer(self.rank, buffer).with_mut(|cell| unsafe { *cell = byte });
    }

    async fn copy_out(&self, owner: u32, buffer: u64, offset: u64, _: u64) {
        // SAFETY: as above.
        self.message[offset as usize].set(self.buffer(owner, buffer).with(|cell| unsafe { *cell }));
    }

    async fn copy_between(&self, owner: u32, buffer: u64, _: u64) {
        // SAFETY: as above.
        let byte = self.buffer(owner, buffer).with(|cell| unsafe { *cell });
        // SAFETY: as above.
        self.buffer(self.rank, buffer).with_mut(|cell| unsafe { *cell = byte });
    }
}

/// Calls of so many bytes each, one in a fragment, in every interleaving of two ranks (more spin on each other, which loom cannot
/// end); they are the root in turn.
fn in_every_interleaving(design: Design, (buffers, sets): (u64, u64), calls: &'static [u64]) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let queue = Queue::new(1, buffers, sets).expect("a queue");
        let memory = loom::sync::Arc::new(Watched::new(2, queue));
        let program = move |memory: loom::sync::Arc<Watched>, rank: u32| {
            let mut broadcast = Broadcast::new(Scheme { design, queue, tree: Notified::CHAIN });
            let mut watcher = Watcher { memory, rank, message: Vec::new() };
            for (call, &bytes) in calls.iter().enumerate() {
                let root = call as u32 % 2;
                let sent = |at: u64| 10 * (call as u8 + 1) + at as u8;
                watcher.message = (0..bytes).map(|at| Cell::new(if rank == root { sent(at) } else { 0 })).collect();
                immediately(broadcast.call(&watcher, root, bytes));
                let received: Vec<u8> = watcher.message.iter().map(Cell::get).collect();
                assert_eq!(received, (0..bytes).map(sent).collect::<Vec<u8>>(), "rank {rank}, call {call}");
            }
        };
        let of_the_other = memory.clone();
        let other = loom::thread::spawn(move || program(of_the_other, 1));
        program(memory, 0);
        other.join().expect("the rank ends");
    });
}

#[test]
fn in_every_interleaving_a_buffer_is_filled_again_only_when_it_was_read() {
    in_every_interleaving(Design::Numa, (1, 1), &[2, 1]);
}

#[test]
fn in_every_interleaving_two_sets_are_filled_in_turn() {
    in_every_interleaving(Design::Numa, (2, 2), &[3, 1]);
}

#[test]
fn in_every_interleaving_a_slot_is_filled_again_only_behind_a_barrier() {
    in_every_interleaving(Design::Mvapich, (2, 1), &[2, 1]);
}

#[test]
fn in_every_interleaving_a_cell_is_filled_again_only_when_its_flag_has_come_up() {
    in_every_interleaving(Design::ReleaseGather, (1, 1), &[2, 1]);
    in_every_interleaving(Design::ReleaseGather, (2, 1), &[3, 1]);
}

/// Broadcasts by threads, with roots and lengths that change from call to call; every byte is compared.
fn stress(
    ranks: u32,
    (design, tree): (Design, &str),
    (fragment, buffers, sets): (u64, u64, u64),
    calls: u64,
    longest: u64,
) {
    let queue = Queue::new(fragment, buffers, sets).expect("a queue");
    let tree = Notified::parse(tree).expect("a tree");
    let queued = Queued::new(Scheme { design, queue, tree });
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let (seats, patience) = (seats(ranks, &queued).expect("memory"), Patience::for_ranks(ranks, cores));
    let program = |seat: Seat| {
        let mut member = seat.join(patience);
        let rank = member.rank();
        let (mut message, mut seed, mut wrong) = (Vec::new(), 7 + fragment, Vec::new());
        for call in 0..calls {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (root, bytes) = ((seed >> 40) as u32 % ranks, (seed >> 33) % (longest + 1));
            let sent = |at: u64| (at * 13 + call * 7) as u8;
            message.clear();
            message.extend((0..bytes).map(|at| if rank == root { sent(at) } else { !sent(at) }));
            // SAFETY: each rank makes these calls, whose roots and lengths all ranks draw alike.
            unsafe { member.broadcast(root, &raw mut message[..], message.len() as u64, &Call::default().unit()) };
            let at = (0..bytes).position(|at| message[at as usize] != sent(at));
            wrong.extend(at.map(|at| (call, root, bytes, at)));
        }
        // Not before: the others would wait for ever.
        assert_eq!(wrong, [], "rank {rank}: call, root, bytes, where");
    };
    let program = &program;
    std::thread::scope(|scope| seats.into_iter().for_each(|seat| drop(scope.spawn(move || program(seat)))));
}

#[test]
fn a_hundred_thousand_broadcasts_by_threads_bring_every_byte() {
    for (ranks, tree, queue, calls) in [
        (2, "flat", (64, 1, 1), 25_000),
        (2, "chain", (64, 8, 2), 25_000),
        (2, "flat", (64, 6, 3), 25_000),
        (3, "chain", (64, 4, 2), 10_000),
        (4, "knomial:2", (64, 4, 1), 10_000),
        (5, "kary:2", (64, 4, 4), 5_000),
    ] {
        stress(ranks, (Design::Numa, tree), queue, calls, 300);
    }
}

#[test]
fn fragments_of_several_pages_and_a_rank_alone() {
    stress(2, (Design::Numa, "flat"), (10_000, 4, 2), 200, 300_000);
    stress(1, (Design::Numa, "flat"), (64, 4, 2), 10, 1_000);
}

#[test]
fn broadcasts_of_other_designs_by_threads_bring_every_byte() {
    for (ranks, design, tree, queue, calls) in [
        (4, Design::CollSm, "chain", (64, 4, 2), 5_000),
        (5, Design::CollSm, "complete:2", (64, 8, 2), 5_000),
        (2, Design::Mvapich, "flat", (64, 1, 1), 5_000),
        (4, Design::Mvapich, "flat", (64, 4, 1), 5_000),
        (2, Design::ReleaseGather, "complete:64", (64, 4, 1), 5_000),
        (5, Design::ReleaseGather, "complete:2", (64, 4, 1), 5_000),
        (3, Design::ReleaseGather, "chain", (64, 1, 1), 5_000),
    ] {
        stress(ranks, (design, tree), queue, calls, 300);
    }
}
