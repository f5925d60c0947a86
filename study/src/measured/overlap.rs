//! Share of an overlapped call's time that is hidden behind the computation beside it, as benchmarks print it.

use super::Hidden;
use models::time::Span;
use programs::aggregation::samples_us;
use programs::method::{Method, Preset};
use programs::observation::{Observation, OverlapRecord};
use statistics::{mean, median};

/// Mean time of a rank's timed calls, and the record of their overlap.
type OfRank = (Span, OverlapRecord);
/// Function that computes the number printed by a benchmark from the ranks of one launch.
type Print = fn(&[OfRank]) -> Option<Hidden>;

/// Returns the overlap of each benchmark that prints one, from the calls that it times; of several launches the
/// medians.
pub(super) fn hidden<'a>(of: impl Fn(Method) -> Vec<&'a Observation>) -> Vec<Hidden> {
    let medians = |(by, print): (Preset, Print)| {
        let launches: Vec<Hidden> = of(by.method()).iter().filter_map(|one| print(&each_rank(one)?)).collect();
        let middle = |pick: fn(&Hidden) -> Option<f64>| median(&launches.iter().filter_map(pick).collect::<Vec<f64>>());
        Some(Hidden {
            by,
            percent: middle(|one| one.percent),
            overall_us: middle(|one| Some(one.overall_us))?,
            pure_us: middle(|one| Some(one.pure_us))?,
            compute_us: middle(|one| Some(one.compute_us))?,
        })
    };
    [(Preset::Osu, osu as Print), (Preset::Imb, imb)].into_iter().filter_map(medians).collect()
}

/// Computes the overlap as OSU prints it, from means over ranks.
fn osu(ranks: &[OfRank]) -> Option<Hidden> {
    let mean =
        |pick: fn(&OfRank) -> Span| Span(ranks.iter().map(|rank| pick(rank).0).sum::<u64>() / ranks.len() as u64);
    let (_, first) = ranks.first()?;
    let record = OverlapRecord { pure: mean(|rank| rank.1.pure), compute: mean(|rank| rank.1.compute), ..*first };
    let overall = mean(|rank| rank.0);
    Some(printed(Preset::Osu, overall, record, record.osu_percent(overall)))
}

/// Computes the overlap as IMB prints it, from the rank that takes longest.
fn imb(ranks: &[OfRank]) -> Option<Hidden> {
    let &(overall, record) = ranks.iter().max_by_key(|(overall, _)| *overall)?;
    Some(printed(Preset::Imb, overall, record, record.imb_percent(overall)))
}

fn printed(by: Preset, overall: Span, record: OverlapRecord, percent: Option<f64>) -> Hidden {
    let [overall_us, pure_us, compute_us] = [overall, record.pure, record.compute].map(Span::as_us);
    Hidden { by, percent, overall_us, pure_us, compute_us }
}

/// Returns the times and overlaps of the ranks; `None` where calls are not overlapped, or none was timed.
fn each_rank(observation: &Observation) -> Option<Vec<OfRank>> {
    let records = &observation.ranks;
    let of = |rank: usize| {
        let times = samples_us(observation.case.timing.method, records, rank);
        let record = records[rank].overlap.filter(|_| !times.is_empty())?;
        Some((Span::from_seconds(mean(&times) / 1e6), record))
    };
    (0..records.len()).map(of).collect()
}
