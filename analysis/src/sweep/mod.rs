//! Sweeps: every combination of values, of a file or of flags. Their results are one row per point, in the order of
//! points, or a picture of all points together.

mod asked;
mod crew;
mod crossing;
mod drawing;
pub(crate) mod folder;
mod memory;
mod pipes;
mod segments;
mod work;

pub use asked::SweepRequest;
pub use drawing::{ACROSS, Show};
pub use folder::SweepFolder;
pub use segments::most_messages;

use crate::files::write_drawn;
use campaign::progress::{PointWords, Points};
use campaign::{interrupted, notice_interrupts};
use crew::Crew;
use models::engine::Engine;
use render::plots::Paper;
use render::results::{Format, Look, printed};
use reports::sweep::{
    Form, Header, RowCounts, SweepFile, SweepRow, describe_judgements, numbers as expected, page, table,
};
use scenario::expect::judge;
use scenario::sweep::Sweep;
use scenario::{BadInput, Output, words};
use std::cell::RefCell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use work::{Disk, Work};

/// Words of the progress of a sweep.
const COUNTED: PointWords = PointWords { doing: "sweep", what: "points" };
/// Number of first points against which expectations are held in larger sweeps.
const MOST_JUDGED: u64 = 1_000_000;
/// Largest number of points in a table for readers.
const MOST_ROWS: u64 = 200;

/// Source of the values that are swept.
pub enum Source {
    /// Path of a sweep's file.
    File(PathBuf),
    /// Values of the command's flags.
    Asked(Box<SweepRequest>),
}

/// A sweep that is simulated, and the destination of its rows.
pub struct Sweeping {
    /// Source of the values that are swept.
    pub source: Source,
    /// Form in which the sweep is shown.
    pub show: Show,
    /// File of the rows or of the picture; `None` for standard output.
    pub out: Option<PathBuf>,
    /// Layout of the pictures.
    pub paper: Paper,
    /// Whether an existing file of rows is completed.
    pub resume: bool,
    /// Whether the small form of the sweep is simulated.
    pub small: bool,
    /// Engine that simulates the points.
    pub engine: Engine,
    /// Form of standard output: rows for programs are printed as they come, a line each.
    pub format: Format,
    /// Look of the output on a terminal.
    pub look: Look,
    /// Whether progress is kept silent.
    pub quiet: bool,
    /// Whether the work is only announced and nothing is done.
    pub dry_run: bool,
    /// Whether ranges of points are read from standard input and simulated.
    pub serve: bool,
    /// Whether rows are read from standard input and written.
    pub gather: bool,
}

impl Sweeping {
    /// Simulates all points that are still to be done; rows and tables go to their file or standard output as they
    /// come.
    ///
    /// # Errors
    /// Fails on a faulty sweep, on a file that cannot be written, and on an interrupt.
    pub fn run_sweep(&self) -> anyhow::Result<ExitCode> {
        let drawn = self.show != Show::Rows;
        if let Some(file) = self.out.as_ref().filter(|_| drawn) {
            render::drawn::drawn_as(file).map_err(BadInput)?;
        }
        let work = Arc::new(self.work()?);
        // Exits and sensitivities are checked later.
        let is_checked = matches!(self.show, Show::Rows | Show::Curves { .. });
        let quiet = self.quiet || self.serve || self.gather || self.resume || !is_checked;
        if work.expected().print_or_announce(quiet, self.dry_run)? {
            return Ok(ExitCode::SUCCESS);
        }
        if drawn {
            return self.draw_points(&work);
        }
        let printed = if self.format == Format::Csv { Form::Csv } else { Form::JsonLines };
        let form = self.out.as_deref().map_or(Ok(printed), Form::from_path);
        let is_drawn = self.out.as_deref().is_some_and(|file| render::drawn::drawn_as(file).is_ok());
        let cure = if is_drawn {
            "; pictures and pages show curves: add --over ranks, --over bytes or another axis"
        } else {
            ""
        };
        let form = form.map_err(|message| BadInput(format!("--out: {message}{cure}")))?;
        notice_interrupts()?;
        if self.serve {
            return pipes::serve(&work, form).map(|()| ExitCode::SUCCESS);
        }
        self.rows(&work, form)
    }

