//! Reading sweeps: mistakes and where they are; points by their index.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

const NO_FILES: Files<'static> = Files { traces: &|path| Err(format!("{path}: not here")), text: &no_text };

fn no_text(path: &str) -> Result<String, String> {
    Err(format!("{path}: not here"))
}

fn parse(text: &str) -> Result<Sweep, ScenarioError> {
    Sweep::parse("sweeps/small.toml", text, NO_FILES)
}

fn mistake(lines: &str) -> String {
    let text = format!("# Which?\noperation = \"barrier\"\nalgorithm = \"all\"\n{lines}\n");
    parse(&text).expect_err(&text).to_string()
}

const FULL: &str = r#"# Which one is fastest?
operation = ["bcast", "barrier"]
algorithm = ["linear", "dissemination"]
ranks = ["4..2^4*2", 5]
bytes = ["1 KiB", 8]
root = [0, 3]
model = ["loggops", { name = "hockney", send_rule = ["busy", "eager"], parameters = { alpha = ["1us", 2000] } }]
parameters = ["", "L=1us,o=500ns"]
noise = ["none", ["periodic:period=10ms,duration=25us", "exponential:mean=10us,rate=100Hz"]]
entry = ["together", "random:10us"]
seed = "1..3+1"
realisations = 4
"#;

#[test]
fn a_sweep_multiplies_all_that_it_lists() {
    let sweep = parse(FULL).unwrap();
    assert_eq!((sweep.question.as_str(), sweep.name.as_str()), ("Which one is fastest?", "small"));
    // linear bcast, linear and dissemination barrier; 4 counts; 2 lengths; 2 roots; 2 + 4 networks; 2 noises; …
    assert_eq!(sweep.points(), 3 * 4 * 2 * 2 * 6 * 2 * 2 * 3);
    let varied: Vec<_> = sweep.varied().collect();
    assert_eq!(
        varied,
        ["algorithm", "ranks", "bytes", "root", "model", "noise", "entry", "seed"]
            .map(|name| Axis::find(name).unwrap())
    );
    let first = sweep.point(0);
    assert_eq!((first.called.collective().name(), first.called.name()), ("bcast", "linear"));
    assert_eq!((first.shape, first.model, first.seed, first.realisations), (Shape::new(4, 0, 1024), "loggops", 1, 4));
    assert_eq!((first.noise, first.entry, first.settings.as_str()), ([].as_slice(), TOGETHER, ""));
    let last = sweep.point(sweep.points() - 1);
    assert_eq!((last.called.name(), last.shape, last.seed), ("dissemination", Shape::new(5, 3, 8), 3));
    assert_eq!((last.send_rule, last.settings.as_str(), last.noise.len()), (Some("eager"), "alpha=2000", 2));
    assert_eq!(last.medium().unwrap().parameters()[0], ("alpha", "2000ns".to_owned()));
    // The last key varies fastest.
    assert_eq!([0, 1, 2, 3].map(|index| sweep.point(index).seed), [1, 2, 3, 1]);
    assert_eq!([2, 3].map(|index| sweep.point(index).entry), ["together", "random:10us"]);
}

#[test]
fn every_index_is_a_point_of_its_own() {
    let sweep = parse(FULL).unwrap();
    let all: BTreeSet<String> = (0..sweep.points())
        .map(|index| {
            let SweepPoint { called, shape, model, send_rule, settings, noise, entry, seed, .. } = sweep.point(index);
            format!("{called:?} {shape:?} {model} {send_rule:?} {settings} {noise:?} {entry} {seed}")
        })
        .collect();
    assert_eq!(all.len() as u64, sweep.points());
}

#[test]
fn millions_of_points_are_only_counted() {
    let text = "# How many?\noperation = \"barrier\"\nalgorithm = \"linear\"\nranks = \"1..1000000+1\"\nseed = \"0..999999+1\"\n";
    let sweep = parse(text).unwrap();
    assert_eq!(sweep.points(), 1_000_000_000_000);
    let point = sweep.point(123_456_789_012);
    assert_eq!((point.shape.ranks, point.seed), (123_457, 789_012));
    let more = text.replace("999999", "1000000");
    insta::assert_snapshot!(parse(&more).unwrap_err());
}

