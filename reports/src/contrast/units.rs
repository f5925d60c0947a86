//! What of two cases' samples is independent, so that a test may count it: launches.

use super::quantity::Quantity;
use super::side::{Round, Sampled};
use scenario::axis::Axis;
use statistics::median;

models::named! {
    /// What one number of a comparison is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Unit {
        /// The median of a launch; the launches of the two sides ran apart.
        Launches => "launches",
        /// The median of a launch; launch by launch, both sides ran in the same round.
        Rounds => "rounds",
        /// The median of the only launch of a side: what varies from launch to launch is not known, and nothing is tested.
        OneLaunch => "one-launch",
        /// One number with an interval that the benchmark printed.
        Intervals => "intervals",
    }
    /// The name used in files.
    fn name;
}

/// The numbers that are compared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Units {
    /// What one of them is.
    pub unit: Unit,
    /// What both sides' numbers are.
    pub quantity: Quantity,
    /// The first side's.
    pub a: Vec<f64>,
    /// The second side's; of rounds, in the same order.
    pub b: Vec<f64>,
}

/// The medians of both sides' launches; the same for (b, a), the other way round. They are paired where both sides have the
/// same rounds of the same campaign, or where the launches of the two sides took turns: `in_turn` then has the rounds of
/// all launches of either side, the first of each being a pair, then the second, … Of a state of the machine pairs are what
/// was met in it on both sides.
///
/// # Errors
/// Says so where launches that took turns are not as many on both sides.
pub(super) fn units(a: &Sampled, b: &Sampled, in_turn: Option<[&[Round]; 2]>) -> Result<Units, String> {
    let medians = |case: &Sampled| case.launches.iter().filter_map(|launch| median(launch)).collect::<Vec<f64>>();
    let (of_a, of_b) = (medians(a), medians(b));
    let unit = |unit, of_a, of_b| Ok(Units { unit, quantity: a.quantity, a: of_a, b: of_b });
    let rounds = |pairs: Vec<(usize, usize)>| {
        let (of_a, of_b) = pairs.into_iter().map(|(i, j)| (of_a[i], of_b[j])).unzip();
        unit(Unit::Rounds, of_a, of_b)
    };
    if a.estimate.is_some() || b.estimate.is_some() {
        return unit(Unit::Intervals, of_a, of_b);
    }
    if of_a.len() < 2 || of_b.len() < 2 {
        return unit(Unit::OneLaunch, of_a, of_b);
    }
    match in_turn {
        Some(turns) if a.key.get(Axis::State).is_some() => match same_turns(a, b, turns) {
            pairs if pairs.len() > 1 => rounds(pairs),
            _ => unit(Unit::OneLaunch, of_a, of_b),
        },
        Some(_) if of_a.len() == of_b.len() => unit(Unit::Rounds, of_a, of_b),
        Some(_) => {
            let (m, n) = (of_a.len(), of_b.len());
            Err(format!("--paired: {} has {m} launches on one side and {n} on the other", a.key))
        }
        None => match shared_rounds(a, b) {
            Some(pairs) => rounds(pairs),
            None => unit(Unit::Launches, of_a, of_b),
        },
    }
}

/// Where the launches of the same turn stand on either side.
fn same_turns(a: &Sampled, b: &Sampled, [of_a, of_b]: [&[Round]; 2]) -> Vec<(usize, usize)> {
    let turns = of_a.iter().zip(of_b);
    let place = |case: &Sampled, round| case.rounds.iter().position(|one| one == round);
    turns.filter_map(|(of_a, of_b)| Some((place(a, of_a)?, place(b, of_b)?))).collect()
}

/// Where the rounds that both sides have stand on either side; none if there are fewer than two or a launch has no round.
fn shared_rounds(a: &Sampled, b: &Sampled) -> Option<Vec<(usize, usize)>> {
    let known = |case: &Sampled| case.rounds.len() == case.launches.len();
    let on_b = |round| b.rounds.iter().position(|other| other == round);
    let shared = a.rounds.iter().enumerate().filter_map(|(i, round)| Some((i, on_b(round)?)));
    let mut shared: Vec<(usize, usize)> = shared.collect();
    shared.sort_by_key(|&(i, _)| &a.rounds[i]);
    (known(a) && known(b) && shared.len() > 1).then_some(shared)
}
