//! What real ranks are asked to record.

use campaign::launch::{Processors, Site, members};
use campaign::testing::{Asked, OfNoise, Plan};
use measure::detours::{Recording, entry_bytes};
use measure::job::Task;
use measure::tracefs::Tracefs;
use models::clock::ClockKind;
use models::detours::{Baseline, Collection, Method};
use models::observation::{Emulation, World};
use models::sync::Sync;
use models::time::Span;
use scenario::BadInput;
use std::path::{Path, PathBuf};

/// What is recorded, and where.
pub struct Collect {
    /// Where ranks run.
    pub world: World,
    /// How many; none: one for each CPU.
    pub ranks: Option<u32>,
    /// CPUs of each host, like `0-3,8`; none: those that ranks may use.
    pub cpus: Option<String>,
    /// How detours are found.
    pub method: Method,
    /// For how long.
    pub time: Span,
    /// A detour is longer than this.
    pub threshold: Option<Span>,
    /// FWQ: how long a quantum is.
    pub quantum: Span,
    /// FWQ: what quanta are compared with.
    pub baseline: Baseline,
    /// FTQ: how long an interval is.
    pub interval: Span,
    /// Memory for detours, of each rank.
    pub most_bytes: u64,
    /// The clock that ranks read.
    pub clock: ClockKind,
    /// How clocks are synchronised.
    pub sync: Sync,
    /// Whether detours are shown while they come.
    pub live: bool,
    /// Where Linux's tracefs is, if the kernel is to say what took the CPU; [`AUTOMATIC`]: at its usual place.
    pub attribute: Option<String>,
}

/// Tracefs at its usual place.
pub const AUTOMATIC: &str = "automatic";

impl Default for Collect {
    /// One thread for each CPU, as [`Collection::default`].
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

/// Shorter quanta, and intervals, than these are lost in the reading of a clock.
const SHORTEST_QUANTUM: Span = Span::from_ns(200);
const SHORTEST_INTERVAL: Span = Span::from_us(10);
/// Threads beyond that are no help, and MPI starts no more on a machine.
const MOST_RANKS: u32 = 4_096;

impl Collect {
    /// One launch that records.
    ///
    /// # Errors
    /// What is wrong with the choices.
    pub fn plan(&self, site: &Site) -> Result<Plan<OfNoise>, BadInput> {
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
        // Not another clock where the counter could not be trusted.
        let clock = if tracefs.is_some() { ClockKind::Tsc } else { self.clock };
        let (folder, live) = (String::new(), self.live);
        let tasks = vec![Task::Record(Recording { collection, cpus, folder, live, tracefs })];
        let asked = Asked { clock, ..Asked::new(self.world, ranks, tasks) };
        Ok(Plan::new(self.world, Emulation::Untimed.named(), vec![asked]))
    }

    /// Where the kernel says what took the CPU, if it is to.
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

/// The recording of a launch, and where tracefs is, if what takes the CPU is to be known.
pub(super) fn attributed(asked: &Asked) -> Option<(&Recording, &Path)> {
    asked.tasks.iter().find_map(|task| match task {
        Task::Record(recording) => Some((recording, recording.tracefs.as_deref()?)),
        _ => None,
    })
}

/// A list of CPUs like `0-3,8`.
///
/// # Errors
/// What is no such list.
pub fn cpus(list: &str) -> Result<Vec<u32>, BadInput> {
    let found = members(list).map(|all| all.into_iter().map(|cpu| cpu as u32).collect::<Vec<u32>>());
    let cpus = found.filter(|cpus| !cpus.is_empty());
    let cpus = cpus.ok_or_else(|| BadInput(format!("--cpus: expected numbers like 0-3,8, found '{list}'")))?;
    match cpus.iter().enumerate().find(|&(place, cpu)| cpus[..place].contains(cpu)) {
        Some((_, cpu)) => Err(BadInput(format!("--cpus: CPU {cpu} is named twice"))),
        None => Ok(cpus),
    }
}
