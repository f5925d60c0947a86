//! The barrier between calls, which decides what a barrier loop prints, and how it is known.

use models::observation::Barrier;
use serde::Serialize;

/// A barrier, and why it is taken to be the one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InForce {
    /// The barrier.
    pub barrier: Barrier,
    /// How it is known.
    pub grounds: Grounds,
}

models::named! {
    /// How a barrier is known.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Grounds {
        /// A file of the run names it: the call stack of a crash in `MPI_Barrier`, on standard error.
        Stated => "stated",
        /// It follows from the time of the run and the history of the framework's file of rules, which says what was
        /// forced but not in which run.
        Inferred => "inferred",
        /// The user says so.
        Given => "given",
    }
    /// The name used in tables.
    fn name;
    Display(name);
}

/// The last version of the framework's file of rules that forces no barrier is of this time.
const FREE_UNTIL: &str = "2025_04_04___19_42";
/// The entry `BARRIER … 0 3 0 0`, algorithm 3, recursive doubling, was committed on 2025-04-06 at 23:57. A folder's name is the time at
/// which its job was submitted; this is the first one whose job ran after the commit: its `alloc.csv` was written on 2025-04-18.
const FORCED_FROM: &str = "2025_04_06___20_44";

/// The barrier of a run whose job was submitted at `run`, by the rules that the framework had when it ran (HLC-Lab/pico,
/// `selector/ompi_dynamic_rules.txt`). `None` for other libraries, for which it forces no barrier, for versions whose own
/// choice is not known here, and for jobs that were submitted between the two rules.
pub(crate) fn inferred(library: &str, version: &str, run: &str) -> Option<InForce> {
    if !library.contains("OMPI") || !run.starts_with("20") {
        return None;
    }
    let name = match run {
        late if late >= FORCED_FROM => "recursive-doubling",
        early if early < FREE_UNTIL && version.starts_with("4.1.") => "openmpi-4.1",
        _ => return None,
    };
    known(name, Grounds::Inferred)
}

/// A barrier by its name.
pub(crate) fn known(name: &str, grounds: Grounds) -> Option<InForce> {
    Barrier::find(name).ok().map(|barrier| InForce { barrier, grounds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_the_day_decide() {
        let name = |library, version, run| inferred(library, version, run).map(|found| found.barrier.to_string());
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
    }
}
