//! The models whose times can be taken apart, as far as that needs to know them.

use super::record::Times;
use super::terms::Terms;
use models::network::{Hockney, Network, SendRule};
use models::time::{PerByte, Span, Time};

/// Parameters of a model.
#[derive(Clone, Copy, Debug)]
pub(super) enum Costs {
    /// T(m) = α + mβ.
    Hockney(Hockney),
    /// The family of LogP; all of its models are this one with some parameters zero.
    LogP(LogP),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LogP {
    pub latency: Span,
    pub overhead_send: Span,
    pub overhead_receive: Span,
    pub gap: Span,
    pub gap_per_byte: PerByte,
    pub overhead_per_byte: PerByte,
}

/// Why an event happened when it did: the time that it took, and what came before it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Because {
    /// The operation began.
    Begun(u32),
    /// The operation was ready.
    Ready(u32),
}

impl Costs {
    /// The parameters of a network model.
    ///
    /// # Errors
    /// The model's times cannot be taken apart.
    pub fn of(network: &Network) -> Result<Costs, String> {
        if let Network::Hockney(model) = network {
            return Ok(Costs::Hockney(*model));
        }
        let model = network.loggops().ok_or("the times of PLogP cannot be taken apart")?;
        Ok(Costs::LogP(LogP {
            latency: model.latency,
            overhead_send: model.overhead_send,
            overhead_receive: model.overhead_receive,
            gap: model.gap,
            gap_per_byte: model.gap_per_byte,
            overhead_per_byte: model.overhead_per_byte,
        }))
    }

    /// What these terms amount to.
    pub fn total(&self, terms: &Terms) -> Span {
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

    /// What a receive takes from its begin to the time its CPU is free.
    pub fn receiving(&self, bytes: u64) -> Terms {
        match self {
            Costs::Hockney(_) => Terms::default(),
            Costs::LogP(model) => Terms { receives: 1, ..model.handling(bytes) },
        }
    }

    /// What a send takes from its begin to the time its CPU is free.
    pub fn sending(&self, bytes: u64) -> Terms {
        match self {
            Costs::Hockney(_) => Terms::default(),
            Costs::LogP(model) => Terms { sends: 1, ..model.handling(bytes) },
        }
    }

    /// What lies between a send's begin, or its receive's posting, and its finish.
    pub fn released(&self, send: u32, bytes: u64, times: &Times, posted: Time) -> (Terms, Because) {
        match self {
            Costs::Hockney(model) => match model.send_rule {
                SendRule::Busy => (model.transferring(bytes), Because::Begun(send)),
                SendRule::Synchronous => (model.transferring(bytes), met(send, times, posted)),
                SendRule::Detached | SendRule::Eager => (Terms::default(), Because::Begun(send)),
            },
            Costs::LogP(_) => (self.sending(bytes), Because::Begun(send)),
        }
    }

    /// What lies between a send's begin, or its receive's posting, and the message's arrival.
    pub fn arriving(&self, send: u32, bytes: u64, times: &Times, posted: Time, arrival: Time) -> (Terms, Because) {
        match self {
            Costs::Hockney(model) => match model.send_rule {
                SendRule::Busy | SendRule::Eager => (model.transferring(bytes), Because::Begun(send)),
                SendRule::Synchronous | SendRule::Detached => (model.transferring(bytes), met(send, times, posted)),
            },
            Costs::LogP(model) => {
                let stretch = model.stretch(bytes);
                let by_cpu = times.free + model.latency == arrival;
                let rest = if by_cpu { model.handling(bytes) } else { stretch };
                (Terms { latencies: 1, sends: 1, ..rest }, Because::Begun(send))
            }
        }
    }

    /// The time between two begins on one side of an interface, given the bytes that count: those of the
    /// earlier send, or of the later receive.
    pub fn interval(&self, bytes: u64) -> Option<Terms> {
        match self {
            Costs::Hockney(_) => None,
            Costs::LogP(model) => Some(Terms { gaps: 1, ..model.stretch(bytes) }),
        }
    }
}

/// A transfer that needs both ends begins with the later one.
fn met(send: u32, times: &Times, posted: Time) -> Because {
    if times.free >= posted { Because::Begun(send) } else { Because::Ready(times.partner) }
}

trait Transferring {
    fn transferring(&self, bytes: u64) -> Terms;
}

impl Transferring for Hockney {
    fn transferring(&self, bytes: u64) -> Terms {
        Terms { alphas: 1, beta_bytes: bytes, beta_bytes_time: self.beta.of(bytes), ..Terms::default() }
    }
}

impl LogP {
    /// B·G.
    fn stretch(&self, bytes: u64) -> Terms {
        let after_first = bytes.saturating_sub(1);
        Terms { gap_bytes: after_first, gap_bytes_time: self.gap_per_byte.of(after_first), ..Terms::default() }
    }

    /// B·O.
    fn handling(&self, bytes: u64) -> Terms {
        let after_first = bytes.saturating_sub(1);
        let time = self.overhead_per_byte.of(after_first);
        Terms { overhead_bytes: after_first, overhead_bytes_time: time, ..Terms::default() }
    }
}
