//! Choice of a network, in the words of users.

use crate::entry::Files;
use models::network::Network;
use models::platform::{Platform, Refinements, on_ranks};
use scenario::BadInput;

/// Choice of a network model, which gives the cost of messages.
#[derive(Clone, Debug, Default)]
pub struct NetworkChoice {
    /// Name of the network model.
    pub model: Option<String>,
    /// Event for which a Hockney sender waits, by name.
    pub send_rule: Option<String>,
    /// Parameters of the model, as KEY=VALUE,….
    pub set: Option<String>,
}

impl NetworkChoice {
    /// Returns whether anything is chosen.
    pub fn says_any(&self) -> bool {
        self.model.is_some() || self.send_rule.is_some() || self.set.is_some()
    }

    /// Returns the model's name, also where it is not chosen: parameters of Hockney mean Hockney.
    pub fn name(&self) -> &str {
        let of_hockney = |setting: &str| {
            let key = setting.split('=').next().unwrap_or_default().trim();
            key == "alpha" || key == "beta"
        };
        match &self.model {
            Some(model) => model,
            None if self.send_rule.is_some() => "hockney",
            None if self.set.iter().any(|set| set.split(',').any(of_hockney)) => "hockney",
            None => "loggops",
        }
    }

    /// Returns the assumptions that the parameters leave open ([`models::network::assumed`]).
    pub fn assumed(&self) -> Option<String> {
        models::network::assumed(self.name(), self.set.as_deref()?)
    }

    /// Returns the network that is chosen.
    ///
    /// # Errors
    ///
    /// Names the unknown model, rule or parameter, and lists those that exist.
    pub fn network(&self) -> Result<Network, BadInput> {
        models::network::parse(self.name(), self.set.as_deref(), self.send_rule.as_deref())
            .map_err(|message| BadInput(format!("--model, --set, --send-rule: {message}")))
    }
}

/// Returns a network with these refinements, and with those of `--platform` in their place.
///
/// # Errors
///
/// Says what `--platform` may not hold, or what does not fit the number of ranks.
pub fn refined(
    network: Network,
    refinements: Refinements,
    text: Option<&str>,
    ranks: u32,
    files: Files<'_>,
) -> Result<Platform, BadInput> {
    let at_flag = |message: String| BadInput(format!("--platform: {message}"));
    // A machine's barrier is one of as many ranks as were calibrated.
    let barrier = refinements.barrier.filter(|times| times.ranks() == ranks);
    let refinements = Refinements { barrier, ..refinements };
    let text = text.map(|text| on_ranks(text, ranks));
    let read = |text: String| Platform::parse_over(network, refinements.clone(), &text, files);
    let platform = text.map_or_else(|| Ok(Platform::new(network, refinements.clone())), read).map_err(at_flag)?;
    platform.check(ranks).map_err(at_flag)?;
    Ok(platform)
}
