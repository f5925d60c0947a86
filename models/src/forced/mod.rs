//! Making a message library use one of its algorithms by name: the names, the variables of the library that choose, and
//! the cases in which the library would quietly take another one all the same.

mod intel;
mod mpich;
mod openmpi;

use crate::call::{Call, Communicator, LengthForm, Progress, Reach, Reduction};
use crate::collective::{Algorithm, Collective, Shape};
use crate::library::{Release, is_since};
use crate::names::suggestion;
use crate::world::World;

/// Names of each operation's algorithms, in the library's order.
type AlgorithmNames = &'static [(&'static str, &'static [&'static str])];

/// Ways of making a library use its algorithms.
pub struct Ways {
    algorithms: AlgorithmNames,
    /// Names that not all versions have, with the first version that has them.
    since: &'static [(&'static str, &'static str)],
    /// Words behind the list of known names, for an error message about a name that is not among them.
    left_out: &'static str,
    /// Returns the setting that makes it use the algorithm of an operation that has this name in the table.
    setting: fn(&str, &'static str, &Shape) -> Setting,
    /// Returns the reason why another algorithm would be used, if so.
    falls_back: fn(&str, &str, &CallProperties) -> Option<String>,
    /// Names and values of environment variables that must be there before `MPI_Init` for anything to be forced.
    environment: &'static [(&'static str, &'static str)],
    /// Whether the library reads its choice when it starts: ranks that have started have one algorithm for each
    /// operation.
    told_at_start: bool,
    /// Returns the number that files and variables of the library have for the algorithm of an operation.
    number: fn(&str, &str) -> Option<i32>,
    /// Names of the algorithms that cut messages into segments of a length that can be chosen, by operation.
    cutting: AlgorithmNames,
    /// Algorithm that it uses between hosts only.
    needs_several_hosts: Option<&'static str>,
    /// Returns the library's name of an algorithm of ours, where it has it.
    pub(crate) calls: fn(&Algorithm) -> Option<&'static str>,
}

pub use intel::WAYS as INTEL;
pub use mpich::WAYS as MPICH;
pub use openmpi::WAYS as OPENMPI;

/// Values of a library's variables that choose an algorithm, and conditions of the choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Variable that chooses (`coll_tuned_bcast_algorithm`).
    pub variable: String,
    /// Number that the variable is set to.
    pub number: VariableValue,
    /// Name of the algorithm in the library.
    pub name: &'static str,
    /// Further variables with their values: segment length, fanout, radix.
    pub further: Vec<(String, i32)>,
    /// Variables that must have been set before `MPI_Init`, with their values.
    pub required: Vec<(&'static str, i32)>,
    /// Environment variable that chooses, and its value, where the library reads it in `MPI_Init` once and for all: the
    /// choice holds for every call of the operation in that start.
    pub at_start: Option<(String, String)>,
    /// Whether the choice is fixed when a communicator is made; otherwise it acts on the next call.
    pub captured: bool,
    /// Component that a communicator prefers, where not a number but the communicator's maker chooses.
    pub component: Option<Component>,
}

/// Number that a variable is set to, or the way to find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariableValue {
    /// A number that is known beforehand.
    Known(i32),
    /// The number that the variable's enumeration has for this name.
    Enumerated(&'static str),
    /// This number, if the variable's description has it within its range.
    Ranged(i32),
    /// The place at which the variable's description lists the first of these names that it has.
    Described(Vec<&'static str>),
}

impl VariableValue {
    /// Finds the number by the description that the library gives of the variable and the names that it gives to its
    /// values.
    ///
    /// # Errors
    /// Fails where none of the names is listed, and where the description is in another form.
    pub fn by(&self, description: &str, enumerated: &[(i32, String)]) -> Result<i32, String> {
        match self {
            VariableValue::Known(number) => Ok(*number),
            VariableValue::Enumerated(name) => {
                let found = enumerated.iter().find(|(_, listed)| listed == name).map(|(number, _)| *number);
                let listed = || enumerated.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ");
                found.ok_or_else(|| format!("it lists {} and not {name}", listed()))
            }
            VariableValue::Ranged(number) => intel::within(*number, description),
            VariableValue::Described(names) => mpich::number(description, names),
        }
    }
}

/// A component of Open MPI's that carries out collectives, which a communicator is made to prefer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// Key in the communicator's `MPI_Info`.
    pub key: &'static str,
    /// Value of the key: the component's name.
    pub name: &'static str,
    /// Text in the name of the file that a process has mapped once the component has carried out a call.
    pub maps: &'static str,
}

/// Returns the environment variables that must be there before `MPI_Init` for a call to use the algorithm of this name,
/// and their values.
pub fn environment(world: World, collective: Collective, call: &Call, name: &str) -> Vec<(String, String)> {
    let Some(ways) = ways(world) else { return Vec::new() };
    let of_all = ways.environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let operation = operation(collective, call);
    let at_start = named(ways, &operation, name).and_then(|name| {
        // The environment at the start depends on no shape.
        (ways.setting)(&operation, name, &Shape::new(1, 0, 0)).at_start
    });
    of_all.chain(at_start).collect()
}

/// Returns true where a world's library reads its choice of algorithms when it starts, so that ranks have one for each
/// operation.
pub fn told_at_start(world: World) -> bool {
    ways(world).is_some_and(|ways| ways.told_at_start)
}

fn ways(world: World) -> Option<&'static Ways> {
    world.library().and_then(|library| library.forced)
}

