//! Recorded noise as results that a report makes again.

use super::recorded::{CollectionResults, in_folder};
use crate::report::{Made, tested};
use campaign::RecordedCampaign;
use campaign::planned::CommandPlan;
use campaign::testing::{OfNoise, TestPlan};
use render::page::Page;
use scenario::BadInput;
use std::path::Path;

/// Makes the results of a campaign that collected noise, and returns `None` for any other. Its page includes the
/// results of `noise show` on its files.
///
/// # Errors
/// Fails on files that cannot be read.
pub(crate) fn made(campaign: &RecordedCampaign) -> anyhow::Result<Option<Made>> {
    if campaign.name() != Some(&<TestPlan<OfNoise> as CommandPlan>::title()) {
        return Ok(None);
    }
    let (Some(made), found) = (tested(campaign)?, in_folder(campaign.folder())?) else { return Ok(None) };
    Ok(Some(match found {
        Some(found) => {
            let Page { details, sections, .. } = found.page();
            let add = |page: &mut Page| {
                page.details.extend(details);
                page.sections.extend(sections);
            };
            made.with_page(add).with_csv(move || found.results().csv())
        }
        None => made,
    }))
}

/// Makes the results of the recorded files in a folder, and returns `None` where there are none.
///
/// # Errors
/// Fails on files that cannot be read.
pub(crate) fn made_in(folder: &Path) -> Result<Option<Made>, BadInput> {
    let found = in_folder(folder)?;
    Ok(found.map(CollectionResults::made))
}
