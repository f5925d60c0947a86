//! Checks whether one of the library's calls, in whatever form, does to real bytes what its operation demands: results
//! are right, inputs are as they were, and nothing is touched between units or behind them.

use super::values::Values;
use crate::clock::ClockSource;
use crate::rank::{Carriage, RealRank};
use models::call::{Area, Call, Held, Places, Unit};
use models::collective::{Collective, Shape};
use programs::observation::Implementation;
use programs::rank::Rank;

/// Content of memory to which nothing has been written.
const UNTOUCHED: u8 = 0xA5;

/// One call that is checked.
pub(super) struct CheckedCall<'a> {
    pub collective: Collective,
    pub call: &'a Call,
    pub shape: &'a Shape,
    /// Implementation that is called: the library's choice, an algorithm that it is made to use, or queues in shared
    /// memory.
    pub by: &'a Implementation,
}

impl CheckedCall<'_> {
    /// Fills this rank's buffer, makes the call twice (as timed loops do) and compares every byte each time. Called by
    /// all ranks together.
    ///
    /// # Errors
    ///
    /// Says why the call cannot be made, which every rank says alike, or what is wrong in the buffer of this rank.
    pub(super) async fn make<C: ClockSource, N: Carriage>(
        &self,
        rank: &RealRank<'_, C, N>,
    ) -> Result<Result<(), String>, String> {
        self.call.accepts(self.collective, self.shape)?;
        let of_library = |forced| rank.prepare_call(self.collective, self.call, self.shape, forced);
        let number = match self.by {
            Implementation::Shared(queued) => rank.prepare_shared(queued, self.call, self.shape)?,
            Implementation::Forced(name) => of_library(Some(name))?,
            Implementation::Library | Implementation::Tuned(_) | Implementation::Own(_) => of_library(None)?,
        };
        let memory = Memory::for_call(self, rank.id);
        let mut found = Ok(());
        for _ in 0..2 {
            rank.buffer.store(&memory.before);
            rank.call_prepared(number).await;
            found = found.and(memory.compare(&rank.buffer.content(memory.expected.len() as u64)));
        }
        rank.forget_calls();
        Ok(found.map_err(|wrong| self.explain(rank.id, &wrong)))
    }

    fn explain(&self, rank: u32, wrong: &str) -> String {
        let Shape { ranks, root, bytes, counts, .. } = self.shape;
        let counts = counts.map(|counts| format!(", counts {counts:?}")).unwrap_or_default();
        let variant = self.call.variant();
        let variant = if variant.is_empty() { variant } else { format!(", {variant}") };
        let by = match self.by {
            Implementation::Shared(queued) => format!(", through {queued}"),
            Implementation::Forced(name) => format!(", made to use {name}"),
            Implementation::Tuned(name) => format!(", tuned by {name}"),
            Implementation::Library | Implementation::Own(_) => String::new(),
        };
        let name = self.call.name(self.collective);
        format!("{name} of {bytes} B on {ranks} ranks (root {root}{counts}{variant}{by}): on rank {rank} {wrong}")
    }
}

/// Content of a rank's buffer before a call, and the content that it must have afterwards.
struct Memory {
    before: Vec<u8>,
    expected: Vec<u8>,
    /// Bytes of which nothing is demanded, because MPI leaves them undefined.
    free: Vec<bool>,
}

impl Memory {
    fn for_call(checked: &CheckedCall, rank: u32) -> Memory {
        let (collective, call, shape) = (checked.collective, checked.call, checked.shape);
        let places = call.places(collective, shape, rank);
        let unit = call.unit();
        let areas = Areas { received: call.received_at(&places), unit: &unit };
        let length = areas.received + places.received_units * unit.extent;
        let values = Values::new(collective, call, shape, &places);
        let mut memory = Memory {
            before: vec![UNTOUCHED; length as usize],
            expected: Vec::new(),
            free: vec![false; length as usize],
        };
        for input in &places.inputs {
            areas.write(input, &values, &mut memory.before);
        }
        memory.expected = memory.before.clone();
        memory.leave_undefined(&areas, &places);
        for result in &places.results {
            areas.write(result, &values, &mut memory.expected);
            areas.for_each(result, |at, _| memory.free[at] = false);
        }
        memory
    }

    /// Frees the area of received units. Results in it are demanded again afterwards.
    fn leave_undefined(&mut self, areas: &Areas, places: &Places) {
        let content = models::call::Content::Moved { of: 0, to: None };
        let everything = Held { area: Area::Received, at: 0, units: places.received_units, content };
        areas.for_each(&everything, |at, _| self.free[at] = true);
    }

    fn compare(&self, bytes: &[u8]) -> Result<(), String> {
        for (at, (found, expected)) in bytes.iter().zip(&self.expected).enumerate() {
            if found != expected && !self.free[at] {
                let was = self.before[at];
                return Err(format!("byte {at} is {found}, expected {expected} (before the call it was {was})"));
            }
        }
        Ok(())
    }
}

/// Positions of the units of both areas in the buffer.
struct Areas<'a> {
    received: u64,
    unit: &'a Unit,
}

impl Areas<'_> {
    /// Calls `act` for every byte of `held` that travels, with its position in the buffer and its number among them.
    fn for_each(&self, held: &Held, mut act: impl FnMut(usize, u64)) {
        let begin = match held.area {
            Area::Sent => 0,
            Area::Received => self.received,
        };
        let Unit { payload, .. } = self.unit;
        let pieces = self.unit.pieces(held.at * payload, held.units * payload);
        let bytes = pieces.flat_map(|(at, length)| begin + at..begin + at + length);
        bytes.zip(0..).for_each(|(at, number)| act(at as usize, number));
    }

    fn write(&self, held: &Held, values: &Values, memory: &mut [u8]) {
        let content = values.bytes(held, self.unit.payload);
        self.for_each(held, |at, number| memory[at] = content[number as usize]);
    }
}
