//! From the text of a scenario file to a [`Scenario`], with errors that name file, line and key.

use super::{ClockSpread, Group, Scenario, ScenarioError, Source};
use crate::collective::{Algorithm, Collective};
use crate::method::{Method, WindowSettings};
use crate::network::{Hockney, SendRule};
use crate::observation::{Carrier, Case, Implementation, World};
use crate::quantity::{Bytes, Ppm, Written};
use crate::time::{PerByte, Span};
use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default = "default_seed")]
    seed: u64,
    methods: Spanned<Vec<Spanned<String>>>,
    repetitions: Spanned<u32>,
    #[serde(default = "default_blocks")]
    blocks: Spanned<u32>,
    #[serde(default = "default_warmup")]
    warmup: u32,
    #[serde(default = "default_barrier")]
    barrier: Spanned<String>,
    #[serde(default)]
    window: Option<Spanned<WindowSettings>>,
    emulated: Option<EmulatedTable>,
    #[serde(default)]
    clocks: ClocksTable,
    #[serde(rename = "case")]
    cases: Spanned<Vec<CaseTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EmulatedTable {
    alpha: Spanned<Written<Span>>,
    beta: Written<PerByte>,
    send_rule: Spanned<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ClocksTable {
    largest_offset: Option<Written<Span>>,
    largest_skew: Option<Written<Ppm>>,
    largest_walk: Option<Spanned<Written<Ppm>>>,
    jumps: Option<Spanned<u32>>,
    largest_jump: Option<Written<Span>>,
    jumps_within: Option<Written<Span>>,
    granularity: Option<Written<Span>>,
    read_cost: Option<Written<Span>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseTable {
    world: Spanned<String>,
    network: Spanned<String>,
    ranks: Spanned<Vec<Spanned<u32>>>,
    collective: Spanned<String>,
    algorithms: Spanned<Vec<Spanned<String>>>,
    bytes: Spanned<Written<Bytes>>,
    #[serde(default)]
    root: Option<Spanned<u32>>,
}

fn default_seed() -> u64 {
    1
}
fn default_blocks() -> Spanned<u32> {
    Spanned::new(0..0, 30)
}
fn default_warmup() -> u32 {
    2
}
fn default_barrier() -> Spanned<String> {
    Spanned::new(0..0, "dissemination".to_owned())
}

/// The most ranks that an MPI world may be asked for; more are a typing error on any machine.
const MOST_PROCESSES: u32 = 1 << 20;
/// The most ranks as threads: each pair has channels of its own, and more would measure nothing but the scheduler.
const MOST_THREADS: u32 = 256;
/// The most calls per case: every call of a barrier-loop is kept with its stamps.
const MOST_CALLS: u64 = 1_000_000;
/// The most jumps of one simulated clock: each is kept, and every reading looks through them.
const MOST_JUMPS: u32 = 1_000;
/// The longest message of a real world: MPI counts bytes in an `int`, and every rank has two buffers.
const MOST_BYTES: u64 = 1 << 30;

pub(super) fn read(file: &str, text: &str) -> Result<Scenario, ScenarioError> {
    let source = Source { file, text };
    let raw: File = toml::from_str(text).map_err(|error| source.syntax_error(&error))?;
    let methods = source.methods(&raw.methods)?;
    let repetitions = source.within(&raw.repetitions, 1, 1_000_000)?;
    let blocks = source.within(&raw.blocks, 1, 1_000_000)?;
    if u64::from(repetitions) * u64::from(blocks) > MOST_CALLS {
        let message = format!("expected at most {MOST_CALLS} calls, found {repetitions} in each of {blocks} blocks");
        return Err(source.error(raw.repetitions.span(), message));
    }
    let mut groups = Vec::new();
    for case in raw.cases.get_ref() {
        source.expand(case, &methods, repetitions, raw.emulated.is_some(), &mut groups)?;
    }
    if groups.is_empty() {
        return Err(source.error(raw.cases.span(), "expected at least one [[case]]"));
    }
    Ok(Scenario {
        question: source.question("scenario")?,
        name: source.stem(),
        seed: raw.seed,
        methods,
        repetitions,
        blocks,
        warmup: raw.warmup,
        barrier: source.barrier(&raw.barrier)?,
        window: raw.window.map(|window| source.window(window)).transpose()?.unwrap_or_default(),
        emulated: raw.emulated.map(|table| source.emulated(&table)).transpose()?.unwrap_or(UNUSED_NETWORK),
        clocks: source.clocks(&raw.clocks)?,
        groups,
    })
}

/// Stands where no case is emulated; nothing runs on it.
const UNUSED_NETWORK: Hockney = Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Busy };

impl Source<'_> {
    fn methods(&self, written: &Spanned<Vec<Spanned<String>>>) -> Result<Vec<Method>, ScenarioError> {
        let methods: Vec<Method> = written.get_ref().iter().map(|name| self.method(name)).collect::<Result<_, _>>()?;
        if methods.is_empty() {
            return Err(self.error(written.span(), "expected at least one method, like [\"loop\", \"window\"]"));
        }
        Ok(methods)
    }

    fn method(&self, name: &Spanned<String>) -> Result<Method, ScenarioError> {
        let reportable = [Method::Loop, Method::BarrierLoop, Method::Window];
        reportable.into_iter().find(|method| method.name() == name.get_ref()).ok_or_else(|| {
            self.error(
                name.span(),
                format!("unknown method '{}'; known: {}", name.get_ref(), names(reportable.map(Method::name))),
            )
        })
    }

    fn barrier(&self, name: &Spanned<String>) -> Result<Implementation, ScenarioError> {
        Algorithm::find(Collective::Barrier, name.get_ref()).map_err(|message| self.error(name.span(), message))?;
        Ok(Implementation::Own(name.get_ref().clone()))
    }

    fn window(&self, window: Spanned<WindowSettings>) -> Result<WindowSettings, ScenarioError> {
        let span = window.span();
        let settings = window.into_inner();
        let wrong = if !(1..=64).contains(&settings.stage_starts) {
            "stage_starts must be 1 to 64"
        } else if !(1.0..=2.0).contains(&settings.slack) {
            "slack must be 1.0 to 2.0 (a factor; MPIPerf uses 1.1)"
        } else if !(0.0..=1.0).contains(&settings.invalid_share) {
            "invalid_share must be 0.0 to 1.0 (a share of a stage's starts)"
        } else if settings.first_starts == 0 {
            "first_starts must be at least 1"
        } else if settings.cap == Span::ZERO || settings.cap < settings.floor {
            "cap must be longer than nothing, and no shorter than floor"
        } else {
            return Ok(settings);
        };
        Err(self.error(span, wrong))
    }

    fn emulated(&self, table: &EmulatedTable) -> Result<Hockney, ScenarioError> {
        let rule = table.send_rule.get_ref();
        let send_rule = SendRule::ALL.into_iter().find(|known| known.name() == rule).ok_or_else(|| {
            let known = names(SendRule::ALL.map(SendRule::name));
            self.error(table.send_rule.span(), format!("unknown send rule '{rule}'; known: {known}"))
        })?;
        let alpha = table.alpha.get_ref().0;
        if !(Span::from_us(50)..=Span::from_ms(1_000)).contains(&alpha) {
            let message = format!(
                "expected 50 us to 1 s, found {alpha}: ranks that sleep cannot emulate less, nobody waits for more"
            );
            return Err(self.error(table.alpha.span(), message));
        }
        Ok(Hockney { alpha, beta: table.beta.0, send_rule })
    }

    fn clocks(&self, table: &ClocksTable) -> Result<ClockSpread, ScenarioError> {
        let span = |written: &Option<Written<Span>>| written.map(|written| written.0).unwrap_or_default();
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

    /// One table into cases, sorted into groups that are launched together.
    fn expand(
        &self,
        table: &CaseTable,
        methods: &[Method],
        repetitions: u32,
        can_emulate: bool,
        groups: &mut Vec<Group>,
    ) -> Result<(), ScenarioError> {
        let world = self.one_of(&table.world, [World::Threads, World::Openmpi, World::Mpich], World::name, "world")?;
        let carrier = self.one_of(&table.network, [Carrier::Emulated, Carrier::Native], Carrier::name, "network")?;
        let collective = self.one_of(&table.collective, Collective::ALL, Collective::name, "collective")?;
        if (world, carrier) == (World::Threads, Carrier::Native) {
            return Err(self.error(table.network.span(), "threads have no native network; expected \"emulated\""));
        }
        if carrier == Carrier::Emulated && !can_emulate {
            return Err(self.error(
                table.network.span(),
                "an emulated network needs a table [emulated] with alpha, beta, send_rule",
            ));
        }
        let bytes = table.bytes.get_ref().0.0;
        if bytes > MOST_BYTES {
            return Err(
                self.error(table.bytes.span(), "expected at most 1 GiB: every rank keeps buffers of that length")
            );
        }
        let implementations = self.implementations(table, collective, carrier)?;
        let counts = table.ranks.get_ref();
        if counts.is_empty() {
            return Err(self.error(table.ranks.span(), "expected at least one number of ranks, like [4, 8]"));
        }
        for count in counts {
            let most = if world == World::Threads { MOST_THREADS } else { MOST_PROCESSES };
            let ranks = self.within(count, 2, most)?;
            let root = table.root.as_ref().map(|root| self.within(root, 0, ranks - 1)).transpose()?.unwrap_or(0);
            let group = match groups.iter().position(|g| (g.world, g.carrier, g.ranks) == (world, carrier, ranks)) {
                Some(known) => &mut groups[known],
                None => {
                    groups.push(Group { world, carrier, ranks, cases: Vec::new() });
                    groups.last_mut().expect("just pushed")
                }
            };
            for implementation in &implementations {
                let cases = methods.iter().copied().chain([Method::LoopTrace]).map(|method| Case {
                    world,
                    carrier,
                    ranks,
                    collective,
                    implementation: implementation.clone(),
                    root,
                    bytes,
                    method,
                    repetitions,
                });
                for case in cases {
                    // What is named twice is run once.
                    if !group.cases.contains(&case) {
                        group.cases.push(case);
                    }
                }
            }
        }
        Ok(())
    }

    fn implementations(
        &self,
        table: &CaseTable,
        collective: Collective,
        carrier: Carrier,
    ) -> Result<Vec<Implementation>, ScenarioError> {
        let mut all = Vec::new();
        for name in table.algorithms.get_ref() {
            if name.get_ref() == "library" {
                if carrier == Carrier::Emulated {
                    return Err(self.error(
                        name.span(),
                        "the library's own calls cannot run on an emulated network; expected \"native\"",
                    ));
                }
                all.push(Implementation::Library);
                continue;
            }
            Algorithm::find(collective, name.get_ref()).map_err(|message| self.error(name.span(), message))?;
            all.push(Implementation::Own(name.get_ref().clone()));
        }
        if all.is_empty() {
            return Err(self.error(table.algorithms.span(), "expected at least one algorithm, like [\"linear\"]"));
        }
        Ok(all)
    }

    fn one_of<T: Copy, const N: usize>(
        &self,
        written: &Spanned<String>,
        known: [T; N],
        name: fn(T) -> &'static str,
        kind: &str,
    ) -> Result<T, ScenarioError> {
        known.into_iter().find(|&candidate| name(candidate) == written.get_ref()).ok_or_else(|| {
            self.error(
                written.span(),
                format!("unknown {kind} '{}'; known: {}", written.get_ref(), names(known.map(name))),
            )
        })
    }

    fn within(&self, number: &Spanned<u32>, low: u32, high: u32) -> Result<u32, ScenarioError> {
        let value = *number.get_ref();
        if (low..=high).contains(&value) {
            Ok(value)
        } else {
            Err(self.error(number.span(), format!("expected {low} to {high}, found {value}")))
        }
    }
}

fn names<const N: usize>(names: [&str; N]) -> String {
    names.join(", ")
}
