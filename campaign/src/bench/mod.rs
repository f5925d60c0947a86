//! Cost of the simulator: the cases of `parallax bench`. Each is this program itself, run as a child. Its user time and
//! its peak memory are the operating system's figures and include start-up and reading.

mod cases;
mod child;

use anyhow::Context;
pub use cases::{CASES, Case};
use child::{Cost, cost};
use scenario::files::write_whole;
use std::fmt::Write as _;
use std::path::Path;

/// Runs a case `runs` times (a large one once) and returns its row, with the figures of the run with the least user
/// time. Schedules that it reads are exported into `folder` first.
///
/// # Errors
/// Fails if a run fails.
pub fn row(case: &Case, folder: &Path, runs: u32) -> anyhow::Result<String> {
    let arguments = case.arguments(folder)?;
    let runs = if case.large { 1 } else { runs };
    let costs = (0..runs).map(|_| cost(&arguments)).collect::<anyhow::Result<Vec<Cost>>>()?;
    let best = costs.iter().min_by(|a, b| a.user_s.total_cmp(&b.user_s)).context("at least one run")?;
    let rate = match best.messages {
        Some(messages) => format!("{:.3} M", messages as f64 / best.user_s.max(1e-4) / 1e6),
        None => "–".to_owned(),
    };
    let per = case
        .per
        .map_or(String::new(), |(count, what)| format!(" = {:.4} ms per {what}", best.user_s * 1e3 / f64::from(count)));
    let (name, target, peers) = (case.name, case.target, case.peers);
    let (user, wall, peak) = (best.user_s, best.wall_s, best.peak_mib);
    let engine = best.engine.as_deref().unwrap_or("–");
    Ok(format!("| {name} | {user:.4}{per} | {wall:.4} | {rate} | {peak:.1} | {engine} | {target} | {peers} |\n"))
}

/// Returns the head of the table.
pub fn heading() -> String {
    let mut text =
        String::from("| case | user s | wall s | messages/s | peak MiB | engine | to reach | peers, as measured |\n");
    text.push_str("|---|---|---|---|---|---|---|---|\n");
    text
}

/// Appends a table to a file, as a dated section.
///
/// # Errors
/// Fails if the file cannot be read or written.
pub fn save(file: &Path, table: &str) -> anyhow::Result<()> {
    let old = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
    };
    let mut text = old;
    let (now, machine) = (crate::environment::utc_now(), crate::environment::processor());
    let _ = write!(text, "\n## {now}, {machine}, version {}\n\n{table}", env!("CARGO_PKG_VERSION"));
    write_whole(file, |file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", file.display()))
}
