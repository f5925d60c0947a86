//! The files that Parallax writes for other programs: their heads are those of the dictionary (`docs/guide/data.md`), in both
//! directions; CSV is plain, and in JSON lines a key has one type.

mod common;

use common::command::{Done, finish, parallax};
use common::table;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tempfile::TempDir;

const PAGE: &str = include_str!("../docs/guide/data.md");

/// Names of files with their heads, as the dictionary has them.
fn documented() -> BTreeMap<&'static str, Vec<&'static str>> {
    let files = PAGE.split("\n## Files\n").nth(1).expect("files").split("\n### ").skip(1);
    let file = |section: &'static str| {
        let heads = section.split("```csv\n").nth(1)?.lines().next()?;
        Some((section.lines().next()?, heads.split(',').collect()))
    };
    files.filter_map(file).collect()
}

/// Columns with unit and type, as the dictionary has them.
fn columns() -> BTreeMap<&'static str, [&'static str; 2]> {
    let part = PAGE.split("\n## Columns\n").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("columns");
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        (cells[1].trim_matches('`'), [cells[3], cells[4]])
    };
    part.lines().filter(|line| line.starts_with("| `")).map(row).collect()
}

/// Commands, and the name that the dictionary gives to what the last words say: a file, or the command's standard output.
const COMMANDS: &[(&str, &str)] = &[
    ("measure --out measure --resume -q", ""),
    ("measure --out measure --resume -q --per-rank", ""),
    ("budget --out budget --resume -q", ""),
    ("validate --out validate --resume -q", ""),
    ("validate --out validate-mpi --resume -q", ""),
    ("audit --out audit --resume -q", ""),
    ("report run", ""),
    ("compare measure measure-mpich --out compared --format csv", "compare.csv"),
    ("guidelines measure --format csv", "guidelines.csv"),
    ("correct osu.np2.txt --machine machine.toml --format csv", "corrected.csv"),
    ("algorithms bcast --format csv", "algorithms.csv"),
    ("simulate bcast --algorithm linear --ranks 4 --format csv", "simulated.csv"),
    ("simulate bcast --algorithm linear --ranks 4 --errors E5 --format csv", "simulated-printed.csv"),
    ("goal run b.goal --format csv", "goal.csv"),
    ("goal check b.goal --format csv", "schedule.csv"),
    ("import osu.np2.txt --format csv", "imported.csv"),
    ("import pico.txt --format csv", "published.csv"),
    ("validate --from pico.txt --machine machine.toml --format csv", "published-predicted.csv"),
    ("store add run", ""),
    ("store export 1 --format csv", "samples.csv"),
    ("correct --prove bcast --world threads --benchmark mpptest --ranks 2 --bytes 1KiB --rounds 12 --out prove", ""),
    ("run calls.toml --out calls", ""),
    ("calibrate --world simulated --longest 4KiB --out simulated.toml --format csv", "calibrated.csv"),
    ("calibrate --world threads --longest 512 --launches 1 --out threads.toml", ""),
    ("probe latency --world threads --ranks 2 --bytes 1..8 --iterations 4 --skip 1 --out latency", ""),
    ("report latency", ""),
    ("probe matrix --world threads --ranks 3 --pings 5 --skip 1 --out matrix", ""),
    ("report matrix", ""),
    ("probe latency --resume --out latency --format csv", "messages.csv"),
    ("probe memory --world threads --ranks 2 --operations pairs --format csv", "memory-of-ranks.csv"),
    ("probe sync --world simulated --ranks 2 --tries 2 --format csv", "synchronisations.csv"),
    ("probe clocks --ranks 0 --clock clock_monotonic --format csv", "clocks.csv"),
    ("probe data --world threads --ranks 2 --format csv", "checks.csv"),
    ("probe solver --world simulated --ranks 2 --rows 4x4x4 --iterations 3 --format csv", "steps.csv"),
    ("noise collect --world threads --ranks 1 --time 20ms --format csv", "collected.csv"),
    ("noise prove --world threads --ranks 1 --time 100ms --grain 100us --format csv", "proved.csv"),
    (
        "noise show rank-0.detours rank-1.detours rank-2.detours --ranks 1,2,3 --out noise-page --format csv",
        "classes.csv",
    ),
    ("noise show rank-0.detours --causes --format csv", "causes.csv"),
    ("noise predict rank-0.detours rank-1.detours --grains 80us,40us*2 --ranks 1,2,64 --format csv", "grains.csv"),
    (
        "noise predict --density half-normal:sigma=10us --grains 100us --ranks 2,64 --draw 10 --format csv",
        "largest-delays.csv",
    ),
    ("noise fit rank-0.detours --grain 100us --format csv", "delays.csv"),
    ("noise show work.counts --out work-page --format csv", "counts.csv"),
    ("probe pattern neighbours --world threads --ranks 2 --large 64 --repetitions 5 --out pattern", ""),
    ("report pattern", ""),
    ("probe regions --world threads --ranks 1 --bytes 64KiB --regions 2 --repetitions 3 --out regions", ""),
    ("report regions", ""),
    ("shm predict --buffers 1,8 --ranks 4 --format csv", "shm.csv"),
    ("shm simulate --ranks 4 --format csv", "shared-simulated.csv"),
    ("shm table --format csv", "queues.csv"),
    ("shm measure --world threads --bytes 4KiB --fragment 1KiB --buffers 1,2,4 --launches 1 --out shm", ""),
    ("shm tune --world threads --bytes 4KiB --fragment 256..1KiB --buffers 1,4 --launches 1 --out tuned", ""),
    ("tune reduce --predicted --set alps-2025 --world openmpi --ranks 8 --bytes 64,64KiB --out tuning", ""),
    ("noise inject memory --bytes 1MiB --time 20ms --format csv", "injected.csv"),
    ("doctor --format csv", "findings.csv"),
    ("run sweep.toml --out sweep", ""),
    ("sweep sweep.toml -q --out rows.csv", ""),
    ("sweep bcast --algorithm linear --over bytes --ranks 8 --bytes 8..64KiB -o curves.csv", ""),
    ("sweep bcast --algorithm linear --over ranks --ranks 4,8 --bytes 8 --benchmark osu -o printed.csv", ""),
    ("sweep bcast --algorithm linear,binomial --over L,G --ranks 8 --bytes 8 -o parameters.csv", ""),
    ("sweep barrier --quantity exit-skew --ranks 4 -o skew.csv", ""),
];

