//! A lab as a user meets it: its hosts, what its links do, and that nothing is left of it however it ends.
//!
//! Skipped, with the reason, where namespaces cannot be made, unless PARALLAX_REQUIRE_NETLAB is set.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs::{read_dir, read_link, read_to_string};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn netlab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_netlab"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

/// Whether hosts can be made here; says why not.
fn possible() -> bool {
    let done = netlab(&["2", "--", "true"]).output().expect("netlab runs");
    let possible = done.status.success();
    if !possible {
        let why = text(&done.stderr);
        assert!(std::env::var_os("PARALLAX_REQUIRE_NETLAB").is_none(), "no hosts can be made here: {why}");
        eprintln!("skipped: {why}");
    }
    possible
}

fn shell(arguments: &[&str], script: &str) -> Output {
    let mut command = netlab(arguments);
    command.args(["--", "sh", "-c", script]).output().expect("netlab runs")
}

/// Everything that a lab could leave behind, apart from processes.
fn surroundings() -> BTreeSet<String> {
    let listed = |folder: &str| {
        let entries = read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path().display().to_string()).collect::<Vec<_>>()
    };
    let mounts = read_to_string("/proc/self/mounts").unwrap_or_default();
    let mounts = mounts.lines().filter(|line| line.contains("netlab")).map(str::to_owned);
    let files = listed("/dev/shm").into_iter().filter(|path| path.contains("netlab"));
    listed("/sys/class/net").into_iter().chain(listed("/run/netns")).chain(mounts).chain(files).collect()
}

/// Processes that were started with this text in their environment.
fn marked(mark: &str) -> Vec<u32> {
    let processes =
        read_dir("/proc").expect("/proc").flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    processes
        .filter(|process| {
            let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
            text(&environment).contains(mark)
        })
        .collect()
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < until, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A lab with many processes that would run for long.
fn start_long(mark: &str, script: &str) -> Child {
    let mut command = netlab(&["2", "--delay", "1ms", "--", "sh", "-c", script]);
    // Tests that run in the background of a script are told to ignore interrupts, and a shell that was told so cannot trap
    // them.
    // SAFETY: a plain system call between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        });
    }
    let child = command.env("NETLAB_MARK", mark).stderr(Stdio::piped()).spawn().expect("netlab runs");
    // Itself, the first process, two hosts, the relay, the shell, two sleepers.
    wait_until("all processes are there", || marked(mark).len() >= 8);
    child
}

fn signal(child: &Child, signal: i32) {
    // SAFETY: a plain system call on a child that has not been waited for.
    unsafe { libc::kill(child.id() as i32, signal) };
}

#[test]
fn hosts_have_names_networks_and_clocks_of_their_own() {
    if !possible() {
        return;
    }
    let script = "for i in 1 2 3; do $PARALLAX_ENTER node$i 'hostname; grep monotonic /proc/self/timens_offsets; ip -br address show eth0'; done; cat $PARALLAX_HOSTS; getent hosts node3";
    let done = shell(&["3", "--slots", "2", "--offset", "0s,2.5s,-1ms"], script);
    let words: Vec<String> = text(&done.stdout).split_whitespace().map(str::to_owned).collect();
    let all = words.join(" ");
    assert!(done.status.success(), "{all} {}", text(&done.stderr));
    for expected in [
        "node1 monotonic 0 0 eth0",
        "node2 monotonic 2 500000000 eth0",
        "node3 monotonic -1 999000000 eth0",
        "10.213.0.2/24",
        "node1 slots=2 node2 slots=2 node3 slots=2",
        "10.213.0.3 node3",
    ] {
        assert!(all.contains(expected), "{expected} is not in: {all}");
    }
}

#[test]
fn a_lab_ends_with_its_command_and_its_code_and_leaves_nothing() {
    if !possible() {
        return;
    }
    let before = surroundings();
    for arguments in [&["2", "--rate", "80mbit"][..], &["2", "--rate", "80mbit", "--delay", "100us"]] {
        let mut command = netlab(arguments);
        command.args(["--", "sh", "-c", "touch /dev/shm/of-the-lab; sleep 1000 & sleep 1000 & exit 7"]);
        let done = command.env("NETLAB_MARK", "ends-with-its-command").output().expect("netlab runs");
        assert_eq!((done.status.code(), text(&done.stderr).as_str()), (Some(7), ""));
        wait_until("its processes are gone", || marked("ends-with-its-command").is_empty());
    }
    assert_eq!(surroundings(), before);
    assert!(!Path::new("/dev/shm/of-the-lab").exists());
}

#[test]
fn nothing_is_left_of_a_lab_that_is_killed() {
    if !possible() {
        return;
    }
    let before = surroundings();
    let own = read_link("/proc/self/ns/net").expect("a namespace");
    let mut child = start_long("killed-lab", "sleep 1000 & sleep 1000");
    let spaces: BTreeSet<_> =
        marked("killed-lab").iter().filter_map(|p| read_link(format!("/proc/{p}/ns/net")).ok()).collect();
    assert!(spaces.len() >= 4, "this one, the switch's, two hosts': {spaces:?}, {own:?}");
    signal(&child, libc::SIGKILL);
    child.wait().expect("it ends");
    wait_until("its processes are gone", || marked("killed-lab").is_empty());
    assert_eq!(surroundings(), before);
}

#[test]
fn a_lab_that_is_asked_to_stop_asks_its_command_first() {
    if !possible() {
        return;
    }
    for (number, code) in [(libc::SIGTERM, 41), (libc::SIGINT, 42)] {
        let mark = format!("asked-lab-{number}");
        // Not `wait`: a shell may miss a signal that comes just before it waits for its children.
        let script = "trap 'exit 41' TERM; trap 'exit 42' INT; sleep 1000 & sleep 1000 & while :; do sleep 0.05; done";
        let mut child = start_long(&mark, script);
        signal(&child, number);
        assert_eq!(child.wait().expect("it ends").code(), Some(code));
        wait_until("its processes are gone", || marked(&mark).is_empty());
    }
}

#[test]
fn a_command_that_will_not_stop_is_killed() {
    if !possible() {
        return;
    }
    let mut child = start_long("stubborn-lab", "trap '' TERM INT; sleep 1000 & while :; do sleep 1000; done");
    signal(&child, libc::SIGTERM);
    assert_eq!(child.wait().expect("it ends").code(), Some(128 + libc::SIGKILL));
    wait_until("its processes are gone", || marked("stubborn-lab").is_empty());
}

#[test]
fn mistakes_and_missing_rights_end_with_code_2_and_one_message() {
    for (arguments, says) in [
        (&["2", "--offset", "0s,1s,2s", "--", "true"][..], "--offset: expected at most 2"),
        (&["2", "--rate", "80", "--", "true"], "like 80mbit"),
        (&["2", "--delay", "500", "--", "true"], "with its unit"),
    ] {
        let done = netlab(arguments).output().expect("netlab runs");
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        assert!(text(&done.stderr).contains(says), "{arguments:?}: {}", text(&done.stderr));
    }
    // SAFETY: reads a number.
    if unsafe { libc::geteuid() } != 0 {
        return;
    }
    // A copy where everybody may read it.
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("readable");
    let copy = folder.path().join("netlab");
    std::fs::copy(env!("CARGO_BIN_EXE_netlab"), &copy).expect("copied");
    let done = Command::new(copy).args(["2", "--", "true"]).uid(65_534).output().expect("netlab runs");
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("needs root") && said.lines().count() == 1, "{said}");
}
