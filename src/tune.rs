//! `parallax tune`: measures every algorithm that a library can be made to use, and writes the table of those that are
//! shown to be faster, in the form that the library reads.

use crate::compare::DemandFlags;
use crate::flags::{CampaignFlags, FormatFlags, ModelFlags, PublishedFlags, need_published, one_of, world};
use analysis::compare::InputChoice;
use analysis::measuring::plan::{Breadth, MeasurementPlan, Operation};
use analysis::measuring::words::{algorithms, numbers, worlds};
use analysis::printed::Choice;
use analysis::tune::known::{BySimulation, FromNumbers};
use analysis::tune::plan::TunePlan;
use analysis::tune::published::FromPublished;
use analysis::tune::{kept, tune_missing};
use analysis::values;
use campaign::launch::Site;
use campaign::{Campaign, notice_interrupts};
use formats::tuning::chooses;
use models::call::{Call, Element};
use models::clock::ClockKind;
use programs::method::{Buffer, Preset, WindowRules};
use programs::observation::{Barrier, Emulation, Implementation, World};
use programs::sync::Sync;
use render::page::FILE as PAGE;
use scenario::BadInput;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use study::tuning::Tuned;

/// The arguments of `parallax tune`.
#[derive(clap::Args)]
pub struct TuneArguments {
    /// Operations, named as in MPI without MPI_: bcast, allreduce, …
    #[arg(value_name = "OPERATION,…", value_delimiter = ',', required_unless_present_any = ["resume", "from"])]
    operations: Vec<String>,
    #[command(flatten)]
    plan: PlanFlags,
    #[command(flatten)]
    demand: DemandFlags,
    /// Measure nothing: choose by the numbers of a campaign that has the library's own choice and library:NAME, named as for
    /// `parallax compare`; with --machine by numbers that a benchmark printed on it, as PICO publishes them (a run's folder or
    /// .tar.gz, a raw file, or a summary), corrected
    #[arg(long, value_name = "CAMPAIGN|FILE", conflicts_with_all = ["operations", "predicted", "resume", "dry_run", "prove", "by_print", "launches", "bytes", "ranks", "algorithm", "segments", "element", "calls", "samples", "seed", "NetworkFlags", "pairs"])]
    from: Option<String>,
    /// Measure nothing: choose by the times of simulated ranks on --machine, or on the network of --set, for any number of
    /// ranks; elements are bytes
    #[arg(long, conflicts_with_all = ["prove", "by_print", "launches", "resume", "dry_run"], requires = "operations")]
    predicted: bool,
    #[command(flatten)]
    published: PublishedFlags,
    /// Longest buffer as a whole [default: 16KiB]
    #[arg(long, requires = "from", value_parser = values::bytes, value_name = "BYTES", help_heading = "Published numbers")]
    longest: Option<u64>,
    /// Barrier between the calls, by an algorithm or a library whose choice it was [default: what a run's files state,
    /// else what follows from its time]
    #[arg(long, value_name = "NAME", requires = "from", value_parser = Barrier::find, help_heading = "Published numbers")]
    barrier: Option<Barrier>,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    campaign: CampaignFlags,
    #[command(flatten)]
    format: FormatFlags,
    /// Also print all algorithms of all calls
    #[arg(long)]
    details: bool,
}

