//! Lengths, roots and segments of a table's cases.

use super::called::MOST_SEGMENTS;
use super::case::CaseTable;
use super::one_or_many::Listed;
use super::{ScenarioError, Source};
use models::collective::{Collective, Counts, Shape};
use models::limits::{LONGEST_BUFFER, MOST_BYTES};
use models::quantity::{Bytes, WithUnit};
use toml::Spanned;

/// Values of the key `bytes`.
pub(super) struct Lengths;

impl Listed for Lengths {
    type One = WithUnit<Bytes>;
    const IS_TEXT: bool = true;
    const EXPECTED: &'static str = "a length, like \"1 KiB\", or several, like [\"4 B\", \"1 KiB\"]";
}

/// Values of the key `root`.
pub(super) struct Roots;

impl Listed for Roots {
    type One = u32;
    const IS_TEXT: bool = false;
    const EXPECTED: &'static str = "a rank, like 0, or several, like [0, 3] (u32)";
}

/// Length of a block or buffer, in bytes. For uneven blocks it is their mean, with the length of each.
pub(super) type Length = (u64, Option<Counts>);

const TOO_LONG: &str = "expected at most 1 GiB: every rank keeps buffers of that length";

impl Source<'_> {
    /// Returns all lengths that a table lists.
    pub(super) fn lengths(&self, table: &CaseTable, collective: Collective) -> Result<Vec<Length>, ScenarioError> {
        match (&table.bytes, &table.counts) {
            (Some(written), None) => {
                let lengths: Vec<u64> = written.get_ref().0.iter().map(|bytes| bytes.0.0).collect();
                if lengths.is_empty() {
                    return Err(self.error(written.span(), format!("expected {}", Lengths::EXPECTED)));
                }
                if lengths.iter().any(|&bytes| bytes > MOST_BYTES) {
                    return Err(self.error(written.span(), TOO_LONG));
                }
                Ok(lengths.into_iter().map(|bytes| (bytes, None)).collect())
            }
            (None, None) if collective == Collective::Barrier => Ok(vec![(0, None)]),
            (None, None) => {
                let place = table.operation.as_ref().map_or(0..0, Spanned::span);
                Err(self.error(place, "expected bytes = \"1 KiB\" (or counts) beside the operation"))
            }
            (_, Some(written)) if !collective.has_blocks() => {
                let message = format!("{collective} moves no block per rank, so it takes no counts; expected bytes");
                Err(self.error(written.span(), message))
            }
            (Some(_), Some(written)) => Err(self.error(written.span(), "expected either bytes or counts, found both")),
            (None, Some(written)) => self.counts(written).map(|length| vec![length]),
        }
    }

    fn counts(&self, written: &Spanned<Vec<WithUnit<Bytes>>>) -> Result<Length, ScenarioError> {
        let lengths: Vec<u64> = written.get_ref().iter().map(|bytes| bytes.0.0).collect();
        if lengths.iter().any(|&bytes| bytes > MOST_BYTES) {
            return Err(self.error(written.span(), TOO_LONG));
        }
        let counts = Counts::new(&lengths).map_err(|message| self.error(written.span(), message))?;
        let mean = lengths.iter().sum::<u64>().div_ceil(lengths.len() as u64);
        Ok((mean, Some(counts)))
    }

    /// Returns the length of segments, of which the longest message may have at most [`MOST_SEGMENTS`]. 0 where
    /// messages are not cut.
    pub(super) fn segment(&self, table: &CaseTable, lengths: &[Length]) -> Result<u64, ScenarioError> {
        let Some(written) = &table.segment_bytes else { return Ok(0) };
        let segment = written.get_ref().0.0;
        let bytes = lengths.iter().map(|(bytes, _)| *bytes).max().unwrap_or(0);
        if segment == 0 || bytes.div_ceil(segment) > MOST_SEGMENTS {
            let least = bytes.div_ceil(MOST_SEGMENTS).max(1);
            let message =
                format!("expected segments of at least {least} B ({MOST_SEGMENTS} per message), found {segment} B");
            return Err(self.error(written.span(), message));
        }
        Ok(segment)
    }

    /// Returns the roots on a number of ranks. A table without a root has rank 0.
    fn roots(&self, table: &CaseTable, collective: Collective, ranks: u32) -> Result<Vec<u32>, ScenarioError> {
        let Some(written) = &table.root else { return Ok(vec![0]) };
        if !collective.is_rooted() {
            return Err(self.error(written.span(), format!("{collective} has no root: leave it out")));
        }
        let roots = &written.get_ref().0;
        if roots.is_empty() {
            return Err(self.error(written.span(), format!("expected {}", Roots::EXPECTED)));
        }
        roots.iter().map(|&root| self.within(&Spanned::new(written.span(), root), 0, ranks - 1)).collect()
    }

    /// Returns the shapes on one number of ranks: every length from every root, with the segments and the fanout of
    /// `with`.
    pub(super) fn shapes(
        &self,
        table: &CaseTable,
        (collective, lengths): (Collective, &[Length]),
        with: &Shape,
        ranks: u32,
    ) -> Result<Vec<Shape>, ScenarioError> {
        let roots = self.roots(table, collective, ranks)?;
        let mut shapes = Vec::new();
        for &(bytes, counts) in lengths {
            for &root in &roots {
                let shape = Shape { ranks, root, bytes, counts, ..*with };
                self.fits(table, collective, &shape)?;
                shapes.push(shape);
            }
        }
        Ok(shapes)
    }

    /// Checks that every rank has a length, and room for the buffer.
    fn fits(&self, table: &CaseTable, collective: Collective, shape: &Shape) -> Result<(), ScenarioError> {
        let ranks = shape.ranks;
        if let (Some(written), Some(counts)) = (&table.counts, shape.counts)
            && counts.len() != ranks
        {
            let message = format!("expected one count for each of {ranks} ranks, found {}", counts.len());
            return Err(self.error(written.span(), message));
        }
        let buffer = collective.buffer_bytes(shape);
        if buffer > LONGEST_BUFFER {
            let message =
                format!("{collective} on {ranks} ranks needs {buffer} B on every rank; expected less than 2 GiB");
            let span = table.bytes.as_ref().map(Spanned::span).or(table.counts.as_ref().map(Spanned::span));
            return Err(self.error(span.unwrap_or(0..0), message));
        }
        Ok(())
    }
}