/// Two kinds of rows: of a point that no benchmark looks at, and of one that fails.
const SWEEP: &str = "# What is printed?\noperation = \"bcast\"\nalgorithm = \"binomial\"\nranks = [4, 5]\n\
    bytes = 8\nsamples = 2\n\
    model = [\"hockney\", \"plogp\"]\nentry = [\"together\", \"0,1us,2us,3us\"]\nbarrier = [\"tree\", \"linear\"]\n\
    benchmark = [\"none\", \"osu\"]\n\
    [[expect]]\nsays = \"More ranks take longer\"\nquantity = \"finish\"\nof = { ranks = 5 }\nover = { ranks = 4 }\n\
    at_least = 1.0\nanswers = \"Five ranks take {found} times as long as four.\"\n";

/// A message.
const GOAL: &str = "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n";

/// A loop of two, three and four calls, on threads.
const CALLS: &str = "# How much does a loop hide?\nseed = 1\nmethods = [\"loop\", \"window\"]\ncalls = [2, 3, 4]\nsamples = 4\n\
    [emulated]\nalpha = \"1 ms\"\nbeta = \"10 ns/B\"\nsend_rule = \"busy\"\n\
    [clocks]\nlargest_offset = \"5 ms\"\nlargest_skew = \"2 ppm\"\ngranularity = \"1 ns\"\nread_cost = \"20 ns\"\n\
    [[case]]\nworld = \"threads\"\ntransport = \"emulated\"\nranks = [2]\n\
    operation = \"bcast\"\nalgorithms = [\"linear\"]\nbytes = \"8 B\"\n";

