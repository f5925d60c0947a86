//! Report cards of clocks as a table, with the times that windows by these clocks measure for waits of known duration.

use super::injected::{Injected, drawn};
use super::waits::{CONFIDENCE, window_us as waits_us};
use models::clock::{ReportCard, Verdict};
use models::wtime::Told;
use programs::machine::Estimate;
use programs::observation::ClockCheck;
use programs::sync::Sync;
use render::columns;
use render::data::{Column, Filled, Style, Table, View};
use render::page::Section;
use render::summary::Summary;
use scenario::store::{TaskResult, Tested};

/// Waits of known duration as windows timed them on the global clock, in µs: median with interval. NaN without a valid
/// window.
#[derive(Clone, Debug, PartialEq)]
pub struct Waits {
    /// Number of ranks that waited.
    pub ranks: u32,
    /// Measured time of WaitPatternNull, which is truly 0.
    pub null_us: Estimate,
    /// Measured time of WaitPatternUp; its true number of µs is the number of ranks.
    pub up_us: Estimate,
    /// Measured time of WaitPatternDown; its true number of µs is the number of ranks.
    pub down_us: Estimate,
    /// Expectation by the clocks' model, where they were made imperfect.
    pub injected: Option<Injected>,
}

/// Returns the waits that the ranks of a check recorded.
fn waits(check: &ClockCheck) -> Waits {
    Waits {
        ranks: check.null.len() as u32,
        null_us: waits_us(&check.null, CONFIDENCE),
        up_us: waits_us(&check.up, CONFIDENCE),
        down_us: waits_us(&check.down, CONFIDENCE),
        injected: Injected::from_check(check),
    }
}

/// A clock that was examined.
#[derive(Clone, Debug, PartialEq)]
pub struct Examined {
    /// Report card of the clock.
    pub card: ReportCard,
    /// Verdict that follows from the card.
    pub verdict: Verdict,
    /// Reasons of the verdict, in words.
    pub remarks: String,
    /// Waits as windows by this clock timed them, where ranks tried.
    pub waits: Option<Waits>,
}

impl Examined {
    /// Adds the verdict to a card.
    pub fn new(card: ReportCard, waits: Option<Waits>) -> Examined {
        Examined { verdict: card.verdict(), remarks: card.remarks(), card, waits }
    }
}

/// Summarises the findings about clocks, in the order in which they were examined.
pub fn examined(all: &[&Tested]) -> Summary {
    let mut clocks: Vec<(u32, Examined)> = Vec::new();
    let mut waited = None;
    for tested in all {
        match &tested.found {
            TaskResult::Clock(card) => clocks.push((tested.number, Examined::new(card.clone(), None))),
            TaskResult::Waits(check) => {
                waited = Some((*tested, check.conditions.sync));
                let clock = clocks.iter_mut().find(|(number, _)| *number == tested.number);
                clock.into_iter().for_each(|(_, clock)| clock.waits = Some(waits(check)));
            }
            _ => {}
        }
    }
    let clocks: Vec<Examined> = clocks.into_iter().map(|(_, clock)| clock).collect();
    let read = clocks.iter().filter_map(|clock| Told::of_card(&clock.card)).flat_map(Told::lines);
    let injected = clocks.iter().filter_map(|clock| clock.waits.as_ref()?.injected.as_ref()).flat_map(Injected::lines);
    let remarks = clocks.iter().map(|clock| format!("{}: {}.", clock.card.name, clock.remarks));
    let notes = remarks.chain(read).chain(injected);
    let notes = notes.chain(waited.into_iter().flat_map(|(tested, sync)| legend(tested, sync))).collect();
    let verdicts: Vec<String> =
        clocks.iter().map(|clock| format!("{} is {}", clock.card.name, clock.verdict)).collect();
    let table = table(&clocks);
    let section = Section::new("All numbers").with_tables([View::new(&table).whole().laid_out()]);
    let facts = vec![
        ("ranks", waited.map(|(tested, _)| tested.ranks).into()),
        ("sync", waited.map(|(_, sync)| sync.name()).into()),
        ("oversubscribed", waited.map(|(tested, _)| tested.oversubscribed()).into()),
    ];
    let tables = [table].into_iter().chain(drawn(&clocks));
    Summary { facts, ..Summary::new(verdicts.join("; ") + ".", notes, section, tables) }
}

