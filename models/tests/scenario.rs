//! Scenario files: what is read, and how each mistake is answered.

use models::method::{Method, StopRule};
use models::network::SendRule;
use models::observation::{Carrier, Implementation, World};
use models::scenario::Scenario;
use models::sweep::{Files, Sweep};
use models::time::{PerByte, Span};
use proptest::prelude::*;

const GOOD: &str = r#"# Does it read?
seed = 7
methods = ["loop", "window"]
repetitions = 4
blocks = 5
barrier = "linear"

[window]
cap = "20 ms"
stop = { precision = { relative_error = 0.05, valid = 10 } }

[emulated]
alpha = "1 ms"
beta = "10 ns/B"
send_rule = "busy"

[clocks]
largest_skew = "2 ppm"

[[case]]
world = "threads"
network = "emulated"
ranks = [4, 8]
collective = "bcast"
algorithms = ["linear", "binomial"]
bytes = "1 KiB"

[[case]]
world = "openmpi"
network = "native"
ranks = [2]
collective = "bcast"
algorithms = ["library"]
bytes = "8 B"
"#;

/// The message for the good scenario with one line replaced.
fn complaint(old: &str, new: &str) -> String {
    assert!(GOOD.contains(old), "the good scenario has no {old:?}");
    let text = GOOD.replacen(old, new, 1);
    Scenario::parse("scenarios/x.toml", &text).expect_err("this is wrong").to_string()
}

#[test]
fn a_good_scenario_is_read_whole() {
    let scenario = Scenario::parse("scenarios/reads.toml", GOOD).unwrap();
    assert_eq!((scenario.question.as_str(), scenario.name.as_str()), ("Does it read?", "reads"));
    assert_eq!(scenario.methods, [Method::Loop, Method::Window]);
    assert_eq!((scenario.seed, scenario.repetitions, scenario.blocks, scenario.warmup), (7, 4, 5, 2));
    assert_eq!(scenario.barrier, Implementation::Own("linear".to_owned()));
    assert_eq!(scenario.window.cap, Span::from_ms(20));
    assert_eq!(scenario.window.stop, StopRule::Precision { relative_error: 0.05, valid: 10 });
    assert_eq!(scenario.window.stage_starts, 8, "what is not said keeps its default");
    assert_eq!(scenario.emulated.alpha, Span::from_ms(1));
    assert_eq!((scenario.emulated.beta, scenario.emulated.send_rule), (PerByte(10_000.0), SendRule::Busy));
    assert_eq!(scenario.clocks.largest_skew_ppm, 2.0);
    let groups: Vec<_> = scenario.groups.iter().map(|g| (g.world, g.carrier, g.ranks, g.cases.len())).collect();
    let each = 2 + 1; // two methods and the trace
    assert_eq!(
        groups,
        [
            (World::Threads, Carrier::Emulated, 4, 2 * each),
            (World::Threads, Carrier::Emulated, 8, 2 * each),
            (World::Openmpi, Carrier::Native, 2, each),
        ]
    );
    assert_eq!(scenario.groups[2].cases[0].implementation, Implementation::Library);
}

#[test]
fn the_scenarios_of_the_project_are_good() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        if path.file_name().unwrap().to_string_lossy().starts_with("sweep-") {
            let files = Files { traces: &|path| Err(path.to_owned()), text: &|path| Err(path.to_owned()) };
            let sweep =
                Sweep::parse(&path.display().to_string(), &text, files).unwrap_or_else(|error| panic!("{error}"));
            assert!(sweep.question.ends_with('?'), "{}: the first line is the question it asks", path.display());
            continue;
        }
        let scenario = Scenario::parse(&path.display().to_string(), &text).unwrap_or_else(|error| panic!("{error}"));
        assert!(scenario.question.ends_with('?'), "{}: the first line is the question it asks", path.display());
    }
}

