//! Lines of `trace_pipe`, as `kernel/trace/trace_output.c` prints them: the task that was current, right-aligned in 16
//! columns, its number, the CPU, perhaps flags, the time stamp (a whole number with the clock `x86-tsc`), the event and
//! its fields.
//!
//! ```text
//!  kworker/u4:1-mm-312     [001] d..2.  81263512345678: sched_switch: prev_comm=… prev_pid=312 … ==> next_comm=… next_pid=77 next_prio=120
//!         parallax-77      [001] d.h1.  81263512399012: irq_handler_entry: irq=126 name=eth0-TxRx-0
//! ```

use super::Class;

/// One line of the kernel's trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceLine {
    /// An event on a CPU.
    Event(Event),
    /// Number of events of this CPU that were lost before the next line; 1 where the kernel does not know it.
    Lost(u32, u64),
    /// A comment, or an empty line.
    Other,
}

/// Event that happened on a CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Number of the CPU.
    pub cpu: u32,
    /// Time of the event, in ticks of the counter.
    pub ticks: u64,
    /// Kernel's number of the current task.
    pub task: u32,
    /// Name of the task; `<...>` where the kernel has forgotten it.
    pub name: String,
    /// Kind of the event.
    pub what: EventKind,
}

/// Kind of an event, with its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The CPU switches from the current task to another.
    Switch {
        /// Name of the current task.
        from: String,
        /// Number of the next task.
        to: u32,
        /// Name of the next task.
        name: String,
    },
    /// A handler interrupts the current task.
    Enter(Handler),
    /// The handler of this kind and number ends.
    Leave(HandlerKind, u32),
    /// An event without effect on the CPU's current work.
    Other,
}

/// Handler that interrupts a task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Handler {
    /// Kind of the handler.
    pub kind: HandlerKind,
    /// Kernel's number of the handler.
    pub number: u32,
    /// Name of the handler for readers.
    pub name: String,
}

/// Kinds of handlers that interrupt tasks. Each kind has numbers of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HandlerKind {
    /// Handler of a device's interrupt.
    Irq,
    /// Vector of the processor itself: its timer, or calls of other CPUs.
    Vector,
    /// Work that an interrupt has put off.
    Softirq,
}

impl HandlerKind {
    /// Class of detours in which a handler of this kind has the largest part.
    pub fn class(self) -> Class {
        match self {
            HandlerKind::Irq | HandlerKind::Vector => Class::Irq,
            HandlerKind::Softirq => Class::Softirq,
        }
    }
}

/// Width of a task's name, in columns.
const NAME_COLUMNS: usize = 16;

impl TraceLine {
    /// Reads a line, given without its line end.
    ///
    /// # Errors
    /// Names the expected content.
    pub fn parse(line: &str) -> Result<TraceLine, String> {
        if line.trim().is_empty() || line.starts_with('#') {
            return Ok(TraceLine::Other);
        }
        if let Some((cpu, events)) = lost(line) {
            return Ok(TraceLine::Lost(cpu, events));
        }
        let bad = || format!("expected a line of Linux's trace_pipe with time stamps of x86-tsc, found '{line}'");
        let (name, task, rest) = current(line).ok_or_else(bad)?;
        let (cpu, rest) = bracketed(rest).ok_or_else(bad)?;
        let (ticks, rest) = stamp(rest).ok_or_else(bad)?;
        let (event, fields) = rest.split_once(':').ok_or_else(bad)?;
        let what = what(event.trim(), fields.trim_start()).ok_or_else(bad)?;
        Ok(TraceLine::Event(Event { cpu, ticks, task, name: name.to_owned(), what }))
    }
}

/// Reads `CPU:3 [LOST 17 EVENTS]`.
fn lost(line: &str) -> Option<(u32, u64)> {
    let (cpu, lost) = line.strip_prefix("CPU:")?.split_once(" [LOST ")?;
    let count = lost.trim_end().strip_suffix("EVENTS]")?.trim();
    Some((cpu.parse().ok()?, if count.is_empty() { 1 } else { count.parse().ok()? }))
}

