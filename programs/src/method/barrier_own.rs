//! Method `barrier-own`: the method `barrier-loop` with the tool's own dissemination barrier in place of the library's
//! (ReproMPI).
//!
//! A library may choose a barrier whose ranks leave far apart (a linear or a tree one). Over equal links all ranks
//! leave a dissemination barrier together, whatever the library (Hunold & Carpen-Amarie 2016).

use super::{MethodSettings, barrier_loop};
use crate::observation::RankRecord;
use crate::operation::{Any, Operation, OwnProgram};
use crate::rank::{Phase, Rank};
use models::collective::{Algorithm, Collective, Shape};

pub(super) async fn run<R: Rank, O: Operation>(
    rank: &R,
    settings: &MethodSettings,
    operation: &O,
    record: &mut RankRecord,
) {
    let dissemination = Algorithm::find(Collective::Barrier, "dissemination").expect("the table has it");
    let shape = Shape::new(rank.size(), 0, 0);
    let barrier = Any::own::<R>(OwnProgram { algorithm: dissemination, shape, rank: rank.id(), copies_as: None });
    barrier_loop::run(rank, settings, operation, &barrier, Phase::BarrierOwn, record).await;
}
