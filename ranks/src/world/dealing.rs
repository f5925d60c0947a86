//! The messages by which rank 0 deals out work to the others: requests with the rows of the last points, and answers.

use super::{World, look_for};
use models::time::Span;
use mpi::Tag;
use mpi::traits::*;

const REQUEST_TAG: Tag = 3;
const ANSWER_TAG: Tag = 4;

impl World {
    /// Returns the number of ranks in this world.
    pub fn size(&self) -> u32 {
        self.communicator.size() as u32
    }

    /// Returns the number of ranks on this rank's node. All ranks must ask together.
    pub fn ranks_on_node(&self) -> u32 {
        self.communicator.split_shared(0).size() as u32
    }

    /// Sends rank 0 the rows that are done and waits, asleep, for its answer.
    pub fn request(&self, done: &[u8]) -> [u64; 2] {
        let dealer = self.communicator.process_at_rank(0);
        dealer.send_with_tag(done, REQUEST_TAG);
        look_for(|| dealer.immediate_probe_with_tag(ANSWER_TAG).is_some(), Span::from_ms(2));
        let mut answer = [0; 2];
        dealer.receive_into_with_tag(&mut answer[..], ANSWER_TAG);
        answer
    }

    /// Returns, on rank 0, a request that has arrived, with the rank that sent it, if there is one.
    pub fn requested(&self) -> Option<(u32, Vec<u8>)> {
        let (message, status) = self.communicator.any_process().immediate_matched_probe_with_tag(REQUEST_TAG)?;
        let mut done = vec![0_u8; status.count(u8::equivalent_datatype()) as usize];
        let status = message.matched_receive_into(&mut done[..]);
        Some((status.source_rank() as u32, done))
    }

    /// Answers a request, on rank 0.
    pub fn send_answer(&self, to: u32, answer: [u64; 2]) {
        self.communicator.process_at_rank(to as i32).send_with_tag(&answer[..], ANSWER_TAG);
    }
}
