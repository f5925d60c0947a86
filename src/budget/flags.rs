//! The flags of `parallax budget`, and the plan that they make.

use crate::flags;
use analysis::budget::plan::{Modelled, Plan};
use analysis::measuring::plan::{Breadth, Operation, Plan as Calls};
use analysis::measuring::words::{add_world, algorithms, at_most, named, reference, worlds};
use analysis::values;
use campaign::launch::Site;
use models::budget::Configuration;
use models::call::Call;
use models::clock::ClockKind;
use models::clock::ClockSpread;
use models::collective::{Algorithm, Collective};
use models::method::{Buffer, Method};
use models::observation::{Emulation, World};
use models::sync::Sync;
use scenario::BadInput;

/// Longer lists are a typing error.
const MOST_NUMBERS: u64 = 100;

/// From what to what, of which calls, where. A campaign that is gone on with has all of it already.
#[derive(clap::Args)]
#[group(requires = "operations")]
pub struct PlanFlags {
    /// To a benchmark: imb, imb-3, mpibench, mpiperf, mpiperf-paper, mpptest, nccl-tests, osu, reprompi or skampi; one of its columns: imb:t_max
    #[arg(long, value_name = "BENCHMARK", conflicts_with = "to")]
    preset: Option<String>,
    /// Which buffers the reference has: touched (every rank has rewritten what it sends), same, or cold (flushed)
    #[arg(long, value_name = "BUFFERS", default_value = "touched", conflicts_with = "from")]
    reference: String,
    /// Where to begin: reference, a benchmark, a method, and switches: loop,root=rotating,aggregation=rank-zero; or reference,E5,E9
    ///
    /// From left to right each part changes what stands before it. E1 … E9 switch one error on. Switches:
    /// first-call=apart|included (E1), aggregation=rank-zero|mean|min|max, first=ranks|repetitions,
    /// repetitions=mean|median|min|max|trimmed-mean, counted=first-start|own-start (E2), root=fixed|rotating (E3),
    /// buffer=same|touched|cold|pool|misaligned (E4), start=announced|barrier|own-barrier (E5), calls=apart|loop|loop-less-barriers (E6),
    /// clocks=perfect|as-they-are, sync=linear|… (E7), idle=free|costs, starts=round-time|window, window=2ms (E8),
    /// barrier-inside=no|yes (E9); element=byte|int|long|float|double, of which reductions are at both ends
    #[arg(long, value_name = "CONFIGURATION")]
    from: Option<String>,
    /// Where to end, in the same words
    #[arg(long, value_name = "CONFIGURATION")]
    to: Option<String>,
    /// Number of ranks, or several: 2, 2,4 or 2..16 (doubling)
    #[arg(long, default_value = "2", value_name = "LIST")]
    ranks: String,
    /// Bytes of one rank's buffer, or of one block where the operation moves a block per rank: 8,1KiB or 8..64KiB
    #[arg(long, default_value = "8", value_name = "LIST")]
    bytes: String,
    /// Where: openmpi, mpich, threads; simulated: predicted only [default: every MPI library that is here, else threads]
    #[arg(long, value_name = "WORLD,…", value_delimiter = ',')]
    world: Vec<String>,
    /// library, one of the algorithms that `parallax algorithms` lists, or library:NAME
    /// [default: library; on threads and simulated the first algorithm listed]
    #[arg(long, value_name = "ALGORITHM,…", value_delimiter = ',')]
    algorithm: Vec<String>,
    /// The root, where the operation has one
    #[arg(long, default_value = "0")]
    root: u32,
    /// Calls in each timed loop, k
    #[arg(long, default_value = "10", value_name = "K", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repetitions: u32,
    /// Independent repeats of each loop in one round
    #[arg(long, default_value = "3", value_name = "B", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    blocks: u32,
    /// Calls before anything is timed, after the cold first one
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    warmup: Option<u32>,
    /// How often every configuration is run, in turns
    #[arg(long, default_value = "30", value_name = "R", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// Over how many launches of the ranks the rounds are spread
    #[arg(long, default_value = "6", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    launches: u32,
    /// The best clock there is: automatic, tsc, clock_monotonic, clock_monotonic_raw, gettimeofday or mpi_wtime
    #[arg(long, default_value = "automatic", value_name = "NAME")]
    clock: String,
    /// What benchmarks read (E7) [default: mpi_wtime; clock_monotonic on threads]
    #[arg(long, value_name = "NAME")]
    benchmark_clock: Option<String>,
    /// How clocks are synchronised, where a benchmark does not say: linear, ring, tree, skampi, jk, hca3 or hca3o
    #[arg(long, default_value = "linear", value_name = "NAME")]
    sync: String,
    #[command(flatten)]
    model: flags::ModelFlags,
    /// Clocks that are as they are, when predicted: granularity=100ns,read-cost=20ns,largest-offset=1ms,largest-skew=20ppm [default: as the
    /// clock that benchmarks read was found to be]
    #[arg(long, value_name = "KEY=VALUE,…")]
    clocks: Option<String>,
    #[command(flatten)]
    noise: flags::NoiseFlags,
}

