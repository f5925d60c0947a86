//! Runs as folders and archives of the tests' own.

use flate2::Compression;
use flate2::write::GzEncoder;
use models::collective::Collective;
use parallax_published::{Grounds, Mark, NodeMap, Published, PublishedRow, is_run, read};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

const RUN: &str = "2025_03_01___10_00_00";

type Files = Vec<(String, String)>;

/// Raw text of these calls.
fn raw(calls: &[u64]) -> String {
    let lines: Vec<String> = calls.iter().map(u64::to_string).collect();
    format!("highest\n{}\n", lines.join("\n"))
}

fn alloc(ranks: u32, per_node: u32) -> String {
    let lines: Vec<String> = (0..ranks).map(|rank| format!("{rank},node{}\n", rank / per_node)).collect();
    format!("MPI_Rank,allocation\n{}", lines.concat())
}

/// A section of a log.
fn section(test: u32, collective: &str, nodes: u32, ranks: u32, cuda: &str) -> String {
    format!(
        "\x1b[0;32m====\n\t CONFIGURATION SUMMARY\n====\x1b[0m\n  • Location:              alpha\n  • Number of Nodes:       {nodes}\n  \
         • Total MPI tasks:       {ranks}\n  • Task per Node:         {}\n  • Results Directory:     /home/a/results/alpha/{RUN}/{test}\n  \
         • Collective Type:       {collective}\n  • MPI Library:           OMPI 4.1.6\n  • CUDA Enabled:          {cuda}\n\
         Skipping algorithm ring_ompi for size=2 < MPI_TASKS={ranks}\n",
        ranks / nodes
    )
}

fn files(all: &[(&str, String)]) -> Files {
    all.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect()
}

/// Two tests on as many ranks.
fn two_tests() -> Files {
    files(&[
        ("alloc.csv", alloc(8, 2)),
        ("slurm_1.out", section(0, "BCAST", 4, 8, "False") + &section(1, "ALLGATHER", 4, 8, "False")),
        ("0/8_binomial_ompi_int32.csv", raw(&[9000, 3000, 4000, 5000])),
        ("0/64_binomial_ompi_int32.csv", raw(&[9100, 3100, 4100, 5100, 6100])),
        ("1/20_ring_ompi_int32.csv", raw(&[7000])),
        ("1/32_ring_ompi_int32.csv", raw(&[])),
        ("0/notes.txt", "nothing".to_owned()),
    ])
}

/// 2025-04-04, 16:30 UTC, when no barrier was forced yet.
const WRITTEN_UNIX_S: u64 = 1_743_784_200;

fn archived(folder: &Path, files: &Files) -> PathBuf {
    archived_at(folder, files, WRITTEN_UNIX_S)
}

