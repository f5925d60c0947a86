//! Selection of published numbers, as flags of commands that fit to them or predict them.

use super::Benchmarks;
use analysis::printed::{Behind, Choice, Only};
use programs::observation::Barrier;
use scenario::BadInput;
use std::path::{Path, PathBuf};

/// Default length of the longest buffer, because other costs than messages determine the time of longer ones.
const LONGEST: u64 = 16 << 10;

/// Default column.
const BENCHMARK: &str = "pico:median";

/// Which of the numbers of `--from`, which stands beside these flags.
#[derive(clap::Args)]
#[command(next_help_heading = "Published numbers")]
pub struct PublishedFlags {
    /// Rows to take: system, run (a part of its time), test, ranks, nodes, collective, algorithm or library (a part of
    /// its name), like system=leonardo,ranks=256
    #[arg(long, value_name = "KEY=VALUE,…", requires = "from", value_parser = Only::parse)]
    pub only: Option<Only>,
    /// Benchmark that printed the numbers, or one of its columns [default: pico:median]
    #[arg(long, value_name = "NAME", requires = "from", value_parser = Benchmarks)]
    pub benchmark: Option<String>,
    /// Map of the machine's nodes: a line for each, like NODE 0001 CELL 1, by the number in its host's name. Ranks are placed by
    /// the run's alloc.csv; nodes of one cell share a switch (class switch), and a fit has a latency of its own for them
    #[arg(long, value_name = "FILE", requires = "from")]
    pub nodes: Option<PathBuf>,
}

impl PublishedFlags {
    /// Returns the selection from a file.
    pub fn choice(&self, file: &Path, longest: Option<u64>, platform: Option<String>, quiet: bool) -> Choice {
        Choice {
            file: file.to_owned(),
            only: self.only.clone().unwrap_or_default(),
            longest: longest.unwrap_or(LONGEST),
            benchmark: self.benchmark.clone().unwrap_or_else(|| BENCHMARK.to_owned()),
            platform,
            nodes: self.nodes.clone(),
            own_choice: false,
            quiet,
        }
    }
}

/// Refuses flags of published numbers where there are none. (The parser requires `--from` only where no other flag excludes
/// it.) `others` are further flags with whether they were given.
pub fn need_published(published: &PublishedFlags, others: &[(&str, bool)], needed: &str) -> Result<(), BadInput> {
    let own = [
        ("--only", published.only.is_some()),
        ("--benchmark", published.benchmark.is_some()),
        ("--nodes", published.nodes.is_some()),
    ];
    match own.iter().chain(others).find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(BadInput(format!("{flag}: it selects among published numbers; also give {needed}"))),
        None => Ok(()),
    }
}

/// Reads a barrier by its name, or `choose`.
pub fn behind(text: &str) -> Result<Behind, String> {
    match text {
        "choose" => Ok(Behind::Choose),
        name => Barrier::find(name).map(Behind::Given),
    }
}
