//! Detours of one rank joined with the activity of its CPU.

use super::timeline::Doing;
use super::{Class, Timeline};
use crate::detours::{Method, Recorded, span};
use models::clock::{Ticks, Timescale};
use models::noise::Detour;
use models::time::{Span, Time};

/// Longest untraced time that the kernel itself takes around a handler that it traces. If a detour has a longer
/// untraced time that also exceeds the traced part, the CPU was taken from the kernel: a hypervisor had it, and the
/// timer's interrupt waited at the end.
const UNTRACED: Span = Span::from_us(20);

/// Largest number of detours at whose starts the rank's task is looked up, spread from the first to the last.
const LOOKS: usize = 1_001;

/// Cause of one detour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause<'a> {
    /// Class with the largest part of the known time.
    pub class: Class,
    /// Name of the task or the interrupt with the largest part of the class; `-` where there is none.
    pub what: &'a str,
    /// Part of the detour that the kernel traced.
    pub traced: Span,
}

/// Recording of a rank together with the activity of its CPU.
pub struct Join<'a> {
    timeline: &'a Timeline,
    task: Option<u32>,
    scale: Timescale,
    /// Time before a detour's start and behind its end, up to the reading of the clock on that side.
    margins: [Span; 2],
}

/// Classes and names with the ticks of each pair.
type Parts<'a> = Vec<(Class, &'a str, u64)>;

impl<'a> Join<'a> {
    /// Joins a timeline with a rank that recorded these detours by this method.
    pub fn new(timeline: &'a Timeline, recorded: &Recorded, method: Method, detours: &[Detour]) -> Join<'a> {
        let origin = Ticks(recorded.collected.start_ticks);
        let scale = Timescale { ticks_per_second: recorded.hz, origin, granularity_ticks: 1 };
        let usual = recorded.collected.watched.usual;
        let margins = match method {
            // The step began at the detour's start and includes the usual time.
            Method::Selfish => [Span::ZERO, usual],
            // The detour lies anywhere in the quantum that ended with it.
            Method::Fwq | Method::Ftq => [usual, Span::ZERO],
        };
        let mut join = Join { timeline, task: None, scale, margins };
        // The rank reads its clock where it begins and at both ends of each step.
        let reads = detours.iter().step_by(detours.len().div_ceil(LOOKS).max(1)).map(|detour| join.window(detour).0);
        join.task = timeline.task_at(std::iter::once(origin.0).chain(reads));
        join
    }

    /// Kernel's number of the rank's task; `None` where nothing was traced.
    pub fn task(&self) -> Option<u32> {
        self.task
    }

    /// Readings of the clock between which a detour lies.
    fn window(&self, detour: &Detour) -> (u64, u64) {
        let [before, behind] = self.margins;
        let from = Time(detour.start.0.saturating_sub(before.0));
        (self.scale.reading(from).0, self.scale.reading(detour.start + detour.duration + behind).0)
    }

    /// Causes of the detours, which must be in the order of time: detours and changes are read once.
    pub fn causes<'d>(&'d self, detours: &'d [Detour]) -> impl Iterator<Item = Cause<'a>> {
        let (mut change, mut parts) = (0, Parts::new());
        detours.iter().map(move |detour| {
            let (from, to) = self.window(detour);
            change = self.timeline.reach(change, from);
            parts.clear();
            self.timeline.between(change, from, to).for_each(|(doing, ticks)| self.add(&mut parts, doing, ticks));
            self.judge(&parts, detour)
        })
    }

    /// Adds the CPU's activity for a number of ticks, unless the rank had the CPU.
    fn add(&self, parts: &mut Parts<'a>, doing: Option<&'a Doing>, ticks: u64) {
        let (class, what) = match doing {
            None => (Class::Unknown, "-"),
            Some(doing) if self.task.is_some_and(|task| task != doing.task) => {
                (Class::Preemption, self.timeline.name(doing.task))
            }
            Some(doing) => match &doing.over {
                Some(handler) => (handler.kind.class(), handler.name.as_str()),
                None => return,
            },
        };
        match parts.iter_mut().find(|part| (part.0, part.1) == (class, what)) {
            Some(part) => part.2 += ticks,
            None => parts.push((class, what, ticks)),
        }
    }

    /// Determines the cause of a detour from the CPU's activity in it.
    fn judge(&self, parts: &Parts<'a>, detour: &Detour) -> Cause<'a> {
        if parts.is_empty() {
            return Cause { class: Class::None, what: "-", traced: Span::ZERO };
        }
        let of = |class: Class| parts.iter().filter(|part| part.0 == class).map(|part| part.2).sum::<u64>();
        let all: u64 = parts.iter().map(|part| part.2).sum();
        let traced = span(&self.scale, all - of(Class::Unknown)).min(detour.duration);
        let class = largest(Class::ALL.into_iter().map(|class| (class, of(class))));
        let untraced = detour.duration.0.saturating_sub(span(&self.scale, all).0);
        let taken = class.map_or(0, |class| span(&self.scale, of(class)).0);
        let class = class.filter(|_| untraced <= UNTRACED.0.max(taken)).unwrap_or(Class::None);
        let what = largest(parts.iter().filter(|part| part.0 == class).map(|part| (part.1, part.2)));
        Cause { class, what: what.unwrap_or("-"), traced }
    }
}

/// The first item with most ticks, if any has ticks.
fn largest<T>(all: impl Iterator<Item = (T, u64)>) -> Option<T> {
    let some = all.filter(|(_, ticks)| *ticks > 0);
    some.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(one, _)| one)
}
