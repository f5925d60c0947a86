//! How grains of work are delayed by recorded noise: the empirical distribution of the delay of one rank.

use models::closed_form::noise::slowest_recorded;
use models::noise::RecordedDelays;
use models::time::Span;
use render::plots::numbers::significant;
use render::table::{Cell, Csv, Heads, Table};
use serde_json::{Value, json};
use statistics::noise::Recording;

/// Shares of the delays that are no longer.
const SHARES: [f64; 5] = [0.5, 0.9, 0.99, 0.999, 1.0];
/// Numbers of ranks of which the mean longest delay is told.
const RANKS: [u64; 4] = [1, 16, 256, 4_096];
/// What the columns mean.
const LEGEND: &str = "M of n: the mean of the longest delay of n independent ranks.";

/// The delays of grains of several lengths.
pub struct Fitted {
    grains: Vec<(Span, Option<RecordedDelays>)>,
}

impl Fitted {
    /// Of grains that begin anywhere in the working time of a recording's ranks.
    pub fn of(recording: &Recording, grains: &[Span]) -> Fitted {
        let delays = |&grain: &Span| (grain, RecordedDelays::of(recording.delays(grain)));
        Fitted { grains: grains.iter().map(delays).collect() }
    }

    /// Grains that fit into the recording, with their delays.
    fn known(&self) -> impl Iterator<Item = (Span, &RecordedDelays)> {
        self.grains.iter().filter_map(|(grain, delays)| Some((*grain, delays.as_ref()?)))
    }

    /// Whether no grain fits into the recording.
    pub fn is_empty(&self) -> bool {
        self.known().next().is_none()
    }

    /// For people.
    pub fn text(&self) -> String {
        let head = ["grain", "delays", "delayed, %", "mean, µs"].map(str::to_owned);
        let shares = SHARES.map(|share| if share < 1.0 { format!("p{}", share * 100.0) } else { "longest".to_owned() });
        let longest = RANKS.map(|ranks| format!("M of {ranks}"));
        let row = |(grain, delays): (Span, &RecordedDelays)| {
            let numbers = [
                delays.count().to_string(),
                significant(delays.delayed() * 100.0),
                significant(delays.mean_ps() / 1e6),
            ];
            let shares = SHARES.map(|share| significant(delays.quantile(share).as_us()));
            let longest = RANKS.map(|ranks| significant(slowest_recorded(ranks, delays).mean_ps / 1e6));
            let cells = numbers.into_iter().chain(shares).chain(longest).map(|text| Cell::number(text, ""));
            std::iter::once(Cell::text(grain.to_string())).chain(cells).collect::<Vec<_>>()
        };
        let table = Table::new("", head.into_iter().chain(shares).chain(longest), self.known().map(row));
        let mut text = format!("{}\n  all but the first three columns in µs. {LEGEND}\n", table.text());
        for (grain, _) in self.grains.iter().filter(|(_, delays)| delays.is_none()) {
            text += &format!("  {grain}: longer than the recording\n");
        }
        text
    }

    /// The distributions: of each delay, which share of the grains is delayed for longer.
    pub fn csv(&self) -> String {
        let rows = self.known().flat_map(|(grain, delays)| {
            delays.survival().into_iter().map(move |(delay, beyond)| (grain.as_us(), delay.as_us(), beyond))
        });
        Csv::new(Heads("grain_us,delay_us,beyond")).rows(rows).text()
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let one = |(grain, delays): (Span, &RecordedDelays)| {
            let quantiles: Vec<Value> =
                SHARES.iter().map(|&share| json!({ "share": share, "us": delays.quantile(share).as_us() })).collect();
            let longest: Vec<Value> = RANKS
                .iter()
                .map(|&ranks| json!({ "ranks": ranks, "mean_us": slowest_recorded(ranks, delays).mean_ps / 1e6 }))
                .collect();
            json!({
                "grain_us": grain.as_us(), "delays": delays.count(), "delayed": delays.delayed(),
                "mean_us": delays.mean_ps() / 1e6, "quantiles": quantiles, "longest_of": longest,
            })
        };
        json!({ "grains": self.known().map(one).collect::<Vec<Value>>() })
    }
}
