//! LogGOPSim's rules, by hand: L = 2500 ns, o = 1500 ns, g = 1000 ns, G = 6 ns/B, O = 0, S = 65535 B.

use models::engine::Engine;
use models::noise::Quiet;
use models::time::{PerByte, Span, Time};
use parallax_goal::text;
use parallax_goal::{LoggopsimV1, Rules, RunError, run};

fn with(rules: LoggopsimV1, text: &str) -> Result<Vec<u64>, RunError> {
    let schedule = text::read("s.goal", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let finish = run(&schedule, &Rules::LoggopsimV1(rules), &Quiet, Engine::Auto)?.finish;
    assert!(finish.iter().all(|time| time.0 % 1000 == 0), "whole nanoseconds give whole nanoseconds");
    Ok(finish.into_iter().map(|Time(ps)| ps / 1000).collect())
}

fn finish_ns(text: &str) -> Vec<u64> {
    with(LoggopsimV1::default(), text).unwrap()
}

#[test]
fn half_a_ping_pong() {
    // There: 0 + o + L = 4000; rank 1 busy to 4000 + o + 63·6 = 5878; calculation to 6378; send to 7878.
    // Back: 6378 + 4000 = 10378; rank 0 busy to 10378 + 1878.
    let text = "num_ranks 2\nrank 0 {\na: send 64b to 1 tag 3\nb: recv 64b from 1 tag 4\nb requires a\n}\n\
                rank 1 {\na: recv 64b from 0 tag 3\nw: calc 500\nb: send 64b to 0 tag 4\nw requires a\nb requires w\n}";
    assert_eq!(finish_ns(text), [12_256, 7_878]);
}

#[test]
fn a_calculation_overlaps_with_a_send_that_was_issued() {
    // The calculation begins when the send's o is over: 1500 to 11500; then the second send to 13000.
    // Its message is there at 11500 + 4000, and handled to 15500 + 1500 + 7·6.
    let text = "num_ranks 2\nrank 0 {\ns: send 8b to 1 tag 1\nc: calc 10000\nc irequires s // once issued\n\
                d: send 8b to 1 tag 2\nd requires s\nd requires c\n}\nrank 1 {\nrecv 8b from 0 tag 1\nrecv 8b from 0 tag 2\n}";
    assert_eq!(finish_ns(text), [13_000, 17_042]);
}

#[test]
fn a_rendezvous_releases_its_sender_when_the_receive_meets_the_header() {
    // The header (there at 4000) is handled when the calculation ends, at 10000; then the receive is posted and meets it.
    // The receiver pays 99999·6 on top of o; the sender goes on at 10000, not when the bytes are through.
    let text = "num_ranks 2\nrank 0 {\ns: send 100000b to 1\nc: calc 1\nc requires s\n}\n\
                rank 1 {\nc: calc 10000\nr: recv 100000b from 0\nr requires c\n}";
    assert_eq!(finish_ns(text), [10_001, 611_494]);
    // With one byte less than it takes the sender goes on at once.
    assert_eq!(finish_ns(&text.replace("100000b", "65535b"))[0], 1_501);
    assert_eq!(finish_ns(&text.replace("100000b", "65536b"))[0], 10_001);
}

#[test]
fn a_rendezvous_with_oneself_ends_the_send_before_the_receive() {
    // There at 4000, met at once, handled to 4000 + 1500 + 69999·6 = 425494. What the send enables goes first, although
    // it stands below: the message for rank 2 leaves at 425494, that for rank 1 at 426994.
    let text = "num_ranks 3\nrank 0 {\nc: calc 10000\ns: send 70000b to 0\nr: recv 70000b from 0\n\
                x: send 1b to 1\ny: send 1b to 2\nx requires r\ny requires s\n}\n\
                rank 1 { recv 1b from 0 }\nrank 2 { recv 1b from 0 }";
    let posted = text.replace("c: calc 10000\n", "");
    assert_eq!(finish_ns(&posted), [428_494, 426_994 + 5_500, 425_494 + 5_500]);
    // Unexpected: handled when the calculation (1500 to 11500) is over, to 432994; then the receive finds it.
    let late = text.replace("x requires r", "r requires c\nx requires r");
    assert_eq!(finish_ns(&late), [435_994, 434_494 + 5_500, 432_994 + 5_500]);
}

#[test]
fn unexpected_messages_are_charged_when_they_arrive() {
    // Arrived at 4000, it waits for the first calculation, and its sequence number puts it before the second.
    let text = "num_ranks 2\nrank 0 { send 8b to 1 }\nrank 1 {\na: calc 5000\nb: calc 5000\nr: recv 8b from 0\n\
                b requires a\nr requires b\n}";
    assert_eq!(finish_ns(text), [1_500, 5_000 + 1_542 + 5_000]);
}

#[test]
fn one_receiver_is_served_in_the_order_in_which_the_sends_started() {
    // Messages at 4000, 5542, 7084; the calculation became executable at 4000, after all sends: it goes last.
    let text = "num_ranks 5\nrank 0 {\na: recv 8b from 1\nrecv 8b from 2\nrecv 8b from 3\nc: calc 10\nc requires a\n\
                s: send 1b to 4\ns requires c\n}\nrank 1 { send 8b to 0 }\nrank 2 { send 8b to 0 }\nrank 3 { send 8b to 0 }\n\
                rank 4 { recv 1b from 0 }";
    assert_eq!(finish_ns(text), [10_136, 1_500, 1_500, 1_500, 8_636 + 4_000 + 1_500]);
}

#[test]
fn the_interface_holds_sends_back_by_g_and_the_bytes_before() {
    // 1000 bytes occupy the interface for 1000 + 999·6 = 6994.
    let text = "num_ranks 2\nrank 0 {\na: send 1000b to 1 tag 1\nb: send 1000b to 1 tag 2\nb requires a\n}\n\
                rank 1 {\nrecv 1000b from 0 tag 1\nrecv 1000b from 0 tag 2\n}";
    assert_eq!(finish_ns(text), [6_994 + 1_500, 4_000 + 2 * (1_500 + 5_994)]);
    let rules = LoggopsimV1 { overhead_per_byte: PerByte::from_ns(7.0), ..LoggopsimV1::default() };
    // O: 1500 + 999·7 = 8493 for each send, and max(O, G) at the receiver.
    assert_eq!(with(rules, text).unwrap(), [16_986, 8_493 + 4_000 + 8_493]);
}

#[test]
fn dependencies_across_cpus_forget_when_the_predecessor_finished() {
    // The second calculation is queued at its own CPU's time, 0: it does not wait for the first to end.
    let text = "num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 10 cpu 1\nc: calc 10 cpu 1\nb requires a\nc requires b\n}";
    assert_eq!(finish_ns(text), [1_000]);
    assert_eq!(finish_ns(&text.replace("calc 1000", "calc 5")), [20]);
}

#[test]
fn a_message_without_bytes_costs_what_one_byte_costs() {
    let text = "num_ranks 2\nrank 0 { send 0b to 1 }\nrank 1 { recv 0b from 0 }";
    assert_eq!(finish_ns(text), finish_ns(&text.replace("0b", "1b")));
    assert_eq!(finish_ns(text), [1_500, 5_500]);
}

#[test]
fn what_that_program_lets_pass_is_an_error() {
    let left_over = "num_ranks 2\nrank 0 { send 8b to 1 tag 1 }\nrank 1 { }";
    let never = "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}";
    let deadlock = "num_ranks 2\nrank 0 {\ns: send 70000b to 1\nr: recv 70000b from 1\nr requires s\n}\n\
                    rank 1 {\ns: send 70000b to 0\nr: recv 70000b from 0\nr requires s\n}";
    let errors = [left_over, never, deadlock].map(|text| with(LoggopsimV1::default(), text).unwrap_err());
    let [RunError::Unmatched { .. }, RunError::Deadlock { .. }, RunError::Deadlock { .. }] = &errors else {
        panic!("{errors:?}")
    };
    insta::assert_snapshot!(errors.map(|error| error.to_string()).join("\n"));
    let long = LoggopsimV1 { latency: Span(u64::MAX - 5), ..LoggopsimV1::default() };
    let text = "num_ranks 2\nrank 0 { send 1b to 1 }\nrank 1 { recv 1b from 0 }";
    let schedule = text::read("", text.as_bytes()).unwrap();
    let error = run(&schedule, &Rules::LoggopsimV1(long), &Quiet, Engine::Event).unwrap_err();
    assert_eq!(error, RunError::Overflow { rank: 1 });
}

#[test]
fn a_receive_that_was_posted_at_a_later_time_meets_a_message_at_the_earlier_one() {
    // With several CPUs times run backwards: s is executable at 0 on a CPU that is free, when b finishes at 20000. Its message is
    // taken in at 4000, after c and r have been handled at 10000. The sender is released at 4000 and calculates.
    let text = "num_ranks 2\nrank 0 {\na: calc 20000 cpu 1\nb: calc 1 cpu 1\ns: send 70000b to 1\nx: calc 100000\n\
                b requires a\ns requires b\nx requires s\n}\n\
                rank 1 {\nc: calc 10000 cpu 1\nr: recv 70000b from 0 cpu 1\nr requires c\n}";
    assert_eq!(finish_ns(text)[0], 104_000);
}
