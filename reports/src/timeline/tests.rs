use super::trace::{first_block, in_loop, waited};
use super::{Which, caption, draw_timeline};
use crate::html::fixture::{CALLS, TAU, emulated, trace as played};
use models::clock::Ticks;
use models::time::{Span, Time};
use programs::observation::Stamp;
use programs::trace::{Activity, Interval, Trace};
use roxmltree::{Document, Node};
use study::comparison::SubjectComparison;

const RANKS: u32 = 8;

fn linear() -> SubjectComparison {
    emulated("linear", RANKS, false)
}

fn predicted() -> Trace {
    first_block(linear().predicted_trace.as_ref().expect("a trace")).expect("stamps")
}

fn waits(trace: &Trace, rank: u32) -> Vec<&Interval> {
    trace.intervals.iter().filter(|bar| bar.rank == rank && bar.activity == Activity::Waiting).collect()
}

#[test]
fn waits_of_the_linear_broadcast_meet_their_closed_form() {
    let trace = predicted();
    let (n, k) = (u64::from(RANKS), u64::from(CALLS));
    assert_eq!(waited(&trace, 1), TAU * ((k - 1) * (n - 2)));
    for rank in 1..RANKS {
        let i = u64::from(rank);
        assert_eq!(waited(&trace, rank), TAU * (i - 1 + (k - 1) * (n - 2)), "rank {rank}");
        assert_eq!(in_loop(&trace, rank), TAU * (i + (k - 1) * (n - 1)), "rank {rank}");
        // Rank 1 alone has its first message at once.
        assert_eq!(waits(&trace, rank).len(), if rank == 1 { 3 } else { 4 }, "rank {rank}");
        assert!(waits(&trace, rank).iter().skip(1).all(|bar| bar.end.since(bar.start) == TAU * (n - 2)));
    }
    assert_eq!(waited(&trace, 0), Span::ZERO);
}

#[test]
fn every_send_is_a_bar_and_every_message_an_arrow() {
    let trace = predicted();
    let count = |activity| trace.intervals.iter().filter(|bar| bar.activity == activity).count();
    let messages = (CALLS * (RANKS - 1)) as usize;
    assert_eq!([count(Activity::Sending), count(Activity::Receiving), trace.flights.len()], [messages; 3]);
    for (nth, message) in (0..).zip(&trace.flights) {
        let (sent, received) = (Time::ZERO + TAU * nth, Time::ZERO + TAU * (nth + 1));
        assert_eq!((message.from, message.to), (0, (nth % 7) as u32 + 1));
        assert_eq!((message.departed, message.received), (sent, received));
    }
    assert_eq!(trace.finish.iter().max(), Some(&(Time::ZERO + TAU * 28)));
    assert_eq!(trace.calls.len(), (RANKS * CALLS) as usize);
}

#[test]
fn clocks_that_are_apart_are_brought_together() {
    let subject = linear();
    let measured = first_block(subject.measured_trace.as_ref().expect("a trace")).expect("stamps");
    let (waited, exact) = (waited(&measured, 1).as_us(), waited(&predicted(), 1).as_us());
    assert!((waited / exact - 1.0).abs() < 0.01, "{waited} against {exact}");
}

#[test]
fn only_the_first_block_is_drawn() {
    let mut observation = linear().predicted_trace.expect("a trace");
    let first = first_block(&observation);
    for record in &mut observation.ranks {
        let later = |ticks: Ticks| Ticks(ticks.0 + 1_000_000_000_000);
        let again: Vec<Stamp> =
            record.stamps.iter().map(|s| Stamp { block: 1, start: later(s.start), end: later(s.end), ..*s }).collect();
        let mut steps = record.steps.clone();
        steps.iter_mut().for_each(|step| (step.start, step.end) = (later(step.start), later(step.end)));
        record.stamps.extend(again);
        record.steps.extend(steps);
    }
    assert_eq!(first_block(&observation), first);
}

