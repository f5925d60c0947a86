//! The log of a job: the settings of each test, and events.

use crate::PublishedRow;
use crate::summary::{collective, product};

/// Content of a log: the tests of a job.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Row of each test, without numbers. Ranks are those that were started.
    pub tests: Vec<PublishedRow>,
    /// Number of lengths that the framework skips, as they are shorter than a block for each rank.
    pub skipped: usize,
}

/// Reads the standard output of a job.
pub(crate) fn read(text: &str) -> Log {
    let mut log = Log::default();
    let mut now: Option<PublishedRow> = None;
    for line in text.lines() {
        if line.contains("CONFIGURATION SUMMARY") {
            log.tests.extend(now.replace(PublishedRow::default()));
        } else if line.starts_with("Skipping algorithm ") {
            log.skipped += 1;
        } else if let (Some(row), Some((label, value))) = (now.as_mut(), line.split_once(':')) {
            say(row, label.trim_matches([' ', '•']), value.trim());
        }
    }
    log.tests.extend(now);
    log.tests.retain(|row| row.test.is_some());
    log
}

fn say(row: &mut PublishedRow, label: &str, value: &str) {
    match label {
        "Location" => value.clone_into(&mut row.system),
        "Number of Nodes" => (row.nodes, row.shape) = (product(value), value.to_owned()),
        "Total MPI tasks" => row.ranks = value.parse().ok(),
        "Task per Node" => row.ranks_per_node = value.parse().ok(),
        "Results Directory" => row.test = value.rsplit('/').next().and_then(|test| test.parse().ok()),
        "Collective Type" => row.collective = collective(value),
        "MPI Library" => {
            let (library, version) = value.split_once(' ').unwrap_or((value, ""));
            (row.library, row.version) = (library.to_owned(), version.to_owned());
        }
        "CUDA Enabled" => row.gpu = value == "True",
        "Notes" => value.clone_into(&mut row.notes),
        _ => {}
    }
}
