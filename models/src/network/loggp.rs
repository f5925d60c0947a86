//! LogGP (Alexandrov, Ionescu, Schauser, Scheiman 1995) and LogP (Culler et al. 1993): parameter sets of [`LogGops`]
//! with O = 0 and no rendezvous, LogP with G = 0 too. The rules are those of [`LogGops`].

use super::loggops::overhead;
use super::{Departure, LogGops, Matched, Message, NetworkModel, Port, Rendezvous};
use crate::noise::Advance;
use crate::time::{PerByte, Span, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Parameters of the LogGP model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogGp {
    /// L: flight time of the last byte.
    pub latency: Span,
    /// o of a send: CPU time.
    pub overhead_send: Span,
    /// o of a receive: CPU time.
    pub overhead_receive: Span,
    /// g: least time between two sends, or two receives, of one rank.
    pub gap: Span,
    /// G: time per byte of a long message.
    pub gap_per_byte: PerByte,
}

/// Parameters of the LogP model: every message costs the same as a short one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogP {
    /// L: flight time of a message.
    pub latency: Span,
    /// o of a send: CPU time.
    pub overhead_send: Span,
    /// o of a receive: CPU time.
    pub overhead_receive: Span,
    /// g: least time between two sends, or two receives, of one rank.
    pub gap: Span,
}

impl From<LogGp> for LogGops {
    #[inline]
    fn from(model: LogGp) -> LogGops {
        LogGops {
            latency: model.latency,
            overhead_send: model.overhead_send,
            overhead_receive: model.overhead_receive,
            gap: model.gap,
            gap_per_byte: model.gap_per_byte,
            overhead_per_byte: PerByte(0.0),
            eager_limit: u64::MAX,
            rendezvous: Rendezvous::Match,
        }
    }
}

impl From<LogP> for LogGops {
    #[inline]
    fn from(model: LogP) -> LogGops {
        let LogP { latency, overhead_send, overhead_receive, gap } = model;
        LogGp { latency, overhead_send, overhead_receive, gap, gap_per_byte: PerByte(0.0) }.into()
    }
}

impl From<&LogGp> for LogGops {
    fn from(model: &LogGp) -> LogGops {
        (*model).into()
    }
}

impl From<&LogP> for LogGops {
    fn from(model: &LogP) -> LogGops {
        (*model).into()
    }
}

impl From<&LogGops> for LogGops {
    fn from(model: &LogGops) -> LogGops {
        *model
    }
}

impl LogGp {
    /// B·G, the time from the first byte to the last.
    pub fn stretch(&self, bytes: u64) -> Span {
        LogGops::from(self).stretch(bytes)
    }

    /// Duration of one message between idle ranks: o + B·G + L + o.
    pub fn one_message(&self, bytes: u64) -> Span {
        LogGops::from(self).one_message(bytes)
    }
}

/// Implements a model by the rules of [`LogGops`]. The compiler removes what is constant in the model.
macro_rules! follows_loggops {
    ($($model:ty),*) => {$(
        impl NetworkModel for $model {
            #[inline]
            fn send(&self, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure {
                LogGops::from(*self).send(port, message, cpu)
            }

            #[inline]
            fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> Matched {
                LogGops::from(*self).matched(message, departure, posted)
            }

            #[inline]
            fn receive(&self, port: &mut Port, message: &Message, arrival: Time, cpu: &mut impl Advance) {
                LogGops::from(*self).receive(port, message, arrival, cpu);
            }
        }
    )*};
}

follows_loggops!(LogGp, LogP);

impl fmt::Display for LogGp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let overhead = overhead(self.overhead_send, self.overhead_receive);
        write!(f, "LogGP, L = {}, {overhead}, g = {}", self.latency, self.gap)?;
        write!(f, ", G = {:.4} ns/B", self.gap_per_byte.as_ns())
    }
}

impl fmt::Display for LogP {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let overhead = overhead(self.overhead_send, self.overhead_receive);
        write!(f, "LogP, L = {}, {overhead}, g = {}", self.latency, self.gap)
    }
}
