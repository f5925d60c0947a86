//! A made-up campaign for tests: linear and binomial broadcasts of busy senders, whose closed forms
//! are known, "measured" with a few per mille of jitter, and two native ranks that the model gets wrong.

use models::call::Call;
use models::clock::{GlobalClock, Ticks, Timescale};
use models::closed_form::linear_bcast_loop_ratio;
use models::collective::{Algorithm, Collective};
use models::network::SendRule;
use models::time::{Span, Time};
use programs::machine::{Estimate, HockneyEstimate, Machine, Provenance, TransferPoint};
use programs::method::Method;
use programs::observation::{
    Carrier, Case, CasePlace, CaseSubject, CaseTiming, Conditions, Implementation, Observation, Occasion, RankRecord,
    Stamp, TracedStep, World,
};
use std::collections::BTreeMap;
use study::comparison::{ClockCheckRow, MethodComparison, RankRow, Report, SubjectComparison, Verdict};

/// τ of the emulated subjects.
pub(crate) const TAU: Span = Span::from_ms(1);
/// Calls per loop.
pub(crate) const CALLS: u32 = 4;

/// The whole campaign.
pub(crate) fn report() -> Report {
    Report {
        question: "By how much does the unsynchronised loop misreport a broadcast, and can it be predicted?".into(),
        name: "loop-error".into(),
        expectation: String::new(),
        found: String::new(),
        judgements: Vec::new(),
        answer:
            "On 8 ranks a loop of 4 unsynchronised linear broadcasts reports 5.51 times the reference for rank 1 (predicted \
             5.50, closed form 22/4) and 1.00 times for the slowest rank."
                .into(),
        details: vec![
            "With a barrier before each call, rank 1 reports 1.02 times.".into(),
            "Predictions of the native case differ: the model has one overhead for all lengths.".into(),
        ],
        seed: 20_120_417,
        environment: vec![
            ("CPU".into(), "two cores at 2.45 GHz".into()),
            ("Kernel".into(), "Linux 6.1".into()),
            ("Open MPI".into(), "4.1.4".into()),
        ],
        reproduce: vec!["parallax run scenarios/loop-error.toml --seed 20120417 --out campaign".into()],
        machines: vec![machine()],
        clock_checks: vec![clock_check(World::Threads, 8, true), clock_check(World::OPENMPI, 2, false)],
        subjects: vec![emulated("linear", 8, false), emulated("binomial", 8, true), native()],
        queues: None,
        left_out: vec!["openmpi, 8 ranks, native: only 2 slots on this machine".into()],
    }
}

/// Ranks that start up to a µs late, or sleep and start up to 20 µs late.
fn clock_check(world: World, ranks: u32, oversubscribed: bool) -> ClockCheckRow {
    let late = if oversubscribed { 17.4 } else { 0.02 };
    ClockCheckRow {
        world,
        carrier: if oversubscribed { Carrier::EMULATED } else { Carrier::Native },
        ranks,
        variant: String::new(),
        oversubscribed,
        null_us: around(late, 0.04),
        up_us: around(f64::from(ranks) + late, 0.03),
        down_us: around(f64::from(ranks) + late, 0.03),
        start_skew_us: (late, late * 1.6),
        clock_bound_us: (0.21, 0.34),
    }
}

/// A broadcast over an emulated network with τ per message.
pub(crate) fn emulated(algorithm: &str, ranks: u32, oversubscribed: bool) -> SubjectComparison {
    let case = case(World::Threads, Carrier::EMULATED, algorithm, ranks);
    let predicted = trace(&case, TAU, 0);
    let measured = trace(&case, TAU, 4);
    let once = trace(&case.clone().with(|case| case.timing.calls = 1), TAU, 0);
    let truth: Vec<f64> = once.ranks.iter().map(per_call_us).collect();
    let looped: Vec<f64> = predicted.ranks.iter().map(per_call_us).collect();
    let closed = |rank| (algorithm == "linear").then(|| linear_bcast_loop_ratio(ranks, rank, CALLS).value());
    let sizes = [
        (Method::Loop, looped),
        (Method::BarrierLoop, truth.iter().map(|t| t + 21.0).collect()),
        (Method::Window, truth.clone()),
    ];
    let methods = sizes.map(|(method, values)| compared(method, &values, &truth, 0.002, closed));
    subject(&case, oversubscribed, &truth, methods.to_vec(), Some(predicted), Some(measured))
}

