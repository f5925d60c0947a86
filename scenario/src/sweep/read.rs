//! Reader of a sweep's file into a [`Sweep`].

use super::calls::{Listed, barriers, benchmarks, calls};
use super::media::{Choice, Media};
use super::memory;
use super::numbers::Numbers;
use super::values::{KeyRange, SpannedValue, Values};
use super::{Files, Sweep, TOGETHER};
use crate::axis::Axis;
use crate::expect;
use crate::{ScenarioError, Source};
use models::medium::{self, Medium};
use models::noise::Noise;
use models::platform::{Platform, on_ranks};
use models::quantity;
use models::time::Span;
use toml::de::{DeTable, DeValue};

/// Largest number of points, because more take too long to compute.
const MOST_POINTS: u64 = 1_000_000_000_000;
/// Ranges of the keys' numbers, which are those of the flags of `parallax simulate`.
const RANKS: KeyRange = KeyRange { low: 1, high: 1 << 30, is_bytes: false };
const ROOT: KeyRange = KeyRange { low: 0, high: (1 << 30) - 1, is_bytes: false };
const BYTES: KeyRange = KeyRange { low: 0, high: 1 << 40, is_bytes: true };
const FANOUT: KeyRange = KeyRange { low: 0, high: u32::MAX as u64, is_bytes: false };
const SEED: KeyRange = KeyRange { low: 0, high: u64::MAX, is_bytes: false };
const TIMES: KeyRange = KeyRange { low: 1, high: 100_000_000, is_bytes: false };

pub(super) fn read(file: &str, text: &str, files: Files<'_>) -> Result<Sweep, ScenarioError> {
    let source = Source { file, text };
    let table = DeTable::parse(text).map_err(|error| source.syntax_error(&error))?;
    let values = Values { source, table: table.get_ref() };
    let question = source.question("sweep")?;
    values.only(&[&Axis::POINTS.map(Axis::name)[..], &expect::KEYS[..]].concat())?;
    let numbers = |key, kind, default| Ok(values.numbers(key, kind)?.unwrap_or(Numbers::one(default)));
    let Some(ranks) = values.numbers("ranks", RANKS)? else {
        return Err(source.error(0..0, "key 'ranks' is missing, like ranks = [4, 8] or \"2..64*2\""));
    };
    let calls = calls(&values, &ranks)?;
    let media = media(&values, &calls)?;
    let sweep = Sweep {
        question,
        name: source.stem(),
        text: text.to_owned(),
        bytes: numbers("bytes", BYTES, 0)?,
        roots: numbers("root", ROOT, 0)?,
        segments: numbers("segment_bytes", BYTES, 0)?,
        fanouts: numbers("fanout", FANOUT, 0)?,
        platforms: platforms(&values, &media, files)?,
        noises: noises(&values, files)?,
        entries: entries(&values, files)?,
        computes: computes(&values)?,
        seeds: numbers("seed", SEED, 1)?,
        realisations: numbers("realisations", TIMES, 1)?,
        repeats: numbers("calls", TIMES, 1)?,
        samples: numbers("samples", TIMES, 10)?,
        barriers: barriers(&values)?,
        benchmarks: benchmarks(&values)?,
        calls,
        media,
        ranks,
        told: expect::read(source, expect::ExpectationKind::Points)?,
    };
    let (least, root) = (sweep.ranks.range().0, sweep.roots.range().1);
    if root >= least {
        let place = values.place("root");
        let message = format!("expected roots below the least number of ranks, {least}; found {root}");
        return Err(source.error_at(place, "root", message));
    }
    memory::check(&values, &sweep)?;
    if sweep.points() > MOST_POINTS {
        return Err(source.error(0..0, format!("expected at most {MOST_POINTS} points (the product of all lists)")));
    }
    Ok(sweep)
}

