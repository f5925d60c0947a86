//! `parallax calibrate`, and simulations on the machines that it writes.

mod common;

use common::command::{Done, finish, mpi_program, parallax};
use common::said::{Page, said};
use models::collective::Collective;
use models::platform::Platform;
use models::time::Span;
use programs::machine::{Arithmetic, Bound, Machine, Rehearsed};
use programs::method::Preset;
use std::path::Path;
use tempfile::TempDir;

/// Calibrates simulated ranks in a folder.
fn calibrate(folder: &TempDir, arguments: &[&str]) -> Done {
    finish(parallax(folder).args(["calibrate", "--world", "simulated", "--longest", "64KiB"]).args(arguments))
}

fn machine(path: impl AsRef<Path>) -> Machine {
    let text = std::fs::read_to_string(&path).unwrap();
    Machine::parse("machine", &text).unwrap()
}

#[test]
fn simulated_ranks_are_calibrated_to_what_they_were_given_and_simulations_take_it() {
    let folder = tempfile::tempdir().unwrap();
    let platform = "connect=30us,load=0.4ns/B,idle-cost=10us:0/2ms:2us";
    let noise = "periodic:period=2ms,duration=10us";
    let given = ["--model", "loggp", "--set", "L=5us,o=1us,g=2us,G=0.5ns/B", "--platform", platform, "--noise", noise];
    let done = calibrate(&folder, &[&given[..], &["--ranks", "4", "--out", "mine.toml"]].concat());
    assert_eq!(done.code, 0, "{done:?}");
    for words in ["connect", "load(", "idle 2000 µs", "exit skew", "noise source", "what it means"] {
        assert!(done.stdout.contains(words), "{words}: {done:?}");
    }
    let found = machine(folder.path().join("mine.toml"));
    let refined = found.refinements(Bound::Best).unwrap();
    assert!(refined.connect.unwrap().time.0.abs_diff(Span::from_us(30).0) < 1_000, "{refined:?}");
    let calls = found.best_platform(Bound::Best, Arithmetic::Own).unwrap();
    let load = calls.refinements().and_then(|refined| refined.lines).unwrap().load.at(65_536);
    assert!((load.as_us() / 26.2144 - 1.0).abs() < 1e-2, "{load}");
    let given = Platform::parse(found.hockney(Bound::Best), platform, |_| unreachable!()).unwrap();
    for idle in [0, 10, 700, 2_000, 9_000].map(Span::from_us) {
        assert!(refined.idle.unwrap().after(idle).0.abs_diff(given.idle_cost(idle).0) < 1_000, "after {idle}");
    }
    assert_eq!(found.noise.unwrap().sources.len(), 1);
    for file in ["report.html", "samples.jsonl", "pictures/idle.svg", "pictures/noise.csv", "pictures/residuals.svg"] {
        assert!(folder.path().join("mine").join(file).is_file(), "{file}");
    }
    // What takes a model takes the machine: one call, curves, barriers.
    let call = ["bcast", "--algorithm", "linear", "--ranks", "4", "--bytes", "8"];
    let simulate = |more: &[&str]| finish(parallax(&folder).arg("simulate").args(call).args(more));
    let plain = simulate(&["--machine", "mine.toml"]);
    assert!(plain.code == 0 && !plain.stdout.contains("connect"), "connected ranks: {plain:?}");
    let connecting = simulate(&["--machine", "mine.toml", "--platform", "connect=30us"]);
    assert!(connecting.stdout.contains("connect 30.0 µs"), "{connecting:?}");
    let disturbed = simulate(&["--machine", "mine.toml", "--noise", "machine", "--realisations", "20"]);
    assert!(disturbed.code == 0 && disturbed.stdout.contains("periodic"), "{disturbed:?}");
    // The method's barrier leaves some of 13 ranks unconnected to the root, and cold buffers have to be loaded.
    let of_13 = call.map(|word| if word == "4" { "13" } else { word });
    let errors = ["--machine", "mine.toml", "--errors", "E1,E4,E8", "--reference", "cold"];
    let method = finish(parallax(&folder).arg("simulate").args(of_13).args(errors));
    assert!(method.code == 0 && !method.stdout.contains("does nothing"), "{method:?}");
    let sweep = |arguments: &str| finish(parallax(&folder).arg("sweep").args(arguments.split(' ')));
    let curves = sweep("bcast --over bytes --ranks 8 --machine mine.toml --bytes 8..1KiB");
    assert_eq!(curves.code, 0, "{curves:?}");
    let skew = sweep("barrier --quantity exit-skew --ranks 8 --machine mine.toml --noise machine");
    assert_eq!(skew.code, 0, "{skew:?}");
}

