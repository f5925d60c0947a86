//! What is in this process's memory.

use models::memory::{Moment, Probe, Resident};
use std::sync::OnceLock;

/// This process's resident set now, where the system says it.
pub fn resident() -> Option<Resident> {
    Resident::parse(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// Looks around the library's initialisation, of which there is one in a process.
static START: OnceLock<[Probe; 2]> = OnceLock::new();

/// Initialises a message library, and looks at memory before and after; tasks that look at memory begin with that.
pub fn around_init<T>(initialise: impl FnOnce() -> T) -> T {
    let before = Probe { moment: Moment::BeforeInit, resident: resident() };
    let result = initialise();
    let after = Probe { moment: Moment::AfterInit, resident: resident() };
    START.get_or_init(|| [before, after]);
    result
}

/// What was seen around the initialisation; nothing in a process without a message library.
pub(crate) fn start() -> Vec<Probe> {
    START.get().map(|probes| probes.to_vec()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_that_is_touched_is_resident() {
        const MIB: u64 = 1 << 20;
        let before = resident().expect("Linux says it");
        let touched = std::hint::black_box(vec![1u8; (64 * MIB) as usize]);
        let after = resident().expect("Linux says it");
        drop(touched);
        assert!(after.anonymous_kib >= before.anonymous_kib + 60 * 1024, "{before:?} {after:?}");
        assert!(after.high_water_kib >= after.rss_kib);
        let parts = after.anonymous_kib + after.file_kib + after.shared_kib;
        assert_eq!(after.rss_kib, parts, "the parts are all there is");
    }
}
