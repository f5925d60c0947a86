//! What the timeline's bars, lines and marks mean.

use super::look::Look;
use super::picture::{EDGE, INK, LINE, TEXT};
use super::svg::px;
use crate::plots::canvas::text_width;
use models::trace::Activity;
use std::fmt::Write;

/// Width of a sample.
const SAMPLE: f64 = 30.0;

/// The legend from `top` on in a picture so wide, and where it ends.
pub(super) fn draw(top: f64, whole: f64) -> (String, f64) {
    let mut samples: Vec<(String, &str)> = Activity::ALL.into_iter().map(bar).collect();
    let stroke = |width: f64| format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"{width}\"");
    samples.push((format!("<path {} d=\"M4,-8L26,8\"/>", stroke(1.0)), "message, departure to arrival"));
    samples.push((format!("<path {} d=\"M14,-8h-4v16h4\"/>", stroke(1.6)), "entry"));
    samples.push((format!("<path {} d=\"M16,-8h4v16h-4\"/>", stroke(1.6)), "exit"));
    let band = "<path fill=\"#fbeec2\" d=\"M0,-8h30v16h-30z\"/>";
    let bracket = format!("{band}<path {} d=\"M0,-3v-5h30v5\"/>", stroke(2.0));
    samples.push((bracket, "exit skew: first to last exit"));
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

fn bar(activity: Activity) -> (String, &'static str) {
    let look = Look::of(activity);
    let half = 7.0 * look.height;
    let (height, fill) = (px(half), look.fill());
    let body = format!("<path fill=\"{fill}\" d=\"M0,-{height}h{SAMPLE}V{height}h-{SAMPLE}z\"/>\n");
    (body + &look.over(&[(0.0, 0.0, SAMPLE)], half), look.words)
}
