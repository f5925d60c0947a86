//! README and the guide (docs/guide): their commands do what they say, their links lead somewhere, and README stays short.

mod common;

use common::command::{Done, finish, parallax};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// README has at most so many lines.
const README_LINES: usize = 150;
/// Of at most so many characters.
const README_COLUMNS: usize = 140;
/// A picture of the guide has at most so many bytes, if it is an SVG.
const PICTURE_BYTES: u64 = 60_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A page by its path from the root, and its text.
struct Page {
    path: PathBuf,
    text: String,
}

/// README and all pages of the guide.
fn pages() -> Vec<Page> {
    let guide = std::fs::read_dir(root().join("docs/guide")).unwrap();
    let mut paths: Vec<PathBuf> =
        guide.map(|entry| PathBuf::from("docs/guide").join(entry.unwrap().file_name())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.insert(0, PathBuf::from("README.md"));
    let page = |path: PathBuf| Page { text: std::fs::read_to_string(root().join(&path)).unwrap(), path };
    paths.into_iter().map(page).collect()
}

/// A fenced block: the words behind its fence, and its lines.
struct Block<'a> {
    info: &'a str,
    lines: Vec<&'a str>,
}

impl Page {
    fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for line in self.text.lines() {
            match (line.trim_start().strip_prefix("```"), open.as_mut()) {
                (Some(info), None) => open = Some(Block { info, lines: Vec::new() }),
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (None, Some(block)) => block.lines.push(line),
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a block is not closed", self.path.display());
        blocks
    }

    /// The lines outside of fenced blocks.
    fn prose(&self) -> Vec<&str> {
        let mut inside = false;
        let outside = |line: &&str| {
            let fence = line.trim_start().starts_with("```");
            inside ^= fence;
            !inside && !fence
        };
        self.text.lines().filter(outside).collect()
    }

    /// What `#anchor` may name: headings as GitHub and mdBook spell them.
    fn anchors(&self) -> BTreeSet<String> {
        let heading = |line: &&str| line.starts_with('#');
        self.prose().into_iter().filter(heading).map(|line| anchor(line.trim_start_matches('#').trim())).collect()
    }

    /// The targets of links and pictures.
    fn targets(&self) -> Vec<String> {
        let prose = self.prose().join("\n");
        let after = prose.split("](").skip(1);
        after.map(|rest| rest.split(')').next().unwrap().to_owned()).collect()
    }
}

/// Lower case; letters, digits, - and _ stay, spaces become -, everything else goes.
fn anchor(heading: &str) -> String {
    let letter = |one: char| match one {
        ' ' => Some('-'),
        '-' | '_' => Some(one),
        _ => one.is_alphanumeric().then_some(one),
    };
    heading.to_lowercase().chars().filter_map(letter).collect()
}

/// A state that either side of a comparison met, where they have none in common.
fn states(answer: &str) -> Option<[&str; 2]> {
    let (_, met) = answer.split_once("(a cache line between neighbours takes, A: ")?;
    let (before, after) = met.split_once(')')?.0.split_once("; B: ")?;
    Some([before, after].map(|met| met.split(", ").next().expect("at least one")))
}

/// Runs one command line of a page.
fn run(folder: &TempDir, arguments: &str) -> Done {
    let once = |arguments: &str| finish(parallax(folder).args(arguments.split_whitespace()));
    let mut done = once(arguments);
    // Ranks that were kept from their cores in every window have no time, and the answer says what helps.
    for _ in 0..3 {
        if done.stderr.contains("measure again") {
            done = once(arguments);
        }
    }
    // Ranks that other programs keep from running begin so late that no launch fits: what the answer asks for then works.
    if let (true, Some((_, out))) = (done.stderr.contains("or a longer --time"), arguments.split_once("--out ")) {
        std::fs::remove_dir_all(folder.path().join(out)).expect("removed");
        done = once(&arguments.replace("--time 3s", "--time 15s"));
    }
    // Two campaigns may have met cores in states of which none is the other's; what the answer says then works.
    match states(&done.stderr) {
        Some([before, after]) if arguments == "compare before after" => {
            let sides = [format!("before,state={before}"), format!("after,state={after}")];
            finish(parallax(folder).arg("compare").args(sides))
        }
        Some(_) | None => done,
    }
}

/// Files are saved as a page says (a block's name follows its language), and all of its ```sh blocks are run, in one folder.
fn follow(page: &Page) -> (TempDir, Vec<(String, Done)>) {
    let folder = tempfile::tempdir().unwrap();
    let mut ran = Vec::new();
    for block in page.blocks() {
        let named = ["toml ", "text "].into_iter().find_map(|language| block.info.strip_prefix(language));
        if let Some(name) = named {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, block.lines.join("\n")).unwrap();
        }
        for line in block.lines.iter().filter(|_| block.info == "sh") {
            let Some(arguments) = line.split('#').next().unwrap().trim().strip_prefix("parallax ") else { continue };
            let done = run(&folder, arguments);
            assert_eq!(done.code, 0, "{}: parallax {arguments}: {done:?}", page.path.display());
            ran.push((arguments.to_owned(), done));
        }
    }
    (folder, ran)
}

