//! What scenarios vary beside ranks and methods: machines of simulated ranks, launches, clocks, buffers, windows, calls per
//! loop; and their small form.

use models::clock::ClockKind;
use models::time::Span;
use parallax_scenario::Scenario;
use programs::method::{Buffer, Method};
use programs::observation::{Carrier, Implementation, World};

const GOOD: &str = r#"# Does it vary?
methods = ["loop", "window"]
calls = [1, 4, 100]
launches = 3
expectation = "it does"

[clocks]
granularity = "1 ns"

[simulated]
model = "loggp"
parameters = "L=2us,o=200ns"
[simulated.quiet]
noise = "none"
[simulated.noisy]
noise = ["exponential:mean=10us,rate=1kHz", "fixed:duration=1us,rate=10Hz"]
platform = "connect=30us"
[simulated.noisy.clocks]
granularity = "1 us"
jumps = 2
largest_jump = "5 us"
jumps_within = "1 s"

[small]
launches = 1
most_ranks = 4
most_calls = 4
worlds = ["simulated"]

[[case]]
world = "simulated"
ranks = [4, 8]
operation = "bcast"
algorithms = ["linear"]
bytes = "1 KiB"
buffers = ["same", "pool"]
windows = ["10 us", "2 ms"]

[[case]]
world = "openmpi"
transport = "native"
ranks = [2]
clocks = ["tsc", "gettimeofday"]
waits = true

[[case]]
world = "openmpi"
transport = "native"
ranks = [4]
operation = "bcast"
algorithms = ["library", "library:binomial"]
bytes = "8 B"
"#;

fn parse(text: &str) -> Result<Scenario, String> {
    Scenario::parse("x.toml", text).map_err(|error| error.to_string())
}

/// With the machine `noisy` as this table says.
fn with_machine(table: &str) -> Result<Scenario, String> {
    let (before, after) = GOOD.split_once("model = \"loggp\"\nparameters = \"L=2us,o=200ns\"").unwrap();
    parse(&format!("{before}{table}{after}"))
}

#[test]
fn a_machine_that_comes_with_the_program_is_named_and_refined() {
    let scenario = with_machine("machine = \"openmpi\"").unwrap();
    let [quiet, noisy] = [0, 1].map(|nth| &scenario.machines[nth]);
    let (_, text) = programs::machine::KNOWN.into_iter().find(|(name, _)| *name == "openmpi").unwrap();
    let machine = programs::machine::Machine::parse("openmpi", text).unwrap();
    let bound = programs::machine::Bound::Best;
    assert_eq!(quiet.platform.network, machine.best_network(bound));
    assert_eq!(quiet.platform.refinements(), Some(&machine.refinements(bound).unwrap()));
    let connect = noisy.platform.refinements().unwrap().connect.as_ref().unwrap();
    assert_eq!(connect.time, Span::from_us(30), "the scenario's in place of the machine's");
    assert!(noisy.words.starts_with("machine openmpi, loggops, "), "{}", noisy.words);
    let hockney = with_machine("machine = \"openmpi\"\nmodel = \"hockney\"").unwrap();
    assert_eq!(hockney.machines[0].platform.network, machine.hockney(bound));
    let wrong = |table: &str| with_machine(table).unwrap_err();
    assert!(wrong("machine = \"openmpy\"").contains("did you mean openmpi?"), "{}", wrong("machine = \"openmpy\""));
    let both = wrong("machine = \"openmpi\"\nparameters = \"L=2us\"");
    assert!(both.contains("line 13") && both.contains("leave out parameters"), "{both}");
}

#[test]
fn everything_that_is_listed_is_varied() {
    let scenario = parse(GOOD).unwrap();
    // Two machines on two numbers of ranks, two clocks, one group of the library's; three launches of each.
    assert_eq!(scenario.groups.len(), (2 * 2 + 2 + 1) * 3);
    assert!(scenario.groups.is_sorted_by_key(|group| group.occasion), "launch after launch");
    let group = &scenario.groups[0];
    assert_eq!((group.world, group.carrier, group.ranks), (World::Simulated, Carrier::Modelled, 4));
    assert_eq!(group.conditions.machine.unwrap().as_str(), "quiet", "in the order of the file");
    // For each number of calls and each buffer two methods and two windows; one loop is traced.
    assert_eq!(group.cases.len(), 3 * 2 * (2 + 2) + 1);
    let traced: Vec<_> = group.cases.iter().filter(|case| case.timing.method == Method::LoopTrace).collect();
    assert_eq!((traced.len(), traced[0].timing.calls), (1, 4), "the longest that a picture has room for");
    assert!(group.cases.iter().any(|case| case.timing.conditions.buffer == Buffer::Pool));
    assert!(group.cases.iter().any(|case| case.timing.conditions.window == Some(Span::from_ms(2))));
    let clocks: Vec<ClockKind> =
        scenario.groups.iter().filter(|group| group.waits).map(|group| group.conditions.clock).collect();
    assert_eq!(clocks[..2], [ClockKind::Tsc, ClockKind::Gettimeofday]);
    let forced = Implementation::Forced("binomial".to_owned());
    assert!(scenario.groups.iter().flat_map(|group| &group.cases).any(|case| case.subject.implementation == forced));
}

