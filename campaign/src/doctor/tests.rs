//! The doctor on planted machines, programs and launchers.

use super::{Diagnosis, Finding, Level, Section, clocks, machine, mpi, threads};
use crate::launch::{Library, Places, Processors};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use tempfile::TempDir;

/// A folder with these files in it; those whose text begins with `#!` can be executed.
fn planted(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let file = root.path().join(name);
        std::fs::create_dir_all(file.parent().expect("a parent")).expect("folders");
        std::fs::write(&file, text).expect("a file");
        if text.starts_with("#!") {
            std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).expect("made executable");
        }
    }
    root
}

fn places(root: &TempDir) -> Places {
    Places { path: vec![root.path().to_owned()], ..Places::default() }
}

fn levels(findings: &[Finding]) -> Vec<Level> {
    findings.iter().map(|finding| finding.level).collect()
}

/// A program that says it is linked with Open MPI, and greets from the rank that its launcher names.
const PROGRAM: &str = r#"#!/bin/sh
case $1 in
--identify) echo '{"library":"Open MPI","version":"4.1.4","standard":"3.1"}' ;;
--hello) echo "{\"rank\":${RANK:-0},\"size\":${SIZE:-1},\"host\":\"here\",\"expected\":2}" ;;
esac
"#;

/// A launcher like `mpirun`: skips its flags up to `-n COUNT PROGRAM --hello`, then does `$body`.
fn launcher(body: &str) -> String {
    format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'mpirun (Open MPI) 4.1.4'; exit; fi\n\
         while [ \"$1\" != -n ]; do shift; done; shift 2\n{body}\n"
    )
}

fn examine_with(body: &str) -> Vec<Finding> {
    examine_as("4.1.4", body)
}

/// The same where program and launcher say that they are of this version.
fn examine_as(version: &str, body: &str) -> Vec<Finding> {
    let of_version = |text: &str| text.replace("4.1.4", version);
    let files = [of_version(PROGRAM), of_version(&launcher(body))];
    let root = planted(&[("parallax-mpi-openmpi", &files[0]), ("mpirun.openmpi", &files[1])]);
    mpi::examine(Library::OPENMPI, &places(&root))
}

#[test]
fn a_world_of_two_is_fine_in_any_order() {
    let findings = examine_with("RANK=1 SIZE=2 \"$@\"; echo noise; RANK=0 SIZE=2 \"$@\"");
    assert_eq!(levels(&findings), [Level::Ok; 3], "{findings:#?}");
}

#[test]
fn a_launcher_of_another_library_is_recognised_by_worlds_of_one() {
    let findings = examine_with("\"$@\"; \"$@\"");
    let last = findings.last().expect("a finding");
    assert_eq!(last.level, Level::Problem);
    assert!(last.says.starts_with("2 worlds of one rank each"), "{}", last.says);
    assert!(last.to_do.as_ref().expect("a cure").contains("PARALLAX_MPIRUN_OPENMPI"), "{last:?}");
}

#[test]
fn a_launcher_that_fails_is_quoted() {
    let findings = examine_with("echo ------ >&2; echo 'not enough slots' >&2; exit 7");
    let last = findings.last().expect("a finding");
    assert_eq!(last.level, Level::Problem);
    assert!(
        last.says.contains("0 of 2 ranks answered") && last.says.contains("Its output:\nnot enough slots"),
        "{}",
        last.says
    );
}

#[test]
fn a_launcher_that_hangs_is_ended() {
    let root = planted(&[("parallax-mpi-openmpi", PROGRAM), ("mpirun.openmpi", &launcher("sleep 1000"))]);
    let pair = crate::launch::Launcher {
        release: Library::OPENMPI.any(),
        launcher: root.path().join("mpirun.openmpi"),
        binary: root.path().join("parallax-mpi-openmpi"),
        starter: crate::launch::Starter::Mpirun,
        environment: Vec::new(),
    };
    let mpi::Started { finding, .. } = mpi::start(&pair, Duration::from_millis(300));
    assert_eq!(finding.level, Level::Problem);
    assert!(finding.says.starts_with("not finished within"), "{}", finding.says);
}

/// The findings about a program that ends with this complaint, with an Open MPI launcher in `bin`.
fn examine_complaining(complaint: &str, beside: &[(&str, &str)]) -> (TempDir, Vec<Finding>) {
    let broken = format!("#!/bin/sh\necho '{complaint}' >&2; exit 127\n");
    let launcher = launcher("true");
    let own = [("bin/parallax-mpi-openmpi", broken.as_str()), ("bin/mpirun.openmpi", launcher.as_str())];
    let root = planted(&[&own[..], beside].concat());
    let places = Places { path: vec![root.path().join("bin")], ..Places::default() };
    let findings = mpi::examine(Library::OPENMPI, &places);
    assert_eq!(levels(&findings), [Level::Problem, Level::Ok], "{findings:#?}");
    (root, findings)
}

