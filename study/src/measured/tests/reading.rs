//! Settings by which measurements are read: numbers of ranks, the confidence of intervals, and what is said of them.

use super::*;
use models::clock::{GlobalClock, Ticks, Timescale};
use models::quantity::Millionths;
use programs::observation::{RankRecord, Stamp};
use statistics::{launch_estimate, median, median_with_interval, over_launches};

/// Durations in µs of the starts of rank 0; those of each further rank are 1 µs longer. The last start is not valid.
const LASTS: [u64; 8] = [9, 1, 2, 3, 4, 5, 100, 50];

/// A broadcast on three ranks by windows that all ranks start together.
fn by_hand() -> Vec<Line> {
    let record = |rank: u32| {
        let stamp = |(l, lasts): (u64, u64)| {
            let start = Ticks(l * 1_000_000_000);
            let end = Ticks(start.0 + (lasts + u64::from(rank)) * 1_000_000);
            Stamp { block: 1, calls: 1, due: Some(start), start, end, valid: l < 7 }
        };
        let stamps = (0..).zip(LASTS).map(stamp).collect();
        RankRecord::new(rank, GlobalClock::reference(Timescale::PICOSECONDS), stamps)
    };
    let case = case(Carrier::Native, 3, "linear", Method::Window);
    let observation = Observation::new(case, "nobody", (0..3).map(record).collect());
    vec![campaign(), Line::Measured(observation)]
}

const SHOWN: Reading = Reading { confidence: Some(0.99), trim: None, per_rank: true };

fn ranks(lines: &[Line], reading: Reading) -> Vec<OfRank> {
    let all = measured_by(lines, reading).expect("a campaign");
    all.subjects[0].rows[0].methods[0].ranks.clone()
}

#[test]
fn each_rank_has_the_trimmed_mean_that_is_computed_by_hand() {
    let all = ranks(&by_hand(), SHOWN);
    assert_eq!(all.iter().map(|one| one.rank).collect::<Vec<_>>(), [Some(0), Some(1), Some(2), None]);
    for (one, longer) in all.iter().zip([0.0, 1.0, 2.0, 2.0]) {
        assert_eq!((one.launch, one.starts, one.samples), (1, 8, 7));
        let times = one.times.expect("valid starts");
        // A quarter of 7 is 1 in whole starts: 1 and 100 are dropped, and 2, 3, 4, 5, 9 are left.
        assert_eq!((times.mean.dropped, times.mean.kept), (1, 5));
        assert!(near(times.mean.value, 4.6 + longer), "{times:?}");
        assert_eq!((times.least_us, times.most_us, times.median_us), (2.0 + longer, 9.0 + longer, 4.0 + longer));
        // Winsorised 2 2 3 4 5 9 9 about 34/7; over 5·4.
        let error = (384.0_f64 / 7.0 / 20.0).sqrt();
        assert!(near(times.mean.standard_error.expect("five are left"), error), "{times:?}");
        // Student's quantile for 99 % at 4 degrees of freedom.
        let reach = times.interval.expect("five are left").high - times.mean.value;
        assert!((reach / error - 4.604_095).abs() < 1e-5, "{reach}");
    }
}

#[test]
fn the_share_of_trimming_is_the_one_that_was_chosen() {
    let reading = |share| Reading { trim: Some(Millionths::try_from(share).expect("a share")), ..SHOWN };
    let trimmed = |share| ranks(&by_hand(), reading(share))[0].times.expect("starts").mean;
    assert_eq!((trimmed(0.0).kept, trimmed(0.0).value), (7, 124.0 / 7.0));
    assert_eq!((trimmed(0.3).kept, trimmed(0.3).value), (3, 4.0));
    assert_eq!(ranks(&by_hand(), Reading::default()), [], "ranks are shown on request");
}

#[test]
fn loops_have_a_number_for_each_block_and_ranks_without_valid_starts_none() {
    let mut lines = lines();
    let row = &measured_by(&lines, SHOWN).expect("a campaign").subjects[0].rows[0];
    let looped = row.by(Method::Loop).expect("a number");
    assert!(looped.ranks.len() == 5 && looped.ranks.iter().all(|one| (one.starts, one.samples) == (30, 30)));
    for record in lines.iter_mut().flat_map(|line| match line {
        Line::Measured(observation) => observation.ranks.as_mut_slice(),
        _ => &mut [],
    }) {
        record.stamps.iter_mut().for_each(|stamp| stamp.valid = false);
    }
    let invalid = ranks(&lines, SHOWN);
    assert!(!invalid.is_empty() && invalid.iter().all(|one| one.samples == 0 && one.times.is_none()), "{invalid:?}");
}

