//! `parallax run`: one scenario from question to report.
//!
//! Each group of cases is one launch of real ranks, which calibrate and measure. Then simulated
//! ranks carry out the same orders with the calibrated parameters, and the report compares.

pub mod calibrated;
mod check;
pub mod orders;
mod serve;
mod simulated;
pub mod told;

pub use check::CheckArguments;
pub use serve::ServeThreads;

use crate::cli::RunArguments;
use anyhow::Context;
use calibrated::{Calibrations, Missing};
use campaign::environment::{facts, launches};
use campaign::launch::{Launcher, Library, Site};
use campaign::{BadInput, Campaign, Start, interrupted, notice_interrupts};
use measure::job::{Outcome, Task};
use models::observation::{Carrier, Case, ClockCheck, World};
use scenario::store::{FORMAT, Line};
use scenario::{Group, Scenario};
use std::path::Path;
use std::process::ExitCode;

/// Runs a scenario; prints the summary and the report's path.
pub fn run(arguments: &RunArguments) -> anyhow::Result<ExitCode> {
    let file = arguments.scenario.display().to_string();
    let text = scenario::files::read_description(&arguments.scenario).map_err(|error| {
        BadInput(format!("{file}: {error}; expected a scenario file, like scenarios/loop-error.toml"))
    })?;
    let scenario = Scenario::parse(&file, &text).map_err(|error| BadInput(error.to_string()))?;
    let scenario = if arguments.small { scenario.small() } else { scenario };
    let site = arguments.site.site()?;
    if arguments.print_launch {
        return print_launch(&scenario, &site);
    }
    notice_interrupts()?;
    let launchers: Vec<Launcher> = Library::ALL.into_iter().filter_map(|library| site.find(library).ok()).collect();
    let mut environment = facts(&launchers, &site);
    environment.push(("seed".to_owned(), scenario.seed.to_string()));
    environment.push((FORM.to_owned(), if arguments.small { "small" } else { "whole" }.to_owned()));
    let real = scenario.groups.iter().filter(|group| group.world != World::Simulated);
    let mut ranks: Vec<u32> = real.map(|group| group.ranks).collect();
    ranks.sort_unstable();
    ranks.dedup();
    environment.extend(launches(&launchers, &ranks, &site));
    let mut campaign = open(arguments, &scenario, &text, environment)?;
    let mut failure = None;
    for (index, group) in scenario.groups.iter().enumerate() {
        if let Err(error) = run_group(arguments, &site, &scenario, (index, group), &mut campaign) {
            failure = Some(error);
            break;
        }
    }
    // A campaign that is gone on with may calibrate more: all is predicted by all calibrations.
    if failure.is_none()
        && let Err(error) = predict(&scenario, &mut campaign)
    {
        failure = Some(error);
    }
    if failure.is_none() {
        campaign.finish()?;
    }
    told::warn_of_clocks(&campaign);
    let report = told::report(&campaign)?;
    print!("{}", reports::summary::terminal(&report, terminal_width(), colour()));
    let written = told::write_report(&campaign, &report);
    match (&written, &failure) {
        (Ok(page), _) => println!("\nReport: {}", page.display()),
        // What stopped the run, a full disk perhaps, kept the report from being written, too: it is told below.
        (Err(unwritten), Some(_)) => note!("parallax: {unwritten:#}"),
        (Err(_), None) => {}
    }
    match failure {
        None => written.map(|_| ExitCode::SUCCESS),
        Some(error) => {
            note!("parallax: {error:#}");
            let folder = campaign.folder().display();
            note!("Finished cases are kept; go on with: parallax run {file} --resume --out {folder}");
            Ok(if error.is::<BadInput>() { ExitCode::from(2) } else { ExitCode::FAILURE })
        }
    }
}

/// The fact that says whether a scenario was run in its small form.
const FORM: &str = "form";

/// Begins a campaign, or goes on with one of the same text.
fn open(
    arguments: &RunArguments,
    scenario: &Scenario,
    text: &str,
    environment: Vec<(String, String)>,
) -> anyhow::Result<Campaign> {
    let (out, name) = (arguments.out.as_deref(), &scenario.name);
    if arguments.resume {
        let campaign = Campaign::resume(out, name)?;
        if campaign.text() != Some(text) {
            let message = "was begun with another text of this scenario; start a new run";
            return Err(BadInput(format!("{} {message}", campaign.folder().display())).into());
        }
        if campaign.fact(FORM).is_some_and(|form| (form == "small") != arguments.small) {
            let message = "was begun in the other form: with --small, or without; go on likewise or start a new run";
            return Err(BadInput(format!("{} {message}", campaign.folder().display())).into());
        }
        return Ok(campaign);
    }
    let first = Line::Campaign {
        format: FORMAT,
        question: scenario.question.clone(),
        name: name.clone(),
        seed: scenario.seed,
        scenario_text: text.to_owned(),
        environment,
        reproduce: vec![format!(
            "parallax run {}{}",
            arguments.scenario.display(),
            if arguments.small { " --small" } else { "" }
        )],
    };
    Campaign::begin(out, name, first)
}

