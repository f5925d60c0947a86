//! A comparison as typed tables, and as a page.

use super::cells::{axes, legend, quantity, ratio, requirements};
use super::{Contrast, Effect, Pair, SideLine, Unit, draw};
use models::names::counted;
use programs::machine::Estimate;
use render::columns;
use render::data::{Cell, Filled, Known, Row, Show, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::significant;
use render::results::Results;
use render::whence::HEADS;
use render::{groups, table};
use scenario::axis::{Axis, Key};

/// Largest number of notes, and of cases or parameters of one side only, that are listed.
const NAMED: usize = 10;

/// A case or a parameter of a pair of sides.
struct Compared<'a> {
    pair: &'a Pair,
    /// Key of the case; `None` for a parameter.
    case: Option<&'a Key>,
    /// Name of the parameter; empty for a case.
    parameter: &'a str,
    /// Side that has it: `both`, `a` or `b`.
    found_in: &'static str,
    /// The effect with its verdict; `None` where one side lacks the case.
    effect: Option<(&'a Effect, &'static str)>,
    /// Whether ranks had to share cores, of A and of B; `None` for a parameter.
    oversubscribed: Option<(bool, bool)>,
    /// Estimates of a parameter in A and in B; `None` for a case.
    estimates: Option<[Estimate; 2]>,
}