/// Reads the models. Those given by name use the keys beside them, and those given as a table have their own. Each must
/// carry all calls.
fn media(values: &Values<'_>, calls: &[Listed]) -> Result<Media, ScenarioError> {
    let mut media = Media::default();
    let Some(models) = values.list("model")? else {
        let model = default_model(values, calls)?;
        memory::carries(values, model, calls, None)?;
        choices(values, model, &mut media)?;
        return Ok(media);
    };
    for model in models {
        let name = if let DeValue::Table(table) = model.get_ref() {
            let own = Values { source: values.source, table };
            own.only(&["name", "send_rule", "parameters"])?;
            let Some(name) = own.value("name") else {
                return Err(values.expected("model", model, "a table with a name, like { name = \"loggops\" }"));
            };
            let name = model_name(&own, "name", name)?;
            choices(&own, name, &mut media)?;
            name
        } else {
            let name = model_name(values, "model", model)?;
            choices(values, name, &mut media)?;
            name
        };
        memory::carries(values, name, calls, Some(model.span()))?;
    }
    Ok(media)
}

fn model_name<'a>(values: &Values<'a>, key: &str, value: &'a SpannedValue<'a>) -> Result<&'a str, ScenarioError> {
    let name = values.text(key, value, "loggops")?;
    let known = Medium::parse(name, None, None);
    known.map(|_| name).map_err(|message| values.source.error_at(value.span(), key, message))
}

/// Returns the model of a file that names none: `hockney` if there are parameters of it, as for `parallax simulate`,
/// and shared memory for queues.
fn default_model(values: &Values<'_>, calls: &[Listed]) -> Result<&'static str, ScenarioError> {
    if calls.first().is_some_and(Listed::is_queue) {
        return Ok(medium::MEMORY);
    }
    let of_hockney = |key: &str| matches!(key.trim(), "alpha" | "beta");
    let parameters = values.list("parameters")?.unwrap_or_default();
    let any = parameters.into_iter().any(|value| match value.get_ref() {
        DeValue::Table(table) => table.iter().any(|(key, _)| of_hockney(key.get_ref())),
        DeValue::String(text) => text.split(',').any(|pair| of_hockney(pair.split('=').next().unwrap_or_default())),
        _ => false,
    });
    Ok(if any || values.value("send_rule").is_some() { "hockney" } else { "loggops" })
}

/// Adds one model with its send rules, for each of its sets of parameters.
fn choices(values: &Values<'_>, model: &str, media: &mut Media) -> Result<(), ScenarioError> {
    let mut send_rules = Vec::new();
    for (rule, span) in values.texts("send_rule", "eager")?.unwrap_or_default() {
        Medium::parse(model, None, Some(rule)).map_err(|message| values.source.error_at(span, "send_rule", message))?;
        send_rules.push(Some(rule.to_owned()));
    }
    if send_rules.is_empty() {
        send_rules.push(None);
    }
    let Some(sets) = values.list("parameters")? else {
        media.push(Choice { model: model.to_owned(), send_rules, settings: Vec::new() });
        return Ok(());
    };
    for set in sets {
        let settings = settings(values, model, set)?;
        media.push(Choice { model: model.to_owned(), send_rules: send_rules.clone(), settings });
    }
    Ok(())
}

/// Returns the settings of each parameter, from `"L=2us,o=1us"` or from a table whose values may be lists: `{ L =
/// ["1us", "2us"], o = "1us" }`.
fn settings<'a>(
    values: &Values<'a>,
    model: &str,
    set: &'a SpannedValue<'a>,
) -> Result<Vec<Vec<String>>, ScenarioError> {
    let check = |text: &str, value: &SpannedValue<'_>| {
        let medium = Medium::parse(model, Some(text), None);
        medium.map(drop).map_err(|message| values.source.error_at(value.span(), "parameters", message))
    };
    let table = match set.get_ref() {
        DeValue::String(text) => {
            check(text, set)?;
            return Ok(vec![vec![text.clone().into_owned()]]);
        }
        DeValue::Table(table) => table,
        _ => {
            return Err(values.expected(
                "parameters",
                set,
                "text like \"L=2us,G=1ns/B\" or a table like { L = [\"1us\", \"2us\"] }",
            ));
        }
    };
    let own = Values { source: values.source, table };
    let mut keys: Vec<_> = table.keys().collect();
    keys.sort_by_key(|key| key.span().start);
    let mut all = Vec::new();
    for key in keys {
        let name = key.get_ref().as_ref();
        let mut texts = Vec::new();
        for value in own.list(name)?.unwrap_or_default() {
            let text = match value.get_ref() {
                DeValue::String(text) if !text.contains(',') => format!("{name}={text}"),
                DeValue::Integer(number) if number.radix() == 10 => format!("{name}={}", number.as_str()),
                DeValue::Float(number) => format!("{name}={}", number.as_str()),
                _ => return Err(own.expected("parameters", value, "one value like \"2us\" or 2000")),
            };
            check(&text, value)?;
            texts.push(text);
        }
        all.push(texts);
    }
    Ok(all)
}

