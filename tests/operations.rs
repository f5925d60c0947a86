//! The library's collectives in every form on real ranks, and made to use its algorithms by name.

mod common;

use common::command::{finish, mpi_program, parallax};
use common::said::Page;
use measure::board::Board;
use measure::job::{Job, Outcome, Task};
use models::call::{Call, Communicator, Progress, known_names};
use models::clock::ClockKind;
use models::collective::Shape;
use models::forced::{names, setting};
use models::network::{Hockney, SendRule};
use models::time::{PerByte, Span};
use programs::method::{Method, Order, Subject};
use programs::observation::{
    Carrier, Case, CasePlace, CaseSubject, CaseTiming, Conditions, Implementation, Observation, World,
};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

const WORLDS: [World; 2] = [World::OPENMPI, World::MPICH];

/// Ranks of two tests at once would starve each other on few cores.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An order of few calls, by the barrier of our own.
fn order(called: &str, change: impl Fn(&mut Call), by: Implementation, ranks: u32, bytes: u64) -> Order {
    let (collective, mut call) = Call::find(called).unwrap();
    change(&mut call);
    let subject = Subject::Collective(collective, by);
    Order {
        subject,
        shape: Shape::new(ranks, 0, bytes),
        call,
        copies_as: None,
        environment: Default::default(),
        settings: common::settings(Method::BarrierLoop),
    }
}

fn case(world: World, order: &Order) -> Case {
    let Subject::Collective(collective, implementation) = order.subject.clone() else { unreachable!() };
    let Shape { ranks, root, bytes, counts, .. } = order.shape;
    Case {
        place: CasePlace { world, carrier: Carrier::Native, ranks },
        subject: CaseSubject {
            collective,
            implementation,
            root,
            bytes,
            segment_bytes: None,
            fanout: None,
            counts,
            call: order.call,
        },
        timing: CaseTiming {
            method: order.settings.method,
            calls: order.settings.calls,
            conditions: Conditions::default(),
        },
    }
}

/// What the ranks of one launch answer to orders, each checked first; nothing without that library.
fn answers(world: World, ranks: u32, orders: Vec<Order>) -> Option<Vec<Outcome>> {
    let tasks = orders.into_iter().flat_map(|order| {
        let (case, order) = (case(world, &order), Box::new(order));
        [Task::CheckCase { case: case.clone(), order: order.clone() }, Task::Measure { case, order }]
    });
    launched(world, ranks, tasks.collect())
}

/// The same, only checked.
fn checked(world: World, ranks: u32, orders: Vec<Order>) -> Option<Vec<Outcome>> {
    let task = |order: Order| Task::CheckCase { case: case(world, &order), order: Box::new(order) };
    launched(world, ranks, orders.into_iter().map(task).collect())
}

