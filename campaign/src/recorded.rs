//! Campaigns as they are read: the folder with all lines of its file.

use crate::campaign::{FILE, store_error};
use crate::planned::CommandPlan;
use anyhow::Context;
use programs::machine::{Bound, Machine};
use programs::observation::{Case, CasePlace, Conditions, Observation, Occasion, World};
use scenario::BadInput;
use scenario::files::write_whole;
use scenario::store::{CampaignLines, Line, LinesFile};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Campaign to be read. A [`Campaign`](crate::Campaign) also adds lines. The default one has no lines.
#[derive(Default)]
pub struct RecordedCampaign {
    folder: PathBuf,
    lines: Vec<Line>,
    /// File of the stamps, where the lines lack them.
    file: Option<LinesFile>,
    /// Cases that real ranks have measured.
    measured: RecordedCases,
    /// Cases that simulated ranks have predicted at every bound.
    predicted: RecordedCases,
    /// Places, conditions and occasions of the checked clocks.
    checked: HashSet<(CasePlace, Conditions, Occasion)>,
}

/// Cases, each with the occasions on which it was recorded.
#[derive(Default)]
struct RecordedCases(HashMap<Case, BTreeSet<Occasion>>);

impl RecordedCases {
    fn add(&mut self, observation: &Observation) {
        self.0.entry(observation.case.clone()).or_default().insert(observation.occasion);
    }

    fn has(&self, case: &Case, occasion: Occasion) -> bool {
        self.0.get(case).is_some_and(|occasions| occasions.contains(&occasion))
    }
}

impl RecordedCampaign {
    pub(crate) fn new(folder: PathBuf, lines: Vec<Line>) -> RecordedCampaign {
        let mut kept = RecordedCampaign { folder, ..RecordedCampaign::default() };
        lines.into_iter().for_each(|line| kept.add(line));
        kept
    }

    /// Adds a line of the campaign's file.
    pub(crate) fn add(&mut self, line: Line) {
        match &line {
            Line::Measured(observation) => self.measured.add(observation),
            Line::Predicted { bound, observation, .. } if *bound == last_bound(&observation.case) => {
                self.predicted.add(observation);
            }
            Line::ClockCheck(check) => {
                self.checked.insert((check.place(), check.conditions, check.occasion));
            }
            _ => {}
        }
        self.lines.push(line);
    }

