//! The one table that all forms of publication become.

use crate::{Calls, Grounds, Hosts, InForce, Mark, PublishedError, mark};
use models::collective::Collective;
use programs::observation::Barrier;
use serde::Serialize;
use std::sync::Arc;

/// Table of what one file, folder or archive publishes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Published {
    /// Rows in the order of run, test, algorithm and elements, whatever the order of the files.
    pub rows: Vec<PublishedRow>,
    /// Facts about the run as a whole, as label and value.
    pub facts: Vec<(String, String)>,
    /// Sentences on contradictions, and on files and columns that are not read.
    pub warnings: Vec<String>,
}

/// Numbers of one collective, algorithm and length in one test of a run. Texts are empty where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PublishedRow {
    /// Name of the file that the row comes from. Of a run, its path in the run's folder.
    pub file: String,
    /// Line of the row in its file, counted from 1.
    pub line: usize,
    /// Name of the machine: `leonardo`.
    pub system: String,
    /// Name of the job, which is the time at which it was submitted: `2025_04_04___18_21_29`.
    pub run: String,
    /// Number of the test in its run, from 0.
    pub test: Option<u32>,
    /// Nodes as published: a number, or the shape of a torus, `2x2x2`.
    pub shape: String,
    /// Number of nodes of that shape.
    pub nodes: Option<u32>,
    /// Number of ranks in all.
    pub ranks: Option<u32>,
    /// Largest number of ranks on one node.
    pub ranks_per_node: Option<u32>,
    /// Places of the ranks, as `--platform placement=` takes them: `block:4`, or `list:` with each rank's node.
    #[serde(skip)]
    pub placement: Option<String>,
    /// Hosts of the ranks, by `alloc.csv`, if the run has one.
    #[serde(skip)]
    pub hosts: Option<Arc<Hosts>>,
    /// Collective that is called.
    pub collective: Option<Collective>,
    /// Name of the MPI library: `OMPI`, `CRAY_MPICH`.
    pub library: String,
    /// Version of the library.
    pub version: String,
    /// Name of the algorithm, as published.
    pub algorithm: String,
    /// Number of elements in the whole buffer, of which a block is a share.
    pub elements: u64,
    /// Name of the elements' type: `int32`.
    pub datatype: String,
    /// Length as Parallax counts it, in bytes: of the buffer, or of one block if a block per rank is moved.
    pub bytes: Option<u64>,
    /// Barrier between calls, where it is known.
    pub barrier: Option<InForce>,
    /// Whether the buffers lie in memory of GPUs.
    pub gpu: bool,
    /// Notes on the test, as published.
    pub notes: String,
    /// Marks for reasons why the number may not be what its name says.
    pub marks: Vec<Mark>,
    /// Times of the calls.
    pub calls: Calls,
    /// Whether a file of the run says that the algorithm of this name was used.
    #[serde(skip)]
    pub(crate) confirmed: bool,
}

impl PublishedRow {
    /// Returns whether each rank has a block of its own, so that `elements` counts all of them.
    fn has_blocks(&self) -> bool {
        self.collective.is_some_and(Collective::has_blocks)
    }

    /// Fills in values that follow from the rest: bytes, and a placement in blocks, as launchers place ranks of which
    /// nothing else is said, where all nodes have equally many.
    fn complete(&mut self, size: u64) {
        let ranks = self.ranks.map(u64::from).filter(|&ranks| ranks > 0);
        let elements = match self.has_blocks() {
            true => ranks.map(|ranks| self.elements / ranks),
            false => self.collective.map(|_| self.elements),
        };
        if let (None, Some(nodes), Some(per_node)) = (&self.placement, self.nodes, self.ranks_per_node) {
            let fits = per_node > 0 && nodes.checked_mul(per_node) == self.ranks;
            self.placement = fits.then(|| format!("block:{per_node}"));
        }
        self.bytes = elements.and_then(|elements| elements.checked_mul(size));
    }

    /// Returns whether the last elements belong to no block and are not moved.
    pub(crate) fn drops_a_remainder(&self) -> bool {
        let ranks = self.ranks.map(u64::from).filter(|&ranks| ranks > 0);
        self.has_blocks() && ranks.is_some_and(|ranks| !self.elements.is_multiple_of(ranks))
    }
}

/// Returns the bytes of one element, by the framework's names of types, `None` for other names.
pub fn element_bytes(datatype: &str) -> Option<u64> {
    Some(match datatype {
        "int8" | "char" => 1,
        "int16" => 2,
        "int32" | "int" | "float" => 4,
        "int64" | "double" => 8,
        _ => return None,
    })
}

impl Published {
    /// Sets the barrier of all rows to one that the user gives: the user knows better.
    pub fn give_barrier(&mut self, barrier: Barrier) {
        self.rows.iter_mut().for_each(|row| row.barrier = Some(InForce { barrier, grounds: Grounds::Given }));
    }

    /// Fills in values that follow from the rows, marks them and puts them in order.
    pub(crate) fn finished(mut self) -> Result<Published, PublishedError> {
        for row in &mut self.rows {
            let size = element_bytes(&row.datatype).ok_or_else(|| {
                let known = "int8, char, int16, int32, int, float, int64, double";
                PublishedError::new(
                    &row.file,
                    row.line,
                    format!("expected a type of elements ({known}), found '{}'", row.datatype),
                )
            })?;
            row.complete(size);
        }
        let place =
            |row: &PublishedRow| (row.system.clone(), row.run.clone(), row.test, row.collective, row.algorithm.clone());
        self.rows.sort_by(|a, b| {
            place(a)
                .cmp(&place(b))
                .then(a.elements.cmp(&b.elements))
                .then(a.calls.median_us.total_cmp(&b.calls.median_us))
                .then(a.line.cmp(&b.line))
        });
        mark::mark(&mut self.rows);
        Ok(self)
    }
}
