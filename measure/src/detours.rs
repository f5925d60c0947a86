//! Recording detours on real ranks: each stays on a CPU of its own, and rank 0 writes the files of all.

use crate::board::host_name;
use crate::clock::ClockSource;
use crate::cpus::{allowed, stay_on};
use crate::job::{Outcome, collect};
use crate::rank::{Carriage, RealRank};
use crate::usage::{stolen_from, usage};
use models::names::counted;
use models::noise::Detour;
use models::noise::read::{counts_head, counts_line, head, line};
use models::time::{Span, Time};
use programs::detours::{Collected, Collection, Method, Recorded, WorkDone, Working};
use programs::observation::Usage;
use programs::rank::Rank;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Settings of a recording of detours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// Collection that each rank carries out.
    pub collection: Collection,
    /// CPUs of each host, rank by rank. If empty, those that ranks may run on.
    pub cpus: Vec<u32>,
    /// Folder of the files within that of the campaign. If empty, the campaign's folder itself.
    #[serde(default)]
    pub folder: String,
    /// Whether the watching command shows the detours while they come.
    #[serde(default)]
    pub live: bool,
    /// Path of Linux's tracefs, if the kernel is to record meanwhile what the CPUs do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tracefs: Option<PathBuf>,
}

/// Work between synchronisations, by ranks that stay on CPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Labour {
    /// Work that each rank does.
    pub working: Working,
    /// CPUs of each host, as of a recording.
    pub cpus: Vec<u32>,
}

impl Labour {
    /// Works. Called by all ranks together. The answer on rank 0 holds that of every rank.
    ///
    /// # Errors
    ///
    /// Says, on rank 0, what keeps ranks from having a CPU each.
    pub async fn run<C: ClockSource, N: Carriage>(
        &self,
        rank: &RealRank<'_, C, N>,
        ran_by: &str,
    ) -> Result<Outcome, String> {
        let (_, before) = on_cpu(rank, &self.cpus).await?;
        let worked = self.working.run(rank).await;
        let _ = stay_on(&before);
        Ok(Outcome::Worked { ran_by: ran_by.to_owned(), ranks: collect(rank, &worked).await })
    }
}

/// Binds the rank to a CPU of its own. Returns its number, and the CPUs on which the rank could run before.
async fn on_cpu<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    cpus: &[u32],
) -> Result<(u32, Vec<usize>), String> {
    let before = allowed();
    let cpu = own_cpu(rank, &before, cpus).await?;
    let stays = stay_on(&[cpu as usize]).map_err(|error| {
        let (id, host, may) =
            (rank.id, host_name(), before.iter().map(usize::to_string).collect::<Vec<_>>().join(", "));
        format!("rank {id} on {host} cannot stay on CPU {cpu}: {error}; it may run on {may}")
    });
    agree(rank, stays).await?;
    Ok((cpu, before))
}

/// Length of the pieces in which bytes travel to rank 0.
const PIECE_BYTES: usize = 1 << 20;

impl Recording {
    /// Returns the files of these ranks, within the folder of the campaign.
    fn files(&self, ranks: &[Recorded]) -> Vec<PathBuf> {
        ranks.iter().map(|rank| Path::new(&self.folder).join(rank.file(self.collection.method))).collect()
    }

    /// Returns the memory that each rank sets aside, in bytes.
    pub fn room_bytes(&self) -> u64 {
        u64::from(self.collection.most) * entry_bytes(self.collection.method) as u64
    }

    /// Records. Called by all ranks together. Files of detours, or of counts, are in the job's folder when rank 0
    /// returns, whose answer alone holds that of every rank.
    ///
    /// # Errors
    ///
    /// Says, on rank 0, what keeps ranks from having a CPU each, or rank 0 from writing.
    pub async fn run<C: ClockSource, N: Carriage>(
        &self,
        rank: &RealRank<'_, C, N>,
        ran_by: &str,
    ) -> Result<Outcome, String> {
        let (cpu, before) = on_cpu(rank, &self.cpus).await?;
        let (recorded, bytes) = self.record(rank, cpu).await;
        let _ = stay_on(&before);
        let ranks = self.gather(rank, &recorded, &bytes).await?;
        Ok(Outcome::Recorded { ran_by: ran_by.to_owned(), files: self.files(&ranks), ranks })
    }

