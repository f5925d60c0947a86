//! What touches of memory cost by who holds its lines, by length.

use super::refinements::by_bytes;
use super::{Arithmetic, Bound, Estimate, Machine};
use crate::network::Table;
use crate::platform::Lines;
use serde::{Deserialize, Serialize};

/// What touching so many bytes costs beyond what it costs a rank that holds them alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinesPoint {
    /// How many bytes.
    pub bytes: u64,
    /// Reading what only other ranks hold, in µs.
    pub fetch_us: Estimate,
    /// Reading what other ranks alone hold, which have but read it, in µs.
    #[serde(default = "nothing")]
    pub refetch_us: Estimate,
    /// Writing what other ranks alone hold, in µs.
    pub claim_us: Estimate,
    /// Writing what other ranks hold beside this one, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim_shared_us: Option<Estimate>,
    /// Writing what other ranks alone hold where a message is received, in µs.
    pub claim_received_us: Estimate,
    /// The same of what other ranks hold beside this one, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim_received_shared_us: Option<Estimate>,
    /// Combining into what other ranks hold, beyond combining, in µs, as our own algorithms do.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim_combined_us: Option<Estimate>,
    /// The same as the library does in its reductions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim_combined_by_library_us: Option<Estimate>,
    /// What sending and receiving at the same time takes longer than the longer of the two, in µs.
    pub duplex_us: Estimate,
    /// What the first message after a wait takes longer than others of its length, beyond the machine's `start_us`, in µs.
    #[serde(default = "nothing")]
    pub after_wait_us: Estimate,
    /// Reading what no rank holds, in µs.
    pub load_us: Estimate,
    /// Writing what no rank holds, in µs.
    pub fill_us: Estimate,
    /// Receiving from what no rank holds into what no rank holds, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub load_fill_us: Option<Estimate>,
    /// A message that its sender has not rewritten since it was read last, beyond one that it has, in µs.
    #[serde(default = "nothing")]
    pub reread_us: Estimate,
    /// What fetching takes longer where both ranks do it at the same time, in µs.
    #[serde(default = "nothing")]
    pub duplex_fetch_us: Estimate,
    /// What receiving over what the other rank holds takes longer where both ranks do it at the same time, in µs.
    #[serde(default = "nothing")]
    pub duplex_claim_us: Estimate,
}

fn nothing() -> Estimate {
    Estimate::exactly(0.0)
}

impl Machine {
    /// What a message copied once takes longer under a model where its sender has not rewritten it since it was read last.
    /// Messages of calibrations are such; PLogP's g(m) alone is that of rewritten ones where those take less.
    ///
    /// # Errors
    /// Lengths do not increase.
    pub fn reread(&self, model: &str, bound: Bound) -> Result<Table, String> {
        if model == "plogp" { self.lines_table(bound, |point| &point.reread_us) } else { Ok(Table::ZERO) }
    }

    pub(super) fn lines_table(&self, bound: Bound, of: impl Fn(&LinesPoint) -> &Estimate) -> Result<Table, String> {
        by_bytes(self.lines.iter().map(|point| (point.bytes, of(point).at(bound))))
            .map_err(|message| format!("lines: {message}"))
    }

    /// What touches cost; none where nothing was found out about them.
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
                false => Table::ZERO,
            },
            duplex_fetch: table(&|point| &point.duplex_fetch_us)?,
            duplex_claim: table(&|point| &point.duplex_claim_us)?,
        }))
    }
}
