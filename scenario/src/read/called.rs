//! Calls of a table's cases and barriers of their methods: the names, and whether ranks can call them.

use super::axes::{Axes, Names};
use super::case::CaseTable;
use super::{ScenarioError, Source};
use crate::sweep;
use models::call::Call;
use models::collective::decision::Called;
use models::collective::{Algorithm, Collective, Shape};
use models::shared_broadcast::Queued;
use programs::observation::{Carrier, Implementation, World};
use toml::Spanned;

/// Largest number of segments of a message, because every rank's steps are written down before they are timed.
pub(super) const MOST_SEGMENTS: u64 = 1 << 16;

/// Meaning of a name in `algorithms`.
pub(super) enum Named {
    /// Algorithm of ours, perhaps the one that a library's table selects.
    Ours(Called),
    /// The library's own call, with the algorithm of its choice or a forced one.
    Library(Implementation),
}

/// Returns the reason why ranks have no library, with calls that they can make instead. `None` where they have one.
fn no_library(carrier: Carrier) -> Option<&'static str> {
    match carrier {
        Carrier::Emulated(_) => Some("the library's own calls cannot run on an emulated network; expected \"native\""),
        Carrier::Modelled => Some(
            "simulated ranks have no library; expected an algorithm's name, or a library for its own choice, like \
             openmpi-4.1",
        ),
        Carrier::Native => None,
    }
}

/// Removes a fanout that is the algorithm's default, so that equal cases have one name.
fn by_default(algorithm: &Algorithm, shape: &Shape) -> Shape {
    let without = Shape { fanout: 0, ..*shape };
    let same = |rank| algorithm.steps(shape, rank).eq(algorithm.steps(&without, rank));
    if (0..shape.ranks).all(same) { without } else { *shape }
}

/// Returns the meanings of an algorithm's name for an operation. A list of queues in shared memory has several.
///
/// # Errors
/// Fails for an unknown name, and for queues that do not carry the operation.
fn meanings(collective: Collective, name: &str) -> Result<Vec<Named>, String> {
    match (name, name.strip_prefix(Implementation::FORCED)) {
        ("library", _) => Ok(vec![Named::Library(Implementation::Library)]),
        (_, Some(forced)) => Ok(vec![Named::Library(Implementation::Forced(forced.to_owned()))]),
        (queues, None) if Queued::is_meant(queues) => {
            let ours = |queued: Queued| {
                queued.accepts(collective, &Call::default())?;
                Ok(Named::Ours(Called::Shared(queued)))
            };
            sweep::queues(queues)?.into_iter().map(ours).collect()
        }
        (own, None) => Ok(vec![Named::Ours(Called::find(collective, own)?)]),
    }
}

/// Returns the reason why ranks cannot call it. `None` where they can.
fn refused(named: &Named, has_cuts: bool, carrier: Carrier) -> Option<&'static str> {
    match named {
        Named::Ours(Called::Ours(_)) => None,
        Named::Ours(Called::Table(..)) => {
            has_cuts.then_some("a library's table selects segments and fanouts itself; give it a [[case]] without them")
        }
        Named::Ours(Called::Shared(_)) if carrier == Carrier::Modelled => Some(
            "the simulated ranks of a [[case]] exchange messages, and queues pass through shared memory; expected real \
             ranks here, or a sweep, like `parallax sweep bcast --algorithm shared:8KiB:32`",
        ),
        Named::Ours(Called::Shared(_)) => has_cuts
            .then_some("a queue's name says how messages are cut; give it a [[case]] without segments and fanouts"),
        Named::Library(_) => no_library(carrier).or(has_cuts.then_some(
            "the library's own calls choose segments and fanouts themselves; give them a [[case]] without these",
        )),
    }
}

impl Source<'_> {
    /// Returns the names of a table's algorithms with their meanings, one entry per meaning.
    pub(super) fn named<'n>(
        &self,
        table: &CaseTable,
        names: &'n Names,
        collective: Collective,
        (world, carrier): (World, Carrier),
    ) -> Result<Vec<(&'n Spanned<String>, Named)>, ScenarioError> {
        let has_cuts = table.segment_bytes.is_some() || table.fanout.is_some();
        if names.get_ref().is_empty() {
            return Err(self.error(names.span(), "expected at least one algorithm, like [\"linear\"]"));
        }
        let mut all = Vec::new();
        for name in names.get_ref() {
            let meant = meanings(collective, name.get_ref()).map_err(|message| self.error(name.span(), message))?;
            for named in meant {
                if let Some(wrong) = refused(&named, has_cuts, carrier) {
                    return Err(self.error(name.span(), wrong));
                }
                if matches!(&named, Named::Library(Implementation::Forced(asks)) if asks == "?") {
                    let known = models::forced::names(world, collective, &Call::default()).join(", library:");
                    return Err(self.error(name.span(), format!("known: library, library:{known}")));
                }
                all.push((name, named));
            }
        }
        Ok(all)
    }

    /// Returns the implementation for a shape, and the shape with the segments and the fanout that a library's table
    /// sets.
    pub(super) fn implementation(
        &self,
        name: &Spanned<String>,
        named: &Named,
        collective: Collective,
        world: World,
        shape: &Shape,
    ) -> Result<(Implementation, Shape), ScenarioError> {
        let found = match named {
            Named::Ours(Called::Shared(queued)) => Ok((Implementation::Shared(queued.clone()), *shape)),
            Named::Ours(called) => called.at(*shape).and_then(|(algorithm, shape)| {
                let segments = shape.bytes.checked_div(shape.segment_bytes).unwrap_or(0);
                if segments > MOST_SEGMENTS {
                    return Err(format!("it cuts {} B into more than {MOST_SEGMENTS} segments", shape.bytes));
                }
                algorithm.accepts(&shape)?;
                let shape = if let Called::Table(..) = called { by_default(algorithm, &shape) } else { shape };
                Ok((Implementation::Own(algorithm.name.to_owned()), shape))
            }),
            Named::Library(implementation @ Implementation::Forced(forced)) => {
                models::forced::setting(world, collective, &Call::default(), shape, forced)
                    .map(|_| (implementation.clone(), *shape))
            }
            Named::Library(implementation) => Ok((implementation.clone(), *shape)),
        };
        found.map_err(|message| self.error(name.span(), message))
    }

    /// Checks that the ranks have all barriers that methods call.
    pub(super) fn have_barriers(
        &self,
        (world, carrier): (World, Carrier),
        ranks: u32,
        axes: &Axes<'_>,
    ) -> Result<(), ScenarioError> {
        for &barrier in axes.barriers {
            let missing = no_library(carrier).filter(|_| barrier.is_library()).map(str::to_owned);
            let there = missing.map_or_else(|| barrier.is_there(world, ranks), Err);
            there.map_err(|message| {
                let message = format!("'{barrier}' on {ranks} ranks of world {}: {message}", world.name());
                self.error_at(axes.barriers_at.clone(), "barrier", message)
            })?;
        }
        Ok(())
    }
}
