//! `parallax compare`: campaigns held against each other, case by case, with a verdict that scripts can act on.

use crate::output::{look, print};
use analysis::compare::{InputChoice, axis, read_side};
use analysis::store;
use clap::Args;
use reports::contrast::{Choice, Contrast, Demand, Gate, GateKind, Side, contrast, failures, page, parse_share};
use reports::guidelines::new_violations;
use reports::view::Format;
use scenario::BadInput;
use scenario::axis::Axis;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What `parallax compare` is told.
#[derive(Args)]
pub struct CompareArguments {
    /// Two or more of: a campaign's folder or campaign.jsonl, a run of the store (its number or name), a machine file (*.toml),
    /// samples exported as CSV, the text of another benchmark. A+B are the launches of both together;
    /// A,world=openmpi the cases of A that are so
    #[arg(required = true, num_args = 2.., value_name = "SIDE")]
    sides: Vec<String>,
    #[command(flatten)]
    input: InputFlags,
    /// Cases may differ in these: algorithm, method, world, calls, …
    #[arg(long, value_name = "KEY,…", value_delimiter = ',', conflicts_with = "by")]
    ignore: Vec<String>,
    /// Cases are the same where these are, whatever else differs
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    by: Vec<String>,
    /// The launches of the sides took turns, as in A1+A2+A3 B1+B2+B3 measured in the order A1 B1 A2 B2 …: compare the first of
    /// each side, the second of each, … as pairs. Two parts of one campaign are paired by themselves
    #[arg(long)]
    paired: bool,
    #[command(flatten)]
    demand: DemandFlags,
    /// End with exit code 1 if a case is slower, faster, differs (by so much: slower:5%), is missing, or violates a
    /// guideline that A keeps
    #[arg(long, value_name = "REASON,…", value_delimiter = ',')]
    fail_if: Vec<String>,
    /// How to print it
    #[arg(long, value_parser = crate::flags::one_of(Format::ALL, Format::name), default_value = "table")]
    format: Format,
    /// Write a page with its pictures into this folder too
    #[arg(long, value_name = "FOLDER")]
    html: Option<PathBuf>,
}

/// How sides are read.
#[derive(Args)]
pub struct InputFlags {
    /// The store in which runs are looked for that are no files
    #[arg(long, default_value = store::STORE, value_name = "FILE")]
    db: PathBuf,
    /// Look at what campaigns predicted, not at what they measured
    #[arg(long)]
    predicted: bool,
    /// The number to take of other benchmarks' texts, as `parallax import --csv` calls it [default: single repetitions
    /// where they are there, else mean_us, median_us or time_us]
    #[arg(long, value_name = "NAME")]
    column: Option<String>,
}

impl InputFlags {
    /// What is chosen.
    pub fn choice(&self) -> InputChoice {
        InputChoice { db: self.db.clone(), predicted: self.predicted, column: self.column.clone() }
    }
}

/// How sure verdicts must be.
#[derive(Args)]
pub struct DemandFlags {
    /// The smallest effect of interest: smaller differences are called the same, or are not told
    #[arg(long, default_value = "2%", value_name = "SHARE", value_parser = parse_share)]
    at_least: f64,
    /// Confidence of intervals; what it leaves is the risk of any false finding
    #[arg(long, default_value = "95%", value_name = "SHARE", value_parser = confidence)]
    confidence: f64,
}

impl DemandFlags {
    /// What is demanded.
    pub fn demand(&self) -> Demand {
        Demand { confidence: self.confidence, at_least: self.at_least }
    }
}

fn confidence(text: &str) -> Result<f64, String> {
    let share = parse_share(text).ok().filter(|share| (0.5..1.0).contains(share));
    share.ok_or_else(|| format!("expected a share from 50 % to less than 100 %, like 95% or 0.99, found '{text}'"))
}

impl CompareArguments {
    /// Compares; exit code 1 if a reason to fail was met.
    pub fn compare(&self) -> anyhow::Result<ExitCode> {
        let gates: Vec<Gate> = self.fail_if.iter().map(|text| gate(text)).collect::<Result<_, _>>()?;
        let (ignore, by) = (axes("--ignore", &self.ignore)?, axes("--by", &self.by)?);
        let choice = Choice { ignore, by, in_turn: self.paired };
        let input = self.input.choice();
        let sides: Vec<Side> = self.sides.iter().map(|side| read_side(side, &input)).collect::<Result<_, _>>()?;
        let demand = self.demand.demand();
        let found = contrast(&sides, &choice, demand).map_err(BadInput)?;
        if let Some(folder) = &self.html {
            write_page(&page(&found, &command()), folder)?;
        }
        print(&self.format.text(&found, look(true))?)?;
        warn_of_gates(&found, &gates);
        let mut failed = failures(&found, &gates);
        if gates.iter().any(|gate| gate.kind == GateKind::Guideline) {
            failed.extend(new_violations(&sides, demand).map_err(BadInput)?);
        }
        Ok(told_failures(&failed))
    }
}

fn gate(text: &str) -> Result<Gate, BadInput> {
    text.trim().parse().map_err(|message| BadInput(format!("--fail-if: {message}")))
}

fn axes(flag: &str, names: &[String]) -> Result<Vec<Axis>, BadInput> {
    names.iter().map(|name| axis(name.trim()).map_err(|message| BadInput(format!("{flag}: {message}")))).collect()
}

/// A gate that no result could close is no gate: says so on standard error.
fn warn_of_gates(found: &Contrast, gates: &[Gate]) {
    let about_time = |gate: &Gate| matches!(gate.kind, GateKind::Slower | GateKind::Faster | GateKind::Differs);
    for required in &found.requirements {
        if !required.is_met() && gates.iter().any(about_time) {
            note!("parallax: --fail-if: {}; a case that has {} cannot fail", required.words(), required.fewest);
        }
    }
}

/// Says on standard error what failed.
pub fn told_failures(failed: &[String]) -> ExitCode {
    for failure in failed {
        note!("parallax: --fail-if {failure}");
    }
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes a page, and says where.
pub fn write_page(page: &reports::page::Page, folder: &Path) -> anyhow::Result<()> {
    let made = std::fs::create_dir_all(folder);
    made.map_err(|error| {
        BadInput(format!("--html: cannot make the folder {}: {error}; name another", folder.display()))
    })?;
    let path = page.write(folder)?;
    note!("Page: {}", path.display());
    Ok(())
}

/// The command line, as it can be given again.
pub fn command() -> String {
    let words: Vec<String> = std::env::args().skip(1).map(|word| quoted(&word)).collect();
    format!("parallax {}", words.join(" "))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:+%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
