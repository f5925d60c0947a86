//! Predictions: an order carried out by simulated ranks, with the truth beside it.

use crate::engine::SimError;
use crate::world::SimWorld;
use models::collective::Algorithm;
use models::method::{Order, Subject, carry_out};
use models::network::Network;
use models::noise::Noise;
use models::observation::{Implementation, RankRecord};
use models::operation::{Operation, Own};
use models::scenario::ClockSpread;
use models::time::{Span, Time};
use models::with_library;

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
        let clocks = (0..order.shape.ranks).map(|rank| self.clocks.draw(self.seed, rank)).collect();
        let world = SimWorld {
            network: self.network.into(),
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
}
