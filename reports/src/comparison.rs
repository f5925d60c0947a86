//! What the comparison of predictions with measurements says, as data: everything the summary and
//! the page print is in here.

use crate::measured::Measured;
use crate::shm::SideBySide;
use models::collective::Collective;
use models::machine::{Estimate, Machine};
use models::method::Method;
use models::names::counted;
use models::observation::{Carrier, Case, CaseSubject, Implementation, Observation, Occasion, World};
use scenario::expect::Judgement;
use serde::{Deserialize, Serialize};

/// Stands where there is no ratio: nothing to divide by. Its numbers are NaN, never 0.
pub const NO_RATIO: Estimate = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };

/// What predicts broadcasts through queues in shared memory.
pub(crate) const PREDICTED_BY_TUNING: &str =
    "`parallax shm tune --machine FILE` measures what copies and waits cost, by which `parallax validate` predicts it";

models::named! {
    /// How a predicted and a measured number relate.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Verdict {
        /// Their intervals overlap.
        Agrees => "agrees",
        /// The intervals are apart, the values at most 5 % of the measured one.
        Close => "close",
        /// Further apart.
        Differs => "differs",
        /// The rank takes no time by prediction, so that no difference is relative to it.
        Idle => "idle",
        /// Ranks are simulated alone: there is nothing measured.
        Unmeasured => "unmeasured",
        /// No network model says what passes through shared memory: there is nothing predicted.
        Unpredicted => "unpredicted",
    }
    /// The name used in files.
    fn name;
}

/// One rank under one method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankRow {
    /// The rank.
    pub rank: u32,
    /// Time per call that the method would report for this rank, simulated, in µs; [`NO_RATIO`] where nothing is predicted.
    pub predicted_us: Estimate,
    /// Time per call that the method did report, in µs: median over blocks or valid windows.
    pub measured_us: Estimate,
    /// Predicted time over the simulated reference; [`NO_RATIO`] where that is zero or unknown.
    pub predicted_ratio: Estimate,
    /// Measured time over the window method's time; [`NO_RATIO`] where that was not measured.
    pub measured_ratio: Estimate,
    /// r_i in closed form, where there is one (loop of linear broadcasts from rank 0).
    pub closed_form_ratio: Option<f64>,
    /// Whether the times agree.
    pub verdict: Verdict,
}

impl RankRow {
    /// (measured − predicted) / measured time; not a number of a rank that takes no time by prediction.
    pub fn relative_difference(&self) -> f64 {
        if self.verdict == Verdict::Idle {
            return f64::NAN;
        }
        (self.measured_us.value - self.predicted_us.value) / self.measured_us.value
    }

    /// The measured ratio, or the simulated one where ranks are simulated alone.
    pub fn told_ratio(&self) -> f64 {
        if self.verdict == Verdict::Unmeasured { self.predicted_ratio.value } else { self.measured_ratio.value }
    }

    /// The measured time in µs, or the simulated one where ranks are simulated alone.
    pub fn told_us(&self) -> f64 {
        if self.verdict == Verdict::Unmeasured { self.predicted_us.value } else { self.measured_us.value }
    }

    /// How far the told ratio is from 1, either way, as a logarithm; 0 where there is none.
    pub fn shift(&self) -> f64 {
        let ratio = self.told_ratio();
        if ratio > 0.0 && ratio.is_finite() { ratio.ln().abs() } else { 0.0 }
    }
}

/// One method on one subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MethodComparison {
    /// The method.
    pub method: Method,
    /// Its ranks, in order.
    pub rows: Vec<RankRow>,
    /// How many timed blocks or valid starts (synchronised clocks) stand behind each measured number.
    pub samples: usize,
    /// Starts in all with synchronised clocks; equals `samples` for other methods.
    pub starts: usize,
}

impl MethodComparison {
    /// The rank with the longest told time, whose time is that of the collective; the first of equals.
    pub fn slowest(&self) -> Option<&RankRow> {
        self.rows.iter().rev().max_by(|a, b| a.told_us().total_cmp(&b.told_us()))
    }

    /// The rank whose told ratio is furthest from 1, the first of equals; `None` where no rank has
    /// such a ratio, as under the window method, which the others are held against.
    pub fn most_misreported(&self) -> Option<&RankRow> {
        let shifted = self.rows.iter().filter(|row| row.shift() > 0.0).rev();
        shifted.max_by(|a, b| a.shift().total_cmp(&b.shift()))
    }
}

/// One subject (world, carrier, ranks, collective, implementation, bytes) under all methods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubjectComparison {
    /// What its methods have in common: the case of the windows.
    pub case: Case,
    /// When they were met.
    #[serde(default, skip_serializing_if = "Occasion::is_first")]
    pub occasion: Occasion,
    /// Where the model is known to fall short on this machine, from its calibration; empty where it fits.
    pub reasons: Vec<String>,
    /// The model with its parameters that predicted.
    pub predicted_by: String,
    /// Library and version, or threads, that measured.
    pub measured_by: String,
    /// True where more ranks than cores shared the machine.
    pub oversubscribed: bool,
    /// True time per rank of one call with all ranks entering together, simulated, in µs.
    pub reference_us: Vec<Estimate>,
    /// Largest error bound of any rank's clock, before and after, in µs; after: of the clock as it was
    /// set before, so what it drifted is in it.
    pub clock_bound_us: (f64, f64),
    /// Start skew of the valid windows (last start − first start), median and 99 % quantile, in µs;
    /// NaN where there were none.
    pub start_skew_us: (f64, f64),
    /// Last window length in µs; NaN-free: 0 where no window was run.
    pub window_us: f64,
    /// The methods, in the scenario's order.
    pub methods: Vec<MethodComparison>,
    /// The simulated timeline (`loop-trace`), if it was run.
    pub predicted_trace: Option<Observation>,
    /// The measured timeline (`loop-trace`), if it was run.
    pub measured_trace: Option<Observation>,
}

