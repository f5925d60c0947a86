//! Notes for the readers of a fit: only on facts that change predictions, in short sentences with numbers. Each note
//! begins with the model that it is about.

use super::lengths::{Length, Waiting};
use super::loggops::{self, Decisions, GapExchanges, Misfit};
use super::loggp::{Missing, Solution};
use super::{StraightLine, TransferPoint, plogp};
use models::network::{Network, SendRule};
use programs::machine::{Estimate, Machine};

/// Share of the measured time above which a difference has a note.
const POOR_FIT: f64 = 0.05;
/// Share by which trains may be mispredicted without a note: the gap of one length is all that they fit.
const POOR_TRAINS: f64 = 0.2;
/// Share of their mean by which the costs per byte of a send and a receive may differ without a note.
const UNEQUAL: f64 = 0.2;
const LOGGP: &str = "LogGP: ";
const LOGGOPS: &str = "LogGOPS: ";
const PLOGP: &str = "PLogP: ";
const HOCKNEY: &str = "Hockney: ";

/// Returns a machine's notes on the model of this network, without its name. Calibration does not fit LogP.
pub fn about(machine: &Machine, network: &Network) -> Vec<String> {
    let model = match network {
        Network::Hockney(_) => HOCKNEY,
        Network::Loggp(_) => LOGGP,
        Network::Loggops(_) => LOGGOPS,
        Network::Plogp(_) => PLOGP,
        Network::Logp(_) => return Vec::new(),
    };
    machine.notes.iter().filter_map(|note| note.strip_prefix(model)).map(str::to_owned).collect()
}

/// Returns the reason why there are no parameters of LogGP; `None` where they were not wanted.
pub(super) fn missing(missing: &Missing) -> Option<String> {
    match missing {
        Missing::Trains => None,
        Missing::Delay => Some(format!("{LOGGP}No parameters. o needs a train with a delay between its messages.")),
        Missing::LongerDelay(delay_us) => Some(format!(
            "{LOGGP}No parameters. The delay of {delay_us:.3} µs between messages is shorter than the gap and hides o."
        )),
    }
}

/// Returns the errors of LogGP with these parameters; `growth_us` is the additional CPU time of a send of the longest
/// message against one of the shortest.
pub(super) fn loggp(solution: &Solution, growth_us: Option<Estimate>) -> Vec<String> {
    let [_, longest] = &solution.ends;
    let notes = [
        growth_us.and_then(|growth| growing_overhead(solution, growth)),
        train(solution, longest, solution.periods_us[1]),
        clamped_latency(solution),
        hidden_gap(solution),
        waiting_ping_pongs(solution),
        (solution.unclamped.overhead_us < 0.0)
            .then(|| "o is set to 0: a message with a delay before it took no longer than the delay alone.".to_owned()),
    ];
    notes.into_iter().flatten().map(|note| format!("{LOGGP}{note}")).collect()
}

fn growing_overhead(solution: &Solution, growth: Estimate) -> Option<String> {
    let ([shortest, _], longest) = (&solution.ends, &solution.longest_eager);
    let o = solution.send_us;
    (growth.low > 0.0 && growth.value > o * POOR_FIT).then(|| {
        format!(
            "A send of {} B keeps the CPU busy for {:.3} µs, one of {} B for {o:.3} µs. LogGP has one o for all lengths, \
             so a sender of {} B is predicted to be free {:.3} µs too early. (The O of LogGOPS, CPU time per byte, would \
             cover it.)",
            longest.bytes,
            o + growth.value,
            shortest.bytes,
            longest.bytes,
            growth.value
        )
    })
}

fn train(solution: &Solution, length: &Length, period_us: f64) -> Option<String> {
    let gap = solution.gap_us + length.stretch() * solution.gap_per_byte_us;
    trains("LogGP", length.bytes, period_us, gap.max(solution.overhead_us))
}

/// Returns a note where a model that fits single messages mispredicts the time between those of a train.
fn trains(model: &str, bytes: u64, period_us: f64, predicted: f64) -> Option<String> {
    let off = predicted / period_us - 1.0;
    (off.abs() > POOR_TRAINS).then(|| {
        let way = if off < 0.0 { "too fast" } else { "too slow" };
        format!(
            "Messages of {bytes} B sent back to back follow each other every {period_us:.3} µs. {model} predicts one \
             every {predicted:.3} µs: it fits single messages, and series of them are predicted {way} ({:+.0} %).",
            off * 100.0
        )
    })
}

