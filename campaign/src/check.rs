//! Checks of every algorithm on real ranks, byte by byte: the launches of `parallax probe data`.

use crate::testing::{LaunchTasks, OfData, TestPlan};
use measure::job::Task;
use models::call::{Call, known_names};
use models::shared_broadcast::Queued;
use programs::observation::{Carrier, Emulation, World};
use scenario::BadInput;

/// Returns the names of the operations to be checked in every form, as [`Call::name`] spells them.
///
/// # Errors
/// Fails for an unknown name, and for threads, which have no library to call.
fn operations(named: &[&String], world: World) -> Result<Vec<String>, BadInput> {
    if named.is_empty() {
        return Ok(Vec::new());
    }
    if world == World::Threads {
        let message = "the library's own calls need a message library: expected --world openmpi or mpich";
        return Err(BadInput(message.to_owned()));
    }
    if named.iter().any(|name| *name == "all") {
        return Ok(known_names());
    }
    let spelled = |name: &&String| Call::find(name).map(|(collective, call)| call.name(collective));
    named.iter().map(spelled).collect::<Result<_, _>>().map_err(BadInput)
}

/// Number of broadcasts in a task. Progress is reported between tasks.
const AT_ONCE: u32 = 2_000;

/// Returns the tasks for `broadcasts` broadcasts through a queue.
fn through(queued: &Queued, broadcasts: u32) -> impl Iterator<Item = Task> + use<'_> {
    let parts = broadcasts.div_ceil(AT_ONCE);
    (0..parts).map(move |part| {
        let broadcasts = AT_ONCE.min(broadcasts - part * AT_ONCE);
        Task::CheckShared { queued: queued.clone(), broadcasts, seed: part.into() }
    })
}

/// Returns the plan that checks every algorithm over each carrier of a world. If operations or queues in shared memory
/// are named, it checks these operations in every form, and `broadcasts` broadcasts through each queue.
///
/// # Errors
/// Fails for an operation that is unknown or that ranks of this world do not have, and for a name that is no queue.
pub fn plan(named: &[String], broadcasts: u32, world: World, ranks: u32) -> Result<TestPlan<OfData>, BadInput> {
    let (queues, others): (Vec<&String>, Vec<&String>) = named.iter().partition(|name| Queued::is_meant(name));
    let operations = operations(&others, world)?;
    let asked = |tasks| LaunchTasks::new(world, ranks, tasks);
    let mut launches = Vec::new();
    if !queues.is_empty() {
        let queues = queues.into_iter().map(|name| Queued::parse(name)).collect::<Result<Vec<_>, _>>();
        let queues = queues.map_err(|message| BadInput(format!("--operation {message}")))?;
        launches.push(asked(queues.iter().flat_map(|queued| through(queued, broadcasts)).collect()));
    }
    if !operations.is_empty() {
        let each = operations.into_iter().map(|name| Task::CheckCalls { operations: vec![name] });
        launches.push(asked(each.collect()));
    }
    if launches.is_empty() {
        let carriers = [Carrier::Native, Carrier::EMULATED].into_iter();
        let there = carriers.filter(|&carrier| (world, carrier) != (World::Threads, Carrier::Native));
        launches.extend(there.map(|carrier| LaunchTasks { carrier, ..asked(vec![Task::Check]) }));
    }
    Ok(TestPlan::new(world, Emulation::Check.named(), launches))
}
