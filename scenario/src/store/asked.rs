//! Queries of a campaign's lines, one for each kind of line. Analyses read lines by these alone.

use super::{LaunchMemory, lines_file::Stored};
use super::{Line, LinesFile, PredictedBudget, Row, StoreError, Tested, facts};
use models::audit::AuditedLaunch;
use models::budget::Round;
use models::clock::ReportCard;
use models::machine::{Bound, Machine};
use models::network::Network;
use models::observation::{Case, ClockCheck, Observation, Occasion, World};
use models::time::Span;
use std::borrow::Cow;

/// The lines of a campaign. Observations of a campaign that was opened by [`LinesFile::open`] lack their stamps and what else is
/// read with these (`subtracted`, `window`, `round_time`, `overlap`, `forced`, `steps`); [`Recorded::read`] reads them.
#[derive(Clone, Copy, Debug)]
pub struct CampaignLines<'a> {
    lines: &'a [Line],
    file: Option<&'a LinesFile>,
    /// What later launches found is left out.
    launches: u32,
}

impl<'a, Lines: AsRef<[Line]> + ?Sized> From<&'a Lines> for CampaignLines<'a> {
    fn from(lines: &'a Lines) -> CampaignLines<'a> {
        CampaignLines { lines: lines.as_ref(), file: None, launches: u32::MAX }
    }
}

/// What a campaign was begun for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question<'a> {
    /// The question.
    pub question: &'a str,
    /// The name of campaigns of its kind.
    pub name: &'a str,
    /// Seed of every random draw.
    pub seed: u64,
    /// The scenario or the plan, as text.
    pub text: &'a str,
    /// Commands that reproduce the campaign.
    pub reproduce: &'a [String],
}

/// A simulated observation and what simulated it.
#[derive(Clone, Copy, Debug)]
pub struct Predicted<'a> {
    /// The end of the parameters' intervals.
    pub bound: Bound,
    /// The network that was simulated.
    pub network: &'a Network,
    /// The observation.
    pub observation: &'a Observation,
}

/// The simulated reference of a subject.
#[derive(Clone, Copy, Debug)]
pub struct Truth<'a> {
    /// The case whose call was simulated; its method has no meaning.
    pub case: &'a Case,
    /// The launch.
    pub occasion: Occasion,
    /// The end of the parameters' intervals.
    pub bound: Bound,
    /// By rank, the time from the common entry to its end.
    pub spans: &'a [Span],
}

/// Which observations are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// Those of real ranks.
    Measured,
    /// Those of simulated ranks, with the best parameters.
    Predicted,
    /// Those of real ranks and, where a case has no real ranks, of simulated ones with the best parameters.
    MeasuredOrSimulated,
    /// Those of real ranks, in budgets too.
    MeasuredOrRounds,
}

impl Observed {
    fn of(self, line: &Line) -> Option<&Observation> {
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

/// Each function yields what the lines of one kind hold, in order.
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

    /// The same lines without what later rounds of launches than the first `launches` have found.
    pub fn first_launches(self, launches: u32) -> CampaignLines<'a> {
        CampaignLines { launches, ..self }
    }

