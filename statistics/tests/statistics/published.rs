//! Numbers that others have printed.

use parallax_statistics::{Autocorrelation, mean_with_interval, quantile_with_interval, trimmed_mean};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Michelson 1879, speed of light in air, km/s above 299 000, in the order of NIST StRD's data set Michelso.
const MICHELSON: [f64; 100] = [
    850.0, 740.0, 900.0, 1070.0, 930.0, 850.0, 950.0, 980.0, 980.0, 880.0, 1000.0, 980.0, 930.0, 650.0, 760.0, 810.0,
    1000.0, 1000.0, 960.0, 960.0, 960.0, 940.0, 960.0, 940.0, 880.0, 800.0, 850.0, 880.0, 900.0, 840.0, 830.0, 790.0,
    810.0, 880.0, 880.0, 830.0, 800.0, 790.0, 760.0, 800.0, 880.0, 880.0, 880.0, 860.0, 720.0, 720.0, 620.0, 860.0,
    970.0, 950.0, 880.0, 910.0, 850.0, 870.0, 840.0, 840.0, 850.0, 840.0, 840.0, 840.0, 890.0, 810.0, 810.0, 820.0,
    800.0, 770.0, 760.0, 740.0, 750.0, 760.0, 910.0, 920.0, 890.0, 860.0, 880.0, 720.0, 840.0, 850.0, 850.0, 780.0,
    890.0, 840.0, 780.0, 810.0, 760.0, 810.0, 790.0, 810.0, 820.0, 850.0, 870.0, 870.0, 810.0, 740.0, 810.0, 940.0,
    950.0, 800.0, 810.0, 870.0,
];

/// The first value and then two in turn, as NIST's NumAcc2 to 4 are made.
fn in_turn(first: f64, odd: f64, even: f64) -> Vec<f64> {
    std::iter::once(first).chain((0..1_000).map(|i| if i % 2 == 0 { odd } else { even })).collect()
}

#[track_caller]
fn certified(samples: &[f64], mean: f64, deviation: f64, lag_1: f64, digits: i32) {
    // Student's interval of three or more has the mean in its middle and the deviation in its width.
    let found = mean_with_interval(samples, 0.95).expect("samples");
    let n = samples.len() as f64;
    let quantile = StudentsT::new(0.0, 1.0, n - 1.0).expect("degrees of freedom").inverse_cdf(0.975);
    let near = |found: f64, certified: f64| (found / certified - 1.0).abs() < 10f64.powi(-digits);
    assert!(near(found.value, mean), "mean {}", found.value);
    // The width is a difference of two numbers of the mean's size.
    let rounding = 4.0 * f64::EPSILON * mean / (found.high - found.value);
    let found = (found.high - found.value) / quantile * n.sqrt();
    assert!((found / deviation - 1.0).abs() < 10f64.powi(-digits) + rounding, "deviation {found}");
    let found = Autocorrelation::from_samples(samples).expect("it varies").lag_1;
    assert!(near(found, lag_1), "lag 1 {found}");
}

#[test]
fn means_deviations_and_autocorrelations_are_nists() {
    // NIST StRD, univariate: certified mean, standard deviation and lag-1 autocorrelation.
    let michelson: Vec<f64> = MICHELSON.iter().map(|value| (299_000.0 + value) / 1_000.0).collect();
    certified(&michelson, 299.8524, 0.079_010_547_819_051_8, 0.535_199_668_621_283, 8);
    certified(&[10_000_001.0, 10_000_003.0, 10_000_002.0], 10_000_002.0, 1.0, -0.5, 12);
    certified(&in_turn(1.2, 1.1, 1.3), 1.2, 0.1, -0.999, 9);
    // Of the 16 digits of a double these leave nine and eight behind the point's first.
    certified(&in_turn(1_000_000.2, 1_000_000.1, 1_000_000.3), 1_000_000.2, 0.1, -0.999, 8);
    certified(&in_turn(10_000_000.2, 10_000_000.1, 10_000_000.3), 10_000_000.2, 0.1, -0.999, 7);
}

#[test]
fn the_interval_of_zarrs_heat_flow_is_that_of_the_handbook() {
    // NIST/SEMATECH e-Handbook, 1.3.5.2, heat flow meter: n = 195, mean 9.261460, standard deviation 0.022789; 95 %
    // limits 9.258242 and 9.264679. Samples with just these two numbers:
    let n = 195;
    let ramp: Vec<f64> = (0..n).map(|i| f64::from(i) - f64::from(n - 1) / 2.0).collect();
    let deviation = (ramp.iter().map(|x| x * x).sum::<f64>() / f64::from(n - 1)).sqrt();
    let samples: Vec<f64> = ramp.iter().map(|x| 9.261_460 + 0.022_789 * x / deviation).collect();
    let found = mean_with_interval(&samples, 0.95).expect("samples");
    assert!((found.low - 9.258_242).abs() < 2e-6 && (found.high - 9.264_679).abs() < 2e-6, "{found:?}");
}

#[test]
fn yuens_test_of_scipys_example_follows_from_two_trimmed_means() {
    // SciPy's ttest_ind(a, b, trim=0.2), after Yuen 1974: t = 3.4463884028073513.
    let a = [56.0, 128.6, 12.0, 123.8, 64.34, 78.0, 763.3];
    let b = [1.1, 2.9, 4.2];
    let (a, b) = (trimmed_mean(&a, 0.2).expect("samples"), trimmed_mean(&b, 0.2).expect("samples"));
    assert_eq!((a.kept, b.kept), (5, 3));
    // A winsorised sum of squares is h(h − 1) times the squared error; pooled over h₁ + h₂ − 2.
    let squares = |kept: usize, error: Option<f64>| error.expect("kept some").powi(2) * (kept * (kept - 1)) as f64;
    let pooled = (squares(a.kept, a.standard_error) + squares(b.kept, b.standard_error)) / 6.0;
    let t = (a.value - b.value) / (pooled * (1.0 / 5.0 + 1.0 / 3.0)).sqrt();
    assert!((t - 3.446_388_402_807_351_3).abs() < 1e-9, "{t}");
}

#[test]
fn the_trimmed_mean_of_wilcoxs_example() {
    // Wilcox 2012, Introduction to Robust Estimation, table 3.2 (Dana's self-awareness data): 20 % trimmed mean 282.7.
    let dana = [
        77.0, 87.0, 88.0, 114.0, 151.0, 210.0, 219.0, 246.0, 253.0, 262.0, 296.0, 299.0, 306.0, 376.0, 428.0, 515.0,
        666.0, 1310.0, 2611.0,
    ];
    let trimmed = trimmed_mean(&dana, 0.2).expect("samples");
    assert_eq!((trimmed.dropped, trimmed.kept), (3, 13));
    assert!((trimmed.value - 282.7).abs() < 0.05, "{trimmed:?}");
}

#[test]
fn order_statistic_intervals_of_michelsons_median() {
    // n = 100 at 95 %: ranks 40 and 61, which hold 96.48 % (Hahn and Meeker 1991, table A.15; Conover 1999, table A3).
    let found = quantile_with_interval(&MICHELSON, 0.5, 0.95).expect("samples");
    assert_eq!(found.ranks, (40, 61));
    assert!((found.reached - 0.9648).abs() < 5e-5, "{found:?}");
    assert_eq!(found.estimate.value, 850.0);
}
