//! Flags of `parallax measure`, and the plan that they make.

use crate::flags::{CLOCKS, clock, drawn_clocks, method, one_of, reference, sync, world};
use crate::launches::AutoFlags;
use analysis::launches::{Launches, launches};
use analysis::measuring::plan::{Breadth, MeasurementPlan, Operation};
use analysis::measuring::words::{algorithms, numbers, tunings, worlds};
use analysis::values;
use campaign::launch::Site;
use models::call::{Call, Communicator, Element, Layout, Progress, Reduction};
use models::clock::ClockKind;
use models::quantity::parse as parse_quantity;
use models::time::Span;
use programs::method::{Buffer, Method, OneDelay, WindowRules};
use programs::observation::{Emulation, World};
use programs::sync::Sync;
use scenario::BadInput;

/// Heading of the flags that select the form of a call.
const FORM: &str = "Form of the call";

/// What is measured, and how. A resumed campaign has all of this already.
#[derive(clap::Args)]
#[group(requires = "subject")]
pub struct PlanFlags {
    /// Number of ranks, or a list (see: parallax help lists)
    #[arg(long, default_value = "2", value_name = "LIST")]
    ranks: String,
    /// Bytes of one rank's buffer, or of one block if the operation moves a block per rank: a list (see: parallax help
    /// lists)
    #[arg(long, default_value = "8..64KiB", value_name = "LIST")]
    bytes: String,
    /// Worlds: where ranks run [default: every MPI library found, else threads]
    #[arg(long, value_name = "WORLD,…", value_delimiter = ',', value_parser = world())]
    world: Vec<World>,
    /// Methods [default: all]
    #[arg(long, value_name = "METHOD,…", value_delimiter = ',', value_parser = method())]
    method: Vec<Method>,
    /// library (its own choice), library:NAME (forced and verified; --list-algorithms lists names), tuned:FILE (its own
    /// choice under the variables of a file, a line NAME=VALUE each), or an algorithm that `parallax algorithms` lists,
    /// over point-to-point messages [default: library; on threads the first algorithm listed]
    #[arg(long, value_name = "ALGORITHM,…", value_delimiter = ',')]
    algorithm: Vec<String>,
    /// Root, for operations that have one
    #[arg(long, default_value = "0")]
    root: u32,
    /// Calls per sample of a loop, k
    #[arg(long, default_value = "10", value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    calls: u32,
    /// Samples of each loop, each between two clock readings
    #[arg(long, default_value = "30", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    samples: u32,
    /// Untimed warm-up calls, after the cold first call [default: 100; on an emulated network, or with more ranks than
    /// cores, 2]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    warmup: Option<u32>,
    /// Number of launches. The launch is the statistical unit: four or more give intervals. auto: as many as the ratios
    /// need
    #[arg(long, default_value = "6", value_name = "N|auto", value_parser = launches)]
    launches: Launches,
    /// Clock that ranks read
    #[arg(long, default_value = "automatic", value_name = "CLOCK", value_parser = clock())]
    clock: ClockKind,
    #[arg(long, value_name = "KEY=VALUE,…", help = CLOCKS)]
    clocks: Option<String>,
    /// Clock synchronisation algorithm
    #[arg(long, default_value = "linear", value_name = "ALGORITHM", value_parser = sync())]
    sync: Sync,
    /// Buffer state of the methods: same (never rewritten between calls, as in IMB and OSU), touched (rewritten and
    /// read between calls, as in applications), cold (flushed from caches), pool (buffers in turn from a pool larger
    /// than the last-level cache), misaligned (same, not aligned to cache lines)
    #[arg(long, default_value = "same", value_name = "BUFFER", value_parser = one_of(Buffer::ALL, Buffer::name))]
    buffer: Buffer,
    /// Buffer state of the reference, as for --buffer
    #[arg(long, default_value = "touched", value_name = "BUFFER", value_parser = reference())]
    reference: Buffer,
    /// One delay of one rank, once, before the first timed call of each method (E10), as TIME@RANK, like 12us@5: 12us alone
    /// delays the last rank, auto lasts as long as two of the method's barriers. Announced starts forget it
    #[arg(long, value_name = "TIME[@RANK]|auto", value_parser = OneDelay::parse)]
    delay: Option<OneDelay>,
    /// Also measure with windows of these fixed lengths, to show the effect of idle time: 10us,100us or 10us..2ms*4
    #[arg(long, value_name = "LIST")]
    window_sweep: Option<String>,
    /// Element type
    #[arg(long, default_value = "byte", value_name = "TYPE", value_parser = one_of(Element::ALL, Element::name), help_heading = FORM)]
    element: Element,
    /// Layout of the elements in memory
    #[arg(long, default_value = "contiguous", value_parser = one_of(Layout::ALL, Layout::name), help_heading = FORM)]
    layout: Layout,
    /// Reduction operator
    #[arg(long, default_value = "sum", value_name = "OP", value_parser = one_of(Reduction::ALL, Reduction::name), help_heading = FORM)]
    reduction: Reduction,
    /// Communicator [default: world; graph for neighbourhood collectives]
    #[arg(long, value_name = "NAME", value_parser = one_of(Communicator::ALL, Communicator::name), help_heading = FORM)]
    communicator: Option<Communicator>,
    /// Use one buffer for input and result (MPI_IN_PLACE)
    #[arg(long, help_heading = FORM)]
    in_place: bool,
    /// Form of the call: nonblocking (waits immediately after the start), overlapped (computes before it waits),
    /// progressed (also calls MPI_Test during the computation) [default: the form that the operation's name implies]
    #[arg(long, value_name = "HOW", value_parser = one_of(Progress::ALL, Progress::name), help_heading = FORM)]
    progress: Option<Progress>,
    /// Verify every byte of each operation's result before measuring it
    #[arg(long)]
    check: bool,
    /// Seed of the random order of operations, bytes and methods
    #[arg(long, default_value = "1", value_name = "N")]
    seed: u64,
}

