//! Configurations whose numbers a budget is made of, and the use of each number.
//!
//! Three things are switched on real ranks: how calls start and follow each other, the buffers, the root. They are a
//! full factorial: every combination of two is a cell, and so is that of all. Behind them comes one delay, whose skew a
//! start can keep only once there is a barrier that starts calls. What is made of the times (aggregation, the first
//! call, the clock) comes behind it in a fixed order: it is computed from the same samples, and switches nothing. A
//! loop leaves no room to rewrite buffers between its calls: where a benchmark loops and the reference does not use its
//! buffers as they are, the buffers are switched before the calls are.

use super::{Clocks, Configuration, Repeats, SystematicError};
use SystematicError::{
    BadClock, BarrierInside, BarrierSkew, BufferReuse, IdleGap, KeptSkew, LateInitialisation, OneRank,
};
use SystematicError::{RootChanges, UnsynchronisedLoop};

/// Errors that are switched together, and have one bar.
type BarErrors = Vec<SystematicError>;

/// Numbers that a budget needs, and their way to bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// Configurations whose numbers are needed, each once: the budget begins with the first and ends with the last.
    pub cells: Vec<Configuration>,
    /// Parts that are switched one after the other before all else.
    before: Vec<BarErrors>,
    /// Parts that are switched in all combinations.
    switches: Vec<BarErrors>,
    /// Parts that follow one after the other.
    after: Vec<BarErrors>,
    /// Cells of the combinations, by the bits of their switches.
    combined: Vec<(usize, usize)>,
}

impl Design {
    /// Returns the design of a budget.
    pub fn between(from: &Configuration, to: &Configuration) -> Design {
        let differ = Configuration::differences(from, to);
        let part = |errors: &[SystematicError]| -> Option<BarErrors> {
            let part: BarErrors = differ.iter().copied().filter(|error| errors.contains(error)).collect();
            (!part.is_empty()).then_some(part)
        };
        // Another synchronisation is another way to start: it cannot be computed from the same samples.
        let starts = [BarrierSkew, UnsynchronisedLoop, IdleGap, BarrierInside, BadClock];
        let synchronises = [from, to].iter().any(|one| matches!(one.clocks, Clocks::AsTheyAre { sync: Some(_) }));
        let start = part(if synchronises { &starts } else { &starts[..4] });
        let clock = part(&[BadClock]).filter(|_| !synchronises);
        let buffer = part(&[BufferReuse]);
        let one_by_one = |configuration: &Configuration| configuration.repeats == Repeats::Apart;
        let prepared = from.buffer.is_prepared() || to.buffer.is_prepared();
        let (mut before, mut switches, mut after) = (Vec::new(), Vec::new(), Vec::new());
        switches.extend(start);
        if prepared && !one_by_one(to) {
            before.extend(buffer);
        } else if prepared && !one_by_one(from) {
            after.extend(buffer);
        } else {
            switches.extend(buffer);
        }
        switches.extend(part(&[RootChanges]));
        after.extend([part(&[KeptSkew]), part(&[OneRank]), part(&[LateInitialisation]), clock].into_iter().flatten());
        Design { before, switches, after, cells: vec![from.clone()], combined: Vec::new() }.filled(to)
    }

    fn filled(mut self, to: &Configuration) -> Design {
        let mut last = self.cells[0].clone();
        for part in &self.before {
            last = last.with_all(part, to);
            self.cells.push(last.clone());
        }
        self.combined.push((0, self.cells.len() - 1));
        let all = (1 << self.switches.len()) - 1;
        let wanted = |bits: &usize| bits.count_ones() <= 2 || *bits == all;
        for bits in (1..=all).filter(wanted) {
            let on = self.switches.iter().enumerate().filter(|(index, _)| bits & (1 << index) != 0);
            let errors: BarErrors = on.flat_map(|(_, part)| part.iter().copied()).collect();
            self.cells.push(last.with_all(&errors, to));
            self.combined.push((bits, self.cells.len() - 1));
        }
        let mut last = self.cells[self.cells.len() - 1].clone();
        for part in &self.after {
            last = last.with_all(part, to);
            self.cells.push(last.clone());
        }
        if self.cells.len() > 1
            && let Some(end) = self.cells.last_mut()
        {
            end.name.clone_from(&to.name);
        }
        self
    }

    /// Returns the errors of each bar, in the order of bars: switched errors first, then computed ones.
    pub fn errors(&self) -> Vec<BarErrors> {
        [&self.before[..], &self.switches, &self.after].concat()
    }

    /// Returns the effect of each bar, in the order of [`Design::errors`], and the remainder, from one value for each
    /// cell: the sum of all is the last value less the first. Two switches share their joint effect half and half;
    /// joint effects of three and more are in the remainder. Linear in the values, which are logarithms of times as a
    /// rule. `None` unless there is one value for each cell.
    pub fn effects(&self, values: &[f64]) -> Option<(Vec<f64>, f64)> {
        if values.len() != self.cells.len() {
            return None;
        }
        let step = |index: usize| values[index + 1] - values[index];
        let mut effects: Vec<f64> = (0..self.before.len()).map(step).collect();
        let of = |bits: usize| self.combined.iter().find(|(of, _)| *of == bits).map(|(_, cell)| values[*cell]);
        let count = self.switches.len();
        for one in 0..count {
            let bit = |index: usize| 1_usize << index;
            let alone = of(bit(one))? - of(0)?;
            let mut shared = 0.0;
            for other in (0..count).filter(|other| *other != one) {
                shared += of(bit(one) | bit(other))? - of(bit(one))? - of(bit(other))? + of(0)?;
            }
            effects.push(alone + shared / 2.0);
        }
        effects.extend((self.cells.len() - 1 - self.after.len()..self.cells.len() - 1).map(step));
        let remainder = values[values.len() - 1] - values[0] - effects.iter().sum::<f64>();
        Some((effects, remainder))
    }
}
