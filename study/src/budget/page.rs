//! Budgets as a page: for each case its sentence, the waterfall and all numbers.

use super::words::{Scale, clocks, interval, name_of, sources, unsure_predictions};
use super::{BudgetRow, Budgets, CaseBudget};
use programs::budget::{Bar, Budget};
use programs::machine::Estimate;
use render::page::{Cell, Figure, Page, Section, Table};
use render::plots::waterfall::{self, Part, Waterfall};
use render::results::{Look, Results};
use render::table::Bar as DrawnBar;
use scenario::store::CampaignLines;

/// The page of a campaign of budgets.
pub fn page<'a>(lines: impl Into<CampaignLines<'a>>, all: &Budgets) -> Page {
    page_of(lines.into(), all, true)
}

/// Returns the page, with sentences on the origin of the numbers if it is `detailed`, else only on that of clocks.
fn page_of(lines: CampaignLines<'_>, all: &Budgets, detailed: bool) -> Page {
    let question = format!("From {} to {}", all.from.name, all.to.name);
    let mut page = Page { question, environment: all.environment.clone(), ..Page::default() };
    if let Some(of) = lines.question() {
        page.question = of.question.to_owned();
        page.origin = format!("Campaign {}, seed {}", of.name, of.seed);
        page.reproduce = of.reproduce.to_vec();
    }
    page.answer = conclude(all);
    page.details.extend(detailed.then(|| background(all)).into_iter().flatten());
    page.details.extend(all.checked.iter().cloned());
    page.details
        .extend(all.load.as_deref().into_iter().chain(unsure_predictions(all)).map(|remark| format!("{remark}.")));
    page.sections = all.cases.iter().enumerate().map(|(index, case)| section(all, case, index)).collect();
    if detailed {
        page.sections.push(Section::new("Where the numbers come from").with_paragraphs(sources(all)));
    } else {
        page.details.extend(clocks(all));
    }
    page
}

/// Returns the text of the page for a terminal; sentences on the origin of the numbers only with all details.
pub(super) fn terminal(all: &Budgets, look: Look) -> String {
    // Each case begins with its sentence.
    let page = Page { answer: String::new(), ..page_of(CampaignLines::from(&[]), all, look.detailed) };
    page.terminal(look)
}

/// Returns sentences on the origin of the numbers.
fn background(all: &Budgets) -> [String; 2] {
    [
        "Switches (how calls start, buffers, the root) are measured in all combinations, interleaved in the same \
         launches; the interaction of two switches is divided equally between them, that of all three is in the \
         remainder. Errors that are computed from the same times (E2, E1, E7) follow in that order. Effects are \
         factors; in µs each bar is its logarithm's share of the whole difference, so that all bars add up."
            .to_owned(),
        format!(
            "Intervals of measured bars have {:.0} % confidence and are over launches (Hodges and Lehmann's estimate, \
             signed ranks); those of predictions span the machine's parameters. A bar whose interval contains 0 is not \
             drawn.",
            all.confidence * 100.0
        ),
    ]
}

/// The sentence of the case that most surely differs: the one whose ratio's interval is farthest from 1, or extends
/// least beyond it.
pub(super) fn conclude(all: &Budgets) -> String {
    let firmness = |case: &&CaseBudget| {
        let ratio = case.best()?.ratio?;
        let gap = ratio.low.ln().max(-ratio.high.ln());
        let few = case.measured.as_ref().is_some_and(|measured| !measured.has_intervals());
        (gap.is_finite() && !few).then_some(gap)
    };
    let known = all.cases.iter().filter_map(|case| Some((case, firmness(&case)?)));
    let firmest = known.max_by(|(_, one), (_, other)| one.total_cmp(other));
    firmest.map_or("There are no results.".to_owned(), |(case, _)| format!("{}: {}", case.title(), case.sentence(all)))
}

fn section(all: &Budgets, case: &CaseBudget, index: usize) -> Section {
    let mut paragraphs = vec![case.sentence(all)];
    if let Some(measured) = &case.measured {
        paragraphs.extend(measured.unmeasured.iter().map(|(error, why)| {
            format!("{error} cannot be measured here: {why}. Its effect is part of the measured remainder.")
        }));
    }
    let alone = Budgets { cases: vec![case.clone()], ..all.clone() };
    let figure = Figure::new(
        format!("budget-{}", index + 1),
        format!("From {} to {}: {}", name_of(&all.from), all.to.name, case.title()),
        waterfall(all, case).drawing(),
        alone.rows(),
    );
    Section::new(case.title())
        .with_paragraphs(paragraphs)
        .with_warnings(case.warnings())
        .with_figures([figure])
        .with_tables([numbers(all, case)])
}

/// Figure of a case: a predicted bar is drawn unless its interval contains 0, a measured one according to
/// [`CaseBudget::drawn`].
fn waterfall(all: &Budgets, case: &CaseBudget) -> Waterfall {
    let row = |row: BudgetRow| {
        let measured = row.bars[1].map(|bar| Part { us: bar.us, drawn: case.drawn(&row).is_some() });
        let predicted = row.bars[0].map(|bar| Part { us: bar.us, drawn: bar.is_sure() || bar.us.low == bar.us.high });
        waterfall::WaterfallRow { bars: [predicted, measured], missing: row.missing, name: row.name }
    };
    Waterfall {
        title: case.title(),
        from: all.from.name.clone(),
        to: all.to.name.clone(),
        ends: case.budgets().map(|budget| budget.map(|budget| [budget.from_us, budget.to_us])),
        rows: case.rows().into_iter().map(row).collect(),
    }
}

fn numbers(all: &Budgets, case: &CaseBudget) -> Table {
    let budgets = case.budgets();
    let scale = Scale::for_case(case);
    let (plain, signed) = (|us: f64| scale.plain(us), |us: f64| scale.signed(us));
    let cell = |estimate: Option<Estimate>, number: &dyn Fn(f64) -> String| {
        estimate.map_or_else(|| Cell::text("–"), |e| Cell::number(number(e.value), interval(e, number)))
    };
    let end = |name: &str, of: &dyn Fn(&Budget) -> Estimate, ratio: Option<Estimate>| {
        let times = budgets.map(|budget| cell(budget.map(of), &plain));
        [Cell::text(name)].into_iter().chain(times).chain([cell(ratio, &factor)]).collect::<Vec<Cell>>()
    };
    let mut rows = vec![end(&name_of(&all.from), &|budget| budget.from_us, None)];
    for row in case.rows() {
        let mut cells = vec![Cell::text(&row.name)];
        cells.extend(row.bars.map(|bar: Option<&Bar>| cell(bar.map(|bar| bar.us), &signed)));
        if row.missing {
            cells[2] = Cell::text("not measurable");
        }
        cells[2].bar = case.drawn(&row).map(|bar| Box::new(DrawnBar::Change(bar.us.value)));
        cells.push(cell(row.best().and_then(|bar| bar.factor), &factor));
        rows.push(cells);
    }
    rows.push(end(&all.to.name, &|budget| budget.to_us, case.best().and_then(|budget| budget.ratio)));
    let head = ["", "predicted", "measured", "factor"];
    Table { spare: vec![3], ..Table::new(format!("Every bar, in {}", scale.symbol), head, rows) }
}

fn factor(value: f64) -> String {
    format!("×{value:.3}")
}
