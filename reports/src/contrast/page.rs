//! A comparison as a page.

use super::cells::{axes, cases, cells, differing, legend, requirements};
use super::show::notes;
use super::{Contrast, Pair, draw};
use render::page::{Cell, Page, Section, Table};
use scenario::axis::Key;

/// The page; `command` is what made it.
pub fn page(contrast: &Contrast, command: &str) -> Page {
    let names: Vec<String> = contrast.sides.iter().map(|side| format!("{} ({})", side.letter, side.name)).collect();
    let answer: Vec<&str> = contrast.pairs.iter().map(|pair| pair.sentence.as_str()).collect();
    let mut sections: Vec<Section> = contrast.pairs.iter().map(|pair| section(contrast, pair)).collect();
    sections.extend(contrast.pairs.iter().filter(|pair| !pair.parameters.rows.is_empty()).map(parameters));
    sections.extend(contrast.pairs.iter().filter_map(missing));
    sections.extend(differences(contrast));
    sections.push(method(contrast));
    sections.retain(|section| *section != Section::default());
    let states = contrast.pairs.iter().flat_map(|pair| {
        pair.states.iter().map(|partners| format!("State of the machine: {}.", partners.words(&pair.letter)))
    });
    Page {
        question: format!("How does {} compare with {}?", names[1..].join(", "), names[0]),
        answer: answer.join(" "),
        details: contrast
            .sides
            .iter()
            .flat_map(|side| side.notes.iter().map(|note| format!("{}: {note}.", side.letter)))
            .chain(states)
            .collect(),
        origin: names.join(", "),
        sections,
        reproduce: vec![command.to_owned()],
        environment: Vec::new(),
    }
}

fn section(contrast: &Contrast, pair: &Pair) -> Section {
    if pair.rows.is_empty() {
        return Section::default();
    }
    let (varying, constant) = axes(contrast);
    let mut table = cases(contrast, pair, &varying).noting(&[varying.len() + 3]);
    table.caption =
        "Medians of launches, ratio with interval, Cliff's delta, p alone and adjusted for all comparisons, launches"
            .to_owned();
    if varying.is_empty() {
        table.head.insert(0, "case".to_owned());
        let named = table.rows.iter_mut().zip(&pair.rows);
        named.for_each(|(cells, row)| cells.insert(0, Cell::text(row.case.to_string())));
    }
    let sentence = |line: String| if line.ends_with('.') { line } else { line + "." };
    let told = requirements(contrast).into_iter().chain(notes(pair)).chain(legend(contrast, pair)).map(sentence);
    let said = (!constant.0.is_empty()).then(|| format!("All cases: {constant}."));
    Section::new(format!("{} against A, case by case", pair.letter))
        .with_paragraphs(said.into_iter().chain(told))
        .with_warnings(contrast.warnings.iter().map(|warning| format!("{warning}.")))
        .with_figures(draw::figure(contrast, pair))
        .with_tables([table])
}

fn parameters(pair: &Pair) -> Section {
    let row = |row: &super::ParameterRow| {
        let [_, _, ratio, between, ..] = cells(&row.effect);
        let verdict = row.verdict();
        let (parameter, note) = (row.parameter.clone(), row.effect.note.clone());
        let ratio = Cell::number(ratio, between);
        vec![
            Cell::text(parameter),
            Cell::estimate(&row.a),
            Cell::estimate(&row.b),
            ratio,
            Cell::text(verdict),
            Cell::text(note),
        ]
    };
    let head = ["parameter", "A", &pair.letter, &format!("{} / A", pair.letter), "verdict", "note"];
    let caption = "Calibrated parameters; they differ where their intervals do not overlap";
    Section::new(format!("Parameters of {} against A", pair.letter)).with_tables([Table::new(
        caption,
        head,
        pair.parameters.rows.iter().map(row),
    )])
}

fn missing(pair: &Pair) -> Option<Section> {
    let list = |cases: &[Key], parameters: &[String]| -> Vec<String> {
        cases.iter().map(Key::to_string).chain(parameters.iter().cloned()).collect()
    };
    let only_a = list(&pair.only_a, &pair.parameters.only_a);
    let only_b = list(&pair.only_b, &pair.parameters.only_b);
    let rows = |side: &str, all: Vec<String>| {
        all.into_iter().map(|case| vec![Cell::text(case), Cell::text(side)]).collect::<Vec<_>>()
    };
    let rows = [rows("A", only_a), rows(&pair.letter, only_b)].concat();
    (!rows.is_empty()).then(|| {
        Section::new(format!("Only in A or in {}", pair.letter)).with_tables([Table::new(
            "What is on one side only",
            ["case", "only in"],
            rows,
        )])
    })
}

fn differences(contrast: &Contrast) -> Option<Section> {
    let caption = "Differences between the environments".to_owned();
    (!contrast.differences.is_empty()).then(|| {
        Section::new("What else differs")
            .with_paragraphs(["Any of these may be the cause of a difference in time."])
            .with_tables([Table { caption, ..differing(contrast, "fact") }])
    })
}

fn method(contrast: &Contrast) -> Section {
    let percent = 100.0 * contrast.at_least;
    let key: Vec<&str> = contrast.key.iter().map(|axis| axis.name()).collect();
    let risk =
        format!("{:.3}", 100.0 * (1.0 - contrast.confidence)).trim_end_matches('0').trim_end_matches('.').to_owned();
    let how = format!(
        "Cases are compared if these keys are equal: {}. Each launch is one number, the median of its samples. \
         Launches of separate runs are compared by the rank-sum test (Mann and Whitney 1947), the ratio being the \
         median of all ratios of the two sides' launches; launches of the same rounds in pairs, by the signed-rank \
         test (Wilcoxon 1945). Intervals invert the tests (Hodges and Lehmann 1963; of four or five pairs \
         Student's); three launches or fewer have none, and one launch on a side has no test. Slower and faster: \
         p, adjusted for all cases (Holm 1979), is at most {risk} %, and the ratio is {percent} % or more; of rates, \
         the smaller one is slower; numbers that are neither times nor rates are called larger and smaller. Same: \
         the interval lies within {percent} % either way. Delta is Cliff's: the share of all pairs in which the \
         other side's launch has the larger number, minus the share in which it has the smaller one.",
        key.join(", ")
    );
    Section::new("How it was compared").with_paragraphs([how])
}
