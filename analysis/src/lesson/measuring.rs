//! Real ranks make a lesson's calls, round by round, until their time is over.

use crate::measuring::orders::order;
use crate::measuring::plan::{Breadth, MeasurementPlan, Operation};
use campaign::Start;
use campaign::launch::Site;
use measure::job::{Outcome, Task};
use models::call::Call;
use models::collective::Collective;
use models::names::find;
use models::network::{Hockney, SendRule};
use models::platform::Buffer;
use programs::method::{Method, WindowRules};
use programs::observation::{Carrier, Emulation, Implementation, Observation, World, times_per_call};
use scenario::BadInput;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Time that ranks measure once every case has been measured.
const TIME: Duration = Duration::from_secs(5);
/// Longest time that ranks measure, on a busy machine.
const LONGEST: Duration = Duration::from_secs(20);
/// Duration without progress after which ranks are given up.
const PATIENCE: Duration = Duration::from_secs(15);
/// Number of rounds, where there is time.
const ROUNDS: usize = 20;
/// Largest number of ranks: threads on an emulated network sleep most of the time, so that eight share any machine.
const MOST_RANKS: u32 = 8;
/// Samples of a loop in each round.
const SAMPLES: u32 = 3;
/// Largest number of calls between two readings, as more take too long.
const MOST_CALLS: u32 = 64;

/// Measurement that a page requests.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    world: String,
    operation: String,
    algorithms: Vec<String>,
    ranks: u32,
    #[serde(default)]
    bytes: u64,
    calls: u32,
    methods: Vec<String>,
    /// Send rule of the network that threads emulate, as the lesson has it.
    #[serde(default)]
    send_rule: Option<String>,
}

/// Ranks that are ready to start, with their tasks.
pub(super) struct Ready {
    start: Start,
    tasks: Vec<Task>,
    /// Number of cases in a round.
    cases: usize,
}

/// Signal that ends the ranks early, without a fault.
#[derive(Debug, thiserror::Error)]
#[error("enough")]
struct Enough;

impl Wish {
    /// Returns the ranks with their tasks.
    ///
    /// # Errors
    /// Names the request that cannot be measured here, in a sentence.
    pub(super) fn ready(&self, site: &Site) -> Result<Ready, BadInput> {
        let within = |what: &str, found: u32, least: u32, most: u32| match found {
            found if (least..=most).contains(&found) => Ok(()),
            _ => Err(BadInput(format!("{what} here: expected {least} to {most}, found {found}"))),
        };
        within("ranks that measure", self.ranks, 2, MOST_RANKS)?;
        within("calls that are measured", self.calls, 1, MOST_CALLS)?;
        if self.bytes > 1 << 20 || self.algorithms.len() > 8 || self.methods.len() > 8 {
            return Err(BadInput("expected at most 1 MiB, 8 algorithms and 8 methods".to_owned()));
        }
        let plan = self.plan()?;
        let launches = plan.launches(site.cores).map_err(BadInput)?;
        let launch = launches.first().ok_or_else(|| BadInput("nothing is to be measured".to_owned()))?;
        let emulated = self.network()?;
        let carrier = if launch.carrier.is_emulated() {
            Carrier::Emulated(Emulation::from_network(emulated))
        } else {
            launch.carrier
        };
        let start = Start { carrier, emulated, patience: PATIENCE, ..Start::new(launch.world, launch.ranks, site)? };
        let sleepy = launch.ranks > site.cores || launch.carrier.is_emulated();
        let task = |case: &programs::observation::Case| Task::Measure {
            case: case.clone(),
            order: Box::new(order(&plan, case, sleepy)),
        };
        let round: Vec<Task> = launch.cases.iter().map(task).collect();
        let tasks = std::iter::repeat_n(round, ROUNDS).flatten().collect();
        Ok(Ready { start, tasks, cases: launch.cases.len() })
    }

    /// Returns the network that threads emulate: the one of measurements, with the lesson's send rule.
    fn network(&self) -> Result<Hockney, BadInput> {
        let usual = Emulation::Measure.named();
        let send_rule = self.send_rule.as_deref().map(|name| find("send rule", name, &SendRule::ALL, SendRule::name));
        Ok(Hockney { send_rule: send_rule.transpose().map_err(BadInput)?.unwrap_or(usual.send_rule), ..usual })
    }

