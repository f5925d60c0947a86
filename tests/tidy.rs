//! What ARCHITECTURE.md says of the tree is so: places, who uses whom, layers inside `models` and `programs`, rows of "To add"; and
//! files and functions are short, and public numbers of time have units in their names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const LONGEST_FILE: usize = 400;
const LONGEST_FUNCTION: usize = 60;
const MOST_ROWS: usize = 20;
/// The crates of the map that use each other.
const CRATES: [&str; 24] = [
    "models",
    "programs",
    "scenario",
    "sim",
    "goal",
    "statistics",
    "measure",
    "ranks",
    "shim",
    "questions",
    "lessons",
    "fit",
    "published",
    "render",
    "calibration",
    "noise",
    "formats",
    "probes",
    "study",
    "reports",
    "campaign",
    "analysis",
    "netlab",
    "examples",
];
const LONGEST_LINE_OF_THE_MAP: usize = 120;
/// Crates whose results are typed tables.
const WITHOUT_JSON: [&str; 4] = ["study", "calibration", "noise", "probes"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The rows of the table below a heading, each with its cells.
fn table(heading: &str) -> Vec<Vec<String>> {
    let text = read("ARCHITECTURE.md");
    let section = text.split(&format!("\n## {heading}\n")).nth(1).expect("the heading").split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// What stands between back quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Source files that git keeps.
fn sources() -> Vec<PathBuf> {
    let listed = Command::new("git").args(["ls-files", "*.rs"]).current_dir(root()).output().expect("git");
    let names = String::from_utf8(listed.stdout).expect("names");
    names.lines().map(|name| root().join(name)).filter(|path| path.is_file()).collect()
}

fn is_test(path: &Path) -> bool {
    let names: Vec<_> = path.strip_prefix(root()).unwrap().iter().map(|name| name.to_string_lossy()).collect();
    names.iter().any(|name| name.starts_with("tests") || name.contains("_tests") || name.starts_with("fixture"))
}

/// The code of a file before its tests.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned()
}

#[test]
fn every_place_of_the_map_is_there_and_every_crate_is_on_it() {
    let rows = table("Map");
    let places: BTreeSet<&str> = rows.iter().flat_map(|row| quoted(&row[0])).collect();
    for place in &places {
        assert!(root().join(place).exists(), "ARCHITECTURE.md: {place} is not there");
    }
    for name in CRATES {
        assert!(places.contains(format!("{name}/").as_str()), "ARCHITECTURE.md: {name}/ has no row");
    }
    let members = read("Cargo.toml");
    let members = members.lines().find(|line| line.starts_with("members")).expect("members");
    assert_eq!(members.matches('"').count() / 2, CRATES.len(), "{members}");
}

#[test]
fn lines_of_the_map_are_short() {
    let text = read("ARCHITECTURE.md");
    let map = text.split("\n## Map\n").nth(1).expect("the map").split("\n## ").next().unwrap();
    for line in map.lines().filter(|line| line.starts_with('|')) {
        let length = line.chars().count();
        assert!(length <= LONGEST_LINE_OF_THE_MAP, "ARCHITECTURE.md: {length} characters: {line}");
    }
}

/// Names that stand for several crates in the map, each with its crates.
fn groups() -> Vec<Vec<String>> {
    let text = read("ARCHITECTURE.md");
    let line = text.lines().find(|line| line.contains("` stands for `")).expect("the line of groups");
    let sentence = line.split('.').next().unwrap();
    sentence.split(';').map(|group| quoted(group).map(str::to_owned).collect()).collect()
}

/// The crates that a cell of the map names: one by one, by groups, or as all others.
fn named(cell: &str, own: &str) -> BTreeSet<String> {
    let names: Vec<String> = quoted(cell).map(str::to_owned).collect();
    if cell.starts_with("all but ") {
        let is_other = |name: &String| name != own && !names.contains(name);
        return CRATES.map(str::to_owned).into_iter().filter(is_other).collect();
    }
    let groups = groups();
    let members =
        |name: String| groups.iter().find(|group| group[0] == name).map_or(vec![name], |group| group[1..].to_vec());
    names.into_iter().flat_map(members).collect()
}

#[test]
fn crates_use_no_other_than_the_map_lets_them() {
    let mut checked = 0;
    for row in table("Map") {
        let folder = quoted(&row[0]).next().unwrap().trim_end_matches('/');
        let manifest = match folder {
            "src" => read("Cargo.toml"),
            name if CRATES.contains(&name) => read(&format!("{name}/Cargo.toml")),
            _ => continue,
        };
        let may = named(&row[2], folder);
        let own = manifest.split("\n[dependencies]").nth(1).unwrap_or_default().split("\n[").next().unwrap();
        let names = own.lines().filter_map(|line| line.split(['.', ' ']).next());
        let names = names.map(|name| name.strip_prefix("parallax-").unwrap_or(name));
        let uses: BTreeSet<String> = names.filter(|name| CRATES.contains(name)).map(str::to_owned).collect();
        assert_eq!(uses, may, "{folder}: its Cargo.toml and the map");
        checked += 1;
    }
    assert_eq!(checked, CRATES.len() + 1);
}

/// The modules of a crate from the lowest layer up, as "Layers" has them.
fn layers(name: &str) -> Vec<BTreeSet<String>> {
    let text = read("ARCHITECTURE.md");
    let head = format!("Layers of `{name}/`");
    let line = text.lines().find_map(|line| line.strip_prefix(head.as_str())).expect("the line of layers");
    line.split('→').map(|layer| quoted(layer).map(str::to_owned).collect()).collect()
}

#[test]
fn modules_use_their_own_layer_and_those_below() {
    for name in ["models", "programs"] {
        let layers = layers(name);
        let layer_of = |module: &str| layers.iter().position(|layer| layer.contains(module));
        let modules = read(&format!("{name}/src/lib.rs"));
        for module in modules.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')) {
            assert!(layer_of(module).is_some(), "ARCHITECTURE.md: the layers of {name} lack `{module}`");
        }
        let inside = root().join(name).join("src");
        for path in sources().iter().filter(|path| path.starts_with(&inside) && !is_test(path)) {
            let first = path.strip_prefix(&inside).unwrap().iter().next().unwrap().to_string_lossy().into_owned();
            let module = first.trim_end_matches(".rs");
            let Some(own) = layer_of(module) else { continue };
            for line in code(path).lines().filter(|line| !line.trim_start().starts_with("//")) {
                for used in used_modules(line) {
                    let above = layer_of(used).is_some_and(|layer| layer > own);
                    assert!(!above, "{}: {module} uses {used} of a higher layer: {line}", path.display());
                }
            }
        }
    }
}

