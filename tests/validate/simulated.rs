//! What a validation says of observations whose machine and algorithms are known.

use crate::fixture::{LENGTHS, begin, case, draws, loggops, machine, observation, prediction, samples, truth};
use models::collective::Collective;
use programs::calibration::Sample;
use programs::machine::Bound;
use programs::observation::{Case, Implementation};
use scenario::store::Line;
use study::validation::{
    Fit, HeldOut, Identified, Judged, LengthError, PredictedCases, Prediction, Trained, Validation,
};

const MODELS: [&str; 3] = ["hockney", "loggp", "loggops"];

/// Cases of our own algorithms, measured in two launches, and predicted by all models.
fn validated(calls: &[(Collective, &str)], ranks: u32) -> Validation {
    let network = loggops();
    let mut rng = draws();
    let mut lines = vec![begin()];
    let mut cases: Vec<Case> = Vec::new();
    for &(collective, name) in calls {
        for bytes in LENGTHS {
            let one = case(collective, Implementation::Own(name.to_owned()), ranks, bytes);
            lines.extend([0, 1].map(|launch| observation(&one, launch, truth(network, &one), &mut rng)));
            cases.push(one);
        }
    }
    let machine = machine(&cases[0], &samples(network));
    let of = |case: &Case| MODELS.map(|model| prediction(&machine, model, case));
    let cases: Vec<Prediction> = cases.iter().flat_map(of).collect();
    lines.push(Line::Machine(Box::new(machine)));
    Validation::compare(&lines, &PredictedCases { cases, ..PredictedCases::default() })
}

#[test]
fn the_model_that_made_the_observations_wins_clearly() {
    // One binomial tree: of chains of messages every model says the same.
    let calls = [
        (Collective::Bcast, "linear"),
        (Collective::Bcast, "binomial"),
        (Collective::Scatter, "linear"),
        (Collective::Gather, "linear"),
        (Collective::Alltoall, "linear"),
    ];
    let validation = validated(&calls, 8);
    assert_eq!(validation.rows.len(), 5 * LENGTHS.len() * MODELS.len());
    let all = validation.best.last().expect("some are predicted");
    assert_eq!((all.collective, all.model.as_str()), (None, "loggops"));
    assert!(all.median < 0.02, "{all:?}");
    assert!(all.is_clear(), "{all:?}");
    let errors = |model: &str| {
        validation.errors.iter().find(|row| row.collective.is_none() && row.model == model).expect("a row").median.value
    };
    assert!(errors("hockney") > 0.1 && errors("loggops") < 0.02, "{:?}", validation.errors);
    assert!(validation.worst.iter().all(|worst| worst.row.model != "loggops"), "{:?}", validation.worst);
    assert!(validation.worst.iter().all(|worst| !worst.reasons.is_empty()));
}

/// Broadcasts of Open MPI in two launches: forced ones, and the library's choice, which is `chosen`'s at each length.
fn library(names: &[&str], ranks: u32, chosen: impl Fn(u64) -> &'static str) -> Validation {
    let network = loggops();
    let mut rng = draws();
    let mut lines = vec![begin()];
    let mut cases: Vec<Case> = Vec::new();
    let forced = |name: &str, bytes| case(Collective::Bcast, Implementation::Forced(name.to_owned()), ranks, bytes);
    for launch in [0, 1] {
        for bytes in LENGTHS {
            for name in names {
                let one = forced(name, bytes);
                lines.push(observation(&one, launch, truth(network, &one), &mut rng));
                cases.push(one);
            }
            let time = truth(network, &forced(chosen(bytes), bytes));
            let one = case(Collective::Bcast, Implementation::Library, ranks, bytes);
            lines.push(observation(&one, launch, time, &mut rng));
        }
    }
    cases.truncate(cases.len() / 2);
    let machine = machine(&cases[0], &samples(network));
    let cases = cases.iter().map(|case| prediction(&machine, "loggops", case)).collect();
    lines.push(Line::Machine(Box::new(machine)));
    Validation::compare(&lines, &PredictedCases { cases, ..PredictedCases::default() })
}