#[test]
fn machines_share_what_the_table_says_and_have_their_own() {
    let scenario = parse(GOOD).unwrap();
    let [quiet, noisy] = scenario.machines.as_slice() else { panic!("{:?}", scenario.machines) };
    assert_eq!(quiet.platform.network, noisy.platform.network);
    assert!(quiet.platform.is_plain() && !noisy.platform.is_plain());
    assert!(quiet.noise(1).unwrap().is_none() && !noisy.noise(1).unwrap().is_none());
    assert_eq!((quiet.clocks.granularity, noisy.clocks.granularity), (Span::from_ns(1), Span::from_us(1)));
    assert_eq!((noisy.clocks.jumps, noisy.clocks.largest_jump), (2, Span::from_us(5)));
    assert!(noisy.words.starts_with("loggp, L=2us,o=200ns, connect=30us, noise exponential"), "{}", noisy.words);
}

#[test]
fn the_small_form_leaves_out_what_it_says() {
    let small = parse(GOOD).unwrap().small();
    assert_eq!((small.launches, small.calls.as_slice()), (1, &[1, 4][..]));
    assert_eq!(small.groups.len(), 2, "both machines on 4 ranks");
    assert!(small.groups.iter().all(|group| group.ranks == 4 && group.world == World::Simulated));
    assert!(small.groups.iter().flat_map(|group| &group.cases).all(|case| case.timing.calls <= 4));
}

#[test]
fn mistakes_are_answered_where_they_are() {
    let with = |old: &str, new: &str| {
        assert!(GOOD.contains(old), "{old}");
        parse(&GOOD.replacen(old, new, 1)).expect_err(new)
    };
    let complaints = [
        ("calls = [1, 4, 100]", "calls = []", "line 3, key 'calls'"),
        ("launches = 3", "launches = 0", "line 4, key 'launches'"),
        ("model = \"loggp\"", "model = \"logpg\"", "line 13"),
        ("noise = \"none\"", "nois = \"none\"", "line 13"),
        ("platform = \"connect=30us\"", "platform = \"connect=30\\u00b5\"", "line 17, key 'platform'"),
        ("[simulated.quiet]", "[simulated.Quiet]", "line 13"),
        ("buffers = [\"same\", \"pool\"]", "buffers = [\"warm\"]", "line 36, key 'buffers'"),
        ("windows = [\"10 us\", \"2 ms\"]", "windows = []", "line 37, key 'windows'"),
        ("clocks = [\"tsc\", \"gettimeofday\"]", "clocks = [\"sundial\"]", "line 43, key 'clocks'"),
        ("\"library:binomial\"", "\"library:magic\"", "line 51, key 'algorithms'"),
        ("world = \"simulated\"\n", "world = \"simulated\"\ntransport = \"native\"\n", "line 32, key 'transport'"),
        ("world = \"simulated\"\n", "world = \"simulated\"\nclocks = [\"tsc\"]\n", "line 32, key 'clocks'"),
        ("world = \"simulated\"\n", "world = \"simulated\"\nmachines = [\"loud\"]\n", "line 32, key 'machines'"),
        ("algorithms = [\"linear\"]", "algorithms = [\"library\"]", "line 34, key 'algorithms'"),
        ("ranks = [4, 8]", "ranks = [4, 100000]", "line 32, key 'ranks'"),
        ("waits = true", "waits = false", "line 40, key 'world'"),
    ];
    let said = complaints.map(|(old, new, place)| {
        let error = with(old, new);
        assert!(error.starts_with("x.toml line ") && error.contains(place), "{new:?} gave: {error}");
        format!("{old:?} becomes {new:?}\n  → {error}")
    });
    let alone =
        "# Where?\nmethods = [\"loop\"]\ncalls = 1\n[[case]]\nworld = \"simulated\"\nranks = [2]\nwaits = true\n";
    insta::assert_snapshot!([said.join("\n"), parse(alone).unwrap_err()].join("\n"));
}
