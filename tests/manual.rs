//! Completion scripts and manual pages: made from the command line itself, for every subcommand.

mod common;

use common::command::{finish, parallax};
use common::said::said;

/// The subcommands that `--help` lists.
fn subcommands() -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let help = finish(parallax(&folder).arg("--help")).stdout;
    let commands = help.split("Ask:").nth(1).and_then(|rest| rest.split("Options:").next()).expect("groups");
    let names =
        commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ") && !line.ends_with(':'));
    let names: Vec<String> = names.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect();
    names.into_iter().filter(|name| name != "help").collect()
}

#[test]
fn every_shell_s_completions_know_every_subcommand_and_its_flags() {
    let (folder, commands) = (tempfile::tempdir().unwrap(), subcommands());
    assert!(commands.iter().any(|name| name == "measure") && commands.iter().any(|name| name == "run"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = finish(parallax(&folder).args(["completions", shell]));
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{shell}");
        for name in commands.iter().map(String::as_str).chain(["window-sweep", "realisations"]) {
            assert!(done.stdout.contains(name), "{shell} does not know {name}");
        }
    }
    let unknown = finish(parallax(&folder).args(["completions", "tcsh"]));
    assert_eq!(unknown.code, 2, "{unknown:?}");
}

#[test]
fn the_manual_has_a_page_for_every_subcommand() {
    let (folder, commands) = (tempfile::tempdir().unwrap(), subcommands());
    let own = finish(parallax(&folder).arg("man"));
    assert!(own.stdout.contains(".TH parallax 1"), "{own:?}");
    let done = finish(parallax(&folder).args(["man", "--out", "pages"]));
    assert_eq!(done.code, 0, "{done:?}");
    for name in &commands {
        assert!(
            own.stdout.contains(&format!("parallax\\-{}(1)", name.replace('-', "\\-"))),
            "{name} is not on the first page: {own:?}"
        );
        let page = folder.path().join(format!("pages/parallax-{name}.1"));
        let text = std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        assert!(text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"), "{name}: {text}");
    }
    assert!(folder.path().join("pages/parallax-goal-run.1").is_file(), "subcommands of subcommands have pages");
    assert!(!folder.path().join("pages/parallax-serve-threads.1").exists(), "what is hidden has none");
}

#[test]
fn a_folder_that_cannot_be_made_is_a_mistake_with_a_cure() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let done = finish(parallax(&folder).args(["man", "--out", "file"]));
    assert_eq!(done.code, 2, "{done:?}");
    insta::assert_snapshot!(said(&done, &[]));
}
