//! How a benchmark was run, as far as its text says: its configuration, with the switches that were not the usual ones.
//!
//! Sources: IMB's user's guide and IMB_benchlist.c (`-sync`, `-root_shift`, `-off_cache`); MPIPerf's mpiperf.c and report.c
//! (`-z`, cache defeat, removing outliers); ReproMPI's `--proc-sync` and `--runtime-type`, printed as `#@procsync` and
//! `#@runtime_type`. OSU and SKaMPI say nothing of the kind.

use super::Refusal;
use crate::import::{Imported, OFF_CACHE, ROTATING, Row, SYNCHRONISATION, Tool, major};
use models::aggregation::OverSamples;
use models::budget::{Configuration, Entry, Repeats, Starts};
use models::call::Element;
use models::method::{Buffer, Preset, RootChoice};
use models::observation::Counted;

/// The benchmark of a tool's texts, in its present version; none where it times no MPI collectives, or their buffers are on
/// devices.
pub(super) fn preset(tool: Tool) -> Option<Preset> {
    match tool {
        Tool::Osu => Some(Preset::Osu),
        Tool::Imb => Some(Preset::Imb),
        Tool::Mpiperf => Some(Preset::Mpiperf),
        Tool::Reprompi => Some(Preset::Reprompi),
        Tool::Skampi => Some(Preset::Skampi),
        Tool::Pico => Some(Preset::Pico),
        Tool::Mpibench => Some(Preset::Mpibench),
        Tool::Nccl | Tool::Mpigraph | Tool::Netpipe | Tool::Netgauge | Tool::CoreToCore => None,
    }
}

/// The benchmark of a run in its version. IMB's title says it: up to 3 a loop was timed, whose root changes; 4 first had `-sync`
/// and `-root_shift`, with values that changed before 2017 where they are not given.
///
/// # Errors
/// The tool times no MPI collectives, or how this version times them is not known.
pub(crate) fn benchmark(imported: &Imported) -> Result<Preset, Refusal> {
    let known = preset(imported.tool).ok_or(Refusal::NoColumn)?;
    if known != Preset::Imb {
        return Ok(known);
    }
    let version = imported.version.as_deref().unwrap_or_default();
    match major(version) {
        Some(..=3) => Ok(Preset::Imb3),
        Some(4..2017) if ["-sync", "-root_shift"].iter().any(|flag| imported.behind(flag).is_none()) => {
            Err(Refusal::UnknownMethod(format!(
                "what IMB {version} does without -sync and -root_shift is unknown; expected both flags, IMB 3 or older, or \
                 IMB 2017 or newer"
            )))
        }
        Some(_) | None => Ok(Preset::Imb),
    }
}

/// Of which elements a tool's reductions are, where that is known; `datatype` is what its text says.
///
/// # Errors
/// Why it is not known.
pub fn element(tool: Tool, datatype: Option<&str>) -> Result<Element, String> {
    match datatype {
        None => preset(tool).and_then(Preset::element).ok_or_else(|| "its element type is unknown".to_owned()),
        Some("MPI_CHAR" | "MPI_SIGNED_CHAR" | "MPI_BYTE" | "MPI_UINT8_T") => Ok(Element::Byte),
        Some("MPI_INT") => Ok(Element::Int),
        Some("MPI_LONG") => Ok(Element::Long),
        Some("MPI_FLOAT") => Ok(Element::Float),
        Some("MPI_DOUBLE") => Ok(Element::Double),
        Some(other) => Err(format!("expected MPI_CHAR, MPI_INT, MPI_LONG, MPI_FLOAT or MPI_DOUBLE, found {other}")),
    }
}

