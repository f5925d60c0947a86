//! The barrier between calls, which decides on the number that a barrier loop prints, with the grounds on which it is
//! known.

use programs::observation::Barrier;
use serde::Serialize;

/// Barrier with the grounds on which it is taken to be the one in force.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InForce {
    /// Barrier that is in force.
    pub barrier: Barrier,
    /// Grounds on which it is known.
    pub grounds: Grounds,
}

models::named! {
    /// Grounds on which a barrier is known.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Grounds {
        /// A file of the run names it: the call stack of a crash in `MPI_Barrier`, on standard error.
        Stated => "stated",
        /// It follows from the time of the run and the history of the framework's file of rules, which says what was
        /// forced but not in which run. The time is that of the run's first file in its archive, elsewhere that of its
        /// folder's name.
        Inferred => "inferred",
        /// The user says so.
        Given => "given",
    }
    /// The name used in tables.
    fn name;
    Display(name);
}

/// Rules between which a run's job may have run (HLC-Lab/pico, `selector/ompi_dynamic_rules.txt`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    /// No barrier is forced: the library's own choice.
    Free,
    /// Recursive doubling is forced.
    Forced,
}

/// Time of the commit of the last version of the rules that forces no barrier: 2025-04-04, 17:42:09 UTC.
const FREE_UNTIL_UNIX_S: u64 = 1_743_788_529;
/// Time of the commit of the entry `BARRIER … 0 3 0 0`, algorithm 3, recursive doubling: 2025-04-06, 21:57:35 UTC.
const FORCED_FROM_UNIX_S: u64 = 1_743_976_655;
/// Time before which no file of the framework was written, in seconds since 1970. Archives that are made to be
/// reproducible give earlier times.
const FRAMEWORK_FROM_UNIX_S: u64 = 1_735_689_600;

/// Folder name up to which jobs ran before [`FREE_UNTIL_UNIX_S`]. The name is the local time at which the job was
/// submitted.
const FREE_UNTIL: &str = "2025_04_04___19_42";
/// First folder whose job ran after [`FORCED_FROM_UNIX_S`], by the times in its archive: on 2025-04-18.
const FORCED_FROM: &str = "2025_04_06___20_44";

/// Time of a run: by its folder's name, and by its first file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct When<'a> {
    /// Name of its folder: the local time at which its job was submitted, `2025_04_04___18_21_29`.
    pub(crate) name: &'a str,
    /// Time at which its first file was written, in seconds since 1970, UTC. Known of archives.
    pub(crate) first_file_unix_s: Option<u64>,
}

impl When<'_> {
    /// Returns the rules that the framework had when the job ran, `None` if it was between the two.
    fn rules(self) -> Option<Rules> {
        let between = |early: bool, late: bool| match (early, late) {
            (true, _) => Some(Rules::Free),
            (_, true) => Some(Rules::Forced),
            _ => None,
        };
        match self.first_file_unix_s.filter(|&at| at >= FRAMEWORK_FROM_UNIX_S) {
            Some(at) => between(at < FREE_UNTIL_UNIX_S, at >= FORCED_FROM_UNIX_S),
            None if self.name.starts_with("20") => between(self.name < FREE_UNTIL, self.name >= FORCED_FROM),
            None => None,
        }
    }
}

/// Returns the barrier of a run by the rules that the framework had when it ran. `None` for other libraries, for which
/// it forces no barrier, for versions whose own choice is not known here, and for runs between the two rules.
pub(crate) fn inferred(library: &str, version: &str, when: When) -> Option<InForce> {
    let rules = when.rules().filter(|_| library.contains("OMPI"))?;
    let name = match rules {
        Rules::Forced => "recursive-doubling",
        Rules::Free if version.starts_with("4.1.") => "openmpi-4.1",
        Rules::Free => return None,
    };
    known(name, Grounds::Inferred)
}

/// Returns a barrier by its name, with its grounds.
pub(crate) fn known(name: &str, grounds: Grounds) -> Option<InForce> {
    Barrier::find(name).ok().map(|barrier| InForce { barrier, grounds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_the_day_decide() {
        let at = |library, version, name, first_file_unix_s| {
            let found = inferred(library, version, When { name, first_file_unix_s });
            found.map(|found| found.barrier.to_string())
        };
        let name = |library, version, run| at(library, version, run, None);
        assert_eq!(name("OMPI", "4.1.6", "2025_04_04___18_21_29").as_deref(), Some("openmpi-4.1"));
        assert_eq!(name("OMPI", "4.1.6", "2025_04_06___20_44_58").as_deref(), Some("recursive-doubling"));
        assert_eq!(name("customOMPI", "5.0.7", "2025_05_06___19_06_52").as_deref(), Some("recursive-doubling"));
        for (library, version, run) in [
            ("OMPI", "4.1.6", "2025_04_05___10_00_00"),
            ("OMPI", "4.1.6", "2025_04_06___13_24_12"),
            ("OMPI", "5.0.7", "2025_03_01___10_00_00"),
            ("CRAY_MPICH", "8.1.29", "2025_04_08___15_21_06"),
            ("FJMPI", "4.0.1", "2025_03_26___19_49_06"),
            ("OMPI", "4.1.6", ""),
        ] {
            assert_eq!(name(library, version, run), None, "{library} {version} {run}");
        }
        // A job may wait for days: its files count for more than its submission, unless an archive says nothing of
        // them.
        let [submitted, monday] = ["2025_04_04___18_21_29", "2025_04_06___13_24_12"];
        assert_eq!(at("OMPI", "4.1.6", submitted, Some(1_743_784_200)).as_deref(), Some("openmpi-4.1"));
        assert_eq!(at("OMPI", "4.1.6", submitted, Some(1_744_993_800)).as_deref(), Some("recursive-doubling"));
        assert_eq!(at("OMPI", "4.1.6", submitted, Some(1_743_900_000)), None);
        assert_eq!(at("OMPI", "4.1.6", submitted, Some(0)).as_deref(), Some("openmpi-4.1"));
        assert_eq!(at("OMPI", "4.1.6", monday, Some(1_744_993_800)).as_deref(), Some("recursive-doubling"));
    }
}
