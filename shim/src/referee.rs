//! Work after the end of a row: a look, reference windows of the same call, a line, and another look.

use crate::memory::Memory;
use crate::replay::Replay;
use crate::rows::CallRun;
use crate::watch::say;
use measure::audit::AuditSettings;
use measure::buffer::Buffer;
use measure::clock::ClockSource;
use measure::immediate::immediately;
use measure::job::collect;
use measure::rank::RealRank;
use measure::service::Results;
use measure::waiting::Patience;
use models::call::Call as Form;
use models::collective::Shape;
use models::platform::Buffer as State;
use mpi::ffi;
use programs::audit::{AuditLine, AuditedReference, AuditedRow};
use programs::method::{
    Factors, Method, MethodSettings, Order, RoundTimeSettings, StopRule, Subject, WindowSettings, run_order,
};
use programs::observation::{Implementation, MachineLook};
use programs::rank::{Phase, Rank};
use programs::sync::Sync;
use ranks::world::World;
use serde::{Deserialize, Serialize};
use std::ffi::{CStr, c_char};

/// Number of calls before each reference, after the buffers' state has changed.
const WARMUP: u32 = 5;
/// Number of windows that are tried for each that is wanted.
const TRIES: u32 = 4;
/// Number of windows where ranks share cores: each may take as long as the scheduler lets other ranks run.
const CROWDED_WINDOWS: u32 = 8;

/// Observer that looks and takes references on this rank, whatever clock it reads.
pub trait Referee {
    /// Called by all ranks when MPI has been initialised.
    fn prepare(&mut self);

    /// Called by all ranks when a call comes that may begin a row.
    fn begin(&mut self);

    /// Called by all ranks when a row has ended.
    fn judge(&mut self, row: &CallRun);

    /// Called by all ranks when the program is done.
    fn finish(&mut self);
}

/// One rank beside the program's.
pub struct Seat<C> {
    pub rank: RealRank<'static, C, Replay>,
    pub ran_by: String,
    pub world: &'static World,
    pub settings: AuditSettings,
    /// Results file, on rank 0.
    pub out: Option<Results>,
    /// Number of rows so far.
    pub rows: u32,
    /// Last look at the machine's state.
    pub before: Option<MachineLook>,
    /// Whether that look came before any call.
    pub is_early: bool,
}

/// Knowledge of one rank about a row.
#[derive(Serialize, Deserialize)]
struct RankKnowledge {
    before: Option<MachineLook>,
    after: Option<MachineLook>,
    in_place: bool,
    refused: Option<String>,
}

impl<C: ClockSource> Referee for Seat<C> {
    fn prepare(&mut self) {
        (self.before, self.is_early) = (self.rank.look_around(), true);
        self.rank.enter_phase(Phase::Watched);
    }

    fn begin(&mut self) {
        if self.is_early {
            (self.before, self.is_early) = (self.rank.look_around(), false);
        }
        self.rank.enter_phase(Phase::Watched);
    }

    fn judge(&mut self, row: &CallRun) {
        let after = self.rank.look_around();
        self.rank.board.begin_task(self.rank.id, self.rows);
        let (references, refused) = self.references(row);
        let part = RankKnowledge { before: self.before, after, in_place: row.last.in_place, refused };
        let parts: Vec<RankKnowledge> = immediately(collect(&self.rank, &part));
        if self.out.is_some() {
            let line = self.line(row, references, parts);
            self.append_line(&AuditLine::Row(Box::new(line)));
        }
        self.rows += 1;
        self.rank.carriage.barrier();
        (self.before, self.is_early) = (self.rank.look_around(), false);
        self.rank.enter_phase(Phase::Watched);
    }

    fn finish(&mut self) {
        self.append_line(&AuditLine::Finished { rows: self.rows });
        self.rank.enter_phase(Phase::Finished);
    }
}

impl<C: ClockSource> Seat<C> {
    /// Takes windows in all states. Returns them, and why some are missing.
    fn references(&mut self, row: &CallRun) -> (Vec<AuditedReference>, Option<String>) {
        let frame = (&raw const self).addr();
        let found = Memory::capture(&row.last, self.rank.size, self.settings.longest_bytes, frame);
        if !self.world.everywhere(found.is_ok()) {
            return (Vec::new(), found.err());
        }
        let Ok(memory) = found else { return (Vec::new(), None) };
        // SAFETY: this memory has been found to be the program's still, which does nothing until this function returns.
        self.rank.buffer = unsafe { Buffer::foreign(memory.sent, memory.received) };
        self.rank.carriage.call = Some(row.last);
        let (mut references, mut refused) = (Vec::new(), None);
        for &state in &self.settings.states {
            match immediately(run_order(&self.rank, &self.order(row, state))) {
                Ok(record) => {
                    let ranks = immediately(collect(&self.rank, &record));
                    references.push(AuditedReference { buffer: state, ranks });
                }
                Err(why) => refused = Some(why),
            }
            memory.put_back();
        }
        self.rank.buffer = Buffer::new(0, 0);
        (references, refused)
    }

