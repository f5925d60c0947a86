//! Recorded noise: files, and the results that follow from them.

use super::attributed::causes_beside;
use crate::files::{has_traces, make_page_folder, open_traces};
use crate::report::Made;
use ::noise::{Causes, Counted, Fitted, Grains, OfDensity, Shown};
use campaign::planned::command;
use models::noise::Delays;
use models::noise::read::{self, NoiseFormat};
use models::quantity;
use models::time::Span;
use render::page::Page;
use render::results::Results;
use scenario::BadInput;
use statistics::noise::{Class, Recording, Subset};
use std::path::{Path, PathBuf};

/// First line of files of counts.
const COUNTS: &[u8] = b"# work of one CPU by intervals";
/// Default order of ranks.
pub const FIRST: &str = "first";
/// Default lower bounds of the classes of durations.
pub const CLASSES: &str = "0,1us,10us,100us,1ms";
/// Largest number of grains, as more are a mistake.
const MOST_GRAINS: usize = 1_000_000;

/// Recorded noise, with the part of it that is examined.
pub struct Recorded {
    /// Files, one for each rank, or folders of them.
    pub files: Vec<String>,
    /// Format of the files; `None` to recognise it file by file.
    pub format: Option<NoiseFormat>,
    /// Lower bounds of the classes of durations, like `0,10us,1ms`.
    pub classes: String,
    /// Numbers of ranks, each of the first p that were recorded; empty for doubling numbers, and all.
    pub ranks: Vec<u32>,
    /// Start of the examined part, counted from the start of the recording.
    pub from: Span,
    /// End of the examined part; `None` for the end of the recording.
    pub to: Option<Span>,
    /// Order of the ranks: `first`, `noisiest`, `random` or `random:SEED`.
    pub subset: String,
}

/// Results of a collection: it holds either detours, or counts of work (FTQ).
pub enum CollectionResults {
    /// Detours, class by class.
    Detours(Shown),
    /// Counts of work, interval by interval.
    Counts(Counted),
}

impl CollectionResults {
    /// Returns the results in the form in which they are printed.
    pub fn results(&self) -> &dyn Results {
        match self {
            CollectionResults::Detours(shown) => shown,
            CollectionResults::Counts(counted) => counted,
        }
    }

    /// Returns the causes of detours, where the kernel's events were recorded.
    pub fn causes(&self) -> Option<&Causes> {
        match self {
            CollectionResults::Detours(shown) => shown.causes(),
            CollectionResults::Counts(_) => None,
        }
    }

    /// Returns the results for `parallax report`.
    pub(crate) fn made(self) -> Made {
        let page = self.page();
        Made::new(move || page).with_csv(move || self.results().csv())
    }

    /// Returns the results as a page with all pictures.
    pub(crate) fn page(&self) -> Page {
        let mut page = Page { reproduce: vec![command()], ..self.results().page() };
        if let CollectionResults::Detours(shown) = self {
            page.sections.extend(shown.pictures());
        }
        page
    }
}

impl Recorded {
    /// Everything that a folder holds, with the default settings.
    fn of_folder(folder: &Path) -> Recorded {
        Recorded {
            files: vec![folder.display().to_string()],
            format: None,
            classes: CLASSES.to_owned(),
            ranks: Vec::new(),
            from: Span::ZERO,
            to: None,
            subset: FIRST.to_owned(),
        }
    }

    /// Reads the files and summarises the detours or counts.
    ///
    /// # Errors
    /// Fails on files that cannot be read, on traces without a common time, and on impossible classes and ranks.
    pub fn shown(&self) -> Result<CollectionResults, BadInput> {
        let files = opened(&self.files)?;
        if files.iter().all(is_counted) {
            return self.counted(&files).map(CollectionResults::Counts);
        }
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        let causes = causes_beside(&names, self.from, self.to);
        let (recording, classes, ranks) = self.read(files, false)?;
        Ok(CollectionResults::Detours(Shown::from_recording(recording, &classes, &ranks).with_causes(causes?)))
    }

