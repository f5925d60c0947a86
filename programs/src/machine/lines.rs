//! Costs of touching memory by who holds its cache lines, by length.

use super::refinements::by_bytes;
use super::{Arithmetic, Bound, Estimate, Machine};
use models::network::CostTable;
use models::platform::Lines;
use serde::{Deserialize, Serialize};

/// Costs of touching memory of one length, beyond the cost for a rank that alone holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinesPoint {
    /// Length of the touched memory, in bytes.
    pub bytes: u64,
    /// Reading memory that only other ranks hold, in µs.
    pub fetch_us: Estimate,
    /// Reading memory that only other ranks hold and that they have not written, in µs.
    #[serde(default = "nothing")]
    pub refetch_us: Estimate,
    /// Writing memory that only other ranks hold, in µs.
    pub claim_us: Estimate,
    /// Writing memory that other ranks hold beside this one, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim_shared_us: Option<Estimate>,
    /// Writing memory that only other ranks hold where a message is received, in µs.
    pub claim_received_us: Estimate,
    /// Writing memory that other ranks hold beside this one where a message is received, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim_received_shared_us: Option<Estimate>,
    /// Combining into memory that other ranks hold, as our own algorithms do, beyond the combining itself, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim_combined_us: Option<Estimate>,
    /// Combining into memory that other ranks hold, as the library's reductions do, beyond the combining itself, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim_combined_by_library_us: Option<Estimate>,
    /// Extra time of sending and receiving at once, beyond the longer of the two, in µs.
    pub duplex_us: Estimate,
    /// Extra time of the first message after a wait, against others of its length and beyond the machine's `start_us`,
    /// in µs.
    #[serde(default = "nothing")]
    pub after_wait_us: Estimate,
    /// Reading memory that no rank holds, in µs.
    pub load_us: Estimate,
    /// Writing memory that no rank holds, in µs.
    pub fill_us: Estimate,
    /// Receiving from memory that no rank holds into memory that no rank holds, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub load_fill_us: Option<Estimate>,
    /// Extra time of a message that its sender has not rewritten since the last reading, against one that it has, in
    /// µs.
    #[serde(default = "nothing")]
    pub reread_us: Estimate,
    /// Extra time of fetching where both ranks do it at once, in µs.
    #[serde(default = "nothing")]
    pub duplex_fetch_us: Estimate,
    /// Extra time of receiving over memory that the other rank holds, where both ranks do it at once, in µs.
    #[serde(default = "nothing")]
    pub duplex_claim_us: Estimate,
}

fn nothing() -> Estimate {
    Estimate::exactly(0.0)
}

impl Machine {
    /// Extra time, under a model, of a message copied once that its sender has not rewritten since the last reading.
    /// Messages of calibrations are of this kind. Only PLogP has such a time: its g(m) is that of rewritten messages
    /// where those take less.
    ///
    /// # Errors
    /// Fails if lengths do not increase.
    pub fn reread(&self, model: &str, bound: Bound) -> Result<CostTable, String> {
        if model == "plogp" { self.lines_table(bound, |point| &point.reread_us) } else { Ok(CostTable::ZERO) }
    }

    pub(super) fn lines_table(&self, bound: Bound, of: impl Fn(&LinesPoint) -> &Estimate) -> Result<CostTable, String> {
        by_bytes(self.lines.iter().map(|point| (point.bytes, of(point).at(bound))))
            .map_err(|message| format!("lines: {message}"))
    }

    /// Costs of touches; `None` where none were calibrated.
    pub(super) fn cache_lines(
        &self,
        model: &str,
        bound: Bound,
        arithmetic: Arithmetic,
    ) -> Result<Option<Lines>, String> {
        if self.lines.is_empty() {
            return Ok(None);
        }
        let table = |of: &dyn Fn(&LinesPoint) -> &Estimate| self.lines_table(bound, of);
        let both = self.lines.iter().all(|point| point.load_fill_us.is_some());
        Ok(Some(Lines {
            single_copy_above: self.single_copy_above_bytes.unwrap_or(u64::MAX),
            fetch: table(&|point| &point.fetch_us)?,
            refetch: table(&|point| &point.refetch_us)?,
            reread: self.reread(model, bound)?,
            claim: table(&|point| &point.claim_us)?,
            claim_shared: table(&|point| point.claim_shared_us.as_ref().unwrap_or(&point.claim_us))?,
            claim_received: table(&|point| &point.claim_received_us)?,
            claim_received_shared: table(&|point| {
                point.claim_received_shared_us.as_ref().unwrap_or(&point.claim_received_us)
            })?,
            claim_combined: table(&|point| {
                let own = point.claim_combined_us.as_ref().unwrap_or(&point.claim_us);
                match arithmetic {
                    Arithmetic::Own => own,
                    Arithmetic::Library | Arithmetic::Reducing(_) => {
                        point.claim_combined_by_library_us.as_ref().unwrap_or(own)
                    }
                }
            })?,
            load: table(&|point| &point.load_us)?,
            fill: table(&|point| &point.fill_us)?,
            load_fill: match both {
                true => table(&|point| point.load_fill_us.as_ref().unwrap_or(&point.load_us))?,
                false => CostTable::ZERO,
            },
            duplex_fetch: table(&|point| &point.duplex_fetch_us)?,
            duplex_claim: table(&|point| &point.duplex_claim_us)?,
        }))
    }
}
