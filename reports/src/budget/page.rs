//! Budgets as a page: for each case its sentence, the waterfall and all numbers.

use super::words::{Scale, interval, sources};
use super::{Budgets, CaseBudget, csv};
use crate::page::{Cell, Figure, Page, Section, Table};
use crate::plots::waterfall;
use crate::store::Line;
use models::budget::{Budget, SystematicError};
use models::machine::Estimate;

/// The page of a campaign of budgets.
pub fn page(lines: &[Line], all: &Budgets) -> Page {
    let mut page = Page::default();
    for line in lines {
        if let Line::Campaign { question, name, seed, environment, reproduce, .. } = line {
            page.question.clone_from(question);
            page.origin = format!("Campaign {name}, seed {seed}");
            page.environment.clone_from(environment);
            page.reproduce.clone_from(reproduce);
        }
    }
    page.answer = answer(all);
    page.details.push(format!(
        "A bar is what the number of “{}” becomes with one error as in “{}”, less that number; the interaction is what is left over, \
         so that all bars add up.",
        all.from.name, all.to.name
    ));
    page.details.push(format!(
        "Intervals of measured bars hold {:.0} % of what resampled rounds say; those of predictions span the machine's parameters.",
        all.confidence * 100.0
    ));
    page.sections = all.cases.iter().enumerate().map(|(index, case)| section(all, case, index)).collect();
    page.sections.push(Section {
        heading: "Where the numbers come from".to_owned(),
        paragraphs: sources(all),
        ..Section::default()
    });
    page
}

/// The sentence of the case whose difference is known best, for its size: the widest of the gaps between both ends' intervals;
/// where they overlap in all cases, of the case whose ends are known best.
fn answer(all: &Budgets) -> String {
    let firmness = |case: &&CaseBudget| {
        let budget = case.best()?;
        let (from, to) = (budget.from_us, budget.to_us);
        let (low, high) = if from.value < to.value { (from, to) } else { (to, from) };
        let gap = (high.low / low.high).ln();
        gap.is_finite().then_some(gap)
    };
    let known = all.cases.iter().filter_map(|case| Some((case, firmness(&case)?)));
    let firmest = known.max_by(|(_, one), (_, other)| one.total_cmp(other));
    firmest.map_or("Nothing could be told.".to_owned(), |(case, _)| format!("{}: {}", case.title(), case.sentence(all)))
}

fn section(all: &Budgets, case: &CaseBudget, index: usize) -> Section {
    let mut paragraphs = vec![case.sentence(all)];
    if let Some(measured) = &case.measured {
        paragraphs.extend(measured.unmeasured.iter().map(|(error, why)| {
            format!("{error} cannot be measured here: {why}. What it does is in the measured interaction.")
        }));
    }
    let alone = Budgets { cases: vec![case.clone()], ..all.clone() };
    let figure = Figure {
        name: format!("budget-{}", index + 1),
        caption: format!("From “{}” to “{}”: {}", all.from.name, all.to.name, case.title()),
        svg: waterfall::draw(&waterfall::Waterfall {
            title: case.title(),
            from: all.from.name.clone(),
            to: all.to.name.clone(),
            predicted: case.predicted.as_ref().map(|predicted| predicted.budget.clone()),
            measured: case.measured.as_ref().map(|measured| measured.budget.clone()),
            unmeasured: case.measured.iter().flat_map(|m| &m.unmeasured).map(|(error, _)| *error).collect(),
        }),
        csv: csv(&alone),
    };
    Section {
        heading: case.title(),
        paragraphs,
        warnings: case.warnings(),
        figures: vec![figure],
        tables: vec![numbers(all, case)],
        ..Section::default()
    }
}

fn numbers(all: &Budgets, case: &CaseBudget) -> Table {
    let budgets = [
        case.predicted.as_ref().map(|predicted| &predicted.budget),
        case.measured.as_ref().map(|measured| &measured.budget),
    ];
    let scale = Scale::of(case);
    let row = |name: &str, of: &dyn Fn(&Budget) -> Option<Estimate>, number: &dyn Fn(f64) -> String| {
        let cell = |budget: &Option<&Budget>| {
            let estimate = budget.and_then(of);
            estimate.map_or_else(|| Cell::text("–"), |e| Cell::number(number(e.value), interval(e, number)))
        };
        [Cell::text(name)].into_iter().chain(budgets.iter().map(cell)).collect::<Vec<Cell>>()
    };
    let (plain, signed) = (|us: f64| scale.plain(us), |us: f64| scale.signed(us));
    let mut rows = vec![row(&all.from.name, &|budget| Some(budget.from_us), &plain)];
    for error in SystematicError::ALL {
        let mut cells = row(&error.to_string(), &|budget| budget.bar(error), &signed);
        if budgets.iter().flatten().all(|budget| budget.bar(error).is_none()) {
            cells[1] = Cell::text("alike");
        }
        if case.unmeasured(error).is_some() {
            cells[2] = Cell::text("not measurable");
        }
        rows.push(cells);
    }
    rows.push(row("interaction", &|budget| Some(budget.interaction), &signed));
    rows.push(row(&all.to.name, &|budget| Some(budget.to_us), &plain));
    Table {
        caption: "Every bar".to_owned(),
        head: vec![String::new(), format!("predicted, {}", scale.symbol), format!("measured, {}", scale.symbol)],
        rows,
    }
}