    /// Whether there is a campaign in a folder.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Returns the kind of the campaign in a folder, by its first line alone. `None` where the line cannot be read.
    pub fn name_in(folder: &Path) -> Option<String> {
        let mut first = String::new();
        BufReader::new(File::open(folder.join(FILE)).ok()?).read_line(&mut first).ok()?;
        match serde_json::from_str(&first).ok()? {
            Line::Campaign { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Reads the campaign in a folder. Another process may be adding to it.
    ///
    /// # Errors
    /// Fails if the folder holds no campaign, or its file cannot be read.
    pub fn read(folder: &Path) -> anyhow::Result<RecordedCampaign> {
        let lines = scenario::store::read(file_in(folder)?).map_err(store_error)?.lines;
        Ok(RecordedCampaign::new(folder.to_owned(), lines))
    }

    /// Reads a campaign without the observations by real ranks, which queries of [`RecordedCampaign::records`] read on
    /// request, so that a campaign may be larger than the memory. [`RecordedCampaign::lines`] then lacks them.
    ///
    /// # Errors
    /// Fails where [`RecordedCampaign::read`] fails.
    pub fn read_without_stamps(folder: &Path) -> anyhow::Result<RecordedCampaign> {
        let (lines, file) = LinesFile::open(&file_in(folder)?).map_err(store_error)?;
        Ok(RecordedCampaign { file: Some(file), lines, folder: folder.to_owned(), ..RecordedCampaign::default() })
    }

    /// Returns the lines for queries by kind.
    pub fn records(&self) -> CampaignLines<'_> {
        self.file.as_ref().map_or_else(|| CampaignLines::from(&self.lines), |file| file.lines(&self.lines))
    }

    /// Returns the text with which the campaign was begun: a scenario, or a plan.
    pub fn text(&self) -> Option<&str> {
        self.records().question().map(|question| question.text)
    }

    /// Returns the name of campaigns of its kind.
    pub fn name(&self) -> Option<&str> {
        self.records().question().map(|question| question.name)
    }

    /// Whether it holds any results.
    pub fn has_found(&self) -> bool {
        self.lines.iter().any(Line::is_found)
    }

    /// Returns the plan with which the campaign was begun. `None` if it is of another kind.
    ///
    /// # Errors
    /// Fails for a plan of this kind that another version of the program wrote.
    pub fn plan<P: CommandPlan>(&self) -> Result<Option<P>, BadInput> {
        let Some(text) = self.text().filter(|_| self.name() == Some(P::title().as_str())) else { return Ok(None) };
        serde_json::from_str(text).map(Some).map_err(|error| {
            let wrote = self.fact("parallax").map(|version| format!(", {version}")).unwrap_or_default();
            let message = format!("the plan of `parallax {}` cannot be read: {error}", P::NAME);
            BadInput(format!(
                "{} line 1: {message}; use the version that wrote it{wrote}",
                self.folder.join(FILE).display()
            ))
        })
    }

    /// Returns a recorded fact of the environment in which it was begun.
    pub fn fact(&self, label: &str) -> Option<&str> {
        let environment = self.lines.iter().find_map(|line| match line {
            Line::Campaign { environment, .. } => Some(environment),
            _ => None,
        })?;
        environment.iter().find(|(known, _)| known == label).map(|(_, value)| value.as_str())
    }

    /// Returns all lines in order, without observations by real ranks for a campaign that was read without them.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Returns the folder to which this run writes everything.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether real ranks have measured this case on this occasion.
    pub fn has_measured(&self, case: &Case, occasion: Occasion) -> bool {
        self.measured.has(case, occasion)
    }

    /// Returns the cases that real ranks have not measured yet on this occasion.
    pub fn missing(&self, cases: &[Case], occasion: Occasion) -> Vec<Case> {
        cases.iter().filter(|case| !self.has_measured(case, occasion)).cloned().collect()
    }

    /// Whether simulated ranks have predicted this case for this occasion at every bound.
    pub fn has_predicted(&self, case: &Case, occasion: Occasion) -> bool {
        self.predicted.has(case, occasion)
    }

    /// Whether the clocks of a place's ranks have been checked under these conditions on this occasion.
    pub fn has_checked_clocks(&self, place: CasePlace, conditions: Conditions, occasion: Occasion) -> bool {
        self.checked.contains(&(place, conditions, occasion))
    }

    /// Returns the calibrated machine of this name.
    pub fn machine(&self, name: &str) -> Option<&Machine> {
        self.records().machines().find(|machine| machine.name == name)
    }

    /// Writes a file into the campaign's folder and returns its path.
    pub fn write(&self, name: &str, text: &str) -> anyhow::Result<PathBuf> {
        let path = self.folder.join(name);
        write_whole(&path, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }
}

/// Returns the path of the file of the campaign in a folder.
fn file_in(folder: &Path) -> Result<PathBuf, BadInput> {
    let message = "holds no campaign; expected the folder of a run, like results/loop-error-001";
    let is_there = RecordedCampaign::is_in(folder);
    is_there.then(|| folder.join(FILE)).ok_or_else(|| BadInput(format!("{} {message}", folder.display())))
}

/// Returns the bound that is predicted last: the upper one, or the best one in the simulated world, whose machine has
/// exact parameters.
fn last_bound(case: &Case) -> Bound {
    if case.place.world == World::Simulated { Bound::Best } else { Bound::High }
}
