//! Choices as tables, a picture and sentences.

use super::{Candidate, Choice, Choices, Scores, Side, TIE, WRONG, scores};
use programs::machine::Estimate;
use render::columns;
use render::data::{Filled, Known, Style, Table, View};
use render::groups::grouped;
use render::page::{Figure, Section};
use render::plots::canvas::HUES;
use render::plots::forest::{Forest, ForestRow};
use render::plots::numbers::bytes;
use scenario::axis::{Axis, Key};
use statistics::quantile;

const POINTS: Known = Known::integer("points", "", "calls for which an algorithm is chosen", "144");
const WRONG_POINTS: Known =
    Known::integer("wrong", "", "calls whose choice takes more than a tenth longer than the fastest", "41");
const MEDIAN_COST: Known =
    Known::number("median_cost", "", "true time of the choice ÷ least true time, median", "1.02");
const WORST_COST: Known = Known::number("worst_cost", "", "true time of the choice ÷ least true time, largest", "5.3");
const WORST_AT: Known = Known::text("worst_at", "call with the largest cost", "256 ranks, 8 B");
const CHOSEN_BY: Known = Known::text("chosen_by", "what chose: printed numbers, or a library's table", "printed");
const BOTH: Known = Known::integer("both", "", "calls whose table entry is among the fastest by both", "80");
const PRINTED_ONLY: Known =
    Known::integer("printed_only", "", "calls whose table entry is among the fastest by printed numbers alone", "12");
const TRUE_ONLY: Known =
    Known::integer("true_only", "", "calls whose table entry is among the fastest by true times alone", "9");
const NEITHER: Known = Known::integer("neither", "", "calls whose table entry is among the fastest by neither", "43");
const SCORE: Known = Known::number("score", "", "(printed_only − true_only) ÷ calls, of the library's table", "0.07");
const MADE_OF_PRINTED: Known = Known::interval(
    "made_of_printed",
    "",
    "score of tables made of the printed numbers of one network, over the others: median and range",
    "0.1",
);
const MADE_OF_TRUE: Known = Known::interval(
    "made_of_true",
    "",
    "score of tables made of the true times of one network, over the others: median and range",
    "-0.3",
);
const SAME_AS_PRINTED: Known =
    Known::integer("same_as_printed", "", "calls whose table entry is the choice by printed numbers", "40");
const SAME_AS_TRUE: Known =
    Known::integer("same_as_true", "", "calls whose table entry is the choice by true times", "38");

const PRINTED: Known = Known::text("by_printed", "choice by printed numbers", "binomial");
const TRUE: Known = Known::text("by_true", "choice by true times", "k-nomial");
const TABLE: Known = Known::text("by_table", "choice of the library's table", "binary");
const PRINTED_COST: Known =
    Known::number("printed_cost", "", "true time of the choice by printed numbers ÷ least true time", "1.2");
const TABLE_COST: Known = Known::number("table_cost", "", "true time of the table's choice ÷ least true time", "1");

/// Choices of one operation by one benchmark, whose names come first.
type Group<'a> = ((String, String), Vec<&'a Choice>);

/// Costs of the choices of one operation by one benchmark, or by the table.
struct Costs<'a> {
    operation: String,
    benchmark: String,
    by: String,
    /// Costs, each with its call.
    all: Vec<(f64, &'a Choice)>,
}

/// Agreement of the table with one operation's choices by one benchmark.
struct Agreement<'a> {
    operation: String,
    benchmark: String,
    all: Vec<&'a Choice>,
    scores: Scores,
}

impl Costs<'_> {
    fn values(&self) -> Vec<f64> {
        self.all.iter().map(|(cost, _)| *cost).collect()
    }

    fn wrong(&self) -> usize {
        self.all.iter().filter(|(cost, _)| *cost > 1.0 + WRONG).count()
    }

    fn worst(&self) -> Option<&(f64, &Choice)> {
        self.all.iter().max_by(|one, other| one.0.total_cmp(&other.0))
    }

    fn worst_at(&self) -> String {
        let worst = self.worst().filter(|(cost, _)| *cost > 1.0 + TIE);
        worst.map(|(_, choice)| words(&choice.at)).unwrap_or_default()
    }
}

/// Returns ranks and bytes in words.
fn words(at: &Key) -> String {
    let length = at.number(Axis::Bytes).map(|length| format!(", {}", bytes(length))).unwrap_or_default();
    format!("{} ranks{length}", at.text(Axis::Ranks))
}

impl Agreement<'_> {
    fn on(&self, side: Side) -> usize {
        let of_table = |choice: &&Choice| choice.side_of(&choice.table.as_ref()?.algorithm);
        self.all.iter().filter_map(of_table).filter(|found| *found == side).count()
    }

    fn same(&self, chosen: fn(&Choice) -> Option<&Candidate>) -> usize {
        let is_same = |choice: &&&Choice| {
            let of_table = choice.table.as_ref().map(|table| &table.algorithm);
            of_table.is_some() && of_table == chosen(choice).map(|one| &one.algorithm)
        };
        self.all.iter().filter(is_same).count()
    }
}