/// What a command prints. One that measures may find nothing to fit on a busy machine, and measures again then.
fn written_by(folder: &TempDir, command: &str) -> Done {
    let run = || finish(parallax(folder).args(command.split(' ')));
    // 1: numbers none of which can be corrected, or points that fail; all is written.
    let is_written = |done: &Done| matches!(done.code, 0 | 1);
    let mut done = run();
    for _ in 0..3 {
        if is_written(&done) || !done.stderr.contains("measure again") {
            break;
        }
        if let Some((_, out)) = command.split_once("--out ") {
            std::fs::remove_dir_all(folder.path().join(out)).expect("removed");
        }
        done = run();
    }
    assert!(is_written(&done), "{command}: {done:?}");
    done
}

/// A folder with the campaigns of `tests/golden/campaigns` and all that [`COMMANDS`] make of them: name in the dictionary and text.
fn written() -> (TempDir, Vec<(String, String)>) {
    let folder = tempfile::tempdir().expect("a folder");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/campaigns");
    copy(&from, folder.path());
    let published = from.join("../../../formats/tests/data/pico-summary.csv");
    std::fs::copy(published, folder.path().join("pico.txt")).expect("copied");
    std::fs::write(folder.path().join("sweep.toml"), SWEEP).expect("written");
    std::fs::write(folder.path().join("calls.toml"), CALLS).expect("written");
    std::fs::write(folder.path().join("b.goal"), GOAL).expect("written");
    let detours: String = (0..40).map(|k| format!("{}\t{}\n", 4_000_000 * k, 20_000 + 500 * k)).collect();
    for rank in 0..3 {
        let text = format!("# length_ns=200000000\n# rank={rank}\n{detours}");
        std::fs::write(folder.path().join(format!("rank-{rank}.detours")), text).expect("written");
    }
    let classes = ["preemption\tkworker/0:1\t9000", "irq\tlocal_timer\t100", "none\t-\t0"];
    let causes: String =
        detours.lines().zip(classes.into_iter().cycle()).map(|(detour, of)| format!("{detour}\t{of}\n")).collect();
    std::fs::write(folder.path().join("rank-0.causes"), format!("# length_ns=200000000\n# rank=0\n{causes}"))
        .expect("written");
    let counts: String = (0..200).map(|k| format!("{}\t{}\n", 1_000_000 * k, 900 + k * 7 % 100)).collect();
    std::fs::write(folder.path().join("work.counts"), format!("# interval_ns=1000000\n# rank=0\n{counts}"))
        .expect("written");
    let mut files = Vec::new();
    for &(command, name) in COMMANDS {
        let done = written_by(&folder, command);
        if !name.is_empty() {
            files.push((name.to_owned(), done.stdout));
        }
    }
    // With one core there are no two to look at.
    if finish(parallax(&folder).args(["probe", "lines", "--out", "lines"])).code == 0 {
        finish(parallax(&folder).args(["report", "lines"]));
    }
    collect(folder.path(), "", &mut files);
    (folder, files)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let target = to.join(entry.file_name().expect("a name"));
        if entry.is_dir() { copy(&entry, &target) } else { std::fs::copy(&entry, &target).map(drop).expect("copied") }
    }
}

/// All CSV files, by their names in the folder of results or in `pictures/` there.
fn collect(folder: &Path, above: &str, files: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        if entry.is_dir() {
            let below = if name == "pictures" { "pictures/" } else { "" };
            collect(&entry, below, files);
        } else if name.ends_with(".csv") {
            files.push((format!("{above}{name}"), std::fs::read_to_string(&entry).expect("text")));
        }
    }
}

/// Whether a file has a name in which `*` stands for anything.
fn is_named(file: &str, name: &str) -> bool {
    match name.split_once('*') {
        Some((before, after)) => file.starts_with(before) && file.ends_with(after),
        None => file == name,
    }
}

/// Whether a cell is of a type.
fn is_of(cell: &str, kind: &str) -> bool {
    match kind {
        "integer" => cell.parse::<i128>().is_ok(),
        "number" => cell.parse::<f64>().is_ok_and(f64::is_finite) && cell.trim_start_matches('-').len() <= 20,
        "true, false" => matches!(cell, "true" | "false"),
        "ISO 8601" => cell.len() == 20 && cell.as_bytes()[10] == b'T' && cell.ends_with('Z'),
        "text" => true,
        other => panic!("the dictionary knows no type '{other}'"),
    }
}

