//! Rows in both forms, and files cut anywhere.

use super::file::beside;
use super::*;
use models::spread::Spread;
use models::time::{Span, Time};
use proptest::prelude::*;
use render::plots::Paper;
use render::results::Results;
use scenario::store::StoreError;
use scenario::sweep::{Files, Sweep, SweepPoint};
use std::path::PathBuf;

fn sweep(ranks: &str) -> Sweep {
    let text = format!(
        "# Which \"one\", then?\noperation = \"barrier\"\nalgorithm = \"all\"\nranks = {ranks}\nnoise = [\"none\", \"exponential:mean=10us,rate=100Hz\"]\n"
    );
    let files = Files { traces: &|_| Ok(Vec::new()), text: &|_| Ok(String::new()) };
    Sweep::parse("small.toml", &text, files).unwrap()
}

fn header(sweep: &Sweep) -> Header {
    let (question, text) = (sweep.question.clone(), sweep.text.clone());
    let (version, engine, file) = ("0.1.0".to_owned(), "auto".to_owned(), String::new());
    Header { question, version, engine, points: sweep.points(), text, file, small: false }
}

/// Something different for every point; every fifth fails.
fn row(point: SweepPoint<'_>) -> SweepRow<'_> {
    let at = |n: u64| Time(point.index * 1_000 + n);
    let found = Found {
        engine: "fast (flat)".to_owned(),
        messages: point.index,
        over: Over::Ranks,
        finish: Spread { count: 3, min: at(1), mean: at(2), max: at(3), quantiles: [1, 1, 1, 2, 3, 3, 3].map(at) },
        exit_skew: Span(2),
        printed: None,
    };
    let failed = "rank 3 waits for \"rank 4\",\nfor ever".to_owned();
    SweepRow { found: if point.index % 5 == 4 { Err(failed) } else { Ok(found) }, point }
}

fn whole(sweep: &Sweep, form: Form) -> String {
    let rows = (0..sweep.points()).map(|index| form.line(&row(sweep.point(index))));
    form.columns() + &rows.collect::<String>()
}

fn name(form: Form) -> &'static str {
    if form == Form::Csv { "out.csv" } else { "out.jsonl" }
}

/// A file of a sweep whose rows have been made once.
struct Bench<'a> {
    sweep: &'a Sweep,
    form: Form,
    rows: Vec<(String, String)>,
    folder: tempfile::TempDir,
}

