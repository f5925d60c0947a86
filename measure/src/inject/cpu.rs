//! Bursts of work that take CPUs from other programs there: periodic, or at random.

use super::{Reached, Until, on_threads};
use crate::cpus::stay_on;
use crate::waiting::wake_exactly;
use models::stable::draws;
use models::time::Span;
use rand::RngExt;
use rand_distr::{Distribution, Exp1};
use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Barrier, OnceLock};
use std::time::{Duration, Instant};

/// Bursts of work, by one thread for each CPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Bursts {
    /// CPUs that get bursts.
    pub cpus: Vec<u32>,
    /// Time from the start of a burst to the start of the next.
    pub period: Span,
    /// Time for which a burst takes the CPU from another program.
    pub duration: Span,
    /// Whether period and duration are exponentially distributed, with these means.
    pub is_random: bool,
    /// Whether all CPUs have their bursts at once. Otherwise each begins at a random place of the period.
    pub is_common: bool,
    /// Seed of the random draws.
    pub seed: u64,
}

/// Time before the first burst, in which threads get ready.
const BEFORE: Duration = Duration::from_millis(5);

/// Thread of a CPU's bursts, once it is bound to its CPU.
struct Ready {
    cpu: u32,
    /// Whether it goes before all other threads of the CPU.
    is_first: bool,
    /// Time that a burst takes beyond its work, and whether its work is shorter by that.
    around: Duration,
    is_told: bool,
}

impl Bursts {
    /// Returns these bursts if there is time between them.
    ///
    /// # Errors
    ///
    /// Says that bursts must be shorter than their period.
    pub fn checked(self) -> Result<Bursts, String> {
        let Bursts { period, duration, .. } = self;
        if duration == Span::ZERO || duration >= period {
            return Err(format!("expected bursts shorter than their period, {period}, found {duration}"));
        }
        Ok(self)
    }

    pub(super) fn run(&self, until: &Until, reached: &Reached) -> Result<Vec<String>, String> {
        let (all_ready, begin) = (Barrier::new(self.cpus.len()), OnceLock::new());
        let threads = on_threads(self.cpus.len(), until, |number| {
            let ready = self.ready(self.cpus[number]);
            if ready.is_err() {
                until.stop();
            }
            all_ready.wait();
            let (ready, work) = ready?;
            let begin = *begin.get_or_init(|| Instant::now() + BEFORE);
            self.bursts(
                (ready.cpu, begin),
                (work, if ready.is_told { ready.around } else { Duration::ZERO }),
                until,
                reached,
            );
            Ok(ready)
        })?;
        Ok(notes(&threads))
    }

    /// Binds the thread to its CPU and finds the work of its bursts: the way to the CPU and back takes time from
    /// others, too.
    fn ready(&self, cpu: u32) -> Result<(Ready, Duration), String> {
        stay_on(&[cpu as usize]).map_err(|error| format!("CPU {cpu}: {error}"))?;
        wake_exactly();
        let is_first = go_first();
        let around = around(cpu)?;
        let wanted = Duration::from(self.duration);
        // A way as long as half of the burst cannot be made up for, or other programs were on the CPU meanwhile.
        let is_told = around <= wanted / 2;
        let work = if is_told { wanted - around } else { wanted };
        Ok((Ready { cpu, is_first, around, is_told }, work))
    }

    fn bursts(
        &self,
        (cpu, begin): (u32, Instant),
        (work, around): (Duration, Duration),
        until: &Until,
        reached: &Reached,
    ) {
        // Random bursts that all CPUs have at once are drawn alike.
        let stream = if self.is_common { "bursts".to_owned() } else { format!("bursts on {cpu}") };
        let mut draws = draws(self.seed, &stream);
        let period = Duration::from(self.period);
        let mut due = begin + if self.is_common { Duration::ZERO } else { period.mul_f64(draws.random::<f64>()) };
        loop {
            let mut times = || if self.is_random { Exp1.sample(&mut draws) } else { 1.0 };
            let (pause, burst): (f64, f64) = (times(), times());
            until.sleep_until(due);
            if until.is_over() {
                return;
            }
            let started = Instant::now();
            spin(started, work.mul_f64(burst));
            reached.late_ns.fetch_add((started - due).as_nanos() as u64, Relaxed);
            // As another program on the CPU sees it.
            reached.add(started.elapsed() + around, 0);
            due += period.mul_f64(pause);
            // A burst whose time has gone by is left out: two in a row are one of twice the length.
            while Instant::now() > due && !until.is_over() {
                due += period.mul_f64(times());
                reached.lost.fetch_add(1, Relaxed);
            }
        }
    }
}

