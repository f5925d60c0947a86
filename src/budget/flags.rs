//! Flags of `parallax budget`, and the plan that they make.

use crate::flags::{self, clock, place, reference, sync};
use analysis::budget::plan::{BudgetPlan, Modelled};
use analysis::measuring::plan::{Breadth, MeasurementPlan, Operation};
use analysis::measuring::words::{add_world, algorithms, at_most, worlds};
use analysis::p2p::RankPlace;
use analysis::values;
use campaign::launch::Site;
use models::call::Call;
use models::clock::ClockKind;
use models::clock::ClockSpread;
use models::collective::{Algorithm, Collective};
use programs::budget::Configuration;
use programs::method::{Buffer, Method, WindowRules};
use programs::observation::{Emulation, World};
use programs::sync::Sync;
use scenario::BadInput;

/// Largest number of values in a list. Longer lists are taken for typing errors.
const MOST_NUMBERS: u64 = 100;

/// From what to what, of which calls, where. A resumed campaign has all of this already.
#[derive(clap::Args)]
#[group(requires = "operations")]
pub struct PlanFlags {
    /// Benchmark whose error is explained, like osu, or one of its columns, like imb:t_max
    #[arg(long, value_name = "NAME[:COLUMN]", conflicts_with = "to")]
    benchmark: Option<String>,
    /// Buffer state of the reference: touched (each rank has rewritten what it sends), same (never rewritten), cold
    /// (flushed)
    #[arg(long, value_name = "BUFFER", default_value = "touched", conflicts_with = "from", value_parser = reference())]
    reference: Buffer,
    /// Configuration at the start: reference, a benchmark or a method, then switches:
    /// loop,root=rotating,aggregation=rank-zero; or reference,E5,E9
    ///
    /// Parts are applied from left to right; later parts override earlier ones. E1 … E10 each switch one error on.
    /// Switches: first-call=apart|included (E1), aggregation=rank-zero|mean|min|max, first=ranks|samples,
    /// samples=mean|median|min|max|trimmed-mean, counted=first-start|own-start (E2), root=fixed|rotating (E3),
    /// buffer=same|touched|cold|pool|misaligned (E4), start=announced|barrier|own-barrier (E5),
    /// calls=apart|loop|loop-less-barriers (E6), clocks=perfect|as-they-are, sync=linear|… (E7), idle=free|costs,
    /// starts=round-time|window, window=2ms (E8), barrier-inside=no|yes (E9), delay=none|auto|12us@5 (E10); element=byte|int|long|float|double:
    /// element type of reductions, equal at start and end
    #[arg(long, value_name = "CONFIGURATION")]
    from: Option<String>,
    /// Configuration at the end, in the same form
    #[arg(long, value_name = "CONFIGURATION")]
    to: Option<String>,
    /// One delay of one rank, once, before the timed calls of the configuration at the end (E10): as for `parallax simulate`
    /// [default: as the configuration has it]
    #[arg(long, value_name = "TIME[@RANK]|auto|none", value_parser = flags::OneDelayed::parse)]
    delay: Option<flags::OneDelayed>,
    /// Number of ranks, or a list (see: parallax help lists)
    #[arg(long, default_value = "2", value_name = "LIST")]
    ranks: String,
    /// Bytes of one rank's buffer, or of one block if the operation moves a block per rank: a list (see: parallax help
    /// lists)
    #[arg(long, default_value = "8", value_name = "LIST")]
    bytes: String,
    /// Worlds: where ranks run; simulated: predictions only [default: every MPI library found, else threads]
    #[arg(long, value_name = "WORLD,…", value_delimiter = ',', value_parser = place())]
    world: Vec<RankPlace>,
    /// library (its own choice), library:NAME (forced), or an algorithm that `parallax algorithms` lists [default:
    /// library; for threads and simulated, the first algorithm listed]
    #[arg(long, value_name = "ALGORITHM,…", value_delimiter = ',')]
    algorithm: Vec<String>,
    /// Root, for operations that have one
    #[arg(long, default_value = "0")]
    root: u32,
    /// Calls per sample of a loop, k
    #[arg(long, default_value = "10", value_name = "K", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    calls: u32,
    /// Samples of each loop per round
    #[arg(long, default_value = "3", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    samples: u32,
    /// Untimed warm-up calls, after the cold first call
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    warmup: Option<u32>,
    /// Rounds: each round runs every configuration once, interleaved
    #[arg(long, default_value = "30", value_name = "R", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// Launches, over which the rounds are distributed
    #[arg(long, default_value = "6", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    launches: u32,
    /// Clock of the reference
    #[arg(long, default_value = "automatic", value_name = "CLOCK", value_parser = clock())]
    clock: ClockKind,
    /// Clock that benchmarks read (E7) [default: mpi_wtime; clock_monotonic on threads]
    #[arg(long, value_name = "CLOCK", value_parser = clock())]
    benchmark_clock: Option<ClockKind>,
    /// Clock synchronisation algorithm, unless the benchmark has its own
    #[arg(long, default_value = "linear", value_name = "ALGORITHM", value_parser = sync())]
    sync: Sync,
    #[command(flatten)]
    model: flags::ModelFlags,
    /// Predicted clocks for clocks=as-they-are: granularity=100ns,read-cost=20ns,largest-offset=1ms,largest-skew=20ppm
    /// [default: properties found for the clock that benchmarks read]
    #[arg(long, value_name = "KEY=VALUE,…")]
    clocks: Option<String>,
    #[command(flatten)]
    noise: flags::NoiseFlags,
}