/// The modules of its own crate that a line names.
fn used_modules(line: &str) -> impl Iterator<Item = &str> {
    line.split("crate::").skip(1).filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
}

#[test]
fn analyses_build_tables_and_no_json() {
    let mut found = Vec::new();
    for name in WITHOUT_JSON {
        let inside = root().join(name).join("src");
        assert!(inside.is_dir(), "{name}");
        for path in sources().iter().filter(|path| path.starts_with(&inside) && !is_test(path)) {
            let code = code(path);
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            found.extend(lines.filter(|line| line.contains("json!")).map(|line| format!("{}: {line}", path.display())));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_file_that_an_addition_touches_is_there() {
    let rows = table("To add");
    assert!(rows.len() <= MOST_ROWS, "{} rows", rows.len());
    let is_path = |text: &str| text.contains('/') && !text.contains("::");
    let paths: Vec<String> = rows
        .iter()
        .flat_map(|row| row[1..].iter().flat_map(|cell| quoted(cell)))
        .filter(|text| is_path(text))
        .map(str::to_owned)
        .collect();
    assert!(paths.len() > 50, "{paths:?}");
    for path in paths {
        // Of a file that is new its folder is there.
        let there = if path.contains('<') { path.rsplit_once('/').unwrap().0 } else { &path };
        assert!(root().join(there).exists(), "ARCHITECTURE.md, To add: {path} is not there");
    }
    // A kind that the table says how to add is there at least once.
    for (folder, like) in [
        ("models/src/collective/decision", "openmpi_4_1.rs"),
        ("models/src/forced", "mpich.rs"),
        ("programs/src/sync", "linear.rs"),
        ("models/src/network", "loggp.rs"),
        ("measure/src/clock", "counter.rs"),
        ("campaign/src/batch", "slurm.rs"),
    ] {
        assert!(root().join(folder).join(like).is_file(), "{folder}/{like}");
    }
}

#[test]
fn files_and_functions_are_short() {
    let mut found = Vec::new();
    for path in sources() {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        if lines.len() > LONGEST_FILE {
            found.push(format!("{}: {} lines", path.display(), lines.len()));
        }
        if is_test(&path) {
            continue;
        }
        for (first, line) in lines.iter().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let head = line.trim_start().split('(').next().unwrap_or_default();
            let is_named = head.split_whitespace().skip_while(|word| *word != "fn").nth(1).is_some();
            if line.trim_start().starts_with("//") || !is_named {
                continue;
            }
            let end = format!("{}}}", " ".repeat(indent));
            // A declaration without a body ends before the next item.
            let body = lines[first..]
                .iter()
                .position(|line| *line == end || line.ends_with(';') && line.len() - line.trim_start().len() == indent);
            let last = body.filter(|last| last + 1 > LONGEST_FUNCTION && lines[first + last] == end);
            found.extend(last.map(|last| format!("{} line {}: {} lines", path.display(), first + 1, last + 1)));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn numbers_of_time_have_units_in_their_names() {
    let timed = ["latency", "time", "duration", "gap", "overhead", "skew", "delay"];
    let mut found = Vec::new();
    for path in sources().iter().filter(|path| !is_test(path)) {
        for line in code(path).lines().filter_map(|line| line.trim().strip_prefix("pub ")) {
            let Some((name, kind)) = line.split_once(": ") else { continue };
            let is_number = matches!(kind.trim_end_matches(','), "f64" | "u64" | "i64" | "Option<f64>" | "Vec<f64>");
            let last = name.rsplit('_').next().unwrap_or_default();
            if is_number && timed.contains(&last) {
                found.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "no unit in the name: {found:#?}");
}
