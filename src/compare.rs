//! `parallax compare`: campaigns compared with each other, case by case, with a verdict that scripts can act on.

use crate::flags::FormatFlags;
use analysis::compare::{InputChoice, axis, read_side};
use analysis::files::make_page_folder;
use analysis::store;
use campaign::planned::command;
use clap::Args;
use render::page::Page;
use render::results::Results;
use scenario::BadInput;
use scenario::axis::Axis;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use study::contrast::{
    Apart, Choice, Demand, Gate, GateKind, Side, cannot_fail, contrast, failures, parse_share, untested,
};
use study::guidelines::new_violations;

/// The arguments of `parallax compare`.
#[derive(Args)]
pub struct CompareArguments {
    /// Two or more of: a campaign's folder or campaign.jsonl, a run of the store (its number or name), a machine file
    /// (*.toml), samples exported as CSV, the output of another benchmark. A+B combines the launches of both;
    /// A,world=openmpi selects the cases of A with this value, which may have commas: 'A,form=float, sum'
    #[arg(required = true, num_args = 2.., value_name = "SIDE")]
    sides: Vec<String>,
    #[command(flatten)]
    input: InputFlags,
    /// Keys in which compared cases may differ: algorithm, method, world, calls, …
    #[arg(long, value_name = "KEY,…", value_delimiter = ',', conflicts_with = "by")]
    ignore: Vec<String>,
    /// Keys that compared cases must share; all other keys may differ
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    by: Vec<String>,
    /// Launches of the sides were interleaved, as in A1+A2+A3 B1+B2+B3 measured in the order A1 B1 A2 B2 …: compare
    /// them in pairs (the first of each side, then the second of each, and so on). Two parts of one campaign are
    /// paired automatically
    #[arg(long)]
    paired: bool,
    #[command(flatten)]
    demand: DemandFlags,
    /// Exit with code 1 if a case is slower, faster, differs (with a threshold: slower:5%), is missing, or violates a
    /// guideline that A satisfies; also if nothing could be tested. Slower is what takes longer or has a lower rate
    #[arg(long, value_name = "REASON,…", value_delimiter = ',')]
    fail_if: Vec<String>,
    #[command(flatten)]
    format: FormatFlags,
    /// Also write a page with pictures into this folder
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// How sides are read.
#[derive(Args)]
pub struct InputFlags {
    /// Store in which to look up runs that are given by number or name
    #[arg(long, default_value = store::STORE, value_name = "FILE")]
    db: PathBuf,
    /// Use the predictions of campaigns instead of their measurements
    #[arg(long)]
    predicted: bool,
    /// Column to take from other benchmarks' output, named as in `parallax import --format csv`: a time, rate, share or
    /// count [default: single samples if present, else mean_us, median_us or time_us]
    #[arg(long, value_name = "NAME")]
    column: Option<String>,
}

impl InputFlags {
    /// Returns the choices that the flags express.
    pub fn choice(&self) -> InputChoice {
        InputChoice { db: self.db.clone(), predicted: self.predicted, column: self.column.clone() }
    }
}

/// How sure verdicts must be.
#[derive(Args)]
pub struct DemandFlags {
    /// Smallest effect of interest: smaller differences count as the same or are not reported
    #[arg(long, default_value = "2%", value_name = "SHARE", value_parser = parse_share)]
    at_least: f64,
    /// Confidence level of intervals; 1 minus this level is the risk of any false finding
    #[arg(long, default_value = "95%", value_name = "SHARE", value_parser = confidence)]
    confidence: f64,
}

impl DemandFlags {
    /// Returns the demand that the flags express.
    pub fn demand(&self) -> Demand {
        Demand { confidence: self.confidence, at_least: self.at_least }
    }
}

fn confidence(text: &str) -> Result<f64, String> {
    let share = parse_share(text).ok().filter(|share| (0.5..1.0).contains(share));
    share.ok_or_else(|| format!("expected a share from 50 % to less than 100 %, like 95% or 0.99, found '{text}'"))
}

impl CompareArguments {
    /// Compares the sides. The exit code is 1 if a condition of --fail-if is met.
    pub fn compare(&self) -> anyhow::Result<ExitCode> {
        let gates: Vec<Gate> = self.fail_if.iter().map(|text| gate(text)).collect::<Result<_, _>>()?;
        let (ignore, by) = (axes("--ignore", &self.ignore)?, axes("--by", &self.by)?);
        let choice = Choice { ignore, by, in_turn: self.paired };
        let input = self.input.choice();
        let sides: Vec<Side> = self.sides.iter().map(|side| read_side(side, &input)).collect::<Result<_, _>>()?;
        let demand = self.demand.demand();
        let found = match contrast(&sides, &choice, demand) {
            Ok(found) => found,
            // Sides that were not compared have passed no gate.
            Err(Apart::Nothing(why)) if !gates.is_empty() => {
                let failed = gates.iter().map(|gate| format!("{}: {}", gate.kind.name(), untested(&why)));
                return Ok(told_failures(&failed.collect::<Vec<_>>()));
            }
            Err(Apart::Nothing(why) | Apart::Mistake(why)) => return Err(BadInput(why).into()),
        };
        if let Some(folder) = &self.out {
            write_page(&Page { reproduce: vec![command()], ..found.page() }, folder)?;
        }
        self.format.print_with(&found, "--format markdown", false)?;
        for warning in cannot_fail(&found, &gates) {
            note!("parallax: --fail-if {warning}");
        }
        let mut failed = failures(&found, &gates);
        if gates.iter().any(|gate| gate.kind == GateKind::Guideline) {
            failed.extend(new_violations(&sides, demand));
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

/// Reports failed conditions on standard error and returns the exit code.
pub fn told_failures(failed: &[String]) -> ExitCode {
    for failure in failed {
        note!("parallax: --fail-if {failure}");
    }
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes a page, and reports its path on standard error.
pub fn write_page(page: &render::page::Page, folder: &Path) -> anyhow::Result<()> {
    make_page_folder(folder)?;
    let path = page.write(folder)?;
    note!("Page: {}", path.display());
    Ok(())
}
