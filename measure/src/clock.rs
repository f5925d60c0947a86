//! Real clocks: the time stamp counter where it can be trusted, the monotonic clock elsewhere.

use models::clock::{Ticks, Timescale};
use std::hint::spin_loop;

/// A clock that every rank of this machine can read. Chosen once, so that no branch remains in a read.
pub trait ClockSource: Copy + Send + 'static {
    /// Its name in output.
    const NAME: &'static str;
    /// One read. Earlier instructions have completed before it, later ones begin after it.
    fn read() -> Ticks;
    /// Whether this machine's clock of this kind can be trusted; the error says why not.
    fn trusted() -> Result<(), String>;
    /// Its rate, in Hz, measured where it is not known.
    fn ticks_per_second() -> f64;
}

/// A clock's scale with its origin now. Called once per node, so that all its ranks agree.
pub fn timescale<C: ClockSource>() -> Timescale {
    Timescale { ticks_per_second: C::ticks_per_second(), origin: C::read(), granularity_ticks: 1 }
}

/// The time stamp counter (x86-64) or the virtual counter (aarch64).
#[derive(Clone, Copy, Debug)]
pub struct Counter;

/// `CLOCK_MONOTONIC_RAW`, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Monotonic;

impl ClockSource for Counter {
    const NAME: &'static str = if cfg!(target_arch = "aarch64") { "cntvct_el0" } else { "tsc" };

    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    fn read() -> Ticks {
        use std::arch::x86_64::{__rdtscp, _mm_lfence};
        let mut processor = 0;
        // SAFETY: both instructions exist on every x86-64 processor with RDTSCP, which `trusted` demands.
        // rdtscp waits for earlier instructions; the fence keeps later ones from starting before it.
        let ticks = unsafe {
            let ticks = __rdtscp(&raw mut processor);
            _mm_lfence();
            ticks
        };
        Ticks(ticks)
    }

    #[inline(always)]
    #[cfg(target_arch = "aarch64")]
    fn read() -> Ticks {
        let ticks: u64;
        // SAFETY: reading the virtual counter has no side effects; isb orders it after earlier instructions.
        unsafe { std::arch::asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) ticks) };
        Ticks(ticks)
    }

    #[inline(always)]
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn read() -> Ticks {
        Monotonic::read()
    }

    /// x86-64: the kernel lists the counter as constant, as running in deep sleep, and readable by rdtscp.
    fn trusted() -> Result<(), String> {
        if cfg!(target_arch = "aarch64") {
            return Ok(());
        }
        if !cfg!(target_arch = "x86_64") {
            return Err("this processor has no counter that user programs can read".to_owned());
        }
        let info = std::fs::read_to_string("/proc/cpuinfo").map_err(|error| format!("/proc/cpuinfo: {error}"))?;
        let flags = info.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
        let missing: Vec<_> = ["constant_tsc", "nonstop_tsc", "rdtscp"]
            .into_iter()
            .filter(|flag| !flags.split_whitespace().any(|known| known == *flag))
            .collect();
        if missing.is_empty() { Ok(()) } else { Err(format!("the time stamp counter lacks {}", missing.join(", "))) }
    }

    /// Against `CLOCK_MONOTONIC_RAW` over a fifth of a second: reads are bracketed, so that the error
    /// is two brackets (some 50 ns each) in 200 ms: below 1 ppm.
    fn ticks_per_second() -> f64 {
        let (first_ticks, first_ns) = bracketed();
        while Monotonic::read().0 < first_ns + 200_000_000 {
            spin_loop();
        }
        let (last_ticks, last_ns) = bracketed();
        (last_ticks - first_ticks) as f64 / ((last_ns - first_ns) as f64 / 1e9)
    }
}

/// The counter and the raw clock at the same moment: of some tries the one with the narrowest bracket.
fn bracketed() -> (u64, u64) {
    let attempt = || {
        let before = Counter::read().0;
        let ns = Monotonic::read().0;
        let after = Counter::read().0;
        (after - before, before + (after - before) / 2, ns)
    };
    let (_, ticks, ns) = (0..50).map(|_| attempt()).min().expect("fifty tries");
    (ticks, ns)
}

impl ClockSource for Monotonic {
    const NAME: &'static str = "clock_monotonic_raw";

    #[inline(always)]
    fn read() -> Ticks {
        let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        #[cfg(target_os = "linux")]
        let id = libc::CLOCK_MONOTONIC_RAW;
        #[cfg(not(target_os = "linux"))]
        let id = libc::CLOCK_MONOTONIC;
        // SAFETY: the pointer is to a live timespec; the clock exists on every supported system.
        unsafe { libc::clock_gettime(id, &raw mut now) };
        Ticks(now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64)
    }

    fn trusted() -> Result<(), String> {
        Ok(())
    }

    fn ticks_per_second() -> f64 {
        1e9
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn never_runs_backwards<C: ClockSource>() {
        let mut last = C::read();
        for _ in 0..1_000_000 {
            let now = C::read();
            assert!(now >= last, "{} ran backwards: {now:?} after {last:?}", C::NAME);
            last = now;
        }
    }

    #[test]
    fn clocks_never_run_backwards() {
        never_runs_backwards::<Monotonic>();
        if Counter::trusted().is_ok() {
            never_runs_backwards::<Counter>();
        }
    }

    #[test]
    fn two_measurements_of_the_counters_rate_agree() {
        if Counter::trusted().is_ok() {
            let (first, second) = (Counter::ticks_per_second(), Counter::ticks_per_second());
            let ppm = (first - second).abs() / first * 1e6;
            // A virtual machine may be stopped inside a bracket; 1 % would be a wrong unit or a wrong clock.
            assert!(ppm < 10_000.0, "{first} Hz and {second} Hz differ by {ppm} ppm");
        }
    }
}
