//! A benchmark's method around the simulated calls: the number that it prints, and its error.

use crate::once::failed;
use crate::show;
use models::call::Call;
use models::clock::ClockSpread;
use models::collective::{Algorithm, Collective};
use models::engine::Engine;
use models::names::counted;
use models::network::Network;
use models::platform::Buffer;
use models::spread::median;
use models::time::Span;
use programs::budget::{Configuration, SystematicError};
use programs::method::{Method, MethodSettings, OneDelay, Order, Subject};
use programs::observation::{Counted, Implementation, times_ps};
use programs::operation::WaitPattern;
use programs::trace::Trace;
use scenario::BadInput;
use serde_json::{Value, json};
use sim::{Misreport, Predictor, Simulation};
use std::ops::RangeInclusive;

/// Way in which the calls are timed. Without method, benchmark and errors they are not timed but looked at.
pub struct MethodChoice {
    /// Method that times the calls.
    pub method: Option<Method>,
    /// Benchmark whose numbers are given, or one of its columns: `osu`, `osu:max`.
    pub benchmark: Option<String>,
    /// Systematic errors that are switched on one after the other.
    pub errors: Vec<String>,
    /// First and last of the steps that are given, between no error (0) and all of them. All steps if `None`.
    pub steps: Option<[usize; 2]>,
    /// Waits of known duration in place of the operation.
    pub wait: Option<WaitPattern>,
    /// Name of the method's own barrier, `None` for its default.
    pub barrier: Option<String>,
    /// Number of independent repeats of the method.
    pub samples: u32,
    /// One delay of one rank (E10), or `Some(None)` for none. `None` leaves it to the benchmark.
    pub delay: Option<Option<OneDelay>>,
    /// Clocks of the ranks, as KEY=VALUE,….
    pub clocks: Option<String>,
    /// Engine of the simulated ranks.
    pub engine: Engine,
}

/// Most ranks of a method: each runs a program of its own.
pub const MOST_RANKS: u32 = 1 << 16;

/// Sentence about the reference of numbers that ranks print under noise.
const REFERENCE_IS_STILL: &str = "ratios are to the reference without it";

/// Sentence that says why E6 without E4 has another reference.
const LOOPS_REWRITE_NOTHING: &str = "a loop cannot rewrite buffers between its calls: the reference has the same buffers in all calls; E4,E6 \
                                     has both effects";

impl MethodChoice {
    /// Runs the method, whose own messages cross `control`. Returns its numbers beside the reference.
    ///
    /// # Errors
    ///
    /// Says what is chosen in vain, or why the simulator refuses.
    pub fn run_method(&self, simulation: &Simulation, control: Network, seed: u64) -> Result<Timed, BadInput> {
        self.run_timed(simulation, control, seed, false)
    }

    /// Runs the method and records what ranks do while it takes its first samples: of a method that times single calls,
    /// as many as a sample has.
    ///
    /// # Errors
    ///
    /// Fails where [`MethodChoice::run_method`] fails, and if no method is chosen.
    pub fn traced(&self, simulation: &Simulation, control: Network, seed: u64) -> Result<(Timed, Trace), BadInput> {
        let none = "--timeline: of a benchmark or of errors there is none; expected a --method";
        let mut timed = self.run_timed(simulation, control, seed, true)?;
        let trace = timed.trace.take().ok_or_else(|| BadInput(none.to_owned()))?;
        Ok((timed, trace))
    }

    fn run_timed(&self, simulation: &Simulation, control: Network, seed: u64, traced: bool) -> Result<Timed, BadInput> {
        if simulation.shape.ranks > MOST_RANKS {
            let found = simulation.shape.ranks;
            return Err(BadInput(format!("--method: expected at most {MOST_RANKS} ranks, found {found}")));
        }
        let order = self.order(simulation)?;
        // Without memory all states are the same.
        let reference = simulation.buffer.unwrap_or_default();
        let machine = Predictor { clocks: self.clocks()?, engine: self.engine, ..machine(simulation, control, seed) };
        if self.wait.is_some() && self.method.is_none() {
            return Err(BadInput("--wait: only a --method can time waits".to_owned()));
        }
        let mut answer = match (&self.benchmark, self.errors.is_empty()) {
            (Some(name), _) => self.benchmark(&machine, reference, &order, name)?,
            (None, true) => method(&machine, reference, &order, traced)?,
            (None, false) => self.budget(&machine, reference, &order)?,
        };
        answer.said = said(simulation, &order, seed);
        if let Some(buffer) = show::reference(simulation) {
            answer.json["reference_buffers"] = buffer.name().into();
        }
        if !simulation.noise.is_none() {
            answer.json["reference_has_noise"] = false.into();
        }
        Ok(answer)
    }