    fn plan(&self) -> Result<MeasurementPlan, BadInput> {
        let world = World::try_from(self.world.clone()).map_err(BadInput)?;
        let collective = find("operation", &self.operation, &Collective::ALL, Collective::name).map_err(BadInput)?;
        let methods = self.methods.iter().map(|name| Method::find(name)).collect::<Result<_, _>>().map_err(BadInput)?;
        Ok(MeasurementPlan {
            operations: vec![Operation { collective, call: Call::default() }],
            worlds: vec![world],
            ranks: vec![self.ranks],
            bytes: vec![self.bytes],
            algorithms: self.algorithms.iter().cloned().map(Implementation::Own).collect(),
            breadth: Breadth::One,
            tunings: Default::default(),
            segments: Vec::new(),
            carrier: world.library().is_none().then_some(Carrier::Emulated(Emulation::Measure)),
            emulation: Emulation::Measure,
            methods,
            root: 0,
            calls: self.calls,
            samples: SAMPLES,
            warmup: None,
            launches: 1,
            auto: None,
            clock: Default::default(),
            clocks: None,
            sync: Default::default(),
            buffer: Buffer::Same,
            reference: None,
            rules: WindowRules::default(),
            delay: None,
            windows: Vec::new(),
            check: false,
            seed: 1,
        })
    }
}

impl Ready {
    /// Measures until the time is over. `tell` receives every number of every rank, and returns whether the page still
    /// listens. Returns a sentence on the work done.
    ///
    /// # Errors
    /// Fails on a rank that died or hung, by name, and on tasks that ranks refused.
    pub(super) fn measure_ranks(self, tell: &mut dyn FnMut(Value) -> bool) -> anyhow::Result<String> {
        let job = self.start.job(self.tasks);
        job.fits().map_err(BadInput)?;
        let began = Instant::now();
        let mut answers = 0;
        let ended = self.start.ask_until(&job, |outcome| {
            if let Outcome::Measured(observation) = outcome {
                let round = answers / self.cases;
                answers += 1;
                let listens = numbers(observation, round).into_iter().all(&mut *tell);
                let time = if answers >= self.cases { TIME } else { LONGEST };
                if !listens || began.elapsed() > time {
                    return Err(Enough.into());
                }
            }
            Ok(())
        });
        match ended {
            Err(error) if !error.is::<Enough>() => Err(error),
            _ if answers == 0 => Ok("no rank had measured anything when the time was over".to_owned()),
            _ => {
                let (rounds, seconds) = (answers.div_ceil(self.cases), began.elapsed().as_secs_f64());
                let world = self.start.world.title();
                Ok(format!(
                    "{} ranks on {world}: {rounds} rounds of {} cases in {seconds:.1} s",
                    self.start.ranks, self.cases
                ))
            }
        }
    }
}

/// Returns a method's number of each rank: the median of its times per call.
fn numbers(observation: &Observation, round: usize) -> Vec<Value> {
    let case = &observation.case;
    let (method, algorithm) = (case.timing.method.name(), case.subject.implementation.name());
    let of_rank = |rank: usize| {
        let times: Vec<f64> =
            times_per_call(&observation.ranks, rank).into_iter().map(|(_, time)| time.as_us()).collect();
        let us = statistics::median(&times)?;
        let words = format!("{algorithm}, {method}, rank {rank}: {us:.1} µs");
        Some(
            json!({ "sample": { "launch": round, "method": method, "algorithm": algorithm, "rank": rank, "us": us, "words": words } }),
        )
    };
    (0..observation.ranks.len()).filter_map(of_rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_emulate_the_network_of_the_lesson() {
        let ready = |rule: &str| {
            let wish = format!(
                r#"{{"world":"threads","operation":"barrier","algorithms":["tree"],"ranks":8,"calls":1,"methods":["window"]{rule}}}"#
            );
            serde_json::from_str::<Wish>(&wish).expect("a wish").ready(&Site::here())
        };
        let network = |rule: &str| ready(rule).map(|ready| ready.start.job(ready.tasks).emulated);
        let usual = Emulation::Measure.named();
        assert_eq!(network("").expect("ready"), usual);
        let eager = network(r#","send_rule":"eager""#).expect("ready");
        assert_eq!(eager, Hockney { send_rule: SendRule::Eager, ..usual });
        assert!(network(r#","send_rule":"slow""#).is_err_and(|error| error.0.contains("'slow'")));
    }
}
