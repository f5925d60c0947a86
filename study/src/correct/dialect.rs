//! Configuration of a benchmark's run as far as its text states it, with the switches that were not the usual ones.
//!
//! Sources: IMB's user's guide and IMB_benchlist.c (`-sync`, `-root_shift`, `-off_cache`); MPIPerf's mpiperf.c and
//! report.c (`-z`, cache defeat, removing outliers); ReproMPI's `--proc-sync` and `--runtime-type`, printed as
//! `#@procsync` and `#@runtime_type`. Texts of OSU and SKaMPI state nothing of the kind.

use super::Refusal;
use formats::import::{Imported, OFF_CACHE, PrintedRow, ROTATING, SYNCHRONISATION, Tool, major};
use models::call::Element;
use programs::aggregation::OverSamples;
use programs::budget::{Configuration, Entry, Repeats, Starts};
use programs::method::{Buffer, Preset, RootChoice};
use programs::observation::Counted;

/// The benchmark of a tool's texts, in its present version; `None` where the tool times no MPI collectives, or their
/// buffers are on devices.
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

/// Returns the benchmark of a run in its version. IMB's title states the version: up to 3 it timed a loop whose root
/// changes; 4 first had `-sync` and `-root_shift`, whose default values changed before 2017.
///
/// # Errors
/// Fails where the tool times no MPI collectives, or where it is not known how this version times them.
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

/// Returns the type of the elements of a tool's reductions; `datatype` is the type that its text states.
///
/// # Errors
/// Fails where the type is unknown to Parallax, or where neither the text nor the tool's preset has one.
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

/// Returns the flags of a run that its text states and that change its numbers, as they were given; empty where there
/// are none.
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
    // The values of IMB's flags are separate words.
    let length = if imported.tool == Tool::Imb { 2 } else { 1 };
    let with_value = |place: usize| words[place..words.len().min(place + length)].join(" ");
    let found = words.iter().enumerate().filter(|(_, word)| known(word)).map(|(place, _)| with_value(place));
    found.collect::<Vec<_>>().join(" ")
}

/// Returns the configuration by which the number in the column of this head was obtained.
///
/// # Errors
/// Fails where the benchmark prints no such column, or was run in an unknown way.
pub(super) fn configuration(imported: &Imported, row: &PrintedRow, head: &str) -> Result<Configuration, Refusal> {
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

fn imb(row: &PrintedRow, mut now: Configuration) -> Configuration {
    if row.word(SYNCHRONISATION) == "off" {
        // Calls follow each other, each timed on its own: together they take as long as a loop of them.
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
        // There is no wait for an announced start.
        now.gap = Configuration::perfect().gap;
    } else if imported.said("runtime_type") == Some("global") {
        now.aggregation.counted = Counted::FromFirstStart;
    }
    Ok(now)
}
