//! Watching the program's calls from its first thread: where a row ends, this rank and all others turn to the referee.

use crate::call::{Call, Function};
use crate::freed;
use crate::referee::{Referee, Seat};
use crate::replay::Replay;
use crate::rows::{CallRun, Rows};
use measure::audit::{AuditSettings, VARIABLE};
use measure::board::{Board, host_name};
use measure::clock::{ClockMonotonicRaw, ClockSource, Counter, RealClock};
use measure::service::{Results, keep_beating};
use measure::waiting::wake_exactly;
use measure::watcher::WhileStarting;
use mpi::ffi;
use ranks::world::{World, join_initialised};
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Watcher of one program.
pub struct Watcher {
    rows: RefCell<Rows>,
    referee: RefCell<Box<dyn Referee>>,
    ranks: i32,
    /// Communicator that is known to be of all ranks, 0 if none is.
    of_all: Cell<usize>,
}

thread_local! {
    /// Watcher of the calls of this thread: `None` where no settings were given, on other threads than the one that
    /// initialised MPI, and while calls are this library's own.
    static WATCHER: Cell<Option<&'static Watcher>> = const { Cell::new(None) };
}

/// Notes a call that the program is about to make.
#[inline(always)]
pub fn note(call: impl FnOnce() -> Call) {
    if let Some(watcher) = WATCHER.get() {
        watcher.note(call());
    }
}

/// Notes a barrier that the program is about to make.
#[inline(always)]
pub fn note_barrier(call: impl FnOnce() -> Call) {
    if let Some(watcher) = WATCHER.get() {
        watcher.note_barrier(&call());
    }
}

/// Notes that the program is about to free a communicator.
pub fn note_communicator_freed(communicator: usize) {
    if let Some(watcher) = WATCHER.get() {
        watcher.freed(communicator);
    }
}

/// Notes that the program is about to free a datatype, or a reduction.
pub fn note_freed(handle: usize) {
    let uses = |call: &Call| [call.sent.datatype, call.received.datatype, call.key.operation].contains(&handle);
    if WATCHER.get().is_some_and(|watcher| watcher.rows.borrow().last().is_some_and(uses)) {
        freed::spoil();
    }
}

/// Runs `act`, whose calls are not the program's.
pub fn unwatched<T>(act: impl FnOnce() -> T) -> T {
    let watcher = WATCHER.take();
    let result = act();
    WATCHER.set(watcher);
    result
}

impl Watcher {
    #[inline(always)]
    fn note(&self, call: Call) {
        let goes_on = self.rows.borrow_mut().goes_on(&call);
        if goes_on || self.change(call) {
            freed::watch(call.sent.at, call.received.at);
        }
    }

    #[inline(always)]
    fn note_barrier(&self, call: &Call) {
        let goes_on = |rows: &mut Rows| rows.goes_on(call) || !rows.barrier(call);
        let is_of_all = self.is_of_all(call.key.communicator);
        if is_of_all && !goes_on(&mut self.rows.borrow_mut()) && self.change(*call) {
            freed::watch(0, 0);
        }
    }

    /// Handles a call that differs from the last ones. Returns false if it is not of all ranks.
    #[cold]
    fn change(&self, call: Call) -> bool {
        if !self.is_of_all(call.key.communicator) {
            return false;
        }
        let ended = self.rows.borrow_mut().change(call);
        match ended {
            Some(row) => self.judge(&row),
            // After so many barriers in a row, barriers may be what is timed.
            None if call.key.function == Function::Barrier => {}
            None => unwatched(|| self.referee.borrow_mut().begin()),
        }
        true
    }

    #[cold]
    fn judge(&self, row: &CallRun) {
        unwatched(|| self.referee.borrow_mut().judge(row));
    }

    /// Ends the row of a freed communicator, which all ranks free at the same place of the program.
    fn freed(&self, communicator: usize) {
        if self.of_all.get() == communicator {
            self.of_all.set(0);
        }
        let used = self.rows.borrow().last().is_some_and(|last| last.key.communicator == communicator);
        let ended = if used { self.rows.borrow_mut().end() } else { None };
        if let Some(row) = ended {
            self.judge(&row);
        }
    }

    /// Returns whether a communicator has all ranks in it.
    #[inline(always)]
    fn is_of_all(&self, communicator: usize) -> bool {
        self.of_all.get() == communicator || self.ask(communicator)
    }

    #[cold]
    fn ask(&self, communicator: usize) -> bool {
        let handle = ffi::MPI_Comm(communicator as _);
        let of_all = size(handle) == self.ranks && !is_inter(handle);
        if of_all {
            self.of_all.set(communicator);
        }
        of_all
    }
}

