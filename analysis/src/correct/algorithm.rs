//! Which algorithm a printed number is about: as the user says, as the text says, or as the library takes it by itself.

use models::collective::decision::Library;
use models::collective::{Algorithm, Collective, Shape};
use models::machine::Machine;
use models::observation::World;
use reports::correct::Refusal;

/// What the user said of it.
#[derive(Clone)]
pub struct AlgorithmChoice {
    /// One of our algorithms.
    pub algorithm: Option<String>,
    /// What this library takes by itself.
    pub library: Option<Library>,
}

/// The algorithm of a call, its shape with the library's segments, and the barrier that is called beside it.
pub(super) struct Chosen {
    /// Of the call.
    pub algorithm: &'static Algorithm,
    /// Of the call.
    pub shape: Shape,
    /// Of the benchmark's own barriers.
    pub barrier: &'static Algorithm,
}

impl AlgorithmChoice {
    /// Whether it is known what is called on this machine where texts do not say it.
    pub(super) fn is_known(&self, machine: &Machine) -> bool {
        self.algorithm.is_some() || self.library.is_some() || library(machine).is_some()
    }

    /// Whether what is called is what the library that this machine was calibrated by takes by itself, said or not.
    pub(super) fn is_own_choice(&self, machine: &Machine) -> bool {
        self.algorithm.is_none() && self.library.is_none_or(|named| library(machine) == Some(named))
    }

    /// Chooses. `said` is what the text says.
    ///
    /// # Errors
    /// Why it is not known, and what to do.
    pub(super) fn choose(
        &self,
        machine: &Machine,
        said: Option<&str>,
        collective: Collective,
        shape: Shape,
    ) -> Result<Chosen, Refusal> {
        let library = self.library.or_else(|| library(machine));
        let barrier = match library {
            Some(library) => library.picks(Collective::Barrier, &Shape::new(shape.ranks, 0, 0), true),
            None => Err(String::new()),
        };
        let barrier = barrier.map(|pick| pick.algorithm);
        let barrier = barrier.or_else(|_| Algorithm::find(Collective::Barrier, "dissemination"));
        let barrier = barrier.map_err(Refusal::NoAlgorithm)?;
        let named = self.algorithm.as_deref().or(said.filter(|_| self.library.is_none()));
        if let Some(name) = named {
            let algorithm = Algorithm::find(collective, name).map_err(Refusal::NoAlgorithm)?;
            algorithm.accepts(&shape).map_err(Refusal::NoAlgorithm)?;
            return Ok(Chosen { algorithm, shape, barrier });
        }
        let library = library.ok_or_else(|| {
            let by = &machine.provenance.ran_by;
            Refusal::NoAlgorithm(format!(
                "which algorithm was called is not known: the machine was calibrated by \"{by}\"; give --algorithm, for example --algorithm openmpi-4.1"
            ))
        })?;
        let pick = library.picks(collective, &shape, true).map_err(Refusal::NoAlgorithm)?;
        Ok(Chosen { algorithm: pick.algorithm, shape: pick.shape, barrier })
    }
}

impl AlgorithmChoice {
    /// The library that is known to have been called.
    pub(super) fn played_by(&self, machine: &Machine) -> Option<World> {
        self.library.or_else(|| library(machine)).and_then(|decision| {
            models::library::Library::all().find(|library| library.decision == Some(decision)).map(World::from)
        })
    }
}

/// The library whose rules are those of the one that a machine was calibrated by.
fn library(machine: &Machine) -> Option<Library> {
    let by = machine.provenance.ran_by.to_lowercase();
    models::library::Library::all().find(|library| by.contains(&library.title.to_lowercase()))?.decision
}
