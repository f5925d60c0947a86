//! `parallax shm` as a user meets it: predictions, simulated calls, pictures, and what is refused.

mod common;

use common::command::{Done, finish, parallax};
use common::said::said;
use serde_json::Value;
use tempfile::TempDir;

fn shm(folder: &TempDir, line: &str) -> Done {
    finish(parallax(folder).arg("shm").args(line.split(' ')))
}

fn rows(folder: &TempDir, line: &str) -> Vec<Value> {
    table(folder, line, "rows")
}

fn table(folder: &TempDir, line: &str, name: &str) -> Vec<Value> {
    let done = shm(folder, &format!("{line} --format json"));
    assert_eq!(done.code, 0, "{line}: {done:?}");
    let found: Value = serde_json::from_str(&done.stdout).expect("an object");
    found[name].as_array().expect("rows").clone()
}

#[test]
fn the_publications_figures_are_a_line_each() {
    let folder = tempfile::tempdir().unwrap();
    let of = |line: &str, key: &str| -> Vec<f64> {
        rows(&folder, line).iter().map(|row| row[key].as_f64().expect("a number")).collect()
    };
    let figure_4 = of("predict --over fragment --queue 4MiB --fragment 4KiB,8KiB,16KiB,64KiB,256KiB", "time_us");
    assert_eq!(figure_4, [16_998.84, 16_912.824, 16_894.392, 17_052.6, 17_829.432]);
    let figure_6 = of("predict --buffers 1..128,1024", "time_us");
    let expected =
        [33_882.112, 25_380.864, 21_130.24, 19_004.928, 17_942.272, 17_410.944, 17_145.28, 17_012.448, 16_896.22];
    assert_eq!(figure_6, expected);
    let figure_8 = of("predict --fragment 64KiB..88KiB+4KiB", "bound_us");
    let expected = [17_315.184, 17_347.202, 17_379.32, 17_333.554, 17_361.676, 17_389.898, 17_327.898];
    assert_eq!(figure_8, expected);
    let figure_7 = of("predict --bytes 1MiB --buffers 2..64", "over_one_buffer");
    let printed: Vec<String> = figure_7.iter().map(|ratio| format!("{ratio:.3}")).collect();
    assert_eq!(printed, ["0.749", "0.624", "0.561", "0.530", "0.514", "0.506"]);
    assert_eq!(of("predict --buffers 8 --sets 2 --ranks 8", "shared_bytes"), [798_720.0]);
}

#[test]
fn what_has_several_values_goes_to_the_right_in_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let done = shm(&folder, "predict --buffers 1..64 --out buffers.svg");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(read("buffers.svg").contains("m = 16 MiB, f = 8 KiB, q = 1"), "the title says what is the same");
    assert_eq!(read("buffers.csv"), shm(&folder, "predict --buffers 1..64 --format csv").stdout);
    let done = shm(&folder, "predict --over bytes --sets 1,2 --buffers 4,32 --out sets.html");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(read("sets.html").contains("s = 32, q = 2"), "a curve for each queue");
}

#[test]
fn simulated_ranks_take_what_is_predicted_and_can_be_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let one = rows(&folder, "simulate --ranks 2 --bytes 16MiB --tree chain,knomial:3 --root 1");
    let predicted = &rows(&folder, "predict --bytes 16MiB")[0]["time_us"];
    assert_eq!([&one[0]["last_reader_us"], &one[1]["last_reader_us"]], [predicted, predicted]);
    assert_eq!(one[0]["over_one_reader"], 1.0);
    let line = "simulate --ranks 16 --numa 2 --bytes 64KiB --sets 2 --calls 3 --root 5,0 --set n=20ns,v=50ns,vR=150ns,tR=2ns/B,M=0.2ns/B";
    let done = shm(&folder, line);
    assert_eq!(done.code, 0, "{done:?}");
    insta::assert_snapshot!(done.stdout);
    let each = rows(&folder, line);
    assert_eq!(each.len(), 4, "a row for each tree");
    let left = table(&folder, line, "left");
    assert_eq!(left.len(), 4 * 3 * 16, "each tree, call and rank");
    for file in ["chain.svg", "chain.html", "chain.json", "chain.paje"] {
        let done = shm(&folder, &format!("simulate --ranks 4 --tree chain --bytes 20KB --timeline {file}"));
        assert_eq!(done.code, 0, "{done:?}");
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
        for word in ["copy-in", "copy-out", "notification", "through shared memory"] {
            assert!(text.contains(word), "{file}: what ranks do is called as in the protocol: {word}");
        }
        assert!(!text.contains("computing"), "{file}");
    }
}

