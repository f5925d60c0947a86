//! Parsing of noise specs into the noise on each rank.

use super::align::Aligned;
use super::common::Common;
use super::duration::Durations;
use super::periodic::{Periodic, PeriodicSpec};
use super::plan::{NoisePlan, Placed};
use super::ranks::Ranks;
use super::read;
use super::renewal::{Arrivals, Renewal};
use super::replay::{Loop, Phase, Replay};
use super::settings::Settings;
use super::trace::all_ranks;
use crate::names::{self, unknown};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// Function that opens the files of a `trace:` source: their names and contents, in the order of the ranks.
pub type Traces<'a> = dyn Fn(&str) -> Result<Vec<(String, Vec<u8>)>, String> + 'a;

/// Notation of noise sources, for help texts.
pub const KNOWN: &str = "\
exponential:mean=10us,rate=100Hz
pareto:scale=1us,shape=1.5,rate=100Hz
lognormal:mean=10us,sigma=1,rate=100Hz       (mean of the durations; sigma of their logarithms)
weibull:scale=10us,shape=0.7,rate=100Hz
half-normal:sigma=10us,rate=100Hz
uniform:from=0us,to=10us,rate=100Hz
bernoulli:probability=0.1,duration=10us,rate=100Hz
fixed:duration=10us,rate=100Hz
periodic:period=10ms,duration=25us           (phase=random, or one for all ranks: phase=0us)
detour:at=4us,for=10us,ranks=3               (one detour, once)
trace:FILE or trace:FOLDER                   (phase=random, 0, or common: all ranks at one place; format=own, selfish)
each also: cosched (the same detours on all ranks), ranks=0 or ranks=3+7 or ranks=0-15";

/// Largest number of sources: more are a mistake.
const MOST_SOURCES: usize = 16;

/// One source of noise, as the user wrote it.
#[derive(Clone, Debug)]
pub(super) struct Source {
    kind: SpecKind,
    cosched: bool,
    ranks: Ranks,
}

#[derive(Clone, Debug)]
enum SpecKind {
    Arrivals { durations: Durations, rate_hz: f64 },
    Periodic(PeriodicSpec),
    Trace { path: String, format: Option<read::NoiseFormat>, phase: Phase, loops: Arc<[Loop]> },
}

/// Result of reading all specs.
#[derive(Debug)]
pub(super) struct Reading {
    /// Sources as the user wrote them.
    pub sources: Vec<Source>,
    /// Plans of noise, each with the first of the ranks on which it acts.
    pub plans: Vec<(u32, NoisePlan)>,
    /// Largest share of the CPU that is taken from a rank.
    pub share: f64,
}

/// Reads all specs of noise.
pub(super) fn read(specs: &[String], seed: u64, open: &Traces<'_>) -> Result<Reading, String> {
    if specs.len() > MOST_SOURCES {
        return Err(format!("expected at most {MOST_SOURCES} sources of noise, found {}", specs.len()));
    }
    let mut sources = Vec::new();
    for spec in specs {
        sources.push(source(spec, open).map_err(|message| format!("noise '{spec}': {message}"))?);
    }
    let mut firsts = BTreeSet::from([0]);
    sources.iter().for_each(|source| firsts.extend(source.ranks.boundaries()));
    let mut largest = 0.0_f64;
    for &rank in &firsts {
        let acting = || sources.iter().filter(move |source| source.ranks.contain(rank));
        let asked: f64 = acting().map(Source::asked).sum();
        if asked >= 1.0 {
            let whom = if firsts.len() == 1 { String::new() } else { format!(" of rank {rank}") };
            return Err(format!(
                "noise: {:.0} % of the CPU{whom} would go to detours: nothing is left for the rank; \
                 expected less than 100 % (rate times mean duration, all sources together)",
                asked * 100.0
            ));
        }
        largest = largest.max(1.0 - acting().map(|source| 1.0 - source.share()).product::<f64>());
    }
    let commons = commons(&sources, seed);
    let plans = firsts.into_iter().map(|rank| (rank, plan(rank, &sources, &commons, seed))).collect();
    Ok(Reading { sources, plans, share: largest })
}

fn source(spec: &str, open: &Traces<'_>) -> Result<Source, String> {
    let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
    let name = name.trim();
    let mut parts = rest.split(',').filter(|_| !rest.trim().is_empty());
    let path = if name == "trace" { parts.next().unwrap_or_default().trim() } else { "" };
    let mut settings = Settings::new(parts)?;
    let cosched = settings.flag("cosched")?;
    let ranks = settings.text("ranks")?.map_or(Ok(Ranks::All), Ranks::parse)?;
    let kind = match name {
        "periodic" => SpecKind::Periodic(PeriodicSpec::read(&mut settings)?),
        "detour" => SpecKind::Periodic(PeriodicSpec::read_single(&mut settings)?),
        "trace" => trace(path, &mut settings, open)?,
        _ => match Durations::read(name, &mut settings)? {
            Some(durations) => SpecKind::Arrivals { durations, rate_hz: settings.rate("rate")? },
            None => {
                return Err(unknown("source", name, [Durations::NAMES, &["periodic", "detour", "trace"]].concat()));
            }
        },
    };
    settings.finish()?;
    let source = Source { kind, cosched, ranks };
    match source.asked() {
        asked if asked >= 1.0 => Err(format!(
            "such detours would take {:.0} % of the CPU (rate times mean duration): nothing is left for the rank",
            asked * 100.0
        )),
        _ => Ok(source),
    }
}

