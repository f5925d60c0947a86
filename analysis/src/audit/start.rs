//! Starts a benchmark with the library that takes references loaded before it.

use super::plan::{Benchmarks, Launch};
use anyhow::Context;
use campaign::audit::{find, interface};
use campaign::launch::{Launcher, Library, Places, Site, run_holding};
use measure::audit::{AuditSettings, words};
use measure::board::Board;
use programs::audit::AuditLine;
use programs::audit::AuditedLaunch;
use scenario::BadInput;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Number of characters that are kept from the end of a failed benchmark's output.
const LAST_WORDS: usize = 2_000;

/// Returns the programs of a plan that are installed here.
fn found(plan: &Benchmarks) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for &world in &plan.worlds {
        for tool in &plan.audited {
            for program in tool.programs(&plan.operations) {
                all.extend(world.library().and_then(|library| find(program.name, library, &plan.places)));
            }
        }
    }
    all
}

/// Returns the `parallax measure` command that times the same calls by the benchmarks' method, or `None` if any of the
/// benchmarks is installed.
///
/// # Errors
/// Fails if places were named and no benchmark is there.
pub fn emulation(plan: &Benchmarks) -> Result<Option<Vec<String>>, BadInput> {
    if !found(plan).is_empty() {
        return Ok(None);
    }
    let listed = |all: Vec<String>| all.join(",");
    let names: Vec<&str> =
        plan.audited.iter().flat_map(|tool| tool.programs(&plan.operations)).map(|program| program.name).collect();
    let names = names.join(", ");
    if !plan.places.is_empty() {
        let places: Vec<String> = plan.places.iter().map(|place| place.display().to_string()).collect();
        let of = plan.worlds.iter().map(|world| world.title()).collect::<Vec<_>>().join(" or ");
        let expected = format!("expected programs, or folders of programs, that are linked with {of}");
        return Err(BadInput(format!("--tool {}: none of {names} is there; {expected}", places.join(","))));
    }
    note!(
        "None of {names} is on PATH or in --tool: parallax measure makes the same calls by their method, a barrier before \
         each. The benchmarks' own numbers may differ. (IMB comes with PyPI's impi-devel, OSU's benchmarks as sources.)"
    );
    let arguments = [
        "parallax".to_owned(),
        "measure".to_owned(),
        listed(plan.operations.iter().map(ToString::to_string).collect()),
        "--method".to_owned(),
        "window,barrier-loop".to_owned(),
        "--bytes".to_owned(),
        listed(plan.bytes.iter().map(u64::to_string).collect()),
        "--ranks".to_owned(),
        listed(plan.ranks.iter().map(u32::to_string).collect()),
        "--world".to_owned(),
        listed(plan.worlds.iter().map(|&world| world.name().to_owned()).collect()),
        "--reference".to_owned(),
        plan.reference.name().to_owned(),
    ];
    let launches = match &plan.auto {
        None => format!("--launches={}", plan.launches),
        Some(auto) => {
            format!("--launches=auto --launches-at-most={} --within={}", plan.launches, auto.half_width)
        }
    };
    Ok(Some(arguments.into_iter().chain(launches.split(' ').map(str::to_owned)).collect()))
}

/// Runs a benchmark once. The inner error is the reason why this benchmark cannot be audited here; others still can.
pub(super) fn run_benchmark(
    plan: &Benchmarks,
    launch: &Launch,
    site: &Site,
    folder: &Path,
    timeout: Duration,
) -> anyhow::Result<Result<AuditedLaunch, String>> {
    let (program, library) = match ready(plan, launch) {
        Ok(ready) => ready,
        Err(why) => return Ok(Err(why)),
    };
    let launcher = match site.find(launch.key.world.release().unwrap_or(library.any())) {
        Ok(launcher) => launcher,
        Err(absent) => return Ok(Err(absent.to_string())),
    };
    let Some(interface) = interface(&program) else {
        return Ok(Err(format!("{} is not linked with an MPI library", program.display())));
    };
    let shim = match Places::here().shim(interface) {
        Ok(shim) => shim,
        Err(absent) => return Ok(Err(absent.to_string())),
    };
    let held = campaign::serve::take(folder)?;
    let job = folder.join("launch");
    std::fs::create_dir_all(&job).with_context(|| format!("cannot make the folder {}", job.display()))?;
    let job = job.canonicalize()?;
    let ended = run(plan, launch, &program, (&launcher, &shim), site, (&job, &held), timeout);
    std::fs::remove_dir_all(&job).with_context(|| format!("cannot remove {}", job.display()))?;
    ended
}

