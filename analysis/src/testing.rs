//! Tests of real ranks as campaigns: what they lack is asked.

use crate::load::LoadWatch;
use campaign::launch::Site;
use campaign::testing::{Kind, Plan};
use campaign::{Campaign, notice_interrupts};
use std::time::Duration;

/// Asks real ranks what a campaign does not hold yet.
///
/// # Errors
/// Ranks that died, hung or refuse.
pub fn ask<K: Kind>(plan: &Plan<K>, campaign: &mut Campaign, site: &Site, patience: Duration) -> anyhow::Result<()> {
    notices(|load| plan.carry_out(campaign, site, patience, load))
}

/// Asks while interrupts and other programs are noticed.
pub(crate) fn notices(ask: impl FnOnce(&dyn Fn() -> Option<String>) -> anyhow::Result<()>) -> anyhow::Result<()> {
    notice_interrupts()?;
    let watch = LoadWatch::begin();
    ask(&|| watch.sentence())
}
