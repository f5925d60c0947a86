//! Reader of scenario files, with errors that name file, line and key.

mod axes;
mod called;
mod case;
mod lengths;
mod one_or_many;
mod simulated;

use super::source::key_of;
use super::{ClockSpread, Scenario, ScenarioError, Source};
use crate::expect;
use axes::Axes;
use case::CaseTable;
use models::limits::MOST_CALLS;
use models::names;
use models::network::{Hockney, SendRule};
use models::quantity::{Ppm, WithUnit};
use models::time::{PerByte, Span};
use one_or_many::{Listed, OneOrMany};
use programs::method::{Factors, Method, RoundTimeSettings, WindowSettings};
use programs::observation::Barrier;
use serde::Deserialize;
use serde::de::IgnoredAny;
use simulated::SimulatedTable;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default = "default_seed")]
    seed: u64,
    methods: Spanned<Vec<Spanned<String>>>,
    calls: Spanned<OneOrMany<Calls>>,
    #[serde(default = "default_samples")]
    samples: Spanned<u32>,
    #[serde(default = "default_launches")]
    launches: Spanned<u32>,
    warmup: Option<u32>,
    #[serde(default = "default_barrier")]
    barrier: Spanned<OneOrMany<Barriers>>,
    #[serde(default)]
    window: Option<Spanned<WindowSettings>>,
    #[serde(default)]
    round_time: Option<Spanned<RoundTimeSettings>>,
    #[serde(default)]
    factors: Option<Spanned<Factors>>,
    emulated: Option<EmulatedTable>,
    #[serde(default)]
    clocks: ClocksTable,
    #[serde(default)]
    simulated: Option<Spanned<SimulatedTable>>,
    #[serde(rename = "case")]
    cases: Spanned<Vec<CaseTable>>,
    // Keys that `expect::read` reads.
    #[serde(default, rename = "errors")]
    _errors: IgnoredAny,
    #[serde(default, rename = "expectation")]
    _expectation: IgnoredAny,
    #[serde(default, rename = "found")]
    _found: IgnoredAny,
    #[serde(default, rename = "expect")]
    _expect: IgnoredAny,
    #[serde(default, rename = "small")]
    _small: IgnoredAny,
}

/// Values of the key `calls`.
struct Calls;

impl Listed for Calls {
    type One = u32;
    const IS_TEXT: bool = false;
    const EXPECTED: &'static str = "a number of calls, like 4, or several, like [1, 4, 16] (u32)";
}

/// Values of the key `barrier`.
struct Barriers;

