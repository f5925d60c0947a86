//! Noise while it happens: ranks record, and the user sees their losses. Nothing is kept.

use super::Collect;
use crate::testing;
use campaign::launch::{Processors, Site};
use campaign::planned::{self, Keeping};
use campaign::{Interrupted, interrupted};
use probes::tested::summary;
use render::results::{Format, Look, printed};
use scenario::BadInput;
use std::process::ExitCode;
use std::time::Duration;

/// Losses that were seen, for readers.
pub struct Watched {
    /// Summary of the ranks' recordings; after an interrupt, of the part until then.
    pub text: String,
    /// Exit code of the command.
    pub code: ExitCode,
}

/// Leaves the last CPU of this machine to the observer, unless ranks or CPUs are named. Returns the number of CPUs.
pub(crate) fn leave_a_cpu(collect: &mut Collect, site: &Site) -> u32 {
    let cpus = Processors::here().allowed.len() as u32;
    if collect.ranks.is_none() && collect.cpus.is_none() && site.host_count() <= 1 {
        collect.ranks = Some(cpus.saturating_sub(1).max(1));
    }
    cpus
}

/// Has ranks record and shows their losses on standard error, until the time is over or the user interrupts. The last
/// CPU of this machine is left to the observer, unless ranks or CPUs are named.
///
/// # Errors
/// Fails on a wrong request, and on ranks that died or hung.
pub fn watch(mut collect: Collect, site: &Site, timeout: Duration) -> anyhow::Result<Watched> {
    let cpus = leave_a_cpu(&mut collect, site);
    let plan = collect.plan(site)?;
    let ranks = plan.launches.first().map_or(0, |asked| asked.ranks);
    if site.host_count() <= 1 && ranks >= cpus {
        note!("no CPU is free for parallax, which looks five times a second: it is a part of what is seen");
    }
    note!(
        "a bar is a fifth of a second: ▁ 0.03 % of the CPU is lost, ▂ 0.1, ▃ 0.3, ▄ 1, ▅ 3, ▆ 10, ▇ 30, █ all; Ctrl-C ends"
    );
    let mut text = String::new();
    let keeping = Keeping { out: None, resume: false, patience: timeout, quiet: true, noise: None, dry_run: false };
    let ended = planned::pass(
        plan,
        (keeping, site),
        |plan, campaign| testing::ask(plan, campaign, site, timeout),
        |_, campaign| {
            let found = summary(campaign.lines()).ok_or_else(|| BadInput("no rank answered".to_owned()))?;
            text = printed(&found, Format::Table, Look::IN_FILES)?;
            Ok(())
        },
    );
    match ended {
        Err(error) if interrupted() => {
            let seen = error.downcast::<Interrupted>().map(|interrupted| interrupted.lost).unwrap_or_default();
            Ok(Watched { text: if text.is_empty() { seen } else { text }, code: ExitCode::SUCCESS })
        }
        ended => ended.map(|code| Watched { text, code }),
    }
}
