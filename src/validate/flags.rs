//! The flags of `parallax validate`, and what they ask for.

use analysis::measuring::plan::{Breadth, Operation, Plan};
use analysis::measuring::several;
use analysis::measuring::words::{implementation, named, numbers, reference, worlds};
use analysis::validate::Asked;
use analysis::values;
use campaign::launch::Site;
use models::call::Call;
use models::clock::ClockKind;
use models::collective::Algorithm;
use models::machine::Machine;
use models::method::Method;
use models::observation::{Carrier, Emulation, Implementation, World};
use models::sync::Sync;
use scenario::BadInput;

/// What ranks emulate where they emulate a network.
const EMULATION: Emulation = Emulation::Validate;
/// The models that a machine may be calibrated for.
const MODELS: [&str; 4] = ["hockney", "loggp", "loggops", "plogp"];

/// What is validated, and how.
#[derive(clap::Args)]
#[group(requires = "collectives")]
pub struct ValidationFlags {
    /// library, library:NAME to make the library use that algorithm, or one of ours; where a collective has it [default: on a
    /// library's own network its choice, every algorithm of its that is one of ours, and a few of ours; else a few of ours]
    #[arg(long, value_name = "ALGORITHM,…", value_delimiter = ',')]
    algorithm: Vec<String>,
    /// Bytes of one rank's buffer, or of one block where the collective moves a block per rank:
    /// 8,1KiB or 8..64KiB (doubling) or 8..64KiB*8
    #[arg(long, default_value = "8..32KiB*4", value_name = "LIST")]
    bytes: String,
    /// Number of ranks, or several: 2, 2,4 or 2..16 (doubling)
    #[arg(long, default_value = "2,4", value_name = "LIST")]
    ranks: String,
    /// Where: openmpi, mpich, threads [default: every MPI library that is here, else threads]
    #[arg(long, value_name = "WORLD,…", value_delimiter = ',')]
    world: Vec<String>,
    /// What carries messages: native, the library's own transport, or emulated, a Hockney network that is kept to [default:
    /// native; threads have the emulated one only]
    #[arg(long, value_name = "native|emulated")]
    network: Option<String>,
    /// Take parameters from this file, as `parallax calibrate` or an earlier validation wrote it, in place of a calibration
    #[arg(long, value_name = "FILE|NAME")]
    machine: Option<String>,
    /// hockney, loggp, loggops, plogp [default: all that are calibrated]
    #[arg(long, value_name = "MODEL,…", value_delimiter = ',')]
    model: Vec<String>,
    /// Fit to some calibrated lengths only, too, and judge on the others
    #[arg(long, conflicts_with = "machine")]
    hold_out: bool,
    /// window, or round-time: how the time of a call is obtained
    #[arg(long, default_value = "window", value_name = "METHOD")]
    method: String,
    /// What predictions are held against: calls whose buffers are touched, same or cold (as for `measure`); an emulated network
    /// is so slow that they do not matter
    #[arg(long, default_value = "touched", value_name = "BUFFER")]
    reference: String,
    /// The root, where the collective has one
    #[arg(long, default_value = "0")]
    root: u32,
    /// How often ranks are started anew: shows how much numbers vary from launch to launch, by which algorithms are told apart
    #[arg(long, default_value = "2", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    launches: u32,
    /// Which clock ranks read: automatic, tsc, clock_monotonic, clock_monotonic_raw, gettimeofday or mpi_wtime
    #[arg(long, default_value = "automatic", value_name = "NAME")]
    clock: String,
    /// How clocks are synchronised: linear, ring, tree, skampi, jk, hca3 or hca3o
    #[arg(long, default_value = "linear", value_name = "NAME")]
    sync: String,
    /// Seed of the order in which cases are measured
    #[arg(long, default_value = "1")]
    seed: u64,
}

