//! Making a message library use one of its algorithms by name: which names there are, which variable of the library says so,
//! and when the library would quietly take another one all the same.

mod mpich;
mod openmpi;

use crate::call::{Call, Communicator, Form, Progress, Reach, Reduction};
use crate::collective::{Algorithm, Collective, Shape};
use crate::library::{Kin, Release, is_since};
use crate::names::suggestion;
use crate::observation::World;

/// The names of each operation's algorithms, in the library's order.
pub type Table = &'static [(&'static str, &'static [&'static str])];

/// Open MPI's.
pub const OPENMPI: Table = openmpi::ALGORITHMS;
/// MPICH's.
pub const MPICH: Table = mpich::ALGORITHMS;

/// What is written to a library's variables, and what else must be so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The variable that chooses (`coll_tuned_bcast_algorithm`).
    pub variable: String,
    /// What it is set to.
    pub number: Number,
    /// The library's name of the algorithm.
    pub name: &'static str,
    /// Further variables: segment length, fanout, radix.
    pub further: Vec<(String, i32)>,
    /// Variables that must have been set before `MPI_Init`, and to what.
    pub required: Vec<(&'static str, i32)>,
    /// True where the choice is fixed when a communicator is made, false where it acts on the next call.
    pub captured: bool,
    /// The component that a communicator prefers, where not a number but its maker chooses.
    pub component: Option<Component>,
}

/// The number that a variable is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// Whatever the variable is about.
    Known(i32),
    /// The one that the variable's enumeration has for this name.
    Enumerated(&'static str),
    /// The place at which the variable's description lists the first of these names that it has.
    Described(Vec<&'static str>),
}

impl Number {
    /// The number, by the description that the library gives of the variable and the names that it gives to its values.
    ///
    /// # Errors
    /// None of the names is listed, or the description is in another form.
    pub fn by(&self, description: &str, enumerated: &[(i32, String)]) -> Result<i32, String> {
        match self {
            Number::Known(number) => Ok(*number),
            Number::Enumerated(name) => {
                let found = enumerated.iter().find(|(_, listed)| listed == name).map(|(number, _)| *number);
                let listed = || enumerated.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ");
                found.ok_or_else(|| format!("it lists {} and not {name}", listed()))
            }
            Number::Described(names) => mpich::number(description, names),
        }
    }
}

/// A component of Open MPI's that carries out collectives, which a communicator is made to prefer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// The key of the communicator's `MPI_Info`.
    pub key: &'static str,
    /// Its value: the component's name.
    pub name: &'static str,
    /// What the name of the file contains that a process has mapped once the component has carried out a call.
    pub maps: &'static str,
}

/// Names and values of environment variables that must be there before `MPI_Init` for anything to be forced.
pub const ENVIRONMENT: [(&str, &str); 4] = [
    // Below every other component: a communicator uses it only if it prefers it.
    ("OMPI_MCA_coll_sm_priority", "1"),
    ("OMPI_MCA_coll_tuned_use_dynamic_rules", "1"),
    ("MPIR_CVAR_COLLECTIVE_FALLBACK", "error"),
    ("MPIR_CVAR_DEVICE_COLLECTIVES", "none"),
];

/// The operation's name in the libraries' variables: `reduce_scatter_block`.
fn operation(collective: Collective, call: &Call) -> String {
    Call { progress: Progress::Blocking, ..*call }.name(collective).replace('-', "_")
}

/// The names of a library's algorithms for a call, in the order of their numbers; none where it has no choice.
pub fn names(world: World, collective: Collective, call: &Call) -> Vec<&'static str> {
    let operation = operation(collective, call);
    let table = world.library().and_then(|library| library.forced);
    let of_operation = table.into_iter().flatten().find(|(name, _)| *name == operation);
    let release = world.release();
    // A version that is not said is taken for one that lacks what is new.
    let has = |name: &&str| {
        let since = openmpi::SINCE.iter().find(|(new, _)| new == name).map(|(_, since)| *since);
        since.is_none_or(|since| release.and_then(Release::version).is_some_and(|version| is_since(since, version)))
    };
    of_operation.into_iter().flat_map(|(_, names)| names.iter().copied().filter(has)).collect()
}

