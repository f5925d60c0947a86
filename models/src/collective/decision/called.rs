//! Names that stand for an algorithm in files: one of ours, the one that a library's decision table picks for a number
//! of ranks and bytes, or a broadcast through shared memory.

use super::Library;
use crate::call::Call;
use crate::collective::{Algorithm, Collective, Shape};
use crate::shared_broadcast::Queued;

/// An algorithm, or a rule that picks one for each number of ranks and bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Called {
    /// An algorithm of our own.
    Ours(&'static Algorithm),
    /// The algorithm that a library takes by itself for a plain call with a built-in operation.
    Table(Library, Collective),
    /// A broadcast that sends no messages: it passes through a queue in shared memory.
    Shared(Queued),
}

impl Called {
    /// Finds an algorithm of the operation, a library with its version, or a queue by its name.
    ///
    /// # Errors
    /// Lists the names; says why a queue cannot be read, or that it is for broadcasts only.
    pub fn find(collective: Collective, name: &str) -> Result<Called, String> {
        if Queued::is_meant(name) {
            let queued = Queued::parse(name)?;
            return queued.accepts(collective, &Call::default()).map(|()| Called::Shared(queued));
        }
        match Library::find(name) {
            Ok(library) => Ok(Called::Table(library, collective)),
            Err(_) => Algorithm::find(collective, name).map(Called::Ours).map_err(|message| {
                format!("{message}; or a library for its own choice: {}", Library::ALL.map(Library::name).join(", "))
            }),
        }
    }

    /// Returns the operation that it is for.
    pub fn collective(&self) -> Collective {
        match self {
            Called::Ours(algorithm) => algorithm.collective,
            Called::Table(_, collective) => *collective,
            Called::Shared(_) => Collective::Bcast,
        }
    }

    /// Returns the name used in files: the algorithm's, the library's with its version, or the queue's.
    pub fn name(&self) -> &str {
        match self {
            Called::Ours(algorithm) => algorithm.name,
            Called::Table(library, _) => library.name(),
            Called::Shared(queued) => queued.name(),
        }
    }

    /// Returns the algorithm of such a call, and its shape with the segments and the fanout that a library sets.
    ///
    /// # Errors
    /// Fails where the algorithm is not for this number of ranks, where the library takes one that is none of ours, and
    /// for a queue, which carries no messages.
    pub fn at(&self, shape: Shape) -> Result<(&'static Algorithm, Shape), String> {
        match self {
            Called::Ours(algorithm) => algorithm.for_ranks(shape.ranks).map(|()| (*algorithm, shape)),
            Called::Table(library, collective) => {
                library.picks(*collective, &shape, true).map(|pick| (pick.algorithm, pick.shape))
            }
            Called::Shared(queued) => Err(format!("{}; see parallax shm simulate", queued.no_messages())),
        }
    }
}
