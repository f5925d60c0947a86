//! The processes of `parallax` beside the ranks: simulators, and one writer. They use no MPI.

use anyhow::{Context, bail};
use measure::board::host_name;
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

/// Process of `parallax sweep` that is talked to over pipes.
pub struct Talk {
    name: &'static str,
    rank: u32,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Talk {
    /// Starts `parallax` with these arguments, on `threads` threads. `name` is for messages.
    pub fn start(
        name: &'static str,
        rank: u32,
        program: &Path,
        arguments: impl IntoIterator<Item = std::ffi::OsString>,
        threads: usize,
    ) -> anyhow::Result<Talk> {
        let mut command = Command::new(program);
        command.arg("sweep").args(arguments).env("RAYON_NUM_THREADS", threads.to_string());
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.with_context(|| {
            let program = program.display();
            format!(
                "{program} cannot be started on {}; build it (scripts/build), or name it by --parallax",
                host_name()
            )
        })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("{name} has no pipes");
        };
        Ok(Talk { name, rank, child, input: Some(input), output: BufReader::new(output) })
    }

    /// Returns the next line, `None` once the process has closed its output.
    pub fn line(&mut self) -> anyhow::Result<Option<String>> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line.ends_with('\n').then_some(line))
    }

    /// Writes bytes to the process's input.
    pub fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = match &mut self.input {
            Some(input) => input.write_all(bytes).and_then(|()| input.flush()),
            None => Err(std::io::ErrorKind::BrokenPipe.into()),
        };
        if written.is_err() {
            bail!(self.death("while it was written to"));
        }
        Ok(())
    }

    /// Has a range of points simulated, and returns their rows.
    pub fn simulate(&mut self, points: &Range<u64>) -> anyhow::Result<Vec<u8>> {
        self.write(format!("{} {}\n", points.start, points.end).as_bytes())?;
        let mut rows = Vec::new();
        for point in points.clone() {
            let before = rows.len();
            self.output.read_until(b'\n', &mut rows)?;
            if rows.len() == before || rows.last() != Some(&b'\n') {
                bail!(self.death(&format!("at point {point}")));
            }
        }
        Ok(rows)
    }

    /// Closes the pipe and waits for the end.
    pub fn end(mut self) -> anyhow::Result<ExitStatus> {
        self.input = None;
        Ok(self.child.wait()?)
    }

    /// Ends the process and returns the sentence that says who died, where, and how.
    fn death(&mut self, at: &str) -> String {
        self.input = None;
        let (name, rank, process, host) = (self.name, self.rank, self.child.id(), host_name());
        let ended = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        format!(
            "{name} of rank {rank} (process {process} on {host}) died {at}: {ended}; --resume keeps all rows before"
        )
    }
}
