//! Several algorithms of each operation, chosen so that simulated ranks know them and predictions can be compared with
//! them.

use super::plan::Operation;
use models::collective::{Algorithm, Collective};
use programs::observation::{Carrier, Case, Implementation, World};
use programs::played;

/// Returns the implementations by which an operation is measured: the named ones that it has. Without names these are,
/// on a library's own network, the library's choice and each of its algorithms that Parallax has, too, and in any case
/// a few algorithms of Parallax.
///
/// # Errors
/// Fails on a named algorithm that is impossible there.
pub(crate) fn implementations(
    world: World,
    carrier: Carrier,
    operation: &Operation,
    named: &[Implementation],
) -> Result<Vec<Implementation>, String> {
    let collective = operation.collective;
    let library = world != World::Threads && carrier == Carrier::Native;
    if !named.is_empty() {
        if let Some(theirs) = named.iter().find(|by| by.is_library() && !library) {
            let (name, title, carrier) = (theirs.name(), world.title(), carrier.name());
            return Err(format!(
                "--algorithm: '{name}' is the library's own: it needs an MPI library on its native network, found {title} \
                 ({carrier}); expected one of `parallax algorithms {collective}`"
            ));
        }
        return Ok(named.iter().filter(|by| is_predicted(world, operation, by)).cloned().collect());
    }
    let mut all = Vec::new();
    if library {
        all.push(Implementation::Library);
        let forced = models::forced::names(world, collective, &operation.call).into_iter();
        all.extend(forced.map(|name| Implementation::Forced(name.to_owned())).filter(|by| has(world, operation, by)));
    }
    all.extend(typical(collective).iter().map(|name| Implementation::Own((*name).to_owned())));
    Ok(all)
}

/// Whether an operation has this algorithm, and simulated ranks have it, too.
pub fn has(world: World, operation: &Operation, by: &Implementation) -> bool {
    match by {
        Implementation::Library => true,
        Implementation::Own(name) => Algorithm::find(operation.collective, name).is_ok(),
        Implementation::Forced(name) => {
            models::forced::own(world, operation.collective, &operation.call, name).is_some()
        }
        Implementation::Tuned(_) | Implementation::Shared(_) => false,
    }
}

/// Whether predictions exist for an algorithm: [`has`] holds, or the call passes through memory that ranks share, in a
/// known design. No network model predicts such a call, but the costs of its copies and waits do.
pub fn is_predicted(world: World, operation: &Operation, by: &Implementation) -> bool {
    let shares_memory = || played::shared(world, by).is_some() && operation.call.is_plain();
    has(world, operation, by) || operation.collective == Collective::Bcast && shares_memory()
}

/// Whether a case can be measured and predicted: false where a library would quietly use another algorithm than the
/// forced one, or simulated ranks do not know the algorithm that it takes.
pub(crate) fn fits(case: &Case) -> bool {
    is_willing(case)
        && (played::played(case).is_ok() || played::shared(case.place.world, &case.subject.implementation).is_some())
}

/// Whether a library takes the forced algorithm for a case, and no other one quietly.
pub(crate) fn is_willing(case: &Case) -> bool {
    match &case.subject.implementation {
        Implementation::Forced(name) => {
            models::forced::setting(case.place.world, case.subject.collective, &case.subject.call, &case.shape(), name)
                .is_ok()
        }
        Implementation::Library | Implementation::Own(_) | Implementation::Tuned(_) | Implementation::Shared(_) => true,
    }
}

/// Returns the library's own choice and every algorithm that it can be made to use for an operation; of the named ones
/// those that it has, where any are named.
///
/// # Errors
/// Fails in a world without a library that can be made to use its algorithms.
pub(crate) fn forced(
    world: World,
    operation: &Operation,
    named: &[Implementation],
) -> Result<Vec<Implementation>, String> {
    let names = models::forced::names(world, operation.collective, &operation.call);
    if names.is_empty() {
        let (title, called) = (world.title(), operation.call.name_of(operation.collective));
        return Err(format!("{title} cannot be made to use another algorithm for {called}"));
    }
    let all = names.into_iter().map(|name| Implementation::Forced(name.to_owned()));
    let wanted = all.filter(|by| named.is_empty() || named.contains(by));
    Ok(std::iter::once(Implementation::Library).chain(wanted).collect())
}

/// Returns a few algorithms of Parallax that differ as much as possible.
fn typical(collective: Collective) -> &'static [&'static str] {
    match collective {
        Collective::Bcast => &["linear", "binomial", "pipeline"],
        Collective::Reduce | Collective::Gather | Collective::Scatter => &["linear", "binomial"],
        Collective::Barrier => &["linear", "dissemination", "tree"],
        Collective::Allreduce => &["reduce-bcast", "recursive-doubling", "ring"],
        Collective::Allgather => &["ring", "bruck", "recursive-doubling"],
        Collective::Alltoall => &["linear", "pairwise", "bruck"],
        Collective::ReduceScatter => &["pairwise", "recursive-halving"],
        Collective::Scan | Collective::Exscan => &["linear", "recursive-doubling"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::call::Call;

    fn names(world: World, carrier: Carrier, named: &[Implementation]) -> Result<Vec<String>, String> {
        let operation = Operation { collective: Collective::Bcast, call: Call::default() };
        let found = implementations(world, carrier, &operation, named)?;
        Ok(found.iter().map(|by| by.name().to_owned()).collect())
    }

    #[test]
    fn every_collective_has_at_least_two_of_ours() {
        for collective in Collective::ALL {
            assert!(typical(collective).len() >= 2);
            for name in typical(collective) {
                Algorithm::find(collective, name).expect("one of ours");
            }
        }
    }

    #[test]
    fn a_library_is_measured_by_its_choice_by_what_it_can_be_made_to_use_and_by_ours() {
        let found = names(World::OPENMPI, Carrier::Native, &[]).expect("some");
        assert_eq!((found[0].as_str(), found.len()), ("library", 1 + 9 + 3), "{found:?}");
        assert_eq!(names(World::OPENMPI, Carrier::EMULATED, &[]).expect("some"), ["linear", "binomial", "pipeline"]);
        assert_eq!(names(World::Threads, Carrier::EMULATED, &[]).expect("some").len(), 3);
        let smp = Implementation::Forced("smp".to_owned());
        assert_eq!(names(World::MPICH, Carrier::Native, &[smp]).expect("none"), Vec::<String>::new());
    }

    #[test]
    fn named_ones_are_taken_where_they_are_and_refused_where_there_is_no_library() {
        let named = [Implementation::Own("binomial".to_owned()), Implementation::Own("bruck".to_owned())];
        assert_eq!(names(World::Threads, Carrier::EMULATED, &named).expect("one"), ["binomial"]);
        let refused = names(World::Threads, Carrier::EMULATED, &[Implementation::Library]).expect_err("no library");
        assert!(refused.contains("needs an MPI library"), "{refused}");
    }
}
