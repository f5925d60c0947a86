//! Queues in shared memory as lists name them: `shared:8KiB:1..128` stands for a queue with each number of buffers.

use super::{Numbers, whole};
use crate::axis::Axis;
use models::quantity::{self, Bytes};
use models::shared_broadcast::{Design, Queue, Queued, Scheme, length};

/// Largest number of queues in a list. Longer lists are taken for typing errors.
const MOST: u64 = 10_000;

/// Rule for the number of a queue's buffers, `4MiB` or `f/2`. `None` where a number is given.
type Rule = Option<String>;

/// Returns the queues that a name stands for, in its order: `shared:8KiB:1..128` is eight of them.
///
/// # Errors
/// Fails for a text that is no list, and for the first queue that cannot exist.
pub fn listed(name: &str) -> Result<Vec<Queued>, String> {
    Ok(queues(name)?.into_iter().map(|(queued, _)| queued).collect())
}

/// Returns the queues with the rules of their buffers, of a name like
/// `shared:[DESIGN:]FRAGMENTS[:BUFFERS[:SETS]][:TREE]`, where each of the first three may be a list or a range as in
/// [`Numbers::listed`]. Buffers may also be given as memory, `4MiB`, of which a queue has as many as fit, or as `f/2`,
/// half as many as a fragment has bytes.
///
/// # Errors
/// Fails for a text that is no list, and for the first queue that cannot exist.
pub(super) fn queues(name: &str) -> Result<Vec<(Queued, Rule)>, String> {
    let wrong = |message: String| format!("{name}: {message}");
    let mut fields: Vec<&str> = name.split(':').collect();
    let design = fields.get(1).and_then(|field| Design::find(field).ok());
    let begin = if design.is_some() { 2 } else { 1 };
    let head = fields.drain(..begin.min(fields.len())).collect::<Vec<_>>().join(":");
    let (_, _, usual_sets) = design.unwrap_or(Design::Numa).usual();
    let [fragments, buffers, rest @ ..] = &fields[..] else { return Ok(vec![(Queued::parse(name)?, None)]) };
    let (sets, rest) = match rest {
        [sets, rest @ ..] if sets.starts_with(|first: char| first.is_ascii_digit()) => {
            (numbers(sets).map_err(wrong)?.into_iter().map(Some).collect(), rest)
        }
        rest => (vec![None], rest),
    };
    let mut all = Vec::new();
    for fragment in lengths(fragments).map_err(wrong)? {
        for sets in &sets {
            for (buffers, rule) in counts(buffers, fragment, sets.unwrap_or(usual_sets)).map_err(wrong)? {
                let numbers = [head.clone(), length(fragment), buffers.to_string()].into_iter();
                let words =
                    numbers.chain(sets.map(|sets| sets.to_string())).chain(rest.iter().map(ToString::to_string));
                all.push((Queued::parse(&words.collect::<Vec<_>>().join(":"))?, rule));
                if all.len() as u64 > MOST {
                    return Err(wrong(format!("expected at most {MOST} queues, found more")));
                }
            }
        }
    }
    Ok(all)
}

/// Returns the name of a queue's curve over the length of its fragments, `shared:f:4MiB:1:flat`, or over the number of
/// its buffers, `shared:8KiB:s:1:flat`. Queues that differ in nothing else lie on it. `None` over any other axis.
pub(super) fn curve(queued: &Queued, rule: Option<&str>, over: Axis) -> Option<String> {
    let Scheme { design, queue, tree } = queued.scheme();
    let (fragment, buffers) = match over {
        Axis::Fragment => ("f".to_owned(), rule.map_or_else(|| queue.buffers().to_string(), str::to_owned)),
        Axis::Buffers => (length(queue.fragment_bytes()), "s".to_owned()),
        _ => return None,
    };
    let design = if design == Design::Numa { String::new() } else { format!("{design}:") };
    Some(format!("shared:{design}{fragment}:{buffers}:{}:{tree}", queue.sets()))
}

fn numbers(text: &str) -> Result<Vec<u64>, String> {
    let number = |text: &str| whole(text).ok_or_else(|| format!("expected a whole number, found \"{text}\""));
    Numbers::listed(text, number)?.all(MOST)
}

/// Reads a list of lengths in bytes, which may have units.
fn lengths(text: &str) -> Result<Vec<u64>, String> {
    let length = |text: &str| whole(text).map_or_else(|| quantity::parse::<Bytes>(text).map(|bytes| bytes.0), Ok);
    Numbers::listed(text, length)?.all(MOST)
}

