//! `parallax store`: all campaigns in one SQLite file, to list, show and export.

mod export;

use crate::output::print;
use analysis::store::{STORE, campaign, create, put, told};
use clap::{Args, Subcommand};
use export::ExportArguments;
use reports::database::{Database, PATIENCE, list, show};
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;

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
                print(&show(&run, &environment, &lines))?;
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
