//! The flags of `parallax measure`, and the plan that they make.

use crate::launches::AutoFlags;
use analysis::launches::{Launches, launches};
use analysis::measuring::plan::{Breadth, Operation, Plan};
use analysis::measuring::words::{algorithms, named, numbers, reference, worlds};
use analysis::values;
use campaign::launch::Site;
use models::call::{Call, Communicator, Element, Layout, Progress, Reduction};
use models::clock::ClockKind;
use models::method::{Buffer, Method};
use models::observation::Emulation;
use models::quantity::parse as parse_quantity;
use models::sync::Sync;
use models::time::Span;
use scenario::BadInput;

/// What is measured, and how. A campaign that is gone on with has all of it already.
#[derive(clap::Args)]
#[group(requires = "operations")]
pub struct PlanFlags {
    /// Number of ranks, or several: 2, 2,4 or 2..16 (doubling)
    #[arg(long, default_value = "2", value_name = "LIST")]
    ranks: String,
    /// Bytes of one rank's buffer, or of one block where the operation moves a block per rank:
    /// 8,1KiB or 8..64KiB (doubling) or 8..64KiB*4 or 0..64+8
    #[arg(long, default_value = "8..64KiB", value_name = "LIST")]
    bytes: String,
    /// Where: openmpi, mpich, threads [default: every MPI library that is here, else threads]
    #[arg(long, value_name = "WORLD,…", value_delimiter = ',')]
    world: Vec<String>,
    /// all, or names: window, loop, barrier-loop, barrier-subtract, root-rotation, round-time, barrier-own, barrier-inside
    #[arg(long, default_value = "all", value_name = "METHOD,…", value_delimiter = ',')]
    method: Vec<String>,
    /// library, one of the algorithms that `parallax algorithms` lists, or library:NAME to make the library use that one
    /// [default: library; on threads the first algorithm listed]
    #[arg(long, value_name = "ALGORITHM,…", value_delimiter = ',')]
    algorithm: Vec<String>,
    /// The root, where the operation has one
    #[arg(long, default_value = "0")]
    root: u32,
    /// Calls in each timed loop, k
    #[arg(long, default_value = "10", value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    repetitions: u32,
    /// Independent repeats of each loop
    #[arg(long, default_value = "30", value_name = "B", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    blocks: u32,
    /// Calls before anything is timed, after the cold first one [default: 100; on an emulated network, or with more ranks
    /// than cores, 2]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    warmup: Option<u32>,
    /// How often ranks are started anew: the launch is the statistical unit; auto: as often as the ratios need
    #[arg(long, default_value = "1", value_name = "N|auto", value_parser = launches)]
    launches: Launches,
    /// Which clock ranks read: automatic, tsc, clock_monotonic, clock_monotonic_raw, gettimeofday
    /// or mpi_wtime
    #[arg(long, default_value = "automatic", value_name = "NAME")]
    clock: String,
    /// How clocks are synchronised: linear, ring, tree, skampi, jk, hca3 or hca3o
    #[arg(long, default_value = "linear", value_name = "NAME")]
    sync: String,
    /// How methods find their buffers. same: always the same, never rewritten between calls (IMB, OSU); touched: rewritten and
    /// read between calls (applications); cold: flushed from all caches; pool: one after the other from a pool larger than
    /// the last-level cache; misaligned: the same, off the lines of the cache
    #[arg(long, default_value = "same", value_name = "BUFFER")]
    buffer: String,
    /// What all numbers are held against: windows whose buffers are touched, same or cold (as for --buffer)
    #[arg(long, default_value = "touched", value_name = "BUFFER")]
    reference: String,
    /// The window method at these fixed lengths too, to see what an idle gap does: 10us,100us or 10us..2ms*4
    #[arg(long, value_name = "LIST")]
    window_sweep: Option<String>,
    /// Of what buffers consist: byte, int, long, float or double
    #[arg(long, default_value = "byte")]
    element: String,
    /// How elements lie in memory: contiguous, vector, indexed or struct
    #[arg(long, default_value = "contiguous")]
    layout: String,
    /// How elements are combined: sum, max, min, user or user-ordered
    #[arg(long, default_value = "sum")]
    reduction: String,
    /// On which communicator: world, duplicate, halves, reversed, cartesian or graph [default: world; graph for operations
    /// among neighbours]
    #[arg(long, value_name = "COMMUNICATOR")]
    communicator: Option<String>,
    /// Input and result are the same memory (MPI_IN_PLACE)
    #[arg(long)]
    in_place: bool,
    /// nonblocking: issued and waited for at once; overlapped: the rank computes meanwhile; progressed: and asks the
    /// library now and then to go on [default: as the operation's name says]
    #[arg(long, value_name = "HOW")]
    progress: Option<String>,
    /// Compare every byte of every operation's result before it is measured
    #[arg(long)]
    check: bool,
    /// Seed of the order in which operations, bytes and methods are measured
    #[arg(long, default_value = "1")]
    seed: u64,
}

