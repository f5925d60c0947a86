//! Words in the requests of several kinds of campaign: worlds, algorithms, lists of numbers, states of buffers.

use super::plan::{Operation, Tunings, Variables};
use campaign::launch::Site;
use models::call::Call;
use models::collective::Algorithm;
use models::shared_broadcast::Queued;
use programs::observation::{Implementation, World};
use scenario::BadInput;
use scenario::sweep::{Numbers, queues};
use std::path::Path;

/// Largest length of a list, as longer ones are typing errors.
const MOST_NUMBERS: u64 = 1_000;

/// Returns the named worlds of real ranks, each once. Without names these are the worlds of all installed libraries,
/// else threads.
pub fn worlds(named: &[World], site: &Site) -> Result<Vec<World>, BadInput> {
    if named.is_empty() {
        let found = site.worlds();
        return Ok(if found.is_empty() { vec![World::Threads] } else { found });
    }
    let mut worlds = Vec::new();
    named.iter().try_for_each(|&world| add_world(&mut worlds, world, site))?;
    Ok(worlds)
}

/// Adds a world, once, if it can be started here.
pub fn add_world(worlds: &mut Vec<World>, world: World, site: &Site) -> Result<(), BadInput> {
    let world = site.whole(world).map_err(|absent| BadInput(format!("--world {}: {absent}", world.name())))?;
    if !worlds.contains(&world) {
        worlds.push(world);
    }
    Ok(())
}

/// Returns the implementation that a name means: an algorithm of Parallax, the library's own choice, a forced algorithm
/// of the library, its own choice under the variables of a file, or a queue in shared memory.
///
/// # Errors
/// Fails on a malformed name of such a queue.
pub fn implementation(name: &str) -> Result<Implementation, String> {
    Ok(match name.strip_prefix(Implementation::FORCED) {
        Some(forced) => Implementation::Forced(forced.to_owned()),
        None if name.starts_with(Implementation::TUNED) => Implementation::Tuned(tuning_name(name)),
        None if name == Implementation::LIBRARY => Implementation::Library,
        None if Queued::is_meant(name) => Implementation::Shared(Queued::parse(name)?),
        None => Implementation::Own(name.to_owned()),
    })
}

/// Returns the file that `tuned:FILE` means; `None` for other names.
fn tuning_file(name: &str) -> Option<&Path> {
    name.strip_prefix(Implementation::TUNED).map(Path::new)
}

