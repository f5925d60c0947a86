//! One reader takes as long as the formulas say; bytes arrive right; facts of several readers.

use super::*;
use models::shared_broadcast::{Costs, Design, Notified, Queue, exact, one_reader, one_reader_on_a_node};
use models::time::PerByte;
use proptest::prelude::*;

const TREES: [&str; 7] = ["flat", "chain", "kary:2", "kary:4", "complete:2", "knomial:2", "knomial:3"];

fn node(ranks: u32, nodes: u32, tree: &str, settings: &str, (fragment, buffers, sets): (u64, u64, u64)) -> SharedNode {
    let queue = Queue::new(fragment, buffers, sets).expect("a queue");
    let scheme = Scheme { design: Design::Numa, queue, tree: Notified::parse(tree).expect("a tree") };
    SharedNode { ranks, nodes, costs: NodeCosts::parse(settings).expect("costs"), scheme, record: false }
}

/// The same of another design.
fn by(design: Design, node: SharedNode) -> SharedNode {
    SharedNode { scheme: Scheme { design, ..node.scheme }, ..node }
}

/// When the last rank has left the last call, in ns.
fn last_ns(node: &SharedNode, calls: &[(u32, u64)]) -> f64 {
    let run = node.run(calls).expect("a run");
    run.left.last().and_then(|left| left.iter().max()).expect("ranks").since(Time::ZERO).as_ns()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn one_reader_takes_what_the_formulas_say(
        fragment in 1..300u64, of_a_set in 1..6u64, sets in 1..5u64, bytes in 0..6_000u64,
        rate in 0..3_000u32, spans in prop::array::uniform3(0..400_000u64), root in 0..2u32, tree in 0..TREES.len(),
        is_coll_sm in any::<bool>(),
    ) {
        let [notification, set, leave] = spans.map(Span);
        let costs = Costs { copy: PerByte(f64::from(rate) / 3.0), notification, set, leave };
        let queue = Queue::new(fragment, of_a_set * sets, sets).expect("a queue");
        let tree = Notified::parse(TREES[tree]).expect("a tree");
        // With one reader, which has no children, coll/sm is the same.
        let design = if is_coll_sm { Design::CollSm } else { Design::Numa };
        let scheme = Scheme { design, queue, tree };
        let node = SharedNode { ranks: 2, nodes: 1, costs: NodeCosts::from_costs(costs), scheme, record: false };
        let run = node.run(&[(root, bytes)]).expect("a run");
        let took = run.left[0][1 - root as usize].since(Time::ZERO);
        prop_assert_eq!(took, one_reader(&costs, &queue, bytes));
        prop_assert_eq!(took, exact(&costs, &queue, bytes).total());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn one_reader_on_a_node_takes_what_the_recurrence_says(
        fragment in 1..300u64, of_a_set in 1..6u64, sets in 1..5u64, bytes in 0..6_000u64,
        rate in 0..3_000u32, memory in 0..3_000u32, spans in prop::array::uniform6(0..400_000u64), with in 0..16u32,
    ) {
        let [notification, set, leave, notify, visible, clear] = spans.map(Span);
        let costs = Costs { copy: PerByte(f64::from(rate) / 3.0), notification, set, leave };
        let queue = Queue::new(fragment, of_a_set * sets, sets).expect("a queue");
        let scheme = Scheme { design: Design::Numa, queue, tree: Notified::FLAT };
        // Each alone, and all together.
        let some = |bit: u32, span: Span| if with >> bit & 1 == 1 { span } else { Span::ZERO };
        let memory = PerByte(if with & 1 == 1 { f64::from(memory) / 3.0 } else { 0.0 });
        let (notify, visible, clear) = (some(1, notify), some(2, visible), some(3, clear));
        let costs = NodeCosts { memory, notify, visible, remote_visible: visible, clear, ..NodeCosts::from_costs(costs) };
        let node = SharedNode { ranks: 2, nodes: 1, costs, scheme, record: false };
        let run = node.run(&[(0, bytes)]).expect("a run");
        let took = run.left[0][1].since(Time::ZERO);
        prop_assert_eq!(took, one_reader_on_a_node(&costs, &queue, bytes));
        // No slower than if every copy shared the memory, and every fragment waited for all else.
        let (alone, fragments) = (one_reader(&costs.one, &queue, bytes), queue.fragments(bytes));
        let each = notify + visible + clear + Span(2);
        prop_assert!(took >= alone && took <= alone + PerByte(4.0 * memory.0).for_bytes(bytes) + each * fragments);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn bytes_arrive_right(
        design in 0..4usize, tree in 0..TREES.len(), ranks in 1..18u32, nodes in 1..4u32, sets in 1..4u64, of_a_set in 1..4u64, fragment in 1..6u64,
        calls in prop::collection::vec((0..18u32, 0..60usize), 1..6), times in prop::array::uniform8(0..60u32),
    ) {
        let [t, note, set, leave, far, notify, visible, memory] = times;
        let settings = format!(
            "t={t}ps/B,tW={note}ps,tWO={set}ps,tA={leave}ps,tR={far}ps/B,n={notify}ps,v={visible}ps,vR={note}ps,M={memory}ps/B"
        );
        let node = by(Design::ALL[design], node(ranks, nodes, TREES[tree], &settings, (fragment, of_a_set * sets, sets)));
        let calls: Vec<(u32, Vec<u8>)> = calls
            .iter()
            .enumerate()
            .map(|(call, &(root, bytes))| (root % ranks, (0..bytes).map(|at| ((at * 7 + call * 31) % 241) as u8).collect()))
            .collect();
        let (run, received) = node.deliver(&calls).expect("a run");
        for (call, (_, sent)) in calls.iter().enumerate() {
            prop_assert!(received[call].iter().all(|message| message == sent), "call {call}");
        }
        let lengths: Vec<(u32, u64)> = calls.iter().map(|(root, sent)| (*root, sent.len() as u64)).collect();
        prop_assert_eq!(run, node.run(&lengths).expect("a run"), "with and without the bytes");
    }
}

#[test]
fn the_numbers_of_figure_6_come_out_of_the_simulation() {
    for (buffers, ns) in [(1, 33_882_112.0), (4, 21_130_240.0), (32, 17_410_944.0), (1024, 16_896_220.0)] {
        assert_eq!(last_ns(&node(2, 1, "flat", "", (8192, buffers, 1)), &[(0, 16 << 20)]), ns, "{buffers} buffers");
    }
}

#[test]
fn each_level_of_the_tree_takes_note_and_decrements_follow_each_other() {
    // tWO 100, copies 2 · 8, each level of the chain tW 50; decrements tA 10 at different times.
    assert_eq!(last_ns(&node(4, 1, "chain", "", (8, 1, 1)), &[(0, 8)]), 100.0 + 8.0 + 3.0 * 50.0 + 8.0 + 10.0);
    // All copy at once, and leave one after the other.
    assert_eq!(last_ns(&node(4, 1, "flat", "", (8, 1, 1)), &[(2, 8)]), 100.0 + 8.0 + 50.0 + 8.0 + 3.0 * 10.0);
    // The root notifies one child after the other, which sees it later on the other NUMA node.
    let remote = node(4, 2, "flat", "n=1000ns,v=3ns,vR=70ns,tR=2ns/B", (8, 1, 1));
    assert_eq!(last_ns(&remote, &[(0, 8)]), 100.0 + 8.0 + 3_000.0 + 70.0 + 50.0 + 16.0 + 10.0);
}

#[test]
fn copies_share_a_memory() {
    // Three readers at once in a memory that carries a byte in 1 ns: each copies three times as long as alone.
    let shared = node(4, 1, "flat", "M=1ns/B", (1000, 1, 1));
    assert_eq!(last_ns(&shared, &[(0, 1000)]), 100.0 + 1000.0 + 50.0 + 3000.0 + 30.0);
    // As fast as alone where the memory carries three copies.
    let wide = node(4, 1, "flat", "M=0.25ns/B", (1000, 1, 1));
    assert_eq!(last_ns(&wide, &[(0, 1000)]), 100.0 + 1000.0 + 50.0 + 1000.0 + 30.0);
}

#[test]
fn what_is_written_down_is_what_was_done() {
    let node = SharedNode { record: true, ..node(6, 2, "knomial:2", "n=5ns,v=2ns,M=0.5ns/B", (64, 4, 2)) };
    let trace = node.run(&[(1, 700), (4, 300)]).expect("a run").trace.expect("it was to be written down");
    assert_eq!(trace.flights.len(), (11 + 5) * 5, "each reader is notified of each fragment");
    assert_eq!((trace.calls.len(), trace.finish.len()), (12, 6));
    for pair in trace.intervals.windows(2).filter(|pair| pair[0].rank == pair[1].rank) {
        assert_eq!(pair[0].end, pair[1].start, "a rank is never idle: {pair:?}");
    }
    assert!(trace.flights.iter().all(|flight| flight.arrived <= flight.received));
    let unrecorded = SharedNode { record: false, ..node };
    assert_eq!(unrecorded.run(&[(0, 0)]).expect("a run").left, [[Time::ZERO; 6]], "no bytes take no time");
}

/// When both ranks have left a broadcast through slots, by what each does step by step.
fn slots_recurrence(costs: &Costs, queue: &Queue, root: u32, bytes: u64) -> Time {
    let (mut filler, mut reader) = (Time::ZERO, Time::ZERO);
    let full = (queue.buffers() - 1).max(1);
    for number in 0..queue.fragments(bytes) {
        let copy = costs.copy.for_bytes(queue.fragment(bytes, number));
        filler += copy;
        reader = reader.max(filler) + costs.notification + copy;
        if (number + 1).is_multiple_of(full) {
            // Rank 0 takes note that the other has come, and the other that rank 0 has opened the barrier.
            let (first, other) = if root == 0 { (&mut filler, &mut reader) } else { (&mut reader, &mut filler) };
            *first = (*first).max(*other) + costs.leave;
            *other = (*other).max(*first) + costs.notification;
        }
    }
    filler.max(reader)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn one_reader_of_slots_takes_what_the_recurrence_says(
        fragment in 1..300u64, buffers in 1..9u64, bytes in 0..6_000u64, rate in 0..3_000u32,
        spans in prop::array::uniform2(0..400_000u64), root in 0..2u32,
    ) {
        let [notification, leave] = spans.map(Span);
        let costs = Costs { copy: PerByte(f64::from(rate) / 3.0), notification, set: Span::from_ns(100), leave };
        let queue = Queue::new(fragment, buffers, 1).expect("a queue");
        let scheme = Scheme { design: Design::Mvapich, queue, tree: Notified::FLAT };
        let node = SharedNode { ranks: 2, nodes: 1, costs: NodeCosts::from_costs(costs), scheme, record: false };
        let left = node.run(&[(root, bytes)]).expect("a run").left;
        prop_assert_eq!(left[0].iter().max().copied(), Some(slots_recurrence(&costs, &queue, root, bytes)));
    }
}

/// C(m): all fragments of a message, in ns at 1 ns/B.
fn mt(bytes: u64) -> f64 {
    bytes as f64
}

#[test]
fn one_reader_of_slots_waits_for_a_first_copy_behind_each_barrier() {
    // Four slots: a barrier after every three fragments. 7 of 8 B: two barriers, three first copies.
    let slots = |root| last_ns(&by(Design::Mvapich, node(2, 1, "flat", "", (8, 4, 1))), &[(root, 56)]);
    // The reader's barrier: rank 0, the root, takes note that the reader has come (tA 10) and copies, while the reader
    // takes note (tW 50), which lasts longer than the copy.
    assert_eq!(slots(0), 8.0 + 7.0 * 50.0 + mt(56) + 2.0 * (10.0 + 50.0));
    // Rank 0 is the reader: the root takes note of its opening before it copies.
    assert_eq!(slots(1), 8.0 + 7.0 * 50.0 + mt(56) + 2.0 * (10.0 + 50.0 + 8.0));
    let long = node(2, 1, "flat", "", (1000, 4, 1));
    assert_eq!(last_ns(&by(Design::Mvapich, long), &[(0, 7000)]), 3.0 * 1000.0 + 7.0 * 50.0 + mt(7000) + 2.0 * 10.0);
}

#[test]
fn one_reader_of_cells_never_waits_again_behind_the_first_copy() {
    let cells = |cells, calls: &[(u32, u64)]| {
        last_ns(&by(Design::ReleaseGather, node(2, 1, "complete:4", "", (1000, cells, 1))), calls)
    };
    for number in [2, 3, 4] {
        assert_eq!(cells(number, &[(0, 20_000)]), 1000.0 + 20.0 * 50.0 + mt(20_000), "{number} cells");
    }
    // One cell: the root waits for the flag of each fragment, also of the last one, and taking note of it takes tA.
    assert_eq!(cells(1, &[(0, 20_000)]), 2.0 * mt(20_000) + 20.0 * 50.0 + 20.0 * 10.0);
    // The root is rank 1: a fragment is copied by the root, by rank 0 into the cell and by rank 0 out of it. Rank 0 is the reader.
    assert_eq!(cells(4, &[(1, 1000)]), 3.0 * 1000.0 + 50.0);
}

#[test]
fn a_reader_with_children_copies_twice_in_coll_sm() {
    // A chain of three, one fragment: rank 1 copies into its own queue, and only then notifies rank 2.
    let chain = |design| last_ns(&by(design, node(3, 1, "chain", "", (1000, 4, 2))), &[(0, 1000)]);
    assert_eq!(chain(Design::Numa), 100.0 + 1000.0 + 2.0 * 50.0 + 1000.0 + 10.0);
    // Ranks 1 and 2 copy out at once, the later one 50 ns later.
    assert_eq!(chain(Design::CollSm), 100.0 + 1000.0 + 2.0 * 50.0 + 2.0 * 1000.0 + 10.0);
    // Of a long message every inner rank copies each fragment twice.
    let long = |design| last_ns(&by(design, node(16, 1, "complete:4", "", (8192, 8, 2))), &[(0, 1 << 20)]);
    let ratio = long(Design::CollSm) / long(Design::Numa);
    assert!((1.9..2.1).contains(&ratio), "{ratio}");
}

#[test]
fn readers_of_one_flag_get_its_line_one_after_the_other() {
    // The root stores once (n 20); each reader gets the line n later than the one before, as by flat notifications one by one.
    let flat =
        |design| last_ns(&by(design, node(5, 1, "flat", "n=20ns,tWO=0ns,tA=0ns,v=3ns", (100, 8, 1))), &[(0, 100)]);
    assert_eq!(flat(Design::Mvapich), 100.0 + 4.0 * 20.0 + 3.0 + 50.0 + 100.0);
    assert_eq!(flat(Design::Numa), flat(Design::Mvapich));
    // Those on the other NUMA node see it later.
    let far = by(Design::ReleaseGather, node(4, 2, "flat", "vR=70ns", (100, 4, 1)));
    assert_eq!(last_ns(&far, &[(0, 100)]), 100.0 + 70.0 + 50.0 + 100.0);
}

#[test]
fn what_ranks_do_in_every_design_is_written_down_without_gaps() {
    for design in Design::ALL {
        let node = by(design, node(7, 2, "complete:2", "n=5ns,v=2ns,vR=9ns,M=0.5ns/B", (64, 4, 1)));
        let trace = SharedNode { record: true, ..node }.run(&[(1, 700), (4, 300)]).expect("a run").trace;
        let trace = trace.expect("it was to be written down");
        assert!(trace.flights.is_sorted_by_key(|flight| flight.departed), "{design}");
        assert!(trace.flights.iter().all(|flight| flight.departed <= flight.arrived), "{design}");
        assert!(trace.flights.iter().all(|flight| flight.arrived <= flight.received), "{design}");
        assert!(trace.flights.len() >= (11 + 5) * 6, "{design}: each reader is notified of each fragment");
        let copies = |activity| trace.intervals.iter().filter(|i| i.activity == activity).count();
        assert_eq!(copies(Activity::Receiving), (11 + 5) * 6, "{design}: each reader copies each fragment out");
        // Of 7 ranks the root, in coll/sm also the two other ranks with children, and rank 0 where it is everybody's source.
        let copied_in = match design {
            Design::Numa | Design::Mvapich => 1,
            Design::CollSm => 3,
            Design::ReleaseGather => 2,
        };
        assert_eq!(copies(Activity::Sending), (11 + 5) * copied_in, "{design}");
        for pair in trace.intervals.windows(2).filter(|pair| pair[0].rank == pair[1].rank) {
            assert_eq!(pair[0].end, pair[1].start, "{design}: a rank is never idle: {pair:?}");
        }
    }
}
