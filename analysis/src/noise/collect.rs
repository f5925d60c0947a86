//! Recordings of noise on real ranks.

use campaign::launch::{Processors, Site, members};
use campaign::testing::{LaunchTasks, OfNoise, TestPlan};
use measure::detours::{Recording, entry_bytes};
use measure::job::Task;
use measure::tracefs::Tracefs;
use models::clock::ClockKind;
use models::time::Span;
use programs::detours::{Baseline, Collection, Method};
use programs::observation::{Emulation, World};
use programs::sync::Sync;
use scenario::BadInput;
use std::path::{Path, PathBuf};

/// Request of a recording: ranks, CPUs, and method.
pub struct Collect {
    /// World of the ranks.
    pub world: World,
    /// Number of ranks; `None` for one per CPU.
    pub ranks: Option<u32>,
    /// CPUs of each host, like `0-3,8`; `None` for those that ranks may use.
    pub cpus: Option<String>,
    /// Method by which detours are found.
    pub method: Method,
    /// Duration of the recording.
    pub time: Span,
    /// Duration above which a delay is a detour; `None` if each rank chooses it from the usual duration of its steps.
    pub threshold: Option<Span>,
    /// FWQ: duration of a quantum.
    pub quantum: Span,
    /// FWQ: duration with which quanta are compared.
    pub baseline: Baseline,
    /// FTQ: duration of an interval.
    pub interval: Span,
    /// Memory for the detours of each rank, in bytes.
    pub most_bytes: u64,
    /// Clock that ranks read.
    pub clock: ClockKind,
    /// Method by which clocks are synchronised.
    pub sync: Sync,
    /// Whether detours are shown as they occur.
    pub live: bool,
    /// Path of Linux's tracefs, if the kernel's events are to explain detours; [`AUTOMATIC`] for its usual place,
    /// `None` without causes.
    pub attribute: Option<String>,
}

/// Value of `attribute` that stands for tracefs at its usual place.
pub const AUTOMATIC: &str = "automatic";

impl Default for Collect {
    /// One thread for each CPU, with the settings of [`Collection::default`].
    fn default() -> Collect {
        let Collection { method, time, quantum, baseline, interval, threshold, most, sync, .. } = Collection::default();
        Collect {
            world: World::Threads,
            ranks: None,
            cpus: None,
            method,
            time,
            threshold,
            quantum,
            baseline,
            interval,
            most_bytes: u64::from(most) * entry_bytes(method) as u64,
            clock: ClockKind::Automatic,
            sync,
            live: false,
            attribute: None,
        }
    }
}

/// Shortest quantum and shortest interval, below which the reading of a clock would hide them.
const SHORTEST_QUANTUM: Span = Span::from_ns(200);
const SHORTEST_INTERVAL: Span = Span::from_us(10);
/// Largest number of ranks: more threads are no help, and MPI starts no more on a machine.
const MOST_RANKS: u32 = 4_096;

impl Collect {
    /// Returns the plan of a single launch that records.
    ///
    /// # Errors
    /// States the fault of the request.
    pub fn plan(&self, site: &Site) -> Result<TestPlan<OfNoise>, BadInput> {
        self.check()?;
        let cpus = self.cpus.as_deref().map(cpus).transpose()?.unwrap_or_default();
        let hosts = if self.world == World::Threads { 1 } else { site.host_count() };
        let of_host = if cpus.is_empty() { site.cores.div_ceil(hosts.max(1)) } else { cpus.len() as u32 };
        let all = if cpus.is_empty() && hosts == 1 { Processors::here().allowed.len() as u32 } else { of_host * hosts };
        let ranks = self.ranks.unwrap_or(all);
        if ranks > MOST_RANKS {
            return Err(BadInput(format!("--ranks: expected 1 to {MOST_RANKS}, found {ranks}")));
        }
        let collection = Collection {
            method: self.method,
            time: self.time,
            work: Span::ZERO,
            quantum: self.quantum,
            baseline: self.baseline,
            interval: self.interval,
            threshold: self.threshold,
            most: u32::try_from(self.most_bytes / entry_bytes(self.method) as u64).unwrap_or(u32::MAX),
            sync: self.sync,
        };
        let tracefs = self.tracefs(hosts)?;
        // Another clock must not take the counter's place where it cannot be trusted.
        let clock = if tracefs.is_some() { ClockKind::Tsc } else { self.clock };
        let (folder, live) = (String::new(), self.live);
        let tasks = vec![Task::Record(Recording { collection, cpus, folder, live, tracefs })];
        let asked = LaunchTasks { clock, ..LaunchTasks::new(self.world, ranks, tasks) };
        Ok(TestPlan::new(self.world, Emulation::Untimed.named(), vec![asked]))
    }

