//! Results of a simulated schedule: one row, and tables of ranks, of the critical path and of sensitivities where flags
//! request them.

use super::critical::Critical;
use super::model::Model;
use crate::finishes;
use goal::ScheduleRun;
use models::names::counted;
use models::spread::Spread;
use questions::show::spread_text;
use render::columns;
use render::data::{Cell, Filled, Table};
use render::drawn::Drawn;
use render::page::{Page, Section};
use render::results::Results;

/// Results of a run that are shown.
pub(super) struct ScheduleResults<'a> {
    pub file: &'a str,
    pub model: &'a Model,
    pub noise: &'a str,
    pub seed: u64,
    pub run: &'a ScheduleRun,
    /// Whether the finish time of each rank is shown.
    pub per_rank: bool,
    pub critical: Option<&'a Critical<'a>>,
    pub drawn: Option<&'a Drawn>,
}

impl ScheduleResults<'_> {
    fn spread(&self) -> Spread {
        Spread::from_times(&mut self.run.finish.clone())
    }

    /// Returns the settings of the run and its results, as names and values.
    fn said(&self) -> Vec<(&'static str, String)> {
        let (run, spread) = (self.run, self.spread());
        let why = run.not_fast.as_ref().map_or(String::new(), |reason| format!(" (not the fast one: {reason})"));
        let last = run.finish.iter().position(|&time| time == spread.max).unwrap_or(0);
        let noise = format!("{}, seed {}", self.noise, self.seed);
        let lines = [
            Some(("model", self.model.rules.to_string())),
            self.model.machine.as_ref().map(|machine| ("machine", machine.words())),
            (self.noise != "none").then_some(("noise", noise)),
            Some(("engine", format!("{}{why}", run.engine.name()))),
            Some(("messages", run.messages.to_string())),
            Some(("finish", spread_text(&spread, "rank"))),
            Some(("last", format!("rank {last}"))),
        ];
        lines.into_iter().flatten().collect()
    }

    /// Returns the finish times of the ranks, without rows where they are not requested.
    fn ranks(&self) -> Table {
        finishes::each("ranks", columns::RANK, 0, if self.per_rank { &self.run.finish } else { &[] })
    }
}

impl Results for ScheduleResults<'_> {
    fn page(&self) -> Page {
        let ranks = self.per_rank.then(|| Section::new("Ranks").with_tables([finishes::seen(&self.ranks())]));
        let said = Section::default().with_facts(self.said());
        Page {
            question: "When do the ranks of the schedule finish?".to_owned(),
            answer: format!("{}, {}", self.file, counted(self.run.finish.len(), "rank")),
            sections: [said]
                .into_iter()
                .chain(self.critical.map(Critical::section))
                .chain(ranks)
                .chain(self.drawn.into_iter().flat_map(Drawn::sections))
                .collect(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        let ScheduleResults { file, model, noise, seed, run, .. } = self;
        let parameters: Vec<String> = model.parameters.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let columns: [Filled<ScheduleRun>; 11] = [
            (columns::FILE.column(), &|_| (*file).into()),
            (columns::RANKS.column(), &|run| run.finish.len().into()),
            (columns::MODEL.column(), &|_| model.name.clone().into()),
            (columns::PARAMETERS.column(), &|_| parameters.join(",").into()),
            (columns::MACHINE.column(), &|_| model.machine.as_ref().map(|machine| machine.name.clone()).into()),
            (columns::NOISE.column(), &|_| (*noise).into()),
            (columns::SEED.column(), &|_| (*seed).into()),
            (columns::ENGINE.column(), &|run| run.engine.name().into()),
            (columns::NOT_FAST.column(), &|run| run.not_fast.clone().into()),
            (columns::MESSAGES.column(), &|run| run.messages.into()),
            (columns::EVENTS.column(), &|run| run.events.into()),
        ];
        let finish = columns::FINISH.map(|known| known.column());
        let cells = columns::finish(&self.spread()).to_vec();
        Table::from_rows("rows", [*run], &columns).with_columns(columns.len(), finish, [cells])
    }

    fn others(&self) -> Vec<Table> {
        let critical = self.critical.into_iter().flat_map(Critical::tables);
        let drawn = self.drawn.into_iter().flat_map(|drawn| [drawn.rows()].into_iter().chain(drawn.others()));
        [self.ranks()].into_iter().chain(critical).chain(drawn).collect()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        self.critical.map(Critical::facts).unwrap_or_default()
    }
}
