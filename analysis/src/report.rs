//! Pages of campaigns: what kind of campaign it is, and so who makes the sections of its page.
//!
//! To add one: its line in `MAKERS`.

use crate::run::told;
use crate::{audit, budget, validate};
use campaign::Kept;
use reports::page::Page;

/// Makes the page of a campaign of its own kind, and none of any other.
type Maker = fn(&Kept) -> anyhow::Result<Option<Page>>;

/// Who is asked, in this order; a scenario is a text that people write, and all others are plans of commands.
const MAKERS: [Maker; 6] = [
    |campaign| Ok(reports::tested::page(campaign.lines())),
    validate::page,
    |campaign| Ok(budget::page_of(campaign)),
    |campaign| Ok(audit::page_of(campaign)),
    measured,
    scenario,
];

/// The page of a campaign.
///
/// # Errors
/// Nothing says what was asked, or something beside the campaign is missing.
pub fn page(campaign: &Kept) -> anyhow::Result<Page> {
    for maker in MAKERS {
        if let Some(page) = maker(campaign)? {
            return Ok(page);
        }
    }
    anyhow::bail!("nothing says what was asked")
}

fn measured(campaign: &Kept) -> anyhow::Result<Option<Page>> {
    if !campaign.text().is_some_and(|text| text.starts_with('{')) {
        return Ok(None);
    }
    Ok(Some(reports::measured::page(&crate::measuring::measured_of(campaign)?)))
}

fn scenario(campaign: &Kept) -> anyhow::Result<Option<Page>> {
    Ok(Some(reports::html::page(&told::report(campaign)?)))
}
