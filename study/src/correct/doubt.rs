//! Reasons why a number is not corrected, and doubts about a correction.

use crate::over::RIGHT;
use programs::observation::World;
use std::fmt;

/// Reason why a number is not corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The operation is no known call; with the reason.
    UnknownOperation(String),
    /// The benchmark was run in an unknown way; with a description.
    UnknownMethod(String),
    /// Neither the text nor a flag states the number of ranks.
    UnknownRanks,
    /// The row has no such column, or none whose making is known.
    NoColumn,
    /// The row states no size.
    NoSize,
    /// The tool printed that it has no number.
    NoNumber,
    /// A call of no bytes, which a library may leave at once.
    NoBytes,
    /// The number is 0.
    Zero,
    /// The number is less than 0.
    Negative,
    /// The algorithm of the call is not known; with the reason and the remedy.
    NoAlgorithm(String),
    /// Messages were longer than any of the calibration's, both in bytes.
    BeyondCalibration {
        /// Length of the call's longest message, in bytes.
        bytes: u64,
        /// Length of the longest calibrated message, in bytes.
        longest: u64,
    },
    /// The number is so far from the one expected on that machine that it must be of another machine, call or
    /// algorithm.
    OutOfReach {
        /// The least and the largest that would be printed, in ns: whole, so that refusals compare.
        expected_ns: (u64, u64),
    },
    /// The interval of the bias reaches the size of the printed number.
    BiasUnknown {
        /// Ends of the interval, in ns: whole, so that refusals compare.
        bias_ns: (i64, i64),
        /// The printed number, in ns.
        printed_ns: i64,
    },
    /// Simulated ranks could not run the call; with the reason.
    NotSimulated(String),
    /// The text names another library than the one with which the machine was calibrated.
    OtherLibrary {
        /// World that the text names.
        printed: World,
        /// World of the calibration.
        calibrated: World,
    },
    /// The machine has states in which the benchmark is wrong by different factors; with these factors.
    StatesDiffer(String),
    /// The budget's launches are too few for an interval.
    TooFewLaunches {
        /// Number of launches in the budget.
        launches: usize,
        /// State of the machine in which they ran, in words, where it is known.
        state: Option<String>,
    },
    /// The budget's launches fall into two groups, in which the benchmark is wrong by different factors; with these
    /// factors.
    TwoGroups(String),
}

/// Reason to doubt a correction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// No systematic error is expected to add anything.
    NoneExpected,
    /// The interval of the bias contains 0, and is wider than that of [`Doubt::AsPrinted`].
    NoBias,
    /// The interval of the bias contains 0, and the interval of the call's time lies close to the printed number.
    AsPrinted,
    /// The printed number is far from the expected one; with the printed over the expected number.
    Misfit(f64),
    /// The median of the text's numbers is far from the one expected in any calibrated state of the machine.
    OtherState,
    /// One end of the interval is more than twice the other.
    WideInterval,
    /// Ranks of a library's own transport printed the number, and the calibration rehearsed no such call of this
    /// length.
    NotRehearsed,
    /// The library changes its protocol between these two lengths, and the call's messages lie between them.
    Protocol {
        /// Length of the longest message, in bytes, that is sent by the first protocol.
        last: u64,
        /// Length of the shortest message, in bytes, that is sent by the second protocol.
        next: u64,
    },
    /// There were more ranks than cores.
    Oversubscribed,
    /// One rank's core was much slower than another's while the budget was measured.
    UnequalCores,
    /// The model misses the time of one message at the calibrated length nearest to the call's longest message.
    PoorFit {
        /// The calibrated length, in bytes.
        bytes: u64,
        /// Predicted over measured time.
        ratio: f64,
    },
}

