//! The bytes that ranks put into a checked call, and the bytes that it makes of them: every value can be worked out
//! from its place alone.

use models::call::{Call, Content, Element, Held, Places, Reduction, composed};
use models::collective::{Collective, Shape};

pub(super) struct Values<'a> {
    combines: bool,
    call: &'a Call,
    shape: &'a Shape,
    members: &'a [u32],
}

impl<'a> Values<'a> {
    /// Values of a call on the communicator whose members `places` lists.
    pub(super) fn new(collective: Collective, call: &'a Call, shape: &'a Shape, places: &'a Places) -> Values<'a> {
        Values { combines: collective.combines(), call, shape, members: &places.members }
    }

    /// Returns the travelling bytes of some units.
    pub(super) fn bytes(&self, held: &Held, payload: u64) -> Vec<u8> {
        let length = held.units * payload;
        match &held.content {
            Content::Moved { of, to } => {
                let (of, to) = (self.members[*of as usize], to.map_or(0, |to| self.members[to as usize] + 1));
                (0..length).map(|at| pattern(of, at + 17 * u64::from(to))).collect()
            }
            Content::Combined { of, from } => {
                debug_assert!(self.combines, "only reductions combine");
                let members = &self.members[of.start as usize..of.end as usize];
                let first = from * payload;
                match self.call.reduction {
                    Reduction::Sum | Reduction::Max | Reduction::Min => self.numbers(members, first, length),
                    Reduction::User => self.folded(members, first, length, |first, second| first ^ second),
                    Reduction::UserOrdered => self.folded(members, first, length, composed),
                }
            }
        }
    }

    fn folded(&self, members: &[u32], first: u64, length: u64, combine: impl Fn(u8, u8) -> u8) -> Vec<u8> {
        let one = |rank: u32, at: u64| pattern(rank, at);
        let all = |at: u64| members.iter().map(|&rank| one(rank, at)).reduce(&combine).unwrap_or(0);
        (first..first + length).map(all).collect()
    }

    /// Sums and extremes of numbers that every element holds exactly.
    fn numbers(&self, members: &[u32], first: u64, length: u64) -> Vec<u8> {
        let element = self.call.element;
        let one = |index: u64| {
            let numbers = members.iter().map(|&rank| self.number(rank, index));
            let result = match self.call.reduction {
                Reduction::Max => numbers.max(),
                Reduction::Min => numbers.min(),
                Reduction::Sum | Reduction::User | Reduction::UserOrdered => Some(numbers.sum()),
            };
            stored(element, result.unwrap_or(0))
        };
        (first / element.bytes()..(first + length) / element.bytes()).flat_map(one).collect()
    }

    /// Returns the number that a rank puts in as element `index`.
    fn number(&self, rank: u32, index: u64) -> u32 {
        let number = u32::from(pattern(rank, index));
        match (self.call.element, self.call.reduction) {
            // Open MPI's vectorised sum of bytes saturates (its issue 8045): no sum may pass 255.
            (Element::Byte, Reduction::Sum) => number / self.shape.ranks.min(255),
            // MPICH 4.0.2 takes unsigned bytes for signed ones in extremes: none may pass 127.
            (Element::Byte, Reduction::Max | Reduction::Min) => number & 127,
            _ => number,
        }
    }
}

/// Returns a number in the bytes in which the element stores it.
fn stored(element: Element, number: u32) -> Vec<u8> {
    match element {
        Element::Byte => vec![number as u8],
        Element::Int => number.to_ne_bytes().to_vec(),
        Element::Long => u64::from(number).to_ne_bytes().to_vec(),
        Element::Float => (number as f32).to_ne_bytes().to_vec(),
        Element::Double => f64::from(number).to_ne_bytes().to_vec(),
    }
}

/// Returns a byte that differs between ranks and places. Its upper nibble is odd, so that composition of functions
/// forgets nothing.
fn pattern(rank: u32, at: u64) -> u8 {
    let mixed = u64::from(rank).wrapping_mul(37).wrapping_add(at.wrapping_mul(11)).wrapping_add(at / 251);
    mixed as u8 | 0x10
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::call::Call;
    use models::collective::Shape;

    fn result(call: &Call, collective: Collective, ranks: u32, rank: u32) -> Vec<u8> {
        let shape = Shape::new(ranks, 0, 8);
        let places = call.places(collective, &shape, rank);
        let values = Values::new(collective, call, &shape, &places);
        values.bytes(&places.results[0], call.unit().payload)
    }

    #[test]
    fn sums_extremes_and_our_own_reductions_are_what_they_say() {
        let of = |rank| pattern(rank, 0);
        let first = |reduction| {
            let call = Call { reduction, ..Call::default() };
            result(&call, Collective::Allreduce, 3, 1)[0]
        };
        assert_eq!(first(Reduction::Sum), of(0) / 3 + of(1) / 3 + of(2) / 3);
        let short = |rank| of(rank) & 127;
        assert_eq!(first(Reduction::Max), short(0).max(short(1)).max(short(2)));
        assert_eq!(first(Reduction::Min), short(0).min(short(1)).min(short(2)));
        assert_eq!(first(Reduction::User), of(0) ^ of(1) ^ of(2));
        assert_eq!(first(Reduction::UserOrdered), composed(composed(of(0), of(1)), of(2)));
    }

    #[test]
    fn numbers_are_stored_as_their_element() {
        let call = Call { element: Element::Double, ..Call::default() };
        let sum = u32::from(pattern(0, 0)) + u32::from(pattern(1, 0));
        assert_eq!(result(&call, Collective::Scan, 2, 1), f64::from(sum).to_ne_bytes());
    }

    #[test]
    fn what_is_for_one_rank_is_not_for_another() {
        let call = Call::default();
        assert_ne!(result(&call, Collective::Scatter, 4, 1), result(&call, Collective::Scatter, 4, 2));
    }
}