#[test]
fn intervals_of_a_level_are_those_of_the_statistics_and_contain_those_of_a_lower_one() {
    let lines = eight(2);
    let at = |confidence| {
        let reading = Reading { confidence: Some(confidence), ..Reading::default() };
        measured_by(&lines, reading).expect("a campaign")
    };
    let (low, high) = (at(0.95), at(0.99));
    assert_eq!(low.subjects, measured(&lines).expect("a campaign").subjects, "95 % is the usual level");
    for (one, other) in low.subjects[0].rows.iter().zip(&high.subjects[0].rows) {
        for (narrow, wide) in one.methods.iter().zip(&other.methods) {
            let launches: Vec<f64> = wide.launches_us.iter().map(|(_, us)| *us).collect();
            let single: Vec<Vec<f64>> = launches.iter().map(|us| vec![*us]).collect();
            assert_eq!(wide.us, over_launches(&single, median, 0.99).and_then(|over| over.median));
            let (narrow_us, wide_us) = (narrow.us.expect("a number"), wide.us.expect("a number"));
            assert_eq!(narrow_us.value, wide_us.value);
            assert!(wide_us.low <= narrow_us.low && narrow_us.high <= wide_us.high, "{narrow_us:?} {wide_us:?}");
            let (narrow, wide) = (narrow.ratio.as_ref().expect("a ratio"), wide.ratio.as_ref().expect("a ratio"));
            let logs: Vec<f64> = wide.of_launches.iter().map(|(_, log)| *log).collect();
            assert_eq!(Some(wide.log_ratio), launch_estimate(&logs, 0.99));
            let (inner, outer) = (narrow.ratio().1.expect("eight"), wide.ratio().1.expect("eight"));
            assert!(outer.0 <= inner.0 && inner.1 <= outer.1, "{inner:?} {outer:?}");
        }
    }
    let width = |confidence| {
        let all = measured_by(&super::lines(), Reading { confidence, ..Reading::default() }).expect("a campaign");
        let us = all.subjects[0].rows[0].by(Method::Loop).and_then(|cell| cell.us).expect("a number");
        us.high - us.low
    };
    assert!(width(Some(0.90)) < width(None) && width(None) < width(Some(0.99)), "of one launch's samples they differ");
}

#[test]
fn checks_of_clocks_have_the_level_too() {
    let level = |confidence| {
        let all = measured_by(&lines(), Reading { confidence, ..Reading::default() }).expect("a campaign");
        let checks = json(&all)["checks"][0].clone();
        (checks["confidence"].as_f64(), all.clocks[0].null_us)
    };
    let ((usual, usual_us), (ninety, ninety_us)) = (level(None), level(Some(0.90)));
    assert_eq!((usual, ninety), (Some(0.99), Some(0.90)));
    assert!(usual_us.low < ninety_us.low && ninety_us.high < usual_us.high, "{usual_us:?} {ninety_us:?}");
}

#[test]
fn every_form_says_how_measurements_are_read() {
    let all = measured_by(&by_hand(), Reading { trim: Some(Millionths(100_000)), ..SHOWN }).expect("a campaign");
    let words = ["99 % intervals", "each rank's mean trimmed 10 % at each end"];
    let forms =
        [table(&all, 400, false), details(&all, 400, false), printed(&all, Format::Markdown), json(&all).to_string()];
    for form in &forms {
        assert!(words.iter().all(|said| form.contains(said)), "{form}");
    }
    let usual = measured(&by_hand()).expect("a campaign");
    assert!(!table(&usual, 400, false).contains("trimmed") && json(&usual).get("per_rank").is_none());
    let rows = json(&all)["per_rank"].as_array().expect("rows").clone();
    assert_eq!(rows.iter().map(|row| row["rank"].as_u64()).collect::<Vec<_>>(), [Some(0), Some(1), Some(2), None]);
    let csv = all.per_rank_csv();
    assert_eq!(csv.lines().count(), 1 + 4, "{csv}");
    insta::assert_snapshot!(format!("{}\n{csv}", per_rank_lines(&forms[0])));
}

/// The lines of a terminal's table that are about ranks.
fn per_rank_lines(table: &str) -> String {
    let lines = table.lines().skip_while(|line| !line.contains("Each rank")).take_while(|line| !line.is_empty());
    lines.map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_median_has_its_order_statistic_interval() {
    let interval = |confidence| {
        let reading = Reading { confidence: Some(confidence), ..SHOWN };
        ranks(&by_hand(), reading)[1].times.expect("starts").median_interval
    };
    let samples: Vec<f64> = LASTS[..7].iter().map(|us| *us as f64 + 1.0).collect();
    assert_eq!(interval(0.9), median_with_interval(&samples, 0.9).map(|found| found.estimate));
    assert_eq!(interval(0.99), None, "7 samples reach 1 − 2⁻⁶ at most");
}
