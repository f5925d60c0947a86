//! Collectives in which ranks exchange: the event engine meets their closed forms to the picosecond, for P = 1…33.

use models::closed_form::{allgather, allreduce, alltoall, reduce_scatter, scan};
use models::collective::{Algorithm, Collective, Counts, Shape};
use models::network::{Hockney, LogGp, Network, SendRule};
use models::time::{PerByte, Span, Time};
use parallax_sim::SimWorld;
use programs::operation::{Operation, Own};

const BYTES: [u64; 5] = [0, 1, 7, 64, 1_000];
const SEGMENTS: [u64; 4] = [0, 1, 24, 64];

fn hockney(send_rule: SendRule) -> Hockney {
    Hockney { alpha: Span(5_000), beta: PerByte(33.3), send_rule }
}

/// g < L + 2o, as closed forms of rounds in step want it; o_s, o_r and G such that each is the bottleneck of some size.
fn loggp() -> LogGp {
    LogGp {
        latency: Span(2_500),
        overhead_send: Span(700),
        overhead_receive: Span(900),
        gap: Span(1_300),
        gap_per_byte: PerByte(40.7),
    }
}

/// When the last rank is back.
fn simulated(network: Network, collective: Collective, name: &str, shape: &Shape) -> Span {
    let algorithm = Algorithm::find(collective, name).unwrap();
    let world = SimWorld::ideal(network, shape.ranks);
    let run = world.run(async |rank| {
        use programs::rank::Rank;
        Own::new(algorithm, shape, rank.id()).call(&rank).await;
    });
    run.unwrap().finish.iter().max().unwrap().since(Time::ZERO)
}

/// Every size for few ranks; for more of them two sizes each, in turn.
fn shapes() -> impl Iterator<Item = Shape> {
    (1..=33u32).flat_map(|ranks| {
        let due = move |at: &usize| ranks <= 9 || (at + ranks as usize) % 5 < 2;
        (0..BYTES.len()).filter(due).map(move |at| Shape::new(ranks, 0, BYTES[at]))
    })
}

/// Blocks of uneven lengths, some of them empty.
fn uneven_shapes() -> impl Iterator<Item = Shape> {
    (1..=33u32).map(|ranks| {
        let lengths: Vec<u64> = (0..ranks).map(|i| u64::from(i * 7 % 5) * 31).collect();
        Shape { counts: Some(Counts::new(&lengths).unwrap()), ..Shape::new(ranks, 0, 0) }
    })
}

fn segmented_shapes() -> impl Iterator<Item = Shape> {
    shapes().flat_map(|shape| {
        // A thousand segments of a byte are no different from sixty-four.
        let due = move |segment: &u64| *segment != 1 || shape.bytes < 1_000;
        SEGMENTS.into_iter().filter(due).map(move |segment_bytes| Shape { segment_bytes, ..shape })
    })
}

/// The form holds for the time of one message under every model: eager Hockney and LogGP always, the other send rules for some shapes.
fn check(
    collective: Collective,
    name: &str,
    shapes: impl Iterator<Item = Shape>,
    form: impl Fn(&dyn Fn(u64) -> Span, &Shape) -> Option<Span>,
) {
    let mut checked = 0;
    for (at, shape) in shapes.enumerate() {
        let others = [SendRule::Busy, SendRule::Synchronous, SendRule::Detached];
        for rule in [SendRule::Eager, others[at % 3]] {
            let model = hockney(rule);
            if let Some(expected) = form(&|m| model.transfer(m), &shape) {
                let got = simulated(Network::Hockney(model), collective, name, &shape);
                assert_eq!(got, expected, "{collective} {name} {model} {shape:?}");
                checked += 1;
            }
        }
        let model = loggp();
        if let Some(expected) = form(&|m| model.one_message(m), &shape) {
            let got = simulated(Network::Loggp(model), collective, name, &shape);
            assert_eq!(got, expected, "{collective} {name} {model} {shape:?}");
        }
    }
    assert!(checked > 30, "{collective} {name}: the form hardly ever holds");
}

