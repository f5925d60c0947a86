//! First calls of launches in which the machine's state changed.

use super::super::foot::first_of_all;
use super::*;

/// A case of which ranks took looks before every second sample and behind the last: lines took so long in its first half, and
/// in its second.
fn looked(case: Case, launch: u32, [first, second]: [u64; 2]) -> Line {
    let mut observation = measurement(case);
    observation.occasion.launch = launch;
    for record in &mut observation.ranks {
        let look = |ns: u64| MachineLook { line: Some(Span::from_ns(ns)), work: Span::from_ns(600) };
        let line_ns = |index: u32| if index < 8 { first } else { second };
        record.looks = (0..=15).map(|index| Looked { before_stamp: 2 * index, look: look(line_ns(index)) }).collect();
    }
    Line::Measured(observation)
}

/// One length by four methods in two launches, whose first case is met in two states.
fn two_states() -> Vec<Line> {
    let of = |method| case(Carrier::Native, 4, "linear", method);
    let mut lines = vec![campaign()];
    // The first launch begins near and ends far; the second one begins far and comes back.
    for (launch, first) in [(0, [40, 160]), (1, [160, 40])] {
        lines.push(looked(of(Method::Loop), launch, first));
        lines.push(looked(of(Method::Window), launch, first));
        lines.push(looked(of(Method::BarrierLoop), launch, [40; 2]));
        lines.push(looked(of(Method::RoundTime), launch, [160; 2]));
    }
    lines
}

#[test]
fn a_launch_that_met_two_states_has_one_first_call_in_the_state_in_which_it_began() {
    let measured = measured(&two_states()).expect("a campaign");
    assert_eq!(measured.subjects.len(), 2, "two states");
    for subject in &measured.subjects {
        let near = subject.state.expect("a state").line_ns < 100.0;
        let calls: Vec<(u32, bool)> =
            subject.rows.iter().flat_map(|row| &row.first_calls).map(|call| (call.launch, call.fresh)).collect();
        assert_eq!(calls, [(if near { 1 } else { 2 }, true)], "near: {near}");
    }
    let lines = first_of_all(&measured, 200);
    assert_eq!(lines.len(), 1 + 2, "a heading, and one line for each launch: {lines:#?}");
}

#[test]
fn a_first_call_whose_state_is_not_clear_is_told_in_the_most_visited_one_in_which_its_case_was_met() {
    let mut lines = two_states();
    // The line of the first case was far and near at once in its first stretch.
    let Line::Measured(first) = &mut lines[1] else { panic!("a measurement") };
    first.ranks[0].looks[0].look.line = Some(Span::from_ns(160));
    let measured = measured(&lines).expect("a campaign");
    let fresh = measured.subjects.iter().flat_map(|subject| &subject.rows).flat_map(|row| &row.first_calls);
    let mut launches: Vec<u32> = fresh.filter(|call| call.fresh).map(|call| call.launch).collect();
    launches.sort_unstable();
    assert_eq!(launches, [1, 2]);
}

#[test]
fn a_case_whose_state_changed_in_every_block_is_told_by_itself() {
    let mut lines = two_states();
    let own = Conditions { reference: true, buffer: Buffer::Touched, ..Conditions::default() };
    lines.push(looked(case(Carrier::Native, 4, "linear", Method::Window).under(own), 0, [40; 2]));
    let restless = case(Carrier::Native, 4, "linear", Method::Loop).with(|case| case.subject.bytes = 77);
    lines.push(looked(restless.clone(), 0, [40; 2]));
    let Line::Measured(one) = lines.last_mut().expect("the restless one") else { panic!("a measurement") };
    for (place, looked) in one.ranks.iter_mut().flat_map(|record| record.looks.iter_mut().enumerate()) {
        looked.look.line = Some(Span::from_ns(if place % 2 == 0 { 40 } else { 160 }));
    }
    let all = measured(&lines).expect("a campaign").subjects;
    let (restless_ones, others): (Vec<&Subject>, Vec<&Subject>) = all.iter().partition(|subject| subject.changing);
    assert_eq!((restless_ones.len(), others.len()), (1, 2), "{all:#?}");
    let row = &restless_ones[0].rows[0];
    assert_eq!((row.bytes, row.methods.len(), row.first_calls.len()), (77, 1, 1));
    assert!(row.methods[0].us.is_some() && row.methods[0].ratio.is_none(), "{row:#?}");
    assert!(others.iter().all(|subject| subject.rows.iter().all(|row| row.bytes != 77) && subject.state.is_some()));
    insta::assert_snapshot!(restless_ones[0].title());
}
