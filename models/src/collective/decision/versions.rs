//! Versions of a library for which its table holds.

use super::Library;
use crate::library;
use crate::release::Release;

impl Library {
    /// Returns the first and the last version whose rules were compared and are the table's.
    ///
    /// Open MPI: `coll_tuned_decision_fixed.c` has the same rules in 4.1.0 to 4.1.8 and in 5.0.0 to 5.0.10; the branch
    /// for 6 has others. MPICH: `generic.json` is the same in 4.0 to 5.0.1, but that the barrier is called
    /// `k_dissemination` with k = 2 from 4.1 on.
    pub fn versions(self) -> [Release; 2] {
        match self {
            Library::OpenMpi41 => [Release(4, 1, 0), Release(5, 0, 10)],
            Library::Mpich40 => [Release(4, 0, 0), Release(5, 0, 1)],
        }
    }

    /// Returns a warning for readers where the table stands for ranks with this description of themselves; `None` where
    /// their version is one of [`Library::versions`].
    pub fn beware(self, ran_by: &str) -> Option<String> {
        let [first, last] = self.versions();
        let title = library::Library::all().find(|library| library.decision == Some(self))?.title;
        let found = match Release::behind(title, ran_by) {
            Some(release) if (first..=last).contains(&release) => return None,
            Some(release) => format!("{title} {release}"),
            None => "an unknown version".to_owned(),
        };
        Some(format!(
            "the decision table is that of {title} {first} to {last}, and the ranks ran {found}, whose own choice was not compared \
             with it: it may be another algorithm than the one that is predicted"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_holds_for_versions_that_were_compared_and_others_are_named() {
        let known =
            [(Library::OpenMpi41, "Open MPI 4.1.4"), (Library::OpenMpi41, "Open MPI 5.0.10 (MPI 3.1), clock tsc")];
        let known = known.into_iter().chain([(Library::Mpich40, "MPICH 4.3.2"), (Library::Mpich40, "MPICH 5.0.1, x")]);
        for (library, ran_by) in known {
            assert_eq!(library.beware(ran_by), None, "{ran_by}");
        }
        let said = [
            Library::OpenMpi41.beware("Open MPI 5.0.11 (MPI 3.1)"),
            Library::Mpich40.beware("MPICH 5.0.2 (MPI 5.0)"),
            Library::OpenMpi41.beware("Open MPI 4.0.7"),
            Library::Mpich40.beware("published numbers"),
        ];
        insta::assert_snapshot!(said.map(|said| said.expect("not compared")).join("\n"));
    }
}
