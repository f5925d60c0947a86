//! What another benchmark printed or published of one operation and size, as a line of a campaign.

use models::collective::Collective;
use serde::{Deserialize, Serialize};

/// One operation of one size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The first line it comes from, counted from 1.
    pub line: usize,
    /// The operation, as the tool calls it.
    #[serde(rename = "test")]
    pub benchmark: String,
    /// The same, if it is one of the collectives that Parallax knows: no v-variant, not non-blocking.
    #[serde(rename = "operation")]
    pub collective: Option<Collective>,
    /// The type of the elements, where the tool says it.
    #[serde(rename = "element")]
    pub datatype: Option<String>,
    /// Processes, where the tool says how many.
    pub ranks: Option<u32>,
    /// Bytes, as the tool counts them (of Reduce_scatter, IMB and OSU count the whole vector).
    pub bytes: Option<u64>,
    /// Elements, where the tool counts them.
    #[serde(rename = "elements")]
    pub count: Option<u64>,
    /// How often it was called.
    #[serde(rename = "calls")]
    pub calls: Option<u64>,
    /// What is said in words: on what machine, of which algorithm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Word>,
    /// The numbers.
    pub columns: Vec<Column>,
    /// Single samples, where the tool prints them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Sample>,
}

/// One word of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// What it says: `system`.
    pub name: String,
    /// Empty where nothing is known.
    pub value: String,
}

/// One number of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its head as printed; empty where it was computed from samples.
    pub head: String,
    /// What it is, with its unit: `mean_us`.
    pub name: String,
    /// `None` where the tool printed that it has no number, or 0 where nothing valid was measured.
    pub value: Option<f64>,
}

/// One sample on one rank, or of all ranks together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The rank; `None` where the time is all ranks' maximum.
    pub rank: Option<u32>,
    /// Counted from 0.
    pub index: u64,
    /// How long it took, in ps.
    pub time_ps: i64,
    /// Start and end on the rank's own clock, in ps since the earliest reading of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_ps: Option<(i64, i64)>,
    /// Start and end on the synchronised clock, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub global_ps: Option<(i64, i64)>,
    /// False where the tool marked it as wrong.
    pub valid: bool,
}

impl Row {
    /// What is said in the word of this name; empty where there is none.
    pub fn word(&self, name: &str) -> &str {
        self.words.iter().find(|word| word.name == name).map_or("", |word| &word.value)
    }

    /// The number of a column by its name.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.columns.iter().find(|column| column.name == name)?.value
    }
}
