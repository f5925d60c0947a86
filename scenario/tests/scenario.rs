//! Scenario files: what is read, and how each mistake is answered.

use models::collective::Shape;
use models::network::SendRule;
use models::quantity::Millionths;
use models::time::{PerByte, Span};
use parallax_scenario::Scenario;
use parallax_scenario::sweep::{Files, Sweep};
use programs::aggregation::{Aggregation, First, OverRanks, OverSamples};
use programs::method::{Buffer, Factors, FirstCall, Method, OneDelay, RootChoice, Rotation, StopRule};
use programs::observation::{Barrier, Carrier, Implementation, World};
use proptest::prelude::*;

const GOOD: &str = r#"# Does it read?
seed = 7
methods = ["loop", "window"]
calls = 4
samples = 5
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
transport = "emulated"
ranks = [4, 8]
operation = "bcast"
algorithms = ["linear", "binomial"]
bytes = "1 KiB"

[[case]]
world = "openmpi"
transport = "native"
ranks = [2]
operation = "bcast"
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
    assert_eq!((scenario.seed, scenario.samples, scenario.warmup), (7, 5, None));
    assert_eq!((scenario.calls.as_slice(), scenario.launches), (&[4][..], 1));
    assert_eq!(scenario.barriers, [Barrier::Own("linear")]);
    assert_eq!(scenario.window.cap, Span::from_ms(20));
    assert_eq!(scenario.window.stop, StopRule::Precision { relative_error: Millionths(50_000), valid: 10 });
    assert_eq!(scenario.window.stage_starts, 8, "what is not said keeps its default");
    assert_eq!(scenario.emulated.alpha, Span::from_ms(1));
    assert_eq!((scenario.emulated.beta, scenario.emulated.send_rule), (PerByte(10_000.0), SendRule::Busy));
    assert_eq!(scenario.clocks.largest_skew_ppm, 2.0);
    let groups: Vec<_> = scenario.groups.iter().map(|g| (g.world, g.carrier, g.ranks, g.cases.len())).collect();
    let each = 2 + 1; // two methods and the trace
    assert_eq!(
        groups,
        [
            (World::Threads, Carrier::EMULATED, 4, 2 * each),
            (World::Threads, Carrier::EMULATED, 8, 2 * each),
            (World::OPENMPI, Carrier::Native, 2, each),
        ]
    );
    assert_eq!(scenario.groups[2].cases[0].subject.implementation, Implementation::Library);
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
delay = "12us@1"
aggregation = { first = "samples", ranks = "rank-zero", samples = { trimmed-mean = { share = 0.25 } } }

[clocks]"#;
    let names = Method::reported().map(|method| format!("\"{method}\"")).collect::<Vec<_>>().join(", ");
    let text = GOOD.replacen("[clocks]", tables, 1).replacen("\"loop\", \"window\"", &names, 1);
    let scenario = Scenario::parse("x.toml", &text).unwrap_or_else(|error| panic!("{error}"));
    assert!(Method::reported().eq(scenario.methods.iter().copied()));
    assert_eq!((scenario.round_time.starts, scenario.round_time.budget), (40, Span::from_ms(50)));
    assert_eq!(scenario.round_time.announcements, 10, "what is not said keeps its default");
    let aggregation = Aggregation {
        first: First::Samples,
        ranks: OverRanks::RankZero,
        samples: OverSamples::TrimmedMean { share: 0.25 },
        ..Aggregation::default()
    };
    let factors = Factors {
        first_call: FirstCall::Included,
        root: RootChoice::Rotating,
        rotation: Rotation::BarrierLoop,
        buffer: Buffer::Pool,
        barrier_inside: true,
        delay: Some(OneDelay { duration: Some(Span::from_us(12)), rank: Some(1) }),
        aggregation,
    };
    assert_eq!(scenario.factors, factors);
}