    fn order(&self, simulation: &Simulation) -> Result<Order, BadInput> {
        let method = self.method.unwrap_or(Method::Window);
        let mut order = order(simulation, method, self.samples, self.barrier(simulation)?);
        order.settings.factors.delay = self.delay.flatten();
        order.settings.factors.delay.map_or(Ok(()), |delay| delay.accepts(simulation.shape.ranks)).map_err(refused)?;
        let subject = self.wait.map_or(order.subject, Subject::Wait);
        Ok(Order { subject, ..order })
    }

    /// Returns the barrier that the method itself uses.
    fn barrier(&self, simulation: &Simulation) -> Result<Implementation, BadInput> {
        let ranks = simulation.shape.ranks;
        let is_known = simulation.platform.barrier(ranks).is_some() || simulation.platform.cells(ranks).is_some();
        match self.barrier.as_deref() {
            None | Some("library") if is_known => Ok(Implementation::Library),
            Some("library") => Err(BadInput(format!(
                "--barrier library: the exit times of {ranks} ranks are unknown; also give --platform barrier=… or cells=…, or a \
                 --machine that was calibrated with {ranks} ranks"
            ))),
            name => Algorithm::find(Collective::Barrier, name.unwrap_or("dissemination"))
                .map(|algorithm| Implementation::Own(algorithm.name.to_owned()))
                .map_err(|message| BadInput(format!("--barrier: {message}"))),
        }
    }

    fn clocks(&self) -> Result<ClockSpread, BadInput> {
        let clocks = self.clocks.as_deref().map(|text| ClockSpread::parse_over(ClockSpread::default(), text));
        clocks.transpose().map(Option::unwrap_or_default).map_err(|message| BadInput(format!("--clocks: {message}")))
    }

    fn budget(&self, machine: &Predictor, reference: Buffer, order: &Order) -> Result<Timed, BadInput> {
        let mut errors = Vec::new();
        for name in &self.errors {
            if name == "all" {
                errors.extend(SystematicError::ALL);
                continue;
            }
            let error = SystematicError::find(name);
            errors.push(error.map_err(|message| BadInput(format!("--errors: {message}; all: all of them")))?);
        }
        // Between the calls of a loop no rank can work on its buffers.
        let is_loop = errors.contains(&SystematicError::UnsynchronisedLoop);
        let loops_alone = is_loop && reference.is_prepared() && !errors.contains(&SystematicError::BufferReuse);
        let reference = if loops_alone { Buffer::Same } else { reference };
        let truth = Configuration { buffer: reference, ..Configuration::perfect() };
        let mut worst = Configuration::worst();
        worst.delay = self.delay.flatten().or(worst.delay);
        let which = self.which(errors.len())?;
        let told = machine.cumulative(&truth, &errors, &worst, order, which).map_err(failed)?;
        let (mut before, mut idle, mut steps, mut numbers) = (None, Vec::new(), Vec::new(), Vec::new());
        // There is one step at least, and all are held against one reference.
        let reference_us = told[0].1.truth_us;
        let mut json = json!({ "reference_us": reference_us });
        for (error, misreport) in told {
            let Misreport { reported_us, .. } = misreport;
            let change = before.replace(reported_us).map(|before| reported_us - before);
            let name = error.map_or("none".to_owned(), |error| error.to_string());
            let ratio = Some(misreport.ratio());
            numbers.push(ComparedNumber {
                name,
                printed_us: Some(reported_us),
                reference_us,
                change_us: change,
                ratio,
            });
            match error {
                Some(error) => steps.push(
                    json!({ "error": error.label(), "name": error.name(), "reported_us": reported_us, "change_us": change }),
                ),
                None => json["without_us"] = reported_us.into(),
            }
            idle.extend(error.filter(|_| change == Some(0.0)));
        }
        json["errors"] = steps.into();
        let loops = (loops_alone && machine.network.has_lines()).then_some(LOOPS_REWRITE_NOTHING);
        let hints = idle.into_iter().filter_map(|error| self.hint(machine, reference, error));
        let sentences = loops.into_iter().chain(hints).map(str::to_owned).collect();
        Ok(Timed { kind: "error", numbers, sentences, json, ..Timed::default() })
    }
}