impl Refusal {
    /// Reason why the number is not corrected, in words for readers.
    pub fn why(&self) -> String {
        match self {
            Refusal::UnknownOperation(why)
            | Refusal::UnknownMethod(why)
            | Refusal::NoAlgorithm(why)
            | Refusal::NotSimulated(why) => why.clone(),
            Refusal::OtherLibrary { printed, calibrated } => {
                let (printed, calibrated) = (printed.title(), calibrated.title());
                format!(
                    "{printed} printed it, and the machine was calibrated with {calibrated}; give one calibrated with {printed}"
                )
            }
            Refusal::UnknownRanks => "the output does not state the number of ranks; give --ranks".to_owned(),
            Refusal::NoColumn => "no column with a known definition".to_owned(),
            Refusal::NoSize => "the row states no size".to_owned(),
            Refusal::NoNumber => "the tool has no number there".to_owned(),
            Refusal::NoBytes => "calls of 0 B may do nothing, so they have no reference".to_owned(),
            Refusal::Zero => "printed as 0, which is below the resolution of the tool".to_owned(),
            Refusal::Negative => {
                "the number is negative, which no call takes: something else was subtracted".to_owned()
            }
            Refusal::BeyondCalibration { bytes, longest } => format!(
                "messages of {bytes} B, and the longest that was calibrated has {longest} B; calibrate longer ones"
            ),
            Refusal::OutOfReach { expected_ns: (low, high) } => format!(
                "the benchmark would print {} to {} µs on that machine; the number may be from another machine, \
                 call or algorithm, or of ranks that something else disturbed",
                *low as f64 / 1e3,
                *high as f64 / 1e3
            ),
            Refusal::BiasUnknown { bias_ns: (low, high), printed_ns } => format!(
                "the bias lies between {} and {} µs, which reaches the size of the printed number, {} µs",
                *low as f64 / 1e3,
                *high as f64 / 1e3,
                *printed_ns as f64 / 1e3
            ),
            Refusal::TooFewLaunches { launches, state } => {
                let state = state.as_ref().map(|state| format!(" while {state}")).unwrap_or_default();
                let launches = if *launches == 1 { "1 launch".to_owned() } else { format!("{launches} launches") };
                format!("the budget has {launches}{state}, and an interval needs four; measure more (--launches)")
            }
            Refusal::TwoGroups(groups) => {
                format!(
                    "the budget's launches fall into two groups ({groups}), and the group of the benchmark's \
                     output is unknown"
                )
            }
            Refusal::StatesDiffer(states) => format!(
                "the correction depends on the machine's state ({states}), which the benchmark's output does not \
                 state (--state sets it); `parallax audit` pairs the benchmark with its reference in one launch"
            ),
        }
    }

    /// The reason without a row's own numbers, for a legend that many rows share.
    pub(super) fn in_general(&self) -> String {
        match self {
            Refusal::BeyondCalibration { longest, .. } => format!(
                "not corrected: messages longer than the longest that was calibrated, {longest} B; calibrate longer ones"
            ),
            Refusal::OutOfReach { .. } => {
                "not corrected: less than half, or more than twice, of the number that is expected on that machine; it \
                may be from another machine, call or algorithm, or of ranks that something else disturbed"
                    .to_owned()
            }
            Refusal::BiasUnknown { .. } => {
                "not corrected: the interval of the bias reaches the size of the printed number itself".to_owned()
            }
            Refusal::UnknownOperation(_)
            | Refusal::UnknownMethod(_)
            | Refusal::UnknownRanks
            | Refusal::NoColumn
            | Refusal::NoSize
            | Refusal::NoNumber
            | Refusal::NoBytes
            | Refusal::Zero
            | Refusal::Negative
            | Refusal::NoAlgorithm(_)
            | Refusal::NotSimulated(_)
            | Refusal::OtherLibrary { .. }
            | Refusal::StatesDiffer(_)
            | Refusal::TooFewLaunches { .. }
            | Refusal::TwoGroups(_) => self.to_string(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not corrected: {}", self.why())
    }
}

impl Doubt {
    /// Whether the doubt puts the corrected number in question. Where no error adds anything the number is right as it
    /// is.
    pub fn is_in_question(&self) -> bool {
        match self {
            Doubt::NoneExpected | Doubt::AsPrinted => false,
            Doubt::NoBias
            | Doubt::Misfit(_)
            | Doubt::OtherState
            | Doubt::NotRehearsed
            | Doubt::WideInterval
            | Doubt::Protocol { .. }
            | Doubt::Oversubscribed
            | Doubt::UnequalCores
            | Doubt::PoorFit { .. } => true,
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::NoneExpected => f.write_str("no systematic error is expected"),
            Doubt::NoBias => f.write_str("the bias cannot be distinguished from 0: the printed number may be right"),
            Doubt::AsPrinted => {
                write!(f, "right as printed within {:.0} %: the interval lies within that of the number", RIGHT * 100.0)
            }
            // The scale is not stated, so that rows share a note.
            Doubt::Misfit(scale) if *scale > 1.0 => {
                f.write_str("the printed number is at least a quarter above the expected number")
            }
            Doubt::Misfit(_) => f.write_str("the printed number is at least a fifth below the expected number"),
            Doubt::OtherState => f.write_str(
                "in the median the text's numbers differ from the expected ones in this state of the machine by a \
                 factor of 1.3 or more: the text was printed in another state, or on another machine",
            ),
            Doubt::WideInterval => f.write_str("one end of the interval is more than twice the other"),
            Doubt::NotRehearsed => f.write_str(
                "the error of the prediction is not known: the calibration rehearsed no such call of this length",
            ),
            Doubt::Protocol { last, next } => {
                write!(f, "between {last} and {next} B the library changes its protocol; it is not known where")
            }
            Doubt::Oversubscribed => f.write_str("more ranks than cores: waiting ranks sleep and start late"),
            Doubt::UnequalCores => f.write_str(
                "while the budget was measured one rank's core was much slower than another's, which changes what a benchmark prints",
            ),
            Doubt::PoorFit { bytes, ratio } => {
                write!(f, "the model predicts {ratio:.2} times the time of a message of {bytes} B in the calibration")
            }
        }
    }
}
