//! What grains of work take under noise, as text and JSON: played over a recording, by closed forms, and for any number of
//! independent ranks.

use models::closed_form::noise::slowest_recorded;
use models::machine::Estimate;
use models::names::counted;
use models::noise::RecordedDelays;
use models::time::Span;
use render::plots::numbers::{TimeUnit, significant, with_interval};
use render::table::{Cell, Table};
use serde_json::{Value, json};
use statistics::noise::{Class, Figures, Launches, Recording, Refused, prolonged_us};
use std::fmt::Write;

/// What grains take on some ranks.
struct Predicted {
    ranks: usize,
    /// None on more ranks than were recorded.
    launches: Option<Launches>,
    /// T_p in µs with its interval, where there are launches enough for one.
    mean: Option<Estimate>,
    /// Efficiency of independent ranks, each delayed like any grain of the recording.
    independent: Option<f64>,
    /// Efficiency by the closed form, with the simultaneity of all ranks and of the active ones; why not, for a class.
    closed: Option<[Result<f64, Refused>; 2]>,
}

impl Predicted {
    /// T_p, with its interval where there is one.
    fn mean_text(&self, unit: TimeUnit) -> String {
        if let Some(mean) = self.mean.filter(|mean| mean.low < mean.high) {
            return with_interval(&unit.of_estimate(mean));
        }
        let mean = self.launches.as_ref().and_then(Launches::mean_us);
        mean.map_or("–".to_owned(), |us| significant(unit.of(us)))
    }
}

/// The delays of each length of grain, with how often it occurs.
struct Delayed(Vec<(Span, usize, RecordedDelays)>);

impl Delayed {
    /// Of a recording; none where a grain is longer than that.
    fn of(recording: &Recording, grains: &[Span]) -> Option<Delayed> {
        let mut sorted = grains.to_vec();
        sorted.sort_unstable();
        let runs = sorted.chunk_by(|one, next| one == next);
        let delays = runs.map(|run| Some((run[0], run.len(), RecordedDelays::of(recording.delays(run[0]))?)));
        delays.collect::<Option<Vec<_>>>().map(Delayed)
    }

    fn efficiency(&self, ranks: u64) -> f64 {
        let (mut alone, mut took) = (0.0, 0.0);
        for (grain, count, delays) in &self.0 {
            let count = *count as f64;
            alone += count * grain.as_us();
            took += count * (grain.as_us() + slowest_recorded(ranks, delays).mean_ps / 1e6);
        }
        alone / took
    }
}

/// What grains take on several numbers of ranks, played over the recording and by the closed form.
pub struct Grains {
    grains: Vec<Span>,
    rows: Vec<Predicted>,
}

impl Grains {
    /// On the first ranks of a recording, and on more.
    pub fn of(recording: &Recording, grains: Vec<Span>, classes: &[Class], ranks: &[usize]) -> Grains {
        let delays = Delayed::of(recording, &grains);
        let row = |&ranks: &usize| {
            let independent = delays.as_ref().map(|delays| delays.efficiency(ranks as u64));
            if ranks > recording.ranks().len() {
                return Predicted { ranks, launches: None, mean: None, independent, closed: None };
            }
            let all: Vec<usize> = (0..ranks).collect();
            let figures: Vec<Figures> = classes.iter().map(|class| recording.figures(class, ranks)).collect();
            let closed =
                [Figures::simultaneity, Figures::simultaneity_of_active].map(|of| closed(&figures, of, &grains));
            let launches = recording.launches(&all, &grains);
            let mean = launches.interval_us();
            Predicted { ranks, launches: Some(launches), mean, independent, closed: Some(closed) }
        };
        let rows = ranks.iter().map(row).collect();
        Grains { grains, rows }
    }

    /// Whether nothing can be said: no grain fits into the recording.
    pub fn is_empty(&self) -> bool {
        let plays = |row: &Predicted| row.launches.as_ref().is_some_and(|launches| !launches.took.is_empty());
        let follows = |row: &Predicted| row.independent.is_some() || row.closed.is_some_and(|closed| closed[0].is_ok());
        !self.rows.iter().any(|row| plays(row) || follows(row))
    }

