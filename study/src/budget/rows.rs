//! Rows of a case's table, for all forms of output: the bars of both sides that belong together.

use super::CaseBudget;
use programs::budget::{Bar, Budget, SystematicError};

/// One row between both ends.
pub(crate) struct BudgetRow<'a> {
    /// Name of the row's error.
    pub name: String,
    /// The predicted and the measured bar.
    pub bars: [Option<&'a Bar>; 2],
    /// True if it could not be measured.
    pub missing: bool,
}

impl BudgetRow<'_> {
    /// The measured bar, else the predicted one.
    pub(crate) fn best(&self) -> Option<&Bar> {
        if self.missing { None } else { self.bars[1].or(self.bars[0]) }
    }
}

impl CaseBudget {
    /// The predicted and the measured budget.
    pub(crate) fn budgets(&self) -> [Option<&Budget>; 2] {
        [self.predicted.as_ref().map(|of| &of.budget), self.measured.as_ref().map(|of| &of.budget)]
    }

    /// All bars in the order of the budget, then the remainder unless it is 0.
    pub(crate) fn rows(&self) -> Vec<BudgetRow<'_>> {
        let budgets = self.budgets();
        let most = budgets.into_iter().flatten().max_by_key(|budget| budget.bars.len());
        let mut rows: Vec<BudgetRow> = most
            .iter()
            .flat_map(|budget| &budget.bars)
            .map(|bar| BudgetRow {
                name: self.name(bar),
                bars: budgets.map(|budget| budget?.bar(bar.errors[0])),
                missing: self.unmeasured(bar.errors[0]).is_some(),
            })
            .collect();
        let told = |error: SystematicError| most.is_some_and(|budget| budget.bar(error).is_some());
        let unmeasured = self.measured.iter().flat_map(|measured| &measured.unmeasured);
        rows.extend(unmeasured.filter(|(error, _)| !told(*error)).map(|(error, _)| BudgetRow {
            name: error.to_string(),
            bars: [None, None],
            missing: true,
        }));
        let left = budgets.map(|budget| budget.map(|budget| &budget.remainder));
        if left.into_iter().flatten().any(|bar| bar.us.value != 0.0 || bar.us.low != bar.us.high) {
            rows.push(BudgetRow { name: "remainder".to_owned(), bars: left, missing: false });
        }
        rows
    }

    /// The bar that figures show for a row. A bar is left out where its interval contains 0, and where there were too
    /// few launches for an interval.
    pub(crate) fn drawn<'a>(&self, row: &'a BudgetRow) -> Option<&'a Bar> {
        let few = self.measured.as_ref().is_some_and(|measured| !measured.has_intervals());
        row.best().filter(|bar| bar.is_sure() && (!few || row.bars[1].is_none()))
    }
}