impl PlanFlags {
    /// The plan for these operations; all of it checked.
    pub fn plan(&self, operations: &[String], auto: &AutoFlags, site: &Site) -> Result<Plan, BadInput> {
        let operations = operations.iter().map(|name| self.operation(name)).collect::<Result<Vec<_>, _>>()?;
        let (launches, auto) = auto.choice().planned(self.launches)?;
        let plan = Plan {
            algorithms: algorithms(&self.algorithm, &operations)?,
            operations,
            worlds: worlds(&self.world, site)?,
            ranks: numbers("--ranks", &self.ranks, |text| values::ranks(text).map(u64::from))?,
            bytes: numbers("--bytes", &self.bytes, values::bytes)?,
            breadth: Breadth::One,
            carrier: None,
            emulation: Emulation::Measure,
            methods: self.methods()?,
            root: self.root,
            repetitions: self.repetitions,
            blocks: self.blocks,
            warmup: self.warmup,
            launches,
            auto,
            clock: ClockKind::find(&self.clock).map_err(|message| BadInput(format!("--clock: {message}")))?,
            sync: Sync::find(&self.sync).map_err(|message| BadInput(format!("--sync: {message}")))?,
            buffer: named("--buffer", &self.buffer, &Buffer::ALL, Buffer::name)?,
            reference: Some(reference(&self.reference)?),
            windows: self.windows()?,
            check: self.check,
            seed: self.seed,
        };
        plan.launches(site.cores).map_err(BadInput)?;
        Ok(plan)
    }

    fn operation(&self, name: &str) -> Result<Operation, BadInput> {
        let (collective, call) = Call::find(name.trim()).map_err(BadInput)?;
        let at = |flag: &'static str| move |message: String| BadInput(format!("--{flag}: {message}"));
        let element = Element::find(&self.element).map_err(at("element"))?;
        let layout = Layout::find(&self.layout).map_err(at("layout"))?;
        let reduction = Reduction::find(&self.reduction).map_err(at("reduction"))?;
        let communicator = self.communicator.as_deref().map_or(Ok(call.communicator), Communicator::find);
        let communicator = communicator.map_err(at("communicator"))?;
        let progress = self.progress.as_deref().map_or(Ok(call.progress), Progress::find).map_err(at("progress"))?;
        let in_place = self.in_place;
        Ok(Operation {
            collective,
            call: Call { element, layout, reduction, communicator, progress, in_place, ..call },
        })
    }

    fn methods(&self) -> Result<Vec<Method>, BadInput> {
        let known: Vec<Method> = Method::reported().collect();
        let mut methods: Vec<Method> = Vec::new();
        for name in &self.method {
            let some = if name == "all" { known.clone() } else { vec![named("--method", name, &known, Method::name)?] };
            methods.extend(some);
        }
        let asked = |method: &Method| methods.contains(method);
        Ok(known.into_iter().filter(asked).collect())
    }

    fn windows(&self) -> Result<Vec<Span>, BadInput> {
        let Some(text) = &self.window_sweep else { return Ok(Vec::new()) };
        let read = |text: &str| {
            let span = parse_quantity::<Span>(text)?;
            let usable = (Span::from_us(1)..=Span::from_ms(10_000)).contains(&span);
            if usable { Ok(span.0) } else { Err(format!("expected windows of 1 us to 10 s, found \"{text}\"")) }
        };
        let lengths: Vec<u64> = numbers("--window-sweep", text, read)?;
        Ok(lengths.into_iter().map(Span).collect())
    }
}
