//! `parallax noise watch`: a live view of the detours of ranks.

use crate::flags::{StartFlags, world};
use crate::output::print_words;
use analysis::noise::{Collect, Watched, watch};
use analysis::values::long_time;
use models::time::Span;
use programs::observation::World;
use std::process::ExitCode;

/// The arguments of `parallax noise watch`.
#[derive(clap::Args)]
pub struct WatchArguments {
    /// How long to watch, up to 24h; Ctrl-C ends it before
    #[arg(long, default_value = "1h", value_name = "TIME", value_parser = long_time)]
    time: Span,
    /// World: where ranks run
    #[arg(long, default_value = "threads", value_parser = world())]
    world: World,
    /// Number of ranks [default: one for each CPU but the last, where parallax itself looks]
    #[arg(long, value_parser = analysis::values::ranks)]
    ranks: Option<u32>,
    /// CPUs of each host, by the system's numbers, like 0-3,8 [default: those that ranks may use]
    #[arg(long, value_name = "LIST")]
    cpus: Option<String>,
    #[command(flatten)]
    start: StartFlags,
}

impl WatchArguments {
    /// Watches until the time is over, without storing anything.
    pub fn watch(&self) -> anyhow::Result<ExitCode> {
        let (world, time, cpus) = (self.world, self.time, self.cpus.clone());
        let collect = Collect { world, time, cpus, ranks: self.ranks, live: true, ..Collect::default() };
        let Watched { text, code } = watch(collect, &self.start.site.site()?, self.start.timeout)?;
        print_words(&text)?;
        Ok(code)
    }
}
