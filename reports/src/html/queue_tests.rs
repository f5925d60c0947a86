//! What passes through shared memory stands beside what messages take: measured only.

use crate::fixture::{busy, campaign, case, measurement, observation, predictions};
use crate::summary::{self, Detail};
use models::shared_broadcast::Queued;
use models::time::Span;
use programs::method::Method;
use programs::observation::{Carrier, Case, Implementation, Observation, Occasion};
use render::results::Look;
use scenario::expect::Outcome;
use scenario::store::Line;
use study::compare::compare;
use study::comparison::{Report, Verdict};

const SCENARIO: &str = r#"# Which queue?
methods = ["window"]
calls = 1

[[case]]
world = "openmpi"
transport = "native"
ranks = [2]
operation = "bcast"
algorithms = ["shared:8KiB:1,4", "linear"]
bytes = "1 KiB"

[[expect]]
says = "Four buffers take half of the time"
quantity = "time"
of = { buffers = 4, rank = "slowest" }
over = { buffers = 1 }
within = [0.49, 0.51]
"#;

fn queue(name: &str, method: Method) -> Case {
    let queued = Queued::parse(name).expect("a queue");
    case(Carrier::Native, 2, "linear", method).with(|case| case.subject.implementation = Implementation::Shared(queued))
}

/// Two launches of two queues and of messages, which alone have a prediction.
fn lines() -> Vec<Line> {
    let Line::Campaign { format, question, name, seed, environment, reproduce, .. } = campaign() else {
        unreachable!("a campaign")
    };
    let scenario_text = SCENARIO.to_owned();
    let first = Line::Campaign { format, question, name, seed, scenario_text, environment, reproduce };
    let linear = case(Carrier::Native, 2, "linear", Method::Window);
    let mut lines = vec![first];
    lines.extend(predictions(&linear, &busy()));
    lines.push(Line::Measured(Observation { oversubscribed: false, ..measurement(linear) }));
    for launch in 0..2 {
        for (name, us) in [("shared:8KiB:1", 2_000), ("shared:8KiB:4", 1_000)] {
            let seen = observation(queue(name, Method::Window), Span::from_us(us), |_| Span::ZERO);
            let occasion = Occasion { launch };
            lines.push(Line::Measured(Observation { occasion, oversubscribed: false, ..seen }));
        }
    }
    lines.push(Line::Finished {});
    lines
}

fn report() -> Report {
    compare(&lines()).expect("a campaign")
}

fn terminal(report: &Report, detail: Detail) -> String {
    summary::page(report, detail).terminal(Look { width: 100, ..Look::IN_FILES })
}

#[test]
fn queues_have_rows_without_a_prediction_that_say_why() {
    let report = report();
    assert_eq!(report.left_out, [""; 0], "nothing is dropped");
    let queues = || report.subjects.iter().filter(|subject| subject.case.subject.implementation.queued().is_some());
    assert_eq!(queues().count(), 4, "queues, launches");
    for subject in queues() {
        let rows: Vec<_> = subject.methods.iter().flat_map(|method| &method.rows).collect();
        assert_eq!(rows.len(), 2);
        assert!(rows.iter().all(|row| row.verdict == Verdict::Unpredicted && row.predicted_us.value.is_nan()));
        assert!(rows.iter().all(|row| row.measured_us.value > 0.0 && row.told_us() == row.measured_us.value));
        assert!(subject.unpredicted().is_some_and(|why| why.starts_with("measured only: shared:8KiB:")));
        assert!(subject.reasons.is_empty() && subject.predicted_by.is_empty());
    }
    let linear = report.subjects.iter().find(|subject| subject.is_linear_bcast()).expect("messages");
    assert!(linear.methods[0].rows.iter().all(|row| row.verdict == Verdict::Agrees) && linear.unpredicted().is_none());
}

#[test]
fn expectations_name_a_queue_s_buffers() {
    let judged: Vec<_> = report().judgements.iter().map(|one| (one.outcome, one.numbers, one.range)).collect();
    assert_eq!(judged, [(Outcome::Met, 2, Some((0.5, 0.5)))]);
}

#[cfg(feature = "shared-memory")]
#[test]
fn queues_are_told_side_by_side_and_rank_by_rank() {
    let report = report();
    insta::assert_snapshot!("a_terminal_of_queues", terminal(&report, Detail::Glance));
    insta::assert_snapshot!("a_summary_of_queues", terminal(&report, Detail::Full));
    let page = super::page(&report);
    let headings: Vec<&str> = page.sections.iter().map(|section| section.heading.as_str()).collect();
    assert!(headings.contains(&"Broadcasts through shared memory"), "{headings:?}");
    let text = page.markdown();
    assert!(text.contains("measured only") && text.contains("shared:8KiB:4:1:flat"), "{text}");
}

#[cfg(feature = "shared-memory")]
#[test]
fn queues_that_fill_the_same_memory_are_drawn_over_their_fragments() {
    let caption = |names: &[&str]| {
        let seen = |name: &&str| observation(queue(name, Method::Window), Span::from_us(1_000), |_| Span::ZERO);
        let measured = names.iter().map(|name| Line::Measured(Observation { oversubscribed: false, ..seen(name) }));
        let lines: Vec<Line> = std::iter::once(campaign()).chain(measured).collect();
        let report = compare(&lines).expect("a campaign");
        let section = report.queues_section().expect("queues");
        (section.figures[0].caption.clone(), section.figures[0].drawing.svg(&render::plots::Paper::default()))
    };
    let (filling, drawn) = caption(&["shared:4KiB:15", "shared:12KiB:5", "shared:20KiB:3"]);
    assert!(filling.contains("time, µs over fragment f") && !filling.contains("curves"), "{filling}");
    assert!(drawn.contains("b = 60 KiB"), "{drawn}");
    let (others, _) = caption(&["shared:4KiB:1", "shared:8KiB:2", "shared:16KiB:4"]);
    assert!(others.contains("over buffers s"), "{others}");
}

#[test]
fn a_campaign_without_queues_has_no_table_of_them() {
    let lines: Vec<Line> = lines()
        .into_iter()
        .filter(|line| !matches!(line, Line::Measured(seen) if seen.case.subject.implementation.queued().is_some()))
        .collect();
    let report = compare(&lines).expect("a campaign");
    assert!(report.queues.is_none() && !terminal(&report, Detail::Glance).contains("measured only"));
}
