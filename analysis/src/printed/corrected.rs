//! Published numbers as times of calls: each is corrected by the difference between what simulated ranks print and the
//! true time.

use super::validate::{Told, of_machine};
use super::{Choice, Taken};
use models::collective::{Collective, published_by_openmpi};
use programs::machine::{Estimate, Machine};
use programs::observation::Barrier;
use render::groups::{counted, grouped};
use scenario::BadInput;
use statistics::quantile;
use study::printed::LeftOut;

/// Open MPI's own choice among published names.
const OWN_CHOICE: &str = "default";

/// A published number of a call of Open MPI, as it was printed and corrected.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrectedNumber {
    /// Collective that was called.
    pub collective: Collective,
    /// Number of ranks.
    pub ranks: u32,
    /// Bytes of the buffer, or of one block if a block per rank is moved.
    pub bytes: u64,
    /// Name of the algorithm in the library; `None` for its own choice.
    pub algorithm: Option<String>,
    /// Printed number, in µs.
    pub printed_us: f64,
    /// Time of the call in µs, for each set of parameters of the machine, the best set first. The value leaves to the call
    /// what the printed number has beyond the predicted one; the interval reaches to the time without it.
    pub true_us: Vec<Estimate>,
}

/// Published numbers of one library on one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrectedNumbers {
    /// Name of the machine that was measured.
    pub system: String,
    /// Version of the library, where it is published.
    pub version: Option<String>,
    /// Number of nodes of the ranks, where it is published.
    pub nodes: Option<u32>,
    /// The numbers.
    pub numbers: Vec<CorrectedNumber>,
    /// Chosen rows that are no such numbers, by reason.
    pub left_out: Vec<LeftOut>,
}

/// Corrects published numbers of Open MPI by a machine. Of several numbers of one call the median counts.
///
/// # Errors
/// Fails on a choice without such numbers, and on numbers of several machines or numbers of ranks.
pub fn corrected(choice: &Choice, barrier: Option<Barrier>, machine: &Machine) -> Result<CorrectedNumbers, BadInput> {
    let mut selected = choice.selected(barrier)?.with_barriers()?;
    let before = selected.taken.len();
    selected.taken.retain(|one| name(one).is_some());
    let rows = before - selected.taken.len();
    if rows > 0 {
        let reason = "not an algorithm of Open MPI, whose table is made".to_owned();
        selected.left_out.push(LeftOut { reason, rows });
    }
    let selected = selected.checked()?;
    let job = selected.job()?;
    let (_, told) = of_machine(&selected, machine)?;
    let (mut found, mut reasons) = (Vec::new(), Vec::new());
    for (one, told) in selected.taken.iter().zip(&told) {
        match times(one.printed.us, told) {
            Some(us) => found.push((call(one), (one.printed.us, us))),
            None => reasons.push("the correction is as large as the number".to_owned()),
        }
    }
    let numbers = grouped(found).into_iter().map(|((collective, ranks, bytes, algorithm), all)| {
        let (printed_us, true_us) = middle(&all);
        CorrectedNumber { collective, ranks, bytes, algorithm, printed_us, true_us }
    });
    let nodes = selected.taken.iter().find_map(|one| one.row.nodes);
    let version = selected.taken.iter().map(|one| &one.row.version).find(|version| !version.is_empty()).cloned();
    let numbers = numbers.collect();
    let reasons = counted(reasons).into_iter().map(|(reason, rows)| LeftOut { reason, rows });
    let left_out = selected.left_out.iter().cloned().chain(reasons).collect();
    Ok(CorrectedNumbers { system: job.system, version, nodes, numbers, left_out })
}

/// Returns Open MPI's name of the algorithm of a number.
fn name(one: &Taken) -> Option<&str> {
    published_by_openmpi(&one.printed.name, one.printed.algorithm.collective)
}

fn call(one: &Taken) -> (Collective, u32, u64, Option<String>) {
    let algorithm = name(one).filter(|name| *name != OWN_CHOICE).map(str::to_owned);
    (one.printed.algorithm.collective, one.ranks(), one.printed.shape.bytes, algorithm)
}

/// A number as printed, and the times of the call for each set of parameters, in µs.
type Numbers = (f64, Vec<Estimate>);

/// Returns the medians of several numbers of one call, one by one.
fn middle(all: &[Numbers]) -> Numbers {
    let median = |us: &mut dyn Iterator<Item = f64>| quantile(&us.collect::<Vec<_>>(), 0.5).unwrap_or(f64::NAN);
    let of_set = |place: usize| Estimate {
        value: median(&mut all.iter().map(|(_, us)| us[place].value)),
        low: median(&mut all.iter().map(|(_, us)| us[place].low)),
        high: median(&mut all.iter().map(|(_, us)| us[place].high)),
    };
    let sets = all.first().map_or(0, |(_, us)| us.len());
    (median(&mut all.iter().map(|(us, _)| *us)), (0..sets).map(of_set).collect())
}

/// Returns the times of a call whose number was printed, for each set of parameters. `None` where the correction leaves no
/// time.
fn times(printed_us: f64, told: &Told) -> Option<Vec<Estimate>> {
    let each = told.printed.iter().zip(&told.truth).map(|(predicted_us, true_us)| {
        let us = printed_us + true_us - predicted_us;
        (us > 0.0 && *true_us > 0.0).then(|| Estimate::exactly(us).including(*true_us))
    });
    each.collect()
}
