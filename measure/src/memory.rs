//! Memory of this process: its resident set, freed blocks, fresh pages.

use programs::memory::{Moment, Probe, Resident};
use std::sync::OnceLock;

/// Returns this process's resident set at this moment, where the system says it.
pub fn resident() -> Option<Resident> {
    Resident::parse(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// Makes the C library keep memory that is freed, unless its variables say otherwise. On glibc alone.
///
/// A process that has never freed a large block gives large ones back to the system whenever they are freed. Message
/// libraries that allocate in a call (MPICH in a reduction, on ranks that are not the root) then pay for a page fault
/// per page in every call: whether they do would be left to what this program happened to free before.
pub fn keep_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Variables by which users set the handling of freed memory.
        const SAID: [&str; 3] = ["GLIBC_TUNABLES", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"];
        /// Largest threshold that glibc takes on 64 bits.
        const MAPPED_ABOVE: libc::c_int = 32 << 20;
        const TRIMMED_ABOVE: libc::c_int = 1 << 30;
        if SAID.iter().any(|name| std::env::var_os(name).is_some()) {
            return;
        }
        // SAFETY: the calls set numbers of the allocator, which locks them.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_ABOVE);
            libc::mallopt(libc::M_TRIM_THRESHOLD, TRIMMED_ABOVE);
        }
    }
}

/// Maps `bytes` bytes, writes to every page of them, each of which the system has to find and clear, and gives them
/// back. Returns the number of pages, 0 where the system gives none.
pub(crate) fn renew_pages(bytes: u64) -> u32 {
    // SAFETY: asks for a number.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(0);
    let length = bytes as usize;
    if page == 0 || length == 0 {
        return 0;
    }
    let (may, how) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a mapping of its own, at an address that the system chooses; written to within its length, unmapped once.
    unsafe {
        let begin = libc::mmap(std::ptr::null_mut(), length, may, how, -1, 0);
        if begin == libc::MAP_FAILED {
            return 0;
        }
        (0..length).step_by(page).for_each(|at| begin.cast::<u8>().add(at).write_volatile(1));
        libc::munmap(begin, length);
    }
    length.div_ceil(page) as u32
}

/// Looks around the library's initialisation, of which there is one in a process.
static START: OnceLock<[Probe; 2]> = OnceLock::new();

/// Initialises a message library, and looks at memory before and after. Tasks that look at memory begin with these
/// looks.
pub fn around_init<T>(initialise: impl FnOnce() -> T) -> T {
    let before = Probe { moment: Moment::BeforeInit, resident: resident() };
    let result = initialise();
    let after = Probe { moment: Moment::AfterInit, resident: resident() };
    START.get_or_init(|| [before, after]);
    result
}

/// Returns the looks around the initialisation, none in a process without a message library.
pub(crate) fn start() -> Vec<Probe> {
    START.get().map(|probes| probes.to_vec()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::page_faults;

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn what_is_freed_is_not_faulted_in_again() {
        const BYTES: usize = 4 << 20;
        let allocate = || drop(std::hint::black_box(vec![1u8; BYTES]));
        keep_freed();
        allocate();
        let before = page_faults();
        (0..20).for_each(|_| allocate());
        // Given back after each, it would be faulted in page by page, 20 times.
        let (found, pages) = (page_faults() - before, BYTES as u64 / 4_096);
        assert!(found < 5 * pages, "{found} faults, {pages} pages");
    }

    #[test]
    fn every_page_is_given_anew() {
        let before = page_faults();
        let pages = (0..10).map(|_| u64::from(renew_pages(1 << 20))).sum::<u64>();
        let found = page_faults() - before;
        assert!(found >= pages && pages >= 10 << 4, "{found} faults, {pages} pages");
    }

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
