//! The campaigns that are kept in the repository: what their lines hold is written again as it stands in the file.

use parallax_scenario::store::Line;
use programs::observation::Case;
use serde_json::Value;
use std::path::PathBuf;

/// The lines of every kept campaign, with the file's path.
fn kept_lines() -> Vec<(PathBuf, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/campaigns");
    let folders = std::fs::read_dir(folder).expect("campaigns").flatten();
    let files = folders.map(|folder| folder.path().join("campaign.jsonl")).filter(|file| file.is_file());
    let lines = files.flat_map(|file| {
        let text = std::fs::read_to_string(&file).expect("a campaign");
        text.lines().map(|line| (file.clone(), line.to_owned())).collect::<Vec<_>>()
    });
    lines.collect()
}

/// The cases that stand anywhere in a line.
fn cases(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Array(all) => all.iter().for_each(|one| cases(one, found)),
        Value::Object(all) => {
            found.extend(all.get("case").cloned());
            all.values().for_each(|one| cases(one, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_kept_line_read_and_written_again_is_the_same_bytes() {
    let lines = kept_lines();
    assert!(lines.len() > 300, "{}", lines.len());
    for (file, line) in &lines {
        let read: Line = serde_json::from_str(line).expect("a line");
        assert_eq!(serde_json::to_string(&read).expect("text"), *line, "{}", file.display());
    }
}

#[test]
fn cases_are_in_the_order_of_the_fields_in_which_files_have_them() {
    let mut found = Vec::new();
    for (_, line) in kept_lines() {
        cases(&serde_json::from_str(&line).expect("JSON"), &mut found);
    }
    let mut read: Vec<Case> = found.into_iter().map(|case| serde_json::from_value(case).expect("a case")).collect();
    assert!(read.len() > 150, "{}", read.len());
    let mut by_fields = read.clone();
    by_fields.sort_by_key(|Case { place, subject, timing }| {
        let subject = subject.clone();
        let lengths = (subject.root, subject.bytes, subject.segment_bytes, subject.fanout, subject.counts);
        let asked = (subject.collective, subject.implementation, lengths, subject.call);
        ((place.world, place.carrier, place.ranks), asked, (timing.method, timing.calls, timing.conditions))
    });
    read.sort();
    assert_eq!(read, by_fields);
}
