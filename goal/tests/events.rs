//! The event engine under network models: who goes first, who waits for what, what is reported.

use models::engine::Engine;
use models::network::{Hockney, LogGp, Network, SendRule};
use models::noise::Quiet;
use models::time::{PerByte, Span, Time};
use parallax_goal::text;
use parallax_goal::{Rules, RunError, run, trace};
use programs::trace::Activity;

/// L = 100, o = 10, g = 15, G = 1 ns/B, so that B = 0 for one byte.
fn loggp() -> Rules {
    let (overhead_send, overhead_receive) = (Span::from_ns(10), Span::from_ns(10));
    let (latency, gap, gap_per_byte) = (Span::from_ns(100), Span::from_ns(15), PerByte::from_ns(1.0));
    Rules::Network(Network::Loggp(LogGp { latency, overhead_send, overhead_receive, gap, gap_per_byte }))
}

fn hockney(send_rule: SendRule) -> Rules {
    Rules::Network(Network::Hockney(Hockney { alpha: Span::from_ns(100), beta: PerByte::from_ns(1.0), send_rule }))
}

fn attempt(rules: &Rules, text: &str) -> Result<Vec<u64>, RunError> {
    let schedule = text::read("s.goal", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let run = run(&schedule, rules, &Quiet, Engine::Event)?;
    let (traced, trace) = trace(&schedule, rules, &Quiet)?;
    assert_eq!(traced.finish, run.finish, "watching changes nothing");
    assert_eq!(trace.flights.len() as u64, run.messages);
    for pair in trace.intervals.windows(2) {
        let same = (pair[0].rank, pair[0].cpu) == (pair[1].rank, pair[1].cpu);
        assert!(!same || pair[0].end <= pair[1].start, "a CPU does one thing at a time: {pair:?}");
    }
    Ok(run.finish.into_iter().map(|Time(ps)| ps / 1000).collect())
}

fn finish_ns(rules: &Rules, text: &str) -> Vec<u64> {
    attempt(rules, text).unwrap()
}

#[test]
fn one_message() {
    let text = "num_ranks 2\nrank 0 { send 51b to 1 }\nrank 1 { recv 51b from 0 }";
    assert_eq!(finish_ns(&loggp(), text), [10, 10 + 50 + 100 + 10]);
    assert_eq!(finish_ns(&hockney(SendRule::Busy), text), [151, 151]);
    assert_eq!(finish_ns(&hockney(SendRule::Detached), text), [0, 151]);
}

#[test]
fn an_operation_is_ready_when_what_it_requires_has_finished_on_whatever_cpu() {
    let text =
        "num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 10 cpu 1\nc: calc 20 cpu 2\nb requires a\nc irequires b\n}";
    assert_eq!(finish_ns(&loggp(), text), [1020]);
}

#[test]
fn the_gap_holds_back_sends_but_not_the_cpu() {
    // Sends at 0 and 15; between 10 and 15 the CPU is free, and the calculation takes it.
    let text = "num_ranks 2\nrank 0 {\nsend 1b to 1 tag 1\nsend 1b to 1 tag 2\ncalc 20\n}\n\
                rank 1 {\nrecv 1b from 0 tag 1\nrecv 1b from 0 tag 2\n}";
    assert_eq!(finish_ns(&loggp(), text), [40, 150]);
    assert_eq!(finish_ns(&loggp(), &text.replace("calc 20", "calc 5")), [25, 135]);
}

#[test]
fn a_free_cpu_takes_who_has_waited_longest() {
    // Messages are there at 110 (rank 1) and 120 (rank 2); the calculation was ready at 115; the CPU is free at 200.
    let text = "num_ranks 3\nrank 0 {\nbusy: calc 200\na: recv 1b from 1\nb: recv 1b from 2\n\
                wait: calc 115 cpu 1\nc: calc 1000\nc requires wait\n}\n\
                rank 1 { send 1b to 0 }\nrank 2 {\nd: calc 10\ns: send 1b to 0\ns requires d\n}";
    // 200 to 210 the first message, to 1210 the calculation, to 1220 the second message.
    assert_eq!(finish_ns(&loggp(), text)[0], 1220);
    let schedule = text::read("", text.as_bytes()).unwrap();
    let (_, trace) = trace(&schedule, &loggp(), &Quiet).unwrap();
    let done: Vec<_> = trace.intervals.iter().filter(|i| i.rank == 0 && i.cpu == 0).map(|i| i.activity).collect();
    assert_eq!(done, [Activity::Computing, Activity::Receiving, Activity::Computing, Activity::Receiving]);
}

#[test]
fn wildcards_take_messages_in_the_order_of_arrival() {
    // Rank 2's message leaves at 50 and is there at 160; rank 1's leaves at 0 with 301 bytes and is there at 410.
    let senders = "rank 1 { send 301b to 0 }\nrank 2 {\nd: calc 50\ns: send 1b to 0\ns requires d\n}";
    let any =
        "num_ranks 3\nrank 0 {\na: recv 1b from -1\nb: recv 1b from -1\nb requires a\nc: calc 1000\nc requires a\n}\n";
    // The short one is handled to 170; the calculation goes to 1170, and the long one waits for it.
    assert_eq!(finish_ns(&loggp(), &(any.to_owned() + senders))[0], 1180);
    let named = any.replacen("-1", "1", 1).replacen("-1", "2", 1);
    // The long one is handled to 420, then the short one waits for g + 0 behind it, 425 to 435, then the calculation: at
    // 420 both were ready, and receives go first.
    assert_eq!(finish_ns(&loggp(), &(named + senders))[0], 1435);
}

#[test]
fn tags_match_and_any_tag_matches_all() {
    let text = "num_ranks 2\nrank 0 {\nsend 1b to 1 tag 7\nsend 1b to 1 tag -1\n}\n\
                rank 1 {\nrecv 1b from 0 tag 9\nrecv 1b from 0 tag -1\n}";
    assert!(attempt(&loggp(), text).is_ok());
    let error = attempt(&loggp(), &text.replace("tag -1", "tag 3")).unwrap_err();
    assert!(matches!(error, RunError::Deadlock { .. }), "{error}");
    insta::assert_snapshot!(error);
}

#[test]
fn a_synchronous_sender_waits_for_the_receive() {
    let text = "num_ranks 2\nrank 0 {\ns: send 1b to 1\nc: calc 5\nc requires s\n}\nrank 1 {\nd: calc 300\nr: recv 1b from 0\nr requires d\n}";
    assert_eq!(finish_ns(&hockney(SendRule::Synchronous), text), [300 + 101 + 5, 401]);
    assert_eq!(finish_ns(&hockney(SendRule::Eager), text), [5, 300]);
    let crossed = "num_ranks 2\nrank 0 {\ns: send 1b to 1\nr: recv 1b from 1\nr requires s\n}\n\
                   rank 1 {\ns: send 1b to 0\nr: recv 1b from 0\nr requires s\n}";
    let error = attempt(&hockney(SendRule::Synchronous), crossed).unwrap_err();
    assert!(matches!(error, RunError::Deadlock { .. }), "{error}");
    insta::assert_snapshot!(error);
    assert_eq!(finish_ns(&hockney(SendRule::Busy), crossed), [101, 101]);
}

#[test]
fn of_many_reasons_the_first_are_named() {
    let mut text = "num_ranks 2\nrank 1 {}\nrank 0 {\n".to_owned();
    (0..20).for_each(|tag| text += &format!("recv 1b from 1 tag {tag}\n"));
    let Err(RunError::Deadlock { reasons }) = attempt(&loggp(), &(text + "}")) else { panic!("nobody sends") };
    assert_eq!((reasons.len(), reasons[8].as_str()), (9, "and 12 more"));
}

#[test]
fn what_is_left_over_and_what_overflows_is_reported() {
    let error = attempt(&loggp(), "num_ranks 2\nrank 0 { send 5b to 1 }\nrank 1 {}").unwrap_err();
    assert!(matches!(error, RunError::Unmatched { .. }), "{error}");
    insta::assert_snapshot!(error);
    let error = attempt(&loggp(), "num_ranks 1\nrank 0 { calc 18446744073709551615 }").unwrap_err();
    assert_eq!(error, RunError::Overflow { rank: 0 });
}

#[test]
fn a_receive_that_something_waits_to_see_posted_is_posted_in_its_turn() {
    // b is posted when a is, at 30; both are for one (source, tag) and take messages in the order of the file.
    let text = "num_ranks 2\nrank 0 {\nd: calc 30\na: recv 1b from 1\na requires d\nb: recv 9b from 1\nb irequires a\n}\n\
                rank 1 {\ns: send 1b to 0\nt: send 9b to 0\nt requires s\n}";
    // Messages at 110 and 15 + 10 + 8 + 100, which is handled from there on.
    assert_eq!(finish_ns(&loggp(), text), [143, 25]);
}
