//! What a method says of each rank, beside the truth: two columns at the right, the numbers of calls, and a sentence.

use super::in_time::hue;
use super::picture::{INK, Picture, TEXT};
use super::svg::px;
use crate::plots::canvas::text_width;
use crate::plots::numbers::{TimeUnit, significant};
use models::trace::Trace;
use std::fmt::Write;

/// Width of a column.
const COLUMN: f64 = 72.0;
const HEADS: [&str; 2] = ["it says", "true"];

/// What the method says of each rank, the mean of the samples that are shown, and the truth, in µs.
fn numbers(trace: &Trace) -> Vec<(u32, f64, f64)> {
    let said = |rank: u32| {
        let own = || trace.samples.iter().filter(move |sample| sample.rank == rank);
        let sum: f64 = own().map(|sample| sample.says_ps as f64).sum();
        sum / own().count().max(1) as f64 / 1e6
    };
    (0..).zip(&trace.reference).map(|(rank, truth)| (rank, said(rank), truth.as_us())).collect()
}

/// Room that the columns take.
pub(super) fn room(trace: &Trace) -> f64 {
    if trace.samples.is_empty() || trace.reference.is_empty() { 0.0 } else { COLUMN * 2.0 - 20.0 }
}

/// Of the rank that is misreported most; none where no method times the calls.
pub(super) fn caption(trace: &Trace) -> Option<String> {
    let all = numbers(trace);
    let shift =
        |&(_, says, truth): &(u32, f64, f64)| if truth > 0.0 && says > 0.0 { (says / truth).ln().abs() } else { 0.0 };
    let (rank, says, truth) = all
        .iter()
        .copied()
        .filter(|_| !trace.samples.is_empty())
        .max_by(|one, other| shift(one).total_cmp(&shift(other)))?;
    let unit = TimeUnit::fitting([says, truth]);
    let (told, is) = (unit.print(says), unit.print(truth));
    let times = if truth > 0.0 { format!(" ({} times as much)", significant(says / truth)) } else { String::new() };
    Some(format!("Of rank {rank} the method says {told} a call{times}; one call takes it {is}."))
}

/// Columns and numbers of calls.
pub(super) fn draw(svg: &mut String, picture: &Picture, top: f64) {
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
    svg.push_str("</g>\n");
    let all = numbers(picture.lanes.trace);
    if room(picture.lanes.trace) == 0.0 {
        return;
    }
    let unit = TimeUnit::fitting(all.iter().flat_map(|&(_, says, truth)| [says, truth]));
    let ends = [picture.whole - COLUMN - 8.0, picture.whole - 10.0];
    let _ = writeln!(svg, "<g text-anchor=\"end\" font-size=\"{}\" fill=\"{INK}\">", px(size));
    for (head, end) in HEADS.iter().zip(ends) {
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{head}, {}</text>", px(end), px(top - 4.0), unit.symbol());
    }
    for (nth, rank) in picture.rows() {
        let Some(&(_, says, truth)) = all.get(rank as usize) else { continue };
        for (us, end) in [says, truth].into_iter().zip(ends) {
            let y = px(top + picture.middle(nth) + size * 0.35);
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", px(end), significant(unit.of(us)));
        }
    }
    svg.push_str("</g>\n");
}
