//! Predictions of printed numbers beside published ones, and the barrier that was between the calls.

mod picture;

pub use picture::write_chart;

use models::collective::Collective;
use models::names::counted;
use programs::machine::Estimate;
use render::columns;
use render::data::{Cell, Filled, Known, Show, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::{percent, significant};
use render::results::Results;
use render::table;
use std::fmt::{self, Display, Formatter};

/// Number of rows that are left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Reason why they are left out.
    pub reason: String,
    /// Number of rows left out.
    pub rows: usize,
}

impl Display for LeftOut {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", counted(self.rows, "row"), self.reason)
    }
}

/// Fit of the best parameters with one barrier.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// Name of the barrier.
    pub barrier: String,
    /// Extent of the search for its parameters: `fit`, or `screen` for a few steps on a part of the numbers.
    pub reach: String,
    /// Number of fitted numbers.
    pub numbers: usize,
    /// Mean error as a share, in either direction: 0.1 is ten percent.
    pub mean_error: f64,
    /// Median error as a share, in either direction.
    pub median_error: f64,
    /// Error, as a share, that nine of ten numbers do not exceed.
    pub p90_error: f64,
    /// Mean error over that of the best barrier whose search went as far, both as logarithms.
    pub times_best: f64,
}

/// Returns a table of barriers for a terminal.
pub fn evidence(all: &[Evidence]) -> String {
    let heads = ["barrier", "by", "numbers", "mean error", "median", "90 %", "times the best"];
    let rows = all.iter().map(|one| {
        let errors = [one.mean_error, one.median_error, one.p90_error].map(percent_either_way);
        let [mean, median, p90] = errors;
        let (barrier, reach, times) = (one.barrier.clone(), one.reach.clone(), significant(one.times_best));
        [barrier, reach, one.numbers.to_string(), mean, median, p90, times]
    });
    table::Table::plain(heads, rows, |column| column > 1).text()
}

/// Source of the predictions.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Predictions by a machine file.
    Machine {
        /// Name of the machine.
        machine: String,
        /// Name of the network model.
        model: String,
        /// Number of sets of parameters in the file that fit equally well together; ranges are over these.
        joint_fits: usize,
    },
    /// Predictions by fits to the same numbers, each without some algorithms.
    HeldOut {
        /// Number of fits that predict together.
        folds: usize,
    },
}

/// One published number with its predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct AgreementRow {
    /// Name of the machine that ran the job.
    pub system: String,
    /// Time at which the job began.
    pub job: String,
    /// Number of ranks of the job.
    pub ranks: u32,
    /// Collective that was called.
    pub operation: Collective,
    /// Algorithm of this code that stands for the published one.
    pub algorithm: String,
    /// Name of the algorithm as published.
    pub published_algorithm: String,
    /// Bytes of the buffer, or of one block if a block per rank is moved.
    pub bytes: u64,
    /// Name of the barrier between the calls.
    pub barrier: String,
    /// Grounds on which the barrier is known.
    pub barrier_grounds: String,
    /// Printed number, in µs.
    pub printed_us: f64,
    /// Predicted printed number, in µs: at the best values of all parameters, with a range like that of the true time.
    pub predicted_us: Estimate,
    /// Relative error: (predicted − printed) ÷ printed.
    pub error: f64,
    /// Predicted true duration of the call, in µs: at the best values of all parameters, with its range over the
    /// machine's joint fits; where it has none, with all parameters at one end of their intervals and at the other.
    pub true_us: Estimate,
}

/// Agreement of predictions with printed numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Number of compared numbers.
    pub numbers: usize,
    /// Median error as a share, in either direction: 0.1 is ten percent.
    pub median_error: f64,
    /// Error, as a share, that nine of ten numbers do not exceed.
    pub p90_error: f64,
    /// Number of pairs of algorithms of one operation, length and number of ranks whose printed numbers are more than
    /// ten percent apart.
    pub pairs: usize,
    /// Number of these pairs that are predicted in their order.
    pub in_order: usize,
    /// Kendall's τ_b over all pairs of such algorithms, however close; `None` where there is no pair.
    pub tau: Option<f64>,
}

/// Predictions of published numbers with their agreement.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// Source of the predictions.
    pub source: Source,
    /// Rows, one per published number.
    pub rows: Vec<AgreementRow>,
    /// Agreement of the predicted printed numbers.
    pub printed: Agreement,
    /// Agreement of the predicted true times taken as printed numbers: the error of reading printed numbers as true
    /// ones.
    pub truth: Agreement,
    /// Chosen rows without a prediction, by reason.
    pub left_out: Vec<LeftOut>,
}

