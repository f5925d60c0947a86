//! Algorithms by the names that people write: our own, those of libraries and those of textbooks.

use super::{Algorithm, Collective};
use crate::names::suggestion;

/// Words of textbooks, each with our own word.
const TEXTBOOK: [(&str, &str); 2] = [("flat", "linear"), ("flat-tree", "linear")];

/// Returns a name in small letters, with hyphens.
fn spelled(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

impl Algorithm {
    /// Finds the algorithm of a collective with the given name: one of ours, in any case and with hyphens or
    /// underscores; where none of ours is called so, the one that Open MPI or MPICH or a textbook calls so.
    ///
    /// # Errors
    /// Lists the known names, and the meaning in each library of a name that two libraries have.
    pub fn find(collective: Collective, name: &str) -> Result<&'static Algorithm, String> {
        let written = spelled(name);
        let word = TEXTBOOK.iter().find(|(word, _)| *word == written).map_or(written.as_str(), |(_, ours)| ours);
        let ours = |name: &str| Algorithm::for_collective(collective).find(|algorithm| algorithm.name == name);
        if let Some(found) = ours(word) {
            return Ok(found);
        }
        let elsewhere: Vec<_> =
            Algorithm::for_collective(collective).filter(|algorithm| !algorithm.callers(&written).is_empty()).collect();
        if let [only] = elsewhere.as_slice() {
            return Ok(only);
        }
        if let Some(found) = word.strip_suffix("-tree").and_then(ours) {
            return Ok(found);
        }
        let known: Vec<_> = Algorithm::for_collective(collective).map(|a| a.name).collect();
        let is_published = |a: &&Algorithm| a.published_as().iter().any(|published| published == name);
        let meant =
            |a: &&'static Algorithm| format!("{}'s {name} is {} here", a.callers(&written).join(" and "), a.name);
        let hint = match (Algorithm::for_collective(collective).find(is_published), elsewhere.is_empty()) {
            (Some(here), _) => format!(" (PICO's {name} is {} here)", here.name),
            (None, false) => format!(" ({})", elsewhere.iter().map(meant).collect::<Vec<_>>().join("; ")),
            (None, true) if name.contains(',') => {
                " (one algorithm is expected; `parallax sweep` takes lists)".to_owned()
            }
            (None, true) => suggestion(name, &known),
        };
        Err(format!("unknown algorithm '{name}'; known for {collective}: {}{hint}", known.join(", ")))
    }

    /// Returns the libraries that call it by a name that is [`spelled`].
    fn callers(&self, written: &str) -> Vec<&'static str> {
        let names = [("Open MPI", self.openmpi), ("MPICH", self.mpich)];
        names
            .into_iter()
            .filter(|(_, name)| name.is_some_and(|name| spelled(name) == written))
            .map(|(by, _)| by)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::ALGORITHMS;

    #[test]
    fn every_algorithm_is_found_by_its_name_however_it_is_spelled() {
        for algorithm in ALGORITHMS {
            for name in [algorithm.name.to_owned(), algorithm.name.to_uppercase().replace('-', "_")] {
                assert_eq!(Algorithm::find(algorithm.collective, &name), Ok(algorithm), "{name}");
            }
        }
    }

    #[test]
    fn names_of_libraries_are_taken_where_they_mean_one_algorithm_and_ours_come_first() {
        let found = |collective, name| Algorithm::find(collective, name).map(|algorithm| algorithm.name);
        assert_eq!(found(Collective::Barrier, "bruck"), Ok("dissemination"));
        assert_eq!(found(Collective::Bcast, "basic_linear"), Ok("linear"));
        assert_eq!(found(Collective::Bcast, "binomial"), Ok("binomial"), "Open MPI's is binomial-doubling");
        assert_eq!(found(Collective::Bcast, "binomial_tree"), Ok("binomial"));
        assert_eq!(found(Collective::Bcast, "flat"), Ok("linear"));
        for algorithm in ALGORITHMS {
            for name in [algorithm.openmpi, algorithm.mpich].into_iter().flatten() {
                let found = Algorithm::find(algorithm.collective, name);
                assert!(found.is_ok() || found.unwrap_err().contains(" here"), "{algorithm:?}: {name}");
            }
        }
        let refused = found(Collective::Bcast, "no-such").unwrap_err();
        assert!(refused.starts_with("unknown algorithm 'no-such'; known for bcast: linear, "), "{refused}");
        assert!(
            found(Collective::Bcast, "binomial_ompi")
                .unwrap_err()
                .ends_with("(PICO's binomial_ompi is binomial-doubling here)")
        );
    }
}
