//! A run: the folder of a job, or its archive. The facts of its tests are in several files, which may contradict each
//! other.

use crate::alloc::Alloc;
use crate::barrier::{When, inferred, known};
use crate::decisions::{barriers_of_stacks, selected};
use crate::log::Log;
use crate::table::CsvTable;
use crate::{Grounds, Published, PublishedError, PublishedRow, alloc, log, raw, summary};
use std::collections::{BTreeMap, BTreeSet};

/// Content of a run's files so far, in whatever order they come.
#[derive(Debug, Default)]
pub(crate) struct RunFiles {
    /// Name of the run's folder or archive in errors.
    file: String,
    /// Name of the run's folder: the time at which it was submitted.
    name: String,
    /// Time at which its first file was written, in seconds since 1970, UTC.
    first_file_unix_s: Option<u64>,
    raws: Vec<PublishedRow>,
    allocs: Vec<Alloc>,
    log: Log,
    /// Tests by the framework's table of all runs, and by the run's own summary.
    metadata: BTreeMap<u32, PublishedRow>,
    summary: BTreeMap<u32, PublishedRow>,
    /// Choices that a library reports, by test and name of the raw file.
    decisions: BTreeMap<(u32, String), BTreeSet<(String, String)>>,
    stacks: BTreeSet<&'static str>,
    not_read: Vec<String>,
}

/// Kind of a run's file, by its path below the run's folder.
enum RunFileKind {
    Raw(u32),
    Decision(u32, String),
    Alloc,
    Output,
    Errors,
    Summary,
    /// Neither calls nor words on them.
    Other,
    /// Perhaps calls, but of no form that is known.
    Unknown,
}

fn kind(path: &str) -> RunFileKind {
    let (test, name) = path.rsplit_once('/').unwrap_or(("", path));
    if let Ok(test) = test.parse() {
        return match name.strip_suffix(".decision.err") {
            Some(stem) => RunFileKind::Decision(test, format!("{stem}.csv")),
            None if raw::named(name).is_some() => RunFileKind::Raw(test),
            None if name.ends_with(".csv") => RunFileKind::Unknown,
            None => RunFileKind::Other,
        };
    }
    match name {
        "aggregated_results_summary.csv" => RunFileKind::Summary,
        _ if alloc::is_alloc(name) => RunFileKind::Alloc,
        _ if name.ends_with(".out") => RunFileKind::Output,
        _ if name.ends_with(".err") => RunFileKind::Errors,
        _ => RunFileKind::Other,
    }
}

impl RunFiles {
    /// Begins a run of which nothing is known but its name in errors, and its folder's name.
    pub(crate) fn new(file: &str, name: &str) -> RunFiles {
        RunFiles { file: file.to_owned(), name: name.to_owned(), ..RunFiles::default() }
    }

    /// Returns whether this file, by its path below the run's folder, is worth reading. Files that may be calls are
    /// remembered.
    pub(crate) fn wants(&mut self, path: &str) -> bool {
        match kind(path) {
            RunFileKind::Raw(_)
            | RunFileKind::Decision(..)
            | RunFileKind::Alloc
            | RunFileKind::Output
            | RunFileKind::Errors
            | RunFileKind::Summary => true,
            RunFileKind::Other => false,
            RunFileKind::Unknown => {
                self.not_read.push(path.to_owned());
                false
            }
        }
    }

    /// Takes in the time at which one of its files was written, in seconds since 1970, UTC.
    pub(crate) fn written(&mut self, unix_s: u64) {
        let first = self.first_file_unix_s.map_or(unix_s, |first| first.min(unix_s));
        self.first_file_unix_s = Some(first);
    }

    /// Takes in the text of a file.
    pub(crate) fn take(&mut self, path: &str, text: &str) -> Result<(), PublishedError> {
        let file = format!("{}/{path}", self.file);
        match kind(path) {
            RunFileKind::Raw(test) => {
                let row = raw::read(&file, text)?;
                self.raws.push(PublishedRow { test: Some(test), file: path.to_owned(), run: self.name.clone(), ..row });
            }
            RunFileKind::Decision(test, stem) => drop(self.decisions.insert((test, stem), selected(text))),
            RunFileKind::Alloc => self.allocs.push(alloc::read(&file, &self.name, text)?),
            RunFileKind::Output => self.log = log::read(text),
            RunFileKind::Errors => self.stacks.extend(barriers_of_stacks(text)),
            RunFileKind::Summary => self.summary = tests(&file, text, &self.name, "")?,
            RunFileKind::Other | RunFileKind::Unknown => {}
        }
        Ok(())
    }

