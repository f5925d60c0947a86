//! A question as JSON: the flags of `parallax simulate`, without files and machines.

use crate::shared::SharedQuery;
use crate::traced::traced;
use models::collective::Collective;
use models::engine::Engine;
use models::names::find;
use models::noise::Noise;
use models::platform::{Buffer, Refinements};
use models::quantity;
use programs::method::{Method, OneDelay};
use programs::operation::WaitPattern;
use questions::method::{MethodChoice, trace};
use questions::noise::detour;
use questions::once::{once, realise};
use questions::{CallChoice, NetworkChoice, entry, refined};
use scenario::BadInput;
use serde::Deserialize;
use serde_json::{Value, json};
use sim::Simulation;

/// Question to the simulator. Its keys are flags of `parallax simulate`. Numbers of bytes are plain, other values as on
/// the command line.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Query {
    /// Name of the collective operation.
    pub operation: String,
    /// Name of an algorithm, or of a library for its own choice.
    pub algorithm: String,
    /// Number of ranks in the call.
    pub ranks: u32,
    /// Bytes of one rank's buffer, or of one block.
    pub bytes: u64,
    /// Root of the call, 0 for operations without one.
    pub root: u32,
    /// Length of segments in bytes, 0 if messages are not segmented.
    pub segment: u64,
    /// Fanout, radix or number of chains, `None` for the algorithm's own.
    pub fanout: Option<u32>,
    /// Number of calls back to back.
    pub calls: u32,
    /// Time for which each rank computes before each call, as `100us`.
    pub compute: Option<String>,
    /// Name of the network model.
    pub model: Option<String>,
    /// Event for which a Hockney sender waits, by name.
    pub send_rule: Option<String>,
    /// Parameters of the model, as `KEY=VALUE,…`.
    pub set: Option<String>,
    /// Refinements of the network, as `KEY=VALUE,…`.
    pub platform: Option<String>,
    /// Sources of noise, one text each.
    pub noise: Vec<String>,
    /// Single detours, each as `rank=3,at=4us,for=10us`.
    pub detour: Vec<String>,
    /// Seed of every random draw.
    pub seed: u64,
    /// Entry times of the ranks: `0,5us,…` or `random:10us`.
    pub entry: Option<String>,
    /// Number of realisations of the noise. Of several, only the spread of their ends is given.
    pub realisations: u32,
    /// Buffer state of the reference, or `none` for messages only.
    pub reference: String,
    /// Name of the method that times the calls.
    pub method: Option<String>,
    /// Name of the benchmark whose printed numbers are given.
    pub benchmark: Option<String>,
    /// Systematic errors that are switched on one after the other.
    pub errors: Vec<String>,
    /// First and last of the steps that are given, between no error (0) and all of them. A page divides them over two
    /// simulators, and joins their answers. The change by the first one is given only with the step before it.
    pub steps: Option<[usize; 2]>,
    /// Waits of known duration that the method times in place of the operation.
    pub wait: Option<String>,
    /// Name of the method's barrier.
    pub barrier: Option<String>,
    /// One delay of one rank before the timed calls, `12us@5`, `auto` or `none`.
    pub delay: Option<String>,
    /// Number of samples of the method.
    pub samples: u32,
    /// Clocks of the ranks, as `KEY=VALUE,…`.
    pub clocks: Option<String>,
    /// Whether the answer has a trace of what every rank did when, and which messages were under way: in all calls, or
    /// in the first samples of a method.
    pub trace: bool,
}

impl Default for Query {
    fn default() -> Query {
        Query {
            operation: "barrier".to_owned(),
            algorithm: "openmpi-4.1".to_owned(),
            ranks: 8,
            bytes: 0,
            root: 0,
            segment: 0,
            fanout: None,
            calls: 1,
            compute: None,
            model: None,
            send_rule: None,
            set: None,
            platform: None,
            noise: Vec::new(),
            detour: Vec::new(),
            seed: 1,
            entry: None,
            realisations: 1,
            reference: Buffer::Touched.name().to_owned(),
            method: None,
            benchmark: None,
            errors: Vec::new(),
            steps: None,
            wait: None,
            barrier: None,
            delay: None,
            samples: 10,
            clocks: None,
            trace: false,
        }
    }
}

