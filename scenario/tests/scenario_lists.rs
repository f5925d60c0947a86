//! Keys that take one value or a list (lengths, roots, barriers), names for what a library takes, and what benchmarks print.

use models::collective::decision;
use parallax_scenario::Scenario;
use parallax_scenario::axis::{Axis, Key};
use programs::method::Method;
use programs::observation::{Barrier, Case, Implementation, World};

const GOOD: &str = r#"# Does it list?
methods = ["window", "loop", "barrier-loop", "barrier-own"]
calls = 4
barrier = ["tree", "openmpi-4.1", "tree"]

[simulated]
model = "loggp"

[[case]]
world = "simulated"
ranks = [4, 8]
operation = "bcast"
algorithms = ["binomial", "openmpi-4.1", "k-nomial"]
bytes = ["8 B", "1 KiB"]
root = [0, 3]

[[expect]]
says = "OSU prints less"
quantity = "printed"
of = { benchmark = "osu:max", barrier = "tree" }
over = { barrier = "openmpi-4.1", benchmark = "osu" }
at_most = 1.0
"#;

const NATIVE: &str = r#"# Does the library?
methods = ["window", "barrier-loop"]
calls = 1
barrier = "library:recursive-doubling"

[[case]]
world = "openmpi"
transport = "native"
ranks = [3]
operation = "bcast"
algorithms = ["library", "binomial"]
bytes = "8 B"
"#;

fn parse(text: &str) -> Result<Scenario, String> {
    Scenario::parse("x.toml", text).map_err(|error| error.to_string())
}

fn select_cases<'a>(scenario: &'a Scenario, wanted: impl Fn(&Case) -> bool + 'a) -> Vec<&'a Case> {
    scenario.groups.iter().flat_map(|group| &group.cases).filter(|case| wanted(case)).collect()
}

#[test]
fn every_length_root_and_barrier_makes_a_case() {
    let scenario = parse(GOOD).unwrap();
    let picked = Barrier::Picked(decision::Library::OpenMpi41);
    assert_eq!(scenario.barriers, [Barrier::Own("tree"), picked], "what is named twice is called once");
    // Of each algorithm, length and root a window and a barrier of its own; of each barrier two methods; a trace.
    let binomial =
        select_cases(&scenario, |case| case.place.ranks == 4 && case.subject.implementation.name() == "binomial");
    assert_eq!(binomial.len(), 2 * 2 * (2 + 2 * 2 + 1));
    let places: Vec<(u64, u32)> = binomial.iter().map(|case| (case.subject.bytes, case.subject.root)).collect();
    assert!([(8, 0), (8, 3), (1024, 0), (1024, 3)].iter().all(|place| places.contains(place)));
    let barriers = |method: Method| {
        let mut all: Vec<_> = select_cases(&scenario, |case| case.timing.method == method)
            .iter()
            .map(|case| case.timing.conditions.barrier)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    assert_eq!(barriers(Method::BarrierLoop), [Some(Barrier::Own("tree")), Some(picked)]);
    assert_eq!(barriers(Method::Loop), barriers(Method::BarrierLoop), "a loop begins with a barrier");
    assert_eq!((barriers(Method::Window), barriers(Method::BarrierOwn)), (vec![None], vec![None]), "measured once");
    assert_eq!(barriers(Method::LoopTrace), [Some(Barrier::Own("tree"))], "one picture of each loop");
}

#[test]
fn a_case_s_barrier_is_in_its_key_and_its_line() {
    let scenario = parse(GOOD).unwrap();
    let case = select_cases(&scenario, |case| {
        case.timing.method == Method::BarrierLoop && case.timing.conditions.barrier != Some(Barrier::Own("tree"))
    })[0];
    assert_eq!(Key::from_case(case).text(Axis::Barrier), "openmpi-4.1");
    assert_eq!(
        case.to_string(),
        "simulated/modelled/4 ranks/bcast binomial/8 B/root 0/barrier openmpi-4.1/barrier-loop k=4"
    );
    assert_eq!(scenario.barrier_of(case).on(case.place.ranks), Ok(Implementation::Own("linear".to_owned())));
    let line = serde_json::to_string(case).unwrap();
    assert_eq!(&serde_json::from_str::<Case>(&line).unwrap(), case);
    let one = parse(&GOOD.replacen("[\"tree\", \"openmpi-4.1\", \"tree\"]", "[\"tree\", \"tree\"]", 1)).unwrap();
    let same = parse(&GOOD.replacen("[\"tree\", \"openmpi-4.1\", \"tree\"]", "\"tree\"", 1)).unwrap();
    assert_eq!(one, same, "a list of one is that one");
    assert!(
        select_cases(&one, |case| case.timing.conditions.barrier.is_some()).is_empty(),
        "with one barrier no case differs in it"
    );
}

#[test]
fn where_a_barrier_is_timed_with_every_call_every_method_calls_it() {
    let scenario = parse(&GOOD.replacen("[simulated]", "[factors]\nbarrier_inside = true\n\n[simulated]", 1)).unwrap();
    assert!(select_cases(&scenario, |case| case.timing.conditions.barrier.is_none()).is_empty());
}

#[test]
fn what_a_library_takes_is_one_of_our_algorithms_and_no_case_twice() {
    let scenario = parse(GOOD).unwrap();
    let names = |ranks: u32, bytes: u64| {
        let windows = select_cases(&scenario, move |case| {
            (case.place.ranks, case.subject.bytes, case.subject.root, case.timing.method)
                == (ranks, bytes, 0, Method::Window)
        });
        windows
            .iter()
            .map(|case| (case.subject.implementation.name().to_owned(), case.subject.fanout))
            .collect::<Vec<_>>()
    };
    let own = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), None)).collect::<Vec<_>>();
    // Open MPI's table: a binary tree of 8 B on 4 ranks, on 8 a k-nomial one, whose fanout is that of ours.
    assert_eq!(names(4, 8), own(&["binomial", "binary", "k-nomial"]));
    assert_eq!(names(8, 1024), own(&["binomial", "k-nomial"]), "a case that has two names is one");
}

