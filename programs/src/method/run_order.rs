//! Execution of an order on one rank: its operation, barrier, factors and method.

use super::factors::{Factored, Footprints};
use super::overlap::overlap;
use super::{
    FirstCall, Method, MethodSettings, Order, Subject, barrier_inside, barrier_loop, barrier_own, barrier_subtract,
    loop_trace, root_rotation, round_time, unsynchronised_loop, window,
};
use crate::observation::{Implementation, OverlapRecord, RankRecord, Stamp};
use crate::operation::{
    Any, Library, Operation, Overlapped, OwnProgram, Prepared, WaitPattern, WaitPatternDown, WaitPatternNull,
    WaitPatternUp,
};
use crate::rank::{Phase, Rank};
use crate::with_library;
use models::call::{Call, Progress};
use models::collective::{Algorithm, Collective, Shape};
use std::cell::Cell;
use std::pin::Pin;

/// Executes an order on one rank. Called by all ranks together, in every world.
///
/// # Errors
/// Names an algorithm that the table does not have, or a factor or a call that the world does not have.
pub async fn run_order<R: Rank>(rank: &R, order: &Order) -> Result<RankRecord, String> {
    let settings = &order.settings;
    rank.forget_calls();
    let barrier = barrier(rank, order)?;
    let (buffer, method) = (settings.factors.buffer, settings.method);
    if buffer.is_prepared() && !method.times_single_calls(settings.factors.rotation) {
        return Err(format!(
            "method {method} times several calls between two readings, so that ranks cannot work on buffers between them; \
             expected buffer same or pool, found {}",
            buffer.name()
        ));
    }
    if !rank.use_buffers(buffer) {
        return Err(format!(
            "this world cannot give calls buffers that are {}; expected buffer = \"same\"",
            buffer.name()
        ));
    }
    settings.factors.delay.map_or(Ok(()), |delay| delay.accepts(rank.size()))?;
    let roots = order.roots();
    let mut prepared = Vec::with_capacity(roots.len());
    for root in roots {
        let operation = match prepared.first() {
            Some(Any::Later(first)) => Any::Later(first.from_root(root)),
            _ => any(rank, order, root)?,
        };
        prepared.push(operation);
    }
    let (operations, overlap) = overlapped(rank, order, prepared, &barrier).await;
    let forced = operations.first().and_then(|operation| operation.proof(rank));
    let placement = operations.first().and_then(|operation| operation.placement(rank));
    let footprints = Footprints::new(order, rank);
    rank.work_on(footprints.of_turn(0));
    let before = rank.usage();
    let is_long = order.shape.bytes >= ALLOCATED;
    let are_alike = operations.len() == 1 && !settings.factors.barrier_inside;
    let (mut record, page_faults) = if R::HAS_LIBRARY && are_alike {
        // Only the call lies between the clock reads. Where no library's call is timed, that does not justify compiling
        // the methods once more.
        let operation = &operations[0];
        (alone(rank, settings, operation, &barrier).await, page_faults(rank, operation, is_long).await)
    } else {
        let barrier_inside = settings.factors.barrier_inside.then_some(&barrier);
        let operation = Factored { operations, footprints, next: Cell::new(0), barrier: barrier_inside };
        (run(rank, settings, &operation, &barrier).await, page_faults(rank, &operation, is_long).await)
    };
    (record.overlap, record.forced, record.placement, record.page_faults) = (overlap, forced, placement, page_faults);
    record.usage = rank.usage().zip(before).map(|(after, before)| after.since(&before));
    Ok(record)
}

/// Shortest buffer, in bytes, that may justify an allocation of its own in a call.
const ALLOCATED: u64 = 32 << 10;

/// Number of pages that further calls were given, where ranks have pages of their own.
async fn page_faults<R: Rank>(rank: &R, operation: &impl Operation, is_long: bool) -> Option<u64> {
    let before = rank.page_faults().filter(|_| is_long)?;
    for _ in 0..RankRecord::FAULT_CALLS {
        operation.call(rank).await;
    }
    Some(rank.page_faults()?.saturating_sub(before))
}

