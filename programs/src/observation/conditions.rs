//! Conditions under which a case is measured, apart from its method: a campaign varies them to see whether they matter.

use super::{Barrier, Label};
use crate::method::{OneDelay, WindowRules};
use crate::sync::Sync;
use models::clock::ClockKind;
use models::platform::Buffer;
use models::time::Span;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Conditions of a measurement. The defaults are the usual ones, and are not written into files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Conditions {
    /// Algorithm by which clocks are synchronised.
    pub sync: Sync,
    /// State in which calls find their buffers (E4).
    pub buffer: Buffer,
    /// Whether these are the windows that the other cases of the same subject are held against, whose buffers may be in
    /// another state than theirs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reference: bool,
    /// Length of every window, where it does not adapt (E8).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<Span>,
    /// Rules of windows that replace the usual ones.
    #[serde(skip_serializing_if = "WindowRules::are_usual")]
    pub rules: WindowRules,
    /// Delay of one rank, once, before the timed calls (E10).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<OneDelay>,
    /// Clock that ranks read (E7).
    #[serde(skip_serializing_if = "is_automatic")]
    pub clock: ClockKind,
    /// Barrier that the method calls, where cases differ in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub barrier: Option<Barrier>,
    /// Machine, of several that a scenario describes, where ranks are simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<Label>,
}

fn is_automatic(clock: &ClockKind) -> bool {
    *clock == ClockKind::Automatic
}

impl Conditions {
    /// Returns true if nothing is unusual.
    pub fn are_usual(&self) -> bool {
        *self == Conditions::default()
    }
}

/// The unusual conditions in words; an empty text if there are none.
impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Conditions::default();
        let sync = (self.sync != usual.sync).then(|| format!("{} synchronisation", self.sync.name()));
        let buffer = (self.buffer != usual.buffer).then(|| format!("buffer {}", self.buffer.name()));
        let reference = self.reference.then(|| "reference".to_owned());
        let window = self.window.map(|window| format!("windows of {} µs", window.as_us()));
        let rules = (!self.rules.are_usual()).then(|| self.rules.words());
        let delay = self.delay.map(|delay| format!("delay {delay}"));
        let clock = (self.clock != usual.clock).then(|| format!("clock {}", self.clock));
        let barrier = self.barrier.map(|barrier| format!("barrier {barrier}"));
        let machine = self.machine.map(|machine| format!("machine {machine}"));
        let unusual = [sync, buffer, reference, window, rules, delay, clock, barrier, machine];
        f.write_str(&unusual.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}