impl<'a> Bench<'a> {
    fn new(sweep: &'a Sweep, form: Form) -> Bench<'a> {
        let points = (0..sweep.points()).map(|index| sweep.point(index));
        let rows = points.map(|point| (form.key(&point), form.line(&row(point)))).collect();
        Bench { sweep, form, rows, folder: tempfile::tempdir().unwrap() }
    }

    /// Goes on with a file that holds `text`; what it had, and what it holds at the end.
    fn go_on(&self, text: &[u8]) -> (RowCounts, String) {
        let path = self.folder.path().join(name(self.form));
        std::fs::write(&path, text).unwrap();
        std::fs::write(beside(&path), serde_json::to_string(&header(self.sweep)).unwrap()).unwrap();
        let key = |index| self.rows[index as usize].0.clone();
        let (mut file, kept) = SweepFile::resume(&path, self.form, &header(self.sweep), key).unwrap();
        file.append(&self.rows[kept.rows as usize..].iter().map(|(_, line)| line.as_str()).collect::<String>())
            .unwrap();
        (kept, std::fs::read_to_string(&path).unwrap())
    }
}

#[test]
fn a_file_cut_at_any_byte_is_gone_on_with_to_the_same_bytes() {
    let sweep = sweep("[2, 3]");
    for form in [Form::JsonLines, Form::Csv] {
        let (whole, bench) = (whole(&sweep, form), Bench::new(&sweep, form));
        let above = form.columns().len();
        for length in 0..=whole.len() {
            let (kept, text) = bench.go_on(&whole.as_bytes()[..length]);
            assert_eq!(text, whole, "{form:?} cut at byte {length}");
            let rows = whole.as_bytes()[..length].get(above..).unwrap_or_default();
            assert_eq!(kept.rows, rows.iter().filter(|&&byte| byte == b'\n').count() as u64, "at byte {length}");
            assert_eq!(kept.failed, (0..kept.rows).filter(|index| index % 5 == 4).count() as u64);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// What follows a cut may be anything without a line end: a torn line.
    #[test]
    fn a_torn_last_line_is_dropped(cut in 0.0..1.0f64, torn in "[^\n]{0,40}") {
        let sweep = sweep("[2, 3, 5]");
        for form in [Form::JsonLines, Form::Csv] {
            let whole = whole(&sweep, form);
            let above = form.columns().len();
            let from = above + ((whole.len() - above) as f64 * cut) as usize;
            let start = whole.as_bytes()[..from].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let (_, text) = Bench::new(&sweep, form).go_on(format!("{}{torn}", &whole[..start]).as_bytes());
            prop_assert_eq!(text, whole);
        }
    }
}

#[test]
fn another_sweeps_file_is_refused_and_left_alone() {
    let (ours, other) = (sweep("[2, 3]"), sweep("[2, 4]"));
    for form in [Form::JsonLines, Form::Csv] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name(form));
        let refused = |text: &str, of: Option<&Sweep>, header: &Header| {
            std::fs::write(&path, text).unwrap();
            let said = of.map_or("hello".to_owned(), |of| serde_json::to_string(&self::header(of)).unwrap());
            std::fs::write(beside(&path), said).unwrap();
            let error = SweepFile::resume(&path, form, header, |index| form.key(&ours.point(index))).unwrap_err();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "left as it was");
            error.to_string()
        };
        let theirs = refused(&whole(&other, form), Some(&other), &header(&ours));
        let prose = refused("hello\n", None, &header(&ours));
        let newer = Header { version: "9.0.0".to_owned(), ..header(&ours) };
        let newer = refused(&whole(&ours, form), Some(&ours), &newer);
        assert!(newer.contains(env!("CARGO_PKG_VERSION")), "{newer}");
        let fast = Header { engine: "fast".to_owned(), ..header(&ours) };
        let fast = refused(&whole(&ours, form), Some(&ours), &fast);
        // A row that was deleted, and one too many.
        let text = whole(&ours, form);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let above = form.columns().lines().count();
        let missing = [&lines[..above + 1], &lines[above + 2..]].concat().concat();
        let told = refused(&missing, Some(&ours), &header(&ours));
        assert!(told.contains(&format!("line {}: ", above + 2)), "{told}");
        let said = [theirs, prose, newer, fast, told].join("\n").replace(&path.display().to_string(), "FILE");
        let ending = path.extension().and_then(|ending| ending.to_str()).expect("an ending");
        let page = said.replace(env!("CARGO_PKG_VERSION"), "OURS");
        insta::assert_snapshot!(format!("another_sweeps_file_{ending}"), page);
        refused(&(text.clone() + lines[above]), Some(&ours), &header(&ours));
        assert!(matches!(SweepFile::create(&path, form, &header(&ours)), Err(StoreError::Exists(_))));
    }
}

#[test]
fn json_lines_read_back_with_all_columns() {
    let sweep = sweep("[2, 3]");
    let text = whole(&sweep, Form::JsonLines);
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len() as u64, sweep.points());
    assert_eq!(rows[1]["noise"], "exponential:mean=10us,rate=100Hz");
    assert_eq!(
        (&rows[1]["point"], &rows[1]["finish_max_ps"], &rows[1]["exit_skew_ps"]),
        (&1.into(), &1003.into(), &2.into())
    );
    assert_eq!(
        (&rows[4]["engine"], &rows[4]["failure"]),
        (&serde_json::Value::Null, &"rank 3 waits for \"rank 4\",\nfor ever".into())
    );
    assert!(rows[0]["parameters"].as_str().unwrap().starts_with("L=2500ns,os=1500ns,"));
}

