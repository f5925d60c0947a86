//! Tuning of a library: every algorithm that it can be made to use is measured by the reference beside the library's own
//! choice; the table of those that are shown to be faster is written in the library's form, and proved.

mod files;
pub mod known;
pub mod plan;

use crate::beside::{Told, with_noise};
use crate::launches::Rounds;
use crate::measuring::{Measuring, fill};
use crate::noise::amid;
use crate::report::Made;
use crate::run::campaign_report;
use campaign::launch::Site;
use campaign::planned::Keeping;
use campaign::progress::Cases;
use campaign::{Campaign, RecordedCampaign, planned};
use models::collective::Collective;
use plan::{BY_PRINT, TUNED, TunePlan};
use programs::method::{Buffer, Method, Preset};
use render::results::{Look, Results};
use scenario::BadInput;
use scenario::axis::{Axis, Key};
use scenario::store::CampaignLines;
use std::collections::BTreeMap;
use std::process::ExitCode;
use study::contrast::{Observed, Side, of_ranks};
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
    let Keeping { patience, quiet, .. } = keeping;
    let launches = plan.launches(site.cores).map_err(BadInput)?;
    let progress = Cases::from_planned(launches.iter().map(|launch| launch.planned()), campaign, quiet);
    let mut asking = Measuring { plan: &plan.calls, site, patience, progress: &progress };
    let rounds = || Rounds::new(None, u32::MAX, None);
    let ended = fill(&mut asking, &launches, rounds()?, |_| Ok(Vec::new()), (campaign, &progress));
    progress.finish();
    ended?;
    let tunings = files::written(plan, campaign, site)?;
    if plan.proof.is_none() || tunings.is_empty() {
        return Ok(());
    }
    let proving = plan.proving(tunings);
    let launches = plan.proof_launches(&proving, site.cores).map_err(BadInput)?;
    let progress = Cases::from_planned(launches.iter().map(|launch| launch.planned()), campaign, quiet);
    let mut asking = Measuring { plan: &proving, site, patience, progress: &progress };
    let ended = fill(&mut asking, &launches, rounds()?, |_| Ok(Vec::new()), (campaign, &progress));
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
    let sides = Sides::of(plan, campaign);
    let question = campaign.records().question();
    Ok(Tuned {
        question: question.map(|question| question.question.to_owned()).unwrap_or_default(),
        reference: (TUNED.to_owned(), sides.tuning(plan)?),
        printed: sides.printed(plan)?.map(|tuning| (BY_PRINT.to_owned(), tuning)),
        is_to_be_proved: plan.proof.is_some(),
        proof: if plan.proof.is_some() { sides.proof(plan)? } else { None },
        files: files::listed(campaign.folder()),
        environment: scenario::store::facts(campaign.lines()),
        reproduce: question.map(|question| question.reproduce.to_vec()).unwrap_or_default(),
    })
}

/// The numbers of a campaign of tuning.
struct Sides {
    /// The reference in the launches of the tuning.
    reference: Side,
    /// The reference in those of the proof.
    proved: Side,
    /// Numbers that a benchmark would print, of all launches.
    printed: Side,
    /// Number of launches of the tuning; later ones are of the proof.
    launches: u32,
}

impl Sides {
    fn of(plan: &TunePlan, campaign: &RecordedCampaign) -> Sides {
        let name = campaign.folder().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let read = |lines: CampaignLines<'_>| {
            let mut side = of_ranks(&name, lines, Observed::Measured);
            let touched = |key: &Key| key.text(Axis::Buffer) == Buffer::Touched.name();
            let is_barrier = |key: &Key| key.text(Axis::Operation) == Collective::Barrier.name();
            let is_window = |key: &Key| key.text(Axis::Method) == Method::Window.name();
            side.cases.retain(|case| is_window(&case.key) && (touched(&case.key) || is_barrier(&case.key)));
            side
        };
        // States of the machine are those of the launches of the tuning: those of a proof must not change it.
        let (all, launches) = (campaign.records(), plan.calls.launches);
        let preset = plan.printed.unwrap_or(Preset::Osu);
        Sides {
            reference: read(all.first_launches(launches)),
            proved: read(all).within_rounds(launches..u32::MAX),
            printed: printed(&name, all, preset),
            launches,
        }
    }

    fn tuning(&self, plan: &TunePlan) -> Result<Tuning, BadInput> {
        tuning(&self.reference, By::Reference, plan.demand(), &|at| plan.split(at)).map_err(BadInput)
    }

    fn printed(&self, plan: &TunePlan) -> Result<Option<Tuning>, BadInput> {
        let Some(preset) = plan.printed else { return Ok(None) };
        let side = self.printed.clone().within_rounds(0..self.launches);
        let by = By::Printed(preset.title().to_owned());
        tuning(&side, by, plan.demand(), &|at| plan.split(at)).map(Some).map_err(BadInput)
    }

    fn proof(&self, plan: &TunePlan) -> Result<Option<Proof>, BadInput> {
        let printed = self.printed.clone().within_rounds(self.launches..u32::MAX);
        let title = plan.printed.unwrap_or(Preset::Osu).title();
        proof(&self.proved, (&printed, title), plan.demand()).map_err(BadInput)
    }
}

/// Variables by the name of the tuning.
type Tunings = BTreeMap<String, BTreeMap<String, String>>;
