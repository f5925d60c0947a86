//! Queues in shared memory as algorithms of sweeps: rows, curves, pages, and what is refused.

mod common;

use common::command::{Done, finish, parallax};
use common::said::said;
use serde_json::Value;
use tempfile::TempDir;

fn command(folder: &TempDir, line: &str) -> Done {
    finish(parallax(folder).args(line.split(' ')))
}

fn done(folder: &TempDir, line: &str) -> String {
    let done = command(folder, line);
    assert_eq!(done.code, 0, "{line}: {done:?}");
    done.stdout
}

fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn a_point_takes_what_simulated_ranks_take_and_its_row_says_which_queue_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (set, call) = ("n=20ns,v=50ns,M=0.2ns/B,tW=70ns", "--ranks 6 --bytes 100000 --root 2 --calls 3");
    let simulated = format!("shm simulate {call} --design numa,coll-sm --tree kary:2 --sets 2 --buffers 8 --set {set}");
    let found: Value = serde_json::from_str(&done(&folder, &format!("{simulated} --format json"))).unwrap();
    let queues = "shared:8KiB:8:2:kary:2,shared:coll-sm:8KiB:8:2:kary:2";
    let rows = done(&folder, &format!("sweep bcast --algorithm {queues} {call} --set {set} --format json"));
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (row, simulated) in rows.iter().zip(found["rows"].as_array().unwrap()) {
        let left = found["left"].as_array().unwrap().iter();
        let left = left.filter(|left| left["call"] == 3 && left["design"] == simulated["design"]);
        let last = left.map(|left| left["left_us"].as_f64().unwrap()).fold(0.0, f64::max);
        assert_eq!(row["finish_max_ps"].as_f64().unwrap() / 1e6, last, "{row}");
        let queue = ["fragment_bytes", "buffers", "sets", "queue_bytes"].map(|key| row[key].as_u64());
        assert_eq!(queue, [8192, 8, 2, 65_536].map(Some), "{row}");
        let costs = ["t_ps_per_byte", "tW_ps", "n_ps", "L_ps"].map(|key| row[key].as_u64());
        assert_eq!(costs, [Some(1_000), Some(70_000), Some(20_000), None], "{row}");
        // 13 fragments, 5 readers, 3 calls.
        assert_eq!((&row["model"], row["messages"].as_u64()), (&Value::from("shared-memory"), Some(13 * 5 * 3)));
    }
    assert_eq!(rows.len(), 2);
}

#[test]
fn queues_that_differ_in_one_thing_are_a_curve_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        "--algorithm shared:8KiB:1..1024 --over buffers",
        "--algorithm shared:4KiB..256KiB:4MiB --over fragment",
        "--algorithm shared:4KiB..64KiB:f/64,shared:4KiB..64KiB:f/512 --over fragment",
        "--algorithm shared:8KiB:1,shared:8KiB:32 --over bytes",
        "--algorithm shared:8KiB:32:1:chain,shared:8KiB:32:1:flat --over ranks --set n=100ns,v=1us",
    ];
    let mut drawn = 0;
    let told = lines.map(|line| {
        drawn += 1;
        let at = if line.contains("--over ranks") { "--ranks 2..32" } else { "--ranks 2" };
        let at = if line.contains("--over bytes") { at.to_owned() } else { format!("{at} --bytes 1MiB") };
        format!("{line}\n{}", done(&folder, &format!("sweep bcast {line} {at} --out curves-{drawn}.svg")))
    });
    insta::assert_snapshot!(told.join("\n"));
    // The last one: a column for each coordinate that all points have, among them what both queues have in common.
    let csv = read(&folder, "curves-5.csv");
    let heads: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert!(
        ["fragment_bytes", "buffers", "model", "ranks", "algorithm", "time_us"].iter().all(|head| heads.contains(head))
    );
}

const SIZES: &str = "# How much memory?\noperation = \"bcast\"\nalgorithm = [\"shared:4KiB..64KiB:f/2\", \
    \"shared:4KiB..64KiB:f/512\"]\nranks = [2, 3]\nbytes = \"1 MiB\"\nparameters = { tW = [\"50ns\", \"1us\"] }\n\
    [[expect]]\nsays = \"Half as many buffers as bytes take f²/2\"\nquantity = \"queue-memory\"\n\
    of = { algorithm = \"shared:4KiB:2048:1:flat\" }\nwithin = [8, 8]\n";

#[test]
fn a_sweep_of_queues_is_the_same_bytes_on_any_number_of_threads_and_its_page_has_their_memory() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sizes.toml"), SIZES).unwrap();
    for threads in ["1", "5"] {
        let out = format!("{threads}.jsonl");
        let run =
            finish(parallax(&folder).args(["sweep", "sizes.toml", "--out", &out]).env("RAYON_NUM_THREADS", threads));
        assert_eq!(run.code, 0, "{run:?}");
    }
    assert_eq!(read(&folder, "1.jsonl"), read(&folder, "5.jsonl"));
    assert_eq!(read(&folder, "1.jsonl").lines().count(), 10 * 2 * 2);
    let told = done(&folder, "run sizes.toml --out run");
    assert!(told.contains("✓ met  Half as many buffers"), "{told}");
    let page = read(&folder, "run/report.html");
    for word in
        ["Queue of one rank, b = f s, in MiB", "s = f&#x2f;512", "2048 !", "shared:f:f/2:1:flat", "moderate", "large"]
    {
        assert!(page.contains(word), "{word}");
    }
    assert_eq!(std::fs::read_dir(folder.path().join("run/pictures")).unwrap().count(), 2 * 4, "ranks and parameters");
}

#[test]
fn what_queues_do_not_have_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let one = "--algorithm shared:8KiB:1..4 --ranks 2 --bytes 1MiB";
    let lines = [
        format!("bcast {one} --model loggp"),
        format!("bcast {one} --send-rule busy"),
        format!("bcast {one} --machine laptop"),
        format!("bcast {one} --set L=1us"),
        format!("bcast {one} --platform connect=3us"),
        format!("bcast {one} --noise exponential:mean=10us,rate=100Hz"),
        format!("bcast {one} --segment 1KiB"),
        format!("bcast {one} --entry random:10us"),
        format!("bcast {one} --benchmark osu"),
        format!("bcast {one} --over tW"),
        format!("bcast {one} --over buffers,fragment"),
        format!("bcast {one} --quantity exit-skew"),
        "bcast --algorithm shared:8KiB:4KiB --ranks 2".to_owned(),
        "bcast --algorithm shared:8KiB:1,binomial --ranks 2".to_owned(),
        "bcast --algorithm binomial,shared:8KiB:1 --ranks 2".to_owned(),
        "allreduce --algorithm shared:8KiB:1 --ranks 2".to_owned(),
        "bcast --algorithm binomial --ranks 2 --over buffers".to_owned(),
        "bcast --algorithm shared:8KiB:1..4 --ranks 2,3 --over buffers".to_owned(),
    ];
    let mut all = Vec::new();
    for line in lines {
        let done = command(&folder, &format!("sweep {line}"));
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{line}: {done:?}");
        all.push(format!("sweep {line}\n{}", said(&done, &[])));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
    // Points that no computer simulates fail, each by itself.
    let large = command(&folder, "sweep bcast --algorithm shared:1B:1,shared:8KiB:32 --ranks 2,5000 --bytes 16MiB");
    assert_eq!(large.code, 1, "{large:?}");
    insta::assert_snapshot!(format!("{}\n{}", all.join("\n"), large.stdout));
}
