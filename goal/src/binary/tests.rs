use super::*;
use crate::text;

/// The form as `txt2bin` writes it.
fn encode(schedule: &Schedule) -> Vec<u8> {
    let ranks = schedule.ranks();
    let mut bytes = MAGIC.to_le_bytes().to_vec();
    bytes.extend(ranks.to_le_bytes());
    bytes.extend([schedule.cpus() as u8 - 1, schedule.nics() as u8 - 1]);
    let table = bytes.len();
    bytes.resize(table + 16 * ranks as usize, 0);
    let counts = schedule.dependency_counts();
    for rank in 0..ranks {
        let entry = table + 16 * rank as usize;
        let begin = (bytes.len() - BASE) as u64;
        bytes[entry..entry + 8].copy_from_slice(&begin.to_le_bytes());
        let ops = schedule.ops_of(rank);
        let roots: Vec<u32> = ops.clone().filter(|&op| counts[op as usize] == 0).map(|op| op - ops.start).collect();
        bytes.extend((ops.len() as u32).to_le_bytes());
        bytes.extend((roots.len() as u32).to_le_bytes());
        roots.iter().for_each(|root| bytes.extend(root.to_le_bytes()));
        let mut appendix: Vec<u32> = Vec::new();
        for index in ops.clone() {
            let op = schedule.ops()[index as usize];
            bytes.extend(counts[index as usize].to_le_bytes());
            bytes.push(op.kind as u8 + 1);
            bytes.extend(op.peer.to_le_bytes());
            bytes.extend(op.size.to_le_bytes());
            bytes.extend(op.tag.to_le_bytes());
            bytes.extend([op.cpu, op.nic]);
            for on_start in [false, true] {
                let those = schedule.dependents(index).iter().filter(|edge| edge.on_start() == on_start);
                let those: Vec<u32> = those.map(|edge| edge.dependent() - ops.start).collect();
                bytes.extend((those.len() as u32).to_le_bytes());
                bytes.extend((appendix.len() as u32).to_le_bytes());
                appendix.extend(those);
            }
        }
        appendix.iter().for_each(|dependent| bytes.extend(dependent.to_le_bytes()));
        let end = (bytes.len() - BASE) as u64;
        bytes[entry + 8..entry + 16].copy_from_slice(&end.to_le_bytes());
    }
    bytes
}

const EXAMPLE: &str = "num_ranks 2
rank 0 {
s: send 8b to 1 tag 1
c: calc 10000 cpu 1
d: send 9b to 1 tag 2 nic 1
c irequires s
d requires s
d requires c
}
rank 1 {
a: recv 8b from 0 tag 1
b: recv 9b from -1 tag -1
}";

#[test]
fn the_binary_form_reads_as_the_text_does() {
    let from_text = text::read("", EXAMPLE.as_bytes()).unwrap();
    let bytes = encode(&from_text);
    assert!(is_binary(&bytes) && !is_binary(EXAMPLE.as_bytes()));
    let from_binary = read("", &bytes).unwrap();
    for rank in 0..2 {
        assert_eq!(from_binary.ops_of(rank), from_text.ops_of(rank));
    }
    for op in 0..5 {
        assert_eq!(from_binary.dependents(op), from_text.dependents(op));
        let line = from_binary.ops()[op as usize].line;
        assert_eq!(from_binary.ops()[op as usize], Op { line, ..from_text.ops()[op as usize] });
    }
    assert_eq!(from_binary.describe(4), "rank 1 line 2 (recv 9b from -1 tag -1)");
}

#[test]
fn a_used_up_schedule_is_refused_with_the_reason() {
    let mut bytes = encode(&text::read("", EXAMPLE.as_bytes()).unwrap());
    bytes[..8].copy_from_slice(&SPENT.to_le_bytes());
    assert!(is_binary(&bytes));
    let error = read("x.bin", &bytes).unwrap_err().to_string();
    assert!(error.starts_with("x.bin byte 0:"), "{error}");
    insta::assert_snapshot!(error);
}

#[test]
fn damage_is_reported_with_its_place() {
    let whole = encode(&text::read("", EXAMPLE.as_bytes()).unwrap());
    let damaged = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        read("x.bin", &bytes).unwrap_err().to_string()
    };
    // Header 14, two ranks 32: rank 0 begins at 46, its one root takes 12 with the counts, its operations begin at 58.
    let said = [(62, 4, 62), (63, 2, 63), (8, 0, 8), (15, 255, 14)].map(|(at, byte, place)| {
        let error = damaged(at, byte);
        assert!(error.starts_with(&format!("x.bin byte {place}:")), "{error}");
        format!("byte {at} is {byte}\n  → {error}")
    });
    insta::assert_snapshot!(said.join("\n"));
    for length in 8..whole.len() {
        let error = read("x.bin", &whole[..length]).unwrap_err().to_string();
        assert!(error.starts_with("x.bin byte "), "{length}: {error}");
    }
}

proptest::proptest! {
    #[test]
    fn any_damage_is_refused_or_read(at in 8usize..300, byte: u8) {
        let mut bytes = encode(&text::read("", EXAMPLE.as_bytes()).unwrap());
        let at = at % bytes.len();
        bytes[at] = byte;
        let _ = read("", &bytes);
    }
}
