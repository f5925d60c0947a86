//! What other tools print of noise from which no detours can be had: each with the reason, and what says them.

/// What says when detours were, and for how long.
pub(super) const RECORD: &str = "record each event (in /sys/kernel/tracing: echo osnoise > set_event; \
                                 echo osnoise > current_tracer; cat trace_pipe > FILE), or use `parallax noise collect`";

/// What a tool prints.
struct Refused {
    /// It is this if any line has all words of one of these in it.
    marks: &'static [&'static [&'static str]],
    /// Whose output it is.
    what: &'static str,
    /// Why it says no detours.
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
    /// Of whose text any of these lines is.
    fn of<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Option<&'static Refused> {
        let has = |mark: &&[&str]| lines.clone().any(|line| mark.iter().all(|word| line.contains(word)));
        ALL.iter().find(|one| one.marks.iter().any(&has))
    }
}

/// The tool of noise in whose text this line is found, if no detours can be had from it.
pub fn refused(line: &str) -> Option<&'static str> {
    Refused::of(std::iter::once(line)).map(|one| one.what)
}

/// Whether a file may hold detours.
///
/// # Errors
/// That it does not: whose it is, why nothing of it can be played, and what to record.
pub(super) fn check(name: &str, text: &str) -> Result<(), String> {
    match Refused::of(text.lines()) {
        Some(Refused { what, why, .. }) => Err(format!("{name}: it is output of {what}, which {why}; {RECORD}")),
        None => Ok(()),
    }
}
