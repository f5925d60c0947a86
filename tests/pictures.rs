//! Pictures for papers: files of every form and layout, of whatever draws.

mod common;

use common::command::{Done, finish, parallax};
use std::path::Path;
use tempfile::TempDir;

const CAMPAIGNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/campaigns");

fn run(folder: &TempDir, arguments: &str) -> Done {
    finish(parallax(folder).args(arguments.split_whitespace()))
}

/// A file of this form was written, or it was said that the system has no font or the program no such feature.
fn is_there(done: &Done, file: &Path, begin: &[u8]) {
    let without = ["no font", "feature print"];
    if done.code == 2 && without.iter().any(|words| done.stderr.contains(words)) {
        return;
    }
    assert_eq!(done.code, 0, "{done:?}");
    let content = std::fs::read(file).unwrap();
    assert!(content.starts_with(begin), "{}: {:?}", file.display(), &content[..8]);
}

#[test]
fn whatever_draws_writes_every_form_in_the_layout_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("s.goal"),
        "num_ranks 2\nrank 0 { a: send 8b to 1 }\nrank 1 { a: recv 8b from 0 }\n",
    )
    .unwrap();
    for (command, file) in [
        ("sweep bcast --algorithm linear,binomial --ranks 8 --over bytes --out", "curves"),
        ("sweep bcast --algorithm linear,binomial --ranks 8 --over L --out", "parameters"),
        ("sweep barrier --quantity exit-skew --ranks 8 --out", "skew"),
        ("simulate bcast --ranks 4 --timeline", "timeline"),
        ("simulate bcast --ranks 4 --sensitivity L,o --out", "sensitivity"),
        ("goal run s.goal --timeline", "schedule"),
        ("goal run s.goal --sensitivity L --out", "pieces"),
    ] {
        let path = |ending: &str| folder.path().join(format!("{file}.{ending}"));
        for (ending, begin) in [("pdf", &b"%PDF"[..]), ("png", &b"\x89PNG"[..])] {
            let done = run(&folder, &format!("{command} {file}.{ending} --picture width=84mm,font=8pt,dpi=100"));
            is_there(&done, &path(ending), begin);
        }
        let done = run(&folder, &format!("{command} {file}.svg --picture width=84mm,title=no"));
        assert_eq!(done.code, 0, "{done:?}");
        let svg = std::fs::read_to_string(path("svg")).unwrap();
        assert!(
            svg.contains("width=\"84mm\"") && !svg.contains("font-weight=\"bold\" fill=\"#22262b\">bcast"),
            "{svg}"
        );
        // What was simulated is told in the file, and not drawn.
        let about = svg.split("<desc>").nth(1).and_then(|rest| rest.split("</desc>").next()).unwrap_or_default();
        assert!(about.contains("LogGOPS"), "{file}: {about}");
        assert!(!svg.split("</desc>").nth(1).unwrap().contains("LogGOPS"), "{file}");
    }
}

#[test]
fn pictures_of_a_campaign_are_written_again_for_a_paper() {
    let folder = tempfile::tempdir().unwrap();
    let report = |options: &str| run(&folder, &format!("report {CAMPAIGNS}/measure --out o {options}"));
    let names = |ending: &str| {
        let all = std::fs::read_dir(folder.path().join("o/pictures")).unwrap();
        all.filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|found| found == ending)).count()
    };
    let done = report("--picture width=84mm,font=8pt");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(names("svg") > 0 && names("svg") == names("csv"));
    for file in std::fs::read_dir(folder.path().join("o/pictures")).unwrap().map(|file| file.unwrap().path()) {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(file.extension().is_some_and(|ending| ending == "csv") || text.contains("width=\"84mm\""), "{text}");
    }
    // The page keeps its own, and links to the files that are there.
    let page = || std::fs::read_to_string(folder.path().join("o/report.html")).unwrap();
    assert!(!page().contains("84mm") && page().contains(".svg\">SVG</a>"));
    let done = report("--picture format=pdf");
    if done.code == 0 {
        assert_eq!(names("pdf"), names("csv"));
        assert!(page().contains(".pdf\">PDF</a>"));
    } else {
        is_there(&done, Path::new("none"), b"");
    }
    let done = report("--format csv --picture width=84mm");
    assert!(done.code == 2 && done.stderr.contains("--picture"), "{done:?}");
}