/// Finds the program and its MPI library; the error is the reason why it cannot be run.
fn ready(plan: &Benchmarks, launch: &Launch) -> Result<(PathBuf, Library), String> {
    let (world, name) = (launch.key.world, &launch.key.program);
    let library = world.library().ok_or_else(|| format!("{} have no MPI library", world.title()))?;
    let program = find(name, library, &plan.places);
    let program = program
        .ok_or_else(|| format!("no {name} that is linked with {} was found on PATH or under --tool", library.title))?;
    Ok((program, library))
}

fn run(
    plan: &Benchmarks,
    launch: &Launch,
    program: &Path,
    (launcher, shim): (&Launcher, &Path),
    site: &Site,
    (job, held): (&Path, &File),
    timeout: Duration,
) -> anyhow::Result<Result<AuditedLaunch, String>> {
    let file = |name: &str| job.join(name);
    let put = |name: &str, bytes: &[u8]| {
        std::fs::write(file(name), bytes).with_context(|| format!("cannot write {}", file(name).display()))
    };
    let lengths: String = plan.bytes.iter().map(|bytes| format!("{bytes}\n")).collect();
    put("lengths", lengths.as_bytes())?;
    put("rows.jsonl", b"")?;
    let settings = AuditSettings::new(file("rows.jsonl"), file("board"), site.cores);
    settings.write(&file("settings.json")).context("cannot write the settings")?;
    let board = Board::create(&file("board"), launch.key.ranks).context("cannot make the status board")?;
    let ends = (plan.bytes.first().copied().unwrap_or(1), plan.bytes.last().copied().unwrap_or(1));
    let mut own = launch.tool.arguments(&launch.program, ends, launch.key.ranks, &file("lengths"));
    own.extend(launch.way.flags.iter().map(|flag| (*flag).to_owned()));
    let mut words = words(shim, &file("settings.json")).into_iter();
    let watched = words.next().map_or_else(|| program.to_owned(), PathBuf::from);
    let mut arguments: Vec<OsString> = words.collect();
    arguments.push(program.into());
    arguments.extend(own.iter().map(OsString::from));
    let through_env = Launcher { binary: watched, ..launcher.clone() };
    let finished = run_holding(through_env.command(launch.key.ranks, site, &arguments), timeout, Some(held))
        .with_context(|| format!("cannot start {}", launcher.launcher.display()))?;
    drop(board);
    if !finished.success() {
        let how = finished.status.map_or("took too long".to_owned(), |status| status.to_string());
        let said = if finished.stderr.trim().is_empty() { &finished.stdout } else { &finished.stderr };
        let last: String = said.trim().chars().rev().take(LAST_WORDS).collect();
        return Ok(Err(format!("{how}: {}", last.chars().rev().collect::<String>())));
    }
    let text = std::fs::read_to_string(file("rows.jsonl"))?;
    let lines: Vec<AuditLine> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    if !lines.iter().any(|line| matches!(line, AuditLine::Finished { .. })) {
        let why = "its calls were not observed: it must be linked dynamically with this MPI library, and must call \
                   MPI_Finalize";
        return Ok(Err(why.to_owned()));
    }
    let rows = lines.into_iter().filter_map(|line| match line {
        AuditLine::Row(row) => Some(*row),
        AuditLine::Finished { .. } => None,
    });
    let own: Vec<OsString> = own.iter().map(OsString::from).collect();
    let bare = Launcher { binary: program.to_owned(), ..launcher.clone() };
    Ok(Ok(AuditedLaunch {
        key: launch.key.clone(),
        command: bare.line(launch.key.ranks, site, &own),
        rows: rows.collect(),
        text: finished.stdout,
    }))
}
