//! Tests of real ranks as campaigns: only missing results are measured.

use crate::load::LoadWatch;
use campaign::launch::Site;
use campaign::testing::{TestKind, TestPlan};
use campaign::{Campaign, notice_interrupts};
use std::time::Duration;

/// Has real ranks carry out the tests that a campaign does not hold yet.
///
/// # Errors
/// Fails on ranks that died, hung or refuse.
pub fn ask<K: TestKind>(
    plan: &TestPlan<K>,
    campaign: &mut Campaign,
    site: &Site,
    patience: Duration,
) -> anyhow::Result<()> {
    notices(|load| plan.run_tasks(campaign, site, patience, load))
}

/// Runs `ask` while interrupts and the load of other programs are noticed.
pub(crate) fn notices(ask: impl FnOnce(&dyn Fn() -> Option<String>) -> anyhow::Result<()>) -> anyhow::Result<()> {
    notice_interrupts()?;
    let watch = LoadWatch::begin();
    ask(&|| watch.sentence())
}
