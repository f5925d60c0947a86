//! What `parallax measure` cannot do here: bad input, full disks, files in use, launchers that are missing or another's,
//! clocks that jumped. Each time the message says where and what to do next, and nothing stays behind.

mod common;

use common::command::{Done, Running, finish, mpi_program};
use common::place::Place;
use common::said::{Page, said};
use std::os::fd::AsRawFd;

/// Few and short cases on two threads.
const SMALL: [&str; 11] =
    ["bcast", "--world", "threads", "--bytes", "8,64", "--samples", "3", "--calls", "2", "--launches", "1"];

/// Refused with code 2 in one line, or in clap's words, and something is named.
fn refused(place: &Place, arguments: &[&str], named: &str) -> Done {
    let done = place.measure(arguments);
    assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{arguments:?}: {done:?}");
    assert!(done.stderr.contains(named), "{arguments:?} does not name {named:?}: {done:?}");
    let of_clap = done.stderr.starts_with("error: ");
    assert!(of_clap || done.stderr.trim().lines().count() == 1, "{arguments:?}: {done:?}");
    done
}

#[test]
fn unknown_names_are_told_with_those_that_are_known_and_nothing_is_begun() {
    let place = Place::new();
    let mut page = Page::new();
    for (arguments, named) in [
        (&["bcasty"][..], "'bcasty'"),
        (&["bcast", "--algorithm", "fastest"], "--algorithm"),
        (&["bcast", "--clock", "sundial"], "--clock"),
        (&["bcast", "--element", "quad"], "--element"),
        (&["bcast", "--layout", "spiral"], "--layout"),
        (&["bcast", "--layout", "vector", "--bytes", "8"], "8 B"),
    ] {
        page.add(arguments, &refused(&place, &[arguments, &["--world", "threads"]].concat(), named));
    }
    insta::assert_snapshot!(page);
    assert!(!place.work().join("results").exists(), "nothing was begun");
    place.assert_nothing_left();
}

#[test]
fn an_algorithm_that_the_library_lacks_is_refused_before_anything_is_begun() {
    for library in ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()) {
        let place = Place::new();
        let unknown = ["bcast", "--world", library, "--algorithm", "library:fastest", "--bytes", "8"];
        let done = refused(&place, &unknown, "'fastest'");
        insta::assert_snapshot!(format!("an_algorithm_that_{library}_lacks"), said(&done, &[]));
        assert!(!place.work().join("results").exists(), "{library}");
        place.assert_nothing_left();
    }
}

#[test]
fn more_ranks_than_the_hosts_have_room_for_are_refused() {
    let place = Place::new();
    std::fs::write(place.work().join("hosts"), "localhost slots=1\n").unwrap();
    for library in ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()) {
        let arguments = ["bcast", "--world", library, "--hosts", "hosts", "--ranks", "65"];
        let done = refused(&place, &arguments, "--ranks");
        insta::assert_snapshot!(format!("too_many_ranks_of_{library}"), said(&done, &[]));
    }
    std::fs::write(place.work().join("hosts"), "localhost slots=1\nnode2 slots=many\n").unwrap();
    let done = refused(&place, &["bcast", "--hosts", "hosts"], "hosts line 2: ");
    insta::assert_snapshot!("a_host_with_a_word_for_its_slots", said(&done, &[]));
}

#[test]
fn messages_too_large_for_memory_end_with_a_cure() {
    let place = Place::new();
    let large = ["measure", "bcast", "--world", "threads", "--bytes", "512MiB", "--method", "loop"];
    let done = finish(place.parallax_after("ulimit -v 600000").args(large));
    assert_eq!(done.code, 1, "{done:?}");
    // Behind what the ranks' process said.
    let cure: Vec<&str> = done
        .stderr
        .lines()
        .filter(|line| !line.starts_with("  | "))
        .skip_while(|line| !line.starts_with("The ranks"))
        .collect();
    insta::assert_snapshot!("messages_that_cannot_be_kept", cure.join("\n"));
    place.assert_nothing_left();
    let many = ["alltoall", "--world", "threads", "--ranks", "256", "--bytes", "2MiB", "--method", "loop"];
    refused(&Place::new(), &many, "this machine has ");
}

