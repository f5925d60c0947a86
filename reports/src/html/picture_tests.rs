use super::fixture;
use crate::room_tests::finds_room;
use calibration::plots::{residuals, transfer};
use programs::machine::Estimate;
use roxmltree::{Document, Node};
use study::plots::{ratios, times};

fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("well-formed");
    let texts = document.descendants().filter(|node| node.tag_name().name() == "text");
    texts.filter_map(|node| node.text()).map(|text| text.trim().to_owned()).collect()
}

/// Heights of the filled circles of the loop's measured markers, from rank 0 up.
fn measured_loop(svg: &str) -> Vec<f64> {
    let document = Document::parse(svg).expect("well-formed");
    let number = |node: &Node, name| node.attribute(name).and_then(|text| text.parse::<f64>().ok()).expect("a number");
    let circles = document.descendants().filter(|node| node.tag_name().name() == "circle");
    let filled = circles.filter(|node| node.attribute("r") == Some("6") && node.attribute("fill") == Some("#005FA8"));
    filled.map(|node| number(&node, "cy")).skip(1).collect()
}

#[test]
fn the_ratio_plot_shows_every_method_and_the_closed_form() {
    let svg = ratios(&fixture::emulated("linear", 8, true)).to_string();
    let texts = texts(&svg);
    for expected in [
        "loop",
        "barrier-loop",
        "window",
        "closed form (loop)",
        "number reported ÷ reference; dashed line: no error",
        "rank",
        "7",
    ] {
        assert!(texts.iter().any(|text| text == expected), "{expected} is missing: {texts:?}");
    }
    assert!(texts[1].ends_with("oversubscribed"), "{}", texts[1]);
    assert!(!ratios(&fixture::emulated("binomial", 8, false)).to_string().contains("closed form"));
}

#[test]
fn markers_stand_at_their_ratios() {
    let heights = measured_loop(&ratios(&fixture::emulated("linear", 8, false)).to_string());
    assert_eq!(heights.len(), 8);
    // Ratio 1 for the root and rank 7, falling from rank 1 to rank 7; the axis begins at 0 (410 px).
    assert!(heights[1..].windows(2).all(|pair| pair[0] < pair[1]), "{heights:?}");
    let scale = (410.0 - heights[1]) / (410.0 - heights[7]);
    assert!((scale - 5.5).abs() < 0.15, "rank 1 over rank 7: {scale}");
}

#[test]
fn times_are_in_one_unit() {
    assert!(
        texts(&times(&fixture::emulated("linear", 8, false)).to_string()).contains(&"time per call, ms".to_owned())
    );
    let report = fixture::report();
    assert!(texts(&times(&report.subjects[2]).to_string()).contains(&"time per call, µs".to_owned()));
}

#[test]
fn plots_of_ranks_and_lengths_find_room_on_paper() {
    for subject in [fixture::emulated("linear", 8, true), fixture::emulated("binomial", 33, false)] {
        finds_room(&ratios(&subject), "Error ratio per rank");
        finds_room(&times(&subject), "Time per rank");
    }
    finds_room(&transfer(&fixture::report().machines.remove(0)).expect("a plot"), "Transfer time");
}

#[test]
fn a_machine_without_points_has_no_plot() {
    let mut machine = fixture::report().machines.remove(0);
    assert!(texts(&transfer(&machine).expect("a plot").to_string()).contains(&"256 KiB".to_owned()));
    machine.transfer.clear();
    assert_eq!(transfer(&machine), None);
}

#[test]
fn a_machine_with_one_empty_message_is_drawn() {
    let mut machine = fixture::report().machines.remove(0);
    machine.transfer.truncate(1);
    machine.transfer[0].bytes = 0;
    assert!(texts(&transfer(&machine).expect("a plot").to_string()).contains(&"0 B".to_owned()));
}

#[test]
fn many_ranks_get_fewer_labels() {
    let texts = texts(&ratios(&fixture::emulated("linear", 33, false)).to_string());
    assert!(texts.contains(&"30".to_owned()) && !texts.contains(&"31".to_owned()), "{texts:?}");
}

/// A machine with these models, of which the second takes twice what was measured.
fn with_two_models() -> programs::machine::Machine {
    use programs::machine::{LogGpEstimate, ProtocolChange};
    let mut machine = fixture::report().machines.remove(0);
    let twice = |estimate: Estimate| Estimate { value: 2.0 * estimate.value, ..estimate };
    let nothing = Estimate { value: 0.0, low: 0.0, high: 0.0 };
    machine.loggp = Some(LogGpEstimate {
        latency_us: twice(machine.hockney.alpha_us),
        overhead_us: nothing,
        gap_us: nothing,
        gap_per_byte_ns: twice(machine.hockney.beta_ns_per_byte),
    });
    machine.protocol = vec![ProtocolChange { last_bytes: 4_096, next_bytes: 4_097, jump_us: nothing, waits: true }];
    machine
}

#[test]
fn errors_are_shares_of_what_was_measured() {
    let machine = with_two_models();
    let (drawing, numbers) = residuals(&machine).expect("there are points");
    let csv = numbers.csv(None);
    finds_room(&drawing, "Errors of models");
    let texts = texts(&drawing.to_string());
    for expected in ["Hockney", "LogGP", "S"] {
        assert!(texts.iter().any(|text| text == expected), "{expected} is missing: {texts:?}");
    }
    let mut rows = csv.lines();
    let heads: Vec<&str> = rows.next().expect("heads").split(',').collect();
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 2 * machine.transfer.len());
    for row in rows {
        let of =
            |head: &str| row[heads.iter().position(|other| *other == head).expect(head)].parse::<f64>().expect(head);
        let (measured, says) = (of("measured_us"), of("predicted_us"));
        assert!((of("error") - (says - measured) / measured).abs() < 1e-5, "{row:?}");
        assert!(of("error_low") <= of("error") && of("error") <= of("error_high"), "{row:?}");
        assert!(row[1] == "hockney" || says > 1.5 * measured, "{row:?}");
    }
    assert_eq!(residuals(&programs::machine::Machine { transfer: Vec::new(), ..machine }), None);
}
