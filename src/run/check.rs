//! `parallax check`: every algorithm on real ranks, every byte compared.

use crate::flags::SiteFlags;
use anyhow::bail;
use campaign::Start;
use measure::job::{Outcome, Task};
use models::call::{Call, known_names};
use models::network::{Hockney, SendRule};
use models::observation::{Carrier, World};
use models::time::{PerByte, Span};
use scenario::BadInput;
use std::process::ExitCode;

/// What `parallax check` is told.
#[derive(clap::Args)]
pub struct CheckArguments {
    /// Where the ranks run: threads, openmpi or mpich
    #[arg(long, default_value = "threads", value_parser = crate::flags::world)]
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

/// Emulated messages take this long: enough to be held back, short enough for hundreds of calls.
const ALPHA: Span = Span::from_us(20);

impl CheckArguments {
    /// Runs the check and says how many calls were compared.
    pub fn check(&self) -> anyhow::Result<ExitCode> {
        let operations = self.operations()?;
        campaign::notice_interrupts()?;
        if !operations.is_empty() {
            let tasks = operations.into_iter().map(|name| Task::CheckCalls { operations: vec![name] }).collect();
            self.carry_out(Carrier::Native, tasks)?;
            return Ok(ExitCode::SUCCESS);
        }
        for carrier in [Carrier::Native, Carrier::Emulated] {
            if (self.world, carrier) != (World::Threads, Carrier::Native) {
                self.carry_out(carrier, vec![Task::Check])?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The names of the operations to be checked in every form, as [`Call::name`] spells them.
    fn operations(&self) -> anyhow::Result<Vec<String>> {
        if self.operation.is_empty() {
            return Ok(Vec::new());
        }
        if self.world == World::Threads {
            let message = "the library's own calls need a message library: expected --world openmpi or mpich";
            return Err(BadInput(message.to_owned()).into());
        }
        if self.operation.iter().any(|name| name == "all") {
            return Ok(known_names());
        }
        let spelled = |name: &String| Call::find(name).map(|(collective, call)| call.name(collective));
        Ok(self.operation.iter().map(spelled).collect::<Result<_, _>>().map_err(BadInput)?)
    }

    /// One launch; each task is one check.
    fn carry_out(&self, carrier: Carrier, tasks: Vec<Task>) -> anyhow::Result<()> {
        let emulated = Hockney { alpha: ALPHA, beta: PerByte(0.0), send_rule: SendRule::Busy };
        let start = Start { carrier, emulated, ..Start::new(self.world, self.ranks, &self.site.site()?)? };
        let place = format!("{} ranks, {}, {} network", self.ranks, self.world.title(), carrier.name());
        let mut calls = 0;
        for answer in start.ask(&start.job(tasks))? {
            match answer {
                Outcome::Checked(number) => calls += number,
                other => bail!("{place}: unexpected answer {other:?}"),
            }
        }
        println!("{place}: {calls} calls on every rank, every byte right");
        Ok(())
    }
}
