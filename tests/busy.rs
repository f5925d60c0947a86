//! Beside a program that keeps cores busy every result says so.

mod common;

use common::command::{finish, mpi_program, parallax};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// A program that keeps a core busy until it is dropped; one at a time, so that ranks still have another core.
struct Busy(Child, #[expect(dead_code, reason = "held until the end")] MutexGuard<'static, ()>);

impl Busy {
    fn begin() -> Busy {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let spin = Command::new("sh").args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn();
        Busy(spin.expect("a shell"), alone)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a command says, all of it in one line, whatever its lines break at.
fn stdout_in_one_line(folder: &TempDir, arguments: &str) -> String {
    let done = finish(parallax(folder).args(arguments.split(' ')));
    assert_eq!(done.code, 0, "{arguments}: {done:?}");
    done.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn ranks_that_are_threads_leave_it_to_the_command_to_look() {
    let folder = tempfile::tempdir().unwrap();
    let _busy = Busy::begin();
    for arguments in
        ["probe latency --world threads --bytes 8 --out latency", "calibrate --world threads -o machine.toml"]
    {
        let told = stdout_in_one_line(&folder, arguments);
        assert!(told.contains("Other programs used ") && told.contains(" cores while ranks measured"), "{told}");
    }
}

#[test]
fn mpi_ranks_count_it_for_every_campaign() {
    if mpi_program("openmpi").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let _busy = Busy::begin();
    let campaigns = [
        // Long enough for counts that move in steps of 10 ms.
        "measure bcast,allreduce --launches 2 --out measured -q",
        "budget bcast,allreduce --benchmark osu --bytes 8,64KiB --launches 1 --rounds 20 --out budgeted",
    ];
    for arguments in campaigns {
        let told = stdout_in_one_line(&folder, &format!("{arguments} --world openmpi"));
        let says = ["ther programs used ", "a rank waited ", "A rank waited "].iter().any(|words| told.contains(words));
        assert!(says, "{arguments}: {told}");
    }
}