    /// For people.
    pub fn text(&self) -> String {
        let alone: Span = self.grains.iter().copied().sum();
        let count = self.grains.len();
        let mut text = format!("{}, {alone} without noise\n", counted(count, "grain"));
        let unit = TimeUnit::fitting(self.rows.iter().filter_map(|row| row.launches.as_ref()?.mean_us()));
        let symbol = unit.symbol();
        let head = ["ranks p".to_owned(), "launches".to_owned()].into_iter();
        let times = ["T_p", "least", "most"].map(|name| format!("{name}, {symbol}"));
        let efficiencies = ["E_p, %", "E_pmin, %", "E_pmax, %", "independent, %", "closed form, %", "S of active, %"]
            .map(str::to_owned);
        let row = |row: &Predicted| {
            let time = |us: Option<f64>| us.map_or("–".to_owned(), |us| significant(unit.of(us)));
            let share = |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{:.2}", share * 100.0));
            let end = |span: Option<&Span>| time(span.map(|span| span.as_us()));
            let launches = row.launches.as_ref();
            let took = launches.map(|launches| &launches.took[..]).unwrap_or_default();
            let closed = |place: usize| row.closed.and_then(|closed| closed[place].ok());
            let numbers = [
                row.ranks.to_string(),
                launches.map_or("–".to_owned(), |launches| launches.took.len().to_string()),
                row.mean_text(unit),
                end(took.iter().min()),
                end(took.iter().max()),
                share(launches.and_then(Launches::efficiency)),
                share(launches.and_then(Launches::least_efficiency)),
                share(launches.and_then(Launches::largest_efficiency)),
                share(row.independent),
                share(closed(0)),
                share(closed(1)),
            ];
            numbers.into_iter().map(|text| Cell::number(text, "")).collect()
        };
        text.push_str(&Table::new("", head.chain(times).chain(efficiencies), self.rows.iter().map(row)).text());
        text.push_str(&self.remarks());
        text
    }

    fn remarks(&self) -> String {
        let mut text = String::new();
        if self.rows.iter().any(|row| row.launches.as_ref().is_some_and(|launches| launches.took.is_empty())) {
            text.push_str("  –: no launch fits into the recording; expected fewer or shorter grains\n");
        }
        if self.rows.iter().any(|row| row.launches.is_none()) {
            text.push_str("  –: on more ranks than were recorded, only independent ranks are predicted\n");
        }
        let refused = self.rows.iter().filter_map(|row| row.closed).flatten().filter_map(Result::err);
        let most = refused.map(|refused| refused.detours_per_grain).max_by(f64::total_cmp);
        if let Some(most) = most {
            let _ = writeln!(
                text,
                "  no closed form: a rank has {} detours of one class in a grain, and the form is for less than one",
                significant(most)
            );
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let row = |row: &Predicted| {
            let launches = row.launches.as_ref();
            let took = launches.map(|launches| &launches.took[..]).unwrap_or_default();
            let us = |span: Option<&Span>| span.map(|span| span.as_us());
            let closed = |place: usize| row.closed.and_then(|closed| closed[place].ok());
            json!({
                "ranks": row.ranks, "launches": launches.map(|launches| launches.took.len()),
                "mean_us": launches.and_then(Launches::mean_us), "least_us": us(took.iter().min()), "most_us": us(took.iter().max()),
                "mean_low_us": row.mean.map(|mean| mean.low), "mean_high_us": row.mean.map(|mean| mean.high),
                "effective_launches": launches.and_then(Launches::effective),
                "efficiency": launches.and_then(Launches::efficiency),
                "least_efficiency": launches.and_then(Launches::least_efficiency),
                "largest_efficiency": launches.and_then(Launches::largest_efficiency),
                "independent": row.independent, "closed_form": closed(0), "closed_form_of_active": closed(1),
            })
        };
        let alone: Span = self.grains.iter().copied().sum();
        json!({ "grains": self.grains.len(), "without_noise_us": alone.as_us(), "rows": self.rows.iter().map(row).collect::<Vec<Value>>() })
    }
}

/// Efficiency by the closed form: each grain is prolonged by every class.
fn closed(
    figures: &[Figures],
    simultaneity: impl Fn(&Figures) -> Option<f64>,
    grains: &[Span],
) -> Result<f64, Refused> {
    let (mut alone, mut took) = (0.0, 0.0);
    // Most grains are as long as the one before.
    for run in grains.chunk_by(|one, next| one == next) {
        let prolonged = prolonged_us(figures, &simultaneity, run[0])?;
        let times = run.len() as f64;
        alone += run[0].as_us() * times;
        took += prolonged * times;
    }
    Ok(alone / took)
}
