//! Broadcasts through shared memory on real ranks, beside those of the library: a campaign of measurements whose
//! algorithms are queues.

use super::{PUBLISHED_BYTES, Predict};
use crate::beside::Told;
use crate::machine;
use crate::measuring::plan::{Breadth, MeasurementPlan, Operation};
use crate::measuring::words::{implementations, numbers, worlds};
use crate::measuring::{kept, measure_missing};
use crate::shared_broadcast::simulated_us;
use crate::values::{bytes, ranks};
use anyhow::Context;
use campaign::Campaign;
use campaign::launch::Site;
use campaign::planned::Keeping;
use models::call::Call;
use models::clock::ClockKind;
use models::collective::Collective;
use models::shared_broadcast::{Design, NodeCosts, Notified, Queue, Queued, Scheme};
use programs::machine::Machine;
use programs::method::{Buffer, Method, WindowRules};
use programs::observation::{Case, Emulation, Implementation, World};
use programs::sync::Sync;
use render::results::Results;
use scenario::BadInput;
use scenario::files::write_whole;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use study::measured::Reading;
use study::shm::{LENGTHS, Predicted, SideBySide, Tuned};

/// Request of a measurement. Each value is a list as users write it.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Worlds to measure in; empty for every installed library.
    pub worlds: Vec<World>,
    /// Numbers of ranks, as a list.
    pub ranks: String,
    /// Lengths of messages, as a list.
    pub bytes: String,
    /// Lengths of fragments, as a list.
    pub fragment: String,
    /// Numbers of buffers, as a list.
    pub buffers: String,
    /// Memory of a queue in bytes, which determines the number of buffers in place of `buffers`.
    pub queue_bytes: Option<u64>,
    /// Numbers of sets, as a list.
    pub sets: String,
    /// Trees by which notifications are passed on.
    pub trees: Vec<String>,
    /// Further implementations of the same broadcasts: `library`, `library:NAME`, or an algorithm of Parallax.
    pub against: Vec<String>,
    /// Rank that is the root.
    pub root: u32,
    /// Number of launches of the ranks.
    pub launches: u32,
    /// State of the buffers in the calls.
    pub buffer: Buffer,
    /// Whether every byte is compared before anything is measured.
    pub check: bool,
    /// Seed of the drawn order.
    pub seed: u64,
}

/// Predictions that stand beside measured broadcasts, and the destination of fitted parameters.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// Parameters by which ranks are simulated.
    pub costs: Option<NodeCosts>,
    /// Machine file with such parameters, by state and length.
    pub machine: Option<Machine>,
    /// `Some` if parameters are fitted; the path names a machine file that receives them.
    pub tune: Option<Option<PathBuf>>,
}

impl Measure {
    /// Returns the request as a plan of measurements.
    ///
    /// # Errors
    /// Fails on a malformed list, queue or tree, and on libraries that are not installed.
    pub fn plan(&self, site: &Site) -> Result<MeasurementPlan, BadInput> {
        let operation = Operation { collective: Collective::Bcast, call: Call::default() };
        let plan = MeasurementPlan {
            operations: vec![operation],
            worlds: worlds(&self.worlds, site)?,
            ranks: numbers("--ranks", &self.ranks, |text| ranks(text).map(u64::from))?,
            bytes: numbers("--bytes", &self.bytes, bytes)?,
            algorithms: self.algorithms()?,
            breadth: Breadth::One,
            tunings: Default::default(),
            segments: Vec::new(),
            carrier: None,
            emulation: Emulation::Measure,
            methods: vec![Method::Window],
            root: self.root,
            // Numbers of calls and samples apply to loops, which windows do not have.
            calls: 1,
            samples: 1,
            warmup: None,
            launches: self.launches,
            auto: None,
            clock: ClockKind::Automatic,
            clocks: None,
            sync: Sync::Linear,
            buffer: self.buffer,
            reference: None,
            rules: WindowRules::default(),
            delay: None,
            windows: Vec::new(),
            check: self.check,
            seed: self.seed,
        };
        // The flag for other implementations is called --against here.
        plan.launches(site.cores).map_err(|message| BadInput(message.replace("--algorithm", "--against")))?;
        Ok(plan)
    }

    /// Refuses queues to which parameters cannot be fitted.
    ///
    /// # Errors
    /// Fails on fewer than three lengths of fragments or two numbers of buffers, and on a malformed list.
    pub fn can_be_tuned(&self) -> Result<(), BadInput> {
        let queues: Vec<Queue> = self.queues()?;
        let count = |of: fn(&Queue) -> u64| queues.iter().map(of).collect::<BTreeSet<u64>>().len();
        let (lengths, buffers) = (count(Queue::fragment_bytes), count(Queue::buffers));
        if lengths < LENGTHS || buffers < 2 {
            return Err(BadInput(format!(
                "--fragment, --buffers: expected at least {LENGTHS} lengths of fragments and 2 numbers of buffers, which tell the \
                 parameters apart, found {lengths} and {buffers}"
            )));
        }
        Ok(())
    }

