//! The machine and the demands notice what is wrong with programs. All are meant to combine 2 B of three ranks at rank 0.

use crate::{demand, machine};
use parallax_models::collective::{Collective, Part, Shape, Step, Then};

const WHOLE: Part = Part::range(0, 2);

/// What is found wrong with the programs of three ranks.
fn fault(programs: [&[Step]; 3]) -> String {
    let programs = programs.iter().map(|steps| steps.iter().copied()).collect();
    let played = machine::play(2, programs);
    let checked =
        played.and_then(|(before, after)| demand::check(Collective::Reduce, &Shape::new(3, 0, 2), &before, &after));
    checked.err().unwrap_or_else(|| "nothing".to_owned())
}

fn send(to: u32) -> Step {
    Step::Send { to, part: WHOLE }
}

fn combine(from: u32) -> Step {
    Step::Receive { from, part: WHOLE, then: Then::Combine }
}

#[test]
fn a_right_program_is_right() {
    assert_eq!(fault([&[combine(1), combine(2)], &[send(0)], &[send(0)]]), "nothing");
    let posted = Step::Post { from: 2, part: WHOLE, then: Then::Combine };
    assert_eq!(fault([&[posted, combine(1), Step::WaitAll], &[send(0)], &[send(0)]]), "nothing");
}

#[test]
fn contributions_that_are_missing_or_counted_twice_are_noticed() {
    assert!(fault([&[combine(1)], &[send(0)], &[]]).contains("wrong data"));
    assert!(fault([&[combine(1), combine(2)], &[combine(2), send(0)], &[send(1), send(0)]]).contains("wrong data"));
    let store = Step::Receive { from: 2, part: WHOLE, then: Then::Store };
    assert!(fault([&[combine(1), store], &[send(0)], &[send(0)]]).contains("wrong data"));
}

#[test]
fn sends_that_wait_for_each_other_are_a_deadlock_even_if_buffers_would_hide_it() {
    let error = fault([&[combine(1), combine(2)], &[send(2), combine(2), send(0)], &[send(1), combine(1), send(0)]]);
    assert!(error.starts_with("deadlock") && error.contains("1 sends to 2"), "{error}");
}

#[test]
fn messages_that_nobody_receives_and_requests_that_nobody_waits_for_are_noticed() {
    let start = Step::Start { to: 0, part: WHOLE };
    let right: &[Step] = &[combine(1), combine(2)];
    assert!(fault([right, &[send(0)], &[start]]).contains("leaves without waiting"));
    let error = fault([right, &[send(0), start, Step::WaitAll], &[send(0)]]);
    assert!(error.starts_with("deadlock"), "{error}");
}

#[test]
fn lengths_that_differ_and_parts_outside_the_buffer_are_noticed() {
    let short = Step::Send { to: 0, part: Part::range(0, 1) };
    assert!(fault([&[combine(1)], &[short], &[]]).contains("expects 2 B"));
    let outside = Step::Send { to: 0, part: Part::range(1, 2) };
    assert!(fault([&[combine(1)], &[outside], &[]]).contains("outside the buffer"));
}

#[test]
fn what_is_being_sent_must_not_be_overwritten() {
    let exchange = |peer| Step::Exchange { to: peer, sent: WHOLE, from: peer, received: WHOLE, then: Then::Store };
    assert!(fault([&[], &[exchange(2)], &[exchange(1)]]).contains("overwrites"));
}
