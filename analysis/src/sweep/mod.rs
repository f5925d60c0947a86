//! Sweeps: every combination of a file's values, one row per point, in the order of points.

mod crew;
mod pipes;
mod work;

use campaign::progress::Points;
use campaign::{interrupted, notice_interrupts};
use crew::Crew;
use models::engine::Engine;
use reports::sweep::{Form, Header, Kept, Row, SweepFile, numbers as expected, table, told};
use scenario::BadInput;
use scenario::expect::{Number, judge};
use scenario::sweep::Sweep;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use work::{Disk, Work};

/// Of larger sweeps expectations are held against the first points.
const MOST_JUDGED: u64 = 1_000_000;
/// Larger sweeps are no table for people.
const MOST_ROWS: u64 = 200;

/// A sweep that is simulated, and where its rows go.
pub struct Sweeping {
    /// The sweep's file.
    pub file: PathBuf,
    /// The file of its rows; none: standard output.
    pub out: Option<PathBuf>,
    /// Go on with that, if there is one.
    pub resume: bool,
    /// Simulate the small form.
    pub small: bool,
    /// Which engine.
    pub engine: Engine,
    /// On standard output, the rows that a file would hold in place of a table.
    pub json: bool,
    /// Say nothing while running.
    pub quiet: bool,
    /// Simulate ranges of points that come on standard input.
    pub serve: bool,
    /// Write rows that come on standard input.
    pub gather: bool,
}

impl Sweeping {
    /// Simulates all points that are still to be done; rows and tables go to their file or standard output as they come.
    ///
    /// # Errors
    /// What is wrong with the sweep; a file that cannot be written; an interrupt.
    pub fn carry_out(&self) -> anyhow::Result<ExitCode> {
        let work = Arc::new(self.work()?);
        let form = self.out.as_deref().map_or(Ok(Form::JsonLines), Form::of);
        let form = form.map_err(|message| BadInput(format!("--out: {message}")))?;
        notice_interrupts()?;
        match &self.out {
            _ if self.serve => pipes::serve(&work, form).map(|()| ExitCode::SUCCESS),
            Some(path) => self.to_file(&work, path, form),
            None if self.json => self.to_stdout(&work, form),
            None => self.to_table(&work),
        }
    }

    fn work(&self) -> Result<Work, BadInput> {
        let file = self.file.display().to_string();
        let text = scenario::files::read_description(&self.file).map_err(|error| {
            BadInput(format!("{file}: {error}; expected a sweep, like scenarios/sweep-barriers.toml"))
        })?;
        let disk = Disk::default();
        let sweep =
            disk.lend(|files| Sweep::parse(&file, &text, files)).map_err(|error| BadInput(error.to_string()))?;
        let sweep =
            if self.small { sweep.small().map_err(|message| BadInput(format!("{file}: {message}")))? } else { sweep };
        Ok(Work::new(sweep, self.engine, disk))
    }

    fn header(&self, work: &Work) -> Header {
        let Sweep { question, text, .. } = &work.sweep;
        Header {
            question: question.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine: self.engine.name().to_owned(),
            points: work.sweep.points(),
            text: text.clone(),
        }
    }

    fn to_file(&self, work: &Arc<Work>, path: &Path, form: Form) -> anyhow::Result<ExitCode> {
        let header = self.header(work);
        let (mut file, kept) = if self.resume {
            SweepFile::resume(path, form, &header, |index| form.key(&work.sweep.point(index)))
        } else {
            SweepFile::create(path, form, &header).map(|file| (file, Kept::default()))
        }
        .map_err(|error| BadInput(error.to_string()))?;
        let mut count = Count { rows: kept.rows, failed: kept.failed };
        let mut progress = Points::new(header.points, kept.rows, self.quiet);
        let range = kept.rows..header.points;
        let mut numbers = Vec::new();
        let mut put = |count: &mut Count, line: &str| {
            count.add(form.failed(line));
            Ok(file.append(line)?)
        };
        let went_through = if self.gather {
            pipes::gather(range, |index, line| {
                anyhow::ensure!(
                    line.starts_with(&form.key(&work.sweep.point(index))),
                    "expected the row of point {index}"
                );
                put(&mut count, line)?;
                progress.step();
                progress.tick();
                Ok(())
            })
        } else {
            lines(work, form, range, (&mut progress, &mut numbers), |line| put(&mut count, line))
        };
        progress.finish();
        let ended = self.close(&count, went_through?, header.points, path)?;
        // Rows that were there before are not looked at again.
        if kept.rows == 0 && !self.gather && !self.quiet {
            print!("{}", told(&judge(&work.sweep.told.expects, &numbers)));
        }
        Ok(ended)
    }

