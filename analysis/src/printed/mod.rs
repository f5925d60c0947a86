//! Published numbers: as parameters of a machine (`calibrate --from`), and beside the numbers that a machine predicts
//! to be printed (`validate --from`).

mod calibrate;
mod corrected;
mod job;
mod near;
mod only;
mod validate;

pub use calibrate::{Behind, Calibration, Fitted};
pub use corrected::{CorrectedNumber, CorrectedNumbers, corrected};
pub use only::{Key, Only};
pub use validate::{Against, validate};

use crate::import;
use fit::{Benchmark, FitError, Printed};
use models::collective::{self, PUBLISHED_ELEMENT_BYTES};
use models::platform::on_ranks;
use programs::budget::Configuration;
use programs::method::Preset;
use programs::observation::Barrier;
use published::{InForce, Mark, PublishedRow};
use render::groups::{counted, distinct};
use scenario::BadInput;
use std::path::PathBuf;
use study::printed::LeftOut;

/// Number of successive calls that are simulated: by then calls after a delay are in a steady state.
const SAMPLES: u32 = 16;

/// Choice of published numbers.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Path of the published run or file.
    pub file: PathBuf,
    /// Selection of the rows.
    pub only: Only,
    /// Length of the longest buffer as a whole, in bytes.
    pub longest: u64,
    /// Benchmark and column of the numbers, like `pico:median`.
    pub benchmark: String,
    /// Known properties of the platform, as `--platform` has them; without a placement in them, ranks are placed as in
    /// each run.
    pub platform: Option<String>,
    /// Map of the machine's nodes, by which ranks are placed; its cells are switches.
    pub nodes: Option<PathBuf>,
    /// Whether numbers of the library's own choice count, as numbers of the algorithm that its decision table has.
    pub own_choice: bool,
    /// Whether no progress is shown.
    pub quiet: bool,
}

/// Function that returns a number of a row.
type NumberGetter = fn(&PublishedRow) -> f64;

/// A number with the row from which it comes.
#[derive(Clone, Debug)]
struct Taken {
    printed: Printed,
    row: PublishedRow,
}

impl Taken {
    fn ranks(&self) -> u32 {
        self.printed.shape.ranks
    }

    /// Returns the known properties of the platform for these ranks.
    fn platform(&self, known: Option<&str>) -> String {
        let Some(known) = known else { return String::new() };
        let is_placed = near::values(known, "placement").next().is_some();
        match self.row.placement.as_ref().filter(|_| !is_placed) {
            Some(placement) if known.is_empty() => format!("placement={placement}"),
            Some(placement) => format!("placement={placement},{known}"),
            None => on_ranks(known, self.ranks()),
        }
    }
}

/// Numbers that can be simulated, with the settings of the simulation.
struct Selected {
    /// Name of the file in messages.
    name: String,
    /// Numbers that can be simulated.
    taken: Vec<Taken>,
    /// Chosen rows that cannot be simulated, counted by reason.
    left_out: Vec<LeftOut>,
    /// Method by which a number comes about.
    configuration: Configuration,
    /// Known properties of the platform.
    platform: Option<String>,
    /// Whether a map states which nodes are near each other.
    mapped: bool,
    /// Whether no progress is shown.
    quiet: bool,
}

impl Choice {
    /// Reads the published rows, with this barrier between all calls if there is one, and takes those that can be
    /// simulated.
    fn selected(&self, barrier: Option<Barrier>) -> Result<Selected, BadInput> {
        let name = self.file.display().to_string();
        let (configuration, number) = printing(&self.benchmark)?;
        let mut published = import::published(&self.file)?;
        if let Some(barrier) = barrier {
            published.give_barrier(barrier);
        }
        published.warnings.iter().for_each(|sentence| note!("parallax: {name}: {sentence}"));
        let chosen = self.only.select_rows(published.rows, &name)?;
        let (mut taken, mut reasons) = (Vec::new(), Vec::new());
        for row in chosen {
            match self.taken(row, number) {
                Ok(one) => taken.push(one),
                Err(reason) => reasons.push(reason),
            }
        }
        let left_out = counted(reasons).into_iter().map(|(reason, rows)| LeftOut { reason, rows });
        let mut left_out: Vec<LeftOut> = left_out.collect();
        left_out.sort_by_key(|out| std::cmp::Reverse(out.rows));
        if self.platform.is_none() && self.nodes.is_none() && taken.iter().any(|one| one.row.ranks_per_node > Some(1)) {
            note!(
                "parallax: {name}: several ranks ran on a node, and each counts as a node of its own; say what messages within a \
                 node take, like --platform class.node.L=400ns"
            );
        }
        let (platform, mapped) = (self.platform.clone(), false);
        let quiet = self.quiet;
        let selected = Selected { name, taken, left_out, configuration, platform, mapped, quiet }.checked()?;
        match &self.nodes {
            Some(map) => selected.placed_by(map),
            None => Ok(selected),
        }
    }

