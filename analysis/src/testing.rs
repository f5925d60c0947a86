//! Tests of real ranks as campaigns: what they lack is asked, and what was found is told.

use crate::load::LoadWatch;
use campaign::launch::Site;
use campaign::results::Findings;
use campaign::testing::{Kind, Plan};
use campaign::{Campaign, RecordedCampaign, notice_interrupts};
use reports::tested::Summary;
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

/// What a campaign of tests holds; none where nobody answered.
pub fn told(campaign: &RecordedCampaign) -> Option<Findings> {
    reports::tested::summary(campaign.lines()).map(told_of)
}

/// The same of what else is a summary.
pub fn told_of(summary: Summary) -> Findings {
    let Summary { text, json, mut files, .. } = summary;
    files.insert(0, ("summary.txt".to_owned(), text.clone()));
    Findings { table: text, files, json }
}
