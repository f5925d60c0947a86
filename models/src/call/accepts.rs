//! Checks of a call and its shape, made before anything is started.

use super::name::forms;
use super::{Call, Communicator, Element, Layout, LengthForm, Reach, Reduction};
use crate::collective::{Collective, Shape};
use crate::limits::LONGEST_BUFFER;

impl Call {
    /// Checks that this call exists for this collective, and can be made with this shape.
    ///
    /// # Errors
    /// Says what does not go together, and what to ask for instead.
    pub fn accepts(&self, collective: Collective, shape: &Shape) -> Result<(), String> {
        self.exists(collective)?;
        self.combines(collective)?;
        if self.in_place && (self.reach == Reach::Neighbours || !can_be_in_place(collective)) {
            let why = match collective {
                Collective::Bcast => "is always in place",
                Collective::Barrier => "transfers no data",
                _ => "cannot be in place: what is sent and what is received differ (MPI-3.1, section 7.6)",
            };
            return Err(format!("{} {why}; leave in-place out", self.name(collective)));
        }
        if collective == Collective::Barrier && (self.element, self.layout) != <(Element, Layout)>::default() {
            return Err("a barrier transfers no data: leave elements and layouts out".to_owned());
        }
        if self.layout == Layout::Struct && self.element != Element::default() {
            return Err("records have fields of their own types: leave the element out".to_owned());
        }
        self.fits(collective, shape)
    }

    fn exists(&self, collective: Collective) -> Result<(), String> {
        if !forms(collective, self.reach).contains(&self.form) {
            return Err(format!(
                "MPI has no call '{}'; known: {}",
                self.name(collective),
                super::known_names().join(", ")
            ));
        }
        if self.reach == Reach::Neighbours && !self.communicator.has_neighbours() {
            return Err(format!(
                "{} needs neighbours: expected communicator cartesian or graph, found {}",
                self.name(collective),
                self.communicator.name()
            ));
        }
        Ok(())
    }

    fn combines(&self, collective: Collective) -> Result<(), String> {
        if self.reduction != Reduction::default() && !collective.combines() {
            return Err(format!("{} combines nothing: leave the reduction out", self.name(collective)));
        }
        let own = matches!(self.reduction, Reduction::User | Reduction::UserOrdered);
        if collective.combines() && self.layout != Layout::Contiguous && !own {
            return Err(format!(
                "MPI's own reductions take no derived datatypes (MPI-3.1, section 5.9.2): with layout {} expected \
                 reduction user or user-ordered, found {}",
                self.layout.name(),
                self.reduction.name()
            ));
        }
        Ok(())
    }

    /// Checks that blocks are whole units, that counts are one per rank, and that lengths are within what MPI counts.
    fn fits(&self, collective: Collective, shape: &Shape) -> Result<(), String> {
        if shape.ranks == 0 || shape.root >= shape.ranks {
            return Err(format!("expected a root below the number of ranks; found {} of {}", shape.root, shape.ranks));
        }
        if let Some(counts) = shape.counts {
            if self.form == LengthForm::Regular {
                let takes: Vec<_> =
                    forms(collective, self.reach).iter().filter(|form| **form != LengthForm::Regular).collect();
                let cure = match takes.first() {
                    Some(form) => format!("expected {}", Call { form: **form, ..*self }.name(collective)),
                    None => "leave the counts out".to_owned(),
                };
                return Err(format!("{} takes no counts per rank; {cure}", self.name(collective)));
            }
            if counts.len() != shape.ranks {
                return Err(format!("expected one count for each of {} ranks; found {}", shape.ranks, counts.len()));
            }
        }
        let unit = self.unit();
        let blocks = if shape.counts.is_some() { shape.ranks } else { 1 };
        let odd = (0..blocks).map(|block| shape.block_bytes(block)).find(|bytes| bytes % unit.payload != 0);
        if let Some(bytes) = odd.filter(|_| collective != Collective::Barrier) {
            let whole = bytes.next_multiple_of(unit.payload);
            return Err(format!(
                "{bytes} B are no whole number of units of {} B ({} {}); take {whole} B",
                unit.payload,
                self.layout.name(),
                if self.layout == Layout::Struct { "record" } else { self.element.name() }
            ));
        }
        if self.buffer_bytes(collective, shape) > LONGEST_BUFFER {
            return Err(format!(
                "{} of {} B on {} ranks needs {} B on a rank, more than MPI's counts reach (2 GiB); take less",
                self.name(collective),
                shape.bytes,
                shape.ranks,
                self.buffer_bytes(collective, shape)
            ));
        }
        if self.communicator == Communicator::Halves && shape.ranks < 2 {
            return Err("one rank has no halves; expected at least 2 ranks".to_owned());
        }
        Ok(())
    }
}

/// Returns true if the standard lets `MPI_IN_PLACE` stand for what is sent, or for a scatter's root what is received.
fn can_be_in_place(collective: Collective) -> bool {
    !matches!(collective, Collective::Bcast | Collective::Barrier)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::Counts;

    fn refusal(name: &str, change: impl Fn(&mut Call), bytes: u64) -> String {
        let (collective, mut call) = Call::find(name).unwrap();
        change(&mut call);
        call.accepts(collective, &Shape::new(4, 0, bytes)).expect_err("it is refused")
    }

    #[test]
    fn every_known_call_is_accepted_as_it_is() {
        for name in super::super::known_names() {
            let (collective, call) = Call::find(&name).unwrap();
            assert_eq!(call.accepts(collective, &Shape::new(4, 0, 64)), Ok(()), "{name}");
        }
    }

    #[test]
    fn what_does_not_go_together_is_said_with_its_cure() {
        let in_place = |call: &mut Call| call.in_place = true;
        let records = |call: &mut Call| (call.layout, call.element) = (Layout::Struct, Element::Int);
        let said = [
            refusal("bcast", in_place, 8),
            refusal("ineighbor-alltoallw", in_place, 8),
            refusal("gather", |call| call.form = LengthForm::Wide, 8),
            refusal("allgather", |call| call.reach = Reach::Neighbours, 8),
            refusal("gather", |call| call.reduction = Reduction::Max, 8),
            refusal("reduce", |call| call.layout = Layout::Vector, 16),
            refusal("bcast", |call| call.element = Element::Double, 12),
            refusal("bcast", records, 32),
        ];
        insta::assert_snapshot!(said.join("\n"));
        assert!(
            refusal("allgather", |_| {}, 1 << 30).contains("2 GiB")
                || refusal("iallgather", |_| {}, 1 << 30).contains("2 GiB")
        );
    }

    #[test]
    fn counts_are_for_the_forms_that_take_them() {
        let shape = Shape { counts: Some(Counts::new(&[1, 2]).unwrap()), ..Shape::new(2, 0, 2) };
        let (collective, call) = Call::find("ialltoall").unwrap();
        let narrow = call.accepts(collective, &shape).unwrap_err();
        let (collective, call) = Call::find("ialltoallw").unwrap();
        assert_eq!(call.accepts(collective, &shape), Ok(()));
        let short = call.accepts(collective, &Shape { ranks: 3, ..shape }).unwrap_err();
        insta::assert_snapshot!([narrow, short].join("\n"));
    }
}