    fn work(&self) -> Result<Work, BadInput> {
        let (engine, disk) = (self.engine, Disk::default());
        let path = match &self.source {
            Source::File(path) => path,
            Source::Asked(asked) => {
                let (sweep, cheapest) = asked.sweep(&self.show, &disk)?;
                return Ok(Work { sweep, engine, disk, choice: Some(asked.model.clone()), cheapest });
            }
        };
        let sweep = parsed(&path.display().to_string(), &scenario::shipped::read(path)?, self.small, &disk)?;
        Ok(Work { sweep, engine, disk, choice: None, cheapest: false })
    }

    /// Draws all points together.
    fn draw_points(&self, work: &Work) -> anyhow::Result<ExitCode> {
        let drawn = match &self.show {
            Show::Curves { over, limit } => work.curves(*over, *limit)?,
            Show::Parameters(asked) => work.over_parameters(asked)?,
            Show::Rows | Show::Exits => work.exits()?,
        };
        for file in self.out.iter() {
            write_drawn(&drawn, file, &self.paper)?;
        }
        say!("{}", printed(&drawn, self.format, self.look)?)?;
        Ok(ExitCode::SUCCESS)
    }

    fn header(&self, work: &Work) -> Header {
        let Sweep { question, text, .. } = &work.sweep;
        Header {
            question: question.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine: self.engine.name().to_owned(),
            points: work.sweep.points(),
            text: text.clone(),
            file: match &self.source {
                Source::File(path) => path.display().to_string(),
                Source::Asked(_) => String::new(),
            },
            small: self.small,
        }
    }

    /// Simulates the points that are still to be done, or takes their rows from standard input, and judges the
    /// expectations.
    fn rows(&self, work: &Arc<Work>, form: Form) -> anyhow::Result<ExitCode> {
        let (mut place, kept) = self.place(work, form)?;
        let (points, mut count) = (work.sweep.points(), Count { rows: kept.rows, failed: kept.failed });
        let progress = RefCell::new(Points::new(COUNTED, points, kept.rows, self.quiet));
        let (mut rows, mut numbers) = (Vec::new(), Vec::new());
        let went_through = if self.gather {
            pipes::gather(kept.rows..points, |index, line| {
                let is_its = line.starts_with(&form.key(&work.sweep.point(index)));
                anyhow::ensure!(is_its, "expected the row of point {index}");
                count.add(form.failed(line));
                place.put(line)?;
                progress.borrow_mut().step();
                progress.borrow_mut().tick();
                Ok(())
            })
        } else {
            let take = |index, found: crew::Result| {
                let row = SweepRow { point: work.sweep.point(index), found };
                count.add(row.found.is_err());
                if index < MOST_JUDGED && !work.sweep.told.expects.is_empty() {
                    numbers.extend(expected(&row));
                }
                match place {
                    RowDestination::Table => rows.push(row),
                    RowDestination::File(_) | RowDestination::Output => place.put(&form.line(&row))?,
                }
                progress.borrow_mut().step();
                Ok(())
            };
            Crew::new(work.clone())?.simulate_range(kept.rows..points, take, || progress.borrow_mut().tick())
        };
        progress.borrow().finish();
        let went_through = went_through?;
        // Rows of an earlier run are not judged again. Only `parallax run` judges the answers of an exercise.
        let is_judged = match place {
            _ if work.sweep.told.is_exercise() => false,
            // A page has the judgements of its own.
            RowDestination::Table => self.format == Format::Table,
            RowDestination::File(_) => kept.rows == 0 && !self.gather,
            RowDestination::Output => false,
        };
        if let RowDestination::Table = place {
            match self.format {
                Format::Markdown => say!("{}", page(&work.sweep, &rows).markdown())?,
                Format::Table | Format::Csv | Format::Json => words::print(&table(&work.sweep, &rows))?,
            }
        }
        let ended = self.close(&count, went_through, points)?;
        if is_judged {
            let judgements = judge(&work.sweep.told.expects, &numbers);
            let look = Look { width: words::terminal_width(), ..Look::IN_FILES };
            words::print(&describe_judgements(&judgements, look))?;
        }
        Ok(ended)
    }

