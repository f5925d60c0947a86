//! Every file of `scenarios/` in its small form: it says what it asks, expects and found, its page and the terminal answer its
//! question, with a picture of the numbers, and what it expects of simulated ranks, where nothing is left to chance, comes true. What it expects of real ranks alone is tried.

mod common;

use common::command::{finish, parallax};
use programs::method::Method;
use programs::observation::{Barrier, World};
use scenario::Scenario;
use scenario::expect::{Expect, FOUND, Judgement, Outcome, Told};
use scenario::store::Line;
use scenario::sweep::{Files, Sweep, is_sweep};
use std::path::{Path, PathBuf};
use study::comparison::Report;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    assert!(files.len() >= 13, "only {} scenarios", files.len());
    files
}

fn read_expectations(file: &Path, text: &str) -> Told {
    let name = file.display().to_string();
    if !is_sweep(text) {
        return Scenario::parse(&name, text).unwrap().told;
    }
    let none = |path: &str| Err(format!("{path}: no sweep of the project reads files"));
    let files =
        Files { traces: &|path| none(path).map(|()| Vec::new()), text: &|path| none(path).map(|()| String::new()) };
    Sweep::parse(&name, text, files).unwrap().told
}

#[test]
fn every_scenario_says_what_it_expects_and_what_was_found() {
    for file in files() {
        let text = std::fs::read_to_string(&file).unwrap();
        let (told, name) = (read_expectations(&file, &text), file.display());
        assert!(text.starts_with("# ") && text.lines().next().unwrap().ends_with('?'), "{name}: no question");
        assert!(!told.expectation.is_empty() && !told.expects.is_empty(), "{name}: nothing is expected");
        assert!(told.expects.iter().any(|expect| !expect.answers.is_empty()), "{name}: its question is not answered");
        let dated = told.found.split(['-', ' ', ',', ':']).any(|word| word.len() == 4 && word.starts_with("20"));
        assert!(dated && told.found.contains(char::is_numeric), "{name}: found says no date: {}", told.found);
    }
}

/// The small form in `out`; what the terminal says.
fn run_small(folder: &tempfile::TempDir, file: &Path) -> String {
    let done = finish(parallax(folder).arg("run").arg(file).args(["--small", "--quiet", "--out", "out"]));
    assert_eq!(done.code, 0, "{}: {done:?}", file.display());
    done.stdout
}

