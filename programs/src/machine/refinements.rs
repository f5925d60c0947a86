//! Effects that network models leave out: set-up, caches, idle time, barriers, protocols, noise.

use super::network::us;
use super::{Bound, Estimate, Machine};
use crate::observation::{Case, Implementation};
use models::call::Element;
use models::clock::ClockSpread;
use models::collective::Collective;
use models::collective::decision::ThroughCells;
use models::network::{CostTable, Hockney, Network, SendRule, TablePoint};
use models::noise::Noise;
use models::platform::{BarrierTimes, Connect, IdleCost, Inline, Near, Platform, Refinements};
use models::time::{PerByte, Span};
use serde::{Deserialize, Serialize};

/// Costs of operations on memory of one length that belongs to a rank and that it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalPoint {
    /// Length of the memory, in bytes.
    pub bytes: u64,
    /// Copying the memory, in µs.
    pub copy_us: Estimate,
    /// Sending the memory from the rank to itself, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to_self_us: Option<Estimate>,
    /// γ: combining the memory with as many other bytes, as our own algorithms do, in µs.
    pub combine_us: Estimate,
    /// γ of bytes as the library combines them in its reductions, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub combine_by_library_us: Option<Estimate>,
    /// γ of the library for elements other than bytes.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub combine_elements: Vec<ElementPoint>,
}

/// Costs of messages that network adapters have to fetch from memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InlineEstimate {
    /// Longest message, in bytes, that travels within its request.
    pub limit_bytes: u64,
    /// Extra latency of any longer message, in µs.
    pub fetch_us: Estimate,
}

/// Parameters of messages between nodes of one switch, or of a group of switches that are all linked with each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearEstimate {
    /// L in µs, in place of the one of LogGP and LogGOPS.
    pub latency_us: Estimate,
}

/// Time of the library for combining memory of one length, of one kind of elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElementPoint {
    /// Kind of the elements.
    pub element: Element,
    /// Time of the combination, in µs.
    pub us: Estimate,
}

impl LocalPoint {
    /// γ of the library for these elements where it is known, else for bytes, else γ of our own algorithms.
    pub(crate) fn combine_by(&self, element: Element) -> &Estimate {
        let of_element = self.combine_elements.iter().find(|one| one.element == element).map(|one| &one.us);
        of_element.or(self.combine_by_library_us.as_ref()).unwrap_or(&self.combine_us)
    }
}

/// Owner of the algorithms, and with it of the arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Our own algorithms, which combine byte by byte as compiled.
    Own,
    /// The library's, in calls that combine nothing.
    Library,
    /// The library's, in calls that combine elements of this kind.
    Reducing(Element),
}

impl Arithmetic {
    /// Returns the arithmetic of a case's algorithm.
    pub fn from_case(case: &Case) -> Arithmetic {
        match case.subject.implementation {
            Implementation::Own(_) | Implementation::Shared(_) => Arithmetic::Own,
            Implementation::Library | Implementation::Forced(_) | Implementation::Tuned(_) => {
                Arithmetic::of_library(case.subject.collective, case.subject.call.element)
            }
        }
    }

    /// Returns the arithmetic of a library's call with elements of this kind.
    pub fn of_library(collective: Collective, element: Element) -> Arithmetic {
        if collective.combines() { Arithmetic::Reducing(element) } else { Arithmetic::Library }
    }
}

models::named! {
    /// Knowledge beside a network model that predictions of calls use. Each extent includes all before it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Extent {
        /// The network model alone, for messages.
        Messages => "messages", "messages alone",
        /// Times of starts and calls beside messages, and of a reading of the clock.
        Calls => "calls", "what starts and calls add",
        /// Times of combining and copying (γ), and of messages of a rank to itself.
        Arithmetic => "arithmetic", "arithmetic and copies (γ)",
        /// Extra time of sending and receiving at once.
        BothWays => "both-ways", "both ways at once",
        /// Ownership of the cache lines of memory.
        Memory => "memory", "ownership of cache lines",
    }
    /// Name of the extent in files.
    fn name;
    /// Description of the addition, for output.
    fn words;
}

/// Extra time of the first operation after a wait of a rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdlePoint {
    /// Duration of the wait, in µs.
    pub idle_us: f64,
    /// Extra time of the operation, in µs.
    pub cost_us: Estimate,
}

/// Time between the exits of the first and the last rank from the library's barrier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExitSkew {
    /// Number of ranks in the barrier.
    pub ranks: u32,
    /// Number of measured barriers.
    pub barriers: u32,
    /// Median of the skew, in µs.
    pub median_us: Estimate,
    /// Skew that 99 of 100 barriers do not exceed, in µs.
    pub p99_us: f64,
    /// Median times in µs from the entry of each rank (a row), where it enters last, to the exit of each rank (the
    /// row's columns). Empty where clocks are not known well enough, or for many ranks.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub until_us: Vec<Vec<f64>>,
}

