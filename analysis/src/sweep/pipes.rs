//! A sweep that is spread over MPI ranks: `parallax-mpi sweep` talks to these processes by lines on their pipes.
//!
//! `--serve` (one for each rank) reads ranges, `FIRST END`, and answers each with the rows of its points. `--gather`
//! (one, beside rank 0) prints the points that are still to be done, `FIRST END`, and reads their rows, in order.

use super::crew::Crew;
use super::work::Work;
use anyhow::Context;
use reports::sweep::{Form, SweepRow};
use std::io::{BufRead, Write};
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

/// Answers ranges with rows until no range follows.
pub(super) fn serve(work: &Arc<Work>, form: Form) -> anyhow::Result<()> {
    let crew = Crew::new(work.clone())?;
    let mut out = std::io::stdout().lock();
    for range in ranges() {
        let range = range.filter(|range| range.start <= range.end && range.end <= work.sweep.points());
        let range = range.context("--serve: expected lines FIRST END on standard input, with points of this sweep")?;
        let went_through = crew.simulate_range(
            range,
            |index, found| {
                let line = form.line(&SweepRow { point: work.sweep.point(index), found });
                Ok(out.write_all(line.as_bytes())?)
            },
            || {},
        )?;
        anyhow::ensure!(went_through, "interrupted");
        out.flush()?;
    }
    Ok(())
}

/// Returns the ranges on standard input; `None` for a malformed line. The end of standard input ends the process,
/// whatever it is doing, since its caller has gone.
fn ranges() -> Receiver<Option<Range<u64>>> {
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            let ends: Option<Vec<u64>> = line.split(' ').map(|end| end.parse().ok()).collect();
            let range = ends.and_then(|ends| <[u64; 2]>::try_from(ends).ok()).map(|[first, end]| first..end);
            if tell.send(range).is_err() {
                return;
            }
        }
        std::process::exit(0);
    });
    told
}

/// Reads rows from standard input, in order; half a last line is dropped. Returns false if the input ends too soon.
pub(super) fn gather(range: Range<u64>, mut take: impl FnMut(u64, &str) -> anyhow::Result<()>) -> anyhow::Result<bool> {
    println!("{} {}", range.start, range.end);
    let (mut rows, mut line) = (std::io::stdin().lock(), String::new());
    for index in range {
        line.clear();
        rows.read_line(&mut line)?;
        if !line.ends_with('\n') {
            return Ok(false);
        }
        take(index, &line)?;
    }
    Ok(true)
}
