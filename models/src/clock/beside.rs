//! A clock that every process has for itself (`MPI_Wtime`) beside the clocks of its system: which of them it follows,
//! when it was 0, how far those of one host are apart, and whether it is global as it says.

use serde::{Deserialize, Serialize};

crate::named! {
    /// Clock of the system that a process's own clock follows.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Follows {
        /// The system's clock `CLOCK_MONOTONIC`.
        Monotonic => "the monotonic clock",
        /// The system's clock `CLOCK_MONOTONIC_RAW`.
        Raw => "the raw monotonic clock",
        /// The clock `CLOCK_REALTIME`, which can be set.
        Wall => "the wall clock",
        /// The time stamp counter of the processor.
        Counter => "the processor's counter by a rate that each process measures for itself",
    }
    /// Words for the clock within a sentence.
    fn words;
    Display(words);
}

crate::named! {
    /// Moment at which a process's own clock was 0.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Begins {
        /// Start of the process, or its first reading.
        OwnStart => "each rank's own start or first reading",
        /// Full hour before the process started.
        FullHour => "the last full hour before each rank's own start",
        /// Start of the machine.
        Boot => "the start of the machine",
        /// Begin of the year 1970.
        Epoch => "the year 1970",
    }
    /// Words for the moment within a sentence.
    fn words;
    Display(words);
}

/// Readings of all clocks of a process as if at one moment, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockReadings {
    /// Reading of the process's own clock.
    pub own_ns: i64,
    /// Reading of the clock `CLOCK_MONOTONIC`.
    pub monotonic_ns: i64,
    /// Reading of the clock `CLOCK_MONOTONIC_RAW`.
    pub raw_ns: i64,
    /// Reading of the clock `CLOCK_REALTIME`.
    pub wall_ns: i64,
    /// Time within which all of these readings were taken.
    pub bracket_ns: i64,
}

/// Reads one of the clocks of a look.
type Of = fn(&ClockReadings) -> i64;

/// Two looks of one process, some time apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beside {
    /// Number of the host: processes of the same number read the same monotonic clock.
    pub node: u64,
    /// The earlier of the two looks.
    pub first: ClockReadings,
    /// The later of the two looks.
    pub last: ClockReadings,
}

/// Conclusions from the looks of all ranks together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClockConclusions {
    /// Clocks that every rank's clock may follow: several where these run alike.
    pub follows: Vec<Follows>,
    /// Moment at which the clock was 0; `None` where that is no known moment, or not the same on all ranks.
    pub begins: Option<Begins>,
    /// Largest distance between clocks of one host, in µs; `None` where no two ranks were on one host.
    pub apart_us: Option<f64>,
    /// Uncertainty of that distance, ± µs.
    pub error_us: f64,
    /// Rates of the fastest and of the slowest clock above that of the monotonic clock, in ppm.
    pub rates_ppm: [f64; 2],
}

const SECOND_NS: i64 = 1_000_000_000;
const HOUR_NS: i64 = 3_600 * SECOND_NS;
/// Rounding of readings: libraries keep seconds and fractions in floating point, and readings of 10⁹ s end in steps of
/// a quarter of a µs.
const ROUNDED_NS: i64 = 1_000;
/// Time for which a process that has just started has run at most.
const JUST_STARTED_NS: i64 = 60 * SECOND_NS;

impl ClockReadings {
    /// Returns the moment at which the clock was 0, if it is a known one.
    fn begins(&self) -> Option<Begins> {
        let unsure = self.bracket_ns + ROUNDED_NS;
        let from_wall = self.wall_ns - self.own_ns;
        let from_hour = from_wall.rem_euclid(HOUR_NS);
        if from_wall.abs() <= unsure {
            return Some(Begins::Epoch);
        }
        if from_hour.min(HOUR_NS - from_hour) <= unsure {
            return Some(Begins::FullHour);
        }
        if (0..JUST_STARTED_NS).contains(&self.own_ns) && self.monotonic_ns > 2 * JUST_STARTED_NS {
            return Some(Begins::OwnStart);
        }
        // A rate that is measured within a fraction of a second is wrong by some ppm, for as long as the machine has
        // been up.
        let about = SECOND_NS + self.monotonic_ns / 10_000;
        ((self.own_ns - self.monotonic_ns).abs() <= about).then_some(Begins::Boot)
    }
}