    /// Returns the destination of the rows, begun anew or resumed.
    fn place(&self, work: &Work, form: Form) -> anyhow::Result<(RowDestination, RowCounts)> {
        let header = self.header(work);
        let Some(path) = &self.out else {
            if self.prints_rows() {
                say!("{}", form.columns())?;
                return Ok((RowDestination::Output, RowCounts::default()));
            }
            if header.points > MOST_ROWS {
                let cure = "expected --out FILE.jsonl, --out FILE.csv or --format csv or json";
                return Err(BadInput(format!("{} points are too many for a table: {cure}", header.points)).into());
            }
            return Ok((RowDestination::Table, RowCounts::default()));
        };
        let begun = if self.resume {
            SweepFile::resume(path, form, &header, |index| form.key(&work.sweep.point(index)))
        } else {
            SweepFile::create(path, form, &header).map(|file| (file, RowCounts::default()))
        };
        let (file, kept) = begun.map_err(|error| BadInput(error.to_string()))?;
        Ok((RowDestination::File(file), kept))
    }

    /// Whether rows go to standard output as they come.
    fn prints_rows(&self) -> bool {
        self.out.is_none() && matches!(self.format, Format::Csv | Format::Json)
    }

    /// Reports the end of the sweep; returns the exit code.
    fn close(&self, Count { rows, failed }: &Count, went_through: bool, points: u64) -> anyhow::Result<ExitCode> {
        let elsewhere = if self.prints_rows() { "standard output" } else { "the table" };
        let place = self.out.as_deref().unwrap_or(Path::new(elsewhere)).display();
        if !went_through {
            let why = if interrupted() { "interrupted" } else { "the rows ended too soon" };
            let cure = self.out.as_ref().map_or("", |_| "; --resume goes on");
            anyhow::bail!("{why}: {rows} of {points} points are in {place}{cure}");
        }
        if *failed > 0 {
            note!("parallax: {failed} of {points} points failed: 'failure' in {place} gives the reason");
            return Ok(ExitCode::FAILURE);
        }
        if !self.quiet && self.out.is_some() {
            match points {
                1 => note!("sweep: one point is in {place}"),
                _ => note!("sweep: {points} points are in {place}"),
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Parses the sweep of a file's text, whole or in its small form.
fn parsed(file: &str, text: &str, small: bool, disk: &Disk) -> Result<Sweep, BadInput> {
    let sweep = disk.lend(|files| Sweep::parse(file, text, files)).map_err(|error| BadInput(error.to_string()))?;
    if small { sweep.small().map_err(|message| BadInput(format!("{file}: {message}"))) } else { Ok(sweep) }
}

/// Number of rows that are written, and of those among them with a failure.
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

/// Destination of the rows.
enum RowDestination {
    /// File of rows, begun or resumed.
    File(SweepFile),
    /// Standard output, in the form of a file.
    Output,
    /// A single table at the end.
    Table,
}

impl RowDestination {
    fn put(&mut self, line: &str) -> anyhow::Result<()> {
        match self {
            RowDestination::File(file) => Ok(file.append(line)?),
            RowDestination::Output | RowDestination::Table => {
                Ok(Output.write_all(line.as_bytes()).and_then(|()| Output.flush())?)
            }
        }
    }
}
