//! Numbers that simulated ranks print are fitted: the parameters that they were printed with come back as far as printed
//! numbers determine them.

use models::collective::{Algorithm, Collective, Shape};
use parallax_fit::{
    AS_GOOD, Benchmark, Chosen, Errors, Fit, FitError, MOST_JOINT, Parameter, Parameters, Printed, Ranking, Reach,
    choose, held_out, machine,
};
use programs::budget::Configuration;
use programs::machine::{Bound, Provenance};
use programs::method::Preset;
use programs::observation::Barrier;

const RANKS: u32 = 16;
const LENGTHS: [u64; 3] = [32, 256, 4_096];

fn benchmark(barrier: &str) -> Benchmark {
    Benchmark {
        configuration: Configuration::preset(Preset::Pico, Some("median")).unwrap(),
        barrier: Barrier::find(barrier).unwrap(),
        samples: 8,
        platform: String::new(),
        near: false,
    }
}

/// L, os, or, g in µs, G in ns per byte, µs of a fetch, and O in ns per byte.
const TRUE: Parameters = Parameters { values: [1.8, 0.3, 0.2, 0.1, 0.2, 0.5, 0.05], near_us: None };

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

fn provenance() -> Provenance {
    let text = String::new;
    Provenance { date: text(), host: text(), ran_by: text(), how: text(), confidence: 0.95 }
}

#[test]
fn numbers_printed_with_known_parameters_are_predicted_and_the_truth_behind_them_is_found() {
    let benchmark = benchmark("tree");
    let rows = printed(&benchmark);
    let fit = Fit::compute(&rows, &benchmark).unwrap();
    assert!(fit.errors.median < 0.01 && fit.errors.p90 < 0.03, "{:?}", fit.errors);
    let hop = fit.range(Parameters::hop_us);
    assert!((hop.value / TRUE.hop_us() - 1.0).abs() < 0.03, "{hop:?}");
    let per_byte = fit.range(Parameters::hop_per_byte_ns);
    assert!((per_byte.value / TRUE.hop_per_byte_ns() - 1.0).abs() < 0.05, "{per_byte:?}");
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
        assert_eq!(fit, Fit::compute(&rows, &benchmark(there)).unwrap(), "nothing is lost by the screen");
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
    let ranking = Ranking::compute(&found.predicted_us, &rows, 0.1);
    assert!(ranking.pairs > 5 && 10 * ranking.in_order >= 9 * ranking.pairs, "{ranking:?}");
    assert!(ranking.tau > Some(0.8), "{ranking:?}");
}

#[test]
fn a_fit_is_the_same_on_any_number_of_threads() {
    let benchmark = benchmark("tree");
    let rows: Vec<Printed> = printed(&benchmark).into_iter().filter(|row| row.shape.bytes < 4_096).collect();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Fit::compute(&rows, &benchmark).unwrap())
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn too_few_numbers_determine_nothing() {
    let benchmark = benchmark("tree");
    let rows = printed(&benchmark)[..5].to_vec();
    assert_eq!(Fit::compute(&rows, &benchmark), Err(FitError::TooFew { expected: 7, found: 5 }));
}

#[test]
fn a_machine_holds_the_best_parameters_with_their_ranges_and_says_what_is_not_determined() {
    let benchmark = benchmark("tree");
    let rows = printed(&benchmark);
    let fit = Fit::compute(&rows, &benchmark).unwrap();
    let machine = machine("printed", provenance(), &fit);
    let loggops = machine.loggops.as_ref().unwrap();
    for estimate in
        [loggops.latency_us, loggops.overhead_send_us, loggops.gap_us, machine.inline.as_ref().unwrap().fetch_us]
    {
        assert!(estimate.low <= estimate.value && estimate.value <= estimate.high, "{estimate:?}");
    }
    assert!(machine.notes[0].starts_with("fitted to 24 printed numbers"), "{:?}", machine.notes);
    assert!(machine.notes[1].contains("L + os + or is"), "{:?}", machine.notes);
    let network = machine.network("loggops", Bound::Best).unwrap();
    assert_eq!(network, fit.parameters.network());
}