/// Most ranks of a question. More are simulated by the command.
const MOST_RANKS: u32 = 1 << 20;
/// Most calls, samples and realisations of a question.
const MOST_CALLS: u32 = 10_000;
/// Most ranks of a trace: nobody could see one of more.
const MOST_TRACED_RANKS: u32 = 1 << 10;
/// Most ranks whose finish times are listed. Those of more are summed up.
const MOST_LISTED_RANKS: u32 = 1 << 14;

/// Most questions that are taken at a time.
const MOST_QUESTIONS: usize = 4_096;

/// Question in one of two forms: the keys are flags of `parallax simulate`, or, inside `{"shm": …}`, flags of `parallax
/// shm simulate`.
enum Question {
    Simulate(Box<Query>),
    Shm(SharedQuery),
}

impl Question {
    fn read(mut value: Value) -> Result<Question, String> {
        let unread = |error: serde_json::Error| format!("question: {error}");
        match value.get_mut("shm").map(Value::take) {
            Some(shm) => serde_json::from_value(shm).map(Question::Shm).map_err(unread),
            None => serde_json::from_value(value).map(|query| Question::Simulate(Box::new(query))).map_err(unread),
        }
    }

    fn answer_json(&self) -> Result<Value, BadInput> {
        match self {
            Question::Simulate(query) => query.answer_json(),
            Question::Shm(query) => query.answer_json(),
        }
    }
}

/// Answers a question, both as JSON. A list of questions gets a list of answers, in which a refused question has
/// `{"refused": …}`.
///
/// # Errors
///
/// Says in one sentence what is wrong with the question, or why the simulator refuses.
pub fn ask(question: &str) -> Result<String, String> {
    let value: Value = serde_json::from_str(question).map_err(|error| format!("question: {error}"))?;
    let Value::Array(all) = value else {
        return Question::read(value)?.answer_json().map(|answer| answer.to_string()).map_err(|error| error.0);
    };
    if all.len() > MOST_QUESTIONS {
        return Err(format!("question: expected at most {MOST_QUESTIONS} at a time, found {}", all.len()));
    }
    let all: Vec<Question> = all.into_iter().map(Question::read).collect::<Result<_, _>>()?;
    let answers = all.iter().map(|asked| asked.answer_json().unwrap_or_else(|error| json!({ "refused": error.0 })));
    Ok(Value::Array(answers.collect()).to_string())
}

/// Refuses a file: a question at a lesson's page has neither files nor machines.
fn no_file<T>(name: &str) -> Result<T, String> {
    Err(format!("{name}: files cannot be read here"))
}

impl Query {
    /// Returns the answer, in the form of `parallax simulate --format json`, with the command that gives it, and a
    /// scenario of the same calls where a method times them.
    ///
    /// # Errors
    ///
    /// Fails for a value that is not known, in the words of the flag, and where the simulator refuses.
    pub fn answer_json(&self) -> Result<Value, BadInput> {
        let simulation = self.simulation()?;
        let is_timed = self.method.is_some() || self.benchmark.is_some() || !self.errors.is_empty();
        let mut answer = if is_timed {
            self.time(&simulation)?
        } else if self.realisations > 1 {
            realise(&simulation, Engine::Auto, self.seed, self.realisations)?.json()
        } else {
            once(&simulation, Engine::Auto, self.seed, self.ranks <= MOST_LISTED_RANKS)?.json()
        };
        if self.trace && !is_timed {
            self.may_be_traced()?;
            answer["trace"] = json!(traced(&trace(&simulation, None, self.seed)?));
        }
        answer["command"] = self.command().into();
        if let Some(scenario) = self.scenario(&simulation) {
            answer["scenario"] = scenario.into();
        }
        Ok(answer)
    }

