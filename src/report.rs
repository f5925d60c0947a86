//! `parallax report`: the page of existing results, written anew, or the results as Markdown or CSV.

use crate::output::print;
use analysis::report::{Made, of_folder};
use campaign::next_free;
use render::page::{Page, PageError};
use render::plots::Paper;
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `parallax report`.
#[derive(clap::Args)]
pub struct ReportArguments {
    /// Folders of campaigns, of sweeps that `run` simulated, or of recorded noise; several are combined on one page, one after the
    /// other
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// What to make: html writes the page and its pictures; markdown and csv are printed
    #[arg(long, value_enum, default_value = "html")]
    format: ReportFormat,
    /// Folder for page and pictures [default: the campaign's own folder; for several campaigns results/report-001,
    /// -002, …]
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Layout of the files of pictures beside the page, for papers, and what they are: width=84mm,font=8pt,title=no,
    /// format=pdf (or svg, png); dpi=300 is for png. Keys may be left out [default: svg, each picture with its own width]
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = str::parse::<Paper>)]
    picture: Option<Paper>,
}

/// What is made of campaigns.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ReportFormat {
    /// A page with pictures.
    Html,
    /// Headings, sentences and tables for documents.
    Markdown,
    /// A row for each number.
    Csv,
}

impl ReportArguments {
    /// Writes the page and prints its path, or prints the results.
    pub fn write(&self) -> anyhow::Result<ExitCode> {
        if self.picture.is_some() && self.format != ReportFormat::Html {
            let message = "--picture: markdown and csv have no pictures; expected no --picture, or --format html";
            return Err(BadInput(message.to_owned()).into());
        }
        let made: Vec<Made> = self.folders.iter().map(|folder| of_folder(folder)).collect::<anyhow::Result<_>>()?;
        match self.format {
            ReportFormat::Html => self.page(made)?,
            ReportFormat::Markdown => print(&Page::together(made.into_iter().map(Made::page).collect()).markdown())?,
            ReportFormat::Csv => print(&self.rows(made)?)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    fn page(&self, made: Vec<Made>) -> anyhow::Result<()> {
        let folder = match (&self.out, self.folders.as_slice()) {
            (Some(out), _) => {
                std::fs::create_dir_all(out).map_err(|error| BadInput(format!("{}: {error}", out.display())))?;
                out.clone()
            }
            (None, [one]) => one.clone(),
            (None, _) => next_free("report")?,
        };
        let mut page = Page::together(made.into_iter().map(Made::page).collect());
        if self.folders.len() > 1 {
            page.reproduce.push(self.command());
        }
        let paper = self.picture.unwrap_or_default();
        let path = page.write_on(&paper, &folder).map_err(|error| match error {
            PageError::Print { .. } => BadInput(format!("--picture: {error}")).into(),
            PageError::Template(_) | PageError::Write { .. } => {
                anyhow::Error::new(error).context(format!("the page in {}", folder.display()))
            }
        })?;
        Ok(say!("Report: {}\n", path.display())?)
    }

    /// Returns the rows of all campaigns under the heads of the first.
    fn rows(&self, made: Vec<Made>) -> Result<String, BadInput> {
        let mut all = String::new();
        for (folder, made) in self.folders.iter().zip(made) {
            let folder = folder.display();
            let csv = made.csv().ok_or_else(|| {
                BadInput(format!(
                    "--format csv: the campaign in {folder} has no one table of rows: the numbers of each picture are beside it in \
                     {folder}/pictures; its samples: parallax store add {folder}, then parallax store export 1 --format csv"
                ))
            })?;
            let (heads, rows) = csv.split_once('\n').unwrap_or((&csv, ""));
            match all.split_once('\n') {
                None => all = csv,
                Some((first, _)) if first == heads => all += rows,
                Some(_) => {
                    return Err(BadInput(format!(
                        "--format csv: {folder} has other columns than the first campaign; print each by itself"
                    )));
                }
            }
        }
        Ok(all)
    }

    /// Returns the command that writes the page again.
    fn command(&self) -> String {
        let folders: Vec<String> = self.folders.iter().map(|folder| folder.display().to_string()).collect();
        let out = self.out.as_ref().map(|out| format!(" --out {}", out.display())).unwrap_or_default();
        format!("parallax report {}{out}", folders.join(" "))
    }
}
