//! Statements of Parallax on a table that it writes in another tool's form: words of the table's rows.

use super::PrintedRow;
use super::conditions::say;
use programs::observation::World;

/// Word for the method of the case.
pub const METHOD: &str = "method";
/// Name for the number of ranks, which becomes no word of a row, but its count.
const RANKS: &str = "ranks";
/// Word for the algorithm: `library`, or the name of one.
pub const ALGORITHM: &str = "algorithm";
/// Word for the root, where the operation has one.
pub const ROOT: &str = "root_rank";
/// Word for unusual properties of the call.
pub const VARIANT: &str = "variant";
/// Word for the world, by its name in files.
pub const WORLD: &str = "world";
/// Word for library and version, host and clock.
pub const RAN_BY: &str = "ran_by";
/// Word that is not empty where ranks shared cores.
pub(crate) const OVERSUBSCRIBED: &str = "oversubscribed";

/// Beginning of the line that Parallax writes; the version follows.
pub(crate) const WRITTEN: &str = "Written by Parallax ";

/// Names of words with their values.
pub(super) type Words = Vec<(&'static str, String)>;

/// The words of a line that Parallax wrote.
pub(super) fn words(line: &str) -> Option<Words> {
    let (_, said) = line.trim().strip_prefix('#')?.trim().strip_prefix(WRITTEN)?.split_once(": ")?;
    let (said, oversubscribed) =
        said.strip_suffix(", oversubscribed").map_or((said, ""), |said| (said, OVERSUBSCRIBED));
    let mut words = vec![(OVERSUBSCRIBED, oversubscribed.to_owned())];
    let (mut rest, mut variant) = (said, Vec::new());
    while !rest.is_empty() {
        if let Some(world) = World::of_ran_by(rest) {
            words.extend([(WORLD, world.name().to_owned()), (RAN_BY, rest.to_owned())]);
            break;
        }
        let (part, after) = rest.split_once(", ").unwrap_or((rest, ""));
        let known = [METHOD, ALGORITHM].into_iter().find_map(|name| Some((name, part.strip_prefix(name)?.trim())));
        match (known, part.strip_prefix("root "), part.strip_suffix(" ranks")) {
            (Some((name, value)), ..) => words.push((name, value.to_owned())),
            (None, Some(root), _) => words.push((ROOT, root.parse::<u32>().ok()?.to_string())),
            (None, None, Some(ranks)) => words.push((RANKS, ranks.parse::<u32>().ok()?.to_string())),
            (None, None, None) => variant.push(part),
        }
        rest = after;
    }
    words.push((VARIANT, variant.join(", ")));
    Some(words)
}

/// Gives each row the words of the last line above it.
pub(super) fn say_words(rows: &mut [PrintedRow], written: &[(usize, Words)]) {
    for row in rows {
        let last = written.iter().rev().find(|(line, _)| *line < row.line);
        for (name, value) in last.into_iter().flat_map(|(_, words)| words) {
            if *name == RANKS {
                row.ranks = row.ranks.or(value.parse().ok());
            } else {
                say(row, name, value);
            }
        }
    }
}

/// Whether Parallax wrote that the ranks of a row shared cores.
pub fn is_oversubscribed(row: &PrintedRow) -> bool {
    !row.word(OVERSUBSCRIBED).is_empty()
}

/// The root that Parallax wrote for a row.
pub fn root(row: &PrintedRow) -> Option<u32> {
    row.word(ROOT).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_line() {
        let line = "# Written by Parallax 0.1.0: method barrier-loop, 2 ranks, algorithm binomial, root 2, float, in place, Open MPI 4.1.4 on \
                    vm, clock tsc (2.4 GHz to 0.1 ppm), oversubscribed";
        let words = words(line).expect("ours");
        let word = |name: &str| words.iter().find(|word| word.0 == name).map_or("", |word| word.1.as_str());
        assert_eq!([word(METHOD), word(ALGORITHM), word(ROOT)], ["barrier-loop", "binomial", "2"]);
        assert_eq!([word(VARIANT), word(WORLD), word(OVERSUBSCRIBED)], ["float, in place", "openmpi", OVERSUBSCRIBED]);
        assert_eq!(word(RAN_BY), "Open MPI 4.1.4 on vm, clock tsc (2.4 GHz to 0.1 ppm)");
        assert_eq!(super::words("# Written by a colleague: method loop"), None);
    }
}
