//! Disturbs this machine for a while, or while a command runs, and reports the disturbance reached and the command's
//! duration.

use ::noise::{Disturbed, Injected};
use anyhow::Context;
use campaign::{interrupted, notice_interrupts};
use measure::inject::{Counts, Generator, Reached, Until};
use models::time::Span;
use scenario::BadInput;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Request of a disturbance.
pub struct Inject<'a> {
    /// Generator of the disturbance.
    pub generator: Generator,
    /// Duration of the disturbance; `None` for some seconds, or until the command has ended.
    pub time: Option<Span>,
    /// Number of runs of the command, each without and with the disturbance.
    pub runs: u32,
    /// Program with its arguments; empty for no command.
    pub command: &'a [String],
}

/// A disturbance with its counts, its duration, and notes on it.
#[derive(Default)]
struct Disturbance {
    counts: Counts,
    took: Duration,
    seconds: Vec<::noise::Reached>,
    notes: Vec<String>,
}

/// Duration without a command and a given time.
const USUAL: Duration = Duration::from_secs(10);
/// Longest duration of a command's disturbance.
const LONGEST: Duration = Duration::from_secs(86_400);
/// Interval between two counts of the disturbance.
const EVERY: Duration = Duration::from_secs(1);
/// Interval between two looks at interrupts and the command.
const LOOK_EVERY: Duration = Duration::from_millis(20);

impl Inject<'_> {
    /// Disturbs the machine, with the command beside it if there is one.
    ///
    /// # Errors
    /// Fails where the generator cannot work, and on a command that cannot be started, or fails.
    pub fn run_injection(&self) -> anyhow::Result<Injected> {
        notice_interrupts()?;
        let time = self.time.map(Duration::from);
        if self.command.is_empty() {
            let disturbance = self.disturb(time.unwrap_or(USUAL), || Ok(true))?;
            return Ok(self.summarise(disturbance, None));
        }
        let mut command = Disturbed { command: self.command.join(" "), alone: Vec::new(), disturbed: Vec::new() };
        let mut all = Disturbance::default();
        for _ in 0..self.runs {
            command.alone.push(self.alone()?);
            let (seconds, disturbance) = self.beside(time.unwrap_or(LONGEST))?;
            command.disturbed.push(seconds);
            all.counts = all.counts.plus(&disturbance.counts);
            all.took += disturbance.took;
            all.seconds.extend(disturbance.seconds);
            all.notes = disturbance.notes;
            if interrupted() {
                break;
            }
        }
        Ok(self.summarise(all, Some(command)))
    }

    /// Runs the command with the disturbance; returns the command's duration in seconds, and the disturbance.
    fn beside(&self, longest: Duration) -> anyhow::Result<(f64, Disturbance)> {
        let mut running: Option<(Child, Instant)> = None;
        let mut ended = None;
        let mut disturbance = self.disturb(longest, || {
            let (child, begin) = match &mut running {
                Some(running) => running,
                none => none.insert((self.start()?, Instant::now())),
            };
            ended = child.try_wait()?.map(|status| (status, begin.elapsed()));
            Ok(ended.is_none())
        })?;
        let (mut child, begin) = running.context("the disturbance ended before the command began")?;
        if interrupted() {
            let _ = child.kill();
        }
        let (status, took) = match ended {
            Some(ended) => ended,
            None => {
                let (status, took) = (child.wait()?, begin.elapsed());
                if !interrupted() {
                    disturbance.notes.push(format!(
                        "the command took {:.2} s, and was disturbed for {:.2} s of them: give a longer --time, or more --repeats",
                        took.as_secs_f64(),
                        disturbance.took.as_secs_f64()
                    ));
                }
                (status, took)
            }
        };
        self.succeeded(status)?;
        Ok((took.as_secs_f64(), disturbance))
    }

    fn summarise(&self, disturbance: Disturbance, command: Option<Disturbed>) -> Injected {
        let Disturbance { counts, took, seconds, notes } = disturbance;
        let (what, threads) = match &self.generator {
            Generator::Cpu(bursts) => ("bursts", bursts.cpus.len() as u32),
            Generator::Memory(copies) => ("passes", copies.threads),
            Generator::Io(_) => ("operations", 1),
            Generator::Net(messages) => ("messages", messages.at_once),
        };
        Injected { what, threads, total: reached(took, took, counts), seconds, notes, command }
    }

    /// Disturbs the machine for at most `longest`, as long as `goes_on` returns true.
    fn disturb(
        &self,
        longest: Duration,
        mut goes_on: impl FnMut() -> anyhow::Result<bool>,
    ) -> anyhow::Result<Disturbance> {
        let (until, counted) = (Until::after(longest), Reached::default());
        let begin = Instant::now();
        let mut seconds = Vec::new();
        let notes = std::thread::scope(|scope| -> anyhow::Result<Vec<String>> {
            let running = scope.spawn(|| {
                let ended = self.generator.run(&until, &counted);
                until.stop();
                ended
            });
            let (mut before, mut next) = (Counts::default(), begin + EVERY);
            let mut watched = Ok(());
            while watched.is_ok() && !until.is_over() {
                if interrupted() {
                    until.stop();
                }
                watched = goes_on().map(|goes_on| {
                    if !goes_on {
                        until.stop()
                    }
                });
                if Instant::now() >= next {
                    let now = counted.counts();
                    seconds.push(reached(begin.elapsed(), EVERY, now.since(&before)));
                    (before, next) = (now, next + EVERY);
                }
                std::thread::sleep(LOOK_EVERY);
            }
            until.stop();
            let ended = running.join().map_err(|_| anyhow::anyhow!("the generator failed"))?;
            watched?;
            Ok(ended.map_err(BadInput)?)
        })?;
        Ok(Disturbance { counts: counted.counts(), took: begin.elapsed(), seconds, notes })
    }

    fn start(&self) -> anyhow::Result<Child> {
        let (program, arguments) = self.command.split_first().context("no command")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        let failed = |error| BadInput(format!("{program}: {error}; expected a program and its arguments behind --"));
        Ok(command.spawn().map_err(failed)?)
    }

    /// Runs the command alone; returns its duration in seconds.
    fn alone(&self) -> anyhow::Result<f64> {
        let begin = Instant::now();
        let status = self.start()?.wait()?;
        self.succeeded(status)?;
        Ok(begin.elapsed().as_secs_f64())
    }

    fn succeeded(&self, status: std::process::ExitStatus) -> anyhow::Result<()> {
        if status.success() || interrupted() {
            return Ok(());
        }
        anyhow::bail!("{} failed: {status}", self.command.join(" "))
    }
}

fn reached(at: Duration, length: Duration, counts: Counts) -> ::noise::Reached {
    let Counts { events, bytes, busy, late, lost } = counts;
    ::noise::Reached { at_s: at.as_secs_f64(), for_s: length.as_secs_f64(), events, bytes, busy, late, lost }
}
