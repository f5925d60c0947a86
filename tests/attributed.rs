//! `parallax noise collect --attribute` beside a folder that looks as Linux's tracefs: what is set there, what takes the CPU,
//! what is left behind, and what is refused.

mod common;

use common::command::{Done, Running, finish, mpi_program, parallax};
use common::said::said;
use measure::clock::{Counter, RealClock};
use models::noise::{Detour, DetourTrace, read as detours};
use programs::detours::causes::{CausesFile, Class, read};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// What the kernel offers.
const EVENTS: &str = "sched:sched_switch\nsched:sched_wakeup\nirq:irq_handler_entry\nirq:irq_handler_exit\n\
    irq:softirq_entry\nirq:softirq_exit\nirq:softirq_raise\nirq_vectors:local_timer_entry\nirq_vectors:local_timer_exit\n";

fn run(folder: &TempDir, line: &str) -> Done {
    finish(parallax(folder).args(line.split(' ')))
}

/// Whether ranks read the counter here; events are stamped with nothing else.
fn counter_is_trusted() -> bool {
    let trusted = Counter.trusted();
    trusted.as_ref().is_err().then(|| eprintln!("skipped: {trusted:?}"));
    trusted.is_ok()
}

/// A folder with a folder `tracing` that looks as tracefs.
fn place() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("tracing");
    fs::create_dir_all(root.join("instances")).unwrap();
    fs::write(root.join("trace_clock"), "[local] global counter uptime perf mono mono_raw boot tai x86-tsc\n").unwrap();
    fs::write(root.join("available_events"), EVENTS).unwrap();
    folder
}

