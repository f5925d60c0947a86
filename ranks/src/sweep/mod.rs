//! The command `parallax-mpi sweep`: the points of a sweep, spread over ranks.
//!
//! Beside every rank runs a `parallax sweep --serve` that simulates. Beside rank 0 also runs a `parallax sweep
//! --gather`, which writes the rows and knows which are there already. Rank 0 deals out ranges of points, and puts rows
//! in order.

mod child;

use anyhow::{Context, bail};
use child::Talk;
use measure::dealing::{Deal, Dealer};
use measure::waiting::sleep;
use models::time::Span;
use parallax_ranks::world::World;
use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

/// The arguments of `parallax-mpi sweep`.
#[derive(clap::Args)]
pub struct SweepArguments {
    /// The sweep
    file: PathBuf,
    /// Output file for the rows: a name that ends in .jsonl or .csv
    #[arg(long)]
    out: PathBuf,
    /// Resume from the file of --out, if it exists
    #[arg(long)]
    resume: bool,
    /// Simulation engine: auto, event or fast
    #[arg(long, default_value = "auto")]
    engine: String,
    /// Print nothing while running
    #[arg(long, short)]
    quiet: bool,
    /// The program `parallax` [default: beside this one]
    #[arg(long, value_name = "PATH")]
    parallax: Option<PathBuf>,
}

/// Rows of a range of points.
type Rows = (Range<u64>, Vec<u8>);

/// Interval of looks of rank 0 at its messages.
const NAP: Span = Span::from_us(200);
/// Answer that ends a rank.
const NOTHING: [u64; 2] = [0, 0];

/// Carries out this rank's part. Returns the exit code.
pub fn sweep(arguments: &SweepArguments, world: &World) -> anyhow::Result<i32> {
    let threads = threads(world.ranks_on_node() as usize);
    let program = match &arguments.parallax {
        Some(program) => program.clone(),
        None => std::env::current_exe()?.with_file_name("parallax"),
    };
    let start = |name, kind: &str| Talk::start(name, world.rank(), &program, arguments.pass_on(kind), threads);
    if world.rank() > 0 {
        return follow(world, || start("the simulator", "--serve")).map(|()| 0);
    }
    let mut writer = start("the writer", "--gather")?;
    let Some(line) = writer.line()? else {
        // The writer has printed the reason.
        let status = writer.end()?;
        dismiss(world, world.size() - 1);
        return Ok(status.code().unwrap_or(1));
    };
    let simulator = start("the simulator", "--serve")?;
    let points = range(&line).with_context(|| format!("expected FIRST END of the writer, found '{line}'"))?;
    lead(world, points, &mut writer, simulator)?;
    Ok(writer.end()?.code().unwrap_or(1))
}

impl SweepArguments {
    fn pass_on(&self, kind: &str) -> Vec<OsString> {
        let mut all: Vec<OsString> = vec![self.file.clone().into(), kind.into()];
        all.extend(["--out".into(), self.out.clone().into(), "--engine".into(), self.engine.clone().into()]);
        let writes = kind == "--gather";
        all.extend((writes && self.resume).then(|| "--resume".into()));
        all.extend((self.quiet || !writes).then(|| "--quiet".into()));
        all
    }
}

/// Part of any other rank: it simulates what rank 0 deals it. Errors of the sweep are reported by its writer, once for
/// all.
fn follow(world: &World, start: impl Fn() -> anyhow::Result<Talk>) -> anyhow::Result<()> {
    let mut simulator = None;
    let mut done = message(&(0..0), &[]);
    loop {
        let points = match world.request(&done) {
            NOTHING => return Ok(()),
            [first, end] => first..end,
        };
        let simulator = match &mut simulator {
            Some(simulator) => simulator,
            none => none.insert(start()?),
        };
        done = message(&points, &simulator.simulate(&points)?);
    }
}