/// Returns the refinements, each of which must fit every model.
fn platforms(values: &Values<'_>, media: &Media, files: Files<'_>) -> Result<Vec<String>, ScenarioError> {
    let mut all = Vec::new();
    for (text, span) in values.texts("platform", "connect=30us")?.unwrap_or_default() {
        let text = if text.trim() == "none" { "" } else { text };
        for written in media.firsts() {
            Medium::parse(written.model, Some(&written.settings), written.send_rule)
                .and_then(|medium| match medium {
                    Medium::Network(network) => Platform::parse(network, &on_ranks(text, 1), files.text).map(drop),
                    Medium::Memory(_) => Ok(()),
                })
                .map_err(|message| values.source.error_at(span.clone(), "platform", message))?;
        }
        all.push(text.to_owned());
    }
    Ok(if all.is_empty() { vec![String::new()] } else { all })
}

/// Returns the noises. Each is `none`, a source, or a list of sources that add up.
fn noises(values: &Values<'_>, files: Files<'_>) -> Result<Vec<Vec<String>>, ScenarioError> {
    let mut all = Vec::new();
    let source = |value| values.text("noise", value, "exponential:mean=10us,rate=100Hz");
    for value in values.list("noise")?.unwrap_or_default() {
        let sources: Vec<String> = match value.get_ref() {
            DeValue::Array(sources) => {
                sources.iter().map(|value| source(value).map(str::to_owned)).collect::<Result<_, _>>()?
            }
            _ => match source(value)?.trim() {
                "none" | "" => Vec::new(),
                text => vec![text.to_owned()],
            },
        };
        if !sources.is_empty() {
            Noise::parse_with(&sources, 1, files.traces)
                .map_err(|message| values.source.error_at(value.span(), "noise", message))?;
        }
        all.push(sources);
    }
    Ok(if all.is_empty() { vec![Vec::new()] } else { all })
}

/// Returns the entries. The length of a list of times is checked against the number of ranks at each point.
fn entries(values: &Values<'_>, files: Files<'_>) -> Result<Vec<String>, ScenarioError> {
    let mut all = Vec::new();
    for (text, span) in values.texts("entry", "random:10us")?.unwrap_or_default() {
        let text = text.trim();
        let is_list = text.contains(',') || text.starts_with(|first: char| first.is_ascii_digit());
        let checked = match text.strip_prefix("random:") {
            Some(within) => duration(within).map(drop),
            None if text == TOGETHER || is_list => Ok(()),
            None => (files.text)(text).map(drop).map_err(|message| {
                format!("{message}; expected together, random:10us, a list like 0,5us or a file with a time per line")
            }),
        };
        checked.map_err(|message| values.source.error_at(span, "entry", message))?;
        all.push(text.to_owned());
    }
    Ok(if all.is_empty() { vec![TOGETHER.to_owned()] } else { all })
}

/// Returns the durations of work before each call. A benchmark times calls alone and allows no work.
fn computes(values: &Values<'_>) -> Result<Vec<(String, Span)>, ScenarioError> {
    let mut all = Vec::new();
    for (text, span) in values.texts("compute", "100us")?.unwrap_or_default() {
        let work = duration(text).map_err(|message| values.source.error_at(span.clone(), "compute", message))?;
        if work > Span::ZERO && values.value("benchmark").is_some() {
            let message = "a benchmark times calls alone; expected no work beside it";
            return Err(values.source.error_at(span, "compute", message));
        }
        all.push((text.trim().to_owned(), work));
    }
    Ok(if all.is_empty() { vec![("0us".to_owned(), Span::ZERO)] } else { all })
}

/// Reads a duration, in ns where it has no unit.
fn duration(text: &str) -> Result<Span, String> {
    let text = if text.trim().parse::<f64>().is_ok() { format!("{} ns", text.trim()) } else { text.to_owned() };
    quantity::parse::<Span>(&text)
}