#[test]
fn designs_of_mpi_libraries_are_compared_with_their_own_queues_and_trees() {
    let folder = tempfile::tempdir().unwrap();
    let all = "simulate --design numa,coll-sm,mvapich,release-gather --ranks";
    let done = shm(&folder, &format!("{all} 16"));
    assert_eq!(done.code, 0, "{done:?}");
    insta::assert_snapshot!(done.stdout);
    let us = |line: &str| -> Vec<f64> {
        rows(&folder, line).iter().map(|row| row["last_reader_us"].as_f64().expect("a time")).collect()
    };
    // One reader has no children: coll/sm takes what this design takes with the same queue.
    let same = us("simulate --ranks 2 --design numa,coll-sm --tree flat --fragment 8KiB --buffers 8 --sets 2 --root 1");
    assert_eq!(same[0], same[1]);
    let predicted = rows(&folder, "predict --bytes 1MiB --buffers 8 --sets 2")[0]["time_us"].as_f64();
    assert_eq!(Some(same[1]), predicted);
    // In equal queues, too, readers that copy twice take twice as long.
    let equal = us("simulate --ranks 16 --design numa,coll-sm,release-gather --tree complete:4 --buffers 8 --sets 2");
    assert!((1.9..2.1).contains(&(equal[1] / equal[0])), "{equal:?}");
    // Cells are freed one by one only by leaves: ranks with children let flags through in groups of as many as there are cells.
    let leaves = us("simulate --ranks 16 --design release-gather --tree flat --buffers 8")[0];
    assert!(leaves < equal[0] && equal[0] < equal[2], "{leaves} {equal:?}");
    for design in ["numa --tree flat", "coll-sm", "mvapich", "release-gather"] {
        let done =
            shm(&folder, &format!("simulate --ranks 6 --bytes 50KB --root 2 --design {design} --timeline a.svg"));
        assert_eq!(done.code, 0, "{done:?}");
    }
}

#[test]
fn mistakes_end_with_code_2_and_say_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [
        "predict --bytes 8parsecs",
        "predict --fragment 0",
        "predict --buffers 2^70",
        "predict --buffers x",
        "predict --sets 3",
        "predict --sets 0",
        "predict --queue 4KiB",
        "predict --queue 4MiB --over buffers",
        "predict --set tX=1ns",
        "predict --set tW=1ns/B",
        "predict --set t=1s/B",
        "predict --page 0",
        "predict --fragment 1MiB --buffers 2^30",
        "predict --bytes 1..1000+1 --buffers 1..20+1",
        "predict --out a.svg",
        "predict --bytes 1,2 --buffers 1,2 --out a.svg",
        "predict --over bytes --fragment 1KiB..64KiB --out a.svg",
        "predict --bytes 1,2 --out a.txt",
        "predict --picture width=84mm",
        "simulate --ranks 0",
        "simulate --ranks 5000",
        "simulate --ranks 4 --numa 5",
        "simulate --ranks 4 --numa 0",
        "simulate --ranks 4 --root 4",
        "simulate --ranks 4 --tree ring",
        "simulate --ranks 4 --tree kary",
        "simulate --ranks 4 --tree flat:2",
        "simulate --ranks 4 --set tX=1ns",
        "simulate --ranks 4 --set M=1ns",
        "simulate --ranks 4 --sets 3",
        "simulate --ranks 4 --design knem",
        "simulate --ranks 4 --design mvapich --tree chain",
        "simulate --ranks 4 --design mvapich,release-gather --sets 2",
        "simulate --ranks 4 --design numa,coll-sm --tree flat --timeline a.svg",
        "simulate --ranks 4 --calls 0",
        "simulate --ranks 4 --bytes 1000GiB",
        "simulate --ranks 4 --bytes 1GiB --fragment 1GiB --set t=1000000us/B",
        "simulate --ranks 4 --bytes 1GiB --fragment 1GiB --set t=1000000us/B,M=1000000us/B",
        "simulate --ranks 4 --timeline a.svg",
        "simulate --ranks 4 --tree flat --timeline a.txt",
        "simulate --ranks 64 --tree flat --bytes 16MiB --timeline a.svg",
        "table --fragment 0",
        "table --fragment 512GiB",
    ];
    let mut all = Vec::new();
    for line in lines {
        let done = shm(&folder, line);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{line}: {done:?}");
        all.push(said(&done, &[]));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left");
    insta::assert_snapshot!(all.join("\n"));
}
