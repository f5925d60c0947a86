//! All results of a tuning: the tables, their files and their proof.

use super::proof::{judged, with};
use super::{By, Call, Counted, Proof, Tried, Tuning, ratios};
use crate::contrast::Verdict;
use render::columns;
use render::data::{Cell, Filled, Known, Show, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::bytes;
use render::results::Results;
use render::whence::Whence;
use scenario::axis::Axis;
use statistics::median;

const TUNING: Known =
    Known::text("tuning", "name of the tuning: `tuned` by the reference, `by-print` by printed numbers", "tuned");
const BY: Known =
    Known::text("by", "numbers by which it is judged: `reference`, `corrected`, or those of a benchmark", "reference");
const CHANGED: Known = Known::integer("changed", "", "calls that the table changes", "14");
const FASTER: Known = Known::integer("faster", "", "of these, calls that are shown to be faster", "9");
const SAME: Known = Known::integer("same", "", "of these, calls that are shown to take as long", "1");
const UNDECIDED: Known = Known::integer("undecided", "", "of these, calls of which neither is shown", "4");
const SLOWER: Known = Known::integer("slower", "", "of these, calls that are shown to be slower", "0");
const OTHERS_SLOWER: Known =
    Known::integer("others_slower", "", "calls that the table leaves as they are and that are shown to be slower", "0");
const MEDIAN: Known =
    Known::number("median", "", "time ÷ time by the library's own choice, median of changed calls", "0.83");
const WORST: Known = Known::number("worst", "", "the largest of these ratios", "1.01");

const IN_TABLE: Known = Known::flag("in_table", "true if the tuning's table changes this call");

/// Note on the columns of ratios.
const OVER_ITS_OWN: &str =
    "× its own: time ÷ time by the library's own choice, median and largest of the changed calls";

/// Results of a campaign of tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    /// Question that the campaign answers.
    pub question: String,
    /// Tuning by the reference, with the name of its files.
    pub reference: (String, Tuning),
    /// Tuning by the numbers that a benchmark prints, with the name of its files.
    pub printed: Option<(String, Tuning)>,
    /// Whether a proof was asked for.
    pub is_to_be_proved: bool,
    /// Proof of the tunings; `None` where none was asked for, or nothing is changed.
    pub proof: Option<Proof>,
    /// Sentences on the files that were written, and on what was left out of them.
    pub files: Vec<String>,
    /// Label and value of each recorded fact of the environment.
    pub environment: Vec<(String, String)>,
    /// Commands that reproduce the campaign.
    pub reproduce: Vec<String>,
}

impl Tuned {
    fn tunings(&self) -> Vec<(&str, &Tuning)> {
        let all = std::iter::once(&self.reference).chain(&self.printed);
        all.map(|(name, tuning)| (name.as_str(), tuning)).collect()
    }