#[test]
fn a_machine_is_the_same_for_the_same_command_and_never_replaced_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let given = ["--model", "hockney", "--set", "alpha=20us,beta=1ns/B", "--noise", "exponential:mean=10us,rate=100Hz"];
    let path = |name: &str| folder.path().join("results/machines").join(name);
    let texts = ["simulated-2-001", "simulated-2-002"].map(|name| {
        assert_eq!(calibrate(&folder, &given).code, 0);
        let text = std::fs::read_to_string(path(&format!("{name}.toml"))).unwrap();
        text.lines().filter(|line| !line.starts_with("date")).collect::<Vec<_>>().join("\n").replace(name, "NAME")
    });
    assert_eq!(texts[0], texts[1]);
    // By its name, without folder and ending.
    let call = ["simulate", "barrier", "--algorithm", "tree", "--ranks", "4"];
    let done = finish(parallax(&folder).args(call).args(["--machine", "simulated-2-002"]));
    assert!(done.code == 0 && done.stdout.contains("Hockney"), "{done:?}");
    let again = calibrate(&folder, &["--out", "results/machines/simulated-2-001.toml"]);
    assert_eq!(again.code, 2, "{again:?}");
    insta::assert_snapshot!(said(&again, &[]));
    let replaced =
        calibrate(&folder, &["--out", "results/machines/simulated-2-001.toml", "--overwrite", "--format", "json"]);
    assert_eq!(replaced.code, 0, "{replaced:?}");
    let told: serde_json::Value = serde_json::from_str(&replaced.stdout).unwrap();
    let kept = machine(path("simulated-2-001.toml"));
    assert_eq!((&told["machine"], &told["date"]), (&"simulated-2-001".into(), &kept.provenance.date.into()));
    let alpha =
        told["estimates"].as_array().unwrap().iter().find(|one| one["parameter"] == "hockney.alpha_us").unwrap();
    let limits = ["value", "value_low", "value_high"].map(|limit| alpha[limit].as_f64().unwrap());
    assert_eq!(limits, [kept.hockney.alpha_us.value, kept.hockney.alpha_us.low, kept.hockney.alpha_us.high]);
    let latency = told["rows"].as_array().unwrap().iter().find(|row| row["name"] == "loggp L").unwrap();
    assert_eq!((&latency["unit"], &latency["value"]), (&"µs".into(), &kept.loggp.unwrap().latency_us.value.into()));
}

#[test]
fn threads_are_calibrated_to_no_less_than_the_network_that_they_play() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--world", "threads", "--set", "alpha=200us,beta=10ns/B", "--longest", "4KiB", "--launches", "1"];
    let done = finish(parallax(&folder).arg("calibrate").args(arguments).args(["--out", "threads.toml"]));
    assert_eq!(done.code, 0, "{done:?}");
    let found = machine(folder.path().join("threads.toml"));
    // However busy this machine is, no message takes less than α.
    assert!(found.transfer.iter().all(|point| point.half_round_trip_us.low >= 199.9), "{:?}", found.transfer);
    assert!(found.clock.is_some() && !found.exit_skew.is_empty() && found.idle.len() == 11, "{found:?}");
    assert!(found.noise.is_some() || found.notes.iter().any(|note| note.starts_with("oversubscribed")), "{found:?}");
    let samples = std::fs::read_to_string(folder.path().join("threads/samples.jsonl")).unwrap();
    assert!(samples.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    assert!(samples.lines().count() >= 5, "a line for each answer");
}

#[test]
fn every_machine_that_comes_with_the_program_is_found_by_its_name_and_simulates() {
    let folder = tempfile::tempdir().unwrap();
    let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/machines")).unwrap();
    let mut count = 0;
    for path in files.flatten().map(|entry| entry.path()) {
        let found = machine(&path);
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert_eq!(found.name, name);
        let is_published = found.provenance.how.starts_with("from printed numbers");
        let is_measured = found.connect_us.is_some() && found.clock.is_some() && found.noise.is_some();
        assert!(found.models().contains(&"loggops") && (is_published || is_measured), "{found:?}");
        assert!(!is_published || found.notes.iter().any(|note| note.contains("licence")), "{found:?}");
        for model in found.models() {
            let call = ["allreduce", "--algorithm", "ring", "--ranks", "8", "--bytes", "64KiB"];
            let more = ["--machine", name, "--model", model];
            let noise = if is_measured { &["--noise", "machine", "--realisations", "3"][..] } else { &[] };
            let done = finish(parallax(&folder).arg("simulate").args(call).args(more).args(noise));
            assert_eq!(done.code, 0, "{name}, {model}: {done:?}");
        }
        count += 1;
    }
    assert_eq!(count, programs::machine::KNOWN.len());
    let near = ["simulate", "barrier", "--algorithm", "tree", "--ranks", "4", "--machine", "openmp"];
    let done = finish(parallax(&folder).args(near));
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stderr.contains("openmpi?"), "{done:?}");
}