#[test]
fn a_receive_without_its_send_is_all_in_flight() {
    let mut observation = linear().predicted_trace.expect("a trace");
    observation.ranks[0].steps.clear();
    let trace = first_block(&observation).expect("stamps");
    assert!(trace.flights.is_empty());
    assert!(trace.intervals.iter().all(|bar| bar.activity == Activity::Receiving));
}

#[test]
fn without_stamps_there_is_no_timeline() {
    let mut subject = linear();
    subject.measured_trace = None;
    assert_eq!(draw_timeline(&subject, Which::Measured), None);
    subject.predicted_trace.as_mut().expect("a trace").ranks.iter_mut().for_each(|record| record.stamps.clear());
    assert_eq!(draw_timeline(&subject, Which::Predicted), None);
    assert!(!super::is_traced(&subject));
}

/// What the picture tells of its bars.
fn bar_titles(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("well-formed");
    let is_bar = |node: &Node| node.parent().is_some_and(|parent| parent.tag_name().name() == "rect");
    let titles = document.descendants().filter(|node| node.tag_name().name() == "title").filter(is_bar);
    titles.filter_map(|node| node.text().map(str::to_owned)).collect()
}

#[test]
fn every_bar_says_who_does_what_when() {
    let told = bar_titles(&draw_timeline(&linear(), Which::Predicted).expect("a timeline").to_string());
    let count = |words: &str| told.iter().filter(|title| title.contains(words)).count();
    assert_eq!([count("in call"), count("sending"), count("receiving")], [32, 28, 28]);
    // The root's second call begins with its eighth send.
    let at = format!("rank 0: sending {TAU} from {} to {}", TAU * 7, TAU * 8);
    assert!(told.contains(&at), "{at}: {told:?}");
}

#[test]
fn the_wait_of_rank_1_is_spelled_out() {
    let subject = linear();
    let drawing = draw_timeline(&subject, Which::Predicted).expect("a timeline");
    crate::room_tests::finds_room(&drawing, "Simulated");
    assert_eq!(drawing.to_string().matches("waits 6.00 ms").count(), 3);
    let said = [Which::Predicted, Which::Measured].map(|which| caption(&subject, which).expect("a caption"));
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn where_no_rank_is_misreported_the_caption_says_so() {
    let subject = emulated("binomial", RANKS, false);
    let said = caption(&subject, Which::Predicted);
    insta::assert_snapshot!(said.expect("a caption"));
    assert!(!draw_timeline(&subject, Which::Predicted).expect("a timeline").to_string().contains("waits "));
}

#[test]
fn a_library_call_that_shows_no_steps_is_drawn_as_calls() {
    let mut subject = linear();
    subject.predicted_trace.iter_mut().flat_map(|trace| &mut trace.ranks).for_each(|record| record.steps.clear());
    let told = bar_titles(&draw_timeline(&subject, Which::Predicted).expect("a timeline").to_string());
    assert_eq!(told.len(), 32);
    assert!(told.iter().all(|title| title.contains("in call")), "{told:?}");
}

/// An attribute of an element or of its group.
fn look<'a>(node: &Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attribute(name).or(node.parent().and_then(|group| group.attribute(name)))
}

#[test]
fn both_timelines_have_one_time_axis() {
    let mut subject = linear();
    let case = subject.predicted_trace.as_ref().expect("a trace").case.clone();
    subject.measured_trace = Some(played(&case, TAU * 2, 0));
    let ticks = |which| {
        let svg = draw_timeline(&subject, which).expect("a timeline").to_string();
        let document = Document::parse(&svg).expect("well-formed");
        let faint = |node: &Node| node.tag_name().name() == "text" && look(node, "text-anchor") == Some("middle");
        let texts = document.descendants().filter(faint).map(|node| {
            (node.attribute("x").unwrap_or_default().to_owned(), node.text().unwrap_or_default().trim().to_owned())
        });
        texts.filter(|(_, text)| text.ends_with('0')).collect::<Vec<_>>()
    };
    assert_eq!(ticks(Which::Predicted), ticks(Which::Measured));
    assert!(ticks(Which::Predicted).iter().any(|(_, text)| text == "50"), "{:?}", ticks(Which::Predicted));
}
