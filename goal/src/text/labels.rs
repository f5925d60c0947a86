//! Labels of the operations in one rank's block.

use super::cursor::Word;
use rustc_hash::FxHashMap;

/// Operations of one rank by label. Most labels are at most 8 bytes long: those are numbers. Most lines name labels
/// next to those that the line before names, in the order of definition: so these are tried first.
#[derive(Default)]
pub(super) struct Labels<'t> {
    short: FxHashMap<u64, u32>,
    long: FxHashMap<&'t [u8], u32>,
    /// Short labels in the order of definition.
    in_order: Vec<(u64, u32)>,
}

/// Place among the labels of a rank at which the last one was found.
pub(super) type Hint = usize;

impl<'t> Labels<'t> {
    pub(super) fn clear(&mut self) {
        self.short.clear();
        self.long.clear();
        self.in_order.clear();
    }

    /// Finds a label as [`Labels::get`] does, but looks near the hint first.
    #[inline]
    pub(super) fn get_near(&self, label: Word<'t>, hint: &mut Hint) -> Option<u32> {
        if label.is_short() {
            for place in [*hint, *hint + 1, hint.wrapping_sub(1), *hint + 2] {
                if let Some(&(key, op)) = self.in_order.get(place)
                    && key == label.key
                {
                    *hint = place;
                    return Some(op);
                }
            }
            let op = self.get(label)?;
            *hint = self.in_order.binary_search_by_key(&op, |&(_, op)| op).unwrap_or(0);
            return Some(op);
        }
        self.get(label)
    }

    #[inline]
    pub(super) fn get(&self, label: Word<'t>) -> Option<u32> {
        if label.is_short() { self.short.get(&label.key) } else { self.long.get(label.bytes) }.copied()
    }

    /// Adds a label. Returns the earlier operation of that name, if there is one.
    #[inline]
    pub(super) fn insert(&mut self, label: Word<'t>, op: u32) -> Option<u32> {
        if !label.is_short() {
            return self.long.insert(label.bytes, op);
        }
        self.in_order.push((label.key, op));
        self.short.insert(label.key, op)
    }
}
