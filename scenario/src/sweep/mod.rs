//! Sweeps: files in which every value of a simulation may be a list or a range. All combinations are the points.
//!
//! The order of points is fixed. From the slowest to the fastest: `operation` with `algorithm`, `ranks`, `bytes`,
//! `root`, `segment_bytes`, `fanout`, the network or shared memory (`model`, `send_rule`, `parameters`), `platform`,
//! `noise`, `entry`, `compute`, `seed`, `realisations`, `calls`, `samples`, `barrier`, `benchmark`, each in the file's
//! order. A point is computed from its index and none is stored, so that the number of points is not limited by memory.

mod calls;
mod listed;
mod media;
mod memory;
mod numbers;
mod queues;
mod read;
#[cfg(test)]
mod tests;
mod values;

pub use calls::Listed;
pub use numbers::Numbers;
pub use queues::listed as queues;
pub use values::whole;

use crate::ScenarioError;
use crate::axis::{Axis, Key};
use crate::expect::Told;
use media::Media;
use models::collective::decision::Called;
use models::collective::{Algorithm, Shape};
use models::medium::Medium;
use models::network::Network;
use models::noise::{Noise, Traces};
use models::platform::{Platform, on_ranks};
use models::shared_broadcast::Queue;
use models::time::Span;
use programs::budget::Configuration;
use serde_json::Value;
use std::collections::BTreeMap;

/// Access to the other files of a sweep, supplied by the caller: this crate opens none.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// Reader of the recorded detours that `noise` names.
    pub traces: &'a Traces<'a>,
    /// Reader of a text file by its path: a latency matrix, or entries of ranks.
    pub text: &'a dyn Fn(&str) -> Result<String, String>,
}

/// Sweep whose values were checked one by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Question of the sweep: the first line of the file, without its `#`.
    pub question: String,
    /// Name of the file without folder and ending.
    pub name: String,
    /// Whole text of the file.
    pub text: String,
    calls: Vec<Listed>,
    ranks: Numbers,
    bytes: Numbers,
    roots: Numbers,
    segments: Numbers,
    fanouts: Numbers,
    media: Media,
    platforms: Vec<String>,
    noises: Vec<Vec<String>>,
    entries: Vec<String>,
    computes: Vec<(String, Span)>,
    seeds: Numbers,
    realisations: Numbers,
    repeats: Numbers,
    samples: Numbers,
    barriers: Vec<Called>,
    benchmarks: Vec<Option<Configuration>>,
    /// Expectations, findings and small form that the file gives.
    pub told: Told,
}

/// Single simulation of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPoint<'a> {
    /// Index in the order of points.
    pub index: u64,
    /// Algorithm or queue that is called.
    pub called: &'a Called,
    /// Entry of the list that names it.
    pub listed: &'a Listed,
    /// Number of ranks, root, bytes, length of segments and fanout.
    pub shape: Shape,
    /// Name of the model, of a network or of shared memory.
    pub model: &'a str,
    /// Send rule of the model, where the file sets one.
    pub send_rule: Option<&'a str>,
    /// Parameters of the model as the file writes them, `L=2us,G=1ns/B`.
    pub settings: String,
    /// Refinements of the network, such as `connect=30us`. Empty where there are none.
    pub refinements: &'a str,
    /// Sources of noise. Empty where there are none.
    pub noise: &'a [String],
    /// Entry times of the ranks: `together`, `random:10us`, a list of times or a file.
    pub entry: &'a str,
    /// Duration of each rank's computation before each call, as the file writes it, and in ps.
    pub compute: (&'a str, Span),
    /// Seed of every random draw.
    pub seed: u64,
    /// Number of independent realisations of the noise.
    pub realisations: u32,
    /// Number of calls in immediate succession.
    pub repeat: u32,
    /// Number of samples that a benchmark takes.
    pub samples: u32,
    /// Barrier that a benchmark calls.
    pub barrier: &'a Called,
    /// Benchmark, column or method that obtains the number. `None` where there is no benchmark.
    pub benchmark: Option<&'a Configuration>,
}

/// Whether a text is a sweep's and not a scenario's: it has no table of cases, and keys of points at its top level.
pub fn is_sweep(text: &str) -> bool {
    // A scenario has these in its cases.
    let points = ["algorithm", "operation", "ranks", "bytes", "model"];
    let is_of_points = |table: toml::Table| points.iter().any(|key| table.contains_key(*key));
    text.parse().is_ok_and(|table: toml::Table| !table.contains_key("case") && is_of_points(table))
}

