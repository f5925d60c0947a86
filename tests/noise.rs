//! `parallax noise collect` on real ranks: files that are whole and read again, and what is refused.

mod common;

use common::command::{Done, Running, finish, mpi_program, parallax};
use common::said::said;
use models::noise::read;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

fn run(folder: &TempDir, line: &str) -> Done {
    finish(parallax(folder).args(line.split(' ')))
}

fn json(folder: &TempDir, line: &str) -> Value {
    let done = run(folder, line);
    assert_eq!(done.code, 0, "{line}: {done:?}");
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[test]
fn a_thread_records_files_that_are_told_kept_and_played() {
    let folder = tempfile::tempdir().unwrap();
    for (method, most) in [("selfish", ""), ("fwq", " --threshold 1us"), ("selfish", " --most 48B --threshold 20ns")] {
        let out = format!("{method}{}", most.len());
        let all = json(
            &folder,
            &format!("noise collect --ranks 1 --time 200ms --method {method}{most} --format json --quiet --out {out}"),
        );
        let rank = &all["ranks"][0];
        let (detours, kept) = (rank["detours"].as_u64().unwrap(), rank["kept"].as_u64().unwrap());
        let ps = |name: &str| (rank[name].as_f64().unwrap() * 1e6).round() as u64;
        assert!(ps("watched_us") >= 200_000_000_000, "{rank}");
        let name = format!("{out}/rank-000000.detours");
        let trace = read::trace(&name, &fs::read(folder.path().join(&name)).unwrap(), None).unwrap();
        assert_eq!(trace.detours.len() as u64, kept, "{rank}");
        assert_eq!(trace.says("detours"), Some(detours.to_string().as_str()));
        assert_eq!((trace.says("rank"), trace.says("method")), (Some("0"), Some(method)));
        let taken: u64 = trace.detours.iter().map(|detour| detour.duration.0).sum();
        if most.contains("--most") {
            // Whoever plays the file plays the time that it covers, and no quiet time behind.
            assert_eq!(kept, 3.min(detours), "{rank}");
            assert_eq!(trace.length.0, ps("covered_us"));
        } else {
            assert_eq!((kept, taken), (detours, ps("taken_us")));
        }
        let shown = json(&folder, &format!("noise show {out} --format json"));
        assert!(shown["length_us"].as_f64().unwrap() > 0.0, "{shown}");
        let played = run(&folder, &format!("simulate barrier --ranks 8 --noise trace:{out} --realisations 3"));
        assert_eq!(played.code, 0, "{played:?}");
    }
    let counted = json(&folder, "noise collect --ranks 1 --time 100ms --method ftq --format json --quiet --out ftq");
    let name = folder.path().join("ftq/rank-000000.counts");
    let work = read::counts("ftq", &fs::read(name).unwrap()).unwrap();
    assert_eq!(work.counts.len(), 100);
    assert_eq!(counted["ranks"][0]["most_units"].as_u64(), Some(work.most()));

    let report = run(&folder, "report fwq16");
    assert_eq!(report.code, 0, "{report:?}");
    let compared = run(&folder, "compare fwq16 fwq16 --format csv");
    assert_eq!(compared.code, 0, "{compared:?}");
    let resumed = run(&folder, "noise collect --resume --out fwq16");
    assert_eq!(resumed.code, 0, "{resumed:?}");
}

#[test]
fn ranks_of_both_libraries_record_as_threads_do() {
    for world in ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()) {
        let folder = tempfile::tempdir().unwrap();
        let all = json(
            &folder,
            &format!("noise collect --ranks 1 --time 100ms --world {world} --format json --quiet --out a"),
        );
        assert_eq!(all["world"], world, "{all}");
        assert!(folder.path().join("a/rank-000000.detours").exists());
    }
}

#[test]
fn a_watch_that_is_interrupted_says_what_was_seen() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = Running::start(parallax(&folder).args(["noise", "watch", "--ranks", "1"]));
    common::command::wait_for("a process of ranks", || running.world_of_threads());
    std::thread::sleep(std::time::Duration::from_secs(2));
    running.signal(libc::SIGINT);
    let done = running.finish();
    assert_eq!(done.code, 0, "{done:?}");
    let summary = &done.stdout;
    assert!(summary.starts_with("rank   0 ") && summary.lines().count() == 1, "{done:?}");
    assert!(summary.contains(" lost ") && summary.contains(" detours, longest "), "{done:?}");
}

