//! `parallax check`: every algorithm on real ranks, every byte compared.

use super::{BadInput, serve, watch};
use crate::launch::{Library, Site, SiteFlags};
use anyhow::{Context, bail};
use measure::check::checked_bytes;
use measure::job::{Job, Outcome, Task};
use models::network::{Hockney, SendRule};
use models::observation::{Carrier, World};
use models::time::{PerByte, Span};
use std::process::ExitCode;
use std::time::Duration;

/// What `parallax check` is told.
#[derive(clap::Args)]
pub struct CheckArguments {
    /// Where the ranks run: threads, openmpi or mpich
    #[arg(long, default_value = "threads", value_parser = world)]
    world: World,
    /// How many ranks
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=255))]
    ranks: u32,
    #[command(flatten)]
    site: SiteFlags,
}

fn world(text: &str) -> Result<World, String> {
    let known = [World::Threads, World::Openmpi, World::Mpich];
    known.into_iter().find(|world| world.name() == text).ok_or_else(|| "expected threads, openmpi or mpich".to_owned())
}

/// Emulated messages take this long: enough to be held back, short enough for hundreds of calls.
const ALPHA: Span = Span::from_us(20);

impl CheckArguments {
    /// Runs the check and says how many calls were compared.
    pub fn check(&self) -> anyhow::Result<ExitCode> {
        watch::notice_interrupts()?;
        let library = Library::of(self.world);
        let site = if library.is_some() { self.site.site()? } else { Site::here() };
        let launcher = library.map(|library| site.find(library)).transpose();
        let launcher = launcher.map_err(|absent| BadInput(absent.to_string()))?;
        let carriers = [Carrier::Native, Carrier::Emulated];
        for carrier in
            carriers.into_iter().filter(|&carrier| (self.world, carrier) != (World::Threads, Carrier::Native))
        {
            let emulated = Hockney { alpha: ALPHA, beta: PerByte(0.0), send_rule: SendRule::Busy };
            let tasks = vec![Task::Check];
            let job = Job {
                ranks: self.ranks,
                cores: site.cores,
                hosts: site.host_count(),
                world: self.world,
                carrier,
                emulated,
                buffer_bytes: checked_bytes(self.ranks),
                clock: models::clock::ClockKind::Automatic,
                tasks,
            };
            // Temporary folders are a host's own; where the user is, all hosts may see the files.
            let around = if site.hosts.is_empty() { std::env::temp_dir() } else { std::env::current_dir()? };
            let folder = around.join(format!("parallax-check-{}", std::process::id()));
            let command = serve::command(launcher.as_ref(), &site, &job, &folder)?;
            let mut answer = None;
            let done = watch::carry_out(command, &job, &folder, Duration::from_secs(60), |outcome| {
                answer = Some(outcome);
                Ok(())
            });
            std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
            done?;
            let place = format!("{} ranks, {}, {} network", self.ranks, self.world.title(), carrier.name());
            match answer {
                Some(Outcome::Checked(calls)) => println!("{place}: {calls} calls on every rank, every byte right"),
                Some(Outcome::Refused(difference)) => bail!("{place}: {difference}"),
                other => bail!("{place}: unexpected answer {other:?}"),
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
