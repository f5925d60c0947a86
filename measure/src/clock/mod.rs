//! Real clocks, one file each: the counter where it can be trusted, the operating system's clocks.
//!
//! The counter is a type of its own, so that no branch remains in a read. The other clocks, whose reads cost more than
//! a branch, are read by a pointer and share compiled code. `MPI_Wtime` is with the other MPI calls.

mod beside;
mod card;
mod clock_monotonic;
mod clock_monotonic_raw;
mod counter;
mod gettimeofday;
mod imperfect;
mod rate;

pub use beside::beside;
pub use card::{read_cost, report_card, report_card_of};
pub use clock_monotonic::ClockMonotonic;
pub use clock_monotonic_raw::ClockMonotonicRaw;
pub use counter::Counter;
pub use gettimeofday::Gettimeofday;
pub use imperfect::imperfect;
pub use rate::Rate;

use models::clock::{ClockKind, Ticks, Timescale};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Clock of this machine with its properties.
pub trait RealClock: Sync + 'static {
    /// Returns its name in files and flags.
    fn kind(&self) -> ClockKind;
    /// Returns the name of what it is on this processor, such as `tsc` or `cntvct_el0`.
    fn name(&self) -> &'static str;
    /// Reads it once. Earlier instructions have completed before the read, later ones begin after it.
    fn read(&self) -> Ticks;
    /// Returns its rate, measured where it is not known.
    fn rate(&self) -> Rate;
    /// Checks that this machine's clock of this kind can be trusted. The error says why not.
    fn trusted(&self) -> Result<(), String> {
        Ok(())
    }
    /// Returns whether all processes of a machine read the same.
    fn is_shared(&self) -> bool {
        true
    }
    /// Returns whether all processes read the same, as a library says of its own clock. `None` where no library says
    /// so.
    fn says_global(&self) -> Option<bool> {
        None
    }
    /// Returns the reading that counts as time zero. It is asked for once.
    fn origin(&self) -> Ticks {
        self.read()
    }
    /// Returns the clock and scale by which time truly passes. `None` where that is this clock, as far as is known.
    fn true_time(&self) -> Option<(&'static dyn RealClock, Timescale)> {
        None
    }
    /// Returns whether the time namespace of a process shifts it.
    fn is_in_time_namespace(&self) -> bool {
        true
    }
    /// Returns the granularity of its readings, in ticks.
    fn granularity_ticks(&self) -> u64 {
        1
    }
}

/// Way to read a clock: the counter by its own type, another by a pointer.
pub trait ClockSource: Copy + Send + 'static {
    /// Whether methods are compiled for each operation. It is not worth it where a read costs more than a branch or
    /// shows less.
    const SPECIALISED: bool;
    /// Reads it once, as [`RealClock::read`] does.
    fn read(self) -> Ticks;
    /// Returns the true time, as [`RealClock::true_time`] does.
    fn true_time(self) -> Option<(&'static dyn RealClock, Timescale)>;
    /// Returns the clock with its properties.
    fn clock(self) -> &'static dyn RealClock;
}

impl ClockSource for Counter {
    const SPECIALISED: bool = true;

    #[inline(always)]
    fn read(self) -> Ticks {
        RealClock::read(&self)
    }

    #[inline(always)]
    fn true_time(self) -> Option<(&'static dyn RealClock, Timescale)> {
        None
    }

    fn clock(self) -> &'static dyn RealClock {
        &Counter
    }
}

impl ClockSource for &'static dyn RealClock {
    const SPECIALISED: bool = false;

    #[inline(always)]
    fn read(self) -> Ticks {
        RealClock::read(self)
    }

    fn true_time(self) -> Option<(&'static dyn RealClock, Timescale)> {
        RealClock::true_time(self)
    }

    fn clock(self) -> &'static dyn RealClock {
        self
    }
}

/// Returns a clock's scale with its origin at this moment. Called once per node, so that all its ranks agree.
pub fn timescale(clock: &dyn RealClock) -> Timescale {
    timescale_at(clock, clock.rate())
}

/// Returns a clock's scale as [`timescale`] does, for a rate that is known already.
pub fn timescale_at(clock: &dyn RealClock, rate: Rate) -> Timescale {
    Timescale {
        ticks_per_second: rate.ticks_per_second,
        origin: clock.origin(),
        granularity_ticks: clock.granularity_ticks(),
    }
}

/// Returns the clock of this kind that every process has, `None` for `MPI_Wtime`.
pub fn of_system(kind: ClockKind) -> Option<&'static dyn RealClock> {
    Some(match kind {
        ClockKind::Automatic | ClockKind::Tsc => &Counter,
        ClockKind::ClockMonotonic => &ClockMonotonic,
        ClockKind::ClockMonotonicRaw => &ClockMonotonicRaw,
        ClockKind::Gettimeofday => &Gettimeofday,
        ClockKind::MpiWtime => return None,
    })
}