    /// Summarises counts of work, whose times and ranks cannot be restricted.
    fn counted(&self, files: &[(String, Vec<u8>)]) -> Result<Counted, BadInput> {
        let parts = self.from > Span::ZERO || self.to.is_some() || !self.ranks.is_empty() || self.subset != FIRST;
        if parts {
            let message = "counts of work (FTQ) are told whole: leave out --from, --to, --ranks and --subset";
            return Err(BadInput(message.to_owned()));
        }
        let one = |(place, (name, text)): (usize, &(String, Vec<u8>))| {
            let work = read::counts(name, text).map_err(BadInput)?;
            let rank = work.says("rank").map_or(Ok(place as u32), str::parse);
            let rank = rank.map_err(|_| BadInput(format!("{name}: rank: expected a number from 0")))?;
            Ok((rank, work))
        };
        let mut ranks = files.iter().enumerate().map(one).collect::<Result<Vec<_>, BadInput>>()?;
        ranks.sort_by_key(|(rank, _)| *rank);
        Ok(Counted::new(ranks))
    }

    /// Predicts the durations of grains of work under the recorded noise; `grains` is a list like `80us,40us*3`.
    ///
    /// # Errors
    /// Fails where [`Recorded::shown`] does, and on a malformed list of grains.
    pub fn predicted(&self, grains: &str) -> Result<Grains, BadInput> {
        let grains = self::grains(grains)?;
        let (recording, classes, ranks) = self.read(opened(&self.files)?, true)?;
        let alone: Span = grains.iter().copied().sum();
        let predicted = Grains::predict(&recording, grains, &classes, &ranks);
        if predicted.is_empty() {
            return Err(too_long("--grains", alone, &recording));
        }
        Ok(predicted)
    }

    /// Fits distributions to the delays of grains of these lengths, like `10us,100us`.
    ///
    /// # Errors
    /// Fails where [`Recorded::shown`] does.
    pub fn fitted(&self, grains: &[Span]) -> Result<Fitted, BadInput> {
        if let Some(none) = grains.iter().find(|grain| **grain == Span::ZERO) {
            return Err(BadInput(format!("--grain: expected a length, found {none}")));
        }
        let (recording, ..) = self.read(opened(&self.files)?, true)?;
        let fitted = Fitted::from_recording(&recording, grains);
        match grains.iter().min() {
            Some(shortest) if fitted.is_empty() => Err(too_long("--grain", *shortest, &recording)),
            _ => Ok(fitted),
        }
    }

    fn read(
        &self,
        files: Vec<(String, Vec<u8>)>,
        beyond: bool,
    ) -> Result<(Recording, Vec<Class>, Vec<usize>), BadInput> {
        let recording = of_files(&files, self.format)?;
        let recording = recording.between(self.from, self.to);
        let recording = recording.map_err(|message| BadInput(format!("--from, --to: {message}")))?;
        let recording = recording.ordered(subset(&self.subset)?);
        let ranks = numbers_of_ranks(&self.ranks, &recording, beyond)?;
        Ok((recording, classes(&self.classes)?, ranks))
    }
}

/// The error on work that does not fit into the examined time.
fn too_long(flag: &str, work: Span, recording: &Recording) -> BadInput {
    let time = recording.length();
    BadInput(format!(
        "{flag}: {work} of work does not fit into the {time} of the recording; expected fewer or shorter grains"
    ))
}

/// Writes the page of a recording into a folder, which is made; returns the page's path.
///
/// # Errors
/// Fails on a campaign's folder, and on files that cannot be written.
pub fn write_page(found: &CollectionResults, folder: &Path) -> anyhow::Result<PathBuf> {
    make_page_folder(folder)?;
    Ok(found.page().write(folder)?)
}

/// Returns the results of the recorded files in a collection's folder for its page, or `None` where the files are gone.
///
/// # Errors
/// Fails on files that cannot be read.
pub(crate) fn in_folder(folder: &Path) -> Result<Option<CollectionResults>, BadInput> {
    has_traces(folder).then(|| Recorded::of_folder(folder).shown()).transpose()
}

/// Predicts the durations of grains of work on independent ranks whose delays have this distribution: by integration,
/// and by draws, whose number and seed `drawn` gives.
///
/// # Errors
/// Fails on a malformed distribution or list of grains.
pub fn of_density(
    density: &str,
    grains: &str,
    ranks: &[u32],
    drawn: Option<(u32, u64)>,
) -> Result<OfDensity, BadInput> {
    let delays = Delays::parse(density).map_err(|message| BadInput(format!("--density: {message}")))?;
    let grains = self::grains(grains)?;
    let usual = || -> Vec<u64> { (0..=6).map(|power| 10_u64.pow(power)).collect() };
    let ranks = if ranks.is_empty() { usual() } else { ranks.iter().map(|&ranks| u64::from(ranks)).collect() };
    Ok(OfDensity::predict(delays, &grains, &ranks, drawn))
}

