//! `parallax import` as a user meets it.

mod common;

use common::command::{Done, finish, parallax};
use common::said::{Page, said};

fn data(name: &str) -> String {
    format!("{}/formats/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
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
    assert_eq!(lines.len(), 1 + 14 + 15 + 14 + 1, "{done:?}");
    assert!(lines[0].contains("test") && lines[0].contains("mean_us"), "{done:?}");
    assert!(lines[1].starts_with("  osu.default.bcast.np2.r7.txt   osu        Broadcast Latency"), "{done:?}");
}

#[test]
fn csv_and_json_hold_the_same_numbers() {
    let file = data("reprompi-raw.txt");
    let csv = import(&[&file, "--format", "csv"]).stdout;
    let heads = "elements,calls,synchronisation,valid_samples,mean_us,median_us,min_us,max_us";
    assert!(csv.lines().next().unwrap().ends_with(heads), "{csv}");
    assert!(
        csv.lines().nth(1).unwrap().ends_with("MPI_Bcast,bcast,MPI_INT,2,8,2,3,window,2,0.5695,0.5695,0.564,0.575"),
        "{csv}"
    );
    let json: serde_json::Value = serde_json::from_str(&import(&[&file, "--format", "json"]).stdout).unwrap();
    let row = &json["rows"][0];
    assert_eq!((row["benchmark"].as_str(), row["bytes"].as_u64()), (Some("reprompi"), Some(8)));
    assert_eq!((row["min_us"].as_f64(), row["file"].as_str()), (Some(0.564), Some(file.as_str())));
    let sample = &json["samples"][1];
    assert_eq!(
        (sample["row"].as_u64(), sample["index"].as_u64(), sample["time_us"].as_f64()),
        (Some(0), Some(1), Some(0.564))
    );
    assert_eq!(json["facts"][4]["label"], "nprocs");
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
    assert_eq!((done.code, done.stdout.lines().count()), (0, 1 + 15 + 14), "the row that is cut is left out: {done:?}");
    assert!(done.stderr.contains("cut.txt line 36: "), "{done:?}");
    page.add(&[&whole, "cut.txt"], &done);
    let done = finish(parallax(&folder).args(["import", "nowhere.txt"]));
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stderr.contains("nowhere.txt: "), "{done:?}");
    page.add(&["nowhere.txt"], &done);
    insta::assert_snapshot!(page);
}

#[test]
fn a_text_from_standard_input_may_have_prefixes_and_foreign_lines_between() {
    let folder = tempfile::tempdir().unwrap();
    let table =
        "0: # OSU MPI Broadcast Latency Test v7.4\n0: # Size       Avg Latency(us)\n0: 8                     1.10\n";
    let text = format!("0 gpu 0\n1 gpu 1\n$ mpirun -np 4 ./osu_bcast\n{table}2031-02-03 04:05:06 end of job\n");
    std::fs::write(folder.path().join("in.txt"), text).unwrap();
    let input = std::fs::File::open(folder.path().join("in.txt")).unwrap();
    let output = parallax(&folder).args(["import", "-", "--format", "csv"]).stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let done = Done { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) };
    assert_eq!(done.code, 0, "{done:?}");
    let row = "standard input,6,osu,7.4,Broadcast Latency,bcast,,4,8,,,command-line,1.1";
    assert_eq!(done.stdout.lines().nth(1), Some(row), "{done:?}");
    insta::assert_snapshot!(said(&done, &[]));
}

#[test]
fn lines_that_are_left_out_are_told() {
    let done = import(&[&data("osu-several-7.3.txt")]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stderr.contains("osu-several-7.3.txt line 1: "), "{done:?}");
    insta::assert_snapshot!(said(&done, &[]));
}