fn trace(path: &str, settings: &mut Settings, open: &Traces<'_>) -> Result<SpecKind, String> {
    if path.is_empty() {
        return Err("expected the file or folder of the trace: trace:FILE".to_owned());
    }
    let format = settings.text("format")?.map(read::NoiseFormat::parse).transpose()?;
    let phase = match settings.text("phase")? {
        None => Phase::Random,
        Some("0us") => Phase::Start,
        Some(name) => {
            names::find("phase", name, &Phase::ALL, Phase::name).map_err(|message| format!("key 'phase': {message}"))?
        }
    };
    let files = open(path)?;
    if files.is_empty() {
        return Err(format!("'{path}' holds no traces"));
    }
    let mut traces = read::traces(&files, format)?;
    all_ranks(&traces)?;
    if phase == Phase::Common {
        // Detours that were recorded at once stay so, round after round.
        traces = Aligned::from_traces(&traces).map_err(|message| format!("{path}: {message}"))?.traces(&traces);
    }
    let loops = traces.iter().map(Loop::new).collect::<Result<Vec<Loop>, String>>()?;
    Ok(SpecKind::Trace { path: path.to_owned(), format, phase, loops: loops.into() })
}

/// Co-scheduled random sources, one process for each set of ranks on which they act.
fn commons(sources: &[Source], seed: u64) -> Vec<(Ranks, Common)> {
    let mut commons: Vec<(Ranks, Common)> = Vec::new();
    for (id, source) in sources.iter().enumerate() {
        if !source.cosched || source.arrivals().is_none() || commons.iter().any(|(ranks, _)| *ranks == source.ranks) {
            continue;
        }
        let same = sources.iter().filter(|other| other.cosched && other.ranks == source.ranks);
        let renewal = Renewal::new(same.filter_map(Source::arrivals).collect(), true, seed, id as u64);
        commons.push((source.ranks.clone(), Common::new(renewal)));
    }
    commons
}

fn plan(rank: u32, sources: &[Source], commons: &[(Ranks, Common)], seed: u64) -> NoisePlan {
    let acting = || sources.iter().enumerate().filter(|(_, source)| source.ranks.contain(rank));
    let own: Vec<Arrivals> =
        acting().filter(|(_, source)| !source.cosched).filter_map(|(_, source)| source.arrivals()).collect();
    let own = (!own.is_empty()).then(|| Renewal::new(own, false, seed, 0));
    let mut placed: Vec<Placed> = acting().filter_map(|(id, source)| source.placed(seed, id as u64)).collect();
    let shared = commons.iter().filter(|(ranks, _)| ranks.contain(rank));
    placed.extend(shared.map(|(_, common)| Placed::Common(common.clone())));
    NoisePlan::new(own, placed)
}

impl Source {
    fn arrivals(&self) -> Option<Arrivals> {
        match &self.kind {
            SpecKind::Arrivals { durations, rate_hz } => {
                Some(Arrivals { mean_gap_ps: 1e12 / (rate_hz * durations.probability()), durations: durations.clone() })
            }
            SpecKind::Periodic(_) | SpecKind::Trace { .. } => None,
        }
    }

    fn placed(&self, seed: u64, id: u64) -> Option<Placed> {
        match &self.kind {
            SpecKind::Arrivals { .. } => None,
            SpecKind::Periodic(spec) => Some(Placed::Periodic(Periodic::new(spec.clone(), self.cosched, seed, id))),
            SpecKind::Trace { phase, loops, .. } => {
                Some(Placed::Replay(Replay::new(loops.clone(), *phase, self.cosched, seed, id)))
            }
        }
    }

    /// Load of the source: rate times mean duration. The share of the CPU is less for random arrivals, whose gaps begin
    /// at the end of a detour.
    fn asked(&self) -> f64 {
        match self.arrivals() {
            Some(arrivals) => arrivals.durations.mean_ps() / arrivals.mean_gap_ps,
            None => self.share(),
        }
    }

    /// Share of the CPU that the source takes in the long run.
    fn share(&self) -> f64 {
        match &self.kind {
            SpecKind::Arrivals { .. } => self.asked() / (1.0 + self.asked()),
            SpecKind::Periodic(spec) => spec.share(),
            SpecKind::Trace { loops, .. } => loops.iter().map(Loop::share).sum::<f64>() / loops.len() as f64,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            SpecKind::Arrivals { durations, rate_hz } => write!(f, "{durations},rate={rate_hz}Hz")?,
            SpecKind::Periodic(spec) => spec.fmt(f)?,
            SpecKind::Trace { path, format, phase, .. } => {
                write!(f, "trace:{path}")?;
                format.iter().try_for_each(|format| write!(f, ",format={}", format.name()))?;
                write!(f, ",phase={}", phase.name())?;
            }
        }
        write!(f, "{}{}", if self.cosched { ",cosched" } else { "" }, self.ranks)
    }
}