fn native() -> SubjectComparison {
    let case = case(World::OPENMPI, Carrier::Native, "linear", 2);
    let truth = [0.31, 0.52];
    let loop_us = [0.31, 0.31];
    let none = |_| None;
    let mut methods = vec![
        compared(Method::Loop, &loop_us, &truth, 0.01, none),
        compared(Method::Window, &truth, &truth, 0.01, none),
    ];
    for row in &mut methods[0].rows {
        row.measured_us = around(0.11, 0.03);
        row.measured_ratio = around(0.21, 0.04);
        row.verdict = Verdict::Differs;
    }
    let mut subject = subject(&case, false, &truth, methods, None, None);
    subject.reasons = vec!["A send of 1024 B keeps the CPU busy for 0.410 µs, one of 1 B for 0.124 µs.".into()];
    subject
}

fn case(world: World, carrier: Carrier, algorithm: &str, ranks: u32) -> Case {
    Case {
        place: CasePlace { world, carrier, ranks },
        subject: CaseSubject {
            collective: Collective::Bcast,
            implementation: Implementation::Own(algorithm.into()),
            root: 0,
            bytes: 1_024,
            segment_bytes: None,
            fanout: None,
            counts: None,
            call: Call::default(),
        },
        timing: CaseTiming { method: Method::LoopTrace, calls: CALLS, conditions: Conditions::default() },
    }
}

fn subject(
    case: &Case,
    oversubscribed: bool,
    truth: &[f64],
    methods: Vec<MethodComparison>,
    predicted_trace: Option<Observation>,
    measured_trace: Option<Observation>,
) -> SubjectComparison {
    SubjectComparison {
        case: case.clone(),
        occasion: Occasion::default(),
        reasons: vec![],
        predicted_by: "Hockney, send rule busy, α = 1.00 ms, β = 0.0400 ns/B".into(),
        measured_by: case.place.world.title().into(),
        oversubscribed,
        reference_us: truth.iter().map(|&us| exactly(us)).collect(),
        clock_bound_us: (0.21, 0.34),
        start_skew_us: (1.4, 12.0),
        window_us: 8_800.0,
        methods,
        predicted_trace,
        measured_trace,
    }
}

/// Rows whose measured numbers lie a few per mille off the predicted ones.
fn compared(
    method: Method,
    predicted: &[f64],
    truth: &[f64],
    spread: f64,
    closed: impl Fn(u32) -> Option<f64>,
) -> MethodComparison {
    let row = |(rank, (&us, &truth)): (u32, (&f64, &f64))| {
        let measured = us * (1.0 + 0.003 * jitter(u64::from(rank) + 17 * method as u64));
        let agrees = (measured - us).abs() <= us * spread;
        RankRow {
            rank,
            predicted_us: exactly(us),
            measured_us: around(measured, spread),
            predicted_ratio: exactly(us / truth),
            measured_ratio: around(measured / truth, spread * 1.5),
            closed_form_ratio: (method == Method::Loop).then(|| closed(rank)).flatten(),
            verdict: if agrees { Verdict::Agrees } else { Verdict::Close },
        }
    };
    let rows: Vec<RankRow> = (0..).zip(predicted.iter().zip(truth)).map(row).collect();
    MethodComparison { method, rows, samples: 31, starts: 40 }
}

fn exactly(value: f64) -> Estimate {
    Estimate { value, low: value, high: value }
}

fn around(value: f64, spread: f64) -> Estimate {
    Estimate { value, low: value * (1.0 - spread), high: value * (1.0 + spread) }
}

/// −1 … 1, the same for the same number.
fn jitter(number: u64) -> f64 {
    let mixed = (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 40) as f64 / f64::from(1u32 << 23) - 1.0
}

