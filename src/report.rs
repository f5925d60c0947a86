//! `parallax report`: the page of campaigns that are there, written anew.

use anyhow::Context;
use campaign::Kept;
use campaign::next_free;
use reports::page::Page;
use scenario::BadInput;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What `parallax report` is told.
#[derive(clap::Args)]
pub struct ReportArguments {
    /// Folders of campaigns; several go on one page, one after the other
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Where page and pictures go [default: the campaign's own folder; of several results/report-001, -002, …]
    #[arg(long)]
    out: Option<PathBuf>,
}

impl ReportArguments {
    /// Writes the page; prints its path.
    pub fn write(&self) -> anyhow::Result<ExitCode> {
        let pages: Vec<Page> = self.folders.iter().map(|folder| page_of(folder)).collect::<anyhow::Result<_>>()?;
        let folder = match (&self.out, self.folders.as_slice()) {
            (Some(out), _) => {
                std::fs::create_dir_all(out).map_err(|error| BadInput(format!("{}: {error}", out.display())))?;
                out.clone()
            }
            (None, [one]) => one.clone(),
            (None, _) => next_free("report")?,
        };
        let mut page = Page::together(pages);
        if self.folders.len() > 1 {
            page.reproduce.push(self.command());
        }
        let path = page.write(&folder).with_context(|| format!("the page in {}", folder.display()))?;
        say!("Report: {}\n", path.display())?;
        Ok(ExitCode::SUCCESS)
    }

    /// The command that writes the page again.
    fn command(&self) -> String {
        let folders: Vec<String> = self.folders.iter().map(|folder| folder.display().to_string()).collect();
        let out = self.out.as_ref().map(|out| format!(" --out {}", out.display())).unwrap_or_default();
        format!("parallax report {}{out}", folders.join(" "))
    }
}

/// The page of the campaign in a folder, by who makes such pages.
fn page_of(folder: &Path) -> anyhow::Result<Page> {
    analysis::report::page(&Kept::read(folder)?).with_context(|| folder.display().to_string())
}
