//! Machines of simulated ranks, as a scenario gives them: not calibrated, so that what comes out is exact.

use models::clock::ClockSpread;
use models::noise::Noise;
use models::observation::Label;
use models::platform::Platform;

/// A machine of simulated ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedMachine {
    /// Its name, where the scenario has several.
    pub label: Option<Label>,
    /// The network under study, and what refines it.
    pub platform: Platform,
    /// Sources of detours that take the CPU from ranks, as `parallax simulate --noise` takes them.
    pub noise: Vec<String>,
    /// How wrong the ranks' clocks are.
    pub clocks: ClockSpread,
    /// All of it but the clocks, as the file says it: `hockney, alpha=5us, connect=30us, noise exponential:…`.
    pub words: String,
}

impl SimulatedMachine {
    /// What disturbs the ranks, drawn anew for each seed.
    ///
    /// # Errors
    /// A source that needs a file: a scenario has none.
    pub fn noise(&self, seed: u64) -> Result<Noise, String> {
        if self.noise.is_empty() {
            return Ok(Noise::none());
        }
        Noise::parse_with(&self.noise, seed, &|path| {
            Err(format!("{path}: a scenario's noise is described, not read from files; expected another source"))
        })
    }
}
