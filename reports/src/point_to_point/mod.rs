//! What pairs of ranks exchanged, for people and for programs: latency and bandwidth over message length, the fitted
//! T(L) = s + L/R, latency matrices. Bandwidths are in MB/s with MB = 10⁶ B.

mod heat_map;
mod matrix;
mod page;
mod pairs;
mod summary;
mod tables;
#[cfg(test)]
mod tests;

pub use heat_map::heat_map;
pub use matrix::{Matrix, Spoken, Statistic};
pub use page::summary;
pub use pairs::Pairs;
pub use summary::{Fit, Row};

use models::observation::World;
use models::point_to_point::{Buffers, Record, Test};
use scenario::store::{CampaignLines, Found, Line};

/// Confidence of all intervals.
pub const CONFIDENCE: f64 = 0.95;

/// One test and what belongs to it.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was asked for.
    pub test: Test,
    /// Who exchanged the messages: library and version, or network model.
    pub ran_by: String,
    /// How many ranks there were.
    pub ranks: u32,
    /// Where they were.
    pub world: Option<World>,
    /// Cores that they could use; `None` for simulated ranks.
    pub cores: Option<u32>,
    /// When, UTC.
    pub date: String,
    /// Host, processor, kernel and what else belongs to a measurement.
    pub environment: Vec<(String, String)>,
    /// The line that started the ranks.
    pub launch: Option<String>,
    /// What readers must know.
    pub notes: Vec<String>,
    /// What was recorded.
    pub record: Record,
    /// One row for each kind of exchange, in order.
    pub rows: Vec<Row>,
    /// One for each pair that exchanged ping-pongs of several lengths.
    pub fits: Vec<Fit>,
}

/// What a campaign's lines say of such a test; none where they hold none.
pub fn report(lines: &[Line]) -> Option<Report> {
    let exchanged = CampaignLines::from(lines).tested().filter_map(|tested| match &tested.found {
        Found::Exchanged { test, record } => Some((tested, test, record)),
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
        ..Report::of(test.clone(), tested.ran_by.clone(), tested.ranks, record.clone())
    })
}

impl Report {
    /// Works out the rows and the fits.
    pub fn of(test: Test, ran_by: String, ranks: u32, record: Record) -> Report {
        let rows = record.exchanges.iter().filter_map(Row::of).collect();
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

    /// True if there were more ranks than cores.
    pub fn oversubscribed(&self) -> bool {
        self.cores.is_some_and(|cores| self.ranks > cores)
    }

    /// What was asked, of whom, and what to know about it: lines for the head of a table.
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