impl PlanFlags {
    /// Returns the worlds that the flags name.
    pub fn worlds(&self) -> &[World] {
        &self.world
    }

    /// Returns the plan for these operations, with everything checked.
    pub fn plan(
        &self,
        operations: &[String],
        auto: &AutoFlags,
        rules: WindowRules,
        site: &Site,
    ) -> Result<MeasurementPlan, BadInput> {
        let operations = operations.iter().map(|name| self.operation(name)).collect::<Result<Vec<_>, _>>()?;
        let (launches, auto) = auto.choice().planned(self.launches)?;
        let plan = MeasurementPlan {
            algorithms: algorithms(&self.algorithm, &operations)?,
            operations,
            worlds: worlds(&self.world, site)?,
            ranks: numbers("--ranks", &self.ranks, |text| values::ranks(text).map(u64::from))?,
            bytes: numbers("--bytes", &self.bytes, values::bytes)?,
            breadth: Breadth::One,
            tunings: tunings(&self.algorithm)?,
            segments: Vec::new(),
            carrier: None,
            emulation: Emulation::Measure,
            methods: self.methods(),
            root: self.root,
            calls: self.calls,
            samples: self.samples,
            warmup: self.warmup,
            launches,
            auto,
            clock: self.clock,
            clocks: drawn_clocks(self.clocks.as_deref(), self.seed)?,
            sync: self.sync,
            buffer: self.buffer,
            reference: Some(self.reference),
            delay: self.delay,
            windows: self.fixed_windows()?,
            rules,
            check: self.check,
            seed: self.seed,
        };
        let fits =
            |launches: Vec<_>| plan.has_windows_for_rules(&launches).and_then(|()| plan.fits_on(site.host_count()));
        plan.launches(site.cores).and_then(fits).map_err(BadInput)?;
        Ok(plan)
    }

    fn operation(&self, name: &str) -> Result<Operation, BadInput> {
        let (collective, call) = Call::find(name.trim()).map_err(BadInput)?;
        let PlanFlags { element, layout, reduction, in_place, .. } = *self;
        let communicator = self.communicator.unwrap_or(call.communicator);
        let progress = self.progress.unwrap_or(call.progress);
        Ok(Operation {
            collective,
            call: Call { element, layout, reduction, communicator, progress, in_place, ..call },
        })
    }

    fn methods(&self) -> Vec<Method> {
        let asked = |method: &Method| self.method.is_empty() || self.method.contains(method);
        Method::reported().filter(asked).collect()
    }

    fn fixed_windows(&self) -> Result<Vec<Span>, BadInput> {
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