/// What is tuned, and how. A resumed campaign has all of this already.
#[derive(clap::Args)]
#[group(requires = "operations")]
struct PlanFlags {
    /// MPI library that is tuned [default: the first one found]
    #[arg(long, value_name = "WORLD", value_parser = world())]
    world: Option<World>,
    /// Number of ranks, or a list (see: parallax help lists). Communicators of other sizes are left to the library
    #[arg(long, default_value = "2", value_name = "LIST")]
    ranks: String,
    /// Bytes of one rank's buffer, or of one block if the operation moves a block per rank: a list (see: parallax help
    /// lists)
    #[arg(long, default_value = "4..1MiB", value_name = "LIST")]
    bytes: String,
    /// Algorithms to choose from, as library:NAME [default: all that the library can be made to use and its table can
    /// have]
    #[arg(long, value_name = "ALGORITHM,…", value_delimiter = ',')]
    algorithm: Vec<String>,
    /// Lengths of segments that algorithms are given, where they cut messages: a list; 0 for whole messages
    #[arg(long, default_value = "0,8KiB,64KiB", value_name = "LIST")]
    segments: String,
    /// Element type of reductions
    #[arg(long, default_value = "float", value_name = "TYPE", value_parser = one_of(Element::ALL, Element::name))]
    element: Element,
    /// Also choose algorithms of reductions that combine in another order than that of the ranks: right for programs whose
    /// operators all commute (Open MPI's tables do not ask)
    #[arg(long)]
    commuting: bool,
    /// Number of launches, the statistical unit [default: two more than the fewest that can show that an
    /// algorithm is faster]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    launches: Option<u32>,
    /// Also hold the tuned library against its own choice, in as many launches again, by the reference and by what the
    /// benchmark of --by-print (else OSU) prints
    #[arg(long)]
    prove: bool,
    /// Also make the table that the numbers of this benchmark would make, by the same procedure
    #[arg(long, value_name = "BENCHMARK", value_parser = one_of(Preset::ALL, Preset::name))]
    by_print: Option<Preset>,
    /// Calls per sample of a benchmark's loop, k
    #[arg(long, default_value = "10", value_name = "K", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    calls: u32,
    /// Samples of each loop
    #[arg(long, default_value = "30", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    samples: u32,
    /// Seed of the random order of operations, bytes and algorithms
    #[arg(long, default_value = "1", value_name = "N")]
    seed: u64,
}

impl TuneArguments {
    /// Measures and proves everything that is missing, writes the tables, and prints the results.
    pub fn tune(&self) -> anyhow::Result<ExitCode> {
        let site = self.campaign.start.site.site()?;
        let out = self.campaign.results.out.as_deref();
        let model = self.model.choice();
        self.check_published(model.machine.is_some())?;
        if let Some(source) = &self.from {
            let (world, commuting, demand) = (self.plan.world, self.plan.commuting, self.demand.demand());
            let quiet = self.campaign.keeping().quiet;
            let numbers = self.published.choice(Path::new(source), self.longest, model.platform.clone(), quiet);
            let tuned = match &model.machine {
                Some(machine) => FromPublished {
                    choice: Choice { own_choice: true, ..numbers },
                    barrier: self.barrier,
                    machine,
                    world,
                    demand,
                    commuting,
                }
                .keep(out, &site),
                None => {
                    FromNumbers { source, input: InputChoice::default(), world, demand, commuting }.keep(out, &site)
                }
            };
            return self.print_known(&tuned?);
        }
        if self.predicted {
            if model.machine.is_none() && model.network.set.is_none() {
                return Err(BadInput("--predicted: expected --machine or --set, which say on what".to_owned()).into());
            }
            let tuned = BySimulation { plan: self.plan(&site)?, model }.keep(out, &site)?;
            return self.print_known(&tuned);
        }
        if model.machine.is_some() || model.network.says_any() || model.platform.is_some() {
            let message =
                "--machine, --model, --set, --platform: they need --predicted, or --from FILE with published numbers";
            return Err(BadInput(message.to_owned()).into());
        }
        is_untuned()?;
        let asked = if self.operations.is_empty() { None } else { Some(self.plan(&site)?) };
        notice_interrupts()?;
        tune_missing(asked, self.campaign.keeping(), &site, |plan, campaign| self.print_tables(plan, campaign))
    }

    /// Refuses flags of published numbers where there are none.
    fn check_published(&self, has_machine: bool) -> Result<(), BadInput> {
        if self.from.is_some() && has_machine {
            return Ok(());
        }
        let others = [
            ("--longest", self.longest.is_some()),
            ("--barrier", self.barrier.is_some()),
            ("--platform", self.from.is_some() && self.model.platform.is_some()),
        ];
        need_published(&self.published, &others, "--from FILE and --machine")
    }

    /// Prints the tables and the path of the report.
    fn print_tables(&self, plan: &TunePlan, campaign: &Campaign) -> anyhow::Result<()> {
        let (tuned, told) = kept(plan, campaign)?;
        let behind = format!("{}Report: {}\n", told.noise, told.page.display());
        self.format.print_before(&tuned, self.details, &behind)
    }

