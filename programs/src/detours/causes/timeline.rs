//! Timeline of one CPU's activity from the kernel's events: a list of changes, in bounded memory.

use super::event::{Event, EventKind, Handler, HandlerKind, TraceLine};
use std::collections::BTreeMap;

/// Memory of a change, in bytes.
pub const CHANGE_BYTES: usize = size_of::<Change>();

/// Activity of a CPU, as a list of changes.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    cpu: u32,
    most: usize,
    /// Instant before which the last change alone is kept.
    begin: u64,
    changes: Vec<Change>,
    /// Activities to which changes refer by index. The first one is the unknown activity.
    doings: Vec<Option<Doing>>,
    places: BTreeMap<Doing, u32>,
    /// Names of tasks, by number.
    names: BTreeMap<u32, String>,
    /// Handlers that have interrupted each task and have not ended, the innermost last.
    open: BTreeMap<u32, Vec<Handler>>,
    last: u64,
    lost: u64,
    unreadable: Option<String>,
    full_at: Option<u64>,
}

/// Activity of the CPU from an instant on.
#[derive(Clone, Copy, Debug)]
struct Change {
    ticks: u64,
    doing: u32,
}

/// Task that has a CPU, and the handler that interrupted it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Doing {
    pub(super) task: u32,
    pub(super) over: Option<Handler>,
}

/// Index of the unknown activity.
const UNKNOWN: u32 = 0;

impl Timeline {
    /// Empty timeline of a CPU with room for `most` changes.
    pub fn new(cpu: u32, most: usize) -> Timeline {
        Timeline { cpu, most, doings: vec![None], ..Timeline::default() }
    }

    /// Sets the instant before which the CPU's activity is not needed and takes no room.
    pub fn begin_at(&mut self, ticks: u64) {
        self.begin = self.begin.max(ticks);
        let before = self.changes.partition_point(|change| change.ticks <= ticks).saturating_sub(1);
        self.changes.drain(..before);
        self.full_at = self.full_at.filter(|&full| full > ticks);
    }

    /// Adds a line of the trace_pipe. Lines of other CPUs are left out. A line that cannot be read counts as a lost
    /// event.
    pub fn add(&mut self, line: &str) {
        match TraceLine::parse(line) {
            Ok(TraceLine::Event(event)) if event.cpu == self.cpu => self.event(event),
            Ok(TraceLine::Lost(cpu, events)) if cpu == self.cpu => self.lose(events),
            Ok(TraceLine::Event(_) | TraceLine::Lost(..) | TraceLine::Other) => {}
            Err(message) => {
                self.lose(1);
                self.unreadable.get_or_insert(message);
            }
        }
    }

    /// Marks the time from the last event to the next one as unknown.
    fn lose(&mut self, events: u64) {
        self.lost = self.lost.saturating_add(events);
        self.open.clear();
        self.change(self.last, UNKNOWN);
    }

    fn event(&mut self, Event { ticks, task, name, what, .. }: Event) {
        let ticks = ticks.max(self.last);
        self.last = ticks;
        let forgotten = name.starts_with('<');
        if !forgotten {
            self.names.entry(task).or_insert(name);
        }
        let now = match what {
            EventKind::Switch { from, to, name } => {
                self.names.insert(task, from);
                self.names.insert(to, name);
                to
            }
            EventKind::Enter(handler) => {
                self.open.entry(task).or_default().push(handler);
                task
            }
            EventKind::Leave(kind, number) => {
                self.leave(task, kind, number);
                task
            }
            EventKind::Other => task,
        };
        let over = self.open.get(&now).and_then(|open| open.last()).cloned();
        let doing = self.place(Doing { task: now, over });
        self.change(ticks, doing);
    }

    /// Ends the innermost handler of this kind and number, and with it all handlers within it. Nothing happens where it
    /// began before the trace.
    fn leave(&mut self, task: u32, kind: HandlerKind, number: u32) {
        let Some(open) = self.open.get_mut(&task) else { return };
        if let Some(at) = open.iter().rposition(|handler| handler.kind == kind && handler.number == number) {
            open.truncate(at);
        }
        if open.is_empty() {
            self.open.remove(&task);
        }
    }

    fn place(&mut self, doing: Doing) -> u32 {
        if let Some(&place) = self.places.get(&doing) {
            return place;
        }
        if self.full_at.is_some() {
            return UNKNOWN;
        }
        let place = self.doings.len() as u32;
        self.doings.push(Some(doing.clone()));
        self.places.insert(doing, place);
        place
    }

    fn change(&mut self, ticks: u64, doing: u32) {
        if self.full_at.is_some() || self.changes.last().is_some_and(|last| last.doing == doing) {
            return;
        }
        if ticks <= self.begin {
            self.changes.clear();
        }
        let is_last = self.changes.len() + 1 >= self.most;
        if is_last {
            self.full_at = Some(ticks);
        }
        self.changes.push(Change { ticks, doing: if is_last { UNKNOWN } else { doing } });
    }

    /// Number of events that the kernel lost, and of lines that could not be read.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Message on the first line that could not be read.
    pub fn unreadable(&self) -> Option<&str> {
        self.unreadable.as_deref()
    }

    /// Instant from which on there was no room, in ticks.
    pub fn full_at(&self) -> Option<u64> {
        self.full_at
    }

    /// Number of changes in the timeline.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Whether nothing was traced.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Name of a task, as far as it is known.
    pub fn name(&self, task: u32) -> &str {
        self.names.get(&task).map_or("<...>", String::as_str)
    }

    /// Task that has the CPU at most of these instants: the rank, if it reads the counter at them.
    pub fn task_at(&self, instants: impl Iterator<Item = u64>) -> Option<u32> {
        let mut found: BTreeMap<u32, usize> = BTreeMap::new();
        for instant in instants {
            let change = self.changes.partition_point(|change| change.ticks <= instant).checked_sub(1);
            if let Some(doing) = change.and_then(|at| self.doings[self.changes[at].doing as usize].as_ref()) {
                *found.entry(doing.task).or_default() += 1;
            }
        }
        found.into_iter().max_by_key(|&(task, count)| (count, std::cmp::Reverse(task))).map(|(task, _)| task)
    }

    /// Index of the last change up to an instant, searched from index `from` on. A caller that asks for increasing
    /// instants reads all changes once.
    pub(super) fn reach(&self, from: usize, instant: u64) -> usize {
        let later = self.changes.iter().skip(from + 1).take_while(|change| change.ticks <= instant);
        from + later.count()
    }

    /// Activities of the CPU between two instants with their ticks, where `first` is the last change up to the earlier
    /// one. An activity is `None` where it is not known. Time before the first event is left out.
    pub(super) fn between(&self, first: usize, from: u64, to: u64) -> impl Iterator<Item = (Option<&Doing>, u64)> {
        let within = self.changes.iter().enumerate().skip(first).take_while(move |(_, change)| change.ticks < to);
        within.filter_map(move |(place, change)| {
            let end = self.changes.get(place + 1).map_or(to, |next| next.ticks.min(to));
            let ticks = end.saturating_sub(change.ticks.max(from));
            (ticks > 0).then(|| (self.doings[change.doing as usize].as_ref(), ticks))
        })
    }
}
