//! The threads world: data arrive, send rules hold, methods run, failures name their rank.

use models::call::Call;
use models::clock::ClockKind;
use models::collective::Collective;
use models::network::{Hockney, SendRule};
use models::time::{PerByte, Span};
use parallax_measure::board::Board;
use parallax_measure::job::{Job, Outcome, Task};
use parallax_measure::threads;
use programs::calibration::{CalibrationSettings, Sample};
use programs::method::{
    Buffer, Factors, FirstCall, Method, MethodSettings, Order, RootChoice, RoundTimeSettings, Subject, WindowSettings,
};
use programs::observation::{
    Carrier, Case, CasePlace, CaseSubject, CaseTiming, Conditions, Implementation, Observation, World,
};
use programs::sync::Sync;

const ALPHA: Span = Span::from_us(500);
/// How often a test tries what other programs on its cores can spoil.
const ATTEMPTS: usize = 8;

fn case(algorithm: &str, ranks: u32, method: Method) -> Case {
    Case {
        place: CasePlace { world: World::Threads, carrier: Carrier::EMULATED, ranks },
        subject: CaseSubject {
            collective: Collective::Bcast,
            implementation: Implementation::Own(algorithm.to_owned()),
            root: 0,
            bytes: 64,
            segment_bytes: None,
            fanout: None,
            counts: None,
            call: Call::default(),
        },
        timing: CaseTiming { method, calls: 4, conditions: Conditions::default() },
    }
}

fn task(case: Case) -> Task {
    let settings = MethodSettings {
        method: case.timing.method,
        calls: case.timing.calls,
        samples: 5,
        warmup: 1,
        barrier: Implementation::Own("dissemination".to_owned()),
        sync: Sync::Linear,
        window: WindowSettings::default(),
        round_time: RoundTimeSettings::default(),
        factors: Factors::default(),
    };
    let order = Order {
        subject: Subject::Collective(case.subject.collective, case.subject.implementation.clone()),
        shape: case.shape(),
        call: case.subject.call,
        copies_as: None,
        environment: Default::default(),
        settings,
    };
    Task::Measure { case, order: Box::new(order) }
}

fn job(ranks: u32, send_rule: SendRule, tasks: Vec<Task>) -> Job {
    let emulated = Hockney { alpha: ALPHA, beta: PerByte::from_ns(10.0), send_rule };
    Job {
        ranks,
        cores: 2,
        hosts: 1,
        world: World::Threads,
        carrier: Carrier::EMULATED,
        emulated,
        clock: ClockKind::Automatic,
        clocks: None,
        tasks,
    }
}

fn outcomes(job: &Job) -> Vec<Outcome> {
    let board = Board::in_memory(job.ranks).unwrap();
    let mut outcomes = Vec::new();
    threads::run(job, &board, &mut |outcome| outcomes.push(outcome)).unwrap();
    assert_eq!(outcomes.len(), job.tasks.len());
    outcomes
}

fn observation(outcome: &Outcome) -> &Observation {
    match outcome {
        Outcome::Measured(observation) => observation,
        other => panic!("expected a measurement, got {other:?}"),
    }
}

/// Least time per call of a rank, in units of α.
fn least(observation: &Observation, rank: usize) -> f64 {
    let record = &observation.ranks[rank];
    let times = record.valid().map(|stamp| record.time_per_call(stamp).as_us() / ALPHA.as_us());
    times.fold(f64::INFINITY, f64::min)
}

#[test]
fn no_message_arrives_before_its_time() {
    // Lower bounds hold however busy the machine is; upper ones would be assertions on timing.
    let methods = [Method::Loop, Method::BarrierLoop, Method::Window, Method::LoopTrace];
    let tasks = methods.map(|method| task(case("linear", 4, method))).to_vec();
    let outcomes = outcomes(&job(4, SendRule::Busy, tasks));
    let tau = ALPHA + Span::from_ns(10) * 64;
    for (outcome, transfers_before) in [(&outcomes[0], 3 * 3), (&outcomes[1], 0), (&outcomes[2], 0)] {
        let ranks = &observation(outcome).ranks;
        assert_eq!(ranks.len(), 4);
        for (i, record) in ranks.iter().enumerate().skip(1) {
            for (from_root, stamp) in ranks[0].stamps.iter().zip(&record.stamps) {
                // All ranks read one clock here: no rank ends before the root has served it the last time.
                let since_root = record.clock.scale.span(from_root.start, stamp.end);
                let least = tau * (transfers_before + i as u64);
                assert!(since_root >= least, "rank {i}: {since_root} after the root began instead of {least}");
            }
        }
    }
    let trace = observation(&outcomes[3]);
    assert_eq!(trace.ranks[0].steps.len(), 5 * 4 * 3, "the root sends three messages in each of twenty calls");
    assert!(trace.ranks[2].steps.iter().all(|step| step.received_from == Some(0)));
}