/// Returns the explanation below the waits.
fn legend(tested: &Tested, sync: Sync) -> Vec<String> {
    let Tested { ranks, cores, .. } = tested;
    let mut lines = vec![format!(
        "Waits on {ranks} ranks ({}) by windows on the global clock, synchronised by {sync}: null is truly 0 µs, up and down \
         {ranks} µs.",
        tested.world.title()
    )];
    if tested.oversubscribed() {
        lines.push(format!("Oversubscribed: {ranks} ranks on {cores} cores, so that waits end late."));
    }
    lines
}

/// A row for each clock.
pub fn table<'a>(clocks: impl IntoIterator<Item = &'a Examined>) -> Table {
    let ns = |column: Column| column.shown(Style::Fixed(1));
    let ppm = |column: Column| column.shown(Style::Fixed(2));
    let wait = |clock: &Examined, of: fn(&Waits) -> Estimate| clock.waits.as_ref().map(of);
    let columns: [Filled<Examined>; 14] = [
        (columns::CLOCK.column(), &|clock| clock.card.name.as_str().into()),
        (columns::VERDICT.column(), &|clock| clock.verdict.name().into()),
        (ns(columns::GRANULARITY.headed("step")), &|clock| clock.card.granularity_ns.into()),
        (ns(columns::READ.headed("read")), &|clock| clock.card.read_ns.into()),
        (ns(columns::READ_AT_ONCE.headed("at once")), &|clock| clock.card.read_at_once_ns.into()),
        (columns::READS.column().unseen(), &|clock| clock.card.reads.into()),
        (columns::BACKWARDS.column(), &|clock| clock.card.backwards.into()),
        (ppm(columns::AGAINST_RAW.headed("to raw")), &|clock| clock.card.against_raw_ppm.into()),
        (ppm(columns::AGAINST_RAW_ERROR.headed("±")), &|clock| clock.card.against_raw_error_ppm.into()),
        (columns::NULL.headed("null"), &|clock| wait(clock, |waits| waits.null_us).into()),
        (columns::UP.headed("up"), &|clock| wait(clock, |waits| waits.up_us).into()),
        (columns::DOWN.headed("down"), &|clock| wait(clock, |waits| waits.down_us).into()),
        (columns::CONFIDENCE.column().unseen(), &|clock| clock.waits.as_ref().map(|_| CONFIDENCE).into()),
        (columns::REMARKS.column().unseen(), &|clock| clock.remarks.as_str().into()),
    ];
    Table::from_rows("clocks", clocks, &columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::clock::ClockKind;

    #[test]
    fn a_table_says_what_is_wrong_with_a_coarse_clock() {
        let card = ReportCard {
            clock: ClockKind::Gettimeofday,
            name: "gettimeofday".to_owned(),
            host: "node7".to_owned(),
            distrust: None,
            ticks_per_second: 1e6,
            repeated_ppm: 0.0,
            granularity_ns: 1_000.0,
            smallest_step_ns: 1_000.0,
            read_ns: 24.5,
            read_at_once_ns: Some(26.0),
            reads: 1_000_000,
            backwards: 0,
            largest_step_back_ns: 0.0,
            against_raw_ppm: -2.5,
            against_raw_error_ppm: 10.0,
            processes: None,
        };
        let tested = crate::tested::fixture(2, TaskResult::Clock(card));
        insta::assert_snapshot!(crate::forms::table(&examined(&[&tested])));
    }
}
