//! Places of the operands in Open MPI's reductions: the data that a rank gives stay where the caller has them and are
//! sent from there. The part that comes first is received into the result, or into memory aside on ranks between root
//! and leaves, and the rank's own data are combined into it.
//!
//! Read in the sources of Open MPI 4.1 (`ompi/mca/coll/base/coll_base_reduce.c`).

use super::copies::aside;
use models::collective::{Part, Step, Then};
use std::collections::BTreeMap;

/// Place of a rank's part of the sum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// The memory into which received data were combined so far.
    Combined,
    /// The memory of the result.
    Result,
}

/// Memory of one rank.
struct Operands {
    is_root: bool,
    /// Places of the parts that were received, by their first byte; the caller's memory holds the others.
    kept: BTreeMap<u64, Kept>,
}

impl Operands {
    fn combined(&self, part: Part) -> Part {
        if self.is_root { part } else { aside(part) }
    }

    /// Returns the place from which a part is sent.
    fn sent(&self, part: Part) -> Part {
        match self.kept.get(&part.offset) {
            None => Part::beside(part.offset, part.bytes),
            Some(Kept::Combined) => self.combined(part),
            Some(Kept::Result) => part,
        }
    }

    /// Returns the place into which a part is received, its treatment, and the step that follows.
    fn received(&mut self, part: Part, then: Then) -> (Part, Then, Option<Step>) {
        if then == Then::Store {
            self.kept.insert(part.offset, Kept::Result);
            return (part, then, None);
        }
        let to = self.combined(part);
        let is_first = self.kept.insert(part.offset, Kept::Combined).is_none();
        let given = Step::Local { from: Part::beside(part.offset, part.bytes), to, then: Then::Combine };
        if is_first { (to, Then::Store, Some(given)) } else { (to, then, None) }
    }
}

/// Returns the steps of such a reduction with all operands where this library has them.
pub(super) fn steps(plain: impl Iterator<Item = Step>, is_root: bool) -> Vec<Step> {
    let mut operands = Operands { is_root, kept: BTreeMap::new() };
    let mut made = Vec::new();
    for step in plain {
        match step {
            Step::Send { to, part } => made.push(Step::Send { to, part: operands.sent(part) }),
            Step::Receive { from, part, then } => {
                let (part, then, given) = operands.received(part, then);
                made.push(Step::Receive { from, part, then });
                made.extend(given);
            }
            Step::Exchange { to, sent, from, received, then } => {
                let sent = operands.sent(sent);
                let (received, then, given) = operands.received(received, then);
                made.push(Step::Exchange { to, sent, from, received, then });
                made.extend(given);
            }
            Step::Post { .. } | Step::Start { .. } | Step::WaitAll | Step::Local { .. } => made.push(step),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::collective::{Algorithm, Collective, Shape};

    fn made(collective: Collective, name: &str, [ranks, rank]: [u32; 2]) -> Vec<Step> {
        let shape = Shape::new(ranks, 0, 64);
        steps(Algorithm::find(collective, name).expect("known").steps(&shape, rank), rank == 0)
    }

    const WHOLE: Part = Part::range(0, 64);
    const GIVEN: Part = Part::beside(0, 64);

    #[test]
    fn the_root_combines_what_it_gives_into_what_came_first_and_what_comes_then_into_that() {
        let receive = |from, then| Step::Receive { from, part: WHOLE, then };
        let given = Step::Local { from: GIVEN, to: WHOLE, then: Then::Combine };
        let made = |ranks| made(Collective::Reduce, "linear", [ranks, 0]);
        assert_eq!(made(2), [receive(1, Then::Store), given]);
        let three = made(3);
        let plain: Vec<u32> = three.iter().filter_map(|step| Some(step.received()?.0)).collect();
        assert_eq!(three, [receive(plain[0], Then::Store), given, receive(plain[1], Then::Combine)]);
    }

    #[test]
    fn leaves_send_what_they_give_and_ranks_between_what_they_have_combined_aside() {
        assert_eq!(made(Collective::Reduce, "binomial", [4, 1]), [Step::Send { to: 0, part: GIVEN }]);
        let between = made(Collective::Reduce, "binomial", [4, 2]);
        let aside = aside(WHOLE);
        let expected = [
            Step::Receive { from: 3, part: aside, then: Then::Store },
            Step::Local { from: GIVEN, to: aside, then: Then::Combine },
            Step::Send { to: 0, part: aside },
        ];
        assert_eq!(between, expected);
    }

    #[test]
    fn the_result_that_is_sent_on_is_what_was_received() {
        let between = made(Collective::Allreduce, "reduce-bcast", [4, 2]);
        let [.., Step::Receive { part: received, then: Then::Store, .. }, Step::Send { part: sent, .. }] = between[..]
        else {
            panic!("{between:?}")
        };
        assert_eq!((received, sent), (WHOLE, WHOLE));
    }
}