/// Returns the barrier that the method itself uses.
fn barrier<R: Rank>(rank: &R, order: &Order) -> Result<Any, String> {
    Ok(match &order.settings.barrier {
        Implementation::Own(name) => {
            let shape = Shape::new(rank.size(), 0, 0);
            let algorithm = Algorithm::find(Collective::Barrier, name)?;
            Any::own::<R>(OwnProgram { algorithm, shape, rank: rank.id(), copies_as: None })
        }
        Implementation::Library | Implementation::Tuned(_) => Any::Library(Library(Collective::Barrier, order.shape)),
        Implementation::Forced(name) => {
            let shape = Shape::new(rank.size(), 0, 0);
            Any::Prepared(Prepared(rank.prepare_call(Collective::Barrier, &Call::default(), &shape, Some(name))?))
        }
        Implementation::Shared(queued) => {
            queued.accepts(Collective::Barrier, &Call::default())?;
            Any::Prepared(Prepared(rank.prepare_shared(queued, &Call::default(), &order.shape)?))
        }
    })
}

/// Operations of the order, with computation between issue and wait where the order says so.
async fn overlapped<R: Rank>(
    rank: &R,
    order: &Order,
    operations: Vec<Any>,
    barrier: &Any,
) -> (Vec<Any>, Option<OverlapRecord>) {
    let progress = order.call.progress;
    match (progress, &operations[0]) {
        (Progress::Overlapped | Progress::Progressed, &Any::Prepared(Prepared(number))) => {
            let (first, record) = overlap(rank, number, progress, barrier).await;
            let with_work = |operation| match operation {
                Any::Prepared(Prepared(number)) => Any::Overlapped(Overlapped { number, ..first }),
                other => other,
            };
            (operations.into_iter().map(with_work).collect(), Some(record))
        }
        _ => (operations, None),
    }
}

/// Runs [`run_specialised`] for kinds of ranks that need it, else [`run`]. It is no `async fn`, in which the compiler
/// would not see that most ranks never reach the specialised methods, and would compile all of them for every kind of
/// rank.
fn alone<'a, R: Rank>(
    rank: &'a R,
    settings: &'a MethodSettings,
    operation: &'a Any,
    barrier: &'a Any,
) -> Pin<Box<dyn Future<Output = RankRecord> + 'a>> {
    if R::SPECIALISED {
        Box::pin(run_specialised(rank, settings, operation, barrier))
    } else if R::HAS_LIBRARY {
        Box::pin(run(rank, settings, operation, barrier))
    } else {
        unreachable!("ranks without a library are asked for nothing as short as that")
    }
}

/// Does the work of [`run`], compiled for the operation's own type.
async fn run_specialised<R: Rank>(rank: &R, settings: &MethodSettings, operation: &Any, barrier: &Any) -> RankRecord {
    match operation {
        Any::Own(own) => run(rank, settings, own, barrier).await,
        Any::Later(_) => unreachable!("ranks that methods are compiled for work ahead"),
        Any::Null => run(rank, settings, &WaitPatternNull, barrier).await,
        Any::Up => run(rank, settings, &WaitPatternUp, barrier).await,
        Any::Down => run(rank, settings, &WaitPatternDown, barrier).await,
        Any::Prepared(prepared) => run(rank, settings, prepared, barrier).await,
        Any::Overlapped(overlapped) => run(rank, settings, overlapped, barrier).await,
        &Any::Library(Library(collective, shape)) => {
            with_library!(collective, shape, |operation| run(rank, settings, &operation, barrier).await)
        }
    }
}

