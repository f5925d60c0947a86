//! A library's calls through cells among those of simulated ranks: closed forms, the node that is simulated for itself, and methods.

use models::collective::decision::ThroughCells;
use models::collective::{Collective, Shape};
use models::network::{Hockney, Network, SendRule};
use models::platform::Platform;
use models::shared_broadcast::{Costs, NodeCosts};
use models::time::{PerByte, Span, Time};
use parallax_sim::{Predictor, SharedNode, SimWorld};
use programs::aggregation::Aggregation;
use programs::method::{Factors, Method, MethodSettings, Order, RoundTimeSettings, Subject, WindowSettings};
use programs::observation::Implementation;
use programs::rank::Rank;
use programs::sync::Sync;
use proptest::prelude::*;

/// A cache line's way, a message, and what a byte takes that is copied, and combined.
const LINE: Span = Span::from_ns(40);
const MESSAGE: Span = Span::from_us(1);
const COPY_PS: u64 = 100;
const COMBINE_PS: u64 = 300;

fn platform(more: &str) -> Platform {
    let network = Network::Hockney(Hockney { alpha: MESSAGE, beta: PerByte(0.0), send_rule: SendRule::Synchronous });
    Platform::parse(network, more, |file| Err(file.to_owned())).expect("a platform")
}

fn cells() -> Platform {
    platform(&format!("cells={}ps,memcpy={COPY_PS}ps/B,gamma={COMBINE_PS}ps/B", LINE.0))
}

fn order(collective: Collective, shape: Shape, method: Method) -> Order {
    let settings = MethodSettings {
        method,
        calls: 10,
        samples: 3,
        warmup: 1,
        barrier: Implementation::Library,
        sync: Sync::Linear,
        window: WindowSettings::default(),
        round_time: RoundTimeSettings::default(),
        factors: Factors::default(),
    };
    let subject = Subject::Collective(collective, Implementation::Library);
    Order { subject, shape, call: Default::default(), copies_as: None, environment: Default::default(), settings }
}

/// How long each rank is in a call that all enter together.
fn truth(platform: Platform, collective: Collective, shape: Shape) -> Vec<Span> {
    let predictor = Predictor { network: platform.clone(), ..Predictor::perfect(platform.network) };
    predictor.truth(&order(collective, shape, Method::Window)).expect("a run")
}

#[test]
fn calls_through_cells_take_what_the_closed_forms_say() {
    for (ranks, bytes) in (2..=5).flat_map(|ranks| [1, 8, 1_000, 2_048].map(|bytes| (ranks, bytes))) {
        let (copy, combine) = (Span(COPY_PS * bytes), Span(COMBINE_PS * bytes));
        let of = |collective, bytes| truth(cells(), collective, Shape::new(ranks, 0, bytes));
        let others = u64::from(ranks) - 1;

        // Rank 0 fills a cell; the others see that one way of a line later, and empty it.
        let bcast = of(Collective::Bcast, bytes);
        assert_eq!(bcast[0], copy);
        assert_eq!(bcast[1..], vec![copy * 2 + LINE; ranks as usize - 1]);

        // Rank 0 looks at one flag after the other, and tells the others; they learn by a byte that all nodes are there.
        let byte = Span(COPY_PS);
        let barrier = of(Collective::Barrier, 0);
        assert_eq!(barrier[0], LINE * others + byte);
        assert_eq!(barrier[1..], vec![LINE * (others + 2) + byte; ranks as usize - 1]);

        // Others wait for rank 0's flag first. While rank 0 combines what one has filled it fetches the next flag no earlier.
        let reduce = of(Collective::Reduce, bytes);
        assert_eq!(reduce[0], LINE + copy + (LINE + combine) * others);
        assert_eq!(reduce[1..], vec![LINE + copy; ranks as usize - 1]);

        let allreduce = of(Collective::Allreduce, bytes);
        let combined = copy + (LINE + combine) * others;
        assert_eq!(allreduce[0], combined + copy);
        assert_eq!(allreduce[1..], vec![combined + LINE + copy; ranks as usize - 1]);
    }
}

