//! `parallax tune`: algorithms of a library beside its own choice, tables in its form, and their proof.

mod common;

use common::command::{Done, finish, mpi_program, parallax};
use common::published::{HEADS, benchmark, lines_on};
use fit::Printed;
use models::collective::{Collective, published};
use programs::machine::{Bound, Machine};
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
        let again = finish(parallax(&folder).args(["tune", "--resume", "--out", "campaign", "-q", "--format", "json"]));
        let json: serde_json::Value = serde_json::from_str(&again.stdout).expect("JSON");
        let proved = json["proved"].as_array().cloned().unwrap_or_default();
        let of =
            |tuning: &str, by: &str| proved.iter().filter(|row| row["tuning"] == tuning && row["by"] == by).count();
        if is_file("tuned.env") {
            assert_eq!([of("tuned", "reference"), of("tuned", "OSU")], [2, 2], "{proved:?}");
        }
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

/// Published name, elements, and what is printed and true in µs.
type Published = (&'static str, u64, [f64; 2]);

/// Numbers in µs that a machine of the program would print behind recursive doubling, with the true times of the same calls.
fn printed_by(machine: &str, ranks: u32, collective: Collective, names: &[&'static str]) -> Vec<Published> {
    let known = Machine::parse(machine, programs::machine::known(machine).unwrap()).unwrap();
    let platform = known.platform("loggops", Bound::Best).unwrap();
    let benchmark = benchmark("recursive-doubling", "");
    let calls: Vec<(&str, u64)> = names.iter().flat_map(|name| [8, 64].map(|elements| (*name, elements))).collect();
    let rows = calls.iter().map(|(name, elements)| {
        let (algorithm, shape) = published(name, collective, ranks, *elements).unwrap();
        Printed { name: (*name).to_owned(), algorithm, shape, us: 0.0 }
    });
    let rows: Vec<Printed> = rows.collect();
    let (us, truths) = (benchmark.prints_on(&platform, &rows).unwrap(), benchmark.truths_on(&platform, &rows).unwrap());
    let us = us.into_iter().zip(truths);
    calls.into_iter().zip(us).map(|((name, elements), (printed, truth))| (name, elements, [printed, truth])).collect()
}

/// Tunes by published numbers that a machine of the program would print; checks that each corrected time is the true one.
/// Returns the numbers, the rows of the results and the results as JSON.
fn tuned_by_published(
    folder: &TempDir,
    ranks: u32,
    collective: Collective,
    names: &[&'static str],
) -> (Vec<Published>, Vec<Vec<String>>, serde_json::Value) {
    let numbers = printed_by("leonardo-256", ranks, collective, names);
    let rows_of = numbers.iter().map(|(name, elements, [us, _])| (collective, *name, *elements, *us)).collect();
    let lines = lines_on("2025_04_09___10_00_00", &format!("{ranks},1"), "OMPI", rows_of);
    std::fs::write(folder.path().join("numbers.csv"), format!("{HEADS}{lines}")).unwrap();
    let line = "--commuting --from numbers.csv --machine leonardo-256";
    let done = tune(folder, &format!("{line} --format csv --out {collective}"));
    assert_eq!(done.code, 0, "{done:?}");
    let found = rows(&done.stdout, &["algorithm", "bytes", "own_choice_us", "time_us", "verdict", "chosen"]);
    assert_eq!(found.len(), 2 * (names.len() - 1), "{done:?}");
    for row in &found {
        let published =
            format!("{}_ompi", row[0].strip_prefix("library:").unwrap()).replace("in-order_binary", "in_order");
        for (name, found) in [("default_ompi", &row[2]), (&*published, &row[3])] {
            let is = |one: &&Published| (one.0, (4 * one.1).to_string()) == (name, row[1].clone());
            let right = numbers.iter().find(is).unwrap_or_else(|| panic!("{row:?}")).2[1];
            assert!((found.parse::<f64>().unwrap() / right - 1.0).abs() < 1e-6, "{row:?} {right}");
        }
    }
    let json = tune(folder, &format!("{line} --format json --out again"));
    (numbers, found, serde_json::from_str(&json.stdout).expect("JSON"))
}

#[test]
fn published_numbers_are_corrected_before_they_choose() {
    let folder = tempfile::tempdir().unwrap();
    // A reduction that prints less than the library's own choice, and takes longer.
    let names = ["default_ompi", "binomial_ompi", "linear_ompi", "in_order_ompi"];
    let (numbers, found, json) = tuned_by_published(&folder, 64, Collective::Reduce, &names);
    let of = |name: &str| numbers.iter().find(|(known, ..)| *known == name).unwrap().2;
    let ([own_printed, own], [printed, time]) = (of("default_ompi"), of("in_order_ompi"));
    assert!(printed < 0.9 * own_printed && time > 1.1 * own, "{numbers:?}");
    assert!(found.iter().all(|row| row[5] == "false"), "{found:?}");
    let judged = &json["judged"][0];
    assert_eq!(
        (&judged["tuning"], &judged["by"], &judged["changed"]),
        (&"by-print".into(), &"corrected".into(), &2.into())
    );
    assert!(judged["median"].as_f64().unwrap() > 1.1, "{judged}");
    let is_there = |name: &str| folder.path().join(name).is_file();
    assert!(is_there("reduce/by-print.conf") && !is_there("reduce/tuned.conf"));

    // An allreduce that prints as much as the library's own choice, and takes less time.
    let names = ["default_ompi", "recursive_doubling_ompi"];
    let (numbers, found, _) = tuned_by_published(&folder, 512, Collective::Allreduce, &names);
    let of = |name: &str| numbers.iter().find(|(known, ..)| *known == name).unwrap().2;
    let ([own_printed, own], [printed, time]) = (of("default_ompi"), of("recursive_doubling_ompi"));
    assert!(printed > 0.9 * own_printed && time < 0.7 * own, "{numbers:?}");
    assert!(found.iter().all(|row| row[4..] == ["faster", "true"]), "{found:?}");
    assert!(text(&folder, "allreduce/tuned.conf").contains("\n32 3 0 0 "), "recursive doubling is number 3 there");

    let from = "--from numbers.csv --machine leonardo-256";
    for (words, expected) in [
        ("--from numbers.csv".to_owned(), "--machine"),
        (format!("{from} --world mpich"), "--world"),
        (format!("{from} --world openmpi@5.0.3"), "coll/han"),
        (format!("{from} --only algorithm=bine"), "--only"),
        (format!("{from} --only algorithm=default"), "NAME_ompi"),
        ("bcast --world openmpi --only ranks=4".to_owned(), "--from FILE and --machine"),
        ("bcast --predicted --set alps-2025 --barrier linear".to_owned(), "--barrier"),
    ] {
        let refused = tune(&folder, &words);
        assert!(refused.code == 2 && refused.stderr.contains(expected), "{words}: {refused:?}");
    }
}

#[test]
fn published_numbers_that_choose_nothing_are_counted_by_their_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["default_ompi", "binomial_ompi", "in_order_ompi"];
    let numbers = printed_by("leonardo-256", 64, Collective::Reduce, &names);
    let of = |wanted: &str| numbers.iter().find(|(name, ..)| *name == wanted).unwrap().2;
    let ([own_printed, own], [printed, time]) = (of("default_ompi"), of("in_order_ompi"));
    // In-order binary three times, with 1 µs more in the median; of 256 B nothing of the library's own choice.
    let row = |name, elements, us| (Collective::Reduce, name, elements, us);
    let rows_of = vec![
        row("default_ompi", 8, own_printed),
        row("binomial_ompi", 8, own_printed),
        row("in_order_ompi", 8, printed),
        row("in_order_ompi", 8, printed + 1.0),
        row("in_order_ompi", 8, printed + 30.0),
        row("in_order_ompi", 64, printed),
        row("linear_ompi", 8, 0.001),
    ];
    let lines = lines_on("2025_04_09___10_00_00", "64,1", "OMPI", rows_of);
    let write = |lines: &str| std::fs::write(folder.path().join("numbers.csv"), format!("{HEADS}{lines}")).unwrap();
    write(&lines);
    let from = "--from numbers.csv --machine leonardo-256 --out tuning";
    let done = tune(&folder, &format!("{from} --format csv"));
    assert_eq!(done.code, 0, "{done:?}");
    let found = rows(
        &done.stdout,
        &["algorithm", "bytes", "own_choice_us", "time_us", "ratio_low", "ratio_high", "confidence"],
    );
    assert_eq!(found.len(), 1, "{done:?}");
    let number = |place: usize| found[0][place].parse::<f64>().unwrap();
    assert_eq!(found[0][..2], ["library:in-order_binary", "32"]);
    assert!((number(2) / own - 1.0).abs() < 1e-6 && (number(3) / (time + 1.0) - 1.0).abs() < 1e-6, "{found:?}");
    // The 1 µs may belong to the call or to the method.
    assert!(number(4) <= time / own + 1e-6 && number(5) >= (time + 1.0) / own - 1e-6, "{found:?}");
    assert_eq!(found[0][6], "", "no launches, no confidence");
    let page = text(&folder, "tuning/summary.txt").split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "1 row: combined in another order than that of the ranks, for operators that commute (--commuting)",
        "1 row: the correction is as large as the number",
        "1 call: a corrected number of the library's own choice (default_ompi)",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    write(&format!("{lines}{}", lines.replace("4.1.6", "4.0.5")));
    let several = tune(&folder, from);
    assert!(several.code == 2 && several.stderr.contains("--only library="), "{several:?}");
    write(&lines.replace(",4.1.6,", ",,"));
    let unknown = tune(&folder, from);
    assert!(unknown.code == 2 && unknown.stderr.contains("--world openmpi@VERSION"), "{unknown:?}");
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
