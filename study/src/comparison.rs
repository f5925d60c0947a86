//! The result of comparing predictions with measurements, as data: it contains everything that the summary and the page
//! print.

use crate::measured::Measured;
use crate::shm;
use models::collective::Collective;
use models::names::counted;
use programs::machine::{Estimate, Machine};
use programs::method::Method;
use programs::observation::{Carrier, Case, CaseSubject, Implementation, Observation, Occasion, World};
use render::page::Section;
use scenario::expect::Judgement;

/// Value in place of a ratio without a denominator. Its numbers are NaN, never 0.
pub const NO_RATIO: Estimate = Estimate::UNKNOWN;

/// Sentence on the commands that predict broadcasts through queues in shared memory.
pub const PREDICTED_BY_TUNING: &str =
    "`parallax shm tune --machine FILE` measures what copies and waits cost, by which `parallax validate` predicts it";

models::named! {
    /// Relation of a predicted and a measured number.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Verdict {
        /// Their intervals overlap each other.
        Agrees => "agrees",
        /// The intervals are apart, and the values differ by at most 5 % of the measured one.
        Close => "close",
        /// The values are further apart than `Close`.
        Differs => "differs",
        /// The rank takes no time by prediction, so that no difference is relative to it.
        Idle => "idle",
        /// Ranks are only simulated: there is no measured number.
        Unmeasured => "unmeasured",
        /// No network model describes broadcasts through shared memory: there is no predicted number.
        Unpredicted => "unpredicted",
    }
    /// The name used in files.
    fn name;
}

/// Result of one rank with one method.
#[derive(Clone, Debug, PartialEq)]
pub struct RankRow {
    /// Number of the rank.
    pub rank: u32,
    /// Time per call that the method would report for this rank, simulated, in µs; [`NO_RATIO`] where nothing is
    /// predicted.
    pub predicted_us: Estimate,
    /// Time per call that the method did report, in µs: median over blocks or valid windows.
    pub measured_us: Estimate,
    /// Predicted time over the simulated reference; [`NO_RATIO`] where that is zero or unknown.
    pub predicted_ratio: Estimate,
    /// Measured time over the window method's time; [`NO_RATIO`] where that was not measured.
    pub measured_ratio: Estimate,
    /// r_i in closed form, where there is one (loop of linear broadcasts from rank 0).
    pub closed_form_ratio: Option<f64>,
    /// Verdict on the predicted and the measured time.
    pub verdict: Verdict,
}

impl RankRow {
    /// Returns (measured − predicted) / measured time; NaN for a rank that takes no time by prediction.
    pub fn relative_difference(&self) -> f64 {
        if self.verdict == Verdict::Idle {
            return f64::NAN;
        }
        (self.measured_us.value - self.predicted_us.value) / self.measured_us.value
    }

    /// Returns the measured ratio, or the simulated one where ranks are only simulated.
    pub fn told_ratio(&self) -> f64 {
        if self.verdict == Verdict::Unmeasured { self.predicted_ratio.value } else { self.measured_ratio.value }
    }

    /// Returns the measured time in µs, or the simulated one where ranks are only simulated.
    pub fn told_us(&self) -> f64 {
        if self.verdict == Verdict::Unmeasured { self.predicted_us.value } else { self.measured_us.value }
    }

    /// Returns the distance of the shown ratio from 1, in either direction, as a logarithm; 0 where there is no ratio.
    pub fn shift(&self) -> f64 {
        let ratio = self.told_ratio();
        if ratio > 0.0 && ratio.is_finite() { ratio.ln().abs() } else { 0.0 }
    }
}

/// One method on one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodComparison {
    /// Method that reports the numbers.
    pub method: Method,
    /// Rows of its ranks, in order.
    pub rows: Vec<RankRow>,
    /// Number of timed blocks or valid starts (synchronised clocks) behind each measured number.
    pub samples: usize,
    /// Number of all starts with synchronised clocks; equals `samples` for other methods.
    pub starts: usize,
}

impl MethodComparison {
    /// Returns the rank with the longest shown time, whose time is that of the collective; the first of equals.
    pub fn slowest(&self) -> Option<&RankRow> {
        self.rows.iter().rev().max_by(|a, b| a.told_us().total_cmp(&b.told_us()))
    }

    /// Returns the rank whose shown ratio is furthest from 1, the first of equals. `None` where no rank has such a
    /// ratio, as under the window method, which is the reference of the others.
    pub fn most_misreported(&self) -> Option<&RankRow> {
        let shifted = self.rows.iter().filter(|row| row.shift() > 0.0).rev();
        shifted.max_by(|a, b| a.shift().total_cmp(&b.shift()))
    }
}