impl ExitSkew {
    /// Returns the barrier's times for simulations, if they are known.
    ///
    /// # Errors
    /// Fails if the number of times is no square of two or more.
    fn barrier(&self) -> Result<Option<BarrierTimes>, String> {
        let until = || self.until_us.iter().flatten().map(|&time| us(time)).collect();
        let times = (!self.until_us.is_empty()).then(|| BarrierTimes::new(until()));
        times.transpose().map_err(|message| format!("until_us of exit_skew: {message}"))
    }
}

/// Length at which the library changes the way in which it sends messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProtocolChange {
    /// Longest message, in bytes, that is sent in the first way.
    pub last_bytes: u64,
    /// Shortest message, in bytes, that was seen to be sent in the second way.
    pub next_bytes: u64,
    /// Jump of half a round trip at this length, in µs.
    pub jump_us: Estimate,
    /// Whether senders wait for the receiver from this length on, and not before: the eager limit S.
    pub waits: bool,
}

/// Detours of a rank that did nothing but read its clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoiseSample {
    /// Duration of the observation, in µs.
    pub watched_us: f64,
    /// Shortest gap of the clock that counts as a detour, in µs.
    pub threshold_us: f64,
    /// Number of observed detours.
    pub detours: u64,
    /// Share of the time that detours took.
    pub share: f64,
    /// Median duration of a detour, in µs.
    pub median_us: f64,
    /// Longest duration of a detour, in µs.
    pub longest_us: f64,
    /// Sources of noise like this sample, as `--noise` takes them. Empty if the rank was practically undisturbed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sources: Vec<String>,
}

impl Machine {
    /// Platform of a calibrated model with the refinements of [`Machine::refinements`].
    ///
    /// # Errors
    /// Fails if the model was not calibrated, or if the points of a table do not increase.
    pub fn platform(&self, model: &str, bound: Bound) -> Result<Platform, String> {
        Ok(Platform::new(self.network(model, bound)?, self.refinements(bound)?))
    }

    /// Platform of a calibrated model with all refinements, including the costs of memory and arithmetic.
    ///
    /// # Errors
    /// Fails if the model was not calibrated, or if the points of a table do not increase.
    pub fn platform_with_memory(&self, model: &str, bound: Bound, arithmetic: Arithmetic) -> Result<Platform, String> {
        self.platform_up_to(Extent::Memory, model, bound, arithmetic)
    }

    /// Platform of a calibrated model with refinements up to an extent.
    ///
    /// # Errors
    /// Fails if the model was not calibrated, or if the points of a table do not increase.
    pub fn platform_up_to(
        &self,
        extent: Extent,
        model: &str,
        bound: Bound,
        arithmetic: Arithmetic,
    ) -> Result<Platform, String> {
        let network = self.network(model, bound)?;
        let mut refinements = self.refinements(bound)?;
        if extent >= Extent::Calls {
            refinements.start = self.start_us.as_ref().map_or(Span::ZERO, |start| us(start.at(bound)));
            refinements.after_wait = self.lines_table(bound, |point| &point.after_wait_us)?;
            refinements.call = match arithmetic {
                Arithmetic::Own => Span::ZERO,
                Arithmetic::Library => self.call_us.as_ref().map_or(Span::ZERO, |call| us(call.at(bound))),
                Arithmetic::Reducing(_) => {
                    let call_us = self.reducing_call_us.as_ref().or(self.call_us.as_ref());
                    call_us.map_or(Span::ZERO, |call| us(call.at(bound)))
                }
            };
            refinements.page_fault = self.page_fault_us.as_ref().map_or(Span::ZERO, |page| us(page.at(bound)));
            refinements.cells = self.cells();
            refinements.barrier = self.exit_skew.first().map(ExitSkew::barrier).transpose()?.flatten();
        }
        if extent >= Extent::Arithmetic {
            // The time of such a call includes that of the shortest length.
            let beyond_shortest = matches!(arithmetic, Arithmetic::Reducing(_)) && self.reducing_call_us.is_some();
            let local = |of: &dyn Fn(&LocalPoint) -> &Estimate| self.local_table(bound, beyond_shortest, of);
            refinements.gamma = local(&|point| match arithmetic {
                Arithmetic::Own => &point.combine_us,
                Arithmetic::Library => point.combine_by(Element::default()),
                Arithmetic::Reducing(element) => point.combine_by(element),
            })?;
            refinements.memcpy = local(&|point| &point.copy_us)?;
            refinements.to_self =
                self.local_table(bound, false, |point| point.to_self_us.as_ref().unwrap_or(&point.copy_us))?;
        }
        if extent >= Extent::BothWays {
            refinements.duplex = self.lines_table(bound, |point| &point.duplex_us)?;
        }
        if extent >= Extent::Memory {
            refinements.lines = self.cache_lines(model, bound, arithmetic)?;
        }
        Ok(Platform::new(network, refinements))
    }

