//! `parallax check`: every algorithm on real ranks, every byte compared.

use crate::flags::SiteFlags;
use campaign::check;
use measure::job::Task;
use models::observation::{Carrier, World};
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
    site: SiteFlags,
}

impl CheckArguments {
    /// Runs the check and says how many calls were compared.
    pub fn check(&self) -> anyhow::Result<ExitCode> {
        let operations = check::operations(&self.operation, self.world)?;
        campaign::notice_interrupts()?;
        if !operations.is_empty() {
            let tasks = operations.into_iter().map(|name| Task::CheckCalls { operations: vec![name] }).collect();
            self.carry_out(Carrier::Native, tasks)?;
            return Ok(ExitCode::SUCCESS);
        }
        for carrier in [Carrier::Native, Carrier::EMULATED] {
            if (self.world, carrier) != (World::Threads, Carrier::Native) {
                self.carry_out(carrier, vec![Task::Check])?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn carry_out(&self, carrier: Carrier, tasks: Vec<Task>) -> anyhow::Result<()> {
        let site = self.site.site()?;
        println!("{}", check::carry_out((self.world, self.ranks), carrier, &site, tasks)?);
        Ok(())
    }
}
