//! Numbers that simulated ranks print are fitted: the parameters that they were printed with come back as far as printed
//! numbers determine them.

use models::budget::Configuration;
use models::collective::{Algorithm, Collective, Shape};
use models::method::Preset;
use models::observation::Barrier;
use parallax_fit::{
    Benchmark, Chosen, Fit, FitError, Parameter, Parameters, Printed, Reach, choose, held_out, machine, order_kept,
};

const RANKS: u32 = 16;
const LENGTHS: [u64; 3] = [32, 256, 4_096];

fn benchmark(barrier: &str) -> Benchmark {
    Benchmark {
        configuration: Configuration::preset(Preset::Pico, Some("median")).unwrap(),
        barrier: Barrier::find(barrier).unwrap(),
        samples: 8,
    }
}

/// L, os, or, g in µs, G in ns per byte, and µs of a fetch.
const TRUE: Parameters = Parameters { values: [1.8, 0.3, 0.2, 0.1, 0.2, 0.5] };

/// What a benchmark prints where these parameters are true.
fn printed(benchmark: &Benchmark) -> Vec<Printed> {
    let families = [
        (Collective::Bcast, "binomial"),
        (Collective::Bcast, "binary"),
        (Collective::Bcast, "linear"),
        (Collective::Reduce, "binomial"),
        (Collective::Allgather, "ring"),
        (Collective::Allreduce, "recursive-doubling"),
        (Collective::Scatter, "linear"),
        (Collective::Alltoall, "linear"),
    ];
    let row = |(collective, name), bytes| Printed {
        name: format!("{collective} {name} {bytes}"),
        algorithm: Algorithm::find(collective, name).unwrap(),
        shape: Shape::new(RANKS, 0, bytes),
        us: 0.0,
    };
    let mut rows: Vec<Printed> =
        families.into_iter().flat_map(|family| LENGTHS.map(|bytes| row(family, bytes))).collect();
    let us = benchmark.prints(&TRUE, &rows).unwrap();
    rows.iter_mut().zip(us).for_each(|(row, us)| row.us = us);
    rows
}

#[test]
fn numbers_printed_with_known_parameters_are_predicted_and_the_truth_behind_them_is_found() {
    let benchmark = benchmark("tree");
    let rows = printed(&benchmark);
    let fit = Fit::of(&rows, &benchmark).unwrap();
    assert!(fit.errors.median < 0.01 && fit.errors.p90 < 0.03, "{:?}", fit.errors);
    let hop = fit.range(Parameters::hop_us);
    assert!((hop.value / TRUE.hop_us() - 1.0).abs() < 0.03, "{hop:?}");
    let per_byte = fit.range(|all| all.get(Parameter::GapPerByte));
    assert!((per_byte.value / 0.2 - 1.0).abs() < 0.05, "{per_byte:?}");
    let truths = benchmark.truths(&TRUE, &rows).unwrap();
    let found = fit.truths(&benchmark, &rows).unwrap();
    assert!(found.iter().all(|range| range.low <= range.value && range.value <= range.high), "{found:?}");
    let right = found.iter().zip(&truths).filter(|(range, truth)| (range.value / **truth - 1.0).abs() < 0.05).count();
    // How a hop is divided into L and o decides calls with many messages of one rank alone.
    assert!(right >= 20, "{right} of {}: {found:?} {truths:?}", rows.len());
}

#[test]
fn what_is_printed_is_not_what_is_true() {
    let benchmark = benchmark("tree");
    let rows = printed(&benchmark);
    let truths = benchmark.truths(&TRUE, &rows).unwrap();
    let ratio = |name: &str| {
        let place = rows.iter().position(|row| row.name == name).unwrap();
        rows[place].us / truths[place]
    };
    assert!(ratio("bcast binomial 32") < 0.5, "ranks leave a tree as a tree's calls begin");
    assert!((0.9..1.1).contains(&ratio("allgather ring 4096")), "{}", ratio("allgather ring 4096"));
}