#[test]
fn what_does_not_fit_into_a_recording_is_refused_and_campaigns_keep_their_report() {
    let folder = tempfile::tempdir().unwrap();
    let line = "noise collect --ranks 1 --time 20ms --threshold 1ns --quiet --out a";
    let done = run(&folder, line);
    assert!(done.code == 0 && done.stdout.contains("the threshold of 1.00 ns is below the "), "{done:?}");
    assert_eq!(run(&folder, "report a").code, 0);
    let report = fs::read(folder.path().join("a/report.html")).unwrap();
    let mut all = Vec::new();
    for line in [
        "noise predict a --grains 10ms*3 --from 0s --to 10ms",
        "noise predict a --grains 1s --from 0s --to 15ms",
        "noise fit a --grain 1s,2s --from 0s --to 15ms",
        "noise show a --out a",
    ] {
        let done = run(&folder, line);
        assert_eq!(done.code, 2, "{line}: {done:?}");
        all.push(said(&done, &[]));
    }
    assert_eq!(fs::read(folder.path().join("a/report.html")).unwrap(), report);
    let elsewhere = run(&folder, "noise show a --out b");
    assert!(elsewhere.code == 0 && folder.path().join("b/report.html").exists(), "{elsewhere:?}");
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_killed_collection_leaves_whole_files_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let line = "noise collect --ranks 1 --time 2s --quiet --out a";
    let mut running = Running::start(parallax(&folder).args(line.split(' ')));
    common::command::wait_for("a process of ranks", || running.world_of_threads());
    running.signal(libc::SIGKILL);
    running.finish();
    assert!(!folder.path().join("a/rank-000000.detours").exists(), "it was not done");
    let resumed = run(&folder, "noise collect --resume --out a --quiet --format json");
    assert_eq!(resumed.code, 0, "{resumed:?}");
    let bytes = fs::read(folder.path().join("a/rank-000000.detours")).unwrap();
    read::trace("a", &bytes, None).unwrap();
}

#[test]
fn generators_say_what_they_reached_and_what_a_command_takes() {
    let folder = tempfile::tempdir().unwrap();
    let cpu = measure::cpus::allowed()[0];
    let last = |line: &str| -> Value {
        let done = run(&folder, line);
        assert_eq!(done.code, 0, "{line}: {done:?}");
        serde_json::from_str(done.stdout.lines().last().unwrap()).unwrap()
    };
    let bursts =
        last(&format!("noise inject cpu --cpus {cpu} --period 20ms --duration 2ms --time 600ms --format json"));
    assert!(bursts["total"][0]["events"].as_u64().unwrap() > 0, "{bursts}");
    for generator in ["memory --bytes 1MiB", "io --volume 1MiB", "net", "net --protocol udp --server sequential"] {
        let reached = last(&format!("noise inject {generator} --time 200ms --format json"));
        assert!(reached["total"][0]["moved_bytes"].as_u64().unwrap() > 0, "{generator}: {reached}");
    }
    let beside = last("noise inject memory --bytes 1MiB --runs 2 --format json -- sleep 0.1");
    assert_eq!(beside["command"], "sleep 0.1");
    let runs = beside["runs"].as_array().unwrap();
    let sides: Vec<&str> = runs.iter().map(|run| run["side"].as_str().unwrap()).collect();
    assert_eq!(sides, ["alone", "alone", "disturbed", "disturbed"]);
    assert!(runs.iter().all(|run| run["time_s"].as_f64().unwrap() >= 0.1), "{beside}");
    let failed = run(&folder, "noise inject memory --bytes 1MiB --runs 1 -- false");
    assert!(failed.code == 1 && failed.stderr.contains("false failed"), "{failed:?}");
    let wrong = [
        "cpu --cpus 60000",
        "cpu --cpus 0 --period 1ms --duration 2ms",
        "io --folder nowhere",
        "net --rate 0",
        "memory --runs 1 -- nosuchprogram",
    ];
    let said: Vec<String> = wrong
        .map(|line| {
            let done = run(&folder, &format!("noise inject {line}"));
            assert_eq!(done.code, 2, "{line}: {done:?}");
            done.stderr
        })
        .into();
    insta::assert_snapshot!(said.concat());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
}

#[test]
fn predictions_are_held_against_work_and_the_proof_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let line = "noise prove --world threads --ranks 1 --time 300ms --grain 100us,1ms --quiet --out a --format json";
    let proof = json(&folder, line);
    let points = proof["points"].as_array().unwrap();
    assert_eq!(points.len(), 2, "{proof}");
    for point in points {
        let (alone, measured) = (point["alone_us"].as_f64().unwrap(), point["measured_us"].as_f64().unwrap());
        // Beside other tests a CPU may be shared with several.
        assert!(measured > 0.9 * alone && measured < 50.0 * alone, "{point}");
        assert!(point["played_us"].as_f64().unwrap() >= alone, "{point}");
    }
    assert!(folder.path().join("a/before/rank-000000.detours").exists());
    let again = json(&folder, "noise prove --resume --out a --quiet --format json");
    assert_eq!(again["points"], proof["points"], "it is complete");
    assert_eq!(run(&folder, "report a").code, 0);
}