#[test]
fn launchers_that_are_missing_or_another_s_are_told_with_a_cure() {
    let place = Place::new();
    for library in ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()) {
        let arguments = ["measure", "bcast", "--world", library, "--bytes", "8"];
        let told = |name: &str, value: &str, message: &str| {
            // Set by the shell, which itself needs PATH.
            let done = finish(place.parallax_after(&format!("export {name}={value}")).args(arguments));
            assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{done:?}");
            assert!(done.stderr.contains(message), "{message}: {done:?}");
            done
        };
        let mut page = Page::new();
        page.add(&["PATH=/nowhere"], &told("PATH", "/nowhere", "PARALLAX_MPIRUN_"));
        let variable = format!("PARALLAX_MPIRUN_{}", library.to_uppercase());
        let nowhere = told(&variable, "/nowhere/mpirun", "/nowhere/mpirun");
        page.add(&[&format!("{variable}=/nowhere/mpirun")], &nowhere);
        let other = place.work().join("other");
        let says = if library == "openmpi" { "HYDRA build details:" } else { "mpirun (Open MPI) 4.1.4" };
        std::fs::write(&other, format!("#!/bin/sh\necho '{says}'\n")).unwrap();
        std::fs::set_permissions(&other, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let other = other.display().to_string();
        let another_s = told(&variable, &other, &variable);
        page.add_as("the launcher of another library", &another_s, &[(&other, "OTHER")]);
        insta::assert_snapshot!(format!("launchers_of_{library}"), page);
    }
    assert!(!place.work().join("results").exists(), "nothing was begun");
    place.assert_nothing_left();
}

