//! The place where ranks that are threads of one process find the memory that they share.

use super::{Seat, seats};
use models::shared_broadcast::Queued;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Seats of segments: the first rank that asks makes a segment, and every rank takes its own seat.
#[derive(Default)]
pub struct Lobby {
    /// Segments by the number of the request, which all ranks count alike.
    segments: Mutex<BTreeMap<u64, Vec<Option<Seat>>>>,
}

impl Lobby {
    /// Returns a rank's seat of the segment that this request is about.
    ///
    /// # Errors
    ///
    /// Fails, alike on every rank, if the system does not give the memory.
    pub fn seat(&self, request: u64, (rank, ranks): (u32, u32), queued: &Queued) -> Result<Seat, String> {
        let mut segments = self.segments.lock().unwrap_or_else(PoisonError::into_inner);
        let found = segments.entry(request).or_insert_with(|| {
            let made = seats(ranks, queued);
            made.map_or_else(|_| (0..ranks).map(|_| None).collect(), |seats| seats.into_iter().map(Some).collect())
        });
        let seat = found.get_mut(rank as usize).and_then(Option::take);
        if found.iter().all(Option::is_none) && seat.is_some() {
            segments.remove(&request);
        }
        seat.ok_or_else(|| {
            format!("{queued}: {ranks} ranks find no memory for their queues; take fewer or shorter buffers")
        })
    }
}
