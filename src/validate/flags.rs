//! Flags of `parallax validate`, and the plan that they make.

use crate::flags::{clock, names, one_of, reference, sync, world};
use analysis::measuring::plan::{Breadth, MeasurementPlan, Operation};
use analysis::measuring::several;
use analysis::measuring::words::{implementation, numbers, worlds};
use analysis::validate::ValidationRequest;
use analysis::values;
use campaign::launch::Site;
use models::call::Call;
use models::clock::ClockKind;
use models::collective::Algorithm;
use programs::machine::Machine;
use programs::method::{Buffer, Method, WindowRules};
use programs::observation::{Carrier, Case, Emulation, Implementation, World};
use programs::played;
use programs::sync::Sync;
use scenario::BadInput;

/// Network of ranks that emulate one.
const EMULATION: Emulation = Emulation::Validate;
/// Models for which a machine may be calibrated.
const MODELS: [&str; 4] = ["hockney", "loggp", "loggops", "plogp"];

/// What is validated, and how.
#[derive(clap::Args)]
#[group(requires = "collectives")]
pub struct ValidationFlags {
    /// library (its own choice), library:NAME (forced and verified), or an algorithm that `parallax algorithms` lists
    /// [default: on the native transport the library's choice, each of its algorithms that parallax knows, and some of
    /// those listed; else some of those listed]
    #[arg(long, value_name = "ALGORITHM,…", value_delimiter = ',')]
    algorithm: Vec<String>,
    /// Bytes of one rank's buffer, or of one block if the operation moves a block per rank: a list (see: parallax help
    /// lists)
    #[arg(long, default_value = "8..32KiB*4", value_name = "LIST")]
    bytes: String,
    /// Number of ranks, or a list
    #[arg(long, default_value = "2,4", value_name = "LIST")]
    ranks: String,
    /// Worlds: where ranks run [default: every MPI library found, else threads]
    #[arg(long, value_name = "WORLD,…", value_delimiter = ',', value_parser = world())]
    world: Vec<World>,
    /// Transport: native (the library's own) or emulated (a Hockney network) [default: native; threads have the
    /// emulated one only]
    #[arg(long, value_name = "TRANSPORT", value_parser = one_of([Carrier::Native, Carrier::EMULATED], Carrier::name))]
    transport: Option<Carrier>,
    /// Network models [default: all that are calibrated]
    #[arg(long, value_name = "MODEL,…", value_delimiter = ',', value_parser = names(MODELS))]
    model: Vec<String>,
    /// Also fit to a part of the calibrated lengths and validate on the others
    #[arg(long, conflicts_with = "machine")]
    hold_out: bool,
    /// Method that times the calls
    #[arg(long, default_value = "window", value_name = "METHOD", value_parser = one_of([Method::Window, Method::RoundTime], Method::name))]
    method: Method,
    /// Buffer state of the reference, as for `parallax measure`; without effect on an emulated network
    #[arg(long, default_value = "touched", value_name = "BUFFER", value_parser = reference())]
    reference: Buffer,
    /// Root, for operations that have one
    #[arg(long, default_value = "0", value_name = "RANK")]
    root: u32,
    /// Number of launches; the spread over launches limits which algorithms can be distinguished
    #[arg(long, default_value = "2", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    launches: u32,
    /// Clock that ranks read
    #[arg(long, default_value = "automatic", value_name = "CLOCK", value_parser = clock())]
    clock: ClockKind,
    /// Clock synchronisation algorithm
    #[arg(long, default_value = "linear", value_name = "ALGORITHM", value_parser = sync())]
    sync: Sync,
    /// Seed of the random order of cases
    #[arg(long, default_value = "1", value_name = "N")]
    seed: u64,
}

