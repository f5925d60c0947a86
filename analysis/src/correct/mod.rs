//! Corrections: from the numbers that a benchmark printed to the times that the calls really took.

mod algorithm;
mod budget;
mod expect;
pub mod prove;
mod rehearsed;
mod states;

pub use algorithm::AlgorithmChoice;

use crate::import::{self, Said, Text, tell_left_out};
use crate::machine;
use budget::MeasuredBudget;
use expect::{Subjected, expected};
use measure::board::host_name;
use models::collective::{Algorithm, Collective, Shape};
use programs::machine::{Arithmetic, CoreState, Machine, Rehearsed};
use programs::method::Buffer;
use programs::observation::{Implementation, World};
use rayon::prelude::*;
use render::groups::distinct;
use scenario::BadInput;
use states::Prepared;
use std::path::PathBuf;
use study::correct::budgeted::Sought;
use study::correct::{
    Answer, Asked, Columns, CorrectedRow, Doubt, Expected, Origin, RanksFrom, Reading, Refusal, readings,
};

/// Largest number of ranks, since more take too long to simulate call by call.
const MOST_RANKS: u32 = 4_096;

/// Request of a correction: texts, machine, and flags.
pub struct Correction {
    /// Paths of the texts; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// The machine on which they were measured, by its file or name.
    pub machine: Option<String>,
    /// A campaign of budgets of the same benchmark on that machine.
    pub budget: Option<PathBuf>,
    /// The state of the machine in which the texts were printed, where it is known.
    pub state: Option<CoreState>,
    /// Number of ranks, for texts that do not state it.
    pub ranks: Option<u32>,
    /// Algorithm that was called, for texts that do not state it.
    pub algorithm: AlgorithmChoice,
    /// Numbers to correct: `quoted`, `all`, or a column's head.
    pub column: String,
    /// State of the buffers in the reference, towards which numbers are corrected.
    pub reference: Buffer,
}

/// Knowledge by which numbers are corrected.
struct CorrectionKnowledge<'a> {
    /// The machine, in each of its states that come into question.
    states: Vec<&'a Machine>,
    /// Rehearsals in any of the machine's states.
    rehearsed: Vec<Rehearsed>,
    /// Measured budget of the same benchmark, where one is given.
    budget: Option<MeasuredBudget>,
}