    fn iter(self) -> impl Iterator<Item = &'a Line> + Clone {
        self.lines.iter().filter(move |line| line.launch().is_none_or(|launch| launch < self.launches))
    }

    /// The question of the campaign, as its last begin or resumption noted it; none without a first line.
    pub fn question(self) -> Option<Question<'a>> {
        self.lines.iter().rev().find_map(|line| match line {
            Line::Campaign { question, name, seed, scenario_text: text, reproduce, .. } => {
                Some(Question { question, name, seed: *seed, text, reproduce })
            }
            _ => None,
        })
    }

    /// Label and value of what is known of where it was measured: [`facts`].
    pub fn facts(self) -> Vec<(String, String)> {
        facts(self.lines)
    }

    /// True if the campaign ran to its end.
    pub fn is_finished(self) -> bool {
        self.lines.last() == Some(&Line::Finished {})
    }

    /// The number of rounds of launches that have found anything.
    pub fn launches(self) -> u32 {
        self.iter().filter_map(Line::launch).map(|launch| launch + 1).max().unwrap_or(0)
    }

    /// Observations, without their stamps where those are in the campaign's file.
    pub fn observations(self, observed: Observed) -> impl Iterator<Item = &'a Observation> + Clone {
        self.iter().filter_map(move |line| observed.of(line))
    }

    /// What real ranks observed, to be read case by case.
    pub fn recorded(self) -> impl Iterator<Item = Recorded<'a>> {
        self.lines.iter().enumerate().filter_map(move |(index, line)| match line {
            Line::Measured(head) if head.occasion.launch < self.launches => {
                Some(Recorded { head, stored: self.file.map(|file| (file, file.stored(index))) })
            }
            _ => None,
        })
    }

    of_kind! {
        /// What simulated ranks observed at every bound.
        predicted -> Predicted<'a>,
            Line::Predicted { bound, network, observation } => Predicted { bound: *bound, network, observation };
        /// Simulated references.
        truths -> Truth<'a>,
            Line::Truth { case, occasion, bound, spans } =>
                Truth { case, occasion: *occasion, bound: *bound, spans };
        /// Calibrated machines.
        machines -> &'a Machine, Line::Machine(machine) => &**machine;
        /// Checks of clocks by waits of known duration.
        clock_checks -> &'a ClockCheck, Line::ClockCheck(check) => check;
        /// Report cards of clocks, each with the world and the number of its ranks.
        report_cards -> ((World, u32), &'a ReportCard), Line::ReportCard { world, ranks, card } => ((*world, *ranks), &**card);
        /// Looks at the memory of ranks.
        memory -> &'a LaunchMemory, Line::Memory(look) => look;
        /// Rounds of bias budgets.
        rounds -> &'a Round, Line::Round(round) => &**round;
        /// Predicted bias budgets.
        budgets -> &'a PredictedBudget, Line::Budget(budget) => &**budget;
        /// Launches of unmodified benchmarks.
        audited -> &'a AuditedLaunch, Line::Audited(launch) => &**launch;
        /// Answers to tests.
        tested -> &'a Tested, Line::Tested(tested) => &**tested;
        /// Rows of benchmarks' texts, each with the benchmark's name and version.
        printed -> (&'a str, Option<&'a str>, &'a Row),
            Line::Printed { benchmark, version, row } => (benchmark.as_str(), version.as_deref(), &**row);
        /// What could not be run, and why.
        left_out -> (&'a str, &'a str), Line::LeftOut { what, why } => (what.as_str(), why.as_str());
    }
}

/// An observation whose stamps may lie in the campaign's file.
#[derive(Clone, Copy, Debug)]
pub struct Recorded<'a> {
    head: &'a Observation,
    stored: Option<(&'a LinesFile, Stored)>,
}

impl<'a> Recorded<'a> {
    /// The observation, without its stamps where those are in the file.
    pub fn head(&self) -> &'a Observation {
        self.head
    }

    /// The number of stamps of the rank that has most.
    pub fn stamps(&self) -> usize {
        self.stored.map_or_else(|| most_stamps(self.head), |(_, stored)| stored.stamps as usize)
    }

    /// The whole observation.
    ///
    /// # Errors
    /// The file cannot be read, or was changed after it was opened.
    pub fn read(&self) -> Result<Cow<'a, Observation>, StoreError> {
        self.stored.map_or(Ok(Cow::Borrowed(self.head)), |(file, stored)| file.read(stored).map(Cow::Owned))
    }
}

pub(super) fn most_stamps(observation: &Observation) -> usize {
    observation.ranks.iter().map(|record| record.stamps.len()).max().unwrap_or(0)
}
