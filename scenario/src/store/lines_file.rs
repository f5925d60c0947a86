//! Campaign files whose records are read on request.

use super::head::{Head, Packed, Stored};
use super::{CampaignLines, Line, StoreError, other_format};
use models::clock::{GlobalClock, share_one_clock};
use programs::observation::{Case, Looked, Observation, Occasion, Placement, RankSurroundings, Usage};
use rayon::prelude::*;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// File of a campaign, whose lines were read once and are whole. Of observations by real ranks, which take most of the
/// memory, heads are kept; an observation is read again when an analysis asks for it.
#[derive(Debug)]
pub struct LinesFile {
    path: PathBuf,
    /// File under a lock, because readers in several threads share its position.
    file: Mutex<File>,
    /// Heads of the observations by real ranks, in order.
    heads: Vec<Head>,
}

impl LinesFile {
    /// Opens a campaign's file: returns its valid lines without observations by real ranks, and the file, which has
    /// those.
    ///
    /// # Errors
    /// Fails where [`read`](super::read) fails.
    pub fn open(path: &Path) -> Result<(Vec<Line>, LinesFile), StoreError> {
        let unreadable = |reason| StoreError::Open { path: path.to_owned(), reason };
        let file = File::open(path).map_err(unreadable)?;
        let mut reader = BufReader::with_capacity(1 << 20, file.try_clone().map_err(unreadable)?);
        let (mut lines, mut heads): (Vec<Line>, Vec<Head>) = Default::default();
        let mut makers: BTreeSet<Arc<str>> = BTreeSet::new();
        let (mut batch, mut at, mut number) = (Batch::default(), 0, 0);
        while batch.read(&mut reader).map_err(unreadable)? {
            if let Some(found) = batch.lines().next().filter(|_| number == 0).and_then(other_format) {
                return Err(StoreError::Format { path: path.to_owned(), found });
            }
            for (text, parsed) in batch.lines().zip(batch.parsed()) {
                number += 1;
                match parsed {
                    Ok(Parsed::Other(line)) if *line == Line::Resumed {} => {
                        lines.retain(|line| !line.ends_with_resume())
                    }
                    Ok(Parsed::Other(line)) => lines.push(*line),
                    Ok(Parsed::Measured(head)) => {
                        let ran_by = interned(&mut makers, &head.ran_by);
                        let stored = Stored { at, length: text.len() as u32, line: number };
                        heads.push(Head { ran_by, stored, ..*head });
                    }
                    // The last line of a run that was killed.
                    Err(_) if !text.ends_with(b"\n") => break,
                    Err(reason) => {
                        return Err(StoreError::Broken { path: path.to_owned(), line: number as usize, reason });
                    }
                }
                at += text.len() as u64;
            }
        }
        heads.shrink_to_fit();
        Ok((lines, LinesFile { path: path.to_owned(), file: Mutex::new(file), heads }))
    }

    /// Returns queries of `lines`, which must be the lines of this file.
    pub fn lines<'a>(&'a self, lines: &'a [Line]) -> CampaignLines<'a> {
        CampaignLines::in_file(lines, self)
    }

    pub(super) fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// Reads the observation of a head.
    pub(super) fn read(&self, head: &Head) -> Result<Observation, StoreError> {
        let Stored { at, length, line } = head.stored;
        let path = || self.path.clone();
        let mut text = vec![0; length as usize];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut text));
        read.map_err(|reason| StoreError::Open { path: path(), reason })?;
        drop(file);
        match serde_json::from_slice(&text) {
            Ok(Line::Measured(observation)) => Ok(observation),
            Ok(_) => {
                let reason = io::Error::other(format!("line {line} was changed while it was read"));
                Err(StoreError::Open { path: path(), reason })
            }
            Err(reason) => Err(StoreError::Broken { path: path(), line: line as usize, reason }),
        }
    }
}

/// Number of bytes that are read before their lines are parsed on all cores.
const BATCH_BYTES: usize = 1 << 20;

/// Consecutive whole lines of a file.
#[derive(Default)]
struct Batch {
    text: Vec<u8>,
    /// Ends of the lines in the text.
    ends: Vec<usize>,
}

impl Batch {
    /// Reads the next lines in place of those before; returns false at the end of the file.
    fn read(&mut self, reader: &mut impl BufRead) -> io::Result<bool> {
        self.text.clear();
        self.ends.clear();
        while self.text.len() < BATCH_BYTES && reader.read_until(b'\n', &mut self.text)? > 0 {
            self.ends.push(self.text.len());
        }
        Ok(!self.ends.is_empty())
    }

    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let begins = iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, end)| &self.text[begin..*end])
    }

    /// Returns the parsed lines, in order.
    fn parsed(&self) -> Vec<serde_json::Result<Parsed>> {
        self.lines().collect::<Vec<_>>().into_par_iter().map(parsed).collect()
    }
}

/// Line of a campaign's file, as far as it is kept in memory.
enum Parsed {
    /// Head of an observation, whose place in the file is not known yet.
    Measured(Box<Head>),
    Other(Box<Line>),
}

/// Line of an observation by real ranks.
#[derive(Deserialize)]
struct MeasuredLine {
    measured: ObservationHead,
}

/// An [`Observation`] without the fields of its ranks that [`RankHead`] lacks.
#[derive(Deserialize)]
struct ObservationHead {
    case: Case,
    #[serde(default)]
    occasion: Occasion,
    ran_by: String,
    oversubscribed: bool,
    ranks: Vec<RankHead>,
}

/// Clocks of a [`RankRecord`](programs::observation::RankRecord), and its surroundings.
#[derive(Deserialize)]
struct RankHead {
    rank: u32,
    clock: GlobalClock,
    clock_after: GlobalClock,
    stamps: Vec<IgnoredAny>,
    #[serde(default)]
    placement: Option<Placement>,
    #[serde(default)]
    looks: Vec<Looked>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(default)]
    page_faults: Option<u64>,
}

impl ObservationHead {
    /// Returns the head, without its place in the file.
    fn kept(self) -> Head {
        let ObservationHead { case, occasion, ran_by, oversubscribed, ranks } = self;
        let stamps = ranks.iter().map(|rank| rank.stamps.len()).max().unwrap_or(0) as u32;
        let one_clock = share_one_clock(ranks.iter().map(|one| (one.rank, [&one.clock, &one.clock_after])));
        let surroundings = ranks.into_iter().map(|one| {
            let RankHead { rank, looks, usage, page_faults, placement, .. } = one;
            RankSurroundings { rank, looks: Cow::Owned(looks), usage, page_faults, placement }
        });
        let surroundings = Packed::pack(&surroundings.collect::<Vec<_>>());
        let stored = Stored { at: 0, length: 0, line: 0 };
        let ran_by = ran_by.into();
        Head { case, occasion, ran_by, oversubscribed, one_clock, stored, stamps, surroundings }
    }
}

/// Returns the one copy of a text that all heads share.
fn interned(texts: &mut BTreeSet<Arc<str>>, text: &Arc<str>) -> Arc<str> {
    texts.get(text).cloned().unwrap_or_else(|| {
        texts.insert(text.clone());
        text.clone()
    })
}

fn parsed(text: &[u8]) -> serde_json::Result<Parsed> {
    if !text.starts_with(b"{\"measured\":") {
        return serde_json::from_slice(text).map(|line| Parsed::Other(Box::new(line)));
    }
    serde_json::from_slice(text).map(|MeasuredLine { measured }| Parsed::Measured(Box::new(measured.kept())))
}
