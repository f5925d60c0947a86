//! Job scripts: what they say, that shells read them, and what cannot be a campaign.

mod common;

use common::command::{Done, finish, parallax, scenario};
use std::process::Command;

fn batch(arguments: &[&str]) -> Done {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("question.toml"), scenario("openmpi", 4, "1 ms")).unwrap();
    finish(parallax(&folder).arg("batch").args(arguments))
}

/// `UPDATE_GOLDEN=1 cargo test --test batch` rewrites the files.
#[test]
fn scripts_of_all_systems_are_what_they_were_and_shells_read_them() {
    for system in ["slurm", "pbs", "flux"] {
        let arguments = [system, "--ranks", "4", "--nodes", "2", "--time", "1:30:00", "--mpi", "mpich"];
        let run = ["--", "run", "question.toml", "--patience", "120", "--resume", "--out", "runs/it's one"];
        let done = batch(&[&arguments[..], &run].concat());
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{system}: {done:?}");
        let path = format!("{}/tests/golden/batch-{system}.sh", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &done.stdout).unwrap();
        }
        assert_eq!(done.stdout, std::fs::read_to_string(&path).unwrap_or_default(), "{path}");
        for shell in [&["bash", "-n"][..], &["shellcheck", "--severity=style"]] {
            match finish_if_there(Command::new(shell[0]).args(&shell[1..]).arg(&path)) {
                Some(done) => assert_eq!(done.code, 0, "{shell:?} {path}: {done:?}"),
                None => eprintln!("skipped: no {} here", shell[0]),
            }
        }
    }
}

fn finish_if_there(command: &mut Command) -> Option<Done> {
    let output = command.output().ok()?;
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Some(Done { code: output.status.code()?, stdout: text(output.stdout), stderr: text(output.stderr) })
}

#[test]
fn the_script_goes_to_a_file_that_can_be_run() {
    let folder = tempfile::tempdir().unwrap();
    let done =
        finish(parallax(&folder).args(["batch", "slurm", "--ranks", "2", "--out", "job.sh", "--", "run", "q.toml"]));
    assert_eq!((done.code, done.stdout.as_str()), (0, ""), "{done:?}");
    let file = folder.path().join("job.sh");
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&file).unwrap().permissions());
    assert_eq!(mode & 0o111, 0o111);
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("\nfolder=results/q-slurm\n") && !text.contains("--time"), "{text}");
}

#[test]
fn what_is_no_campaign_is_refused_with_code_2() {
    for (arguments, says) in [
        (&["slurm", "--ranks", "4", "--", "sweep", "x.toml"][..], "after --: expected run SCENARIO"),
        (&["slurm", "--ranks", "4", "--", "run", "question.toml", "--patient", "3"], "unexpected argument '--patient'"),
        (&["pbs", "--ranks", "4", "--", "run", "question.toml", "--hosts", "x"], "leave out --hosts"),
        (&["pbs", "--ranks", "2", "--nodes", "3", "--", "run", "question.toml"], "--nodes: expected at most one"),
        (&["flux", "--ranks", "2", "--time", "90", "--", "run", "question.toml"], "like 01:30:00"),
        (&["lsf", "--ranks", "2", "--", "run", "question.toml"], "slurm, pbs, flux"),
    ] {
        let done = batch(arguments);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{arguments:?}: {done:?}");
        assert!(done.stderr.contains(says), "{arguments:?}: {done:?}");
    }
    let crowded = batch(&["slurm", "--ranks", "2", "--", "run", "question.toml"]);
    assert_eq!(crowded.code, 0);
    assert!(crowded.stderr.contains("has cases of 4 MPI ranks; on 2 cores they are oversubscribed"), "{crowded:?}");
}