    fn counted(&self) -> Vec<Counted<'_>> {
        let tunings = self.tunings();
        self.proof.as_ref().map(|proof| proof.counted(&tunings)).unwrap_or_default()
    }

    /// Returns the verdicts of the reference, or of corrected numbers, on the table that printed numbers would make, where
    /// no launches of a proof have any.
    fn judged(&self) -> Option<Counted<'_>> {
        let (name, tuning) = self.printed.as_ref().filter(|_| self.proof.is_none())?;
        Some(judged(&self.reference.1, (name, tuning))).filter(|one| !one.changed.is_empty())
    }

    fn table_of_verdicts(name: &'static str, counted: &[Counted<'_>]) -> Table {
        let ratios = |one: &Counted<'_>| ratios(one.changed.iter().map(|(_, tried)| *tried));
        let columns: [Filled<Counted<'_>>; 10] = [
            (TUNING.column(), &|one| one.tuning.as_str().into()),
            (BY.headed("judged by"), &|one| one.by.as_str().into()),
            (CHANGED.column(), &|one| one.changed.len().into()),
            (FASTER.column(), &|one| with(Verdict::Faster, &one.changed).into()),
            (SAME.column(), &|one| with(Verdict::Same, &one.changed).into()),
            (UNDECIDED.column(), &|one| with(Verdict::Undecided, &one.changed).into()),
            (SLOWER.column(), &|one| with(Verdict::Slower, &one.changed).into()),
            (MEDIAN.headed("× its own").shown(Style::Fixed(3)), &|one| median(&ratios(one)).into()),
            (WORST.headed("at worst").shown(Style::Fixed(3)), &|one| ratios(one).into_iter().reduce(f64::max).into()),
            (OTHERS_SLOWER.headed("others slower"), &|one| with(Verdict::Slower, &one.left).into()),
        ];
        Table::from_rows(name, counted, &columns)
    }

    /// Returns every call of a proof: by each kind of numbers, under each tuning over the library's own choice.
    fn proved_calls(&self) -> Option<Table> {
        let confidence = self.proof.as_ref()?.confidence;
        let counted = self.counted();
        let rows: Vec<ProvedRow<'_>> = counted.iter().flat_map(proved_rows).collect();
        let columns: [Filled<ProvedRow<'_>>; 8] = [
            (TUNING.column(), &|row| row.of.tuning.as_str().into()),
            (BY.headed("judged by"), &|row| row.of.by.as_str().into()),
            (IN_TABLE.headed("in its table"), &|row| row.in_table.into()),
            (columns::OWN_CHOICE.headed("its own choice"), &|row| row.tried.own_us.into()),
            (columns::TIME.headed("time"), &|row| row.tried.us.into()),
            (columns::RATIO.headed("ratio").shown(Style::Fixed(3)), &|row| row.tried.ratio.into()),
            (columns::CONFIDENCE.column(), &|_| confidence.into()),
            (columns::VERDICT.column(), &|row| row.tried.verdict.name().into()),
        ];
        let keys: Vec<Vec<Cell>> = rows.iter().map(|row| columns::at(&row.call.at, CALL_AXES).collect()).collect();
        Some(Table::from_rows("proved", &rows, &columns).with_columns(0, columns::axes(CALL_AXES), keys))
    }

    /// Returns the part of a page with every call of a proof.
    fn every_call(&self) -> Option<Section> {
        let (proved, counted, name) = (self.proved_calls()?, self.counted(), self.reference.1.namer());
        let names: Vec<String> = counted.iter().flat_map(proved_rows).map(|row| name(&row.call.at)).collect();
        let call = Show::made("call", |row| render::table::Cell::text(names[row.place()].clone()));
        let length = Show::changed("bytes", |column| column.shown(Style::Bytes));
        let numbers = ["tuning", "by", "in_table", "own_choice_us", "time_us", "ratio", "verdict"];
        let seen = View::new(&proved).show([call, length]).show(Show::all(numbers));
        Some(Section::new("Every call").with_tables([seen.laid_out()]).folded())
    }

    fn section_of_proof(&self) -> Option<Section> {
        let proof = self.proof.as_ref()?;
        let counted = self.counted();
        let notes = vec![
            format!(
                "each call is judged alone, by signed ranks of launches of the same rounds, at {} %: of calls that take as long, some \
                 are shown to be slower by chance",
                100.0 * proof.confidence
            ),
            "what a benchmark prints is of all states of the machine together: launches in another state are a chance of many calls at \
             once"
                .to_owned(),
            OVER_ITS_OWN.to_owned(),
        ];
        let table = Self::table_of_verdicts("proof", &counted);
        let seen = View::new(&table).captioned("The tuned library against its own choice").whole().noting(notes);
        let section = self.section_of_losses("Proof", &counted).with_tables([seen.laid_out()]);
        Some(section.with_parts(self.every_call()).with_id("proof"))
    }

    /// Returns the section on the table that printed numbers would make, judged without a proof.
    fn section_of_cost(&self) -> Option<Section> {
        let judged = self.judged()?;
        let table = Self::table_of_verdicts("judged", std::slice::from_ref(&judged));
        let columns = ["tuning", "by", "changed", "faster", "same", "undecided", "slower", "median", "worst"];
        let by = self.reference.1.by.words();
        let seen = View::new(&table)
            .captioned(format!("The table that printed numbers would make, by {by}"))
            .show(Show::all(columns))
            .noting(vec![OVER_ITS_OWN.to_owned()]);
        let section = self.section_of_losses("What printed numbers would cost", std::slice::from_ref(&judged));
        Some(section.with_tables([seen.laid_out()]).with_id("cost"))
    }

    /// Returns a section that lists the calls which are shown to be slower.
    fn section_of_losses(&self, title: &str, counted: &[Counted<'_>]) -> Section {
        let tuning = |name: &str| self.tunings().into_iter().find(|(one, _)| *one == name).map(|(_, tuning)| tuning);
        let loss = |one: &Counted<'_>, (call, tried): &(&Call, &Tried)| {
            let name = tuning(&one.tuning).map(|tuning| tuning.namer()(&call.at)).unwrap_or_default();
            let (by, ratio) = (&one.by, tried.ratio);
            let (low, high) = (ratio.low, ratio.high);
            format!(
                "{}, by {by}: {name}, {}: {:.3} times as long [{low:.3}, {high:.3}]",
                one.tuning,
                bytes(call.bytes),
                ratio.value
            )
        };
        let losses: Vec<String> =
            counted.iter().flat_map(|one| one.slower().map(move |call| loss(one, call))).collect();
        let undecided: usize = counted.iter().map(|one| with(Verdict::Undecided, &one.changed)).sum();
        let words = match (losses.is_empty(), undecided) {
            (false, _) => "Shown to be slower:".to_owned(),
            (true, 0) => "No call is shown to be slower.".to_owned(),
            (true, _) => format!("No call is shown to be slower; of {undecided} that are changed neither is shown."),
        };
        Section::new(title).with_paragraphs([words]).with_list(losses)
    }

    /// Returns the answers: that of the proof first, if there is one, then the expected gain.
    fn answers(&self) -> impl Iterator<Item = String> {
        let unproved = self.is_to_be_proved && self.proof.is_none();
        let changes = self.tunings().iter().any(|(_, tuning)| tuning.changed().next().is_some());
        let why =
            if changes { "The table is not proved yet: go on with --resume." } else { "There is nothing to prove." };
        let nothing = unproved.then(|| why.to_owned());
        let expected = self.reference.1.page().answer;
        let proved = self.proved();
        let expected = if proved.is_some() { format!("Expected before the proof: {expected}") } else { expected };
        proved.into_iter().chain([expected]).chain(nothing)
    }

    /// Returns the sentence on the proof by the reference.
    fn proved(&self) -> Option<String> {
        let counted = self.counted();
        let one = counted.iter().find(|one| one.tuning == self.reference.0 && one.by == By::Reference.word())?;
        let median = median(&ratios(one.changed.iter().map(|(_, tried)| *tried)))?;
        let [faster, slower] = [Verdict::Faster, Verdict::Slower].map(|verdict| with(verdict, &one.changed));
        let (all, changed) = (one.changed.len() + one.left.len(), one.changed.len());
        let judgement = match (faster, slower) {
            (0, _) => "Not confirmed: in launches of its own the tuned library is faster in none",
            _ => "In launches of its own the tuned library is shown to be faster in",
        };
        let faster = if faster == 0 { String::new() } else { format!(" {faster}") };
        Some(format!(
            "{judgement}{faster} of the {changed} calls that the table changes (of {all}), slower in {slower}; they take {median:.2} times as \
             long (median)."
        ))
    }
}

