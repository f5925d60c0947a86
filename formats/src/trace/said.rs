//! A method's number for each rank, beside the true one: two columns at the right, the numbers of calls, and a
//! sentence.

use super::in_time::hue;
use super::picture::{INK, Picture, TEXT};
use super::svg::{centred, px};
use programs::trace::{Activity, Interval, Trace};
use render::plots::canvas::text_width;
use render::plots::numbers::{TimeUnit, significant};
use std::fmt::Write;
use std::ops::Range;

/// Smallest width of a column, in px.
const COLUMN: f64 = 72.0;
pub(super) const HEADS: [&str; 2] = ["it says", "true"];
/// Smallest ratio of two times, in either direction, that is reported.
pub const TELLING: f64 = 1.05;

/// The method's number for each rank, as the mean of the shown samples, and the true time, in µs.
fn numbers(trace: &Trace) -> Vec<(u32, f64, f64)> {
    let said = |rank: u32| {
        let own = || trace.samples.iter().filter(move |sample| sample.rank == rank);
        let sum: f64 = own().map(|sample| sample.says_ps as f64).sum();
        sum / own().count().max(1) as f64 / 1e6
    };
    (0..).zip(&trace.reference).map(|(rank, truth)| (rank, said(rank), truth.as_us())).collect()
}

/// Width of a column under the wider of two headings, in px.
fn column(heads: [&str; 2]) -> f64 {
    heads.into_iter().map(|head| text_width(&format!("{head}, ms"), TEXT) + 12.0).fold(COLUMN, f64::max)
}

/// Width of both columns, in px; 0 where there are none.
pub(super) fn room(trace: &Trace, heads: [&str; 2]) -> f64 {
    if trace.samples.is_empty() || trace.reference.is_empty() { 0.0 } else { column(heads) * 2.0 - 20.0 }
}

/// The most misreported one of some ranks, with the method's number and the true time, in µs; `None` where no method
/// times the calls.
fn worst(trace: &Trace, ranks: &Range<u32>) -> Option<(u32, f64, f64)> {
    let all = numbers(trace).into_iter().filter(|(rank, ..)| ranks.contains(rank) && !trace.samples.is_empty());
    all.max_by(|one, other| shift(one).total_cmp(&shift(other)))
}

/// Error of a rank's number in either direction, as the absolute value of the logarithm of its ratio.
fn shift(&(_, says, truth): &(u32, f64, f64)) -> f64 {
    if truth > 0.0 && says > 0.0 { (says / truth).ln().abs() } else { 0.0 }
}

/// The rank that is misreported most, if it is by more than 5 %.
pub(super) fn most_misreported(trace: &Trace) -> Option<u32> {
    let parts = trace.parts().into_iter();
    let worst = parts.filter_map(|(_, ranks)| worst(trace, &ranks)).filter(|one| shift(one) > TELLING.ln());
    worst.max_by(|one, other| shift(one).total_cmp(&shift(other))).map(|(rank, ..)| rank)
}

/// Caption on each run's rank that is misreported most; `None` where no method times the calls.
pub(super) fn caption(trace: &Trace) -> Option<String> {
    let of_run = |(_, ranks): (Option<&str>, Range<u32>)| {
        let (rank, says, truth) = worst(trace, &ranks)?;
        let unit = TimeUnit::fitting([says, truth]);
        let (told, is, who) = (unit.print(says), unit.print(truth), trace.name(rank));
        let times = if truth > 0.0 { format!(" ({} times as much)", significant(says / truth)) } else { String::new() };
        Some(format!("Of {who} the method says {told} a call{times}; one call takes it {is}."))
    };
    let all: Vec<String> = trace.parts().into_iter().filter_map(of_run).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

/// Writes the durations of waits in timed calls of the rank that the picture is about, in bars that have room for them.
fn waits(svg: &mut String, picture: &Picture, top: f64) {
    let lanes = &picture.lanes.lanes;
    let about = picture.shown.iter().enumerate().filter(|&(_, &lane)| Some(lanes[lane].rank) == picture.told);
    for (nth, &lane) in about {
        let intervals = picture.lanes.intervals(&lanes[lane]).iter();
        let timed = |wait: &&Interval| {
            let calls = picture.lanes.calls(lanes[lane].rank).iter();
            calls.filter(|call| call.number.is_some()).any(|call| call.from <= wait.start && wait.end <= call.to)
        };
        for wait in intervals.filter(|interval| interval.activity == Activity::Waiting).filter(timed) {
            let (from, to) = (picture.x(wait.start), picture.x(wait.end));
            let waited = wait.end.since(wait.start);
            let words = [format!("waits {waited}"), waited.to_string()];
            let Some(words) = words.iter().find(|words| text_width(words, TEXT) + 12.0 <= to - from) else { continue };
            let (middle, half) = ((from + to) / 2.0, text_width(words, TEXT) / 2.0);
            let (x, y) = (picture.left + middle, top + picture.middle(nth) + TEXT * 0.33);
            let place = centred(middle, half, (x, y));
            let look = format!(
                "text-anchor=\"middle\" fill=\"{INK}\" stroke=\"#fff\" stroke-width=\"4\" paint-order=\"stroke\""
            );
            let _ = writeln!(svg, "<text {place} {look}>{words}</text>");
        }
    }
}

/// Draws the two columns and the numbers of calls.
pub(super) fn write_columns(svg: &mut String, picture: &Picture, top: f64) {
    if !picture.lanes.has_calls() {
        return;
    }
    let size = TEXT.min(picture.pitch * 0.8);
    let _ = writeln!(svg, "<g class=\"marks\" font-size=\"{}\" font-weight=\"bold\">", px(size * 0.9));
    for (nth, rank) in picture.rows() {
        for call in picture.lanes.calls(rank) {
            let (words, fill) = match call.number {
                Some(number) => ((number + 1).to_string(), hue(number as usize)),
                None => ("barrier".to_owned(), INK.to_owned()),
            };
            let (from, width) = (picture.x(call.from), picture.x(call.to) - picture.x(call.from));
            if text_width(&words, size) + 4.0 > width {
                continue;
            }
            let (x, y) = (picture.left + from, top + picture.middle(nth) + size * 0.33);
            let place = format!("data-x=\"{}\" transform=\"translate({},{})\"", px(from), px(x), px(y));
            let halo = "stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"";
            let _ = writeln!(svg, "<text {place} dx=\"3\" fill=\"{fill}\" {halo}>{words}</text>");
        }
    }
    waits(svg, picture, top);
    svg.push_str("</g>\n");
    let all = numbers(picture.lanes.trace);
    if room(picture.lanes.trace, picture.heads) == 0.0 {
        return;
    }
    let unit = TimeUnit::fitting(all.iter().flat_map(|&(_, says, truth)| [says, truth]));
    let ends = [picture.whole - column(picture.heads) - 8.0, picture.whole - 10.0];
    let _ = writeln!(svg, "<g text-anchor=\"end\" font-size=\"{}\" fill=\"{INK}\">", px(size));
    for (head, end) in picture.heads.iter().zip(ends) {
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{head}, {}</text>", px(end), px(top - 4.0), unit.symbol());
    }
    for (nth, rank) in picture.rows() {
        let Some(&(_, says, truth)) = all.get(rank as usize) else { continue };
        for (us, end) in [says, truth].into_iter().zip(ends) {
            let y = px(top + picture.middle(nth) + size * 0.35);
            let weight = if Some(rank) == picture.told { " font-weight=\"bold\"" } else { "" };
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\"{weight}>{}</text>", px(end), significant(unit.convert(us)));
        }
    }
    svg.push_str("</g>\n");
}