#[test]
fn every_mistake_is_answered_with_file_line_key_and_what_was_expected() {
    let cases = [
        ("repetitions = 4", "repetitons = 4", 4, "'repetitons'", "unknown field `repetitons`, expected one of"),
        ("repetitions = 4", "repetitions = 0", 4, "'repetitions'", "expected 1 to 1000000, found 0"),
        ("repetitions = 4", "repetitions = \"four\"", 4, "'repetitions'", "expected u32"),
        (
            "[\"loop\", \"window\"]",
            "[\"loop\", \"windows\"]",
            3,
            "'methods'",
            "unknown method 'windows'; known: loop, barrier-loop, window",
        ),
        ("[\"loop\", \"window\"]", "[]", 3, "'methods'", "expected at least one method"),
        (
            "barrier = \"linear\"",
            "barrier = \"tree\"",
            6,
            "'barrier'",
            "unknown algorithm 'tree'; known for barrier: linear, dissemination",
        ),
        ("alpha = \"1 ms\"", "alpha = 1", 13, "'alpha'", "expected a duration of 0 to 1000 s with its unit"),
        ("alpha = \"1 ms\"", "alpha = \"1 mB\"", 13, "'alpha'", "like \"2.5 us\", found \"1 mB\""),
        ("alpha = \"1 ms\"", "alpha = \"1 us\"", 13, "'alpha'", "expected 50 us to 1 s, found 1.00 µs"),
        ("beta = \"10 ns/B\"", "beta = \"10 ns\"", 14, "'beta'", "expected a cost per byte"),
        (
            "send_rule = \"busy\"",
            "send_rule = \"lazy\"",
            15,
            "'send_rule'",
            "known: busy, synchronous, detached, eager",
        ),
        ("largest_skew = \"2 ppm\"", "largest_skew = \"2 s\"", 18, "'largest_skew'", "expected a rate error"),
        ("cap = \"20 ms\"", "cap = \"0 ms\"", 8, "", "cap must be longer than nothing"),
        (
            "world = \"threads\"",
            "world = \"pthreads\"",
            21,
            "'world'",
            "unknown world 'pthreads'; known: threads, openmpi, mpich",
        ),
        ("ranks = [4, 8]", "ranks = [4, 1]", 23, "'ranks'", "expected 2 to 256, found 1"),
        ("bytes = \"8 B\"", "bytes = \"2 GiB\"", 34, "'bytes'", "expected at most 1 GiB"),
        ("ranks = [2]", "ranks = [2000000]", 31, "'ranks'", "expected 2 to 1048576, found 2000000"),
        ("ranks = [4, 8]", "ranks = []", 23, "'ranks'", "expected at least one number of ranks"),
        ("collective = \"bcast\"", "collective = \"broadcast\"", 24, "'collective'", "known: bcast, reduce, barrier"),
        (
            "[\"linear\", \"binomial\"]",
            "[\"linear\", \"ring2\"]",
            25,
            "'algorithms'",
            "unknown algorithm 'ring2'; known for bcast: linear, binomial",
        ),
        ("[\"linear\", \"binomial\"]", "[\"library\"]", 25, "'algorithms'", "cannot run on an emulated network"),
        ("bytes = \"1 KiB\"", "bytes = \"1 KiB\"\nroot = 6", 27, "'root'", "expected 0 to 3, found 6"),
        ("bytes = \"1 KiB\"", "bytes = \"0.5 B\"", 26, "'bytes'", "expected a whole number of bytes"),
        ("network = \"emulated\"", "network = \"native\"", 22, "'network'", "threads have no native network"),
        ("# Does it read?", "", 1, "", "expected the scenario's question as the first line"),
        ("seed = 7", "seed = ", 2, "'seed'", ""),
    ];
    for (old, new, line, key, expected) in cases {
        let message = complaint(old, new);
        assert!(message.starts_with(&format!("scenarios/x.toml line {line}")), "{new:?} gave: {message}");
        assert!(message.contains(key) && message.contains(expected), "{new:?} gave: {message}");
        assert!(!message.contains('\n'), "one line suffices: {message:?}");
    }
}

#[test]
fn an_emulated_case_needs_a_network_to_play() {
    let start = GOOD.find("[emulated]").unwrap();
    let end = GOOD.find("[clocks]").unwrap();
    let text = [&GOOD[..start], &GOOD[end..]].concat();
    let message = Scenario::parse("x.toml", &text).unwrap_err().to_string();
    assert!(message.contains("needs a table [emulated] with alpha, beta, send_rule"), "{message}");
}

#[test]
fn clocks_may_wander_and_jump() {
    let with = |keys: &str| {
        let text = GOOD.replacen("largest_skew = \"2 ppm\"", keys, 1);
        Scenario::parse("x.toml", &text).map(|scenario| scenario.clocks).map_err(|error| error.to_string())
    };
    let jumping = "jumps = 2\nlargest_jump = \"40 us\"\njumps_within = \"3 s\"\nlargest_walk = \"0.5 ppm\"";
    let clocks = with(jumping).unwrap();
    assert_eq!((clocks.jumps, clocks.largest_jump, clocks.jumps_within), (2, Span::from_us(40), Span::from_ms(3_000)));
    assert_eq!(clocks.largest_walk_ppm, 0.5);
    for (wrong, said) in [
        ("jumps = 2\nlargest_jump = \"40 us\"", "line 18, key 'jumps': jumps need largest_jump"),
        ("jumps = 5000", "line 18, key 'jumps': expected 0 to 1000, found 5000"),
        ("largest_walk = \"-1 ppm\"", "line 18, key 'largest_walk': expected 0 ppm or more"),
    ] {
        let message = with(wrong).unwrap_err();
        assert!(message.contains(said), "{message}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn no_text_makes_the_reader_panic(at in 0..GOOD.len(), length in 0usize..40, with in "[ -~\n]{0,12}") {
        let end = (at + length).min(GOOD.len());
        let text = [&GOOD[..at], with.as_str(), &GOOD[end..]].concat();
        if let Err(error) = Scenario::parse("x.toml", &text) {
            prop_assert!(error.line >= 1 && error.line <= text.lines().count() + 1, "{}", error);
            prop_assert!(!error.message.is_empty());
        }
    }
}
