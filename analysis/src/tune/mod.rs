//! Tuning of a library: every algorithm that it can be made to use is measured by the reference beside the library's own
//! choice; the table of those that are shown to be faster is written in the library's form, and proved.

mod files;
pub mod known;
pub mod plan;
pub mod published;

use crate::beside::{Told, with_noise};
use crate::launches::Rounds;
use crate::measuring::plan::{Launch, MeasurementPlan};
use crate::measuring::{Measuring, fill};
use crate::noise::amid;
use crate::report::Made;
use crate::run::campaign_report;
use campaign::launch::Site;
use campaign::planned::Keeping;
use campaign::progress::Cases;
use campaign::{Campaign, RecordedCampaign, planned};
use plan::{BY_PRINT, TUNED, TunePlan, split};
use programs::method::{Buffer, Method, Preset};
use render::results::{Look, Results};
use scenario::BadInput;
use scenario::axis::Axis;
use scenario::store::CampaignLines;
use std::collections::BTreeSet;
use std::ops::Range;
use std::process::ExitCode;
use study::contrast::{Observed, Sampled, Side, of_ranks};
use study::tuning::{By, Proof, Tuned, Tuning, printed, proof, tuning};

/// Measures every algorithm that the campaign lacks, writes the tables, proves them where that is asked for, and has
/// `tell` report the results.
///
/// # Errors
/// Fails on a request that cannot be met, on a rank that died or hung, and on a file that cannot be written.
pub fn tune_missing(
    asked: Option<TunePlan>,
    keeping: Keeping<'_>,
    site: &Site,
    tell: impl FnOnce(&TunePlan, &Campaign) -> anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    let ask = |plan: &TunePlan, campaign: &mut Campaign| {
        amid(plan, campaign, keeping, site, |campaign| ask(plan, campaign, keeping, site))
    };
    planned::run_campaign(asked, keeping, site, ask, tell).map(|(_, code)| code)
}

fn ask(plan: &TunePlan, campaign: &mut Campaign, keeping: Keeping<'_>, site: &Site) -> anyhow::Result<()> {
    let launches = plan.calls.launches(site.cores).map_err(BadInput)?;
    measure(&plan.calls, &launches, campaign, keeping, site)?;
    let tunings = files::written(plan, campaign, site)?;
    if plan.proof.is_none() || tunings.is_empty() {
        return Ok(());
    }
    let proving = plan.proving(tunings);
    let launches = plan.proof_launches(&proving, site.cores).map_err(BadInput)?;
    measure(&proving, &launches, campaign, keeping, site)
}

/// Has ranks measure the cases of these launches that the campaign lacks.
fn measure(
    plan: &MeasurementPlan,
    launches: &[Launch],
    campaign: &mut Campaign,
    Keeping { patience, quiet, .. }: Keeping<'_>,
    site: &Site,
) -> anyhow::Result<()> {
    let progress = Cases::from_planned(launches.iter().map(Launch::planned), campaign, quiet);
    let mut asking = Measuring { plan, site, patience, progress: &progress };
    let rounds = Rounds::new(None, u32::MAX, None)?;
    let ended = fill(&mut asking, launches, rounds, |_| Ok(Vec::new()), (campaign, &progress));
    progress.finish();
    ended
}

/// Writes page and tables of a tuning into the campaign's folder; returns the results, the page's path and the page's
/// words on noise.
///
/// # Errors
/// Fails on files that cannot be written.
pub fn kept(plan: &TunePlan, campaign: &Campaign) -> anyhow::Result<(Tuned, Told)> {
    campaign_report::warn_of_clocks(campaign);
    let tuned = results(plan, campaign)?;
    let look = |detailed| Look { width: 100, colour: false, detailed, more: "" };
    campaign.write("summary.txt", &tuned.terminal(look(false)))?;
    campaign.write("tuning.csv", &tuned.csv())?;
    let told = with_noise(tuned.page(), campaign.folder())?;
    Ok((tuned, told))
}

