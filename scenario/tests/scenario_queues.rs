//! Queues in shared memory as algorithms of a `[[case]]`.

use models::quantity::Millionths;
use parallax_scenario::Scenario;
use programs::method::{Method, StopRule};
use programs::observation::Case;

const GOOD: &str = r#"# Do queues?
methods = ["window", "barrier-loop"]
calls = 1
launches = 2

[small]
launches = 1
valid = 9

[emulated]
alpha = "50 us"
beta = "1 ns/B"
send_rule = "eager"

[simulated]
model = "loggp"

[[case]]
world = "threads"
transport = "emulated"
ranks = [2, 3]
operation = "bcast"
algorithms = ["shared:4KiB,8KiB:1..4", "linear"]
bytes = ["16 KiB", "1 MiB"]
buffers = ["touched", "same"]

[[case]]
world = "openmpi"
transport = "native"
ranks = [2]
operation = "bcast"
algorithms = ["shared:coll-sm", "library"]
bytes = "1 MiB"
buffers = ["touched"]
"#;

fn parse(text: &str) -> Result<Scenario, String> {
    Scenario::parse("x.toml", text).map_err(|error| error.to_string())
}

fn cases(scenario: &Scenario) -> Vec<&Case> {
    scenario.groups.iter().flat_map(|group| &group.cases).collect()
}

#[test]
fn one_name_makes_a_case_of_each_queue_and_loops_are_traced_where_they_can_be() {
    let scenario = parse(GOOD).unwrap();
    let all = &scenario.groups[0].cases;
    let mut queues: Vec<&str> =
        all.iter().filter_map(|case| Some(case.subject.implementation.queued()?.name())).collect();
    assert_eq!(queues.len(), 6 * 2 * 2 * 2, "queues, lengths, buffers, methods");
    queues.dedup();
    let names =
        ["4KiB:1", "4KiB:2", "4KiB:4", "8KiB:1", "8KiB:2", "8KiB:4"].map(|name| format!("shared:{name}:1:flat"));
    assert_eq!(queues[..6], names, "in the order of the list");
    // No steps of messages in a queue, no work on buffers in a loop: the first buffer of the others that needs none.
    let traced: Vec<&Case> =
        cases(&scenario).into_iter().filter(|case| case.timing.method == Method::LoopTrace).collect();
    let told: Vec<String> = traced.iter().map(|case| case.to_string()).collect();
    assert_eq!(told.len(), 2 * 2, "ranks, lengths: {told:?}");
    assert!(told.iter().all(|case| case.contains("bcast linear") && !case.contains("touched")), "{told:?}");
    let native = &scenario.groups[2].cases;
    assert_eq!(native[0].subject.implementation.written(), "shared:coll-sm:8KiB:8:2:complete:4");
    assert_eq!(native.len(), 2 * 2);
}

#[test]
fn a_small_form_has_fewer_windows() {
    let small = parse(GOOD).unwrap().small();
    assert_eq!(small.window.stop, StopRule::Counts { starts: 100, valid: 9 });
    let precise = GOOD.replacen(
        "[simulated]",
        "[window]\nstop = { precision = { relative_error = 0.1, valid = 20 } }\n[simulated]",
        1,
    );
    assert_eq!(
        parse(&precise).unwrap().small().window.stop,
        StopRule::Precision { relative_error: Millionths(100_000), valid: 20 }
    );
}

#[test]
fn what_queues_do_not_carry_is_answered_at_its_key() {
    let threads = "world = \"threads\"\ntransport = \"emulated\"";
    let complaints = [
        ("shared:4KiB,8KiB:1..4", "shared:4KiB"),
        ("shared:4KiB,8KiB:1..4", "shared:4KiB:x"),
        ("shared:4KiB,8KiB:1..4", "shared:4KiB:4..1"),
        ("shared:4KiB,8KiB:1..4", "shared:4KiB:4:ring"),
        ("operation = \"bcast\"", "operation = \"reduce\""),
        (threads, "world = \"simulated\""),
        ("bytes = [\"16 KiB\", \"1 MiB\"]", "bytes = \"16 KiB\"\nsegment_bytes = \"1 KiB\""),
        ("bytes = [\"16 KiB\", \"1 MiB\"]", "bytes = \"16 KiB\"\nfanout = 2"),
    ];
    let said = complaints.map(|(old, new)| {
        assert!(GOOD.contains(old), "{old}");
        let error = parse(&GOOD.replacen(old, new, 1)).expect_err(new);
        let line = if new.starts_with("world = \"simulated\"") { 22 } else { 23 };
        assert!(error.starts_with(&format!("x.toml line {line}, key 'algorithms'")), "{new:?} gave: {error}");
        format!("{old:?} becomes {new:?}\n  → {error}")
    });
    insta::assert_snapshot!(said.join("\n"));
}
