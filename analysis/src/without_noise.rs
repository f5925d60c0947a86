//! Stand-in for recorded noise, in builds without the feature `noise`: campaigns run without recordings beside them.

use campaign::Campaign;
use campaign::launch::Site;
use campaign::planned::{CommandPlan, Keeping};
use render::page::Section;
use scenario::BadInput;
use std::path::Path;

/// Carries out the work of a campaign.
///
/// # Errors
/// Fails where the work does, and where noise is to be recorded.
pub(crate) fn amid<P: CommandPlan>(
    _: &P,
    campaign: &mut Campaign,
    keeping: Keeping<'_>,
    _: &Site,
    ask: impl FnOnce(&mut Campaign) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if keeping.noise.is_some() {
        let message = "--noise: this build has no feature 'noise'; expected a campaign without it, or another build";
        return Err(BadInput(message.to_owned()).into());
    }
    ask(campaign)
}

/// Returns nothing, whatever was recorded beside the campaign of a folder.
pub(crate) fn beside(_: &Path) -> Option<(Section, String)> {
    None
}