    /// Returns the choice of the method, the benchmark or the errors by which the calls are timed.
    fn timed(&self) -> Result<MethodChoice, BadInput> {
        let method = self.method.as_deref().map(Method::find).transpose();
        let wait = self.wait.as_deref().map(WaitPattern::find).transpose();
        let delay = self.delay.as_deref().map(OneDelay::parse_or_none).transpose();
        Ok(MethodChoice {
            method: method.map_err(|message| BadInput(format!("--method: {message}")))?,
            benchmark: self.benchmark.clone(),
            errors: self.errors.clone(),
            steps: self.steps,
            wait: wait.map_err(|message| BadInput(format!("--wait: {message}")))?,
            barrier: self.barrier.clone(),
            delay: delay.map_err(|message| BadInput(format!("--delay: {message}")))?,
            samples: self.samples,
            clocks: self.clocks.clone(),
            engine: Engine::Auto,
        })
    }

    /// Returns the answer of calls that are timed. Numbers and trace are of one run.
    fn time(&self, simulation: &Simulation) -> Result<Value, BadInput> {
        let (method, control) = (self.timed()?, simulation.platform.network);
        if !self.trace {
            return Ok(method.run_method(simulation, control, self.seed)?.json);
        }
        self.may_be_traced()?;
        let (mut timed, trace) = method.traced(simulation, control, self.seed)?;
        timed.json["trace"] = json!(traced(&trace));
        Ok(timed.json)
    }

    fn may_be_traced(&self) -> Result<(), BadInput> {
        if self.ranks > MOST_TRACED_RANKS {
            let found = self.ranks;
            return Err(BadInput(format!("--timeline: expected at most {MOST_TRACED_RANKS} ranks, found {found}")));
        }
        Ok(())
    }

    /// Returns the sources of noise, single detours among them.
    pub(crate) fn sources(&self) -> Result<Vec<String>, BadInput> {
        let detours = self.detour.iter().map(|text| detour(text));
        let all = self.noise.iter().cloned().map(Ok).chain(detours).collect::<Result<_, String>>();
        all.map_err(|message| BadInput(format!("--detour: {message}")))
    }

    /// Returns the simulation that the question asks for.
    ///
    /// # Errors
    ///
    /// Fails for a value that is not known, in the words of the flag.
    pub fn simulation(&self) -> Result<Simulation, BadInput> {
        let within = |flag: &str, found: u32, most: u32| match found {
            found if (1..=most).contains(&found) => Ok(()),
            _ => Err(BadInput(format!("--{flag}: expected 1 to {most}, found {found}"))),
        };
        within("ranks", self.ranks, MOST_RANKS)?;
        within("calls", self.calls, MOST_CALLS)?;
        within("samples", self.samples, MOST_CALLS)?;
        within("realisations", self.realisations, MOST_CALLS)?;
        let (algorithm, shape) = self.call()?.call()?;
        let network =
            NetworkChoice { model: self.model.clone(), send_rule: self.send_rule.clone(), set: self.set.clone() };
        let text = self.platform.as_deref();
        let platform = refined(network.network()?, Refinements::default(), text, self.ranks, &no_file)?;
        let noise = Noise::parse_with(&self.sources()?, self.seed, &no_file);
        let noise = noise.map_err(|message| BadInput(format!("--noise: {message}")))?;
        let entry = entry::read(self.entry.as_deref(), self.ranks, self.seed, &no_file)?;
        let buffer = self.buffer()?;
        let compute = self.compute.as_deref().map(quantity::parse).transpose();
        let compute = compute.map_err(|message| BadInput(format!("--compute: {message}")))?.unwrap_or_default();
        Ok(Simulation { algorithm, shape, platform, noise, entry, repeat: self.calls, compute, buffer })
    }

    fn call(&self) -> Result<CallChoice, BadInput> {
        let collective = find("operation", &self.operation, &Collective::ALL, Collective::name);
        Ok(CallChoice {
            collective: collective.map_err(BadInput)?,
            algorithm: self.algorithm.clone(),
            ranks: self.ranks,
            bytes: self.bytes,
            root: self.root,
            segment_bytes: self.segment,
            fanout: self.fanout,
            counts: Vec::new(),
        })
    }