impl Choices {
    /// Returns the choices of each operation by each benchmark.
    fn groups(&self) -> Vec<Group<'_>> {
        grouped(
            self.all.iter().map(|choice| ((choice.at.text(Axis::Operation), choice.at.text(Axis::Benchmark)), choice)),
        )
    }

    /// Returns the costs of each operation's choices: those of the table once, then those by each benchmark.
    fn costs<'a>(&self, groups: &[Group<'a>]) -> Vec<Costs<'a>> {
        let mut found: Vec<Costs<'a>> = Vec::new();
        for ((operation, benchmark), choices) in groups {
            let of = |benchmark: &str, by: &str, chosen: fn(&Choice) -> Option<&Candidate>| {
                let all = choices.iter().filter_map(|&choice| Some((choice.cost(chosen(choice)?), choice))).collect();
                Costs { operation: operation.clone(), benchmark: benchmark.to_owned(), by: by.to_owned(), all }
            };
            // What the table's choices cost depends on no benchmark.
            let table = self.table.iter().filter(|_| found.iter().all(|one| one.operation != *operation));
            let by_table: Vec<_> = table.map(|table| of("", table, |choice| choice.table.as_ref())).collect();
            found.extend(by_table);
            found.push(of(benchmark, "printed", Choice::by_print));
        }
        found
    }

    fn agreements(groups: Vec<Group<'_>>) -> Vec<Agreement<'_>> {
        let all = groups.into_iter().filter_map(|((operation, benchmark), all)| {
            scores(&all).map(|scores| Agreement { operation, benchmark, all, scores })
        });
        all.collect()
    }

    fn table_of_costs(costs: &[Costs<'_>]) -> Table {
        let columns: [Filled<Costs<'_>>; 8] = [
            (columns::OPERATION.column(), &|costs| costs.operation.as_str().into()),
            (columns::BENCHMARK.column(), &|costs| costs.benchmark.as_str().into()),
            (CHOSEN_BY.headed("chosen by"), &|costs| costs.by.as_str().into()),
            (POINTS.headed("calls"), &|costs| costs.all.len().into()),
            (WRONG_POINTS.headed("wrong"), &|costs| costs.wrong().into()),
            (MEDIAN_COST.headed("median").shown(Style::Fixed(2)), &|costs| quantile(&costs.values(), 0.5).into()),
            (WORST_COST.headed("worst").shown(Style::Fixed(2)), &|costs| costs.worst().map(|(cost, _)| *cost).into()),
            (WORST_AT.headed("where"), &|costs| costs.worst_at().into()),
        ];
        Table::from_rows("costs", costs, &columns)
    }

    fn table_of_agreements(agreements: &[Agreement<'_>]) -> Table {
        let columns: [Filled<Agreement<'_>>; 12] = [
            (columns::OPERATION.column(), &|one| one.operation.as_str().into()),
            (columns::BENCHMARK.column(), &|one| one.benchmark.as_str().into()),
            (POINTS.headed("calls"), &|one| one.all.iter().filter(|choice| choice.table.is_some()).count().into()),
            (BOTH.headed("both"), &|one| one.on(Side::Both).into()),
            (PRINTED_ONLY.headed("printed only"), &|one| one.on(Side::Printed).into()),
            (TRUE_ONLY.headed("true only"), &|one| one.on(Side::True).into()),
            (NEITHER.headed("neither"), &|one| one.on(Side::Neither).into()),
            (SCORE.column().shown(Style::Fixed(2)), &|one| one.scores.table.into()),
            (MADE_OF_PRINTED.headed("made of printed").shown(Style::Fixed(2)), &|one| one.scores.of_printed.into()),
            (MADE_OF_TRUE.headed("made of true").shown(Style::Fixed(2)), &|one| one.scores.of_true.into()),
            (SAME_AS_PRINTED.headed("same as printed"), &|one| one.same(Choice::by_print).into()),
            (SAME_AS_TRUE.headed("same as true"), &|one| one.same(Choice::by_truth).into()),
        ];
        Table::from_rows("agreements", agreements, &columns)
    }

    /// Returns a row for each call: its coordinates, the choices, and their costs.
    pub fn rows(&self) -> Table {
        let named = |one: Option<&Candidate>| one.map(|one| one.algorithm.clone()).into();
        let cost = |choice: &Choice, one: Option<&Candidate>| one.map(|one| choice.cost(one)).into();
        let columns: [Filled<Choice>; 5] = [
            (PRINTED.column(), &|choice| named(choice.by_print())),
            (TRUE.column(), &|choice| named(choice.by_truth())),
            (TABLE.column(), &|choice| named(choice.table.as_ref())),
            (PRINTED_COST.column(), &|choice| cost(choice, choice.by_print())),
            (TABLE_COST.column(), &|choice| cost(choice, choice.table.as_ref())),
        ];
        let axes = || Axis::POINTS.into_iter().filter(|axis| *axis != Axis::Algorithm);
        let keys = self.all.iter().map(|choice| columns::at(&choice.at, axes()).collect::<Vec<_>>());
        Table::from_rows("choices", &self.all, &columns).with_columns(
            0,
            columns::axes(axes()),
            keys.collect::<Vec<_>>(),
        )
    }

    /// Returns the part of a page on the choices.
    pub fn section(&self) -> Section {
        let groups = self.groups();
        let (costs, agreements) = (self.costs(&groups), Self::agreements(groups));
        let (of_costs, of_agreements) = (Self::table_of_costs(&costs), Self::table_of_agreements(&agreements));
        let costs_seen = View::new(&of_costs)
            .captioned("What choices cost in true time, over the fastest algorithm")
            .whole()
            .noting(vec![format!("wrong: more than {:.0} % longer than the fastest", WRONG * 100.0)])
            .laid_out();
        let agreements_seen =
            View::new(&of_agreements).captioned("On which side the table stands").whole().noting(notes()).laid_out();
        Section::new("Choices of algorithms")
            .with_paragraphs(sentences(&costs, &agreements, self.table.as_deref()))
            .with_figures([self.figure(&costs)])
            .with_tables(
                [Some(costs_seen), Some(agreements_seen).filter(|_| !agreements.is_empty())].into_iter().flatten(),
            )
            .with_id("choices")
    }

    /// Returns the picture of the costs: the median over all calls, and the range of nine tenths.
    fn figure(&self, costs: &[Costs<'_>]) -> Figure {
        let mut last = "";
        let rows = costs.iter().map(|costs| {
            let at = |share| quantile(&costs.values(), share).unwrap_or(1.0);
            let group = (last != costs.operation).then(|| costs.operation.clone());
            last = &costs.operation;
            let (name, hue) = match costs.by.as_str() {
                "printed" => (format!("by the number of {}", costs.benchmark), HUES[0]),
                table => (table.to_owned(), HUES[1]),
            };
            ForestRow { name, group, value: Estimate { value: at(0.5), low: at(0.05), high: at(0.95) }, hue }
        });
        let title = "True time of the chosen algorithm over the fastest".to_owned();
        let axis_title = "× the fastest: median, and from 5 to 95 % of the calls".to_owned();
        let forest =
            Forest { width: 760.0, title: title.clone(), axis_title, rows: rows.collect(), reference: Some(1.0) };
        let caption = format!("{title}: of {} choices.", self.all.len());
        Figure::new("choices", caption, forest.drawing(), self.rows())
    }
}

fn notes() -> Vec<String> {
    vec![
        format!("among the fastest: at most {:.0} % longer; both: by printed numbers and by true times", TIE * 100.0),
        "score: (printed only − true only) ÷ calls; made of printed, of true: scores of tables that the least numbers, or times, of \
         one network make, over the other networks: median and range"
            .to_owned(),
        "same: the table takes just the algorithm that printed numbers, or true times, put first".to_owned(),
    ]
}

/// Says how often choices are wrong, and on which side the table stands.
fn sentences(costs: &[Costs<'_>], agreements: &[Agreement<'_>], table: Option<&str>) -> Vec<String> {
    let by_benchmark = grouped(costs.iter().map(|costs| ((costs.benchmark.clone(), costs.by.clone()), costs)));
    let mut said: Vec<String> = by_benchmark
        .into_iter()
        .map(|((benchmark, by), costs)| {
            let calls: usize = costs.iter().map(|one| one.all.len()).sum();
            let wrong: usize = costs.iter().map(|one| one.wrong()).sum();
            let worst = costs.iter().filter_map(|one| Some((one, one.worst()?))).max_by(|a, b| a.1.0.total_cmp(&b.1.0));
            let worst = worst.map(|(one, (cost, choice))| {
                format!("; the worst takes {cost:.1} times the least time ({}, {})", one.operation, words(&choice.at))
            });
            let who = if by == "printed" { format!("The least number of {benchmark}") } else { by };
            let (over, worst) = (WRONG * 100.0, worst.unwrap_or_default());
            format!(
                "{who} chooses an algorithm that takes over {over:.0} % more true time than the fastest in {wrong} of {calls} \
                 calls{worst}."
            )
        })
        .collect();
    let Some(table) = table else { return said };
    for (benchmark, all) in grouped(agreements.iter().map(|one| (one.benchmark.clone(), one))) {
        let sum = |side| all.iter().map(|one| one.on(side)).sum::<usize>();
        said.push(format!(
            "Where the two differ, {table} is among the fastest by {benchmark}'s number alone in {}, by true time alone in {} calls.",
            sum(Side::Printed),
            sum(Side::True),
        ));
    }
    said
}
