//! `parallax tune`: algorithms of a library beside its own choice, tables in its form, and their proof.

mod common;

use common::command::{Done, finish, mpi_program, parallax};
use std::path::Path;
use tempfile::TempDir;

fn tune(folder: &TempDir, line: &str) -> Done {
    finish(parallax(folder).arg("tune").args(line.split(' ')))
}

fn text(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Rows of CSV text without its head, by its columns of these names.
fn rows(csv: &str, names: &[&str]) -> Vec<Vec<String>> {
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let places: Vec<usize> =
        names.iter().map(|name| head.iter().position(|one| one == name).unwrap_or_else(|| panic!("{name}"))).collect();
    lines.map(|line| places.iter().map(|place| line[*place].clone()).collect()).collect()
}

#[test]
fn simulated_ranks_choose_a_table_that_says_what_they_would_take() {
    let folder = tempfile::tempdir().unwrap();
    let line = "reduce,bcast --commuting --predicted --set alps-2025 --world openmpi --ranks 64 --bytes 64,64KiB --segments 0,8KiB";
    let done = tune(&folder, &format!("{line} --out tuning"));
    assert_eq!(done.code, 0, "{done:?}");
    let folder_name = folder.path().canonicalize().unwrap().display().to_string();
    let table = text(&folder, "tuning/tuned.conf");
    let variables = text(&folder, "tuning/tuned.env").replace(&folder_name, "FOLDER");
    let page = done.stdout.replace(&folder_name, "FOLDER");
    insta::assert_snapshot!(format!("{page}\n== tuned.conf\n{table}\n== tuned.env\n{variables}"));
    for row in rows(&text(&folder, "tuning/tuning.csv"), &["own_choice_us", "time_us", "ratio", "verdict"]) {
        let [own, time, ratio] = [0, 1, 2].map(|place| row[place].parse::<f64>().unwrap());
        assert!((time / own - ratio).abs() < 1e-3, "{row:?}");
        let verdict = if ratio <= 1.0 / 1.02 {
            "faster"
        } else if ratio >= 1.02 {
            "slower"
        } else {
            "same"
        };
        assert_eq!(row[3], verdict, "{row:?}");
    }
    // The folder of a page is written again; the same request gives the same bytes.
    let again = tune(&folder, &format!("{line} --out again --format json"));
    assert_eq!(text(&folder, "again/tuning.csv"), text(&folder, "tuning/tuning.csv"));
    let json: serde_json::Value = serde_json::from_str(&again.stdout).expect("JSON");
    assert!(json["table"].as_array().is_some_and(|rows| rows.len() >= 2), "{json}");
}

#[test]
fn real_ranks_choose_prove_resume_and_report() {
    for (world, operation, by) in [
        ("openmpi", "bcast", "library:binomial,library:scatter_allgather"),
        ("mpich", "bcast", "library:binomial,library:scatter_ring_allgather"),
    ] {
        if mpi_program(world).is_none() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let line = format!("{operation} --world {world} --bytes 64,4KiB --algorithm {by} --launches 7");
        let done = tune(&folder, &format!("{line} --prove --by-print osu -q --format csv --out campaign"));
        assert_eq!(done.code, 0, "{done:?}");
        let found = rows(&done.stdout, &["world", "operation", "algorithm", "bytes", "verdict"]);
        assert!(found.len() == 4 && found.iter().all(|row| row[0] == world && row[1] == operation), "{done:?}");
        assert_eq!(text(&folder, "campaign/tuning.csv"), done.stdout);
        let chosen = rows(&done.stdout, &["chosen"]).iter().filter(|row| row[0] == "true").count();
        let is_file = |name: &str| folder.path().join("campaign").join(name).is_file();
        assert_eq!(is_file("tuned.env"), chosen > 0, "{done:?}");
        assert!(is_file("report.html") && is_file("summary.txt"));

        // Nothing is measured twice, and a report and a choice by the campaign's numbers say the same.
        let measured = || text(&folder, "campaign/campaign.jsonl").matches("{\"measured\"").count();
        let before = measured();
        let again = finish(parallax(&folder).args(["tune", "--resume", "--out", "campaign", "-q", "--format", "csv"]));
        assert_eq!((again.code, &again.stdout), (0, &done.stdout), "{again:?}");
        assert_eq!(measured(), before);
        let report = finish(parallax(&folder).args(["report", "campaign", "--format", "csv"]));
        assert_eq!(report.stdout, done.stdout, "{report:?}");
        let from = tune(&folder, "--from campaign --format csv --out from");
        assert_eq!(from.code, 0, "{from:?}");
        let told = ["algorithm", "bytes", "time_us", "ratio", "verdict", "chosen"];
        assert_eq!(rows(&from.stdout, &told), rows(&done.stdout, &told));
        let fewer = tune(&folder, "--from campaign --at-least 1000% --format csv --out fewer");
        assert!(rows(&fewer.stdout, &["chosen"]).iter().all(|row| row[0] == "false"), "{fewer:?}");
        assert!(!Path::new(&folder.path().join("fewer/tuned.env")).exists());
    }
}

#[test]
fn a_library_is_measured_under_the_variables_of_a_file() {
    if mpi_program("openmpi").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // Segments of one byte: a message of 4 KiB takes many times as long.
    let rules = folder.path().join("slow.conf");
    std::fs::write(&rules, "1\n7\n1\n2\n2\n0 0 0 0\n4096 3 0 1\n").unwrap();
    let variables = format!(
        "# slow\nOMPI_MCA_coll_tuned_use_dynamic_rules=1\nexport OMPI_MCA_coll_tuned_dynamic_rules_filename='{}'\n",
        rules.display()
    );
    std::fs::write(folder.path().join("slow.env"), variables).unwrap();
    let line = "bcast --world openmpi --bytes 64,4KiB --method window --launches 2 -q --format csv --algorithm";
    let measure = |by: &str| finish(parallax(&folder).arg("measure").args(line.split(' ')).arg(by));
    let done = measure("library,tuned:slow.env");
    assert_eq!(done.code, 0, "{done:?}");
    let all = rows(&done.stdout, &["algorithm", "bytes", "kind", "name", "time_us"]);
    let us = |by: &str, bytes: &str| {
        let row = all.iter().find(|row| row[..4] == [by, bytes, "method", "reference"]).expect("a row");
        row[4].parse::<f64>().unwrap()
    };
    let ratio = |bytes: &str| us("tuned:slow", bytes) / us("library", bytes);
    assert!(ratio("4096") > 10.0 * ratio("64"), "{} {}", ratio("4096"), ratio("64"));

    std::fs::write(folder.path().join("bad.env"), "A=1\nno variable\n").unwrap();
    std::fs::write(folder.path().join("empty.env"), "# nothing\n").unwrap();
    std::fs::create_dir(folder.path().join("two")).unwrap();
    std::fs::write(folder.path().join("two/slow.env"), "A=1\n").unwrap();
    let refused = ["tuned:bad.env", "tuned:empty.env", "tuned:none.env", "tuned:slow.env,tuned:two/slow.env"];
    let said = refused.map(|by| {
        let done = measure(by);
        assert_eq!((done.code, &*done.stdout), (2, ""), "{done:?}");
        done.stderr
    });
    insta::assert_snapshot!(said.concat());
}

#[test]
fn what_cannot_be_tuned_is_refused_with_the_cure() {
    if mpi_program("openmpi").is_none() || mpi_program("mpich").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        "bcast --world threads",
        "bcast --world openmpi --algorithm binomial",
        "bcast --world openmpi --algorithm library:sm",
        "barrier --world mpich",
        "bcast --world openmpi --launches 3",
        "bcast --world openmpi --machine openmpi",
        "--from nothing-there",
        "--from nothing-there --bytes 8",
        "ibcast --world openmpi",
        "bcast --predicted --world openmpi",
        "bcast --predicted --set alps-2025 --world openmpi --ranks 1",
        "bcast --world openmpi --by-print osuu",
    ];
    let said = lines.map(|line| {
        let done = tune(&folder, line);
        assert_eq!((done.code, &*done.stdout), (2, ""), "{line}: {done:?}");
        format!("$ {line}\n{}", done.stderr)
    });
    insta::assert_snapshot!(said.concat());

    // A shell in which a table was tried.
    let name = "OMPI_MCA_coll_tuned_use_dynamic_rules";
    let tuned = finish(parallax(&folder).args(["tune", "bcast", "--world", "openmpi", "-q"]).env(name, "1"));
    assert!(tuned.code == 2 && tuned.stderr.contains(&format!("unset {name}")), "{tuned:?}");
}
