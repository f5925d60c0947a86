//! Network models: what a message costs its sender, its flight and its receiver.
//!
//! To add one: a file here with a struct that implements [`NetworkModel`], a variant of [`Network`].

mod hockney;
mod loggp;

pub use hockney::{Hockney, SendRule};
pub use loggp::LogGp;

use crate::time::Time;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One rank's CPU and network interface, as a model sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Port {
    /// When the CPU is free.
    pub cpu: Time,
    /// Earliest begin of the next send, as far as the sending side is concerned.
    pub next_send: Time,
    /// When the receiving side began its last receive; none yet means no gap is owed.
    pub last_receive: Option<Time>,
}

/// What is known of a message once its send has been issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Message length.
    pub bytes: u64,
    /// When the send began.
    pub begun: Time,
    /// When a blocking send returns, where that does not depend on the receiver.
    pub released: Option<Time>,
    /// When the message is there, where that does not depend on the receiver.
    pub arrival: Option<Time>,
}

/// What is known of a message once its receive has been posted too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matched {
    /// When a blocking send returns.
    pub released: Time,
    /// When the message is there.
    pub arrival: Time,
}

/// What the engines call. All times are exact integers; a rate is rounded once per message.
pub trait NetworkModel {
    /// Issues a send at `port.cpu`; leaves `port.cpu` where the CPU may issue the next operation.
    fn send(&self, port: &mut Port, bytes: u64) -> Departure;

    /// What follows once the receive was posted at `posted`.
    fn matched(&self, departure: &Departure, posted: Time) -> Matched;

    /// Completes a receive of a message that is there at `arrival`: advances `port.cpu`.
    fn receive(&self, port: &mut Port, arrival: Time, bytes: u64);
}

/// Any network model, as files name it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "kebab-case")]
pub enum Network {
    /// T(m) = α + mβ with a named send rule.
    Hockney(Hockney),
    /// L, o, g, G.
    Loggp(LogGp),
}

impl NetworkModel for Network {
    #[inline]
    fn send(&self, port: &mut Port, bytes: u64) -> Departure {
        match self {
            Network::Hockney(model) => model.send(port, bytes),
            Network::Loggp(model) => model.send(port, bytes),
        }
    }

    #[inline]
    fn matched(&self, departure: &Departure, posted: Time) -> Matched {
        match self {
            Network::Hockney(model) => model.matched(departure, posted),
            Network::Loggp(model) => model.matched(departure, posted),
        }
    }

    #[inline]
    fn receive(&self, port: &mut Port, arrival: Time, bytes: u64) {
        match self {
            Network::Hockney(model) => model.receive(port, arrival, bytes),
            Network::Loggp(model) => model.receive(port, arrival, bytes),
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Network::Hockney(model) => model.fmt(f),
            Network::Loggp(model) => model.fmt(f),
        }
    }
}