fn archived_at(folder: &Path, files: &Files, unix_s: u64) -> PathBuf {
    let path = folder.join(format!("{RUN}.tar.gz"));
    let mut builder = tar::Builder::new(GzEncoder::new(std::fs::File::create(&path).unwrap(), Compression::fast()));
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(unix_s);
        builder.append_data(&mut header, format!("{RUN}/{name}"), text.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap();
    path
}

fn unpacked(folder: &Path, files: &Files) -> PathBuf {
    let run = folder.join(RUN);
    for (name, text) in files {
        let path = run.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    run
}

fn published(files: &Files) -> Published {
    let folder = tempfile::tempdir().unwrap();
    read(&archived(folder.path(), files)).unwrap()
}

/// The rows of a test.
fn of_test(published: &Published, test: u32) -> Vec<&PublishedRow> {
    published.rows.iter().filter(|row| row.test == Some(test)).collect()
}

#[test]
fn a_folder_and_its_archive_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (archive, run) = (archived(folder.path(), &two_tests()), unpacked(folder.path(), &two_tests()));
    let found = read(&archive).unwrap();
    assert_eq!(read(&run).unwrap(), found);
    assert!(is_run(&archive) && is_run(&run) && !is_run(&run.join("alloc.csv")) && !is_run(&run.join("0")));
    let first = &found.rows[0];
    assert_eq!((first.system.as_str(), first.run.as_str(), first.collective), ("alpha", RUN, Some(Collective::Bcast)));
    assert_eq!((first.ranks, first.nodes, first.ranks_per_node, first.bytes), (Some(8), Some(4), Some(2), Some(32)));
    assert_eq!((first.calls.count, first.calls.first_us, first.calls.median_us), (4, Some(9.0), 4.5));
    assert_eq!(first.calls.in_order_ns, [9000, 3000, 4000, 5000]);
    let barrier = first.barrier.as_ref().unwrap();
    assert_eq!((barrier.barrier.to_string().as_str(), barrier.grounds), ("openmpi-4.1", Grounds::Inferred));
    let gathered = of_test(&found, 1);
    assert_eq!((gathered.len(), gathered[0].bytes, gathered[0].marks.as_slice()), (1, Some(8), &[Mark::Remainder][..]));
    insta::assert_snapshot!(format!("{:?}\n{}", found.facts, found.warnings.join("\n")));
}

#[test]
fn one_raw_file_is_read_with_what_its_run_says() {
    let folder = tempfile::tempdir().unwrap();
    let run = unpacked(folder.path(), &two_tests());
    let inside = read(&run.join("0/8_binomial_ompi_int32.csv")).unwrap();
    assert_eq!(inside.rows, read(&run).unwrap().rows[..1]);
    let outside = folder.path().join("8_binomial_ompi_int32.csv");
    std::fs::copy(run.join("0/8_binomial_ompi_int32.csv"), &outside).unwrap();
    let alone = &read(&outside).unwrap().rows[0];
    assert_eq!((alone.collective, alone.ranks, alone.bytes, alone.calls.count), (None, None, None, 4));
}

#[test]
fn ranks_are_those_of_the_allocation_where_metadata_differ() {
    let folder = tempfile::tempdir().unwrap();
    let table = |per_node: u32| {
        let head =
            "timestamp,test_id,nnodes,tasks_per_node,collective_type,mpi_lib,mpi_lib_version,gpu_awareness,notes";
        format!(
            "{head}\n{RUN},0,4,{per_node},BCAST,OMPI,4.1.6,no,null\n{RUN},1,4,{per_node},ALLGATHER,OMPI,4.1.6,no,null\n"
        )
    };
    let mut files = two_tests();
    files.retain(|(name, _)| !name.ends_with(".out"));
    let system = folder.path().join("beta");
    std::fs::create_dir(&system).unwrap();
    let archive = archived(&system, &files);
    let read_with = |per_node| {
        std::fs::write(folder.path().join("beta_metadata.csv"), table(per_node)).unwrap();
        read(&archive).unwrap()
    };
    let (agreed, contradicted) = (read_with(2), read_with(1));
    assert_eq!((agreed.rows[0].system.as_str(), agreed.rows[0].ranks), ("beta", Some(8)));
    assert_eq!(agreed.rows, contradicted.rows, "both by alloc.csv");
    assert_eq!((agreed.warnings.len(), contradicted.warnings.len()), (1, 2));
    insta::assert_snapshot!(contradicted.warnings[0]);
}

#[test]
fn rows_keep_the_hosts_of_their_ranks_and_the_lines_that_say_so() {
    let found = published(&two_tests());
    let hosts = found.rows[0].hosts.as_ref().unwrap();
    assert_eq!((hosts.file.as_str(), hosts.of_rank.len()), (format!("{RUN}/alloc.csv").as_str(), 8));
    assert_eq!(hosts.of_rank[..3], [("node0".to_owned(), 2), ("node0".to_owned(), 3), ("node1".to_owned(), 4)]);
    let mut without = two_tests();
    without.retain(|(name, _)| name != "alloc.csv");
    assert!(published(&without).rows.iter().all(|row| row.hosts.is_none()));
    let map = NodeMap::parse("map.txt", "NODE 0 CELL 1\nNODE 1 CELL 2\nNODE 2 CELL 2\nNODE 3 CELL 1\n").unwrap();
    let placed = map.placement(hosts).unwrap();
    assert_eq!(placed, "list:0.0.0/0.0.0/1.0.0/1.0.0/1.1.0/1.1.0/0.1.0/0.1.0");
}

#[test]
fn an_allocation_of_another_test_says_nothing() {
    let found = published(&files(&[
        ("alloc.csv", alloc(16, 4)),
        ("slurm_1.out", section(0, "ALLGATHER", 4, 16, "True") + &section(1, "ALLGATHER", 4, 4, "False")),
        ("0/64_ring_ompi_int32.csv", raw(&[7000, 6000])),
        ("1/64_ring_ompi_int32.csv", raw(&[8000, 6000])),
    ]));
    let places: Vec<_> = found.rows.iter().map(|row| (row.ranks, row.ranks_per_node, row.marks.clone())).collect();
    assert_eq!(places, [(Some(16), Some(4), vec![Mark::Gpu]), (Some(4), Some(1), vec![])]);
}

#[test]
fn allocations_are_told_apart_by_their_ranks() {
    let found = published(&files(&[
        ("alloc_4.csv", alloc(4, 1)),
        ("alloc_16.csv", alloc(16, 4)),
        ("traced_alloc_4.csv", "COLLECTIVE,ALGORITHM\n".to_owned()),
        ("slurm_1.out", section(0, "BCAST", 4, 4, "False") + &section(1, "BCAST", 4, 16, "False")),
        ("0/64_chain_ompi_int32.csv", raw(&[7000, 6000])),
        ("1/64_chain_ompi_int32.csv", raw(&[8000, 6000])),
    ]));
    let places: Vec<_> = found.rows.iter().map(|row| (row.ranks, row.nodes, row.ranks_per_node)).collect();
    assert_eq!(places, [(Some(4), Some(4), Some(1)), (Some(16), Some(4), Some(4))]);
    assert!(found.warnings.is_empty(), "{:?}", found.warnings);
}

#[test]
fn the_stack_of_a_crash_states_the_barrier() {
    let mut all = two_tests();
    all.push(("slurm_1.err".to_owned(), "2 libmpi.so(ompi_coll_base_barrier_intra_doublering+0x1)\n".to_owned()));
    let barrier = published(&all).rows[0].barrier.clone().unwrap();
    assert_eq!((barrier.barrier.to_string().as_str(), barrier.grounds), ("double-ring", Grounds::Stated));
}

#[test]
fn a_job_that_waited_ran_under_the_rules_of_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let barrier = |unix_s| read(&archived_at(folder.path(), &two_tests(), unix_s)).unwrap().rows[0].barrier.clone();
    let name = |unix_s| barrier(unix_s).map(|found| found.barrier.to_string());
    assert_eq!(name(WRITTEN_UNIX_S).as_deref(), Some("openmpi-4.1"));
    assert_eq!(name(WRITTEN_UNIX_S + 14 * 86_400).as_deref(), Some("recursive-doubling"));
    assert_eq!(name(WRITTEN_UNIX_S + 86_400), None, "between the two rules");
}