    /// Returns a row as a number of an algorithm of Parallax, or the reason why it is none.
    fn taken(&self, row: PublishedRow, number: NumberGetter) -> Result<Taken, String> {
        if let Some(mark) = row.marks.iter().find(|mark| mark.excludes()) {
            return Err(format!("marked {mark}: {}", Mark::reason(*mark)));
        }
        if row.algorithm.starts_with("default") && !self.own_choice {
            return Err("the library's own choice, which may change with every call".to_owned());
        }
        if published::element_bytes(&row.datatype) != Some(PUBLISHED_ELEMENT_BYTES) {
            let message =
                format!("elements are {}, and known are those of {PUBLISHED_ELEMENT_BYTES} bytes", row.datatype);
            return Err(message);
        }
        if row.elements.saturating_mul(PUBLISHED_ELEMENT_BYTES) > self.longest {
            return Err(format!("buffers are longer than {} B (--longest)", self.longest));
        }
        let us = number(&row);
        let (Some(collective), Some(ranks)) = (row.collective, row.ranks) else {
            return Err("the collective or the number of ranks is not said".to_owned());
        };
        if us.is_nan() || us <= 0.0 {
            return Err("the number is not above zero".to_owned());
        }
        let (algorithm, shape) = collective::published(&row.algorithm, collective, ranks, row.elements)?;
        let name = row.algorithm.clone();
        Ok(Taken { printed: Printed { name, algorithm, shape, us }, row })
    }
}

impl Selected {
    /// Checks that there is any number.
    fn checked(self) -> Result<Selected, BadInput> {
        if self.taken.is_empty() {
            let reasons: String = self.left_out.iter().map(|out| format!("\n  {out}")).collect();
            return Err(BadInput(format!("{}: none of the chosen rows can be simulated:{reasons}", self.name)));
        }
        Ok(self)
    }

    fn rows(&self) -> Vec<Printed> {
        self.taken.iter().map(|one| one.printed.clone()).collect()
    }

    /// Returns the benchmark with a barrier, on a platform with these known properties.
    fn benchmark(&self, barrier: Barrier, platform: String) -> Benchmark {
        let near = self.tells_near(&platform);
        Benchmark { configuration: self.configuration.clone(), barrier, samples: SAMPLES, platform, near }
    }

    /// Returns the known properties of the platform of all rows.
    ///
    /// # Errors
    /// Fails if their ranks are placed differently.
    fn platform(&self) -> Result<String, BadInput> {
        let all = distinct(self.taken.iter().map(|one| one.platform(self.platform.as_deref())));
        match all.as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(BadInput(format!(
                "{}: the ranks of the chosen runs are placed on nodes in {} ways; choose a run, like --only run=TIME, or give a \
                 placement: --platform placement=block:4,class.node.L=400ns",
                self.name,
                all.len()
            ))),
        }
    }

    /// Returns the barrier between all calls; the error is that it is unknown or differs between rows.
    fn barrier(&self) -> Result<InForce, BadInput> {
        let on = |one: &Taken| one.row.barrier.as_ref().and_then(|known| known.barrier.on(one.ranks()).ok());
        let first = self.taken.first().filter(|first| on(first).is_some());
        let one = first.filter(|first| self.taken.iter().all(|one| on(one) == on(first)));
        one.and_then(|one| one.row.barrier.clone()).ok_or_else(|| {
            BadInput(format!(
                "{}: the barrier between the calls is not known, or not the same in all rows; give it: --barrier NAME, like \
                 --barrier recursive-doubling",
                self.name
            ))
        })
    }

    fn wrong(&self, error: FitError) -> BadInput {
        BadInput(format!("{}: {error}", self.name))
    }
}

/// Returns the configuration of a benchmark's number, and the function that reads it from a row.
fn printing(benchmark: &str) -> Result<(Configuration, NumberGetter), BadInput> {
    let wrong = |message: String| BadInput(format!("--benchmark: {message}"));
    let (preset, column) = Preset::printing(benchmark).map_err(wrong)?;
    let number: NumberGetter = match (preset, column.head) {
        (Preset::Pico, "median") => |row| row.calls.median_us,
        (Preset::Pico, "mean") => |row| row.calls.mean_us,
        (Preset::Pico, "min") => |row| row.calls.min_us,
        (Preset::Pico, "max") => |row| row.calls.max_us,
        _ => {
            return Err(wrong(format!(
                "expected pico or one of its columns, whose numbers are read, found {benchmark}"
            )));
        }
    };
    Ok((Configuration::preset(preset, Some(column.head)).map_err(wrong)?, number))
}