impl ValidationFlags {
    /// Returns the validation that the flags describe, with everything checked. `machine` predicts in place of a
    /// calibration.
    pub fn asked(
        &self,
        collectives: &[String],
        machine: Option<Machine>,
        site: &Site,
    ) -> Result<ValidationRequest, BadInput> {
        let operations = collectives.iter().map(|name| operation(name)).collect::<Result<Vec<_>, _>>()?;
        let worlds = worlds(&self.world, site)?;
        let plan = MeasurementPlan {
            algorithms: self.algorithms(&operations, &worlds)?,
            operations,
            carrier: self.carrier(&worlds)?,
            emulation: EMULATION,
            worlds,
            ranks: numbers("--ranks", &self.ranks, |text| values::ranks(text).map(u64::from))?,
            bytes: numbers("--bytes", &self.bytes, values::bytes)?,
            breadth: Breadth::Several,
            tunings: Default::default(),
            segments: Vec::new(),
            methods: vec![self.method],
            root: self.root,
            calls: 1,
            samples: 1,
            warmup: None,
            launches: self.launches,
            auto: None,
            clock: self.clock,
            clocks: None,
            sync: self.sync,
            buffer: self.reference,
            reference: None,
            rules: WindowRules::default(),
            delay: None,
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
        let models = self.models(machine.as_ref())?;
        launches.iter().flat_map(|launch| &launch.cases).try_for_each(|case| has_queues(case, machine.as_ref()))?;
        Ok(ValidationRequest { plan, models, hold_out: self.hold_out, machine })
    }

    fn carrier(&self, worlds: &[World]) -> Result<Option<Carrier>, BadInput> {
        let Some(network) = self.transport else { return Ok(None) };
        let carrier = if network.is_emulated() { Carrier::Emulated(EMULATION) } else { network };
        if carrier == Carrier::Native && worlds.contains(&World::Threads) {
            return Err(BadInput("--transport: threads have the emulated network only; expected emulated".to_owned()));
        }
        Ok(Some(carrier))
    }

    /// Returns the algorithms of the flag, each of which must belong to one of the operations.
    fn algorithms(&self, operations: &[Operation], worlds: &[World]) -> Result<Vec<Implementation>, BadInput> {
        let mut all = Vec::new();
        for name in self.algorithm.iter().map(|name| name.trim()) {
            let by = implementation(name).map_err(|message| BadInput(format!("--algorithm: {message}")))?;
            let known = operations.iter().any(|one| worlds.iter().any(|&world| several::is_predicted(world, one, &by)));
            if !known {
                return Err(unknown(name, &by, operations, worlds));
            }
            all.push(by);
        }
        Ok(all)
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

/// Returns the plain form of a collective that simulated ranks know.
fn operation(name: &str) -> Result<Operation, BadInput> {
    let (collective, call) = Call::find(name.trim()).map_err(BadInput)?;
    if !call.is_plain() {
        let message = "is a form that simulated ranks do not know; expected bcast, reduce, allreduce, barrier, …";
        return Err(BadInput(format!("'{name}' {message}")));
    }
    Ok(Operation { collective, call })
}

/// Checks that a broadcast through shared memory can be predicted: a machine file must describe its queues.
fn has_queues(case: &Case, machine: Option<&Machine>) -> Result<(), BadInput> {
    let shares = played::shared(case.place.world, &case.subject.implementation).is_some();
    if !shares
        || machine.is_some_and(|machine| machine.queue_point(case.place.world, None, case.subject.bytes).is_some())
    {
        return Ok(());
    }
    let (name, world) = (case.subject.implementation.name(), case.place.world.name());
    let found = machine.map_or("no --machine".to_owned(), |machine| format!("none for {world} in {}", machine.name));
    Err(BadInput(format!(
        "--algorithm: '{name}' passes through shared memory, and is predicted by the [[queues]] of a machine file, found {found}; \
         first measure them: `parallax shm tune --world {world} --machine FILE`, then give --machine FILE here, too",
    )))
}

/// Returns the error about an algorithm that no collective has, with the known ones.
fn unknown(name: &str, by: &Implementation, operations: &[Operation], worlds: &[World]) -> BadInput {
    let known = operations.iter().map(|one| {
        let names: Vec<String> = match by {
            Implementation::Own(_) | Implementation::Library | Implementation::Tuned(_) | Implementation::Shared(_) => {
                Algorithm::for_collective(one.collective).map(|algorithm| algorithm.name.to_owned()).collect()
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
