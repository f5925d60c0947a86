//! Skew that keeps itself alive (E10): what one delay of one rank adds to all numbers that a barrier loop prints from then on.
//!
//! Under LogGP without gaps (L, o; g = G = 0) a round of recursive doubling ends at max(tᵢ, tⱼ + L) + 2o on rank i, its partner
//! being j. After all n = log₂ P rounds that is maxⱼ (tⱼ + L·|i ⊕ j|) + 2on, |x| counting the bits of x: max-plus algebra over
//! the distances of a hypercube. One rank d that is late by D leaves such a barrier, and its opposite ¬d is now the only one
//! that is late, by min(D, nL), and its neighbours by L less with every bit. The next operation of the same form turns ¬d into d
//! again, so that nothing is ever forgotten. The longest stay of any rank is n(L + 2o) + min(D, nL): that of a rank which
//! came as early as any, and whose opposite came last.

use models::call::Call;
use models::collective::{Collective, Shape};
use models::network::Network;
use models::time::Span;
use parallax_sim::Predictor;
use programs::budget::Configuration;
use programs::method::{Method, MethodSettings, OneDelay, Order, Subject};
use programs::observation::Implementation;
use programs::sync::Sync;

const LATENCY: Span = Span::from_us(2);
const OVERHEAD: Span = Span(500_000);

fn machine() -> Predictor {
    Predictor::perfect(Network::parse("loggp", Some("L=2us,o=500ns,g=0ns,G=0ns/B"), None).unwrap())
}

fn order((collective, algorithm): (Collective, &str), barrier: &str, ranks: u32) -> Order {
    Order {
        subject: Subject::Collective(collective, Implementation::Own(algorithm.to_owned())),
        shape: Shape::new(ranks, 0, 8),
        call: Call::default(),
        copies_as: None,
        environment: Default::default(),
        settings: MethodSettings {
            method: Method::BarrierLoop,
            calls: 16,
            samples: 1,
            warmup: 2,
            barrier: Implementation::Own(barrier.to_owned()),
            sync: Sync::Linear,
            window: Default::default(),
            round_time: Default::default(),
            factors: Default::default(),
        },
    }
}

/// What a configuration prints of the calls, in ps.
fn printed_ps(configuration: &str, order: &Order) -> u64 {
    (machine().printed(&Configuration::parse(configuration).unwrap(), order).unwrap() * 1e6).round() as u64
}

/// What the slowest rank's median is where one rank was late by so much, in ps.
fn after(duration: Span, rank: u32, order: &Order) -> u64 {
    let delay = OneDelay { duration: Some(duration), rank: Some(rank) };
    printed_ps(&format!("pico,first-call=apart,delay={delay}"), order)
}

const ALLREDUCE: (Collective, &str) = (Collective::Allreduce, "recursive-doubling");

#[test]
fn recursive_doubling_keeps_a_skew_of_log2_p_latencies_at_most_for_every_late_rank() {
    for n in 1..=5 {
        let ranks = 1 << n;
        let order = order(ALLREDUCE, "recursive-doubling", ranks);
        let (most, truth) = (LATENCY * n, (LATENCY + OVERHEAD * 2) * n);
        assert_eq!(printed_ps("pico,delay=none", &order), truth.0, "{ranks} ranks: of the symmetric state the truth");
        for rank in 0..ranks {
            for duration in
                [Span::ZERO, Span(1), Span(LATENCY.0 / 3), LATENCY, Span(most.0 - 1), most, Span(9 * most.0)]
            {
                let expected = truth.0 + duration.min(most).0;
                assert_eq!(after(duration, rank, &order), expected, "{ranks} ranks, rank {rank} late by {duration:?}");
            }
        }
        assert_eq!(
            printed_ps("pico,first-call=apart", &order),
            truth.0 + most.0,
            "a delay that nobody gave is long enough"
        );
    }
}

#[test]
fn so_do_other_operations_that_double_and_halve() {
    let operations = [(Collective::Allgather, "recursive-doubling"), (Collective::ReduceScatter, "recursive-halving")];
    for operation in operations {
        for n in 1..=4 {
            let order = order(operation, "recursive-doubling", 1 << n);
            let (most, truth) = (LATENCY * n, (LATENCY + OVERHEAD * 2) * n);
            assert_eq!(printed_ps("pico,delay=none", &order), truth.0, "{operation:?}");
            assert_eq!(after(Span(3 * most.0), 0, &order), truth.0 + most.0, "{operation:?}");
        }
    }
}

#[test]
fn barriers_of_one_root_forget_a_delay_and_dissemination_forgets_a_part() {
    for n in 1u32..=5 {
        let ranks = 1 << n;
        for rank in 0..ranks {
            for barrier in ["linear", "tree"] {
                let order = order(ALLREDUCE, barrier, ranks);
                let calm = printed_ps("pico,delay=none", &order);
                assert_eq!(after(Span::from_ms(1), rank, &order), calm, "{barrier}, {ranks} ranks");
            }
            let order = order(ALLREDUCE, "dissemination", ranks);
            let kept = after(Span::from_ms(1), rank, &order) - printed_ps("pico,delay=none", &order);
            // Two ranks meet in the same way in both; of more, distances on a ring and on a hypercube differ.
            let forgets = n == 1 || kept < LATENCY.0 * u64::from(n);
            assert!(kept >= LATENCY.0 && forgets, "{ranks} ranks, rank {rank}: {kept} ps are kept");
        }
    }
}

#[test]
fn operations_of_one_root_have_one_steady_state() {
    for operation in [(Collective::Bcast, "binomial"), (Collective::Bcast, "linear"), (Collective::Reduce, "binomial")]
    {
        for barrier in ["recursive-doubling", "dissemination", "tree", "linear"] {
            for ranks in [2, 4, 8, 16] {
                let order = order(operation, barrier, ranks);
                let calm = printed_ps("osu:max,samples=median", &order);
                let delayed = printed_ps("osu:max,samples=median,E10", &order);
                assert_eq!(delayed, calm, "{operation:?} behind {barrier}, {ranks} ranks");
            }
        }
    }
}

#[test]
fn announced_starts_forget_a_delay() {
    let order = order(ALLREDUCE, "recursive-doubling", 8);
    for method in ["round-time", "window", "reference"] {
        let calm = printed_ps(method, &order);
        for delay in ["auto", "12us@5", "3ms@0"] {
            assert_eq!(printed_ps(&format!("{method},delay={delay}"), &order), calm, "{method} after {delay}");
        }
    }
}

#[test]
fn a_budget_tells_what_the_barrier_skews_and_then_what_one_delay_adds() {
    let order = order(ALLREDUCE, "recursive-doubling", 16);
    let (from, to) = ("reference,buffer=same", "pico,first-call=apart,clocks=perfect");
    let [from, to] = [from, to].map(|text| Configuration::parse(text).unwrap());
    let budget = machine().budget(&from, &to, &order).unwrap();
    let bars: Vec<(&str, f64)> = budget.bars.iter().map(|bar| (bar.errors[0].label(), bar.us.value)).collect();
    let kept = LATENCY * 4;
    assert_eq!(bars, [("E5", 0.0), ("E10", kept.as_us()), ("E2", 0.0)]);
    assert_eq!(budget.to_us.value, (kept + (LATENCY + OVERHEAD * 2) * 4).as_us());
}

#[test]
fn a_rank_that_is_not_there_cannot_be_late() {
    let order = order(ALLREDUCE, "linear", 4);
    let late = Configuration::parse("pico,delay=1us@4").unwrap();
    assert!(machine().printed(&late, &order).unwrap_err().to_string().contains("0 to 3, found 4"));
}
