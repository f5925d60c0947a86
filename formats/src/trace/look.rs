//! Look of each activity. Height, pattern, lightness and hue all differ, so that one of them is enough: thin bars keep
//! their height, grey print its lightness and pattern.
//!
//! Patterns are strokes along the bar, dashed or not, and no SVG patterns, which printers receive as large bitmaps.

use super::svg::px;
use plotters::style::RGBColor;
use programs::trace::Activity;
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    /// Hue of a bar: a colour of Okabe and Ito (2008), which people with any colour vision can distinguish, or a grey.
    pub hue: RGBColor,
    /// Strokes that are drawn over the hue.
    pub pattern: &'static [Stroke],
    /// Height as a share of a lane's full height.
    pub height: f64,
    /// True if only the pattern is drawn, so that the background shows through.
    pub hollow: bool,
    /// Words of the legend.
    pub words: &'static str,
}

/// A stroke from one end of a bar to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stroke {
    /// Its place: −1 is the bar's upper edge, 1 its lower.
    at: f64,
    /// Its thickness, as a share of the bar's height.
    thickness: f64,
    /// Lengths of dashes and spaces in turn, in px; empty for one line.
    dash: &'static str,
    ink: &'static str,
}

const RULES: &[Stroke] = &[
    Stroke { at: -0.36, thickness: 0.11, dash: "", ink: "#005fa8" },
    Stroke { at: 0.36, thickness: 0.11, dash: "", ink: "#005fa8" },
];
const STRIPES: &[Stroke] = &[Stroke { at: 0.0, thickness: 1.0, dash: "1.2 3", ink: "#fff0c8" }];
const HATCH: &[Stroke] = &[Stroke { at: 0.0, thickness: 1.0, dash: "1.1 3.4", ink: "#6b7480" }];
const DOTS: &[Stroke] = &[Stroke { at: 0.0, thickness: 0.3, dash: "2 2.6", ink: "#4a525c" }];
const CHECKS: &[Stroke] = &[Stroke { at: 0.0, thickness: 0.3, dash: "5 2", ink: "#5e2147" }];
const BRICKS: &[Stroke] = &[
    Stroke { at: -0.5, thickness: 0.42, dash: "2.4 4.8", ink: "#ffe3de" },
    Stroke { at: 0.5, thickness: 0.42, dash: "0 3.6 2.4 1.2", ink: "#ffe3de" },
];

impl Look {
    /// The look of an activity outside of calls.
    pub(super) fn for_activity(activity: Activity) -> Look {
        let look = |hue: u32, pattern, height, words| {
            let [_, red, green, blue] = hue.to_be_bytes();
            Look { hue: RGBColor(red, green, blue), pattern, height, hollow: false, words }
        };
        match activity {
            Activity::Sending => look(0x00_5f_a8, &[], 1.0, "sending (overhead)"),
            Activity::Receiving => look(0x9f_d3_f2, RULES, 1.0, "receiving (overhead)"),
            Activity::Computing => look(0xe6_9f_00, STRIPES, 0.7, "computing"),
            Activity::Gap => look(0xd5_d9_de, DOTS, 0.5, "gap: own interface busy"),
            Activity::Connecting => look(0xcc_79_a7, CHECKS, 0.5, "setting up a connection"),
            Activity::Waiting => look(0xa3_ab_b5, &[], 0.18, "waiting"),
            Activity::Noise => look(0xb3_26_1e, BRICKS, 1.3, "noise"),
        }
    }

    /// The look of an activity within calls, whose hue must show: waiting is hatched there.
    pub(super) fn in_calls(activity: Activity, calls: bool) -> Look {
        match Look::for_activity(activity) {
            look if calls && activity == Activity::Waiting => {
                Look { pattern: HATCH, height: 0.8, hollow: true, ..look }
            }
            look => look,
        }
    }

    /// Fill of a bar, as attributes of SVG.
    pub(super) fn fill(&self) -> String {
        if self.hollow { "fill=\"#fff\" fill-opacity=\"0\"".to_owned() } else { format!("fill=\"{}\"", hex(self.hue)) }
    }

    /// The pattern over bars, each given by its left end, its middle and its width; `half` is half a bar's height.
    /// The page's script keeps the lengths of `dashed` strokes as they are when it stretches time.
    pub(super) fn over(&self, bars: &[(f64, f64, f64)], half: f64) -> String {
        let mut svg = String::new();
        for stroke in self.pattern {
            let _ = write!(svg, "<path fill=\"none\" pointer-events=\"none\" stroke=\"{}\"", stroke.ink);
            let _ = write!(svg, " stroke-width=\"{}\"", px(2.0 * half * stroke.thickness));
            if !stroke.dash.is_empty() {
                let _ = write!(svg, " class=\"dashed\" stroke-dasharray=\"{}\"", stroke.dash);
            }
            svg.push_str(" d=\"");
            for (x, middle, width) in bars {
                let _ = write!(svg, "M{},{}h{}", px(*x), px(middle + stroke.at * half), px(*width));
            }
            svg.push_str("\"/>\n");
        }
        svg
    }
}

/// A colour in the notation of SVG.
pub(super) fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