/// Text of a page as people read it.
fn read(html: &str) -> String {
    let marks = [("&#x27;", "'"), ("&#x2f;", "/"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    marks.iter().fold(html.to_owned(), |text, (mark, letter)| text.replace(mark, letter))
}

/// The headline says what the expectations say that answer the question and are met, to people, on page and terminal alike, and
/// the page has pictures of their numbers. `is_met` says of an expectation whether it was met, and nothing where it was not tried.
fn is_answered(file: &Path, out: &Path, terminal: &str, told: &Told, is_met: impl Fn(&Expect) -> Option<bool>) {
    let name = file.display();
    let page = read(&std::fs::read_to_string(out.join("report.html")).unwrap());
    assert!(page.contains("</html>"), "{name}");
    let answering = || told.expects.iter().filter(|expect| !expect.answers.is_empty());
    if answering().all(|expect| is_met(expect).is_none()) {
        return;
    }
    let (_, headline) = page.split_once("<p class=\"answer").unwrap_or_else(|| panic!("{name}: no answer"));
    let headline = headline.split_once('>').unwrap().1.split_once("</p>").unwrap().0;
    for expect in answering().filter(|expect| is_met(expect).is_some()) {
        let says: Vec<&str> = if is_met(expect) == Some(true) {
            expect.answers.split(FOUND).collect()
        } else {
            vec!["Expected was: ", &expect.says]
        };
        assert!(says.iter().all(|part| headline.contains(part)), "{name}: {says:?} is not in {headline}");
        let words = expect.quantity.words();
        let of_it = page.split("<figcaption>").skip(1).filter(|caption| caption.contains("the numbers of the answer"));
        assert!(
            of_it.clone().any(|caption| caption.to_lowercase().starts_with(words)),
            "{name}: no picture of {words}"
        );
    }
    let machine = |word: &str| word.contains('=') || word.contains(['{', '}', '_']) && word != "osu_bcast";
    assert!(!headline.contains("wanted") && !headline.split_whitespace().any(machine), "{name}: {headline}");
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(one_line(terminal).contains(&one_line(headline)), "{name}: {headline} is not in {terminal}");
    let numbers = std::fs::read_to_string(out.join("pictures/answer-1.csv")).unwrap();
    let values = numbers.lines().skip(1).map(|line| line.rsplit(',').find_map(|cell| cell.parse::<f64>().ok()));
    assert!(numbers.lines().count() > 1 && values.clone().all(|value| value.is_some()), "{name}: {numbers}");
    assert!(std::fs::read_to_string(out.join("pictures/answer-1.svg")).unwrap().contains("<circle"), "{name}");
}

/// What is told of the small form.
fn small(file: &Path) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let terminal = run_small(&folder, file);
    let out = folder.path().join("out");
    let lines = scenario::store::read(out.join("campaign.jsonl")).unwrap().lines;
    let report = study::compare::compare(&lines).unwrap();
    let told = read_expectations(file, &std::fs::read_to_string(file).unwrap());
    is_answered(file, &out, &terminal, &told, |expect| {
        let judged = report.judgements.iter().filter(|one| one.says == expect.says && one.answers == expect.answers);
        let mut tried = judged.filter(|one| one.outcome != Outcome::Untried).peekable();
        tried.peek().is_some().then(|| tried.all(|one| one.outcome == Outcome::Met))
    });
    report
}

#[test]
fn what_scenarios_expect_of_simulated_ranks_comes_true() {
    let all = files();
    let scenarios = all.iter().filter(|file| !is_sweep(&std::fs::read_to_string(file).unwrap()));
    for file in scenarios {
        let name = file.display();
        if !has_simulated_ranks(file) {
            continue;
        }
        let judgements: Vec<Judgement> =
            small(file).judgements.into_iter().filter(|judgement| judgement.world == "simulated").collect();
        assert!(!judgements.is_empty(), "{name}: nothing was tried on simulated ranks");
        for judgement in judgements {
            assert_eq!(judgement.outcome, Outcome::Met, "{name}: {judgement:#?}");
        }
    }
}

/// Whether a scenario, which is no sweep, has cases of simulated ranks.
fn has_simulated_ranks(file: &Path) -> bool {
    let scenario = Scenario::parse("x.toml", &std::fs::read_to_string(file).unwrap()).unwrap();
    scenario.groups.iter().any(|group| group.world == World::Simulated)
}

/// What real ranks take is left to chance: that it was tried, and has an outcome, is not.
#[test]
fn scenarios_of_real_ranks_alone_try_all_that_they_expect_on_threads() {
    let all = files();
    let real =
        all.iter().filter(|file| !is_sweep(&std::fs::read_to_string(file).unwrap()) && !has_simulated_ranks(file));
    let real: Vec<&PathBuf> = real.collect();
    assert_eq!(real.len(), 3, "figures 5, 7 and 9: {real:?}");
    for file in real {
        let report = small(file);
        let name = file.display();
        assert_eq!(
            report.judgements.len(),
            read_expectations(file, &std::fs::read_to_string(file).unwrap()).expects.len(),
            "{name}"
        );
        // Where cores are busy, not every case has a valid window: then it is told so.
        let is_busy = report.left_out.iter().any(|left| left.contains("no valid window"));
        for judgement in &report.judgements {
            let is_tried = judgement.outcome != Outcome::Untried && judgement.range.is_some();
            assert!(is_busy || is_tried && judgement.world == "threads", "{name}: {judgement:#?}");
        }
        let rows = report.subjects.iter().flat_map(|subject| &subject.methods).flat_map(|method| &method.rows);
        assert!(rows.count() > 0 || is_busy, "{name}: nothing was measured");
        assert!(report.subjects.iter().all(|subject| subject.unpredicted().is_some()), "{name}: queues alone");
    }
}

#[test]
fn what_sweeps_expect_comes_true_and_answers_their_question() {
    for file in files() {
        let text = std::fs::read_to_string(&file).unwrap();
        if !is_sweep(&text) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let terminal = run_small(&folder, &file);
        let (_, judged) = terminal.split_once("\nExpectations\n").expect("expectations are told");
        let met = judged.lines().filter(|line| line.starts_with("  ✓ met  ")).count();
        let told = read_expectations(&file, &text);
        assert_eq!(met, told.expects.len(), "{}: {judged}", file.display());
        is_answered(&file, &folder.path().join("out"), &terminal, &told, |_| Some(true));
    }
}

const BEHIND_BARRIERS: &str = r#"# What does OSU print behind which barrier?
methods = ["window", "barrier-loop"]
calls = 3
samples = 10
barrier = ["tree", "openmpi-4.1"]

[simulated]
model = "loggp"
parameters = "L=2us,o=200ns"

[[case]]
world = "simulated"
ranks = [8]
operation = "bcast"
algorithms = ["openmpi-4.1"]
bytes = ["8 B", "1 KiB"]
root = [0, 3]
"#;

/// The judgements of a scenario that expects anything of these numbers, in the order of `of`.
fn judged(folder: &tempfile::TempDir, text: &str, of: &[String]) -> Vec<Judgement> {
    let expects = of.iter().map(|of| format!("\n[[expect]]\nsays = \"so\"\n{of}\nat_least = 0.0\n"));
    std::fs::write(folder.path().join("x.toml"), format!("{text}{}", expects.collect::<String>())).unwrap();
    let done = finish(parallax(folder).args(["run", "x.toml", "--quiet", "--out", "out"]));
    assert_eq!(done.code, 0, "{done:?}");
    let lines = scenario::store::read(folder.path().join("out/campaign.jsonl")).unwrap().lines;
    study::compare::compare(&lines).unwrap().judgements
}

/// What `parallax simulate` says in a column of OSU's: the number, and over the reference.
fn simulated_osu(column: usize, barrier: &str, (algorithm, bytes, root): (&str, u32, u32)) -> (f64, f64) {
    let folder = tempfile::tempdir().unwrap();
    let call = format!("simulate bcast --algorithm {algorithm} --ranks 8 --bytes {bytes} --root {root}");
    let method =
        format!("--calls 3 --model loggp --set L=2us,o=200ns --benchmark osu --barrier {barrier} --format json");
    let done = finish(parallax(&folder).args(call.split(' ')).args(method.split(' ')));
    let json: serde_json::Value = serde_json::from_str(&done.stdout).unwrap_or_else(|_| panic!("{done:?}"));
    let column = &json["rows"][column];
    (column["printed_us"].as_f64().unwrap(), column["ratio"].as_f64().unwrap())
}

#[test]
fn what_a_benchmark_prints_of_a_scenario_is_what_simulate_prints() {
    // What Open MPI's table takes for 8 ranks.
    let called = [("binary", 8, 0), ("k-nomial", 1024, 3)];
    let barriers = [("tree", "tree"), ("openmpi-4.1", "recursive-doubling")];
    let (mut of, mut exact) = (Vec::new(), Vec::new());
    for (algorithm, bytes, root) in called {
        for (barrier, ours) in barriers {
            for (column, benchmark) in ["osu", "osu:min", "osu:max"].into_iter().enumerate() {
                let at =
                    format!("benchmark = \"{benchmark}\", barrier = \"{barrier}\", bytes = {bytes}, root = {root}");
                of.extend(["printed", "misreport"].map(|what| format!("quantity = \"{what}\"\nof = {{ {at} }}")));
                let (printed, misreport) = simulated_osu(column, ours, (algorithm, bytes, root));
                exact.extend([printed, misreport]);
            }
        }
    }
    let judgements = judged(&tempfile::tempdir().unwrap(), BEHIND_BARRIERS, &of);
    for ((judgement, exact), of) in judgements.iter().zip(exact).zip(&of) {
        assert_eq!((judgement.numbers, judgement.range), (1, Some((exact, exact))), "{of}");
    }
    assert_eq!(judgements.len(), of.len());
}

#[test]
fn real_ranks_are_measured_behind_every_barrier_and_by_windows_once() {
    let start = BEHIND_BARRIERS.find("[simulated]").unwrap();
    let text = BEHIND_BARRIERS[..start].replace("samples = 10", "samples = 2")
        + "[window]\nstop = { counts = { starts = 4, valid = 2 } }\n[emulated]\nalpha = \"50 us\"\nbeta = \"1 ns/B\"\nsend_rule = \"busy\"\n\
           [[case]]\nworld = \"threads\"\ntransport = \"emulated\"\nranks = [3]\noperation = \"bcast\"\nalgorithms = [\"linear\"]\nbytes = \"8 B\"\n";
    let of = ["osu", "imb:t_max"].map(|name| format!("quantity = \"printed\"\nof = {{ benchmark = \"{name}\" }}"));
    let folder = tempfile::tempdir().unwrap();
    let judgements = judged(&folder, &text, &of);
    let numbers: Vec<usize> = judgements.iter().map(|judgement| judgement.numbers).collect();
    assert_eq!(numbers, [2, 2], "{judgements:#?}");
    let lines = scenario::store::read(folder.path().join("out/campaign.jsonl")).unwrap().lines;
    let measured = lines.iter().filter_map(|line| match line {
        Line::Measured(observation) => {
            Some((observation.case.timing.method, observation.case.timing.conditions.barrier))
        }
        _ => None,
    });
    let mut measured: Vec<_> = measured.filter(|(method, _)| *method != Method::LoopTrace).collect();
    measured.sort_unstable();
    let behind = |name: &str| (Method::BarrierLoop, Some(Barrier::find(name).unwrap()));
    assert_eq!(measured, [behind("tree"), behind("openmpi-4.1"), (Method::Window, None)]);
}

/// An expectation that is wrong is told as such: the check is no formality.
#[test]
fn an_expectation_that_is_wrong_is_not_met() {
    let folder = tempfile::tempdir().unwrap();
    let text = "# Is it wrong?\nmethods = [\"loop\"]\ncalls = 4\nsamples = 2\n[simulated]\nmodel = \"hockney\"\n\
                [[case]]\nworld = \"simulated\"\nranks = [4]\noperation = \"bcast\"\nalgorithms = [\"linear\"]\nbytes = \"1 B\"\n\
                [[expect]]\nsays = \"Rank 1 is told right\"\nquantity = \"ratio\"\nof = { rank = 1 }\nwithin = [0.9, 1.1]\n\
                [[expect]]\nsays = \"Rank 9 is told right\"\nquantity = \"ratio\"\nof = { rank = 9 }\nwithin = [0.9, 1.1]\n";
    std::fs::write(folder.path().join("wrong.toml"), text).unwrap();
    let done = finish(parallax(&folder).args(["run", "wrong.toml", "--quiet"]));
    assert_eq!(done.code, 0, "a wrong expectation is a finding, no failure: {done:?}");
    assert!(done.stdout.contains("Rank 1 is told right: 2.500"), "{}", done.stdout);
    let judged: Vec<&str> =
        done.stdout.lines().filter(|line| line.contains("Rank ") || line.contains("xpectation")).collect();
    insta::assert_snapshot!(judged.join("\n"));
}