/// The results of a campaign of tuning; `None` if it is of another kind.
pub(crate) fn made(campaign: &RecordedCampaign) -> anyhow::Result<Option<Made>> {
    let Some(plan) = campaign.plan::<TunePlan>()? else { return Ok(None) };
    Ok(Some(Made::from(results(&plan, campaign)?)))
}

fn results(plan: &TunePlan, campaign: &RecordedCampaign) -> anyhow::Result<Tuned> {
    let numbers = Numbers::of(plan, campaign);
    let question = campaign.records().question();
    Ok(Tuned {
        question: question.map(|question| question.question.to_owned()).unwrap_or_default(),
        reference: (TUNED.to_owned(), numbers.tuning()?),
        printed: numbers.printed()?.map(|tuning| (BY_PRINT.to_owned(), tuning)),
        is_to_be_proved: plan.proof.is_some(),
        proof: if plan.proof.is_some() { numbers.proof()? } else { None },
        files: files::listed(campaign.folder()),
        environment: scenario::store::facts(campaign.lines()),
        reproduce: question.map(|question| question.reproduce.to_vec()).unwrap_or_default(),
    })
}

/// The numbers of a campaign of tuning.
struct Numbers<'a> {
    plan: &'a TunePlan,
    campaign: &'a RecordedCampaign,
    /// Name of the campaign.
    name: String,
}

impl<'a> Numbers<'a> {
    fn of(plan: &'a TunePlan, campaign: &'a RecordedCampaign) -> Numbers<'a> {
        let name = campaign.folder().file_name().unwrap_or_default().to_string_lossy().into_owned();
        Numbers { plan, campaign, name }
    }

    /// Returns the numbers of the reference.
    fn reference(&self, lines: CampaignLines<'_>) -> Side {
        let mut side = of_ranks(&self.name, lines, Observed::Measured);
        keep_reference(&mut side);
        side
    }

    /// Returns the numbers that a benchmark would print in the launches of the tuning, or in those of the proof.
    fn by_print(&self, launches: Range<u32>) -> (Side, Preset) {
        let preset = self.plan.printed.unwrap_or(Preset::Osu);
        (printed(&self.name, self.campaign.records(), preset).within_rounds(launches), preset)
    }

    fn table(&self, side: &Side, by: By) -> Result<Tuning, BadInput> {
        tuning(side, by, self.plan.demand(), &|at| split(self.plan.target(), at)).map_err(BadInput)
    }

    fn tuning(&self) -> Result<Tuning, BadInput> {
        // States of the machine are those of the launches of the tuning: those of a proof must not change it.
        let lines = self.campaign.records().first_launches(self.plan.calls.launches);
        self.table(&self.reference(lines), By::Reference)
    }

    fn printed(&self) -> Result<Option<Tuning>, BadInput> {
        if self.plan.printed.is_none() {
            return Ok(None);
        }
        let (side, preset) = self.by_print(0..self.plan.calls.launches);
        self.table(&side, By::Printed(preset.title().to_owned())).map(Some)
    }

    fn proof(&self) -> Result<Option<Proof>, BadInput> {
        let launches = self.plan.calls.launches..u32::MAX;
        let reference = self.reference(self.campaign.records()).within_rounds(launches.clone());
        let (side, preset) = self.by_print(launches);
        proof(&reference, (&side, preset.title()), self.plan.demand()).map_err(BadInput)
    }
}

/// Leaves the numbers of the reference in a side: those of windows, of an operation with buffers that are touched between
/// calls where it has such. A side without windows is left as it is.
fn keep_reference(side: &mut Side) {
    let window = Method::Window.name();
    if side.cases.iter().any(|case| case.key.text(Axis::Method) == window) {
        side.cases.retain(|case| case.key.text(Axis::Method) == window);
    }
    let is_touched = |case: &Sampled| case.key.text(Axis::Buffer) == Buffer::Touched.name();
    let touched = side.cases.iter().filter(|case| is_touched(case)).map(|case| case.key.text(Axis::Operation));
    let touched: BTreeSet<String> = touched.collect();
    side.cases.retain(|case| is_touched(case) || !touched.contains(&case.key.text(Axis::Operation)));
}
