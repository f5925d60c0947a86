//! Results of a simulation: one row, and the finish of each call, rank or realisation.

use crate::finishes;
use models::names::counted;
use models::time::Span;
use programs::observation::{Carrier, World};
use questions::show::{Answer, model, noise, reference, reference_text, spread_text, title};
use render::columns;
use render::data::{Cell, Known, Table};
use render::drawn::Drawn;
use render::page::{Page, Section};
use render::results::Results;
use reports::sweep::Over;
use scenario::axis::Axis;
use sim::{Entry, Simulation};

/// Sentence for a run in which noise changed nothing.
const UNTOUCHED: &str = "no detour delayed a rank in this run: all finish as without noise (another --seed, a higher rate, more \
                         --calls, or one detour at a chosen time: --detour rank=3,at=4us,for=10us)";

const CALL: Known = Known::integer("call", "", "number of the call, from 1", "1");
const REALISATION: Known = Known::integer("realisation", "", "number of the realisation, from 0", "0");

/// An answer, and the picture beside it.
pub struct SimulatedAnswer<'a> {
    /// Answer of the simulation.
    pub answer: &'a Answer,
    /// Last finish as a function of parameters of the network, where it is requested.
    pub drawn: Option<&'a Drawn>,
    /// Whether every value of the refinements is shown.
    pub detailed: bool,
}

impl SimulatedAnswer<'_> {
    /// Returns the coordinates of the simulation, in the order of a sweep's columns.
    fn coordinates(&self) -> [(Axis, Cell); 16] {
        let Answer { simulation, seed, realisations, .. } = self.answer;
        let Simulation { algorithm, shape, platform, noise, repeat, compute, .. } = simulation;
        let parameters = platform.parameters().into_iter().filter(|(key, _)| key != "model");
        let parameters: Vec<String> = parameters.map(|(key, value)| format!("{key}={value}")).collect();
        [
            (Axis::World, World::Simulated.name().into()),
            (Axis::Transport, Carrier::Modelled.name().into()),
            (Axis::Operation, algorithm.collective.name().into()),
            (Axis::Algorithm, algorithm.name.into()),
            (Axis::Ranks, shape.ranks.into()),
            (Axis::Bytes, shape.bytes.into()),
            (Axis::Root, shape.root.into()),
            (Axis::Segment, shape.segment_bytes.into()),
            (Axis::Fanout, shape.fanout.into()),
            (Axis::Model, platform.network.name().into()),
            (Axis::Parameters, parameters.join(",").into()),
            (Axis::Noise, noise.to_string().into()),
            (Axis::Compute, format!("{}us", compute.as_us()).into()),
            (Axis::Seed, (*seed).into()),
            (Axis::Realisations, realisations.as_ref().map_or(1, Vec::len).into()),
            (Axis::Calls, (*repeat).into()),
        ]
    }

    /// Returns the settings of the simulation and its results, as names and values.
    fn said(&self) -> Vec<(&'static str, String)> {
        let (answer, simulation) = (self.answer, &self.answer.simulation);
        let entry = simulation.entry.latest();
        let others = [
            answer.assumed.clone().map(|assumed| ("", assumed)),
            reference_text(simulation).map(|reference| ("reference", reference)),
            noise(simulation, answer.seed).map(|noise| ("noise", noise)),
            answer.untouched.then(|| ("", UNTOUCHED.to_owned())),
            (simulation.entry != Entry::Together).then(|| ("entry", format!("up to {} apart", Span(entry.0)))),
            self.grain().map(|grain| ("grain", grain)),
            Some(("engine", answer.engine.clone())),
            Some(("messages", answer.messages.to_string())),
        ];
        let spread = answer.spread.as_ref();
        let (first, last) = answer.skew;
        let finish = match &answer.realisations {
            Some(all) => [
                spread.map(|_| ("finish", format!("last rank's, in {}", counted(all.len(), "realisation")))),
                spread.map(|spread| ("", spread_text(spread, "realisation"))),
            ],
            None => [
                spread.map(|spread| ("finish", spread_text(spread, "rank"))),
                spread.map(|_| ("exit skew", last.since(first).to_string())),
            ],
        };
        model(simulation, self.detailed).into_iter().chain(others.into_iter().chain(finish).flatten()).collect()
    }

    /// Describes the ranks' work before each call, and its share of the total time.
    fn grain(&self) -> Option<String> {
        let Simulation { compute, repeat, .. } = self.answer.simulation;
        let (end, of) = match (&self.answer.realisations, &self.answer.spread) {
            (Some(_), Some(spread)) => (spread.mean, "mean"),
            _ => (self.answer.skew.1, "last"),
        };
        let worked = compute.0 as f64 * f64::from(repeat);
        let share = 100.0 * worked / end.0 as f64;
        (worked > 0.0).then(|| format!("{compute} of work before each call: {share:.3} % of the {of} finish"))
    }

    /// The last rank's finish after each call.
    fn call_finishes(&self) -> Table {
        finishes::each("call_finishes", CALL, 1, &self.answer.calls)
    }

    /// The finish of each rank, without rows where they are not requested.
    fn rank_finishes(&self) -> Table {
        finishes::each("ranks", columns::RANK, 0, self.answer.per_rank.as_deref().unwrap_or_default())
    }

    /// The last rank's finish in each realisation, without rows where there is a single one.
    fn realisation_finishes(&self) -> Table {
        finishes::each("realisation_finishes", REALISATION, 0, self.answer.realisations.as_deref().unwrap_or_default())
    }
}

