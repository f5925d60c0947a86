//! Tables as the same procedure would make them: of the numbers or the times of one network, held against the others.

use super::{Candidate, Choice, Side};
use programs::machine::Estimate;
use render::groups::{distinct, grouped};
use scenario::axis::{Axis, Key};
use statistics::{mean, median};

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
    let table = mean_of(choices.iter().filter_map(of_table))?;
    Some(Scores { table, of_printed: made(choices, Choice::by_print), of_true: made(choices, Choice::by_truth) })
}

fn made(choices: &[&Choice], chosen: fn(&Choice) -> Option<&Candidate>) -> Option<Estimate> {
    let on_network = |choice: &Choice| choice.at.within(|axis| Axis::NETWORK.contains(&axis));
    let calls = grouped(
        choices
            .iter()
            .map(|&choice| (choice.at.within(|axis| !Axis::NETWORK.contains(&axis)), (on_network(choice), choice))),
    );
    let score = |network: &Key| {
        let points = calls.iter().flat_map(|(_, on_all)| {
            let entry = on_all.iter().find(|(one, _)| one == network).and_then(|(_, choice)| chosen(choice));
            let others = on_all.iter().filter(move |(one, _)| one != network);
            others.filter_map(move |(_, choice)| Some(choice.points(&entry?.algorithm)))
        });
        mean_of(points)
    };
    let networks = distinct(choices.iter().map(|choice| on_network(choice)));
    let mut scores: Vec<f64> = networks.iter().take(MOST_NETWORKS).filter_map(score).collect();
    scores.sort_by(f64::total_cmp);
    Some(Estimate { value: median(&scores)?, low: *scores.first()?, high: *scores.last()? })
}

fn mean_of(points: impl Iterator<Item = f64>) -> Option<f64> {
    Some(points.collect::<Vec<_>>()).filter(|points| !points.is_empty()).map(|points| mean(&points))
}

impl Choice {
    /// Returns 1 where an algorithm, by its name, stands on the side of the printed numbers, −1 on the side of the true
    /// times, else 0.
    fn points(&self, algorithm: &str) -> f64 {
        match self.side_of(algorithm) {
            Some(Side::Printed) => 1.0,
            Some(Side::True) => -1.0,
            Some(Side::Both | Side::Neither) | None => 0.0,
        }
    }
}