#[test]
fn the_algorithm_of_a_library_is_named_from_measured_and_from_predicted_curves() {
    let names = ["basic_linear", "chain", "binomial", "scatter_allgather"];
    let chosen = |bytes| if bytes <= 4_096 { "binomial" } else { "scatter_allgather" };
    let validation = library(&names, 8, chosen);
    let [found] = &validation.library[..] else { panic!("{:?}", validation.library) };
    for length in &found.lengths {
        let expected = Some(Identified::As(vec![chosen(length.bytes).to_owned()]));
        assert_eq!(length.by_measurement, expected, "{length:?}");
        assert_eq!(length.by_prediction, expected, "{length:?}");
    }
    // The table of Open MPI 4.1 takes binary_tree for 8 B on 8 ranks, which was not measured: nothing speaks against it.
    assert_eq!(found.lengths[0].table.as_deref(), Some("binary_tree"));
    assert!(!found.lengths[0].contradicts());
    let against = library(&["basic_linear", "binary_tree", "scatter_allgather"], 8, |_| "basic_linear");
    assert!(against.library[0].lengths[0].contradicts(), "{:?}", against.library);
    let wrong: usize = validation.confusion.iter().flat_map(|one| &one.wrong).map(|(_, times)| times).sum();
    let right: usize = validation.confusion.iter().map(|one| one.right).sum();
    let whole: usize = validation.confusion.iter().map(|one| one.all()).sum();
    assert_eq!(whole, 2 * 2 * names.len() * LENGTHS.len(), "by measurement and by prediction, in two launches");
    assert_eq!(wrong, 0, "{:?}", validation.confusion);
    assert!(right * 10 >= whole * 9, "{:?}", validation.confusion);
}

#[test]
fn algorithms_of_the_same_messages_are_one_and_a_library_that_does_something_else_is_not_named() {
    let same = library(&["basic_linear", "binomial", "scatter_allgather"], 2, |_| "binomial");
    let both = Some(Identified::As(vec!["basic_linear".to_owned(), "binomial".to_owned()]));
    assert!(same.library[0].lengths.iter().all(|length| length.by_measurement == both), "{:?}", same.library);
    let other = library(&["basic_linear", "binomial"], 8, |_| "pipeline");
    let long = other.library[0].lengths.last().expect("lengths");
    assert_eq!(long.by_measurement, Some(Identified::SomethingElse), "{long:?}");
}

#[test]
fn held_out_lengths_of_a_model_that_holds_are_predicted_as_well_as_fitted_ones() {
    let all = samples(loggops());
    let whole = machine(&case(Collective::Bcast, Implementation::Library, 2, 8), &all);
    let lengths: Vec<u64> = whole.transfer.iter().map(|point| point.bytes).collect();
    let half: Vec<u64> = lengths.iter().copied().step_by(2).collect();
    let some: Vec<Sample> =
        all.iter().filter(|sample| sample.bytes().is_none_or(|bytes| half.contains(&bytes))).cloned().collect();
    let of_half = machine(&case(Collective::Bcast, Implementation::Library, 2, 8), &some);
    let fit = |model: &str| {
        let network = of_half.network(model, Bound::Best).unwrap();
        let error = |point: &programs::machine::TransferPoint| {
            let one = case(Collective::Bcast, Implementation::Own("linear".to_owned()), 2, point.bytes);
            let error = truth(network, &one).as_us() / point.half_round_trip_us.value - 1.0;
            LengthError { bytes: point.bytes, inside: half.contains(&point.bytes), error }
        };
        let lengths = whole.transfer.iter().map(error).collect();
        Fit { model: model.to_owned(), trained: Trained::Half, lengths }
    };
    let held = HeldOut { machine: whole.name.clone(), half: half.clone(), fits: vec![fit("loggops")], cases: vec![] };
    let validation =
        Validation::compare(&[begin()], &PredictedCases { held_out: vec![held], ..PredictedCases::default() });
    let [found] = &validation.held_out[..] else { panic!("{:?}", validation.held_out) };
    assert_eq!((found.judged, found.trained), (Judged::Messages, Trained::Half));
    let (inside, outside) = (found.inside.expect("fitted"), found.outside.expect("held out"));
    assert_eq!(inside.count + outside.count, lengths.len());
    assert!(inside.worst < 0.01 && outside.worst < 0.01, "{found:?}");
}