impl PlanFlags {
    /// Returns the plan for these operations, with everything checked.
    pub fn plan(&self, operations: &[String], site: &Site) -> Result<BudgetPlan, BadInput> {
        let (from, to) = self.ends()?;
        let operations = operations.iter().map(|name| operation(name)).collect::<Result<Vec<_>, _>>()?;
        PlanFlags::elements(&from, &to, &operations)?;
        let (worlds, simulated) = self.worlds(site)?;
        let ranks: Vec<u32> = at_most(MOST_NUMBERS, "--ranks", &self.ranks, |text| values::ranks(text).map(u64::from))?;
        if let Some(found) = ranks.iter().find(|&&ranks| ranks < 2) {
            return Err(BadInput(format!("--ranks: expected 2 or more, found {found}: one rank exchanges nothing")));
        }
        for (&ranks, delay) in ranks.iter().flat_map(|ranks| [from.delay, to.delay].map(|delay| (ranks, delay))) {
            delay.map_or(Ok(()), |delay| delay.accepts(ranks)).map_err(|message| BadInput(format!("--{message}")))?;
        }
        let calls = MeasurementPlan {
            algorithms: algorithms(&self.algorithm, &operations)?,
            operations,
            worlds,
            breadth: Breadth::One,
            tunings: Default::default(),
            segments: Vec::new(),
            carrier: None,
            emulation: Emulation::Measure,
            ranks,
            bytes: at_most(MOST_NUMBERS, "--bytes", &self.bytes, values::bytes)?,
            methods: vec![Method::Window],
            root: self.root,
            calls: self.calls,
            samples: self.samples,
            warmup: self.warmup,
            launches: self.launches.min(self.rounds),
            auto: None,
            clock: self.clock,
            clocks: None,
            sync: self.sync,
            buffer: Buffer::default(),
            reference: None,
            rules: WindowRules::default(),
            delay: None,
            windows: Vec::new(),
            check: false,
            seed: self.noise.seed,
        };
        let plan = BudgetPlan {
            from,
            to,
            calls,
            simulated,
            rounds: self.rounds,
            benchmark_clock: self.benchmark_clock,
            machine: self.model.choice().machine()?.map(|machine| machine.text()),
            modelled: self.modelled(),
        };
        self.check(&plan)?;
        let hosts = if simulated { u32::MAX } else { site.host_count() };
        plan.launches(site.cores).and_then(|_| plan.calls.fits_on(hosts)).map_err(BadInput)?;
        for &ranks in plan.calls.ranks.iter().filter(|_| simulated) {
            plan.simulated_cases(ranks).map_err(BadInput)?;
        }
        Ok(plan)
    }

    fn ends(&self) -> Result<(Configuration, Configuration), BadInput> {
        let read = |flag: &str, text: &str| {
            Configuration::parse(text).map_err(|message| BadInput(format!("--{flag}: {message}")))
        };
        let (flag, to) = match (&self.benchmark, &self.to) {
            (Some(benchmark), _) => ("benchmark", benchmark),
            (None, Some(to)) => ("to", to),
            (None, None) => {
                return Err(BadInput(
                    "--benchmark or --to: expected the configuration at the end, like --benchmark osu or --to \
                     loop,root=rotating"
                        .to_owned(),
                ));
            }
        };
        let from = match &self.from {
            Some(from) => read("from", from)?,
            None => Configuration::reference(self.reference),
        };
        let mut to = read(flag, to)?;
        if let Some(flags::OneDelayed(delay)) = self.delay {
            to.delay = delay;
        }
        if from.is_like(&to) {
            let (from, to) = (from.name, to.name);
            return Err(BadInput(format!(
                "--{flag}: {to} obtains its numbers in the same way as {from}: there is no difference to explain"
            )));
        }
        Ok((from, to))
    }

    /// Checks that both ends reduce elements of one type, because calls of different types are different calls.
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

    /// Returns the worlds of real ranks, and whether there are simulated ones.
    fn worlds(&self, site: &Site) -> Result<(Vec<World>, bool), BadInput> {
        if self.world.is_empty() {
            return Ok((worlds(&[], site)?, false));
        }
        let (mut found, mut simulated) = (Vec::new(), false);
        for place in &self.world {
            match place {
                RankPlace::Real(world) => add_world(&mut found, *world, site)?,
                RankPlace::Simulated => simulated = true,
            }
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
            noise: self.noise.choice().noise,
            clocks: self.clocks.clone(),
        }
    }

    /// Checks that flags about a network have an effect: real ranks are predicted by their own calibration, unless
    /// there is a machine.
    fn check(&self, plan: &BudgetPlan) -> Result<(), BadInput> {
        let network = &self.model.network;
        let said =
            [&network.model, &network.set, &network.send_rule, &self.model.platform].into_iter().any(Option::is_some);
        if (said || !self.noise.choice().noise.is_empty()) && plan.machine.is_none() && !plan.simulated {
            let message = "--model, --set, --send-rule, --platform, --noise: need --world simulated or --machine; \
                           predictions of real ranks use their own calibration";
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
    if !call.is_plain() || Algorithm::for_collective(collective).next().is_none() && collective != Collective::Barrier {
        let name = call.name_of(collective);
        return Err(BadInput(format!(
            "{name}: simulated ranks do not know it, so nothing can be predicted; try `parallax measure {name}`"
        )));
    }
    Ok(Operation { collective, call })
}