/// Returns the names of an operation's algorithms.
fn of_operation(ways: &Ways, operation: &str) -> &'static [&'static str] {
    ways.algorithms.iter().find(|(of, _)| *of == operation).map_or(&[], |(_, names)| names)
}

/// Finds a name as the table has it; people write hyphens for underscores.
fn named(ways: &Ways, operation: &str, name: &str) -> Option<&'static str> {
    let wanted = name.replace('-', "_");
    of_operation(ways, operation).iter().copied().find(|known| known.replace('-', "_") == wanted)
}

/// Returns the first version that has this algorithm, where an older one is meant.
fn lacks(ways: &Ways, release: Option<Release>, name: &str) -> Option<&'static str> {
    let (_, since) = ways.since.iter().find(|(new, _)| *new == name)?;
    let version = release.and_then(Release::version);
    version.is_some_and(|version| !is_since(since, version)).then_some(*since)
}

/// Returns the operation's name in the libraries' variables: `reduce_scatter_block`.
fn operation(collective: Collective, call: &Call) -> String {
    Call { progress: Progress::Blocking, ..*call }.name(collective).replace('-', "_")
}

/// Returns the names of a library's algorithms for a call, in the order of their numbers; none where it has no choice.
pub fn names(world: World, collective: Collective, call: &Call) -> Vec<&'static str> {
    let Some(ways) = ways(world) else { return Vec::new() };
    let release = world.release();
    // A version that is not given is taken for one that lacks new names.
    let is_said = release.and_then(Release::version).is_some();
    let is_new = |name: &str| ways.since.iter().any(|(new, _)| *new == name);
    let has = |name: &&str| if is_said { lacks(ways, release, name).is_none() } else { !is_new(name) };
    of_operation(ways, &operation(collective, call)).iter().copied().filter(has).collect()
}

/// Returns the library's own spelling of an algorithm's name, in which people write hyphens for underscores; `None` where
/// it has no such algorithm for a call.
pub fn find(world: World, collective: Collective, call: &Call, name: &str) -> Option<&'static str> {
    named(ways(world)?, &operation(collective, call), name)
}

/// Returns the number that a library's files and variables have for the algorithm of this name; `None` where it has names
/// there, or no such algorithm.
pub fn number(world: World, collective: Collective, call: &Call, name: &str) -> Option<i32> {
    (ways(world)?.number)(&operation(collective, call), find(world, collective, call, name)?)
}

/// Whether a library can be told the length of the segments into which an algorithm of this name cuts messages.
pub fn cuts(world: World, collective: Collective, call: &Call, name: &str) -> bool {
    let Some(ways) = ways(world) else { return false };
    let operation = operation(collective, call);
    let cutting = ways.cutting.iter().find(|(of, _)| *of == operation);
    let name = named(ways, &operation, name);
    name.zip(cutting).is_some_and(|(name, (_, names))| names.contains(&name))
}