/// The instances that are there.
fn instances(folder: &TempDir) -> Vec<PathBuf> {
    fs::read_dir(folder.path().join("tracing/instances")).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The instance, once events were asked for.
fn instance(folder: &TempDir) -> Option<PathBuf> {
    let asks =
        |instance: &PathBuf| fs::read_to_string(instance.join("set_event")).is_ok_and(|events| !events.is_empty());
    instances(folder).into_iter().find(asks)
}

/// The rank, by the number that the fake kernel gives it.
const RANK: u32 = 77;
/// What the fake kernel says of a CPU: one period of a millisecond after another, in this order, for so many.
const PERIODS: u64 = 100_000;
const KINDS: [(Class, &str); 4] =
    [(Class::None, "-"), (Class::Irq, "local_timer"), (Class::Softirq, "NET RX"), (Class::Preemption, "a: b-1 [2]")];

/// Events of a CPU from now on; the counter at their begin, and the length of a period.
fn events(cpu: u32) -> (String, u64, u64) {
    let period = (Counter.rate().ticks_per_second / 1e3) as u64;
    let begin = Counter.read().0;
    let mut text = String::new();
    let mut line = |(name, task): (&str, u32), ticks: u64, event: &str| {
        text += &format!("{name:>16}-{task:<7} [{cpu:03}] d..1. {ticks:>12}: {event}\n");
    };
    let (mine, other) = (("parallax", RANK), (KINDS[3].1, 4_242));
    let switch = |from: (&str, u32), to: (&str, u32)| {
        format!(
            "sched_switch: prev_comm={} prev_pid={} prev_prio=120 prev_state=R ==> next_comm={} next_pid={} next_prio=120",
            from.0, from.1, to.0, to.1
        )
    };
    line(("swapper/0", 0), begin, &switch(("swapper/0", 0), mine));
    for at in (0..PERIODS).step_by(KINDS.len()).map(|number| begin + number * period) {
        line(mine, at + period, "local_timer_entry: vector=236");
        line(mine, at + 2 * period, "local_timer_exit: vector=236");
        line(mine, at + 2 * period, "softirq_entry: vec=3 [action=NET RX]");
        line(mine, at + 3 * period, "softirq_exit: vec=3  [action=NET RX]");
        line(mine, at + 3 * period, &switch(mine, other));
        line(other, at + 4 * period, &switch(other, mine));
    }
    (text, begin, period)
}

/// What the fake kernel has of a CPU, in a folder that is moved to its place once there is an instance.
fn prepared(folder: &TempDir, cpu: u32, text: &str) -> PathBuf {
    let whole = folder.path().join("prepared");
    let of_cpu = whole.join(format!("cpu{cpu}"));
    fs::create_dir_all(&of_cpu).unwrap();
    fs::write(of_cpu.join("stats"), "entries: 0\noverrun: 0\ncommit overrun: 0\ndropped events: 0\n").unwrap();
    fs::write(of_cpu.join("trace_pipe"), text).unwrap();
    whole
}

fn number(trace: &DetourTrace, key: &str) -> f64 {
    trace.says(key).unwrap_or_else(|| panic!("{key}")).parse().unwrap()
}

/// What took the largest part between two readings of the clock, by the periods alone; none where that hangs on a few ticks.
fn expected(from: u64, to: u64, begin: u64, period: u64) -> Option<(Class, &'static str)> {
    let mut taken = [0_u64; KINDS.len()];
    for number in (from - begin) / period..=(to - begin) / period {
        let (start, end) = (begin + number * period, begin + (number + 1) * period);
        taken[number as usize % KINDS.len()] += to.min(end).saturating_sub(from.max(start));
    }
    let mut traced: Vec<(u64, (Class, &str))> = taken.into_iter().zip(KINDS).skip(1).collect();
    traced.sort_by_key(|(ticks, (class, _))| (std::cmp::Reverse(*ticks), *class));
    match (traced[0].0, traced[0].0 - traced[1].0) {
        (0, _) => {
            // A few ticks before an interrupt, or behind a preemption.
            let into = (from - begin) % period;
            (into > 9 && into + (to - from) + 9 < period).then_some(KINDS[0])
        }
        (most, ahead) => {
            // What lasts longer than all that was traced, and than 20 µs, is a hypervisor's; a step of the clock may be missing.
            let (untraced, bar, step) = (taken[0], most.max(period / 50), period / 1_000);
            match (untraced > bar + step, untraced + step < bar) {
                (true, _) => Some(KINDS[0]),
                (_, true) => (ahead > 9).then_some(traced[0].1),
                (false, false) => None,
            }
        }
    }
}

#[test]
fn every_detour_of_a_rank_has_what_the_kernel_did_meanwhile() {
    if !counter_is_trusted() {
        return;
    }
    let folder = place();
    let cpu = measure::cpus::allowed()[0] as u32;
    let (text, begin, period) = events(cpu);
    let prepared = prepared(&folder, cpu, &text);
    let line = format!(
        "noise collect --cpus {cpu} --time 300ms --threshold 1ns --most 4MiB --attribute=tracing --out a --quiet --format json"
    );
    let mut running = Running::start(parallax(&folder).args(line.split(' ')));
    let instance = running.wait_for("an instance of tracefs", || instance(&folder));
    fs::rename(prepared, instance.join("per_cpu")).unwrap();
    let asked = fs::read_to_string(instance.join("set_event")).unwrap();
    assert!(asked.contains("irq_vectors:local_timer_entry\n") && !asked.contains("wakeup"), "{asked}");
    let done = running.finish();
    assert_eq!(done.code, 0, "{done:?}");
    assert!(instances(&folder).is_empty(), "it is removed");

    let bytes = fs::read(folder.path().join("a/rank-000000.detours")).unwrap();
    let trace = detours::trace("detours", &bytes, None).unwrap();
    let CausesFile { of, entries, names } = causes_of(&folder, 0);
    let found: Vec<Detour> = entries.iter().map(|entry| entry.detour).collect();
    assert_eq!((found, of.length), (trace.detours.clone(), trace.length));
    assert_eq!((of.says("task"), of.says("lost_events"), of.says("known_ns")), (Some("77"), Some("0"), None));
    let (start, hz, usual) =
        (number(&trace, "start_ticks") as u64, number(&trace, "hz"), number(&trace, "quantum_mode_ns"));
    let ticks = |ns: f64| start + (ns * hz / 1e9).round() as u64;
    let mut met = [0_usize; KINDS.len()];
    for entry in &entries {
        let (from, length) = (entry.detour.start.0 as f64 / 1e3, entry.detour.duration.as_us() * 1e3);
        let Some(kind) = expected(ticks(from), ticks(from + length + usual), begin, period) else { continue };
        assert_eq!((entry.class, names[entry.what as usize].as_str()), kind, "{entry:?}");
        met[KINDS.iter().position(|known| *known == kind).unwrap()] += 1;
    }
    assert!(met.iter().all(|&detours| detours > 0), "{met:?} of {}", entries.len());
    let told: Value = serde_json::from_str(&done.stdout).unwrap();
    let classes: Vec<&str> =
        told["classes"].as_array().unwrap().iter().map(|of| of["cause"].as_str().unwrap()).collect();
    assert_eq!(classes, ["preemption", "irq", "softirq", "none"]);
    assert_eq!(run(&folder, "noise collect --resume --out a --quiet").code, 0);
}

/// Collects on a CPU beside such events, which come once the kernel is asked; `amid` happens while ranks record.
fn collected_beside(folder: &TempDir, line: &str, prepared: PathBuf, amid: impl Fn()) -> Done {
    let mut running = Running::start(parallax(folder).args(line.split(' ')));
    let instance = running.wait_for("an instance of tracefs", || instance(folder));
    fs::rename(prepared, instance.join("per_cpu")).unwrap();
    running.wait_for("a process of ranks", || running_ranks(folder));
    amid();
    running.finish()
}

/// What is kept of a rank.
fn causes_of(folder: &TempDir, rank: usize) -> CausesFile {
    read("causes", &fs::read(folder.path().join(format!("a/rank-{rank:06}.causes"))).unwrap()).unwrap()
}

#[test]
fn ranks_of_mpi_have_causes_too() {
    if !counter_is_trusted() {
        return;
    }
    let cpus: Vec<u32> = measure::cpus::allowed().into_iter().take(2).map(|cpu| cpu as u32).collect();
    for library in ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()) {
        let folder = place();
        let both = cpus.iter().fold(PathBuf::new(), |_, &cpu| prepared(&folder, cpu, &events(cpu).0));
        let (ranks, list) = (cpus.len(), cpus.iter().map(u32::to_string).collect::<Vec<_>>().join(","));
        // So many detours that their starts do not follow the fake kernel's periods.
        let how = "--time 200ms --threshold 1ns --most 4MiB --attribute=tracing --out a --quiet";
        let line = format!("noise collect --world {library} --ranks {ranks} --cpus {list} {how}");
        let done = collected_beside(&folder, &line, both, || ());
        assert!(done.code == 0 && instances(&folder).is_empty(), "{done:?}");
        for CausesFile { of, entries, .. } in (0..ranks).map(|rank| causes_of(&folder, rank)) {
            assert_eq!((of.says("task"), of.says("lost_events")), (Some("77"), Some("0")));
            assert!(entries.iter().all(|entry| entry.class != Class::Unknown) && !entries.is_empty(), "{entries:?}");
        }
    }
}

