//! Looks at the machine's state by two threads of this process, each of which stays on a core of its own.

use crate::cpus::stay_on;
use crate::neighbour::{Lines, Lookout, Neighbour};
use programs::observation::MachineLook;
use std::io;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Returns the looks of two cores at each other, in the order of the cores: both at the same way of a line, each at its
/// own work. The first look, for which nothing is where it should be, is not counted.
///
/// # Errors
///
/// Names the core on which this process may not run.
pub fn look(cores: [usize; 2]) -> io::Result<[MachineLook; 2]> {
    let (lines, both, missing) = (Lines::default(), Barrier::new(2), AtomicBool::new(false));
    let see = |leads: bool| -> io::Result<Option<MachineLook>> {
        let core = if leads { cores[0] } else { cores[1] };
        let stays = stay_on(&[core]);
        missing.fetch_or(stays.is_err(), Relaxed);
        // Each thread waits for the other one: both look, or none.
        both.wait();
        stays.map_err(|error| io::Error::new(error.kind(), format!("core {core}: {error}")))?;
        if missing.load(Relaxed) {
            return Ok(None);
        }
        let lookout = Lookout::new(Some(Neighbour::new(&lines, u32::from(leads), leads)));
        lookout.look();
        Ok(Some(lookout.look()))
    };
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(|| see(false));
        let one = scope.spawn(|| see(true));
        (one.join().expect("a look does not panic"), other.join().expect("a look does not panic"))
    });
    match (one?, other?) {
        (Some(one), Some(other)) => Ok([one, other]),
        _ => unreachable!("a core that is missing is an error of its thread"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_that_is_not_there_is_an_error_and_nobody_waits_for_it() {
        let error = look([0, 1_000]).expect_err("there is no such core");
        assert!(error.to_string().starts_with("core 1000: "), "{error}");
        assert!(look([100_000, 0]).is_err());
    }
}