#[test]
fn mistakes_are_named_and_nothing_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.toml"), "name = \"m\"\ncontrol_us = \"soon\"\n").unwrap();
    let call = ["simulate", "barrier", "--algorithm", "tree", "--ranks", "4"];
    let mut page = Page::new();
    let wrong: [(&[&str], &str); 16] = [
        (&["calibrate", "--world", "simulated", "--ranks", "1"], "--ranks"),
        (&["calibrate", "--world", "simulated", "--clock", "tsc"], "--clock"),
        (&["calibrate", "--world", "simulated", "--out", "m.json"], "--out"),
        (&["calibrate", "--world", "simulated", "--overwrite"], "--overwrite"),
        (&["calibrate", "--world", "simulated", "--longest", "1"], "--longest"),
        (&["calibrate", "--world", "simulated", "--set", "L=soon"], "--set"),
        (&["calibrate", "--world", "simulated", "--quick", "--thorough"], "--quick"),
        (&["calibrate", "--world", "threads", "--noise", "machine"], "--noise"),
        (&["calibrate", "--world", "threads", "--machine", "m"], "--machine"),
        (&["calibrate", "--world", "threads", "--clock", "mpi_wtime"], "--clock"),
        (&["calibrate", "--world", "cloud"], "--world"),
        (&[&call[..], &["--machine", "nowhere"]].concat(), "--machine"),
        (&[&call[..], &["--machine", "broken.toml"]].concat(), "broken.toml line 2"),
        (&[&call[..], &["--machine", "openmpi", "--set", "L=1us"]].concat(), "--set"),
        (&[&call[..], &["--machine", "openmpi", "--model", "logp"]].concat(), "'logp'"),
        (&[&call[..], &["--noise", "machine"]].concat(), "--noise"),
    ];
    for (arguments, place) in wrong {
        let done = finish(parallax(&folder).args(arguments));
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{arguments:?}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments:?}: {done:?}");
        page.add(arguments, &done);
    }
    insta::assert_snapshot!(page);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["broken.toml"], "nothing but what was there");
}

/// What osu_bcast prints of two ranks, as if each call had taken these times.
fn osu_text() -> String {
    let rows = [(8, 0.2), (64, 0.2), (512, 0.4)].map(|(bytes, us)| format!("{bytes} {us:.2}\n"));
    format!("# OSU MPI Broadcast Latency Test v7.4\n# Size       Avg Latency(us)\n{}", rows.concat())
}