impl ValidationFlags {
    /// All of it, checked.
    pub fn asked(&self, collectives: &[String], site: &Site) -> Result<Asked, BadInput> {
        let operations = collectives.iter().map(|name| operation(name)).collect::<Result<Vec<_>, _>>()?;
        let worlds = worlds(&self.world, site)?;
        let plan = Plan {
            algorithms: self.algorithms(&operations, &worlds)?,
            operations,
            carrier: self.carrier(&worlds)?,
            emulation: EMULATION,
            worlds,
            ranks: numbers("--ranks", &self.ranks, |text| values::ranks(text).map(u64::from))?,
            bytes: numbers("--bytes", &self.bytes, values::bytes)?,
            breadth: Breadth::Several,
            methods: vec![named("--method", &self.method, &[Method::Window, Method::RoundTime], Method::name)?],
            root: self.root,
            repetitions: 1,
            blocks: 1,
            warmup: None,
            launches: self.launches,
            auto: None,
            clock: ClockKind::find(&self.clock).map_err(|message| BadInput(format!("--clock: {message}")))?,
            sync: Sync::find(&self.sync).map_err(|message| BadInput(format!("--sync: {message}")))?,
            buffer: reference(&self.reference)?,
            reference: None,
            windows: Vec::new(),
            check: false,
            seed: self.seed,
        };
        let launches = plan.launches(site.cores).map_err(BadInput)?;
        if launches.iter().all(|launch| launch.cases.is_empty()) {
            let message =
                "no collective has such an algorithm with so many ranks and bytes; `parallax algorithms` lists ours";
            return Err(BadInput(format!("--algorithm: {message}")));
        }
        let machine = self.machine()?;
        let models = self.models(machine.as_ref())?;
        Ok(Asked { plan, models, hold_out: self.hold_out, machine })
    }

    fn carrier(&self, worlds: &[World]) -> Result<Option<Carrier>, BadInput> {
        let Some(name) = &self.network else { return Ok(None) };
        let network = named("--network", name, &[Carrier::Native, Carrier::EMULATED], Carrier::name)?;
        let carrier = if network.is_emulated() { Carrier::Emulated(EMULATION) } else { network };
        if carrier == Carrier::Native && worlds.contains(&World::Threads) {
            return Err(BadInput("--network: threads have the emulated network only; expected emulated".to_owned()));
        }
        Ok(Some(carrier))
    }

    /// Each must be one of some collective asked for.
    fn algorithms(&self, operations: &[Operation], worlds: &[World]) -> Result<Vec<Implementation>, BadInput> {
        let mut all = Vec::new();
        for name in self.algorithm.iter().map(|name| name.trim()) {
            let by = implementation(name);
            let known = operations.iter().any(|one| worlds.iter().any(|&world| several::has(world, one, &by)));
            if !known {
                return Err(unknown(name, &by, operations, worlds));
            }
            all.push(by);
        }
        Ok(all)
    }

    fn machine(&self) -> Result<Option<Machine>, BadInput> {
        self.machine.as_deref().map(analysis::machine::find).transpose()
    }

    fn models(&self, machine: Option<&Machine>) -> Result<Vec<String>, BadInput> {
        let mut models = Vec::new();
        for name in &self.model {
            let known = MODELS.iter().find(|known| *known == &name.trim());
            let Some(model) = known else {
                return Err(BadInput(format!("--model: unknown '{name}'; known: {}", MODELS.join(", "))));
            };
            if let Some(machine) = machine.filter(|machine| !machine.models().contains(model)) {
                let there = machine.models().join(", ");
                return Err(BadInput(format!(
                    "--model: {} was not calibrated for {model}; it knows {there}",
                    machine.name
                )));
            }
            if !models.iter().any(|known| known == model) {
                models.push((*model).to_owned());
            }
        }
        Ok(models)
    }
}

/// A collective that simulated ranks know, in its plain form.
fn operation(name: &str) -> Result<Operation, BadInput> {
    let (collective, call) = Call::find(name.trim()).map_err(BadInput)?;
    if !call.is_plain() {
        let message = "is a form that simulated ranks do not know; expected bcast, reduce, allreduce, barrier, …";
        return Err(BadInput(format!("'{name}' {message}")));
    }
    Ok(Operation { collective, call })
}

/// What is known in place of an algorithm that no collective has.
fn unknown(name: &str, by: &Implementation, operations: &[Operation], worlds: &[World]) -> BadInput {
    let known = operations.iter().map(|one| {
        let names: Vec<String> = match by {
            Implementation::Own(_) | Implementation::Library => {
                Algorithm::of(one.collective).map(|algorithm| algorithm.name.to_owned()).collect()
            }
            Implementation::Forced(_) => {
                let of = worlds.iter().flat_map(|&world| {
                    let names = models::forced::names(world, one.collective, &one.call).into_iter();
                    names.filter(move |name| several::has(world, one, &Implementation::Forced((*name).to_owned())))
                });
                of.map(|name| format!("library:{name}")).collect()
            }
        };
        format!("{}: {}", one.collective, if names.is_empty() { "none".to_owned() } else { names.join(", ") })
    });
    let known: Vec<String> = known.collect();
    BadInput(format!(
        "--algorithm: no collective has '{name}' that can be predicted; known for {}",
        known.join("; for ")
    ))
}