    /// Returns the order of the row's call by windows.
    fn order(&self, row: &CallRun, state: State) -> Order {
        let collective = row.last.key.function.collective();
        let stop = match self.rank.patience {
            Patience::Spin => {
                let windows = self.settings.windows.max(1);
                StopRule::Counts { starts: windows.saturating_mul(TRIES), valid: windows - 1 }
            }
            Patience::SleepThenYield => StopRule::Counts { starts: CROWDED_WINDOWS, valid: CROWDED_WINDOWS },
        };
        let settings = MethodSettings {
            method: Method::Window,
            calls: 1,
            samples: 1,
            warmup: WARMUP,
            barrier: Implementation::Library,
            sync: Sync::Linear,
            window: WindowSettings { stop, ..WindowSettings::default() },
            round_time: RoundTimeSettings::default(),
            factors: Factors { buffer: state, ..Factors::default() },
        };
        let root = if collective.is_rooted() { row.last.root as u32 } else { 0 };
        let shape = Shape::new(self.rank.size, root, bytes(row));
        Order {
            subject: Subject::Collective(collective, Implementation::Library),
            shape,
            copies_as: None,
            environment: Default::default(),
            call: Form::default(),
            settings,
        }
    }

    /// Returns the line about a row, on rank 0.
    fn line(&self, row: &CallRun, references: Vec<AuditedReference>, parts: Vec<RankKnowledge>) -> AuditedRow {
        let key = &row.last.key;
        AuditedRow {
            row: self.rows,
            function: key.function.name().to_owned(),
            collective: key.function.collective(),
            bytes: bytes(row),
            count: key.count.max(0) as u64,
            element: datatype_name(key.datatype),
            reduction: key.function.collective().combines().then(|| reduction_name(key.operation).to_owned()),
            in_place: parts.iter().any(|part| part.in_place),
            roots: row.roots(),
            calls: row.calls,
            buffers_seen: row.buffers(),
            ranks: self.rank.size,
            looks_before: parts.iter().filter_map(|part| part.before).collect(),
            looks_after: parts.iter().filter_map(|part| part.after).collect(),
            references,
            left_out: parts.into_iter().find_map(|part| part.refused),
            ran_by: self.ran_by.clone(),
        }
    }

    fn append_line(&mut self, line: &AuditLine) {
        if let Some(Err(error)) = self.out.as_mut().map(|out| out.append(line)) {
            say(&format!("rank 0 cannot write {}: {error}", self.settings.out.display()));
            self.out = None;
        }
    }
}

/// Returns the bytes of a row's buffer or block.
fn bytes(row: &CallRun) -> u64 {
    let mut size = 0;
    if row.last.key.count <= 0 {
        return 0;
    }
    // SAFETY: the datatype is one that the program has just used.
    unsafe { ffi::PMPI_Type_size(ffi::MPI_Datatype(row.last.key.datatype as _), &raw mut size) };
    row.last.key.count as u64 * size.max(0) as u64
}

/// Returns the name of a datatype: MPI's own, or one that the program gave it.
fn datatype_name(datatype: usize) -> String {
    // Longer than any library's names.
    let mut name = [0 as c_char; 1024];
    let mut length = 0;
    if datatype == 0 {
        return String::new();
    }
    // SAFETY: the datatype is one that the program has just used; the name fits, and ends with a zero byte.
    unsafe {
        ffi::PMPI_Type_get_name(ffi::MPI_Datatype(datatype as _), name.as_mut_ptr(), &raw mut length);
        CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned()
    }
}

/// Returns MPI's name of a reduction.
fn reduction_name(operation: usize) -> &'static str {
    // SAFETY: constants of the library, which has been initialised.
    let known = unsafe {
        [
            (ffi::RSMPI_SUM, "MPI_SUM"),
            (ffi::RSMPI_MAX, "MPI_MAX"),
            (ffi::RSMPI_MIN, "MPI_MIN"),
            (ffi::RSMPI_PROD, "MPI_PROD"),
            (ffi::RSMPI_LAND, "MPI_LAND"),
            (ffi::RSMPI_BAND, "MPI_BAND"),
            (ffi::RSMPI_LOR, "MPI_LOR"),
            (ffi::RSMPI_BOR, "MPI_BOR"),
            (ffi::RSMPI_LXOR, "MPI_LXOR"),
            (ffi::RSMPI_BXOR, "MPI_BXOR"),
        ]
    };
    known.into_iter().find(|(handle, _)| handle.0 as usize == operation).map_or("another", |(_, name)| name)
}
