//! Report cards of clocks as a table, with what windows by them make of waits whose duration is known.

use super::injected::Injected;
use crate::compare::waits_us;
use crate::tested::Summary;
use models::clock::{ReportCard, Verdict};
use models::machine::Estimate;
use models::observation::ClockCheck;
use models::sync::Sync;
use models::wtime::Told;
use render::table::Table;
use scenario::store::{Found, Tested};
use serde::Serialize;
use serde_json::json;

/// Waits of known duration as windows timed them on the global clock, in µs: median with interval. NaN without a valid window.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Waits {
    /// How many ranks waited.
    pub ranks: u32,
    /// WaitPatternNull; truly 0.
    pub null_us: Estimate,
    /// WaitPatternUp; truly as many as there are ranks.
    pub up_us: Estimate,
    /// WaitPatternDown; truly as many as there are ranks.
    pub down_us: Estimate,
    /// What the clocks' model says, where they were made imperfect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub injected: Option<Injected>,
}

/// What the ranks of a check recorded.
fn waits(check: &ClockCheck) -> Waits {
    Waits {
        ranks: check.null.len() as u32,
        null_us: waits_us(&check.null),
        up_us: waits_us(&check.up),
        down_us: waits_us(&check.down),
        injected: Injected::of(check),
    }
}

/// A clock that was examined.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Examined {
    /// Its report card.
    pub card: ReportCard,
    /// What it amounts to.
    pub verdict: Verdict,
    /// Why, in words.
    pub remarks: String,
    /// What windows by it made of waits, where ranks tried.
    pub waits: Option<Waits>,
}

impl Examined {
    /// A card with what it amounts to.
    pub fn new(card: ReportCard, waits: Option<Waits>) -> Examined {
        Examined { verdict: card.verdict(), remarks: card.remarks(), card, waits }
    }
}

/// Three decimals; a dash where there is no number.
fn number(value: f64) -> String {
    if value.is_finite() { format!("{value:.3}") } else { "-".to_owned() }
}

/// What was found of clocks, in the order in which they were examined.
pub(crate) fn examined(all: &[&Tested]) -> Summary {
    let mut clocks: Vec<(u32, Examined)> = Vec::new();
    let mut told = None;
    for tested in all {
        match &tested.found {
            Found::Clock(card) => clocks.push((tested.number, Examined::new(card.clone(), None))),
            Found::Waits(check) => {
                told = Some((*tested, check.conditions.sync));
                let clock = clocks.iter_mut().find(|(number, _)| *number == tested.number);
                clock.into_iter().for_each(|(_, clock)| clock.waits = Some(waits(check)));
            }
            _ => {}
        }
    }
    let clocks: Vec<Examined> = clocks.into_iter().map(|(_, clock)| clock).collect();
    let remarks = clocks.iter().map(|clock| format!("{}: {}.", clock.card.name, clock.remarks));
    let read = clocks.iter().filter_map(|clock| Told::of_card(&clock.card)).flat_map(Told::lines);
    let injected = clocks.iter().filter_map(|clock| clock.waits.as_ref()?.injected.as_ref()).flat_map(Injected::lines);
    let foot = remarks
        .chain(read)
        .chain(injected)
        .chain(told.into_iter().flat_map(|(tested, sync)| legend(tested, sync)))
        .collect();
    let json = json!({
        "ranks": told.map_or(0, |(tested, _)| tested.ranks),
        "sync": told.map(|(_, sync)| sync),
        "oversubscribed": told.is_some_and(|(tested, _)| tested.oversubscribed()),
        "clocks": clocks,
    });
    let verdicts: Vec<String> =
        clocks.iter().map(|clock| format!("{} is {}", clock.card.name, clock.verdict)).collect();
    Summary::new(verdicts.join("; ") + ".", Vec::new(), table(&clocks), foot, json)
}

/// What stands below the waits.
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

/// A line for each clock.
fn table(clocks: &[Examined]) -> Table {
    let measured = ["clock", "verdict", "step ns", "read ns", "at once ns", "backwards", "ppm to raw"];
    let heads = measured.into_iter().chain(["null µs", "up µs", "down µs"]);
    Table::plain(heads, clocks.iter().map(cells), |column| column >= 2)
}

fn cells(clock: &Examined) -> Vec<String> {
    let Examined { card, verdict, waits, .. } = clock;
    let wait =
        |of: fn(&Waits) -> Estimate| waits.as_ref().map_or_else(|| "-".to_owned(), |waits| number(of(waits).value));
    vec![
        card.name.clone(),
        verdict.to_string(),
        format!("{:.1}", card.granularity_ns),
        format!("{:.1}", card.read_ns),
        card.read_at_once_ns.map_or_else(|| "-".to_owned(), |ns| format!("{ns:.1}")),
        format!("{} of {}", card.backwards, card.reads),
        format!("{:+.2} ± {:.2}", card.against_raw_ppm, card.against_raw_error_ppm),
        wait(|waits| waits.null_us),
        wait(|waits| waits.up_us),
        wait(|waits| waits.down_us),
    ]
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
        let tested = crate::tested::fixture(2, Found::Clock(card));
        let text = examined(&[&tested]).text;
        let words: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
        let row = "gettimeofday limited 1000.0 24.5 26.0 0 of 1000000 -2.50 ± 10.00 - - -";
        assert_eq!(words, row.split(' ').collect::<Vec<_>>());
        insta::assert_snapshot!(text.lines().skip(2).collect::<Vec<_>>().join("\n"));
    }
}