/// Returns the setting that makes a library use an algorithm for a call.
///
/// # Errors
/// Fails where the library does not know the algorithm for this call, or would quietly use another one; lists the known
/// ones.
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
    let ways = library.forced.ok_or_else(|| {
        format!("{title} cannot be made to use '{name}'; expected its own choice, or openmpi or mpich")
    })?;
    let Some(name) = named(ways, &operation, name) else {
        let names = names(world, collective, call);
        let cure = if names.is_empty() {
            "it has no choice there".to_owned()
        } else {
            format!("known: {}{}{}", names.join(", "), ways.left_out, suggestion(name, &names))
        };
        return Err(format!("{title} has no algorithm '{name}' for {operation}; {cure}"));
    };
    if let Some(since) = lacks(ways, world.release(), name) {
        let names = names(world, collective, call).join(", ");
        return Err(format!(
            "{title} has no algorithm '{name}' for {operation}: {} {since} is the first that has it; known: {names}",
            library.title
        ));
    }
    if name == openmpi::COMPONENT && !matches!(call.communicator, Communicator::World | Communicator::Duplicate) {
        let found = call.communicator.name();
        return Err(format!("{title}'s {name} is asked for by duplicates of the world's communicator, found {found}"));
    }
    match (ways.falls_back)(&operation, name, &CallProperties::new(call, shape)) {
        Some(why) => Err(format!("{title}'s {operation} would not use {name} here: {why}")),
        None => Ok((ways.setting)(&operation, name, shape)),
    }
}

/// Checks that a library uses an algorithm of this name among ranks that are spread over `hosts` hosts.
///
/// # Errors
/// Says why it would refuse.
pub fn on_hosts(world: World, name: &str, hosts: u32) -> Result<(), String> {
    match ways(world).and_then(|ways| ways.needs_several_hosts) {
        Some(between) if between == name && hosts < 2 => Err(format!(
            "{} uses {name} only between ranks on several hosts; expected a host file (--hosts) with two or more, found one host",
            world.title()
        )),
        _ => Ok(()),
    }
}

/// Properties of a call that decide whether an algorithm can be used.
pub struct CallProperties {
    ranks: u32,
    /// Number of elements of a block, or of the whole.
    elements: u64,
    /// Number of elements of a segment; `None` without segments.
    segment: Option<u64>,
    segment_bytes: u64,
    bytes: u64,
    commutes: bool,
    in_place: bool,
}

impl CallProperties {
    fn new(call: &Call, shape: &Shape) -> CallProperties {
        let payload = call.unit().payload;
        let block = (0..if shape.counts.is_some() { shape.ranks } else { 1 })
            .map(|block| shape.block_bytes(block))
            .min()
            .unwrap_or(0);
        CallProperties {
            ranks: call.communicator.members(shape.ranks, 0).len() as u32,
            elements: block / payload,
            segment: (shape.segment_bytes > 0).then(|| (shape.segment_bytes / payload).max(1)),
            segment_bytes: shape.segment_bytes,
            bytes: block,
            commutes: call.reduction != Reduction::UserOrdered,
            in_place: call.in_place,
        }
    }

    /// Returns the largest power of two that is not larger than the number of ranks.
    fn power_of_two(&self) -> u64 {
        1 << self.ranks.max(1).ilog2()
    }
}

/// Returns the algorithm of ours that is the library's of this name, if the table has it: a prediction simulates it.
pub fn own(world: World, collective: Collective, call: &Call, name: &str) -> Option<&'static Algorithm> {
    let wanted = name.replace('-', "_");
    if !names(world, collective, &Call { form: LengthForm::Regular, ..*call })
        .iter()
        .any(|n| n.replace('-', "_") == wanted)
    {
        return None;
    }
    Algorithm::for_collective(collective).find(|algorithm| {
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
            ("coll_tuned_bcast_algorithm", VariableValue::Enumerated("binomial"))
        );
        let ring = found(World::MPICH, "bcast", "scatter-ring-allgather", 4, 8).unwrap();
        assert_eq!(ring.variable, "MPIR_CVAR_BCAST_INTRA_ALGORITHM");
        assert_eq!(ring.number, VariableValue::Described(vec!["scatter_ring_allgather"]));
        let block = found(World::OPENMPI, "reduce-scatter-block", "butterfly", 4, 8).unwrap();
        assert_eq!(
            (block.variable.as_str(), block.number),
            ("coll_tuned_reduce_scatter_block_algorithm", VariableValue::Enumerated("butterfly"))
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
        let operations: Vec<&str> = mpich::WAYS
            .algorithms
            .iter()
            .filter(|(_, of)| of.contains(&mpich::BETWEEN_HOSTS))
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
        assert_eq!(VariableValue::Enumerated("pairwise").by("", &listed), Ok(2));
        let missing = VariableValue::Enumerated("sparbit").by("", &listed).unwrap_err();
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
