//! Announcement of a command's work before it begins.

use crate::Start;
use measure::job::Task;
use models::collective::Algorithm;
use programs::calibration::{CalibrationSettings, Exploration};
use programs::method::{Method, Order, StopRule, Subject};
use programs::observation::{Implementation, World};
use scenario::BadInput;
use std::fmt;
use std::time::Duration;

/// Duration from the start of a launch until its ranks have begun, and from their end until the next, for threads and
/// for processes of MPI.
const LAUNCH: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(1_200)];
/// Duration of a task without its calls, because clocks are synchronised before and after.
const AROUND_A_TASK: Duration = Duration::from_millis(10);
/// Duration until a rank notices a message, on a core of its own and asleep.
const WAIT: [Duration; 2] = [Duration::from_micros(1), Duration::from_micros(60)];
/// Duration of each byte of a message in shared memory, in ns.
const BYTE_NS: f64 = 0.2;
/// Least number of windows where precision determines the end.
const PRECISE: u32 = 1_000;
/// Least duration that is announced.
const SHORT: Duration = Duration::from_secs(5);
/// Largest number of steps of one rank that are counted.
const MOST_STEPS: usize = 100_000;
/// Number of kinds of exchange of each length in a calibration with late receives: a late receive, an announced one, a
/// late send.
const LATE_KINDS: u32 = 3;

/// The work of a command: its parts, their number, and an estimate of their time on an idle machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// Name of the command.
    command: &'static str,
    /// Noun of the parts, singular and plural.
    counted: [&'static str; 2],
    /// Number of parts of the work.
    count: u64,
    /// Number of launches of ranks.
    launches: u64,
    /// Whether the command ends earlier once the numbers are precise.
    at_most: bool,
    /// Whether the duration is a bound instead of an estimate.
    is_bound: bool,
    lasts: Duration,
}

impl Expected {
    /// Returns the work of a command that has no part yet.
    pub fn new(command: &'static str, counted: [&'static str; 2]) -> Expected {
        Expected { command, counted, count: 0, launches: 0, at_most: false, is_bound: false, lasts: Duration::ZERO }
    }

    /// Returns this work, whose number of parts is the largest possible one if `at_most`.
    pub fn at_most(self, at_most: bool) -> Expected {
        Expected { at_most, ..self }
    }

    /// Returns this work with another one after it.
    pub fn with(mut self, other: &Expected) -> Expected {
        self.launches += other.launches;
        self.lasts = self.lasts.saturating_add(other.lasts);
        self.count += other.count;
        self
    }

    /// Returns this work, whose duration is a bound.
    pub fn in_at_most(self) -> Expected {
        Expected { is_bound: true, ..self }
    }

    /// Adds the tasks of one more launch, of which `count` are parts.
    ///
    /// # Errors
    /// Fails for tasks that need more memory than these ranks have.
    pub fn and_launch(&mut self, start: &Start, tasks: &[Task], count: usize) -> Result<(), BadInput> {
        start.job(tasks.to_vec()).fits().map_err(BadInput)?;
        self.launches += 1;
        self.lasts += LAUNCH[usize::from(start.world != World::Threads)];
        self.lasts += tasks.iter().map(|task| lasts(start, task)).sum::<Duration>();
        self.count += count as u64;
        Ok(())
    }

    /// Adds parts that have a launch each. A part takes `each`, apart from the launch.
    pub fn and_launches_of(&mut self, count: u64, each: Duration) {
        self.launches += count;
        self.and(count, (LAUNCH[1] + each).saturating_mul(u32::try_from(count).unwrap_or(u32::MAX)));
    }

    /// Adds parts without a launch, which take `together` in all.
    pub fn and(&mut self, count: u64, together: Duration) {
        self.count += count;
        self.lasts = self.lasts.saturating_add(together);
    }

    /// Prints the work as the only result of a dry run, or announces it ([`Expected::announce`]). Returns `dry_run`.
    ///
    /// # Errors
    /// Fails if standard output cannot be written.
    pub fn print_or_announce(&self, quiet: bool, dry_run: bool) -> std::io::Result<bool> {
        if dry_run {
            say!("{self}\n")?;
        } else {
            self.announce(quiet);
        }
        Ok(dry_run)
    }

    /// Prints the work on standard error, unless the command is quiet or short.
    pub fn announce(&self, quiet: bool) {
        if !quiet && self.lasts >= SHORT {
            note!("{self}");
        }
    }
}

/// Writes the work, as in `measure: 96 cases in 6 launches, about 40 s`.
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = if self.at_most { "at most " } else { "" };
        let number =
            |count: u64, [one, several]: [&str; 2]| format!("{count} {}", if count == 1 { one } else { several });
        write!(f, "{}: {most}{}", self.command, number(self.count, self.counted))?;
        if self.launches > 0 {
            write!(f, " in {}", number(self.launches, ["launch", "launches"]))?;
        }
        let (most, idle) =
            (if self.is_bound { "at most " } else { "" }, if self.launches > 0 { " on idle cores" } else { "" });
        write!(f, ", {most}about {}{idle}", rounded(self.lasts))
    }
}

/// Returns an estimated duration with one or two digits: 1 s, 40 s, 15 min, 3 h.
fn rounded(lasts: Duration) -> String {
    let seconds = lasts.as_secs_f64();
    let (number, unit) = match seconds {
        ..90.0 => (seconds, "s"),
        ..5400.0 => (seconds / 60.0, "min"),
        _ => (seconds / 3600.0, "h"),
    };
    let step = if number >= 20.0 { 5.0 } else { 1.0 };
    format!("{:.0} {unit}", ((number / step).round() * step).max(1.0))
}