impl<'a> Compared<'a> {
    fn only(pair: &'a Pair, found_in: &'static str) -> Compared<'a> {
        Compared { pair, case: None, parameter: "", found_in, effect: None, oversubscribed: None, estimates: None }
    }

    /// All entries of a pair: those that both sides have, then those that only one has.
    fn from_pair(pair: &'a Pair) -> Vec<Compared<'a>> {
        let both = || Compared::only(pair, "both");
        let cases = pair.rows.iter().map(|row| Compared {
            case: Some(&row.case),
            effect: Some((&row.effect, row.effect.verdict.name())),
            oversubscribed: Some(row.oversubscribed),
            ..both()
        });
        let parameters = pair.parameters.rows.iter().map(|row| Compared {
            parameter: &row.parameter,
            effect: Some((&row.effect, row.verdict())),
            estimates: Some([row.a, row.b]),
            ..both()
        });
        let sides = [("a", &pair.only_a, &pair.parameters.only_a), ("b", &pair.only_b, &pair.parameters.only_b)];
        let only = sides.into_iter().flat_map(|(side, cases, parameters)| {
            let cases = cases.iter().map(move |case| Compared { case: Some(case), ..Compared::only(pair, side) });
            cases.chain(parameters.iter().map(move |parameter| Compared { parameter, ..Compared::only(pair, side) }))
        });
        cases.chain(parameters).chain(only).collect()
    }

    /// A cell of the effect, empty where there is no effect.
    fn cell<T: Into<Cell>>(&self, cell: impl Fn(&'a Effect) -> T) -> Cell {
        self.effect.map(|(effect, _)| cell(effect)).into()
    }

    /// An estimate, with its ends only where there is an interval.
    fn estimate(&self, estimate: impl Fn(&'a Effect) -> Option<Estimate>) -> Cell {
        self.cell(|effect| estimate(effect).map(|estimate| Cell::estimate(estimate, effect.reached > 0.0)))
    }

    /// The effect of a row of a view, in which every row has one.
    fn effect(&self) -> &'a Effect {
        self.effect.expect("both sides have it").0
    }
}

impl Contrast {
    fn compared(&self) -> Vec<Compared<'_>> {
        self.pairs.iter().flat_map(Compared::from_pair).collect()
    }

    fn side(&self, letter: &str) -> Option<&SideLine> {
        self.sides.iter().find(|side| side.letter == letter)
    }

    fn table(&self, rows: &[Compared]) -> Table {
        let name = |letter: &str| self.side(letter).map(|side| side.name.clone()).into();
        let interval = |effect: &Effect| effect.reached > 0.0;
        let columns: [Filled<Compared>; 22] = [
            (columns::SIDE.column(), &|row| row.pair.letter.clone().into()),
            (columns::PARAMETER.column(), &|row| row.parameter.into()),
            (columns::FOUND_IN.column(), &|row| row.found_in.into()),
            (columns::VERDICT.column(), &|row| row.effect.map(|(_, verdict)| verdict).into()),
            (columns::UNIT.column(), &|row| row.cell(|effect| effect.quantity.plain_unit())),
            (columns::BETTER.column(), &|row| row.cell(|effect| effect.quantity.better().name())),
            (columns::RATIO.column(), &|row| row.estimate(|effect| effect.ratio)),
            (columns::A.column(), &|row| row.cell(|effect| effect.a)),
            (columns::B.column(), &|row| row.cell(|effect| effect.b)),
            (columns::DIFFERENCE.column(), &|row| row.estimate(|effect| Some(effect.difference))),
            (columns::DELTA.column(), &|row| row.cell(|effect| effect.delta)),
            (columns::CONFIDENCE.column(), &|row| row.cell(|effect| interval(effect).then_some(effect.reached))),
            (columns::P.headed("p").shown(Style::Probability), &|row| row.cell(|effect| effect.p)),
            (columns::ADJUSTED_P.headed("Holm p").shown(Style::Probability), &|row| {
                row.cell(|effect| effect.adjusted_p)
            }),
            (columns::COUNTED.column(), &|row| row.cell(|effect| effect.unit.name())),
            (columns::COUNT_A.column(), &|row| row.cell(|effect| effect.counts.0)),
            (columns::COUNT_B.column(), &|row| row.cell(|effect| effect.counts.1)),
            (columns::OVERSUBSCRIBED_A.column(), &|row| row.oversubscribed.map(|(a, _)| a).into()),
            (columns::OVERSUBSCRIBED_B.column(), &|row| row.oversubscribed.map(|(_, b)| b).into()),
            (columns::NOTE.column(), &|row| row.cell(|effect| effect.note.clone())),
            (columns::SIDE_A.column(), &|_| name("A")),
            (columns::SIDE_B.column(), &|row| name(&row.pair.letter)),
        ];
        let table = Table::from_rows("rows", rows, &columns);
        let axes = rows.iter().map(|row| match row.case {
            Some(case) => columns::at(case, Axis::CASES).collect(),
            None => Axis::CASES.map(|_| Cell::None).to_vec(),
        });
        let table = table.with_columns(1, columns::axes(Axis::CASES), axes);
        let end = table.columns.len();
        let heads = ["a", "b"].into_iter().flat_map(|side| HEADS.map(|head| format!("{head}_{side}")));
        let origins = rows.iter().map(|row| {
            let sides = [self.side("A"), self.side(&row.pair.letter)].into_iter().flatten();
            sides.flat_map(|side| side.whence.cells_of_all()).map(Cell::from).collect()
        });
        table.with_columns(end, heads.map(columns::words), origins)
    }

    /// Table of a pair's cases for readers: the axes in which they differ, then the effect.
    fn cases(&self, table: &Table, all: &[Compared], pair: &Pair) -> table::Table {
        let (varying, _) = axes(self);
        let unit = quantity(pair).map(|one| format!(" {}", one.unit()));
        // Where units differ, each number has its own.
        let number = |value: f64, effect: &Effect| match unit {
            Some(_) => table::Cell::number(significant(value), ""),
            None => table::Cell::number(format!("{} {}", significant(value), effect.quantity.unit()), ""),
        };
        let effect = |row: Row| all[row.place()].effect();
        let (b, unit) = (&pair.letter, unit.as_deref().unwrap_or_default());
        let rows = (0..all.len()).filter(|&place| {
            let Compared { case, effect, pair: of, .. } = all[place];
            case.is_some() && effect.is_some() && of.letter == *b
        });
        let view = View::new(table).rows(rows).noting(notes(pair).into_iter().chain(legend(self, pair)).collect());
        let view = match varying.is_empty() {
            true => view.show([Show::made("case", |row| {
                table::Cell::text(all[row.place()].case.map(Key::to_string).unwrap_or_default())
            })]),
            false => view.show(Show::all(varying.iter().map(|axis| axis.name()))),
        };
        let numbers = view.show([
            Show::made(format!("A{unit}"), |row| number(effect(row).a, effect(row))),
            Show::made(format!("{b}{unit}"), |row| number(effect(row).b, effect(row))),
            Show::made(format!("{b} / A, {} % interval", 100.0 * self.confidence), |row| ratio(effect(row))),
            Show::made("delta", |row| {
                let delta = effect(row).delta.map(|delta| format!("{:+.2}", delta.value));
                table::Cell::number(delta.unwrap_or_else(|| "–".to_owned()), "")
            }),
            Show::one("p"),
            Show::one("adjusted_p"),
            Show::made("launches", |row| table::Cell::number(launches(effect(row)), "")),
            Show::one("verdict"),
        ]);
        numbers.laid_out()
    }

    /// Table of the parameters of a pair's machines for readers.
    fn parameters(&self, table: &Table, all: &[Compared], pair: &Pair) -> table::Table {
        let estimate = |place: usize| {
            move |row: Row| {
                let estimates = all[row.place()].estimates.expect("parameters have estimates");
                table::Cell::estimate(&estimates[place])
            }
        };
        let of_pair = |place: &usize| all[*place].estimates.is_some() && all[*place].pair.letter == pair.letter;
        let caption = "Calibrated parameters; they differ where their intervals do not overlap";
        let view = View::new(table).captioned(caption).rows((0..all.len()).filter(of_pair)).show([
            Show::one("parameter"),
            Show::made("A", estimate(0)),
            Show::made(pair.letter.clone(), estimate(1)),
            Show::made(format!("{} / A", pair.letter), |row| ratio(all[row.place()].effect())),
            Show::one("verdict"),
            Show::one("note"),
        ]);
        view.laid_out().without_empty_columns()
    }

    fn sections(&self) -> Vec<Section> {
        let all = self.compared();
        let table = self.table(&all);
        let cases = self.pairs.iter().filter(|pair| !pair.rows.is_empty()).map(|pair| {
            Section::new(format!("{} against A, case by case", pair.letter))
                .with_figures(draw::figure(self, pair))
                .with_tables([self.cases(&table, &all, pair)])
        });
        let parameters = self.pairs.iter().filter(|pair| !pair.parameters.rows.is_empty()).map(|pair| {
            Section::new(format!("Parameters of {} against A", pair.letter))
                .with_tables([self.parameters(&table, &all, pair)])
        });
        let only = self.pairs.iter().flat_map(|pair| {
            let b = pair.letter.as_str();
            [only("A", b, &pair.only_a, &pair.parameters.only_a), only(b, "A", &pair.only_b, &pair.parameters.only_b)]
        });
        let differences = (!self.differences.is_empty()).then(|| {
            Section::new("What else differs")
                .with_paragraphs(["Any of these may be the cause of a difference in time."])
                .with_tables([self.differing()])
        });
        let sections = cases.chain(parameters).chain(only.flatten()).chain(differences);
        let mut sections: Vec<Section> = sections.chain([self.method()]).collect();
        sections[0].warnings = self.warnings().collect();
        sections
    }

    /// Table of the other facts that differ between the sides.
    fn differing(&self) -> table::Table {
        let heads = ["fact"].into_iter().chain(self.sides.iter().map(|side| side.letter.as_str()));
        let rows = self.differences.iter().map(|difference| {
            let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not stated".to_owned());
            std::iter::once(difference.fact.clone()).chain(difference.values.iter().map(value))
        });
        table::Table::plain(heads, rows, |_| false).of_sentences()
    }

    fn method(&self) -> Section {
        let percent = 100.0 * self.at_least;
        let key: Vec<&str> = self.key.iter().map(|axis| axis.name()).collect();
        let risk =
            format!("{:.3}", 100.0 * (1.0 - self.confidence)).trim_end_matches('0').trim_end_matches('.').to_owned();
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
        Section::new("How it was compared").with_paragraphs([how]).folded()
    }
}