    /// What a file would hold.
    fn to_stdout(&self, work: &Arc<Work>, form: Form) -> anyhow::Result<ExitCode> {
        let header = self.header(work);
        let mut out = std::io::stdout().lock();
        out.write_all(header.lines(form).as_bytes())?;
        let (mut count, mut progress) = (Count::default(), Points::new(header.points, 0, self.quiet));
        let went_through = lines(work, form, 0..header.points, (&mut progress, &mut Vec::new()), |line| {
            count.add(form.failed(line));
            out.write_all(line.as_bytes())?;
            Ok(out.flush()?)
        });
        progress.finish();
        self.close(&count, went_through?, header.points, Path::new("standard output"))
    }

    fn to_table(&self, work: &Arc<Work>) -> anyhow::Result<ExitCode> {
        let points = work.sweep.points();
        if points > MOST_ROWS {
            let message =
                format!("{points} points are no table: expected --out FILE.jsonl, --out FILE.csv or --format json");
            return Err(BadInput(message).into());
        }
        let progress = std::cell::RefCell::new(Points::new(points, 0, self.quiet));
        let (mut rows, mut count) = (Vec::new(), Count::default());
        let take = |index, found: crew::Result| {
            progress.borrow_mut().step();
            count.add(found.is_err());
            rows.push(Row { point: work.sweep.point(index), found });
            Ok(())
        };
        let went_through = Crew::new(work.clone())?.carry_out(0..points, take, || progress.borrow_mut().tick());
        progress.borrow().finish();
        let went_through = went_through?;
        print!("{}", table(&work.sweep, &rows));
        let numbers: Vec<Number> = rows.iter().flat_map(expected).collect();
        print!("{}", told(&judge(&work.sweep.told.expects, &numbers)));
        self.close(&count, went_through, points, Path::new("the table"))
    }

    /// Says how it ended.
    fn close(&self, count: &Count, went_through: bool, points: u64, place: &Path) -> anyhow::Result<ExitCode> {
        let Count { rows, failed } = count;
        let place = place.display();
        if !went_through {
            let why = if interrupted() { "interrupted" } else { "the rows ended too soon" };
            let cure = self.out.as_ref().map_or("", |_| "; --resume goes on");
            anyhow::bail!("{why}: {rows} of {points} points are in {place}{cure}");
        }
        if *failed > 0 {
            note!("parallax: {failed} of {points} points failed: in {place} 'error' says why");
            return Ok(ExitCode::FAILURE);
        }
        if !self.quiet && self.out.is_some() {
            note!("sweep: {points} points are in {place}");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Rows that are there, and those of them that tell of an error.
#[derive(Default)]
struct Count {
    rows: u64,
    failed: u64,
}

impl Count {
    fn add(&mut self, failed: bool) {
        self.rows += 1;
        self.failed += u64::from(failed);
    }
}

/// Simulates a range; every row goes to `put` as a line.
fn lines(
    work: &Arc<Work>,
    form: Form,
    range: Range<u64>,
    (progress, numbers): (&mut Points, &mut Vec<Number>),
    mut put: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    let progress = std::cell::RefCell::new(progress);
    let take = |index, found| {
        let row = Row { point: work.sweep.point(index), found };
        put(&form.line(&row))?;
        if index < MOST_JUDGED && !work.sweep.told.expects.is_empty() {
            numbers.extend(expected(&row));
        }
        progress.borrow_mut().step();
        Ok(())
    };
    Crew::new(work.clone())?.carry_out(range, take, || progress.borrow_mut().tick())
}