impl PlanFlags {
    /// The plan for these operations; all of it checked.
    pub fn plan(&self, operations: &[String], site: &Site) -> Result<Plan, BadInput> {
        let (from, to) = self.ends()?;
        let operations = operations.iter().map(|name| operation(name)).collect::<Result<Vec<_>, _>>()?;
        PlanFlags::elements(&from, &to, &operations)?;
        let (worlds, simulated) = self.worlds(site)?;
        let at = |flag: &'static str| move |message: String| BadInput(format!("--{flag}: {message}"));
        let clock = |flag, name: &String| ClockKind::find(name).map_err(at(flag));
        let ranks: Vec<u32> = at_most(MOST_NUMBERS, "--ranks", &self.ranks, |text| values::ranks(text).map(u64::from))?;
        if let Some(found) = ranks.iter().find(|&&ranks| ranks < 2) {
            return Err(BadInput(format!("--ranks: expected 2 or more, found {found}: one rank exchanges nothing")));
        }
        let calls = Calls {
            algorithms: algorithms(&self.algorithm, &operations)?,
            operations,
            worlds,
            breadth: Breadth::One,
            carrier: None,
            emulation: Emulation::Measure,
            ranks,
            bytes: at_most(MOST_NUMBERS, "--bytes", &self.bytes, values::bytes)?,
            methods: vec![Method::Window],
            root: self.root,
            repetitions: self.repetitions,
            blocks: self.blocks,
            warmup: self.warmup,
            launches: self.launches.min(self.rounds),
            auto: None,
            clock: clock("clock", &self.clock)?,
            sync: Sync::find(&self.sync).map_err(at("sync"))?,
            buffer: Buffer::default(),
            reference: None,
            windows: Vec::new(),
            check: false,
            seed: self.noise.seed,
        };
        let plan = Plan {
            from,
            to,
            calls,
            simulated,
            rounds: self.rounds,
            benchmark_clock: self.benchmark_clock.as_ref().map(|name| clock("benchmark-clock", name)).transpose()?,
            machine: self.model.choice().machine()?.map(|machine| machine.text()),
            modelled: self.modelled(),
        };
        self.check(&plan)?;
        plan.launches(site.cores).map_err(BadInput)?;
        for &ranks in plan.calls.ranks.iter().filter(|_| simulated) {
            plan.simulated_cases(ranks).map_err(BadInput)?;
        }
        Ok(plan)
    }