/// Returns an estimate of a task's duration.
fn lasts(start: &Start, task: &Task) -> Duration {
    let task = match task {
        Task::Measure { order, .. } => measured(start, order),
        Task::CheckCase { order, .. } => call(start, order),
        Task::CheckClocks(settings) => {
            Duration::from(settings.window.floor).saturating_mul(3 * windows(settings.window.stop))
        }
        Task::Calibrate(settings) => calibrated(start, settings),
        Task::Explore(exploration) => explored(start, exploration),
        task => task.lasts(),
    };
    AROUND_A_TASK + task
}

/// Returns the duration of all calls of an order: those before anything is timed, and the timed ones, each with the
/// synchronisation that starts it.
fn measured(start: &Start, order: &Order) -> Duration {
    let (settings, call) = (&order.settings, call(start, order));
    let timed = match settings.method {
        Method::Window => {
            let length = Duration::from(settings.window.floor).max(call.saturating_mul(2));
            length.saturating_mul(windows(settings.window.stop))
        }
        Method::RoundTime => {
            let each = call.saturating_mul(3);
            each.saturating_mul(settings.round_time.starts).min(Duration::from(settings.round_time.budget))
        }
        Method::Loop
        | Method::BarrierLoop
        | Method::BarrierSubtract
        | Method::RootRotation
        | Method::BarrierOwn
        | Method::BarrierInside
        | Method::LoopTrace => call.saturating_mul(settings.samples.saturating_mul(settings.calls).saturating_mul(2)),
    };
    timed + call.saturating_mul(settings.warmup)
}

/// Returns the number of windows.
fn windows(stop: StopRule) -> u32 {
    match stop {
        StopRule::Counts { valid, .. } => valid,
        StopRule::Precision { valid, .. } => valid.max(PRECISE),
    }
}

/// Returns the duration of one call: the messages of the rank that has the most of them, one after the other. A
/// library's own call is assumed to have as many messages as a tree down and up.
fn call(start: &Start, order: &Order) -> Duration {
    let shape = &order.shape;
    let messages = match &order.subject {
        Subject::Collective(collective, Implementation::Own(name)) => {
            let steps = |algorithm: &Algorithm, rank| algorithm.steps(shape, rank).take(MOST_STEPS).count();
            let ends = [0, shape.root.min(shape.ranks - 1), shape.ranks - 1];
            let most = |algorithm| ends.into_iter().map(|rank| steps(algorithm, rank)).max();
            Algorithm::find(*collective, name).ok().and_then(most).unwrap_or(1) as u32
        }
        _ => 2 * shape.ranks.next_power_of_two().trailing_zeros(),
    };
    message(start, shape.bytes).saturating_mul(messages.max(1))
}

/// Returns the duration of one message from one rank to another.
fn message(start: &Start, bytes: u64) -> Duration {
    let network = start.carrier.is_emulated().then(|| start.carrier.emulates().unwrap_or(start.emulated));
    let is_woken = network.is_some() || start.ranks > start.site.cores;
    let carried = network.map_or(Duration::from_secs_f64(bytes as f64 * BYTE_NS * 1e-9), |network| {
        Duration::from(network.transfer(bytes))
    });
    carried + WAIT[usize::from(is_woken)]
}

/// Returns the duration of the exchanges of every length and kind, where each kind is cut at its limit.
fn calibrated(start: &Start, settings: &CalibrationSettings) -> Duration {
    let trains = u32::from(settings.train > 1) * (1 + u32::from(settings.delayed_trains));
    let late = if settings.late_receives { LATE_KINDS } else { 0 };
    let of_length = |&bytes: &u64| {
        let of_kind = |messages: u32| {
            let all = message(start, bytes).saturating_mul(messages.saturating_mul(settings.samples));
            all.min(Duration::from(settings.limit))
        };
        let train = settings.train_of(bytes) + 1;
        of_kind(2) + of_kind(train).saturating_mul(trains) + of_kind(2).saturating_mul(late)
    };
    settings.bytes.iter().map(of_length).sum()
}

/// Returns the duration of an exploration.
fn explored(start: &Start, exploration: &Exploration) -> Duration {
    match exploration {
        Exploration::Noise(watching) => Duration::from(watching.time),
        Exploration::Idle(idling) => {
            idling.idle.iter().map(|&idle| Duration::from(idle)).sum::<Duration>().saturating_mul(idling.samples)
        }
        Exploration::Connect(connecting) => {
            let pairs = start.ranks.saturating_sub(1);
            (message(start, 1) * 2).saturating_mul(connecting.later.saturating_mul(pairs))
                + Duration::from(connecting.head_start)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_their_plurals_and_durations_few_digits() {
        let mut expected = Expected::new("audit", ["run", "runs"]);
        expected.and_launches_of(1, Duration::from_millis(100));
        assert_eq!(expected.to_string(), "audit: 1 run in 1 launch, about 1 s on idle cores");
        expected.and_launches_of(40, Duration::from_secs(10));
        assert_eq!(
            expected.at_most(true).to_string(),
            "audit: at most 41 runs in 41 launches, about 7 min on idle cores"
        );
        let mut points = Expected::new("sweep", ["point", "points"]);
        points.and(3, Duration::from_secs(7_300));
        assert_eq!(points.to_string(), "sweep: 3 points, about 2 h");
        assert_eq!(points.in_at_most().to_string(), "sweep: 3 points, at most about 2 h");
        assert_eq!(
            [0.1, 43.0, 100.0].map(|seconds| rounded(Duration::from_secs_f64(seconds))),
            ["1 s", "45 s", "2 min"]
        );
    }
}