#[test]
fn ranks_that_a_campaign_holds_lack_no_causes() {
    if !counter_is_trusted() {
        return;
    }
    let (folder, cpu) = (place(), measure::cpus::allowed()[0] as u32);
    let (text, causes) = (events(cpu).0, folder.path().join("a/rank-000000.causes"));
    let line = format!("noise collect --cpus {cpu} --time 300ms --attribute=tracing --out a --quiet");
    // No file can be written there: the ranks are as if they had never recorded.
    let cut = collected_beside(&folder, &line, prepared(&folder, cpu, &text), || fs::create_dir(&causes).unwrap());
    assert_eq!(cut.code, 1, "{cut:?}");
    assert!(cut.stderr.contains("rank-000000.causes") && cut.stderr.contains("--resume"), "{cut:?}");
    assert!(folder.path().join("a/rank-000000.detours").exists() && instances(&folder).is_empty());
    let kept = || fs::read_to_string(folder.path().join("a/campaign.jsonl")).unwrap();
    assert!(!kept().contains("\"tested\""), "{}", kept());

    fs::remove_dir(&causes).unwrap();
    fs::remove_dir_all(folder.path().join("a/job-threads-1-0")).unwrap();
    let done =
        collected_beside(&folder, "noise collect --resume --out a --quiet", prepared(&folder, cpu, &text), || ());
    assert_eq!(done.code, 0, "{done:?}");
    assert!(causes.is_file() && kept().contains("\"tested\""), "{}", kept());
    assert!(done.stdout.contains("What took the CPU"), "{done:?}");

    // The page that `report` makes says what that of `noise show` says.
    assert_eq!(run(&folder, "noise show a --out shown").code, 0);
    assert_eq!(run(&folder, "report a").code, 0);
    let titles = |page: &str| -> Vec<String> {
        let page = fs::read_to_string(folder.path().join(page).join("report.html")).unwrap();
        page.split("<h2>").skip(1).map(|rest| rest.split("</h2>").next().unwrap_or_default().to_owned()).collect()
    };
    let (shown, reported) = (titles("shown"), titles("a"));
    assert!(shown.iter().any(|title| title == "What took the CPU"), "{shown:?}");
    assert!(shown.iter().all(|title| reported.contains(title)), "{shown:?} {reported:?}");
}

