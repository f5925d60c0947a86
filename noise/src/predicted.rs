//! Times of grains of work under noise: played over a recording, by closed forms, and for any number of independent
//! ranks.

use models::closed_form::noise::slowest_recorded;
use models::names::counted;
use models::noise::RecordedDelays;
use models::time::Span;
use programs::machine::Estimate;
use render::columns;
use render::data::{Cell, Column, Filled, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::significant;
use render::results::Results;
use statistics::noise::{Class, Figures, Launches, Recording, Refused, prolonged_us};

/// Confidence level of [`Launches::interval_us`].
const CONFIDENCE: f64 = 0.95;

/// Times of grains on one number of ranks.
struct PredictedGrains {
    ranks: usize,
    /// Launches played over the recording; `None` on more ranks than were recorded.
    launches: Option<Launches>,
    /// T_p in µs with its interval, where there are launches enough for one.
    mean: Option<Estimate>,
    /// Efficiency of independent ranks, each delayed like any grain of the recording.
    independent: Option<f64>,
    /// Efficiencies by the closed form, with the simultaneity of all ranks and of the active ones, or the reason why a
    /// class has none.
    closed: Option<[Result<f64, Refused>; 2]>,
}

impl PredictedGrains {
    /// Returns T_p, with its interval where there are launches enough for one.
    fn mean(&self) -> Cell {
        self.mean.map_or_else(|| self.over(Launches::mean_us).into(), Cell::from)
    }

    /// Returns a number of the launches, where there are any.
    fn over<T>(&self, of: impl Fn(&Launches) -> Option<T>) -> Option<T> {
        self.launches.as_ref().and_then(of)
    }

    fn closed(&self, place: usize) -> Option<f64> {
        self.closed.and_then(|closed| closed[place].ok())
    }
}

/// Delays of each length of grain, with the number of grains of that length.
struct Delayed(Vec<(Span, usize, RecordedDelays)>);

impl Delayed {
    /// Returns the delays of a recording; `None` where a grain is longer than that.
    fn from_recording(recording: &Recording, grains: &[Span]) -> Option<Delayed> {
        let mut sorted = grains.to_vec();
        sorted.sort_unstable();
        let runs = sorted.chunk_by(|one, next| one == next);
        let delays = runs.map(|run| Some((run[0], run.len(), RecordedDelays::from_delays(recording.delays(run[0]))?)));
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

/// Times of grains on several numbers of ranks, played over the recording and by the closed form.
pub struct Grains {
    grains: Vec<Span>,
    rows: Vec<PredictedGrains>,
}

impl Grains {
    /// Predicts the grains on the first ranks of a recording, and on more ranks than it has.
    pub fn predict(recording: &Recording, grains: Vec<Span>, classes: &[Class], ranks: &[usize]) -> Grains {
        let delays = Delayed::from_recording(recording, &grains);
        let row = |&ranks: &usize| {
            let independent = delays.as_ref().map(|delays| delays.efficiency(ranks as u64));
            if ranks > recording.ranks().len() {
                return PredictedGrains { ranks, launches: None, mean: None, independent, closed: None };
            }
            let all: Vec<usize> = (0..ranks).collect();
            let figures: Vec<Figures> = classes.iter().map(|class| recording.figures(class, ranks)).collect();
            let closed =
                [Figures::simultaneity, Figures::simultaneity_of_active].map(|of| closed(&figures, of, &grains));
            let launches = recording.launches(&all, &grains);
            let mean = launches.interval_us();
            PredictedGrains { ranks, launches: Some(launches), mean, independent, closed: Some(closed) }
        };
        let rows = ranks.iter().map(row).collect();
        Grains { grains, rows }
    }

    /// Whether no prediction is possible because no grain fits into the recording.
    pub fn is_empty(&self) -> bool {
        let plays = |row: &PredictedGrains| row.launches.as_ref().is_some_and(|launches| !launches.took.is_empty());
        let follows =
            |row: &PredictedGrains| row.independent.is_some() || row.closed.is_some_and(|closed| closed[0].is_ok());
        !self.rows.iter().any(|row| plays(row) || follows(row))
    }

    fn table(&self) -> Table {
        let us = |span: Option<&Span>| span.map(|span| span.as_us());
        let percent = |column: Column| column.shown(Style::Percent(2));
        let columns: [Filled<PredictedGrains>; 13] = [
            (columns::RANKS.headed("ranks p"), &|row| row.ranks.into()),
            (columns::LAUNCHES.column(), &|row| row.over(|launches| Some(launches.took.len())).into()),
            (columns::MEAN.headed("T_p"), &PredictedGrains::mean),
            (columns::CONFIDENCE.column().unseen(), &|row| row.mean.map(|_| CONFIDENCE).into()),
            (columns::LEAST.headed("least"), &|row| row.over(|launches| us(launches.took.iter().min())).into()),
            (columns::MOST.headed("most"), &|row| row.over(|launches| us(launches.took.iter().max())).into()),
            (columns::EFFECTIVE_LAUNCHES.column().unseen(), &|row| row.over(Launches::effective).into()),
            (percent(columns::EFFICIENCY.headed("E_p")), &|row| row.over(Launches::efficiency).into()),
            (percent(columns::LEAST_EFFICIENCY.headed("E_pmin")), &|row| row.over(Launches::least_efficiency).into()),
            (percent(columns::LARGEST_EFFICIENCY.headed("E_pmax")), &|row| {
                row.over(Launches::largest_efficiency).into()
            }),
            (percent(columns::INDEPENDENT.column()), &|row| row.independent.into()),
            (percent(columns::CLOSED_FORM.headed("closed form")), &|row| row.closed(0).into()),
            (percent(columns::CLOSED_FORM_OF_ACTIVE.headed("S of active")), &|row| row.closed(1).into()),
        ];
        Table::from_rows("rows", &self.rows, &columns)
    }

    /// Returns the reasons for dashes in the table.
    fn remarks(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.rows.iter().any(|row| row.launches.as_ref().is_some_and(|launches| launches.took.is_empty())) {
            notes.push("–: no launch fits into the recording; expected fewer or shorter grains".to_owned());
        }
        if self.rows.iter().any(|row| row.launches.is_none()) {
            notes.push("–: on more ranks than were recorded, only independent ranks are predicted".to_owned());
        }
        let refused = self.rows.iter().filter_map(|row| row.closed).flatten().filter_map(Result::err);
        let most = refused.map(|refused| refused.detours_per_grain).max_by(f64::total_cmp);
        notes.extend(most.map(|most| {
            format!(
                "no closed form: a rank has {} detours of one class in a grain, and the form is for less than one",
                significant(most)
            )
        }));
        notes
    }

    fn alone(&self) -> Span {
        self.grains.iter().copied().sum()
    }
}

impl Results for Grains {
    fn page(&self) -> Page {
        let table = self.table();
        let view = View::new(&table).whole().noting(self.remarks());
        Page {
            question: "What does the recorded noise do to grains of work?".to_owned(),
            answer: format!("{}, {} without noise", counted(self.grains.len(), "grain"), self.alone()),
            sections: vec![Section::default().with_tables([view.laid_out()])],
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        vec![("grains", self.grains.len().into()), ("without_noise_us", self.alone().as_us().into())]
    }
}

/// Returns the efficiency by the closed form: each grain is prolonged by every class.
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
