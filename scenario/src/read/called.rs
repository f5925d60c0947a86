//! What the cases of a table call, and which barriers their methods call: names, and whether ranks have them.

use super::axes::{Axes, Names};
use super::case::CaseTable;
use super::{ScenarioError, Source};
use crate::sweep;
use models::call::Call;
use models::collective::decision::Called;
use models::collective::{Algorithm, Collective, Shape};
use models::observation::{Carrier, Implementation, World};
use models::shared_broadcast::Queued;
use toml::Spanned;

/// The most segments of a message: every rank's steps are written down before they are timed.
pub(super) const MOST_SEGMENTS: u64 = 1 << 16;

/// What a name of `algorithms` means.
pub(super) enum Named {
    /// One of our algorithms, perhaps the one that a library's table picks.
    Ours(Called),
    /// The library's own call, by its own choice or not.
    Library(Implementation),
}

/// Why ranks have no library, where they have none; what they are asked to call then, too.
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

/// The shape without a fanout that is the algorithm's own, so that the same case has one name.
fn by_default(algorithm: &Algorithm, shape: &Shape) -> Shape {
    let without = Shape { fanout: 0, ..*shape };
    let same = |rank| algorithm.steps(shape, rank).eq(algorithm.steps(&without, rank));
    if (0..shape.ranks).all(same) { without } else { *shape }
}

/// What a name of an operation's algorithms means: a list of queues in shared memory is many.
///
/// # Errors
/// What is no name, or what queues do not carry.
fn meanings(collective: Collective, name: &str) -> Result<Vec<Named>, String> {
    match (name, name.strip_prefix("library:")) {
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

/// Why ranks cannot call it, where they cannot.
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
    /// The names of a table's algorithms with what they mean, each as often as it has meanings.
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

    /// Who implements it for a shape, and the shape with the segments and the fanout that a library's table sets.
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

    /// Whether so many ranks have all the barriers that methods call.
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