    fn buffer(&self) -> Result<Option<Buffer>, BadInput> {
        if self.reference == "none" {
            return Ok(None);
        }
        let found = find("buffer state", &self.reference, &Buffer::REFERENCES, Buffer::name);
        found.map(Some).map_err(|message| BadInput(format!("--reference: {message}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_answered_in_picoseconds_and_a_bad_one_in_a_sentence() {
        let asked = |more: &str| ask(&format!(r#"{{ "ranks": 8, "set": "L=5us,o=1us,g=1us,G=0ns/B"{more} }}"#));
        let answer: Value =
            serde_json::from_str(&asked(r#", "algorithm": "dissemination", "trace": true"#).unwrap()).unwrap();
        // Three rounds, each of a send's overhead, the latency and a receive's overhead.
        assert_eq!(answer["finish_per_rank_ps"], json!(vec![21_000_000; 8]), "{answer}");
        let (trace, messages) = (&answer["trace"], answer["messages"].as_u64().unwrap());
        assert_eq!(trace["flights"].as_array().unwrap().len() as u64, messages);
        assert_eq!(trace["lanes"][3][2], 1_000_000, "its first overhead ends after 1 us: {trace}");
        let hockney = asked(r#", "model": "hockney""#).unwrap_err();
        assert!(hockney.contains("--set"), "parameters of LogGP are none of Hockney's: {hockney}");
        for (more, says) in [
            (r#", "algorithm": "star""#, "--algorithm"),
            (r#", "noise": ["trace:folder"]"#, "files cannot be read here"),
            (r#", "entry": "times.txt""#, "files cannot be read here"),
            (r#", "calls": 0"#, "--calls"),
            (r#", "colour": 1"#, "colour"),
            (r#", "operation": "bcast", "ranks2": 3"#, "ranks2"),
        ] {
            let told = asked(more).unwrap_err();
            assert!(told.contains(says) && !told.contains('\n'), "{more}: {told}");
        }
    }

    /// What pages divide over two simulators is the same as asked at once, but for the change by the first step of a
    /// part.
    #[test]
    fn steps_of_errors_told_apart_are_those_told_together() {
        let asked = |steps: &str| {
            ask(&format!(
                r#"{{ "operation": "bcast", "algorithm": "linear", "ranks": 5, "bytes": 4096, "calls": 3, "samples": 2,
                    "set": "L=5us,o=1us,g=1us,G=1ns/B", "clocks": "largest-offset=1ms,largest-skew=50ppm", "barrier": "tree",
                    "platform": "connect=30us,single-copy-above=0B,fetch=0.4ns/B",
                    "errors": ["E1", "E2", "E4", "E5", "E6", "E7"]{steps} }}"#
            ))
        };
        let answer = |steps: &str| -> Value { serde_json::from_str(&asked(steps).unwrap()).unwrap() };
        let all = answer("");
        let (first, second) = (answer(r#", "steps": [0, 3]"#), answer(r#", "steps": [4, 6]"#));
        assert_eq!((&first["without_us"], &second["without_us"]), (&all["without_us"], &Value::Null));
        assert_eq!(second["errors"][0]["change_us"], Value::Null);
        for part in [&first, &second] {
            assert_eq!((&part["command"], &part["reference_us"]), (&all["command"], &all["reference_us"]));
        }
        let steps = |answer: &Value| answer["errors"].as_array().unwrap().clone();
        let (mut together, whole) = ([steps(&first), steps(&second)].concat(), steps(&all));
        together[3]["change_us"] = whole[3]["change_us"].clone();
        assert_eq!(together, whole);
        let told = asked(r#", "steps": [4, 7]"#).unwrap_err();
        assert!(told.contains("steps: expected two of 0 to 6, the lower one first, found 4 and 7"), "{told}");
    }
}
