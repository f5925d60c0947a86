//! The memory that queues of a sweep take, as a section of its page.

use super::row::SweepRow;
use models::shared_broadcast::Queue;
use render::groups::distinct;
use render::page::Section;
use study::shm::Memory;

/// Returns the memory that queues take, where there are several fragments and several rules for their buffers.
pub(super) fn section(rows: &[SweepRow<'_>]) -> Option<Section> {
    let several = |all: usize| all > 1;
    let queues: Vec<_> = rows.iter().filter_map(|row| Some((row, row.point.queue()?))).collect();
    let rules = distinct(queues.iter().map(|(row, _)| row.point.listed.rule.clone()));
    let fragments = distinct(queues.iter().map(|(_, queue)| queue.fragment_bytes()));
    if !several(rules.len()) || !several(fragments.len()) {
        return None;
    }
    let column = |row: &SweepRow<'_>, queue: &Queue| {
        let buffers = || queue.buffers().to_string();
        format!("s = {}", row.point.listed.rule.clone().unwrap_or_else(buffers))
    };
    let queues: Vec<_> = queues.into_iter().map(|(row, queue)| (column(row, &queue), queue)).collect();
    Some(Memory::of_columns(queues).section().with_id("memory"))
}
