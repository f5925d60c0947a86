//! The library's calls that a check makes: every name, and each of its variations by itself, then some together.

use super::uneven_counts;
use models::call::{Call, Communicator, Element, Layout, LengthForm, Reduction, known_names};
use models::collective::{Collective, Counts, Shape};

/// Call that a check makes, with its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Collective that is called.
    pub collective: Collective,
    /// Form of the call.
    pub call: Call,
    /// Shape of the call: ranks, root, lengths.
    pub shape: Shape,
}

/// Lengths of a block, in units: nothing, within and beyond the libraries' eager limits.
const UNITS: [u64; 3] = [0, 3, 2_500];

/// Returns the calls of these operations, or of all if none is named, that make a difference on `ranks` ranks.
///
/// # Errors
///
/// Names the known operations.
pub fn checked_calls(operations: &[String], ranks: u32) -> Result<Vec<Checked>, String> {
    let names = if operations.is_empty() { known_names() } else { operations.to_vec() };
    let mut all = Vec::new();
    for name in names {
        let (collective, call) = Call::find(&name)?;
        for varied in variations(collective, call) {
            // One length suffices for properties that only say how bytes lie or are combined.
            let lengths = if varied == call || varied.in_place { &UNITS[..] } else { &UNITS[1..2] };
            for shape in shapes(collective, &varied, ranks, lengths) {
                let checked = Checked { collective, call: varied, shape };
                // Properties that exclude each other, such as records of one type, are not checked.
                if varied.accepts(collective, &shape).is_ok() && !all.contains(&checked) {
                    all.push(checked);
                }
            }
        }
    }
    Ok(all)
}

/// Returns the call as it is, then with every other property that it can have, one by one, and with a few at once.
fn variations(collective: Collective, call: Call) -> Vec<Call> {
    let mut all = vec![call];
    let mut add = |change: &dyn Fn(&mut Call)| {
        let mut varied = call;
        change(&mut varied);
        all.push(varied);
    };
    // MPI's own reductions take no derived datatypes.
    let combine = |call: &mut Call| {
        if collective.combines() {
            call.reduction = Reduction::User;
        }
    };
    for communicator in Communicator::ALL {
        add(&|call| call.communicator = communicator);
    }
    for element in Element::ALL {
        add(&|call| call.element = element);
    }
    for layout in Layout::ALL {
        add(&|call| {
            call.layout = layout;
            combine(call);
        });
    }
    for reduction in Reduction::ALL {
        add(&|call| call.reduction = reduction);
    }
    add(&|call| call.in_place = true);
    add(&|call| (call.in_place, call.reduction) = (true, Reduction::UserOrdered));
    add(&|call| {
        (call.communicator, call.element, call.layout) = (Communicator::Reversed, Element::Double, Layout::Indexed);
        combine(call);
    });
    add(&|call| (call.communicator, call.reduction) = (Communicator::Reversed, Reduction::UserOrdered));
    add(&|call| {
        (call.communicator, call.layout, call.in_place) = (Communicator::Halves, Layout::Struct, true);
        combine(call);
    });
    add(&|call| (call.element, call.reduction) = (Element::Float, Reduction::Max));
    all
}

/// Returns shapes of several lengths and roots, with uneven counts where the form has counts.
fn shapes(collective: Collective, call: &Call, ranks: u32, lengths: &[u64]) -> Vec<Shape> {
    let payload = call.unit().payload;
    let lengths = if collective == Collective::Barrier { &[0] } else { lengths };
    let roots = if collective.is_rooted() { vec![0, ranks - 1] } else { vec![0] };
    let mut all = Vec::new();
    for &units in lengths {
        for &root in &roots {
            let even = Shape::new(ranks, root, units * payload);
            all.push(even);
            if call.form != LengthForm::Regular {
                let counts: Vec<u64> = uneven_counts(ranks, units).lengths().map(|length| length * payload).collect();
                let counts = Counts::new(&counts).expect("there are ranks, and few bytes");
                all.push(Shape { counts: Some(counts), ..even });
            }
        }
    }
    all
}

/// Returns the length of the buffer that these calls need, in bytes.
pub fn bytes_for(calls: &[Checked]) -> u64 {
    calls.iter().map(|checked| checked.call.buffer_bytes(checked.collective, &checked.shape)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_every_choice_is_checked() {
        let all = checked_calls(&[], 4).unwrap();
        for name in known_names() {
            let of_name = || all.iter().filter(|checked| checked.call.name(checked.collective) == name);
            assert!(of_name().count() >= 2, "{name}");
            if of_name().next().is_some_and(|checked| checked.call.form != LengthForm::Regular) {
                assert!(of_name().any(|checked| checked.shape.counts.is_some()), "{name}");
            }
        }
        let some = |what: &dyn Fn(&Call) -> bool| all.iter().any(|checked| what(&checked.call));
        assert!(Communicator::ALL.iter().all(|&one| some(&|call| call.communicator == one)));
        assert!(Element::ALL.iter().all(|&one| some(&|call| call.element == one)));
        assert!(Layout::ALL.iter().all(|&one| some(&|call| call.layout == one)));
        assert!(Reduction::ALL.iter().all(|&one| some(&|call| call.reduction == one)));
        assert!(some(&|call| call.in_place));
    }

    #[test]
    fn an_unknown_operation_is_refused_with_the_known_ones() {
        insta::assert_snapshot!(checked_calls(&["gatherw".to_owned()], 4).unwrap_err());
    }

    /// Nobody reads or writes beyond the buffer that is asked for.
    #[test]
    fn every_rank_s_places_fit_the_buffer() {
        for ranks in [2, 3, 4, 7] {
            for Checked { collective, call, shape } in checked_calls(&[], ranks).unwrap() {
                let extent = call.unit().extent;
                for rank in 0..ranks {
                    let places = call.places(collective, &shape, rank);
                    let needed = call.received_at(&places) + places.received_units * extent;
                    assert!(needed <= call.buffer_bytes(collective, &shape), "{call:?} {shape:?}");
                    for held in places.inputs.iter().chain(&places.results) {
                        let room = match held.area {
                            models::call::Area::Sent => places.sent_units,
                            models::call::Area::Received => places.received_units,
                        };
                        assert!(held.at + held.units <= room, "{collective} {call:?} {shape:?} rank {rank}: {held:?}");
                    }
                }
            }
        }
    }
}
