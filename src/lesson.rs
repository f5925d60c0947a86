//! `parallax lesson`: the lessons in a browser, with measurements on this machine, or as pages that need no server, and
//! exercises.

use crate::flags::SiteFlags;
use analysis::lesson;
use clap::Subcommand;
use lessons::site::LESSONS;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// The arguments of `parallax lesson`.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct LessonArguments {
    #[command(subcommand)]
    write: Option<Write>,
    /// Open this lesson
    #[arg(value_name = "LESSON", value_parser = clap::builder::PossibleValuesParser::new(LESSONS))]
    lesson: Option<String>,
    /// Port on this machine; 0: any free one
    #[arg(long, default_value = "0", value_name = "PORT")]
    port: u16,
    /// Also open the page in the browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    site: SiteFlags,
}

#[derive(Subcommand)]
enum Write {
    /// Write the lessons as pages that need no server and nothing else (scripts/lessons does it all)
    Export {
        /// Folder
        folder: PathBuf,
        /// The simulator as a WebAssembly module
        #[arg(long, value_name = "FILE")]
        simulator: PathBuf,
    },
    /// Write exercises for `parallax run`: for students without answers (students/), and for lecturers with them (lecturers/)
    #[command(alias = "exercise")]
    Exercises {
        /// Folder
        folder: PathBuf,
        /// Exercises of your own: scenarios or sweeps with the key 'answer' in an [[expect]] [default: those that come with
        /// parallax]
        files: Vec<PathBuf>,
    },
}

impl LessonArguments {
    /// Serves the lessons until it is interrupted, or writes the lessons or exercises.
    pub fn serve_or_write(&self) -> anyhow::Result<ExitCode> {
        match &self.write {
            None => self.serve(),
            Some(Write::Export { folder, simulator }) => {
                let pages = lesson::export(folder, simulator)?;
                say!("{pages} pages in {}: open index.html, or any other one\n", folder.display())?;
                Ok(ExitCode::SUCCESS)
            }
            Some(Write::Exercises { folder, files }) => {
                for name in lesson::exercises(folder, files)? {
                    say!("{name}\n")?;
                }
                let folder = folder.display();
                say!("\nFor students: {folder}/students. With the answers: {folder}/lecturers.\n")?;
                Ok(ExitCode::SUCCESS)
            }
        }
    }

    fn serve(&self) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let server = lesson::serve(self.port, &lesson::worlds(&site), &site)?;
        let address = server.address(self.lesson.as_deref());
        say!("Lessons: {address}\nThe address works on this machine only, until Ctrl-C.\n")?;
        if self.open {
            open(&address);
        }
        server.run()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Opens an address in the desktop's browser. Where there is none, the address is printed anyway.
fn open(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started =
        Command::new(opener).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = started {
        note!("parallax: {opener} does not start ({error}): open the address yourself");
    }
}