#[test]
fn every_method_and_factor_is_carried_out_by_threads() {
    let plain: Vec<Task> = Method::ALL.map(|method| task(case("linear", 3, method))).to_vec();
    let mut factored = plain.clone();
    for task in &mut factored {
        if let Task::Measure { order, .. } = task {
            order.settings.factors.root = RootChoice::Rotating;
            order.settings.factors.buffer = Buffer::Pool;
            order.settings.factors.barrier_inside = true;
            order.settings.factors.first_call = FirstCall::Included;
        }
    }
    for outcome in outcomes(&job(3, SendRule::Busy, [plain, factored].concat())) {
        let observation = observation(&outcome);
        let method = observation.case.timing.method;
        assert!(observation.ranks.iter().all(|record| !record.stamps.is_empty()), "{method}");
        let subtracted = observation.ranks.iter().all(|record| record.subtracted.len() == record.stamps.len());
        assert_eq!(subtracted, method == Method::BarrierSubtract);
        assert_eq!(observation.ranks[2].round_time.is_some(), method == Method::RoundTime);
    }
}

#[test]
fn every_algorithm_moves_the_right_bytes_under_every_send_rule() {
    // Which message waits for which under every rule is checked with the algorithms; here it is the bytes.
    for (ranks, rule) in [2, 3, 5, 8].into_iter().zip(SendRule::ALL).chain([(4, SendRule::Synchronous)]) {
        let mut job = job(ranks, rule, vec![Task::Check]);
        job.emulated = Hockney { alpha: Span::from_us(20), beta: PerByte(0.0), send_rule: rule };
        assert!(matches!(outcomes(&job)[..], [Outcome::Checked(calls)] if calls > 30), "{ranks} ranks, {rule:?}");
    }
}

#[test]
fn an_eager_root_runs_ahead_and_a_busy_one_does_not() {
    let root_time = |rule| {
        let outcomes = outcomes(&job(3, rule, vec![task(case("linear", 3, Method::Loop))]));
        least(observation(&outcomes[0]), 0)
    };
    assert!(root_time(SendRule::Busy) >= 1.99);
    assert!(root_time(SendRule::Synchronous) >= 1.99);
    assert!(root_time(SendRule::Eager) < 1.0, "an eager root does not wait for α");
    assert!(root_time(SendRule::Detached) < 1.0, "a detached root does not wait for α");
}

#[test]
fn calibration_never_undercuts_the_emulated_network() {
    let ping_pongs = CalibrationSettings::ping_pongs(vec![0, 1_000, 4_000], 5, 1);
    let settings = CalibrationSettings { train: 3, delayed_trains: true, ..ping_pongs };
    let calibrated = || match outcomes(&job(3, SendRule::Busy, vec![Task::Calibrate(settings.clone())])).swap_remove(0)
    {
        Outcome::Calibrated { samples, control, .. } => (samples, control),
        other => panic!("{other:?}"),
    };
    // The slowest of three ranks may wait for one of two cores in every round trip.
    let mut attempts = (0..ATTEMPTS).map(|_| calibrated());
    let found = attempts.find(|(_, control)| *control < ALPHA);
    let (samples, control) = found.expect("control messages do not cross the emulated network");
    assert!(control > Span::ZERO);
    assert_eq!(samples.len(), 3 + 3 + 3, "ping-pongs, trains, and trains with delay");
    for sample in samples {
        let Sample::RoundTrips(prtt) = &sample else { panic!("{sample:?}") };
        let one = ALPHA + Span::from_ns(10) * prtt.bytes;
        let floor = (one + prtt.delay) * u64::from(prtt.messages - 1) + one * 2;
        assert_eq!(prtt.round_trips.len(), 5);
        assert!(prtt.round_trips.iter().all(|&span| span >= floor - Span::from_us(1)), "{prtt:?} below {floor}");
    }
}

