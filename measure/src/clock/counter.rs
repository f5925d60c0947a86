//! The time stamp counter (x86-64) or the virtual counter (aarch64), read with the fences that keep it in its place.
//!
//! Never cpuid: it traps in virtual machines, 1 to 3.5 µs a read against 22 ns.

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use super::ClockMonotonicRaw;
use super::{RealClock, rate};
use models::clock::{ClockKind, Ticks};

/// Counter of the processor as a clock.
#[derive(Clone, Copy, Debug)]
pub struct Counter;

/// File in which the kernel names the clock that it uses itself.
const CLOCKSOURCE: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

impl RealClock for Counter {
    fn kind(&self) -> ClockKind {
        ClockKind::Tsc
    }

    fn name(&self) -> &'static str {
        if cfg!(target_arch = "aarch64") { "cntvct_el0" } else { "tsc" }
    }

    fn is_in_time_namespace(&self) -> bool {
        false
    }

    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    fn read(&self) -> Ticks {
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
    fn read(&self) -> Ticks {
        let ticks: u64;
        // SAFETY: reading the virtual counter has no side effects; isb orders it after earlier instructions.
        unsafe { std::arch::asm!("isb", "mrs {}, cntvct_el0", "isb", out(reg) ticks) };
        Ticks(ticks)
    }

    #[inline(always)]
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn read(&self) -> Ticks {
        ClockMonotonicRaw.read()
    }

    /// On x86-64 the counter is trusted if the kernel lists it as constant, as running in deep sleep, and as readable
    /// by rdtscp, and has not left it for a slower clock, which it does after finding it wrong.
    fn trusted(&self) -> Result<(), String> {
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
        if !missing.is_empty() {
            return Err(format!("the time stamp counter lacks {}", missing.join(", ")));
        }
        kernel_keeps_it(&std::fs::read_to_string(CLOCKSOURCE).unwrap_or_default())
    }

    fn rate(&self) -> rate::Rate {
        rate::measured(*self)
    }
}

/// Checks that the kernel's own clock rests on the counter. Where the kernel does not say, the flags suffice.
fn kernel_keeps_it(source: &str) -> Result<(), String> {
    match source.trim() {
        "" | "tsc" | "tsc-early" | "kvm-clock" | "hyperv_clocksource_tsc_page" => Ok(()),
        other => Err(format!("the kernel's clocksource is {other}, not tsc: it may have found the counter wrong")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_the_kernel_has_left_is_not_trusted() {
        assert_eq!(kernel_keeps_it("tsc\n"), Ok(()));
        assert_eq!(kernel_keeps_it(""), Ok(()));
        insta::assert_snapshot!(kernel_keeps_it("hpet\n").unwrap_err());
    }
}
