//! Machines of simulated ranks as a scenario describes them: they are not calibrated, so that their results are exact.

use models::clock::ClockSpread;
use models::noise::Noise;
use models::platform::Platform;
use programs::observation::Label;

/// Machine on which simulated ranks run.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedMachine {
    /// Name of the machine, where the scenario has several.
    pub label: Option<Label>,
    /// Network under study, with its refinements.
    pub platform: Platform,
    /// Sources of detours that take the CPU from ranks, in the form of `parallax simulate --noise`.
    pub noise: Vec<String>,
    /// Largest offsets, skews and other errors of the ranks' clocks.
    pub clocks: ClockSpread,
    /// Description of all but the clocks in the file's words: `hockney, alpha=5us, connect=30us, noise exponential:…`.
    pub words: String,
}

impl SimulatedMachine {
    /// Returns the noise that disturbs the ranks, drawn anew for each seed.
    ///
    /// # Errors
    /// Fails for a source that needs a file, which a scenario does not have.
    pub fn noise(&self, seed: u64) -> Result<Noise, String> {
        if self.noise.is_empty() {
            return Ok(Noise::none());
        }
        Noise::parse_with(&self.noise, seed, &|path| {
            Err(format!("{path}: a scenario's noise is described, not read from files; expected another source"))
        })
    }
}
