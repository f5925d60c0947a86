//! A benchmark's method around the simulated calls, as flags.

use analysis::simulate::method::MethodChoice;

/// How the calls are timed; without any of these they are not timed but looked at.
#[derive(clap::Args)]
pub struct MethodFlags {
    /// Let a method time the calls: loop, barrier-loop, barrier-subtract, root-rotation, window, round-time, barrier-own, barrier-inside
    #[arg(long)]
    method: Option<String>,
    /// Print what a benchmark would: imb, imb-3, mpibench, mpiperf, mpiperf-paper, mpptest, nccl-tests, osu, reprompi, skampi
    #[arg(long, conflicts_with = "method")]
    benchmark: Option<String>,
    /// Switch systematic errors on one after the other, in their order: E1,E5,… or all
    ///
    /// E1 late initialisation, E2 one rank's time, E3 the root changes, E4 the buffer stays in cache, E5 skew of the barrier,
    /// E6 an unsynchronised loop, E7 bad clocks, E8 idle gaps, E9 a barrier inside the timed region
    #[arg(long, value_delimiter = ',', conflicts_with_all = ["method", "benchmark"])]
    errors: Vec<String>,
    /// The method's own barrier: one of `parallax algorithms barrier`, or library, the one whose times --machine or --platform
    /// barrier=… says [default: library where its times are said, else dissemination]
    #[arg(long, value_name = "ALGORITHM|library")]
    barrier: Option<String>,
    /// Independent repeats of the method
    #[arg(long, default_value = "10", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    blocks: u32,
    /// Clocks of the ranks: largest-offset=1ms,largest-skew=20ppm,granularity=100ns,read-cost=20ns [default: perfect]
    #[arg(long, value_name = "KEY=VALUE,…")]
    clocks: Option<String>,
}

impl MethodFlags {
    /// Whether the calls are timed.
    pub fn is_asked(&self) -> bool {
        self.method.is_some() || self.benchmark.is_some() || !self.errors.is_empty()
    }

    /// What is chosen.
    pub fn choice(&self) -> MethodChoice {
        MethodChoice {
            method: self.method.clone(),
            benchmark: self.benchmark.clone(),
            errors: self.errors.clone(),
            barrier: self.barrier.clone(),
            blocks: self.blocks,
            clocks: self.clocks.clone(),
        }
    }
}
