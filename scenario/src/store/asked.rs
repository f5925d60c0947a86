//! Queries of a campaign's lines, one for each kind of line. Analyses read lines by these alone.

use super::{LaunchMemory, lines_file::Stored};
use super::{Line, LinesFile, PredictedBudget, PrintedRow, StoreError, Tested, facts};
use models::clock::ReportCard;
use models::network::Network;
use models::time::Span;
use programs::audit::AuditedLaunch;
use programs::budget::Round;
use programs::machine::{Bound, Machine};
use programs::observation::{Case, ClockCheck, Observation, Occasion, World};
use std::borrow::Cow;

/// Lines of a campaign. Observations of a campaign opened by [`LinesFile::open`] lack their stamps and the other fields
/// that are read with these (`subtracted`, `window`, `round_time`, `overlap`, `forced`, `steps`): [`Recorded::read`]
/// reads them.
#[derive(Clone, Copy, Debug)]
pub struct CampaignLines<'a> {
    lines: &'a [Line],
    file: Option<&'a LinesFile>,
    /// Number of rounds of launches whose results are included.
    launches: u32,
}

impl<'a, Lines: AsRef<[Line]> + ?Sized> From<&'a Lines> for CampaignLines<'a> {
    fn from(lines: &'a Lines) -> CampaignLines<'a> {
        CampaignLines { lines: lines.as_ref(), file: None, launches: u32::MAX }
    }
}

/// Question and text with which a campaign was begun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question<'a> {
    /// Question of the campaign, in words.
    pub question: &'a str,
    /// Name of campaigns of this kind.
    pub name: &'a str,
    /// Seed of every random draw.
    pub seed: u64,
    /// Text of the scenario or plan.
    pub text: &'a str,
    /// Commands that reproduce the campaign.
    pub reproduce: &'a [String],
}

/// Simulated observation, with the network and bound of its simulation.
#[derive(Clone, Copy, Debug)]
pub struct Predicted<'a> {
    /// Bound of the parameters' intervals that was simulated.
    pub bound: Bound,
    /// Network that was simulated.
    pub network: &'a Network,
    /// Observation by the simulated ranks.
    pub observation: &'a Observation,
}

/// Simulated reference of a subject.
#[derive(Clone, Copy, Debug)]
pub struct Truth<'a> {
    /// Case whose call was simulated. Its method has no meaning.
    pub case: &'a Case,
    /// Launch to which the reference belongs.
    pub occasion: Occasion,
    /// Bound of the parameters' intervals that was simulated.
    pub bound: Bound,
    /// Duration from the common entry to each rank's exit, in rank order.
    pub spans: &'a [Span],
}

/// Selection of observations in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// Observations by real ranks.
    Measured,
    /// Observations by simulated ranks, with the best parameters.
    Predicted,
    /// Observations by real ranks and, for cases of simulated ranks, by those with the best parameters.
    MeasuredOrSimulated,
    /// Observations by real ranks, including those in bias budgets.
    MeasuredOrRounds,
}

impl Observed {
    fn select(self, line: &Line) -> Option<&Observation> {
        match (self, line) {
            (Observed::Measured | Observed::MeasuredOrSimulated | Observed::MeasuredOrRounds, Line::Measured(one)) => {
                Some(one)
            }
            (Observed::MeasuredOrRounds, Line::Round(round)) => Some(&round.observation),
            (Observed::Predicted, Line::Predicted { bound: Bound::Best, observation, .. }) => Some(observation),
            (Observed::MeasuredOrSimulated, Line::Predicted { bound: Bound::Best, observation, .. }) => {
                Some(observation).filter(|one| one.case.place.world == World::Simulated)
            }
            _ => None,
        }
    }
}

