//! Simulated equals closed form, to the picosecond: P = 1 … 33, roots, sizes, segments, fanouts, eager and busy senders.

use models::closed_form::completion;
use models::collective::{ALGORITHMS, Algorithm, Collective, Counts, Shape};
use models::network::{Hockney, Network, SendRule};
use models::time::{PerByte, Span, Time};
use parallax_sim::SimWorld;
use programs::operation::{Operation, Own};

const RULES: [SendRule; 2] = [SendRule::Eager, SendRule::Busy];

fn model(send_rule: SendRule) -> Hockney {
    // 1/3 ns per byte: every transfer is rounded.
    Hockney { alpha: Span(1_234_567), beta: PerByte(1_000.0 / 3.0), send_rule }
}

/// When the last rank is done with one call that all enter at time zero.
fn simulated(algorithm: &Algorithm, model: Hockney, shape: &Shape) -> Time {
    let world = SimWorld::ideal(Network::Hockney(model), shape.ranks);
    let run = world.run(async |rank| Own::new(algorithm, shape, programs::rank::Rank::id(&rank)).call(&rank).await);
    run.unwrap_or_else(|error| panic!("{algorithm:?} {shape:?}: {error}")).finish.into_iter().max().unwrap()
}

fn roots(algorithm: &Algorithm, ranks: u32) -> Vec<u32> {
    if algorithm.collective.is_rooted() { vec![0, ranks / 2, ranks - 1] } else { vec![0] }
}

fn shapes(algorithm: &Algorithm, ranks: u32) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for root in roots(algorithm, ranks) {
        for bytes in [0, 1, 1_000, 96 * u64::from(ranks)] {
            for (segment_bytes, fanout) in [(0, 0), (64, 0), (300, 3), (500, 2), (1_000, 7), (0, 50)] {
                shapes.push(Shape { segment_bytes, fanout, ..Shape::new(ranks, root, bytes) });
            }
        }
    }
    shapes
}

#[test]
fn simulated_calls_take_as_long_as_their_closed_forms_say() {
    let mut known = std::collections::BTreeSet::new();
    for (algorithm, rule) in ALGORITHMS.iter().flat_map(|algorithm| RULES.map(|rule| (algorithm, rule))) {
        for ranks in (1..=33u32).filter(|&ranks| algorithm.ranks.include(ranks)) {
            // The larger P, the fewer of all combinations; 5 shares no factor with the number of any parameter's values.
            for shape in shapes(algorithm, ranks)
                .into_iter()
                .skip(if ranks < 9 { 0 } else { ranks as usize % 5 })
                .step_by(if ranks < 9 { 1 } else { 5 })
            {
                if let Some(span) = completion(algorithm, &model(rule), &shape) {
                    let end = simulated(algorithm, model(rule), &shape);
                    assert_eq!(end, Time::ZERO + span, "{algorithm:?} {rule:?} {shape:?}");
                    known.insert((algorithm.collective, algorithm.name, rule.name()));
                }
            }
        }
    }
    for algorithm in ALGORITHMS {
        let rooted = algorithm.collective.is_rooted() || algorithm.collective == Collective::Barrier;
        assert!(
            !rooted || known.contains(&(algorithm.collective, algorithm.name, "eager")),
            "{algorithm:?} has no closed form under eager senders"
        );
    }
}

#[test]
fn blocks_of_uneven_length_take_as_long_as_their_closed_forms_say() {
    for (algorithm, rule) in ALGORITHMS.iter().flat_map(|algorithm| RULES.map(|rule| (algorithm, rule))) {
        for ranks in (2..=33u32).filter(|&ranks| algorithm.ranks.include(ranks)) {
            let lengths: Vec<u64> = (0..u64::from(ranks)).map(|i| (i + 1) * 7 % 5 * 1_000).collect();
            let counts = Some(Counts::new(&lengths).unwrap());
            for root in roots(algorithm, ranks) {
                let shape = Shape { counts, ..Shape::new(ranks, root, 0) };
                if algorithm.uneven
                    && let Some(span) = completion(algorithm, &model(rule), &shape)
                {
                    assert_eq!(simulated(algorithm, model(rule), &shape), Time::ZERO + span, "{algorithm:?} {shape:?}");
                }
            }
        }
    }
}

#[test]
fn without_a_cost_per_byte_an_eager_call_takes_as_many_alphas_as_messages_wait_for_each_other() {
    let model = Hockney { alpha: Span(1_000), beta: PerByte(0.0), send_rule: SendRule::Eager };
    for algorithm in ALGORITHMS {
        for ranks in (1..=33u32).filter(|&ranks| algorithm.ranks.include(ranks)) {
            for root in roots(algorithm, ranks) {
                for (bytes, segment_bytes, fanout) in [(100, 0, 0), (100, 30, 0), (100, 20, 3)] {
                    let shape = Shape { segment_bytes, fanout, ..Shape::new(ranks, root, bytes) };
                    let expected = Time::ZERO + model.alpha * (algorithm.cost)(&shape).critical;
                    assert_eq!(simulated(algorithm, model, &shape), expected, "{algorithm:?} {shape:?}");
                }
            }
        }
    }
}