    fn queues(&self) -> Result<Vec<Queue>, BadInput> {
        let asked = Predict {
            bytes: Some(PUBLISHED_BYTES.to_owned()),
            fragment: Some(self.fragment.clone()),
            buffers: Some(self.buffers.clone()),
            queue_bytes: self.queue_bytes,
            sets: Some(self.sets.clone()),
            ..Predict::default()
        };
        Ok(asked.cases()?.into_iter().map(|(_, queue)| queue).collect())
    }

    /// Returns the implementations for comparison, then all queues with all trees.
    fn algorithms(&self) -> Result<Vec<Implementation>, BadInput> {
        let trees = self.trees.iter().map(|tree| Notified::parse(tree)).collect::<Result<Vec<_>, _>>();
        let trees = trees.map_err(|message| BadInput(format!("--tree: {message}")))?;
        let against = self.against.iter().map(|name| implementations(name.trim())).collect::<Result<Vec<_>, _>>();
        let mut all = against.map_err(|message| BadInput(format!("--against: {message}")))?.concat();
        for queue in self.queues()? {
            all.extend(
                trees
                    .iter()
                    .map(|&tree| Scheme { design: Design::Numa, queue, tree })
                    .map(|scheme| Implementation::Shared(Queued::new(scheme))),
            );
        }
        Ok(all)
    }
}

/// Measures the broadcasts of a plan that the campaign lacks, and calls `print` with the result: their times side by
/// side, or, with [`Beside::tune`], the fitted parameters. `print` also receives the page with the noise beside it, and
/// the campaign's folder. Returns the exit code.
///
/// # Errors
/// Fails on a request that cannot be met, on a rank that died or hung, and on a file that cannot be written.
pub fn measure(
    asked: Option<MeasurementPlan>,
    beside: &Beside,
    keeping: Keeping<'_>,
    site: &Site,
    print: impl FnOnce(&dyn Results, &Told, &Path) -> anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    Ok(measure_missing(asked, keeping, None, site, |campaign: &Campaign| make_files(campaign, beside, print))?.1)
}

/// Writes the files of a campaign's results, and prints the results.
fn make_files(
    campaign: &Campaign,
    beside: &Beside,
    print: impl FnOnce(&dyn Results, &Told, &Path) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (measured, kept) = kept(campaign, Reading::default())?;
    let us =
        |case: &Case, bytes, line_ns| simulated_us(case, bytes, |scheme| beside.costs_of(case, bytes, scheme, line_ns));
    let predicted = beside.words().map(|parameters| Predicted { parameters, us: &us });
    let Some(broadcasts) = SideBySide::from_measured(&measured, predicted.as_ref()) else {
        let why = measured.subjects.iter().flat_map(|subject| &subject.rows).find_map(|row| row.shaky.as_deref());
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        anyhow::bail!(
            "no broadcast through shared memory has a time{why}; measure again, when other programs use the cores less"
        );
    };
    campaign.write("shared.csv", &broadcasts.csv())?;
    let Some(machine) = &beside.tune else {
        return print(&broadcasts, &kept, campaign.folder());
    };
    let tuned = Tuned::fit(&broadcasts);
    if tuned.is_empty() {
        let message = "too few queues were measured on two ranks in one state of the machine to fit anything; measure again, or \
                       with more --launches";
        return Err(BadInput(message.to_owned()).into());
    }
    campaign.write("tuned.csv", &tuned.csv())?;
    if let Some(file) = machine {
        let kept = machine::find(&file.display().to_string())?;
        // Points of worlds that were not measured stay in the file.
        let mut queues = tuned.points();
        let worlds: Vec<World> = queues.iter().map(|point| point.world).collect();
        queues.extend(kept.queues.iter().filter(|point| !worlds.contains(&point.world)));
        let text = Machine { queues, ..kept }.text();
        write_whole(file, |file| file.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", file.display()))?;
        note!("machine file: {}", file.display());
    }
    print(&tuned, &kept, campaign.folder())
}

impl Beside {
    /// Returns the source of the parameters, or `None` where nothing is simulated.
    fn words(&self) -> Option<String> {
        match (&self.costs, &self.machine) {
            (Some(costs), _) => Some(costs.to_string()),
            (None, Some(machine)) => Some(format!("parameters of the machine {}", machine.name)),
            (None, None) => None,
        }
    }

    fn costs_of(&self, case: &Case, bytes: u64, scheme: &Scheme, line_ns: Option<f64>) -> Option<NodeCosts> {
        let of_machine = || self.machine.as_ref()?.queue_costs(case.place.world, line_ns, scheme.queue.bytes(), bytes);
        self.costs.or_else(of_machine)
    }
}