impl Listed for Barriers {
    type One = String;
    const IS_TEXT: bool = true;
    const EXPECTED: &'static str =
        "the name of a barrier, like \"tree\", or several, like [\"tree\", \"dissemination\"]";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EmulatedTable {
    alpha: Spanned<WithUnit<Span>>,
    beta: WithUnit<PerByte>,
    send_rule: Spanned<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ClocksTable {
    largest_offset: Option<WithUnit<Span>>,
    largest_skew: Option<WithUnit<Ppm>>,
    largest_walk: Option<Spanned<WithUnit<Ppm>>>,
    jumps: Option<Spanned<u32>>,
    largest_jump: Option<WithUnit<Span>>,
    jumps_within: Option<WithUnit<Span>>,
    granularity: Option<WithUnit<Span>>,
    read_cost: Option<WithUnit<Span>>,
}

fn default_seed() -> u64 {
    1
}
fn default_samples() -> Spanned<u32> {
    Spanned::new(0..0, 30)
}
fn default_launches() -> Spanned<u32> {
    Spanned::new(0..0, 1)
}
fn default_barrier() -> Spanned<OneOrMany<Barriers>> {
    Spanned::new(0..0, OneOrMany(vec!["dissemination".to_owned()]))
}

/// Largest number of jumps of one simulated clock: each is kept, and every reading searches them.
const MOST_JUMPS: u32 = 1_000;
/// Largest number of launches. Larger numbers are taken for typing errors.
const MOST_LAUNCHES: u32 = 1_000;

pub(super) fn read(file: &str, text: &str) -> Result<Scenario, ScenarioError> {
    let source = Source { file, text };
    let raw: File = toml::from_str(text).map_err(|error| source.syntax_error(&error))?;
    let methods = source.methods(&raw.methods)?;
    let samples = source.within(&raw.samples, 1, 1_000_000)?;
    let calls = source.calls(&raw.calls, samples)?;
    let launches = source.within(&raw.launches, 1, MOST_LAUNCHES)?;
    let clocks = source.clocks(&raw.clocks)?;
    let machines = raw.simulated.as_ref().map_or(Ok(Vec::new()), |table| source.machines(table, clocks))?;
    let factors = raw.factors.map(|table| source.factors(table)).transpose()?.unwrap_or_default();
    let barriers = source.barriers(&raw.barrier)?;
    let all = Axes {
        methods: &methods,
        calls: &calls,
        launches,
        machines: &machines,
        can_emulate: raw.emulated.is_some(),
        factors: &factors,
        barriers: &barriers,
        barriers_at: raw.barrier.span(),
    };
    let mut first = Vec::new();
    for case in raw.cases.get_ref() {
        source.expand(case, &all, &mut first)?;
    }
    if first.is_empty() {
        return Err(source.error(raw.cases.span(), "expected at least one [[case]]"));
    }
    // Each launch runs everything once, so that a machine's drift affects all cases alike.
    let groups = (0..launches).flat_map(|launch| first.iter().map(move |group| group.again(launch))).collect();
    Ok(Scenario {
        question: source.question("scenario")?,
        name: source.stem(),
        seed: raw.seed,
        methods,
        calls,
        samples,
        launches,
        warmup: raw.warmup,
        barriers,
        window: raw.window.map(|window| source.window(window)).transpose()?.unwrap_or_default(),
        round_time: raw.round_time.map(|table| source.round_time(table)).transpose()?.unwrap_or_default(),
        factors,
        emulated: raw.emulated.map(|table| source.emulated(&table)).transpose()?.unwrap_or(UNUSED_NETWORK),
        clocks,
        machines,
        told: expect::read(source, expect::ExpectationKind::Cases)?,
        groups,
    })
}

/// Placeholder where no case is emulated. Nothing runs on it.
const UNUSED_NETWORK: Hockney = Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Busy };

impl Source<'_> {
    fn methods(&self, written: &Spanned<Vec<Spanned<String>>>) -> Result<Vec<Method>, ScenarioError> {
        let methods: Vec<Method> = written.get_ref().iter().map(|name| self.method(name)).collect::<Result<_, _>>()?;
        if methods.is_empty() {
            return Err(self.error(written.span(), "expected at least one method, like [\"loop\", \"window\"]"));
        }
        Ok(methods)
    }

    fn calls(&self, written: &Spanned<OneOrMany<Calls>>, samples: u32) -> Result<Vec<u32>, ScenarioError> {
        let all = written.get_ref().0.clone();
        if all.is_empty() {
            return Err(self.error(written.span(), "expected a number of calls, like 4, or several, like [1, 4, 16]"));
        }
        for &calls in &all {
            self.within(&Spanned::new(written.span(), calls), 1, 1_000_000)?;
            if u64::from(calls) * u64::from(samples) > MOST_CALLS {
                let message =
                    format!("expected at most {MOST_CALLS} calls, found {calls} in each of {samples} samples");
                return Err(self.error(written.span(), message));
            }
        }
        Ok(all)
    }

    fn method(&self, name: &Spanned<String>) -> Result<Method, ScenarioError> {
        let known: Vec<Method> = Method::reported().collect();
        let found = names::find("method", name.get_ref(), &known, Method::name);
        found.map_err(|message| self.error(name.span(), message))
    }