impl MethodChoice {
    /// Returns the steps that are given, of those of `errors` errors.
    fn which(&self, errors: usize) -> Result<RangeInclusive<usize>, BadInput> {
        match self.steps {
            None => Ok(0..=errors),
            Some([first, last]) if first <= last && last <= errors => Ok(first..=last),
            Some([first, last]) => Err(BadInput(format!(
                "steps: expected two of 0 to {errors}, the lower one first, found {first} and {last}"
            ))),
        }
    }

    /// Returns why an error that is switched on does nothing, where that is known.
    fn hint(&self, machine: &Predictor, reference: Buffer, error: SystematicError) -> Option<&'static str> {
        let refinements = machine.network.refinements();
        let connects = refinements.is_some_and(|refined| refined.connect.is_some());
        let idles = refinements.is_some_and(|refined| refined.idle.is_some());
        Some(match error {
            SystematicError::LateInitialisation if connects => {
                "E1 has no effect here: the method's barrier (--barrier) has already connected every pair of ranks that the first call uses"
            }
            SystematicError::LateInitialisation => {
                "E1 has no effect without set-up times of connections: --platform connect=30us"
            }
            SystematicError::BufferReuse if !machine.network.has_lines() => {
                "E4 has no effect without costs of memory: --platform single-copy-above=0B,fetch=0.4ns/B, \
                 or --reference cold --platform load=0.4ns/B,fill=0.4ns/B"
            }
            SystematicError::BufferReuse => match reference {
                Buffer::Same => "E4 has no effect: --reference same reuses its buffers, too; expected touched or cold",
                Buffer::Touched | Buffer::Cold | Buffer::Pool | Buffer::Misaligned => return None,
            },
            SystematicError::BadClock if self.clocks.is_none() => {
                "E7 has no effect with perfect clocks: --clocks largest-offset=1ms,largest-skew=20ppm"
            }
            SystematicError::IdleGap if !idles => {
                "E8 has no effect without a cost of idling: --platform idle-cost=10us:0/2ms:2us"
            }
            SystematicError::IdleGap => {
                "E8 has no effect here: after a barrier (E5) and in a loop (E6) no rank waits on its clock; --errors E8 shows it alone"
            }
            SystematicError::KeptSkew => {
                "E10 has no effect here: announced starts forget a delay; --errors E5,E10 --barrier recursive-doubling starts calls \
                 by a barrier that keeps it"
            }
            SystematicError::BadClock
            | SystematicError::OneRank
            | SystematicError::RootChanges
            | SystematicError::BarrierSkew
            | SystematicError::UnsynchronisedLoop
            | SystematicError::BarrierInside => return None,
        })
    }
}

/// Returns the trace of every rank: in the calls alone, or while a method times them, whose own messages cross a
/// network of their own.
///
/// # Errors
///
/// Says why the simulator refuses, or what is chosen in vain.
pub fn trace(simulation: &Simulation, timed: Option<(&MethodChoice, Network)>, seed: u64) -> Result<Trace, BadInput> {
    match timed {
        Some((method, control)) => Ok(method.traced(simulation, control, seed)?.1),
        None => Ok(simulation.traced_calls().map_err(failed)?.1),
    }
}

/// Returns the order of a simulation's calls, timed by a method with this barrier of its own.
pub fn order(simulation: &Simulation, method: Method, samples: u32, barrier: Implementation) -> Order {
    let algorithm = simulation.algorithm;
    Order {
        subject: Subject::Collective(algorithm.collective, Implementation::Own(algorithm.name.to_owned())),
        shape: simulation.shape,
        call: Call::default(),
        copies_as: None,
        environment: Default::default(),
        settings: MethodSettings {
            method,
            calls: simulation.repeat,
            samples,
            warmup: 2,
            barrier,
            sync: programs::sync::Sync::default(),
            window: Default::default(),
            round_time: Default::default(),
            factors: Default::default(),
        },
    }
}

/// Returns a simulation's machine, with perfect clocks. A method's own messages cross `control`.
pub fn machine(simulation: &Simulation, control: Network, seed: u64) -> Predictor {
    Predictor {
        network: simulation.platform.clone(),
        control,
        noise: simulation.noise.clone(),
        seed,
        ..Predictor::perfect(control)
    }
}

/// Number beside its reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparedNumber {
    /// Name of what the number belongs to: a rank, a benchmark's column, or the last of the errors that are switched
    /// on.
    pub name: String,
    /// Printed number in µs, `None` where no sample is valid.
    pub printed_us: Option<f64>,
    /// Time in µs of a call that all ranks enter together.
    pub reference_us: f64,
    /// Change of the printed number by the last error, in µs.
    pub change_us: Option<f64>,
    /// Ratio of the printed number to the reference.
    pub ratio: Option<f64>,
}