#[test]
fn every_file_and_column_is_in_the_dictionary_and_the_other_way_round() {
    let (documented, columns) = (documented(), columns());
    let (_folder, files) = written();
    let mut met = BTreeSet::new();
    for (file, text) in &files {
        // The first name that fits, without a star before with one.
        let name =
            documented.keys().rev().find(|name| **name == file).or(documented.keys().find(|name| is_named(file, name)));
        let name = *name.unwrap_or_else(|| panic!("{file} is not in the dictionary"));
        met.insert(name);
        assert!(!text.contains("\n#") && !text.starts_with('#'), "{file} has comments");
        let expected = &documented[name];
        let heads: Vec<&str> = text.lines().next().expect("heads").split(',').collect();
        match name {
            // Behind its own columns stand the numbers of the texts; over what it goes is the second one.
            "imported.csv" => assert_eq!(heads[..expected.len()], expected[..]),
            "pictures/over-*.csv" => assert_eq!((heads[0], heads[2..].to_vec()), (expected[0], expected[2..].to_vec())),
            // Coordinates that a point does not have are not there.
            "curves.csv" | "printed.csv" | "skew.csv" | "pictures/curves-*.csv" => {
                let known = |head: &&str| expected.contains(head) || columns.contains_key(*head);
                assert!(heads.iter().all(known), "{file}: {heads:?}");
            }
            _ => assert_eq!(heads, *expected, "{file}"),
        }
        for row in table::rows(text) {
            for (head, cell) in row.iter().filter(|(_, cell)| !cell.is_empty()) {
                let Some([_, kind]) = columns.get(head.as_str()) else { continue };
                assert!(is_of(cell, kind), "{file}: {head} is {cell}, and no {kind}");
            }
        }
    }
    let lines = ["lines.csv", "looks.csv", "pictures/lines.csv"];
    let missing = documented.keys().filter(|name| !met.contains(*name) && !lines.contains(name));
    assert_eq!(missing.collect::<Vec<_>>(), [] as [&&str; 0], "documented, and written by no command");
    let used: BTreeSet<&str> = documented.values().flatten().copied().collect();
    let known: BTreeSet<&str> = columns.keys().copied().collect();
    assert_eq!(used, known, "columns of files, and columns of the dictionary");
}

#[test]
fn heads_say_their_units() {
    for (head, [unit, _]) in columns() {
        for (ending, expected) in
            [("_us", "µs"), ("_ps", "ps"), ("_ns", "ns"), ("_bytes", "B"), ("_ps_per_byte", "ps/B")]
        {
            if head.ends_with(ending) {
                assert_eq!(unit, expected, "{head}");
            }
        }
        for (low, high) in [("_low_us", "_high_us"), ("_low", "_high")] {
            if let Some(name) = head.strip_suffix(low) {
                assert!(columns().contains_key(format!("{name}{high}").as_str()), "{head} has no other end");
            }
        }
    }
}

/// Every line of a campaign is an object with one key, a kind that the dictionary has.
#[test]
fn lines_of_campaigns_are_objects_of_known_kinds() {
    let part = PAGE.split("\n## campaign.jsonl\n").nth(1).expect("kinds");
    let kinds: BTreeSet<&str> = part.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let campaigns = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/campaigns");
    let mut met = BTreeSet::new();
    for folder in std::fs::read_dir(campaigns).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let Ok(text) = std::fs::read_to_string(folder.join("campaign.jsonl")) else { continue };
        for line in text.lines() {
            let line: BTreeMap<String, serde_json::Value> = serde_json::from_str(line).expect("an object");
            assert!(line.len() == 1 && line.values().all(serde_json::Value::is_object), "{line:?}");
            met.extend(line.into_keys());
        }
    }
    assert!(met.len() >= 10 && met.iter().all(|kind| kinds.contains(kind.as_str())), "{met:?} of {kinds:?}");
}

