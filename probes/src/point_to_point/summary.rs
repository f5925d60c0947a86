//! Figures of one kind of exchange, and the line through those of a pair.

use super::CONFIDENCE;
use calibration::fit::ToFit;
use models::network::SendRule;
use models::time::Span;
use programs::calibration::{Prtt, Sample};
use programs::machine::{Estimate, Machine, Provenance};
use programs::point_to_point::{Exchanges, Way};
use render::plots::Drawing;
use statistics::{mean_with_interval, median_with_interval};

/// Figures of one pair's exchanges of one length. The *time* is that of one message: half of a ping-pong, all of an
/// exchange both ways.
#[derive(Clone, Debug, PartialEq)]
pub struct PointToPointRow {
    /// Way in which messages travelled.
    pub way: Way,
    /// Rank that began the exchange.
    pub from: u32,
    /// Other rank of the pair.
    pub to: u32,
    /// Length of each message, in bytes.
    pub bytes: u64,
    /// Number of exchanges, N.
    pub count: usize,
    /// Mean time in µs: for ping-pongs T/2N, where T is the time of all.
    pub mean_us: f64,
    /// Student's interval of the mean, in µs; `None` for one exchange.
    pub mean_interval_us: Option<Estimate>,
    /// Median time in µs with its order-statistic interval.
    pub median_us: Estimate,
    /// Confidence that the median's interval reaches.
    pub reached: f64,
    /// Shortest time, in µs.
    pub min_us: f64,
    /// Longest time, in µs.
    pub max_us: f64,
}

impl PointToPointRow {
    /// Computes the figures; `None` where no exchange was kept.
    pub fn from_exchanges(exchanges: &Exchanges) -> Option<PointToPointRow> {
        let times = exchanges.times_us();
        let median = median_with_interval(&times, CONFIDENCE)?;
        // Whole picoseconds are summed before they become a float.
        let total: u128 = exchanges.round_trips.iter().map(|span| u128::from(span.0)).sum();
        Some(PointToPointRow {
            way: exchanges.way,
            from: exchanges.from,
            to: exchanges.to,
            bytes: exchanges.bytes,
            count: times.len(),
            mean_us: total as f64 / 1e6 / times.len() as f64 / exchanges.way.messages_in_turn(),
            mean_interval_us: mean_with_interval(&times, CONFIDENCE),
            median_us: median.estimate,
            reached: median.reached,
            min_us: times.iter().copied().fold(f64::INFINITY, f64::min),
            max_us: times.iter().copied().fold(0.0, f64::max),
        })
    }

    /// Returns the bandwidth in MB/s at a time of one message: R = 2NL/T, where both messages of an exchange count.
    /// `None` where no bytes were carried, or in no time.
    pub fn bandwidth(&self, time_us: f64) -> Option<f64> {
        let messages = match self.way {
            Way::PingPong => 1.0,
            Way::BothWays => 2.0,
        };
        // B/µs are MB/s.
        (self.bytes > 0 && time_us > 0.0).then(|| messages * self.bytes as f64 / time_us)
    }
}

/// T(L) = s + L/R through a pair's ping-pongs, by least relative deviations of medians.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Rank that began the exchange.
    pub from: u32,
    /// Other rank of the pair.
    pub to: u32,
    /// Line as Hockney's parameters with intervals, and its points; or the reason why there is none.
    pub machine: Result<Box<Machine>, String>,
}

impl Fit {
    /// Returns s, the latency, in µs.
    pub fn latency_us(&self) -> Option<Estimate> {
        self.machine.as_ref().ok().map(|machine| machine.hockney.alpha_us)
    }

    /// Returns R, the bandwidth, in MB/s; not finite where bytes cost nothing.
    pub fn bandwidth(&self) -> Option<Estimate> {
        // 1 ns/B is 1000 MB/s; the lower the cost the higher the bandwidth.
        let rate = |ns_per_byte: f64| 1e3 / ns_per_byte;
        let cost = self.machine.as_ref().ok()?.hockney.beta_ns_per_byte;
        Some(Estimate { value: rate(cost.value), low: rate(cost.high), high: rate(cost.low) })
    }

    /// Draws the points and the line.
    pub fn picture(&self) -> Option<Drawing> {
        self.machine.as_ref().ok().and_then(|machine| calibration::plots::transfer(machine))
    }
}

/// Returns a fit for each pair with ping-pongs of two lengths or more.
pub(super) fn fits(exchanges: &[Exchanges], ran_by: &str) -> Vec<Fit> {
    let pairs = exchanges.chunk_by(|one, next| (one.from, one.to) == (next.from, next.to));
    pairs.filter_map(|of_pair| fit(of_pair, ran_by)).collect()
}

fn fit(of_pair: &[Exchanges], ran_by: &str) -> Option<Fit> {
    let (from, to) = (of_pair.first()?.from, of_pair.first()?.to);
    let ping_pongs = of_pair.iter().filter(|exchanges| exchanges.way == Way::PingPong);
    let round_trips = |exchanges: &Exchanges| Prtt {
        messages: 1,
        delay: Span::ZERO,
        bytes: exchanges.bytes,
        round_trips: exchanges.round_trips.clone(),
        sending: Vec::new(),
    };
    let samples: Vec<Sample> = ping_pongs.map(|exchanges| Sample::RoundTrips(round_trips(exchanges))).collect();
    if samples.len() < 2 {
        return None;
    }
    let provenance = Provenance {
        date: String::new(),
        host: String::new(),
        ran_by: ran_by.to_owned(),
        how: "Ping-pongs, medians per length.".to_owned(),
        confidence: CONFIDENCE,
    };
    let name = format!("ranks {from} and {to}");
    let machine = ToFit { name: &name, provenance, send_rule: SendRule::Eager, samples: &samples }.machine();
    Some(Fit { from, to, machine: machine.map(Box::new).map_err(|error| error.to_string()) })
}
