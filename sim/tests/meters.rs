//! Meters on simulated ranks: what algebra says of patterns, and a solver that does not care how its grid is divided.

use models::network::{Network, parse};
use models::noise::Noise;
use models::time::Span;
use parallax_sim::SimWorld;
use programs::meters::{Grid, Meter, Metered, Pattern, Patterns, Solver};

fn run(meter: &Meter, ranks: u32, settings: &str, noise: Noise) -> Vec<Metered> {
    let network: Network = parse("loggp", Some(settings), None).unwrap();
    // The meter's own messages cross the same network: what they take is not in the times.
    let world = SimWorld { network: network.into(), noise, ..SimWorld::ideal(network, ranks) };
    meter.gathered(world.run(async |rank| meter.run(&rank).await).unwrap().results)
}

fn patterns(pattern: Pattern, ranks: u32, large: u64, times: u32) -> Meter {
    let (grid, patterns) = (Grid::for_ranks(ranks), vec![pattern]);
    Meter::Patterns(Patterns { patterns, grid, periodic: false, large, small: 0, repetitions: (1, times) })
}

#[test]
fn patterns_of_empty_messages_take_what_algebra_says() {
    let (latency, overhead, gap) = (Span::from_us(5), Span::from_us(1), Span::from_us(3));
    let message = overhead + latency + overhead;
    for ranks in [2_u32, 4, 7] {
        let took = |pattern: Pattern| {
            let all = run(&patterns(pattern, ranks, 0, 3), ranks, "L=5us,o=1us,g=3us,G=0", Noise::none());
            all.into_iter().map(|rank| rank.steps[0].took.clone()).collect::<Vec<_>>()
        };
        let bisection = took(Pattern::Bisection);
        for (rank, took) in (0..ranks).zip(&bisection) {
            let expected = if rank < ranks / 2 * 2 { vec![message; 3] } else { Vec::new() };
            assert_eq!(*took, expected, "rank {rank} of {ranks}");
        }
        // All messages arrive at once, and a receive begins every g.
        let master = message + gap * u64::from(ranks - 2);
        assert!(took(Pattern::Master).iter().all(|took| *took == vec![master; 3]), "{ranks} ranks");
    }
    // On a line of two, each direction is one message, from rank 0 to rank 1.
    let line = run(&patterns(Pattern::Directions, 2, 0, 3), 2, "L=5us,o=1us,g=3us,G=0", Noise::none());
    assert_eq!(
        (line[0].steps.len(), &line[0].steps[0].took, &line[1].steps[0].took[..]),
        (1, &vec![overhead; 3], &[message; 3][..])
    );
}

#[test]
fn noise_makes_a_pattern_unstable_and_the_noisy_rank_is_seen() {
    let noise = Noise::parse(&["periodic:period=100us,duration=20us,ranks=1".to_owned()], 1).unwrap();
    let (free, disturbed) = (Noise::none(), noise);
    let took = |noise| {
        let all = run(&patterns(Pattern::Bisection, 4, 1_000, 60), 4, "L=5us,o=1us,g=3us,G=1ns/B", noise);
        all.into_iter().map(|rank| rank.steps[0].took.iter().copied().sum::<Span>()).collect::<Vec<_>>()
    };
    let (quiet, noisy) = (took(free), took(disturbed));
    assert_eq!(quiet[0], quiet[3]);
    assert!(noisy[1] > quiet[1] && noisy[3] > quiet[3], "rank 3 waits for rank 1: {noisy:?} {quiet:?}");
    assert_eq!((noisy[0], noisy[2]), (quiet[0], quiet[2]), "the other pair does not");
}

#[test]
fn a_solver_solves_the_same_system_however_it_is_divided() {
    let solve = |ranks: u32, rows: [u32; 3]| {
        let solver = Meter::Solver(Solver { rows, grid: Grid::for_ranks(ranks), iterations: 25 });
        let all = run(&solver, ranks, "L=5us,o=1us,g=3us,G=1ns/B", Noise::none());
        for rank in &all {
            assert_eq!(rank.residuals, all[0].residuals, "all ranks have one residual");
            let names: Vec<&str> = rank.steps.iter().map(|step| step.name.as_str()).collect();
            assert_eq!(names, ["product", "sum", "iteration"]);
            assert_eq!((rank.steps[0].took.len(), rank.steps[2].took.len()), (50, 25));
        }
        all[0].residuals.clone()
    };
    let alone = solve(1, [12, 6, 4]);
    assert!(alone.last().is_some_and(|last| *last < 1e-6), "{alone:?}");
    for (ranks, rows) in [(2, [6, 6, 4]), (4, [6, 3, 4]), (12, [4, 3, 2])] {
        let divided = solve(ranks, rows);
        // Sums are added up in another order.
        for (one, other) in alone.iter().zip(&divided).take(12) {
            assert!((one / other - 1.0).abs() < 1e-6, "{ranks} ranks: {one} {other}");
        }
    }
}
