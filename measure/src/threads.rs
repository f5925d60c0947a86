//! The threads world: ranks are threads of this process on an emulated network. It needs no MPI.

use crate::board::{Board, host_name};
use crate::buffer::Buffer;
use crate::clock::{ClockSource, chosen, counter_will_do, domain, imperfect, of_system, timescale_at};
use crate::emulated::{Emulated, Lane, Transport};
use crate::immediate::immediately;
use crate::job::{Job, Outcome, clock_sentence, serve};
use crate::rank::{Counted, RealRank};
use crate::shared_queues::{Lobby, Member};
use crate::waiting::{Patience, wake_exactly};
use crate::with_clock;
use models::clock::{ClockKind, Ticks, Timescale};
use models::shared_broadcast::Queued;
use models::time::Span;
use programs::rank::Phase;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::Duration;

/// Reason for which a threads world ended without finishing its job.
#[derive(Debug, thiserror::Error)]
pub enum ThreadsError {
    /// A rank failed, and the others were stopped.
    #[error("rank {rank} on {host} died in phase '{phase}': {reason}")]
    RankDied {
        /// Rank that failed first.
        rank: u32,
        /// Host of that rank.
        host: String,
        /// Phase in which it failed.
        phase: Phase,
        /// Message of its panic.
        reason: String,
    },
    /// The clock of the job cannot be read, or not be trusted.
    #[error("the clock cannot be used: {0}")]
    Clock(String),
    /// The system would not start a thread or map memory.
    #[error("cannot start {ranks} ranks as threads: {reason}; ask for fewer ranks")]
    CannotStart {
        /// Number of ranks in the job.
        ranks: u32,
        /// Error of the system.
        reason: std::io::Error,
    },
}

/// Carries out a job on threads. `tell` gets every outcome as soon as it is there.
///
/// # Errors
///
/// Names the rank that failed, its host and phase.
pub fn run(job: &Job, board: &Board, tell: &mut (dyn FnMut(Outcome) + Send)) -> Result<(), ThreadsError> {
    let automatic = job.clock == ClockKind::Automatic;
    let kind = chosen(job.clock, automatic && counter_will_do());
    if let (Some(clocks), Some(base)) = (job.clocks, of_system(kind)) {
        return run_on(base, |rank, scale| imperfect(base, scale, &clocks, rank), job, board, tell);
    }
    with_clock!(kind, |clock| run_on(clock, |_, _| clock, job, board, tell),
        mpi_wtime => Err(ThreadsError::Clock("mpi_wtime is for MPI ranks only; ask for another, like tsc".to_owned())))
}

/// Carries out a job. The network keeps time by `source`. Each rank reads what `of_rank` makes of it, which is the same
/// clock unless it is made imperfect.
fn run_on<C: ClockSource>(
    source: C,
    of_rank: impl Fn(u32, Timescale) -> C + Sync,
    job: &Job,
    board: &Board,
    tell: &mut (dyn FnMut(Outcome) + Send),
) -> Result<(), ThreadsError> {
    let clock = source.clock();
    clock.trusted().map_err(ThreadsError::Clock)?;
    let rate = clock.rate();
    rate.agreed().map_err(ThreadsError::Clock)?;
    let scale = timescale_at(clock, rate);
    let clock_domain = domain(clock, &scale);
    let (stop, lobby) = (AtomicBool::new(false), Lobby::default());
    let host = host_name();
    let ran_by = format!(
        "threads on {host}, {}, emulating {}",
        clock_sentence(clock, &rate, job.clocks.as_ref()),
        models::network::Network::Hockney(job.emulated)
    );
    let mut tell = Some(tell);
    let failures = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for (id, mail) in mailboxes(job.ranks).into_iter().enumerate() {
            let id = id as u32;
            board.sign_in(id, &host);
            let (stop, lobby, ran_by, of_rank) = (&stop, &lobby, &ran_by, &of_rank);
            let tell = if id == 0 { tell.take() } else { None };
            let body = move || {
                wake_exactly();
                let place = ThreadRank { id, ranks: job.ranks, patience: Patience::for_ranks(job.ranks, job.cores) };
                let mail = Mail { mail, stop, lobby, place, requests: Cell::new(0) };
                let own = of_rank(id, scale);
                let own = if own.clock().is_shared() {
                    (own, scale, clock_domain)
                } else {
                    (own, timescale_at(own.clock(), own.clock().rate()), u64::from(id))
                };
                let rank = rank(id, job, board, own, Emulated::new(mail, job.emulated, source, scale));
                let died = work(&rank, job, ran_by, tell);
                if died.is_some() {
                    stop.store(true, Relaxed);
                }
                died
            };
            match std::thread::Builder::new().name(format!("rank {id}")).spawn_scoped(scope, body) {
                Ok(thread) => threads.push(thread),
                Err(reason) => {
                    stop.store(true, Relaxed);
                    return Err(ThreadsError::CannotStart { ranks: job.ranks, reason });
                }
            }
        }
        let ends = threads.into_iter().map(|thread| thread.join().unwrap_or_else(Some));
        Ok(ends.collect::<Vec<_>>())
    })?;
    blame(failures, board)
}

/// Carries out a job on one rank. Returns its panic, if it died of one.
fn work<C: ClockSource, T: Transport>(
    rank: &RealRank<'_, C, Emulated<C, T>>,
    job: &Job,
    ran_by: &str,
    mut tell: Option<&mut (dyn FnMut(Outcome) + Send)>,
) -> Option<Box<dyn std::any::Any + Send>> {
    let begin = |task| rank.board.begin_task(rank.id, task);
    let tell = |outcome| {
        if let Some(tell) = &mut tell {
            tell(outcome);
        }
    };
    let work = serve(rank, job, ran_by, begin, tell);
    catch_unwind(AssertUnwindSafe(|| immediately(work))).err()
}

