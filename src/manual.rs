//! `parallax completions` and `parallax man`: the definition of the command line for shells and for `man`.

use crate::cli;
use crate::output::print;
use anyhow::Context;
use clap_complete::Shell;
use scenario::files::write_whole;
use scenario::{BadInput, Output};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The arguments of `parallax completions`.
#[derive(clap::Args)]
pub struct CompletionsArguments {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArguments {
    /// Prints the completion script.
    pub fn print(&self) -> anyhow::Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut cli::command(), "parallax", &mut script);
        Output.write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The arguments of `parallax man`.
#[derive(clap::Args)]
pub struct ManArguments {
    /// Write one page per subcommand into this folder [default: the main page to standard output]
    #[arg(long)]
    out: Option<PathBuf>,
}

impl ManArguments {
    /// Prints the page of the command, or writes all pages.
    pub fn write(&self) -> anyhow::Result<ExitCode> {
        let mut command = cli::command();
        command.build();
        let Some(folder) = &self.out else {
            print(&page(command)?)?;
            return Ok(ExitCode::SUCCESS);
        };
        std::fs::create_dir_all(folder).map_err(|error| {
            BadInput(format!("cannot make the folder {}: {error}; name another with --out", folder.display()))
        })?;
        let pages = pages(folder, command)?;
        say!("{pages} pages in {}; man {}/parallax.1\n", folder.display(), folder.display())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the page of a command and of everything below it, and returns the number of pages.
fn pages(folder: &Path, command: clap::Command) -> anyhow::Result<usize> {
    let below: Vec<clap::Command> = command.get_subcommands().filter(|one| is_told(one)).cloned().collect();
    // A built command knows its full name: parallax-goal-run.
    let path = folder.join(format!("{}.1", command.get_display_name().unwrap_or(command.get_name())));
    let text = page(command)?;
    write_whole(&path, |file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))?;
    below.into_iter().try_fold(1, |count, one| Ok(count + pages(folder, one)?))
}

/// Whether a command has a page of its own: it is neither hidden nor clap's own.
fn is_told(command: &clap::Command) -> bool {
    !command.is_hide_set() && command.get_name() != "help"
}

fn page(command: clap::Command) -> anyhow::Result<String> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    Ok(String::from_utf8(text)?)
}