    /// Takes in the framework's table of all runs of a system.
    pub(crate) fn take_metadata(&mut self, file: &str, text: &str, system: &str) -> Result<(), PublishedError> {
        self.metadata = tests(file, text, &self.name, system)?;
        Ok(())
    }

    /// Returns the rows, with the facts of all files together.
    pub(crate) fn finished(mut self) -> Result<Published, PublishedError> {
        if self.raws.is_empty() {
            let found = match self.not_read.len() {
                0 => "none".to_owned(),
                files => format!("{files} files of other names, like {}", self.not_read[0]),
            };
            let message = format!(
                "expected raw files TEST/ELEMENTS_ALGORITHM_TYPE.csv of a run, found {found}; what other programs measured is not read"
            );
            return Err(PublishedError::new(&self.file, 1, message));
        }
        let mut published = Published::default();
        let (raws, empty): (Vec<PublishedRow>, Vec<PublishedRow>) =
            std::mem::take(&mut self.raws).into_iter().partition(|row| row.calls.count > 0);
        let tests: BTreeSet<u32> = raws.iter().filter_map(|row| row.test).collect();
        let places: BTreeMap<u32, PublishedRow> = tests.iter().map(|&test| (test, self.placed(test))).collect();
        published.warnings = self.contradictions(&places);
        published.rows = raws.into_iter().map(|row| self.row(row, &places)).collect();
        published.facts = self.facts();
        published.warnings.extend(few("files without a call are left out", empty.iter().map(|row| row.file.as_str())));
        published.warnings.extend(few("files of no known name are not read", self.not_read.iter().map(String::as_str)));
        published.finished()
    }

    /// Returns the facts of a test, the framework's own table first, without regard to the places of ranks.
    fn said(&self, test: u32) -> PublishedRow {
        let log = self.log.tests.iter().find(|row| row.test == Some(test));
        let known = self.metadata.get(&test).or(log).or(self.summary.get(&test)).cloned();
        let mut row = known.unwrap_or_default();
        // The ranks that the job started count for more than those that it was to start.
        row.ranks = log.and_then(|row| row.ranks).or(row.ranks);
        row
    }

    /// Returns the facts of a test with ranks and nodes by `alloc.csv` where that is of this test: it lists as many
    /// ranks as were started, or there is one alone and all tests are said to have as many ranks as each other.
    fn placed(&self, test: u32) -> PublishedRow {
        let mut row = self.said(test);
        let same = self.allocs.iter().find(|alloc| Some(alloc.ranks) == row.ranks);
        let alone = match self.allocs.as_slice() {
            [alone] if self.all_tests().all(|other| self.said(other).ranks == row.ranks) => Some(alone),
            _ => None,
        };
        if let Some(alloc) = same.or(alone) {
            (row.ranks, row.ranks_per_node, row.nodes) = (Some(alloc.ranks), Some(alloc.most), Some(alloc.nodes));
            row.placement = Some(alloc.placement.clone());
            row.hosts = Some(alloc.hosts.clone());
            if row.shape.is_empty() {
                row.shape = alloc.nodes.to_string();
            }
        } else if row.nodes.zip(row.ranks_per_node).and_then(|(nodes, most)| nodes.checked_mul(most)) != row.ranks {
            row.ranks_per_node = None;
        }
        row
    }

    fn all_tests(&self) -> impl Iterator<Item = u32> {
        let said = self.log.tests.iter().filter_map(|row| row.test);
        self.metadata.keys().chain(self.summary.keys()).copied().chain(said)
    }

