//! Known costs of MPI library versions, as a table: each row was observed in the versions that it names, and has its
//! source.

use super::Finding;
use crate::launch::Library;
use models::release::Release;
use std::time::Duration;

/// Behaviour of a library in these versions that adds to measured times, or to waiting times, whatever the benchmark.
struct Cost {
    library: Library,
    /// First and last version in which it was observed.
    versions: [Release; 2],
    /// Least duration of a start of two ranks that shows the behaviour. A shorter start was not affected.
    start_takes: Duration,
    about: &'static str,
    /// Description of the behaviour, which follows the library's name and version.
    says: &'static str,
    to_do: &'static str,
}

static COSTS: [Cost; 2] = [
    // `mca_btl_ofi_component_close` in opal/mca/btl/ofi/btl_ofi_component.c ends with sleep(1), from 4.1.0 to the
    // branch for 6 (2026). Observed: builds from PyPI of 4.1.8, 5.0.8, 5.0.10 and 5.0.11 start two ranks in 1.3 to 1.5
    // s, without the component in 0.4 s. Debian's 4.1.4 does not open the component, and starts in 0.4 s.
    Cost {
        library: Library::OPENMPI,
        versions: [Release(4, 1, 0), Release(5, 0, 11)],
        start_takes: Duration::from_secs(1),
        about: "each start",
        says: "sleeps one second in MPI_Init where its component btl ofi finds no network of its own; no measured time contains it, and \
               every launch lasts longer by it",
        to_do: "export OMPI_MCA_btl=^ofi (the component serves one-sided calls over libfabric; messages do not need it).",
    },
    // `MPID_Progress_wait` in src/mpid/ch4/src/ch4_progress.h yields behind each poll. Observed in builds from PyPI of
    // 5.0.0, 5.0.1 and 5.0.2: hundreds of thousands of sched_yield in 200 000 round trips of 8 B, at 1.5 to 4 µs half a
    // round trip. 4.1.3, 4.2.3 and 4.3.2 call it about a thousand times, at 0.4 to 1 µs. MPIR_CVAR_POLLS_BEFORE_YIELD
    // is read by device ch3 alone.
    Cost {
        library: Library::MPICH,
        versions: [Release(5, 0, 0), Release(5, 0, 2)],
        start_takes: Duration::ZERO,
        about: "each wait",
        says: "calls sched_yield after every poll for messages (device ch4): half a round trip of 8 B within a node took 1.5 to 4 µs \
               instead of 0.4 to 1 µs with 4.3.2, and a rank may lose its core while it waits",
        to_do: "Nothing switches it off (MPIR_CVAR_POLLS_BEFORE_YIELD has no effect). Compare with another version before you compare \
                short messages with another library.",
    },
];

/// Returns the findings about known costs of a library's version. `start_took` is the duration from the start of its
/// two ranks to their end.
pub(super) fn cost_findings(library: Library, version: &str, start_took: Duration) -> Vec<Finding> {
    let here = |cost: &&Cost| {
        let [first, last] = cost.versions;
        let known = Release::parse(version).is_some_and(|version| (first..=last).contains(&version));
        cost.library == library && known && start_took >= cost.start_takes
    };
    let finding =
        |cost: &Cost| Finding::note(cost.about, format!("{} {version} {}", library.title, cost.says), cost.to_do);
    COSTS.iter().filter(here).map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn abouts(library: Library, version: &str, seconds: u64) -> Vec<&'static str> {
        cost_findings(library, version, Duration::from_secs(seconds)).iter().map(|finding| finding.about).collect()
    }

    #[test]
    fn what_costs_is_said_of_the_versions_in_which_it_was_seen_alone() {
        assert_eq!(abouts(Library::MPICH, "5.0.2", 0), ["each wait"]);
        for other in ["4.3.2", "5.1.0", "unknown", ""] {
            assert_eq!(abouts(Library::MPICH, other, 9), [""; 0], "{other}");
        }
        assert_eq!(abouts(Library::OPENMPI, "5.0.11", 2), ["each start"]);
        assert_eq!(abouts(Library::OPENMPI, "5.0.0rc2", 2), ["each start"]);
        assert_eq!(abouts(Library::OPENMPI, "5.0.2", 0), [""; 0], "a start of less than a second has not slept one");
        assert_eq!(abouts(Library::OPENMPI, "4.0.7", 2), [""; 0]);
    }
}