#[test]
fn real_ranks_rehearse_what_benchmarks_print() {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let Some(library) = ["mpich", "openmpi"].into_iter().find(|library| mpi_program(library).is_some()) else { return };
    if cores < 2 {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let asked = ["--world", library, "--longest", "512", "--launches", "1", "--rehearsals", "3", "--out", "m.toml"];
    let done = finish(parallax(&folder).arg("calibrate").args(asked));
    assert_eq!(done.code, 0, "{done:?}");
    let found = machine(folder.path().join("m.toml"));
    // What was timed while the machine changed its state is left out: which collectives remain differs. What remains of a
    // benchmark has all of its columns.
    let all: Vec<&Rehearsed> = found.states().flat_map(|state| &state.rehearsed).collect();
    assert!(!all.is_empty(), "nothing was rehearsed: {:?}", found.notes);
    for state in found.states() {
        let columns = |of: &Rehearsed| {
            let same = |one: &&Rehearsed| one.collective == of.collective && one.benchmark == of.benchmark;
            state.rehearsed.iter().filter(same).count()
        };
        assert!(state.rehearsed.iter().all(|one| columns(one) == 3), "least, mean and most: {:?}", state.rehearsed);
    }
    for one in &all {
        assert!((1..=3).contains(&one.launches) && one.bytes.len() == one.printed_per_reference.len(), "{one:?}");
        assert!(one.bytes.is_sorted() && one.bytes.iter().all(|&bytes| bytes <= 512), "{one:?}");
        assert!(one.printed_per_reference.iter().flatten().all(|&ratio| ratio > 0.0 && ratio.is_finite()), "{one:?}");
    }
    // A launch beside a busy core may say anything of one length.
    let mut ratios: Vec<f64> = all.iter().flat_map(|one| one.printed_per_reference.iter().flatten().copied()).collect();
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    assert!((0.1..10.0).contains(&median), "{median}: {all:?}");
    // A text that such ranks may have printed is corrected by them, where one state alone was met, in two launches.
    std::fs::write(folder.path().join("osu.txt"), osu_text()).unwrap();
    let corrected = finish(parallax(&folder).args([
        "correct",
        "osu.txt",
        "--machine",
        "m.toml",
        "--ranks",
        "2",
        "--format",
        "csv",
    ]));
    let printed = |one: &&Rehearsed| one.benchmark == Preset::Osu && one.column == "Avg Latency(us)";
    let of_osu: Vec<&Rehearsed> = found.rehearsed.iter().filter(printed).collect();
    let twice = found.other_states.is_empty()
        && of_osu.iter().any(|one| one.launches > 1)
        && of_osu.iter().any(|one| one.collective == Collective::Bcast && one.launches > 0);
    assert!(!twice || corrected.stdout.contains(",rehearsed,") || corrected.code == 1, "{corrected:?}");
    let none = ["--rehearsals", "0", "--out", "none.toml", "--world", library, "--longest", "512", "--launches", "1"];
    assert_eq!(finish(parallax(&folder).arg("calibrate").args(none)).code, 0);
    assert!(machine(folder.path().join("none.toml")).states().all(|state| state.rehearsed.is_empty()));
}

#[test]
fn pairs_of_ranks_on_near_and_far_cores_have_parameters_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, latency, load, line_ns) in [("near.toml", "1us", "0.1", 31.0), ("far.toml", "8us", "0.5", 112.0)] {
        let network = format!("L={latency},o=1us,g=2us,G=0.5ns/B");
        let load = format!("load={load}ns/B");
        let given = ["--model", "loggp", "--set", &network, "--platform", &load, "--out", name];
        assert_eq!(calibrate(&folder, &given).code, 0);
        let state = Machine { line_ns: Some(line_ns), ..machine(at(name)) };
        std::fs::write(at(name), state.text()).unwrap();
    }
    let lines =
        "core_a,core_b,line_ns,class\n0,1,30,near\n0,8,110,far\n0,9,110,far\n1,8,110,far\n1,9,110,far\n8,9,30,near\n";
    std::fs::write(at("lines.csv"), lines).unwrap();
    let call = ["bcast", "--algorithm", "linear", "--bytes", "8"];
    let simulate = |ranks: &str, more: &[&str]| {
        finish(parallax(&folder).arg("simulate").args(call).args(["--ranks", ranks]).args(more))
    };
    let both = ["--machine", "near.toml,far.toml", "--pairs", "lines.csv", "--model", "loggp"];
    let done = simulate("4", &[&both[..], &["--per-rank", "--details"]].concat());
    let words = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(done.code == 0 && words.contains("2 of 31 ns: LogGP, L = 1.00 µs"), "{done:?}");
    assert!(words.contains("4 of 112 ns: LogGP, L = 8.00 µs"), "{done:?}");
    let refused = simulate("4", &["--machine", "near.toml", "--pairs", "lines.csv"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    insta::assert_snapshot!(said(&refused, &[]));
    assert_eq!(simulate("2", &["--machine", "near.toml", "--pairs", "lines.csv"]).code, 0, "cores 0 and 1 are near");
    assert_eq!(simulate("2", &["--pairs", "lines.csv"]).code, 2, "of which machine?");
    // Ranks on two far cores are calibrated to the far state's parameters.
    std::fs::write(at("two.csv"), "core_a,core_b,line_ns\n0,8,110\n").unwrap();
    let two = ["--machine", "near.toml,far.toml", "--pairs", "two.csv", "--model", "loggp", "--out", "back.toml"];
    let done = calibrate(&folder, &two);
    assert_eq!(done.code, 0, "{done:?}");
    let [back, far] = ["back.toml", "far.toml"].map(|name| machine(at(name)));
    let latency = |machine: &Machine| machine.loggp.as_ref().unwrap().latency_us.value;
    assert!((latency(&back) - 8.0).abs() < 1e-3 && (latency(&far) - 8.0).abs() < 1e-3, "{:?}", back.loggp);
    let load = |machine: &Machine| machine.lines.last().unwrap().load_us.value;
    assert!((load(&back) / load(&far) - 1.0).abs() < 1e-3, "{} {}", load(&back), load(&far));
}
