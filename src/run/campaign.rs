//! A campaign: the folder of one run, its file of JSON lines, and the report made from it.

use super::BadInput;
use crate::cli::RunArguments;
use anyhow::Context;
use models::machine::{Bound, Machine};
use models::observation::Case;
use models::scenario::{Group, Scenario};
use reports::comparison::Report;
use reports::files::write_whole;
use reports::store::{Contents, Line, Writer};
use std::path::{Path, PathBuf};

/// The file of a campaign inside its folder.
const FILE: &str = "campaign.jsonl";

/// One run of a scenario, new or resumed.
pub struct Campaign {
    folder: PathBuf,
    writer: Writer,
    lines: Vec<Line>,
}

impl Campaign {
    /// Makes a new folder, or goes on with an unfinished one.
    pub fn open(
        arguments: &RunArguments,
        scenario: &Scenario,
        text: &str,
        environment: Vec<(String, String)>,
    ) -> anyhow::Result<Campaign> {
        if arguments.resume {
            let folder = arguments.out.clone().map_or_else(|| newest(&scenario.name), Ok)?;
            return Campaign::resume(folder, text);
        }
        let folder = match &arguments.out {
            Some(folder) if folder.join(FILE).exists() => {
                let message = "holds a campaign already; go on with --resume or name another folder";
                return Err(BadInput(format!("{} {message}", folder.display())).into());
            }
            Some(folder) => folder.clone(),
            None => next_free(&scenario.name),
        };
        std::fs::create_dir_all(&folder).map_err(|error| {
            BadInput(format!("cannot make the folder {}: {error}; name another with --out", folder.display()))
        })?;
        let mut campaign =
            Campaign { writer: Writer::create(folder.join(FILE))?, folder: folder.clone(), lines: Vec::new() };
        let scenario_file = arguments.scenario.display();
        campaign.append(Line::Campaign {
            question: scenario.question.clone(),
            name: scenario.name.clone(),
            seed: scenario.seed,
            scenario_text: text.to_owned(),
            environment,
            reproduce: vec![format!("parallax run {scenario_file}")],
        })?;
        Ok(campaign)
    }

    fn resume(folder: PathBuf, text: &str) -> anyhow::Result<Campaign> {
        if !folder.join(FILE).is_file() {
            let message = "holds no campaign to resume; run without --resume, or name its folder with --out";
            return Err(BadInput(format!("{} {message}", folder.display())).into());
        }
        let (writer, Contents { lines, truncated }) = Writer::resume(folder.join(FILE))?;
        if truncated {
            eprintln!("the last line of {} was half written and is left out", folder.join(FILE).display());
        }
        let same =
            lines.iter().any(|line| matches!(line, Line::Campaign { scenario_text, .. } if scenario_text == text));
        if !same {
            let message = "was begun with another text of this scenario; start a new run";
            return Err(BadInput(format!("{} {message}", folder.display())).into());
        }
        // What was left out may be there now: it is tried again.
        let lines = lines.into_iter().filter(|line| !matches!(line, Line::LeftOut { .. } | Line::Finished)).collect();
        Ok(Campaign { folder, writer, lines })
    }

    /// The folder of everything this run writes.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a line, on disk before this returns.
    pub fn append(&mut self, line: Line) -> anyhow::Result<()> {
        self.writer.append(&line)?;
        self.lines.push(line);
        Ok(())
    }

    /// True if real ranks have recorded this case.
    pub fn has_measured(&self, case: &Case) -> bool {
        self.lines.iter().any(|line| matches!(line, Line::Measured(observation) if observation.case == *case))
    }

    /// True if simulated ranks have recorded this case at every bound (the upper one comes last).
    pub fn has_predicted(&self, case: &Case) -> bool {
        self.lines.iter().any(
            |line| matches!(line, Line::Predicted { bound: Bound::High, observation, .. } if observation.case == *case),
        )
    }

    /// True if the clocks of this group's ranks have been checked.
    pub fn has_checked_clocks(&self, group: &Group) -> bool {
        self.lines.iter().any(|line| {
            matches!(line, Line::ClockCheck(check)
                if (check.world, check.carrier, check.null.len()) == (group.world, group.carrier, group.ranks as usize))
        })
    }

    /// The calibrated machine of this name.
    pub fn machine(&self, name: &str) -> Option<&Machine> {
        self.lines.iter().find_map(|line| match line {
            Line::Machine(machine) if machine.name == name => Some(&**machine),
            _ => None,
        })
    }

    /// Notes that a group cannot be run here, and why.
    pub fn leave_out(&mut self, group: &Group, why: &str) -> anyhow::Result<()> {
        let what = format!("{} ranks on {} ({} network)", group.ranks, group.world.title(), group.carrier.name());
        eprintln!("left out: {what}: {why}");
        self.append(Line::LeftOut { what, why: why.to_owned() })
    }

    /// Marks the campaign as complete.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        self.append(Line::Finished)
    }

    /// Compares what is there.
    pub fn report(&self) -> anyhow::Result<Report> {
        Ok(reports::compare::compare(&self.lines)?)
    }

    /// Writes the page, the summary and one machine file for each calibrated machine; returns the page's path.
    pub fn write_report(&self, report: &Report) -> anyhow::Result<PathBuf> {
        let write = |name: &str, text: &str| {
            let path = self.folder.join(name);
            write_whole(&path, |file| file.write_all(text.as_bytes()))
                .with_context(|| format!("cannot write {}", path.display()))?;
            Ok::<_, anyhow::Error>(path)
        };
        for machine in &report.machines {
            write(&format!("machine-{}.toml", machine.name), &toml::to_string(machine)?)?;
        }
        write("summary.txt", &reports::summary::full(report, 100, false))?;
        write("report.html", &reports::html::render(report)?)
    }
}

/// Folders of runs of a scenario, with their numbers, oldest first.
fn runs(name: &str) -> Vec<(u32, PathBuf)> {
    let numbered = |entry: std::fs::DirEntry| {
        let number = entry.file_name().to_str()?.strip_prefix(name)?.strip_prefix('-')?.parse().ok()?;
        Some((number, entry.path()))
    };
    let mut runs: Vec<_> = std::fs::read_dir("results").into_iter().flatten().flatten().filter_map(numbered).collect();
    runs.sort();
    runs
}

/// The folder `results/NAME-001`, or the next number that is free.
pub fn next_free(name: &str) -> PathBuf {
    let last = runs(name).last().map_or(0, |(number, _)| *number);
    Path::new("results").join(format!("{name}-{:03}", last + 1))
}

/// The newest run that has not finished.
fn newest(name: &str) -> anyhow::Result<PathBuf> {
    for (_, folder) in runs(name).into_iter().rev() {
        if folder.join(FILE).exists() && !reports::store::read(folder.join(FILE))?.finished() {
            return Ok(folder);
        }
    }
    Err(BadInput(format!("there is no unfinished run of {name} under results/; run it without --resume")).into())
}
