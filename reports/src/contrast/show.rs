//! A comparison as text for people, and as Markdown.

use super::cells::{axes, cases, cells, differing, heads, legend, requirements};
use super::{Contrast, Pair, SideLine};
use render::groups::counted;
use render::plots::numbers::with_interval;
use render::table::Table;
use scenario::axis::Key;
use std::fmt::Write;

/// Of what only one side has, so many are named.
const NAMED: usize = 10;

/// The verdict, the sides, the tables, what is on one side only, and what differs where they ran.
pub fn table(contrast: &Contrast) -> String {
    let mut text = String::new();
    for pair in &contrast.pairs {
        let _ = writeln!(text, "{}", pair.sentence);
    }
    text.push('\n');
    for side in &contrast.sides {
        let _ = writeln!(text, "  {}", side_line(side));
        text.extend(side.notes.iter().map(|note| format!("     {note}\n")));
    }
    text.extend(states(contrast).into_iter().map(|line| format!("  {line}\n")));
    let required = requirements(contrast);
    if !required.is_empty() {
        let _ = writeln!(text, "\n{}", required.join("\n"));
    }
    text.extend(contrast.warnings.iter().map(|warning| format!("\n! {warning}.\n")));
    let (varying, constant) = axes(contrast);
    if !constant.0.is_empty() {
        let _ = writeln!(text, "\nAll cases: {constant}.");
    }
    for pair in &contrast.pairs {
        if !pair.rows.is_empty() {
            text += &format!("\n{}", cases(contrast, pair, &varying).ruled());
            text.extend(notes(pair).iter().chain(&legend(contrast, pair)).map(|line| format!("  {line}\n")));
        }
        text.push_str(&parameters(pair, contrast.confidence));
        text.push_str(&only("A", &pair.letter, &pair.only_a, &pair.parameters.only_a));
        text.push_str(&only(&pair.letter, "A", &pair.only_b, &pair.parameters.only_b));
    }
    text.push_str(&differences(contrast));
    text
}

/// Which states of the machine are held against each other, a line each; none where no side knows any.
pub(super) fn states(contrast: &Contrast) -> Vec<String> {
    let of = |pair: &Pair| pair.states.iter().map(|partners| partners.words(&pair.letter)).collect::<Vec<_>>();
    let lines: Vec<String> = contrast.pairs.iter().flat_map(of).collect();
    let title = (!lines.is_empty()).then(|| "States of the machine, which are compared separately:".to_owned());
    title.into_iter().chain(lines.into_iter().map(|line| format!("  {line}"))).collect()
}

/// `A  results/measure-001: campaign, 24 cases, 6 launches`.
fn side_line(side: &SideLine) -> String {
    let kind = side.kind.words();
    let cases = match side.cases {
        0 => String::new(),
        1 => ", 1 case".to_owned(),
        cases => format!(", {cases} cases"),
    };
    let launches = match side.launches {
        0 => String::new(),
        1 => ", 1 launch".to_owned(),
        launches => format!(", {launches} launches"),
    };
    let crowded = match side.oversubscribed {
        0 => String::new(),
        all if all == side.cases => ", more ranks than cores".to_owned(),
        some => format!(", more ranks than cores in {some} cases"),
    };
    format!("{}  {}: {kind}{cases}{launches}{crowded}", side.letter, side.name)
}

/// Notes on the rows, each once, with how many rows it is about.
pub(super) fn notes(pair: &Pair) -> Vec<String> {
    let counted = counted(pair.rows.iter().map(|row| row.effect.note.as_str()).filter(|note| !note.is_empty()));
    let all = pair.rows.len();
    let mut notes: Vec<String> =
        counted.iter().take(NAMED).map(|(note, count)| format!("{count} of {all}: {note}")).collect();
    if counted.len() > NAMED {
        notes.push(format!("and {} notes more, in CSV and JSON", counted.len() - NAMED));
    }
    notes
}

fn parameters(pair: &Pair, confidence: f64) -> String {
    if pair.parameters.rows.is_empty() {
        return String::new();
    }
    let [_, _, ratio, interval, ..] = heads(pair, confidence);
    let interval = interval.replace(&format!("{} % ", 100.0 * confidence), "");
    let head = ["parameter", "A", &pair.letter, &ratio, &interval, "verdict"];
    let rows = pair.parameters.rows.iter().map(|row| {
        let [_, _, ratio, interval, ..] = cells(&row.effect);
        let verdict = row.verdict().to_owned();
        [row.parameter.clone(), with_interval(&row.a), with_interval(&row.b), ratio, interval, verdict]
    });
    format!("\n{}", Table::plain(head, rows, |column| (1..5).contains(&column)).ruled())
}

fn only(has: &str, lacks: &str, cases: &[Key], parameters: &[String]) -> String {
    let all: Vec<String> = cases.iter().map(Key::to_string).chain(parameters.iter().cloned()).collect();
    if all.is_empty() {
        return String::new();
    }
    let mut text = format!("\nOnly in {has}, not in {lacks} ({}):\n", all.len());
    text.extend(all.iter().take(NAMED).map(|case| format!("  {case}\n")));
    if all.len() > NAMED {
        let _ = writeln!(text, "  and {} more, in CSV and JSON", all.len() - NAMED);
    }
    text
}

fn differences(contrast: &Contrast) -> String {
    if contrast.differences.is_empty() {
        return String::new();
    }
    let mut text = "\nWhat else differs:\n".to_owned();
    for difference in &contrast.differences {
        let _ = writeln!(text, "  {}", difference.fact);
        for (side, value) in contrast.sides.iter().zip(&difference.values) {
            let _ = writeln!(text, "    {}  {}", side.letter, value.as_deref().unwrap_or("not stated"));
        }
    }
    text
}

/// The same as Markdown.
pub fn markdown(contrast: &Contrast) -> String {
    let mut text = "# Comparison\n\n".to_owned();
    contrast.pairs.iter().for_each(|pair| text.push_str(&format!("**{}**\n\n", pair.sentence)));
    contrast.sides.iter().for_each(|side| text.push_str(&format!("- {}\n", side_line(side).replacen("  ", ": ", 1))));
    states(contrast).iter().for_each(|line| match line.strip_prefix("  ") {
        Some(state) => text.push_str(&format!("- {state}\n")),
        None => text.push_str(&format!("\n{line}\n\n")),
    });
    requirements(contrast).iter().for_each(|line| text.push_str(&format!("\n{line}\n")));
    contrast.warnings.iter().for_each(|warning| text.push_str(&format!("\n> {warning}.\n")));
    let (varying, constant) = axes(contrast);
    if !constant.0.is_empty() {
        let _ = writeln!(text, "\nAll cases: {constant}.");
    }
    for pair in &contrast.pairs {
        if !pair.rows.is_empty() {
            text += &format!("\n{}\n", cases(contrast, pair, &varying).markdown());
            legend(contrast, pair).iter().for_each(|line| text.push_str(&format!("- {line}\n")));
        }
        if !pair.parameters.rows.is_empty() {
            text.push_str(&format!("\n```text{}```\n", parameters(pair, contrast.confidence)));
        }
        for (has, lacks, keys, names) in [
            ("A", pair.letter.as_str(), &pair.only_a, &pair.parameters.only_a),
            (pair.letter.as_str(), "A", &pair.only_b, &pair.parameters.only_b),
        ] {
            let told = only(has, lacks, keys, names);
            text.push_str(&told.replace("\n  ", "\n- ").replace("):\n", "):\n\n"));
        }
    }
    if !contrast.differences.is_empty() {
        text += &format!("\n{}", differing(contrast, "what else differs").markdown());
    }
    text
}
