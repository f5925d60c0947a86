//! `parallax check`: every algorithm on real ranks, every byte compared.

use crate::results::TestFlags;
use campaign::check::plan;
use models::observation::World;
use std::process::ExitCode;

/// What `parallax check` is told.
#[derive(clap::Args)]
pub struct CheckArguments {
    /// Where the ranks run: threads, openmpi or mpich
    #[arg(long, default_value = "threads", value_parser = analysis::values::world)]
    world: World,
    /// How many ranks
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=255))]
    ranks: u32,
    /// Check the library's own call of this name, like ialltoallw, in every form instead; may be given several times;
    /// "all" for all of them
    #[arg(long, value_name = "NAME")]
    operation: Vec<String>,
    #[command(flatten)]
    test: TestFlags,
}

impl CheckArguments {
    /// Runs the check and says how many calls were compared.
    pub fn check(&self) -> anyhow::Result<ExitCode> {
        let site = self.test.site()?;
        let plan = |arguments: &CheckArguments| plan(&arguments.operation, arguments.world, arguments.ranks);
        self.test.carry_out(self, &site, plan)
    }
}
