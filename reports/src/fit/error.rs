//! Why samples give no machine.

/// Why samples give no machine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// The confidence is not one.
    #[error("the confidence of the intervals is {0}: it must lie between 0 and 1, like 0.99")]
    Confidence(f64),
    /// A kind of exchange has no samples.
    #[error("no round trips of {messages} messages of {bytes} B: calibrate with at least one sample of each kind")]
    NoSamples {
        /// Messages per round trip.
        messages: u32,
        /// Message length.
        bytes: u64,
    },
    /// A length's late receives or late sends have no samples.
    #[error("no late receives or late sends of {bytes} B: calibrate with at least one sample of each kind")]
    NoLateSamples {
        /// Message length.
        bytes: u64,
    },
    /// α and β cannot be separated.
    #[error("ping-pongs of fewer than two message lengths: calibrate with two or more, say 1 B and 64 KiB")]
    OneLength,
    /// The clock did not move.
    #[error("the median round trip of {bytes} B took no time: the clock is too coarse, calibrate with a finer one")]
    NoTime {
        /// Message length.
        bytes: u64,
    },
    /// A train cannot be compared.
    #[error(
        "a train of {messages} messages of {bytes} B has no ping-pong of that length to be compared with: calibrate both with the same lengths"
    )]
    NoPingPong {
        /// Messages in the train.
        messages: u32,
        /// Message length.
        bytes: u64,
    },
}
