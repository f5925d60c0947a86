//! `parallax import` as a user meets it.

mod common;

use common::command::{Done, finish, parallax};
use common::said::{Page, said};

fn data(name: &str) -> String {
    format!("{}/reports/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn import(arguments: &[&str]) -> Done {
    let folder = tempfile::tempdir().unwrap();
    finish(parallax(&folder).arg("import").args(arguments))
}

#[test]
fn texts_of_several_tools_become_one_table() {
    let files =
        ["osu.default.bcast.np2.r7.txt", "imb.default.bcast.np2.r7.txt", "reprompi.rts.bcast.np2.r7.txt"].map(data);
    let done = import(&files.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines.len(), 2 + 14 + 15 + 14 + 2, "{done:?}");
    assert!(lines[0].contains("operation") && lines[0].contains("mean_us"), "{done:?}");
    assert!(lines[2].starts_with("  osu.default.bcast.np2.r7.txt   OSU       Broadcast Latency"), "{done:?}");
}

#[test]
fn csv_and_json_hold_the_same_numbers() {
    let file = data("reprompi-raw.txt");
    let csv = import(&[&file, "--format", "csv"]).stdout;
    let heads = "elements,calls,valid_samples,mean_us,median_us,min_us,max_us";
    assert!(csv.lines().next().unwrap().ends_with(heads), "{csv}");
    assert!(
        csv.lines().nth(1).unwrap().ends_with("MPI_Bcast,bcast,MPI_INT,2,8,2,3,2,0.5695,0.5695,0.564,0.575"),
        "{csv}"
    );
    let json: serde_json::Value = serde_json::from_str(&import(&[&file, "--format", "json"]).stdout).unwrap();
    let row = &json[0]["rows"][0];
    assert_eq!((json[0]["benchmark"].as_str(), row["bytes"].as_u64()), (Some("reprompi"), Some(8)));
    assert_eq!(row["samples"][1]["time_ps"], 564_000);
    assert_eq!(row["columns"][3]["value"], 0.564);
    assert_eq!(json[0]["file"], file.as_str());
}

#[test]
fn what_cannot_be_understood_ends_with_code_2_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("prose.txt"), "no benchmark\n").unwrap();
    let done = finish(parallax(&folder).args(["import", "prose.txt"]));
    assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{done:?}");
    assert!(done.stderr.contains("prose.txt line 1: "), "{done:?}");
    let mut page = Page::new();
    page.add(&["prose.txt"], &done);
    let cut = std::fs::read_to_string(data("imb.default.bcast.np2.r7.txt")).unwrap().replace("0.99         0.58", "");
    std::fs::write(folder.path().join("cut.txt"), cut).unwrap();
    let whole = data("imb.sync0.bcast.np2.r7.txt");
    let done = finish(parallax(&folder).args(["import", &whole, "cut.txt"]));
    assert_eq!((done.code, done.stdout.as_str()), (2, ""), "nothing half printed: {done:?}");
    assert!(done.stderr.contains("cut.txt line 36: "), "{done:?}");
    page.add(&[&whole, "cut.txt"], &done);
    let done = finish(parallax(&folder).args(["import", "nowhere.txt"]));
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stderr.contains("nowhere.txt: "), "{done:?}");
    page.add(&["nowhere.txt"], &done);
    insta::assert_snapshot!(page);
}

#[test]
fn lines_that_are_left_out_are_told() {
    let done = import(&[&data("osu-several-7.3.txt")]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stderr.contains("osu-several-7.3.txt line 1: "), "{done:?}");
    insta::assert_snapshot!(said(&done, &[]));
}
