//! Texts that say which library printed them, and machines of another one.

use super::common::command::{finish, parallax};
use serde_json::Value;

#[test]
fn numbers_of_another_library_than_the_calibrated_one_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let table = |library: &str| {
        format!(
            "# OSU MPI Broadcast Latency Test v7.4\n# Written by Parallax 0.1.0: method barrier-loop, algorithm library, \
             root 0, {library} on vm\n# Size       Avg Latency(us)\n8 0.60\n"
        )
    };
    let both = [table("Open MPI 4.1.4"), table("MPICH 4.0.2")].concat();
    std::fs::write(folder.path().join("osu.np2.txt"), both).unwrap();
    let refused = |machine| {
        let arguments = ["correct", "osu.np2.txt", "--machine", machine, "--format", "json"];
        let done = finish(parallax(&folder).args(arguments));
        let answer: Value = serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"));
        let says =
            |row: &Value| row["remarks"].to_string().contains(" printed it, and the machine was calibrated with ");
        answer["numbers"].as_array().unwrap().iter().map(says).collect::<Vec<_>>()
    };
    assert_eq!((refused("openmpi"), refused("mpich")), (vec![false, true], vec![true, false]));
}