/// Name of the entry at which all ranks enter at time zero.
pub const TOGETHER: &str = "together";

impl Sweep {
    /// Reads a sweep from its text. `file` is used in messages and for the name.
    ///
    /// # Errors
    /// Returns the first error, with file, line, key and what was expected.
    pub fn parse(file: &str, text: &str, files: Files<'_>) -> Result<Sweep, ScenarioError> {
        read::read(file, text, files)
    }

    /// Returns the sweep of a file with this question and these keys and values, for flags in place of a file.
    ///
    /// # Errors
    /// Fails where [`Sweep::parse`] fails. The error names no file.
    pub fn from_values(
        question: &str,
        values: &BTreeMap<&str, Value>,
        files: Files<'_>,
    ) -> Result<Sweep, ScenarioError> {
        // Numbers, texts and lists are the same in JSON and in TOML.
        let lines: String = values.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        Sweep::parse("", &format!("# {question}\n{lines}"), files)
    }

    /// Returns the sweep in its small form: without the points of more ranks, and with fewer realisations.
    ///
    /// # Errors
    /// Fails if no point would be left.
    pub fn small(mut self) -> Result<Sweep, String> {
        let small = &self.told.small;
        self.ranks = self.ranks.up_to(u64::from(small.most_ranks.unwrap_or(u32::MAX)));
        if let Some(most) = small.realisations {
            self.realisations = self.realisations.map(|count| count.min(u64::from(most)));
        }
        if self.ranks.count() == 0 {
            return Err("[small]: no number of ranks is as small as most_ranks".to_owned());
        }
        Ok(self)
    }

    /// Returns the algorithms and queues that are called.
    pub fn algorithms(&self) -> &[Listed] {
        &self.calls
    }

    /// Returns the number of points.
    pub fn points(&self) -> u64 {
        self.axes().into_iter().map(|(_, count)| count).fold(1, u64::saturating_mul)
    }

    /// Returns the number of consecutive points that differ only in their benchmark, so that one simulation serves all
    /// of them.
    pub fn together(&self) -> u64 {
        self.benchmarks.len() as u64
    }

    /// Returns the axes with more than one value, in the order of points. The network is represented by its model, and
    /// the collective by its algorithm.
    pub fn varied(&self) -> impl Iterator<Item = Axis> {
        self.axes().into_iter().filter(|(_, count)| *count > 1).map(|(axis, _)| axis)
    }

    /// Returns the axes with their numbers of values, the slowest first.
    fn axes(&self) -> [(Axis, u64); 17] {
        [
            (Axis::Algorithm, self.calls.len() as u64),
            (Axis::Ranks, self.ranks.count()),
            (Axis::Bytes, self.bytes.count()),
            (Axis::Root, self.roots.count()),
            (Axis::Segment, self.segments.count()),
            (Axis::Fanout, self.fanouts.count()),
            (Axis::Model, self.media.count()),
            (Axis::Platform, self.platforms.len() as u64),
            (Axis::Noise, self.noises.len() as u64),
            (Axis::Entry, self.entries.len() as u64),
            (Axis::Compute, self.computes.len() as u64),
            (Axis::Seed, self.seeds.count()),
            (Axis::Realisations, self.realisations.count()),
            (Axis::Calls, self.repeats.count()),
            (Axis::Samples, self.samples.count()),
            (Axis::Barrier, self.barriers.len() as u64),
            (Axis::Benchmark, self.benchmarks.len() as u64),
        ]
    }

    /// Returns the point with an index below [`Sweep::points`].
    pub fn point(&self, index: u64) -> SweepPoint<'_> {
        let mut at = self.axes().map(|(_, count)| count);
        let mut rest = index;
        for place in at.iter_mut().rev() {
            (rest, *place) = (rest / *place, rest % *place);
        }
        let [call, ranks, bytes, root, segment, fanout, medium, platform, noise, rest @ ..] = at;
        let [entry, compute, seed, realisations, repeat, samples, barrier, benchmark] = rest;
        let medium = self.media.get(medium);
        let listed = &self.calls[call as usize];
        let small = |numbers: &Numbers, index| u32::try_from(numbers.get(index)).unwrap_or(u32::MAX);
        SweepPoint {
            index,
            called: &listed.called,
            listed,
            shape: Shape {
                segment_bytes: self.segments.get(segment),
                fanout: small(&self.fanouts, fanout),
                ..Shape::new(small(&self.ranks, ranks), small(&self.roots, root), self.bytes.get(bytes))
            },
            model: medium.model,
            send_rule: medium.send_rule,
            settings: medium.settings,
            refinements: &self.platforms[platform as usize],
            noise: &self.noises[noise as usize],
            entry: &self.entries[entry as usize],
            compute: {
                let (text, span) = &self.computes[compute as usize];
                (text, *span)
            },
            seed: self.seeds.get(seed),
            realisations: small(&self.realisations, realisations),
            repeat: small(&self.repeats, repeat),
            samples: small(&self.samples, samples),
            barrier: &self.barriers[barrier as usize],
            benchmark: self.benchmarks[benchmark as usize].as_ref(),
        }
    }
}

