//! Scenario files: what is read, and how each mistake is answered.

use models::aggregation::{Aggregation, First, OverRanks, OverRepetitions};
use models::collective::Shape;
use models::method::{Buffer, Factors, FirstCall, Method, RootChoice, Rotation, StopRule};
use models::network::SendRule;
use models::observation::{Carrier, Implementation, World};
use models::time::{PerByte, Span};
use proptest::prelude::*;
use scenario::Scenario;
use scenario::sweep::{Files, Sweep};

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
    assert_eq!((scenario.seed, scenario.blocks, scenario.warmup), (7, 5, None));
    assert_eq!((scenario.repetitions.as_slice(), scenario.launches), (&[4][..], 1));
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
            (World::OPENMPI, Carrier::Native, 2, each),
        ]
    );
    assert_eq!(scenario.groups[2].cases[0].implementation, Implementation::Library);
}

#[test]
fn how_calls_are_timed_is_read_whole() {
    let tables = r#"[round_time]
starts = 40
budget = "50 ms"

[factors]
first_call = "included"
root = "rotating"
rotation = "barrier-loop"
buffer = "pool"
barrier_inside = true
aggregation = { first = "repetitions", ranks = "rank-zero", repetitions = { trimmed-mean = { share = 0.25 } } }

[clocks]"#;
    let names = Method::reported().map(|method| format!("\"{method}\"")).collect::<Vec<_>>().join(", ");
    let text = GOOD.replacen("[clocks]", tables, 1).replacen("\"loop\", \"window\"", &names, 1);
    let scenario = Scenario::parse("x.toml", &text).unwrap_or_else(|error| panic!("{error}"));
    assert!(Method::reported().eq(scenario.methods.iter().copied()));
    assert_eq!((scenario.round_time.starts, scenario.round_time.budget), (40, Span::from_ms(50)));
    assert_eq!(scenario.round_time.announcements, 10, "what is not said keeps its default");
    let aggregation = Aggregation {
        first: First::Repetitions,
        ranks: OverRanks::RankZero,
        repetitions: OverRepetitions::TrimmedMean { share: 0.25 },
        ..Aggregation::default()
    };
    let factors = Factors {
        first_call: FirstCall::Included,
        root: RootChoice::Rotating,
        rotation: Rotation::BarrierLoop,
        buffer: Buffer::Pool,
        barrier_inside: true,
        aggregation,
    };
    assert_eq!(scenario.factors, factors);
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
        (
            "repetitions = 4",
            "repetitions = \"four\"",
            4,
            "'repetitions'",
            "expected a number of calls, like 4, or several",
        ),
        (
            "[\"loop\", \"window\"]",
            "[\"loop\", \"windows\"]",
            3,
            "'methods'",
            "unknown method 'windows'; known: loop, barrier-loop, barrier-subtract, root-rotation, window, round-time, \
             barrier-own, barrier-inside",
        ),
        ("[\"loop\", \"window\"]", "[]", 3, "'methods'", "expected at least one method"),
        (
            "[clocks]",
            "[round_time]\nbudget = \"1 s\"\nslack = 0.5\n\n[clocks]",
            19,
            "'slack'",
            "a factor of 1.0 to 100.0",
        ),
        ("[clocks]", "[round_time]\nbudget = \"0 s\"\n\n[clocks]", 18, "'budget'", "longer than nothing"),
        (
            "[clocks]",
            "[factors]\nbuffer = \"both\"\n\n[clocks]",
            18,
            "'buffer'",
            "expected one of `same`, `touched`, `cold`, `pool`, `misaligned`",
        ),
        (
            "[clocks]",
            "[factors]\nroots = \"fixed\"\n\n[clocks]",
            18,
            "'roots'",
            "unknown field `roots`, expected one of",
        ),
        (
            "[clocks]",
            "[factors]\nroot = \"fixed\"\naggregation = { repetitions = { trimmed-mean = { share = 0.5 } } }\n\n[clocks]",
            19,
            "'aggregation'",
            "less than 0.5 at each end, found 0.5",
        ),
        (
            "barrier = \"linear\"",
            "barrier = \"star\"",
            6,
            "'barrier'",
            "unknown algorithm 'star'; known for barrier: linear, ",
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
            "unknown algorithm 'ring2'; known for bcast: linear, ",
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

/// The good scenario with its first case's collective, algorithms and bytes replaced.
fn with_case(lines: &str) -> Result<Scenario, String> {
    let old = "collective = \"bcast\"\nalgorithms = [\"linear\", \"binomial\"]\nbytes = \"1 KiB\"";
    assert!(GOOD.contains(old));
    let text = GOOD.replacen("ranks = [4, 8]", "ranks = [4]", 1).replacen(old, lines, 1);
    Scenario::parse("scenarios/x.toml", &text).map_err(|error| error.to_string())
}

#[test]
fn segments_fanouts_and_counts_reach_the_shape_and_the_key() {
    let plain = with_case("collective = \"reduce\"\nalgorithms = [\"binomial\"]\nbytes = \"1 KiB\"").unwrap();
    let case = &plain.groups[0].cases[0];
    assert_eq!(case.subject(), "threads/emulated/4 ranks/reduce binomial/1024 B/root 0");
    assert_eq!(case.shape(), Shape::new(4, 0, 1_024));

    let cut = "collective = \"bcast\"\nalgorithms = [\"binomial\"]\nbytes = \"1 KiB\"\nsegment = \"100 B\"\nfanout = 3\nroot = 2";
    let cut = with_case(cut).unwrap();
    let case = &cut.groups[0].cases[0];
    assert_eq!(case.subject(), "threads/emulated/4 ranks/bcast binomial/1024 B/root 2/segments of 100 B, fanout 3");
    assert_eq!(case.shape(), Shape { segment_bytes: 100, fanout: 3, ..Shape::new(4, 2, 1_024) });
    assert_eq!(cut.groups[0].longest_message(), 100);

    let native = "[[case]]\nworld = \"openmpi\"\nnetwork = \"native\"\nranks = [3]\ncollective = \"allgather\"\n\
                  algorithms = [\"library\"]\ncounts = [\"1 KiB\", \"0 B\", \"6 B\"]\n";
    let uneven = Scenario::parse("scenarios/x.toml", &format!("{GOOD}\n{native}")).unwrap();
    let case = &uneven.groups.last().unwrap().cases[0];
    assert_eq!(case.subject(), "openmpi/native/3 ranks/allgather library/344 B/root 0/counts [1024, 0, 6] B");
    assert_eq!(case.shape().total(), 1_030);
    let text = serde_json::to_string(case).unwrap();
    assert_eq!(&serde_json::from_str::<models::observation::Case>(&text).unwrap(), case);
}

#[test]
fn mistakes_in_lengths_are_answered_at_their_key() {
    let native = |lines: &str| {
        let old = "collective = \"bcast\"\nalgorithms = [\"library\"]\nbytes = \"8 B\"";
        assert!(GOOD.contains(old));
        let text = GOOD.replacen(old, lines, 1);
        Scenario::parse("scenarios/x.toml", &text).expect_err("this is wrong").to_string()
    };
    let bcast = "collective = \"bcast\"\nalgorithms = [\"binomial\"]\n";
    let gather = "collective = \"gather\"\nalgorithms = [\"library\"]\n";
    let cases = [
        (format!("{bcast}bytes = \"8 B\"\nfanout = 1"), "'fanout'", "expected 2 to 65536, found 1"),
        (format!("{bcast}bytes = \"8 B\"\nsegment = \"0 B\""), "'segment'", "at least 1 B"),
        (format!("{bcast}bytes = \"1 GiB\"\nsegment = \"1 B\""), "'segment'", "at least 16384 B"),
        (bcast.to_owned(), "'collective'", "expected bytes = \"1 KiB\""),
        (format!("{bcast}counts = [\"8 B\", \"8 B\"]"), "'counts'", "bcast moves no block per rank"),
        (format!("{gather}counts = [\"8 B\"]"), "'counts'", "expected one count for each of 2 ranks, found 1"),
        (format!("{gather}counts = []"), "'counts'", "expected one count for each rank, found none"),
        (format!("{gather}bytes = \"8 B\"\ncounts = [\"8 B\", \"1 B\"]"), "'counts'", "either bytes or counts"),
        (format!("{gather}bytes = \"1 GiB\""), "'bytes'", "gather on 2 ranks needs 2147483648 B on every rank"),
        (
            format!("{gather}bytes = \"8 B\"\nsegment = \"8 B\""),
            "'algorithms'",
            "choose segments and fanouts themselves",
        ),
        (
            "collective = \"allreduce\"\nalgorithms = [\"library\"]\nbytes = \"8 B\"\nroot = 1".to_owned(),
            "'root'",
            "allreduce has no root",
        ),
    ];
    for (lines, key, expected) in cases {
        let message = native(&lines);
        assert!(message.starts_with("scenarios/x.toml line 3"), "{lines:?} gave: {message}");
        assert!(message.contains(key) && message.contains(expected), "{lines:?} gave: {message}");
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
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 8))]
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