fn launched(world: World, ranks: u32, tasks: Vec<Task>) -> Option<Vec<Outcome>> {
    let program = mpi_program(world.name())?;
    let folder = tempfile::tempdir().unwrap();
    let emulated = Hockney { alpha: Span::from_us(1), beta: PerByte(0.0), send_rule: SendRule::Busy };
    let job = Job {
        ranks,
        cores: 2,
        hosts: 1,
        world,
        carrier: Carrier::Native,
        emulated,
        clock: ClockKind::Automatic,
        clocks: None,
        tasks,
    };
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("job.json"), serde_json::to_vec(&job).unwrap()).unwrap();
    std::fs::write(at("results.jsonl"), "").unwrap();
    // Ranks end if nobody holds the board.
    let _watched = Board::create(&at("board"), ranks).unwrap();
    let mut command = Command::new(format!("mpirun.{}", world.name()));
    if world == World::OPENMPI {
        command.args(["--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]);
        command.args(["--mca", "btl_vader_single_copy_mechanism", "none"]);
    }
    command.args(["-n", &ranks.to_string()]).arg(program);
    command.args(["--job", at("job.json").to_str().unwrap(), "--results", at("results.jsonl").to_str().unwrap()]);
    let done = finish(command.args(["--board", at("board").to_str().unwrap()]));
    assert_eq!(done.code, 0, "{done:?}");
    let lines = std::fs::read_to_string(at("results.jsonl")).unwrap();
    Some(lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Every second answer: what was measured, after its check.
fn measured(answers: Vec<Outcome>) -> Vec<Observation> {
    let mut observations = Vec::new();
    for pair in answers.chunks(2) {
        match pair {
            [Outcome::Checked(1), Outcome::Measured(observation)] => observations.push(observation.clone()),
            other => panic!("{other:?}"),
        }
    }
    observations
}

#[test]
fn every_call_in_every_form_is_right_to_the_byte_on_both_libraries() {
    let _alone = alone();
    for world in WORLDS.into_iter().filter(|world| mpi_program(world.name()).is_some()) {
        let folder = tempfile::tempdir().unwrap();
        let check = ["probe", "data", "--world", world.name(), "--operation", "all", "--ranks"];
        // MPICH's ranks spin: more of them than cores take minutes for what takes seconds.
        for ranks in if world == World::MPICH { &["2"][..] } else { &["2", "3", "4"] } {
            let done = finish(parallax(&folder).args(check).arg(ranks));
            assert_eq!(done.code, 0, "{}, {ranks} ranks: {done:?}", world.title());
            assert!(done.stdout.contains("every byte right"), "{done:?}");
        }
    }
}

#[test]
fn some_calls_are_right_on_three_ranks_of_mpich() {
    let _alone = alone();
    if mpi_program("mpich").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let check = [
        "probe",
        "data",
        "--world",
        "mpich",
        "--ranks",
        "3",
        "--operation",
        "ialltoallw",
        "--operation",
        "reduce-scatter",
    ];
    let done = finish(parallax(&folder).args(check));
    assert_eq!(done.code, 0, "{done:?}");
}

#[test]
fn unknown_operations_and_worlds_without_a_library_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new();
    for arguments in [
        &["probe", "data", "--world", "openmpi", "--operation", "gatherw"][..],
        &["probe", "data", "--world", "threads", "--operation", "ibcast"],
    ] {
        let done = finish(parallax(&folder).args(arguments));
        assert_eq!(done.code, 2, "{done:?}");
        page.add(arguments, &done);
    }
    insta::assert_snapshot!(page);
}

#[test]
fn forms_are_measured_by_every_rank_and_computation_is_recorded() {
    let _alone = alone();
    let library = || Implementation::Library;
    for world in WORLDS {
        let orders = vec![
            order("ibcast", |_| {}, library(), 2, 64),
            order("alltoallw", |call| call.communicator = Communicator::Reversed, library(), 2, 64),
            order("iallreduce", |call| call.progress = Progress::Progressed, library(), 2, 4096),
            order("ineighbor-alltoallv", |call| call.communicator = Communicator::Cartesian, library(), 2, 64),
        ];
        let Some(answers) = answers(world, 2, orders) else { continue };
        let all = measured(answers);
        assert_eq!(all.len(), 4);
        for observation in &all {
            assert!(observation.ranks.iter().all(|rank| rank.stamps.len() == 3 * 4), "{}", observation.case);
        }
        let overlap = all[2].ranks[1].overlap.expect("it computes meanwhile");
        assert!(overlap.pure > Span::ZERO && overlap.tests == 9, "{overlap:?}");
        assert!(all[0].ranks[0].overlap.is_none());
    }
}

#[test]
fn a_forced_algorithm_is_read_back_from_the_library() {
    let _alone = alone();
    let forced = |name: &str| Implementation::Forced(name.to_owned());
    for (world, number, variable) in
        [(World::OPENMPI, 6, "coll_tuned_bcast_algorithm"), (World::MPICH, 1, "MPIR_CVAR_BCAST_INTRA_ALGORITHM")]
    {
        let orders = vec![
            order("bcast", |_| {}, forced("binomial"), 2, 64),
            order("allgather", |_| {}, forced("ring"), 2, 64),
            order("bcast", |_| {}, Implementation::Library, 2, 64),
        ];
        let Some(answers) = answers(world, 2, orders) else { continue };
        let all = measured(answers);
        for rank in &all[0].ranks {
            let proof = rank.forced.as_ref().expect("it was read back");
            assert!(proof.contains(&format!("{variable} = {number}")), "{proof}");
        }
        assert!(all[1].ranks[1].forced.as_ref().is_some_and(|proof| proof.starts_with("ring (")));
        assert_eq!(all[2].ranks[0].forced, None);
    }
}

#[test]
fn every_algorithm_that_a_library_would_use_is_used_and_right() {
    let _alone = alone();
    for (world, ranks) in [(World::OPENMPI, 2), (World::OPENMPI, 4), (World::MPICH, 2)] {
        let mut orders = Vec::new();
        for called in known_names() {
            let (collective, call) = Call::find(&called).unwrap();
            for name in names(world, collective, &call) {
                let order = order(&called, |_| {}, Implementation::Forced(name.to_owned()), ranks, 64);
                if setting(world, collective, &call, &order.shape, name).is_ok() {
                    orders.push(order);
                }
            }
        }
        assert!(orders.len() > 30, "{} in {}", orders.len(), world.title());
        let called: Vec<String> = orders.iter().map(|order| case(world, order).to_string()).collect();
        let Some(answers) = checked(world, ranks, orders) else { continue };
        let mut wrong = Vec::new();
        for (called, answer) in called.iter().zip(answers) {
            match answer {
                Outcome::Checked(1) => {}
                // Open MPI gives this variable a constant scope: it is set in the environment or not at all.
                Outcome::Refused(why) if why.contains("does not allow coll_tuned_allgatherv_algorithm") => {}
                // MPICH's algorithms for several nodes are not usable on one.
                Outcome::Refused(why)
                    if called.contains(" library's smp/") && why.starts_with("the library refused it: ") => {}
                other => wrong.push(format!("{called}: {other:?}")),
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn wrong_names_and_what_the_library_would_not_do_are_refused_on_every_rank() {
    let _alone = alone();
    let forced = |name: &str| Implementation::Forced(name.to_owned());
    for world in WORLDS {
        let orders = vec![
            order("bcast", |_| {}, forced("bruck"), 3, 64),
            order("barrier", |_| {}, forced("two_proc"), 3, 0),
            order("bcast", |_| {}, Implementation::Own("linear".to_owned()), 3, 64),
        ];
        let Some(answers) = answers(world, 3, orders) else { continue };
        let refusal = |at: usize| match &answers[at] {
            Outcome::Refused(why) => why.clone(),
            other => panic!("{other:?}"),
        };
        assert!(refusal(1) == refusal(0) && refusal(2).contains("two_proc"), "{answers:?}");
        insta::assert_snapshot!(format!("refused_by_{}", world.name()), [refusal(0), refusal(2)].join("\n"));
        assert!(matches!(answers[5], Outcome::Measured(_)), "the ranks go on: {answers:?}");
    }
}

#[test]
fn simulated_ranks_take_the_algorithm_of_a_forced_name_and_refuse_other_forms() {
    let network = models::network::Network::parse("loggp", Some("L=2us,o=1us,g=0us,G=1ns/B"), None).expect("a network");
    let predictor = sim::Predictor::perfect(network);
    let by = |by| predictor.truth(&order("bcast", |_| {}, by, 8, 64)).unwrap();
    let forced = by(Implementation::Forced("basic_linear".to_owned()));
    assert_eq!(forced, by(Implementation::Own("linear".to_owned())));
    assert_ne!(forced, by(Implementation::Library));
    let refused = predictor.predict(&order("ibcast", |_| {}, Implementation::Library, 8, 64)).unwrap_err();
    insta::assert_snapshot!(refused);
}

/// A refusal without how much memory this machine has.
fn without_memory(refusal: &str) -> String {
    let (before, after) = refusal.split_once("this machine has ").expect("how much there is");
    let (_, cure) = after.split_once(';').expect("a cure");
    format!("{before}this machine has ROOM;{cure}")
}

/// Whether ranks on so many hosts may be asked to measure this.
fn fits(order: Order, world: World, ranks: u32, hosts: u32) -> Result<(), String> {
    let tasks = vec![Task::Measure { case: case(world, &order), order: Box::new(order) }];
    let emulated = Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Busy };
    let carrier = Carrier::Native;
    Job { ranks, cores: 2, hosts, world, carrier, emulated, clock: ClockKind::Automatic, clocks: None, tasks }.fits()
}

#[test]
fn a_job_that_does_not_fit_the_memory_or_mpi_s_counts_is_refused() {
    let huge = |ranks, bytes| {
        fits(order("iallgather", |_| {}, Implementation::Library, ranks, bytes), World::OPENMPI, ranks, 1)
    };
    assert_eq!(huge(2, 8), Ok(()));
    insta::assert_snapshot!("counts_beyond_an_int", huge(2, 1 << 30).unwrap_err());
    insta::assert_snapshot!("more_than_the_memory", without_memory(&huge(1 << 20, 512).unwrap_err()));
}

#[test]
fn an_algorithm_that_its_library_refuses_on_one_host_is_refused_there() {
    let forced = || Implementation::Forced("smp".to_owned());
    let called = |hosts| fits(order("bcast", |_| {}, forced(), 2, 8), World::MPICH, 2, hosts);
    let in_between = |hosts| {
        let mut order = order("bcast", |_| {}, Implementation::Library, 2, 8);
        order.settings.barrier = forced();
        fits(order, World::MPICH, 2, hosts)
    };
    assert_eq!([called(2), in_between(2)], [Ok(()), Ok(())]);
    for refused in [called(1), in_between(1)] {
        assert!(refused.is_err_and(|why| why.starts_with("library:smp: MPICH uses smp only")));
    }
}
