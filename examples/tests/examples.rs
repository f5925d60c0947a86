//! The examples run, and what they print is true: closed forms, the parameters that a network was given, what the command says.

use parallax_models::closed_form::loggops;
use parallax_models::network::{self, Network};
use std::path::Path;
use std::process::Command;

/// What a program prints that ends well.
fn printed(program: &str, words: &[&str]) -> String {
    let done = Command::new(program).args(words).output().expect("it starts");
    assert!(done.status.success(), "{program} {words:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

/// The rows of a table below its heads.
fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.split('\t').collect()).collect()
}

/// When each rank leaves, in ps.
fn finish(algorithm: &str, ranks: u32, bytes: u64) -> Vec<u64> {
    let words = [algorithm, &ranks.to_string(), &bytes.to_string()];
    let text = printed(env!("CARGO_BIN_EXE_simulate_broadcast"), &words);
    let numbers = rows(&text).into_iter().enumerate().map(|(rank, row)| {
        assert_eq!(row[0], rank.to_string());
        row[1].parse().expect("a number")
    });
    numbers.collect()
}

const PARAMETERS: &str = "L=2us,o=300ns,g=500ns,G=0.1ns/B";

#[test]
fn a_simulated_broadcast_takes_what_the_closed_form_says() {
    let network = network::parse("loggops", Some(PARAMETERS), None).expect("a network");
    let Network::Loggops(model) = network else { panic!("{network:?}") };
    let on_paper = (0..16).map(|rank| loggops::linear_bcast_time(model, 1000, 16, rank).0);
    assert_eq!(finish("linear", 16, 1000), on_paper.collect::<Vec<u64>>());
}

/// The command, where it has been built beside the examples.
#[test]
fn a_simulated_broadcast_is_that_of_the_command() {
    let command = Path::new(env!("CARGO_BIN_EXE_simulate_broadcast")).with_file_name("parallax");
    if !command.is_file() {
        eprintln!("skipped: {} has not been built", command.display());
        return;
    }
    let call = ["simulate", "bcast", "--algorithm", "binomial", "--ranks", "13", "--bytes", "4096"];
    let model = ["--model", "loggops", "--set", PARAMETERS, "--per-rank", "--format", "json"];
    let text = printed(&command.to_string_lossy(), &[&call[..], &model[..]].concat());
    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let ranks = answer["ranks"].as_array().expect("a row for each rank").iter();
    let told: Vec<u64> = ranks.map(|row| row["finish_ps"].as_u64().expect("a time")).collect();
    assert_eq!(finish("binomial", 13, 4096), told);
}

#[test]
fn a_calibration_returns_the_parameters_that_its_network_was_given() {
    let text = printed(env!("CARGO_BIN_EXE_fit_machine"), &["L=3us,o=400ns,g=900ns,G=0.2ns/B"]);
    let given = [("L_us", 3.0), ("o_send_us", 0.4), ("o_receive_us", 0.4), ("g_us", 0.9), ("G_ns_per_byte", 0.2)];
    let rows = rows(&text);
    assert_eq!(rows.len(), given.len(), "{text}");
    for (row, (name, value)) in rows.iter().zip(given) {
        let fitted: f64 = row[1].parse().expect("a number");
        assert_eq!(row[0], name);
        assert!((fitted - value).abs() <= 1e-3 * value, "{text}");
    }
}

#[test]
fn a_campaign_is_read_as_the_command_reads_it() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let file = golden.join("campaigns/measure/campaign.jsonl");
    let text = printed(env!("CARGO_BIN_EXE_read_campaign"), &[&file.to_string_lossy()]);
    let mut found = rows(&text).into_iter().map(|row| row.into_iter().map(str::to_owned).collect::<Vec<String>>());

    let mut table = csv::Reader::from_path(golden.join("tables/measure.csv")).expect("a table");
    let heads = table.headers().expect("heads").clone();
    let at = |name: &str| heads.iter().position(|head| head == name).expect("a column");
    let wanted = [
        "world",
        "operation",
        "algorithm",
        "ranks",
        "bytes",
        "name",
        "time_us",
        "time_low_us",
        "time_high_us",
        "ratio",
    ]
    .map(at);
    let kind = at("kind");
    let mut count = 0;
    for row in table.records().map(|row| row.expect("a row")).filter(|row| &row[kind] == "method") {
        let printed = found.next().expect("as many rows");
        for (cell, wanted) in printed.iter().zip(wanted.map(|column| &row[column])) {
            // Numbers of tables have six places.
            let same = match (cell.parse::<f64>(), wanted.parse::<f64>()) {
                (Ok(cell), Ok(wanted)) => (cell - wanted).abs() <= 1e-6 * wanted.abs().max(1.0),
                _ => cell == wanted,
            };
            assert!(same, "{printed:?}: {cell} is not {wanted}");
        }
        count += 1;
    }
    assert!(found.next().is_none() && count >= 18, "{count} rows");
}

#[test]
fn six_broadcasts_are_printed_as_published_behind_both_barriers_and_are_truly_something_else() {
    let text = printed(env!("CARGO_BIN_EXE_two_barriers"), &[]);
    let rows = rows(&text);
    assert_eq!(rows.len(), 12, "{text}");
    for row in &rows {
        let us: Vec<f64> = row[3..].iter().map(|cell| cell.parse().expect("a number")).collect();
        let [published, predicted, least, most, truth, low, high] = us[..] else { panic!("{row:?}") };
        assert!((predicted / published - 1.0).abs() < 0.2, "{row:?}");
        assert!(low <= truth && truth <= high && least <= predicted && predicted <= most, "{row:?}");
    }
    let of = |row: usize, column: usize| rows[row][column].parse::<f64>().expect("a number");
    assert!(of(0, 7) > 5.0 * of(0, 3) && of(6, 7) < 0.8 * of(6, 3), "behind a tree too short, else too long: {text}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.svg");
    printed(env!("CARGO_BIN_EXE_two_barriers"), &[&file.to_string_lossy()]);
    let shown = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/pictures/two-barriers.svg");
    let [drawn, shown] = [file, shown].map(|file| std::fs::read_to_string(file).expect("a picture"));
    assert_eq!(
        drawn, shown,
        "draw the guide's picture anew: cargo run -p parallax-examples --bin two_barriers -- FILE"
    );
}

#[test]
fn what_cannot_be_read_is_said() {
    let refused = |program: &str, words: &[&str], why: &str| {
        let done = Command::new(program).args(words).output().expect("it starts");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && said.contains(why), "{said}");
    };
    refused(env!("CARGO_BIN_EXE_simulate_broadcast"), &["binomal"], "binomial");
    refused(env!("CARGO_BIN_EXE_read_campaign"), &["no-such-file"], "no-such-file");
    refused(env!("CARGO_BIN_EXE_read_campaign"), &[], "campaign.jsonl");
    refused(env!("CARGO_BIN_EXE_fit_machine"), &["L=3 miles"], "3 miles");
}
