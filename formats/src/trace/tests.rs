use super::{Format, fixture, page, picture, write};
use programs::trace::Trace;
use render::plots::{Form, Paper};
use std::path::Path;

mod choosing;
mod chrome;
mod paje;
mod pictures;

/// Compares with what was written down; `UPDATE_GOLDEN=1` writes it down anew.
fn golden(name: &str, now: &str) {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/trace/golden")).join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, now).expect("the golden file can be written");
    }
    let then = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = then.lines().zip(now.lines()).find(|(then, now)| then != now);
    assert!(then == now, "{name}: first difference, then and now: {differs:#?}\nIf this is meant: UPDATE_GOLDEN=1");
}

/// What is written into a file of that name.
fn written(name: &str, trace: &Trace) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    write(&path, trace, &Paper::default()).expect("written");
    std::fs::read_to_string(path).expect("text")
}

#[test]
fn four_ranks_are_told_as_ever() {
    let trace = fixture::broadcast(4);
    for name in ["broadcast-4.svg", "broadcast-4.json", "broadcast-4.paje"] {
        golden(name, &written(name, &trace));
    }
}

#[test]
fn the_ending_names_the_format() {
    for (name, format) in [
        ("a.html", Format::Page),
        ("a.b.SVG", Format::Picture(Form::Svg)),
        ("a.json", Format::Chrome),
        ("a.paje", Format::Paje),
        ("a.trace", Format::Paje),
    ] {
        assert_eq!(Format::from_path(Path::new(name)).expect("known"), format);
    }
    for name in ["a", "a.eps", ".json", "svg"] {
        let error = Format::from_path(Path::new(name)).expect_err("unknown");
        assert!(error.starts_with(&format!("{name}: ")), "{error}");
        [".html", ".svg", ".json", ".paje", ".trace"]
            .iter()
            .for_each(|ending| assert!(error.contains(ending), "{error}"));
    }
}

#[test]
fn a_file_that_cannot_be_written_is_named_and_nothing_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("missing").join("a.svg");
    let error = write(&path, &fixture::broadcast(2), &Paper::default()).expect_err("no such folder");
    assert!(error.contains(&path.display().to_string()), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn each_format_is_the_same_for_the_same_trace_and_copes_with_nothing() {
    for trace in [Trace::default(), fixture::barrier(5)] {
        for name in ["a.html", "a.svg", "a.json", "a.paje"] {
            let text = written(name, &trace);
            assert_eq!(text, written(name, &trace));
            assert!(text.ends_with('\n'), "{name}");
        }
    }
    assert_eq!(written("a.svg", &fixture::barrier(5)), picture(&fixture::barrier(5), &Paper::default()));
    assert_eq!(written("a.html", &fixture::barrier(5)), page(&fixture::barrier(5)).expect("filled in"));
}
