//! Campaigns of commands that are told by flags what to do: the plan is kept in the campaign, so that it can be gone on with.

use crate::BadInput;
use crate::Campaign;
use crate::environment::{facts, launches};
use crate::launch::{Launcher, Library, Site};
use anyhow::Context;
use models::observation::World;
use scenario::store::{FORMAT, Line};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::process::ExitCode;

/// Everything that a command was asked.
pub trait Planned: Serialize + DeserializeOwned + PartialEq {
    /// The command, and what its campaigns are called.
    const NAME: &'static str;
    /// What it is asked about: operations, collectives.
    const ABOUT: &'static str;

    /// What it answers.
    fn question(&self) -> String;
    /// Of its random draws.
    fn seed(&self) -> u64;
    /// Where real ranks are started.
    fn worlds(&self) -> &[World];
    /// How many.
    fn ranks(&self) -> &[u32];
}

/// Begins a campaign in the folder that the user named, or in a new one, or goes on with one; and its plan.
pub fn open<P: Planned>(
    asked: Option<P>,
    resume: bool,
    out: Option<&Path>,
    site: &Site,
) -> anyhow::Result<(Campaign, P)> {
    let (name, about) = (P::NAME, P::ABOUT);
    if resume {
        let campaign = Campaign::resume(out, name)?;
        let folder = campaign.folder().display().to_string();
        let plan: P = campaign
            .text()
            .and_then(|text| serde_json::from_str(text).ok())
            .ok_or_else(|| BadInput(format!("{folder} holds no campaign of `parallax {name}`")))?;
        if asked.is_some_and(|asked| asked != plan) {
            let message =
                format!("was begun with other {about} or flags; give none with --resume, or start a new campaign");
            return Err(BadInput(format!("{folder} {message}")).into());
        }
        return Ok((campaign, plan));
    }
    let plan = asked.with_context(|| format!("clap demands {about} without --resume"))?;
    let launchers: Vec<Launcher> =
        plan.worlds().iter().filter_map(|&world| site.find(Library::of(world)?).ok()).collect();
    let mut environment = facts(&launchers, site);
    environment.push(("seed".to_owned(), plan.seed().to_string()));
    environment.extend(launches(&launchers, plan.ranks(), site));
    let command: Vec<String> = std::env::args().skip(1).collect();
    let first = Line::Campaign {
        format: FORMAT,
        question: plan.question(),
        name: name.to_owned(),
        seed: plan.seed(),
        scenario_text: serde_json::to_string(&plan)?,
        environment,
        reproduce: vec![format!("parallax {}", command.join(" "))],
    };
    Ok((Campaign::begin(out, name, first)?, plan))
}

/// Tells by what a campaign of cases was stopped and how to go on, after what there is of it was told; the exit code.
pub fn stopped<P: Planned>(
    campaign: Campaign,
    resume: bool,
    error: &anyhow::Error,
    tell: impl FnOnce(&Campaign) -> anyhow::Result<()>,
) -> ExitCode {
    let folder = campaign.folder().display().to_string();
    let any = campaign.lines().iter().any(|line| matches!(line, Line::Measured(_)));
    // What stopped the campaign may keep its tables from being written, too: it is what is told last, in any case.
    if let Some(untold) = any.then(|| tell(&campaign)).and_then(Result::err) {
        note!("parallax: {untold:#}");
    }
    note!("parallax: {error:#}");
    if !error.is::<BadInput>() {
        note!("Finished cases are kept; go on with: parallax {} --resume --out {folder}", P::NAME);
        return ExitCode::FAILURE;
    }
    if any {
        note!("Finished cases are kept in {folder}; begin a campaign of what can be measured");
    } else if !resume {
        campaign.discard();
    }
    ExitCode::from(2)
}
