//! Campaigns of commands whose plan comes from flags. The plan is stored in the campaign, so that it can be resumed.

use crate::Campaign;
use crate::environment::{facts, launches};
use crate::launch::{Launcher, Site, quoted};
use crate::progress::Expected;
use crate::start::passing_folder;
use anyhow::Context;
use models::time::Span;
use programs::observation::World;
use scenario::BadInput;
use scenario::store::{FORMAT, Line};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Settings of a campaign's folder, and of the watch over its ranks.
#[derive(Clone, Copy, Debug)]
pub struct Keeping<'a> {
    /// Folder of the campaign, if one is named.
    pub out: Option<&'a Path>,
    /// Whether an unfinished campaign is resumed.
    pub resume: bool,
    /// Time without progress after which ranks are given up.
    pub patience: Duration,
    /// Whether progress is kept from standard error.
    pub quiet: bool,
    /// Duration of the noise recordings before and after the campaign. `None` for no recording.
    pub noise: Option<Span>,
    /// Whether the work is only announced, and not done.
    pub dry_run: bool,
}

/// Contents of the first line of a campaign.
pub struct First<'a> {
    /// Question that the campaign answers.
    pub question: String,
    /// Name of campaigns of its kind.
    pub name: &'a str,
    /// Seed of every random draw.
    pub seed: u64,
    /// Text of the plan or the scenario. A campaign is resumed only with the same text.
    pub text: String,
    /// Launchers that start its ranks.
    pub launchers: &'a [Launcher],
    /// Numbers of ranks that are started.
    pub ranks: &'a [u32],
    /// Hosts and launcher of the ranks.
    pub site: &'a Site,
    /// Command that reproduces the campaign.
    pub reproduce: String,
}

impl First<'_> {
    /// Returns the line, with the facts of the environment.
    pub fn line(self) -> Line {
        self.line_with(None)
    }

    /// Returns the line, with the facts of the environment and further ones.
    pub fn line_with(self, fact: impl IntoIterator<Item = (String, String)>) -> Line {
        let mut environment = facts(self.launchers, self.site);
        environment.push(("seed".to_owned(), self.seed.to_string()));
        environment.extend(fact);
        environment.extend(launches(self.launchers, self.ranks, self.site));
        Line::Campaign {
            format: FORMAT,
            question: self.question,
            name: self.name.to_owned(),
            seed: self.seed,
            scenario_text: self.text,
            environment,
            reproduce: vec![self.reproduce],
        }
    }
}

/// Returns the command of this process, as a user types it.
pub fn command() -> String {
    let words: Vec<String> = std::env::args().skip(1).map(|word| quoted(&word)).collect();
    format!("parallax {}", words.join(" "))
}

/// Returns the flags among these words that select the site, each after a blank, because a resumed campaign needs them
/// again.
fn site_words(words: impl Iterator<Item = String>) -> String {
    const SITE: [&str; 3] = ["--hosts", "--launcher", "--mpi"];
    let words: Vec<String> = words.collect();
    let mut found = String::new();
    for (place, word) in words.iter().enumerate() {
        if SITE.contains(&word.as_str()) {
            let value = words.get(place + 1).map(|value| quoted(value)).unwrap_or_default();
            found += &format!(" {word} {value}");
        } else if word.split_once('=').is_some_and(|(flag, _)| SITE.contains(&flag)) {
            found += &format!(" {}", quoted(word));
        }
    }
    found
}

/// Plan of a command, as its flags describe it.
pub trait CommandPlan: Serialize + DeserializeOwned + PartialEq {
    /// Name of the command, from which the name of its campaigns is derived.
    const NAME: &'static str;
    /// Noun for the subjects of the plan, such as operations or lengths.
    const ABOUT: &'static str;

    /// Returns the question that the plan answers.
    fn question(&self) -> String;
    /// Returns the seed of every random draw.
    fn seed(&self) -> u64;
    /// Returns the worlds in which real ranks are started.
    fn worlds(&self) -> &[World];
    /// Returns the numbers of ranks that are started.
    fn ranks(&self) -> Vec<u32>;
    /// Returns the work of the plan on this site.
    ///
    /// # Errors
    /// Fails for a plan that cannot be carried out here.
    fn expected(&self, site: &Site) -> anyhow::Result<Expected>;

    /// Returns the name of its campaigns: the command in one word.
    fn title() -> String {
        Self::NAME.replace(' ', "-")
    }
}

/// Begins or resumes the campaign of a plan: `ask` adds the missing answers, `tell` prints the result. The work of a
/// new one is announced before it begins. Returns the campaign (`None` for a dry run) and the exit code.
///
/// # Errors
/// Fails for a campaign that does not exist or belongs to another plan, with the errors of `ask` and `tell`, and if a
/// line cannot be written.
pub fn run_campaign<P: CommandPlan>(
    asked: Option<P>,
    keeping: Keeping<'_>,
    site: &Site,
    ask: impl FnOnce(&P, &mut Campaign) -> anyhow::Result<()>,
    tell: impl FnOnce(&P, &Campaign) -> anyhow::Result<()>,
) -> anyhow::Result<(Option<Campaign>, ExitCode)> {
    let expected =
        asked.as_ref().filter(|_| !keeping.resume).map(|asked| expected(asked, keeping, site)).transpose()?;
    if let Some(expected) = expected.as_ref().filter(|_| keeping.dry_run) {
        say!("{expected}\n")?;
        return Ok((None, ExitCode::SUCCESS));
    }
    let (campaign, plan) = open(asked, keeping.resume, keeping.out, site)?;
    expected.iter().for_each(|expected| expected.announce(keeping.quiet));
    let ended = finish(campaign, keeping, P::NAME, |campaign| ask(&plan, campaign), |campaign| tell(&plan, campaign))?;
    Ok((Some(ended.0), ended.1))
}

