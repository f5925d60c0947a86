//! Releases of MPI libraries that people install with pip, side by side: `scripts/setup --libraries` brings them. A test whose library
//! is not here says that it was skipped; PARALLAX_REQUIRE_LIBRARIES=1 has it fail.

#[path = "../common/mod.rs"]
mod common;
mod counted;

use common::command::{Done, finish, mpi_program, parallax};
use common::releases::{RELEASES, alone, here, prefix};
use common::table;
use formats::tuning::{Entry, Piece, Target, built_in, environment_file};
use models::call::Call;
use models::library::Library;
use models::world::World;
use std::path::{Path, PathBuf};

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
    let worlds: Vec<&str> = told["worlds"].as_array().unwrap().iter().filter_map(|row| row["world"].as_str()).collect();
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
        assert!(measured.iter().any(|line| line.contains(&case) && line.contains(&format!("\"{says} "))), "{world}");
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

/// A library of which only the standard's interface is here: its launcher and all that it needs, without `libmpi.so`.
fn without_its_own_interface(prefix: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let link = |from: PathBuf, name: &Path| std::os::unix::fs::symlink(from, copy.path().join(name)).unwrap();
    for folder in ["bin", "lib"] {
        std::fs::create_dir(copy.path().join(folder)).unwrap();
        for entry in std::fs::read_dir(prefix.join(folder)).unwrap().map(Result::unwrap) {
            let name = Path::new(folder).join(entry.file_name());
            let text = entry.file_name().to_string_lossy().into_owned();
            match folder {
                // A launcher looks for its own files where it lies itself.
                "bin" if text.starts_with("mpiexec") || text.starts_with("hydra") => {
                    std::fs::copy(entry.path(), copy.path().join(name)).map(|_| ()).unwrap();
                }
                "lib" if !text.starts_with("libmpi.so") => link(entry.path(), &name),
                _ => {}
            }
        }
    }
    copy
}

/// What a campaign says of how its ranks were started.
fn started(folder: &tempfile::TempDir, campaign: &str) -> String {
    let lines = std::fs::read_to_string(folder.path().join(campaign).join("campaign.jsonl")).unwrap();
    let machine = lines.lines().find(|line| line.contains("--job")).expect("a line about the launch");
    machine.to_owned()
}

#[test]
fn a_library_with_the_standard_interface_alone_runs_the_program_of_that() {
    let _alone = alone();
    for (prefix, world, says) in here() {
        if !prefix.join("lib/libmpi_abi.so.1").exists() || mpi_program("abi").is_none() {
            eprintln!("skipped: {says} has no libmpi_abi.so.1");
            continue;
        }
        let alone = without_its_own_interface(&prefix);
        let folder = tempfile::tempdir().unwrap();
        let few =
            ["--ranks", "2", "--bytes", "8,64KiB", "--method", "window", "--samples", "3", "--launches", "1", "-q"];
        for (place, out, program) in
            [(alone.path(), "standard", "parallax-mpi-abi"), (&prefix, "own", "parallax-mpi-mpich")]
        {
            let mut command = parallax(&folder);
            // Variables that name a program come before what is found.
            command.env_remove("PARALLAX_MPI_MPICH").env_remove("PARALLAX_MPI_ABI");
            let named = ["measure", "bcast,allreduce", "--mpi", place.to_str().unwrap(), "--world", world];
            let done = finish(command.args(named).args(["--out", out, "--format", "csv"]).args(few));
            assert_eq!(done.code, 0, "{says}, {program}: {done:?}");
            assert!(started(&folder, out).contains(program), "{says}: {program}");
            let rows = table::rows(&done.stdout);
            assert!(!rows.is_empty() && rows.iter().all(|row| row["library"] == says), "{says}, {program}: {done:?}");
        }
        let mut command = parallax(&folder);
        let data = ["probe", "data", "--world", world, "--ranks", "2", "--mpi", alone.path().to_str().unwrap()];
        let done = finish(command.env_remove("PARALLAX_MPI_MPICH").env_remove("PARALLAX_MPI_ABI").args(data));
        assert_eq!((done.code, done.stdout.matches("every byte right").count()), (0, 2), "{says}: {done:?}");
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
            assert_eq!(
                found,
                counted::expected((operation, ours, counted::BYTES), head),
                "{world} {operation} library:{theirs}"
            );
        }
    }
}

/// An algorithm by the library's name, and by ours.
type Named = (&'static str, &'static str);

/// Operations, and for each two algorithms.
const TUNED: [&[(&str, [Named; 2])]; 3] = [
    &[
        ("bcast", [("basic_linear", "linear"), ("pipeline", "pipeline")]),
        ("alltoall", [("modified_bruck", "bruck"), ("pairwise", "pairwise")]),
    ],
    &[
        ("bcast", [("binomial", "binomial"), ("scatter_ring_allgather", "scatter-allgather-ring")]),
        ("allgather", [("ring", "ring"), ("brucks", "bruck")]),
    ],
    &[
        ("bcast", [("ring", "scatter-allgather-ring"), ("binomial", "binomial")]),
        ("alltoall", [("brucks", "bruck"), ("pairwise", "pairwise")]),
    ],
];

/// A table with one algorithm from 16 B on, another one from 48 B on, and the library's own choice from 96 B on, if it can be had,
/// has the library send the messages of just these.
#[test]
fn tables_are_in_force_at_the_lengths_that_they_name() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let Some(counter) = counted::counter(&folder) else { return };
    for ((release, world, _), (tuned, through_tcp)) in RELEASES.iter().zip(TUNED.iter().zip(THROUGH_TCP)) {
        let Some(prefix) = prefix(release) else { continue };
        let library = World::find(world, World::real()).unwrap();
        for (operation, [short, long]) in *tuned {
            let (collective, call) = Call::find(operation).unwrap();
            let piece = |from_bytes, below_bytes, (algorithm, _): (&str, &str)| Piece {
                from_bytes,
                below_bytes,
                algorithm: algorithm.to_owned(),
                segment_bytes: 0,
            };
            let pieces = vec![piece(16, Some(48), *short), piece(48, Some(96), *long)];
            let entry = Entry { collective, call, ranks: 4, pieces };
            let own_tree = std::fs::read(prefix.join("lib/libmpi.so.12")).ok().and_then(|bytes| built_in(&bytes));
            let target = Target { world: library, hosts: 1, commuting: true };
            let written = target.written(&[entry], (folder.path(), operation), own_tree.as_deref()).unwrap();
            for (name, text) in &written.files {
                std::fs::write(folder.path().join(name), text).unwrap();
            }
            let by_table = format!("tuned:{}", folder.path().join(environment_file(operation)).display());
            let counts = |algorithm: &str, bytes| {
                counted::counted_of((&prefix, world), &counter, (operation, algorithm, bytes), through_tcp)
            };
            let of = |(_, ours): (&str, &str), bytes, head| counted::expected((operation, ours, bytes), head);
            for (bytes, wanted) in [(44, *short), (48, *long)] {
                let (found, head) = counts(&by_table, bytes);
                assert_eq!(found, of(wanted, bytes, head), "{world} {operation} of {bytes} B: {wanted:?}");
            }
            assert_ne!(of(*short, 48, 0), of(*long, 48, 0), "{operation}: messages tell them apart");
            // Intel MPI has no way back to its own choice.
            if *operation == "bcast" && library.library() != Some(Library::INTELMPI) {
                assert_eq!(counts(&by_table, 96), counts("library", 96), "{world} {operation}: its own choice");
            }
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