/// One subject (world, carrier, ranks, collective, implementation, bytes) under all methods.
#[derive(Clone, Debug, PartialEq)]
pub struct SubjectComparison {
    /// Case of the windows, which holds the properties that the subject's methods have in common.
    pub case: Case,
    /// Occasion on which its methods ran.
    pub occasion: Occasion,
    /// Known shortcomings of the model on this machine, from its calibration; empty where it fits.
    pub reasons: Vec<String>,
    /// Model with its parameters that predicted.
    pub predicted_by: String,
    /// Library and version, or threads, that measured.
    pub measured_by: String,
    /// Whether more ranks than cores shared the machine.
    pub oversubscribed: bool,
    /// True time per rank of one call with all ranks entering together, simulated, in µs.
    pub reference_us: Vec<Estimate>,
    /// Largest error bound of any rank's clock, before and after, in µs. The bound after is of the clock as it was set
    /// before, so it includes the drift.
    pub clock_bound_us: (f64, f64),
    /// Start skew of the valid windows (last start − first start), median and 99 % quantile, in µs; NaN where there
    /// were none.
    pub start_skew_us: (f64, f64),
    /// Last window length in µs; 0, not NaN, where no window was run.
    pub window_us: f64,
    /// Methods in the scenario's order.
    pub methods: Vec<MethodComparison>,
    /// Simulated timeline (`loop-trace`), if it was run.
    pub predicted_trace: Option<Observation>,
    /// Measured timeline (`loop-trace`), if it was run.
    pub measured_trace: Option<Observation>,
}

impl ClockCheckRow {
    /// Returns a title: `threads emulated, 8 ranks`; of simulated ranks with their machine.
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
#[derive(Clone, Debug, PartialEq)]
pub struct ClockCheckRow {
    /// World in which the ranks ran.
    pub world: World,
    /// Carrier of their messages.
    pub carrier: Carrier,
    /// Number of ranks that waited.
    pub ranks: u32,
    /// Conditions (clock, simulated machine) and launch, in words; empty for the usual ones.
    pub variant: String,
    /// Whether more ranks than cores shared the machine, so that waiting ranks slept.
    pub oversubscribed: bool,
    /// WaitPatternNull as the windows timed it, in µs; truly 0.
    pub null_us: Estimate,
    /// WaitPatternUp as the windows timed it, in µs; its true number of µs is the number of ranks.
    pub up_us: Estimate,
    /// WaitPatternDown as the windows timed it, in µs; its true number of µs is the number of ranks. NaN where it was
    /// not tried.
    pub down_us: Estimate,
    /// Start skew of the null windows (last start − first start), median and 99 % quantile, in µs.
    pub start_skew_us: (f64, f64),
    /// Largest clock error bound of any rank, before and after, in µs.
    pub clock_bound_us: (f64, f64),
}

/// Comparison of a whole campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Question that the scenario asks.
    pub question: String,
    /// Name of the scenario.
    pub name: String,
    /// Expectation of the scenario, in words; empty where it states none.
    pub expectation: String,
    /// Result when the scenario was written, in words; empty where it states none.
    pub found: String,
    /// Judgements of every expectation that can be checked, in every world.
    pub judgements: Vec<Judgement>,
    /// Answer in one plain sentence, with numbers.
    pub answer: String,
    /// Further sentences: other methods, the range over all cases, the native cases with reasons.
    pub details: Vec<String>,
    /// Seed of every random draw.
    pub seed: u64,
    /// Label and value of each recorded fact of the environment.
    pub environment: Vec<(String, String)>,
    /// Commands that reproduce the campaign.
    pub reproduce: Vec<String>,
    /// Machines that were calibrated for the campaign.
    pub machines: Vec<Machine>,
    /// Waits of known duration as a check of the clocks, one entry for each group of ranks.
    pub clock_checks: Vec<ClockCheckRow>,
    /// Compared subjects, one for each case without its method.
    pub subjects: Vec<SubjectComparison>,
    /// Requested cases that could not be run, with the reasons.
    pub left_out: Vec<String>,
    /// Measurements of a campaign of which some pass through queues in shared memory, side by side; `None` without any.
    pub queues: Option<Measured>,
}

impl Report {
    /// Returns the broadcasts through queues in shared memory beside the others as a section, if there are any.
    pub fn queues_section(&self) -> Option<Section> {
        shm::section(self.queues.as_ref()?)
    }
}

impl SubjectComparison {
    /// Returns a short title: `linear bcast, 8 ranks, threads (emulated network)`, with the root where that is not rank
    /// 0.
    pub fn title(&self) -> String {
        self.titled(&self.case.and_root())
    }

    /// Returns the title without the root, for tables that state the root elsewhere.
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

    /// Returns the world and its network: `threads (emulated network)`.
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

    /// Whether only windows were measured of a broadcast through shared memory: its single number stands beside the
    /// others', in a table of their own.
    pub fn is_told_beside(&self) -> bool {
        let is_window = |method: &MethodComparison| method.method == Method::Window;
        self.case.subject.implementation.queued().is_some() && self.methods.iter().all(is_window)
    }

    /// Returns the reason why nothing is predicted; `None` where there is a prediction.
    pub fn unpredicted(&self) -> Option<String> {
        let queued = self.case.subject.implementation.queued()?;
        Some(format!("measured only: {}; {PREDICTED_BY_TUNING}", queued.no_messages()))
    }

    /// Returns the comparison of one method.
    pub fn by(&self, method: Method) -> Option<&MethodComparison> {
        self.methods.iter().find(|comparison| comparison.method == method)
    }
}
