//! Every column of small cases, by hand.

use super::{Measure, columns};
use models::clock::{GlobalClock, Ticks, Timescale};
use programs::aggregation::{Aggregation, First, OverRanks, OverSamples, reported_us};
use programs::observation::{Counted, RankRecord, Stamp, rank_times_ps};
use statistics::trimmed_mean;

const US: u64 = 1_000_000;

/// A stamp due at 100 µs of the global clock, with start and end in µs of it.
fn window(due: Option<u64>, start: u64, end: u64) -> Stamp {
    Stamp {
        block: 3,
        calls: 1,
        due: due.map(|due| Ticks(due * US)),
        start: Ticks(start * US),
        end: Ticks(end * US),
        valid: true,
    }
}

/// A rank whose clock is so many µs behind the global one; its stamps are given in global time.
fn rank(rank: u32, behind_us: u64, stamps: &[Stamp]) -> RankRecord {
    let clock = GlobalClock {
        offset_ps: i64::try_from(behind_us * US).expect("small"),
        ..GlobalClock::reference(Timescale::PICOSECONDS)
    };
    let local = |ticks: Ticks| Ticks(ticks.0 - behind_us * US);
    let stamps = stamps.iter().map(|stamp| Stamp {
        due: stamp.due.map(local),
        start: local(stamp.start),
        end: local(stamp.end),
        ..*stamp
    });
    RankRecord::new(rank, clock, stamps.collect())
}

/// Three ranks behind different clocks, two windows, the second not valid on rank 2.
fn case() -> Vec<RankRecord> {
    let mut late = window(Some(200), 206, 290);
    late.valid = false;
    vec![
        rank(0, 0, &[window(Some(100), 101, 130), window(Some(200), 200, 220)]),
        rank(1, 40, &[window(Some(100), 102, 150), window(Some(200), 200, 220)]),
        rank(2, 7, &[window(Some(100), 105, 141), late]),
    ]
}

fn column_values(ranks: &[RankRecord], counted: Counted) -> Vec<Option<Vec<f64>>> {
    columns(ranks, 1, counted).columns.into_iter().map(|column| column.values_us).collect()
}

#[test]
fn every_column_of_one_window() {
    // Starts 101 102 105, ends 130 150 141; from the first start 29 49 40, from the own one 29 48 36.
    let from_first = column_values(&case(), Counted::FromFirstStart);
    let expected = [50.0, 49.0, 48.0, 49.0, 118.0 / 3.0, 29.0, 4.0, 20.0];
    for (measure, (found, expected)) in Measure::ALL.iter().zip(from_first.iter().zip(expected)) {
        let found = found.as_ref().expect("a window has every measure");
        assert!(found.len() == 1 && (found[0] - expected).abs() < 1e-9, "{measure}: {found:?}, not {expected}");
    }
    let from_own = column_values(&case(), Counted::FromOwnStart);
    let expected = [50.0, 49.0, 48.0, 48.0, 113.0 / 3.0, 29.0, 4.0, 20.0];
    for (found, expected) in from_own.iter().zip(expected) {
        assert!((found.as_ref().expect("a value")[0] - expected).abs() < 1e-9, "{found:?}, not {expected}");
    }
}

#[test]
fn a_sample_counts_if_it_is_valid_on_every_rank() {
    let found = columns(&case(), 1, Counted::FromFirstStart);
    assert_eq!((found.samples.len(), found.left_out), (1, 1));
    assert_eq!((found.samples[0].index, found.samples[0].block), (0, 3));
    let mut short = case();
    short[0].stamps.pop();
    assert_eq!(columns(&short, 1, Counted::FromFirstStart).left_out, 1);
}