/// Calibrates and measures the cases of one group that the campaign does not have yet; predicts those of simulated ranks.
fn run_group(
    arguments: &RunArguments,
    site: &Site,
    scenario: &Scenario,
    (index, group): (usize, &Group),
    campaign: &mut Campaign,
) -> anyhow::Result<()> {
    if group.world == World::Simulated {
        return simulated::carry_out(scenario, group, campaign);
    }
    let missing: Vec<_> = group.cases.iter().filter(|case| !campaign.has_measured(case)).cloned().collect();
    let mut calibrations = Missing::of_launch(group, launch_of(scenario, index), &scenario.emulated, campaign);
    let checked = campaign.has_checked_clocks(group.world, group.carrier, group.ranks, group.conditions);
    if missing.is_empty() && calibrations.is_empty() && checked {
        return Ok(());
    }
    let start = match Start::new(group.world, group.ranks, site) {
        Ok(start) => {
            let (carrier, clock) = (group.carrier, group.conditions.clock);
            Start { carrier, emulated: scenario.emulated, clock, patience: arguments.patience, ..start }
        }
        Err(absent) => return campaign.leave_out(group, &absent.to_string()),
    };
    let mut tasks = Vec::new();
    if !checked {
        tasks.push(Task::CheckClocks(orders::clock_check(scenario, group.ranks > start.site.cores)));
    }
    tasks.extend(
        missing.into_iter().map(|case| Task::Measure { order: Box::new(orders::order(scenario, &case)), case }),
    );
    calibrations.add_to(&mut tasks);
    let job = start.job(tasks);
    let folder = campaign.folder().join(format!("job-{index}"));
    let progress = !arguments.quiet;
    start.carry_out(&job, &folder, |outcome| record(group, &mut calibrations, outcome, campaign, progress))?;
    std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))
}

/// Which launch of its machine a group is.
fn launch_of(scenario: &Scenario, index: usize) -> u32 {
    let name = scenario.groups[index].machine_name();
    scenario.groups[..index].iter().filter(|group| group.machine_name() == name).count() as u32
}

/// Writes down what real ranks answered.
fn record(
    group: &Group,
    calibrations: &mut Missing,
    outcome: Outcome,
    campaign: &mut Campaign,
    progress: bool,
) -> anyhow::Result<()> {
    match outcome {
        Outcome::Calibrated { ran_by, samples, control } => {
            if progress {
                note!("calibrated {}", group.machine_name());
            }
            calibrations.keep(campaign, ran_by, &samples, control)
        }
        Outcome::Measured(observation) => {
            if progress {
                note!("measured   {}", observation.case);
            }
            campaign.append(Line::Measured(observation))
        }
        Outcome::ClocksChecked(check) => {
            campaign.append(Line::ClockCheck(ClockCheck { conditions: group.conditions, ..check }))
        }
        Outcome::Refused(reason) => Err(BadInput(reason).into()),
        Outcome::Checked(_)
        | Outcome::SyncCompared(_)
        | Outcome::ClockReported(_)
        | Outcome::PointToPoint { .. }
        | Outcome::Explored(_)
        | Outcome::Memory { .. } => Ok(()),
    }
}

/// Simulated ranks carry out the orders of all cases whose ranks were calibrated, at both ends of the parameters' intervals,
/// too.
fn predict(scenario: &Scenario, campaign: &mut Campaign) -> anyhow::Result<()> {
    let real = scenario.groups.iter().filter(|group| group.world != World::Simulated);
    let missing = |case: &&Case| !campaign.has_predicted(case) && campaign.has_measured(case);
    let cases: Vec<(String, Case)> = real
        .flat_map(|group| group.cases.iter().filter(missing).map(|case| (group.machine_name(), case.clone())))
        .collect();
    if cases.is_empty() {
        return Ok(());
    }
    let machines = Calibrations::of(campaign)?;
    for (name, case) in cases {
        anyhow::ensure!(!interrupted(), "interrupted");
        let Some(machine) = machines.machine(&name) else { continue };
        for line in orders::predictions(scenario, machine, &case)? {
            campaign.append(line)?;
        }
    }
    Ok(())
}

fn print_launch(scenario: &Scenario, site: &Site) -> anyhow::Result<ExitCode> {
    for group in &scenario.groups {
        let Some(library) = Library::of(group.world) else { continue };
        let title = format!("{} ranks, {} network", group.ranks, group.carrier.name());
        match site.find(library) {
            Ok(launcher) => {
                let arguments = campaign::serve::arguments(Path::new("JOB"));
                println!("# {}, {title}\n{}", library.title(), launcher.line(group.ranks, site, &arguments));
            }
            Err(absent) => println!("# {}, {title}: {absent}", library.title()),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Columns of the terminal, as COLUMNS says.
pub fn terminal_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(100).clamp(60, 140)
}

/// Whether to colour standard output.
pub fn colour() -> bool {
    use std::io::IsTerminal;
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// The model by which a carrier's cases are predicted is the one that it plays, or the richest that was calibrated.
fn plays_hockney(carrier: Carrier) -> bool {
    carrier == Carrier::Emulated
}
