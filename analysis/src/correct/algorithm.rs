//! The algorithm that was called for a printed number: as the user states it, as the text states it, or as the library
//! chooses it by itself.

use models::collective::decision::Library;
use models::collective::{Algorithm, Collective, Shape};
use programs::machine::Machine;
use programs::observation::World;
use study::correct::Refusal;

/// The user's statement on the algorithm.
#[derive(Clone)]
pub struct AlgorithmChoice {
    /// Name of an algorithm of Parallax's own collection.
    pub algorithm: Option<String>,
    /// Library whose own choice was called.
    pub library: Option<Library>,
}

/// The algorithm of a call, its shape with the library's segments, and the barrier that is called beside it.
pub(super) struct Chosen {
    pub algorithm: &'static Algorithm,
    /// Shape of the call, with the library's segments.
    pub shape: Shape,
    /// Algorithm of the benchmark's own barriers.
    pub barrier: &'static Algorithm,
}

impl AlgorithmChoice {
    /// Whether the called algorithm is known on this machine for texts that do not state it.
    pub(super) fn is_known(&self, machine: &Machine) -> bool {
        self.algorithm.is_some() || self.library.is_some() || library(machine).is_some()
    }

    /// Whether the called algorithm is the own choice of the library that this machine was calibrated by, stated or
    /// not.
    pub(super) fn is_own_choice(&self, machine: &Machine) -> bool {
        self.algorithm.is_none() && self.library.is_none_or(|named| library(machine) == Some(named))
    }

    /// Returns the reason why the decision table of the machine's own library may not hold there, if that table
    /// chooses.
    pub(super) fn beware(&self, machine: &Machine) -> Option<String> {
        let table = library(machine)
            .filter(|table| self.algorithm.is_none() && self.library.is_none_or(|named| named == *table));
        table?.beware(&machine.provenance.ran_by)
    }

    /// Chooses the algorithm. `said` is the text's statement.
    ///
    /// # Errors
    /// Gives the reason why it is not known, and the flag that helps.
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
            let (by, asks) = (&machine.provenance.ran_by, asked_for(Some(machine), Some(collective)));
            Refusal::NoAlgorithm(format!(
                "which algorithm was called is not known: the machine was calibrated by \"{by}\"; give {asks}"
            ))
        })?;
        let pick = library.picks(collective, &shape, true).map_err(Refusal::NoAlgorithm)?;
        Ok(Chosen { algorithm: pick.algorithm, shape: pick.shape, barrier })
    }
}

impl AlgorithmChoice {
    /// Returns the library that is known to have been called.
    pub(super) fn played_by(&self, machine: &Machine) -> Option<World> {
        self.library.or_else(|| library(machine)).and_then(|decision| {
            models::library::Library::all().find(|library| library.decision == Some(decision)).map(World::from)
        })
    }
}

/// Returns the flag that names the called algorithm, with an example: where that library is known, never another
/// library's table.
pub(super) fn asked_for(machine: Option<&Machine>, collective: Option<Collective>) -> String {
    let Some(called) = machine.and_then(called) else {
        return "--algorithm, for example --algorithm openmpi-4.1".to_owned();
    };
    let example =
        Algorithm::for_collective(collective.unwrap_or(Collective::Bcast)).next().map_or("", |first| first.name);
    let title = called.title;
    format!(
        "--algorithm with the one that was called, for example --algorithm {example} (which one {title} chooses by itself is not \
         known; `parallax algorithms` lists algorithms)"
    )
}

/// Returns the library by which a machine was calibrated, as far as its file names it.
fn called(machine: &Machine) -> Option<models::library::Library> {
    let by = machine.provenance.ran_by.to_lowercase();
    models::library::Library::all().find(|library| by.contains(&library.title.to_lowercase()))
}

/// Returns the decision table of the library by which a machine was calibrated.
fn library(machine: &Machine) -> Option<Library> {
    called(machine)?.decision
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibrated_by(by: &str) -> Machine {
        let (name, text) = programs::machine::KNOWN[0];
        let mut machine = Machine::parse(name, text).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        machine.provenance.ran_by = by.to_owned();
        machine
    }

    #[test]
    fn no_library_is_asked_for_another_one_s_table() {
        let intel = calibrated_by("Intel MPI 2021.18 on 2 ranks");
        let choice = AlgorithmChoice { algorithm: None, library: None };
        assert!(!choice.is_known(&intel) && choice.is_known(&calibrated_by("MPICH 4.0.2 on 2 ranks")));
        let refused = choice.choose(&intel, None, Collective::Allreduce, Shape::new(2, 0, 8)).map(|_| ());
        let Err(Refusal::NoAlgorithm(why)) = refused else { panic!("not known: {refused:?}") };
        assert!(!why.contains("openmpi") && !why.contains("mpich"), "{why}");
        let example = why.split_once("for example --algorithm ").and_then(|(_, rest)| rest.split(' ').next());
        let example = example.unwrap_or_else(|| panic!("no example: {why}"));
        Algorithm::find(Collective::Allreduce, example).unwrap_or_else(|wrong| panic!("{wrong}"));
        let flag = asked_for(Some(&intel), None);
        assert!(flag.contains("Intel MPI") && !flag.contains("openmpi"), "{flag}");
        assert!(asked_for(Some(&calibrated_by("threads")), None).contains("openmpi-4.1"));
    }

    #[test]
    fn a_table_of_another_version_is_said_where_it_chooses() {
        let new = calibrated_by("MPICH 5.0.2 on 2 ranks");
        let said = |algorithm: Option<&str>, library| {
            AlgorithmChoice { algorithm: algorithm.map(str::to_owned), library }.beware(&new)
        };
        assert!(said(None, None).is_some_and(|said| said.contains("5.0.2")));
        assert_eq!(said(None, None), said(None, Some(Library::Mpich40)));
        assert_eq!([said(Some("binomial"), None), said(None, Some(Library::OpenMpi41))], [None, None]);
        let known = AlgorithmChoice { algorithm: None, library: None };
        assert_eq!(known.beware(&calibrated_by("MPICH 4.0.2 on 2 ranks")), None);
    }
}
