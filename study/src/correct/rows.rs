//! Rows of the answer: the printed number and its correction.

use super::{Corrected, RanksFrom, Reading, Refusal, Source, Verdict};
use programs::budget::SystematicError;
use render::groups::together;

/// One printed number and its correction.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrectedRow {
    /// The printed number and its call.
    pub reading: Reading,
    /// Number of ranks, where it is known.
    pub ranks: Option<u32>,
    /// Source of the number of ranks.
    pub ranks_from: Option<RanksFrom>,
    /// Length of a rank's buffer or block, in bytes, where the call is known.
    pub bytes: Option<u64>,
    /// Algorithm of the call, where it is known.
    pub algorithm: Option<String>,
    /// Corrected time of the call, or the reason why there is none.
    pub corrected: Result<Corrected, Refusal>,
}

impl CorrectedRow {
    /// Remarks on the row, with all numbers: the reason why it is not corrected, or the doubts about the correction.
    pub fn remarks(&self) -> Vec<String> {
        match &self.corrected {
            Ok(corrected) => corrected.doubts.iter().map(ToString::to_string).collect(),
            Err(refusal) => vec![refusal.to_string()],
        }
    }

    /// Verdict on the correction.
    pub fn verdict(&self) -> Verdict {
        Verdict::from_result(&self.corrected)
    }

    /// Contribution of one error to the printed number, in µs.
    pub(super) fn bar(&self, error: SystematicError) -> Option<f64> {
        let corrected = self.corrected.as_ref().ok()?;
        corrected.bars.iter().find(|(of, _)| *of == error).map(|(_, us)| *us)
    }

    /// The collective as Parallax calls it, or the operation as the tool does.
    pub(super) fn operation(&self) -> String {
        let known = self.reading.asked.as_ref().map(|asked| asked.collective.name().to_owned());
        known.unwrap_or_else(|_| self.reading.operation.clone())
    }

    /// Key of the table in which a row stands; a library's algorithm may change from row to row.
    fn table_key(&self) -> (&str, String, Option<u32>, Option<&str>, &str) {
        let reading = &self.reading;
        (&reading.file, self.operation(), self.ranks, reading.algorithm.as_deref(), &reading.head)
    }
}

/// Columns that a table needs.
pub(super) struct ShownColumns {
    /// The errors that add something in any row.
    pub errors: Vec<SystematicError>,
    /// Whether they add something together beyond that.
    pub remainder: bool,
    /// Whether rows have several algorithms.
    pub algorithm: bool,
    /// Whether expectations come from elsewhere than from predictions.
    pub source: bool,
    /// Whether the operation has a root: its ranks end at different times by its definition, and one rank's time is no
    /// error.
    pub rooted: bool,
}

impl ShownColumns {
    /// Returns the columns that these rows need.
    pub(super) fn for_rows<'a>(rows: impl IntoIterator<Item = &'a CorrectedRow>) -> ShownColumns {
        let rows: Vec<&CorrectedRow> = rows.into_iter().collect();
        let adds = |error: &SystematicError| rows.iter().any(|row| row.bar(*error).is_some_and(|us| us != 0.0));
        let done = || rows.iter().filter_map(|row| row.corrected.as_ref().ok());
        // A remainder of the size of rounding counts as none.
        let interacts = |done: &Corrected| done.remainder_us.abs() > 1e-5 * done.us.value.abs();
        ShownColumns {
            errors: SystematicError::ALL.into_iter().filter(adds).collect(),
            remainder: done().any(interacts),
            algorithm: rows.iter().any(|row| row.algorithm != rows[0].algorithm),
            source: done().any(|done| done.source != Source::Predicted),
            rooted: rows.iter().any(|row| row.reading.asked.as_ref().is_ok_and(|asked| asked.collective.is_rooted())),
        }
    }
}

/// Places of the rows of each table, tables in the order of their first rows.
pub(super) fn tables(rows: &[CorrectedRow]) -> Vec<Vec<usize>> {
    together(rows.iter().enumerate().map(|(place, row)| (row.table_key(), place)))
}

/// Letters of remarks: the same remark has the same letter in all tables.
#[derive(Default)]
pub(super) struct Legend {
    remarks: Vec<String>,
}

impl Legend {
    /// The letters of a row's remarks.
    pub(super) fn letters(&mut self, row: &CorrectedRow) -> String {
        let letter = |remark: String| {
            let known = self.remarks.iter().position(|other| *other == remark);
            let place = known.unwrap_or_else(|| {
                self.remarks.push(remark);
                self.remarks.len() - 1
            });
            letters(place)
        };
        let remarks = match &row.corrected {
            Ok(_) => row.remarks(),
            Err(refusal) => vec![refusal.in_general()],
        };
        remarks.into_iter().map(letter).collect::<Vec<_>>().join(" ")
    }

    /// Letters and remarks, in the order in which they were used.
    pub(super) fn entries(&self) -> impl Iterator<Item = (String, &str)> {
        self.remarks.iter().enumerate().map(|(place, remark)| (letters(place), remark.as_str()))
    }
}

/// Letters by place: a … z, then a1 … z1, and so on.
fn letters(place: usize) -> String {
    let letter = char::from(b'a' + (place % 26) as u8);
    match place / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
