//! Lines of `trace_pipe`, as `kernel/trace/trace_output.c` prints them: the task that was current, right-aligned in 16 columns,
//! its number, the CPU, perhaps flags, the time stamp (a whole number with the clock `x86-tsc`), the event and its fields.
//!
//! ```text
//!  kworker/u4:1-mm-312     [001] d..2.  81263512345678: sched_switch: prev_comm=… prev_pid=312 … ==> next_comm=… next_pid=77 next_prio=120
//!         parallax-77      [001] d.h1.  81263512399012: irq_handler_entry: irq=126 name=eth0-TxRx-0
//! ```

use super::Class;

/// One line of the kernel's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// An event.
    Event(Event),
    /// Of this CPU so many events were lost before the next line; where the kernel does not know how many, one.
    Lost(u32, u64),
    /// A comment, or nothing.
    Other,
}

/// Something that happened on a CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The CPU.
    pub cpu: u32,
    /// When, by the counter.
    pub ticks: u64,
    /// The task that was current, by the kernel's number.
    pub task: u32,
    /// Its name; `<...>` where the kernel has forgotten it.
    pub name: String,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The CPU goes from the current task to another.
    Switch {
        /// The name of the one.
        from: String,
        /// The number of the other.
        to: u32,
        /// Its name.
        name: String,
    },
    /// Something comes over the current task.
    Enter(Handler),
    /// It is over.
    Leave(Kind, u32),
    /// An event that says nothing of that.
    Other,
}

/// What comes over a task.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Handler {
    /// What it is.
    pub kind: Kind,
    /// The kernel's number of it.
    pub number: u32,
    /// How people call it.
    pub name: String,
}

/// Kinds of what comes over tasks; each has numbers of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The handler of a device's interrupt.
    Irq,
    /// A vector of the processor's own: its timer, calls of other CPUs.
    Vector,
    /// Work that was put off.
    Softirq,
}

impl Kind {
    /// What detours are called in which it had the largest part.
    pub fn class(self) -> Class {
        match self {
            Kind::Irq | Kind::Vector => Class::Irq,
            Kind::Softirq => Class::Softirq,
        }
    }
}

/// The columns of a task's name.
const NAME_COLUMNS: usize = 16;

impl Line {
    /// Reads a line, without its end.
    ///
    /// # Errors
    /// What was expected.
    pub fn parse(line: &str) -> Result<Line, String> {
        if line.trim().is_empty() || line.starts_with('#') {
            return Ok(Line::Other);
        }
        if let Some((cpu, events)) = lost(line) {
            return Ok(Line::Lost(cpu, events));
        }
        let bad = || format!("expected a line of Linux's trace_pipe with time stamps of x86-tsc, found '{line}'");
        let (name, task, rest) = current(line).ok_or_else(bad)?;
        let (cpu, rest) = bracketed(rest).ok_or_else(bad)?;
        let (ticks, rest) = stamp(rest).ok_or_else(bad)?;
        let (event, fields) = rest.split_once(':').ok_or_else(bad)?;
        let what = what(event.trim(), fields.trim_start()).ok_or_else(bad)?;
        Ok(Line::Event(Event { cpu, ticks, task, name: name.to_owned(), what }))
    }
}

/// `CPU:3 [LOST 17 EVENTS]`.
fn lost(line: &str) -> Option<(u32, u64)> {
    let (cpu, lost) = line.strip_prefix("CPU:")?.split_once(" [LOST ")?;
    let count = lost.trim_end().strip_suffix("EVENTS]")?.trim();
    Some((cpu.parse().ok()?, if count.is_empty() { 1 } else { count.parse().ok()? }))
}

/// The current task, and what follows it. Its name may have anything in it; the number stands behind a dash that is followed by
/// the CPU, or by the thread group and the CPU.
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

/// `[003] `, and what follows.
fn bracketed(text: &str) -> Option<(u32, &str)> {
    let (cpu, rest) = text.strip_prefix('[')?.split_once("] ")?;
    Some((cpu.parse().ok()?, rest))
}

/// `d.h1.  81263512399012: `, or without flags, and what follows.
fn stamp(text: &str) -> Option<(u64, &str)> {
    let (first, rest) = text.trim_start().split_once(' ')?;
    let (stamp, rest) = if first.ends_with(':') { (first, rest) } else { rest.trim_start().split_once(' ')? };
    Some((stamp.strip_suffix(':')?.parse().ok()?, rest))
}

fn what(event: &str, fields: &str) -> Option<What> {
    Some(match event {
        "sched_switch" => switch(fields)?,
        "irq_handler_entry" => {
            let (number, name) = field(fields, "irq=")?;
            let name = format!("{} ({number})", name.trim_start().strip_prefix("name=")?.trim_end());
            What::Enter(Handler { kind: Kind::Irq, number, name })
        }
        "irq_handler_exit" => What::Leave(Kind::Irq, field(fields, "irq=")?.0),
        "softirq_entry" => {
            let (number, action) = field(fields, "vec=")?;
            let name = action.trim().strip_prefix("[action=")?.strip_suffix(']')?.to_owned();
            What::Enter(Handler { kind: Kind::Softirq, number, name })
        }
        "softirq_exit" => What::Leave(Kind::Softirq, field(fields, "vec=")?.0),
        _ => match (event.strip_suffix("_entry"), event.strip_suffix("_exit"), field(fields, "vector=")) {
            (Some(name), _, Some((number, _))) => {
                What::Enter(Handler { kind: Kind::Vector, number, name: name.to_owned() })
            }
            (_, Some(_), Some((number, _))) => What::Leave(Kind::Vector, number),
            _ => What::Other,
        },
    })
}

/// `prev_comm=… prev_pid=… prev_prio=… prev_state=… ==> next_comm=… next_pid=… next_prio=…`; names may have blanks in them.
fn switch(fields: &str) -> Option<What> {
    let (one, other) = fields.split_once(" ==> next_comm=")?;
    let (from, _) = one.strip_prefix("prev_comm=")?.rsplit_once(" prev_pid=")?;
    let (name, numbers) = other.rsplit_once(" next_pid=")?;
    Some(What::Switch { from: from.to_owned(), to: number(numbers)?.0, name: name.to_owned() })
}

/// The number of the first field, which has this key, and what follows.
fn field<'a>(fields: &'a str, key: &str) -> Option<(u32, &'a str)> {
    number(fields.strip_prefix(key)?)
}

/// The number with which a text begins, and what follows.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}
