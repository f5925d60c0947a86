//! Job scripts: what they say, that shells read them, and what cannot be a campaign.

mod common;

use common::command::{Done, finish, parallax, scenario};
use common::said::Page;
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
        let arguments = [system, "--ranks", "4", "--nodes", "2", "--time", "1:30:00", "--partition", "short"];
        let run = ["--", "run", "question.toml", "--timeout", "120", "--resume", "--out", "runs/it's one"];
        let done = batch(&[&arguments[..], &run].concat());
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{system}: {done:?}");
        let path = format!("{}/tests/golden/batch-{system}.sh", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &done.stdout).unwrap();
        }
        assert_eq!(done.stdout, std::fs::read_to_string(&path).unwrap_or_default(), "{path}");
        for shell in [&["sh", "-n"][..], &["bash", "-n"], &["shellcheck", "--severity=style"]] {
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

/// The line with which the script begins the campaign.
fn command(arguments: &[&str]) -> String {
    let done = batch(arguments);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{arguments:?}: {done:?}");
    let line = done.stdout.lines().last().unwrap().to_owned();
    line.strip_prefix("exec parallax ").unwrap().strip_suffix(" --out \"$folder\"").unwrap().to_owned()
}

#[test]
fn every_campaign_is_taken_and_given_the_job_s_ranks() {
    let job = ["slurm", "--ranks", "4", "--"];
    let given = |words: &[&str]| command(&[&job[..], words].concat());
    assert_eq!(given(&["measure", "bcast"]), "measure bcast --ranks 4");
    assert_eq!(
        given(&["budget", "bcast,reduce", "--benchmark", "osu"]),
        "budget bcast,reduce --benchmark osu --ranks 4"
    );
    assert_eq!(given(&["validate", "barrier", "--resume"]), "validate barrier --ranks 4");
    assert_eq!(given(&["run", "question.toml"]), "run question.toml", "a scenario says its ranks");
    assert_eq!(given(&["measure", "bcast", "--ranks", "4"]), "measure bcast --ranks 4");
    assert_eq!(given(&["measure", "bcast", "--ranks=2..4"]), "measure bcast --ranks=2..4");
    let library = ["pbs", "--ranks", "4", "--world", "mpich", "--", "measure", "bcast"];
    assert_eq!(command(&library), "measure bcast --ranks 4 --world mpich");
    let release = batch(&["slurm", "--ranks", "2", "--world", "intelmpi@2021.18", "--", "measure", "bcast"]);
    assert!(release.stdout.contains("\n# module load intelmpi/2021.18\n"), "{release:?}");
    assert!(release.stdout.contains("# Where parallax and parallax-mpi-mpich are"), "its ranks have MPICH's interface");
    assert!(release.stdout.contains("exec parallax measure bcast --ranks 2 --world intelmpi@2021.18 --out"));
    let by_folder = batch(&["slurm", "--ranks", "2", "--", "measure", "bcast", "--mpi", "/apps/mpi"]);
    assert!(by_folder.stdout.contains("the library that --mpi names") && !by_folder.stdout.contains("openmpi"));
    let several = batch(&["slurm", "--ranks", "2", "--", "measure", "bcast", "--world", "openmpi@5.0,mpich"]);
    assert!(several.stdout.contains("# module load openmpi/5.0\n# module load mpich\n"), "{several:?}");
    let named = batch(&["pbs", "--ranks", "2", "--", "validate", "bcast", "--world", "mpich"]);
    assert!(named.stdout.contains("\n# module load mpich\n"), "{named:?}");
    assert!(named.stdout.contains("\nfolder=results/validate-bcast-pbs\n"), "{named:?}");
}

#[test]
fn every_test_of_real_ranks_is_taken() {
    for (words, name) in [
        (&["probe", "memory", "--operations", "pairs"][..], "probe memory"),
        (&["probe", "memory"], "probe memory"),
        (&["probe", "clocks"], "probe clocks"),
        (&["probe", "data"], "probe data"),
        (&["probe", "sync"], "probe sync"),
        (&["probe", "latency"], "probe latency"),
    ] {
        let line = command(&[&["slurm", "--ranks", "2", "--world", "mpich", "--"], words].concat());
        assert!(line.starts_with(name) && line.contains("--world mpich"), "{words:?}: {line}");
    }
}

#[test]
fn every_system_is_asked_in_its_own_words() {
    let asked = |system: &str, constraint: &str, option: &str| {
        let words = ["--partition", "short", "--account", "physics", "--constraint", constraint, "--option", option];
        let done = batch(&[&[system, "--ranks", "2"][..], &words, &["--", "measure", "bcast"]].concat());
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{system}: {done:?}");
        done.stdout
    };
    for (text, lines) in [
        (
            asked("slurm", "rome|milan", "--qos=debug"),
            &[
                "#SBATCH --partition=short",
                "#SBATCH --account=physics",
                "#SBATCH --constraint=rome|milan",
                "#SBATCH --qos=debug",
            ][..],
        ),
        (
            asked("pbs", "model=rome", "-l filesystems=home"),
            &[
                "#PBS -q short",
                "#PBS -A physics",
                "#PBS -l select=1:ncpus=2:mpiprocs=2:model=rome",
                "#PBS -l filesystems=home",
            ],
        ),
        (
            asked("flux", "rome", "--urgency=20"),
            &["# flux: --queue=short", "# flux: --bank=physics", "# flux: --requires=rome", "# flux: --urgency=20"],
        ),
    ] {
        for line in lines {
            assert!(text.lines().any(|found| found == *line), "{line} in {text}");
        }
    }
}

#[test]
fn what_is_no_campaign_or_contradicts_the_job_is_refused_with_code_2() {
    let mut page = Page::new();
    for (arguments, place) in [
        (&["slurm", "--ranks", "4", "--", "sweep", "x.toml"][..], "sweep"),
        (&["slurm", "--ranks", "4", "--", "simulate", "bcast"], "--ranks"),
        (&["slurm", "--ranks", "4", "--nodes", "2", "--", "calibrate"], "calibrate"),
        (&["flux", "--ranks", "4", "--", "correct", "--prove", "bcast"], "correct"),
        (&["pbs", "--ranks", "4", "--", "probe", "sync", "--world", "simulated"], "simulated"),
        (&["slurm", "--ranks", "4", "--", "nothing"], "'nothing'"),
        (&["slurm", "--ranks", "4", "--", "measure", "bcats"], "'bcats'"),
        (&["slurm", "--ranks", "4", "--", "measure", "--resume"], "<OPERATION,…>"),
        (&["slurm", "--ranks", "4", "--", "run", "question.toml", "--patient", "3"], "'--patient'"),
        (&["pbs", "--ranks", "4", "--", "run", "question.toml", "--hosts", "x"], "--hosts"),
        (&["pbs", "--ranks", "4", "--", "run", "question.toml", "--print-launch"], "--print-launch"),
        (&["pbs", "--ranks", "2", "--nodes", "3", "--", "run", "question.toml"], "--nodes"),
        (&["flux", "--ranks", "2", "--time", "90", "--", "run", "question.toml"], "--time"),
        (&["lsf", "--ranks", "2", "--", "run", "question.toml"], "'lsf'"),
        (&["slurm", "--ranks", "64", "--", "measure", "bcast", "--ranks", "2"], "--ranks"),
        (&["slurm", "--ranks", "4", "--", "budget", "bcast", "--ranks", "2..8"], "--ranks"),
        (&["slurm", "--ranks", "2", "--", "run", "question.toml"], "question.toml"),
        (&["slurm", "--ranks", "4", "--world", "mpich", "--", "run", "question.toml"], "question.toml"),
        (&["slurm", "--ranks", "2", "--world", "mpich", "--", "measure", "bcast", "--world", "openmpi"], "--world"),
        (&["slurm", "--ranks", "4", "--nodes", "2", "--", "measure", "bcast", "--world", "threads"], "--world"),
        (&["pbs", "--ranks", "2", "--", "measure", "bcast", "--launcher", "srun"], "--launcher"),
        (&["pbs", "--ranks", "2", "--constraint", "rome", "--", "measure", "bcast"], "--constraint"),
        (&["slurm", "--ranks", "2", "--option", "-N 4", "--", "measure", "bcast"], "--option"),
        (&["slurm", "--ranks", "2", "--option", "qos=debug", "--", "measure", "bcast"], "--option"),
        (&["slurm", "--ranks", "2", "--account", "a b", "--", "measure", "bcast"], "--account"),
    ] {
        let done = batch(arguments);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{arguments:?}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments:?}: {done:?}");
        page.add(arguments, &done);
    }
    let roomy = ["slurm", "--ranks", "8", "--", "run", "question.toml"];
    let done = batch(&roomy);
    assert_eq!(done.code, 0);
    page.add(&roomy, &done);
    insta::assert_snapshot!(page);
}