fn tuning_name(name: &str) -> String {
    let path = tuning_file(name).unwrap_or(Path::new(name));
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the variables of the files that names of the form `tuned:FILE` mean, by the names of the tunings, which are
/// those of the files without their ending.
///
/// # Errors
/// Fails on a file that cannot be read or has another form, and on two files of one name.
pub fn tunings(names: &[String]) -> Result<Tunings, BadInput> {
    let mut all = Tunings::new();
    for name in names.iter().map(|name| name.trim()) {
        let Some(path) = tuning_file(name) else { continue };
        let bad = |message: String| BadInput(format!("--algorithm {name}: {message}"));
        let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
        let variables = variables(&text).map_err(|message| bad(format!("{}: {message}", path.display())))?;
        if all.insert(tuning_name(name), variables).is_some() {
            let stem = tuning_name(name);
            return Err(bad(format!("two tunings have the name '{stem}'; expected files with names of their own")));
        }
    }
    Ok(all)
}

/// Reads variables with their values: a line `NAME=VALUE` each, as shells and container engines read them. Empty lines
/// and those that begin with `#` say nothing; `export` may stand before the name, and quotes around the value.
fn variables(text: &str) -> Result<Variables, String> {
    let mut all = Variables::new();
    let lines = text.lines().map(str::trim).enumerate();
    for (place, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let is_name = |name: &&str| {
            let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let said = line.strip_prefix("export ").unwrap_or(line).trim_start();
        let Some((name, value)) = said.split_once('=').filter(|(name, _)| is_name(name)) else {
            return Err(format!("line {}: expected NAME=VALUE, found '{line}'", place + 1));
        };
        let quoted = ['"', '\''].iter().find_map(|&quote| value.strip_prefix(quote)?.strip_suffix(quote));
        all.insert(name.to_owned(), quoted.unwrap_or(value).to_owned());
    }
    if all.is_empty() { Err("no variable in it; expected lines NAME=VALUE".to_owned()) } else { Ok(all) }
}

/// Returns the implementations of a name that may stand for many queues, `shared:8KiB:1..64`.
///
/// # Errors
/// Fails on a malformed list of such queues.
pub fn implementations(name: &str) -> Result<Vec<Implementation>, String> {
    if Queued::is_meant(name) {
        return Ok(queues(name)?.into_iter().map(Implementation::Shared).collect());
    }
    Ok(vec![implementation(name)?])
}

/// Returns the implementations of these names; algorithms of Parallax must exist for all of the operations.
pub fn algorithms(names: &[String], operations: &[Operation]) -> Result<Vec<Implementation>, BadInput> {
    let mut all = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        let meant = implementations(name).map_err(|message| BadInput(format!("--algorithm: {message}")))?;
        if matches!(meant[..], [Implementation::Own(_)]) {
            for operation in operations {
                Algorithm::find(operation.collective, name)
                    .map_err(|message| BadInput(format!("--algorithm: {message}; or library")))?;
            }
        }
        all.extend(meant);
    }
    Ok(all)
}

/// Lists the algorithms that each MPI library can be forced to use for these operations between ranks on the hosts of
/// this site, a line per operation and library.
///
/// # Errors
/// Fails on an unknown operation.
pub fn forced_algorithms(operations: &[String], named: &[World], site: &Site) -> Result<String, BadInput> {
    let mut text = String::new();
    let said = !named.is_empty() || !site.installations.is_empty();
    let worlds = if said { worlds(named, site)? } else { World::real().collect() };
    let all = if operations.is_empty() { models::call::known_names() } else { operations.to_vec() };
    for name in &all {
        let (collective, call) = Call::find(name.trim()).map_err(BadInput)?;
        for world in worlds.iter().filter(|world| world.library().is_some()) {
            let mut names = models::forced::names(*world, collective, &call);
            names.retain(|name| models::forced::on_hosts(*world, name, site.host_count()).is_ok());
            if names.is_empty() && operations.is_empty() {
                continue;
            }
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            text += &format!("{name}, {}: {names}\n", world.title());
        }
    }
    Ok(text)
}

/// Returns the numbers of a list, each once, in order of size.
pub fn numbers<T: TryFrom<u64> + Ord>(
    flag: &str,
    text: &str,
    read: impl Fn(&str) -> Result<u64, String>,
) -> Result<Vec<T>, BadInput> {
    at_most(MOST_NUMBERS, flag, text, read)
}

/// Returns the numbers of a list that is no longer than `most`, as [`numbers`] does.
pub fn at_most<T: TryFrom<u64> + Ord>(
    most: u64,
    flag: &str,
    text: &str,
    read: impl Fn(&str) -> Result<u64, String>,
) -> Result<Vec<T>, BadInput> {
    list(most, text, read).map_err(|message| BadInput(format!("{flag}: {message}")))
}

/// Returns the numbers of a list as [`at_most`] does, with an error that names no flag.
pub fn list<T: TryFrom<u64> + Ord>(
    most: u64,
    text: &str,
    read: impl Fn(&str) -> Result<u64, String>,
) -> Result<Vec<T>, String> {
    let numbers = Numbers::listed(text, read).and_then(|numbers| numbers.all(most))?;
    let mut numbers: Vec<T> = numbers.into_iter().filter_map(|number| T::try_from(number).ok()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_stand_for_several_queues_and_one_alone_for_itself() {
        let names = |name: &str| {
            let all = implementations(name).unwrap();
            all.iter().map(Implementation::written).map(|name| name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names("shared:8KiB:1..4"), ["shared:8KiB:1:1:flat", "shared:8KiB:2:1:flat", "shared:8KiB:4:1:flat"]);
        assert_eq!(names("library:binomial"), ["library:binomial"]);
        assert!(implementations("shared:8KiB:x").is_err());
    }
}
