use super::*;
use crate::{ANY, Edge, OpKind};
use proptest::prelude::*;

fn schedule(text: &str) -> Schedule {
    read("s.goal", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

fn written(schedule: &Schedule) -> String {
    let mut text = Vec::new();
    write(schedule, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// The same but for the lines.
fn unlined(schedule: &Schedule) -> Schedule {
    let mut same = schedule.clone();
    same.ops.iter_mut().for_each(|op| op.line = 0);
    same
}

#[test]
fn everything_the_language_has_is_read() {
    let text = "// heading\nnum_ranks 2 /* two */\nrank 1 { // the other order\n a: recv 64b from -1 tag -1 cpu 1\n\
                b requires a // before its definition\n\n /* more\n lines */ b: calc 18446744073709551615 cpu 255\n}\n\
                rank 0 { send 5000000000b to 1 tag 4294967294 cpu 2 nic 3 }\n";
    let read = schedule(text);
    assert_eq!((read.ranks(), read.cpus(), read.nics(), read.has_wildcards()), (2, 256, 4, true));
    assert_eq!((read.ops_of(0), read.ops_of(1)), (0..1, 1..3));
    let line = |line| Op { size: 0, peer: 0, tag: 0, line, kind: OpKind::Calc, cpu: 0, nic: 0 };
    use crate::Op;
    assert_eq!(
        read.ops(),
        [
            Op { size: 5_000_000_000, peer: 1, tag: 4_294_967_294, cpu: 2, nic: 3, kind: OpKind::Send, ..line(10) },
            Op { size: 64, peer: ANY, tag: ANY, cpu: 1, kind: OpKind::Receive, ..line(4) },
            Op { size: u64::MAX, cpu: 255, ..line(8) },
        ]
    );
    assert_eq!(read.dependents(1), [Edge::new(2, false)]);
    assert_eq!((read.rank_of(0), read.rank_of(2)), (0, 1));
    assert_eq!(read.describe(1), "rank 1 line 4 (recv 64b from -1 tag -1 cpu 1)");
}

#[test]
fn those_that_wait_for_the_start_come_first_each_in_the_order_of_lines() {
    let read = schedule(
        "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nc: calc 3\nd: calc 4\n\
         c requires a\nd irequires a\nb requires a\nb irequires a\n}",
    );
    let edges: Vec<_> = read.dependents(0).iter().map(|edge| (edge.dependent(), edge.on_start())).collect();
    assert_eq!(edges, [(3, true), (1, true), (2, false), (1, false)]);
    assert_eq!(read.dependency_counts(), [0, 2, 1, 1]);
}

#[test]
fn ranks_without_operations_are_ranks() {
    let read = schedule("num_ranks 3\nrank 2 {}\nrank 0 {\n}\nrank 1 {calc 1}");
    assert_eq!((read.ops_of(0), read.ops_of(1), read.ops_of(2)), (0..0, 0..1, 1..1));
    assert_eq!(read.rank_of(0), 1);
}

#[test]
fn mistakes_name_the_line_and_what_was_expected() {
    let cases = [
        ("", "s.goal line 1:"),
        ("num_ranks 0\n", "s.goal line 1:"),
        ("num_ranks 2\nrank 0 {}\n", "s.goal line 2:"),
        ("num_ranks 1\nrank 0 {}\nrank 0 {}\n", "s.goal line 3:"),
        ("num_ranks 1\nrank 1 {}\n", "s.goal line 2:"),
        ("num_ranks 1\nrank 0 {\ncalc 1\n", "s.goal line 4:"),
        ("num_ranks 1\nrank 0 {\nsend 1b to 1\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\nsend 1b to -1\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\nrecv 1b from -2\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\nsend 1 to 0\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\nsend 1b from 0\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\nsend 1b to 0 cpu 256\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\nsend 1b to 0 nic 300\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\nsend 1b to 0 tag 4294967295\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\nsend 1b to 0 tag 1 tag 2\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\ncalc 18446744073709551616\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\ncalc 1 nic 0\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\ncalc 1 calc 2\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\na: calc 1\na: calc 2\n}", "s.goal line 4:"),
        ("num_ranks 1\nrank 0 {\na: calc 1\nb requires a\n}", "s.goal line 4:"),
        ("num_ranks 1\nrank 0 {\na: calc 1\na needs a\n}", "s.goal line 4:"),
        ("num_ranks 1\nrank 0 {\n/* calc 1\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\nwork 5\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {\n\u{e9}: calc 1\n}", "s.goal line 3:"),
        ("num_ranks 1\nrank 0 {}\nrank", "s.goal line 3:"),
    ];
    let said = cases.map(|(text, place)| {
        let message = read("s.goal", text.as_bytes()).unwrap_err().to_string();
        assert!(message.starts_with(place), "{text:?}: {message}");
        format!("{text:?}\n  → {message}")
    });
    insta::assert_snapshot!(said.join("\n"));
}

/// Ranks, and for each its operations and dependencies (waiting, waited for, on start) by index.
fn any_text() -> impl Strategy<Value = String> {
    let attributes = (0u32..4, 0u32..2, 0u32..2).prop_map(|(tag, cpu, nic)| format!(" tag {tag} cpu {cpu} nic {nic}"));
    let op = (0u32..3, any::<u64>(), 0u32..5, attributes).prop_map(|(kind, size, peer, attributes)| match kind {
        0 => format!("send {size}b to {peer}{attributes}"),
        1 => format!("recv {size}b from {}{}", i64::from(peer) - 1, attributes.replace("tag 0", "tag -1")),
        _ => format!("calc {size}"),
    });
    let rank = (prop::collection::vec(op, 0..8), prop::collection::vec((any::<bool>(), 0usize..8, 0usize..8), 0..12));
    prop::collection::vec(rank, 5..6).prop_shuffle().prop_map(|ranks| {
        let mut text = "num_ranks 5\n".to_owned();
        for (number, (ops, dependencies)) in ranks.iter().enumerate().rev() {
            text += &format!("rank {number} {{ /* }} */\n");
            let dependency = |&(on_start, a, b): &(bool, usize, usize)| {
                let word = if on_start { "irequires" } else { "requires" };
                format!("a_longer_label_{} {word} a_longer_label_{}\n", a % ops.len(), b % ops.len())
            };
            let early = if ops.is_empty() { 0 } else { dependencies.len() / 2 };
            let late = if ops.is_empty() { &[][..] } else { &dependencies[early..] };
            dependencies[..early].iter().for_each(|d| text += &dependency(d));
            ops.iter().enumerate().for_each(|(index, op)| text += &format!("a_longer_label_{index}: {op} // }}\n"));
            late.iter().for_each(|d| text += &dependency(d));
            text += "}\n";
        }
        text
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(text in any_text()) {
        let first = schedule(&text);
        let second = schedule(&written(&first));
        prop_assert_eq!(unlined(&first), unlined(&second));
        prop_assert_eq!(written(&first), written(&second));
    }

    #[test]
    fn any_number_of_threads_reads_the_same(text in any_text(), threads in 2usize..9) {
        prop_assert_eq!(read_in_parts(text.as_bytes(), threads, &mut |_| {}).ok(), Some(schedule(&text)));
    }

    #[test]
    fn damaged_text_is_refused_or_read_but_never_panics(text in any_text(), at in any::<prop::sample::Index>(), byte: u8) {
        let mut bytes = text.into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        prop_assert_eq!(read_in_parts(&bytes, 1, &mut |_| {}).ok(), read_in_parts(&bytes, 3, &mut |_| {}).ok());
    }
}
