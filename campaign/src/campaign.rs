//! Campaigns: the folder of one run and its file of JSON lines, which all commands that keep campaigns share.

use crate::RecordedCampaign;
use scenario::BadInput;
use scenario::Group;
use scenario::store::{Contents, Line, StoreError, Writer};
use std::io::ErrorKind;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// Name of a campaign's file inside its folder.
pub(crate) const FILE: &str = "campaign.jsonl";

/// Campaign to which lines are added, new or resumed.
pub struct Campaign {
    writer: Writer,
    kept: RecordedCampaign,
}

impl Deref for Campaign {
    type Target = RecordedCampaign;

    fn deref(&self) -> &RecordedCampaign {
        &self.kept
    }
}

impl Campaign {
    /// Begins a campaign of this name with its first line, in a new folder or in the one that the user named.
    pub fn begin(out: Option<&Path>, name: &str, first: Line) -> anyhow::Result<Campaign> {
        let folder = match out {
            Some(folder) if folder.join(FILE).exists() => {
                let message = "holds a campaign already; go on with --resume or name another folder";
                return Err(BadInput(format!("{} {message}", folder.display())).into());
            }
            Some(folder) if folder.join(format!("{name}.json")).exists() => {
                let message = format!("holds results already ({name}.json); name another folder");
                return Err(BadInput(format!("{} {message}", folder.display())).into());
            }
            Some(folder) => made(folder)?,
            None => next_run(name)?,
        };
        let writer = Writer::create(folder.join(FILE))?;
        let mut campaign = Campaign { writer, kept: RecordedCampaign::new(folder, Vec::new()) };
        campaign.append(first)?;
        Ok(campaign)
    }

    /// Resumes the campaign in the folder that the user named, or the newest unfinished one of this name.
    pub fn resume(out: Option<&Path>, name: &str) -> anyhow::Result<Campaign> {
        let folder = out.map_or_else(|| newest(name), |folder| Ok(folder.to_owned()))?;
        if !folder.join(FILE).is_file() {
            let message = "holds no campaign to resume; run without --resume, or name its folder with --out";
            return Err(BadInput(format!("{} {message}", folder.display())).into());
        }
        let (mut writer, Contents { mut lines, truncated }) = Writer::resume(folder.join(FILE)).map_err(store_error)?;
        if truncated {
            note!("the last line of {} was half written and is left out", folder.join(FILE).display());
        }
        // Omitted work may be possible by now, so that it is tried again.
        if lines.iter().any(|line| matches!(line, Line::LeftOut { .. })) {
            writer.append(&Line::Resumed {}).map_err(store_error)?;
        }
        lines.retain(|line| !line.ends_with_resume());
        Ok(Campaign { writer, kept: RecordedCampaign::new(folder, lines) })
    }

    /// Appends a line, which is on disk when this returns.
    pub fn append(&mut self, line: Line) -> anyhow::Result<()> {
        self.writer.append(&line)?;
        self.kept.add(line);
        Ok(())
    }

    /// Records that a group cannot be run here, with the reason.
    pub fn leave_out(&mut self, group: &Group, why: &str) -> anyhow::Result<()> {
        let what = format!("{} ranks on {} ({} network)", group.ranks, group.world.title(), group.carrier.name());
        note!("left out: {what}: {why}");
        self.append(Line::LeftOut { what, why: why.to_owned() })
    }

    /// Removes a campaign in which nothing was measured. Other files in its folder stay.
    pub fn discard(&self) {
        // The folder stays if it is not empty.
        let _ = std::fs::remove_file(self.folder().join(FILE)).and_then(|()| std::fs::remove_dir(self.folder()));
    }

    /// Marks the campaign as complete.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        self.append(Line::Finished {})
    }
}

/// Returns the folders of runs of a name with their numbers, oldest first.
fn runs(name: &str) -> Vec<(u32, PathBuf)> {
    let numbered = |entry: std::fs::DirEntry| {
        let number = entry.file_name().to_str()?.strip_prefix(name)?.strip_prefix('-')?.parse().ok()?;
        Some((number, entry.path()))
    };
    let mut runs: Vec<_> = std::fs::read_dir("results").into_iter().flatten().flatten().filter_map(numbered).collect();
    runs.sort();
    runs
}

