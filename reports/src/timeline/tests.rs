use super::trace::{Activity, Bar, Trace};
use super::{Which, caption, draw};
use crate::comparison::SubjectComparison;
use crate::html::fixture::{CALLS, TAU, emulated, trace as played};
use models::clock::Ticks;
use models::observation::Stamp;
use models::time::Span;
use roxmltree::{Document, Node};

const RANKS: u32 = 8;

fn linear() -> SubjectComparison {
    emulated("linear", RANKS, false)
}

fn predicted() -> Trace {
    Trace::of(linear().predicted_trace.as_ref().expect("a trace")).expect("stamps")
}

fn waits(trace: &Trace, rank: u32) -> Vec<&Bar> {
    trace.bars.iter().filter(|bar| bar.rank == rank && bar.activity == Activity::Waiting).collect()
}

#[test]
fn waits_of_the_linear_broadcast_meet_their_closed_form() {
    let trace = predicted();
    let (n, k) = (u64::from(RANKS), u64::from(CALLS));
    assert_eq!(trace.waited(1), TAU * ((k - 1) * (n - 2)));
    for rank in 1..RANKS {
        let i = u64::from(rank);
        assert_eq!(trace.waited(rank), TAU * (i - 1 + (k - 1) * (n - 2)), "rank {rank}");
        assert_eq!(trace.in_loop(rank), TAU * (i + (k - 1) * (n - 1)), "rank {rank}");
        // Rank 1 alone has its first message at once.
        assert_eq!(waits(&trace, rank).len(), if rank == 1 { 3 } else { 4 }, "rank {rank}");
        assert!(waits(&trace, rank).iter().skip(1).all(|bar| bar.to - bar.from == TAU * (n - 2)));
    }
    assert_eq!(trace.waited(0), Span::ZERO);
}

#[test]
fn every_send_is_a_bar_and_every_message_an_arrow() {
    let trace = predicted();
    let count = |activity| trace.bars.iter().filter(|bar| bar.activity == activity).count();
    let messages = (CALLS * (RANKS - 1)) as usize;
    assert_eq!([count(Activity::Sending), count(Activity::Receiving), trace.messages.len()], [messages; 3]);
    for message in &trace.messages {
        let nth = message.call as u64 * 7 + u64::from(message.receiver) - 1;
        assert_eq!((message.sender, message.sent, message.received), (0, TAU * nth, TAU * (nth + 1)));
    }
    assert_eq!((trace.end, trace.ranks(), trace.calls()), (TAU * 28, RANKS, 4));
}

#[test]
fn clocks_that_are_apart_are_brought_together() {
    let subject = linear();
    let measured = Trace::of(subject.measured_trace.as_ref().expect("a trace")).expect("stamps");
    let (waited, exact) = (measured.waited(1).as_us(), predicted().waited(1).as_us());
    assert!((waited / exact - 1.0).abs() < 0.01, "{waited} against {exact}");
}

#[test]
fn only_the_first_block_is_drawn() {
    let mut observation = linear().predicted_trace.expect("a trace");
    let first = Trace::of(&observation);
    for record in &mut observation.ranks {
        let later = |ticks: Ticks| Ticks(ticks.0 + 1_000_000_000_000);
        let again: Vec<Stamp> =
            record.stamps.iter().map(|s| Stamp { block: 1, start: later(s.start), end: later(s.end), ..*s }).collect();
        let mut steps = record.steps.clone();
        steps.iter_mut().for_each(|step| (step.start, step.end) = (later(step.start), later(step.end)));
        record.stamps.extend(again);
        record.steps.extend(steps);
    }
    assert_eq!(Trace::of(&observation), first);
}

#[test]
fn a_receive_without_its_send_is_all_in_flight() {
    let mut observation = linear().predicted_trace.expect("a trace");
    observation.ranks[0].steps.clear();
    let trace = Trace::of(&observation).expect("stamps");
    assert!(trace.messages.is_empty());
    assert!(trace.bars.iter().all(|bar| bar.activity == Activity::Receiving));
}

#[test]
fn without_stamps_there_is_no_timeline() {
    let mut subject = linear();
    subject.measured_trace = None;
    assert_eq!(draw(&subject, Which::Measured), None);
    subject.predicted_trace.as_mut().expect("a trace").ranks.iter_mut().for_each(|record| record.stamps.clear());
    assert_eq!(draw(&subject, Which::Predicted), None);
    assert!(!super::is_traced(&subject));
}

/// Left edge and width of the rectangles with this fill, which all are in one path.
fn filled(svg: &Document, fill: &str) -> Vec<(i32, i32)> {
    let path = svg.descendants().find(|node| node.tag_name().name() == "path" && node.attribute("fill") == Some(fill));
    let course = path.and_then(|path| path.attribute("d")).expect("a path");
    let number = |text: &str| text.parse().expect("a number");
    let rects = course.split('M').skip(1).map(|rect| {
        let (x, rest) = rect.split_once(',').expect("a place");
        let (width, _) = rest.split_once('h').expect("a width").1.split_once('v').expect("a height");
        (number(x), number(width))
    });
    rects.collect()
}

#[test]
fn bars_stand_where_their_times_are() {
    let mut subject = linear();
    subject.measured_trace = None;
    let svg = draw(&subject, Which::Predicted).expect("a timeline").to_string();
    let document = Document::parse(&svg).expect("well-formed");
    // 28 τ fill the 706 px between x = 104 and 810: the first call's seven sends are 25 px each.
    let full = crate::plots::canvas::tint(crate::plots::canvas::HUES[0], 0.88);
    let sends = filled(&document, &format!("#{:02X}{:02X}{:02X}", full.0, full.1, full.2));
    assert_eq!(sends.len(), 7);
    for (j, (x, width)) in (0..).zip(&sends) {
        let exact = 104.0 + 706.0 * f64::from(j) / 28.0;
        assert!((f64::from(*x) - exact).abs() <= 0.5 && (25..=26).contains(width), "send {j}: {x}, {width}");
    }
}

#[test]
fn the_wait_of_rank_1_is_spelled_out() {
    let subject = linear();
    let drawing = draw(&subject, Which::Predicted).expect("a timeline");
    crate::plots::room_tests::finds_room(&drawing, "Simulated");
    assert_eq!(drawing.to_string().matches("waits 6.00 ms").count(), 3);
    let said = [Which::Predicted, Which::Measured].map(|which| caption(&subject, which).expect("a caption"));
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn where_no_rank_is_misreported_the_caption_says_so() {
    let subject = emulated("binomial", RANKS, false);
    let said = caption(&subject, Which::Predicted);
    insta::assert_snapshot!(said.expect("a caption"));
    assert!(!draw(&subject, Which::Predicted).expect("a timeline").to_string().contains("waits "));
}

#[test]
fn a_library_call_that_shows_no_steps_is_drawn_as_calls() {
    let mut subject = linear();
    subject.predicted_trace.iter_mut().flat_map(|trace| &mut trace.ranks).for_each(|record| record.steps.clear());
    let svg = draw(&subject, Which::Predicted).expect("a timeline").to_string();
    let document = Document::parse(&svg).expect("well-formed");
    let first = crate::plots::canvas::tint(crate::plots::canvas::HUES[0], 0.08);
    assert_eq!(filled(&document, &format!("#{:02X}{:02X}{:02X}", first.0, first.1, first.2)).len(), 8);
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
        let svg = draw(&subject, which).expect("a timeline").to_string();
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