#[test]
fn another_root_hands_over_by_a_message_as_mpich_does() {
    let shape = |root| Shape::new(3, root, 8);
    let copy = Span(COPY_PS * 8);
    let bcast = truth(cells(), Collective::Bcast, shape(2));
    assert_eq!(bcast, [MESSAGE + copy, MESSAGE + copy * 2 + LINE, MESSAGE + copy * 2 + LINE]);
    let [own, other] = [0, 1].map(|root| truth(cells(), Collective::Reduce, shape(root)));
    assert_eq!([other[0], other[1]], [own[0] + MESSAGE; 2]);
    assert_eq!(other[2], own[2]);
}

#[test]
fn what_does_not_pass_through_cells_goes_by_messages() {
    let by_messages = |collective, shape| truth(platform(""), collective, shape);
    let cells_alone = || platform(&format!("cells={}ps", LINE.0));
    for (collective, shape) in
        [(Collective::Allgather, Shape::new(4, 0, 8)), (Collective::Bcast, Shape::new(9, 0, 1 << 20))]
    {
        assert_eq!(ThroughCells::for_call(collective, &shape), None);
        assert_eq!(truth(cells_alone(), collective, shape), by_messages(collective, shape));
    }
    // Ranks of several nodes share no cells.
    let apart = platform(&format!("cells={}ps,placement=block:1", LINE.0));
    let shape = Shape::new(4, 0, 8);
    assert_eq!(truth(apart, Collective::Bcast, shape), by_messages(Collective::Bcast, shape));
    let together = platform(&format!("cells={}ps,placement=block:4", LINE.0));
    assert_eq!(truth(together, Collective::Bcast, shape).into_iter().max(), Some(LINE));
}

#[test]
fn every_method_tells_of_calls_through_cells() {
    let predictor = Predictor { network: cells(), ..Predictor::perfect(cells().network) };
    let truth_us =
        truth(cells(), Collective::Allreduce, Shape::new(4, 0, 8)).into_iter().max().map(|span| span.as_us());
    for method in Method::reported() {
        let order = order(Collective::Allreduce, Shape::new(4, 0, 8), method);
        let prediction = predictor.predict(&order).unwrap_or_else(|error| panic!("{method}: {error}"));
        assert_eq!(prediction.truth.iter().max().map(|span| span.as_us()), truth_us, "{method}");
        let printed_us = prediction.misreport(&Aggregation::default()).expect("a number").reported_us;
        assert!(printed_us > 0.0 && printed_us < 2.0, "{method}: {printed_us} µs, and a message takes 1 µs");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// The same as the node whose ranks do nothing but broadcasts, whatever is in flight between calls. What happens at one instant may
    /// be seen in another order: a line's way is no multiple of what copies take.
    #[test]
    fn broadcasts_take_as_long_as_on_a_node_of_their_own(
        ranks in 2..8u32, line_ns in 0..200u64, copy_ns in 1..5u64, all in prop::collection::vec(1..60_000u64, 1..6),
    ) {
        let (line_ps, copy_ps) = (line_ns * 1_000 + 1, copy_ns * 1_000);
        let (line, copy) = (Span(line_ps), PerByte(copy_ps as f64));
        let costs = NodeCosts::from_costs(Costs { copy, notification: line, set: Span::ZERO, leave: line });
        let through = ThroughCells::for_call(Collective::Bcast, &Shape::new(ranks, 0, 1)).expect("through cells");
        let node = SharedNode { ranks, nodes: 1, costs, scheme: through.scheme, record: false };
        let calls: Vec<(u32, u64)> = all.iter().map(|&bytes| (0, bytes)).collect();
        let expected = node.run(&calls).expect("a run").left;

        let network = platform(&format!("cells={line_ps}ps,memcpy={copy_ps}ps/B"));
        let world = SimWorld { network, ..SimWorld::ideal(platform("").network, ranks) };
        let run = world.run(async |rank| {
            let mut left: Vec<Time> = Vec::new();
            for &bytes in &all {
                rank.library(Collective::Bcast, &Shape::new(ranks, 0, bytes)).await;
                left.push(rank.true_time());
            }
            left
        });
        let left = run.expect("a run").results;
        for (call, expected) in expected.iter().enumerate() {
            let left: Vec<Time> = left.iter().map(|left| left[call]).collect();
            prop_assert_eq!(&left, expected, "call {}", call);
        }
    }
}