/// With synchronisations that cost nothing, calls with a grain before each are launches played over the recording.
#[test]
fn the_simulator_and_the_prediction_play_grains_alike() {
    let folder = tempfile::tempdir().unwrap();
    let traces = ["100000 20000\n400000 50000", "110000 20000\n600000 10000", "415000 30000"];
    for (rank, detours) in traces.iter().enumerate() {
        let text = format!("# length_ns=1000000\n# rank={rank}\n{detours}\n");
        fs::write(folder.path().join(format!("{rank}.detours")), text).unwrap();
    }
    for (ranks, grain) in [(1, 60), (2, 60), (3, 60), (3, 7)] {
        let predicted = json(&folder, &format!("noise predict . --grains {grain}us*3 --ranks {ranks} --format json"));
        let row = &predicted["rows"][0];
        let launches = row["launches"].as_u64().unwrap();
        let line = format!(
            "simulate barrier --algorithm linear --ranks {ranks} --model loggp --set L=0,o=0,g=0,G=0 --noise trace:.,phase=0 \
             --compute {grain}us --calls {} --format json",
            3 * launches
        );
        let simulated = json(&folder, &line);
        let last = simulated["call_finishes"].as_array().unwrap().last().unwrap()["finish_ps"].as_u64().unwrap();
        let mean_us = last as f64 / 1e6 / launches as f64;
        assert!(
            (mean_us - row["mean_us"].as_f64().unwrap()).abs() < 1e-6,
            "{ranks} ranks, {grain} us: {mean_us} {row}"
        );
    }
}

#[test]
fn what_cannot_be_recorded_is_said_before_anything_is() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        "noise collect --time 2d",
        "noise collect --time 1us",
        "noise collect --ranks 70000",
        "noise collect --cpus 0-",
        "noise collect --cpus 0,0",
        "noise collect --method fwq --quantum 1ns",
        "noise collect --method ftq --interval 1us",
        "noise collect --method ftq --interval 1s --time 10ms",
        "noise collect --method ftq --most 16B",
        "noise collect --cpus 65000 --time 10ms --out a",
        "noise collect --cpus 0 --ranks 3 --time 10ms --out a",
    ];
    let mut all = Vec::new();
    for line in lines {
        let done = run(&folder, line);
        assert_eq!(done.code, 2, "{line}: {done:?}");
        let host = measure::board::host_name();
        let cpus = measure::cpus::allowed().iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        all.push(said(&done, &[(&host, "HOST"), (&format!("run on {cpus}"), "run on CPUS")]));
    }
    assert!(!folder.path().join("a").exists(), "nothing is left");
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn what_ranks_print_under_noise_is_said_to_be_held_against_a_reference_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let plain = "simulate bcast --algorithm linear --ranks 4 --bytes 8";
    for way in ["--method window", "--benchmark osu", "--errors E2,E6"] {
        let noisy = format!("{plain} {way} --noise fixed:duration=60us,rate=4kHz");
        let (still, noisy) = (run(&folder, &format!("{plain} {way}")), run(&folder, &noisy));
        assert_eq!((still.code, noisy.code), (0, 0), "{noisy:?}");
        assert!(!still.stdout.contains("without") && noisy.stdout.contains("to the reference without it"), "{noisy:?}");
    }
    let of = |more: &str| json(&folder, &format!("{plain} --method window --format json{more}"));
    let (still, noisy) = (of(""), of(" --noise fixed:duration=60us,rate=4kHz"));
    assert_eq!((still.get("reference_has_noise"), &noisy["reference_has_noise"]), (None, &false.into()));
    assert_eq!(still["reference_us"], noisy["reference_us"], "it is without noise");
    let told = run(&folder, &format!("{plain} --method window --noise fixed:duration=60us,rate=4kHz")).stdout;
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("µs without noise; window prints") && told.ends_with("times the reference without noise"),
        "{told}"
    );
}

#[test]
fn a_report_on_recorded_noise_has_the_rows_that_noise_show_prints() {
    let folder = tempfile::tempdir().unwrap();
    let recorded = run(&folder, "noise collect --time 50ms --ranks 1 --out noise");
    assert_eq!(recorded.code, 0, "{recorded:?}");
    let (csv, shown) = (run(&folder, "report noise --format csv"), run(&folder, "noise show noise --format csv"));
    assert_eq!((csv.code, csv.stdout), (0, shown.stdout), "{}", csv.stderr);
}