/// Reads the files of one collection.
pub(super) fn recording(paths: &[String], format: Option<NoiseFormat>) -> Result<Recording, BadInput> {
    of_files(&opened(paths)?, format)
}

fn opened(paths: &[String]) -> Result<Vec<(String, Vec<u8>)>, BadInput> {
    if paths.is_empty() {
        return Err(BadInput("expected files of recorded detours, or a folder of them, found none".to_owned()));
    }
    let mut files = Vec::new();
    for path in paths {
        files.extend(open_traces(path).map_err(BadInput)?);
    }
    Ok(files)
}

/// Whether a file holds counts of work.
fn is_counted((name, text): &(String, Vec<u8>)) -> bool {
    name.ends_with(".counts") || text.starts_with(COUNTS)
}

fn of_files(files: &[(String, Vec<u8>)], format: Option<NoiseFormat>) -> Result<Recording, BadInput> {
    let counted = files.iter().find(|file| is_counted(file));
    if let Some((name, _)) = counted {
        let message = "holds counts of work (FTQ), and no detours; `parallax noise show` tells them by themselves";
        return Err(BadInput(format!("{name} {message}")));
    }
    let traces = read::traces(files, format).map_err(BadInput)?;
    Recording::from_traces(&traces).map_err(|message| {
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        BadInput(format!("{}: {message}", names.join(", ")))
    })
}

/// Parses `first`, `noisiest`, `random` or `random:SEED`.
fn subset(text: &str) -> Result<Subset, BadInput> {
    match text {
        FIRST => Ok(Subset::First),
        "noisiest" => Ok(Subset::Noisiest),
        "random" => Ok(Subset::Random(1)),
        _ => match text.strip_prefix("random:").and_then(|seed| seed.parse().ok()) {
            Some(seed) => Ok(Subset::Random(seed)),
            None => Err(BadInput(format!("--subset: expected first, noisiest, random or random:SEED, found '{text}'"))),
        },
    }
}

/// Parses classes of durations from their lower bounds, like `0,10us,1ms`.
pub(super) fn classes(bounds: &str) -> Result<Vec<Class>, BadInput> {
    let parse = |text: &str| if text.trim() == "0" { Ok(Span::ZERO) } else { quantity::parse::<Span>(text) };
    let bounds: Result<Vec<Span>, String> = bounds.split(',').map(parse).collect();
    let bounds = bounds.map_err(|message| BadInput(format!("--classes: {message}")))?;
    match bounds.windows(2).find(|pair| pair[0] >= pair[1]) {
        Some(pair) => {
            Err(BadInput(format!("--classes: expected growing bounds, found {} before {}", pair[0], pair[1])))
        }
        None => Ok(Class::between(&bounds)),
    }
}

/// Parses grains of work like `80us,40us*3`: each a time, or a time and its number of repetitions.
fn grains(text: &str) -> Result<Vec<Span>, BadInput> {
    let mut grains = Vec::new();
    for part in text.split(',') {
        let (grain, times) = part.split_once('*').unwrap_or((part, "1"));
        let bad = |message: String| BadInput(format!("--grains: {message}"));
        let grain = quantity::parse::<Span>(grain).map_err(bad)?;
        let times = times.trim().parse::<usize>().ok().filter(|times| (1..=MOST_GRAINS - grains.len()).contains(times));
        let Some(times) = times else {
            return Err(bad(format!("expected 1 to {MOST_GRAINS} grains like 100us*1000, found '{part}'")));
        };
        if grain == Span::ZERO {
            return Err(bad(format!("expected grains of some length, found '{part}'")));
        }
        grains.extend(std::iter::repeat_n(grain, times));
    }
    Ok(grains)
}

/// Returns the requested numbers of ranks, or doubling numbers and all that were recorded. Numbers above those are
/// accepted only if `beyond` is true.
fn numbers_of_ranks(asked: &[u32], recording: &Recording, beyond: bool) -> Result<Vec<usize>, BadInput> {
    let all = recording.ranks().len();
    if asked.is_empty() {
        let doubling = std::iter::successors(Some(1), |ranks| Some(ranks * 2)).take_while(|&ranks| ranks < all);
        return Ok(doubling.chain([all]).collect());
    }
    match asked.iter().find(|&&ranks| ranks == 0 || !beyond && ranks as usize > all) {
        Some(found) => Err(BadInput(format!("--ranks: expected 1 to {all}, which were recorded; found {found}"))),
        None => Ok(asked.iter().map(|&ranks| ranks as usize).collect()),
    }
}
