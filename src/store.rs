//! `parallax store`: campaigns in one SQLite file, to list, show and export.

mod export;

use crate::output::{print, print_words};
use analysis::store::{STORE, campaign_or_text, create, database_error, put};
use clap::{Args, Subcommand};
use export::ExportArguments;
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;
use study::database::{Database, PATIENCE, list, show};

/// The arguments of `parallax store`.
#[derive(Args)]
#[command(disable_help_subcommand = true)]
pub struct StoreArguments {
    #[command(subcommand)]
    command: StoreCommand,
}

#[derive(Subcommand)]
enum StoreCommand {
    /// List the runs of a store
    List(StoreFlag),
    /// Add campaigns to a store; campaigns that it already contains are not added again
    Add(AddArguments),
    /// Show a run: its question, where it ran, and its cases
    Show {
        /// Number of the run, or its name if that is unique
        run: String,
        #[command(flatten)]
        store: StoreFlag,
    },
    /// Export a run: its samples, the lines of its campaign, or its results in another benchmark's format
    Export(ExportArguments),
}

/// Which store.
#[derive(Args)]
struct StoreFlag {
    /// SQLite file of the store
    #[arg(long, default_value = STORE, value_name = "FILE")]
    db: PathBuf,
}

impl StoreFlag {
    fn open(&self) -> anyhow::Result<Database> {
        Database::open(&self.db, PATIENCE).map_err(database_error)
    }
}

#[derive(Args)]
struct AddArguments {
    /// Campaign files, or folders of runs that contain one; or what `parallax import` reads
    #[arg(required = true, value_name = "CAMPAIGN.jsonl")]
    campaigns: Vec<PathBuf>,
    #[command(flatten)]
    store: StoreFlag,
}

impl StoreArguments {
    /// Runs the subcommand, which prints its result.
    pub fn run_subcommand(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            StoreCommand::List(store) => {
                let database = store.open()?;
                print_words(&list(&database.runs().map_err(database_error)?))?;
            }
            StoreCommand::Add(arguments) => arguments.add()?,
            StoreCommand::Show { run, store } => {
                let database = store.open()?;
                let run = database.find(run).map_err(database_error)?;
                let environment = database.environment(run.id).map_err(database_error)?;
                let lines = database.lines(run.id).map_err(database_error)?;
                print_words(&show(&run, &environment, &lines))?;
            }
            StoreCommand::Export(arguments) => arguments.export()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl AddArguments {
    /// Reads all campaigns before it changes the store.
    fn add(&self) -> anyhow::Result<()> {
        let campaigns =
            self.campaigns.iter().map(|path| campaign_or_text(path)).collect::<Result<Vec<_>, BadInput>>()?;
        let db = &self.store.db;
        let mut database = create(db)?;
        for (path, lines, recorded_at) in campaigns {
            print(&format!("{} {}\n", path.display(), put(&mut database, &lines, &recorded_at)?))?;
        }
        Ok(())
    }
}
