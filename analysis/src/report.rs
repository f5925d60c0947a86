//! Pages of results: the content of a folder determines the kind of campaign, and thereby the maker of its page and
//! rows.
//!
//! A further kind of campaign needs a line in `MAKERS`.

use crate::noise::beside;
use crate::run::campaign_report;
use crate::sweep::folder;
use crate::{audit, budget, correct, measuring, tune, validate};
use anyhow::Context;
use campaign::RecordedCampaign;
use campaign::planned::CommandPlan;
use render::page::{FILE as PAGE, Page};
use render::results::Results;
use scenario::BadInput;
use std::path::Path;
use std::rc::Rc;
use study::measured::Reading;

/// Results in a folder, made again from the files there, in the form that is asked for.
pub struct Made {
    page: Box<dyn FnOnce() -> Page>,
    csv: Option<Box<dyn FnOnce() -> String>>,
}

impl Made {
    /// Results without rows.
    pub(crate) fn new(page: impl FnOnce() -> Page + 'static) -> Made {
        Made { page: Box::new(page), csv: None }
    }

    /// Returns the results with these rows.
    pub(crate) fn with_csv(self, csv: impl FnOnce() -> String + 'static) -> Made {
        Made { csv: Some(Box::new(csv)), ..self }
    }

    /// Makes the page of the results.
    pub fn page(self) -> Page {
        drop(self.csv);
        (self.page)()
    }

    /// Makes the rows of the results as CSV, `None` where their kind has no rows; the dictionary of data describes the
    /// columns.
    pub fn csv(self) -> Option<String> {
        drop(self.page);
        self.csv.map(|csv| csv())
    }

    /// Returns the results with a change of their page.
    pub(crate) fn with_page(self, change: impl FnOnce(&mut Page) + 'static) -> Made {
        let page = move || {
            let mut page = (self.page)();
            change(&mut page);
            page
        };
        Made { page: Box::new(page), ..self }
    }
}

impl<R: Results + 'static> From<R> for Made {
    fn from(results: R) -> Made {
        let results = Rc::new(results);
        let rows = results.clone();
        Made::new(move || results.page()).with_csv(move || rows.csv())
    }
}

/// Function that makes the results of a campaign of its own kind, and returns `None` for any other.
type Maker = fn(&RecordedCampaign) -> anyhow::Result<Option<Made>>;

/// Makers in the order in which they are tried; a scenario is a text that users write, and all others are plans of
/// commands.
const MAKERS: &[Maker] = &[
    #[cfg(feature = "noise")]
    crate::noise::made,
    tested,
    validate::made,
    budget::made,
    audit::made,
    tune::made,
    measured,
    scenario,
];

/// Makes the results in a folder: of a campaign, of a sweep, or of recorded noise.
///
/// # Errors
/// Fails on a folder of something else, with the file that shows it, and on files that cannot be read.
pub fn of_folder(path: &Path) -> anyhow::Result<Made> {
    let shown = || path.display().to_string();
    if RecordedCampaign::is_in(path) {
        // Tables of measurements read the stamps of one row after the other.
        let campaign = match RecordedCampaign::name_in(path) {
            Some(name) if name == measuring::plan::MeasurementPlan::title() => {
                RecordedCampaign::read_without_stamps(path)?
            }
            _ => RecordedCampaign::read(path)?,
        };
        return made(&campaign).with_context(shown);
    }
    if let Some(made) = folder::made(path).with_context(shown)? {
        return Ok(made);
    }
    #[cfg(feature = "noise")]
    if let Some(made) = crate::noise::made_in(path)? {
        return Ok(made);
    }
    Err(BadInput(format!("{} {}", path.display(), other(path))).into())
}

/// Describes the content of a folder from which no page can be made again, with the file that shows it.
fn other(path: &Path) -> String {
    let expected = "expected the folder of a campaign, a sweep or recorded noise, like results/loop-error-001";
    let machine = path.with_extension("toml");
    if !path.is_dir() {
        return format!("is no folder; {expected}");
    }
    #[cfg(not(feature = "noise"))]
    if crate::files::has_traces(path) {
        return "holds recorded noise, which this build leaves out; use one with the feature noise".to_owned();
    }
    if path.join("samples.jsonl").is_file() && machine.is_file() {
        let (page, file) = (path.join(PAGE), machine.display());
        return format!(
            "holds the samples of `parallax calibrate`: its page is {}, its parameters are in {file}",
            page.display()
        );
    }
    if path.join(PAGE).is_file() {
        return format!("holds the page {PAGE} and nothing that it could be made of again; {expected}");
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let results =
        entries.map(|entry| entry.path()).find(|file| file.extension().is_some_and(|ending| ending == "json"));
    match results {
        Some(file) if path.join("summary.txt").is_file() => {
            format!(
                "holds results of simulated ranks, which have no page: summary.txt is their table, {} all numbers",
                file.display()
            )
        }
        _ => format!("holds no results of parallax; {expected}"),
    }
}

/// Makes the results of a campaign.
///
/// # Errors
/// Fails on a campaign without its question, and where something beside the campaign is missing.
fn made(campaign: &RecordedCampaign) -> anyhow::Result<Made> {
    for maker in MAKERS {
        if let Some(made) = maker(campaign)? {
            let noise = beside(campaign.folder()).map(|(section, _)| section);
            return Ok(made.with_page(move |page| page.sections.extend(noise)));
        }
    }
    anyhow::bail!("the campaign does not state its question")
}

/// Makes the results of tests of ranks, and returns `None` for any other campaign.
pub(crate) fn tested(campaign: &RecordedCampaign) -> anyhow::Result<Option<Made>> {
    let Some(summary) = probes::tested::summary(campaign.lines()) else { return Ok(None) };
    let kept = summary.files().into_iter().find(|(name, _)| name.ends_with(".csv"));
    let page = summary.page();
    Ok(Some(Made::new(move || page).with_csv(move || kept.map_or_else(|| summary.csv(), |(_, rows)| rows))))
}

fn measured(campaign: &RecordedCampaign) -> anyhow::Result<Option<Made>> {
    if !campaign.text().is_some_and(|text| text.starts_with('{')) {
        return Ok(None);
    }
    let (known, name) = ([measuring::plan::MeasurementPlan::title(), correct::prove::NAME.to_owned()], campaign.name());
    if !known.iter().any(|known| Some(known.as_str()) == name) {
        let name = name.unwrap_or_default();
        let is_left_out =
            !cfg!(all(feature = "noise", feature = "meters")) && campaign.records().tested().next().is_some();
        let message = if is_left_out {
            format!(
                "it holds results of '{name}', which this build leaves out; use one with the features noise and meters"
            )
        } else {
            format!("it is of a kind that this version does not know, '{name}'; use the version that wrote it")
        };
        return Err(BadInput(message).into());
    }
    let measured = measuring::measured_of(campaign, Reading::default())?;
    Ok(Some(measured.into()))
}

fn scenario(campaign: &RecordedCampaign) -> anyhow::Result<Option<Made>> {
    let report = campaign_report::report(campaign)?;
    Ok(Some(Made::new(move || reports::html::page(&report))))
}
