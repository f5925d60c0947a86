//! What was understood of one or more texts, as one table or as CSV.

use super::first_calls::sentences;
use super::{Imported, Row, Tool, conditions, ours};
use render::groups::distinct;
use render::table::{Csv, Heads, Table};
use std::fmt::Write;

/// The most columns of single processes that a table for people shows.
const MOST_PROCESSES: usize = 4;

/// The words of published runs that a table for people shows where there are any, as it shows conditions: by them rows of one
/// operation and length differ.
const SHOWN: [&str; 9] = [
    "published_algorithm",
    "nodes",
    "barrier",
    "marks",
    ours::WORLD,
    ours::ALGORITHM,
    ours::ROOT,
    ours::VARIANT,
    ours::OVERSUBSCRIBED,
];
/// Numbers that it leaves to CSV and JSON.
const LEFT: [&str; 8] =
    ["p10_us", "p25_us", "p75_us", "later_mean_us", "steady_us", "steady_low_us", "steady_high_us", "autocorrelation"];

/// Names of all words, in the order in which they first appear.
fn words(texts: &[(String, Imported)]) -> Vec<&str> {
    let words = texts.iter().flat_map(|(_, imported)| &imported.rows).flat_map(|row| &row.words);
    distinct(words.map(|word| word.name.as_str()))
}

/// Names of all numbers, in the order in which they first appear.
fn names(texts: &[(String, Imported)]) -> Vec<&str> {
    let columns = texts.iter().flat_map(|(_, imported)| &imported.rows).flat_map(|row| &row.columns);
    distinct(columns.map(|column| column.name.as_str()))
}

/// What every table shows, if a tool prints it.
const ALWAYS: [&str; 5] = ["mean_us", "median_us", "time_us", "min_us", "max_us"];

/// A table for people: who measured what, and the numbers. `texts` are files with what they say. With several tools in it
/// a column needs two that print it, or is a mean, median, minimum, maximum or plain time in µs; what has none is named below.
pub fn table(texts: &[(String, Imported)]) -> String {
    let is_shown = |name: &&str| {
        if LEFT.contains(name) {
            return false;
        }
        let process = name.strip_prefix("process_").and_then(|rest| rest.strip_suffix("_us"));
        process.and_then(|process| process.parse::<usize>().ok()).is_none_or(|process| process < MOST_PROCESSES)
    };
    let alone = texts.iter().all(|(_, imported)| imported.tool == texts[0].1.tool);
    let is_shared = |name: &&str| alone || ALWAYS.contains(name) || tools(texts, name) > 1;
    let (names, left): (Vec<&str>, Vec<&str>) = names(texts).into_iter().filter(is_shown).partition(is_shared);
    let several = distinct(texts.iter().map(|(file, _)| file)).len() > 1;
    let elements = distinct(rows(texts).map(|(_, row)| &row.datatype)).len() > 1;
    let heads = several.then_some("file").into_iter().chain(["tool", "operation"]).chain(elements.then_some("element"));
    let said = |word: &&str| rows(texts).any(|(_, row)| !row.word(word).is_empty());
    let words: Vec<&str> = SHOWN.into_iter().chain(conditions::names()).filter(said).collect();
    let mut lines: Vec<Vec<String>> = Vec::new();
    let whole = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    for (file, imported) in texts {
        for row in &imported.rows {
            let mut cells: Vec<String> = several.then(|| base_name(file)).into_iter().collect();
            cells.extend([imported.tool.to_string(), row.benchmark.clone()]);
            cells.extend(elements.then(|| row.datatype.clone().unwrap_or_default()));
            cells.extend(words.iter().map(|word| row.word(word).to_owned()));
            cells.extend([whole(row.ranks.map(u64::from)), whole(row.bytes), whole(row.calls)]);
            cells.extend(names.iter().map(|name| row.value(name).map(rounded).unwrap_or_default()));
            lines.push(cells);
        }
    }
    let heads = heads.chain(words.iter().map(|word| word.trim_start_matches("published_")));
    let heads = heads.chain(["ranks", "bytes", "reps"]).chain(names.iter().copied());
    let first_number = 2 + words.len() + usize::from(several) + usize::from(elements);
    let mut text = Table::plain(heads, lines, |column| column >= first_number).ruled();
    if !left.is_empty() {
        let _ = writeln!(text, "\none tool's alone, in CSV and JSON: {}", left.join(", "));
    }
    let first: Vec<String> = texts.iter().flat_map(|(_, imported)| sentences(imported)).collect();
    if !first.is_empty() {
        let _ = writeln!(text, "\nFirst calls (E1):\n  {}", first.join("\n  "));
    }
    text
}

/// A file's name without its folders: several files of one tool must be told apart.
fn base_name(file: &str) -> String {
    file.rsplit('/').next().unwrap_or(file).to_owned()
}

/// How many tools print a number of this name.
fn tools(texts: &[(String, Imported)], name: &str) -> usize {
    let has = |tool: Tool| {
        let mut rows = rows(texts).filter(|(imported, _)| imported.tool == tool);
        rows.any(|(_, row)| row.columns.iter().any(|column| column.name == name))
    };
    Tool::ALL.into_iter().filter(|&tool| has(tool)).count()
}

/// At most four places: no tool prints more of a µs.
fn rounded(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

/// A line for each row; units are in the heads.
pub fn csv(texts: &[(String, Imported)]) -> String {
    let (words, names) = (words(texts), names(texts));
    let heads = Heads("file,line,benchmark,version,test,operation,element,ranks,bytes,elements,calls");
    let row = |(file, imported): &'_ (String, Imported), row: &Row| {
        let text = (file.clone(), row.line, imported.tool.name(), imported.version.clone());
        let call = (row.benchmark.clone(), row.collective.map(|collective| collective.name()), row.datatype.clone());
        let values: Vec<Option<f64>> = names.iter().map(|name| row.value(name)).collect();
        let words: Vec<String> = words.iter().map(|word| row.word(word).to_owned()).collect();
        (text, call, row.ranks, row.bytes, row.count, row.calls, words, values)
    };
    let mut csv = Csv::new((heads, &words, &names));
    texts.iter().for_each(|text| text.1.rows.iter().for_each(|one| csv.row(row(text, one))));
    csv.text()
}

fn rows(texts: &[(String, Imported)]) -> impl Iterator<Item = (&Imported, &Row)> {
    texts.iter().flat_map(|(_, imported)| imported.rows.iter().map(move |row| (imported, row)))
}
