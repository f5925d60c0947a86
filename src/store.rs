//! `parallax store`: all campaigns in one SQLite file, to list, show and export.

mod export;

use crate::output::print;
use anyhow::Context;
use campaign::environment::{utc, utc_now};
use clap::{Args, Subcommand};
use export::ExportArguments;
use reports::database::{Added, Database, DatabaseError, PATIENCE, list, observations, show};
use scenario::BadInput;
use scenario::store::{Contents, Line, read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

/// Where the store is unless said otherwise.
pub const STORE: &str = "results/parallax.sqlite";

/// What `parallax store` is told.
#[derive(Args)]
pub struct StoreArguments {
    #[command(subcommand)]
    command: StoreCommand,
}

#[derive(Subcommand)]
enum StoreCommand {
    /// List the runs of a store
    Ls {
        /// The store
        #[arg(default_value = STORE)]
        db: PathBuf,
    },
    /// Add campaigns to a store; one that is there already is not added twice
    Add(AddArguments),
    /// Show a run: what was asked, where, and its cases
    Show {
        /// The run's number, or its name if no other has it
        run: String,
        #[command(flatten)]
        store: StoreFlag,
    },
    /// Write a run's samples, its own lines, or its results in the form of another benchmark
    Export(ExportArguments),
}

/// Which store.
#[derive(Args)]
struct StoreFlag {
    /// The store
    #[arg(long, default_value = STORE, value_name = "FILE")]
    db: PathBuf,
}

impl StoreFlag {
    fn open(&self) -> anyhow::Result<Database> {
        Database::open(&self.db, PATIENCE).map_err(told)
    }
}

#[derive(Args)]
struct AddArguments {
    /// Files of campaigns, or folders of runs that hold one
    #[arg(required = true, value_name = "CAMPAIGN.jsonl")]
    campaigns: Vec<PathBuf>,
    #[command(flatten)]
    store: StoreFlag,
}

impl StoreArguments {
    /// Does what was asked.
    pub fn carry_out(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            StoreCommand::Ls { db } => {
                let database = Database::open(db, PATIENCE).map_err(told)?;
                print(&list(&database.runs().map_err(told)?))?;
            }
            StoreCommand::Add(arguments) => arguments.add()?,
            StoreCommand::Show { run, store } => {
                let database = store.open()?;
                let run = database.find(run).map_err(told)?;
                let environment = database.environment(run.id).map_err(told)?;
                let lines = database.lines(run.id).map_err(told)?;
                print(&show(&run, &environment, &observations(lines)))?;
            }
            StoreCommand::Export(arguments) => arguments.export()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl AddArguments {
    /// Reads all campaigns before the store is touched.
    fn add(&self) -> anyhow::Result<()> {
        let campaigns = self.campaigns.iter().map(|path| campaign(path)).collect::<Result<Vec<_>, BadInput>>()?;
        let db = &self.store.db;
        let mut database = create(db)?;
        for (path, lines, recorded_at) in campaigns {
            print(&format!("{} {}\n", path.display(), put(&mut database, &lines, &recorded_at)?))?;
        }
        Ok(())
    }
}

/// Refuses a file that is there and is no store of ours, before anything is measured for it. One that is being written may
/// be free by then.
pub fn check(db: &Path) -> anyhow::Result<()> {
    match Database::open(db, Duration::ZERO) {
        Ok(_) | Err(DatabaseError::Absent(_) | DatabaseError::Busy { .. }) => Ok(()),
        Err(error) => Err(told(error)),
    }
}

/// Adds a campaign to a store, which is made if there is none; says what became of it.
pub fn add(db: &Path, lines: &[Line]) -> anyhow::Result<String> {
    put(&mut create(db)?, lines, &utc_now())
}

/// The store, and its folder.
fn create(db: &Path) -> anyhow::Result<Database> {
    if let Some(folder) = db.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    Database::create(db, PATIENCE).map_err(told)
}

/// `added as run 3 of results/parallax.sqlite`.
fn put(database: &mut Database, lines: &[Line], recorded_at: &str) -> anyhow::Result<String> {
    let added = database.add(lines, recorded_at).map_err(told)?;
    let what = match added {
        Added::New(_) => "added as",
        Added::GoneOn(_) => "has gone on, replaced",
        Added::Known(_) => "is there already as",
    };
    Ok(format!("{what} run {} of {}", added.run(), database.path().display()))
}

/// A campaign's file, its lines, and when it was last written.
pub fn campaign(path: &Path) -> Result<(PathBuf, Vec<Line>, String), BadInput> {
    let path = if path.is_dir() { path.join("campaign.jsonl") } else { path.to_owned() };
    let Contents { lines, truncated } = read(&path).map_err(|error| BadInput(error.to_string()))?;
    if !matches!(lines.first(), Some(Line::Campaign { .. })) {
        return Err(BadInput(format!("{}: {}", path.display(), DatabaseError::NoCampaign)));
    }
    if truncated {
        note!("parallax: the last line of {} is half written and is left out", path.display());
    }
    let written = std::fs::metadata(&path).and_then(|file| file.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    Ok((path, lines, utc(written)))
}

/// What the user can cure is bad input.
fn told(error: DatabaseError) -> anyhow::Error {
    match error {
        DatabaseError::Absent(_)
        | DatabaseError::Busy { .. }
        | DatabaseError::Foreign { .. }
        | DatabaseError::Newer { .. }
        | DatabaseError::Older { .. }
        | DatabaseError::NoCampaign
        | DatabaseError::NoRun { .. } => BadInput(error.to_string()).into(),
        DatabaseError::Broken { .. } | DatabaseError::Write(_) | DatabaseError::Sql { .. } => error.into(),
    }
}
