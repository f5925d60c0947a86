//! The state of the machine in which a text was printed, found by the fit of its numbers to the expectations in each
//! state.

use programs::machine::{CoreState, Machine};
use scenario::BadInput;
use statistics::median;
use study::correct::{Corrected, CorrectedRow, Doubt, Expected, Refusal, corrected};

/// A text belongs to a state if the logarithm of its misfit in any other state is at least this many times as large.
const CLEARLY: f64 = 2.0;
/// Smallest number of numbers from which a state is inferred.
const FEWEST: usize = 3;
/// Factor of the median misfit beyond which a text is of none of the states. (76 of 77 texts of OSU and IMB in the one
/// calibrated state were off by 1.03 to 1.24, texts in another state by up to 2.8.)
const NONE: f64 = 1.3;

/// A printed number, with its expectation in each state.
pub(super) struct Prepared {
    pub row: CorrectedRow,
    /// Expectations state by state; a single one where a budget was measured.
    pub expected: Vec<Result<Expected, Refusal>>,
}

/// Returns the states of a machine in which a text may have been printed: all, or the one that the flag names.
///
/// # Errors
/// Fails if the machine was not calibrated in the named state.
pub(super) fn of_machine(machine: &Machine, said: Option<CoreState>) -> Result<Vec<&Machine>, BadInput> {
    let is_said = |state: &&Machine| match (said, state.core_state()) {
        (Some(said), Some(known)) => known.is_like(&said),
        (Some(_), None) | (None, _) => true,
    };
    let found: Vec<&Machine> = machine.states().filter(is_said).collect();
    if let (true, Some(said)) = (found.is_empty(), said) {
        let known: Vec<String> = machine.states().filter_map(|state| Some(state.core_state()?.to_string())).collect();
        let known = known.join(" and ");
        return Err(BadInput(format!(
            "--state {said}: machine {} was calibrated where a cache line takes {known}; expected one of these, \
             or calibrate again",
            machine.name
        )));
    }
    Ok(found)
}

/// Corrects the numbers of one text: by the state whose expectations they fit, else by all states if these agree. Also
/// returns the sentence that names the state, including one that the flag named.
pub(super) fn correct(
    states: &[&Machine],
    said: Option<CoreState>,
    prepared: Vec<Prepared>,
) -> (Vec<CorrectedRow>, Option<String>) {
    let misses: Vec<f64> = (0..states.len()).map(|state| miss(&prepared, state)).collect();
    let numbers = numbers(&prepared, states.len());
    let chosen = clearly(&misses, numbers);
    let is_of_none = numbers >= FEWEST && misses.iter().all(|&miss| miss > NONE);
    let sentence = sentence(states, said, &misses, chosen, &prepared);
    let correct = |prepared: Prepared| {
        let Prepared { mut row, expected } = prepared;
        let Some(printed) = row.reading.printed else { return row };
        let done = expected.into_iter().map(|one| corrected(printed, &one?));
        let mut done: Vec<Result<Corrected, Refusal>> = done.collect();
        if done.is_empty() {
            return row;
        }
        row.corrected = match chosen {
            Some(state) if state < done.len() => done.swap_remove(state),
            Some(_) | None => agreed(states, done),
        };
        if let (true, Ok(done)) = (is_of_none, &mut row.corrected) {
            done.doubts.push(Doubt::OtherState);
        }
        row
    };
    (prepared.into_iter().map(correct).collect(), sentence)
}

/// Returns the number of readings that all states have expectations of.
fn numbers(prepared: &[Prepared], states: usize) -> usize {
    prepared.iter().filter(|one| one.expected.len() == states && one.expected.iter().all(Result::is_ok)).count()
}

/// Returns the median factor between the numbers and their expectations in a state, at least 1.
fn miss(prepared: &[Prepared], state: usize) -> f64 {
    let off = prepared.iter().filter_map(|one| {
        let expected = one.expected.get(state)?.as_ref().ok()?.best().printed_us;
        Some((one.row.reading.printed?.value / expected).ln().abs())
    });
    median(&off.filter(|off| off.is_finite()).collect::<Vec<f64>>()).map_or(f64::INFINITY, f64::exp)
}

/// Returns the state that the numbers fit clearly better than any other.
fn clearly(misses: &[f64], numbers: usize) -> Option<usize> {
    let best = (0..misses.len()).min_by(|&one, &other| misses[one].total_cmp(&misses[other]))?;
    let others = misses.iter().enumerate().filter(|(state, _)| *state != best);
    let is_clear = others.clone().all(|(_, miss)| miss.ln() >= CLEARLY * misses[best].ln());
    (misses.len() == 1 || is_clear && numbers >= FEWEST).then_some(best)
}

/// Returns the widest of the states' corrections, if they agree.
fn agreed(states: &[&Machine], done: Vec<Result<Corrected, Refusal>>) -> Result<Corrected, Refusal> {
    let all: Vec<Corrected> = done.into_iter().collect::<Result<_, _>>()?;
    let holds = |one: &Corrected, other: &Corrected| (one.us.low..=one.us.high).contains(&other.us.value);
    if all.iter().any(|one| all.iter().any(|other| !holds(one, other))) {
        let told = states
            .iter()
            .zip(&all)
            .filter_map(|(state, one)| Some(format!("{}: {:.3} µs", state.core_state()?, one.us.value)));
        return Err(Refusal::StatesDiffer(told.collect::<Vec<_>>().join(", ")));
    }
    let reach = |one: &Corrected| one.us.high - one.us.low;
    let widest = all.into_iter().max_by(|one, other| reach(one).total_cmp(&reach(other)));
    widest.ok_or_else(|| Refusal::NotSimulated("the machine has no state".to_owned()))
}

fn sentence(
    states: &[&Machine],
    said: Option<CoreState>,
    misses: &[f64],
    chosen: Option<usize>,
    prepared: &[Prepared],
) -> Option<String> {
    let file = &prepared.first()?.row.reading.file;
    if states.len() < 2 && said.is_none() {
        return None;
    }
    let told = states.iter().zip(misses).filter(|(_, miss)| miss.is_finite());
    let told: Vec<String> =
        told.filter_map(|(state, miss)| Some(format!("×{miss:.2} in the state of {}", state.core_state()?))).collect();
    if told.is_empty() {
        return None;
    }
    let told = format!("in the median its numbers differ from the expected ones by {}", told.join(", "));
    let said = said.map_or(String::new(), |said| format!(" (--state: {said})"));
    Some(match chosen.and_then(|state| states.get(state)?.core_state()) {
        Some(state) => format!(
            "{file}: corrected as printed in the state of the machine in which a cache line between cores takes {state}{said}: {told}"
        ),
        None => format!(
            "{file}: the machine's state during the benchmark is unknown ({told}; --state sets it): numbers are \
             corrected only where the states agree"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_of_the_state_that_it_fits_clearly_better() {
        assert_eq!(clearly(&[1.05, 2.0], 5), Some(0));
        assert_eq!(clearly(&[3.0, 1.1], 5), Some(1));
        assert_eq!(clearly(&[1.2, 1.3], 5), None, "both fit");
        assert_eq!(clearly(&[1.05, 2.0], 2), None, "too few numbers");
        assert_eq!(clearly(&[2.0], 1), Some(0), "there is no other");
    }
}