impl SweepPoint<'_> {
    /// Returns the point's coordinate in a picture over an axis of numbers.
    pub fn place(&self, over: Axis) -> f64 {
        self.key().number(over).unwrap_or_default() as f64
    }

    /// Returns the point's queue in shared memory. `None` for other algorithms.
    pub fn queue(&self) -> Option<Queue> {
        match self.called {
            Called::Shared(queued) => Some(queued.queue()),
            Called::Ours(_) | Called::Table(..) => None,
        }
    }

    /// Returns the position on every axis of [`Axis::POINTS`]. Parameters are complete with the model's defaults if
    /// they are valid.
    pub fn key(&self) -> Key {
        let all = self.medium().map(|medium| medium.parameters());
        let rule = all.iter().flatten().find(|(key, _)| *key == "send-rule").map(|(_, rule)| rule.as_str());
        let rule = rule.or(self.send_rule).unwrap_or_default();
        let written = |(key, value): &(&str, String)| format!("{key}={value}");
        let all = all.as_ref().map(|all| all.iter().map(written).collect::<Vec<_>>().join(","));
        let none = |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
        Key::default()
            .named(Axis::Operation, self.called.collective().name())
            .named(Axis::Algorithm, self.called.name())
            .counted(Axis::Ranks, Some(self.shape.ranks))
            .counted(Axis::Bytes, Some(self.shape.bytes))
            .counted(Axis::Root, Some(self.shape.root))
            .counted(Axis::Segment, Some(self.shape.segment_bytes))
            .counted(Axis::Fanout, Some(self.shape.fanout))
            .named(Axis::Model, self.model)
            .named(Axis::SendRule, rule)
            .named(Axis::Parameters, all.as_ref().unwrap_or(&self.settings))
            .named(Axis::Platform, &none(self.refinements))
            .named(Axis::Noise, &none(&self.noise.join(" + ")))
            .named(Axis::Entry, self.entry)
            .named(Axis::Compute, self.compute.0)
            .counted(Axis::Seed, Some(self.seed))
            .counted(Axis::Realisations, Some(self.realisations))
            .counted(Axis::Calls, Some(self.repeat))
            .counted(Axis::Samples, self.benchmark.map(|_| self.samples))
            .named(Axis::Barrier, self.benchmark.map_or("", |_| self.barrier.name()))
            .named(Axis::Benchmark, self.benchmark.map_or("none", |benchmark| &benchmark.name))
            .through(self.queue())
    }

    /// Returns the algorithm, and the shape in which it is called.
    ///
    /// # Errors
    /// Fails if a library selects an algorithm that we do not have.
    pub fn played(&self) -> Result<(&'static Algorithm, Shape), String> {
        self.called.at(self.shape)
    }

    /// Returns the medium through which ranks reach each other.
    ///
    /// # Errors
    /// Fails for parameters that do not go together.
    pub fn medium(&self) -> Result<Medium, String> {
        Medium::parse(self.model, Some(&self.settings), self.send_rule)
    }

    /// Returns the network with its refinements.
    ///
    /// # Errors
    /// Fails if the model is no network, or if a refinement does not fit the network or the number of ranks.
    pub fn platform(&self, files: Files<'_>) -> Result<Platform, String> {
        let refinements = on_ranks(self.refinements, self.shape.ranks);
        let network = Network::parse(self.model, Some(&self.settings), self.send_rule)?;
        let platform = Platform::parse(network, &refinements, files.text)?;
        platform.check(self.shape.ranks).map(|()| platform)
    }

    /// Returns the noise that disturbs the ranks.
    ///
    /// # Errors
    /// Fails if a trace cannot be read.
    pub fn noise(&self, files: Files<'_>) -> Result<Noise, String> {
        if self.noise.is_empty() {
            return Ok(Noise::none());
        }
        Noise::parse_with(self.noise, self.seed, files.traces)
    }
}