#[test]
fn a_machine_keeps_joint_fits_whose_ranges_are_those_of_the_fit() {
    let benchmark = benchmark("tree");
    let rows = printed(&benchmark);
    let fit = Fit::compute(&rows, &benchmark).unwrap();
    let joint = fit.joint();
    assert_eq!(joint.len(), MOST_JOINT);
    let ends = |of: &dyn Fn(&Parameters) -> f64| {
        let all = joint.iter().map(|one| of(one));
        all.fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)))
    };
    for parameter in Parameter::ALL {
        let range = fit.range(|all| all.get(parameter));
        assert_eq!(ends(&|all| all.get(parameter)), (range.low, range.high), "{parameter}");
    }
    let hop = fit.range(Parameters::hop_us);
    assert_eq!(ends(&Parameters::hop_us), (hop.low, hop.high));

    let file = machine("printed", provenance(), &fit);
    let file = programs::machine::Machine::parse("printed.toml", &file.text()).unwrap();
    let platforms = file.joint().into_iter().map(|one| one.platform("loggops", Bound::Best).unwrap());
    let printed_us = |platform| Errors::compute(&benchmark.prints_on(&platform, &rows).unwrap(), &rows).unwrap().mean;
    // What the file keeps fits together; the ends of all intervals taken together do not.
    let most = 1.01 * AS_GOOD * fit.errors.mean;
    platforms.for_each(|platform| assert!(printed_us(platform) <= most));
    assert!([Bound::Low, Bound::High].iter().any(|&bound| printed_us(file.platform("loggops", bound).unwrap()) > most));
}

#[test]
fn a_latency_within_a_switch_is_found_beside_the_usual_one_where_it_is_free() {
    // Sixteen nodes on four switches, out of order.
    let nodes: Vec<String> = [0, 0, 1, 0, 2, 1, 3, 3, 2, 0, 1, 2, 3, 1, 2, 3]
        .iter()
        .enumerate()
        .map(|(rank, switch)| format!("{switch}.{rank}.0"))
        .collect();
    let two = Benchmark {
        platform: format!("placement=list:{}", nodes.join("/")),
        near: true,
        ..benchmark("recursive-doubling")
    };
    let known = Parameters { near_us: Some(0.6), ..TRUE };
    let mut rows = printed(&two);
    let us = two.prints(&known, &rows).unwrap();
    rows.iter_mut().zip(us).for_each(|(row, us)| row.us = us);
    let fit = Fit::compute(&rows, &two).unwrap();
    let hop = fit.range(Parameters::hop_us);
    let near = fit.range(|all| all.hop_us() - all.get(Parameter::Latency) + all.get(Parameter::Near));
    let off = |found: f64, right: f64| (found / right - 1.0).abs();
    assert!(off(hop.value, TRUE.hop_us()) < 0.05 && off(near.value, 1.1) < 0.05, "{hop:?} {near:?}");
    assert!(near.low <= near.value && near.value <= near.high && fit.errors.median < 0.02, "{near:?} {:?}", fit.errors);
    let one = Fit::compute(&rows, &Benchmark { near: false, ..two.clone() }).unwrap();
    assert!(one.errors.mean > 2.0 * fit.errors.mean, "{:?} {:?}", one.errors, fit.errors);
    assert_eq!((one.parameters.near_us, one.parameters.free().count(), fit.parameters.free().count()), (None, 7, 8));

    let file = machine("printed", provenance(), &fit);
    let file = programs::machine::Machine::parse("printed.toml", &file.text()).unwrap();
    assert_eq!(file.near.as_ref().map(|near| near.latency_us.value), fit.parameters.near_us);
    assert!(file.joint_fits.len() > 1 && file.joint_fits.iter().all(|joint| joint.near_latency_us.is_some()));
    assert_eq!(two.prints_on(&file.platform("loggops", Bound::Best).unwrap(), &rows).unwrap(), fit.predicted_us);
    let plain = machine("printed", provenance(), &one).text();
    assert!(!plain.contains("near"), "{plain}");
    let few = Fit::compute(&rows[..7], &two);
    assert_eq!(few, Err(FitError::TooFew { expected: 8, found: 7 }));
}