/// The flags of a run that its text says and that change its numbers, as they were given; empty where there are none.
pub fn flags(imported: &Imported) -> String {
    let words: Vec<&str> = imported.said("command line").unwrap_or_default().split_whitespace().collect();
    let known = |word: &str| match imported.tool {
        Tool::Imb => ["-sync", "-root_shift", "-off_cache", "-imb_barrier"].contains(&word),
        Tool::Reprompi => ["--proc-sync=", "--runtime-type="].iter().any(|flag| word.starts_with(flag)),
        Tool::Osu
        | Tool::Mpiperf
        | Tool::Skampi
        | Tool::Pico
        | Tool::Nccl
        | Tool::Mpibench
        | Tool::Mpigraph
        | Tool::Netpipe
        | Tool::Netgauge
        | Tool::CoreToCore => false,
    };
    // IMB's values are words of their own.
    let length = if imported.tool == Tool::Imb { 2 } else { 1 };
    let with_value = |place: usize| words[place..words.len().min(place + length)].join(" ");
    let found = words.iter().enumerate().filter(|(_, word)| known(word)).map(|(place, _)| with_value(place));
    found.collect::<Vec<_>>().join(" ")
}

/// How the number in the column of this head came about.
///
/// # Errors
/// The benchmark prints no such column, or was run in a way that is not known.
pub(super) fn configuration(imported: &Imported, row: &Row, head: &str) -> Result<Configuration, Refusal> {
    let usual = Configuration::preset(benchmark(imported)?, Some(head)).map_err(|_| Refusal::NoColumn)?;
    match imported.tool {
        Tool::Osu
        | Tool::Skampi
        | Tool::Pico
        | Tool::Mpibench
        | Tool::Nccl
        | Tool::Mpigraph
        | Tool::Netpipe
        | Tool::Netgauge
        | Tool::CoreToCore => Ok(usual),
        Tool::Imb => Ok(imb(row, usual)),
        Tool::Mpiperf => mpiperf(imported, usual),
        Tool::Reprompi => reprompi(imported, usual),
    }
}

fn imb(row: &Row, mut now: Configuration) -> Configuration {
    if row.word(SYNCHRONISATION) == "off" {
        // Calls follow each other, each timed on its own: all of them together take what a loop of them takes.
        (now.entry, now.repeats) = (Entry::Announced, Repeats::Loop);
    }
    if row.word("root") == ROTATING {
        now.root = RootChoice::Rotating;
    }
    if row.word("buffers") == OFF_CACHE {
        now.buffer = Buffer::Pool;
    }
    now
}

fn mpiperf(imported: &Imported, mut now: Configuration) -> Result<Configuration, Refusal> {
    if let Some(other) = imported.said("Synchronization method").filter(|method| *method != "synctime") {
        return Err(Refusal::UnknownMethod(format!("MPIPerf's synchronisation '{other}'; expected synctime")));
    }
    if imported.said("Statistical analysis of data (removing outliers)") == Some("off") {
        now.aggregation.samples = OverSamples::Mean;
    }
    if imported.said("Cache defeat") == Some("on") {
        now.buffer = Buffer::Pool;
    }
    Ok(now)
}

fn reprompi(imported: &Imported, mut now: Configuration) -> Result<Configuration, Refusal> {
    // Without the option it calls MPI_Barrier.
    let sync = imported.said("procsync").or_else(|| imported.value_of("--proc-sync")).unwrap_or("mpibarrier");
    match sync.to_ascii_lowercase().as_str() {
        "roundtime" => {}
        "window" | "win" => now.gap.starts = Starts::Window,
        "mpibarrier" | "mpi_barrier" | "barrier" => now.entry = Entry::Barrier,
        "dissem" | "dissembarrier" | "dissemination" | "bbarrier" => now.entry = Entry::OwnBarrier,
        other => {
            let known = "roundtime, window, mpibarrier, dissem";
            return Err(Refusal::UnknownMethod(format!("ReproMPI's --proc-sync={other}; known: {known}")));
        }
    }
    if now.entry != Entry::Announced {
        // Nobody waits for an announced start.
        now.gap = Configuration::perfect().gap;
    } else if imported.said("runtime_type") == Some("global") {
        now.aggregation.counted = Counted::FromFirstStart;
    }
    Ok(now)
}
