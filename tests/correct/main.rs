//! `parallax correct`: what simulated and real ranks print as benchmarks do is corrected to the truth.

mod another_library;
mod buffers;
#[path = "../common/mod.rs"]
mod common;
mod proof;
mod rehearsed;

use common::command::{Done, finish, parallax};
use common::said::Page;
use common::{order, settings, table};
use models::clock::{GlobalClock, Ticks, Timescale};
use models::collective::Collective;
use models::network::{Rendezvous, SendRule};
use programs::budget::{Configuration, Design, Round, SystematicError};
use programs::machine::{
    Arithmetic, Bound, Estimate, HockneyEstimate, IdlePoint, LogGopsEstimate, Machine, Provenance,
};
use programs::method::{Buffer, Method, Order, Preset};
use programs::observation::{
    Carrier, Case, CasePlace, CaseSubject, CaseTiming, Conditions, Implementation, Observation, RankRecord, Stamp,
    World,
};
use scenario::store::{FORMAT, Line, Writer};
use serde_json::Value;
use sim::Predictor;
use std::fmt::Write;

const LENGTHS: [u64; 3] = [8, 1024, 65536];
const RANKS: u32 = 5;
/// Calls of every simulated benchmark.
const CALLS: u32 = 12;

fn data(name: &str) -> String {
    format!("{}/formats/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn provenance(ran_by: &str) -> Provenance {
    Provenance {
        date: "2026-01-01T00:00:00Z".to_owned(),
        host: "nowhere".to_owned(),
        ran_by: ran_by.to_owned(),
        how: "Invented.".to_owned(),
        confidence: 0.95,
    }
}

/// A machine, times slower than usual, of which everything is known within this share.
fn machine(slower: f64, unsure: f64, ran_by: &str) -> Machine {
    let estimate = |value: f64| {
        let value = value * slower;
        Estimate { value, low: value * (1.0 - unsure), high: value * (1.0 + unsure) }
    };
    let hockney =
        HockneyEstimate { alpha_us: estimate(150.0), beta_ns_per_byte: estimate(5.0), send_rule: SendRule::Eager };
    let mut machine = Machine::new("invented", provenance(ran_by), hockney);
    machine.control_us = 50.0 * slower;
    machine.loggops = Some(LogGopsEstimate {
        eager_limit_bytes: Some(4096),
        rendezvous: Rendezvous::default(),
        latency_us: estimate(100.0),
        overhead_send_us: estimate(20.0),
        overhead_receive_us: estimate(30.0),
        gap_us: estimate(10.0),
        gap_per_byte_ns: estimate(5.0),
        overhead_per_byte_ns: estimate(1.0),
    });
    machine.connect_us = Some(estimate(300.0));
    machine.idle = vec![
        IdlePoint { idle_us: 0.0, cost_us: estimate(0.0) },
        IdlePoint { idle_us: 10_000.0 * slower, cost_us: estimate(80.0) },
    ];
    machine
}

fn simulated(machine: &Machine) -> Predictor {
    let network = machine.best_platform(Bound::Best, Arithmetic::Own).unwrap();
    Predictor { control: machine.control(), network: network.clone(), ..Predictor::perfect(network.network) }
}

fn call(bytes: u64) -> Order {
    let mut order = order(Collective::Bcast, "binomial", RANKS, bytes, Method::Window);
    order.settings = settings(Method::Window);
    (order.settings.calls, order.settings.samples, order.settings.warmup) = (CALLS, 1, 2);
    order
}

/// What a machine prints of a broadcast, in the form of a benchmark.
fn printed(preset: Preset, on: &Predictor) -> String {
    let configuration = Configuration::preset(preset, None).unwrap();
    let mut text = match preset {
        Preset::Osu => "# OSU MPI Broadcast Latency Test v7.4\n# Size       Avg Latency(us)\n".to_owned(),
        Preset::Imb => format!(
            "#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part\n# Benchmarking Bcast\n# #processes = {RANKS}\n\
             #bytes #repetitions t_avg[usec]\n"
        ),
        Preset::Mpiperf => "# mpiperf 0.0.3 report\n# Benchmark: Bcast\n# [Procs] [Count] [TRuns] [Mean]\n".to_owned(),
        Preset::Reprompi => format!(
            "#Command-Line Arguments: mpibenchmark --datatype=MPI_BYTE --proc-sync=roundtime\n#@nprocs={RANKS}\n\
             test count total_nrep valid_nrep mean_sec\n"
        ),
        Preset::Skampi => "# SKaMPI Version 5.0.4 rev. 355\n# begin result \"MPI_Bcast-length\"\n".to_owned(),
        Preset::Pico => {
            "run,nodes,ranks_per_node,collective,library,version,algorithm,elements,dtype,calls,first_ns,min_ns,p10_ns,\
                         p25_ns,median_ns,p75_ns,p90_ns,mean_ns,max_ns\n"
                .to_owned()
        }
        Preset::Imb3 | Preset::Mpibench | Preset::MpiperfPaper | Preset::Mpptest | Preset::NcclTests => {
            unreachable!("its text is not read")
        }
    };
    for bytes in LENGTHS {
        let mut order = call(bytes);
        if preset == Preset::Pico {
            // Of the day of its text.
            order.settings.barrier = Implementation::Own("recursive-doubling".to_owned());
        }
        let us = on.printed(&configuration, &order).unwrap();
        let _ = match preset {
            Preset::Osu => writeln!(text, "{bytes} {us:.2}"),
            Preset::Imb => writeln!(text, "{bytes} {CALLS} {us:.2}"),
            Preset::Mpiperf => writeln!(text, "{RANKS} {bytes} {CALLS} {us:.2}"),
            Preset::Reprompi => writeln!(text, "MPI_Bcast {bytes} {CALLS} {CALLS} {:.10}", us / 1e6),
            Preset::Skampi => writeln!(text, "count= {bytes} {bytes} {us:.1} 0.0 {CALLS}"),
            Preset::Pico => {
                let ns = format!("{:.0}", us * 1e3);
                let case = format!("2025_05_01,{RANKS},1,BCAST,OMPI,4.1.6,binomial_ompi,{bytes},int8,{CALLS}");
                writeln!(text, "{case}{}", format!(",{ns}").repeat(9))
            }
            Preset::Imb3 | Preset::Mpibench | Preset::MpiperfPaper | Preset::Mpptest | Preset::NcclTests => Ok(()),
        };
    }
    text
}

/// An answer as JSON.
fn corrected_json(folder: &tempfile::TempDir, arguments: &[&str]) -> Value {
    let done = finish(parallax(folder).arg("correct").args(arguments).args(["--format", "json"]));
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{arguments:?}: {done:?}");
    serde_json::from_str(&done.stdout).unwrap()
}

/// The rows of an answer.
fn rows(folder: &tempfile::TempDir, arguments: &[&str]) -> Vec<Value> {
    corrected_json(folder, arguments)["numbers"].as_array().unwrap().clone()
}

/// What each error contributes to a row's number.
fn contributions(row: &Value) -> impl Iterator<Item = f64> {
    let name = |error: SystematicError| format!("{}_us", error.name().replace('-', "_"));
    SystematicError::ALL.into_iter().map(move |error| row[name(error)].as_f64().expect("a contribution"))
}

const TOOLS: [Preset; 6] = [Preset::Osu, Preset::Imb, Preset::Mpiperf, Preset::Pico, Preset::Reprompi, Preset::Skampi];

#[test]
fn what_a_simulated_machine_prints_is_corrected_to_its_reference() {
    let folder = tempfile::tempdir().unwrap();
    // The machine is known within 10 %; it is as it was, and then a fifth slower as a whole.
    std::fs::write(folder.path().join("machine.toml"), machine(1.0, 0.1, "nobody").text()).unwrap();
    for slower in [1.0, 1.2] {
        let on = simulated(&machine(slower, 0.0, "nobody"));
        for preset in TOOLS {
            std::fs::write(folder.path().join("printed.txt"), printed(preset, &on)).unwrap();
            let arguments = ["printed.txt", "--machine", "machine.toml", "--ranks", "5", "--algorithm", "binomial"];
            let rows = rows(&folder, &[&arguments[..], &["--reference", "cold"]].concat());
            assert_eq!(rows.len(), LENGTHS.len(), "{preset}");
            for (row, bytes) in rows.iter().zip(LENGTHS) {
                let truth = on.printed(&Configuration::perfect(), &call(bytes)).unwrap();
                let number = |name: &str| row[name].as_f64().unwrap();
                // All that is lost is what rounding took of the printed number.
                let rounding = 0.05 / number("printed_us") + 1e-6;
                let found = number("corrected_us");
                assert!((found / truth - 1.0).abs() <= rounding, "{preset}, {bytes} B: {found} {truth}\n{row:#}");
                let interval = number("corrected_low_us")..=number("corrected_high_us");
                assert!(interval.contains(&truth), "{preset}, {bytes} B: {truth} in {interval:?}");
                assert!((row["scale"].as_f64().unwrap() / slower - 1.0).abs() <= rounding);
                // What each error added leads from the corrected number to the printed one.
                let bars: f64 = contributions(row).sum();
                let sum = found + bars + number("remainder_us");
                assert!((sum / number("printed_us") - 1.0).abs() < 1e-9, "{preset}, {bytes} B: {row:#}");
            }
        }
    }
}

#[test]
fn every_tool_s_own_texts_go_through() {
    let folder = tempfile::tempdir().unwrap();
    // About what two ranks of a node are like, and a library whose choices are known.
    let mut known = machine(0.004, 0.2, "Open MPI 4.1.4, two ranks");
    known.idle.clear();
    std::fs::write(folder.path().join("machine.toml"), known.text()).unwrap();
    let files: Vec<String> =
        std::fs::read_dir(data("")).unwrap().flatten().map(|file| file.path().display().to_string()).collect();
    assert!(files.len() > 15);
    for file in &files {
        let arguments = ["--machine", "machine.toml", "--ranks", "2", "--format", "csv"];
        let done = finish(parallax(&folder).args(["correct", file]).args(arguments));
        // Some hold nothing that can be corrected; each of their rows says why.
        assert!((0..=1).contains(&done.code), "{done:?}");
        let lines: Vec<&str> = done.stdout.lines().skip(1).collect();
        assert!(!lines.is_empty(), "{file}");
        let corrected = |line: &&&str| !line.contains("not corrected: ");
        assert_eq!(lines.iter().filter(corrected).count() > 0, done.code == 0, "{done:?}");
    }
    let find = |name: &str| files.iter().find(|file| file.contains(name)).unwrap();
    let of = |name: &str| rows(&folder, &[find(name), "--machine", "machine.toml", "--ranks", "2"]);
    for name in ["osu.default.bcast", "imb.default.bcast", "imb.sync0.bcast", "reprompi.barrier.bcast"] {
        let any = of(name).iter().any(|row| row["corrected_us"].is_number());
        assert!(any, "{name}: {:#?}", of(name));
    }
}

#[test]
fn what_cannot_be_right_ends_with_code_2() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("machine.toml"), machine(1.0, 0.1, "nobody").text()).unwrap();
    std::fs::write(folder.path().join("broken.toml"), "name = \"x\"\n[hockney]\nalpha_us = 3\n").unwrap();
    std::fs::write(folder.path().join("prose.txt"), "no benchmark\n").unwrap();
    let osu = data("osu.default.bcast.np2.r7.txt");
    let machine = ["--machine", "machine.toml"];
    let mut page = Page::new();
    let mut refused = |arguments: &[&str], place: &str| {
        let done: Done = finish(parallax(&folder).arg("correct").args(arguments));
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{arguments:?}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments:?}: {done:?}");
        page.add(arguments, &done);
    };
    refused(&[&osu], "--machine");
    refused(&[&osu, "--machine", "none.toml"], "none.toml: ");
    refused(&[&osu, "--machine", "broken.toml"], "broken.toml line ");
    let with = |more: &[&'static str]| [&[osu.as_str()], &machine[..], more].concat();
    refused(&with(&["--algorithm", "magic"]), "--algorithm");
    refused(&with(&["--algorithm", "lam-7"]), "openmpi-4.1");
    refused(&with(&["--ranks", "1"]), "--ranks");
    refused(&with(&["--column", "p42"]), "--column p42: ");
    refused(&with(&["--budget", "nowhere"]), "--budget nowhere: ");
    refused(&[&["prose.txt"], &machine[..]].concat(), "prose.txt line 1: ");
    // All that is missing is asked for at once.
    std::fs::copy(&osu, folder.path().join("osu.txt")).unwrap();
    refused(&["osu.txt"], "--machine");
    refused(&[&["osu.txt"], &machine[..]].concat(), "--ranks");
    refused(&with(&["--ranks", "2", "--bytes", "8"]), "--bytes");
    refused(&with(&["--prove", "bcast"]), "--prove");
    refused(&["--prove", "magic"], "magic");
    refused(&["--prove", "ibcast"], "--prove");
    refused(&["--prove", "bcast", "--rounds", "4"], "--rounds");
    refused(&["--prove", "bcast", "--benchmark", "netpipe"], "--benchmark");
    refused(&["--prove", "bcast", "--ranks", "1"], "--ranks");
    refused(&["--prove", "bcast", "--algorithm", "ring"], "--algorithm");
    refused(&["--prove", "bcast", "--bytes", "many"], "--bytes: ");
    insta::assert_snapshot!(page);
    assert!(!folder.path().join("results/correct-001").exists(), "nothing was begun");
}

