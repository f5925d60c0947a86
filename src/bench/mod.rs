//! `parallax bench`: what the simulator costs. Each case is this program itself, run as a child: its user
//! time and its peak memory are the operating system's figures, starting up and reading included.

mod cases;
mod child;

use anyhow::Context;
use cases::{CASES, Case};
use child::{Cost, cost};
use scenario::files::write_whole;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What `parallax bench` is told.
#[derive(clap::Args)]
pub struct BenchArguments {
    /// Only cases whose name contains this
    pub only: Option<String>,
    /// Runs of each case; the one with the least user time counts
    #[arg(long, default_value = "5", value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// Also the cases that need 20 GB of memory and minutes
    #[arg(long)]
    large: bool,
    /// Append the table to this file, with date and machine
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

impl BenchArguments {
    /// Runs the cases and prints the table.
    pub fn bench(&self) -> anyhow::Result<ExitCode> {
        let folder = tempfile::tempdir().context("no temporary folder for schedules")?;
        let wanted = |case: &&Case| {
            (self.large || !case.large) && self.only.as_ref().is_none_or(|only| case.name.contains(only.as_str()))
        };
        let mut table = heading();
        print!("{table}");
        for case in CASES.iter().filter(wanted) {
            let row = self.row(case, folder.path()).with_context(|| format!("case '{}'", case.name))?;
            print!("{row}");
            table.push_str(&row);
        }
        if let Some(file) = &self.save {
            save(file, &table)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn row(&self, case: &Case, folder: &Path) -> anyhow::Result<String> {
        let arguments = case.arguments(folder)?;
        let runs = if case.large { 1 } else { self.runs };
        let costs = (0..runs).map(|_| cost(&arguments)).collect::<anyhow::Result<Vec<Cost>>>()?;
        let best = costs.iter().min_by(|a, b| a.user_s.total_cmp(&b.user_s)).context("at least one run")?;
        let rate = match best.messages {
            Some(messages) => format!("{:.3} M", messages as f64 / best.user_s.max(1e-4) / 1e6),
            None => "–".to_owned(),
        };
        let per = case.per.map_or(String::new(), |(count, what)| {
            format!(" = {:.4} ms per {what}", best.user_s * 1e3 / f64::from(count))
        });
        let (name, target, peers) = (case.name, case.target, case.peers);
        let (user, wall, peak) = (best.user_s, best.wall_s, best.peak_mib);
        let engine = best.engine.as_deref().unwrap_or("–");
        Ok(format!("| {name} | {user:.4}{per} | {wall:.4} | {rate} | {peak:.1} | {engine} | {target} | {peers} |\n"))
    }
}

fn heading() -> String {
    let mut text =
        String::from("| case | user s | wall s | messages/s | peak MiB | engine | to reach | peers, as measured |\n");
    text.push_str("|---|---|---|---|---|---|---|---|\n");
    text
}

/// A dated section at the end of the file.
fn save(file: &Path, table: &str) -> anyhow::Result<()> {
    let old = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
    };
    let mut text = old;
    let (now, machine) = (campaign::environment::utc_now(), campaign::environment::processor());
    let _ = write!(text, "\n## {now}, {machine}, version {}\n\n{table}", env!("CARGO_PKG_VERSION"));
    write_whole(file, |file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", file.display()))
}
