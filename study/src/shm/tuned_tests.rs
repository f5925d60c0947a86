//! Measured broadcasts whose times are known: what stands side by side, and what is fitted to them.

use super::{Predicted, SideBySide, Tuned};
use crate::compare::fixture::{campaign, case};
use crate::forms::{json, table};
use crate::measured::{self, Cell, Measured, MeasuredRow, Subject};
use calibration::states::MetState;
use models::shared_broadcast::{
    Costs, Design, NodeCosts, Notified, Queue, Queued, Scheme, exact, one_reader_on_a_node,
};
use models::time::{PerByte, Span};
use programs::machine::Estimate;
use programs::method::Method;
use programs::observation::{Carrier, Case, Implementation};
use render::results::Results;
use serde_json::Value;

/// Costs in three launches, the second and third 10 % slower and faster.
fn costs(factor: f64) -> Costs {
    let span = |ns: f64| Span((ns * factor * 1e3) as u64);
    Costs { copy: PerByte(80.0 * factor), notification: span(300.0), set: span(500.0), leave: span(100.0) }
}

fn row(bytes: u64, launches_us: [f64; 3]) -> MeasuredRow {
    let [value, ..] = launches_us;
    let cell = Cell {
        method: Method::Window,
        is_reference: true,
        us: Some(Estimate::exactly(value)),
        ratio: None,
        launches_us: (0..).zip(launches_us).collect(),
        samples: 300,
        starts: 300,
        steadiness: None,
        ranks: Vec::new(),
    };
    MeasuredRow { bytes, methods: vec![cell], ..MeasuredRow::default() }
}

/// Broadcasts of 64 KiB and 1 MiB: by the library, and through each queue. `slower` gives the factor on the time of a copy for the
/// bytes of the queue that a message uses, `memory` M over t; where a state is known, control words take a line's way to clear.
fn measured(queues: &[Queue], slower: fn(u64) -> f64, memory: f64, state: Option<MetState>) -> Measured {
    let subject = |implementation: Implementation, us: &dyn Fn(u64, f64) -> f64| Subject {
        case: case(Carrier::Native, 2, "", Method::Window).with(|case| case.subject.implementation = implementation),
        measured_by: "nobody".to_owned(),
        oversubscribed: false,
        one_clock: true,
        launches: 3,
        state,
        changing: false,
        reference: None,
        empty_window: None,
        rows: [1 << 16, 1 << 20].map(|bytes| row(bytes, [1.0, 1.1, 0.9].map(|factor| us(bytes, factor)))).to_vec(),
    };
    let library = subject(Implementation::Library, &|bytes, factor| bytes as f64 / 1e4 * factor);
    let through = queues.iter().map(|queue| {
        let time = |bytes: u64, factor| {
            let costs = costs(factor);
            let copy = PerByte(costs.copy.0 * slower(queue.bytes().min(bytes)));
            let clear = Span::from_ns(state.map_or(0, |state| state.line_ns as u64));
            let node =
                NodeCosts { memory: PerByte(copy.0 * memory), clear, ..NodeCosts::from_costs(Costs { copy, ..costs }) };
            one_reader_on_a_node(&node, queue, bytes).as_us()
        };
        subject(
            Implementation::Shared(Queued::new(Scheme { design: Design::Numa, queue: *queue, tree: Notified::FLAT })),
            &time,
        )
    });
    Measured {
        subjects: std::iter::once(library).chain(through).collect(),
        ..measured::measured(&[campaign()]).expect("a campaign")
    }
}

fn queues() -> Vec<Queue> {
    let lengths = [2, 4, 8, 16, 32, 64].map(|kib| kib << 10);
    let all = lengths.into_iter().flat_map(|fragment| [1, 4, 32].map(|buffers| Queue::new(fragment, buffers, 1)));
    all.collect::<Result<_, _>>().expect("queues")
}

/// The parameters of [`costs`] were found, and the queues that were kept apart have the times that these predict.
fn came_back(fit: &Value, within: f64) {
    let value = |key: &str| fit[key].as_f64().expect("a number");
    let found = [value("t_ns_per_byte"), value("tw_ns"), value("two_and_ta_ns")];
    for (found, expected) in found.into_iter().zip([0.08, 300.0, 600.0]) {
        assert!((found / expected - 1.0).abs() < within, "{found} for {expected}: {fit}");
    }
    assert!(fit["deviation"].as_f64().is_some_and(|share| share < within), "{fit}");
}