/// Works out what makes a library use an algorithm for a call.
///
/// # Errors
/// The library does not know it for this call, or would quietly use another one; says which are known.
pub fn setting(
    world: World,
    collective: Collective,
    call: &Call,
    shape: &Shape,
    name: &str,
) -> Result<Setting, String> {
    let title = world.title();
    let operation = operation(collective, call);
    if call.progress != Progress::Blocking || call.reach != Reach::All {
        let called = call.name(collective);
        return Err(format!("{title}'s choice of algorithms concerns blocking calls among all ranks, found {called}"));
    }
    let library = world.library().ok_or_else(|| {
        format!("threads have no library whose algorithm '{name}' could be used; expected openmpi or mpich")
    })?;
    let table = library.forced.ok_or_else(|| {
        format!("{title} cannot be made to use '{name}'; expected its own choice, or openmpi or mpich")
    })?;
    let known = table.iter().find(|(of, _)| *of == operation).map_or(&[][..], |(_, names)| names);
    let wanted = name.replace('-', "_");
    let Some(name) = known.iter().copied().find(|known| known.replace('-', "_") == wanted) else {
        let names = names(world, collective, call);
        let cure = if names.is_empty() {
            "it has no choice there".to_owned()
        } else {
            format!("known: {}{}", names.join(", "), suggestion(name, &names))
        };
        return Err(format!("{title} has no algorithm '{name}' for {operation}; {cure}"));
    };
    if name == openmpi::COMPONENT && !matches!(call.communicator, Communicator::World | Communicator::Duplicate) {
        let found = call.communicator.name();
        return Err(format!("{title}'s {name} is asked for by duplicates of the world's communicator, found {found}"));
    }
    let asked = Asked::new(collective, call, shape);
    let (setting, otherwise) = match library.kin {
        Kin::Mpich => (mpich::setting(&operation, name), mpich::falls_back(&operation, name, &asked)),
        Kin::OpenMpi => (openmpi::setting(&operation, name, shape), openmpi::falls_back(&operation, name, &asked)),
    };
    match otherwise {
        Some(why) => Err(format!("{title}'s {operation} would not use {name} here: {why}")),
        None => Ok(setting),
    }
}

/// Checks that a library uses an algorithm of this name among ranks that are spread over so many hosts.
///
/// # Errors
/// It would refuse, and why.
pub fn on_hosts(world: World, name: &str, hosts: u32) -> Result<(), String> {
    match world.kin() {
        Some(Kin::Mpich) if mpich::NEEDS_SEVERAL_HOSTS == name && hosts < 2 => Err(format!(
            "{} uses {name} only between ranks on several hosts; expected a host file (--hosts) with two or more, found one host",
            world.title()
        )),
        Some(Kin::Mpich | Kin::OpenMpi) | None => Ok(()),
    }
}

/// What decides whether an algorithm can be used.
struct Asked {
    ranks: u32,
    /// Elements of a block, or of the whole.
    elements: u64,
    /// Elements of a segment; none without segments.
    segment: Option<u64>,
    segment_bytes: u64,
    bytes: u64,
    commutes: bool,
    in_place: bool,
}

impl Asked {
    fn new(collective: Collective, call: &Call, shape: &Shape) -> Asked {
        let payload = call.unit().payload;
        let block = (0..if shape.counts.is_some() { shape.ranks } else { 1 })
            .map(|block| shape.block_bytes(block))
            .min()
            .unwrap_or(0);
        let _ = collective;
        Asked {
            ranks: call.communicator.members(shape.ranks, 0).len() as u32,
            elements: block / payload,
            segment: (shape.segment_bytes > 0).then(|| (shape.segment_bytes / payload).max(1)),
            segment_bytes: shape.segment_bytes,
            bytes: block,
            commutes: call.reduction != Reduction::UserOrdered,
            in_place: call.in_place,
        }
    }

    /// The largest power of two that is not larger than the number of ranks.
    fn power_of_two(&self) -> u64 {
        1 << self.ranks.max(1).ilog2()
    }
}

