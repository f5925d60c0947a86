//! Instructions for reading the page.

use render::page::Section;

const READING: [(&str, &str); 10] = [
    (
        "The reference",
        "All ranks enter one call at the same instant; rank i’s reference is the time from that instant to its \
         exit. The time of the collective is that of its slowest rank. For simulated ranks it is known exactly. \
         For real ranks the window method gives the best estimate.",
    ),
    (
        "loop",
        "Barrier, read the clock, k calls in a row, read the clock, divide by k. Ranks that finish early enter the \
         next call, and the time that they wait there is included.",
    ),
    (
        "barrier-loop",
        "A barrier before every call, each call timed on its own. Ranks leave the barrier at different times, and \
         the difference is included.",
    ),
    (
        "window",
        "Clocks are synchronised, and every call has a start time agreed on beforehand. A call that starts late or \
         lasts longer than its window is discarded on all ranks.",
    ),
    (
        "Error ratio",
        "Predicted: the simulated method’s number over the simulated reference. Measured: the method’s number over \
         that of the window method. The closed form r is the theoretical ratio for the loop of linear broadcasts.",
    ),
    (
        "Intervals",
        "Measured: the 99 % confidence interval of the median. Predicted: the results of the simulation if every \
         message takes the shortest, or the longest, time among the middle 95 % of the exchanges in calibration.",
    ),
    (
        "Verdict",
        "✓ agrees: the intervals of prediction and measurement overlap, those of the times; error ratios may differ more. \
         ≈ close: they are apart, but the values by no more than 5 %. ✗ differs: further apart. The percentage is \
         (measured − predicted) ÷ measured time. –: the rank takes no time by prediction. Measured only: there is no prediction.",
    ),
    (
        "Emulated, native",
        "On an emulated network real ranks hold every message back until a modelled network would have delivered it: this \
         tests the methods. Native ranks use whatever their library uses: this tests the model too.",
    ),
    (
        "Simulated ranks",
        "They are on a machine that the scenario describes; nothing is calibrated and nothing measured, so that the reference is \
         exact and every error is the method’s own.",
    ),
    (
        "Oversubscribed",
        "More ranks than cores shared the machine, so waiting ranks slept instead of watching for their message. \
         Their numbers include the operating system’s wake-up times.",
    ),
];

pub(super) fn section(seed: u64) -> Section {
    let again = format!(
        "All random draws are determined by the seed {seed}. With this seed and the same machine files the \
         predictions are the same to the last digit; a new run calibrates again, so that its parameters differ \
         slightly."
    );
    Section::new("How to read this").with_id("reading").with_facts(READING).with_facts([("Seed", again)])
}
