//! Every model's parameters with their intervals, and its notes.

use super::loggops::{Decisions, GapExchanges, Solution as LogGopsSolution};
use super::loggp::Solution as LogGpSolution;
use super::{Length, MeasuredLengths, Waiting, loggp, notes, plogp, protocol};
use programs::machine::{
    Estimate, LinesPoint, LogGopsEstimate, LogGpEstimate, PlogpEstimate, PlogpPoint, ProtocolChange,
};

impl MeasuredLengths {
    pub(super) fn loggp(&self) -> (Option<LogGpEstimate>, Vec<String>) {
        let best = match loggp::solve(&self.lengths) {
            Ok(best) => best,
            Err(missing) => return (None, notes::missing(&missing).into_iter().collect()),
        };
        let all = self.each(|lengths| loggp::solve(lengths).ok());
        let of = |pick: fn(&LogGpSolution) -> f64| self.around(pick(&best), &all, |solution| Some(pick(solution)));
        let mut gap_us = of(|solution| solution.gap_us);
        if best.gap_is_a_bound {
            gap_us.low = 0.0;
        }
        let growth_us = growth(&best).map(|value| self.around(value, &all, growth));
        let estimate = LogGpEstimate {
            latency_us: of(|solution| solution.latency_us),
            overhead_us: of(|solution| solution.overhead_us),
            gap_us,
            gap_per_byte_ns: of(|solution| solution.gap_per_byte_us * 1e3),
        };
        (Some(estimate), notes::loggp(&best, growth_us))
    }

    pub(super) fn loggops(&self) -> (Option<LogGopsEstimate>, Vec<String>) {
        let mut decisions = match Decisions::from_lengths(&self.lengths, self.waiting) {
            Ok(decisions) => decisions,
            Err(missing) => return (None, notes::missing_loggops(&missing).into_iter().collect()),
        };
        let solved = |decisions: &Decisions| Some((decisions.solve(&self.lengths)?, self.each(|l| decisions.solve(l))));
        let Some((best, all)) = solved(&decisions) else { return (None, Vec::new()) };
        let beyond_us = self.around(best.beyond_us, &all, |solution| Some(solution.beyond_us));
        decisions.settle(&self.lengths, &best, beyond_us.low);
        let Some((best, all)) = solved(&decisions) else { return (None, Vec::new()) };
        let of = |pick: fn(&LogGopsSolution) -> f64| self.around(pick(&best), &all, |solution| Some(pick(solution)));
        let bounded =
            |estimate: Estimate, only: bool| Estimate { low: if only { 0.0 } else { estimate.low }, ..estimate };
        let estimate = LogGopsEstimate {
            eager_limit_bytes: decisions.eager_limit,
            rendezvous: decisions.rendezvous,
            latency_us: of(|solution| solution.latency_us),
            overhead_send_us: of(|solution| solution.overhead_send_us),
            overhead_receive_us: of(|solution| solution.overhead_receive_us),
            gap_us: bounded(of(|solution| solution.gap_us), !decisions.gap_is_seen()),
            gap_per_byte_ns: bounded(
                of(|solution| solution.gap_per_byte_us * 1e3),
                decisions.gap_per_byte == GapExchanges::Nowhere,
            ),
            overhead_per_byte_ns: of(|solution| solution.overhead_per_byte_us * 1e3),
        };
        let notes = notes::loggops(&self.lengths, self.waiting, &decisions, &best);
        (Some(estimate), notes)
    }

    /// Returns PLogP's functions, for messages that were rewritten where a sender's memory indicates that they take
    /// less.
    pub(super) fn plogp(&self, lines: &[LinesPoint]) -> (Option<PlogpEstimate>, Vec<String>) {
        let rewritten = |lengths: &[Length]| -> Vec<Length> {
            let reread_us = |bytes| lines.iter().find(|point| point.bytes == bytes).map_or(0.0, |p| p.reread_us.value);
            lengths.iter().map(|length| length.less_reread(reread_us(length.bytes))).collect()
        };
        let Some(best) = plogp::solve(&rewritten(&self.lengths)) else { return (None, Vec::new()) };
        let all = self.each(|lengths| plogp::solve(&rewritten(lengths)));
        let point = |(index, point): (usize, &plogp::Point)| {
            let of = |pick: fn(&plogp::Point) -> f64| {
                self.around(pick(point), &all, |solution| solution.points.get(index).map(pick))
            };
            PlogpPoint {
                bytes: point.bytes,
                overhead_send_us: of(|point| point.overhead_send_us),
                overhead_receive_us: of(|point| point.overhead_receive_us),
                gap_us: of(|point| point.gap_us),
            }
        };
        let estimate = PlogpEstimate {
            eager_limit_bytes: self.waiting.map(Waiting::eager_limit),
            latency_us: self.around(best.latency_us(), &all, |solution| Some(solution.latency_us())),
            points: best.points.iter().enumerate().map(point).collect(),
        };
        (Some(estimate), notes::plogp(&best))
    }

    pub(super) fn protocol(&self, halves: &[Estimate]) -> Vec<ProtocolChange> {
        let changes = protocol::changes(&self.lengths, halves, self.waiting);
        let best = protocol::jumps_us(&self.lengths, &changes);
        let all = self.each(|lengths: &[Length]| Some(protocol::jumps_us(lengths, &changes)));
        let change = |(index, change): (usize, &protocol::Change)| ProtocolChange {
            last_bytes: change.last_bytes,
            next_bytes: change.next_bytes,
            jump_us: self.around(best[index], &all, |jumps| jumps.get(index).copied()),
            waits: change.waits,
        };
        changes.iter().enumerate().map(change).collect()
    }
}

/// Returns the additional CPU time of a send of the longest message that does not wait against one of the shortest, in
/// µs.
fn growth(solution: &LogGpSolution) -> Option<f64> {
    Some(solution.longest_eager.sender_us()? - solution.send_us)
}
