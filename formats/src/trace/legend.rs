//! Legend of the timeline's bars, lines and marks.

use super::in_time::hue;
use super::lanes::Lanes;
use super::look::Look;
use super::picture::{EDGE, INK, LINE, TEXT};
use super::svg::px;
use programs::trace::{Activity, Exchange};
use render::plots::canvas::text_width;
use std::fmt::Write;

/// Width of a sample, in px.
const SAMPLE: f64 = 30.0;

/// Draws the legend of all elements that occur, from `top` on in a picture of width `whole`, and returns its end in px.
/// `observed` is true where ranks were only observed from outside, so that overheads are not known.
pub(super) fn render_legend(top: f64, whole: f64, lanes: &Lanes, observed: bool) -> (String, f64) {
    let (calls, samples_too) = (lanes.has_calls(), !lanes.trace.samples.is_empty());
    let occurs = |activity: &Activity| lanes.trace.intervals.iter().any(|interval| interval.activity == *activity);
    let activities = Activity::ALL.into_iter().filter(occurs);
    let mut samples: Vec<(String, &str)> = activities
        .map(|activity| {
            let (sample, words) = bar(activity, calls);
            let other = if observed { as_observed(activity) } else { in_memory(lanes.trace.exchange, activity) };
            (sample, other.unwrap_or(words))
        })
        .collect();
    let stroke = |width: f64| format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"{width}\"");
    if !lanes.trace.flights.is_empty() {
        let words = match lanes.trace.exchange {
            Exchange::Messages => "message, departure to arrival",
            Exchange::SharedMemory => "notification, stored to visible",
        };
        samples.push((format!("<path {} d=\"M4,-8L26,8\"/>", stroke(1.0)), words));
    }
    samples.push((format!("<path {} d=\"M14,-8h-4v16h4\"/>", stroke(1.6)), "entry"));
    samples.push((format!("<path {} d=\"M16,-8h4v16h-4\"/>", stroke(1.6)), "exit"));
    if calls {
        let has_barriers = lanes.trace.calls.iter().any(|call| call.number.is_none());
        let calls_said =
            if has_barriers { "calls, a colour for each; barriers are grey" } else { "calls, a colour for each" };
        let call = |x: u32, number: usize| {
            format!("<path fill=\"{}\" fill-opacity=\"0.45\" d=\"M{x},-8h10v16h-10z\"/>", hue(number))
        };
        samples.push((call(0, 0) + &call(10, 1) + &call(20, 2), calls_said));
    }
    if samples_too {
        samples.push((format!("<path {} d=\"M2,4v-8h26v8\"/>", stroke(2.0)), "timed"));
    }
    let band = "<path fill=\"#fbeec2\" d=\"M0,-8h30v16h-30z\"/>";
    let bracket = format!("{band}<path {} d=\"M0,-3v-5h30v5\"/>", stroke(2.0));
    if !samples_too {
        samples.push((bracket, "exit skew: first to last exit"));
    }
    let (mut x, mut y) = (EDGE, top);
    let mut svg = format!("<g fill=\"{INK}\">\n");
    for (sample, words) in samples {
        let width = SAMPLE + 8.0 + text_width(words, TEXT) + 14.0;
        if x + width > whole {
            (x, y) = (EDGE, y + LINE * 1.35);
        }
        let place = format!("<g transform=\"translate({},{})\">", px(x), px(y));
        let _ = writeln!(svg, "{place}{sample}<text x=\"{}\" y=\"5\">{words}</text></g>", SAMPLE + 8.0);
        x += width;
    }
    svg.push_str("</g>\n");
    (svg, y + LINE * 1.2)
}

/// Words for an activity that was observed from outside, by begins and ends of sends and receives.
fn as_observed(activity: Activity) -> Option<&'static str> {
    match activity {
        Activity::Sending => Some("sending"),
        Activity::Receiving => Some("receiving: message on its way"),
        Activity::Waiting => Some("waiting: message not sent yet"),
        Activity::Computing | Activity::Gap | Activity::Connecting | Activity::Noise => None,
    }
}

/// Words for an activity where ranks exchange data by queues in shared memory.
fn in_memory(exchange: Exchange, activity: Activity) -> Option<&'static str> {
    let words = match activity {
        Activity::Sending => "copying into a queue",
        Activity::Receiving => "copying out of a queue",
        Activity::Computing => "notifying, or taking note of a notification",
        Activity::Gap => "leaving a set or buffer",
        Activity::Waiting => "waiting for a set, a fragment or readers",
        Activity::Connecting | Activity::Noise => return None,
    };
    (exchange == Exchange::SharedMemory).then_some(words)
}

fn bar(activity: Activity, calls: bool) -> (String, &'static str) {
    let look = Look::in_calls(activity, calls);
    let half = 7.0 * look.height;
    let (height, fill) = (px(half), look.fill());
    let body = format!("<path {fill} d=\"M0,-{height}h{SAMPLE}V{height}h-{SAMPLE}z\"/>\n");
    (body + &look.over(&[(0.0, 0.0, SAMPLE)], half), look.words)
}