#[test]
fn loops_have_no_due_start_and_divide_by_their_calls() {
    let mut ranks: Vec<RankRecord> =
        vec![rank(0, 0, &[window(None, 100, 140)]), rank(1, 10, &[window(None, 104, 164)])];
    for record in &mut ranks {
        record.stamps[0].calls = 4;
    }
    let found = columns(&ranks, 0, Counted::FromFirstStart);
    let value = |measure| found.values_us(measure).map(|values| values[0]);
    assert_eq!(value(Measure::FromDue), None);
    assert_eq!(value(Measure::FromFirstStart), Some(16.0));
    assert_eq!(value(Measure::LongestLocal), Some(15.0));
    assert_eq!((value(Measure::Root), value(Measure::Mean), value(Measure::Min)), (Some(10.0), Some(12.5), Some(10.0)));
    assert_eq!((value(Measure::StartSkew), value(Measure::ExitSkew)), (Some(4.0), Some(24.0)), "not per call");
}

#[test]
fn what_barriers_are_taken_from_has_no_global_time() {
    let mut ranks = vec![rank(0, 0, &[window(None, 100, 140)]), rank(1, 0, &[window(None, 100, 120)])];
    ranks[0].subtracted = vec![window(None, 10, 20)];
    ranks[1].subtracted = vec![window(None, 10, 40)];
    let found = columns(&ranks, 0, Counted::FromFirstStart);
    assert_eq!(found.values_us(Measure::FromFirstStart), None);
    assert_eq!(found.values_us(Measure::LongestLocal), Some(&[30.0][..]));
    assert_eq!(found.values_us(Measure::Min), Some(&[-10.0][..]), "a barrier that took longer");
}

#[test]
fn no_data_is_no_number() {
    let nothing = columns(&[], 0, Counted::FromFirstStart);
    assert!(nothing.columns.iter().all(|column| column.values_us.is_none()) && nothing.samples.is_empty());
    let mut invalid = case();
    invalid.iter_mut().flat_map(|record| &mut record.stamps).for_each(|stamp| stamp.valid = false);
    let found = columns(&invalid, 0, Counted::FromFirstStart);
    assert!(found.left_out == 2 && found.columns.iter().all(|column| column.values_us.is_none()));
    let no_root = columns(&case(), 9, Counted::FromFirstStart);
    assert_eq!(no_root.values_us(Measure::Root), None);
    assert!(no_root.values_us(Measure::Mean).is_some());
}

#[test]
fn columns_agree_with_what_benchmarks_would_print() {
    let windows = |ends: [u64; 5]| -> Vec<Stamp> {
        (1..=5).zip(ends).map(|(i, end)| window(Some(i * 100), i * 100, i * 100 + end)).collect()
    };
    let ranks = vec![rank(0, 0, &windows([10, 50, 30, 20, 60])), rank(1, 12, &windows([40, 20, 35, 25, 15]))];
    let found = columns(&ranks, 0, Counted::FromFirstStart);
    let values = |measure| found.values_us(measure).expect("values");
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let printed = |first, ranks_by, samples| {
        let aggregation = Aggregation { first, ranks: ranks_by, samples, ..Aggregation::default() };
        reported_us(&ranks, &aggregation).expect("values")
    };
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    // MPIPerf's mean of the largest, its trimmed mean, and the mean of rank means that OSU has.
    assert!(near(mean(values(Measure::FromFirstStart)), printed(First::Ranks, OverRanks::Max, OverSamples::Mean)));
    let trimmed = OverSamples::TrimmedMean { share: 0.25 };
    assert!(near(
        trimmed_mean(values(Measure::FromFirstStart), 0.25).expect("values").value,
        printed(First::Ranks, OverRanks::Max, trimmed)
    ));
    assert!(near(mean(values(Measure::Mean)), printed(First::Ranks, OverRanks::Mean, OverSamples::Mean)));
    // IMB's t_max is the largest of the ranks' means, which is less.
    let of_rank = |rank| rank_times_ps(&ranks, rank, Counted::FromFirstStart);
    let rank_mean = |rank| mean(&of_rank(rank).iter().map(|&(_, ps)| ps as f64 / 1e6).collect::<Vec<f64>>());
    let largest = f64::max(rank_mean(0), rank_mean(1));
    assert!(near(largest, printed(First::Samples, OverRanks::Max, OverSamples::Mean)));
    assert!(largest < mean(values(Measure::FromFirstStart)));
}