    fn ends(&self) -> Result<(Configuration, Configuration), BadInput> {
        let read = |flag: &str, text: &str| {
            Configuration::parse(text).map_err(|message| BadInput(format!("--{flag}: {message}")))
        };
        let (flag, to) = match (&self.preset, &self.to) {
            (Some(preset), _) => ("preset", preset),
            (None, Some(to)) => ("to", to),
            (None, None) => {
                return Err(BadInput(
                    "--preset or --to: expected where to end, like --preset osu or --to loop,root=rotating".to_owned(),
                ));
            }
        };
        let from = match &self.from {
            Some(from) => read("from", from)?,
            None => Configuration::reference(reference(&self.reference)?),
        };
        let to = read(flag, to)?;
        if from.is_like(&to) {
            let (from, to) = (from.name, to.name);
            return Err(BadInput(format!(
                "--{flag}: {to} obtains its numbers as {from} does: there is nothing between them"
            )));
        }
        Ok((from, to))
    }

    /// Both ends must reduce the same elements: calls of others are other calls.
    fn elements(from: &Configuration, to: &Configuration, operations: &[Operation]) -> Result<(), BadInput> {
        let reduces = operations.iter().any(|operation| operation.collective.combines());
        match (from.element, to.element) {
            (Some(one), Some(other)) if one != other && reduces => {
                let [(from, one), (to, other)] = [(&from.name, one.name()), (&to.name, other.name())];
                Err(BadInput(format!(
                    "--to: {from} reduces {one} elements and {to} {other}: these are two calls; add element={one}"
                )))
            }
            _ => Ok(()),
        }
    }

    /// The worlds of real ranks, and whether there are simulated ones.
    fn worlds(&self, site: &Site) -> Result<(Vec<World>, bool), BadInput> {
        if self.world.is_empty() {
            return Ok((worlds(&[], site)?, false));
        }
        let known: Vec<Option<World>> = World::real().map(Some).chain([None]).collect();
        let (mut found, mut simulated) = (Vec::new(), false);
        for name in &self.world {
            let Some(world) = named("--world", name, &known, |world| world.map_or("simulated", World::name))? else {
                simulated = true;
                continue;
            };
            add_world(&mut found, name, world, site)?;
        }
        Ok((found, simulated))
    }

    fn modelled(&self) -> Modelled {
        let network = &self.model.network;
        Modelled {
            model: network.model.clone(),
            set: network.set.clone(),
            send_rule: network.send_rule.clone(),
            platform: self.model.platform.clone(),
            noise: self.noise.noise.clone(),
            clocks: self.clocks.clone(),
        }
    }

    /// What is said of a network must be for somebody: real ranks are predicted by what is calibrated, unless there is
    /// a machine.
    fn check(&self, plan: &Plan) -> Result<(), BadInput> {
        let network = &self.model.network;
        let said =
            [&network.model, &network.set, &network.send_rule, &self.model.platform].into_iter().any(Option::is_some);
        if (said || !self.noise.noise.is_empty()) && plan.machine.is_none() && !plan.simulated {
            let message = "--model, --set, --send-rule, --platform, --noise: are for --world simulated, or go with --machine; \
                           real ranks are predicted by what is calibrated";
            return Err(BadInput(message.to_owned()));
        }
        plan.modelled.clocks(ClockSpread::default()).map(drop)?;
        if plan.simulated || plan.machine.is_some() {
            let model = self.model.choice();
            plan.calls.ranks.iter().try_for_each(|&ranks| model.platform(ranks).map(drop))?;
            model.noise(&self.noise.choice())?;
        }
        Ok(())
    }
}

fn operation(name: &str) -> Result<Operation, BadInput> {
    let (collective, call) = Call::find(name.trim()).map_err(BadInput)?;
    if !call.is_plain() || Algorithm::of(collective).next().is_none() && collective != Collective::Barrier {
        let name = call.name_of(collective);
        return Err(BadInput(format!(
            "{name}: simulated ranks do not know it, so nothing can be predicted; try `parallax measure {name}`"
        )));
    }
    Ok(Operation { collective, call })
}