/// Makes a rank that is a thread, on an emulated network.
fn rank<'a, C: ClockSource, T: Transport>(
    id: u32,
    job: &Job,
    board: &'a Board,
    (clock, scale, clock_domain): (C, Timescale, u64),
    carriage: Emulated<C, T>,
) -> RealRank<'a, C, Emulated<C, T>> {
    RealRank {
        id,
        size: job.ranks,
        board,
        scale,
        clock_domain,
        patience: Patience::SleepThenYield,
        buffer: Buffer::pool(job.longest_buffer(), id as u8, job.pool_bytes()),
        // Messages take so long here that the way of a cache line does not matter.
        lookout: None,
        counted: Counted::new(false, false),
        carriage,
        clock,
    }
}

/// Names the first rank that failed by itself, else the first that was stopped, by a rank that returned before it had
/// sent all that is waited for.
fn blame(failures: Vec<Option<Box<dyn std::any::Any + Send>>>, board: &Board) -> Result<(), ThreadsError> {
    let failed = || failures.iter().enumerate().filter_map(|(rank, panic)| Some((rank, panic.as_ref()?)));
    let by_itself = failed().find(|(_, panic)| !panic.is::<ToldToStop>());
    let Some((rank, panic)) = by_itself.or_else(|| failed().next()) else { return Ok(()) };
    let reason = if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if panic.is::<ToldToStop>() {
        "it waited for a message of a rank that had ended".to_owned()
    } else {
        "no reason given".to_owned()
    };
    let status = board.status(rank as u32);
    Err(ThreadsError::RankDied { rank: status.rank, host: status.host, phase: status.phase, reason })
}

/// Panic payload of ranks that stop because another one failed.
struct ToldToStop;

struct ThreadMessage {
    stamp: Ticks,
    data: Vec<u8>,
}

/// One rank's ends of all channels.
struct Mailbox {
    to: Vec<[Sender<ThreadMessage>; Lane::COUNT]>,
    from: Vec<[Receiver<ThreadMessage>; Lane::COUNT]>,
}

/// Makes a channel for each ordered pair of ranks and each lane.
fn mailboxes(ranks: u32) -> Vec<Mailbox> {
    let ranks = ranks as usize;
    let mut boxes: Vec<Mailbox> = (0..ranks).map(|_| Mailbox { to: Vec::new(), from: Vec::new() }).collect();
    for from in 0..ranks {
        for to in 0..ranks {
            let [steps, answers, control] = std::array::from_fn(|_| channel());
            boxes[from].to.push([steps.0, answers.0, control.0]);
            boxes[to].from.push([steps.1, answers.1, control.1]);
        }
    }
    boxes
}

struct Mail<'a> {
    mail: Mailbox,
    stop: &'a AtomicBool,
    lobby: &'a Lobby,
    place: ThreadRank,
    /// Number of requests for parts of shared memory that this rank has made, as every rank has.
    requests: Cell<u64>,
}

/// Place of a rank among the others, with its way of waiting where it shares memory with them.
#[derive(Clone, Copy)]
struct ThreadRank {
    id: u32,
    ranks: u32,
    patience: Patience,
}

/// Number of looks of a receiver before it sleeps: short messages between running threads need no sleep.
const LOOK_FIRST: u32 = 200;

impl Transport for Mail<'_> {
    fn put(&self, to: u32, lane: Lane, stamp: Ticks, data: &[u8]) {
        // A receiver that is gone has failed or been stopped; the next take notices.
        let _ = self.mail.to[to as usize][lane as usize].send(ThreadMessage { stamp, data: data.to_vec() });
    }

    fn take(&self, from: u32, lane: Lane, data: &mut [u8], _nap: Span) -> Ticks {
        let message = self.next(&self.mail.from[from as usize][lane as usize]);
        assert_eq!(message.data.len(), data.len(), "a message from rank {from} of unexpected length");
        data.copy_from_slice(&message.data);
        message.stamp
    }

    fn member(&self, queued: &Queued) -> Result<Member, String> {
        let ThreadRank { id, ranks, patience } = self.place;
        let request = self.requests.replace(self.requests.get() + 1);
        Ok(self.lobby.seat(request, (id, ranks), queued)?.join(patience))
    }
}

impl Mail<'_> {
    fn next(&self, end: &Receiver<ThreadMessage>) -> ThreadMessage {
        for _ in 0..LOOK_FIRST {
            match end.try_recv() {
                Ok(message) => return message,
                Err(TryRecvError::Empty) => Patience::SleepThenYield.breathe(),
                Err(TryRecvError::Disconnected) => break,
            }
        }
        loop {
            match end.recv_timeout(Duration::from_millis(50)) {
                Ok(message) => return message,
                Err(RecvTimeoutError::Timeout) if !self.stop.load(Relaxed) => {}
                Err(_) => resume_unwind(Box::new(ToldToStop)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_failed_by_itself_is_to_blame_before_those_that_waited_in_vain() {
        let board = Board::in_memory(3).expect("a board");
        let told = || Some(Box::new(ToldToStop) as Box<dyn std::any::Any + Send>);
        let blamed = |failures| blame(failures, &board).map_err(|error| error.to_string());
        assert_eq!(blamed(vec![None, None, None]), Ok(()));
        let waited = blamed(vec![None, told(), told()]).expect_err("nobody else failed");
        assert!(waited.contains("rank 1") && waited.contains("a rank that had ended"), "{waited}");
        let failed = blamed(vec![told(), None, Some(Box::new("no luck"))]).expect_err("rank 2 failed");
        assert!(failed.contains("rank 2") && failed.contains("no luck"), "{failed}");
    }
}