#[test]
fn every_command_of_readme_and_guide_works_as_written() {
    let mut ran = 0;
    for page in pages() {
        let (folder, done) = follow(&page);
        ran += done.len();
        if page.path.ends_with("start.md") {
            for file in ["report.html", "campaign.jsonl", "summary.txt", "machine-threads-emulated-6.toml"] {
                assert!(folder.path().join("results/mend-001").join(file).is_file(), "{file}");
            }
        }
        if page.path.ends_with("lecturing.md") {
            for (command, done) in done {
                assert!(!done.stdout.contains('✗'), "the answer of an exercise: {command}: {done:?}");
            }
        }
    }
    assert!(ran >= 30, "only {ran} commands were found");
}

/// Commands of README's table that a test does not run, each with the reason.
const NOT_RUN: [(&str, &str); 8] = [
    ("audit osu,imb", "the benchmarks must be installed"),
    ("budget", "tests/budget.rs runs it"),
    ("calibrate --from FILE", "the file is the reader's"),
    ("calibrate --quick", "tests/calibrate.rs runs it"),
    ("validate", "tests/validate runs it"),
    ("lesson", "it serves until it is interrupted"),
    ("noise collect", "noise is recorded in tests of its own"),
    ("run loop-error", "scripts/demo runs it"),
];

#[test]
fn the_commands_of_readmes_table_work_in_their_order_in_a_fresh_folder() {
    let readme = &pages()[0];
    let folder = tempfile::tempdir().unwrap();
    let cells = readme.text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | `parallax ").nth(1));
    let commands: Vec<&str> = cells.map(|rest| rest.split('`').next().unwrap()).collect();
    assert!(commands.len() >= 18, "{commands:?}");
    for (left_out, _) in NOT_RUN {
        assert!(commands.iter().any(|command| command.starts_with(left_out)), "{left_out}: drop it here");
    }
    for command in commands.into_iter().filter(|command| !NOT_RUN.iter().any(|(out, _)| command.starts_with(out))) {
        let (arguments, file) = command.split_once(" > ").map_or((command, None), |(left, file)| (left, Some(file)));
        // One launch says whether it works; six are for intervals.
        let launches = if arguments.starts_with("measure") { " --launches 1" } else { "" };
        let done = run(&folder, &format!("{arguments}{launches}"));
        // The host of the test is not the one that the machine file describes: its numbers may be none of that host's.
        let is_of_another_host =
            arguments.starts_with("correct") && done.stdout.contains("not corrected: less than half");
        assert_eq!(done.code, i32::from(is_of_another_host), "parallax {command}: {done:?}");
        if let Some(file) = file {
            std::fs::write(folder.path().join(file), &done.stdout).unwrap();
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    let mut broken = Vec::new();
    for page in &pages {
        for target in page.targets().iter().filter(|target| !target.starts_with("http")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = page.path.parent().unwrap();
            let path = if file.is_empty() { page.path.clone() } else { folder.join(file) };
            let there = std::fs::canonicalize(root().join(&path));
            let known = |path: &PathBuf| {
                let other = pages
                    .iter()
                    .find(|other| std::fs::canonicalize(root().join(&other.path)).ok().as_ref() == Some(path));
                other.is_some_and(|other| other.anchors().contains(anchor))
            };
            if !there.is_ok_and(|path| anchor.is_empty() || known(&path)) {
                broken.push(format!("{}: {target}", page.path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn readme_is_short_and_names_what_a_stranger_needs() {
    let readme = &pages()[0];
    let lines: Vec<&str> = readme.text.lines().collect();
    assert!(lines.len() <= README_LINES, "README.md has {} lines; expected at most {README_LINES}", lines.len());
    for (index, line) in lines.iter().enumerate() {
        let columns = line.chars().count();
        assert!(columns <= README_COLUMNS, "README.md line {}: {columns} characters", index + 1);
    }
    for name in
        ["scripts/demo", "scripts/setup", "scripts/build", "scripts/test", "scripts/fuzz", "packaging/Dockerfile"]
    {
        assert!(readme.text.contains(name), "README.md no longer names {name}: drop it here");
        assert!(root().join(name).exists(), "{name}");
    }
}

#[test]
fn pictures_of_the_guide_are_small() {
    for entry in std::fs::read_dir(root().join("docs/guide/pictures")).unwrap() {
        let entry = entry.unwrap();
        let bytes = entry.metadata().unwrap().len();
        let is_svg = entry.path().extension().is_some_and(|extension| extension == "svg");
        assert!(!is_svg || bytes <= PICTURE_BYTES, "{}: {bytes} bytes", entry.path().display());
    }
}

#[test]
fn headings_become_anchors() {
    assert_eq!(anchor("E1 late initialisation"), "e1-late-initialisation");
    assert_eq!(anchor("Not supported, or not tried"), "not-supported-or-not-tried");
}
