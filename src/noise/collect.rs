//! `parallax noise collect`: a recording by real ranks of the detours on their CPUs.

use crate::flags::{ProbeFlags, StartFlags, asked, clock, one_of, sync, usual, world};
use analysis::noise::{self, AUTOMATIC, Collect};
use analysis::values::{bytes, long_time};
use campaign::Campaign;
use campaign::testing::{OfNoise, TestPlan};
use models::clock::ClockKind;
use models::quantity::parse;
use models::time::Span;
use programs::detours::{Baseline, Method};
use programs::observation::World;
use programs::sync::Sync;
use std::process::ExitCode;

/// The arguments of `parallax noise collect`.
#[derive(clap::Args)]
pub struct CollectArguments {
    /// How long to record, up to 24h
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = long_time)]
    time: Span,
    /// How detours are found: selfish (two reads of the clock further apart than usual), fwq (a fixed quantum of work takes
    /// longer than usual), ftq (work done in fixed intervals; no single detours)
    #[arg(long, default_value = "selfish", value_parser = one_of(Method::ALL, Method::name))]
    method: Method,
    /// World: where ranks run
    #[arg(long, default_value = "threads", value_parser = world())]
    world: World,
    /// Number of ranks [default: one for each CPU of --cpus, or that this process may use]
    #[arg(long, value_parser = analysis::values::ranks)]
    ranks: Option<u32>,
    /// CPUs of each host, by the system's numbers, like 0-3,8: the ranks of a host take them in this order [default: those
    /// that ranks may use]
    #[arg(long, value_name = "LIST")]
    cpus: Option<String>,
    /// Show on standard error what ranks lose while they record; each look, five times a second, takes some time of a CPU
    #[arg(long)]
    live: bool,
    /// Have Linux record what takes the CPU meanwhile (tracefs; x86, as root): another task, an interrupt, a softirq, or nothing
    /// that the kernel knows; FOLDER: where tracefs is, if not at /sys/kernel/tracing or /sys/kernel/debug/tracing
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, require_equals = true, default_missing_value = AUTOMATIC)]
    attribute: Option<String>,
    #[command(flatten)]
    details: Details,
    #[command(flatten)]
    output: ProbeFlags,
    #[command(flatten)]
    start: StartFlags,
}

/// What few need to change.
#[derive(clap::Args)]
#[command(next_help_heading = "Recording")]
struct Details {
    /// A detour is longer than this [default: of selfish 100 ns or four reads of the clock, of fwq 500 ns or a tenth of the
    /// quantum, whichever is longer]
    #[arg(long, value_name = "TIME", value_parser = parse::<Span>)]
    threshold: Option<Span>,
    /// fwq: duration of a quantum
    #[arg(long, default_value = "3us", value_name = "TIME", value_parser = parse::<Span>)]
    quantum: Span,
    /// fwq: what quanta are compared with: mode (the most frequent duration so far), rolling (of the last 4096), min (the
    /// shortest so far)
    #[arg(long, default_value = "mode", value_parser = one_of(Baseline::ALL, Baseline::name))]
    baseline: Baseline,
    /// ftq: duration of an interval
    #[arg(long, default_value = "1ms", value_name = "TIME", value_parser = parse::<Span>)]
    interval: Span,
    /// Memory for the detours of each rank (16 B each); of further ones, number and total are kept. With --attribute as much for
    /// what each CPU does (16 B a change)
    #[arg(long, default_value = "64MiB", value_name = "BYTES", value_parser = bytes)]
    most: u64,
    /// Clock that ranks read
    #[arg(long, default_value = "automatic", value_parser = clock())]
    clock: ClockKind,
    /// Clock synchronisation before and after
    #[arg(long, default_value = "linear", value_parser = sync())]
    sync: Sync,
}

impl CollectArguments {
    /// Records the detours, prints the summary, and writes the files if a folder is named.
    pub fn collect(&self) -> anyhow::Result<ExitCode> {
        let (site, timeout) = (self.start.site.site()?, self.start.timeout);
        let plan = |arguments: &CollectArguments| arguments.choice().plan(&site);
        let asked = asked(self.output.resume, plan(self)?, || plan(&usual()));
        let watched = (timeout, self.output.quiet);
        let ask = |plan: &TestPlan<OfNoise>, campaign: &mut Campaign| noise::ask(plan, campaign, &site, watched);
        self.output.campaign(asked, (&site, timeout), ask, |campaign| noise::summary(campaign))
    }

    fn choice(&self) -> Collect {
        let Details { threshold, quantum, baseline, interval, most, clock, sync } = self.details;
        Collect {
            world: self.world,
            ranks: self.ranks,
            cpus: self.cpus.clone(),
            method: self.method,
            time: self.time,
            threshold,
            quantum,
            baseline,
            interval,
            most_bytes: most,
            clock,
            sync,
            live: self.live,
            attribute: self.attribute.clone(),
        }
    }
}
