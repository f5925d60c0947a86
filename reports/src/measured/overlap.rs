//! How much of an overlapped call's time is hidden behind the computation beside it, as benchmarks print it.

use super::Hidden;
use crate::compare::samples_us;
use crate::statistics::median;
use models::method::{Method, Preset};
use models::observation::{Observation, OverlapRecord};
use models::time::Span;

/// The benchmarks that print an overlap, each from the calls that it times; of several launches the medians.
pub(super) fn hidden<'a>(of: impl Fn(Method) -> Vec<&'a Observation>) -> Vec<Hidden> {
    let of_preset = |by: Preset| {
        let launches: Vec<Launch> = of(by.method()).iter().filter_map(|one| Launch::of(one, by)).collect();
        let middle = |pick: fn(&Launch) -> Option<f64>| median(&launches.iter().filter_map(pick).collect::<Vec<f64>>());
        Some(Hidden {
            by,
            percent: middle(|launch| launch.percent),
            overall_us: middle(|launch| Some(launch.overall_us))?,
            pure_us: middle(|launch| Some(launch.pure_us))?,
            compute_us: middle(|launch| Some(launch.compute_us))?,
        })
    };
    [Preset::Osu, Preset::Imb].into_iter().filter_map(of_preset).collect()
}

/// The numbers of one launch.
struct Launch {
    percent: Option<f64>,
    overall_us: f64,
    pure_us: f64,
    compute_us: f64,
}

impl Launch {
    /// None where the call is not overlapped.
    fn of(observation: &Observation, by: Preset) -> Option<Launch> {
        let ranks = each_rank(observation)?;
        // OSU prints means over ranks, IMB what the slowest rank had.
        let (overall, record) = if by == Preset::Osu {
            let mean = |pick: fn(&(Span, OverlapRecord)) -> Span| {
                Span(ranks.iter().map(|rank| pick(rank).0).sum::<u64>() / ranks.len().max(1) as u64)
            };
            let tests = ranks.first()?.1.tests;
            (
                mean(|rank| rank.0),
                OverlapRecord { pure: mean(|rank| rank.1.pure), compute: mean(|rank| rank.1.compute), tests },
            )
        } else {
            *ranks.iter().max_by_key(|(overall, _)| *overall)?
        };
        let percent = if by == Preset::Osu { record.osu_percent(overall) } else { record.imb_percent(overall) };
        let [overall_us, pure_us, compute_us] = [overall, record.pure, record.compute].map(|span| span.as_us());
        Some(Launch { percent, overall_us, pure_us, compute_us })
    }
}

/// Each rank's mean time of a timed call, and what it overlapped.
fn each_rank(observation: &Observation) -> Option<Vec<(Span, OverlapRecord)>> {
    let records = &observation.ranks;
    let of = |rank: usize| {
        let times = samples_us(observation.case.method, records, rank);
        let mean_us = times.iter().sum::<f64>() / times.len() as f64;
        (!times.is_empty()).then_some(())?;
        Some((Span((mean_us * 1e6).round() as u64), records[rank].overlap?))
    };
    (0..records.len()).map(of).collect()
}