fn clamped_latency(solution: &Solution) -> Option<String> {
    let [shortest, _] = &solution.ends;
    let predicted = shortest.one_way_us - solution.unclamped.latency_us;
    let off = predicted / shortest.one_way_us - 1.0;
    (off > POOR_FIT).then(|| {
        format!(
            "L is set to 0 because sending and receiving, 2 × {:.3} µs, take longer than half a round trip of {} B, \
             {:.3} µs. One message is predicted {:.3} µs too slow.",
            solution.overhead_us, shortest.bytes, shortest.one_way_us, -solution.unclamped.latency_us
        )
    })
}

fn hidden_gap(solution: &Solution) -> Option<String> {
    solution.gap_is_a_bound.then(|| {
        format!(
            "g cannot be seen: a send keeps the CPU busy for longer. It is at most {:.3} µs, and that is used.",
            solution.gap_us
        )
    })
}

fn waiting_ping_pongs(solution: &Solution) -> Option<String> {
    let [shortest, _] = &solution.ends;
    (solution.periods_us[0] >= 2.0 * shortest.one_way_us).then(|| {
        "The gap is as long as a round trip, so ping-pongs wait for it: L comes out too long and G too small."
            .to_owned()
    })
}

/// Returns the reason why there are no parameters of LogGOPS; `None` where they were not wanted.
pub(super) fn missing_loggops(missing: &loggops::Missing) -> Option<String> {
    match missing {
        loggops::Missing::Exchanges => None,
        loggops::Missing::Eager => Some(format!(
            "{LOGGOPS}No parameters. Even the shortest message waits for its receiver: o and L cannot be separated."
        )),
    }
}

/// Returns the errors of LogGOPS, and notes on parameters that are only bounds.
pub(super) fn loggops(
    lengths: &[Length],
    waiting: Option<Waiting>,
    decisions: &Decisions,
    solution: &loggops::Solution,
) -> Vec<String> {
    let (o_s, o_r) = (solution.overhead_send_us, solution.overhead_receive_us);
    let per_byte_ns = solution.overhead_per_byte_us * 1e3;
    let hidden = (decisions.gap_per_byte == GapExchanges::Nowhere && per_byte_ns > 0.0).then(|| {
        format!("G cannot be seen: the CPUs take longer for a byte. It is at most O, {per_byte_ns:.4} ns/B, and that is used.")
    });
    let gap = (!decisions.gap_is_seen()).then(|| {
        format!("g cannot be seen: the CPUs take longer. It is at most {:.3} µs, and that is used.", solution.gap_us)
    });
    let [sent, received] = solution.slopes_us.map(|slope| slope * 1e3);
    let mean = f64::midpoint(sent, received);
    let unequal =
        ((sent - received).abs() > UNEQUAL * mean && mean > POOR_FIT * solution.gap_per_byte_us * 1e3).then(|| {
            format!(
                "A send takes {sent:.4} ns more per byte and a receive {received:.4} ns. LogGOPS has one O for both, \
             {per_byte_ns:.4} ns."
            )
        });
    let shortest = &lengths[0];
    let clamped = (-solution.unclamped_latency_us > POOR_FIT * shortest.one_way_us).then(|| {
        format!(
            "L is set to 0 because sending and receiving, {:.3} µs, take longer than half a round trip of {} B, {:.3} µs.",
            o_s + o_r, shortest.bytes, shortest.one_way_us
        )
    });
    let again = waiting.and_then(|waiting| Some((waiting.next, waiting.not_after?))).map(|(next, later)| {
        format!(
            "Messages of {next} B wait for their receiver, but those of {later} B do not: no single S describes both."
        )
    });
    let message = decisions.worst(lengths, solution).and_then(misfit);
    let send = decisions.worst_send(lengths, solution).and_then(released);
    let notes = [message, send, clamped, unequal, again, gap, hidden];
    notes.into_iter().flatten().map(|note| format!("{LOGGOPS}{note}")).collect()
}

