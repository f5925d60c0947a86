//! Exchanges of pairs of ranks, for readers and for programs: latency and bandwidth over message length, the fitted
//! T(L) = s + L/R, latency matrices. Bandwidths are in MB/s with MB = 10⁶ B.

mod matrix;
mod page;
mod summary;
mod tables;
#[cfg(test)]
mod tests;

pub use matrix::{Matrix, Spoken, Statistic};
pub use page::summary;
pub use summary::{Fit, PointToPointRow};

use programs::observation::World;
use programs::point_to_point::{Buffers, Record, Test};
use scenario::store::{CampaignLines, Line, TaskResult};

/// Confidence level of all intervals.
pub const CONFIDENCE: f64 = 0.95;

/// One test with its record and the circumstances.
#[derive(Clone, Debug)]
pub struct Report {
    /// Test that ran, with its settings.
    pub test: Test,
    /// Library and version, or network model, that exchanged the messages.
    pub ran_by: String,
    /// Number of ranks.
    pub ranks: u32,
    /// World of the ranks; `None` where it is not known.
    pub world: Option<World>,
    /// Number of cores that the ranks could use; `None` for simulated ranks.
    pub cores: Option<u32>,
    /// Date of the test, UTC.
    pub date: String,
    /// Host, processor, kernel and other facts that belong to a measurement.
    pub environment: Vec<(String, String)>,
    /// Command line that started the ranks; `None` where none did.
    pub launch: Option<String>,
    /// Notes for the readers of the results.
    pub notes: Vec<String>,
    /// Recorded exchanges.
    pub record: Record,
    /// One row for each kind of exchange, in order.
    pub rows: Vec<PointToPointRow>,
    /// One fit for each pair that exchanged ping-pongs of several lengths.
    pub fits: Vec<Fit>,
}

/// Makes the report of such a test from a campaign's lines; `None` where they hold none.
pub fn report(lines: &[Line]) -> Option<Report> {
    let exchanged = CampaignLines::from(lines).tested().filter_map(|tested| match &tested.found {
        TaskResult::Exchanged { test, record } => Some((tested, test, record)),
        _ => None,
    });
    let (tested, test, record) = exchanged.last()?;
    Some(Report {
        world: Some(tested.world),
        cores: Some(tested.cores),
        date: tested.date.clone(),
        environment: crate::tested::first_page(lines)?.environment,
        launch: tested.launch.clone(),
        notes: tested.notes.clone(),
        ..Report::from_record(test.clone(), tested.ran_by.clone(), tested.ranks, record.clone())
    })
}

impl Report {
    /// Computes the rows and the fits.
    pub fn from_record(test: Test, ran_by: String, ranks: u32, record: Record) -> Report {
        let rows = record.exchanges.iter().filter_map(PointToPointRow::from_exchanges).collect();
        let fits = summary::fits(&record.exchanges, &ran_by);
        Report {
            test,
            ran_by,
            ranks,
            world: None,
            cores: None,
            date: String::new(),
            environment: Vec::new(),
            launch: None,
            notes: Vec::new(),
            record,
            rows,
            fits,
        }
    }

    /// Whether there were more ranks than cores.
    pub fn oversubscribed(&self) -> bool {
        self.cores.is_some_and(|cores| self.ranks > cores)
    }

    /// Returns lines for the head of a table: the test, the library or model, and notes.
    pub fn head(&self) -> Vec<String> {
        let Report { test, ran_by, ranks, .. } = self;
        let crowded = if self.oversubscribed() { ", oversubscribed" } else { "" };
        let mut lines = vec![format!("Parallax {test} test, {ranks} ranks{crowded}"), ran_by.clone()];
        if test.buffers() != Buffers::Same {
            lines.push(format!("buffers {}: {}", test.buffers().name(), test.buffers().words()));
        }
        lines.extend(self.notes.iter().cloned());
        if self.record.clock_read.0 > 0 {
            lines.push(format!("reading the clock takes {}; every time contains a reading", self.record.clock_read));
        }
        lines
    }
}
