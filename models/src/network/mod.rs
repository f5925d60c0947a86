//! Network models: the costs of a message for its sender, its flight and its receiver.
//!
//! To add one: a file here with a struct that implements [`NetworkModel`], a variant of [`Network`], its parameters in
//! `settings.rs`.

mod assumed;
mod hockney;
mod loggops;
mod loggp;
mod named;
mod plogp;
mod settings;
mod table;
#[cfg(test)]
pub(crate) mod tests;

pub use assumed::assumed;
pub use hockney::{Hockney, SendRule};
pub use loggops::{LogGops, Rendezvous};
pub use loggp::{LogGp, LogP};
pub use named::{NAMED, Named};
pub use plogp::Plogp;
pub use settings::{Variable, parse};
pub(crate) use settings::{exact_rate, exact_span, pairs, read, read_table, table_text, table_words};

pub use table::{CostTable, TablePoint};

use crate::noise::{Advance, Quiet};
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::fmt;

/// State of one rank's CPU and network interface, as a model sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Port {
    /// Time at which the CPU is free.
    pub cpu: Time,
    /// Earliest begin of the next send, as far as the sending side is concerned.
    pub next_send: Time,
    /// Begin of the receiving side's last receive; `None` before the first one, which needs no gap.
    pub last_receive: Option<Time>,
}

/// Message between two ranks, as models see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Rank that sends the message.
    pub from: u32,
    /// Rank that receives the message.
    pub to: u32,
    /// Length of the message, in bytes.
    pub bytes: u64,
}

/// Times of a message that are known once its send has been issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Time at which the transfer could begin, were the receiver ready.
    pub ready: Time,
    /// Time at which a blocking send returns, where it does not depend on the receiver.
    pub released: Option<Time>,
    /// Time at which the message arrives, where it does not depend on the receiver.
    pub arrival: Option<Time>,
}

/// Times of a message that are known once its receive has been posted too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matched {
    /// Time at which a blocking send returns.
    pub released: Time,
    /// Time at which the message arrives.
    pub arrival: Time,
    /// Time at which the message's first byte left.
    pub begun: Time,
}

/// Network model as the engines call it. All times are exact integers. A rate is rounded once per message.
///
/// Every result is a non-decreasing function of every time that goes in: a rank that starts later, or is held up by
/// noise, never makes anything finish earlier.
pub trait NetworkModel {
    /// Issues a send at `port.cpu`. Leaves `port.cpu` where the CPU may issue the next operation.
    fn send(&self, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure;

    /// Times of a message whose receive was posted at `posted`.
    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> Matched;

    /// Completes a receive of a message that arrives at `arrival`: advances `port.cpu`.
    fn receive(&self, port: &mut Port, message: &Message, arrival: Time, cpu: &mut impl Advance);
}

/// Any network model, by its name in files.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "kebab-case")]
pub enum Network {
    /// T(m) = α + mβ with a named send rule.
    Hockney(Hockney),
    /// LogP with L, o and g.
    Logp(LogP),
    /// LogGP with L, o, g and G.
    Loggp(LogGp),
    /// LogGOPS with L, o, g, G, O and S.
    Loggops(LogGops),
    /// PLogP with L, o_s(m), o_r(m) and g(m).
    Plogp(Plogp),
}

impl Network {
    /// Name of the model in files and flags.
    pub fn name(&self) -> &'static str {
        match self {
            Network::Hockney(_) => "hockney",
            Network::Logp(_) => "logp",
            Network::Loggp(_) => "loggp",
            Network::Loggops(_) => "loggops",
            Network::Plogp(_) => "plogp",
        }
    }

    /// Duration of one message between idle ranks, the receiver waiting: from the begin of its send until it is
    /// received.
    pub fn one_message(&self, bytes: u64) -> Span {
        let message = Message { from: 0, to: 1, bytes };
        let (mut sender, mut receiver) = (Port::default(), Port::default());
        let departure = self.send(&mut sender, &message, &mut Quiet);
        let matched = self.matched(&message, &departure, receiver.cpu);
        self.receive(&mut receiver, &message, matched.arrival, &mut Quiet);
        receiver.cpu.since(Time::ZERO)
    }

    /// Parameters of LogGOPS with which the members of the LogP family behave the same; `None` for other models.
    pub fn loggops(&self) -> Option<LogGops> {
        match self {
            Network::Hockney(_) | Network::Plogp(_) => None,
            Network::Logp(model) => Some(model.into()),
            Network::Loggp(model) => Some(model.into()),
            Network::Loggops(model) => Some(*model),
        }
    }
}

/// Evaluates one expression for whichever model the network is.
macro_rules! each_model {
    ($network:expr, $model:ident => $what:expr) => {
        match $network {
            Network::Hockney($model) => $what,
            Network::Logp($model) => $what,
            Network::Loggp($model) => $what,
            Network::Loggops($model) => $what,
            Network::Plogp($model) => $what,
        }
    };
}

impl NetworkModel for Network {
    #[inline]
    fn send(&self, port: &mut Port, message: &Message, cpu: &mut impl Advance) -> Departure {
        each_model!(self, model => model.send(port, message, cpu))
    }

    #[inline]
    fn matched(&self, message: &Message, departure: &Departure, posted: Time) -> Matched {
        each_model!(self, model => model.matched(message, departure, posted))
    }

    #[inline]
    fn receive(&self, port: &mut Port, message: &Message, arrival: Time, cpu: &mut impl Advance) {
        each_model!(self, model => model.receive(port, message, arrival, cpu));
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        each_model!(self, model => model.fmt(f))
    }
}
