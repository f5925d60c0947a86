//! Printed or published results of other benchmarks, row by row, as lines of a campaign.

use models::collective::Collective;
use serde::{Deserialize, Serialize};

/// Results for one operation and size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PrintedRow {
    /// Number of the first line that it comes from, counted from 1.
    pub line: usize,
    /// Name of the operation in the tool's own words.
    #[serde(rename = "test")]
    pub benchmark: String,
    /// Operation as one of the collectives that Parallax knows. `None` for others, such as v-variants and non-blocking
    /// calls.
    #[serde(rename = "operation")]
    pub collective: Option<Collective>,
    /// Type of the elements, where the tool states it.
    #[serde(rename = "element")]
    pub datatype: Option<String>,
    /// Number of processes, where the tool states it.
    pub ranks: Option<u32>,
    /// Bytes as the tool counts them (for Reduce_scatter, IMB and OSU count the whole vector).
    pub bytes: Option<u64>,
    /// Number of elements, where the tool counts them.
    #[serde(rename = "elements")]
    pub count: Option<u64>,
    /// Number of calls, where the tool states it.
    #[serde(rename = "calls")]
    pub calls: Option<u64>,
    /// Further properties in words, such as the machine or the algorithm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Word>,
    /// Numbers of the row, each in its column.
    pub columns: Vec<Column>,
    /// Single samples, where the tool prints them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Sample>,
}

/// Property of a row in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// Name of the property, such as `system`.
    pub name: String,
    /// Value of the property, empty where it is unknown.
    pub value: String,
}

/// Number in a column of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Head of the column as printed, empty where the number was computed from samples.
    pub head: String,
    /// Name of the quantity with its unit, such as `mean_us`.
    pub name: String,
    /// Number in that unit. `None` where the tool printed that it has no number, or 0 where nothing valid was measured.
    pub value: Option<f64>,
}

/// Sample of one rank, or of all ranks together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Rank of the sample. `None` where the time is the maximum over all ranks.
    pub rank: Option<u32>,
    /// Number of the sample, counted from 0.
    pub index: u64,
    /// Duration of the sample, in ps.
    pub time_ps: i64,
    /// Start and end on the rank's own clock, in ps since the earliest reading of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_ps: Option<(i64, i64)>,
    /// Start and end on the synchronised clock, in ps since the earliest reading of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub global_ps: Option<(i64, i64)>,
    /// Whether the sample is valid: false where the tool marked it as wrong.
    pub valid: bool,
}

impl PrintedRow {
    /// Returns the value of the word with this name, empty where there is none.
    pub fn word(&self, name: &str) -> &str {
        self.words.iter().find(|word| word.name == name).map_or("", |word| &word.value)
    }

    /// Returns the number of the column with this name. `None` where there is no such column, or no number in it.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.columns.iter().find(|column| column.name == name)?.value
    }
}