impl Contrast {
    /// The sides with their notes, states of the machine, launches that comparisons need, and the values that all cases
    /// share.
    fn details(&self) -> Vec<String> {
        let sides = self.sides.iter().flat_map(|side| {
            let notes = side.notes.iter().map(|note| format!("{}: {note}.", side.letter));
            [side.words()].into_iter().chain(notes)
        });
        let states = self.pairs.iter().flat_map(|pair| {
            pair.states.iter().map(|partners| format!("State of the machine: {}.", partners.words(&pair.letter)))
        });
        let (varying, constant) = axes(self);
        let constant = (!constant.0.is_empty() && !varying.is_empty()).then(|| format!("All cases: {constant}."));
        sides.chain(states).chain(requirements(self)).chain(constant).collect()
    }

    fn warnings(&self) -> impl Iterator<Item = String> {
        self.warnings.iter().map(|warning| format!("{warning}."))
    }
}

impl Results for Contrast {
    fn notes(&self) -> Vec<String> {
        self.warnings().chain(self.details()).collect()
    }

    fn page(&self) -> Page {
        let names: Vec<String> = self.sides.iter().map(|side| format!("{} ({})", side.letter, side.name)).collect();
        Page {
            question: format!("How does {} compare with {}?", names[1..].join(", "), names[0]),
            answer: self.pairs.iter().map(|pair| pair.sentence.as_str()).collect::<Vec<_>>().join(" "),
            details: self.details(),
            origin: names.join(", "),
            sections: self.sections(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table(&self.compared())
    }

    fn others(&self) -> Vec<Table> {
        const NAME: Known = Known::text("name", "what the user calls the side", "before");
        const READ_FROM: Known = Known::text("read_from", "what the side was read from", "campaign");
        const CASES: Known = Known::integer("cases", "", "cases of the side", "24");
        const CROWDED: Known = Known::integer("oversubscribed", "", "cases in which ranks had to share cores", "0");
        const FACT: Known = Known::text("fact", "what sides say differently", "host");
        const VALUE: Known = Known::text("value", "what the side says", "node1");
        let sides: [Filled<SideLine>; 6] = [
            (columns::SIDE.column(), &|side| side.letter.clone().into()),
            (NAME.column(), &|side| side.name.clone().into()),
            (READ_FROM.column(), &|side| side.kind.words().into()),
            (CASES.column(), &|side| side.cases.into()),
            (columns::LAUNCHES.column(), &|side| side.launches.into()),
            (CROWDED.column(), &|side| side.oversubscribed.into()),
        ];
        let facts = self.differences.iter().flat_map(|difference| {
            self.sides.iter().zip(&difference.values).map(|(side, value)| {
                vec![difference.fact.clone().into(), side.letter.clone().into(), value.clone().into()]
            })
        });
        let heads = [FACT.column(), columns::SIDE.column(), VALUE.column()];
        vec![Table::from_rows("sides", &self.sides, &sides), Table::new("differences", heads, facts)]
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        let key: Vec<&str> = self.key.iter().map(|axis| axis.name()).collect();
        let key = key.join(",").into();
        vec![("confidence", self.confidence.into()), ("at_least", self.at_least.into()), ("key", key)]
    }
}

impl SideLine {
    /// `A: results/measure-001, campaign, 24 cases, 6 launches`.
    fn words(&self) -> String {
        let count = |count: usize, what| (count > 0).then(|| counted(count, what));
        let crowded = match self.oversubscribed {
            0 => None,
            all if all == self.cases => Some("more ranks than cores".to_owned()),
            some => Some(format!("more ranks than cores in {}", counted(some, "case"))),
        };
        let counts = [count(self.cases, "case"), count(self.launches, "launch"), crowded];
        let words = [self.name.clone(), self.kind.words().to_owned()].into_iter().chain(counts.into_iter().flatten());
        format!("{}: {}.", self.letter, words.collect::<Vec<_>>().join(", "))
    }
}

/// `6+7` launches of A and of B, `6 pairs`, or `1+1`; a dash where numbers with intervals are compared.
fn launches(effect: &Effect) -> String {
    let (a, b) = effect.counts;
    match effect.unit {
        Unit::Launches | Unit::OneLaunch => format!("{a}+{b}"),
        Unit::Rounds => format!("{a} pairs"),
        Unit::Intervals => "–".to_owned(),
    }
}

/// Notes on the rows, each once, with the number of rows that it applies to.
fn notes(pair: &Pair) -> Vec<String> {
    let counted = groups::counted(pair.rows.iter().map(|row| row.effect.note.as_str()).filter(|note| !note.is_empty()));
    let all = pair.rows.len();
    let mut notes: Vec<String> =
        counted.iter().take(NAMED).map(|(note, count)| format!("{count} of {all}: {note}")).collect();
    if counted.len() > NAMED {
        notes.push(format!("and {} notes more, in CSV and JSON", counted.len() - NAMED));
    }
    notes
}

/// Section on the cases and parameters that only one side has; `None` where there are none.
fn only(has: &str, lacks: &str, cases: &[Key], parameters: &[String]) -> Option<Section> {
    let mut all: Vec<String> = cases.iter().map(Key::to_string).chain(parameters.iter().cloned()).collect();
    let section = Section::new(format!("Only in {has}, not in {lacks} ({})", all.len()));
    match all.len() {
        0 => None,
        count if count <= NAMED => Some(section.with_list(all)),
        count => {
            let more = Section::new("The others").folded().with_list(all.split_off(NAMED));
            all.push(format!("and {} more, in CSV and JSON", count - NAMED));
            Some(section.with_list(all).with_parts([more]))
        }
    }
}