    async fn record<C: ClockSource, N: Carriage>(&self, rank: &RealRank<'_, C, N>, cpu: u32) -> (Recorded, Vec<u8>) {
        let begin = Instant::now();
        let mut looks: Vec<(Usage, Span)> = Vec::with_capacity(2);
        let look = || {
            looks.push((usage(begin, false, 0), stolen_from(cpu)));
            if looks.len() == 1 {
                rank.board.begin_recording(rank.id, rank.clock.read().0);
            }
        };
        let mut collected = self.collection.run_watched(rank, look).await;
        let (used, stolen) = match &looks[..] {
            [before, after, ..] => (after.0.since(&before.0), Span(after.1.0.saturating_sub(before.1.0))),
            _ => Default::default(),
        };
        let work = WorkDone::from_counts(&collected.counts);
        let (bytes, kept, covered) = taken_out(&mut collected, self.collection.method);
        let recorded = Recorded {
            collected,
            kept,
            covered,
            work,
            host: host_name(),
            cpu,
            clock: rank.clock.clock().name().to_owned(),
            hz: rank.scale.ticks_per_second,
            cpu_share: (used.on_core.as_seconds() / used.elapsed.as_seconds().max(1e-9)).min(1.0),
            preempted: used.preempted,
            stolen,
        };
        (recorded, bytes)
    }

    /// Collects the answers of all ranks on rank 0, which writes the files piece by piece.
    async fn gather<C: ClockSource, N: Carriage>(
        &self,
        rank: &RealRank<'_, C, N>,
        recorded: &Recorded,
        own: &[u8],
    ) -> Result<Vec<Recorded>, String> {
        let all: Vec<Recorded> = collect(rank, recorded).await;
        if rank.id != 0 {
            for piece in own.chunks(PIECE_BYTES) {
                rank.send(0, piece).await;
            }
            return Ok(all);
        }
        let folder = rank.board.folder().map(|folder| folder.join(&self.folder));
        if let Some(folder) = &folder {
            // Where it cannot be made, no file can.
            let _ = std::fs::create_dir_all(folder);
        }
        let mut failed = None;
        for (other, recorded) in (0..).zip(&all) {
            let mut file = DetourFile::begin(folder.as_deref(), recorded, &self.collection, rank.size);
            let entry = entry_bytes(self.collection.method) as u64;
            let mut left = (recorded.kept * entry) as usize;
            if other == 0 {
                file.take(own);
                left = 0;
            }
            while left > 0 {
                // A file that cannot be written does not keep the others from being received.
                let mut piece = vec![0; left.min(PIECE_BYTES)];
                rank.receive(other, &mut piece).await;
                file.take(&piece);
                left -= piece.len();
            }
            failed = failed.or(file.end().err());
        }
        failed.map_or(Ok(all), Err)
    }
}

/// Returns this rank's CPU, which rank 0 deals out.
async fn own_cpu<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    allowed: &[usize],
    given: &[u32],
) -> Result<u32, String> {
    let places: Vec<(String, Vec<usize>)> = collect(rank, &(host_name(), allowed.to_vec())).await;
    let mut word = [0; 4];
    if rank.id != 0 {
        rank.receive(0, &mut word).await;
    } else {
        let dealt = deal(&places, given);
        for other in 1..rank.size {
            let cpu = dealt.as_ref().map_or(u32::MAX, |cpus| cpus[other as usize]);
            rank.send(other, &cpu.to_le_bytes()).await;
        }
        word = dealt?[0].to_le_bytes();
    }
    match u32::from_le_bytes(word) {
        u32::MAX => Err("rank 0 says why".to_owned()),
        cpu => Ok(cpu),
    }
}

/// Goes on if all ranks can. If one cannot, none does, and rank 0 says the first reason.
async fn agree<R: Rank>(rank: &R, can: Result<(), String>) -> Result<(), String> {
    let all: Vec<Result<(), String>> = collect(rank, &can).await;
    let mut goes = [0];
    if rank.id() != 0 {
        rank.receive(0, &mut goes).await;
        return if goes == [1] { Ok(()) } else { Err("another rank cannot".to_owned()) };
    }
    let ended: Result<(), String> = all.into_iter().collect();
    for other in 1..rank.size() {
        rank.send(other, &[u8::from(ended.is_ok())]).await;
    }
    ended
}

