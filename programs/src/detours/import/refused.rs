//! Output of other tools from which no detours can be had: each with the reason and the alternative.

/// Way to record the start and the duration of every detour.
pub(super) const RECORD: &str = "record each event (in /sys/kernel/tracing: echo osnoise > set_event; \
                                 echo osnoise > current_tracer; cat trace_pipe > FILE), or use `parallax noise collect`";

/// Output of a tool that is refused.
struct Refused {
    /// Marks of this output: any line that contains all words of one of these.
    marks: &'static [&'static [&'static str]],
    /// Tool that prints the output.
    what: &'static str,
    /// Reason for which it contains no detours.
    why: &'static str,
}

const DURATIONS: &str = "says how long detours were but not when, so that ranks cannot have them at their times";
const LATE: &str = "says how late a sleeping thread woke up, not what was taken from one that computes";
const LARGEST: &str = "keeps the largest gap of each window, of which a part is looked at, and not every detour";
const SUMS: &str = "has sums over a time and no single detour";

const ALL: [Refused; 7] = [
    Refused {
        marks: &[&["# RTLA osnoise histogram"], &["Index ", " CPU-"]],
        what: "`rtla osnoise hist`",
        why: DURATIONS,
    },
    Refused { marks: &[&["oslat V"]], what: "oslat", why: DURATIONS },
    Refused { marks: &[&["Operating System Noise"]], what: "`rtla osnoise top`", why: SUMS },
    Refused {
        marks: &[
            &["# RTLA timerlat histogram"],
            &["Index ", " IRQ-"],
            &["Timer Latency"],
            &["# tracer: timerlat"],
            &[" timer_latency ", " context "],
        ],
        what: "the timerlat tracer",
        why: LATE,
    },
    Refused {
        marks: &[
            &["T:", " P:", "Min:", "Act:", "Avg:", "Max:"],
            &["# Min Latencies:"],
            &["# Thread Ids:"],
            &["/dev/cpu_dma_latency set to"],
        ],
        what: "cyclictest",
        why: LATE,
    },
    Refused { marks: &[&["hwlatdetect:"], &["Samples exceeding threshold:"]], what: "hwlatdetect", why: LARGEST },
    Refused { marks: &[&["# tracer: hwlat"], &["inner/outer(us):"]], what: "the hwlat tracer", why: LARGEST },
];

impl Refused {
    /// Finds the tool that printed any of these lines.
    fn find<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Option<&'static Refused> {
        let has = |mark: &&[&str]| lines.clone().any(|line| mark.iter().all(|word| line.contains(word)));
        ALL.iter().find(|one| one.marks.iter().any(&has))
    }
}

/// Name of the tool that printed this line, if no detours can be had from its output.
pub fn refused(line: &str) -> Option<&'static str> {
    Refused::find(std::iter::once(line)).map(|one| one.what)
}

/// Checks that a file may hold detours.
///
/// # Errors
/// Names the tool whose output it is, the reason why no detours can be had from it, and a recording from which they
/// can.
pub(super) fn check(name: &str, text: &str) -> Result<(), String> {
    match Refused::find(text.lines()) {
        Some(Refused { what, why, .. }) => Err(format!("{name}: it is output of {what}, which {why}; {RECORD}")),
        None => Ok(()),
    }
}