/// Returns a note where the duration of a waiting send is mispredicted.
fn released((bytes, measured, predicted): Misfit) -> Option<String> {
    let off = predicted / measured - 1.0;
    (off.abs() > POOR_TRAINS).then(|| {
        format!(
            "A send of {bytes} B waits for its receiver and takes {measured:.3} µs if the receiver is there. The model \
             predicts {predicted:.3} µs ({:+.0} %).",
            off * 100.0
        )
    })
}

/// Returns a note where the duration of one message is mispredicted.
fn misfit((bytes, measured, predicted): Misfit) -> Option<String> {
    let off = predicted / measured - 1.0;
    (off.abs() > POOR_FIT).then(|| {
        format!(
            "One message of {bytes} B took {measured:.3} µs. The model predicts {predicted:.3} µs ({:+.0} %).",
            off * 100.0
        )
    })
}

/// Returns the errors of PLogP.
pub(super) fn plogp(solution: &plogp::Solution) -> Vec<String> {
    let shortest = solution.points.first();
    let clamped = shortest.filter(|point| -solution.unclamped_latency_us > POOR_FIT * point.one_way_us).map(|point| {
        format!(
            "L is set to 0 because messages of {} B sent back to back follow each other every {:.3} µs, which is longer \
             than half a round trip, {:.3} µs.",
            point.bytes, point.period_us, point.one_way_us
        )
    });
    let off = |point: &plogp::Point| (point.saturation_us() / point.period_us - 1.0).abs();
    let worst = solution.points.iter().max_by(|a, b| off(a).total_cmp(&off(b)));
    let worst = worst.and_then(|point| trains("PLogP", point.bytes, point.period_us, point.saturation_us()));
    [clamped, worst].into_iter().flatten().map(|note| format!("{PLOGP}{note}")).collect()
}

/// Returns the effects that α + mβ with one send rule does not contain.
pub(super) fn hockney(
    line: StraightLine,
    points: &[TransferPoint],
    send_rule: SendRule,
    waiting: Option<Waiting>,
) -> Vec<String> {
    let mut notes: Vec<String> = waiting.and_then(|waiting| another_rule(send_rule, waiting)).into_iter().collect();
    if line.slope == 0.0 {
        notes.push("β is 0, its smallest value: longer messages took no longer.".to_owned());
    }
    if line.intercept == 0.0 {
        notes.push("α is 0, its smallest value: the time grows faster than the length.".to_owned());
    }
    let residual = |point: &TransferPoint| point.fitted_us / point.half_round_trip_us.value - 1.0;
    if let Some(worst) = points.iter().max_by(|a, b| residual(a).abs().total_cmp(&residual(b).abs()))
        && residual(worst).abs() > POOR_FIT
    {
        notes.push(format!(
            "One message of {} B took {:.3} µs. α + mβ gives {:.3} µs ({:+.0} %): the time is not linear in the \
             length.",
            worst.bytes,
            worst.half_round_trip_us.value,
            worst.fitted_us,
            residual(worst) * 100.0
        ));
    }
    notes.into_iter().map(|note| format!("{HOCKNEY}{note}")).collect()
}

/// Returns a note on senders that do not follow the send rule.
fn another_rule(send_rule: SendRule, waiting: Waiting) -> Option<String> {
    match (send_rule, waiting.last) {
        (SendRule::Synchronous, None) => None,
        (SendRule::Synchronous, Some(last)) => Some(format!(
            "Sends of up to {last} B do not wait for their receiver. Send rule synchronous assumes that all do."
        )),
        (rule @ (SendRule::Busy | SendRule::Detached | SendRule::Eager), _) => Some(format!(
            "Sends of {} B and more wait for their receiver. Send rule {} assumes that none does.",
            waiting.next,
            rule.name()
        )),
    }
}

/// Returns the confidence that the intervals of half round trips reach, where it is below the requested one.
pub(super) fn confidence(asked: f64, reached: f64) -> Option<String> {
    (reached < asked).then(|| {
        format!(
            "Some half round trips have too few samples for {:.3} % intervals: theirs reach {:.1} %.",
            asked * 100.0,
            reached * 100.0
        )
    })
}
