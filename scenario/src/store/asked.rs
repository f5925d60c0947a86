//! Queries of a campaign's lines, one for each kind of line. Analyses read lines by these alone.

use super::{LaunchMemory, head::Head};
use super::{Line, LinesFile, PredictedBudget, StoreError, Tested, facts};
use models::clock::ReportCard;
use models::network::Network;
use models::time::Span;
use programs::audit::AuditedLaunch;
use programs::budget::Round;
use programs::machine::{Bound, Machine};
use programs::observation::{
    Case, ClockCheck, Observation, Occasion, RankSurroundings, Surrounded, World, are_on_one_clock,
};
use std::borrow::Cow;

/// Lines of a campaign. Observations by real ranks of a campaign opened by [`LinesFile::open`] lie in its file:
/// [`CampaignLines::recorded`] alone has them.
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
        let in_file = self.heads().map(|head| head.occasion.launch);
        self.iter().filter_map(Line::launch).chain(in_file).map(|launch| launch + 1).max().unwrap_or(0)
    }

    fn heads(self) -> impl Iterator<Item = &'a Head> {
        let heads = self.file.map_or(&[][..], LinesFile::heads);
        heads.iter().filter(move |head| head.occasion.launch < self.launches)
    }

    /// Returns observations, without those by real ranks that lie in the campaign's file.
    pub fn observations(self, observed: Observed) -> impl Iterator<Item = &'a Observation> + Clone {
        self.iter().filter_map(move |line| observed.select(line))
    }

    /// Returns the observations by real ranks, to be read one by one.
    pub fn recorded(self) -> impl Iterator<Item = Recorded<'a>> {
        let in_file = self.file.into_iter().flat_map(move |file| self.heads().map(|head| Recorded::Stored(file, head)));
        self.observations(Observed::Measured).map(Recorded::Whole).chain(in_file)
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
        /// Returns the work that could not be run, each with the reason.
        left_out -> (&'a str, &'a str), Line::LeftOut { what, why } => (what.as_str(), why.as_str());
    }
}

/// Observation by real ranks that may lie in the campaign's file.
#[derive(Clone, Copy, Debug)]
pub enum Recorded<'a> {
    /// The observation is in memory.
    Whole(&'a Observation),
    /// The observation is in the file, its head in memory.
    Stored(&'a LinesFile, &'a Head),
}

impl<'a> Recorded<'a> {
    /// Returns the case, the occasion, the description of the ranks, and whether they are oversubscribed.
    fn facts(&self) -> (&'a Case, Occasion, &'a str, bool) {
        match self {
            Recorded::Whole(one) => (&one.case, one.occasion, &one.ran_by, one.oversubscribed),
            Recorded::Stored(_, head) => (&head.case, head.occasion, &head.ran_by, head.oversubscribed),
        }
    }

    /// Returns the case that was run.
    pub fn case(&self) -> &'a Case {
        self.facts().0
    }

    /// Returns the launch in which the case was run.
    pub fn occasion(&self) -> Occasion {
        self.facts().1
    }

    /// Returns the case and the occasion, by which observations of one kind differ.
    pub fn key(&self) -> (&'a Case, Occasion) {
        (self.case(), self.occasion())
    }

    /// Returns the description of the ranks: library and version, or model, send rule and parameters.
    pub fn ran_by(&self) -> &'a str {
        self.facts().2
    }

    /// Whether more ranks than cores shared the machine.
    pub fn is_oversubscribed(&self) -> bool {
        self.facts().3
    }

    /// Whether all ranks read one clock.
    pub fn is_on_one_clock(&self) -> bool {
        match self {
            Recorded::Whole(one) => are_on_one_clock(&one.ranks),
            Recorded::Stored(_, head) => head.one_clock,
        }
    }

    /// Returns the number of stamps of the rank with the most stamps.
    pub fn stamps(&self) -> usize {
        match self {
            Recorded::Whole(one) => most_stamps(one),
            Recorded::Stored(_, head) => head.stamps as usize,
        }
    }

    /// Returns the whole observation, with its stamps.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or was changed after it was opened.
    pub fn read(&self) -> Result<Cow<'a, Observation>, StoreError> {
        match self {
            Recorded::Whole(one) => Ok(Cow::Borrowed(*one)),
            Recorded::Stored(file, head) => file.read(head).map(Cow::Owned),
        }
    }
}

impl Surrounded for Recorded<'_> {
    fn case(&self) -> &Case {
        Recorded::case(self)
    }

    fn occasion(&self) -> Occasion {
        Recorded::occasion(self)
    }

    fn surroundings(&self) -> Vec<RankSurroundings<'_>> {
        match self {
            Recorded::Whole(one) => one.surroundings(),
            Recorded::Stored(_, head) => head.surroundings.unpack(),
        }
    }
}

pub(super) fn most_stamps(observation: &Observation) -> usize {
    observation.ranks.iter().map(|record| record.stamps.len()).max().unwrap_or(0)
}