#[test]
fn nobody_corrects_beyond_what_was_calibrated_or_known() {
    let folder = tempfile::tempdir().unwrap();
    let mut known = machine(1.0, 0.1, "nobody");
    let one = Estimate { value: 100.0, low: 99.0, high: 101.0 };
    known.transfer = vec![programs::machine::TransferPoint { bytes: 2048, half_round_trip_us: one, fitted_us: 100.0 }];
    std::fs::write(folder.path().join("machine.toml"), known.text()).unwrap();
    std::fs::write(folder.path().join("printed.txt"), printed(Preset::Osu, &simulated(&known))).unwrap();
    let told = |arguments: &[&str]| {
        let done =
            finish(parallax(&folder).args(["correct", "printed.txt", "--machine", "machine.toml"]).args(arguments));
        (done.code, done.stdout)
    };
    let (code, text) = told(&["--ranks", "5", "--algorithm", "binomial"]);
    assert_eq!(code, 0, "{text}");
    // Below the table: the model says 150 µs and more for a message that took 100.
    let below = |text: &str| text.split_once("\n\n").expect("a table").1.to_owned();
    assert!(below(&text).contains("2048 B"), "{text}");
    insta::assert_snapshot!("lengths_beyond_what_was_calibrated", below(&text));
    assert_eq!(told(&["--algorithm", "binomial"]), (2, String::new()), "on how many ranks, no text says");
    assert_eq!(told(&["--ranks", "5"]), (2, String::new()), "by which algorithm, nobody says");
    let (_, text) = told(&["--ranks", "5", "--algorithm", "openmpi-4.1"]);
    insta::assert_snapshot!("numbers_of_another_machine_or_algorithm", below(&text));
}

