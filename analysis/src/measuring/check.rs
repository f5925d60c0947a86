//! Checks of a plan of measurements before anything is started.

use super::plan::{Launch, MeasurementPlan};
use models::collective::Algorithm;
use models::limits::{LONGEST_BUFFER, MOST_BYTES, MOST_CALLS, most_ranks};
use programs::method::Method;
use programs::observation::{Case, Implementation, World};

impl MeasurementPlan {
    /// Checks that libraries accept the forced algorithms between ranks on this number of hosts.
    ///
    /// # Errors
    /// Names the flag whose algorithm they would refuse, and the reason.
    pub fn fits_on(&self, hosts: u32) -> Result<(), String> {
        for (world, by) in self.worlds.iter().flat_map(|world| self.algorithms.iter().map(move |by| (*world, by))) {
            if let Implementation::Forced(name) = by {
                models::forced::on_hosts(world, name, hosts)
                    .map_err(|why| format!("--algorithm library:{name}: {why}"))?;
            }
        }
        Ok(())
    }

    /// Checks that windows are measured if rules for them are given.
    ///
    /// # Errors
    /// Names the flags that have no effect.
    pub fn has_windows_for_rules(&self, launches: &[Launch]) -> Result<(), String> {
        let mut cases = launches.iter().flat_map(|launch| &launch.cases);
        if self.rules.are_usual() || cases.any(|case| case.timing.method == Method::Window) {
            return Ok(());
        }
        Err("--stop, --stage, --first, --slack, --invalid, --late: they are rules of windows, and none are measured; expected \
             window in --method".to_owned())
    }

    /// Checks that a case can be measured.
    pub(super) fn check(&self, case: &Case) -> Result<(), String> {
        if case.subject.root >= case.place.ranks {
            return Err(format!("--root: expected 0 to {}, found {}", case.place.ranks - 1, case.subject.root));
        }
        self.delay.map_or(Ok(()), |delay| delay.accepts(case.place.ranks)).map_err(|message| format!("--{message}"))?;
        if case.subject.bytes > MOST_BYTES {
            let bytes = case.subject.bytes;
            return Err(format!(
                "--bytes: expected at most 1 GiB: every rank keeps buffers of that length; found {bytes}"
            ));
        }
        let name = case.subject.call.name(case.subject.collective);
        let shape = case.shape();
        if let Implementation::Forced(forced) = &case.subject.implementation {
            models::forced::setting(case.place.world, case.subject.collective, &case.subject.call, &shape, forced)
                .map_err(|message| format!("--algorithm library:{forced}: {message}"))?;
        }
        if let Implementation::Tuned(name) = &case.subject.implementation
            && !self.tunings.contains_key(name)
        {
            return Err(format!("--algorithm tuned:{name}: only `parallax measure` reads files of variables"));
        }
        if let Implementation::Shared(queued) = &case.subject.implementation {
            queued
                .accepts(case.subject.collective, &case.subject.call)
                .map_err(|message| format!("--algorithm {message}"))?;
        }
        case.subject.call.accepts(case.subject.collective, &shape).map_err(|message| format!("{name}: {message}"))?;
        if let Implementation::Own(own) = &case.subject.implementation {
            if !case.subject.call.is_plain() {
                let world =
                    if case.place.world == World::Threads { "an MPI library (--world)" } else { "--algorithm library" };
                return Err(format!("{name} is a form of the library's own call; it needs {world}, found '{own}'"));
            }
            Algorithm::find(case.subject.collective, own)
                .and_then(|algorithm| algorithm.accepts(&shape))
                .map_err(|message| format!("--algorithm: {message}"))?;
        }
        let buffer = super::orders::order(self, case, false).buffer_bytes();
        if buffer > LONGEST_BUFFER {
            let ranks = case.place.ranks;
            return Err(format!(
                "--bytes: {name} on {ranks} ranks needs {buffer} B on every rank; expected less than 2 GiB"
            ));
        }
        if u64::from(self.calls) * u64::from(self.samples) > MOST_CALLS {
            let (k, samples) = (self.calls, self.samples);
            return Err(format!(
                "--calls: expected at most {MOST_CALLS} calls, found {k} in each of {samples} samples"
            ));
        }
        Ok(())
    }
}

/// Checks that a world may have this number of ranks on this number of cores.
///
/// # Errors
/// States the numbers that are expected.
pub fn check_ranks(world: World, ranks: u32, cores: u32) -> Result<(), String> {
    let most = most_ranks(world, cores);
    if (2..=most).contains(&ranks) {
        return Ok(());
    }
    let here = format!("{} on {cores} cores", world.title());
    Err(format!("--ranks: expected 2 to {most} for {here}, found {ranks}"))
}
