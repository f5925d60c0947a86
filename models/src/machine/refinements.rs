//! What network models leave out: set-up, caches, idle time, barriers, protocols, noise.

use super::network::us;
use super::{Bound, Estimate, Machine};
use crate::call::Element;
use crate::clock::ClockSpread;
use crate::collective::Collective;
use crate::collective::decision::ThroughCells;
use crate::network::{Hockney, Network, Point, SendRule, Table};
use crate::noise::Noise;
use crate::observation::{Case, Implementation};
use crate::platform::{BarrierTimes, Connect, IdleCost, Inline, Near, Platform, Refinements};
use crate::time::{PerByte, Span};
use serde::{Deserialize, Serialize};

/// What a rank does with so many bytes of its own memory, which it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalPoint {
    /// How many bytes.
    pub bytes: u64,
    /// Copying them, in µs.
    pub copy_us: Estimate,
    /// Sending them to itself, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to_self_us: Option<Estimate>,
    /// γ: combining them with as many others, in µs, as our own algorithms do.
    pub combine_us: Estimate,
    /// The same as the library does in its reductions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub combine_by_library_us: Option<Estimate>,
    /// The same of other elements than bytes.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub combine_elements: Vec<ElementPoint>,
}

/// Messages that network adapters have to fetch from memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InlineEstimate {
    /// The longest message, in bytes, that travels within its request.
    pub limit_bytes: u64,
    /// How much longer any longer one is under way, in µs.
    pub fetch_us: Estimate,
}

/// Messages between nodes of one switch, or of a group of switches that are all linked with each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearEstimate {
    /// L in µs, in place of that of LogGP and LogGOPS.
    pub latency_us: Estimate,
}

/// What the library takes to combine so many bytes of one kind of elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElementPoint {
    /// Which.
    pub element: Element,
    /// In µs.
    pub us: Estimate,
}

impl LocalPoint {
    /// γ by the library, of these elements if it is known, else of bytes, else as our own algorithms do.
    pub(crate) fn combine_by(&self, element: Element) -> &Estimate {
        let of_element = self.combine_elements.iter().find(|one| one.element == element).map(|one| &one.us);
        of_element.or(self.combine_by_library_us.as_ref()).unwrap_or(&self.combine_us)
    }
}

/// Whose algorithms are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Ours: byte by byte, as the compiler makes it.
    Own,
    /// The library's, in calls that combine nothing.
    Library,
    /// The library's, in calls that combine such elements.
    Reducing(Element),
}

impl Arithmetic {
    /// Whose algorithm a case is.
    pub fn of(case: &Case) -> Arithmetic {
        match case.subject.implementation {
            Implementation::Own(_) | Implementation::Shared(_) => Arithmetic::Own,
            Implementation::Library | Implementation::Forced(_) => {
                Arithmetic::of_library(case.subject.collective, case.subject.call.element)
            }
        }
    }

    /// A library's call of such elements.
    pub fn of_library(collective: Collective, element: Element) -> Arithmetic {
        if collective.combines() { Arithmetic::Reducing(element) } else { Arithmetic::Library }
    }
}

crate::named! {
    /// What predictions of calls know beside a network model, each beside all before it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Extent {
        /// Messages: the network model alone.
        Messages => "messages", "messages alone",
        /// What starts and calls take beside messages, and a reading of the clock.
        Calls => "calls", "what starts and calls add",
        /// What combining and copying take (γ), and messages of a rank to itself.
        Arithmetic => "arithmetic", "arithmetic and copies (γ)",
        /// What sending and receiving at the same time take longer.
        BothWays => "both-ways", "both ways at once",
        /// Who holds the cache lines of which memory.
        Memory => "memory", "ownership of cache lines",
    }
    /// The name used in files.
    fn name;
    /// What is added, in words.
    fn words;
}

/// What the first operation takes longer after a rank waited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdlePoint {
    /// How long it waited, in µs.
    pub idle_us: f64,
    /// How much longer, in µs.
    pub cost_us: Estimate,
}

/// How far apart the first and the last rank leave the library's barrier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExitSkew {
    /// How many ranks.
    pub ranks: u32,
    /// How many barriers.
    pub barriers: u32,
    /// The median in µs.
    pub median_us: Estimate,
    /// What 99 of 100 do not exceed, in µs.
    pub p99_us: f64,
    /// From the entry of each rank (a row) that enters last to the exit of each (its columns), the medians in µs; empty where
    /// clocks are not known well enough, or of many ranks.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub until_us: Vec<Vec<f64>>,
}

impl ExitSkew {
    /// What simulations take of it, if it is known.
    ///
    /// # Errors
    /// Not as many columns as rows.
    fn barrier(&self) -> Result<Option<BarrierTimes>, String> {
        let until = || self.until_us.iter().flatten().map(|&time| us(time)).collect();
        let times = (!self.until_us.is_empty()).then(|| BarrierTimes::new(until()));
        times.transpose().map_err(|message| format!("until_us of exit_skew: {message}"))
    }
}

/// A length at which the library begins to send messages otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProtocolChange {
    /// The longest message, in bytes, that is sent the one way.
    pub last_bytes: u64,
    /// The shortest one, in bytes, that was seen to be sent the other way.
    pub next_bytes: u64,
    /// How much half a round trip jumps there, in µs.
    pub jump_us: Estimate,
    /// True if senders of longer messages wait for the receiver, and did not before: S.
    pub waits: bool,
}

