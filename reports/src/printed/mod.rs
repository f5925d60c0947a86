//! What is predicted to be printed beside what was published as printed; and which barrier was between the calls.

mod picture;

pub use picture::draw;

use models::collective::Collective;
use models::machine::Estimate;
use models::names::counted;
use render::plots::numbers::{percent, significant, with_interval, with_minus};
use render::table::{Csv, Heads, Table};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// Rows for which one reason holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Why they are left out.
    pub reason: String,
    /// How many.
    pub rows: usize,
}

impl Display for LeftOut {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", counted(self.rows, "row"), self.reason)
    }
}

/// How well the best parameters behind one barrier fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// The barrier.
    pub barrier: String,
    /// How far the search for its parameters went: `fit`, or `screen`: a few steps on a part of the numbers.
    pub reach: String,
    /// How many numbers were fitted.
    pub numbers: usize,
    /// The mean error, as a share: 0.1 is ten percent, either way.
    pub mean_error: f64,
    /// The median.
    pub median_error: f64,
    /// Nine of ten are no larger.
    pub p90_error: f64,
    /// The mean error over that of the best barrier whose search went as far, both as logarithms.
    pub times_best: f64,
}

/// A table of barriers for a terminal.
pub fn evidence(all: &[Evidence]) -> String {
    let heads = ["barrier", "by", "numbers", "mean error", "median", "90 %", "times the best"];
    let rows = all.iter().map(|one| {
        let errors = [one.mean_error, one.median_error, one.p90_error].map(percent_either_way);
        let [mean, median, p90] = errors;
        let (barrier, reach, times) = (one.barrier.clone(), one.reach.clone(), significant(one.times_best));
        [barrier, reach, one.numbers.to_string(), mean, median, p90, times]
    });
    Table::plain(heads, rows, |column| column > 1).text()
}

/// What predicted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A machine file.
    Machine {
        /// Its name.
        machine: String,
        /// The network model.
        model: String,
        /// How many sets of parameters that fit as well together the file has; ranges are over these.
        joint_fits: usize,
    },
    /// Fits to the same numbers, each without some algorithms.
    HeldOut {
        /// How many fits.
        folds: usize,
    },
}

/// One published number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The machine.
    pub system: String,
    /// The time at which the job began.
    pub job: String,
    /// All ranks.
    pub ranks: u32,
    /// What was called.
    pub operation: Collective,
    /// The algorithm of ours that stands for it.
    pub algorithm: String,
    /// The algorithm, as published.
    pub published_algorithm: String,
    /// Bytes of the buffer, or of one block if a block per rank is moved.
    pub bytes: u64,
    /// The barrier between the calls.
    pub barrier: String,
    /// How it is known.
    pub barrier_grounds: String,
    /// What was printed, in µs.
    pub printed_us: f64,
    /// What is predicted to be printed, in µs: at the best values of all parameters, with its range as of the true time.
    pub predicted_us: Estimate,
    /// (predicted − printed) ÷ printed.
    pub error: f64,
    /// How long the call is predicted to take truly, in µs: at the best values of all parameters, with its range over the
    /// machine's joint fits; where it has none, with all parameters at one end of their intervals and at the other.
    pub true_us: Estimate,
}

/// How far predictions are from printed numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// How many numbers.
    pub numbers: usize,
    /// The median error, as a share: 0.1 is ten percent, either way.
    pub median_error: f64,
    /// Nine of ten are no larger.
    pub p90_error: f64,
    /// Pairs of algorithms of one operation, length and number of ranks whose printed numbers are more than ten percent apart.
    pub pairs: usize,
    /// Those of them that are predicted in their order.
    pub in_order: usize,
    /// Kendall's τ_b over all pairs of such algorithms, however close; none where there is no pair.
    pub tau: Option<f64>,
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Predicted {
    /// What predicted.
    pub source: Source,
    /// Number by number.
    pub rows: Vec<Row>,
    /// Of what is predicted to be printed.
    pub printed: Agreement,
    /// Of the predicted true times, taken for what is printed: how wrong it is to read printed numbers as true ones.
    pub truth: Agreement,
    /// Chosen rows without a prediction.
    pub left_out: Vec<LeftOut>,
}

