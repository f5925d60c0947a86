//! What must hold of any samples: order does not matter, scale and shift carry over, and more confidence is never less
//! width.

use parallax_statistics::{
    Autocorrelation, cliffs_delta, hodges_lehmann, holm, mann_whitney, mean_with_interval, median,
    median_with_interval, outliers, quantile_with_interval, ratio_of_locations, trimmed_mean, warm_up,
};
use programs::machine::Estimate;
use proptest::prelude::*;

/// Samples that repeat now and then.
fn samples(least: usize) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![1.0..1_000.0, (1u32..40).prop_map(f64::from)], least..60)
}

fn near(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-9 * scale.max(a.abs()).max(b.abs())
}

fn same(a: Option<Estimate>, b: Option<Estimate>, scale: f64) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => near(a.value, b.value, scale) && near(a.low, b.low, scale) && near(a.high, b.high, scale),
        _ => false,
    }
}

/// All intervals of one sample at one confidence that rest on Student or ranks, where they reach it.
fn all_intervals(samples: &[f64], confidence: f64) -> [Option<Estimate>; 4] {
    let middle = median_with_interval(samples, confidence).filter(|median| median.reached >= confidence);
    let quantile = quantile_with_interval(samples, 0.8, confidence).filter(|quantile| quantile.reached >= confidence);
    [
        mean_with_interval(samples, confidence),
        middle.map(|median| median.estimate),
        trimmed_mean(samples, 0.25).and_then(|trimmed| trimmed.interval(confidence)),
        quantile.map(|quantile| quantile.estimate),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_interval_holds_its_estimate_and_widens_with_confidence(samples in samples(2)) {
        let at: [[Option<Estimate>; 4]; 3] = [0.5, 0.9, 0.99].map(|p| all_intervals(&samples, p));
        for (narrow, wide) in at.iter().zip(&at[1..]) {
            for (narrow, wide) in narrow.iter().zip(wide) {
                let Some(wide) = wide else { continue };
                let narrow = narrow.expect("less confidence takes no more samples");
                prop_assert!(narrow.low <= narrow.value && narrow.value <= narrow.high);
                prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high, "{narrow:?} {wide:?}");
            }
        }
    }

    #[test]
    fn order_does_not_matter(samples in samples(2), turn in 0usize..60) {
        let mut turned = samples.clone();
        turned.rotate_left(turn % samples.len());
        turned.swap(0, samples.len() / 2);
        prop_assert_eq!(all_intervals(&samples, 0.9), all_intervals(&turned, 0.9));
        prop_assert_eq!(outliers(&samples), outliers(&turned));
    }

    #[test]
    fn shift_and_scale_carry_over(samples in samples(2), scale in 0.01..100.0, shift in -500.0..500.0) {
        let moved: Vec<f64> = samples.iter().map(|sample| shift + scale * sample).collect();
        let carried = |estimate: Estimate| Estimate {
            value: shift + scale * estimate.value,
            low: shift + scale * estimate.low,
            high: shift + scale * estimate.high,
        };
        for (of_samples, of_moved) in all_intervals(&samples, 0.9).into_iter().zip(all_intervals(&moved, 0.9)) {
            prop_assert!(same(of_samples.map(carried), of_moved, 1e4 * scale + 500.0), "{of_samples:?} {of_moved:?}");
        }
    }

    #[test]
    fn a_mirrored_sample_has_the_mirrored_quantile(samples in samples(2), share in 0.05..0.95) {
        let mirrored: Vec<f64> = samples.iter().map(|sample| -sample).collect();
        let (one, other) =
            (quantile_with_interval(&samples, share, 0.9), quantile_with_interval(&mirrored, 1.0 - share, 0.9));
        let (one, other) = (one.expect("samples"), other.expect("samples"));
        prop_assert!(near(one.estimate.value, -other.estimate.value, 1.0));
        prop_assert_eq!((one.estimate.low, one.estimate.high), (-other.estimate.high, -other.estimate.low));
    }

    #[test]
    fn two_samples_exchanged_say_the_opposite(a in samples(2), b in samples(2), factor in 0.5..2.0) {
        let (ab, ba) = (mann_whitney(&a, &b).expect("samples"), mann_whitney(&b, &a).expect("samples"));
        prop_assert!((ab.u + ba.u - (a.len() * b.len()) as f64).abs() < 1e-9);
        prop_assert!((ab.p - ba.p).abs() < 1e-9 && (0.0..=1.0).contains(&ab.p));
        let opposite = |estimate: Estimate| Estimate { value: -estimate.value, low: -estimate.high, high: -estimate.low };
        let shift = |a: &[f64], b: &[f64]| hodges_lehmann(a, b, 0.9).map(|shift| shift.estimate);
        prop_assert!(same(shift(&a, &b), shift(&b, &a).map(opposite), 1e3));
        let delta = cliffs_delta(&a, &b, 0.9);
        prop_assert!(same(delta, cliffs_delta(&b, &a, 0.9).map(opposite), 1.0));
        let delta = delta.expect("two or more");
        prop_assert!(near(delta.value, 2.0 * ab.u / (a.len() * b.len()) as f64 - 1.0, 1.0));
        prop_assert!(-1.0 <= delta.low && delta.low <= delta.value && delta.value <= delta.high && delta.high <= 1.0);
        // And a factor on one side is a factor of the ratio.
        let scaled: Vec<f64> = a.iter().map(|sample| factor * sample).collect();
        let (plain, scaled) = (ratio_of_locations(&a, &b, 0.9), ratio_of_locations(&scaled, &b, 0.9));
        let (plain, scaled) = (plain.expect("positive").estimate, scaled.expect("positive").estimate);
        prop_assert!(near(scaled.value, factor * plain.value, 0.0) && near(scaled.low, factor * plain.low, 0.0));
    }

    #[test]
    fn holms_ps_keep_their_order_and_are_never_less(ps in prop::collection::vec(0.0..=1.0, 0..20)) {
        let adjusted = holm(&ps);
        for (i, (p, more)) in ps.iter().zip(&adjusted).enumerate() {
            prop_assert!(p <= more && *more <= 1.0);
            for (other, other_more) in ps[..i].iter().zip(&adjusted) {
                prop_assert!((p - other) * (more - other_more) >= 0.0);
            }
        }
    }

    #[test]
    fn numbers_of_a_sample_are_in_order_whatever_it_is_of(samples in samples(1)) {
        let (least, most) = samples.iter().fold((f64::MAX, f64::MIN), |(low, high), &one| (low.min(one), high.max(one)));
        let middle = median(&samples).expect("samples");
        prop_assert!(least <= middle && middle <= most);
        prop_assert!(outliers(&samples).is_none_or(|found| found.count() <= samples.len()));
        let effective = Autocorrelation::from_samples(&samples).map_or(1.0, |autocorrelation| autocorrelation.effective_n);
        prop_assert!(1.0 <= effective && effective <= samples.len() as f64);
        prop_assert!(warm_up(&samples).is_none_or(|found| found.steady_from <= samples.len() / 2));
    }
}