/// Returns numbers of buffers for fragments of `fragment` bytes, given directly or by a rule: as memory, or as a share
/// of the fragment.
fn counts(text: &str, fragment: u64, sets: u64) -> Result<Vec<(u64, Rule)>, String> {
    if let Some(share) = text.strip_prefix("f/") {
        let buffers = whole(share).and_then(|share| fragment.checked_div(share)).filter(|&buffers| buffers > 0);
        return buffers.map(|buffers| vec![(buffers, Some(text.to_owned()))]).ok_or_else(|| {
            format!("expected at least one buffer, as f/2 says it of fragments of f B; found {text} of {fragment} B")
        });
    }
    match numbers(text) {
        Ok(numbers) => Ok(numbers.into_iter().map(|number| (number, None)).collect()),
        Err(message) if !text.ends_with('B') => Err(message),
        Err(_) => {
            let filling = |memory: u64| {
                let queue = Queue::filling(memory, fragment, sets)?;
                Ok((queue.buffers(), Some(length(memory))))
            };
            lengths(text)?.into_iter().map(filling).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn names(name: &str) -> Vec<String> {
        queues(name).unwrap().into_iter().map(|(queued, _)| queued.name().to_owned()).collect()
    }

    #[test]
    fn one_name_may_stand_for_many_queues() {
        assert_eq!(names("shared:8KiB:32"), ["shared:8KiB:32:1:flat"]);
        assert_eq!(names("shared:coll-sm"), ["shared:coll-sm:8KiB:8:2:complete:4"]);
        assert_eq!(names("shared:8KiB:1..4"), ["shared:8KiB:1:1:flat", "shared:8KiB:2:1:flat", "shared:8KiB:4:1:flat"]);
        assert_eq!(names("shared:8KiB:2,8:2:kary:4"), ["shared:8KiB:2:2:kary:4", "shared:8KiB:8:2:kary:4"]);
        assert_eq!(names("shared:8KiB:8:1,4:chain"), ["shared:8KiB:8:1:chain", "shared:8KiB:8:4:chain"]);
        assert_eq!(
            names("shared:coll-sm:4KiB,8KiB:16"),
            ["shared:coll-sm:4KiB:16:2:complete:4", "shared:coll-sm:8KiB:16:2:complete:4"]
        );
    }

    #[test]
    fn memory_and_fragments_say_how_many_buffers_there_are() {
        assert_eq!(names("shared:4KiB,12KiB:4MiB"), ["shared:4KiB:1024:1:flat", "shared:12KiB:341:1:flat"]);
        assert_eq!(names("shared:12KiB:4MiB:2"), ["shared:12KiB:340:2:flat"]);
        assert_eq!(names("shared:4KiB..8KiB+4KiB:f/512"), ["shared:4KiB:8:1:flat", "shared:8KiB:16:1:flat"]);
    }

    #[test]
    fn queues_that_differ_in_one_thing_lie_on_one_curve() {
        let curves = |name: &str, over: Axis| {
            let all =
                queues(name).unwrap().into_iter().map(|(queued, rule)| curve(&queued, rule.as_deref(), over).unwrap());
            all.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(curves("shared:4KiB..64KiB:4MiB:2", Axis::Fragment), ["shared:f:4MiB:2:flat"]);
        assert_eq!(curves("shared:4KiB..64KiB:f/8", Axis::Fragment), ["shared:f:f/8:1:flat"]);
        assert_eq!(curves("shared:coll-sm:4KiB:8..64", Axis::Buffers), ["shared:coll-sm:4KiB:s:2:complete:4"]);
        let both = "shared:4KiB,8KiB:2,4";
        assert_eq!(curves(both, Axis::Fragment), ["shared:f:2:1:flat", "shared:f:4:1:flat"]);
        assert_eq!(curves(both, Axis::Buffers), ["shared:4KiB:s:1:flat", "shared:8KiB:s:1:flat"]);
        assert_eq!(curve(&Queued::parse("shared:8KiB:32").unwrap(), None, Axis::Bytes), None);
    }

    #[test]
    fn what_is_no_list_of_queues_is_refused() {
        let refused = [
            "shared:8KiB",
            "shared:8KiB..4KiB:2",
            "shared:8KiB:2..x",
            "shared:8KiB:4KiB",
            "shared:100:f/200",
            "shared:8KiB:f/0",
            "shared:8KiB:1..4:2",
            "shared:8KiB:4:x",
            "shared:8KiB:1..1000000+1",
            "shared:1..1000+1:1..1000+1",
            "shared:mvapich:8KiB:4:2",
        ];
        insta::assert_snapshot!(refused.map(|text| queues(text).unwrap_err()).join("\n"));
    }
}