/// Evaluates `$body` with the clock of a kind as ranks read it. The body is compiled for the counter and for all others
/// together.
#[macro_export]
macro_rules! with_clock {
    ($kind:expr, |$clock:ident| $body:expr, mpi_wtime => $mpi_wtime:expr) => {
        match $kind {
            models::clock::ClockKind::Automatic | models::clock::ClockKind::Tsc => {
                let $clock = $crate::clock::Counter;
                $body
            }
            kind => match $crate::clock::of_system(kind) {
                Some($clock) => $body,
                None => $mpi_wtime,
            },
        }
    };
}

/// Returns the kind of clock that `kind` stands for: `automatic` becomes the counter where it can be trusted, else the
/// raw clock.
pub fn chosen(kind: ClockKind, counter_is_trusted: bool) -> ClockKind {
    match kind {
        ClockKind::Automatic if counter_is_trusted => ClockKind::Tsc,
        ClockKind::Automatic => ClockKind::ClockMonotonicRaw,
        ClockKind::Tsc
        | ClockKind::ClockMonotonic
        | ClockKind::ClockMonotonicRaw
        | ClockKind::Gettimeofday
        | ClockKind::MpiWtime => kind,
    }
}

/// Returns whether the counter can be trusted here and its measured rate agrees: then an automatic choice takes it.
pub fn counter_will_do() -> bool {
    Counter.trusted().is_ok() && Counter.rate().agreed().is_ok()
}

/// Returns a number that two processes share exactly if they read one clock by one scale: same running kernel, same
/// time namespace where that matters. Where the kernel does not say, hosts of the same name count as one.
pub fn domain(clock: &dyn RealClock, scale: &Timescale) -> u64 {
    let mut hasher = DefaultHasher::new();
    (clock.name(), node(clock)).hash(&mut hasher);
    (scale.ticks_per_second.to_bits(), scale.origin.0, scale.granularity_ticks).hash(&mut hasher);
    hasher.finish()
}

/// Returns a number that two processes share if a clock of this kind shows both the same.
pub fn node(clock: &dyn RealClock) -> u64 {
    let mut hasher = DefaultHasher::new();
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    boot.unwrap_or_else(|_| crate::board::host_name()).hash(&mut hasher);
    if clock.is_in_time_namespace() {
        std::fs::read_link("/proc/self/ns/time").ok().hash(&mut hasher);
    }
    hasher.finish()
}

/// Reads one of the operating system's clocks, in nanoseconds.
#[inline(always)]
fn read_posix(clock: libc::clockid_t) -> Ticks {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec; the clock exists on every supported system.
    unsafe { libc::clock_gettime(clock, &raw mut now) };
    Ticks(now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn never_runs_backwards(clock: &dyn RealClock) {
        let mut last = clock.read();
        for _ in 0..1_000_000 {
            let now = clock.read();
            assert!(now >= last, "{} ran backwards: {now:?} after {last:?}", clock.name());
            last = now;
        }
    }

    #[test]
    fn clocks_never_run_backwards() {
        never_runs_backwards(&ClockMonotonic);
        never_runs_backwards(&ClockMonotonicRaw);
        if Counter.trusted().is_ok() {
            never_runs_backwards(&Counter);
        }
    }

    #[test]
    fn two_measurements_of_the_counters_rate_agree() {
        if Counter.trusted().is_ok() {
            let (first, second) = (Counter.rate().ticks_per_second, Counter.rate().ticks_per_second);
            let ppm = (first - second).abs() / first * 1e6;
            // A virtual machine may be stopped inside a bracket; 1 % would be a wrong unit or a wrong clock.
            assert!(ppm < 10_000.0, "{first} Hz and {second} Hz differ by {ppm} ppm");
        }
    }

    #[test]
    fn every_clock_says_what_it_is_and_counts_in_its_unit() {
        for kind in [ClockKind::Tsc, ClockKind::ClockMonotonic, ClockKind::ClockMonotonicRaw, ClockKind::Gettimeofday] {
            let clock = of_system(kind).expect("every process has it");
            let scale = timescale(clock);
            std::thread::sleep(std::time::Duration::from_millis(5));
            let passed = scale.span(scale.origin, clock.read());
            assert_eq!(clock.kind(), kind);
            assert!(passed >= models::time::Span::from_us(4_990), "{kind}: only {passed}");
        }
    }

    #[test]
    fn ranks_share_a_clock_if_they_share_its_scale() {
        let scale = Timescale { ticks_per_second: 1e9, origin: Ticks(5), granularity_ticks: 1 };
        let later = Timescale { origin: Ticks(6), ..scale };
        assert_eq!(domain(&ClockMonotonic, &scale), domain(&ClockMonotonic, &scale));
        assert_ne!(domain(&ClockMonotonic, &scale), domain(&ClockMonotonic, &later));
        assert_ne!(domain(&ClockMonotonic, &scale), domain(&ClockMonotonicRaw, &scale));
    }

    #[test]
    fn the_automatic_clock_is_the_counter_where_it_is_trusted() {
        assert_eq!(chosen(ClockKind::Automatic, true), ClockKind::Tsc);
        assert_eq!(chosen(ClockKind::Automatic, false), ClockKind::ClockMonotonicRaw);
        assert_eq!(chosen(ClockKind::Gettimeofday, true), ClockKind::Gettimeofday);
    }
}
