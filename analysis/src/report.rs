//! Pages of campaigns: what kind of campaign it is, and so who makes the sections of its page and its rows.
//!
//! To add one: its line in `MAKERS`.

use crate::noise::{beside, sections};
use crate::run::told;
use crate::{audit, budget, validate};
use campaign::RecordedCampaign;
use campaign::planned::Planned;
use campaign::testing::{OfNoise, Plan};
use reports::page::Page;

/// A campaign's results, made again from its lines.
pub struct Made {
    /// Its page.
    pub page: Page,
    /// Its numbers as rows, where its kind has rows; the dictionary of data has their columns.
    pub csv: Option<String>,
}

/// Makes the results of a campaign of its own kind, and none of any other.
type Maker = fn(&RecordedCampaign) -> anyhow::Result<Option<Made>>;

/// Who is asked, in this order; a scenario is a text that people write, and all others are plans of commands.
const MAKERS: [Maker; 6] = [
    tested,
    validate::made,
    |campaign| Ok(budget::made(campaign)),
    |campaign| Ok(audit::made(campaign)),
    measured,
    scenario,
];

/// The results of a campaign.
///
/// # Errors
/// Nothing says what was asked, or something beside the campaign is missing.
pub fn made(campaign: &RecordedCampaign) -> anyhow::Result<Made> {
    for maker in MAKERS {
        if let Some(mut made) = maker(campaign)? {
            made.page.sections.extend(beside(campaign.folder()).map(|noise| noise.section()));
            return Ok(made);
        }
    }
    anyhow::bail!("the campaign does not state its question")
}

fn tested(campaign: &RecordedCampaign) -> anyhow::Result<Option<Made>> {
    let Some(mut page) = reports::tested::page(campaign.lines()) else { return Ok(None) };
    if campaign.name() == Some(&<Plan<OfNoise> as Planned>::title()) {
        // What `noise show` says of its files.
        page.sections.extend(sections(campaign.folder())?);
    }
    Ok(Some(Made { page, csv: None }))
}

fn measured(campaign: &RecordedCampaign) -> anyhow::Result<Option<Made>> {
    if !campaign.text().is_some_and(|text| text.starts_with('{')) {
        return Ok(None);
    }
    let measured = crate::measuring::measured_of(campaign)?;
    let (page, csv) = (reports::measured::page(&measured), reports::measured::csv(&measured));
    Ok(Some(Made { page, csv: Some(csv) }))
}

fn scenario(campaign: &RecordedCampaign) -> anyhow::Result<Option<Made>> {
    Ok(Some(Made { page: reports::html::page(&told::report(campaign)?), csv: None }))
}
