//! The choices of algorithms in a sweep whose benchmarks print, as a section of its page.

use super::expected::finish_us;
use super::row::SweepRow;
use models::collective::decision::Called;
use render::groups::grouped;
use render::page::Section;
use scenario::axis::Axis;
use scenario::sweep::TOGETHER;
use study::choices::{Candidate, Choice, Choices};

/// Returns the section on choices, where benchmarks print numbers of several algorithms of a call; of several libraries
/// the first is held against them.
pub(super) fn section(rows: &[SweepRow<'_>]) -> Option<Section> {
    let times = rows.iter().filter_map(|row| Some((row, candidate(row)?)));
    let calls =
        grouped(times.map(|(row, times)| (row.point.key().within(|axis| axis != Axis::Algorithm), (row, times))));
    let library = |row: &SweepRow<'_>| match row.point.called {
        Called::Table(library, _) => Some(library.name()),
        Called::Ours(_) | Called::Shared(_) => None,
    };
    let (mut all, table) = (Vec::new(), rows.iter().find_map(library));
    for (at, found) in calls {
        let mut choice = Choice { at, candidates: Vec::new(), table: None };
        for (row, times) in found {
            match library(row) {
                None => choice.candidates.push(times),
                named if named == table => choice.table = Some(times),
                Some(_) => {}
            }
        }
        all.extend(Some(choice).filter(|choice| choice.candidates.len() > 1));
    }
    (!all.is_empty()).then(|| Choices { all, table: table.map(str::to_owned) }.section())
}

/// Returns the algorithm of a row with its printed number and its true time; `None` where no number is printed. The true
/// time is that of a call that all ranks enter together, or at the point's entries, from the first of them on.
fn candidate(row: &SweepRow<'_>) -> Option<Candidate> {
    let found = row.found.as_ref().ok()?;
    let printed = found.printed?;
    let algorithm = match row.point.called {
        Called::Shared(queued) => queued.name().to_owned(),
        Called::Ours(_) | Called::Table(..) => row.point.played().ok()?.0.name.to_owned(),
    };
    let true_us = if row.point.entry == TOGETHER { printed.truth_us } else { finish_us(found) };
    Some(Candidate { algorithm, printed_us: printed.printed_us, true_us })
}
