//! Every algorithm on real ranks, every byte compared: the launches of `parallax check`.

use crate::Start;
use crate::launch::Site;
use anyhow::bail;
use measure::job::{Outcome, Task};
use models::call::{Call, known_names};
use models::network::{Hockney, SendRule};
use models::observation::{Carrier, World};
use models::time::{PerByte, Span};
use scenario::BadInput;

/// Emulated messages take this long: enough to be held back, short enough for hundreds of calls.
const ALPHA: Span = Span::from_us(20);

/// The names of the operations to be checked in every form, as [`Call::name`] spells them.
///
/// # Errors
/// An unknown name; calls of a library on threads, which have none.
pub fn operations(named: &[String], world: World) -> Result<Vec<String>, BadInput> {
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

/// One launch, in which each task is one check; what was compared, in a sentence.
///
/// # Errors
/// A byte that is wrong; ranks that cannot be started.
pub fn carry_out(
    (world, ranks): (World, u32),
    carrier: Carrier,
    site: &Site,
    tasks: Vec<Task>,
) -> anyhow::Result<String> {
    let emulated = Hockney { alpha: ALPHA, beta: PerByte(0.0), send_rule: SendRule::Busy };
    let start = Start { carrier, emulated, ..Start::new(world, ranks, site)? };
    let place = format!("{ranks} ranks, {}, {} network", world.title(), carrier.name());
    let mut calls = 0;
    for answer in start.ask(&start.job(tasks))? {
        match answer {
            Outcome::Checked(number) => calls += number,
            other => bail!("{place}: unexpected answer {other:?}"),
        }
    }
    Ok(format!("{place}: {calls} calls on every rank, every byte right"))
}
