//! Models whose times can be taken apart, as far as their parts must be known for that.

use super::record::Times;
use super::terms::Terms;
use models::network::{Hockney, LogGops, Network, Rendezvous, SendRule};
use models::time::{Span, Time};

/// Parameters of a model.
#[derive(Clone, Copy, Debug)]
pub(super) enum Costs {
    /// Hockney's model, T(m) = α + mβ.
    Hockney(Hockney),
    /// The family of LogP: all of its models are this one with some parameters zero.
    LogP(LogGops),
}

/// Event that an event had to wait for last.
#[derive(Clone, Copy, Debug)]
pub(super) enum Because {
    /// Begin of the operation.
    Begun(u32),
    /// Readiness of the operation.
    Ready(u32),
    /// Release of the operation's CPU.
    Free(u32),
}

impl Costs {
    /// Returns the parameters of a network model.
    ///
    /// # Errors
    ///
    /// Fails if the model's times cannot be taken apart.
    pub(super) fn from_network(network: &Network) -> Result<Costs, String> {
        if let Network::Hockney(model) = network {
            return Ok(Costs::Hockney(*model));
        }
        let no_parts = "PLogP's costs are tables, not sums of parameters; use hockney, logp, loggp or loggops";
        network.loggops().map(Costs::LogP).ok_or_else(|| no_parts.to_owned())
    }

    /// Returns the time that these terms amount to.
    pub(super) fn total(&self, terms: &Terms) -> Span {
        let fixed = terms.calculations + terms.noise;
        match self {
            Costs::Hockney(model) => fixed + model.alpha * terms.alphas + terms.beta_bytes_time,
            Costs::LogP(model) => {
                let overheads = model.overhead_send * terms.sends + model.overhead_receive * terms.receives;
                let bytes = terms.gap_bytes_time + terms.overhead_bytes_time;
                fixed + model.latency * terms.latencies + overheads + model.gap * terms.gaps + bytes
            }
        }
    }

    /// Returns the terms of a receive from its begin to the time its CPU is free.
    pub(super) fn receiving(&self, bytes: u64) -> Terms {
        match self {
            Costs::Hockney(_) => Terms::default(),
            Costs::LogP(model) => Terms { receives: 1, ..handling(model, bytes) },
        }
    }

    /// Returns the terms of a send from its begin to the time its CPU is free.
    pub(super) fn sending(&self, bytes: u64) -> Terms {
        match self {
            Costs::Hockney(_) => Terms::default(),
            Costs::LogP(model) if model.is_rendezvous(bytes) => Terms { sends: 1, ..Terms::default() },
            Costs::LogP(model) => Terms { sends: 1, ..handling(model, bytes) },
        }
    }

    /// Returns the terms between a send's begin, or its receive's posting, and its finish.
    pub(super) fn released(&self, send: u32, bytes: u64, times: &Times, posted: Time) -> (Terms, Because) {
        match self {
            Costs::Hockney(model) => match model.send_rule {
                SendRule::Busy => (model.transferring(bytes), Because::Begun(send)),
                SendRule::Synchronous => (model.transferring(bytes), met(send, times, posted)),
                SendRule::Detached | SendRule::Eager => (Terms::default(), Because::Begun(send)),
            },
            Costs::LogP(model) if model.is_rendezvous(bytes) => leaving(model, send, bytes, times, posted),
            Costs::LogP(_) => (self.sending(bytes), Because::Begun(send)),
        }
    }

    /// Returns the terms between a send's begin, or its receive's posting, and the message's arrival.
    pub(super) fn arriving(
        &self,
        send: u32,
        bytes: u64,
        times: &Times,
        posted: Time,
        arrival: Time,
    ) -> (Terms, Because) {
        match self {
            Costs::Hockney(model) => match model.send_rule {
                SendRule::Busy | SendRule::Eager => (model.transferring(bytes), Because::Begun(send)),
                SendRule::Synchronous | SendRule::Detached => (model.transferring(bytes), met(send, times, posted)),
            },
            Costs::LogP(model) if model.is_rendezvous(bytes) => {
                let (terms, because) = leaving(model, send, bytes, times, posted);
                (Terms { latencies: terms.latencies + 1, ..terms }, because)
            }
            Costs::LogP(model) => {
                let by_cpu = times.free + model.latency == arrival;
                let rest = if by_cpu { handling(model, bytes) } else { stretch(model, bytes) };
                (Terms { latencies: 1, sends: 1, ..rest }, Because::Begun(send))
            }
        }
    }

    /// Returns the time between two begins on one side of an interface, given the bytes that count: those of the
    /// earlier send, or of the later receive. `None` for a model without gaps.
    pub(super) fn interval(&self, bytes: u64) -> Option<Terms> {
        match self {
            Costs::Hockney(_) => None,
            Costs::LogP(model) => Some(Terms { gaps: 1, ..stretch(model, bytes) }),
        }
    }
}

/// Returns the begin of a transfer that needs both ends, which is that of the later one.
fn met(send: u32, times: &Times, posted: Time) -> Because {
    if times.free >= posted { Because::Begun(send) } else { Because::Ready(times.partner) }
}

trait Transferring {
    fn transferring(&self, bytes: u64) -> Terms;
}

impl Transferring for Hockney {
    fn transferring(&self, bytes: u64) -> Terms {
        Terms { alphas: 1, beta_bytes: bytes, beta_bytes_time: self.beta.for_bytes(bytes), ..Terms::default() }
    }
}

/// Returns the terms of B·G.
fn stretch(model: &LogGops, bytes: u64) -> Terms {
    Terms { gap_bytes: bytes.saturating_sub(1), gap_bytes_time: model.stretch(bytes), ..Terms::default() }
}

/// Returns the terms of B·O.
fn handling(model: &LogGops, bytes: u64) -> Terms {
    Terms { overhead_bytes: bytes.saturating_sub(1), overhead_bytes_time: model.handling(bytes), ..Terms::default() }
}

/// Returns the terms between the o of a send that waits, or its receive's posting, and the last byte's departure: at m
/// + B·max(G, O), where m follows the later of the two, see [`Rendezvous`].
fn leaving(model: &LogGops, send: u32, bytes: u64, times: &Times, posted: Time) -> (Terms, Because) {
    let (there, back) = match model.rendezvous {
        Rendezvous::Match => (0, 0),
        Rendezvous::RoundTrip => (1, 1),
    };
    let (by_bytes, by_cpu) = (stretch(model, bytes), handling(model, bytes));
    let bytes = if by_cpu.overhead_bytes_time > by_bytes.gap_bytes_time { by_cpu } else { by_bytes };
    if times.free + model.latency * there >= posted {
        (Terms { latencies: there + back, ..bytes }, Because::Free(send))
    } else {
        (Terms { latencies: back, ..bytes }, Because::Ready(times.partner))
    }
}
