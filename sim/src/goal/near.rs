//! Bringing memory near before it is needed.
//!
//! Ranks go through their operations one after the other, but the engine goes from rank to rank: what it needs next
//! of each lies in another place, and no processor guesses where. So whoever finishes an operation asks for those that
//! its rank will come to a little later.

/// How many operations of its rank later.
pub(super) const AHEAD: u32 = 12;

/// Asks for an element, if there is one. Changes nothing but the time that a later access takes.
#[inline(always)]
pub(super) fn fetch<T>(list: &[T], index: u32) {
    models::goal::fetch(list, index as usize);
}