#[test]
fn the_parameters_that_made_the_times_come_back_and_predict_all_of_them() {
    let measured = measured(&queues(), |_| 1.0, 0.0, None);
    let broadcasts = SideBySide::from_measured(&measured, None).expect("queues");
    let found = json(&Tuned::fit(&broadcasts));
    let fits = found["fits"].as_array().expect("fits");
    assert_eq!(fits.len(), 2);
    for fit in fits {
        came_back(fit, 1e-3);
        let [predicted, measured] =
            ["many_over_one", "many_over_one_measured"].map(|key| fit[key].as_f64().expect("a ratio"));
        assert!((predicted / measured - 1.0).abs() < 1e-3);
        assert_eq!(fit["loss"].as_f64(), Some(0.0), "the fragment that is fastest by the parameters is the fastest");
    }
    // √(1 MiB · 300 ns ÷ 0.08 ns/B)
    assert!(fits[1]["best_fragment_bytes"].as_f64().is_some_and(|bytes| (bytes - 62_706.0).abs() < 60.0), "{found}");
}

#[test]
fn queues_whose_lines_are_still_in_caches_have_a_rate_of_their_own() {
    let measured = measured(&queues(), |memory| if memory <= 64 << 10 { 1.5 } else { 1.0 }, 0.0, None);
    let broadcasts = SideBySide::from_measured(&measured, None).expect("queues");
    let found = json(&Tuned::fit(&broadcasts));
    let fit = &found["fits"][1];
    assert_eq!((fit["bytes"].as_u64(), fit["small_queue_bytes"].as_u64()), (Some(1 << 20), Some(64 << 10)), "{fit}");
    let value = |key: &str| fit[key].as_f64().expect("a number");
    let found = [value("t_ns_per_byte"), value("small_queue_t_ns_per_byte"), value("tw_ns"), value("two_and_ta_ns")];
    for (found, expected) in found.into_iter().zip([0.08, 0.12, 300.0, 600.0]) {
        assert!((found / expected - 1.0).abs() < 1e-3, "{found} for {expected}: {fit}");
    }
    assert!(fit["deviation"].as_f64().is_some_and(|share| share < 2e-3), "{fit}");
}

/// Copies that are as fast at once as alone, or half as much slower, or no faster than one after the other.
#[test]
fn copies_that_disturb_each_other_are_told_from_copies_that_do_not() {
    for memory in [0.5, 0.75, 1.0] {
        let measured = measured(&queues(), |_| 1.0, memory, None);
        let broadcasts = SideBySide::from_measured(&measured, None).expect("queues");
        let tuned = Tuned::fit(&broadcasts);
        let found = json(&tuned);
        let fit = &found["fits"][1];
        let value = |key: &str| fit[key].as_f64();
        came_back(fit, 0.02);
        let expected = (memory > 0.5).then_some(0.08 * memory);
        let is_near = |(found, expected): (f64, f64)| (found / expected - 1.0).abs() < 0.02;
        assert_eq!(value("memory_ns_per_byte").zip(expected).map(is_near), expected.map(|_| true), "{fit}");
        assert_eq!(
            found["notes"][1]
                .as_str()
                .is_some_and(|note| note.contains("shm simulate --ranks 2 --tree flat --bytes 1048576 --fragment ")),
            memory > 0.5,
            "{found}"
        );
    }
}

/// Short copies do not hide that the reader clears its control word, long ones do.
#[test]
fn clearing_control_words_is_not_taken_for_another_rate() {
    for memory in [0.0, 0.75] {
        let state = MetState { line_ns: 400.0, work_ns: 100.0, slower: 1.0, stretches: 100, visits: 1, launches: 3 };
        let measured = measured(&queues(), |_| 1.0, memory, Some(state));
        let broadcasts = SideBySide::from_measured(&measured, None).expect("queues");
        let found = json(&Tuned::fit(&broadcasts));
        let fit = &found["fits"][1];
        let value = |key: &str| fit[key].as_f64();
        came_back(fit, 0.02);
        assert_eq!(
            (value("memory_ns_per_byte").is_some(), fit["small_queue_bytes"].is_u64()),
            (memory > 0.0, false),
            "{fit}"
        );
        assert!(fit["parameters"].as_str().is_some_and(|text| text.ends_with("c=400ns")), "{fit}");
    }
}

#[test]
fn times_stand_beside_the_library_s_and_beside_one_buffer() {
    let few = [(8 << 10, 1, 1), (8 << 10, 32, 1)].map(|(f, s, q)| Queue::new(f, s, q).expect("a queue"));
    let measured = measured(&few, |_| 1.0, 0.0, None);
    let us = |case: &Case, bytes, _: Option<f64>| match &case.subject.implementation {
        Implementation::Shared(queued) => Some(exact(&costs(1.0), &queued.queue(), bytes).total().as_us()),
        _ => None,
    };
    let predicted = Predicted { parameters: costs(1.0).to_string(), us: &us };
    let broadcasts = SideBySide::from_measured(&measured, Some(&predicted)).expect("queues");
    insta::assert_snapshot!([table(&broadcasts), broadcasts.csv()].join("\n"));
    assert!(Tuned::fit(&broadcasts).is_empty(), "two queues say too little");
}

#[test]
fn a_campaign_without_queues_has_no_such_table() {
    let measured = measured(&[], |_| 1.0, 0.0, None);
    assert!(SideBySide::from_measured(&measured, None).is_none());
}
