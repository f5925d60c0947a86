//! Stand-in for the results on queues in shared memory, in builds without the feature `shared-memory`: broadcasts through
//! queues have rows like all others, and nothing stands beside them.

use crate::measured::{Measured, Subject};
use render::page::Section;

/// False: no subject has a section of another kind.
pub(crate) fn stands_beside(_: &Subject) -> bool {
    false
}

/// Returns no sentence.
pub(crate) fn fastest(_: &Measured) -> Option<(String, String)> {
    None
}

/// Returns no section.
pub(crate) fn section(_: &Measured) -> Option<Section> {
    None
}

/// Returns no sections.
pub(crate) fn sections(_: &Measured) -> Vec<Section> {
    Vec::new()
}