/// Result of timing the calls.
#[derive(Default)]
pub struct Timed {
    /// Settings of the timing, as names and values.
    pub said: Vec<(&'static str, String)>,
    /// Kind of thing that a number belongs to: `rank`, `benchmark` or `error`.
    pub kind: &'static str,
    /// Numbers beside their references.
    pub numbers: Vec<ComparedNumber>,
    /// Sentences on the result, and on errors that do nothing.
    pub sentences: Vec<String>,
    /// Result as JSON, for lessons.
    pub json: Value,
    /// Trace of the ranks, where it was asked of a method.
    pub(crate) trace: Option<Trace>,
}

/// Says that a number is without noise, where the number beside it has some.
fn still(what: &str, machine: &Predictor) -> String {
    if machine.noise.is_none() { what.to_owned() } else { format!("{what} without noise") }
}

fn said(simulation: &Simulation, order: &Order, seed: u64) -> Vec<(&'static str, String)> {
    let settings = &order.settings;
    let (calls, samples, barrier) = (settings.calls, settings.samples, settings.barrier.name());
    let (calls, samples) = (counted(calls, "call"), counted(samples, "sample"));
    let noise = format!("{}, seed {seed}; {REFERENCE_IS_STILL}", simulation.noise);
    let others = [
        (!simulation.noise.is_none()).then_some(("noise", noise)),
        show::reference_text(simulation).map(|reference| ("reference", reference)),
        Some(("method", format!("{calls} per sample, {samples}, {barrier} barriers"))),
    ];
    show::model(simulation, false).into_iter().chain(others.into_iter().flatten()).collect()
}

/// Times the calls by one method: every rank's reference, and the number that the method makes of it.
fn method(machine: &Predictor, reference: Buffer, order: &Order, traced: bool) -> Result<Timed, BadInput> {
    let engine = if traced { Engine::Event } else { machine.engine_of_numbers(order) };
    let (prediction, trace) = if traced {
        let (prediction, trace) = machine.numbers_traced(reference, order, order.settings.calls).map_err(failed)?;
        (prediction, Some(trace))
    } else {
        (machine.numbers_against(reference, order).map_err(failed)?, None)
    };
    let misreport = prediction.misreport(&order.settings.factors.aggregation).map_err(failed)?;
    let (name, used_by) = (order.settings.method.name(), order.settings.method.used_by());
    let (mut ranks, mut numbers) = (Vec::new(), Vec::new());
    let times = times_ps(&prediction.ranks, Counted::FromFirstStart);
    for (rank, (truth, times)) in prediction.truth.iter().zip(times).enumerate() {
        let printed =
            (!times.is_empty()).then(|| median(times.iter().map(|&(_, ps)| Span(u64::try_from(ps).unwrap_or(0)))));
        let ratio = printed.map(|printed| printed.as_us() / truth.as_us()).filter(|ratio| ratio.is_finite());
        let (printed_us, reference_us) = (printed.map(Span::as_us), truth.as_us());
        numbers.push(ComparedNumber {
            name: rank.to_string(),
            printed_us,
            reference_us,
            ratio,
            ..ComparedNumber::default()
        });
        ranks.push(json!({ "rank": rank, "reference_ps": truth, "printed_ps": printed, "ratio": ratio }));
    }
    let Misreport { reported_us, truth_us } = misreport;
    let (difference, ratio) = (misreport.difference_us(), misreport.ratio());
    let reference = still("the reference", machine);
    let times = if ratio.is_finite() { format!(", {ratio:.4} times {reference}") } else { String::new() };
    let takes = still(&format!("the collective takes {truth_us:.4} µs"), machine);
    let sentences = vec![
        format!("{name} ({used_by}), median over samples of each rank"),
        format!("{takes}; {name} prints {reported_us:.4} µs: {difference:+.4} µs{times}"),
    ];
    let json = json!({
        "method": name, "reference_us": truth_us, "reported_us": reported_us, "ratio": ratio, "ranks": ranks,
        "engine": engine.name(),
    });
    Ok(Timed { kind: "rank", numbers, sentences, json, trace, ..Timed::default() })
}

/// Refuses a delay of a rank that is not there.
fn refused(message: String) -> BadInput {
    BadInput(format!("--{message}"))
}
