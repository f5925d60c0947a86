//! Choice of the call that is simulated, in the words of users.

use models::collective::decision::Called;
use models::collective::{Algorithm, Collective, Counts, Shape};
use scenario::BadInput;

/// Choice of a call, as users make it.
#[derive(Clone, Debug)]
pub struct CallChoice {
    /// Collective operation of the call.
    pub collective: Collective,
    /// Name of an algorithm, or of a library for its own choice.
    pub algorithm: String,
    /// Number of ranks in the call.
    pub ranks: u32,
    /// Bytes of one rank's buffer, or of one block.
    pub bytes: u64,
    /// Root of the call, for operations that have one.
    pub root: u32,
    /// Length of segments in bytes, 0 if messages are not segmented.
    pub segment_bytes: u64,
    /// Fanout, radix or number of chains, `None` for the algorithm's own.
    pub fanout: Option<u32>,
    /// Block lengths of a v-variant in bytes, one per rank. Empty for other calls.
    pub counts: Vec<u64>,
}

impl CallChoice {
    /// Returns the algorithm and the shape of the call.
    ///
    /// # Errors
    ///
    /// Says what does not fit the operation or the number of ranks.
    pub fn call(&self) -> Result<(&'static Algorithm, Shape), BadInput> {
        let collective = self.collective;
        let called =
            Called::find(collective, &self.algorithm).map_err(|message| BadInput(format!("--algorithm: {message}")))?;
        if self.root >= self.ranks {
            let last = self.ranks.saturating_sub(1);
            return Err(BadInput(format!("--root: expected 0 to {last}, found {}", self.root)));
        }
        if self.root > 0 && !collective.is_rooted() {
            return Err(BadInput(format!("--root: {collective} has no root; leave --root out")));
        }
        let asked = Shape {
            segment_bytes: self.segment_bytes,
            fanout: self.fanout.unwrap_or(0),
            counts: self.counts()?,
            ..Shape::new(self.ranks, self.root, self.bytes)
        };
        let (algorithm, shape) = called.at(asked).map_err(|message| BadInput(format!("--algorithm: {message}")))?;
        algorithm.accepts(&shape).map_err(|message| BadInput(format!("--counts: {message}")))?;
        Ok((algorithm, shape))
    }

    fn counts(&self) -> Result<Option<Counts>, BadInput> {
        if self.counts.is_empty() {
            return Ok(None);
        }
        if !self.collective.has_blocks() {
            return Err(BadInput(format!("--counts: {} moves no blocks of several lengths", self.collective)));
        }
        if self.counts.len() != self.ranks as usize {
            let (found, ranks) = (self.counts.len(), self.ranks);
            return Err(BadInput(format!("--counts: expected one for each of {ranks} ranks, found {found}")));
        }
        Counts::new(&self.counts).map(Some).map_err(|message| BadInput(format!("--counts: {message}")))
    }
}
