//! Campaigns made from closed forms, for tests: what linear broadcasts under Hockney with busy
//! senders look like through each method, with a small known error on the measured side.

// Each crate whose tests use this file uses a part of it.
#![allow(dead_code)]

use models::call::Call;
use models::clock::{GlobalClock, Ticks, Timescale};
use models::closed_form::{linear_bcast_loop, linear_bcast_time};
use models::collective::Collective;
use models::network::{Hockney, LogGp, Network, SendRule};
use models::time::{PerByte, Span, Time};
use programs::machine::Bound;
use programs::method::Method;
use programs::observation::{
    Carrier, Case, CasePlace, CaseSubject, CaseTiming, ClockCheck, Conditions, Implementation, Observation, Occasion,
    RankRecord, Stamp, WindowRecord, World,
};
use scenario::store::{FORMAT, Line};

/// Calls per loop.
pub(crate) const CALLS: u32 = 4;
/// Samples of each method.
pub(crate) const SAMPLES: u32 = 30;
/// The best τ of the emulated network.
pub(crate) const TAU: Span = Span::from_us(1_000);

pub(crate) fn case(carrier: Carrier, ranks: u32, algorithm: &str, method: Method) -> Case {
    Case {
        place: CasePlace { world: if carrier.is_emulated() { World::Threads } else { World::OPENMPI }, carrier, ranks },
        subject: CaseSubject {
            collective: Collective::Bcast,
            implementation: Implementation::Own(algorithm.to_owned()),
            root: 0,
            bytes: 1024,
            segment_bytes: None,
            fanout: None,
            counts: None,
            call: Call::default(),
        },
        timing: CaseTiming { method, calls: CALLS, conditions: Conditions::default() },
    }
}

pub(crate) fn campaign() -> Line {
    Line::Campaign {
        format: FORMAT,
        question: "By how much does an unsynchronised loop misreport a linear broadcast?".to_owned(),
        name: "unit".to_owned(),
        seed: 7,
        scenario_text: "# By how much?\n".to_owned(),
        environment: vec![("Host".to_owned(), "unit".to_owned())],
        reproduce: vec!["parallax run scenarios/unit.toml".to_owned()],
    }
}

pub(crate) fn busy() -> Network {
    Network::Hockney(Hockney { alpha: TAU, beta: PerByte(0.0), send_rule: SendRule::Busy })
}

pub(crate) fn loggp() -> Network {
    Network::Loggp(LogGp {
        latency: TAU,
        overhead_send: Span::ZERO,
        overhead_receive: Span::ZERO,
        gap: Span::ZERO,
        gap_per_byte: PerByte(0.0),
    })
}

/// What the method's stamps last on a rank, for one block or one start.
fn lasts(case: &Case, rank: u32, tau: Span) -> Span {
    match case.timing.method {
        Method::Loop | Method::BarrierSubtract => linear_bcast_loop(tau, case.place.ranks, rank, case.timing.calls),
        Method::BarrierLoop
        | Method::RootRotation
        | Method::Window
        | Method::RoundTime
        | Method::BarrierOwn
        | Method::BarrierInside
        | Method::LoopTrace => linear_bcast_time(tau, case.place.ranks, rank),
    }
}

/// An observation in which sample i of every rank is longer by `longer(i)`; every fifth window is not valid.
pub(crate) fn observation(case: Case, tau: Span, longer: impl Fn(u32) -> Span) -> Observation {
    let ranks = (0..case.place.ranks).map(|rank| record(&case, rank, tau, &longer)).collect();
    let ran_by = if tau == TAU { "the model" } else { "threads, emulated" };
    Observation { oversubscribed: true, ..Observation::new(case, ran_by, ranks) }
}

