//! `parallax debias`: from the numbers that a benchmark printed to the times that the calls really took.

mod algorithm;
mod budget;
mod expect;
mod prove;

use crate::bad_input::BadInput;
use crate::flags;
use crate::import::{content, tell_left_out};
use crate::machine;
use crate::output::print;
use algorithm::AlgorithmFlags;
use anyhow::Context;
use budget::MeasuredBudget;
use expect::{Subjected, Truth, expected};
use models::collective::{Algorithm, Collective};
use models::machine::Machine;
use prove::ProveFlags;
use rayon::prelude::*;
use reports::debias::budgeted::Sought;
use reports::debias::{Asked, Columns, Corrected, Reading, Refusal, Row, corrected, readings};
use std::path::PathBuf;
use std::process::ExitCode;

/// More ranks than this take too long to simulate call by call.
const MOST_RANKS: u32 = 4_096;

/// What `parallax debias` is told.
#[derive(clap::Args)]
pub struct DebiasArguments {
    /// Texts of OSU, IMB, MPIPerf, ReproMPI or SKaMPI, in any order; - is standard input
    #[arg(required_unless_present = "prove", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The machine on which they were measured, as `parallax calibrate` or `parallax run` wrote it [--prove calibrates without]
    #[arg(long, value_name = "FILE|NAME", required_unless_present = "prove")]
    machine: Option<String>,
    /// A campaign of `parallax budget` of the same benchmark on that machine: where it has measured such a call, or a shorter
    /// and a longer one, that is what is corrected by
    #[arg(long, value_name = "CAMPAIGN", conflicts_with = "prove")]
    budget: Option<PathBuf>,
    /// Number of ranks, where a text does not say it (OSU's do not)
    #[arg(long, value_parser = flags::ranks)]
    ranks: Option<u32>,
    #[command(flatten)]
    algorithm: AlgorithmFlags,
    /// Which numbers: quoted (the one of each row that people quote), all, or a column's head, like max_us or "Max Latency(us)"
    #[arg(long, default_value = "quoted", value_name = "NAME")]
    column: String,
    /// What is held to be true: a call on buffers that are in no cache, or on the benchmark's own
    #[arg(long, value_enum, default_value = "pool")]
    truth: Truth,
    /// How to print
    #[arg(long, value_enum, default_value = "table", conflicts_with = "prove")]
    format: Format,
    #[command(flatten)]
    pub prove: ProveFlags,
}

/// In which form the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// A line for each number.
    Csv,
    /// An array of objects.
    Json,
    /// For documents.
    Markdown,
}

impl DebiasArguments {
    /// Corrects every number of all files, or of none; fails if no number could be corrected. Or proves that it can.
    pub fn debias(&self) -> anyhow::Result<ExitCode> {
        self.check()?;
        if self.prove.is_asked() {
            return self.prove.prove(self);
        }
        let machine = machine::find(self.machine.as_deref().context("clap demands a machine without --prove")?)?;
        let budget = self.budget.as_deref().map(|folder| MeasuredBudget::read(folder, &machine)).transpose()?;
        let mut all = Vec::new();
        for path in &self.files {
            let (name, text) = content(path)?;
            let imported = reports::import::read(&name, &text).map_err(|error| BadInput(error.to_string()))?;
            tell_left_out(&name, &imported, &text);
            all.extend(readings(&name, &text, &imported, &self.columns()));
        }
        if matches!(self.columns(), Columns::Named(_)) && all.iter().all(|reading| reading.head.is_empty()) {
            let column = &self.column;
            let message = "no text has such a column of which it is known how it comes about";
            return Err(BadInput(format!("--column {column}: {message}; expected quoted, all, or another head")).into());
        }
        if self.ranks.is_none() && all.iter().all(|reading| reading.ranks.is_none()) {
            return Err(BadInput(
                "no text says on how many ranks it was measured; expected also --ranks, like --ranks 2".to_owned(),
            )
            .into());
        }
        let rows: Vec<Row> = all.into_par_iter().map(|reading| self.row(reading, &machine, budget.as_ref())).collect();
        let truth = self.truth.words();
        print(&match self.format {
            Format::Table => reports::debias::table(&rows, truth, Some(&machine)),
            Format::Csv => reports::debias::csv(&rows),
            Format::Json => format!("{:#}\n", reports::debias::json(&rows)),
            Format::Markdown => reports::debias::markdown(&rows, truth),
        })?;
        let any = rows.iter().any(|row| row.corrected.is_ok());
        Ok(if any { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Refuses what can be right for no file.
    fn check(&self) -> Result<(), BadInput> {
        if self.ranks.is_some_and(|ranks| !(2..=MOST_RANKS).contains(&ranks)) {
            return Err(BadInput(format!("--ranks: expected 2 to {MOST_RANKS}")));
        }
        let Some(name) = &self.algorithm.algorithm else { return Ok(()) };
        let known = Collective::ALL.into_iter().any(|collective| Algorithm::find(collective, name).is_ok());
        if known {
            return Ok(());
        }
        Err(BadInput(format!("--algorithm: unknown algorithm '{name}'; `parallax algorithms` lists them")))
    }

    fn columns(&self) -> Columns {
        match self.column.as_str() {
            "quoted" => Columns::Quoted,
            "all" => Columns::All,
            name => Columns::Named(name.to_owned()),
        }
    }

    fn row(&self, reading: Reading, machine: &Machine, budget: Option<&MeasuredBudget>) -> Row {
        let ranks = reading.ranks.or(self.ranks);
        let mut row = Row { ranks, bytes: None, algorithm: None, corrected: Err(Refusal::NoNumber), reading };
        row.corrected = match (row.reading.asked.clone(), ranks) {
            (Err(refusal), _) => Err(refusal),
            (Ok(_), None) => Err(Refusal::UnknownRanks),
            (Ok(asked), Some(ranks)) => self.correct(&mut row, &asked, ranks, (machine, budget)),
        };
        row
    }

    fn correct(
        &self,
        row: &mut Row,
        asked: &Asked,
        ranks: u32,
        (machine, budget): (&Machine, Option<&MeasuredBudget>),
    ) -> Result<Corrected, Refusal> {
        if !(2..=MOST_RANKS).contains(&ranks) {
            return Err(Refusal::NotSimulated(format!("{ranks} ranks; expected 2 to {MOST_RANKS}")));
        }
        let shape = asked.shape(ranks, row.reading.root.min(ranks - 1));
        row.bytes = Some(shape.bytes);
        let printed = row.reading.printed.ok_or(Refusal::NoNumber)?;
        let named = self.algorithm.algorithm.as_deref().or(row.reading.algorithm.as_deref());
        let sought = Sought { collective: asked.collective, shape, algorithm: named };
        let measured = budget.and_then(|budget| budget.expected(&asked.configuration, self.truth, &sought));
        if let Some(expected) = measured {
            row.algorithm = Some(named.unwrap_or("library").to_owned());
            return corrected(printed, &expected);
        }
        let chosen = self.algorithm.choose(machine, row.reading.algorithm.as_deref(), asked.collective, shape)?;
        row.algorithm = Some(chosen.algorithm.name.to_owned());
        let mut expected = expected(
            machine,
            self.truth,
            &Subjected {
                collective: asked.collective,
                algorithm: chosen.algorithm,
                shape: chosen.shape,
                barrier: chosen.barrier,
                configuration: &asked.configuration,
                repetitions: asked.repetitions,
            },
        )?;
        if row.reading.oversubscribed {
            expected.doubts.push(reports::debias::Doubt::Oversubscribed);
        }
        corrected(printed, &expected)
    }
}
