//! Results of a campaign on disk: its calibrations together, its comparison, its page.

use super::calibrated::Calibrations;
use campaign::{Campaign, RecordedCampaign};
use probes::clocks::moved;
use render::results::Look;
use reports::summary::Detail;
use scenario::store::{Line, Observed};
use std::path::PathBuf;
use study::comparison::Report;

/// Names, on standard error, every case during which a rank's clock jumped or contradicted itself.
pub(crate) fn warn_of_clocks(campaign: &RecordedCampaign) {
    for observation in campaign.records().observations(Observed::Measured) {
        for moved in moved(&observation.ranks).iter().filter(|moved| moved.jumped || moved.contradicted) {
            let name = observation.name();
            note!("parallax: {name}: {moved}; results that depend on the global clock are wrong: measure again");
        }
    }
}

/// Returns the campaign's lines with one machine for all calibrations of the same ranks. Without the samples beside it
/// the campaign's calibrations stay single.
pub(crate) fn lines_with_machines(campaign: &RecordedCampaign) -> Vec<Line> {
    Calibrations::fit(campaign).map_or_else(|_| campaign.lines().to_vec(), |machines| machines.lines(campaign))
}

/// Compares the measurements and predictions of a campaign.
pub fn report(campaign: &RecordedCampaign) -> anyhow::Result<Report> {
    Ok(study::compare::compare(&lines_with_machines(campaign))?)
}

/// Writes the page with its pictures, the summary, and one machine file per calibrated machine; returns the page's
/// path.
pub fn write_report(campaign: &Campaign, report: &Report) -> anyhow::Result<PathBuf> {
    for machine in &report.machines {
        campaign.write(&format!("machine-{}.toml", machine.name), &machine.text())?;
    }
    let look = Look { width: 100, ..Look::IN_FILES };
    campaign.write("summary.txt", &reports::summary::page(report, Detail::Full).terminal(look))?;
    Ok(reports::html::page(report).write(campaign.folder())?)
}
