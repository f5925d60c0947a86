//! The proof for people and as CSV.

use super::{CONFIDENCE, Count, DEMANDED, ProofRow, Source, count};
use crate::summary::cells::{number, percent};
use render::groups::{distinct, grouped};
use render::table::{Csv, Heads, Table};
use render::whence::Whence;
use render::words::wrapped;
use scenario::axis::Axis;
use std::fmt::Write;

/// How wide text below tables is.
const WIDTH: usize = 100;

/// What every table says of its numbers.
const READING: &str = "medians of the odd rounds, in µs; corrections come from the even rounds and the calibration. ✓: \
    the corrected number is closer to the reference than the printed one; ✗: it is not; ~: the bias is not above noise \
    (the 95 % interval of printed minus reference contains 0, or the reference varies more from round to round), and \
    the row does not count; rounds: number of single odd rounds in which the number corrected by the even ones is \
    closer.";

/// All rows, in tables; counts; and the verdict by one source.
pub fn table(rows: &[ProofRow], judged: Source) -> String {
    let mut text = String::new();
    for (subject, of) in grouped(rows.iter().map(|row| (&row.subject, row))) {
        let _ = writeln!(text, "{subject}");
        let heads =
            ["bytes", "benchmark", "column", "printed", "reference", "bias", "predicted", "", "measured", "", "rounds"];
        let is_number = |column: usize| ![1, 2, 7, 9].contains(&column);
        text += &Table::plain(heads, of.into_iter().map(cells), is_number).text();
        text.push('\n');
    }
    wrapped(READING, WIDTH, "").iter().for_each(|line| {
        let _ = writeln!(text, "{line}");
    });
    text.extend(failures(rows).into_iter().enumerate().map(|(letter, why)| format!("  {}: {why}\n", letter + 1)));
    let above = rows.iter().filter(|row| row.is_above_noise()).count();
    let _ = writeln!(text, "{above} of {} rows have a bias above noise", rows.len());
    for source in [Source::Predicted, Source::Measured] {
        let _ = writeln!(text, "{} corrections: {}", source.name(), counted(count(rows, source)));
    }
    let (closer, of) = rows
        .iter()
        .filter(|row| row.is_above_noise())
        .fold((0, 0), |sum, row| (sum.0 + row.rounds.0, sum.1 + row.rounds.1));
    let _ = writeln!(text, "single rounds of these rows, with measured corrections: {closer} of {of} closer");
    text.push_str(&verdict(count(rows, judged), judged));
    text
}

/// The last line.
fn verdict(count: Count, judged: Source) -> String {
    let (name, demanded) = (judged.name(), percent(DEMANDED));
    match count.share() {
        None => format!("verdict: not proved: no row with a bias above noise has a {name} correction\n"),
        Some(share) => {
            let word = if count.passes() { "proved" } else { "not proved" };
            let Count { closer, of, .. } = count;
            let share = percent(share);
            format!(
                "verdict: {word}: {closer} of {of} rows ({share}) closer to the reference with {name} corrections; \
                 required {demanded}\n"
            )
        }
    }
}

fn counted(count: Count) -> String {
    let Count { closer, of, held, refused } = count;
    let refused = format!("{refused} not corrected");
    match count.share() {
        None => refused,
        Some(share) => {
            format!("{closer} of {of} closer ({}), reference within the interval in {held}; {refused}", percent(share))
        }
    }
}

/// Why rows were not corrected, each reason once.
fn failures(rows: &[ProofRow]) -> Vec<&str> {
    let sources = [Source::Predicted, Source::Measured];
    distinct(rows.iter().flat_map(|row| sources.into_iter().filter_map(|source| row.by(source).err())))
}

fn cells(row: &ProofRow) -> Vec<String> {
    let mark = |source: Source| match row.is_closer(source) {
        None => "–",
        Some(_) if !row.is_above_noise() => "~",
        Some(true) => "✓",
        Some(false) => "✗",
    };
    let us = |source: Source| row.by(source).map_or("–".to_owned(), |done| number(done.us.value));
    vec![
        row.bytes.to_string(),
        row.benchmark.to_owned(),
        row.head.to_owned(),
        number(row.printed_us.value),
        number(row.reference_us.value),
        number(row.bias_us.value),
        us(Source::Predicted),
        mark(Source::Predicted).to_owned(),
        us(Source::Measured),
        mark(Source::Measured).to_owned(),
        format!("{}/{}", row.rounds.0, row.rounds.1),
    ]
}

/// A line for each row, units in the heads. `facts` say whence they are.
pub fn csv(rows: &[ProofRow], facts: &[(String, String)]) -> String {
    let heads = "benchmark,column,printed_us,printed_low_us,printed_high_us,reference_us,reference_low_us,reference_high_us,\
        bias_us,bias_low_us,bias_high_us,confidence,noise_us,above_noise";
    let sources = [Source::Predicted, Source::Measured];
    let of_source = sources.map(|source| {
        let name = source.name();
        [format!("{name}_us"), format!("{name}_low_us"), format!("{name}_high_us"), format!("{name}_closer")]
    });
    let row = |row: &ProofRow| {
        let numbers = ([row.printed_us, row.reference_us, row.bias_us], CONFIDENCE, row.noise_us, row.is_above_noise());
        let by = |source| Some((row.by(source).ok()?.us, row.is_closer(source)?));
        (row.key.shared_cells(), row.benchmark.to_lowercase(), row.head, numbers, sources.map(by), row.rounds)
    };
    let heads = (Heads(&Axis::shared_heads()), Heads(heads), of_source, "rounds_closer", "rounds");
    Whence::of(facts).stamped(&Csv::new(heads).rows(rows.iter().map(row)).text())
}