#[test]
fn the_scenarios_of_the_project_are_good() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");
    let exercises = format!("{folder}/exercises");
    let entries = [folder, &exercises].into_iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    for path in entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        let text = std::fs::read_to_string(&path).unwrap();
        if parallax_scenario::sweep::is_sweep(&text) {
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
        ("calls = 4", "cals = 4", 4, "'cals'"),
        ("calls = 4", "calls = 0", 4, "'calls'"),
        ("calls = 4", "calls = \"four\"", 4, "'calls'"),
        ("[\"loop\", \"window\"]", "[\"loop\", \"windows\"]", 3, "'methods'"),
        ("[\"loop\", \"window\"]", "[]", 3, "'methods'"),
        ("[clocks]", "[round_time]\nbudget = \"1 s\"\nslack = 0.5\n\n[clocks]", 19, "'slack'"),
        ("[clocks]", "[round_time]\nbudget = \"0 s\"\n\n[clocks]", 18, "'budget'"),
        ("[clocks]", "[factors]\nbuffer = \"both\"\n\n[clocks]", 18, "'buffer'"),
        ("[clocks]", "[factors]\nroots = \"fixed\"\n\n[clocks]", 18, "'roots'"),
        (
            "[clocks]",
            "[factors]\nroot = \"fixed\"\naggregation = { samples = { trimmed-mean = { share = 0.5 } } }\n\n[clocks]",
            19,
            "'aggregation'",
        ),
        ("barrier = \"linear\"", "barrier = \"star\"", 6, "'barrier'"),
        ("alpha = \"1 ms\"", "alpha = 1", 13, "'alpha'"),
        ("alpha = \"1 ms\"", "alpha = \"1 mB\"", 13, "'alpha'"),
        ("alpha = \"1 ms\"", "alpha = \"1 us\"", 13, "'alpha'"),
        ("beta = \"10 ns/B\"", "beta = \"10 ns\"", 14, "'beta'"),
        ("send_rule = \"busy\"", "send_rule = \"lazy\"", 15, "'send_rule'"),
        ("largest_skew = \"2 ppm\"", "largest_skew = \"2 s\"", 18, "'largest_skew'"),
        ("cap = \"20 ms\"", "cap = \"0 ms\"", 8, ""),
        ("world = \"threads\"", "world = \"pthreads\"", 21, "'world'"),
        ("ranks = [4, 8]", "ranks = [4, 1]", 23, "'ranks'"),
        ("bytes = \"8 B\"", "bytes = \"2 GiB\"", 34, "'bytes'"),
        ("ranks = [2]", "ranks = [2000000]", 31, "'ranks'"),
        ("ranks = [4, 8]", "ranks = []", 23, "'ranks'"),
        ("operation = \"bcast\"", "operation = \"broadcast\"", 24, "'operation'"),
        ("[\"linear\", \"binomial\"]", "[\"linear\", \"ring2\"]", 25, "'algorithms'"),
        ("[\"linear\", \"binomial\"]", "[\"library\"]", 25, "'algorithms'"),
        ("[\"linear\", \"binomial\"]", "[\"shared:8KiB\"]", 25, "'algorithms'"),
        ("bytes = \"1 KiB\"", "bytes = \"1 KiB\"\nroot = 6", 27, "'root'"),
        ("bytes = \"1 KiB\"", "bytes = \"0.5 B\"", 26, "'bytes'"),
        ("transport = \"emulated\"", "transport = \"native\"", 22, "'transport'"),
        ("# Does it read?", "", 1, ""),
        ("seed = 7", "seed = ", 2, "'seed'"),
    ];
    let said = cases.map(|(old, new, line, key)| {
        let message = complaint(old, new);
        assert!(message.starts_with(&format!("scenarios/x.toml line {line}")), "{new:?} gave: {message}");
        assert!(message.contains(key), "{new:?} gave: {message}");
        assert!(!message.contains('\n'), "one line suffices: {message:?}");
        format!("{old} becomes {new:?}\n  → {message}")
    });
    insta::assert_snapshot!(said.join("\n"));
}

/// The good scenario with its first case's collective, algorithms and bytes replaced.
fn with_case(lines: &str) -> Result<Scenario, String> {
    let old = "operation = \"bcast\"\nalgorithms = [\"linear\", \"binomial\"]\nbytes = \"1 KiB\"";
    assert!(GOOD.contains(old));
    let text = GOOD.replacen("ranks = [4, 8]", "ranks = [4]", 1).replacen(old, lines, 1);
    Scenario::parse("scenarios/x.toml", &text).map_err(|error| error.to_string())
}