/// What the loader of shared libraries says where one is missing.
const NOT_FOUND: &str = "bin/parallax-mpi-openmpi: error while loading shared libraries: libmpi.so.40: cannot open shared object file: No such file or directory";

#[test]
fn a_program_that_does_not_say_its_name_is_to_be_built_anew() {
    let (_root, findings) = examine_complaining("undefined symbol: ompi_mpi_comm_null", &[]);
    assert!(findings[0].says.contains("ompi_mpi_comm_null"), "{}", findings[0].says);
    assert!(findings[0].to_do.as_ref().expect("a cure").contains("scripts/build"));
}

#[test]
fn a_library_that_the_loader_does_not_find_is_named_with_what_brings_it() {
    let (_root, findings) = examine_complaining(NOT_FOUND, &[]);
    assert!(findings[0].says.ends_with("the shared library libmpi.so.40 is not found"), "{}", findings[0].says);
    insta::assert_snapshot!(findings[0].to_do.as_ref().expect("a cure"));
    let (root, findings) = examine_complaining(NOT_FOUND, &[("lib/libmpi.so.40", "")]);
    let lib = root.path().canonicalize().expect("there").join("lib");
    let export = format!("export LD_LIBRARY_PATH={}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}", lib.display());
    assert_eq!(findings[0].to_do.as_ref(), Some(&export));
}

#[test]
fn a_library_that_the_loader_finds_too_old_is_named_with_who_needs_another() {
    let found = |library: &str, version: &str| {
        let complaint =
            format!("bin/program: {library}: version `{version}\u{27} not found (required by /opt/libmpi.so.12)");
        let (_root, findings) = examine_complaining(&complaint.replace('\u{27}', "'\\''"), &[]);
        let says = findings[0].says.split_once("cannot be loaded").expect("why").1.to_owned();
        format!("{says} → {}", findings[0].to_do.as_ref().expect("a cure"))
    };
    insta::assert_snapshot!(
        [found("/lib/libfabric.so.1", "FABRIC_1.9"), found("/lib/libc.so.6", "GLIBC_2.38")].join("\n")
    );
}

#[test]
fn a_library_that_nobody_has_to_have_is_examined_where_its_launcher_is_here_or_named() {
    let intel = Library::find("intelmpi").expect("in the table");
    let nothing = planted(&[]);
    assert!(!mpi::concerns(intel, &places(&nothing)) && mpi::concerns(Library::MPICH, &places(&nothing)));
    // MPICH's interface is Intel's, too: the program says nothing of whose library is here.
    let program = planted(&[("parallax-mpi-mpich", PROGRAM)]);
    assert!(!mpi::concerns(intel, &places(&program)));
    let launcher =
        planted(&[("mpiexec.hydra", "#!/bin/sh\necho 'Intel(R) MPI Library for Linux* OS, Version 2021.18.0'\n")]);
    assert!(mpi::concerns(intel, &places(&launcher)));
    // A launcher that is not Intel's.
    let misled = planted(&[("named", "#!/bin/sh\necho HYDRA build details:\n")]);
    let mut misled_places = places(&misled);
    misled_places.variables.insert("PARALLAX_MPIRUN_INTELMPI".to_owned(), misled.path().join("named").into());
    assert!(mpi::concerns(intel, &misled_places));
    let findings = mpi::examine(intel, &misled_places);
    assert!(findings[1].level == Level::Problem && findings[1].says.contains("not of Intel MPI"), "{findings:#?}");
}

#[test]
fn what_a_version_costs_follows_a_start_that_shows_it() {
    let slept = examine_as("5.0.11", "sleep 1; RANK=1 SIZE=2 \"$@\"; RANK=0 SIZE=2 \"$@\"");
    assert_eq!(levels(&slept), [Level::Ok, Level::Ok, Level::Ok, Level::Note], "{slept:#?}");
    assert!(slept[3].to_do.as_ref().expect("a cure").contains("OMPI_MCA_btl=^ofi"), "{slept:#?}");
    let older = examine_as("4.0.7", "sleep 1; RANK=1 SIZE=2 \"$@\"; RANK=0 SIZE=2 \"$@\"");
    assert_eq!(levels(&older), [Level::Ok; 3], "{older:#?}");
}

#[test]
fn a_program_linked_with_the_other_library_is_a_problem() {
    let root = planted(&[("parallax-mpi-mpich", PROGRAM), ("mpiexec.hydra", "#!/bin/sh\necho HYDRA build details:\n")]);
    let findings = mpi::examine(Library::MPICH, &places(&root));
    assert!(findings[0].says.contains("loads Open MPI 4.1.4, not MPICH"), "{findings:#?}");
}

