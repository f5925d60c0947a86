//! Our algorithms that cases run, as far as that is known: a prediction of a case simulates one.

mod copies;
mod reduced;
mod traffic;

pub use copies::{footprint, made};
pub use traffic::{Traffic, traffic};

use crate::method::{Order, Subject};
use crate::observation::{Carrier, Case, Implementation, World};
use models::call::Call;
use models::collective::decision::{self, ThroughCells};
use models::collective::{Algorithm, Collective, Shape, Step};
use models::forced;
use models::library::Library;
use models::platform::Platform;
use models::shared_broadcast::{Design, Scheme};

/// An algorithm of ours with the shape in which a case runs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Algorithm that the case runs.
    pub algorithm: &'static Algorithm,
    /// Shape of the case, with the segments and the fanout that the library sets.
    pub shape: Shape,
    /// Name of the algorithm in the library; `None` for our own.
    pub called: Option<&'static str>,
    /// Rule by which a library that chooses by itself takes the algorithm.
    pub rule: Option<String>,
}

/// Returns the algorithm that a case plays: our own, the one that a library is made to use, or the one that its
/// decision table picks (that of Open MPI 4.1 or MPICH 4.0, for a built-in reduction).
///
/// # Errors
/// Says why there is nothing to simulate: the library's algorithm is none of ours, or threads have no library.
pub fn played(case: &Case) -> Result<Played, String> {
    let (shape, collective) = (case.shape(), case.subject.collective);
    let found = match &case.subject.implementation {
        Implementation::Own(name) => {
            Played { algorithm: Algorithm::find(collective, name)?, shape, called: None, rule: None }
        }
        Implementation::Forced(name) => {
            let algorithm = forced::own(case.place.world, collective, &case.subject.call, name);
            let algorithm = algorithm.ok_or_else(|| {
                format!("{}'s {name} for {collective} is not among our algorithms", case.place.world.title())
            })?;
            Played { algorithm, shape, called: algorithm.called_by(case.place.world), rule: None }
        }
        Implementation::Tuned(name) => {
            return Err(format!("what {} chooses when it is tuned by {name} is not known", case.place.world.title()));
        }
        Implementation::Shared(queued) => {
            return Err(queued.no_messages());
        }
        Implementation::Library => {
            let pick = library(case.place.world)?.picks(collective, &shape, true)?;
            Played { algorithm: pick.algorithm, shape: pick.shape, called: Some(pick.called), rule: Some(pick.rule) }
        }
    };
    found.algorithm.accepts(&found.shape)?;
    Ok(found)
}

/// Returns the broadcast through shared memory that an algorithm is in a world, where its design is known: ours, and
/// Open MPI's coll/sm with its default settings.
pub fn shared(world: World, by: &Implementation) -> Option<Scheme> {
    match by {
        Implementation::Shared(queued) => Some(queued.scheme()),
        Implementation::Forced(name) if world.library() == Some(Library::OPENMPI) && name == "sm" => {
            Some(Design::CollSm.usual_scheme())
        }
        Implementation::Forced(_) | Implementation::Tuned(_) | Implementation::Library | Implementation::Own(_) => None,
    }
}

/// Returns the library whose decision table is known for a world.
///
/// # Errors
/// Fails for threads, which have no library, and for libraries whose table is not known.
pub fn library(world: World) -> Result<decision::Library, String> {
    let title = world.title();
    let library = world.library().ok_or_else(|| format!("{title} have no message library that could choose"))?;
    library.decision.ok_or_else(|| format!("the default choice of {title} is not known"))
}

/// Returns the order that simulated ranks of a platform carry out for a case: the algorithm that it plays, between the
/// barriers that its library takes, unless the platform knows those barriers' times. A call that is not known to be one
/// of our algorithms stays as it is, and so does one that the library makes through cells where the platform knows
/// them.
pub fn as_played(case: &Case, order: &Order, platform: &Platform) -> Order {
    let mut order = order.clone();
    let passes =
        through_cells(case.place.world, &case.subject.implementation, platform, case.subject.collective, &case.shape())
            .is_some();
    if let (Subject::Collective(collective, by), true, Ok(played)) =
        (&mut order.subject, case.subject.call.is_plain() && !passes, played(case))
    {
        debug_assert_eq!(*collective, case.subject.collective, "an order of this case");
        *by = Implementation::Own(played.algorithm.name.to_owned());
        order.shape = played.shape;
        order.copies_as = played.called.map(|_| case.place.world);
    }
    if let Some(barrier) = barrier_played(case, &order.settings.barrier, platform) {
        order.settings.barrier = Implementation::Own(barrier.name.to_owned());
    }
    order
}

/// Returns the way of a call through cells that the ranks of a node share, if it is the library's own choice and the
/// platform knows them.
pub fn through_cells(
    world: World,
    by: &Implementation,
    platform: &Platform,
    collective: Collective,
    shape: &Shape,
) -> Option<ThroughCells> {
    let is_own = *by == Implementation::Library && world.library() == Some(Library::MPICH);
    platform.cells(shape.ranks).filter(|_| is_own).and_then(|_| ThroughCells::for_call(collective, shape))
}