/// Returns the number of ranks in a communicator.
pub fn size(communicator: ffi::MPI_Comm) -> i32 {
    let mut size = 0;
    // SAFETY: the program is about to use this communicator.
    unsafe { ffi::PMPI_Comm_size(communicator, &raw mut size) };
    size
}

fn is_inter(communicator: ffi::MPI_Comm) -> bool {
    let mut is_inter = 0;
    // SAFETY: the program is about to use this communicator.
    unsafe { ffi::PMPI_Comm_test_inter(communicator, &raw mut is_inter) };
    is_inter != 0
}

/// Begins to watch, once, after the program has initialised MPI, if it was started with settings.
pub fn begin() {
    static BEGUN: AtomicBool = AtomicBool::new(false);
    if BEGUN.swap(true, Relaxed) {
        return;
    }
    let Some(settings) = std::env::var_os(VARIABLE).map(PathBuf::from) else { return };
    match open(&settings) {
        Ok(watcher) => WATCHER.set(watcher.map(|watcher| &*Box::leak(Box::new(watcher)))),
        Err(why) => say(&format!("{why}; this program is not watched")),
    }
}

/// Initialises MPI. This process ends if the command that started the program is gone meanwhile.
pub fn initialise<T>(initialise: impl FnOnce() -> T) -> T {
    let settings = std::env::var_os(VARIABLE).and_then(|path| AuditSettings::read(&PathBuf::from(path)).ok());
    let _starting = settings.map(|settings| WhileStarting::watch(&settings.board));
    initialise()
}

/// Ends the run under way, before the program ends MPI.
pub fn end() {
    let Some(watcher) = WATCHER.take() else { return };
    let ended = watcher.rows.borrow_mut().end();
    if let Some(row) = ended {
        watcher.judge(&row);
    }
    WATCHER.take();
    watcher.referee.borrow_mut().finish();
}

/// Files and settings that each rank opens before anything is agreed on.
struct Opened {
    settings: AuditSettings,
    board: Arc<Board>,
    out: Option<Results>,
}

/// Makes the watcher, `None` where another rank has to say why not.
fn open(path: &std::path::Path) -> Result<Option<Watcher>, String> {
    let world: &'static World = Box::leak(Box::new(join_initialised()));
    let opened = open_files(path, world);
    if !world.everywhere(opened.is_ok()) {
        return opened.map(|_| None);
    }
    let Opened { settings, board, out } = opened?;
    let board: &'static Arc<Board> = Box::leak(Box::new(board));
    board.sign_in(world.rank(), &host_name());
    keep_beating(board, world.rank()..world.rank() + 1);
    wake_exactly();
    let referee = if world.trusts_counter() {
        seat(Counter, world, board, settings, out)
    } else {
        seat(&ClockMonotonicRaw as &dyn RealClock, world, board, settings, out)
    };
    if !world.everywhere(referee.is_ok()) {
        return referee.map(|_| None);
    }
    let mut referee = referee?;
    referee.prepare();
    let (rows, ranks) = (RefCell::new(Rows::new(world.size())), world.size() as i32);
    Ok(Some(Watcher { rows, referee: RefCell::new(referee), ranks, of_all: Cell::new(0) }))
}

fn open_files(path: &std::path::Path, world: &World) -> Result<Opened, String> {
    let settings = AuditSettings::read(path).map_err(|error| error.to_string())?;
    let named = |path: &std::path::Path, error: std::io::Error| format!("{}: {error}", path.display());
    let board = Board::open(&settings.board, world.size()).map_err(|error| named(&settings.board, error))?;
    let out = (world.rank() == 0).then(|| Results::open(&settings.out)).transpose();
    let out = out.map_err(|error| named(&settings.out, error))?;
    Ok(Opened { settings, board: Arc::new(board), out })
}

fn seat(
    clock: impl ClockSource,
    world: &'static World,
    board: &'static Board,
    settings: AuditSettings,
    out: Option<Results>,
) -> Result<Box<dyn Referee>, String> {
    let seated = world.beside(clock, board, settings.cores, Replay::new);
    let (rank, ran_by) = seated.map_err(|error| format!("{error:#}"))?;
    Ok(Box::new(Seat { rank, ran_by, world, settings, out, rows: 0, before: None, is_early: true }))
}

/// Writes to standard error, by one write: other ranks write there, too, and no two lines shall mix.
pub(crate) fn say(what: &str) {
    // A failure to print cannot be reported.
    let _ = std::io::stderr().write_all(format!("parallax-shim: {what}\n").as_bytes());
}
