//! What PICO publishes, as rows of the one table.

use super::{data, fact, imported};
use models::collective::Collective;
use parallax_formats::import::{Texts, Tool, published};
use parallax_study::contrast::imported as side;
use render::results::{Look, Results};

#[test]
fn a_summary_has_words_and_numbers() {
    let pico = imported("pico-summary.csv");
    assert_eq!((pico.tool, pico.rows.len(), pico.left_out.len()), (Tool::Pico, 15, 0));
    let row = pico.rows.iter().find(|row| row.collective == Some(Collective::Allgather)).expect("an allgather");
    assert_eq!((row.ranks, row.count, row.bytes, row.calls), (Some(6), Some(8), Some(4), Some(1000)));
    let words = ["published_algorithm", "system", "nodes", "library", "barrier", "barrier_grounds", "marks", "notes"];
    let expected = ["ring_ompi", "alpha", "6", "OMPI 4.1.6", "openmpi-4.1", "inferred", "remainder", "one rail, quiet"];
    assert_eq!(words.map(|word| row.word(word)), expected);
    assert_eq!((row.value("steady_us"), row.word("colour")), (None, ""));
    let [first, median, mean] = ["first_us", "median_us", "mean_us"].map(|name| row.value(name).expect(name));
    assert!((first - 11.0 * median).abs() < 1e-9 && (mean - median - 0.075).abs() < 1e-9);
    insta::assert_snapshot!(pico.notes.join("\n"));
}

#[test]
fn a_raw_file_has_its_calls_as_samples_in_order() {
    let raw = imported("64_ring_ompi_int32.csv");
    let row = &raw.rows[0];
    assert_eq!((row.collective, row.benchmark.as_str(), row.ranks), (None, "ring_ompi", Some(2)));
    let text = data("64_ring_ompi_int32.csv");
    let calls = text.lines().skip(1).map(|line| 1000 * line.split(',').next().unwrap().parse::<i64>().unwrap());
    assert_eq!(row.samples.iter().map(|sample| sample.time_ps).collect::<Vec<_>>(), calls.collect::<Vec<_>>());
    assert_eq!(row.value("first_us"), Some(90.1));
    assert!(row.value("autocorrelation").is_some());
}

#[test]
fn tables_show_what_tells_rows_apart() {
    let texts = Texts(vec![("pico-summary.csv".to_owned(), imported("pico-summary.csv"))]);
    let shown = texts.terminal(Look::IN_FILES);
    insta::assert_snapshot!(shown.lines().take(4).collect::<Vec<_>>().join("\n"));
    let file = texts.csv();
    insta::assert_snapshot!(file.lines().take(2).collect::<Vec<_>>().join("\n"));
    let osu = ("osu.txt".to_owned(), imported("osu.default.bcast.np2.r7.txt"));
    let both = Texts(vec![texts.0[0].clone(), osu]);
    assert_eq!(both.csv().lines().count(), 1 + 15 + 14);
}

#[test]
fn marked_rows_are_no_cases_of_a_comparison() {
    let pico = imported("pico-summary.csv");
    let compared = side("a", std::slice::from_ref(&pico), None).expect("a side");
    assert_eq!(compared.cases.len(), 14, "all but one on GPU buffers");
    assert!(compared.notes.iter().any(|note| note.contains("1 of 15 rows")), "{:?}", compared.notes);
    let mut all_marked = pico;
    all_marked.rows.retain(|row| row.word("marks").contains("gpu"));
    insta::assert_snapshot!(side("a", &[all_marked], None).expect_err("no case"));
}

#[test]
fn facts_and_warnings_of_a_run_are_kept() {
    let mut run = ::published::read_text("m.csv", &data("pico-summary.csv")).expect("a summary");
    run.facts.push(("run".to_owned(), "yesterday".to_owned()));
    run.warnings.push("a contradiction".to_owned());
    let read = published(run);
    assert_eq!((fact(&read, "run"), read.notes[0].as_str()), ("yesterday", "a contradiction"));
}
