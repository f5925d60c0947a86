//! Reasons why samples give no machine.

/// Reason why samples give no machine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// The confidence level is outside of 0 to 1.
    #[error("the confidence of the intervals is {0}: it must lie between 0 and 1, like 0.99")]
    Confidence(f64),
    /// A kind of exchange has no samples.
    #[error("no round trips of {messages} messages of {bytes} B: calibrate with at least one sample of each kind")]
    NoSamples {
        /// Number of messages per round trip.
        messages: u32,
        /// Length of the messages, in bytes.
        bytes: u64,
    },
    /// A length has no samples of late receives or late sends.
    #[error("no late receives or late sends of {bytes} B: calibrate with at least one sample of each kind")]
    NoLateSamples {
        /// Length of the messages, in bytes.
        bytes: u64,
    },
    /// α and β cannot be separated, because ping-pongs have fewer than two lengths.
    #[error("ping-pongs of fewer than two message lengths: calibrate with two or more, say 1 B and 64 KiB")]
    OneLength,
    /// The median round trip took no time, because the clock is too coarse.
    #[error("the median round trip of {bytes} B took no time: the clock is too coarse, calibrate with a finer one")]
    NoTime {
        /// Length of the messages, in bytes.
        bytes: u64,
    },
    /// A train has no ping-pong of its length to be compared with.
    #[error(
        "a train of {messages} messages of {bytes} B has no ping-pong of that length to be compared with: calibrate both with the same lengths"
    )]
    NoPingPong {
        /// Number of messages in the train.
        messages: u32,
        /// Length of the messages, in bytes.
        bytes: u64,
    },
}
