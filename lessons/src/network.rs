//! Which network is chosen, in the words of users.

use crate::entry::Files;
use models::network::Network;
use models::platform::{Platform, Refinements, on_ranks};
use scenario::BadInput;

/// What messages cost on a network as it is.
#[derive(Clone, Debug, Default)]
pub struct NetworkChoice {
    /// The network model's name.
    pub model: Option<String>,
    /// What a Hockney sender waits for.
    pub send_rule: Option<String>,
    /// Parameters, as KEY=VALUE,….
    pub set: Option<String>,
}

impl NetworkChoice {
    /// Whether anything is chosen.
    pub fn says_any(&self) -> bool {
        self.model.is_some() || self.send_rule.is_some() || self.set.is_some()
    }

    /// The model's name, also where it is not said: parameters of Hockney mean Hockney.
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

    /// The assumptions that the parameters leave open ([`models::network::assumed`]).
    pub fn assumed(&self) -> Option<String> {
        models::network::assumed(self.name(), self.set.as_deref()?)
    }

    /// The network.
    ///
    /// # Errors
    /// What is unknown, with what is known.
    pub fn network(&self) -> Result<Network, BadInput> {
        models::network::parse(self.name(), self.set.as_deref(), self.send_rule.as_deref())
            .map_err(|message| BadInput(format!("--model, --set, --send-rule: {message}")))
    }
}

/// A network with these refinements, and with what `--platform` says in their place.
///
/// # Errors
/// What `--platform` may not say; what does not fit the number of ranks.
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
