//! Pictures of a comparison, rank by rank.

#[cfg(test)]
#[path = "../../../render/src/plots/room_tests.rs"]
pub(crate) mod room_tests;

use crate::comparison::{MethodComparison, RankRow, SubjectComparison};
use plotters::style::RGBColor;
use programs::machine::Estimate;
use programs::method::Method;
use render::plots::Drawing;
use render::plots::canvas::HUES;
use render::plots::numbers::TimeUnit;
use render::plots::per_rank::{Curve, Marker, Picture, Series, Spot};

/// Draws the error ratio of every method for each rank: predicted, measured with its interval, the closed form where
/// there is one, and the line of a method without error at 1.
pub fn ratios(subject: &SubjectComparison) -> Drawing {
    let rows = || subject.by(Method::Loop).into_iter().flat_map(|looped| &looped.rows);
    let closed: Vec<(u32, f64)> =
        rows().filter_map(|row| row.closed_form_ratio.map(|ratio| (row.rank, ratio))).collect();
    let lane = reporting(subject).position(|method| method.method == Method::Loop).unwrap_or(0);
    let joined = Some((lane, subject.case.subject.root));
    let curve = (!closed.is_empty()).then_some(Curve { name: "closed form (loop)", points: closed, joined });
    Picture {
        title: "Error ratio per rank",
        subject: titled(subject),
        axis_title: "number reported ÷ reference; dashed line: no error".to_owned(),
        series: series(subject, |row| (row.predicted_ratio, row.measured_ratio)),
        curve,
        reference: Some(1.0),
    }
    .drawing()
}

/// Draws the time per call of every method for each rank, and the simulated reference as a line.
pub fn times(subject: &SubjectComparison) -> Drawing {
    let rows = subject.methods.iter().flat_map(|method| &method.rows);
    let unit = TimeUnit::fitting(
        rows.flat_map(|row| [row.predicted_us.value, row.measured_us.value])
            .chain(subject.reference_us.iter().map(|truth| truth.value)),
    );
    let truth = (0..).zip(&subject.reference_us).filter(|(_, truth)| truth.value.is_finite());
    let truth: Vec<(u32, f64)> = truth.map(|(rank, truth)| (rank, unit.convert(truth.value))).collect();
    Picture {
        title: "Time per rank",
        subject: titled(subject),
        axis_title: format!("time per call, {}", unit.symbol()),
        series: series(subject, |row| (unit.of_estimate(row.predicted_us), unit.of_estimate(row.measured_us))),
        curve: (!truth.is_empty()).then_some(Curve { name: "reference (simulated)", points: truth, joined: None }),
        reference: None,
    }
    .drawing()
}

fn titled(subject: &SubjectComparison) -> String {
    format!("{}{}", subject.title(), if subject.oversubscribed { ", oversubscribed" } else { "" })
}

/// Returns the methods whose numbers are reported: all but the trace.
pub fn reporting(subject: &SubjectComparison) -> impl Iterator<Item = &MethodComparison> {
    subject.methods.iter().filter(|method| method.method != Method::LoopTrace)
}

/// Returns one series per method that reports numbers.
fn series(subject: &SubjectComparison, pick: impl Fn(&RankRow) -> (Estimate, Estimate)) -> Vec<Series> {
    let spot = |row: &RankRow| {
        let (predicted, measured) = pick(row);
        Spot { rank: row.rank, predicted, measured }
    };
    reporting(subject)
        .map(|method| {
            let (hue, marker) = look(method.method);
            Series { name: method.method.name(), hue, marker, spots: method.rows.iter().map(spot).collect() }
        })
        .collect()
}

/// Meaning of the hues of [`look_of`], as a sentence.
pub const LOOPS: &str = "Loops are blue, barriers before calls orange, synchronised clocks green.";

/// Returns a method's hue.
pub fn look_of(method: Method) -> RGBColor {
    look(method).0
}

/// Returns the look of a method, the same in every picture. Loops, barriers before calls and synchronised clocks have a
/// hue each.
fn look(method: Method) -> (RGBColor, Marker) {
    match method {
        Method::Loop => (HUES[0], Marker::Circle),
        Method::BarrierSubtract => (HUES[0], Marker::Square),
        Method::RootRotation => (HUES[0], Marker::Triangle),
        Method::BarrierLoop => (HUES[1], Marker::Square),
        Method::BarrierOwn => (HUES[1], Marker::Circle),
        Method::BarrierInside => (HUES[1], Marker::Triangle),
        Method::Window => (HUES[2], Marker::Triangle),
        Method::RoundTime => (HUES[2], Marker::Circle),
        Method::LoopTrace => (HUES[3], Marker::Circle),
    }
}