#[test]
fn the_barrier_that_was_there_fits_best() {
    let names = ["recursive-doubling", "tree", "linear", "dissemination", "double-ring"];
    let barriers = names.map(|name| Barrier::find(name).unwrap());
    for there in ["tree", "recursive-doubling"] {
        let rows = printed(&benchmark(there));
        let Chosen { barrier, fit, candidates } = choose(&rows, &benchmark("linear"), &barriers).unwrap();
        assert_eq!(barrier, Barrier::find(there).unwrap(), "{candidates:?}");
        assert_eq!(fit, Fit::of(&rows, &benchmark(there)).unwrap(), "nothing is lost by the screen");
        let fitted = candidates.iter().position(|one| one.reach == Reach::Screen).unwrap();
        assert!((1..=2).contains(&fitted), "{candidates:?}");
        assert_eq!(candidates.len() - fitted, barriers.len(), "each barrier is screened");
        assert!(candidates[fitted..].windows(2).all(|pair| pair[0].errors.mean <= pair[1].errors.mean));
        assert_eq!((candidates[0].barrier, candidates[0].errors.count), (barrier, rows.len()));
        assert!(
            candidates
                .iter()
                .filter(|one| one.barrier != barrier)
                .all(|one| one.errors.mean > 2.0 * candidates[0].errors.mean)
        );
    }
    assert!(matches!(choose(&printed(&benchmark("tree")), &benchmark("tree"), &[]), Err(FitError::Other(_))));
}

#[test]
fn algorithms_that_were_not_fitted_are_predicted() {
    let benchmark = benchmark("recursive-doubling");
    let rows = printed(&benchmark);
    let found = held_out(&rows, &benchmark, 4).unwrap();
    // What no other family shows, such as g of many messages from one rank, is not determined where that family is out.
    assert!(found.errors.median < 0.05, "{:?}", found.errors);
    let (pairs, kept) = order_kept(&found.predicted_us, &rows, 0.1);
    assert!(pairs > 5 && 10 * kept >= 9 * pairs, "{kept} of {pairs}");
}

#[test]
fn a_fit_is_the_same_on_any_number_of_threads() {
    let benchmark = benchmark("tree");
    let rows: Vec<Printed> = printed(&benchmark).into_iter().filter(|row| row.shape.bytes < 4_096).collect();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Fit::of(&rows, &benchmark).unwrap())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn too_few_numbers_determine_nothing() {
    let benchmark = benchmark("tree");
    let rows = printed(&benchmark)[..5].to_vec();
    assert_eq!(Fit::of(&rows, &benchmark), Err(FitError::TooFew { expected: 6, found: 5 }));
}

#[test]
fn a_machine_holds_the_best_parameters_with_their_ranges_and_says_what_is_not_determined() {
    let benchmark = benchmark("tree");
    let rows = printed(&benchmark);
    let fit = Fit::of(&rows, &benchmark).unwrap();
    let provenance = models::machine::Provenance {
        date: String::new(),
        host: String::new(),
        ran_by: String::new(),
        how: String::new(),
        confidence: 0.95,
    };
    let machine = machine("printed", provenance, &fit);
    let loggops = machine.loggops.as_ref().unwrap();
    for estimate in
        [loggops.latency_us, loggops.overhead_send_us, loggops.gap_us, machine.inline.as_ref().unwrap().fetch_us]
    {
        assert!(estimate.low <= estimate.value && estimate.value <= estimate.high, "{estimate:?}");
    }
    assert!(machine.notes[0].starts_with("fitted to 24 printed numbers"), "{:?}", machine.notes);
    assert!(machine.notes[1].contains("L + os + or is"), "{:?}", machine.notes);
    let network = machine.network("loggops", models::machine::Bound::Best).unwrap();
    assert_eq!(network, fit.parameters.network());
}

#[test]
fn the_order_of_pairs_counts_those_that_are_apart() {
    let row = |name: &str, us| Printed {
        name: name.to_owned(),
        algorithm: Algorithm::find(Collective::Bcast, name).unwrap(),
        shape: Shape::new(8, 0, 8),
        us,
    };
    let rows = [row("binomial", 10.0), row("linear", 20.0), row("chain", 20.5), row("binary", 5.0)];
    // Linear and chain are too close; binomial before binary is turned round.
    assert_eq!(order_kept(&[10.0, 30.0, 29.0, 11.0], &rows, 0.1), (5, 4));
}
