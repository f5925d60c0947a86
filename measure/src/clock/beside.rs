//! A clock beside those of the system, read as if at one moment.

use super::{ClockMonotonic, ClockMonotonicRaw, RealClock, node, read_posix};
use models::clock::{Beside, ClockReadings};
use std::time::Duration;

/// Number of tries, of which the one with the shortest bracket counts: nothing came between its readings.
const TRIES: u32 = 200;

/// Looks twice, `apart` from each other, at a clock that counts nanoseconds and at those of the system.
pub fn beside(clock: &dyn RealClock, apart: Duration) -> Beside {
    let first = look(clock);
    std::thread::sleep(apart);
    Beside { node: node(&ClockMonotonic), first, last: look(clock) }
}

/// Reads each clock of the system before and after this one, and gives it the mean of both readings.
fn look(clock: &dyn RealClock) -> ClockReadings {
    let of_system =
        || [ClockMonotonic.read(), ClockMonotonicRaw.read(), read_posix(libc::CLOCK_REALTIME)].map(|at| at.0);
    let attempt = |_| {
        let (before, own, mut behind) = (of_system(), clock.read(), of_system());
        // In the same order behind, so that the means of all lie at one moment up to the time of a reading.
        let bracket = behind[2].saturating_sub(before[2]).max(behind[0].saturating_sub(before[0]));
        for (behind, before) in behind.iter_mut().zip(before) {
            *behind = before + behind.saturating_sub(before) / 2;
        }
        let [monotonic_ns, raw_ns, wall_ns] = behind.map(|at| at as i64);
        ClockReadings { own_ns: own.0 as i64, monotonic_ns, raw_ns, wall_ns, bracket_ns: bracket as i64 }
    };
    (0..TRIES).map(attempt).min_by_key(|look| look.bracket_ns).expect("there are tries")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Gettimeofday;
    use models::clock::{Begins, ClockConclusions, Follows, Ticks};

    #[test]
    fn the_systems_own_clocks_are_found_to_be_what_they_are() {
        let found = |clock: &dyn RealClock| {
            ClockConclusions::from_ranks(&[beside(clock, Duration::from_millis(50))]).expect("a rank")
        };
        let monotonic = found(&ClockMonotonic);
        assert!(monotonic.follows.contains(&Follows::Monotonic), "{monotonic:?}");
        assert!(matches!(monotonic.begins, Some(Begins::Boot)), "{monotonic:?}");
        assert_eq!(found(&Wall).follows, [Follows::Wall], "{:?}", found(&Wall));
        assert_eq!(found(&Wall).begins, Some(Begins::Epoch));
        assert!(Gettimeofday.says_global().is_none());
    }

    /// The wall clock in ns.
    #[derive(Clone, Copy)]
    struct Wall;

    impl RealClock for Wall {
        fn kind(&self) -> models::clock::ClockKind {
            models::clock::ClockKind::Gettimeofday
        }
        fn name(&self) -> &'static str {
            "wall"
        }
        fn read(&self) -> Ticks {
            read_posix(libc::CLOCK_REALTIME)
        }
        fn rate(&self) -> crate::clock::Rate {
            crate::clock::Rate::known(1e9)
        }
    }
}