impl Predicted {
    fn table(&self) -> Table {
        let columns: [Filled<AgreementRow>; 13] = [
            (columns::SYSTEM.column(), &|row| row.system.as_str().into()),
            (columns::JOB.column(), &|row| row.job.as_str().into()),
            (columns::RANKS.column(), &|row| row.ranks.into()),
            (columns::OPERATION.column(), &|row| row.operation.name().into()),
            (columns::ALGORITHM.column(), &|row| row.algorithm.as_str().into()),
            (columns::PUBLISHED_ALGORITHM.headed("algorithm"), &|row| row.published_algorithm.as_str().into()),
            (columns::BYTES.column(), &|row| row.bytes.into()),
            (columns::BARRIER.column(), &|row| row.barrier.as_str().into()),
            (columns::BARRIER_GROUNDS.column(), &|row| row.barrier_grounds.as_str().into()),
            (columns::PRINTED.headed("printed").without_limits(), &|row| row.printed_us.into()),
            (columns::PREDICTED.headed("predicted"), &|row| row.predicted_us.into()),
            (columns::ERROR.column().without_limits().shown(Style::Change), &|row| row.error.into()),
            (columns::TRUTH.headed("true"), &|row| row.true_us.into()),
        ];
        Table::from_rows("rows", &self.rows, &columns)
    }

    fn agreement(&self) -> Table {
        let columns = [
            Known::text("prediction", "what is held against printed numbers", "").headed("against printed numbers"),
            Known::integer("numbers", "", "how many numbers", "54").column(),
            Known::number("median_error", "", "median error, either way", "0.1")
                .headed("median error")
                .shown(Style::Magnitude),
            Known::number("p90_error", "", "error that nine of ten do not exceed", "0.3")
                .headed("90 %")
                .shown(Style::Magnitude),
            Known::integer("pairs", "", "pairs of algorithms more than ten percent apart", "20")
                .headed("pairs > 10 % apart"),
            Known::integer("in_order", "", "those of them that are predicted in their order", "18").headed("in order"),
            Known::number("tau", "", "Kendall's τ_b over all pairs of algorithms", "0.8")
                .headed("τ")
                .shown(Style::Fixed(2)),
        ];
        let row = |(name, one): (&str, &Agreement)| {
            let errors = [one.median_error.into(), one.p90_error.into()];
            let counts = [one.pairs.into(), one.in_order.into(), one.tau.into()];
            [name.into(), one.numbers.into()].into_iter().chain(errors).chain(counts).collect()
        };
        let both = [("predicted to be printed", &self.printed), ("true times in their place", &self.truth)];
        Table::new("agreement", columns, both.map(row))
    }

    /// Returns the chosen rows without a prediction, by their reasons.
    fn left_out(&self) -> Table {
        let columns = [
            Known::integer("count", "", "how many rows", "3").column(),
            Known::text("reason", "why they are left out", "").column(),
        ];
        let row = |out: &LeftOut| vec![out.rows.into(), out.reason.clone().into()];
        Table::new("left_out", columns, self.left_out.iter().map(row))
    }
}

impl Results for Predicted {
    fn answer(&self) -> String {
        match &self.source {
            Source::Machine { machine, model, joint_fits: 0 } => format!(
                "Predicted by machine {machine} ({model}); ranges: with all parameters at the lower ends of their intervals, and at the \
                 upper ends"
            ),
            Source::Machine { machine, model, joint_fits } => {
                format!("Predicted by machine {machine} ({model}); ranges: over its {joint_fits} joint fits")
            }
            Source::HeldOut { folds } => {
                format!(
                    "Predicted by {folds} fits, each to the numbers of other algorithms than those that it predicts"
                )
            }
        }
    }

    fn page(&self) -> Page {
        let (table, agreement) = (self.table(), self.agreement());
        let jobs = |row: &AgreementRow| (row.system.clone(), row.job.clone(), row.ranks);
        let several = self.rows.windows(2).any(|pair| jobs(&pair[0]) != jobs(&pair[1]));
        let job = ["system", "job", "ranks"].into_iter().filter(|_| several);
        let call = ["operation", "published_algorithm", "bytes", "barrier"];
        let numbers = Show::all(job.chain(call).chain(["printed_us", "predicted_us", "error", "true_us"]));
        let numbers = View::new(&table).show(numbers).laid_out();
        let agreement = View::new(&agreement).whole().laid_out();
        let left_out = self.left_out.iter().map(|out| format!("left out: {out}"));
        Page {
            question: "How far are predictions from the numbers that were published?".to_owned(),
            answer: self.answer(),
            sections: vec![
                Section::default().with_tables([numbers]),
                Section::default().with_tables([agreement]),
                Section::default().with_list(left_out),
            ],
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table()
    }

    fn others(&self) -> Vec<Table> {
        vec![self.agreement(), self.left_out()]
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        match &self.source {
            Source::Machine { machine, model, joint_fits } => vec![
                ("machine", machine.clone().into()),
                ("model", model.clone().into()),
                ("joint_fits", (*joint_fits).into()),
            ],
            Source::HeldOut { folds } => vec![("folds", (*folds).into())],
        }
    }
}

/// Prints an error without a sign: `12 %`.
fn percent_either_way(share: f64) -> String {
    percent(share).trim_start_matches('+').to_owned()
}
