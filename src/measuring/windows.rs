//! Flags of `parallax measure` for the rules of windows.

use models::quantity::Millionths;
use programs::method::{StopRule, WindowRules};

/// Heading of these flags.
const WINDOWS: &str = "Windows";

/// Rules of the window method and of the reference, in place of the usual ones.
#[derive(clap::Args)]
#[group(requires = "subject")]
pub struct WindowFlags {
    /// Stop after more than S starts or V valid ones (counts:S/V), or at a relative standard error of the mean with V valid
    /// starts, at the latest after 1000 (precision:5%/V) [default: counts:400/100; where ranks sleep, counts:100/30]
    #[arg(long, value_name = "RULE", value_parser = StopRule::parse, help_heading = WINDOWS)]
    stop: Option<StopRule>,
    /// Starts per stage, k: the window's length is judged after each stage [default: 8]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=64), help_heading = WINDOWS)]
    stage: Option<u32>,
    /// Initial calls without windows, k', whose duration gives the first window's length [default: 4]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000), help_heading = WINDOWS)]
    first: Option<u32>,
    /// Factor by which a window is longer than what it must hold, ε: 1.1 to 2 [default: 1.1]
    #[arg(long, value_name = "FACTOR", value_parser = slack, help_heading = WINDOWS)]
    slack: Option<Millionths>,
    /// Share of invalid starts in a stage above which the window grows [default: 25%]
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = WINDOWS)]
    invalid: Option<Millionths>,
    /// Share of the window by which a start may be late and is still valid, at least 200 ns; 0: ranks that come to a start
    /// after its due time are late, and no others [default: 2%]
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = WINDOWS)]
    late: Option<Millionths>,
}

impl WindowFlags {
    /// Returns the rules that the flags set.
    pub fn rules(&self) -> WindowRules {
        let &WindowFlags { stop, stage, first, slack, invalid, late } = self;
        WindowRules { stop, stage, first, slack, invalid, late }
    }
}

/// Reads ε, which Kurnosov (2012, section 4) takes from 1.1 to 2.
fn slack(text: &str) -> Result<Millionths, String> {
    let factor = text.trim().parse::<f64>().ok().and_then(|factor| Millionths::try_from(factor).ok());
    factor
        .filter(|factor| (1_100_000..=2_000_000).contains(&factor.0))
        .ok_or_else(|| format!("expected a factor of 1.1 to 2, found '{text}'"))
}

fn share(text: &str) -> Result<Millionths, String> {
    let share = Millionths::parse_share(text)?;
    Some(share)
        .filter(|share| share.0 <= 1_000_000)
        .ok_or_else(|| format!("expected a share of 0 to 100 %, found '{text}'"))
}