#[test]
fn machines_of_other_hosts_and_ranks_that_only_names_say_are_named_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let mut known = machine(1.0, 0.1, "nobody");
    std::fs::write(folder.path().join("other.toml"), known.text()).unwrap();
    std::fs::write(folder.path().join("osu.np5.txt"), printed(Preset::Osu, &simulated(&known))).unwrap();
    known.provenance.host = measure::board::host_name();
    std::fs::write(folder.path().join("own.toml"), known.text()).unwrap();
    let arguments = ["osu.np5.txt", "--algorithm", "binomial", "--machine", "other.toml"];
    let told = |format: &str| {
        let done = finish(parallax(&folder).arg("correct").args(arguments).args(["--format", format]));
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{format}: {done:?}");
        done.stdout
    };
    let other = corrected_json(&folder, &arguments);
    let [host, name] = [0, 1].map(|warning| other["notes"][warning].as_str().expect("a warning"));
    assert!(host.contains("nowhere") && name.contains("osu.np5.txt") && name.contains("--ranks"), "{other:#}");
    insta::assert_snapshot!([host, name].join("\n"));
    let table = told("table").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(table.contains(&format!("! {name}")) && table.contains(&format!("! {host}")), "{table}");
    assert!(table.matches("nowhere").count() >= 2, "the answer names the host, too: {table}");
    let markdown = told("markdown");
    assert!(markdown.contains(&format!("> {name}")) && markdown.contains(&format!("> {host}")), "{markdown}");
    for row in table::rows(&told("csv")) {
        assert_eq!(
            (&*row["machine"], &*row["machine_host"], &*row["machine_origin"]),
            ("invented", "nowhere", "other-host")
        );
        assert_eq!((&*row["ranks"], &*row["ranks_from"]), ("5", "file-name"));
    }
    assert_eq!(other["numbers"][0]["machine_origin"], "other-host");
    assert_eq!(other["numbers"].as_array().map(Vec::len), Some(LENGTHS.len()));
    // Who says the number of ranks, on the host that was calibrated, is told nothing.
    let own = corrected_json(&folder, &[&arguments[..3], &["--ranks", "5", "--machine", "own.toml"]].concat());
    assert_eq!((&own["numbers"][0]["machine_origin"], &own["notes"]), (&"this-host".into(), &Value::Array(Vec::new())));
    assert_eq!(own["numbers"][0]["ranks_from"], "flag");
    let osu = data("osu.default.bcast.np2.r7.txt");
    assert_eq!(corrected_json(&folder, &[&osu, "--machine", "openmpi"])["numbers"][0]["machine_origin"], "program");
}