#[test]
fn segments_fanouts_and_counts_reach_the_shape_and_the_key() {
    let plain = with_case("operation = \"reduce\"\nalgorithms = [\"binomial\"]\nbytes = \"1 KiB\"").unwrap();
    let case = &plain.groups[0].cases[0];
    assert_eq!(case.name_without_method(), "threads/emulated/4 ranks/reduce binomial/1024 B/root 0");
    assert_eq!(case.shape(), Shape::new(4, 0, 1_024));

    let cut = "operation = \"bcast\"\nalgorithms = [\"binomial\"]\nbytes = \"1 KiB\"\nsegment_bytes = \"100 B\"\nfanout = 3\nroot = 2";
    let cut = with_case(cut).unwrap();
    let case = &cut.groups[0].cases[0];
    assert_eq!(
        case.name_without_method(),
        "threads/emulated/4 ranks/bcast binomial/1024 B/root 2/segments of 100 B, fanout 3"
    );
    assert_eq!(case.shape(), Shape { segment_bytes: 100, fanout: 3, ..Shape::new(4, 2, 1_024) });
    assert_eq!(cut.groups[0].longest_message(), 100);

    let native = "[[case]]\nworld = \"openmpi\"\ntransport = \"native\"\nranks = [3]\noperation = \"allgather\"\n\
                  algorithms = [\"library\"]\ncounts = [\"1 KiB\", \"0 B\", \"6 B\"]\n";
    let uneven = Scenario::parse("scenarios/x.toml", &format!("{GOOD}\n{native}")).unwrap();
    let case = &uneven.groups.last().unwrap().cases[0];
    assert_eq!(
        case.name_without_method(),
        "openmpi/native/3 ranks/allgather library/344 B/root 0/counts [1024, 0, 6] B"
    );
    assert_eq!(case.shape().total(), 1_030);
    let text = serde_json::to_string(case).unwrap();
    assert_eq!(&serde_json::from_str::<programs::observation::Case>(&text).unwrap(), case);
}

#[test]
fn mistakes_in_lengths_are_answered_at_their_key() {
    let native = |lines: &str| {
        let old = "operation = \"bcast\"\nalgorithms = [\"library\"]\nbytes = \"8 B\"";
        assert!(GOOD.contains(old));
        let text = GOOD.replacen(old, lines, 1);
        Scenario::parse("scenarios/x.toml", &text).expect_err("this is wrong").to_string()
    };
    let bcast = "operation = \"bcast\"\nalgorithms = [\"binomial\"]\n";
    let gather = "operation = \"gather\"\nalgorithms = [\"library\"]\n";
    let cases = [
        (format!("{bcast}bytes = \"8 B\"\nfanout = 1"), "'fanout'"),
        (format!("{bcast}bytes = \"8 B\"\nsegment_bytes = \"0 B\""), "'segment_bytes'"),
        (format!("{bcast}bytes = \"1 GiB\"\nsegment_bytes = \"1 B\""), "'segment_bytes'"),
        (bcast.to_owned(), "'operation'"),
        (format!("{bcast}counts = [\"8 B\", \"8 B\"]"), "'counts'"),
        (format!("{gather}counts = [\"8 B\"]"), "'counts'"),
        (format!("{gather}counts = []"), "'counts'"),
        (format!("{gather}bytes = \"8 B\"\ncounts = [\"8 B\", \"1 B\"]"), "'counts'"),
        (format!("{gather}bytes = \"1 GiB\""), "'bytes'"),
        (format!("{gather}bytes = \"8 B\"\nsegment_bytes = \"8 B\""), "'algorithms'"),
        ("operation = \"allreduce\"\nalgorithms = [\"library\"]\nbytes = \"8 B\"\nroot = 1".to_owned(), "'root'"),
    ];
    let said = cases.map(|(lines, key)| {
        let message = native(&lines);
        assert!(message.starts_with("scenarios/x.toml line 3"), "{lines:?} gave: {message}");
        assert!(message.contains(key), "{lines:?} gave: {message}");
        format!("{lines:?}\n  → {message}")
    });
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn an_emulated_case_needs_a_network_to_play() {
    let start = GOOD.find("[emulated]").unwrap();
    let end = GOOD.find("[clocks]").unwrap();
    let text = [&GOOD[..start], &GOOD[end..]].concat();
    let message = Scenario::parse("x.toml", &text).unwrap_err().to_string();
    assert!(message.contains("[emulated]"), "{message}");
    insta::assert_snapshot!(message);
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
    let wrong = [
        ("jumps = 2\nlargest_jump = \"40 us\"", "x.toml line 18, key 'jumps'"),
        ("jumps = 5000", "x.toml line 18, key 'jumps'"),
        ("largest_walk = \"-1 ppm\"", "x.toml line 18, key 'largest_walk'"),
    ];
    let said = wrong.map(|(lines, place)| {
        let message = with(lines).unwrap_err();
        assert!(message.starts_with(place), "{message}");
        format!("{lines:?}\n  → {message}")
    });
    insta::assert_snapshot!(said.join("\n"));
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
