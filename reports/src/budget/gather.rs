//! Which lines of a campaign belong to which case.

use super::measured::measured;
use super::{Budgets, CONFIDENCE, CaseBudget, Predicted};
use crate::store::Line;
use models::budget::{Configuration, Round};
use models::method::Method;
use models::observation::{Case, Conditions};

/// The budgets between two configurations that a campaign holds, in the order in which their cases came up.
pub fn budgets(lines: &[Line], from: &Configuration, to: &Configuration) -> Budgets {
    let mut cases: Vec<CaseBudget> = Vec::new();
    for line in lines {
        match line {
            Line::Round(round) => {
                place(&mut cases, &subject(&round.observation.case), false);
            }
            Line::Budget(budget) => {
                let predicted = Predicted { machine: budget.machine.clone(), budget: budget.budget.clone() };
                place(&mut cases, &subject(&budget.case), budget.simulated).predicted = Some(predicted);
            }
            Line::Campaign { .. }
            | Line::Machine(_)
            | Line::ClockCheck(_)
            | Line::ReportCard { .. }
            | Line::Memory(_)
            | Line::Predicted { .. }
            | Line::Truth { .. }
            | Line::Measured(_)
            | Line::LeftOut { .. }
            | Line::Audited(_)
            | Line::Finished => {}
        }
    }
    for case in cases.iter_mut().filter(|case| !case.simulated) {
        let rooted = case.case.collective.is_rooted();
        case.measured = measured(&rounds(lines, &case.case), &from.rooted(rooted), &to.rooted(rooted));
    }
    Budgets { from: from.clone(), to: to.clone(), confidence: CONFIDENCE, cases }
}

/// The rounds of one case, in order.
fn rounds<'a>(lines: &'a [Line], case: &Case) -> Vec<&'a Round> {
    let all = lines.iter().filter_map(|line| match line {
        Line::Round(round) => Some(&**round),
        _ => None,
    });
    all.filter(|round| subject(&round.observation.case) == *case).collect()
}

/// What the runs of one budget have in common.
fn subject(case: &Case) -> Case {
    Case { conditions: Conditions::default(), ..case.by(Method::Window) }
}

fn place<'a>(cases: &'a mut Vec<CaseBudget>, case: &Case, simulated: bool) -> &'a mut CaseBudget {
    let found = cases.iter().position(|known| known.case == *case && known.simulated == simulated);
    let index = found.unwrap_or_else(|| {
        cases.push(CaseBudget { case: case.clone(), simulated, predicted: None, measured: None });
        cases.len() - 1
    });
    &mut cases[index]
}