#[test]
fn only_what_a_decision_file_confirms_is_not_marked() {
    let decided = "[n1:2] [mpi::coll-select] An algorithm is selected. [special-route] [barrier] [200] [0]\n\
                   [n1:2] [mpi::coll-select] An algorithm is selected. [system-files] [bcast] [103]\n";
    let log = section(0, "BCAST", 4, 8, "False").replace("OMPI 4.1.6", "FJMPI 4.0.1");
    let text = format!("{}Average runtime: 0.000007\n", raw(&[7000, 6000]));
    let found = published(&files(&[
        ("slurm_1.out", log),
        ("0/64_default-default_int32.csv", text.clone()),
        ("0/64_default-default_int32.decision.err", decided.to_owned()),
        ("0/512_default-default_int32.csv", text.clone()),
        ("0/512_default-default_int32.decision.err", decided.replace("bcast", "reduce")),
        ("0/64_BINE-L-UTOFU-0-1_int32.csv", text),
    ]));
    let marks: Vec<_> =
        found.rows.iter().map(|row| (row.algorithm.as_str(), row.elements, row.marks.clone())).collect();
    let expected = [
        ("BINE-L-UTOFU-0-1", 64, vec![Mark::Unconfirmed, Mark::OneSided]),
        ("default-default", 64, vec![]),
        ("default-default", 512, vec![Mark::Unconfirmed]),
    ];
    assert_eq!(marks, expected);
    assert_eq!((found.rows[1].notes.as_str(), found.rows[1].calls.count), ("selects system-files 103", 2));
    assert_eq!(found.rows[1].barrier, None);
    assert!(found.facts.iter().any(|(_, value)| value == "special-route 200"), "{:?}", found.facts);
}

