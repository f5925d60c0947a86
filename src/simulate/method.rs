//! Method of a benchmark around the simulated calls, as flags.

use crate::flags::{Benchmarks, OneDelayed, method, one_of};
use models::engine::Engine;
use programs::method::Method;
use programs::operation::WaitPattern;
use questions::method::MethodChoice;

/// How the calls are timed; without any of these they are not timed but looked at.
#[derive(clap::Args)]
pub struct MethodFlags {
    /// Time the calls with this method
    #[arg(long, value_name = "METHOD", value_parser = method())]
    method: Option<Method>,
    /// Print what this benchmark would print: all of its columns, or one, like osu:max
    #[arg(long, value_name = "NAME[:COLUMN]", value_parser = Benchmarks, conflicts_with = "method")]
    benchmark: Option<String>,
    /// Switch systematic errors on one after the other, in ascending order: E1,E5,… or all (see: parallax explain
    /// errors)
    #[arg(long, value_name = "E1,…|all", value_delimiter = ',', conflicts_with_all = ["method", "benchmark"])]
    errors: Vec<String>,
    /// Time a wait of known duration in place of the operation, to see what clocks do: up (rank i of P waits i + 1 µs: P µs
    /// together), down (P - i µs) or null (nothing)
    #[arg(long, value_name = "PATTERN", value_parser = one_of(WaitPattern::ALL, WaitPattern::name), requires = "method")]
    wait: Option<WaitPattern>,
    /// Barrier that the method calls: an algorithm that `parallax algorithms barrier` lists, or library: the library's
    /// barrier with the times that --machine or --platform barrier=… gives [default: library if these times are given,
    /// else dissemination]
    #[arg(long, value_name = "ALGORITHM|library")]
    barrier: Option<String>,
    /// One delay of one rank, once, before the first timed call (E10), as TIME@RANK, like 12us@5: 12us alone delays the last
    /// rank, auto lasts as long as two of the method's barriers, none means that there is none [default: none; benchmark
    /// pico: auto]
    #[arg(long, value_name = "TIME[@RANK]|auto|none", value_parser = OneDelayed::parse, conflicts_with = "wait")]
    delay: Option<OneDelayed>,
    /// Samples of the method, each between two clock readings
    #[arg(long, default_value = "10", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    samples: u32,
    /// Clocks of the ranks: largest-offset=1ms,largest-skew=20ppm,granularity=100ns,read-cost=20ns, and
    /// jumps=1000,largest-jump=2us,jumps-within=20ms for clocks that somebody sets [default: perfect]
    #[arg(long, value_name = "KEY=VALUE,…")]
    clocks: Option<String>,
}

impl MethodFlags {
    /// Whether the calls are timed.
    pub fn is_asked(&self) -> bool {
        self.method.is_some() || self.benchmark.is_some() || !self.errors.is_empty()
    }

    /// Returns the method that the flags choose, for an engine.
    pub fn choice(&self, engine: Engine) -> MethodChoice {
        MethodChoice {
            method: self.method,
            benchmark: self.benchmark.clone(),
            errors: self.errors.clone(),
            steps: None,
            wait: self.wait,
            barrier: self.barrier.clone(),
            delay: self.delay.map(|delay| delay.0),
            samples: self.samples,
            clocks: self.clocks.clone(),
            engine,
        }
    }
}