/// Late receives of two lengths, and how many late sends there are, if the calibration shows that senders wait, or
/// that they do not.
fn late_receives(rule: SendRule, wait: bool) -> Result<(), String> {
    let ping_pongs = CalibrationSettings::ping_pongs(vec![1, 1_000], 5, 1);
    let settings = CalibrationSettings { late_receives: true, ..ping_pongs };
    let outcomes = outcomes(&job(2, rule, vec![Task::Calibrate(settings)]));
    let Outcome::Calibrated { samples, .. } = &outcomes[0] else { panic!("{outcomes:?}") };
    let late: Vec<_> = samples.iter().filter_map(Sample::late_receives).collect();
    assert!(late.iter().all(|late| (late.sends.len(), late.receives.len()) == (5, 5)), "{late:?}");
    let late_sends = samples.iter().filter(|sample| matches!(sample, Sample::LateSends(_))).count();
    // Who comes late finds an eager message there; a synchronous one is only then sent.
    let posted = |receive: &&Span| **receive < ALPHA - Span::from_us(1);
    let sent_late = late.iter().all(|late| late.receives.iter().filter(posted).count() < 3);
    let told = late.len() == 2 && late.iter().all(|late| late.wait() == wait) && (!wait || sent_late);
    if told && late_sends == if wait { 2 } else { 0 } {
        Ok(())
    } else {
        Err(format!("{late_sends} late sends, {late:?}"))
    }
}

#[test]
fn late_receives_show_whose_senders_wait() {
    // Ranks that are kept from their cores, as beside other tests, send late or for long, and are judged wrongly: what
    // no attempt shows is wrong without them, too.
    for (rule, wait) in [(SendRule::Eager, false), (SendRule::Synchronous, true)] {
        let failures: Vec<_> = (0..ATTEMPTS).map_while(|_| late_receives(rule, wait).err()).collect();
        assert!(failures.len() < ATTEMPTS, "{rule:?}: {failures:#?}");
    }
}

#[test]
fn a_rank_that_fails_is_named_and_takes_the_others_along() {
    let mut broken = case("linear", 4, Method::Loop);
    broken.subject.implementation = Implementation::Library; // which threads do not have
    let job = job(4, SendRule::Busy, vec![task(case("linear", 4, Method::Loop)), task(broken)]);
    let board = Board::in_memory(4).unwrap();
    let mut told = 0;
    let error = threads::run(&job, &board, &mut |_| told += 1).unwrap_err().to_string();
    assert_eq!(told, 1, "what was finished before has been told");
    assert!(error.contains("rank 0 on ") && error.contains("'first call and warm-up'"), "{error}");
}

#[test]
fn an_unknown_algorithm_is_refused_by_name() {
    let job = job(2, SendRule::Busy, vec![task(case("ring2", 2, Method::Loop))]);
    let outcomes = outcomes(&job);
    let [Outcome::Refused(why)] = &outcomes[..] else { panic!("{outcomes:?}") };
    insta::assert_snapshot!(why);
}

#[test]
fn a_library_that_is_told_at_its_start_has_one_algorithm_in_a_job() {
    let by = |implementation: Implementation| {
        task(case("linear", 2, Method::Loop).with(|case| case.subject.implementation = implementation))
    };
    let forced = |name: &str| by(Implementation::Forced(name.to_owned()));
    let own = || by(Implementation::Library);
    let fits = |world, tasks| Job { world, ..job(2, SendRule::Eager, tasks) }.fits();
    let intel = World::from(models::library::Library::INTELMPI);
    for tasks in [vec![forced("ring"), own()], vec![own(), forced("ring")], vec![forced("ring"), forced("adjust-7")]] {
        assert_eq!(fits(World::OPENMPI, tasks.clone()), Ok(()), "it is told between calls");
        assert!(fits(intel, tasks).is_err_and(|why| why.contains("told its algorithm when it starts")));
    }
    assert_eq!(fits(intel, vec![Task::ReportCard, forced("ring"), forced("ring")]), Ok(()), "one is one start");
}
