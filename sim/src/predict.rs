//! Predictions: an order carried out by simulated ranks, with the truth beside it.

use crate::engine::SimError;
use crate::world::SimWorld;
use models::clock::ClockModel;
use models::collective::Algorithm;
use models::method::{Order, Subject, carry_out};
use models::network::Network;
use models::noise::Noise;
use models::observation::{Implementation, RankRecord};
use models::operation::{Operation, Own};
use models::scenario::ClockSpread;
use models::time::{Span, Time};
use models::with_library;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A modelled machine on which orders are carried out.
#[derive(Clone, Copy, Debug)]
pub struct Predictor {
    /// The network under study.
    pub network: Network,
    /// The network of the method's own messages.
    pub control: Network,
    /// How wrong the ranks' clocks are.
    pub clocks: ClockSpread,
    /// Seed of the clocks' draws.
    pub seed: u64,
}

/// What simulated ranks observed, and the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// True time of each rank in one call that all ranks enter at the same instant.
    pub truth: Vec<Span>,
    /// What the method recorded.
    pub ranks: Vec<RankRecord>,
}

impl Predictor {
    /// Carries out an order on simulated ranks.
    ///
    /// # Errors
    /// An unknown algorithm, a deadlock, or times out of range.
    pub fn predict(&self, order: &Order) -> Result<Prediction, SimError> {
        let clocks = self.draw_clocks(order.shape.ranks);
        let world = SimWorld {
            network: self.network,
            control: self.control,
            clocks,
            entries: Vec::new(),
            noise: Noise::none(),
            record: false,
        };
        let run = world.run(async |rank| carry_out(&rank, order).await)?;
        let ranks = run.results.into_iter().collect::<Result<_, _>>().map_err(SimError::Order)?;
        Ok(Prediction { truth: self.truth(order)?, ranks })
    }

    /// True time of each rank in one call that all ranks enter at the same instant, behind no clock.
    ///
    /// # Errors
    /// As [`Predictor::predict`].
    pub fn truth(&self, order: &Order) -> Result<Vec<Span>, SimError> {
        let shape = order.shape;
        match &order.subject {
            Subject::Wait(pattern) => Ok(vec![pattern.truth(shape.ranks); shape.ranks as usize]),
            Subject::Collective(collective, Implementation::Own(name)) => {
                let algorithm = Algorithm::find(*collective, name).map_err(SimError::Order)?;
                self.finish(shape.ranks, |rank| Own::new(algorithm, &shape, rank))
            }
            Subject::Collective(collective, Implementation::Library) => {
                with_library!(*collective, shape, |operation| self.finish(shape.ranks, |_| operation))
            }
        }
    }

    fn finish<O: Operation>(&self, ranks: u32, operation: impl Fn(u32) -> O) -> Result<Vec<Span>, SimError> {
        use models::rank::Rank;
        let world = SimWorld::ideal(self.network, ranks);
        let run = world.run(async |rank| operation(rank.id()).call(&rank).await)?;
        Ok(run.finish.iter().map(|end| end.since(Time::ZERO)).collect())
    }

    /// One stream per rank, so that a rank's clock does not depend on how many others there are.
    fn draw_clocks(&self, ranks: u32) -> Vec<ClockModel> {
        let draw = |rank: u32| {
            let mut random = ChaCha8Rng::seed_from_u64(self.seed);
            random.set_stream(u64::from(rank));
            let offset = random.random_range(0..=self.clocks.largest_offset.0);
            let skew = random.random_range(-1.0..=1.0) * self.clocks.largest_skew_ppm;
            ClockModel {
                offset: Span(offset),
                skew_ppm: skew,
                granularity: self.clocks.granularity,
                read_cost: self.clocks.read_cost,
            }
        };
        (0..ranks).map(draw).collect()
    }
}