/// The form holds under Hockney with the send rules for which it gives a time.
fn check_rules(
    collective: Collective,
    name: &str,
    shapes: impl Iterator<Item = Shape>,
    form: impl Fn(&Hockney, &Shape) -> Option<Span>,
) {
    let mut checked = 0;
    for shape in shapes {
        for model in SendRule::ALL.map(hockney) {
            if let Some(expected) = form(&model, &shape) {
                let got = simulated(Network::Hockney(model), collective, name, &shape);
                assert_eq!(got, expected, "{collective} {name} {model} {shape:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 30, "{collective} {name}: the form hardly ever holds");
}

#[test]
fn allreduces_over_trees() {
    check_rules(Collective::Allreduce, "linear", segmented_shapes(), allreduce::linear);
    check_rules(Collective::Allreduce, "reduce-bcast", segmented_shapes(), allreduce::reduce_bcast);
}

/// Shapes for bine partners: powers of two of ranks.
fn powers_of_two() -> impl Iterator<Item = Shape> {
    (0..=6).flat_map(|bits| BYTES.map(|bytes| Shape::new(1 << bits, 0, bytes)))
}

fn even_shapes() -> impl Iterator<Item = Shape> {
    shapes().filter(|shape| shape.ranks % 2 == 0)
}

#[test]
fn exchanges_among_bine_partners() {
    let segmented = (0..=5u32).flat_map(|bits| {
        [(0, 0), (1, 0), (12, 5), (40, 8), (40, 64)]
            .map(|(share, segment_bytes)| Shape { segment_bytes, ..Shape::new(1 << bits, 0, share << bits) })
    });
    let on = Collective::Allreduce;
    check(on, "bine", powers_of_two(), |message, shape| allreduce::bine(message, shape));
    let halving = |message: &dyn Fn(u64) -> Span, shape: &Shape| allreduce::bine_scatter_allgather(message, shape);
    check(on, "bine-scatter-allgather", powers_of_two(), halving);
    check(on, "bine-scatter-allgather", folded_shapes().chain(segmented), halving);
    let even = || {
        (2..=33u32).step_by(2).flat_map(|ranks| [0, 1, 9].map(|share| Shape::new(ranks, 0, share * u64::from(ranks))))
    };
    check_rules(on, "bine-blocks", even(), allreduce::bine_blocks);
    let on = Collective::Allgather;
    for (name, moves_before) in
        [("bine-permute", false), ("bine-two-blocks-packed", false), ("bine-send", true), ("bine-send-static", true)]
    {
        check(on, name, powers_of_two(), |message, shape| allgather::bine(message, shape, moves_before));
    }
    check_rules(on, "bine-two-blocks", powers_of_two(), allgather::bine_two_blocks);
    check_rules(on, "bine-blocks", even_shapes(), allgather::in_bursts);
    check_rules(on, "sparbit", shapes(), allgather::in_bursts);
    let on = Collective::ReduceScatter;
    check(on, "bine-permute", powers_of_two(), |message, shape| reduce_scatter::recursive_halving(message, shape));
    check(on, "bine-send", powers_of_two(), |message, shape| reduce_scatter::butterfly(message, shape));
    check_rules(on, "bine-blocks", even_shapes(), allgather::in_bursts);
    check(Collective::Alltoall, "bine", powers_of_two(), |message, shape| alltoall::bine(message, shape));
}

#[test]
fn allreduces_by_exchange() {
    let on = Collective::Allreduce;
    check_rules(on, "recursive-doubling", shapes(), |model, shape| Some(allreduce::recursive_doubling(model, shape)));
    check(on, "rabenseifner", shapes(), |message, shape| allreduce::rabenseifner(message, shape));
    check(on, "rabenseifner", folded_shapes(), |message, shape| allreduce::rabenseifner(message, shape));
    let halves = |message: &dyn Fn(u64) -> Span, shape: &Shape| allreduce::rabenseifner_halves(message, shape);
    check(on, "rabenseifner-halves", shapes().chain(folded_shapes()), halves);
}

/// Buffers that divide evenly among the ranks, or the largest power of two of them.
fn folded_shapes() -> impl Iterator<Item = Shape> {
    (1..=33u32).flat_map(|ranks| [0, 1, 9].map(|part| Shape::new(ranks, 0, part << ranks.ilog2())))
}

#[test]
fn allreduces_around_a_ring() {
    check(Collective::Allreduce, "ring", shapes(), |message, shape| Some(allreduce::ring(message, shape)));
    let segmented = (1..=33u32).flat_map(|ranks| {
        [(0, 0), (1, 0), (12, 5), (40, 8), (40, 64)]
            .map(|(share, segment_bytes)| Shape { segment_bytes, ..Shape::new(ranks, 0, share * u64::from(ranks)) })
    });
    check(Collective::Allreduce, "segmented-ring", segmented, |message, shape| {
        allreduce::segmented_ring(message, shape)
    });
}

#[test]
fn allgathers() {
    let on = Collective::Allgather;
    check_rules(on, "linear", segmented_shapes().chain(uneven_shapes()), allgather::linear);
    for name in ["ring", "two-proc"] {
        check(on, name, shapes().chain(uneven_shapes()), |message, shape| Some(allgather::ring(message, shape)));
    }
    check(on, "neighbour", shapes(), |message, shape| Some(allgather::neighbour(message, shape)));
    check(on, "bruck", shapes(), |message, shape| Some(allgather::bruck(message, shape)));
    check(on, "recursive-doubling", shapes(), |message, shape| Some(allgather::bruck(message, shape)));
}

#[test]
fn alltoalls() {
    let on = Collective::Alltoall;
    check(on, "pairwise", shapes(), |message, shape| Some(alltoall::pairwise(message, shape)));
    check(on, "bruck", shapes(), |message, shape| Some(alltoall::bruck(message, shape)));
    check_rules(on, "linear", shapes(), |model, shape| Some(alltoall::linear(model, shape)));
    for (fanout, limit) in [(0, 32), (1, 1), (3, 3), (8, 8)] {
        let shapes = shapes().step_by(3).map(|shape| Shape { fanout, ..shape });
        check_rules(on, "linear-sync", shapes, |model, shape| Some(alltoall::linear_sync(model, shape, limit)));
    }
}

#[test]
fn a_linear_alltoall_under_loggp_is_held_up_by_sends_receives_or_flight() {
    for gap in [0, 500, 5_000] {
        for (overhead_send, overhead_receive) in [(10, 2_000), (2_000, 10), (700, 700)] {
            for latency in [10, 40_000] {
                let (overhead_send, overhead_receive) = (Span(overhead_send), Span(overhead_receive));
                let (latency, gap, gap_per_byte) = (Span(latency), Span(gap), PerByte(11.3));
                let model = LogGp { latency, overhead_send, overhead_receive, gap, gap_per_byte };
                for shape in shapes().step_by(7) {
                    let got = simulated(Network::Loggp(model), Collective::Alltoall, "linear", &shape);
                    assert_eq!(got, alltoall::linear_under_loggp(&model, &shape), "{model} {shape:?}");
                }
            }
        }
    }
}

#[test]
fn reduce_scatters() {
    let on = Collective::ReduceScatter;
    check_rules(on, "non-overlapping", segmented_shapes(), reduce_scatter::non_overlapping);
    check(on, "ring", shapes().chain(uneven_shapes()), |message, shape| Some(reduce_scatter::ring(message, shape)));
    check(on, "pairwise", shapes(), |message, shape| Some(reduce_scatter::pairwise(message, shape)));
    check(on, "recursive-halving", shapes(), |message, shape| reduce_scatter::recursive_halving(message, shape));
    check(on, "butterfly", shapes(), |message, shape| reduce_scatter::butterfly(message, shape));
}

#[test]
fn scans() {
    check_rules(Collective::Scan, "linear", segmented_shapes(), scan::linear);
    let doubling = |message: &dyn Fn(u64) -> Span, shape: &Shape| Some(scan::recursive_doubling(message, shape));
    check(Collective::Scan, "recursive-doubling", shapes(), doubling);
    check(Collective::Exscan, "recursive-doubling", shapes(), doubling);
    check(Collective::Exscan, "linear", shapes(), |message, shape| Some(scan::exclusive_linear(message, shape)));
}
