//! Which jobs published rows are of.

use super::{Selected, Taken};
use published::Row;
use render::groups::distinct;
use scenario::BadInput;
use std::collections::BTreeMap;

/// The one job, or several runs of as many ranks and nodes of one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    /// The machine.
    pub system: String,
    /// All ranks.
    pub ranks: u32,
    /// The runs, in order.
    pub runs: Vec<String>,
    /// The libraries with their versions.
    pub libraries: Vec<String>,
}

impl Selected {
    /// The job of all rows.
    ///
    /// # Errors
    /// There are several: lists them.
    pub(super) fn job(&self) -> Result<Job, BadInput> {
        let of = |one: &Taken| (one.row.system.clone(), one.ranks(), one.row.shape.clone());
        let all = distinct(self.taken.iter().map(of));
        let (system, ranks, nodes) = all.first().cloned().unwrap_or_default();
        if all.len() > 1 {
            let rows: Vec<Row> = self.taken.iter().map(|one| one.row.clone()).collect();
            return Err(BadInput(format!(
                "{}: expected the rows of one machine with one number of ranks and nodes, found several; choose, like \
                 --only system={system},ranks={ranks},nodes={nodes}:\n{}",
                self.name,
                told(&rows)
            )));
        }
        let library = |row: &Row| format!("{} {}", row.library, row.version).trim().to_owned();
        let runs = distinct(self.taken.iter().map(|one| one.row.run.clone()));
        Ok(Job { system, ranks, runs, libraries: distinct(self.taken.iter().map(|one| library(&one.row))) })
    }
}

/// A line for each machine, run and number of ranks.
pub(super) fn told(rows: &[Row]) -> String {
    let mut jobs: BTreeMap<_, usize> = BTreeMap::new();
    for row in rows {
        *jobs.entry((&row.system, &row.run, row.ranks, &row.shape)).or_default() += 1;
    }
    let lines = jobs.into_iter().map(|((system, run, ranks, nodes), count)| {
        let ranks = ranks.map_or("?".to_owned(), |ranks| ranks.to_string());
        format!("  system={system},run={run},ranks={ranks} ({nodes} nodes, {count} rows)")
    });
    lines.collect::<Vec<_>>().join("\n")
}
