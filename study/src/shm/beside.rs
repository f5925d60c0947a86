//! Broadcasts through queues in shared memory on the pages of campaigns: what stands beside the other results.

use super::{SideBySide, Tuned};
use crate::measured::{Measured, Subject};
use render::page::Section;

/// True for queues whose only number stands beside the others', in a section of its own.
pub(crate) fn stands_beside(subject: &Subject) -> bool {
    let is_queue = subject.case.subject.implementation.queued().is_some();
    is_queue && subject.rows.iter().all(|row| row.methods.len() <= 1 && row.fixed_windows.is_empty())
}

/// Returns the sentence on the fastest broadcast and a sentence that qualifies it; `None` without queues.
pub(crate) fn fastest(measured: &Measured) -> Option<(String, String)> {
    SideBySide::from_measured(measured, None)?.fastest()
}

/// Returns the broadcasts side by side as a section; `None` without queues.
pub(crate) fn section(measured: &Measured) -> Option<Section> {
    Some(SideBySide::from_measured(measured, None)?.section())
}

/// Returns the broadcasts side by side, and the parameters that fit them where there are enough, as sections.
pub(crate) fn sections(measured: &Measured) -> Vec<Section> {
    let Some(broadcasts) = SideBySide::from_measured(measured, None) else { return Vec::new() };
    let tuned = Tuned::fit(&broadcasts);
    let tuned = (!tuned.is_empty()).then(|| tuned.section());
    [broadcasts.section()].into_iter().chain(tuned).collect()
}
