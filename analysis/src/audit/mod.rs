//! Audits: unmodified benchmarks run as people run them, and every number that they print is held against reference
//! windows of the same calls, taken between the benchmark's own rows in the same processes. Alternatively, texts that
//! benchmarks printed in other launches are compared with references that are measured on this machine.

pub mod plan;
mod start;
pub mod texts;

pub use start::emulation;

use crate::beside::{Told, with_noise};
use crate::launches::Rounds;
use crate::measuring::{self, Measuring};
use crate::noise::amid;
use crate::report::Made;
use crate::run::campaign_report;
use anyhow::bail;
use campaign::launch::Site;
use campaign::planned::Keeping;
use campaign::progress::Cases;
use campaign::{Campaign, RecordedCampaign, interrupted, planned};
use models::collective::Collective;
use plan::{AuditPlan, Benchmarks, Launch};
use render::results::{Format, Look, Results, printed};
use scenario::BadInput;
use scenario::store::{CampaignLines, Line};
use std::process::ExitCode;
use std::time::Duration;
use study::audit::{Audit, audit, audit_texts};
use study::enough::describe_launches;
use texts::Texts;

/// Runs every launch that the campaign lacks, then has `tell` report the findings.
///
/// # Errors
/// Fails on a request that cannot be met, on a rank that died or hung, and on a file that cannot be written.
pub fn run_audit(
    asked: Option<AuditPlan>,
    keeping: Keeping<'_>,
    time_at_most: Option<Duration>,
    site: &Site,
    tell: impl FnOnce(&AuditPlan, &Campaign) -> anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    let auditing = Auditing { keeping, time_at_most, site };
    let ask = |plan: &AuditPlan, campaign: &mut Campaign| {
        amid(plan, campaign, keeping, site, |campaign| match plan {
            AuditPlan::Benchmarks(benchmarks) => auditing.run(benchmarks, campaign),
            AuditPlan::Texts(texts) => auditing.hold_against(texts, campaign),
        })
    };
    planned::run_campaign(asked, keeping, site, ask, tell).map(|(_, code)| code)
}

/// Writes tables and page of the findings into the campaign's folder; returns the findings, the page's path and the
/// page's words on noise.
///
/// # Errors
/// Fails on files that cannot be written.
pub fn kept(plan: &AuditPlan, campaign: &Campaign) -> anyhow::Result<(Audit, Told)> {
    let found = found(plan, campaign);
    let wide = Look { width: 120, ..Look::IN_FILES };
    campaign.write("summary.txt", &found.terminal(Look { detailed: false, ..wide }))?;
    campaign.write("details.txt", &found.terminal(wide))?;
    campaign.write("audit.md", &printed(&found, Format::Markdown, wide)?)?;
    campaign.write("audit.csv", &found.csv())?;
    let told = with_noise(found.page(), campaign.folder())?;
    Ok((found, told))
}

/// Settings under which an audit is carried out.
struct Auditing<'a> {
    keeping: Keeping<'a>,
    time_at_most: Option<Duration>,
    site: &'a Site,
}