#[test]
fn an_archive_that_is_cut_off_or_is_none_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = archived(folder.path(), &two_tests());
    let whole = std::fs::read(&path).unwrap();
    let mut said = Vec::new();
    for length in [3, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
        std::fs::write(&path, &whole[..length]).unwrap();
        said.push(read(&path).unwrap_err());
    }
    let mut changed = whole.clone();
    let last = changed.len() - 6;
    changed[last] ^= 1;
    std::fs::write(&path, &changed).unwrap();
    said.push(read(&path).unwrap_err());
    for error in &said {
        assert!(error.file == path.display().to_string() && error.message.contains("get it again"), "{error}");
    }
    let empty = archived(folder.path(), &files(&[("alloc.csv", alloc(2, 1)), ("0/8_ring.csv", raw(&[1]))]));
    let message = read(&empty).unwrap_err().message;
    insta::assert_snapshot!(message);
}

#[test]
fn a_broken_file_of_an_archive_is_an_error_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let broken = [
        ("0/8_ring_ompi_int32.csv", "highest\n12\n1x\n".to_owned()),
        ("0/8_ring_ompi_int32.csv", "highest,rank0,rank1\n12,12,3\n12,12\n".to_owned()),
        ("0/8_ring_ompi_int32.csv", "highest,rank0,rank1\n12,11,3\n".to_owned()),
        ("0/8_ring_ompi_int32.csv", "highest,colour\n12,11\n".to_owned()),
        ("alloc.csv", "MPI_Rank,allocation\n0,a\n0,b\n".to_owned()),
        ("alloc.csv", "MPI_Rank,allocation\n0,a\n2,b\n".to_owned()),
    ];
    let said = broken.map(|(name, text)| {
        let files = files(&[("0/64_ring_ompi_int32.csv", raw(&[7])), (name, text)]);
        let error = read(&archived(folder.path(), &files)).unwrap_err().to_string();
        error.replace(&folder.path().display().to_string(), "")
    });
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn twenty_thousand_calls_keep_their_order_and_tell_how_much_they_remember() {
    // A sawtooth: neighbours are alike, and each call has its own place.
    let calls: Vec<u64> = (0..20_000u64).map(|index| 10_000 + index % 100 * 10 + index / 100).collect();
    let found = published(&files(&[
        ("slurm_1.out", section(0, "BCAST", 4, 8, "False")),
        ("0/8_chain_ompi_int32.csv", raw(&calls)),
    ]));
    let row = &found.rows[0].calls;
    assert_eq!(row.in_order_ns, calls);
    assert!(row.lag_1.unwrap() > 0.9, "{:?}", row.lag_1);
    let steady = row.steady.unwrap();
    assert!(steady.low <= steady.value && steady.value <= steady.high && (steady.value - row.median_us).abs() < 0.01);
}

#[test]
fn each_rank_may_have_a_column() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("8_chain_ompi_int64.csv");
    for head in ["highest,rank0,rank1", "rank0,rank1,rank2"] {
        std::fs::write(&path, format!("{head}\n12,12,3\n15,9,15\n")).unwrap();
        let row = &read(&path).unwrap().rows[0];
        let ranks = if head.starts_with('h') { 2 } else { 3 };
        assert_eq!((row.ranks, row.calls.in_order_ns.as_slice()), (Some(ranks), &[12, 15][..]), "{head}");
    }
    std::fs::write(&path, "highest\n").unwrap();
    insta::assert_snapshot!(read(&path).unwrap_err().message);
}

proptest! {
    #[test]
    fn the_order_of_files_does_not_matter(order in Just(two_tests()).prop_shuffle()) {
        prop_assert_eq!(published(&order), published(&two_tests()));
    }
}