/// Part of rank 0: it deals points to the others and to its own simulator until all rows are written.
fn lead(world: &World, points: Range<u64>, writer: &mut Talk, simulator: Talk) -> anyhow::Result<()> {
    let mut dealer = Dealer::new(points, world.size());
    let (own_work, own_rows) = beside(simulator);
    let (mut waiting, mut dismissed) = (Vec::new(), 0);
    // The own simulator counts as a rank that has asked.
    let mut asking = vec![0];
    while !dealer.finished() || dismissed < world.size() - 1 {
        let mut done = None;
        match own_rows.try_recv() {
            Ok(Ok((points, rows))) => {
                done = Some((points, rows));
                asking.push(0);
            }
            Ok(Err(error)) => return Err(error),
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => bail!("rank 0 has lost its simulator"),
        }
        put(&mut dealer, writer, done)?;
        if let Some((rank, text)) = world.requested() {
            put(&mut dealer, writer, read_message(text))?;
            asking.push(rank);
        }
        if asking.is_empty() && waiting.is_empty() {
            sleep(NAP);
        }
        let was_waiting = !waiting.is_empty();
        asking.append(&mut waiting);
        for rank in asking.drain(..) {
            match dealer.deal() {
                Deal::Points(points) if rank == 0 => own_work.send(points)?,
                Deal::Points(points) => world.send_answer(rank, [points.start, points.end]),
                Deal::Later => waiting.push(rank),
                Deal::Nothing if rank == 0 => {}
                Deal::Nothing => {
                    world.send_answer(rank, NOTHING);
                    dismissed += 1;
                }
            }
        }
        if was_waiting && !waiting.is_empty() {
            sleep(NAP);
        }
    }
    Ok(())
}

/// Starts a thread for the simulator, so that this thread, the only one that calls MPI, can look after the others.
fn beside(mut simulator: Talk) -> (Sender<Range<u64>>, Receiver<anyhow::Result<Rows>>) {
    let (own_work, work) = channel::<Range<u64>>();
    let (tell, own_rows) = channel();
    std::thread::spawn(move || {
        for points in work {
            let rows = simulator.simulate(&points).map(|rows| (points, rows));
            if tell.send(rows).is_err() {
                break;
            }
        }
    });
    (own_work, own_rows)
}

fn put(dealer: &mut Dealer, writer: &mut Talk, done: Option<Rows>) -> anyhow::Result<()> {
    let Some((points, rows)) = done.filter(|(points, _)| !points.is_empty()) else { return Ok(()) };
    let ordered = dealer.take(points, rows);
    if ordered.is_empty() { Ok(()) } else { writer.write(&ordered) }
}

/// Answers `ranks` ranks that there is nothing to do.
fn dismiss(world: &World, ranks: u32) {
    let mut left = ranks;
    while left > 0 {
        match world.requested() {
            Some((rank, _)) => {
                world.send_answer(rank, NOTHING);
                left -= 1;
            }
            None => sleep(NAP),
        }
    }
}

/// Message of a rank about its work: the points, and their rows.
fn message(points: &Range<u64>, rows: &[u8]) -> Vec<u8> {
    [points.start.to_le_bytes().as_slice(), &points.end.to_le_bytes(), rows].concat()
}

fn read_message(mut text: Vec<u8>) -> Option<Rows> {
    let rows = text.split_off(text.len().min(16));
    let (first, end) = text.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*first)..u64::from_le_bytes(end.try_into().ok()?), rows))
}

/// Parses a line `FIRST END`.
fn range(line: &str) -> Option<Range<u64>> {
    let (first, end) = line.trim().split_once(' ')?;
    Some(first.parse().ok()?..end.parse().ok()?)
}

/// Returns the threads of a simulator: the cores that the launcher bound its rank to, or this rank's share of the
/// node's.
fn threads(ranks_here: usize) -> usize {
    let allowed = std::thread::available_parallelism().map_or(1, usize::from);
    // SAFETY: reads a number; cannot fail.
    let all = usize::try_from(unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }).unwrap_or(allowed);
    if allowed * ranks_here <= all { allowed } else { (allowed / ranks_here).max(1) }
}
