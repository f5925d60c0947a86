//! Tables as the same procedure would make them: of the numbers or the times of one network, held against the others.

use super::{Candidate, Choice, Side};
use programs::machine::Estimate;
use render::groups::{distinct, grouped};
use scenario::axis::{Axis, Key};
use statistics::median;

/// Axes of the network on which a table is made.
const NETWORK: [Axis; 4] = [Axis::Model, Axis::SendRule, Axis::Parameters, Axis::Platform];

/// Largest number of networks on which tables are made.
const MOST_NETWORKS: usize = 32;

/// Scores of tables: the share of calls in which a table stands on the side of printed numbers, minus the share in which
/// it stands on the side of true times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// Score of the library's table, over all networks.
    pub table: f64,
    /// Scores of the tables that are made of the least printed numbers of one network, each over the other networks: their
    /// median and range. `None` where there is one network.
    pub of_printed: Option<Estimate>,
    /// The same of tables that are made of the least true times.
    pub of_true: Option<Estimate>,
}

/// Returns the scores of the library's table and of those that printed numbers and true times would make. `None` without
/// a table.
pub fn scores(choices: &[&Choice]) -> Option<Scores> {
    let of_table = |choice: &&Choice| choice.table.as_ref().map(|table| choice.points(&table.algorithm));
    let table = mean(choices.iter().filter_map(of_table))?;
    Some(Scores { table, of_printed: made(choices, Choice::by_print), of_true: made(choices, Choice::by_truth) })
}

fn made(choices: &[&Choice], chosen: fn(&Choice) -> Option<&Candidate>) -> Option<Estimate> {
    let on_network = |choice: &Choice| choice.at.within(|axis| NETWORK.contains(&axis));
    let calls = grouped(
        choices.iter().map(|&choice| (choice.at.within(|axis| !NETWORK.contains(&axis)), (on_network(choice), choice))),
    );
    let score = |network: &Key| {
        let points = calls.iter().flat_map(|(_, on_all)| {
            let entry = on_all.iter().find(|(one, _)| one == network).and_then(|(_, choice)| chosen(choice));
            let others = on_all.iter().filter(move |(one, _)| one != network);
            others.filter_map(move |(_, choice)| Some(choice.points(&entry?.algorithm)))
        });
        mean(points)
    };
    let networks = distinct(choices.iter().map(|choice| on_network(choice)));
    let scores: Vec<f64> = networks.iter().take(MOST_NETWORKS).filter_map(score).collect();
    let (low, high) =
        (scores.iter().copied().fold(f64::INFINITY, f64::min), scores.iter().copied().fold(-1.0, f64::max));
    median(&scores).map(|value| Estimate { value, low, high })
}

fn mean(points: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = points.fold((0.0, 0u32), |(sum, count), one| (sum + one, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

impl Choice {
    /// Returns 1 where an algorithm, by its name, stands on the side of the printed numbers, −1 on the side of the true
    /// times, else 0.
    fn points(&self, algorithm: &str) -> f64 {
        match self.named(algorithm).map(|one| self.side(one)) {
            Some(Side::Printed) => 1.0,
            Some(Side::True) => -1.0,
            Some(Side::Both | Side::Neither) | None => 0.0,
        }
    }
}
