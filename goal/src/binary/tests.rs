use super::*;
use crate::text;

/// The form as `txt2bin` writes it.
fn encode(schedule: &Schedule) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(schedule, &mut bytes).unwrap();
    bytes
}

/// By hand after the form's description: a calculation that starts with a send, which requires nothing.
#[test]
fn every_byte_is_where_the_form_has_it() {
    let text = "num_ranks 1\nrank 0 {\ns: send 8b to 0 tag 1 nic 2\nr: recv 8b from -1 tag 1\nc: calc 5 cpu 1\nc irequires s\nc requires r\n}";
    let word = |number: u32| number.to_le_bytes().to_vec();
    let op = |dependencies, kind: u8, peer, size: u64, tag, place: [u8; 2], lists: [u32; 4]| {
        let lists = lists.map(u32::to_le_bytes).concat();
        [word(dependencies), vec![kind], word(peer), size.to_le_bytes().to_vec(), word(tag), place.to_vec(), lists]
            .concat()
    };
    let rank = [
        [word(3), word(2), word(0), word(1)].concat(),
        op(0, 1, 0, 8, 1, [0, 2], [0, 0, 1, 0]),
        op(0, 2, u32::MAX, 8, 1, [0, 0], [1, 1, 0, 2]),
        op(2, 3, 0, 5, 0, [1, 0], [0, 2, 0, 2]),
        [word(2), word(2)].concat(),
    ]
    .concat();
    let (begin, end) = (6u64 + 16, 6 + 16 + rank.len() as u64);
    let places = [begin.to_le_bytes(), end.to_le_bytes()].concat();
    let whole = [4223u64.to_le_bytes().to_vec(), word(1), vec![1, 2], places, rank].concat();
    assert_eq!(encode(&text::read("", text.as_bytes()).unwrap()), whole);
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

proptest::proptest! {
    /// Text → binary → text.
    #[test]
    fn what_is_written_is_read_back(text in crate::run::any_chains(3)) {
        let schedule = text::read("", text.as_bytes()).unwrap();
        let lines = |schedule: &Schedule| {
            let mut text = Vec::new();
            text::write(schedule, &mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        proptest::prop_assert_eq!(lines(&read("", &encode(&schedule)).unwrap()), lines(&schedule));
    }
}