const HEADS: &str = "system,job,ranks,operation,algorithm,published_algorithm,bytes,barrier,barrier_grounds,printed_us,predicted_us,\
    predicted_low_us,predicted_high_us,error,true_us,true_low_us,true_high_us";

/// For programs that read tables.
pub(crate) fn csv(predicted: &Predicted) -> String {
    let row = |row: &Row| {
        let call = (row.operation.name().to_owned(), row.algorithm.clone(), row.published_algorithm.clone(), row.bytes);
        let barrier = [row.barrier.clone(), row.barrier_grounds.clone()];
        let predicted = (row.printed_us, row.predicted_us, row.error);
        (row.system.clone(), row.job.clone(), row.ranks, call, barrier, predicted, row.true_us)
    };
    Csv::new(Heads(HEADS)).rows(predicted.rows.iter().map(row)).text()
}

/// For people.
pub(crate) fn table(predicted: &Predicted) -> String {
    let left_out: String = predicted.left_out.iter().map(|out| format!("  left out: {out}\n")).collect();
    format!("{}\n{}\n{}\n{left_out}", sentence(predicted), numbers(predicted).text(), summary(predicted).text())
}

/// For documents.
pub(crate) fn markdown(predicted: &Predicted) -> String {
    let left_out: String = predicted.left_out.iter().map(|out| format!("* left out: {out}\n")).collect();
    let (numbers, summary) = (numbers(predicted).markdown(), summary(predicted).markdown());
    format!("{}\n\n{summary}\n{numbers}\n{left_out}", sentence(predicted))
}

fn sentence(predicted: &Predicted) -> String {
    match &predicted.source {
        Source::Machine { machine, model, joint_fits: 0 } => format!(
            "Predicted by machine {machine} ({model}); ranges: with all parameters at the lower ends of their intervals, and at the \
             upper ends"
        ),
        Source::Machine { machine, model, joint_fits } => {
            format!("Predicted by machine {machine} ({model}); ranges: over its {joint_fits} joint fits")
        }
        Source::HeldOut { folds } => {
            format!("Predicted by {folds} fits, each to the numbers of other algorithms than those that it predicts")
        }
    }
}

fn numbers(predicted: &Predicted) -> Table {
    let jobs = |row: &Row| (row.system.clone(), row.job.clone(), row.ranks);
    let several = predicted.rows.windows(2).any(|pair| jobs(&pair[0]) != jobs(&pair[1]));
    let usual = ["operation", "algorithm", "bytes", "barrier", "printed µs", "predicted µs", "error", "true µs"];
    let heads = ["system", "job", "ranks"].into_iter().filter(|_| several).chain(usual);
    let row = |row: &Row| {
        let job = [row.system.clone(), row.job.clone(), row.ranks.to_string()].into_iter().filter(|_| several);
        job.chain([
            row.operation.name().to_owned(),
            row.published_algorithm.clone(),
            row.bytes.to_string(),
            row.barrier.clone(),
            significant(row.printed_us),
            with_interval(&row.predicted_us),
            percent(row.error),
            with_interval(&row.true_us),
        ])
        .collect::<Vec<String>>()
    };
    let first = if several { 3 } else { 0 };
    let rows = predicted.rows.iter().map(row);
    Table::plain(heads, rows, |column| {
        column >= first && ![0, 1, 3].contains(&(column - first)) || several && column == 2
    })
}

fn summary(predicted: &Predicted) -> Table {
    let heads = ["against printed numbers", "numbers", "median error", "90 %", "pairs > 10 % apart", "in order", "τ"];
    let row = |name: &str, one: &Agreement| {
        let [median, p90] = [one.median_error, one.p90_error].map(percent_either_way);
        let tau = one.tau.map_or("–".to_owned(), |tau| with_minus(format!("{tau:.2}")));
        [name.to_owned(), one.numbers.to_string(), median, p90, one.pairs.to_string(), one.in_order.to_string(), tau]
    };
    let rows = [row("predicted to be printed", &predicted.printed), row("true times in their place", &predicted.truth)];
    Table::plain(heads, rows, |column| column > 0)
}

/// An error without a sign: `12 %`.
fn percent_either_way(share: f64) -> String {
    percent(share).trim_start_matches('+').to_owned()
}
