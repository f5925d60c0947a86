//! The one table that all forms of publication become.

use crate::{Calls, Grounds, Hosts, InForce, Mark, PublishedError, mark};
use models::collective::Collective;
use models::observation::Barrier;
use serde::Serialize;
use std::sync::Arc;

/// What one file, folder or archive publishes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Published {
    /// In the order of run, test, algorithm and elements, whatever the order of the files.
    pub rows: Vec<Row>,
    /// Label and value of what is said of the run as a whole.
    pub facts: Vec<(String, String)>,
    /// What contradicts itself or is not read, in sentences.
    pub warnings: Vec<String>,
}

/// One collective of one algorithm and length in one test of a run. Texts are empty where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// The file it comes from; of a run, by its path in the run's folder.
    pub file: String,
    /// The line there, counted from 1.
    pub line: usize,
    /// The machine: `leonardo`.
    pub system: String,
    /// The job, by the time at which it was submitted: `2025_04_04___18_21_29`.
    pub run: String,
    /// The number of the test in its run, from 0.
    pub test: Option<u32>,
    /// Nodes as published: a number, or the shape of a torus, `2x2x2`.
    pub shape: String,
    /// How many nodes that is.
    pub nodes: Option<u32>,
    /// All ranks.
    pub ranks: Option<u32>,
    /// The most ranks on one node.
    pub ranks_per_node: Option<u32>,
    /// Where they are, as `--platform placement=` takes it: `block:4`, or `list:` with each rank's node.
    #[serde(skip)]
    pub placement: Option<String>,
    /// Their hosts, by `alloc.csv`, if the run has one.
    #[serde(skip)]
    pub hosts: Option<Arc<Hosts>>,
    /// What is called.
    pub collective: Option<Collective>,
    /// The MPI library: `OMPI`, `CRAY_MPICH`.
    pub library: String,
    /// Its version.
    pub version: String,
    /// The algorithm, as published.
    pub algorithm: String,
    /// Elements of the whole buffer, of which a block is a share.
    pub elements: u64,
    /// The type of the elements: `int32`.
    pub datatype: String,
    /// Length as Parallax counts it, in bytes: of the buffer, or of one block if a block per rank is moved.
    pub bytes: Option<u64>,
    /// The barrier between calls, where it is known.
    pub barrier: Option<InForce>,
    /// Whether the buffers lie in memory of GPUs.
    pub gpu: bool,
    /// As published.
    pub notes: String,
    /// Why the number may not be what its name says.
    pub marks: Vec<Mark>,
    /// The calls' times.
    pub calls: Calls,
    /// Whether a file of the run says that the algorithm of this name was used.
    #[serde(skip)]
    pub(crate) confirmed: bool,
}

impl Row {
    /// Whether each rank has a block of its own, so that `elements` counts all of them.
    fn has_blocks(&self) -> bool {
        self.collective.is_some_and(Collective::has_blocks)
    }

    /// Fills in what follows from the rest: bytes, and a placement in blocks, as launchers place ranks of which nothing
    /// else is said, where all nodes have equally many.
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

    /// Whether the last elements belong to no block and are not moved.
    pub(crate) fn drops_a_remainder(&self) -> bool {
        let ranks = self.ranks.map(u64::from).filter(|&ranks| ranks > 0);
        self.has_blocks() && ranks.is_some_and(|ranks| !self.elements.is_multiple_of(ranks))
    }
}

/// Bytes of one element, by the framework's names of types; `None` of names that are none.
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
    /// Takes a barrier for that of all rows: the user knows better.
    pub fn give_barrier(&mut self, barrier: Barrier) {
        self.rows.iter_mut().for_each(|row| row.barrier = Some(InForce { barrier, grounds: Grounds::Given }));
    }

    /// Fills in what follows from the rows, marks them and puts them in order.
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
        let place = |row: &Row| (row.system.clone(), row.run.clone(), row.test, row.collective, row.algorithm.clone());
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