impl ClockCheckRow {
    /// `threads emulated, 8 ranks`; of simulated ranks with their machine.
    pub fn title(&self) -> String {
        let place = match self.world {
            World::Simulated => "simulated".to_owned(),
            World::Threads | World::Mpi(_) => format!("{} {}", self.world.title(), self.carrier.name()),
        };
        let variant = self.variant.strip_prefix("machine ").unwrap_or(&self.variant);
        let variant = if variant.is_empty() { String::new() } else { format!(" {variant}") };
        format!("{place}{variant}, {} ranks", self.ranks)
    }
}

/// Windows around waits of known duration on one group of ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockCheckRow {
    /// Where.
    pub world: World,
    /// Over what.
    pub carrier: Carrier,
    /// Number of ranks.
    pub ranks: u32,
    /// Under what conditions (which clock, which simulated machine) and in which launch, in words; empty for what is usual.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
    /// True where more ranks than cores shared the machine: waiting slept.
    pub oversubscribed: bool,
    /// WaitPatternNull as the windows timed it, in µs; truly 0.
    pub null_us: Estimate,
    /// WaitPatternUp as the windows timed it, in µs; truly as many as there are ranks.
    pub up_us: Estimate,
    /// WaitPatternDown as the windows timed it, in µs; truly as many as there are ranks. NaN where it was not tried.
    pub down_us: Estimate,
    /// Start skew of the null windows (last start − first start), median and 99 % quantile, in µs.
    pub start_skew_us: (f64, f64),
    /// Largest clock error bound of any rank, before and after, in µs.
    pub clock_bound_us: (f64, f64),
}

/// A whole campaign, compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The scenario's question.
    pub question: String,
    /// The scenario's name.
    pub name: String,
    /// What the scenario expects, in words; empty where it says nothing.
    #[serde(default)]
    pub expectation: String,
    /// What was found when the scenario was written down, in words; empty where it says nothing.
    #[serde(default)]
    pub found: String,
    /// Every expectation that can be checked, in every world, held against what came out.
    #[serde(default)]
    pub judgements: Vec<Judgement>,
    /// The answer in one plain sentence, with numbers.
    pub answer: String,
    /// Further sentences: other methods, the range over all cases, the native cases with reasons.
    pub details: Vec<String>,
    /// Seed of every draw.
    pub seed: u64,
    /// Label and value of each recorded fact of the environment.
    pub environment: Vec<(String, String)>,
    /// Commands that reproduce the campaign.
    pub reproduce: Vec<String>,
    /// Machines that were calibrated for it.
    pub machines: Vec<Machine>,
    /// What waits of known duration showed of the clocks, one entry for each group of ranks.
    pub clock_checks: Vec<ClockCheckRow>,
    /// What was compared.
    pub subjects: Vec<SubjectComparison>,
    /// What was asked but could not be run, and why.
    pub left_out: Vec<String>,
    /// The measurements of a campaign of which some pass through queues in shared memory, side by side; none without any.
    #[serde(skip)]
    pub queues: Option<Measured>,
}

impl Report {
    /// Broadcasts through queues in shared memory beside the others, if there are any.
    pub(crate) fn side_by_side(&self) -> Option<SideBySide<'_>> {
        SideBySide::of(self.queues.as_ref()?, None)
    }
}

impl SubjectComparison {
    /// A short title: `linear bcast, 8 ranks, threads (emulated network)`, with the root where that is not rank 0.
    pub fn title(&self) -> String {
        self.titled(&self.case.and_root())
    }

    /// The same for tables that say the root elsewhere.
    pub fn title_without_root(&self) -> String {
        self.titled("")
    }

    fn titled(&self, root: &str) -> String {
        let CaseSubject { implementation, collective, .. } = &self.case.subject;
        let ranks = self.case.place.ranks;
        let variant = self.case.and_variant();
        let title = format!(
            "{} {collective}{root}{variant}, {}, {}",
            implementation.name(),
            counted(ranks, "rank"),
            self.place()
        );
        self.occasion.beside(title)
    }

    /// `threads (emulated network)`.
    pub fn place(&self) -> String {
        match self.case.place.world {
            World::Simulated => self.case.place.world.title().to_owned(),
            World::Threads | World::Mpi(_) => {
                format!("{} ({} network)", self.case.place.world.title(), self.case.place.carrier.name())
            }
        }
    }

    /// Whether this is the broadcast that a loop misreports most.
    pub fn is_linear_bcast(&self) -> bool {
        self.case.subject.collective == Collective::Bcast
            && self.case.subject.implementation == Implementation::Own("linear".to_owned())
    }

    /// True where windows alone were measured of what passes through shared memory: its only number stands beside the
    /// others', in a table of their own.
    pub(crate) fn is_told_beside(&self) -> bool {
        let is_window = |method: &MethodComparison| method.method == Method::Window;
        self.case.subject.implementation.queued().is_some() && self.methods.iter().all(is_window)
    }

    /// Why nothing is predicted, where that is so.
    pub fn unpredicted(&self) -> Option<String> {
        let queued = self.case.subject.implementation.queued()?;
        Some(format!("measured only: {}; {PREDICTED_BY_TUNING}", queued.no_messages()))
    }

    /// One method's comparison.
    pub fn by(&self, method: Method) -> Option<&MethodComparison> {
        self.methods.iter().find(|comparison| comparison.method == method)
    }
}