/// Whether a case is known to pass through cells by the description of its ranks: on one host, which cases do not say.
pub fn passes_cells(case: &Case, ran_by: &str) -> bool {
    let is_own = case.subject.implementation == Implementation::Library && case.place.carrier == Carrier::Native;
    let is_made_so = ThroughCells::are_in(ran_by) == Some(true) && case.subject.call.is_plain();
    is_own && is_made_so && ThroughCells::for_call(case.subject.collective, &case.shape()).is_some()
}

/// Returns the algorithm of ours that a library's barrier is, where that is known and the platform does not know the
/// barrier's times. The times that it knows are of the barrier that the library takes by itself.
fn barrier_played(case: &Case, barrier: &Implementation, platform: &Platform) -> Option<&'static Algorithm> {
    match barrier {
        Implementation::Own(_) | Implementation::Shared(_) => None,
        Implementation::Library if platform.barrier(case.place.ranks).is_some() => None,
        Implementation::Library => {
            let shape = Shape::new(case.place.ranks, 0, 0);
            if through_cells(case.place.world, barrier, platform, Collective::Barrier, &shape).is_some() {
                return None;
            }
            let picked = library(case.place.world).ok()?.picks(Collective::Barrier, &shape, true);
            picked.ok().map(|pick| pick.algorithm)
        }
        // What a tuning makes of it is not known.
        Implementation::Tuned(_) => None,
        Implementation::Forced(name) => forced::own(case.place.world, Collective::Barrier, &Call::default(), name),
    }
}

impl Played {
    /// Returns true if every rank makes the same steps in the same order, a library's copies among them: no measurement
    /// can tell the two apart.
    pub fn same_steps(&self, other: &Played, world: World) -> bool {
        let steps = |played: &Played, rank| -> Vec<Step> {
            let Played { algorithm, shape, .. } = played;
            if played.called.is_some() {
                made(world, algorithm, shape, rank)
            } else {
                algorithm.steps(shape, rank).collect()
            }
        };
        self.shape.ranks == other.shape.ranks
            && ((self.algorithm, self.shape, self.called.is_some())
                == (other.algorithm, other.shape, other.called.is_some())
                || (0..self.shape.ranks).all(|rank| steps(self, rank) == steps(other, rank)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Method;
    use crate::observation::{CasePlace, CaseSubject, CaseTiming, Conditions};

    fn case(world: World, collective: Collective, implementation: Implementation, ranks: u32, bytes: u64) -> Case {
        Case {
            place: CasePlace { world, carrier: Carrier::Native, ranks },
            subject: CaseSubject {
                collective,
                implementation,
                root: 0,
                bytes,
                segment_bytes: None,
                fanout: None,
                counts: None,
                call: Call::default(),
            },
            timing: CaseTiming { method: Method::Window, calls: 1, conditions: Conditions::default() },
        }
    }

    #[test]
    fn a_library_plays_what_it_is_made_to_or_what_its_table_picks() {
        let bcast = |world, implementation| played(&case(world, Collective::Bcast, implementation, 4, 1024));
        let forced = bcast(World::OPENMPI, Implementation::Forced("basic_linear".to_owned())).expect("known");
        assert_eq!((forced.algorithm.name, forced.called, forced.rule), ("linear", Some("basic_linear"), None));
        let picked = bcast(World::OPENMPI, Implementation::Library).expect("known");
        assert_eq!((picked.algorithm.name, picked.called), ("binary", Some("binary_tree")));
        assert!(picked.rule.expect("a rule").contains("binary_tree"));
        let own = bcast(World::Threads, Implementation::Own("k-nomial".to_owned())).expect("known");
        assert_eq!((own.algorithm.name, own.called), ("k-nomial", None));
        let unknown = bcast(World::MPICH, Implementation::Forced("smp".to_owned())).expect_err("none of ours");
        insta::assert_snapshot!(unknown);
        assert!(bcast(World::Threads, Implementation::Library).is_err());
    }

    #[test]
    fn on_two_ranks_trees_are_the_same_messages_and_on_four_they_are_not() {
        let of = |name: &str, ranks| {
            let own = Implementation::Own(name.to_owned());
            played(&case(World::OPENMPI, Collective::Bcast, own, ranks, 64)).expect("known")
        };
        assert!(of("linear", 2).same_steps(&of("binomial", 2), World::OPENMPI));
        assert!(!of("linear", 4).same_steps(&of("binomial", 4), World::OPENMPI));
        assert!(!of("linear", 2).same_steps(&of("linear", 4), World::OPENMPI));
        assert!(!of("linear", 2).same_steps(&of("scatter-allgather", 2), World::OPENMPI));
    }

    #[test]
    fn algorithms_of_the_same_messages_differ_if_a_library_copies_otherwise_for_them() {
        let of = |name: &str, bytes| {
            let forced = Implementation::Forced(name.to_owned());
            played(&case(World::OPENMPI, Collective::Allgather, forced, 2, bytes)).expect("known")
        };
        let [ring, doubling, two] = ["ring", "recursive_doubling", "two_proc"].map(|name| of(name, 64));
        assert!(ring.same_steps(&doubling, World::OPENMPI));
        assert!(!two.same_steps(&doubling, World::OPENMPI), "it sends what the caller has, and copies that at the end");
        assert!(!ring.same_steps(&of("ring", 128), World::OPENMPI));
    }
}