impl Results for Tuned {
    fn notes(&self) -> Vec<String> {
        self.answers().skip(1).chain(self.reference.1.notes()).chain(self.files.clone()).collect()
    }

    fn page(&self) -> Page {
        let reference = self.reference.1.page();
        let mut sections: Vec<Section> = self.section_of_proof().into_iter().collect();
        sections.extend(reference.sections);
        sections.extend(self.section_of_cost());
        if let Some((_, printed)) = &self.printed {
            let parts = printed.sections().into_iter().map(|part| part.with_id("")).collect::<Vec<_>>();
            let parts = parts.into_iter().map(|mut part| {
                part.figures.clear();
                part
            });
            let section =
                Section::new("The table that printed numbers would make").with_paragraphs([printed.page().answer]);
            sections.push(section.with_parts(parts).with_id("by-print"));
        }
        Page {
            question: self.question.clone(),
            answer: self.answers().next().unwrap_or_default(),
            details: self.notes(),
            origin: self.reference.1.name.clone(),
            sections,
            reproduce: self.reproduce.clone(),
            environment: self.environment.clone(),
        }
    }

    fn rows(&self) -> Table {
        self.reference.1.rows()
    }

    fn others(&self) -> Vec<Table> {
        let proof = self.proof.is_some().then(|| Self::table_of_verdicts("proof", &self.counted()));
        let judged = self.judged().map(|judged| Self::table_of_verdicts("judged", &[judged]));
        self.reference.1.others().into_iter().chain(proof).chain(judged).chain(self.proved_calls()).collect()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![("question", self.question.clone().into())]
    }

    fn whence(&self) -> Option<Whence> {
        self.reference.1.whence()
    }
}

/// A call of a proof under a tuning.
struct ProvedRow<'a> {
    of: &'a Counted<'a>,
    call: &'a Call,
    tried: &'a Tried,
    in_table: bool,
}

/// Returns the calls of a tuning that a proof has, those that its table changes first.
fn proved_rows<'a>(of: &'a Counted<'a>) -> impl Iterator<Item = ProvedRow<'a>> {
    let changed = of.changed.iter().map(|call| (call, true));
    let all = changed.chain(of.left.iter().map(|call| (call, false)));
    all.map(move |((call, tried), in_table)| ProvedRow { of, call, tried, in_table })
}

/// Axes of the calls of a proof.
const CALL_AXES: [Axis; 7] =
    [Axis::World, Axis::Transport, Axis::Ranks, Axis::Operation, Axis::Form, Axis::Root, Axis::Bytes];