#[test]
fn ranks_on_one_node_are_nearer_to_each_other() {
    let far = benchmark("tree");
    let rows = printed(&far);
    let near = Benchmark { platform: "placement=block:4,class.node.L=100ns".to_owned(), ..far.clone() };
    let truths = [&far, &near].map(|benchmark| benchmark.truths(&TRUE, &rows).unwrap());
    let binomial = rows.iter().position(|row| row.name == "bcast binomial 32").unwrap();
    // Two of four hops are within a node, 1.7 µs shorter each.
    assert!((truths[0][binomial] - truths[1][binomial] - 3.4).abs() < 1e-6, "{truths:?}");
    let printed = near.prints(&TRUE, &rows).unwrap();
    let rows: Vec<Printed> = rows.into_iter().zip(printed).map(|(row, us)| Printed { us, ..row }).collect();
    let fit = Fit::compute(&rows, &near).unwrap();
    let hop = fit.range(Parameters::hop_us);
    assert!(fit.errors.median < 0.01 && (hop.value / TRUE.hop_us() - 1.0).abs() < 0.05, "{:?} {hop:?}", fit.errors);
    let wrong = Benchmark { platform: "class.node.L=100ns".to_owned(), ..far.clone() };
    assert!(Fit::compute(&rows, &wrong).unwrap_err().to_string().contains("--platform: class"));
    let short = Benchmark { platform: "placement=list:0/0/1,class.node.L=100ns".to_owned(), ..far };
    assert!(Fit::compute(&rows, &short).unwrap_err().to_string().contains("lists 3 ranks"));
}

fn row(name: &str, bytes: u64, us: f64) -> Printed {
    let algorithm = Algorithm::find(Collective::Bcast, name).unwrap();
    Printed { name: name.to_owned(), algorithm, shape: Shape::new(8, 0, bytes), us }
}

#[test]
fn the_order_of_pairs_counts_those_that_are_apart() {
    let mut rows =
        [("binomial", 10.0), ("linear", 20.0), ("chain", 20.5), ("binary", 5.0)].map(|(name, us)| row(name, 8, us));
    // How an algorithm does it makes no other call.
    (rows[2].shape.fanout, rows[2].shape.segment_bytes) = (4, 2);
    // Linear and chain are too close; binomial before binary is turned round. Of all six pairs four are in order.
    let expected = Ranking { pairs: 5, in_order: 4, tau: Some((4.0 - 2.0) / 6.0) };
    assert_eq!(Ranking::compute(&[10.0, 30.0, 29.0, 11.0], &rows, 0.1), expected);
    assert_eq!(Ranking::compute(&[1.0], &rows[..1], 0.1), Ranking { pairs: 0, in_order: 0, tau: None });
    assert_eq!(Ranking::compute(&[1.0, 1.0], &rows[..2], 0.1), Ranking { pairs: 1, in_order: 0, tau: None });
}

#[test]
fn tau_over_all_orders_has_kendalls_distribution_and_counts_no_pairs_of_different_lengths() {
    let names = ["binomial", "linear", "chain", "binary"];
    let rows: Vec<Printed> = (1..).zip(names).map(|(us, name)| row(name, 8, f64::from(us))).collect();
    let twice: Vec<Printed> =
        rows.iter().cloned().chain((1..).zip(names).map(|(us, name)| row(name, 64, f64::from(us)))).collect();
    let (mut counts, mut with_ties) = ([0; 7], 0);
    for number in 0..256_u32 {
        let predicted: Vec<f64> = (0..4).map(|place| f64::from(number >> (2 * place) & 3)).collect();
        let pairs = || (0..4).flat_map(|one| (0..one).map(move |other| (other, one)));
        let count =
            |is: &dyn Fn(f64, f64) -> bool| pairs().filter(|&(a, b)| is(predicted[a], predicted[b])).count() as f64;
        let (up, down) = (count(&|a, b| a < b), count(&|a, b| a > b));
        let found = Ranking::compute(&predicted, &rows, 0.1);
        let expected = (up + down > 0.0).then(|| (up - down) / (6.0 * (up + down)).sqrt());
        assert_eq!((found.pairs, found.in_order, found.tau), (6, up as usize, expected), "{predicted:?}");
        match up + down == 6.0 {
            true => counts[down as usize] += 1,
            false => with_ties += 1,
        }
        // The other length is in order: its six pairs come to these, and none between both.
        let both: Vec<f64> = predicted.iter().copied().chain([1.0, 2.0, 3.0, 4.0]).collect();
        let tau = Ranking::compute(&both, &twice, 0.1).tau.unwrap();
        assert!((tau - (up - down + 6.0) / (12.0 * (up + down + 6.0)).sqrt()).abs() < 1e-12, "{both:?}");
    }
    // Orders of four by their inversions (Kendall 1938).
    assert_eq!((counts, with_ties), ([1, 3, 5, 6, 5, 3, 1], 232));
}