    /// The platform for predictions of calls: PLogP with the costs of memory, where they were calibrated, else the
    /// richest model with its refinements.
    ///
    /// # Errors
    /// Fails where [`Machine::platform_with_memory`] fails.
    pub fn best_platform(&self, bound: Bound, arithmetic: Arithmetic) -> Result<Platform, String> {
        if !self.has_memory() {
            return Ok(Platform::new(self.best_network(bound), self.refinements(bound)?));
        }
        self.platform_with_memory(self.model_of_calls(), bound, arithmetic)
    }

    /// Name of the model of [`Machine::best_platform`].
    pub fn model_of_calls(&self) -> &'static str {
        if self.has_memory() { "plogp" } else { self.best_network(Bound::Best).name() }
    }

    /// Whether costs of memory were calibrated, beside PLogP's functions.
    pub fn has_memory(&self) -> bool {
        !self.lines.is_empty() && self.plogp.is_some()
    }

    /// Clocks of this machine's ranks without any flaw, except that a reading takes time.
    pub fn clocks(&self) -> ClockSpread {
        ClockSpread { read_cost: self.clock_read_us.map_or(Span::ZERO, us), ..ClockSpread::default() }
    }

    /// Times of operations within a rank's memory, by length; with `beyond_shortest`, those beyond the time of the
    /// shortest length.
    fn local_table(
        &self,
        bound: Bound,
        beyond_shortest: bool,
        of: impl Fn(&LocalPoint) -> &Estimate,
    ) -> Result<CostTable, String> {
        let at = |point: &LocalPoint| of(point).at(bound);
        let shortest_us = self.local.first().filter(|_| beyond_shortest).map_or(0.0, at);
        by_bytes(self.local.iter().map(|point| (point.bytes, (at(point) - shortest_us).max(0.0))))
            .map_err(|message| format!("local: {message}"))
    }

    /// Refinements of messages: connection, inline limit, idle cost and near latency.
    ///
    /// # Errors
    /// Fails if idle times do not increase.
    pub fn refinements(&self, bound: Bound) -> Result<Refinements, String> {
        let connect = self.connect_us.as_ref().map(|connect| Connect { time: us(connect.at(bound)) });
        let connect = connect.filter(|connect| connect.time > Span::ZERO);
        let points = self.idle.iter().map(|at| TablePoint { at: us(at.idle_us).0, cost: us(at.cost_us.at(bound)) });
        let points: Vec<TablePoint> = points.collect();
        let table = (!points.is_empty()).then(|| CostTable::new(&points)).transpose();
        let idle = table.map_err(|message| format!("idle: {message}"))?.map(|table| IdleCost { table });
        let inline = self
            .inline
            .as_ref()
            .map(|known| Inline { limit_bytes: known.limit_bytes, fetch: us(known.fetch_us.at(bound)) });
        let inline = inline.filter(|inline| inline.fetch > Span::ZERO);
        Ok(Refinements { connect, inline, idle, near: self.near_at(bound), ..Refinements::default() })
    }

    /// Latency of a cache line between ranks, where the library's own calls are known to pass through cells.
    fn cells(&self) -> Option<Span> {
        let has_cells = ThroughCells::are_in(&self.provenance.ran_by) == Some(true);
        self.line_ns.filter(|_| has_cells).map(|ns| us(ns / 1e3))
    }

    /// L within a switch beside the usual one, where both are known.
    fn near_at(&self, bound: Bound) -> Option<Near> {
        let loggops = self.loggops.as_ref().map(|loggops| &loggops.latency_us);
        let far = loggops.or(self.loggp.as_ref().map(|loggp| &loggp.latency_us))?;
        let at = |estimate: &Estimate| us(estimate.at(bound) * self.spread.at(bound));
        self.near.as_ref().map(|known| Near { near: at(&known.latency_us), far: at(far) })
    }

    /// Network model of the methods' own messages.
    pub fn control(&self) -> Network {
        Network::Hockney(Hockney { alpha: us(self.control_us), beta: PerByte(0.0), send_rule: SendRule::Eager })
    }

    /// Noise on this machine's ranks, with realisations of this seed.
    ///
    /// # Errors
    /// Fails if a source cannot be parsed.
    pub fn noise(&self, seed: u64) -> Result<Noise, String> {
        let sources = self.noise.as_ref().map_or(&[][..], |sample| &sample.sources);
        Noise::parse_with(sources, seed, &|name| Err(format!("a machine holds no traces, found '{name}'")))
    }
}

/// Table of costs in µs by bytes; zero where there are no points.
pub(super) fn by_bytes(points: impl Iterator<Item = (u64, f64)>) -> Result<CostTable, String> {
    let points: Vec<TablePoint> = points.map(|(at, cost)| TablePoint { at, cost: us(cost) }).collect();
    if points.is_empty() { Ok(CostTable::ZERO) } else { CostTable::new(&points) }
}