impl Auditing<'_> {
    /// Measures references for the numbers of texts.
    fn hold_against(&self, texts: &Texts, campaign: &mut Campaign) -> anyhow::Result<()> {
        let rounds = Rounds::new(texts.auto, texts.launches, self.time_at_most)?;
        let numbers = texts.said().numbers;
        let (calls, launches) = (texts.calls(), texts.launches(&numbers));
        let progress =
            Cases::from_planned(launches.iter().map(measuring::plan::Launch::planned), campaign, self.keeping.quiet);
        let deciding = |lines: CampaignLines<'_>| Ok(audit_texts(lines, &numbers, texts.reference).deciding());
        let patience = self.keeping.patience;
        let mut asking = Measuring { plan: &calls, site: self.site, patience, progress: &progress };
        let ended = measuring::fill(&mut asking, &launches, rounds, deciding, (campaign, &progress));
        progress.finish();
        campaign_report::warn_of_clocks(campaign);
        ended
    }

    /// Starts the benchmarks round by round, as long as another round is due.
    fn run(&self, plan: &Benchmarks, campaign: &mut Campaign) -> anyhow::Result<()> {
        let all = plan.launches();
        let mut rounds = Rounds::new(plan.auto, plan.launches, self.time_at_most)?;
        let mut told: Vec<String> = Vec::new();
        let mut begun = 0;
        for round in all.chunk_by(|one, other| one.key.launch == other.key.launch) {
            let Some(done) = round.first().map(|launch| launch.key.launch) else { continue };
            let deciding = || Ok(audit_benchmarks(campaign.records().first_launches(done), plan).deciding());
            let Some(planned) = rounds.planned(done, deciding)? else { break };
            let count = all.iter().filter(|launch| launch.key.launch < planned).count();
            for launch in round {
                begun += 1;
                if !is_there(campaign, launch) {
                    self.start(plan, launch, (campaign, &mut told), &format!("{begun} of {count}"))?;
                }
            }
        }
        if campaign.records().audited().next().is_none() {
            bail!(BadInput("no benchmark could be run; the reasons are above".to_owned()));
        }
        Ok(())
    }

    /// Runs a benchmark once and keeps its rows. A benchmark that cannot be run is noted with its reason, once per
    /// audit.
    fn start(
        &self,
        plan: &Benchmarks,
        launch: &Launch,
        (campaign, told): (&mut Campaign, &mut Vec<String>),
        place: &str,
    ) -> anyhow::Result<()> {
        if interrupted() {
            bail!("interrupted");
        }
        let what = format!("{} {} on {}", launch.key.program, launch.key.flags, launch.key.world.title());
        match start::run_benchmark(plan, launch, self.site, campaign.folder(), self.keeping.patience)? {
            Ok(audited) => {
                let rows = audited.rows.len();
                campaign.append(Line::Audited(Box::new(audited)))?;
                if !self.keeping.quiet {
                    note!("ran  {what}: {rows} rows with references  ({place})");
                }
            }
            // The reason is the same in every launch.
            Err(why) if told.contains(&what) => drop(why),
            Err(why) => {
                note!("left out: {what}: {why}");
                campaign.append(Line::LeftOut { what: what.clone(), why })?;
                told.push(what);
            }
        }
        Ok(())
    }
}

fn is_there(campaign: &Campaign, launch: &Launch) -> bool {
    campaign.records().audited().any(|audited| audited.key == launch.key)
}

/// Returns the findings of an audit, with the reason for the number of launches.
fn found(plan: &AuditPlan, campaign: &RecordedCampaign) -> Audit {
    match plan {
        AuditPlan::Benchmarks(plan) => found_of_benchmarks(plan, campaign),
        AuditPlan::Texts(plan) => found_of_texts(plan, campaign),
    }
}

fn found_of_texts(plan: &Texts, campaign: &RecordedCampaign) -> Audit {
    let said = plan.said();
    let mut found = audit_texts(campaign.records(), &said.numbers, plan.reference);
    if let Some(auto) = &plan.auto {
        let told = describe_launches(auto, &found.deciding(), campaign.records().launches());
        found.launches = Some(format!("The precision of the references determined the number of launches. {told}"));
    }
    found.left_out.extend(said.left_out);
    if let Some(texts) = &mut found.texts {
        texts.remarks = said.remarks;
    }
    found
}

fn found_of_benchmarks(plan: &Benchmarks, campaign: &RecordedCampaign) -> Audit {
    let mut found = audit_benchmarks(campaign.records(), plan);
    if let Some(auto) = &plan.auto {
        found.launches = Some(describe_launches(auto, &found.deciding(), campaign.records().launches()));
    }
    found
}

/// Returns the printed rows of the requested lengths alone: OSU's benchmarks print every power of two between the ends.
fn audit_benchmarks(lines: CampaignLines<'_>, plan: &Benchmarks) -> Audit {
    let mut found = audit(lines, plan.reference);
    found.rows.retain(|row| plan.bytes.contains(&row.bytes) || row.collective == Collective::Barrier);
    found
}

/// The results of an audit; `None` for a campaign of another kind.
///
/// # Errors
/// Fails where [`RecordedCampaign::plan`] does.
pub(crate) fn made(campaign: &RecordedCampaign) -> anyhow::Result<Option<Made>> {
    let Some(plan) = campaign.plan::<AuditPlan>()? else { return Ok(None) };
    let found = found(&plan, campaign);
    Ok(Some(found.into()))
}