/// What three ranks recorded whose calls take once, twice and three times so many µs.
fn recorded(us: u64, configuration: &Configuration, bytes: u64) -> Observation {
    let stamp = |rank: u64| {
        move |index: u32| {
            let start = Ticks(1_000_000_000 * u64::from(index));
            let due = configuration.method().is_synchronised().then_some(start);
            let end = Ticks(start.0 + (rank + 1) * us * 1_000_000);
            Stamp { block: index, calls: 1, due, start, end, valid: true }
        }
    };
    let clock = GlobalClock::reference(Timescale::PICOSECONDS);
    let record = |rank: u64| RankRecord::new(rank as u32, clock, (1..4).map(stamp(rank)).collect());
    let case = Case {
        place: CasePlace { world: World::OPENMPI, carrier: Carrier::Native, ranks: 3 },
        subject: CaseSubject {
            collective: Collective::Bcast,
            implementation: Implementation::Own("linear".to_owned()),
            root: 0,
            bytes,
            segment_bytes: None,
            fanout: None,
            counts: None,
            call: models::call::Call::default(),
        },
        timing: CaseTiming { method: configuration.method(), calls: 3, conditions: Conditions::default() },
    };
    Observation::new(case, "nobody", (0..3).map(record).collect())
}

#[test]
fn a_measured_budget_is_taken_where_it_says_something() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (Configuration::reference(Buffer::Touched), Configuration::preset(Preset::Osu, None).unwrap());
    let mut campaign = Writer::create(folder.path().join("campaign.jsonl")).unwrap();
    let first = Line::Campaign {
        format: FORMAT,
        question: "?".to_owned(),
        name: "budget".to_owned(),
        seed: 1,
        scenario_text: serde_json::json!({ "from": from, "to": to }).to_string(),
        environment: Vec::new(),
        reproduce: Vec::new(),
    };
    campaign.append(&first).unwrap();
    let runs = Configuration::runs(&Design::between(&from, &to).cells, Carrier::Native);
    for (bytes, us) in [(8, 10), (128, 20)] {
        for round in 0..6 {
            for (run, configuration) in (0..).zip(&runs) {
                let mut observation = recorded(us, configuration, bytes);
                observation.occasion.launch = round;
                campaign.append(&Line::Round(Box::new(Round { run, round, observation }))).unwrap();
            }
        }
    }
    drop(campaign);
    // The slowest rank takes 30 and 60 µs; the mean over ranks that OSU prints is 20 and 40.
    let known = machine(1.0, 0.1, "nobody");
    let mut longest = order(Collective::Bcast, "linear", 3, 256, Method::Window);
    longest.settings.calls = 8;
    let predicted = simulated(&known).printed(&to, &longest).unwrap();
    let text = format!(
        "# OSU MPI Bcast Latency Test v7.4\n# Written by Parallax 0: method barrier-loop, algorithm linear, root 0, x\n\
         # Size       Avg Latency(us)\n8 20.00\n32 28.28\n128 40.00\n256 {predicted:.2}\n"
    );
    std::fs::write(folder.path().join("osu.txt"), text).unwrap();
    std::fs::write(folder.path().join("machine.toml"), known.text()).unwrap();
    let rows = rows(&folder, &["osu.txt", "--ranks", "3", "--machine", "machine.toml", "--budget", "."]);
    let by: Vec<&str> = rows.iter().map(|row| row["source"].as_str().unwrap_or("nothing")).collect();
    assert_eq!(by, ["measured", "interpolated", "measured", "nothing"], "{rows:#?}");
    // Beyond the budget's lengths the machine is asked, whose ranks wake up for longer than all that is printed.
    let remark = rows[3]["remarks"].as_str().unwrap();
    assert!(remark.contains("61.36 µs"), "{remark}");
    insta::assert_snapshot!(remark);
    for (row, truth) in rows.iter().zip([30.0, 30.0 * 2.0f64.sqrt(), 60.0]) {
        let found = row["corrected_us"].as_f64().unwrap();
        assert!((found / truth - 1.0).abs() < 1e-3, "{found} {truth}: {row:#}");
    }
}
