use super::*;
use models::library::Release;

/// A tree in the form of MPICH's own one, made up for this test.
const OWN: &str = r#"{"collective=bcast":{"comm_type=intra":{"comm_size<8":{"algorithm=MPIR_Bcast_intra_binomial":{}},"comm_size=any":{"algorithm=MPIR_Bcast_intra_scatter_ring_allgather":{}}},"comm_type=inter":{"algorithm=MPIR_Bcast_inter_remote_send_local_bcast":{}}},"collective=gather":{"comm_type=intra":{"algorithm=MPIR_Gather_intra_binomial":{}}},"collective=alltoall":{"comm_type=intra":{"algorithm=MPIR_Alltoall_intra_scattered":{}}},"collective=allreduce":{"comm_type=intra":{"algorithm=MPIR_Allreduce_intra_recursive_doubling":{}}}}"#;

fn entry(called: &str, ranks: u32, pieces: &[(u64, Option<u64>, &str, u64)]) -> Entry {
    let (collective, call) = Call::find(called).expect("an operation");
    let piece = |&(from_bytes, below_bytes, algorithm, segment_bytes): &(u64, Option<u64>, &str, u64)| Piece {
        from_bytes,
        below_bytes,
        algorithm: algorithm.to_owned(),
        segment_bytes,
    };
    Entry { collective, call, ranks, pieces: pieces.iter().map(piece).collect() }
}

fn table(world: World, entries: &[Entry]) -> String {
    let on_hosts = Target { world, hosts: 1, commuting: true };
    let written = on_hosts.written(entries, (Path::new("/tuned"), "tuned"), Some(OWN)).expect("a table");
    let files = written.files.iter().map(|(name, text)| format!("== {name}\n{text}")).collect::<String>();
    format!("{files}== left out\n{}", written.left_out.join("\n"))
}

#[test]
fn open_mpi_reads_rules_from_a_length_on() {
    let entries = [
        entry("bcast", 4, &[(1024, Some(4096), "pipeline", 1024), (8192, Some(65537), "chain", 0)]),
        entry("alltoall", 4, &[(64, Some(1025), "pairwise", 0)]),
        entry("alltoall", 5, &[(0, None, "linear", 0)]),
        entry("gather", 8, &[]),
        entry("scatter", 4, &[(64, Some(1025), "binomial", 0)]),
        entry("gather", 4, &[(64, Some(1025), "binomial", 0), (2048, None, "basic_linear", 0)]),
        entry("bcast", 8, &[(4, None, "sm", 0)]),
    ];
    insta::assert_snapshot!(table(World::OPENMPI, &entries));
}

#[test]
fn mpich_reads_a_whole_tree_with_the_entries_before_its_own() {
    let entries = [
        entry("bcast", 4, &[(1024, Some(4097), "binomial", 0)]),
        entry("bcast", 5, &[(0, None, "nb", 0)]),
        entry("alltoall", 4, &[(256, None, "pairwise", 0)]),
        entry("allreduce", 4, &[(64, None, "reduce_scatter_allgather", 0)]),
        entry("gather", 4, &[(64, None, "nb", 0)]),
    ];
    insta::assert_snapshot!(table(World::MPICH, &entries));
}

#[test]
fn intel_mpi_reads_ranges_from_variables() {
    let bcast = |ranks| entry("bcast", ranks, &[(4, Some(8192), "binomial", 0), (8192, Some(65537), "adjust-7", 0)]);
    let intel = World::Mpi(Library::INTELMPI.any());
    insta::assert_snapshot!(table(intel, &[bcast(4), entry("barrier", 4, &[(0, None, "dissemination", 0)])]));
    let refused = Target { world: intel, hosts: 1, commuting: true }
        .written(&[bcast(4), bcast(8)], (Path::new("/t"), "t"), None)
        .expect_err("two sizes");
    assert!(refused.contains("one number of ranks"), "{refused}");
}

#[test]
fn later_versions_of_open_mpi_read_json() {
    let release = Release::with_version(Library::OPENMPI, "6.0.0").expect("a version");
    let entries = [
        entry("bcast", 4, &[(1024, Some(4096), "pipeline", 1024), (8192, Some(65537), "chain", 0)]),
        entry("reduce-scatter-block", 4, &[(64, None, "butterfly", 0)]),
    ];
    let text = table(World::Mpi(release), &entries);
    let json = &text["== tuned.json\n".len()..text.find("== tuned.env").expect("variables")];
    serde_json::from_str::<serde_json::Value>(json).expect("JSON");
    insta::assert_snapshot!(text);
}

