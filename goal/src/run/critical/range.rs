//! Range over which the line T(L) = a + n·L holds, found by further runs.
//!
//! Where the order of all work is fixed, T is the greatest of many such lines, so convex: a search that finds a run off
//! the line at some L follows that run's own line back to where the two meet, and tries again there. Both ends are runs
//! on the line. Where orders change with L, T may leave the line in between, which is not looked for.

use super::{CriticalPath, Disturbance, PathError, critical_path};
use crate::Schedule;
use crate::run::{Engine, Rules, run};
use models::network::{LogGops, LogGp, LogP, Network};
use models::time::{Span, Time};

/// Largest L that is tried.
const FARTHEST: Span = Span(1_000_000_000_000);

/// Most runs for each end of the range.
const MOST_RUNS: u32 = 64;

/// Values of L between which the finish time lies on one line, as found by runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatencyRange {
    /// Least L on the line.
    pub from: Span,
    /// Greatest L on the line. `None` if the line held as far as was tried, for one second.
    pub to: Option<Span>,
}

/// Finds the values of L, around the network's own, for which the line of a critical path holds.
///
/// # Errors
///
/// Fails for a model that has no L.
pub fn latency_range<D: Disturbance>(
    schedule: &Schedule,
    network: &Network,
    noise: &D,
    path: &CriticalPath,
) -> Result<LatencyRange, PathError> {
    let own = network.loggops().ok_or_else(|| PathError::Unknown("this model has no L".to_owned()))?.latency;
    let line = path.line_in_latency(network).map_err(PathError::Unknown)?;
    let search = Search { schedule, network, noise, line };
    let from = search.end(own, Span::ZERO);
    let to = search.end(own, FARTHEST.max(own));
    Ok(LatencyRange { from, to: (to < FARTHEST).then_some(to) })
}

struct Search<'a, D> {
    schedule: &'a Schedule,
    network: &'a Network,
    noise: &'a D,
    line: (Time, u64),
}

impl<D: Disturbance> Search<'_, D> {
    /// Returns the L nearest to `far` that was found to be on the line.
    fn end(&self, own: Span, far: Span) -> Span {
        let mut probe = far;
        for _ in 0..MOST_RUNS {
            if probe == own || self.is_on_line(probe) {
                return probe;
            }
            let network = with_latency(self.network, probe);
            let other = critical_path(self.schedule, &network, self.noise).ok();
            let line = other.and_then(|other| other.line_in_latency(&network).ok());
            let met = line.and_then(|line| meeting(self.line, line));
            match met {
                Some(met) if (own.min(far)..=own.max(far)).contains(&met) && met != probe => probe = met,
                _ => break,
            }
        }
        own
    }

    /// Returns whether a run with this L is on the line. False too where the schedule does not end with it.
    fn is_on_line(&self, latency: Span) -> bool {
        let rules = Rules::Network(with_latency(self.network, latency));
        let Ok(run) = run(self.schedule, &rules, self.noise, Engine::Auto) else { return false };
        let (at_zero, flights) = self.line;
        run.finish.iter().max() == Some(&(at_zero + latency * flights))
    }
}

/// Returns the last whole L, seen from the first line's side, at which neither line has passed the other.
fn meeting(here: (Time, u64), there: (Time, u64)) -> Option<Span> {
    let (a, b) = (here.0.0, there.0.0);
    match here.1.cmp(&there.1) {
        std::cmp::Ordering::Less => Some(Span(a.checked_sub(b)? / (there.1 - here.1))),
        std::cmp::Ordering::Greater => Some(Span(b.checked_sub(a)?.div_ceil(here.1 - there.1))),
        std::cmp::Ordering::Equal => None,
    }
}

/// Returns the model with another L.
fn with_latency(network: &Network, latency: Span) -> Network {
    match *network {
        Network::Hockney(model) => Network::Hockney(model),
        Network::Logp(model) => Network::Logp(LogP { latency, ..model }),
        Network::Loggp(model) => Network::Loggp(LogGp { latency, ..model }),
        Network::Loggops(model) => Network::Loggops(LogGops { latency, ..model }),
        Network::Plogp(model) => Network::Plogp(model),
    }
}
