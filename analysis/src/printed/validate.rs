//! The numbers that a machine predicts to be printed, beside the published ones.

use super::{Choice, Selected, Taken};
use campaign::progress::{PointWords, Points};
use fit::{Benchmark, Errors, FitError, Printed, Ranking, held_out};
use models::platform::Platform;
use programs::machine::{Bound, Estimate, Machine};
use programs::observation::Barrier;
use render::groups::grouped;
use scenario::BadInput;
use study::printed::{Agreement, AgreementRow, LeftOut, Predicted, Source};

/// Distance of two printed numbers beyond which the order of their predictions counts, as a logarithm: ten percent.
const APART: f64 = 0.1;

/// Words of the progress while a machine predicts.
const PREDICTION: PointWords = PointWords { doing: "predicting", what: "simulations" };

/// Source of the predictions.
#[derive(Clone, Debug)]
pub enum Against {
    /// A calibrated or fitted machine.
    Machine(Box<Machine>),
    /// This number of fits to the same numbers, each without some algorithms.
    HeldOut(usize),
}

/// A predicted number and the true time, in µs: one for each set of parameters, the best set first.
pub(super) struct Told {
    pub printed: Vec<f64>,
    pub truth: Vec<f64>,
}

/// Returns the first of these numbers, with the range of all.
fn ranged(us: &[f64]) -> Estimate {
    us.iter().fold(Estimate::exactly(us[0]), |range, value| range.including(*value))
}

/// Predicts the published numbers.
///
/// # Errors
/// Fails on a choice without numbers that can be simulated, on an unknown barrier, and, where algorithms are held out,
/// on several jobs or barriers.
pub fn validate(choice: &Choice, barrier: Option<Barrier>, against: &Against) -> Result<Predicted, BadInput> {
    let mut selected = choice.selected(barrier)?;
    let (source, told) = match against {
        Against::Machine(machine) => {
            selected = selected.with_barriers()?;
            let (model, told) = of_machine(&selected, machine)?;
            let joint_fits = machine.joint_fits.len();
            (Source::Machine { machine: machine.name.clone(), model: model.to_owned(), joint_fits }, told)
        }
        Against::HeldOut(folds) => {
            selected.job()?;
            let known = selected.barrier()?;
            let found = held_out(&selected.rows(), &selected.benchmark(known.barrier, selected.platform()?), *folds);
            let found = found.map_err(|error| selected.wrong(error))?;
            let each = found.predicted_us.into_iter().zip(found.true_us);
            let told = each.map(|(printed, truth)| Told { printed: vec![printed], truth: vec![truth] }).collect();
            (Source::HeldOut { folds: *folds }, told)
        }
    };
    Ok(beside(&selected, source, &told))
}

impl Selected {
    /// Removes the rows whose barrier is unknown, since nothing can be predicted of them.
    pub(super) fn with_barriers(mut self) -> Result<Selected, BadInput> {
        let before = self.taken.len();
        self.taken.retain(|one| one.row.barrier.is_some());
        let rows = before - self.taken.len();
        if rows > 0 {
            let reason = "the barrier between the calls is not known; give it: --barrier NAME".to_owned();
            self.left_out.push(LeftOut { reason, rows });
        }
        self.checked()
    }
}

/// Predicts each number on a machine, in their order; returns the name of its model, too.
pub(super) fn of_machine(selected: &Selected, machine: &Machine) -> Result<(&'static str, Vec<Told>), BadInput> {
    let model = machine.best_network(Bound::Best).name();
    let platform = |(machine, bound): (Machine, Bound)| {
        machine.platform(model, bound).map_err(|message| BadInput(format!("--machine: {message}")))
    };
    let platforms = machine.sets().into_iter().map(platform).collect::<Result<Vec<Platform>, _>>()?;
    let mut told: Vec<(usize, Told)> = Vec::new();
    let mut points = Points::new(PREDICTION, (2 * platforms.len() * selected.taken.len()) as u64, 0, selected.quiet);
    let alike = |(place, one): (usize, &Taken)| {
        let barrier = one.row.barrier.as_ref()?.barrier;
        Some(((barrier, one.platform(selected.platform.as_deref())), place))
    };
    for ((barrier, known), places) in grouped(selected.taken.iter().enumerate().filter_map(alike)) {
        let rows: Vec<Printed> = places.iter().map(|&place| selected.taken[place].printed.clone()).collect();
        let of_group = predicted(&selected.benchmark(barrier, known), &platforms, &rows, &mut points);
        told.extend(places.into_iter().zip(of_group.map_err(|error| selected.wrong(error))?));
    }
    points.finish();
    told.sort_by_key(|(place, _)| *place);
    Ok((model, told.into_iter().map(|(_, told)| told).collect()))
}

/// Predicts numbers on each platform.
fn predicted(
    benchmark: &Benchmark,
    platforms: &[Platform],
    rows: &[Printed],
    points: &mut Points,
) -> Result<Vec<Told>, FitError> {
    let mut told: Vec<Told> = rows.iter().map(|_| Told { printed: Vec::new(), truth: Vec::new() }).collect();
    for platform in platforms {
        let printed = benchmark.prints_on(platform, rows)?;
        points.steps(rows.len() as u64);
        let truths = benchmark.truths_on(platform, rows)?;
        points.steps(rows.len() as u64);
        for (told, (printed, truth)) in told.iter_mut().zip(printed.into_iter().zip(truths)) {
            told.printed.push(printed);
            told.truth.push(truth);
        }
    }
    Ok(told)
}

fn beside(selected: &Selected, source: Source, told: &[Told]) -> Predicted {
    let rows = selected.rows();
    Predicted {
        printed: agreement(told.iter().map(|told| told.printed[0]).collect(), &rows),
        truth: agreement(told.iter().map(|told| told.truth[0]).collect(), &rows),
        rows: selected.taken.iter().zip(told).map(row).collect(),
        left_out: selected.left_out.clone(),
        source,
    }
}

/// Returns how well these times, in µs, agree with printed numbers.
pub(super) fn agreement(us: Vec<f64>, rows: &[Printed]) -> Agreement {
    let Ranking { pairs, in_order, tau } = Ranking::compute(&us, rows, APART);
    let errors = Errors::compute(&us, rows);
    let share = |of: fn(&Errors) -> f64| errors.as_ref().map_or(f64::NAN, |errors| fit::share(of(errors)));
    let (median_error, p90_error) = (share(|errors| errors.median), share(|errors| errors.p90));
    Agreement { numbers: rows.len(), median_error, p90_error, pairs, in_order, tau }
}

fn row((one, told): (&Taken, &Told)) -> AgreementRow {
    let Taken { printed, row } = one;
    AgreementRow {
        system: row.system.clone(),
        job: row.run.clone(),
        ranks: one.ranks(),
        operation: printed.algorithm.collective,
        algorithm: printed.algorithm.name.to_owned(),
        published_algorithm: printed.name.clone(),
        bytes: printed.shape.bytes,
        barrier: row.barrier.as_ref().map(|known| known.barrier.to_string()).unwrap_or_default(),
        barrier_grounds: row.barrier.as_ref().map(|known| known.grounds.to_string()).unwrap_or_default(),
        printed_us: printed.us,
        predicted_us: ranged(&told.printed),
        error: told.printed[0] / printed.us - 1.0,
        true_us: ranged(&told.truth),
    }
}
