//! Simulated equals closed form, to the picosecond.

mod common;

use common::{measure, order, perfect, random_loggp};
use models::closed_form::*;
use models::collective::{Algorithm, Collective, Shape};
use models::network::{Hockney, LogGp, Network, SendRule};
use models::time::{PerByte, Span, Time};
use programs::method::Method;
use programs::operation::{Operation, Own};
use programs::rank::Rank;
use proptest::prelude::*;
use sim::SimWorld;

fn hockney(alpha: Span, beta: PerByte, send_rule: SendRule) -> Network {
    Network::Hockney(Hockney { alpha, beta, send_rule })
}

/// Finish times of one call that all ranks enter at time zero.
fn finish(network: Network, collective: Collective, algorithm: &str, shape: Shape) -> Vec<Time> {
    let algorithm = Algorithm::find(collective, algorithm).unwrap();
    let world = SimWorld::ideal(network, shape.ranks);
    world.run(async |rank| Own::new(algorithm, &shape, rank.id()).call(&rank).await).unwrap().finish
}

#[test]
fn the_unsynchronised_loop_misreports_a_linear_broadcast_exactly_as_the_closed_form_says() {
    for (alpha, beta, bytes) in [(Span(1), 0.0, 0), (Span::from_us(5), 1.0, 1024), (Span(7_777_777), 0.04, 65_537)] {
        let tau = alpha + PerByte::from_ns(beta).for_bytes(bytes);
        for ranks in [2, 3, 4, 5, 8, 13, 33] {
            for k in [1, 2, 4, 7, 100] {
                let network = hockney(alpha, PerByte::from_ns(beta), SendRule::Busy);
                let mut order = order(Collective::Bcast, "linear", ranks, bytes, Method::Loop);
                order.settings.calls = k;
                let prediction = perfect(network).predict(&order).unwrap();
                for record in &prediction.ranks {
                    let (i, what) = (record.rank, format!("n={ranks} k={k} i={} τ={tau}", record.rank));
                    assert_eq!(prediction.truth[i as usize], linear_bcast_time(tau, ranks, i), "truth, {what}");
                    for stamp in &record.stamps {
                        let whole = record.clock.scale.span(stamp.start, stamp.end);
                        assert_eq!(whole, linear_bcast_loop(tau, ranks, i, k), "loop, {what}");
                        let ratio = linear_bcast_loop_ratio(ranks, i, k);
                        let truth = prediction.truth[i as usize];
                        let (left, right) = (u128::from(whole.0) * u128::from(ratio.under), truth.0 * u64::from(k));
                        assert_eq!(left, u128::from(right) * u128::from(ratio.over), "ratio, {what}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_send_rule_decides_what_a_hockney_loop_measures() {
    // Four calls on four ranks that enter together, τ = 1 µs: a busy root paces everybody, an eager root runs ahead.
    let shape = Shape::new(4, 0, 0);
    let algorithm = Algorithm::find(Collective::Bcast, "linear").unwrap();
    let whole = |rule| {
        let world = SimWorld::ideal(hockney(Span::from_us(1), PerByte(0.0), rule), 4);
        let run = world.run(async |rank| {
            let bcast = Own::new(algorithm, &shape, rank.id());
            for _ in 0..4 {
                bcast.call(&rank).await;
            }
        });
        run.unwrap().finish.iter().map(|end| end.0 / 1_000_000).collect::<Vec<_>>()
    };
    assert_eq!(whole(SendRule::Busy), [12, 10, 11, 12]);
    assert_eq!(whole(SendRule::Synchronous), [12, 10, 11, 12]);
    assert_eq!(whole(SendRule::Detached), [0, 4, 4, 4]);
    assert_eq!(whole(SendRule::Eager), [0, 1, 1, 1]);
}

#[test]
fn one_hockney_message_obeys_its_send_rule_however_late_either_side_is() {
    let (alpha, beta, bytes) = (Span(5_000), PerByte(100.0), 30);
    let t = alpha + beta.for_bytes(bytes);
    for rule in SendRule::ALL {
        for (b, r) in [(0, 0), (0, 3_000), (0, 20_000), (4_000, 0), (30_000, 0)] {
            let (b, r) = (Time(b), Time(r));
            let shape = Shape::new(2, 0, bytes);
            let algorithm = Algorithm::find(Collective::Bcast, "linear").unwrap();
            let mut world = SimWorld::ideal(hockney(alpha, beta, rule), 2);
            world.entries = vec![b, r];
            let run = world.run(async |rank| Own::new(algorithm, &shape, rank.id()).call(&rank).await).unwrap();
            let expected = match rule {
                SendRule::Busy => [b + t, r.max(b + t)],
                SendRule::Synchronous => [b.max(r) + t, b.max(r) + t],
                SendRule::Detached => [b, b.max(r) + t],
                SendRule::Eager => [b, r.max(b + t)],
            };
            assert_eq!(run.finish, expected, "{rule:?} b={b:?} r={r:?}");
        }
    }
}

proptest! {
    #[test]
    fn dissemination_under_loggp_is_rounds_of_l_plus_2o(model in random_loggp(), ranks in 1u32..200) {
        let shape = Shape::new(ranks, 0, 0);
        let expected = Time::ZERO + dissemination_barrier(model, ranks);
        let ends = finish(Network::Loggp(model), Collective::Barrier, "dissemination", shape);
        prop_assert!(ends.iter().all(|&end| end == expected), "{ends:?}, expected {expected:?}");
    }

    #[test]
    fn binomial_broadcast_under_loggp_reaches_each_rank_when_the_formula_says(
        model in random_loggp(), height in 0u32..8, root in 0u32..256, bytes in 0u64..5_000,
    ) {
        let shape = Shape::new(1 << height, root % (1 << height), bytes);
        let ends = finish(Network::Loggp(model), Collective::Bcast, "binomial", shape);
        for position in (1..shape.ranks).step_by(2) {
            // Odd positions are leaves: they end when they have the data.
            let expected = Time::ZERO + binomial_bcast_arrival(model, height, position, bytes);
            prop_assert_eq!(ends[shape.absolute(position) as usize], expected, "position {}", position);
        }
        if height > 0 {
            let between = model.overhead_send.max(model.gap + model.stretch(bytes));
            let expected = Time::ZERO + between * u64::from(height - 1) + model.overhead_send;
            prop_assert_eq!(ends[shape.root as usize], expected, "root");
        }
    }

    #[test]
    fn a_loggp_message_between_idle_ranks_costs_o_bg_l_o(model in random_loggp(), bytes in 0u64..100_000) {
        let shape = Shape::new(2, 0, bytes);
        let ends = finish(Network::Loggp(model), Collective::Bcast, "linear", shape);
        prop_assert_eq!(ends[1], Time::ZERO + model.one_message(bytes));
        prop_assert_eq!(ends[0], Time::ZERO + model.overhead_send);
    }

    #[test]
    fn trees_and_linear_barrier_under_hockney(alpha in 1u64..10_000_000, height in 0u32..7, bytes in 0u64..10_000) {
        let (alpha, beta) = (Span(alpha), PerByte(33.0));
        let network = hockney(alpha, beta, SendRule::Busy);
        let t = alpha + beta.for_bytes(bytes);
        let shape = Shape::new(1 << height, 0, bytes);
        let bcast = finish(network, Collective::Bcast, "binomial", shape);
        prop_assert!(bcast.iter().all(|&end| end == Time::ZERO + t * u64::from(height)), "{:?}", bcast);
        let reduce = finish(network, Collective::Reduce, "binomial", shape);
        prop_assert_eq!(reduce[0], Time::ZERO + t * u64::from(height));
        let barrier = finish(network, Collective::Barrier, "linear", shape);
        for (i, &end) in barrier.iter().enumerate().skip(1) {
            // All reports arrive together after α; then rank i is the i-th to be released.
            prop_assert_eq!(end, Time::ZERO + alpha * (1 + i as u64));
        }
    }
}

#[test]
fn zero_byte_messages_cost_what_one_byte_ones_do_under_loggp() {
    let model = LogGp {
        latency: Span(100),
        overhead_send: Span(10),
        overhead_receive: Span(20),
        gap: Span(50),
        gap_per_byte: PerByte(7.0),
    };
    assert_eq!(model.one_message(0), model.one_message(1));
    assert_eq!(model.one_message(2), model.one_message(1) + Span(7));
}

#[test]
fn a_barrier_before_every_call_hides_nothing_when_its_ranks_leave_together() {
    let network = hockney(Span::from_us(3), PerByte(0.0), SendRule::Busy);
    for ranks in [2, 3, 5, 8, 12] {
        let truth_and_times = measure(network, Collective::Bcast, "linear", ranks, Method::BarrierLoop);
        for (rank, (truth, times)) in truth_and_times.iter().enumerate() {
            assert!(times.iter().all(|time| time == truth), "n={ranks} rank {rank}: {times:?} instead of {truth}");
        }
    }
}
