//! The numbers of a sweep's rows that its expectations are held against, and the text of the result.

use super::row::{Found, Over, Printed, SweepRow};
use crate::summary::judged_section;
use render::page::{Page, Section};
use render::results::Look;
use scenario::expect::{ExpectedNumber, Judgement, Quantity};
use study::answered;

/// Bytes of a MiB.
const MIB: f64 = (1 << 20) as f64;

/// Returns the finish and the exit skew of a row, the printed number of its benchmark and the truth; nothing for a
/// point that failed.
pub fn numbers(row: &SweepRow<'_>) -> Vec<ExpectedNumber> {
    let Ok(found) = &row.found else { return Vec::new() };
    let at = row.point.key();
    let of = |quantity, value| ExpectedNumber { quantity, at: at.clone(), value };
    let mut all = vec![of(Quantity::Finish, finish_us(found)), of(Quantity::ExitSkew, found.exit_skew.as_us())];
    all.extend(row.point.queue().map(|queue| of(Quantity::QueueMemory, queue.bytes() as f64 / MIB)));
    if let Some(Printed { printed_us, truth_us }) = found.printed {
        all.extend([of(Quantity::Printed, printed_us), of(Quantity::Truth, truth_us)]);
        if truth_us > 0.0 {
            all.push(of(Quantity::Misreport, printed_us / truth_us));
        }
    }
    all
}

/// Returns the last rank's finish in µs; of several realisations the mean.
pub(super) fn finish_us(found: &Found) -> f64 {
    let finish = match found.over {
        Over::Ranks => found.finish.max,
        Over::Realisations => found.finish.mean,
    };
    finish.0 as f64 / 1e6
}

/// Returns the numbers of a sweep's answer, the result of each expectation, and the answer; empty where the sweep has no
/// expectations.
pub fn describe_judgements(judgements: &[Judgement], look: Look) -> String {
    if judgements.is_empty() {
        return String::new();
    }
    let numbers = Section::default().with_tables(answered::tables(judgements));
    let answer = answered::sentence(judgements).map(Section::new);
    let sections = [numbers].into_iter().chain(judged_section(judgements)).chain(answer);
    format!("\n{}", Page { sections: sections.collect(), ..Page::default() }.terminal(look))
}