/// Returns the work of a plan, with the noise that is recorded before and after it.
fn expected<P: CommandPlan>(asked: &P, keeping: Keeping<'_>, site: &Site) -> anyhow::Result<Expected> {
    let mut expected = asked.expected(site)?;
    expected.and(0, 2 * keeping.noise.map_or(Duration::ZERO, Duration::from));
    Ok(expected)
}

/// Carries out a plan in a temporary campaign, which is removed afterwards.
///
/// # Errors
/// Fails where [`run_campaign`] fails, and with the error of `ask`.
pub fn pass<P: CommandPlan>(
    asked: P,
    (keeping, site): (Keeping<'_>, &Site),
    ask: impl FnOnce(&P, &mut Campaign) -> anyhow::Result<()>,
    tell: impl FnOnce(&P, &Campaign) -> anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    if expected(&asked, keeping, site)?.print_or_announce(keeping.quiet, keeping.dry_run)? {
        return Ok(ExitCode::SUCCESS);
    }
    let folder = passing_folder(site)?;
    let (mut campaign, plan) = open(Some(asked), false, Some(folder.path()), site)?;
    let ended = ask(&plan, &mut campaign);
    if ended.is_ok() || campaign.has_found() {
        tell(&plan, &campaign)?;
    }
    ended.map(|()| ExitCode::SUCCESS)
}

/// Begins a campaign in the folder that the user named, or in a new one, or resumes one. Returns it with its plan.
fn open<P: CommandPlan>(
    asked: Option<P>,
    resume: bool,
    out: Option<&Path>,
    site: &Site,
) -> anyhow::Result<(Campaign, P)> {
    let (name, about, title) = (P::NAME, P::ABOUT, P::title());
    if resume {
        let campaign = Campaign::resume(out, &title)?;
        let folder = campaign.folder().display().to_string();
        let plan: Option<P> = campaign.plan()?;
        let plan = plan.ok_or_else(|| {
            let held = campaign.name().unwrap_or("another command");
            BadInput(format!("{folder} holds no campaign of `parallax {name}`, but one of {held}: name that command"))
        })?;
        if asked.is_some_and(|asked| asked != plan) {
            let message =
                format!("was started with other {about} or flags; give none with --resume, or start a new campaign");
            return Err(BadInput(format!("{folder} {message}")).into());
        }
        return Ok((campaign, plan));
    }
    let plan = asked.with_context(|| format!("clap demands {about} without --resume"))?;
    let launchers: Vec<Launcher> = plan.worlds().iter().filter_map(|&world| site.find(world.release()?).ok()).collect();
    let first = First {
        question: plan.question(),
        name: &title,
        seed: plan.seed(),
        text: serde_json::to_string(&plan)?,
        launchers: &launchers,
        ranks: &plan.ranks(),
        site,
        reproduce: command(),
    };
    Ok((Campaign::begin(out, &title, first.line())?, plan))
}

/// Has `ask` add the missing answers of a campaign and `tell` print its results, and ends it as finished, or as stopped
/// by an error, with the `command` by which it is resumed. Returns the campaign and the exit code.
///
/// # Errors
/// Fails with the error of `tell` for a finished campaign.
pub fn finish(
    mut campaign: Campaign,
    keeping: Keeping<'_>,
    command: &str,
    ask: impl FnOnce(&mut Campaign) -> anyhow::Result<()>,
    tell: impl FnOnce(&Campaign) -> anyhow::Result<()>,
) -> anyhow::Result<(Campaign, ExitCode)> {
    let held = campaign.lines().len();
    let asked = ask(&mut campaign);
    let lacked_nothing = asked.is_ok() && campaign.lines().len() == held;
    if keeping.resume && !keeping.quiet && lacked_nothing {
        note!("{} is complete: nothing is left to do", campaign.folder().display());
    }
    let Err(error) = asked.and_then(|()| campaign.finish()) else {
        tell(&campaign)?;
        return Ok((campaign, ExitCode::SUCCESS));
    };
    let folder = campaign.folder().display().to_string();
    let any = campaign.has_found();
    // The error that stopped the campaign may also keep its tables from being written. It is reported last, in any
    // case.
    if let Some(untold) = any.then(|| tell(&campaign)).and_then(Result::err) {
        note!("parallax: {untold:#}");
    }
    note!("parallax: {error:#}");
    if !error.is::<BadInput>() {
        let site = site_words(std::env::args());
        note!("Finished cases are kept; resume with: parallax {command} --resume --out {folder}{site}");
        return Ok((campaign, ExitCode::FAILURE));
    }
    if any {
        note!("Finished cases are kept in {folder}; start a campaign of the cases that can be measured");
    } else if !keeping.resume {
        campaign.discard();
    }
    Ok((campaign, ExitCode::from(2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_is_gone_on_with_where_it_was_begun() {
        let words = |line: &str| site_words(line.split(' ').map(str::to_owned));
        assert_eq!(words("measure bcast --mpi /opt/a --ranks 4 --hosts=h"), " --mpi /opt/a --hosts=h");
        assert_eq!(words("measure bcast --ranks 4"), "");
    }
}