#[test]
fn parameters_of_hockney_mean_hockney_and_nothing_means_loggops() {
    let base = "# Which?\noperation = \"barrier\"\nalgorithm = \"all\"\nranks = 4\n";
    let model = |lines: &str| parse(&format!("{base}{lines}")).unwrap().point(0).model.to_owned();
    assert_eq!(model(""), "loggops");
    assert_eq!(model("parameters = \"alpha=1us\""), "hockney");
    assert_eq!(model("parameters = { beta = \"1 ns/B\" }"), "hockney");
    assert_eq!(model("send_rule = \"eager\""), "hockney");
}

#[test]
fn mistakes_are_told_with_file_line_and_key() {
    let cases = [
        ("ranks = 0", "line 4, key 'ranks'"),
        ("ranks = [4,\n  \"many\"]", "line 5, key 'ranks'"),
        ("ranks = []", "line 4, key 'ranks'"),
        ("ranks = \"2..8..9\"", "line 4, key 'ranks'"),
        ("ranks = \"8..2+1\"", "key 'ranks'"),
        ("ranks = \"2..8*1\"", "key 'ranks'"),
        ("ranks = { from = 2, to = 8 }", "key 'ranks'"),
        ("ranks = 4\nbytes = \"0..8*2\"", "line 5, key 'bytes'"),
        ("ranks = 4\nbytes = \"1.5 B\"", "key 'bytes'"),
        ("ranks = 4\nrank = 5", "line 5, key 'rank'"),
        ("seed = 1", "key 'ranks'"),
        ("ranks = [2, 4]\nroot = 3", "line 5, key 'root'"),
        ("ranks = 4\nmodel = \"logq\"", "line 5, key 'model'"),
        ("ranks = 4\nmodel = { nam = \"logp\" }", "line 5, key 'nam'"),
        ("ranks = 4\nsend_rule = \"idle\"", "line 5, key 'send_rule'"),
        ("ranks = 4\nmodel = \"logp\"\nsend_rule = \"busy\"", "line 6, key 'send_rule'"),
        ("ranks = 4\nparameters = [\"L=1us\",\n\"Q=1us\"]", "line 6, key 'parameters'"),
        ("ranks = 4\nparameters = { L = [\"1us\", \"2 parsecs\"] }", "key 'parameters'"),
        ("ranks = 4\nplatform = \"conect=3us\"", "line 5, key 'platform'"),
        ("ranks = 4\nnoise = [\"none\",\n\"pink:mean=1us\"]", "line 6, key 'noise'"),
        ("ranks = 4\nentry = \"random:soon\"", "line 5, key 'entry'"),
        ("ranks = 4\ncompute = \"long\"", "line 5, key 'compute'"),
        ("ranks = 4\ncompute = \"1us\"\nbenchmark = \"osu\"", "line 5, key 'compute'"),
        ("ranks = 4\nentry = \"skew.txt\"", "line 5, key 'entry'"),
        ("ranks = 4\nrealisations = 0", "key 'realisations'"),
        ("ranks = 4\nbenchmark = \"osus\"", "line 5, key 'benchmark'"),
        ("ranks = 4\nbenchmark = \"osu:best\"", "line 5, key 'benchmark'"),
        ("ranks = 4\nbenchmark = \"osu\"\nbarrier = [\"tree\",\n\"openmpi\"]", "line 7, key 'barrier'"),
        ("ranks = 4\nbarrier = \"tree\"", "line 5, key 'barrier'"),
        ("ranks = 4 4", "line 4"),
    ];
    let said = cases.map(|(lines, place)| {
        let told = mistake(lines);
        assert!(told.starts_with("sweeps/small.toml line ") && told.contains(place), "{lines}: {told}");
        format!("{lines:?}\n  → {told}")
    });
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn algorithms_that_a_collective_lacks_are_left_out_but_unknown_ones_are_told() {
    let told = |text: &str| parse(text).unwrap_err().to_string();
    let unknown = told("# ?\noperation = \"barrier\"\nalgorithm = [\"linear\", \"ring2\"]\nranks = 4\n");
    assert!(unknown.contains("line 3, key 'algorithm'"), "{unknown}");
    let nothing = told("# ?\noperation = [\"bcast\", \"barrier\"]\nalgorithm = \"dissemination\"\nranks = 4\n");
    assert!(nothing.contains("line 2, key 'operation'"), "{nothing}");
    let question = told("operation = \"barrier\"\n");
    assert!(question.contains("line 1"), "{question}");
    insta::assert_snapshot!([unknown, nothing, question].join("\n"));
    let twice = parse("# ?\noperation = \"barrier\"\nalgorithm = [\"linear\", \"all\"]\nranks = 4\n").unwrap();
    assert_eq!(twice.points(), Algorithm::for_collective(models::collective::Collective::Barrier).count() as u64);
}

#[test]
fn all_algorithms_are_those_for_all_numbers_of_ranks_and_a_named_one_must_be() {
    let text = |algorithm: &str, ranks: &str| {
        format!("# ?\noperation = \"bcast\"\nalgorithm = \"{algorithm}\"\nranks = {ranks}\n")
    };
    let all = Algorithm::for_collective(models::collective::Collective::Bcast);
    assert_eq!(parse(&text("all", "[4, 8]")).unwrap().points(), 2 * all.count() as u64);
    let any =
        Algorithm::for_collective(models::collective::Collective::Bcast).filter(|algorithm| algorithm.ranks.include(6));
    assert_eq!(parse(&text("all", "[4, 6]")).unwrap().points(), 2 * any.count() as u64);
    assert_eq!(parse(&text("bine", "[4, 8]")).unwrap().points(), 2);
    let refused = parse(&text("bine", "[4, 6]")).unwrap_err().to_string();
    assert!(refused.contains("line 3, key 'algorithm'") && refused.contains("expected 4 or 8, found 6"), "{refused}");
}

const QUEUES: &str =
    "# Which?\noperation = \"bcast\"\nalgorithm = [\"shared:4KiB,8KiB:4MiB\", \"shared:8KiB:2\"]\nranks = 2\n";

#[test]
fn queues_in_shared_memory_are_algorithms_whose_model_is_memory() {
    let sweep =
        parse(&format!("{QUEUES}parameters = {{ tW = [\"50ns\", \"70ns\"] }}\nbytes = [8, \"1 MiB\"]\n")).unwrap();
    assert_eq!((sweep.points(), sweep.point(0).model), (3 * 2 * 2, "shared-memory"));
    let first = sweep.point(0);
    assert_eq!((first.called.name(), first.queue().unwrap().buffers()), ("shared:4KiB:1024:1:flat", 1024));
    let numbers = Axis::QUEUES.map(|axis| first.key().number(axis).unwrap());
    assert_eq!(numbers, [4096, 1024, 1, 4 << 20]);
    assert_eq!(
        [Axis::Fragment, Axis::Bytes].map(|over| first.listed.curve(over)),
        ["shared:f:4MiB:1:flat", "shared:4KiB:1024:1:flat"]
    );
    assert_eq!((first.place(Axis::Fragment), sweep.point(2).place(Axis::Bytes)), (4096.0, 1_048_576.0));
    assert_eq!([0, 1].map(|index| sweep.point(index).medium().unwrap().number("tW_ps")), [Some(5e4), Some(7e4)]);
    let network = parse(FULL).unwrap().point(0).key();
    assert_eq!(
        Axis::QUEUES.map(|axis| network.get(axis).cloned()),
        [const { None }; 4],
        "who sends messages has no queue"
    );
}

#[test]
fn messages_and_queues_are_not_mixed_up() {
    let message = |lines: &str| QUEUES.replace("ranks = 2\n", "") + lines;
    let with = |from: &str, to: &str| QUEUES.replace(from, to);
    let cases = [
        (message("ranks = 2\nmodel = \"loggops\""), "line 5, key 'model'"),
        (message("ranks = 2\nmodel = { name = \"logp\" }"), "line 5, key 'model'"),
        (message("ranks = 2\nmodel = [\"shared-memory\",\n\"hockney\"]"), "line 6, key 'model'"),
        (message("ranks = 2\nparameters = \"alpha=2us\""), "line 5, key 'parameters'"),
        (message("ranks = 2\nparameters = \"L=2us\""), "line 5, key 'parameters'"),
        (message("ranks = 2\nmodel = \"shared-memory\"\nsend_rule = \"busy\""), "line 6, key 'send_rule'"),
        (message("ranks = 2\nsegment_bytes = 1024"), "line 5, key 'segment_bytes'"),
        (message("ranks = 2\nfanout = 2"), "line 5, key 'fanout'"),
        (message("ranks = 2\nplatform = \"connect=3us\""), "line 5, key 'platform'"),
        (message("ranks = 2\nnoise = \"exponential:mean=10us,rate=100Hz\""), "line 5, key 'noise'"),
        (message("ranks = 2\nentry = \"random:10us\""), "line 5, key 'entry'"),
        (message("ranks = 2\ncompute = \"10us\""), "line 5, key 'compute'"),
        (message("ranks = 2\nrealisations = 4"), "line 5, key 'realisations'"),
        (message("ranks = 2\nbenchmark = \"osu\""), "line 5, key 'benchmark'"),
        (with("\"shared:8KiB:2\"", "\"binomial\""), "line 3, key 'algorithm'"),
        (with("shared:8KiB:2", "shared:8KiB:3:2"), "line 3, key 'algorithm'"),
        (with("bcast", "barrier"), "line 3, key 'algorithm'"),
        (with("\"bcast\"", "[\"bcast\", \"barrier\"]"), "line 2, key 'operation'"),
        (
            "# ?\noperation = \"bcast\"\nalgorithm = \"binomial\"\nranks = 2\nmodel = \"shared-memory\"".to_owned(),
            "line 5, key 'model'",
        ),
        (
            "# ?\noperation = \"bcast\"\nalgorithm = \"binomial\"\nranks = 2\nparameters = \"tW=50ns\"".to_owned(),
            "line 5, key 'parameters'",
        ),
    ];
    let said = cases.map(|(text, place)| {
        let told = parse(&text).expect_err(&text).to_string();
        assert!(told.starts_with("sweeps/small.toml line ") && told.contains(place), "{text}: {told}");
        let lines: Vec<&str> = text.lines().skip(1).collect();
        format!("{lines:?}\n  → {told}")
    });
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_library_takes_another_algorithm_with_another_number_of_ranks() {
    let text = "# ?\noperation = [\"bcast\", \"barrier\"]\nalgorithm = [\"linear\", \"openmpi-4.1\"]\nranks = [4, 64, 1024]\n\
        bytes = 8\nbarrier = [\"tree\", \"openmpi-4.1\"]\nbenchmark = [\"none\", \"osu\", \"osu:max\"]\n";
    let sweep = parse(text).unwrap();
    assert_eq!((sweep.points(), sweep.together()), (4 * 3 * 2 * 3, 3));
    let played = |index| {
        let point = sweep.point(index);
        let (algorithm, _) = point.played().unwrap();
        (point.called.name(), algorithm.name, point.barrier.at(point.shape).unwrap().0.name)
    };
    assert_eq!(played(0), ("linear", "linear", "tree"));
    // Open MPI's tables: broadcasts of 8 B are binary trees on 4 ranks and k-nomial ones on more.
    assert_eq!(played(18), ("openmpi-4.1", "binary", "tree"));
    assert_eq!(played(18 + 6), ("openmpi-4.1", "k-nomial", "tree"));
    assert_eq!(played(18 + 6 + 3), ("openmpi-4.1", "k-nomial", "dissemination"));
    assert_eq!(played(3 * 18 + 12), ("openmpi-4.1", "tree", "tree"));
    let names = [0, 1, 2].map(|index| sweep.point(index).key().text(Axis::Benchmark));
    assert_eq!(names, ["none", "osu", "osu:max"]);
    let barriers = [0, 1, 4].map(|index| sweep.point(index).key().text(Axis::Barrier));
    assert_eq!(barriers, ["", "tree", "openmpi-4.1"], "without a benchmark nobody calls one");
}

proptest! {
    /// Any axes: each index gives the values that nested loops would come by.
    #[test]
    fn points_come_in_the_order_of_nested_loops(
        ranks in proptest::collection::vec(1u32..100, 1..4),
        bytes in proptest::collection::vec(0u64..100, 1..4),
        seeds in proptest::collection::vec(0u64..100, 1..4),
        repeats in proptest::collection::vec(1u32..100, 1..4),
    ) {
        let text = format!("# ?\noperation = \"barrier\"\nalgorithm = \"linear\"\nranks = {ranks:?}\nbytes = {bytes:?}\nseed = {seeds:?}\ncalls = {repeats:?}\n");
        let sweep = parse(&text).unwrap();
        let mut index = 0;
        for &ranks in &ranks { for &bytes in &bytes { for &seed in &seeds { for &repeat in &repeats {
            let point = sweep.point(index);
            prop_assert_eq!((point.shape.ranks, point.shape.bytes, point.seed, point.repeat), (ranks, bytes, seed, repeat));
            index += 1;
        } } } }
        prop_assert_eq!(index, sweep.points());
    }

    /// Whatever the text: no panic.
    #[test]
    fn any_text_is_read_or_refused(value in "[-\\[\\]{}=\"a-z0-9^,. ]{0,30}", key in "(ranks|bytes|model|parameters|noise|entry|barrier|benchmark|samples)") {
        let _ = parse(&format!("# ?\noperation = \"barrier\"\nalgorithm = \"all\"\nranks = 4\n{key} = {value}\n"));
    }
}