    /// Prints the tables of a tuning without ranks.
    fn print_known(&self, (tuned, folder): &(Tuned, PathBuf)) -> anyhow::Result<ExitCode> {
        let behind = format!("Report: {}\n", folder.join(PAGE).display());
        self.format.print_before(tuned, self.details, &behind)?;
        Ok(ExitCode::SUCCESS)
    }

    fn plan(&self, site: &Site) -> Result<TunePlan, BadInput> {
        let flags = &self.plan;
        // Simulated ranks need no library.
        let found = match flags.world.filter(|_| self.predicted) {
            Some(world) => vec![world],
            None => worlds(flags.world.as_slice(), site)?,
        };
        let world = found.into_iter().find(|world| *world != World::Threads).ok_or_else(|| {
            BadInput(match flags.world {
                Some(_) => "--world: threads have no library to tune; expected openmpi, mpich or intelmpi".to_owned(),
                None => "no MPI library was found, and threads have none to tune; see `parallax doctor`".to_owned(),
            })
        })?;
        let operations =
            self.operations.iter().map(|name| flags.operation(name, self.predicted)).collect::<Result<Vec<_>, _>>()?;
        let named = algorithms(&flags.algorithm, &operations)?;
        if let Some(other) = named.iter().find(|by| !matches!(by, Implementation::Forced(_))) {
            let found = other.written();
            return Err(BadInput(format!("--algorithm: expected library:NAME, found '{found}'")));
        }
        let calls = flags.calls(world, operations, named)?;
        if let Some(found) = calls.ranks.iter().find(|ranks| **ranks < 2) {
            return Err(BadInput(format!("--ranks: expected 2 or more, found {found}")));
        }
        let plan = TunePlan::new(
            calls,
            (site.host_count(), flags.commuting),
            flags.launches,
            flags.by_print,
            flags.prove,
            self.demand.demand(),
        );
        let plan = plan.map_err(BadInput)?;
        if self.predicted {
            return Ok(plan);
        }
        plan.calls.launches(site.cores).and_then(|_| plan.calls.fits_on(site.host_count())).map_err(BadInput)?;
        Ok(plan)
    }
}

/// Refuses an environment that tunes the library already, as one of a shell in which a table was tried.
fn is_untuned() -> Result<(), BadInput> {
    let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    let mut set: Vec<String> = names.filter(|name| chooses(name)).collect();
    set.sort();
    if set.is_empty() {
        return Ok(());
    }
    Err(BadInput(format!(
        "the environment tunes the library already, so that its own choice is not known: unset {}",
        set.join(" ")
    )))
}

impl PlanFlags {
    /// Returns an operation whose reductions are of the elements that are asked for.
    fn operation(&self, name: &str, predicted: bool) -> Result<Operation, BadInput> {
        let (collective, call) = Call::find(name.trim()).map_err(BadInput)?;
        let element = if collective.combines() && !predicted { self.element } else { call.element };
        Ok(Operation { collective, call: Call { element, ..call } })
    }

    /// Returns the calls of these operations, whose way of timing is set later.
    fn calls(
        &self,
        world: World,
        operations: Vec<Operation>,
        algorithms: Vec<Implementation>,
    ) -> Result<MeasurementPlan, BadInput> {
        Ok(MeasurementPlan {
            operations,
            worlds: vec![world],
            ranks: numbers("--ranks", &self.ranks, |text| values::ranks(text).map(u64::from))?,
            bytes: numbers("--bytes", &self.bytes, values::bytes)?,
            algorithms,
            tunings: Default::default(),
            segments: numbers("--segments", &self.segments, values::bytes)?,
            breadth: Breadth::Forced,
            carrier: None,
            emulation: Emulation::Measure,
            methods: Vec::new(),
            root: 0,
            calls: self.calls,
            samples: self.samples,
            warmup: None,
            launches: 1,
            auto: None,
            clock: ClockKind::default(),
            clocks: None,
            sync: Sync::default(),
            buffer: Buffer::default(),
            reference: None,
            rules: WindowRules::default(),
            delay: None,
            windows: Vec::new(),
            check: false,
            seed: self.seed,
        })
    }
}
