//! What files name where they name an algorithm: one of ours, or the one that a library's decision table picks for so many
//! ranks and bytes.

use super::Library;
use crate::collective::{Algorithm, Collective, Shape};

/// An algorithm, or a rule that picks one for each number of ranks and bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Called {
    /// One of ours.
    Ours(&'static Algorithm),
    /// What a library takes by itself for a plain call with a built-in operation.
    Table(Library, Collective),
}

impl Called {
    /// By its name: an algorithm of the operation, or a library with its version.
    ///
    /// # Errors
    /// Lists the names.
    pub fn find(collective: Collective, name: &str) -> Result<Called, String> {
        match Library::find(name) {
            Ok(library) => Ok(Called::Table(library, collective)),
            Err(_) => Algorithm::find(collective, name).map(Called::Ours).map_err(|message| {
                format!("{message}; or a library for its own choice: {}", Library::ALL.map(Library::name).join(", "))
            }),
        }
    }

    /// The operation.
    pub fn collective(&self) -> Collective {
        match self {
            Called::Ours(algorithm) => algorithm.collective,
            Called::Table(_, collective) => *collective,
        }
    }

    /// The name used in files: the algorithm's, or the library's with its version.
    pub fn name(&self) -> &'static str {
        match self {
            Called::Ours(algorithm) => algorithm.name,
            Called::Table(library, _) => library.name(),
        }
    }

    /// The algorithm of such a call, and its shape with the segments and the fanout that a library sets.
    ///
    /// # Errors
    /// The library takes one that is none of ours.
    pub fn at(&self, shape: Shape) -> Result<(&'static Algorithm, Shape), String> {
        match self {
            Called::Ours(algorithm) => Ok((algorithm, shape)),
            Called::Table(library, collective) => {
                library.picks(*collective, &shape, true).map(|pick| (pick.algorithm, pick.shape))
            }
        }
    }
}
