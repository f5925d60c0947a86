//! Runs work while a generator disturbs this machine.

use measure::inject::{Generator, Reached, Until};
use scenario::BadInput;
use std::time::Duration;

/// Longest duration of a disturbance.
const LONGEST: Duration = Duration::from_secs(86_400);
/// Time after which generators have settled.
const SETTLED: Duration = Duration::from_millis(300);

/// Runs `done` with the disturbance if there is one; both end before this returns.
///
/// # Errors
/// Fails where `done` does, and where the generator cannot work.
pub(crate) fn meanwhile(generator: Option<Generator>, done: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    let Some(generator) = generator else { return done() };
    let (until, reached) = (Until::after(LONGEST), Reached::default());
    std::thread::scope(|scope| {
        let running = scope.spawn(|| generator.run(&until, &reached));
        std::thread::sleep(SETTLED);
        let ended = if until.is_over() { Ok(()) } else { done() };
        until.stop();
        running.join().map_err(|_| anyhow::anyhow!("the disturbance failed"))?.map_err(BadInput)?;
        ended
    })
}