#[test]
fn a_library_that_is_not_here_is_no_problem() {
    let nothing = planted(&[]);
    assert_eq!(levels(&mpi::examine(Library::MPICH, &places(&nothing))), [Level::Note]);
    let program_only = planted(&[("parallax-mpi-mpich", PROGRAM)]);
    assert_eq!(levels(&mpi::examine(Library::MPICH, &places(&program_only))), [Level::Ok, Level::Note]);
    let mut misled = places(&nothing);
    misled.variables.insert("PARALLAX_MPIRUN_MPICH".to_owned(), "/nowhere/mpirun".into());
    assert_eq!(levels(&mpi::examine(Library::MPICH, &misled)), [Level::Problem; 2]);
}

#[test]
fn clocks_other_than_the_counter_are_noted() {
    let folder = "sys/devices/system/clocksource/clocksource0";
    let with = |current: &str, available: &str| {
        let root = planted(&[
            (&format!("{folder}/current_clocksource"), current),
            (&format!("{folder}/available_clocksource"), available),
        ]);
        clocks::source(root.path()).expect("a finding")
    };
    assert_eq!(with("tsc\n", "tsc hpet\n").level, Level::Ok);
    assert!(with("hpet\n", "hpet acpi_pm\n").to_do.expect("a cure").contains("unstable"));
    assert!(with("kvm-clock\n", "kvm-clock tsc\n").to_do.expect("a cure").contains("dmesg"));
}

#[test]
fn a_counter_must_promise_to_run_evenly() {
    let with = |flags: &str| {
        let root = planted(&[("proc/cpuinfo", &format!("processor : 0\nflags\t\t: {flags}\n"))]);
        clocks::counter(root.path())
    };
    assert_eq!(with("fpu tsc constant_tsc nonstop_tsc").expect("a finding").level, Level::Ok);
    assert!(with("fpu tsc constant_tsc").expect("a finding").says.ends_with("guarantee nonstop_tsc"));
    assert_eq!(with("fpu"), None);
}

#[test]
fn whatever_takes_processors_away_is_noted() {
    let root = planted(&[
        ("proc/loadavg", "3.10 1.00 0.50 2/300 4000\n"),
        ("proc/meminfo", "MemTotal: 100 kB\nSwapTotal:  2048 kB\nSwapFree:  1000 kB\n"),
        ("proc/stat", "cpu  800 0 100 5000 100 0 0 100 0 0\n"),
        ("proc/cpuinfo", "model name : Some Chip\nflags : tsc hypervisor\n"),
        ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n"),
    ]);
    let root: &Path = root.path();
    assert_eq!(machine::load(root, 4).expect("a load").level, Level::Note);
    assert_eq!(machine::load(root, 16).expect("a load").level, Level::Ok);
    assert!(machine::swap(root).expect("swap").says.starts_with("2 of 2 MiB"));
    assert!(machine::stolen(root).expect("stolen time").says.contains("10.0 %"));
    assert!(machine::model(root).says.contains("virtual machine"));
    assert!(machine::frequency(root, &[0, 1]).expect("a governor").says.contains("powersave"));
    assert_eq!(machine::frequency(root, &[0]), None);
}

#[test]
fn a_quota_and_a_narrow_mask_are_told() {
    let all = Processors { online: 8, allowed: (0..8).collect(), cores: 4, quota: None };
    assert!(
        machine::cores(&all).says.starts_with("4 usable cores, 8 hardware threads."),
        "{}",
        machine::cores(&all).says
    );
    let narrow = Processors { allowed: vec![0, 1], cores: 2, ..all.clone() };
    assert!(machine::cores(&narrow).says.contains("allows 2 of 8"));
    let granted = machine::cores(&Processors { quota: Some(1.5), ..all });
    assert!(granted.level == Level::Note && granted.says.contains("1.5 processors"), "{granted:?}");
}

#[test]
fn threads_meet_here() {
    assert_eq!(threads::meeting(Err(threads::Missed::TooSlow)).level, Level::Problem);
    let findings = threads::examine();
    assert_ne!(findings[0].level, Level::Problem, "{findings:?}");
}

#[test]
fn a_problem_is_no_success_and_a_note_is() {
    let diagnosis = |finding| {
        let sections = vec![Section { title: "Open MPI", findings: vec![finding] }];
        Diagnosis { sections, worlds: vec![threads::WORLD] }.exit_code()
    };
    assert_eq!(diagnosis(Finding::note("swap", "in use", "free some memory")), ExitCode::SUCCESS);
    assert_eq!(diagnosis(Finding::problem("program", "is another's", "build it anew")), ExitCode::FAILURE);
}