#[test]
fn a_table_without_entries_has_no_files_and_an_unknown_form_is_refused() {
    let on_one = |world| Target { world, hosts: 1, commuting: true };
    let place = (Path::new("/t"), "t");
    let none = on_one(World::OPENMPI).written(&[entry("bcast", 4, &[])], place, None).expect("nothing");
    assert_eq!(none, Written::default());
    let threads = on_one(World::Threads).written(&[], place, None).expect_err("no library");
    let without = on_one(World::MPICH).written(&[], place, None).expect_err("no tree");
    assert!(threads.contains("expected openmpi") && without.contains("its own was not found"), "{threads} {without}");
}

#[test]
fn the_own_tree_lies_in_the_shared_library_among_others() {
    let posix = r#"{"collective=bcast":{"algorithm=MPIDI_POSIX_mpi_bcast_release_gather":{}}}"#;
    let cut = r#"{"collective=bcast":{"algorithm=MPIR_Bcast_intra_binomial":{"#;
    let shared = [b"\x7fELF..", posix.as_bytes(), b"\0", cut.as_bytes(), b"\0..", OWN.as_bytes(), b"\0rest"].concat();
    assert_eq!(built_in(&shared).as_deref(), Some(OWN));
    assert_eq!(built_in(posix.as_bytes()), None);
}

#[test]
fn between_hosts_a_component_of_open_mpi_s_goes_before_the_rules_and_is_switched_off() {
    let release = |version| World::Mpi(Release::with_version(Library::OPENMPI, version).expect("a version"));
    let split = |version, hosts, called: &str| {
        let (collective, call) = Call::find(called).expect("an operation");
        Target { world: release(version), hosts, commuting: true }.split(collective, &call)
    };
    assert_eq!(split("5.0.11", 1, "bcast"), Split::Anywhere);
    assert_eq!(split("5.0.11", 2, "bcast"), Split::WithoutOwnChoice);
    assert_eq!(split("5.0.11", 2, "alltoall"), Split::Anywhere);
    assert_eq!(split("4.1.4", 2, "bcast"), Split::Anywhere);
    assert_eq!(split("5.0.11", 2, "gather"), Split::Nowhere);
    let bcast = [entry("bcast", 4, &[(1024, None, "pipeline", 1024)])];
    let variables = |hosts| {
        let written =
            Target { world: release("5.0.11"), hosts, commuting: true }.written(&bcast, (Path::new("/t"), "t"), None);
        written.expect("rules").environment.iter().any(|(name, _)| name.contains("han"))
    };
    assert_eq!([1, 2].map(variables), [true, true]);
}

#[test]
fn algorithms_that_combine_in_another_order_are_for_operators_that_commute() {
    let can = |commuting, called: &str, name: &str| {
        let (collective, call) = Call::find(called).expect("an operation");
        Target { world: World::OPENMPI, hosts: 1, commuting }.can_hold(collective, &call, name)
    };
    for (called, name) in [("reduce", "binomial"), ("allreduce", "ring"), ("reduce-scatter-block", "recursive_halving")]
    {
        assert_eq!([false, true].map(|commuting| can(commuting, called, name)), [false, true], "{called} {name}");
    }
    assert!(can(false, "reduce", "in-order_binary") && can(false, "bcast", "binomial"));
}

#[test]
fn an_algorithm_for_equal_blocks_is_guarded_in_a_tree() {
    let own = OWN.replace("collective=alltoall", "collective=reduce_scatter");
    let target = Target { world: World::MPICH, hosts: 1, commuting: true };
    let entry = entry("reduce-scatter", 4, &[(64, None, "noncommutative", 0)]);
    let written = target.written(&[entry], (Path::new("/t"), "t"), Some(&own)).expect("a table");
    let text = &written.files[0].1;
    assert!(text.contains("is_block_regular=yes") && text.contains("is_block_regular=no"), "{text}");
    let (exscan, call) = Call::find("exscan").expect("an operation");
    assert!(!target.can_hold(exscan, &call, "recursive_doubling"));
}

#[test]
fn variables_that_choose_algorithms_are_told_from_others() {
    for name in [
        "OMPI_MCA_coll_tuned_use_dynamic_rules",
        "OMPI_MCA_coll_han_use_dynamic_file_rules",
        "OMPI_MCA_coll_han_bcast_up_module",
        "MPIR_CVAR_BCAST_INTRA_ALGORITHM",
        "MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE",
        "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE",
        "MPICH_COLL_SELECTION_TUNING_JSON_FILE",
        "I_MPI_ADJUST_BCAST",
        "I_MPI_TUNING_BIN",
    ] {
        assert!(chooses(name), "{name}");
    }
    for name in ["OMPI_MCA_coll_hcoll_enable", "OMPI_MCA_coll", "OMPI_MCA_btl", "MPIR_CVAR_CH4_NETMOD", "I_MPI_FABRICS"]
    {
        assert!(!chooses(name), "{name}");
    }
}