impl Correction {
    /// Corrects every number of all files, or of none; returns the result of `tell` on the answer.
    ///
    /// # Errors
    /// Fails on texts that cannot be read, and on facts that neither flags nor texts state.
    pub fn correct_numbers<T>(&self, tell: impl FnOnce(&Answer<'_>) -> T) -> Result<T, BadInput> {
        let all = self.readings()?;
        let machine = self.machine.as_deref().map(machine::find).transpose()?;
        let missing = self.missing(&all, machine.as_ref());
        let (Some(machine), Some(name), []) = (&machine, &self.machine, missing.as_slice()) else {
            return Err(BadInput(ask_for(&missing)));
        };
        let budget = self.budget.as_deref().map(|folder| MeasuredBudget::read(folder, machine)).transpose()?;
        let said_ns = self.state.filter(|_| budget.is_none());
        let states = states::of_machine(machine, said_ns)?;
        let known = CorrectionKnowledge { states, rehearsed: machine.all_rehearsed(), budget };
        let prepare = |reading: Reading| self.prepare(reading, &known);
        let mut texts: Vec<Vec<Prepared>> = Vec::new();
        for prepared in all.into_par_iter().map(prepare).collect::<Vec<_>>() {
            match texts.last_mut().filter(|text| text[0].row.reading.file == prepared.row.reading.file) {
                Some(text) => text.push(prepared),
                None => texts.push(vec![prepared]),
            }
        }
        let (rows, states): (Vec<Vec<CorrectedRow>>, Vec<_>) =
            texts.into_iter().map(|text| states::correct(&known.states, said_ns, text)).unzip();
        let rows = rows.concat();
        let states = states.into_iter().flatten().collect();
        let origin = if machine::comes_with_the_program(name) {
            Origin::Program
        } else {
            Origin::by_host(machine, &host_name())
        };
        let reference = self.reference_words(machine, known.budget.as_ref());
        let unsaid = |row: &CorrectedRow| row.reading.algorithm.is_none();
        let table = rows.iter().any(unsaid).then(|| self.algorithm.beware(machine)).flatten();
        Ok(tell(&Answer { rows, reference, machine, origin, states, table }))
    }

    /// Describes the reference of corrected numbers; budgets have their own.
    fn reference_words(&self, machine: &Machine, budget: Option<&MeasuredBudget>) -> String {
        let words = expect::words(self.reference, machine);
        match budget.map(MeasuredBudget::reference).filter(|buffer| *buffer != self.reference) {
            Some(buffer) => format!("{words} Reference of the budget: {}", expect::words(buffer, machine)),
            None => words,
        }
    }

    /// Reads the requested numbers of all files.
    fn readings(&self) -> Result<Vec<Reading>, BadInput> {
        let mut all = Vec::new();
        for path in &self.files {
            let Text { name, text, runs } = import::read(path, &Said::default())?;
            tell_left_out(&name, &runs, &text);
            all.extend(runs.iter().flat_map(|run| readings(&name, run, &self.columns())));
        }
        let contradictions = all.iter().filter_map(|reading| reading.contradiction(self.ranks));
        distinct(contradictions).iter().for_each(|sentence| note!("parallax: {sentence}"));
        if matches!(self.columns(), Columns::Named(_)) && all.iter().all(|reading| reading.head.is_empty()) {
            let column = &self.column;
            let message = "no file has such a column with a known definition";
            return Err(BadInput(format!("--column {column}: {message}; expected quoted, all, or another head")));
        }
        Ok(all)
    }

    /// Returns all flags without which no number can be corrected, each with an example.
    fn missing(&self, all: &[Reading], machine: Option<&Machine>) -> Vec<String> {
        let mut flags = Vec::new();
        // Numbers that no flag makes correctable are refused one by one.
        let asked: Vec<&Reading> = all.iter().filter(|reading| reading.asked.is_ok()).collect();
        if machine.is_none() {
            flags.push("--machine, for example --machine mine.toml, which `parallax calibrate` writes".to_owned());
        }
        if !asked.is_empty() && asked.iter().all(|reading| self.ranks(reading).is_none()) {
            flags.push("--ranks, for example --ranks 2".to_owned());
        }
        let said = self.budget.is_some() || asked.is_empty() || asked.iter().any(|reading| reading.algorithm.is_some());
        if machine.is_some_and(|machine| !said && !self.algorithm.is_known(machine)) {
            flags.push(algorithm::asked_for(machine, None));
        }
        flags
    }

    /// Returns the number of ranks on which a number was measured, with its source.
    fn ranks(&self, reading: &Reading) -> Option<(u32, RanksFrom)> {
        reading.ranks_and_source(self.ranks)
    }

    /// Refuses flags that can be right for no file.
    ///
    /// # Errors
    /// States the fault and the expected values.
    pub fn check(&self) -> Result<(), BadInput> {
        if self.ranks.is_some_and(|ranks| !(2..=MOST_RANKS).contains(&ranks)) {
            return Err(BadInput(format!("--ranks: expected 2 to {MOST_RANKS}")));
        }
        let Some(name) = &self.algorithm.algorithm else { return Ok(()) };
        let known = Collective::ALL.into_iter().any(|collective| Algorithm::find(collective, name).is_ok());
        if known {
            return Ok(());
        }
        Err(BadInput(format!(
            "--algorithm: unknown algorithm or library '{name}'; `parallax algorithms` lists algorithms, openmpi-4.1 and mpich-4.0 are the libraries"
        )))
    }

    fn columns(&self) -> Columns {
        match self.column.as_str() {
            "quoted" => Columns::Quoted,
            "all" => Columns::All,
            name => Columns::Named(name.to_owned()),
        }
    }

    fn prepare(&self, reading: Reading, known: &CorrectionKnowledge) -> Prepared {
        let (ranks, ranks_from) = self.ranks(&reading).unzip();
        let corrected = Err(Refusal::NoNumber);
        let mut row = CorrectedRow { ranks, ranks_from, bytes: None, algorithm: None, corrected, reading };
        let expected = match (row.reading.asked.clone(), ranks) {
            (Err(refusal), _) => Err(refusal),
            (Ok(_), None) => Err(Refusal::UnknownRanks),
            (Ok(asked), Some(ranks)) => self.expected(&mut row, &asked, ranks, known),
        };
        let expected = expected.unwrap_or_else(|refusal| {
            row.corrected = Err(refusal);
            Vec::new()
        });
        Prepared { row, expected }
    }

    /// Returns the expectation of a number: by a measured budget, else by each state of the machine.
    fn expected(
        &self,
        row: &mut CorrectedRow,
        asked: &Asked,
        ranks: u32,
        known: &CorrectionKnowledge,
    ) -> Result<Vec<Result<Expected, Refusal>>, Refusal> {
        if !(2..=MOST_RANKS).contains(&ranks) {
            return Err(Refusal::NotSimulated(format!("{ranks} ranks; expected 2 to {MOST_RANKS}")));
        }
        let shape = asked.shape(ranks, row.reading.root.min(ranks - 1));
        row.bytes = Some(shape.bytes);
        row.reading.printed.ok_or(Refusal::NoNumber)?;
        if shape.bytes == 0 && asked.collective != Collective::Barrier {
            return Err(Refusal::NoBytes);
        }
        let named = self.algorithm.algorithm.as_deref().or(row.reading.algorithm.as_deref());
        let sought = Sought { collective: asked.collective, shape, algorithm: named, state: self.state };
        let measured =
            known.budget.as_ref().map(|budget| budget.expected(&asked.configuration, &sought)).transpose()?;
        if let Some(expected) = measured.flatten() {
            row.algorithm = Some(named.unwrap_or("library").to_owned());
            return Ok(vec![Ok(expected)]);
        }
        Ok(known.states.iter().map(|state| self.predicted(row, asked, shape, (state, &known.rehearsed))).collect())
    }

    fn predicted(
        &self,
        row: &mut CorrectedRow,
        asked: &Asked,
        shape: Shape,
        (machine, all_rehearsed): (&Machine, &[Rehearsed]),
    ) -> Result<Expected, Refusal> {
        if let (Some(printed), Some(calibrated)) = (row.reading.world, World::of_ran_by(&machine.provenance.ran_by))
            && let (Some(one), Some(other)) = (printed.kin(), calibrated.kin())
            && one != other
        {
            return Err(Refusal::OtherLibrary { printed, calibrated });
        }
        let chosen = self.algorithm.choose(machine, row.reading.algorithm.as_deref(), asked.collective, shape)?;
        row.algorithm = Some(chosen.algorithm.name.to_owned());
        let barrier = match row.reading.barrier.and_then(|barrier| barrier.on(shape.ranks).ok()) {
            Some(Implementation::Own(name)) => {
                Algorithm::find(Collective::Barrier, &name).map_err(Refusal::NoAlgorithm)?
            }
            Some(
                Implementation::Library
                | Implementation::Forced(_)
                | Implementation::Tuned(_)
                | Implementation::Shared(_),
            )
            | None => chosen.barrier,
        };
        let call = Subjected {
            collective: asked.collective,
            algorithm: chosen.algorithm,
            shape: chosen.shape,
            barrier,
            library: self.algorithm.played_by(machine),
            arithmetic: Arithmetic::of_library(asked.collective, asked.configuration.element.unwrap_or_default()),
            configuration: &asked.configuration,
            calls: asked.calls,
        };
        let mut expected = expected(machine, self.reference, &call)?;
        if let Some(sought) = rehearsed::sought(self.reference, (&row.reading, asked, shape)) {
            rehearsed::rehearse(&mut expected, (machine, all_rehearsed), &self.algorithm, &sought)?;
        }
        if expected.missed.is_none() && call.library.is_some() {
            expected.doubts.push(Doubt::NotRehearsed);
        }
        if row.reading.oversubscribed {
            expected.doubts.push(Doubt::Oversubscribed);
        }
        Ok(expected)
    }
}

/// Builds the message that names all missing flags at once.
fn ask_for(flags: &[String]) -> String {
    format!("flags and output files do not give all that corrections need: also give {}", flags.join(", and "))
}