/// Returns one CPU for each rank: of the given ones those that follow each other on a host, otherwise the first that
/// the rank may run on and no other rank of its host has.
fn deal(places: &[(String, Vec<usize>)], given: &[u32]) -> Result<Vec<u32>, String> {
    let mut dealt: Vec<u32> = Vec::with_capacity(places.len());
    for (rank, (host, allowed)) in places.iter().enumerate() {
        let taken: Vec<u32> = (0..rank).filter(|&other| places[other].0 == *host).map(|other| dealt[other]).collect();
        let free = |cpu: &u32| !taken.contains(cpu);
        let cpu = if given.is_empty() {
            allowed.iter().map(|&cpu| cpu as u32).find(free)
        } else {
            given.iter().copied().find(free)
        };
        dealt.push(cpu.ok_or_else(|| {
            let ranks = places.iter().filter(|(other, _)| other == host).count();
            let cpus = if given.is_empty() { allowed.len() } else { given.len() };
            let cpus = counted(cpus, "CPU");
            format!("{host}: {ranks} ranks for {cpus}; each rank records the detours of a CPU of its own: ask for fewer ranks, or name more with --cpus")
        })?);
    }
    Ok(dealt)
}

/// Returns the bytes of a detour, or of a count, in memory and on the way to rank 0.
pub fn entry_bytes(method: Method) -> usize {
    if method == Method::Ftq { 4 } else { 16 }
}

/// Takes out the entries of a file. Returns their bytes, their number, and the time that they cover.
fn taken_out(collected: &mut Collected, method: Method) -> (Vec<u8>, u64, Span) {
    let time = collected.watched.time;
    if method == Method::Ftq {
        let counts = std::mem::take(&mut collected.counts);
        return (counts.iter().flat_map(|count| count.to_le_bytes()).collect(), counts.len() as u64, time);
    }
    let kept = std::mem::take(&mut collected.watched.kept);
    let is_all = kept.len() as u64 == collected.watched.detours;
    let covered = if is_all { time } else { kept.last().map_or(time, |last| last.after() + last.duration) };
    let words = kept.iter().flat_map(|detour| [detour.start.0, detour.duration.0]);
    (words.flat_map(u64::to_le_bytes).collect(), kept.len() as u64, covered)
}

/// One rank's file while it is written.
struct DetourFile {
    file: io::Result<BufWriter<File>>,
    name: String,
    method: Method,
    interval: Span,
    count: u64,
}

impl DetourFile {
    fn begin(folder: Option<&Path>, recorded: &Recorded, collection: &Collection, ranks: u32) -> DetourFile {
        let keys = recorded.header(collection, ranks);
        let (name, method, interval) = (recorded.file(collection.method), collection.method, collection.interval);
        let head = match method {
            Method::Ftq => counts_head(&keys, interval),
            Method::Selfish | Method::Fwq => head(&keys, recorded.covered),
        };
        let file = folder.ok_or_else(|| io::Error::other("these ranks have no folder"));
        let file = file.and_then(|folder| File::create(folder.join(&name))).map(BufWriter::new);
        let file = file.and_then(|mut file| file.write_all(head.as_bytes()).map(|()| file));
        DetourFile { file, name, method, interval, count: 0 }
    }

    /// Writes the next entries, which are whole.
    fn take(&mut self, bytes: &[u8]) {
        let size = entry_bytes(self.method);
        for entry in bytes.chunks_exact(size) {
            let text = match self.method {
                Method::Ftq => {
                    let start = Time::ZERO + self.interval * self.count;
                    counts_line(start, u64::from(u32::from_le_bytes(entry.try_into().expect("four bytes"))))
                }
                Method::Selfish | Method::Fwq => {
                    let word = |at: usize| u64::from_le_bytes(entry[at..at + 8].try_into().expect("eight bytes"));
                    line(&Detour { start: Time(word(0)), duration: Span(word(8)) })
                }
            };
            self.count += 1;
            if let Ok(file) = &mut self.file
                && let Err(error) = file.write_all(text.as_bytes())
            {
                self.file = Err(error);
            }
        }
    }

    fn end(self) -> Result<(), String> {
        let ended = self.file.and_then(|file| file.into_inner().map_err(|error| error.into_error()));
        let ended = ended.and_then(|file| file.sync_all());
        ended.map_err(|error| format!("cannot write {}: {error}; make room, then resume", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_has_a_cpu_of_its_own_on_its_host() {
        let place = |host: &str, allowed: &[usize]| (host.to_owned(), allowed.to_vec());
        let two = [place("a", &[0, 1]), place("b", &[0, 1]), place("a", &[0, 1])];
        assert_eq!(deal(&two, &[]), Ok(vec![0, 0, 1]));
        assert_eq!(deal(&two, &[3, 2]), Ok(vec![3, 3, 2]));
        // A launcher has bound them.
        assert_eq!(deal(&[place("a", &[1]), place("a", &[0])], &[]), Ok(vec![1, 0]));
        let said = [deal(&[place("a", &[1]), place("a", &[1])], &[]), deal(&two, &[3])].map(|dealt| dealt.unwrap_err());
        insta::assert_snapshot!(said.join("\n"));
    }
}