fn record(case: &Case, rank: u32, tau: Span, longer: &dyn Fn(u32) -> Span) -> RankRecord {
    let offset_ps = -1_000_000 * i64::from(rank);
    let clock = GlobalClock::constant(Timescale::PICOSECONDS, offset_ps, Span::from_ns(u64::from(rank)));
    let window = case.timing.method == Method::Window;
    let per_block = if case.timing.method == Method::BarrierLoop { case.timing.calls } else { 1 };
    let stamps = (0..SAMPLES * per_block).map(|index| {
        let block = index / per_block;
        // Rank r's clock is r µs ahead; in windows it starts r·10 ns late.
        let due = 1_000_000_000_000 * (u64::from(index) + 1) + 1_000_000 * u64::from(rank);
        let start = due + if window { 10_000 * u64::from(rank) } else { 0 };
        let valid = !window || index % 5 != 4;
        let spoilt = if valid { 0 } else { 1_000_000_000_000 };
        let end = if window { due } else { start } + (lasts(case, rank, tau) + longer(block)).0 + spoilt;
        let calls = if case.timing.method == Method::Loop { case.timing.calls } else { 1 };
        Stamp { block, calls, due: window.then_some(Ticks(due)), start: Ticks(start), end: Ticks(end), valid }
    });
    let stamps: Vec<Stamp> = stamps.collect();
    let deltas = vec![Span::from_us(9_000), Span::from_us(8_800)];
    let record =
        WindowRecord { announce: Span::from_us(50), deltas, late_tolerance: Span::from_us(176), capped: false };
    RankRecord {
        // A second later: a drift of 5 ns.
        clock_after: GlobalClock { offset_ps: offset_ps - 5_000, at: Time(1_000_000_000_000), ..clock },
        window: window.then_some(record),
        ..RankRecord::new(rank, clock, stamps)
    }
}

/// Truths and predictions at τ ± 1 % for one case.
pub(crate) fn predictions(case: &Case, network: &Network) -> Vec<Line> {
    let bounds = [(Bound::Low, 99), (Bound::Best, 100), (Bound::High, 101)];
    let lines = bounds.into_iter().flat_map(|(bound, percent)| {
        let tau = Span(TAU.0 / 100 * percent);
        let spans = (0..case.place.ranks).map(|rank| linear_bcast_time(tau, case.place.ranks, rank)).collect();
        let mut observation = observation(case.clone(), tau, |_| Span::ZERO);
        observation.ran_by = network.to_string();
        [
            Line::Truth { case: case.by(Method::Window), occasion: Occasion::default(), bound, spans },
            Line::Predicted { bound, network: *network, observation },
        ]
    });
    lines.collect()
}

/// Sample i is measured i·0.1 µs longer than the model says with a τ that is 0.2 % longer.
pub(crate) fn measurement(case: Case) -> Observation {
    observation(case, Span::from_us(1_002), |sample| Span::from_ns(100) * u64::from(sample))
}

/// A campaign over the given subjects under all three methods and the trace, complete.
pub(crate) fn lines(subjects: &[(Carrier, u32, &str)], network: &Network) -> Vec<Line> {
    let mut lines = vec![campaign()];
    for &(carrier, ranks, algorithm) in subjects {
        for method in [Method::Loop, Method::BarrierLoop, Method::Window, Method::LoopTrace] {
            let case = case(carrier, ranks, algorithm, method);
            lines.extend(predictions(&case, network));
            lines.push(Line::Measured(measurement(case)));
        }
    }
    lines.push(Line::Finished {});
    lines
}

/// Waits on ranks whose sample i lasts i ns longer.
pub(crate) fn clock_check(carrier: Carrier, ranks: u32) -> ClockCheck {
    let windows = |us: &dyn Fn(u32) -> u64| {
        let case = case(carrier, ranks, "linear", Method::Window);
        let record = |rank| {
            let mut record = record(&case, rank, Span::ZERO, &|sample| Span::from_ns(u64::from(sample)));
            for stamp in &mut record.stamps {
                stamp.end.0 = stamp.end.0 + stamp.start.0 - stamp.due.map_or(0, |due| due.0) + us(rank) * 1_000_000;
            }
            record
        };
        (0..ranks).map(record).collect()
    };
    ClockCheck {
        world: case(carrier, ranks, "linear", Method::Window).place.world,
        carrier,
        conditions: Conditions::default(),
        occasion: Occasion::default(),
        oversubscribed: carrier.is_emulated(),
        clocks: None,
        null: windows(&|_| 0),
        up: windows(&|rank| u64::from(rank) + 1),
        down: windows(&|rank| u64::from(ranks - rank)),
    }
}