#[test]
fn what_cpus_did_before_ranks_began_needs_no_room() {
    let (folder, cpu) = (place(), measure::cpus::allowed()[0] as u32);
    if !counter_is_trusted() {
        return;
    }
    let busy: String = (0..40_000_u64)
        .map(|number| {
            let (ticks, end) = (1_000 + number / 2, if number % 2 == 0 { "entry" } else { "exit" });
            format!("        parallax-{RANK:<7} [{cpu:03}] d.h1. {ticks:>12}: local_timer_{end}: vector=236\n")
        })
        .collect();
    // Of what follows a second has 2000 changes.
    let (text, ..) = events(cpu);
    let line = format!("noise collect --cpus {cpu} --time 300ms --attribute=tracing --most 320kB --out a --quiet");
    let done = collected_beside(&folder, &line, prepared(&folder, cpu, &(busy + &text[..text.len() / 10])), || ());
    assert_eq!(done.code, 0, "{done:?}");
    let CausesFile { of, entries, .. } = causes_of(&folder, 0);
    assert_eq!(of.says("known_ns"), None);
    assert!(entries.iter().all(|entry| entry.class != Class::Unknown), "{entries:?}");
}

#[test]
fn the_kernel_is_as_before_when_a_collection_is_ended() {
    if !counter_is_trusted() {
        return;
    }
    let folder = place();
    let cpu = measure::cpus::allowed()[0] as u32;
    let line = format!("noise collect --cpus {cpu} --time 60s --attribute=tracing --out a --quiet");
    let mut running = Running::start(parallax(&folder).args(line.split(' ')));
    running.wait_for("an instance of tracefs", || instance(&folder));
    running.wait_for("a process of ranks", || running_ranks(&folder));
    running.signal(libc::SIGINT);
    let done = running.finish();
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stderr.contains("interrupted"), "{done:?}");
    assert!(instances(&folder).is_empty(), "it is removed");

    // Who is killed leaves it; the next one removes it. Its kernel has no events at all: that is said.
    let mut running = Running::start(parallax(&folder).args(line.replace("--out a", "--out b").split(' ')));
    let left = running.wait_for("an instance of tracefs", || instance(&folder));
    running.signal(libc::SIGKILL);
    running.finish();
    assert_eq!(instances(&folder), std::slice::from_ref(&left));
    let done = run(&folder, &format!("noise collect --cpus {cpu} --time 20ms --attribute=tracing --out c --quiet"));
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stderr.contains("/trace_pipe: "), "{done:?}");
    assert!(instances(&folder).is_empty(), "neither is left");
    assert!(!folder.path().join("c/rank-000000.causes").exists());
}

/// The board of the ranks' job in the folder of the campaign.
fn running_ranks(folder: &TempDir) -> bool {
    let entries = fs::read_dir(folder.path().join("a")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|job| job.join("board").exists())
}

#[test]
fn what_cannot_be_attributed_is_refused_before_ranks_are_started() {
    if !counter_is_trusted() {
        return;
    }
    let folder = place();
    for (name, file, text) in [
        ("nowhere", "", ""),
        ("local", "trace_clock", "[local] global counter\n"),
        ("switches", "available_events", "sched:sched_switch\n"),
    ] {
        let root = folder.path().join(name);
        if !file.is_empty() {
            fs::create_dir(&root).unwrap();
            for given in ["trace_clock", "available_events"] {
                fs::copy(folder.path().join("tracing").join(given), root.join(given)).unwrap();
            }
            fs::write(root.join(file), text).unwrap();
        }
    }
    fs::create_dir(folder.path().join("flat")).unwrap();
    for given in ["trace_clock", "available_events"] {
        fs::copy(folder.path().join("tracing").join(given), folder.path().join("flat").join(given)).unwrap();
    }
    fs::write(folder.path().join("flat/instances"), "").unwrap();
    let mut all = Vec::new();
    for line in [
        "noise collect --attribute=nowhere --out a",
        "noise collect --attribute=local --out a",
        "noise collect --attribute=switches --out a",
        "noise collect --attribute=flat --ranks 1 --time 10ms --out a",
        "noise collect --attribute=tracing --method ftq --out a",
        "noise collect --attribute=tracing --clock gettimeofday --out a",
    ] {
        let done = run(&folder, line);
        assert_eq!(done.code, 2, "{line}: {done:?}");
        let own = said(&done, &[]);
        let instance = own.split("instances/parallax-").nth(1).and_then(|rest| rest.split(':').next());
        all.push(instance.map_or_else(|| own.clone(), |process| own.replace(process, "PROCESS")));
    }
    assert!(!folder.path().join("a").exists(), "nothing is left");
    insta::assert_snapshot!(all.join("\n"));
}

