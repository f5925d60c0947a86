//! Jobs of published rows.

use super::{Selected, Taken};
use published::PublishedRow;
use render::groups::distinct;
use scenario::BadInput;
use std::collections::BTreeMap;

/// A single job, or several runs with the same numbers of ranks and nodes on one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    /// Name of the machine.
    pub system: String,
    /// Number of all ranks.
    pub ranks: u32,
    /// Times of the runs, in order.
    pub runs: Vec<String>,
    /// Libraries with their versions.
    pub libraries: Vec<String>,
}

impl Selected {
    /// Returns the job of all rows.
    ///
    /// # Errors
    /// Lists the jobs, if there are several.
    pub(super) fn job(&self) -> Result<Job, BadInput> {
        let of = |one: &Taken| (one.row.system.clone(), one.ranks(), one.row.shape.clone());
        let all = distinct(self.taken.iter().map(of));
        let (system, ranks, nodes) = all.first().cloned().unwrap_or_default();
        if all.len() > 1 {
            let rows: Vec<PublishedRow> = self.taken.iter().map(|one| one.row.clone()).collect();
            return Err(BadInput(format!(
                "{}: expected the rows of one machine with one number of ranks and nodes, found several; choose, like \
                 --only system={system},ranks={ranks},nodes={nodes}:\n{}",
                self.name,
                describe_jobs(&rows)
            )));
        }
        let library = |row: &PublishedRow| format!("{} {}", row.library, row.version).trim().to_owned();
        let runs = distinct(self.taken.iter().map(|one| one.row.run.clone()));
        Ok(Job { system, ranks, runs, libraries: distinct(self.taken.iter().map(|one| library(&one.row))) })
    }
}

/// Returns a line for each machine, run and number of ranks.
pub(super) fn describe_jobs(rows: &[PublishedRow]) -> String {
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