/// Creates and returns a new folder of a run with the next number, to which `results/latest` points from then on.
pub fn next_run(name: &str) -> Result<PathBuf, BadInput> {
    let folder = next_free(name)?;
    point_latest_at(Path::new("results"), &folder);
    Ok(folder)
}

/// Creates and returns a new folder with the next number. Another run that begins at the same time gets another number.
pub fn next_free(name: &str) -> Result<PathBuf, BadInput> {
    let results = made(Path::new("results"))?;
    let last = runs(name).last().map_or(0, |(number, _)| *number);
    for number in last + 1.. {
        let folder = results.join(format!("{name}-{number:03}"));
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot_make(&folder, &error)),
        }
    }
    unreachable!("numbers do not end")
}

/// Makes `results/latest` a link to the newest folder, where the file system supports links. Errors are ignored.
fn point_latest_at(results: &Path, folder: &Path) {
    let (latest, draft) = (results.join("latest"), results.join(format!(".latest.{}", std::process::id())));
    let Some(name) = folder.file_name().filter(|_| latest.is_symlink() || !latest.exists()) else { return };
    // The last of several runs wins. Without the link every folder still has its name.
    let _ = std::os::unix::fs::symlink(name, &draft).and_then(|()| std::fs::rename(&draft, &latest));
}

/// Returns the folder, after creating it if necessary.
fn made(folder: &Path) -> Result<PathBuf, BadInput> {
    std::fs::create_dir_all(folder).map_err(|error| cannot_make(folder, &error))?;
    Ok(folder.to_owned())
}

fn cannot_make(folder: &Path, error: &std::io::Error) -> BadInput {
    BadInput(format!("cannot make the folder {}: {error}; name another with --out", folder.display()))
}

/// Converts an error of the store. Errors that the user can cure become bad input.
pub(crate) fn store_error(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::Busy(_) | StoreError::Open { .. } | StoreError::Broken { .. } | StoreError::Format { .. } => {
            BadInput(error.to_string()).into()
        }
        StoreError::Exists(_) | StoreError::Write { .. } | StoreError::Foreign { .. } => error.into(),
    }
}

/// Returns the newest run that has not finished.
fn newest(name: &str) -> anyhow::Result<PathBuf> {
    for (_, folder) in runs(name).into_iter().rev() {
        if folder.join(FILE).exists() && !scenario::store::read(folder.join(FILE)).map_err(store_error)?.finished() {
            return Ok(folder);
        }
    }
    Err(BadInput(format!("there is no unfinished run of {name} under results/; run it without --resume")).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first() -> Line {
        let format = scenario::store::FORMAT;
        let (question, name, scenario_text) = ("What?".to_owned(), "unit".to_owned(), String::new());
        Line::Campaign {
            format,
            question,
            name,
            seed: 1,
            scenario_text,
            environment: Vec::new(),
            reproduce: Vec::new(),
        }
    }

    #[test]
    fn what_was_left_out_is_not_said_of_a_campaign_that_was_gone_on_with() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("there");
        let out = Line::LeftOut { what: "2 ranks".to_owned(), why: "no mpirun".to_owned() };
        let mut campaign = Campaign::begin(Some(&folder), "unit", first()).expect("begun");
        campaign.append(out.clone()).and_then(|()| campaign.finish()).expect("written");
        drop(campaign);
        let read = || RecordedCampaign::read(&folder).expect("a campaign").lines().to_vec();
        assert!(read().contains(&out));
        // Children of other tests hold the file's lock, too, until they are programs of their own.
        let resume = || loop {
            match Campaign::resume(Some(&folder), "unit") {
                Err(error) if matches!(error.downcast_ref(), Some(BadInput(why)) if why.contains("another run")) => {}
                ended => break ended.expect("gone on with"),
            }
        };
        let mut campaign = resume();
        campaign.finish().expect("written");
        drop(campaign);
        assert_eq!(read(), [first(), Line::Finished {}]);
        // Where nothing was left out, nothing is taken back.
        let bytes = std::fs::read(folder.join(FILE)).expect("bytes");
        drop(resume());
        assert_eq!(std::fs::read(folder.join(FILE)).expect("bytes"), bytes);
    }
}