/// Defines functions that each yield the contents of the lines of one kind, in order.
macro_rules! of_kind {
    ($($(#[$doc:meta])* $name:ident -> $item:ty, $pattern:pat => $value:expr;)*) => {
        $($(#[$doc])* pub fn $name(self) -> impl Iterator<Item = $item> + Clone {
            self.iter().filter_map(|line| match line {
                $pattern => Some($value),
                _ => None,
            })
        })*
    };
}

impl<'a> CampaignLines<'a> {
    pub(super) fn in_file(lines: &'a [Line], file: &'a LinesFile) -> CampaignLines<'a> {
        CampaignLines { file: Some(file), ..CampaignLines::from(lines) }
    }

    /// Returns the same lines without the results of rounds of launches after the first `launches`.
    pub fn first_launches(self, launches: u32) -> CampaignLines<'a> {
        CampaignLines { launches, ..self }
    }

    fn iter(self) -> impl Iterator<Item = &'a Line> + Clone {
        self.lines.iter().filter(move |line| line.launch().is_none_or(|launch| launch < self.launches))
    }

    /// Returns the campaign's question, as recorded by its last start or resumption. `None` without a first line.
    pub fn question(self) -> Option<Question<'a>> {
        self.lines.iter().rev().find_map(|line| match line {
            Line::Campaign { question, name, seed, scenario_text: text, reproduce, .. } => {
                Some(Question { question, name, seed: *seed, text, reproduce })
            }
            _ => None,
        })
    }

    /// Returns labels and values that describe the place of measurement, as [`facts`] does.
    pub fn facts(self) -> Vec<(String, String)> {
        facts(self.lines)
    }

    /// Whether the campaign ran to its end.
    pub fn is_finished(self) -> bool {
        self.lines.last() == Some(&Line::Finished {})
    }

    /// Returns the number of rounds of launches that have results.
    pub fn launches(self) -> u32 {
        self.iter().filter_map(Line::launch).map(|launch| launch + 1).max().unwrap_or(0)
    }

    /// Returns observations, without their stamps where those are in the campaign's file.
    pub fn observations(self, observed: Observed) -> impl Iterator<Item = &'a Observation> + Clone {
        self.iter().filter_map(move |line| observed.select(line))
    }

    /// Returns the observations by real ranks, to be read one by one.
    pub fn recorded(self) -> impl Iterator<Item = Recorded<'a>> {
        self.lines.iter().enumerate().filter_map(move |(index, line)| match line {
            Line::Measured(head) if head.occasion.launch < self.launches => {
                Some(Recorded { head, stored: self.file.map(|file| (file, file.stored(index))) })
            }
            _ => None,
        })
    }

    of_kind! {
        /// Returns the observations by simulated ranks at every bound.
        predicted -> Predicted<'a>,
            Line::Predicted { bound, network, observation } => Predicted { bound: *bound, network, observation };
        /// Returns the simulated references.
        truths -> Truth<'a>,
            Line::Truth { case, occasion, bound, spans } =>
                Truth { case, occasion: *occasion, bound: *bound, spans };
        /// Returns the calibrated machines.
        machines -> &'a Machine, Line::Machine(machine) => &**machine;
        /// Returns the checks of clocks by waits of known duration.
        clock_checks -> &'a ClockCheck, Line::ClockCheck(check) => check;
        /// Returns the report cards of clocks, each with the world and the number of its ranks.
        report_cards -> ((World, u32), &'a ReportCard), Line::ReportCard { world, ranks, card } => ((*world, *ranks), &**card);
        /// Returns the looks at the memory of ranks.
        memory -> &'a LaunchMemory, Line::Memory(look) => look;
        /// Returns the rounds of bias budgets.
        rounds -> &'a Round, Line::Round(round) => &**round;
        /// Returns the predicted bias budgets.
        budgets -> &'a PredictedBudget, Line::Budget(budget) => &**budget;
        /// Returns the launches of unmodified benchmarks.
        audited -> &'a AuditedLaunch, Line::Audited(launch) => &**launch;
        /// Returns the answers to tests.
        tested -> &'a Tested, Line::Tested(tested) => &**tested;
        /// Returns the rows of benchmarks' texts, each with the benchmark's name and version.
        printed -> (&'a str, Option<&'a str>, &'a PrintedRow),
            Line::Printed { benchmark, version, row } => (benchmark.as_str(), version.as_deref(), &**row);
        /// Returns the work that could not be run, each with the reason.
        left_out -> (&'a str, &'a str), Line::LeftOut { what, why } => (what.as_str(), why.as_str());
    }
}

/// Observation whose stamps may lie in the campaign's file.
#[derive(Clone, Copy, Debug)]
pub struct Recorded<'a> {
    head: &'a Observation,
    stored: Option<(&'a LinesFile, Stored)>,
}

impl<'a> Recorded<'a> {
    /// Returns the observation, without its stamps where those are in the file.
    pub fn head(&self) -> &'a Observation {
        self.head
    }

    /// Returns the number of stamps of the rank with the most stamps.
    pub fn stamps(&self) -> usize {
        self.stored.map_or_else(|| most_stamps(self.head), |(_, stored)| stored.stamps as usize)
    }

    /// Returns the whole observation, with its stamps.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or was changed after it was opened.
    pub fn read(&self) -> Result<Cow<'a, Observation>, StoreError> {
        self.stored.map_or(Ok(Cow::Borrowed(self.head)), |(file, stored)| file.read(stored).map(Cow::Owned))
    }
}

pub(super) fn most_stamps(observation: &Observation) -> usize {
    observation.ranks.iter().map(|record| record.stamps.len()).max().unwrap_or(0)
}
