//! Every algorithm on real ranks, every byte compared: the launches of `parallax probe data`.

use crate::testing::{Asked, OfData, Plan};
use measure::job::Task;
use models::call::{Call, known_names};
use models::observation::{Carrier, Emulation, World};
use scenario::BadInput;

/// The names of the operations to be checked in every form, as [`Call::name`] spells them.
///
/// # Errors
/// An unknown name; calls of a library on threads, which have none.
fn operations(named: &[String], world: World) -> Result<Vec<String>, BadInput> {
    if named.is_empty() {
        return Ok(Vec::new());
    }
    if world == World::Threads {
        let message = "the library's own calls need a message library: expected --world openmpi or mpich";
        return Err(BadInput(message.to_owned()));
    }
    if named.iter().any(|name| name == "all") {
        return Ok(known_names());
    }
    let spelled = |name: &String| Call::find(name).map(|(collective, call)| call.name(collective));
    named.iter().map(spelled).collect::<Result<_, _>>().map_err(BadInput)
}

/// Every algorithm over each carrier of a world, or these operations in every form.
///
/// # Errors
/// An operation that is not known, or that ranks of this world do not have.
pub fn plan(named: &[String], world: World, ranks: u32) -> Result<Plan<OfData>, BadInput> {
    let operations = operations(named, world)?;
    let asked = |tasks| Asked::new(world, ranks, tasks);
    let launches = if operations.is_empty() {
        let carriers = [Carrier::Native, Carrier::EMULATED].into_iter();
        let there = carriers.filter(|&carrier| (world, carrier) != (World::Threads, Carrier::Native));
        there.map(|carrier| Asked { carrier, ..asked(vec![Task::Check]) }).collect()
    } else {
        vec![asked(operations.into_iter().map(|name| Task::CheckCalls { operations: vec![name] }).collect())]
    };
    Ok(Plan::new(world, Emulation::Check.named(), launches))
}