#[test]
fn a_key_has_one_type_in_all_rows_of_json_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("sweep.toml"), SWEEP).expect("written");
    let done = finish(parallax(&folder).args(["sweep", "sweep.toml", "-q", "--out", "rows.jsonl"]));
    assert_eq!(done.code, 1, "some points fail: {done:?}");
    let text = std::fs::read_to_string(folder.path().join("rows.jsonl")).expect("rows");
    let csv_heads = documented()["rows.csv"].clone();
    let mut types: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for line in text.lines() {
        let row: BTreeMap<String, serde_json::Value> = serde_json::from_str(line).expect("an object");
        assert_eq!(row.keys().map(String::as_str).collect::<BTreeSet<_>>(), csv_heads.iter().copied().collect());
        for (key, value) in row {
            let kind = match value {
                serde_json::Value::Null => continue,
                serde_json::Value::Bool(_) => "bool",
                serde_json::Value::Number(_) => "number",
                serde_json::Value::String(_) => "text",
                _ => "other",
            };
            types.entry(key).or_default().insert(kind);
        }
    }
    assert!(types.values().all(|kinds| kinds.len() == 1 && !kinds.contains("other")), "{types:?}");
    assert!(["failure", "printed_us", "alpha_ps", "L_ps"].iter().all(|key| types.contains_key(*key)), "{types:?}");
}

/// The types of all values by their paths; what is null has none.
fn types(value: &serde_json::Value, path: &str, found: &mut BTreeMap<String, BTreeSet<&'static str>>) {
    let kind = match value {
        serde_json::Value::Null => return,
        serde_json::Value::Bool(_) => "bool",
        serde_json::Value::Number(_) => "number",
        serde_json::Value::String(_) => "text",
        serde_json::Value::Array(_) => "list",
        serde_json::Value::Object(_) => "object",
    };
    found.entry(path.to_owned()).or_default().insert(kind);
    match value {
        serde_json::Value::Array(all) => all.iter().for_each(|one| types(one, &format!("{path}[]"), found)),
        serde_json::Value::Object(all) => all.iter().for_each(|(key, one)| types(one, &format!("{path}.{key}"), found)),
        _ => {}
    }
}

#[test]
fn flags_change_no_keys_type() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |command: &str| {
        let done = finish(parallax(&folder).args(command.split(' ')));
        assert_eq!(done.code, 0, "{command}: {done:?}");
        done.stdout
    };
    std::fs::write(folder.path().join("b.goal"), GOAL).expect("written");
    let call = "simulate bcast --algorithm linear --ranks 4 --bytes 8 --format json";
    let goal = "goal run b.goal --format json";
    let noise = "--noise exponential:mean=10us,rate=1kHz";
    for (command, flags) in [
        (call, vec![String::new(), " --per-rank".into(), " --calls 3".into(), format!(" {noise} --realisations 3")]),
        (goal, vec![String::new(), " --per-rank".into(), " --critical-path".into(), format!(" {noise}")]),
    ] {
        let mut found = BTreeMap::new();
        for flags in flags {
            let object = serde_json::from_str(&run(&format!("{command}{flags}"))).expect("an object");
            types(&object, "", &mut found);
        }
        let several: Vec<_> = found.iter().filter(|(_, kinds)| kinds.len() > 1).collect();
        assert!(several.is_empty(), "{command}: {several:?}");
        assert_eq!(found[".ranks"], BTreeSet::from(["list"]), "{command}");
    }
}

#[test]
fn a_report_prints_the_rows_of_its_command_and_documents() {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/campaigns"), folder.path());
    let run = |command: &str| finish(parallax(&folder).args(command.split(' ')));
    for name in ["measure", "budget", "validate", "audit"] {
        let rows = run(&format!("report {name} --format csv"));
        // A campaign that has ended prints what it found, and measures nothing.
        assert_eq!(
            rows.stdout,
            run(&format!("{name} --out {name} --resume -q --format csv")).stdout,
            "{name}: {rows:?}"
        );
        let text = run(&format!("report {name} --format markdown"));
        assert!(text.code == 0 && text.stdout.starts_with("# ") && text.stdout.contains("\n|"), "{name}: {text:?}");
    }
    let lines = |command: &str| run(command).stdout.lines().count();
    let alone = ["measure", "measure-mpich"].map(|name| lines(&format!("report {name} --format csv")) - 1);
    assert_eq!(lines("report measure measure-mpich --format csv"), 1 + alone[0] + alone[1]);
    for several in ["report measure budget --format csv", "report run --format csv"] {
        let refused = run(several);
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{several}: {refused:?}");
    }
    assert!(run("report run --format markdown").stdout.starts_with("# "));
}
