//! Campaign files whose records are read on request.

use super::{CampaignLines, Line, StoreError, other_format};
use models::clock::GlobalClock;
use programs::observation::{Case, Looked, Observation, Occasion, Placement, RankRecord, Stamp, Usage};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// File of a campaign, whose lines were read once and are whole. The stamps of real ranks, which take most of the
/// memory, are read again for each observation that an analysis asks for.
#[derive(Debug)]
pub struct LinesFile {
    path: PathBuf,
    /// File under a lock, because readers in several threads share its position.
    file: Mutex<File>,
    stored: Vec<Stored>,
}

/// Position of a line in its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    /// Offset of the first byte.
    at: u64,
    /// Length in bytes, with the line end.
    length: u32,
    /// Number of the line, counted from 1.
    line: u32,
    /// Number of stamps of the rank with the most stamps.
    pub(super) stamps: u32,
}

impl LinesFile {
    /// Opens a campaign's file: returns its valid lines, without stamps of real ranks, and the file with their
    /// positions.
    ///
    /// # Errors
    /// Fails where [`read`](super::read) fails.
    pub fn open(path: &Path) -> Result<(Vec<Line>, LinesFile), StoreError> {
        let unreadable = |reason| StoreError::Open { path: path.to_owned(), reason };
        let file = File::open(path).map_err(unreadable)?;
        let mut reader = BufReader::with_capacity(1 << 20, file.try_clone().map_err(unreadable)?);
        let (mut lines, mut stored): (Vec<Line>, Vec<Stored>) = Default::default();
        let (mut text, mut at, mut number) = (Vec::new(), 0, 0);
        loop {
            text.clear();
            let length = reader.read_until(b'\n', &mut text).map_err(unreadable)?;
            number += 1;
            if length == 0 {
                break;
            }
            if let Some(found) = Some(&text[..]).filter(|_| number == 1).and_then(other_format) {
                return Err(StoreError::Format { path: path.to_owned(), found });
            }
            match without_stamps(&text) {
                Ok((Line::Resumed {}, _)) => {
                    let mut holds = lines.iter().map(|line| !line.ends_with_resume());
                    stored.retain(|_| holds.next() == Some(true));
                    lines.retain(|line| !line.ends_with_resume());
                }
                Ok((line, stamps)) => {
                    stored.push(Stored { at, length: length as u32, line: number, stamps });
                    lines.push(line);
                }
                // The last line of a run that was killed.
                Err(_) if !text.ends_with(b"\n") => break,
                Err(reason) => {
                    return Err(StoreError::Broken { path: path.to_owned(), line: number as usize, reason });
                }
            }
            at += length as u64;
        }
        lines.shrink_to_fit();
        Ok((lines, LinesFile { path: path.to_owned(), file: Mutex::new(file), stored }))
    }

    /// Returns queries of `lines`, which must be the lines of this file.
    pub fn lines<'a>(&'a self, lines: &'a [Line]) -> CampaignLines<'a> {
        CampaignLines::in_file(lines, self)
    }

    pub(super) fn stored(&self, index: usize) -> Stored {
        self.stored[index]
    }

    /// Reads the observation at a position.
    pub(super) fn read(&self, Stored { at, length, line, .. }: Stored) -> Result<Observation, StoreError> {
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

/// Line of an observation by real ranks, as far as it is kept in memory.
#[derive(Deserialize)]
struct Measured {
    measured: Head,
}

/// An [`Observation`] without the fields of its ranks that [`RankHead`] lacks.
#[derive(Deserialize)]
struct Head {
    case: Case,
    #[serde(default)]
    occasion: Occasion,
    ran_by: String,
    oversubscribed: bool,
    ranks: Vec<RankHead>,
}

/// Clocks, first call and looks at the machine of a [`RankRecord`], without `stamps`, `subtracted`, `window`,
/// `round_time`, `overlap`, `forced` and `steps`.
#[derive(Deserialize)]
struct RankHead {
    rank: u32,
    clock: GlobalClock,
    clock_after: GlobalClock,
    cold: Stamp,
    stamps: Vec<IgnoredAny>,
    #[serde(default)]
    placement: Option<Placement>,
    #[serde(default)]
    looks: Box<[Looked]>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(default)]
    page_faults: Option<u64>,
}

impl From<RankHead> for RankRecord {
    fn from(head: RankHead) -> RankRecord {
        let RankHead { rank, clock, clock_after, cold, placement, looks, usage, page_faults, .. } = head;
        let looks = looks.into_vec();
        RankRecord {
            clock_after,
            cold,
            placement,
            looks,
            usage,
            page_faults,
            ..RankRecord::new(rank, clock, Vec::new())
        }
    }
}

/// Returns a line of a campaign without the stamps of real ranks, and the number of stamps of the rank with the most
/// stamps.
fn without_stamps(text: &[u8]) -> serde_json::Result<(Line, u32)> {
    if !text.starts_with(b"{\"measured\":") {
        return serde_json::from_slice(text).map(|line| (line, 0));
    }
    let Measured { measured: Head { case, occasion, ran_by, oversubscribed, ranks } } = serde_json::from_slice(text)?;
    let stamps = ranks.iter().map(|rank| rank.stamps.len()).max().unwrap_or(0);
    let ranks = ranks.into_iter().map(RankRecord::from).collect();
    Ok((Line::Measured(Observation { case, occasion, ran_by, oversubscribed, ranks }), stamps as u32))
}
