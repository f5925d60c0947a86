//! One reader takes as long as the formulas say; bytes arrive right; facts of several readers.

use super::*;
use models::shared_broadcast::{Costs, exact, one_reader};
use models::time::PerByte;
use proptest::prelude::*;

const TREES: [&str; 6] = ["flat", "chain", "kary:2", "kary:4", "knomial:2", "knomial:3"];

fn node(ranks: u32, nodes: u32, tree: &str, settings: &str, (fragment, buffers, sets): (u64, u64, u64)) -> SharedNode {
    SharedNode {
        ranks,
        nodes,
        costs: NodeCosts::parse(settings).expect("costs"),
        queue: Queue::new(fragment, buffers, sets).expect("a queue"),
        tree: Notified::parse(tree).expect("a tree"),
        record: false,
    }
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
    ) {
        let [notification, set, leave] = spans.map(Span);
        let costs = Costs { copy: PerByte(f64::from(rate) / 3.0), notification, set, leave };
        let queue = Queue::new(fragment, of_a_set * sets, sets).expect("a queue");
        let tree = Notified::parse(TREES[tree]).expect("a tree");
        let node = SharedNode { ranks: 2, nodes: 1, costs: NodeCosts::of(costs), queue, tree, record: false };
        let run = node.run(&[(root, bytes)]).expect("a run");
        let took = run.left[0][1 - root as usize].since(Time::ZERO);
        prop_assert_eq!(took, one_reader(&costs, &queue, bytes));
        prop_assert_eq!(took, exact(&costs, &queue, bytes).total());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn bytes_arrive_right(
        tree in 0..TREES.len(), ranks in 1..18u32, nodes in 1..4u32, sets in 1..4u64, of_a_set in 1..4u64, fragment in 1..6u64,
        calls in prop::collection::vec((0..18u32, 0..60usize), 1..6), times in prop::array::uniform8(0..60u32),
    ) {
        let [t, note, set, leave, far, notify, visible, memory] = times;
        let settings = format!(
            "t={t}ps/B,tW={note}ps,tWO={set}ps,tA={leave}ps,tR={far}ps/B,n={notify}ps,v={visible}ps,vR={note}ps,M={memory}ps/B"
        );
        let node = node(ranks, nodes, TREES[tree], &settings, (fragment, of_a_set * sets, sets));
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
