//! How far apart ranks leave each barrier algorithm, without and with noise.

use crate::choice::{ModelChoice, NoiseChoice};
use crate::simulate::entry;
use crate::values::algorithms;
use models::collective::{Algorithm, Collective, Shape};
use models::engine::Engine;
use models::noise::Noise;
use models::platform::{Buffer, Platform};
use models::time::Span;
use reports::skew::{Exits, Row, Skew};
use scenario::BadInput;
use serde_json::{Map, Value};
use sim::{Entry, Simulation};

/// Over how many realisations noise is looked at unless said otherwise.
const REALISATIONS: u32 = 256;
/// The most exits of one algorithm: each is kept until their distribution is known.
const MOST_EXITS: u64 = 1 << 24;

/// Barriers whose exits are looked at.
pub struct Barriers {
    /// Their algorithms' names, or `all`.
    pub algorithms: Vec<String>,
    /// Number of ranks.
    pub ranks: u32,
    /// The network.
    pub model: ModelChoice,
    /// What disturbs ranks.
    pub noise: NoiseChoice,
    /// Independent realisations of the noise, where it is said.
    pub realisations: Option<u32>,
    /// Barriers back to back; the exits of the last one count.
    pub repeat: u32,
    /// When ranks enter, where it is said.
    pub entry: Option<String>,
}

impl Barriers {
    /// Simulates all; the exits, and the same for programs.
    ///
    /// # Errors
    /// What is wrong with the choices, or the simulator refuses.
    pub fn exits(&self) -> Result<(Skew, Value), BadInput> {
        let noise = self.model.noise(&self.noise)?;
        let realisations = self.realisations(&noise)?;
        let entry = entry::read(self.entry.as_deref(), self.ranks, self.noise.seed)?;
        let platform = self.model.messages_alone(self.ranks)?;
        let mut skew = Skew { title: self.title(), notes: self.notes(&entry, &platform, &noise), rows: Vec::new() };
        for algorithm in algorithms(Collective::Barrier, &self.algorithms)? {
            let quiet = Simulation {
                algorithm,
                shape: Shape::new(self.ranks, 0, 0),
                platform: platform.clone(),
                noise: Noise::none(),
                entry: entry.clone(),
                repeat: self.repeat,
                buffer: Some(Buffer::Touched),
            };
            skew.rows.push(row(&quiet, 1)?);
            if !noise.is_none() {
                skew.rows.push(row(&Simulation { noise: noise.clone(), ..quiet }, realisations)?);
            }
        }
        let json = self.json(&skew, &platform, &noise, realisations);
        Ok((skew, json))
    }

    fn realisations(&self, noise: &Noise) -> Result<u32, BadInput> {
        if noise.is_none() && self.realisations.is_some_and(|realisations| realisations > 1) {
            return Err(BadInput("--realisations: without --noise all of them are the same".to_owned()));
        }
        // As many as fit where it is not said how many.
        let most = MOST_EXITS / u64::from(self.ranks);
        let realisations =
            if noise.is_none() { 1 } else { self.realisations.unwrap_or(REALISATIONS.min(most.max(1) as u32)) };
        if u64::from(realisations) > most {
            let message = format!(
                "--ranks, --realisations: expected a product of at most {MOST_EXITS} exits, found {}",
                u64::from(realisations) * u64::from(self.ranks)
            );
            return Err(BadInput(message));
        }
        Ok(realisations)
    }

    fn title(&self) -> String {
        let calls =
            if self.repeat > 1 { format!(" after {} barriers back to back", self.repeat) } else { String::new() };
        format!("Exit skew of barriers on {} ranks{calls}", self.ranks)
    }

    fn notes(&self, entry: &Entry, platform: &Platform, noise: &Noise) -> Vec<String> {
        let entered = match entry {
            Entry::Together => "all ranks enter together".to_owned(),
            Entry::Each(_) | Entry::Drawn { .. } => format!("ranks enter up to {} apart", Span(entry.latest().0)),
        };
        let mut notes = vec![entered, platform.to_string()];
        if !noise.is_none() {
            let share = noise.share() * 100.0;
            notes.push(format!("noise {noise}, {share:.3} % of the CPU, seed {}", self.noise.seed));
        }
        notes
    }

    fn json(&self, skew: &Skew, platform: &Platform, noise: &Noise, realisations: u32) -> Value {
        let mut all = reports::skew::json(skew);
        let parameters: Map<String, Value> =
            platform.parameters().into_iter().map(|(key, value)| (key, value.into())).collect();
        all["ranks"] = self.ranks.into();
        all["model"] = platform.network.name().into();
        all["parameters"] = parameters.into();
        all["noise"] = noise.to_string().into();
        all["seed"] = self.noise.seed.into();
        all["realisations"] = realisations.into();
        all["repeat"] = self.repeat.into();
        all
    }
}

/// The exits of one algorithm.
fn row(simulation: &Simulation, realisations: u32) -> Result<Row, BadInput> {
    let finished = simulation
        .realise(Engine::Auto, 0..realisations, |outcome| outcome.finish.to_vec())
        .map_err(|error| BadInput(format!("{:?}: {error}", simulation.algorithm)))?;
    let mut exits = Exits::default();
    finished.iter().for_each(|finish| exits.add(finish));
    let Algorithm { name, .. } = simulation.algorithm;
    let (skew, delay) = exits.distributions().ok_or_else(|| BadInput(format!("{name}: there are no ranks")))?;
    Ok(Row { algorithm: (*name).to_owned(), noise: !simulation.noise.is_none(), skew, delay })
}