    /// Returns the path of tracefs, where detours are to be attributed to the kernel's events.
    fn tracefs(&self, hosts: u32) -> Result<Option<PathBuf>, BadInput> {
        let Some(place) = &self.attribute else { return Ok(None) };
        let bad = |message: String| BadInput(format!("--attribute: {message}"));
        if self.method == Method::Ftq {
            return Err(bad("ftq records no single detours; expected --method selfish or fwq".to_owned()));
        }
        if hosts > 1 {
            return Err(bad(format!("the kernel of this machine alone can be asked, and there are {hosts} hosts")));
        }
        if !matches!(self.clock, ClockKind::Automatic | ClockKind::Tsc) {
            return Err(bad(format!(
                "events are stamped with the counter; expected --clock tsc, found {}",
                self.clock
            )));
        }
        let place = Some(place).filter(|place| *place != AUTOMATIC).map(Path::new);
        Tracefs::find(place).map(|tracefs| Some(tracefs.root().to_owned())).map_err(bad)
    }

    fn check(&self) -> Result<(), BadInput> {
        let bad = |message: String| Err(BadInput(message));
        if self.time < Span::from_ms(1) {
            return bad(format!("--time: expected 1ms or more, found {}", self.time));
        }
        if self.method == Method::Fwq && self.quantum < SHORTEST_QUANTUM {
            return bad(format!("--quantum: expected {SHORTEST_QUANTUM} or more, found {}", self.quantum));
        }
        if self.method == Method::Ftq && !(SHORTEST_INTERVAL..=self.time).contains(&self.interval) {
            let (interval, time) = (self.interval, self.time);
            return bad(format!("--interval: expected {SHORTEST_INTERVAL} up to --time, {time}, found {interval}"));
        }
        if self.method == Method::Ftq {
            let needed = self.time.0 / self.interval.0 * entry_bytes(Method::Ftq) as u64;
            if needed > self.most_bytes {
                return bad(format!("--most: expected {needed}B or more for all intervals, or longer intervals"));
            }
        }
        let detour = entry_bytes(Method::Selfish);
        if self.most_bytes < detour as u64 {
            return bad(format!("--most: expected room for one detour or more, {detour}B"));
        }
        Ok(())
    }
}

/// Returns the recording of a launch with the path of tracefs, where its detours are attributed.
pub(super) fn attributed(asked: &LaunchTasks) -> Option<(&Recording, &Path)> {
    asked.tasks.iter().find_map(|task| match task {
        Task::Record(recording) => Some((recording, recording.tracefs.as_deref()?)),
        _ => None,
    })
}

/// Parses a list of CPUs like `0-3,8`.
///
/// # Errors
/// Fails on a malformed list, and on CPUs that are named twice.
pub fn cpus(list: &str) -> Result<Vec<u32>, BadInput> {
    let found = members(list).map(|all| all.into_iter().map(|cpu| cpu as u32).collect::<Vec<u32>>());
    let cpus = found.filter(|cpus| !cpus.is_empty());
    let cpus = cpus.ok_or_else(|| BadInput(format!("--cpus: expected numbers like 0-3,8, found '{list}'")))?;
    match cpus.iter().enumerate().find(|&(place, cpu)| cpus[..place].contains(cpu)) {
        Some((_, cpu)) => Err(BadInput(format!("--cpus: CPU {cpu} is named twice"))),
        None => Ok(cpus),
    }
}