impl Beside {
    /// Returns the clocks that this one may follow: those at whose rate it runs and whose readings fit where it begins.
    fn follows(&self) -> Vec<Follows> {
        let Beside { first, last, .. } = self;
        let unsure = first.bracket_ns.max(last.bracket_ns) + ROUNDED_NS;
        let at_its_rate = |of: Of| (last.own_ns - first.own_ns - (of(last) - of(first))).abs() <= unsure_of_rate(self);
        let shows_it = |of: Of| (last.own_ns - of(last)).abs() <= unsure;
        let begins = last.begins();
        let fits = |(follows, of): &(Follows, Of)| {
            let begins_so = match begins {
                Some(Begins::FullHour | Begins::Epoch) => *follows == Follows::Wall,
                Some(Begins::Boot) => shows_it(*of),
                Some(Begins::OwnStart) | None => true,
            };
            begins_so && at_its_rate(*of)
        };
        let of_system: [(Follows, Of); 3] = [
            (Follows::Monotonic, |look| look.monotonic_ns),
            (Follows::Raw, |look| look.raw_ns),
            (Follows::Wall, |look| look.wall_ns),
        ];
        let found: Vec<Follows> = of_system.into_iter().filter(fits).map(|(follows, _)| follows).collect();
        if found.is_empty() { vec![Follows::Counter] } else { found }
    }

    fn rate_ppm(&self) -> f64 {
        let passed = |of: Of| (of(&self.last) - of(&self.first)) as f64;
        (passed(|look| look.own_ns) / passed(|look| look.monotonic_ns) - 1.0) * 1e6
    }

    /// Returns the time by which the clock is ahead of the monotonic one, in ns.
    fn ahead_ns(&self) -> i64 {
        self.last.own_ns - self.last.monotonic_ns
    }
}

/// Returns the time by which two clocks of one rate may differ over both looks, in ns.
fn unsure_of_rate(Beside { first, last, .. }: &Beside) -> i64 {
    // Readings as floating point in a double of 10⁵ s have steps of 15 ps: brackets alone count.
    (first.bracket_ns + last.bracket_ns) / 2 + 2
}

impl ClockConclusions {
    /// Draws the conclusions from the looks of these ranks; `None` for no ranks.
    pub fn from_ranks(ranks: &[Beside]) -> Option<ClockConclusions> {
        let first = ranks.first()?;
        let of_first = first.follows();
        let mut follows: Vec<Follows> =
            of_first.into_iter().filter(|one| ranks.iter().all(|rank| rank.follows().contains(one))).collect();
        if follows.is_empty() {
            follows.push(Follows::Counter);
        }
        let begins = first.last.begins().filter(|begins| ranks.iter().all(|rank| rank.last.begins() == Some(*begins)));
        let apart = |rank: &Beside| {
            let there = ranks.iter().filter(|other| other.node == rank.node);
            let others = ranks.iter().filter(|other| other.node == rank.node).count() > 1;
            there.map(|other| (rank.ahead_ns() - other.ahead_ns()).abs()).max().filter(|_| others)
        };
        let rates = ranks.iter().map(Beside::rate_ppm);
        Some(ClockConclusions {
            follows,
            begins,
            apart_us: ranks.iter().filter_map(apart).max().map(|ns| ns as f64 / 1e3),
            error_us: ranks.iter().map(|rank| rank.last.bracket_ns).max().unwrap_or(0) as f64 / 1e3,
            rates_ppm: [rates.clone().fold(f64::MIN, f64::max), rates.fold(f64::MAX, f64::min)],
        })
    }

    /// Whether ranks of one host are further apart than the looks are unsure.
    pub fn differs(&self) -> bool {
        self.apart_us.is_some_and(|apart| apart > self.error_us)
    }

    /// Returns the conclusions as the end of a sentence that begins with the clock's name.
    pub fn words(&self) -> String {
        let which: Vec<&str> = self.follows.iter().map(|one| one.words()).collect();
        let follows = match which.as_slice() {
            [several @ .., last] if !several.is_empty() => {
                format!("runs as {} and {last}, which run alike here", several.join(", "))
            }
            one => format!("follows {}", one.concat()),
        };
        let begins = self.begins.map_or("from no moment that is known here".to_owned(), |at| format!("from {at} on"));
        let apart = self.apart_us.map_or(String::new(), |apart| {
            format!("; ranks of one host are {} apart", if self.differs() { length(apart) } else { "not".to_owned() })
        });
        format!("{follows}, {begins}{apart}")
    }
}