fn per_call_us(record: &RankRecord) -> f64 {
    let (first, last) = (record.stamps.first().expect("a call"), record.stamps.last().expect("a call"));
    record.clock.scale.span(first.start, last.end).as_us() / record.stamps.len() as f64
}

/// Plays back-to-back calls of busy senders: a send takes τ (give or take `jitter_per_mille`), a receive ends
/// with its send. Real clocks count nanoseconds and are apart.
pub(crate) fn trace(case: &Case, tau: Span, jitter_per_mille: u64) -> Observation {
    let shape = case.shape();
    let algorithm =
        Algorithm::find(case.subject.collective, case.subject.implementation.name()).expect("a known algorithm");
    let mut arrivals = BTreeMap::<(u32, u32), Vec<Time>>::new();
    let mut records: Vec<RankRecord> = (0..case.place.ranks).map(|rank| record(rank, jitter_per_mille > 0)).collect();
    // A rank's messages come from ranks played before it: lower ones, in the broadcasts from rank 0.
    for record in &mut records {
        let (rank, clock) = (record.rank, record.clock);
        let mut now = Time(5_000_000_000);
        let mut received = 0;
        for _ in 0..case.timing.calls {
            let entered = now;
            for step in algorithm.steps(&shape, rank) {
                let begun = now;
                if let Some((to, _)) = step.sent() {
                    let jitter = jitter(now.0) * jitter_per_mille as f64 / 1_000.0;
                    now += Span((tau.0 as f64 * (1.0 + jitter)) as u64);
                    arrivals.entry((rank, to)).or_default().push(now);
                }
                if let Some((from, ..)) = step.received() {
                    now = now.max(arrivals[&(from, rank)][received]);
                    received += 1;
                }
                let (sent_to, received_from) = (step.sent().map(|(to, _)| to), step.received().map(|(from, ..)| from));
                let (start, end) = (clock.reading(begun), clock.reading(now));
                record.steps.push(TracedStep { start, end, sent_to, received_from });
            }
            record.stamps.push(stamp(clock.reading(entered), clock.reading(now)));
        }
    }
    Observation::new(case.clone(), "fixture", records)
}

fn record(rank: u32, real: bool) -> RankRecord {
    let clock = if real {
        let scale = Timescale { ticks_per_second: 1e9, origin: Ticks(1_000_000), granularity_ticks: 1 };
        GlobalClock::constant(scale, -1_000_000 * i64::from(rank), Span::from_ns(200))
    } else {
        GlobalClock::reference(Timescale::PICOSECONDS)
    };
    let cold = stamp(Ticks(0), Ticks(0));
    RankRecord { cold, ..RankRecord::new(rank, clock, Vec::new()) }
}

fn stamp(start: Ticks, end: Ticks) -> Stamp {
    Stamp { block: 0, calls: 1, due: None, start, end, valid: true }
}

/// Native ranks of Open MPI, with a point that the line misses.
pub(crate) fn machine() -> Machine {
    let point = |bytes: u64| {
        let fitted_us = 0.24 + bytes as f64 * 0.000_11;
        TransferPoint { bytes, half_round_trip_us: around(fitted_us * (1.0 + 0.06 * jitter(bytes)), 0.04), fitted_us }
    };
    let provenance = Provenance {
        date: "2025-01-31T12:00:00Z".into(),
        host: "node1".into(),
        ran_by: "Open MPI 4.1.4, native".into(),
        how: "Ping-pongs between ranks 0 and 1, half of the median round trip, Theil–Sen line.".into(),
        confidence: 0.95,
    };
    let hockney = HockneyEstimate {
        alpha_us: around(0.24, 0.03),
        beta_ns_per_byte: around(0.11, 0.02),
        send_rule: SendRule::Busy,
    };
    Machine {
        control_us: 0.2,
        spread: Estimate { value: 1.0, low: 0.98, high: 1.05 },
        notes: vec!["The points at 64 KiB lie 8 % above the line: the library changes its protocol there.".into()],
        transfer: [8, 64, 1_024, 8_192, 65_536, 262_144].map(point).to_vec(),
        ..Machine::new("openmpi-native-2", provenance, hockney)
    }
}