/// A collection of two ranks: one is disturbed by tasks and interrupts, the other by something that no kernel knows.
fn collected() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let head = |rank: u32| format!("# rank={rank}\n# length_ns=10000000\n");
    let files = [
        ("rank-000000.detours", head(0) + "1000\t500\n20000\t90000\n200000\t4000.5\n9000000\t600\n"),
        ("rank-000001.detours", head(1) + "5000\t50000\n300000\t700\n"),
        (
            "rank-000000.causes",
            head(0)
                + "# lost_events=12\n1000\t500\tirq\tlocal_timer\t300\n20000\t90000\tpreemption\tWeb Content\t89000\n\
                   200000\t4000.5\tsoftirq\tTIMER\t2000\n9000000\t600\tirq\teth0-TxRx-0 (126)\t500\n",
        ),
        ("rank-000001.causes", head(1) + "# known_ns=250000\n5000\t50000\tnone\t-\t0\n300000\t700\tunknown\t-\t0\n"),
    ];
    fs::create_dir(folder.path().join("noise")).unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join("noise").join(name), text).unwrap());
    folder
}

#[test]
fn what_took_the_cpu_is_shown_in_every_form() {
    let folder = collected();
    let done = run(&folder, "noise show noise --out page");
    assert_eq!(done.code, 0, "{done:?}");
    let causes = run(&folder, "noise show noise --causes");
    assert!(done.stdout.ends_with(causes.stdout.split_once("What took the CPU").unwrap().1), "{done:?}");
    let csv = run(&folder, "noise show noise --causes --format csv");
    // Of the preemption the end; of interrupts, and of what no kernel knows, nothing.
    let part = run(&folder, "noise show noise --causes --from 100us --to 1ms");
    insta::assert_snapshot!([causes.stdout, csv.stdout, part.stdout].join("\n"));
    let whole: Value = serde_json::from_str(&run(&folder, "noise show noise --format json").stdout).unwrap();
    let alone: Value = serde_json::from_str(&run(&folder, "noise show noise --causes --format json").stdout).unwrap();
    assert_eq!((&whole["causes"], &whole["taken"]), (&alone["classes"], &alone["taken"]));
    let taken: f64 = alone["taken"].as_array().unwrap().iter().map(|of| of["taken_us"].as_f64().unwrap()).sum();
    let expected = 0.5 + 90.0 + 4.0005 + 0.6 + 50.0 + 0.7;
    assert!((taken - expected).abs() < 1e-9, "{alone}");
    let page = fs::read_to_string(folder.path().join("page/report.html")).unwrap();
    assert!(page.contains("What took the CPU") && page.contains("eth0-TxRx-0 (126)"));

    // Without files of causes there is nothing to show, and whoever asks for it is told so.
    for rank in 0..2 {
        fs::remove_file(folder.path().join(format!("noise/rank-00000{rank}.causes"))).unwrap();
    }
    let done = run(&folder, "noise show noise");
    assert!(done.code == 0 && !done.stdout.contains("took"), "{done:?}");
    let refused = run(&folder, "noise show noise --causes");
    assert_eq!(refused.code, 2, "{refused:?}");
    fs::write(folder.path().join("noise/rank-000000.causes"), "# rank=0\n# length_ns=100\n1\t2\tirq\n").unwrap();
    let broken = run(&folder, "noise show noise");
    assert_eq!(broken.code, 2, "{broken:?}");
    insta::assert_snapshot!("refused", [refused.stderr, broken.stderr].concat());
}