/// What is required of a campaign in the folder `full` whose disk was full, and of `done`, which noticed.
fn full_disk_keeps_whole_lines(place: &Place, done: &Done) {
    assert_eq!(done.code, 1, "{done:?}");
    // What the system said of the disk, and how to go on.
    assert!(
        done.stderr.contains("(os error ") && done.stderr.contains("parallax measure --resume --out full"),
        "{done:?}"
    );
    let text = std::fs::read_to_string(place.work().join("full/campaign.jsonl")).unwrap();
    let (whole, _) = text.rsplit_once('\n').expect("a first line");
    for line in whole.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("a whole line");
    }
    place.assert_nothing_left();
    let resumed = place.measure(&["--resume", "--out", "full"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    let after = std::fs::read_to_string(place.work().join("full/campaign.jsonl")).unwrap();
    assert!(after.starts_with(whole), "what was there stays");
    assert_eq!(after.matches("{\"measured\"").count(), 2 * 8, "each case once");
    let folders = std::fs::read_dir(place.work().join("full")).unwrap().map(|entry| entry.unwrap());
    let folders: Vec<_> = folders.filter(|entry| entry.path().is_dir() && entry.file_name() != "pictures").collect();
    assert!(folders.is_empty(), "the job's folder is gone: {folders:?}");
}

#[test]
fn a_file_that_may_not_grow_ends_the_campaign_which_goes_on_with_room() {
    let place = Place::new();
    let limited = ["measure", "--out", "full"];
    let done = finish(place.parallax_after("ulimit -f 128").args(limited).args(SMALL));
    full_disk_keeps_whole_lines(&place, &done);
}

#[test]
fn a_full_disk_ends_the_campaign_which_goes_on_with_room() {
    for (world, kilobytes) in [("threads", 4), ("threads", 64), ("threads", 96)] {
        let place = Place::new();
        // The small disk goes with the namespace: its files are kept beside it.
        let script = format!(
            "mkdir small full; mount -t tmpfs -o size={kilobytes}k none small || exit 98\n\
             \"$@\"; code=$?; mkdir small/full 2>/dev/null; cp -r small/full/. full; exit $code"
        );
        let mut command = place.parallax_after(&script.replace("\"$@\"", "(cd small && \"$@\")"));
        let done = finish(command.args(["measure", "--out", "full"]).args(SMALL));
        if done.code == 99 || done.code == 98 || done.stderr.contains("unshare") {
            eprintln!("skipped: no file systems can be mounted here");
            return;
        }
        if !place.work().join("full/campaign.jsonl").exists() || kilobytes < 8 {
            assert_eq!(done.code, 1, "{world}, {kilobytes} KiB: {done:?}");
            assert!(done.stderr.contains("resume"), "{world}, {kilobytes} KiB: {done:?}");
            place.assert_nothing_left();
        } else {
            full_disk_keeps_whole_lines(&place, &done);
        }
    }
}

#[test]
fn a_campaign_and_a_store_in_use_are_left_alone() {
    let place = Place::new();
    let done = place.measure(&SMALL);
    assert_eq!(done.code, 0, "{done:?}");
    let before = place.lines();
    let file = std::fs::File::open(place.campaign()).unwrap();
    file.lock().unwrap();
    let campaign = "results/measure-001";
    let done = refused(&place, &["--resume", "--out", campaign], "campaign.jsonl");
    insta::assert_snapshot!("a_campaign_in_use", said(&done, &[]));
    drop(file);
    let add = |place: &Place| finish(place.parallax().args(["store", "add", campaign]));
    assert_eq!(add(&place).code, 0);
    let store = place.work().join("results/parallax.sqlite");
    let file = std::fs::File::options().read(true).write(true).open(&store).unwrap();
    // SQLite's pending, reserved and shared bytes: as another process that writes.
    // SAFETY: plain system calls on a file of ours; every field of the structure may be zero.
    unsafe {
        let mut range: libc::flock = std::mem::zeroed();
        (range.l_type, range.l_start, range.l_len) = (libc::F_WRLCK as _, 0x4000_0000, 512);
        assert_eq!(libc::fcntl(file.as_raw_fd(), libc::F_SETLK, &raw const range), 0);
    }
    let done = add(&place);
    assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{done:?}");
    assert!(done.stderr.contains("results/parallax.sqlite"), "{done:?}");
    insta::assert_snapshot!("a_store_in_use", said(&done, &[]));
    drop(file);
    insta::assert_snapshot!("a_campaign_that_is_stored_already", add(&place).stdout);
    assert_eq!(place.lines(), before, "the campaign is as it was");
    place.assert_nothing_left();
}

#[test]
fn a_clock_that_jumped_during_a_case_is_named() {
    let place = Place::new();
    let mut running = Running::start(place.parallax().arg("measure").args(SMALL));
    let done = running.finish();
    assert_eq!(done.code, 0, "{done:?}");
    assert!(!done.stderr.contains("it jumped"), "{done:?}");
    // As if rank 1's clock had been set forward by a millisecond during the last case.
    let mut lines: Vec<serde_json::Value> =
        place.lines().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last = lines.iter_mut().rfind(|line| line["measured"].is_object()).expect("a case");
    let offset = &mut last["measured"]["ranks"][1]["clock_after"]["offset_ps"];
    *offset = (offset.as_i64().unwrap() + 1_000_000_000).into();
    lines.retain(|line| line.get("finished").is_none());
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(place.campaign(), text).unwrap();
    let done = place.measure(&["--resume"]);
    assert_eq!(done.code, 0, "{done:?}");
    let told: Vec<&str> = done.stderr.lines().filter(|line| line.contains("it jumped")).collect();
    assert_eq!(told.len(), 1, "{done:?}");
    assert!(told[0].contains("rank 1"), "{done:?}");
}
