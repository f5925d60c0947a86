//! Causes of detours, by the events that Linux traced at the same time (tracefs, with the clock `x86-tsc`): its time
//! stamps are readings of the counter that ranks read, so events and detours are joined by ticks.
//!
//! At each instant a CPU does one thing: it runs a task, or the innermost of the interrupts and softirqs that
//! interrupted it. While a task other than the rank has the CPU, whatever interrupts that task is a part of the
//! preemption.

mod event;
mod file;
mod join;
mod timeline;

pub use event::{Event, EventKind, Handler, HandlerKind, TraceLine};
pub use file::{CausesFile, Entry, head, line, read};
pub use join::{Cause, Join};
pub use timeline::{CHANGE_BYTES, Timeline};

models::named! {
    /// Class of what took the CPU from a rank.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Class {
        /// Another task had the CPU.
        Preemption => "preemption",
        /// A device, a timer or another CPU interrupted the rank.
        Irq => "irq",
        /// The CPU did work that an interrupt had put off.
        Softirq => "softirq",
        /// The cause is nothing that the kernel traces: a hypervisor, or the firmware.
        None => "none",
        /// The kernel's events of that time were lost.
        Unknown => "unknown",
    }
    /// Name of the class in files.
    fn name;
    find("class of causes"); Display(name);
}