/// Returns the current task's name and number, and the rest of the line. The name may contain any characters. The
/// number stands behind a dash and is followed by the CPU, or by the thread group and the CPU.
fn current(line: &str) -> Option<(&str, u32, &str)> {
    let dashes = line.bytes().enumerate().skip(NAME_COLUMNS).filter(|&(_, byte)| byte == b'-');
    dashes.map(|(at, _)| at).find_map(|at| {
        let (task, rest) = number(&line[at + 1..])?;
        let rest = rest.strip_prefix(' ')?.trim_start();
        let rest = rest.strip_prefix('(').map_or(Some(rest), |group| Some(group.split_once(')')?.1.trim_start()))?;
        bracketed(rest)?;
        Some((line[..at].trim_start(), task, rest))
    })
}

/// Reads `[003] `. Returns the number and the rest of the line.
fn bracketed(text: &str) -> Option<(u32, &str)> {
    let (cpu, rest) = text.strip_prefix('[')?.split_once("] ")?;
    Some((cpu.parse().ok()?, rest))
}

/// Reads `d.h1.  81263512399012: `, or the same without flags. Returns the time stamp and the rest of the line.
fn stamp(text: &str) -> Option<(u64, &str)> {
    let (first, rest) = text.trim_start().split_once(' ')?;
    let (stamp, rest) = if first.ends_with(':') { (first, rest) } else { rest.trim_start().split_once(' ')? };
    Some((stamp.strip_suffix(':')?.parse().ok()?, rest))
}

fn what(event: &str, fields: &str) -> Option<EventKind> {
    Some(match event {
        "sched_switch" => switch(fields)?,
        "irq_handler_entry" => {
            let (number, name) = field(fields, "irq=")?;
            let name = format!("{} ({number})", name.trim_start().strip_prefix("name=")?.trim_end());
            EventKind::Enter(Handler { kind: HandlerKind::Irq, number, name })
        }
        "irq_handler_exit" => EventKind::Leave(HandlerKind::Irq, field(fields, "irq=")?.0),
        "softirq_entry" => {
            let (number, action) = field(fields, "vec=")?;
            let name = action.trim().strip_prefix("[action=")?.strip_suffix(']')?.to_owned();
            EventKind::Enter(Handler { kind: HandlerKind::Softirq, number, name })
        }
        "softirq_exit" => EventKind::Leave(HandlerKind::Softirq, field(fields, "vec=")?.0),
        _ => match (event.strip_suffix("_entry"), event.strip_suffix("_exit"), field(fields, "vector=")) {
            (Some(name), _, Some((number, _))) => {
                EventKind::Enter(Handler { kind: HandlerKind::Vector, number, name: name.to_owned() })
            }
            (_, Some(_), Some((number, _))) => EventKind::Leave(HandlerKind::Vector, number),
            _ => EventKind::Other,
        },
    })
}

/// Reads `prev_comm=… prev_pid=… prev_prio=… prev_state=… ==> next_comm=… next_pid=… next_prio=…`. Names may contain
/// blanks.
fn switch(fields: &str) -> Option<EventKind> {
    let (one, other) = fields.split_once(" ==> next_comm=")?;
    let (from, _) = one.strip_prefix("prev_comm=")?.rsplit_once(" prev_pid=")?;
    let (name, numbers) = other.rsplit_once(" next_pid=")?;
    Some(EventKind::Switch { from: from.to_owned(), to: number(numbers)?.0, name: name.to_owned() })
}

/// Returns the number of the first field, which must have this key, and the rest of the text.
fn field<'a>(fields: &'a str, key: &str) -> Option<(u32, &'a str)> {
    number(fields.strip_prefix(key)?)
}

/// Returns the number with which a text begins, and the rest of the text.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}