/// A run that PICO published, of 8 ranks on 4 nodes.
fn published_run(folder: &std::path::Path) {
    let log = "CONFIGURATION SUMMARY\n Location: alpha\n Number of Nodes: 4\n Total MPI tasks: 8\n Task per Node: 2\n \
               Results Directory: /a/0\n Collective Type: BCAST\n MPI Library: OMPI 4.1.6\n CUDA Enabled: False\n";
    let nodes: String = (0..8).map(|rank| format!("{rank},n{}\n", rank / 2)).collect();
    let calls: String = (0..400).map(|call| format!("{}\n", 9_000 + 37 * call % 500)).collect();
    let files = [
        ("alloc.csv", format!("MPI_Rank,allocation\n{nodes}")),
        ("slurm_1.out", log.to_owned()),
        ("0/8_binomial_ompi_int32.csv", format!("highest\n90000\n{calls}")),
        ("0/512_binomial_ompi_int32.csv", format!("highest\n95000\n{calls}")),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

#[test]
fn what_pico_published_is_imported_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    for run in ["2025_03_01___10_00_00", "2025_04_08___10_00_00"] {
        published_run(&folder.path().join(run));
    }
    let run = |arguments: &[&str]| finish(parallax(&folder).args(arguments));
    let [early, late] = ["2025_03_01___10_00_00", "2025_04_08___10_00_00"];
    let done = run(&["import", early, late, "--format", "csv"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    let rows: Vec<&str> = done.stdout.lines().skip(1).collect();
    assert!(
        rows.len() == 4 && rows[0].contains(",8,32,8,401,") && rows[0].contains(",openmpi-4.1,inferred,"),
        "{done:?}"
    );
    assert!(rows[3].contains(",8,2048,512,401,") && rows[3].contains(",recursive-doubling,inferred,"), "{done:?}");
    let given = run(&["import", early, "--format", "csv", "--barrier", "tree"]);
    assert!(given.stdout.lines().skip(1).all(|row| row.contains(",tree,given,")), "{given:?}");
    let short = run(&["import", early, late, "--only", "algorithm=binomial,ranks=8"]);
    assert!(short.code == 0 && short.stdout.contains("\nFirst calls (E1)\n  - "), "{short:?}");
    let none = run(&["import", early, "--only", "ranks=9"]);
    assert!(none.code == 2 && none.stderr.contains("ranks=8"), "{none:?}");
    let refused = run(&["import", &data("imb.default.bcast.np2.r7.txt"), "--barrier", "tree"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{refused:?}");
    let compared = run(&["compare", early, late, "--format", "json"]);
    assert_eq!((compared.code, compared.stderr.as_str()), (0, ""), "{compared:?}");
    let json: serde_json::Value = serde_json::from_str(&compared.stdout).unwrap();
    let pairs = json["rows"].as_array().unwrap();
    assert!(pairs.len() == 2 && pairs.iter().all(|row| row["algorithm"] == "binomial_ompi"), "{json}");
    let stored = run(&["store", "add", early, late]);
    assert_eq!((stored.code, stored.stdout.lines().count()), (0, 2), "{stored:?}");
    let again = run(&["store", "add", early]);
    assert!(again.stdout.contains("is already in the store as run 1 "), "{again:?}");
    let shown = run(&["store", "show", late]);
    assert!(shown.stdout.contains("binomial_ompi") && shown.stdout.contains("2048"), "{shown:?}");
    let from_store = run(&["compare", "1", "2", "--format", "json"]);
    let of_store: serde_json::Value = serde_json::from_str(&from_store.stdout).unwrap();
    let ratio = |row: &serde_json::Value| (row["bytes"].clone(), row["ratio"].clone());
    let of_store: Vec<_> = of_store["rows"].as_array().unwrap().iter().map(ratio).collect();
    assert_eq!(of_store, pairs.iter().map(ratio).collect::<Vec<_>>(), "as from the folders");
    // The file of a test alone is read with what its run says.
    let one = run(&["import", &format!("{early}/0/8_binomial_ompi_int32.csv"), "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&one.stdout).unwrap();
    let samples = json["samples"].as_array().map(Vec::len);
    assert_eq!((json["rows"][0]["ranks"].as_u64(), samples), (Some(8), Some(401)), "{json}");
    std::fs::write(folder.path().join("cut.tar.gz"), [0x1f, 0x8b, 8, 0]).unwrap();
    let cut = run(&["import", "cut.tar.gz"]);
    assert_eq!((cut.code, cut.stdout.as_str()), (2, ""), "{cut:?}");
    insta::assert_snapshot!(
        [&refused.stderr.replace(env!("CARGO_MANIFEST_DIR"), "."), &cut.stderr].map(String::as_str).join("")
    );
}