    /// Reads the names of barriers, each kept once.
    fn barriers(&self, written: &Spanned<OneOrMany<Barriers>>) -> Result<Vec<Barrier>, ScenarioError> {
        let mut all = Vec::new();
        for name in &written.get_ref().0 {
            let barrier = Barrier::find(name);
            let barrier = barrier.map_err(|message| self.error_at(written.span(), "barrier", message))?;
            if !all.contains(&barrier) {
                all.push(barrier);
            }
        }
        if all.is_empty() {
            return Err(self.error_at(written.span(), "barrier", format!("expected {}", Barriers::EXPECTED)));
        }
        Ok(all)
    }

    fn emulated(&self, table: &EmulatedTable) -> Result<Hockney, ScenarioError> {
        let found = names::find("send rule", table.send_rule.get_ref(), &SendRule::ALL, SendRule::name);
        let send_rule = found.map_err(|message| self.error(table.send_rule.span(), message))?;
        let alpha = table.alpha.get_ref().0;
        if !(Span::from_us(50)..=Span::from_ms(1_000)).contains(&alpha) {
            let message = format!(
                "expected 50 us to 1 s, found {alpha}: ranks that sleep cannot emulate shorter times, and longer times \
                 are impractical"
            );
            return Err(self.error(table.alpha.span(), message));
        }
        Ok(Hockney { alpha, beta: table.beta.0, send_rule })
    }

    fn clocks(&self, table: &ClocksTable) -> Result<ClockSpread, ScenarioError> {
        let span = |written: &Option<WithUnit<Span>>| written.map(|written| written.0).unwrap_or_default();
        let jumps = table.jumps.as_ref().map_or(Ok(0), |jumps| self.within(jumps, 0, MOST_JUMPS))?;
        if let Some(written) = &table.jumps
            && jumps > 0
            && (table.largest_jump.is_none() || table.jumps_within.is_none())
        {
            let message =
                "jumps need largest_jump = \"50 us\" (how far) and jumps_within = \"1 s\" (by when) beside them";
            return Err(self.error(written.span(), message));
        }
        let largest_walk_ppm = table.largest_walk.as_ref().map_or(0.0, |written| written.get_ref().0.0);
        if let Some(written) = &table.largest_walk
            && largest_walk_ppm < 0.0
        {
            return Err(self.error(written.span(), "expected 0 ppm or more: how much rates change in one second"));
        }
        Ok(ClockSpread {
            largest_offset: span(&table.largest_offset),
            largest_skew_ppm: table.largest_skew.map(|written| written.0.0).unwrap_or_default(),
            largest_walk_ppm,
            jumps,
            largest_jump: span(&table.largest_jump),
            jumps_within: span(&table.jumps_within),
            granularity: span(&table.granularity),
            read_cost: span(&table.read_cost),
        })
    }

    fn one_of<T: Copy>(
        &self,
        written: &Spanned<String>,
        known: impl IntoIterator<Item = T>,
        name: fn(T) -> &'static str,
        kind: &str,
    ) -> Result<T, ScenarioError> {
        let known: Vec<T> = known.into_iter().collect();
        let found = names::find(kind, written.get_ref(), &known, name);
        found.map_err(|message| self.error(written.span(), message))
    }

    fn within(&self, number: &Spanned<u32>, low: u32, high: u32) -> Result<u32, ScenarioError> {
        let value = *number.get_ref();
        if (low..=high).contains(&value) {
            Ok(value)
        } else {
            Err(self.error(number.span(), format!("expected {low} to {high}, found {value}")))
        }
    }

    /// Returns an error on the line that assigns to a key of the table that begins at `table`, or else on the table's
    /// first line.
    pub(super) fn error_at_key(&self, table: usize, key: &str, message: impl Into<String>) -> ScenarioError {
        let table = table.min(self.text.len());
        let mut at = table;
        let lines = self.text[table..].split_inclusive('\n').map(|line| {
            at += line.len();
            (at - line.len(), line)
        });
        let of_table = lines.enumerate().take_while(|(index, (_, line))| *index == 0 || !line.starts_with('['));
        let found = of_table.map(|(_, line)| line).find(|(_, line)| key_of(line).as_deref() == Some(key));
        let start = found.map_or(table, |(start, _)| start);
        self.error(start..start, message)
    }
}