#[test]
fn a_library_s_barrier_may_be_forced_beside_any_call_on_its_own_transport() {
    let scenario = parse(NATIVE).unwrap();
    let forced = Barrier::find("library:recursive_doubling").unwrap();
    let barrier =
        |name: &str| scenario.barrier_of(select_cases(&scenario, |case| case.subject.implementation.name() == name)[0]);
    assert_eq!((barrier("library"), barrier("binomial")), (forced, forced));
    let ours = parse(&NATIVE.replacen("library:recursive-doubling", "tree", 1)).unwrap();
    let of_library = select_cases(&ours, |case| case.subject.implementation.is_library())[0];
    assert_eq!(ours.barrier_of(of_library), Barrier::Library, "of one barrier of ours, library's calls keep theirs");
    let both = parse(&NATIVE.replacen("\"library:recursive-doubling\"", "[\"tree\", \"library\"]", 1)).unwrap();
    let behind = select_cases(&both, |case| {
        case.subject.implementation.is_library() && case.timing.method == Method::BarrierLoop
    });
    let barriers: Vec<Barrier> = behind.iter().map(|case| both.barrier_of(case)).collect();
    assert_eq!((behind[0].place.world, barriers), (World::OPENMPI, vec![Barrier::Own("tree"), Barrier::Library]));
}

#[test]
fn mistakes_in_lists_are_answered_at_their_key() {
    let complaints = [
        (GOOD, "bytes = [\"8 B\", \"1 KiB\"]", "bytes = []", "line 14, key 'bytes'"),
        (GOOD, "bytes = [\"8 B\", \"1 KiB\"]", "bytes = [\"8 B\", \"1 q\"]", "line 14, key 'bytes'"),
        (GOOD, "bytes = [\"8 B\", \"1 KiB\"]", "bytes = 8", "line 14, key 'bytes'"),
        (GOOD, "bytes = [\"8 B\", \"1 KiB\"]", "bytes = [\"8 B\", \"2 GiB\"]", "line 14, key 'bytes'"),
        (GOOD, "root = [0, 3]", "root = [0, 5]", "line 15, key 'root'"),
        (GOOD, "root = [0, 3]", "root = []", "line 15, key 'root'"),
        (GOOD, "root = [0, 3]", "root = \"first\"", "line 15, key 'root'"),
        (GOOD, "root = [0, 3]", "roots = [0, 3]", "line 15, key 'roots'"),
        (GOOD, "\"openmpi-4.1\", \"k-nomial\"", "\"openmpi-5\"", "line 13, key 'algorithms'"),
        (GOOD, "root = [0, 3]", "fanout = 3", "line 13, key 'algorithms'"),
        (GOOD, "barrier = [\"tree\", ", "barrier = [\"star\", ", "line 4, key 'barrier'"),
        (GOOD, "barrier = [\"tree\", \"openmpi-4.1\", \"tree\"]", "barrier = []", "line 4, key 'barrier'"),
        (GOOD, "barrier = [\"tree\", \"openmpi-4.1\", \"tree\"]", "barrier = 4", "line 4, key 'barrier'"),
        (GOOD, "barrier = [\"tree\", ", "barrier = [\n  \"library\", ", "line 4, key 'barrier'"),
        (NATIVE, "library:recursive-doubling", "library:star", "line 4, key 'barrier'"),
        (NATIVE, "library:recursive-doubling", "library:two_proc", "line 4, key 'barrier'"),
        (NATIVE, "library:recursive-doubling", "library:smp", "line 4, key 'barrier'"),
        (GOOD, "benchmark = \"osu:max\", ", "", "line 19, key 'quantity'"),
        (GOOD, "\"osu:max\"", "\"osu:median\"", "line 20, key 'of'"),
        (GOOD, "benchmark = \"osu\" }", "benchmark = \"netpipe\" }", "line 21, key 'over'"),
    ];
    let said = complaints.map(|(text, old, new, place)| {
        assert!(text.contains(old), "{old}");
        let error = parse(&text.replacen(old, new, 1)).expect_err(new);
        assert!(error.starts_with("x.toml line ") && error.contains(place), "{new:?} gave: {error}");
        format!("{old:?} becomes {new:?}\n  → {error}")
    });
    insta::assert_snapshot!(said.join("\n"));
}