/// The algorithm of ours that is the library's of this name, if the table has it: what a prediction simulates.
pub fn own(world: World, collective: Collective, call: &Call, name: &str) -> Option<&'static Algorithm> {
    let wanted = name.replace('-', "_");
    if !names(world, collective, &Call { form: Form::Regular, ..*call }).iter().any(|n| n.replace('-', "_") == wanted) {
        return None;
    }
    Algorithm::of(collective).find(|algorithm| {
        let theirs = algorithm.called_by(world);
        theirs.is_some_and(|theirs| theirs.replace('-', "_") == wanted)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(world: World, called: &str, name: &str, ranks: u32, bytes: u64) -> Result<Setting, String> {
        let (collective, call) = Call::find(called).unwrap();
        setting(world, collective, &call, &Shape::new(ranks, 0, bytes), name)
    }

    #[test]
    fn names_become_variables_and_numbers() {
        let binomial = found(World::OPENMPI, "bcast", "binomial", 4, 8).unwrap();
        assert_eq!(
            (binomial.variable.as_str(), binomial.number),
            ("coll_tuned_bcast_algorithm", Number::Enumerated("binomial"))
        );
        let ring = found(World::MPICH, "bcast", "scatter-ring-allgather", 4, 8).unwrap();
        assert_eq!(ring.variable, "MPIR_CVAR_BCAST_INTRA_ALGORITHM");
        assert_eq!(ring.number, Number::Described(vec!["scatter_ring_allgather"]));
        let block = found(World::OPENMPI, "reduce-scatter-block", "butterfly", 4, 8).unwrap();
        assert_eq!(
            (block.variable.as_str(), block.number),
            ("coll_tuned_reduce_scatter_block_algorithm", Number::Enumerated("butterfly"))
        );
    }

    #[test]
    fn unknown_names_are_refused_with_library_operation_and_the_known_ones() {
        let said = [
            found(World::OPENMPI, "gather", "bruck", 4, 8),
            found(World::OPENMPI, "alltoallw", "linear", 4, 8),
            found(World::Threads, "bcast", "linear", 4, 8),
            found(World::MPICH, "ibcast", "binomial", 4, 8),
        ];
        insta::assert_snapshot!(said.map(|refused| refused.unwrap_err()).join("\n"));
    }

    #[test]
    fn what_a_library_would_not_do_is_refused() {
        assert!(found(World::OPENMPI, "barrier", "two_proc", 2, 0).is_ok());
        assert!(found(World::OPENMPI, "allgather", "neighbor", 4, 8).is_ok());
        let said = [
            found(World::OPENMPI, "barrier", "two_proc", 3, 0),
            found(World::OPENMPI, "allgather", "neighbor", 5, 8),
            found(World::OPENMPI, "allreduce", "ring", 4, 3),
            found(World::MPICH, "allgather", "recursive_doubling", 6, 8),
        ];
        insta::assert_snapshot!(said.map(|refused| refused.unwrap_err()).join("\n"));
    }

    #[test]
    fn what_needs_several_hosts_is_refused_on_one() {
        let on = |world, name, hosts| on_hosts(world, name, hosts);
        assert_eq!(on(World::MPICH, "smp", 2), Ok(()));
        assert_eq!((on(World::MPICH, "nb", 1), on(World::OPENMPI, "binomial", 1)), (Ok(()), Ok(())));
        insta::assert_snapshot!(on(World::MPICH, "smp", 1).expect_err("one host"));
        let operations: Vec<&str> = mpich::ALGORITHMS
            .iter()
            .filter(|(_, of)| of.contains(&mpich::NEEDS_SEVERAL_HOSTS))
            .map(|(of, _)| *of)
            .collect();
        assert_eq!(operations, ["barrier", "bcast", "reduce", "allreduce", "scan"]);
    }

    #[test]
    fn predictions_know_the_library_s_algorithms_that_we_have() {
        let of = |world, collective, name| own(world, collective, &Call::default(), name).map(|found| found.name);
        assert_eq!(of(World::OPENMPI, Collective::Bcast, "basic_linear"), Some("linear"));
        assert_eq!(of(World::MPICH, Collective::Alltoall, "brucks"), Some("bruck"));
        assert_eq!(of(World::MPICH, Collective::Bcast, "nb"), None);
        assert_eq!(of(World::OPENMPI, Collective::Barrier, "two_proc"), None);
    }

    #[test]
    fn a_number_is_the_one_that_the_library_lists_for_the_name() {
        let listed = [(0, "ignore"), (2, "pairwise")].map(|(number, name)| (number, name.to_owned()));
        assert_eq!(Number::Enumerated("pairwise").by("", &listed), Ok(2));
        let missing = Number::Enumerated("sparbit").by("", &listed).unwrap_err();
        assert_eq!(missing, "it lists ignore, pairwise and not sparbit");
    }

    #[test]
    fn what_is_new_is_offered_where_the_version_is_known_to_have_it() {
        let offered = |name| {
            let world = World::find(name, World::real()).unwrap();
            names(world, Collective::Allgather, &Call::default()).contains(&"sparbit")
        };
        assert_eq!(["openmpi@5.0.11", "openmpi@4.1.4", "openmpi"].map(offered), [true, false, false]);
        assert!(found(World::OPENMPI, "allgather", "sparbit", 4, 8).is_ok(), "the library decides");
    }
}
