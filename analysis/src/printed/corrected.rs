//! Published numbers as times of calls: each is corrected by the difference between what simulated ranks print and the
//! true time.

use super::validate::{Told, agreement, of_machine};
use super::{Choice, Taken};
use models::collective::{Collective, published_by_openmpi};
use programs::machine::{Estimate, Machine};
use programs::observation::Barrier;
use render::groups::{distinct, grouped};
use scenario::BadInput;
use study::printed::{Agreement, LeftOut};

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
    /// what the printed number has beyond the predicted one; the interval reaches to the time without it. Empty where the
    /// correction is as large as the number.
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
    /// Barriers between the calls, each with the grounds on which it is known.
    pub barriers: Vec<String>,
    /// Agreement of predictions with the printed numbers.
    pub agreement: Agreement,
    /// The numbers, one for each algorithm of each call.
    pub numbers: Vec<CorrectedNumber>,
    /// Chosen rows that are no such numbers, by reason.
    pub left_out: Vec<LeftOut>,
}

/// Corrects published numbers of Open MPI by a machine. Of several numbers of one call the median counts.
///
/// # Errors
/// Fails on a choice without such numbers, and on numbers of several machines, versions or numbers of ranks.
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
    if let [one, _, ..] = &job.libraries[..] {
        let all = job.libraries.join(", ");
        return Err(BadInput(format!(
            "{}: expected the rows of one library, found those of {all}; choose, like --only library={one}",
            selected.name
        )));
    }
    let (_, told) = of_machine(&selected, machine)?;
    let rows = selected.taken.iter().zip(&told).map(|(one, told)| (call(one), (one.printed.us, told)));
    let numbers = grouped(rows).into_iter().map(|((collective, ranks, bytes, algorithm), all)| {
        let printed_us = median(all.iter().map(|(us, _)| *us));
        let true_us = times(printed_us, &all).unwrap_or_default();
        CorrectedNumber { collective, ranks, bytes, algorithm, printed_us, true_us }
    });
    let numbers: Vec<CorrectedNumber> = numbers.collect();
    let agreement = agreement(told.iter().map(|told| told.printed[0]).collect(), &selected.rows());
    let barriers = selected.taken.iter().filter_map(|one| one.row.barrier.as_ref());
    let barriers = distinct(barriers.map(|known| format!("{} ({})", known.barrier, known.grounds)));
    let nodes = selected.taken.iter().find_map(|one| one.row.nodes);
    let version = selected.taken.iter().map(|one| &one.row.version).find(|version| !version.is_empty()).cloned();
    let mut left_out = selected.left_out;
    let rows = numbers.iter().filter(|number| number.true_us.is_empty()).count();
    if rows > 0 {
        left_out.push(LeftOut { reason: "the correction is as large as the number".to_owned(), rows });
    }
    Ok(CorrectedNumbers { system: job.system, version, nodes, barriers, agreement, numbers, left_out })
}

/// Returns Open MPI's name of the algorithm of a number.
fn name(one: &Taken) -> Option<&str> {
    published_by_openmpi(&one.printed.name, one.printed.algorithm.collective)
}

fn call(one: &Taken) -> (Collective, u32, u64, Option<String>) {
    let algorithm = name(one).filter(|name| *name != OWN_CHOICE).map(str::to_owned);
    (one.printed.algorithm.collective, one.ranks(), one.printed.shape.bytes, algorithm)
}

fn median(us: impl Iterator<Item = f64>) -> f64 {
    statistics::median(&us.collect::<Vec<_>>()).unwrap_or(f64::NAN)
}

/// Returns the times of a call with this printed number, for each set of parameters; of several rows the medians of what is
/// predicted. `None` where the correction leaves no time.
fn times(printed_us: f64, all: &[(f64, &Told)]) -> Option<Vec<Estimate>> {
    let sets = all.first().map_or(0, |(_, told)| told.printed.len());
    let each = (0..sets).map(|set| {
        let predicted_us = median(all.iter().map(|(_, told)| told.printed[set]));
        let true_us = median(all.iter().map(|(_, told)| told.truth[set]));
        let us = printed_us + true_us - predicted_us;
        (us > 0.0 && true_us > 0.0).then(|| Estimate::exactly(us).including(true_us))
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_beyond_the_prediction_is_in_the_time_or_in_the_method() {
        // Two sets of parameters: the method hides 20 µs by the first, and 10 by the second.
        let told = Told { printed: vec![10.0, 15.0], truth: vec![30.0, 25.0] };
        let of = |us: f64| times(us, &[(us, &told)]);
        let at = |value: f64, other: f64| Estimate::exactly(value).including(other);
        assert_eq!(of(10.0), Some(vec![at(30.0, 30.0), at(20.0, 25.0)]));
        assert_eq!(of(12.0), Some(vec![at(32.0, 30.0), at(22.0, 25.0)]));
        let shown = Told { printed: vec![30.0], truth: vec![10.0] };
        assert_eq!(times(25.0, &[(25.0, &shown)]), Some(vec![at(5.0, 10.0)]));
        assert_eq!(times(20.0, &[(20.0, &shown)]), None, "nothing is left");
    }
}
