//! Whatever the tool.

use super::{data, imported, runs};
use parallax_formats::import::{Imported, Texts, read, recognise};
use proptest::prelude::*;
use render::results::{Format, Look, Results, printed};

const ALL: [&str; 31] = [
    "nccl-tests-2.19.txt",
    "nccl-tests-2.0.txt",
    "mpibench-1.5.txt",
    "mpigraph-1.5.txt",
    "netpipe-3.7.txt",
    "netpipe-5.txt",
    "core-to-core-latency.csv",
    "netgauge-loggp.txt",
    "osu-in-python.txt",
    "imb-2018-several.txt",
    "imb-nbc-2019.txt",
    "imb.default.allreduce.np2.r7.txt",
    "imb.default.bcast.np2.r7.txt",
    "imb.sync0.allreduce.np2.r7.txt",
    "imb.sync0.bcast.np2.r7.txt",
    "mpiperf-0.0.2-null.txt",
    "mpiperf-processes.txt",
    "mpiperf-seconds.txt",
    "mpiperf.wtime.allreduce.np2.r7.txt",
    "mpiperf.wtime.bcast.np2.r7.txt",
    "osu-latency-6.2.txt",
    "osu-several-7.3.txt",
    "osu.default.allreduce.np2.r7.txt",
    "osu.default.bcast.np2.r7.txt",
    "pico-summary.csv",
    "reprompi-raw-processes.txt",
    "reprompi-raw.txt",
    "reprompi.barrier.allreduce.np2.r7.txt",
    "reprompi.barrier.bcast.np2.r7.txt",
    "reprompi.rts.allreduce.np2.r7.txt",
    "skampi-5.txt",
];

#[test]
fn line_ends_byte_order_marks_and_a_missing_last_one_change_nothing() {
    for name in ALL {
        let (text, expected) = (data(name), runs(name));
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(read(name, &windows), Ok(expected.clone()), "{name}");
        assert_eq!(read(name, text.trim_end()), Ok(expected), "{name}");
    }
}

fn rows(runs: &[Imported]) -> usize {
    runs.iter().map(|run| run.rows.len()).sum()
}

#[test]
fn a_text_cut_anywhere_is_read_up_to_there_or_refused_with_the_line() {
    for name in ALL {
        let (text, whole) = (data(name), rows(&runs(name)));
        for length in (0..text.len()).step_by(13).filter(|&length| text.is_char_boundary(length)) {
            match read(name, &text[..length]) {
                Ok(part) => assert!(rows(&part) <= whole, "{name} cut at {length}"),
                Err(error) => {
                    let lines = text[..length].lines().count().max(1);
                    assert!((1..=lines).contains(&error.line), "{name} cut at {length}: {error}");
                    assert!(error.to_string().starts_with(&format!("{name} line {}: ", error.line)));
                }
            }
        }
    }
}

#[test]
fn broken_rows_name_their_line_and_the_cure() {
    let osu = data("osu.default.bcast.np2.r7.txt");
    let wrong = |text: &str| read("a.txt", text).expect_err("an error").to_string();
    let cut = osu.replace("        1000              0.46              0.59              0.64", "");
    let rows = [
        cut,
        osu.replacen("0.89", "0.8O", 1),
        osu.replacen("\n8 ", "\n99999999999999999999 ", 1),
        osu.replacen("0.89", "9e999", 1),
    ];
    let rows = rows.map(|text| {
        let run = read("a.txt", &text).expect("the other rows").remove(0);
        assert_eq!((run.rows.len(), run.left_out.len(), run.left_out[0].line), (13, 1, 5));
        run.left_out[0].why.clone()
    });
    let none = read("a.txt", &osu.replacen("0.89", "nan", 1)).expect("nan is no number, not a broken row");
    assert_eq!(none[0].rows[0].value("max_us"), None);
    let heads = [
        ("", 1),
        ("# OSU MPI Broadcast Latency Test v7.4\n", 1),
        ("# OSU MPI Broadcast Latency Test v7.4\n8  0.5\n", 2),
        ("# begin result \"MPI_Bcast-length\"\ncount= 1 8 0.5\n", 2),
    ];
    let heads = heads.map(|(text, line)| {
        let error = wrong(text);
        assert!(error.starts_with(&format!("a.txt line {line}: ")), "{error}");
        error
    });
    insta::assert_snapshot!([rows, heads].concat().join("\n"));
}

