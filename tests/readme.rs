//! The README's commands do what it says.

mod common;

use common::command::{finish, parallax};

const README: &str = include_str!("../README.md");

/// The contents of all fenced blocks of a kind.
fn blocks(kind: &str) -> Vec<&'static str> {
    let fence = format!("```{kind}\n");
    README.split(fence.as_str()).skip(1).map(|rest| rest.split("```").next().expect("a closed block")).collect()
}

/// A state that either side of a comparison met, where they have none in common.
fn states(answer: &str) -> Option<[&str; 2]> {
    let (_, met) = answer.split_once("(a cache line between neighbours takes, A: ")?;
    let (before, after) = met.split_once(')')?.0.split_once("; B: ")?;
    Some([before, after].map(|met| met.split(", ").next().expect("at least one")))
}

#[test]
fn every_command_of_the_tour_works_as_written() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mend.toml"), blocks("toml")[0]).unwrap();
    std::fs::write(folder.path().join("barriers.toml"), blocks("toml")[1]).unwrap();
    let mut ran = 0;
    for line in blocks("sh").iter().flat_map(|block| block.lines()) {
        let command = line.split('#').next().unwrap().trim();
        let Some(arguments) = command.strip_prefix("parallax ") else { continue };
        if arguments.ends_with("--resume") {
            continue; // resuming needs a killed run: tests/cli.rs kills one
        }
        let done = finish(parallax(&folder).args(arguments.split_whitespace()));
        // Two campaigns may have met cores in states of which none is the other's; what the answer says then works.
        let done = match states(&done.stderr) {
            Some([before, after]) if arguments == "compare before after" => {
                let sides = [format!("before,state={before}"), format!("after,state={after}")];
                finish(parallax(&folder).arg("compare").args(sides))
            }
            Some(_) | None => done,
        };
        assert_eq!(done.code, 0, "{command}: {done:?}");
        ran += 1;
    }
    assert!(ran >= 4, "only {ran} commands were found");
    for file in ["report.html", "campaign.jsonl", "summary.txt", "machine-threads-emulated-6.toml"] {
        assert!(folder.path().join("results/mend-001").join(file).is_file(), "{file}");
    }
}

#[test]
fn files_that_the_readme_names_are_there() {
    for name in [
        "scripts/demo",
        "scripts/setup",
        "scripts/build",
        "scripts/test",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "docs/on-a-cluster.md",
        "docs/barrier-study.md",
        "docs/field-cases.md",
        "docs/why-1024.png",
        "docs/report.png",
        "scenarios/loop-error.toml",
    ] {
        assert!(README.contains(name), "the README no longer names {name}: drop it here");
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/").to_owned() + name;
        assert!(std::path::Path::new(&path).exists(), "{name}");
    }
}