/// Returns the order's operation from one root.
fn any<R: Rank>(rank: &R, order: &Order, root: u32) -> Result<Any, String> {
    let shape = Shape { root, ..order.shape };
    let call = &order.call;
    let prepare = |collective: Collective, call: &Call, forced: Option<&str>| {
        call.accepts(collective, &shape)?;
        rank.prepare_call(collective, call, &shape, forced).map(|number| Any::Prepared(Prepared(number)))
    };
    Ok(match &order.subject {
        Subject::Wait(WaitPattern::Null) => Any::Null,
        Subject::Wait(WaitPattern::Up) => Any::Up,
        Subject::Wait(WaitPattern::Down) => Any::Down,
        Subject::Collective(collective, Implementation::Own(name)) if !call.is_plain() => {
            let call = call.name(*collective);
            return Err(format!(
                "{call} is a form of the library's own call; expected algorithm library, found '{name}'"
            ));
        }
        Subject::Collective(collective, Implementation::Own(name)) => {
            let algorithm = Algorithm::find(*collective, name)?;
            Any::own::<R>(order.program(algorithm, shape, rank.id()))
        }
        Subject::Collective(collective, Implementation::Library | Implementation::Tuned(_)) if call.is_plain() => {
            Any::Library(Library(*collective, shape))
        }
        Subject::Collective(collective, Implementation::Library | Implementation::Tuned(_)) => {
            prepare(*collective, call, None)?
        }
        Subject::Collective(collective, Implementation::Forced(name)) => {
            prepare(*collective, &call.for_counts(&shape), Some(name))?
        }
        Subject::Collective(collective, Implementation::Shared(queued)) => {
            queued.accepts(*collective, call)?;
            call.accepts(*collective, &shape)?;
            Any::Prepared(Prepared(rank.prepare_shared(queued, call, &shape)?))
        }
    })
}

/// Synchronises the clocks, makes the first call and the warm-up, runs the method, and synchronises once more where the
/// clocks' drift is wanted.
async fn run<R: Rank, O: Operation, B: Operation>(
    rank: &R,
    settings: &MethodSettings,
    operation: &O,
    barrier: &B,
) -> RankRecord {
    operation.prepare(rank);
    let clock = settings.sync.synchronise(rank).await;
    rank.enter_phase(Phase::FirstCall);
    barrier.call(rank).await;
    let mut record = RankRecord::new(rank.id(), clock, Vec::new());
    match settings.factors.first_call {
        FirstCall::Apart => {
            operation.ready(rank);
            let start = rank.read_clock();
            operation.call(rank).await;
            let end = rank.read_clock();
            record.cold = Stamp { block: 0, calls: 1, due: None, start, end, valid: true };
            for _ in 0..settings.warmup {
                operation.ready(rank);
                operation.call(rank).await;
            }
            delay(rank, settings, barrier).await;
            time_operation(rank, settings, operation, barrier, &mut record).await;
        }
        FirstCall::Included => {
            delay(rank, settings, barrier).await;
            time_operation(rank, settings, operation, barrier, &mut record).await;
            record.cold = record.stamps.first().copied().unwrap_or(record.cold);
        }
    }
    if rank.tells_drift() {
        record.clock_after = settings.sync.synchronise(rank).await;
    }
    record
}

/// Delays one rank once, if the order says so.
async fn delay<R: Rank, B: Operation>(rank: &R, settings: &MethodSettings, barrier: &B) {
    if let Some(delay) = settings.factors.delay {
        delay.strike(rank, barrier).await;
    }
}

async fn time_operation<R: Rank, O: Operation, B: Operation>(
    rank: &R,
    settings: &MethodSettings,
    operation: &O,
    barrier: &B,
    record: &mut RankRecord,
) {
    let clock = record.clock;
    match settings.method {
        Method::Loop => {
            unsynchronised_loop::run(rank, settings, operation, barrier, Phase::Loop, record).await;
        }
        Method::BarrierLoop => {
            barrier_loop::run(rank, settings, operation, barrier, Phase::BarrierLoop, record).await;
        }
        Method::BarrierSubtract => barrier_subtract::run(rank, settings, operation, barrier, record).await,
        Method::RootRotation => root_rotation::run(rank, settings, operation, barrier, record).await,
        Method::Window => {
            record.window = Some({
                let prepared = settings.factors.buffer.is_prepared();
                window::run(rank, &settings.window, prepared, operation, &clock, record).await
            });
        }
        Method::RoundTime => {
            record.round_time = Some(round_time::run(rank, &settings.round_time, operation, &clock, record).await);
        }
        Method::BarrierOwn => barrier_own::run(rank, settings, operation, record).await,
        Method::BarrierInside => barrier_inside::run(rank, settings, operation, barrier, record).await,
        Method::LoopTrace => loop_trace::run(rank, settings, operation, barrier, record).await,
    }
}