/// What took the CPU from a rank while it did nothing but read its clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoiseSample {
    /// For how long it was watched, in µs.
    pub watched_us: f64,
    /// Gaps of the clock shorter than this, in µs, were not counted.
    pub threshold_us: f64,
    /// How many detours were seen.
    pub detours: u64,
    /// Which share of the time they took.
    pub share: f64,
    /// The median detour, in µs.
    pub median_us: f64,
    /// The longest, in µs.
    pub longest_us: f64,
    /// Sources of noise like this sample, as `--noise` takes them; none if it was as good as quiet.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sources: Vec<String>,
}

impl Machine {
    /// A calibrated model with all that the calibration knows beyond it.
    ///
    /// # Errors
    /// The model was not calibrated.
    pub fn platform(&self, model: &str, bound: Bound) -> Result<Platform, String> {
        Ok(Platform::new(self.network(model, bound)?, self.refinements(bound)?))
    }

    /// The same with what memory and arithmetic cost.
    ///
    /// # Errors
    /// The model was not calibrated.
    pub fn platform_with_memory(&self, model: &str, bound: Bound, arithmetic: Arithmetic) -> Result<Platform, String> {
        self.platform_up_to(Extent::Memory, model, bound, arithmetic)
    }

    /// The same with what is known up to there.
    ///
    /// # Errors
    /// The model was not calibrated.
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
            // What the shortest take is in what such a call takes.
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

    /// The platform that calls are predicted on: PLogP with what memory costs, where that was calibrated, else the
    /// richest model with what is known beyond it.
    ///
    /// # Errors
    /// As [`Machine::platform_with_memory`].
    pub fn best_platform(&self, bound: Bound, arithmetic: Arithmetic) -> Result<Platform, String> {
        if !self.has_memory() {
            return Ok(Platform::new(self.best_network(bound), self.refinements(bound)?));
        }
        self.platform_with_memory("plogp", bound, arithmetic)
    }

    /// Whether it was calibrated what memory costs, beside PLogP's functions.
    pub fn has_memory(&self) -> bool {
        !self.lines.is_empty() && self.plogp.is_some()
    }

    /// The clocks that ranks of this machine read where nothing is wrong with them but that a reading takes its time.
    pub fn clocks(&self) -> ClockSpread {
        ClockSpread { read_cost: self.clock_read_us.map_or(Span::ZERO, us), ..ClockSpread::default() }
    }

    /// What ranks do within their memory, by length; or what it takes beyond the shortest length.
    fn local_table(
        &self,
        bound: Bound,
        beyond_shortest: bool,
        of: impl Fn(&LocalPoint) -> &Estimate,
    ) -> Result<Table, String> {
        let at = |point: &LocalPoint| of(point).at(bound);
        let shortest_us = self.local.first().filter(|_| beyond_shortest).map_or(0.0, at);
        by_bytes(self.local.iter().map(|point| (point.bytes, (at(point) - shortest_us).max(0.0))))
            .map_err(|message| format!("local: {message}"))
    }

    /// What the calibration knows beyond network models.
    ///
    /// # Errors
    /// Idle times do not increase.
    pub fn refinements(&self, bound: Bound) -> Result<Refinements, String> {
        let connect = self.connect_us.as_ref().map(|connect| Connect { time: us(connect.at(bound)) });
        let connect = connect.filter(|connect| connect.time > Span::ZERO);
        let points = self.idle.iter().map(|at| Point { at: us(at.idle_us).0, cost: us(at.cost_us.at(bound)) });
        let points: Vec<Point> = points.collect();
        let table = (!points.is_empty()).then(|| Table::new(&points)).transpose();
        let idle = table.map_err(|message| format!("idle: {message}"))?.map(|table| IdleCost { table });
        let inline = self
            .inline
            .as_ref()
            .map(|known| Inline { limit_bytes: known.limit_bytes, fetch: us(known.fetch_us.at(bound)) });
        let inline = inline.filter(|inline| inline.fetch > Span::ZERO);
        Ok(Refinements { connect, inline, idle, near: self.near_at(bound), ..Refinements::default() })
    }

    /// How long a cache line takes from rank to rank, where it is known that the library's own calls pass through cells.
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

    /// The network of methods' own messages.
    pub fn control(&self) -> Network {
        Network::Hockney(Hockney { alpha: us(self.control_us), beta: PerByte(0.0), send_rule: SendRule::Eager })
    }

    /// What disturbs this machine's ranks, in realisations of this seed.
    ///
    /// # Errors
    /// A source that is none.
    pub fn noise(&self, seed: u64) -> Result<Noise, String> {
        let sources = self.noise.as_ref().map_or(&[][..], |sample| &sample.sources);
        Noise::parse_with(sources, seed, &|name| Err(format!("a machine holds no traces, found '{name}'")))
    }
}

/// Costs by bytes, in µs; nothing where there are none.
pub(super) fn by_bytes(points: impl Iterator<Item = (u64, f64)>) -> Result<Table, String> {
    let points: Vec<Point> = points.map(|(at, cost)| Point { at, cost: us(cost) }).collect();
    if points.is_empty() { Ok(Table::ZERO) } else { Table::new(&points) }
}