    /// Returns sentences on tests that have other ranks than the framework's own table says.
    fn contradictions(&self, places: &BTreeMap<u32, PublishedRow>) -> Vec<String> {
        let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (test, row) in places {
            let table = self.metadata.get(test).or(self.summary.get(test));
            let (Some(table), Some(ranks)) = (table, row.ranks) else { continue };
            if table.ranks != Some(ranks) {
                let nodes = row.nodes.unwrap_or(0);
                let [told, shape] = [table.ranks.unwrap_or(0).to_string(), table.shape.clone()];
                let sentence = format!(
                    "{ranks} ranks on {nodes} nodes ran, by alloc.csv and the log, where the metadata say {told} ranks on {shape} nodes"
                );
                said.entry(sentence).or_default().push(test.to_string());
            }
        }
        let listed = said.into_iter();
        listed.map(|(sentence, tests)| format!("{}, tests {}: {sentence}", self.name, tests.join(", "))).collect()
    }

    fn row(&self, raw: PublishedRow, places: &BTreeMap<u32, PublishedRow>) -> PublishedRow {
        let place = raw.test.and_then(|test| places.get(&test)).cloned().unwrap_or_default();
        let chosen = self.chosen(&raw, &place);
        let notes: Vec<String> = [place.notes, chosen.join(", ")].into_iter().filter(|note| !note.is_empty()).collect();
        // Where one barrier is in the stacks of all crashes, it is that of all tests of as many ranks.
        let one = self
            .stacks
            .first()
            .filter(|_| self.stacks.len() == 1 && places.values().all(|row| row.ranks == place.ranks));
        let stated = one.and_then(|name| known(name, Grounds::Stated));
        let when = When { name: &self.name, first_file_unix_s: self.first_file_unix_s };
        PublishedRow {
            run: self.name.clone(),
            test: raw.test,
            ranks: place.ranks.or(raw.ranks),
            file: raw.file,
            line: raw.line,
            algorithm: raw.algorithm,
            elements: raw.elements,
            datatype: raw.datatype,
            calls: raw.calls,
            barrier: stated.or_else(|| inferred(&place.library, &place.version, when)),
            confirmed: !chosen.is_empty(),
            notes: notes.join("; "),
            ..place
        }
    }

    /// Returns the library's reported choices for a row's collective.
    fn chosen(&self, raw: &PublishedRow, place: &PublishedRow) -> Vec<String> {
        let name = raw.file.rsplit('/').next().unwrap_or_default();
        let selected = raw.test.and_then(|test| self.decisions.get(&(test, name.to_owned())));
        let operation = place.collective.map(|collective| collective.name().replace('-', "_")).unwrap_or_default();
        let of = selected.into_iter().flatten().filter(|(of, _)| *of == operation);
        of.map(|(_, choice)| format!("selects {choice}")).collect()
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![("run".to_owned(), self.name.clone())];
        let barriers: BTreeSet<&str> = self
            .decisions
            .values()
            .flatten()
            .filter(|(of, _)| of == "barrier")
            .map(|(_, choice)| choice.as_str())
            .collect();
        if !barriers.is_empty() {
            let barriers: Vec<&str> = barriers.into_iter().collect();
            facts.push(("barrier that the library selects".to_owned(), barriers.join(", ")));
        }
        if self.log.skipped > 0 {
            facts.push((
                "lengths that the framework skips, shorter than ranks".to_owned(),
                self.log.skipped.to_string(),
            ));
        }
        facts
    }
}

/// Returns the tests of a run in a table of several. `system` is taken where the table does not name it.
fn tests(file: &str, text: &str, run: &str, system: &str) -> Result<BTreeMap<u32, PublishedRow>, PublishedError> {
    let mut found = BTreeMap::new();
    for cells in CsvTable::new(file, text)? {
        let mut row = summary::test(&cells?)?;
        if row.system.is_empty() {
            system.clone_into(&mut row.system);
        }
        if let Some(test) = row.test.filter(|_| row.run == run) {
            found.insert(test, row);
        }
    }
    Ok(found)
}

/// Returns a warning that names the first of several files.
fn few<'a>(what: &str, mut files: impl Iterator<Item = &'a str>) -> Option<String> {
    let first = files.next()?;
    Some(match files.count() {
        0 => format!("{what}: {first}"),
        more => format!("{what}: {first} and {more} more"),
    })
}