impl Results for SimulatedAnswer<'_> {
    fn page(&self) -> Page {
        let [calls, ranks] = [self.call_finishes(), self.rank_finishes()];
        let several = (calls.rows.len() > 1).then_some(("Last rank's finish after each call", calls));
        let ranks = (!ranks.rows.is_empty()).then_some(("Finish of each rank", ranks));
        let finishes = [several, ranks].into_iter().flatten();
        let finishes = finishes.map(|(heading, table)| Section::new(heading).with_tables([finishes::seen(&table)]));
        let said = Section::default().with_facts(self.said());
        Page {
            question: "When do the ranks finish?".to_owned(),
            answer: title(&self.answer.simulation),
            sections: [said]
                .into_iter()
                .chain(finishes)
                .chain(self.drawn.into_iter().flat_map(Drawn::sections))
                .collect(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        let Answer { engine, messages, realisations, spread, skew: (first, last), .. } = self.answer;
        let over = if realisations.is_some() { Over::Realisations } else { Over::Ranks };
        let skew = realisations.is_none().then(|| last.since(*first).0);
        let found = [columns::ENGINE, columns::MESSAGES, columns::FINISH_OVER].into_iter().chain(columns::FINISH);
        let found = found.chain([columns::EXIT_SKEW]).map(|known| known.column());
        let finish = spread.as_ref().map_or([const { Cell::None }; 10], columns::finish);
        let words = [engine.clone().into(), (*messages).into(), over.name().into()];
        let (axes, places): (Vec<Axis>, Vec<Cell>) = self.coordinates().into_iter().unzip();
        let cells = places.into_iter().chain(words).chain(finish).chain([skew.into()]).collect();
        Table::new("rows", columns::axes(axes).chain(found), [cells])
    }

    fn others(&self) -> Vec<Table> {
        let drawn = self.drawn.into_iter().flat_map(|drawn| [drawn.rows()].into_iter().chain(drawn.others()));
        [self.call_finishes(), self.rank_finishes(), self.realisation_finishes()].into_iter().chain(drawn).collect()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        let buffers = reference(&self.answer.simulation).map(|buffer| buffer.name());
        vec![("reference_buffers", buffers.into()), ("untouched_by_noise", self.answer.untouched.into())]
    }
}