#[test]
fn csv_is_read_by_others_with_every_field_whole() {
    let sweep = sweep("[2, 3]");
    let text = whole(&sweep, Form::Csv);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let column = |name: &str, headers: &csv::StringRecord| headers.iter().position(|known| known == name).unwrap();
    let headers = reader.headers().unwrap().clone();
    let (noise, error, finish) =
        (column("noise", &headers), column("failure", &headers), column("finish_max_ps", &headers));
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len() as u64, sweep.points());
    assert_eq!((&rows[1][noise], &rows[1][finish], &rows[1][error]), ("exponential:mean=10us,rate=100Hz", "1003", ""));
    assert_eq!(&rows[4][error], "rank 3 waits for \"rank 4\", for ever");
}

#[test]
fn names_tell_the_form() {
    assert_eq!(Form::from_path(&PathBuf::from("a/b.jsonl")), Ok(Form::JsonLines));
    assert_eq!(Form::from_path(&PathBuf::from("b.csv")), Ok(Form::Csv));
    insta::assert_snapshot!(Form::from_path(&PathBuf::from("b.txt")).unwrap_err());
}

#[test]
fn the_table_shows_what_is_varied() {
    let sweep = sweep("[2, 30]");
    let rows: Vec<SweepRow<'_>> = (0..5).map(|index| row(sweep.point(index))).collect();
    let text = table(&sweep, &rows);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Which \"one\", then?");
    assert!(lines[2].split_whitespace().eq("algorithm ranks noise finish mean exit skew engine".split(' ')), "{text}");
    assert!(lines[4].split_whitespace().eq("barrier linear 2 none 0.000 0.000 0.000 fast (flat)".split(' ')), "{text}");
    assert!(text.contains("failed: rank 3 waits for"), "{text}");
}

#[test]
fn numbers_lie_beside_a_picture_and_unknown_endings_are_refused() {
    let times = [vec![Time(1), Time(3)]];
    let rows = vec![exits::ExitsRow::from_calls("linear", false, &times)];
    let drawn = exits::Skew { title: "Exit skew".to_owned(), notes: Vec::new(), rows }.drawn();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_eq!(drawn.write(&path("costs.svg"), &Paper::default()).unwrap(), [path("costs.svg"), path("costs.csv")]);
    assert_eq!((read("costs.svg"), read("costs.csv")), (drawn.drawing.to_string(), drawn.csv()));
    assert_eq!(drawn.write(&path("page.HTML"), &Paper::default()).unwrap(), [path("page.HTML"), path("page.csv")]);
    assert_eq!(read("page.HTML"), drawn.html().unwrap());
    assert_eq!(drawn.write(&path("only.csv"), &Paper::default()).unwrap(), [path("only.csv")]);
    let error = drawn.write(&path("costs.eps"), &Paper::default()).unwrap_err();
    insta::assert_snapshot!(error.replace(&folder.path().display().to_string(), "FOLDER"));
    let error = drawn.write(&path("no/costs.csv"), &Paper::default()).unwrap_err();
    assert!(error.contains("no/costs.csv"), "{error}");
}

#[test]
fn a_row_of_json_is_read_back() {
    let text = "# ?\noperation = \"bcast\"\nalgorithm = \"all\"\nranks = 3\nbenchmark = [\"none\", \"osu\"]\n";
    let files = Files { traces: &|_| Ok(Vec::new()), text: &|_| Ok(String::new()) };
    let sweep = Sweep::parse("small.toml", text, files).unwrap();
    for index in 0..sweep.points() {
        let mut row = row(sweep.point(index));
        if let (Ok(found), Some(_)) = (&mut row.found, row.point.benchmark) {
            found.printed = Some(Printed { printed_us: 0.1 + 0.2, truth_us: 7.0 });
        }
        let read = Form::read(&Form::JsonLines.line(&row), &row.point).unwrap();
        assert_eq!(read, row.found, "{index}");
    }
    assert!(Form::read("{}", &sweep.point(0)).is_err() && Form::read("half", &sweep.point(0)).is_err());
}