/// Returns the notes on bursts by these threads that readers of the result must know.
fn notes(threads: &[Ready]) -> Vec<String> {
    let mut notes = Vec::new();
    if threads.iter().any(|thread| !thread.is_first) {
        let why = "SCHED_FIFO needs CAP_SYS_NICE";
        notes.push(format!("bursts have no real-time priority ({why}): others may delay and interrupt them"));
    }
    let us = |time: Duration| time.as_nanos() as f64 / 1e3;
    let named = |is_told: bool| -> Vec<String> {
        let those = threads.iter().filter(|thread| thread.is_told == is_told);
        those.map(|one| format!("{:.1} µs on CPU {}", us(one.around), one.cpu)).collect()
    };
    let (told, untold) = (named(true).join(", "), named(false).join(", "));
    if !told.is_empty() {
        notes.push(format!(
            "another program on the CPU also loses the change to a burst and back, which is part of its duration: {told}"
        ));
    }
    if !untold.is_empty() {
        notes.push(format!(
            "bursts work for their whole duration: the change to them takes too long for it, or other programs were there while \
             it was timed: {untold}"
        ));
    }
    notes
}

fn spin(from: Instant, time: Duration) {
    while from.elapsed() < time {
        spin_loop();
    }
}

/// Number of bursts by which the way to a CPU is timed, the work of each, and the time between them.
const TRIED: usize = 25;
const TRIED_WORK: Duration = Duration::from_micros(100);
const TRIED_EVERY: Duration = Duration::from_millis(2);

/// Time that a burst takes from another program on this CPU beyond its own work: interrupts, and changes from one
/// thread to the other. Measured with a program that reads the clock.
fn around(cpu: u32) -> Result<Duration, String> {
    let is_over = AtomicBool::new(false);
    let victim = || -> Vec<Duration> {
        let mut lost = Vec::with_capacity(8 * TRIED);
        go_last();
        let stays = stay_on(&[cpu as usize]).is_ok();
        let mut last = Instant::now();
        while stays && !is_over.load(Relaxed) {
            let now = Instant::now();
            if now - last > TRIED_WORK && lost.len() < lost.capacity() {
                lost.push(now - last);
            }
            last = now;
        }
        lost
    };
    let mut lost = std::thread::scope(|scope| {
        let victim = scope.spawn(victim);
        for _ in 0..TRIED {
            std::thread::sleep(TRIED_EVERY);
            spin(Instant::now(), TRIED_WORK);
        }
        is_over.store(true, Relaxed);
        victim.join().unwrap_or_default()
    });
    lost.sort_unstable();
    // Where other programs are, some bursts hit the one that reads: their times are among the shortest.
    let short = lost.get(lost.len() / 4).ok_or_else(|| format!("CPU {cpu}: no program could be interrupted there"))?;
    Ok(short.saturating_sub(TRIED_WORK))
}

/// Gives the calling thread precedence over all others of its CPU. Returns false where that is not allowed.
fn go_first() -> bool {
    #[cfg(target_os = "linux")]
    return schedule(libc::SCHED_FIFO, 1);
    #[cfg(not(target_os = "linux"))]
    false
}

/// Takes precedence from the calling thread: threads begin with the priority of those that start them.
fn go_last() {
    #[cfg(target_os = "linux")]
    schedule(libc::SCHED_OTHER, 0);
}

#[cfg(target_os = "linux")]
fn schedule(policy: libc::c_int, priority: libc::c_int) -> bool {
    // SAFETY: the parameter is a plain number, of which zeros are one; the call reads it.
    unsafe {
        let mut parameter: libc::sched_param = std::mem::zeroed();
        parameter.sched_priority = priority;
        libc::sched_setscheduler(0, policy, &raw const parameter) == 0
    }
}