/// Returns a length of time in µs with three digits, in the unit that suits it.
pub(crate) fn length(us: f64) -> String {
    let (value, unit) = if us < 1e3 { (us, "µs") } else { (us / 1e3, "ms") };
    let decimals = 2 - (value.max(1e-9).log10().floor() as i32).clamp(0, 2);
    format!("{value:.*} {unit}", decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP_NS: i64 = 63_000 * SECOND_NS;
    /// A quarter past an hour.
    const WALL_NS: i64 = 500_000 * HOUR_NS + 900 * SECOND_NS;

    /// A second between looks; the wall clock is stepped by so much meanwhile.
    fn beside(own: impl Fn(i64) -> i64, wall_stepped_ns: i64) -> Beside {
        let look = |at: i64, stepped| ClockReadings {
            own_ns: own(at),
            monotonic_ns: UP_NS + at,
            raw_ns: UP_NS - 5 * SECOND_NS + at,
            wall_ns: WALL_NS + at + stepped,
            bracket_ns: 80,
        };
        Beside { node: 1, first: look(0, 0), last: look(SECOND_NS, wall_stepped_ns) }
    }

    #[test]
    fn a_clock_is_told_by_its_rate_and_by_where_it_begins() {
        let found = |ranks: &[Beside]| ClockConclusions::from_ranks(ranks).expect("ranks");
        let started = |after: i64| beside(move |at| at + 2 * SECOND_NS - after, 5_000);
        let own = found(&[started(0), started(52_000)]);
        assert_eq!(
            (own.follows.as_slice(), own.begins),
            (&[Follows::Monotonic, Follows::Raw][..], Some(Begins::OwnStart))
        );
        assert!(own.differs() && own.apart_us == Some(52.0), "{own:?}");
        let wall = beside(|at| 900 * SECOND_NS + at, 0);
        let hour = found(&[wall, wall]);
        assert_eq!((hour.follows.as_slice(), hour.begins), (&[Follows::Wall][..], Some(Begins::FullHour)));
        assert!(!hour.differs());
        let epoch = found(&[beside(|at| WALL_NS + at, 0)]);
        assert_eq!((epoch.begins, epoch.apart_us), (Some(Begins::Epoch), None));
        let counter = |ppm: i64| beside(move |at| UP_NS + at + (UP_NS + at) / 1_000_000 * ppm, 0);
        let counted = found(&[counter(1), counter(-2)]);
        assert_eq!((counted.follows.as_slice(), counted.begins), (&[Follows::Counter][..], Some(Begins::Boot)));
        assert!((counted.rates_ppm[0] - 1.0).abs() < 0.01 && (counted.rates_ppm[1] + 2.0).abs() < 0.01, "{counted:?}");
        let words = [own, hour, epoch, counted].map(|found| found.words());
        insta::assert_snapshot!(words.join("\n"));
        assert_eq!(ClockConclusions::from_ranks(&[]), None);
    }

    #[test]
    fn ranks_that_started_on_both_sides_of_an_hour_are_an_hour_apart() {
        let before = beside(|at| 4_500 * SECOND_NS + at, 0);
        let found = ClockConclusions::from_ranks(&[before, beside(|at| 900 * SECOND_NS + at, 0)]).expect("ranks");
        assert_eq!((found.begins, found.apart_us), (Some(Begins::FullHour), Some(3.6e9)));
    }

    #[test]
    fn ranks_of_other_hosts_are_not_held_against_each_other() {
        let other = Beside { node: 2, ..beside(|at| at, 0) };
        assert_eq!(
            ClockConclusions::from_ranks(&[beside(|at| at + 40, 0), other]).and_then(|found| found.apart_us),
            None
        );
    }

    #[test]
    fn lengths_have_three_digits() {
        assert_eq!([0.08, 52.04, 999.4, 46_798.95].map(length), ["0.08 µs", "52.0 µs", "999 µs", "46.8 ms"]);
    }
}