#[test]
fn every_sample_is_recognised_by_its_name() {
    for name in ALL {
        let title = recognise(name, &data(name)).expect(name).title().to_ascii_lowercase();
        assert!(name.starts_with(&title), "{name} was taken for {title}");
    }
}

#[test]
fn one_table_and_one_csv_for_several_texts() {
    let texts: Vec<(String, Imported)> =
        ["osu.default.bcast.np2.r7.txt", "mpiperf.wtime.bcast.np2.r7.txt", "reprompi-raw.txt"]
            .into_iter()
            .map(|name| (name.to_owned(), imported(name)))
            .collect();
    let texts = Texts(texts);
    let table = printed(&texts, Format::Table, Look { detailed: false, ..Look::IN_FILES }).expect("a table");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 1 + 14 + 14 + 2 + 1);
    assert!(lines.last().expect("lines").contains(": p50_us, p90_us, p99_us, correct_runs, "), "{table}");
    assert!(!lines[0].contains("p99_us") && lines[0].contains("median_us"), "{table}");
    assert!(lines[0].starts_with("  file ") && lines[0].contains("  benchmark  test "), "{table}");
    assert!(lines[1].contains("osu") && lines[1].contains("Broadcast Latency"), "{table}");
    assert!(lines[15].contains("mpiperf") && lines[15].contains("0.49"), "{table}");
    let csv = texts.csv();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let heads = reader.headers().expect("heads").clone();
    let column = |name: &str| heads.iter().position(|head| head == name).expect(name);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 30);
    assert_eq!(&rows[0][column("mean_us")], "0.5");
    assert_eq!(
        (&rows[14][column("benchmark")], &rows[14][column("interval_high_us")], &rows[14][column("p99_us")]),
        ("mpiperf", "0.49", "")
    );
}

/// What is put in place of a word: heads, headings, numbers and what is none.
const WORDS: [&str; 20] = [
    "#",
    "-",
    "---",
    "nan",
    "-inf",
    "1e308",
    "-0.0",
    "18446744073709551616",
    "99999999999999999999999.9",
    "count=",
    "MPI_Bcast",
    "[Procs]",
    "#bytes",
    "#repetitions",
    "Size",
    "test nrep count runtime_sec",
    "# OSU MPI Barrier Latency Test v7.4\n",
    "# Benchmarking Barrier\n",
    "\n",
    "µ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn texts_with_other_words_are_read_or_refused_with_a_line(
        name in prop::sample::select(&ALL[..]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&WORDS[..])), 1..12),
    ) {
        let text = data(name);
        // At most sixty lines: headings and the first rows.
        let mut words: Vec<&str> = text.split_inclusive('\n').take(60).flat_map(|line| line.split_inclusive(' ')).collect();
        for (at, word) in changes {
            let at = at.index(words.len());
            words[at] = word;
        }
        let text = words.concat();
        let lines = text.lines().count().max(1);
        match read("a.txt", &text) {
            Ok(runs) => {
                // A line of a matrix has a number for each pair.
                let cells = text.split([' ', '\t', ',', '\n']).count();
                prop_assert!(rows(&runs) <= lines.max(cells));
                let mut columns = runs.iter().flat_map(|run| &run.rows).flat_map(|row| &row.columns);
                prop_assert!(columns.all(|column| column.value.is_none_or(f64::is_finite)));
                let texts: Vec<(String, Imported)> = runs.into_iter().map(|run| ("a.txt".to_owned(), run)).collect();
                let texts = Texts(texts);
                prop_assert!(texts.terminal(Look::IN_FILES).lines().count() > 1 && texts.csv().lines().count() > 1);
            }
            Err(error) => prop_assert!((1..=lines).contains(&error.line), "{error} of {lines}"),
        }
    }
}
