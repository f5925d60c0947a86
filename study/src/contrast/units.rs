//! The independent numbers of two cases, which a test may count: one for each launch.

use super::quantity::Quantity;
use super::side::{Round, Sampled};
use scenario::axis::Axis;
use statistics::median;

models::named! {
    /// Meaning of one number of a comparison.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Unit {
        /// The median of a launch; the launches of the two sides ran separately.
        Launches => "launches",
        /// The median of a launch; each launch of one side ran in the same round as one of the other side.
        Rounds => "rounds",
        /// The median of the only launch of a side: the variation from launch to launch is not known, and nothing is
        /// tested.
        OneLaunch => "one-launch",
        /// One number with an interval that the benchmark printed.
        Intervals => "intervals",
    }
    /// The name used in files.
    fn name;
}

/// The numbers of two cases that are compared.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Units {
    pub unit: Unit,
    pub quantity: Quantity,
    pub a: Vec<f64>,
    /// Numbers of the second side; in the order of `a` where they are of the same rounds.
    pub b: Vec<f64>,
}

/// Returns the medians of both sides' launches; exchanged sides give exchanged numbers. The medians are paired where
/// both sides have the same rounds of the same campaign, or where the launches of the two sides took turns: `in_turn`
/// then has the rounds of all launches of either side, the first of each being a pair, then the second, and so on. For
/// a case in one state of the machine, a pair is a turn in which both sides met that state.
///
/// # Errors
/// Fails where the launches took turns and their numbers differ between the sides.
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

/// The places, on either side, of the launches of the same turn.
fn same_turns(a: &Sampled, b: &Sampled, [of_a, of_b]: [&[Round]; 2]) -> Vec<(usize, usize)> {
    let turns = of_a.iter().zip(of_b);
    let place = |case: &Sampled, round| case.rounds.iter().position(|one| one == round);
    turns.filter_map(|(of_a, of_b)| Some((place(a, of_a)?, place(b, of_b)?))).collect()
}

/// The places, on either side, of the rounds that both sides have; `None` if there are fewer than two of them or if a
/// launch has no round.
fn shared_rounds(a: &Sampled, b: &Sampled) -> Option<Vec<(usize, usize)>> {
    let known = |case: &Sampled| case.rounds.len() == case.launches.len();
    let on_b = |round| b.rounds.iter().position(|other| other == round);
    let shared = a.rounds.iter().enumerate().filter_map(|(i, round)| Some((i, on_b(round)?)));
    let mut shared: Vec<(usize, usize)> = shared.collect();
    shared.sort_by_key(|&(i, _)| &a.rounds[i]);
    (known(a) && known(b) && shared.len() > 1).then_some(shared)
}
