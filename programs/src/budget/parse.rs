//! Configurations as people write them: a name, and the switches that differ from it.
//!
//! `reference`, `osu`, `imb:t_max`, `barrier-loop`, `loop,root=rotating,aggregation=rank-zero`, `reference,E5,E9`: from
//! left to right, each part changes what stands before it; before the first stands the reference with touched buffers.

use super::{Clocks, Configuration, Entry, Repeats, Starts, SystematicError};
use crate::aggregation::{Aggregation, First, OverRanks, OverSamples};
use crate::method::{Buffer, FirstCall, Method, OneDelay, Preset, RootChoice};
use crate::observation::Counted;
use crate::sync::Sync;
use models::call::Element;
use models::quantity;

/// Values that a switch may be set to, by name.
type Choices<T> = [(&'static str, T)];

/// Names of the switches, for error messages.
const SWITCHES: &str = "first-call, aggregation, first, samples, counted, root, buffer, start, calls, clocks, sync, idle, starts, window, barrier-inside, delay, element";

impl Configuration {
    /// Reads a configuration from its written form.
    ///
    /// # Errors
    /// Says what is expected in place of the part that is not understood.
    pub fn parse(text: &str) -> Result<Configuration, String> {
        let mut parts = text.split(',').map(str::trim).peekable();
        let first = parts.next().unwrap_or_default();
        let mut configuration = match named(first)? {
            Some(named) => named,
            None => changed(Configuration::reference(Buffer::Touched), first)?,
        };
        for part in parts {
            configuration = changed(configuration, part)?;
        }
        configuration.name = text.split(',').map(str::trim).collect::<Vec<_>>().join(",");
        Ok(configuration)
    }
}

/// Finds the reference, a benchmark or one of its columns, or a method; `None` if it is none of these.
fn named(name: &str) -> Result<Option<Configuration>, String> {
    if name == "reference" {
        return Ok(Some(Configuration::reference(Buffer::Touched)));
    }
    let (benchmark, column) = name.split_once(':').map_or((name, None), |(name, column)| (name, Some(column)));
    if let Ok(preset) = Preset::find(benchmark) {
        return Configuration::preset(preset, column).map(Some);
    }
    let method = Method::reported().find(|method| method.name() == name);
    Ok(method.and_then(Configuration::by_method))
}

/// Returns a configuration with one switch turned.
fn changed(before: Configuration, part: &str) -> Result<Configuration, String> {
    if let Ok(error) = SystematicError::find(part) {
        return Ok(before.with(error, &Configuration::worst()));
    }
    let Some((key, value)) = part.split_once('=') else {
        let presets = Preset::ALL.map(Preset::name).join(", ");
        let methods: Vec<&str> = Method::reported().map(Method::name).collect();
        return Err(format!(
            "unknown configuration '{part}'; known first: reference, {presets}, {}; then E1 … E10, or switch=value with {SWITCHES}",
            methods.join(", ")
        ));
    };
    set(before, key.trim(), value.trim())
}

fn set(mut to: Configuration, key: &str, value: &str) -> Result<Configuration, String> {
    match key {
        "first-call" => {
            to.first_call = one_of(key, value, &[("apart", FirstCall::Apart), ("included", FirstCall::Included)])?
        }
        "aggregation" | "first" | "samples" | "counted" => summed_up(&mut to.aggregation, key, value)?,
        "root" => to.root = one_of(key, value, &[("fixed", RootChoice::Fixed), ("rotating", RootChoice::Rotating)])?,
        "buffer" => to.buffer = one_of(key, value, &Buffer::ALL.map(|buffer| (buffer.name(), buffer)))?,
        "start" => {
            let known =
                [("announced", Entry::Announced), ("barrier", Entry::Barrier), ("own-barrier", Entry::OwnBarrier)];
            to.entry = one_of(key, value, &known)?;
        }
        "calls" => {
            let known =
                [("apart", Repeats::Apart), ("loop", Repeats::Loop), ("loop-less-barriers", Repeats::LoopLessBarriers)];
            to.repeats = one_of(key, value, &known)?;
        }
        "clocks" => {
            let known = [("perfect", Clocks::Perfect), ("as-they-are", Clocks::AsTheyAre { sync: None })];
            to.clocks = one_of(key, value, &known)?;
        }
        "sync" => {
            let sync = Sync::find(value)?;
            to.clocks = Clocks::AsTheyAre { sync: Some(sync) };
        }
        "idle" => to.gap.costs = one_of(key, value, &[("free", false), ("costs", true)])?,
        "starts" => {
            to.gap.starts = one_of(key, value, &[("round-time", Starts::RoundTime), ("window", Starts::Window)])?
        }
        "window" => {
            let length = quantity::parse(value).map_err(|message| format!("{key}: {message}"))?;
            (to.gap.starts, to.gap.costs, to.gap.window) = (Starts::Window, true, Some(length));
        }
        "barrier-inside" => to.barrier_inside = one_of(key, value, &[("no", false), ("yes", true)])?,
        "delay" => to.delay = OneDelay::parse_or_none(value).map_err(|message| format!("{key}: {message}"))?,
        "element" => {
            to.element = Some(one_of(key, value, &Element::ALL.map(|element| (element.name(), element)))?);
        }
        _ => return Err(format!("unknown switch '{key}'; known: {SWITCHES}")),
    }
    Ok(to)
}

/// Sets a switch of the aggregation of calls and ranks.
fn summed_up(aggregation: &mut Aggregation, key: &str, value: &str) -> Result<(), String> {
    match key {
        "aggregation" => {
            let known = [
                ("rank-zero", OverRanks::RankZero),
                ("mean", OverRanks::Mean),
                ("min", OverRanks::Min),
                ("max", OverRanks::Max),
            ];
            aggregation.ranks = one_of(key, value, &known)?;
        }
        "first" => aggregation.first = one_of(key, value, &[("ranks", First::Ranks), ("samples", First::Samples)])?,
        "samples" => {
            let known = [
                ("mean", OverSamples::Mean),
                ("median", OverSamples::Median),
                ("min", OverSamples::Min),
                ("max", OverSamples::Max),
                ("trimmed-mean", OverSamples::TrimmedMean { share: 0.25 }),
            ];
            aggregation.samples = one_of(key, value, &known)?;
        }
        _ => {
            let known = [("first-start", Counted::FromFirstStart), ("own-start", Counted::FromOwnStart)];
            aggregation.counted = one_of(key, value, &known)?;
        }
    }
    Ok(())
}

fn one_of<T: Copy>(key: &str, value: &str, known: &Choices<T>) -> Result<T, String> {
    known.iter().find(|(name, _)| *name == value).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        format!("{key}: expected {}, found '{value}'", names.join(" or "))
    })
}
