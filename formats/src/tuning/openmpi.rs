//! Open MPI's file of dynamic rules, which `coll/tuned` reads.
//!
//! Numbers alone: collectives; for each its number, sizes of communicators, and for each size the lengths of messages with
//! algorithm, fanout and segment length. A rule holds from its size, or length, up to the next one; algorithm 0 is the
//! library's own choice. A file in another form is passed over without a word. Source: `ompi/mca/coll/tuned/coll_tuned_dynamic_file.c` of Open MPI 4.1.4 and 5.0.11.

use super::{Entry, Split, Target, Written, of_all_ranks, operation};
use models::call::{Call, LengthForm};
use models::collective::Collective;
use models::library::{Release, is_since};
use models::world::World;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Operations that the file can have, in the order of their numbers.
const COLLECTIVES: [&str; 17] = [
    "allgather",
    "allgatherv",
    "allreduce",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "barrier",
    "bcast",
    "exscan",
    "gather",
    "gatherv",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "scatter",
    "scatterv",
];

/// A rule: from this length on this algorithm, with this fanout and these segments.
type Rule = (u64, i32, u32, u64);

/// Whether the library looks into its rules at this call. Of the operations that the file has, it passes over those with a
/// count for each rank.
pub(super) fn reads(collective: Collective, call: &Call) -> bool {
    match call.form {
        LengthForm::Regular => true,
        LengthForm::Vector => {
            matches!(collective, Collective::Allgather | Collective::Alltoall | Collective::ReduceScatter)
        }
        LengthForm::Wide => false,
    }
}

/// Whether an algorithm combines in another order than that of the ranks. The fixed decisions ask whether an operator commutes, rules
/// do not (`ompi_coll_tuned_…_intra_do_this` of 4.1.4 and 5.0.10).
pub(super) fn reorders(collective: Collective, algorithm: &str) -> bool {
    match collective {
        Collective::Reduce => ["chain", "pipeline", "binary", "binomial"].contains(&algorithm),
        Collective::Allreduce => ["ring", "segmented_ring"].contains(&algorithm),
        Collective::ReduceScatter => ["recursive_halving", "ring"].contains(&algorithm),
        Collective::Barrier
        | Collective::Bcast
        | Collective::Gather
        | Collective::Scatter
        | Collective::Allgather
        | Collective::Alltoall
        | Collective::Scan
        | Collective::Exscan => false,
    }
}

/// Returns where rules can change the algorithm. Scans and `MPI_Alltoallv` do not give their lengths. Gather and scatter give
/// them by the arguments of each rank, which need not be set on all of them: two ranks may take two algorithms, and the data
/// are wrong (seen in 4.1.4 and 5.0.11, in place at the root).
pub(super) fn split(target: Target, collective: Collective, call: &Call) -> Split {
    if target.hosts > 1 && hides(target.world, collective) && along_lengths(collective, call) == Split::Anywhere {
        return Split::WithoutOwnChoice;
    }
    along_lengths(collective, call)
}

/// Whether coll/han carries out an operation in the library's own choice: it does so since 5.0 among several hosts, and must be
/// switched off, for all operations, for a rule to hold.
fn hides(world: World, collective: Collective) -> bool {
    let is_old = world.release().and_then(Release::version).is_some_and(|version| !is_since(HAN_SINCE, version));
    let taken = match collective {
        Collective::Barrier
        | Collective::Bcast
        | Collective::Reduce
        | Collective::Allreduce
        | Collective::Allgather
        | Collective::Gather
        | Collective::Scatter => true,
        Collective::Alltoall | Collective::ReduceScatter | Collective::Scan | Collective::Exscan => false,
    };
    taken && !is_old
}

fn along_lengths(collective: Collective, call: &Call) -> Split {
    match collective {
        Collective::Bcast
        | Collective::Reduce
        | Collective::Allreduce
        | Collective::Allgather
        | Collective::ReduceScatter => Split::Anywhere,
        Collective::Alltoall if call.form == LengthForm::Regular => Split::Anywhere,
        Collective::Alltoall
        | Collective::Barrier
        | Collective::Gather
        | Collective::Scatter
        | Collective::Scan
        | Collective::Exscan => Split::Nowhere,
    }
}

pub(super) fn written(target: Target, entries: &[Entry], (folder, name): (&Path, &str)) -> Written {
    let mut written = Written::default();
    let mut all: BTreeMap<usize, BTreeMap<u32, Vec<Rule>>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| !entry.pieces.is_empty()) {
        let operation = operation(entry);
        let Some(number) = COLLECTIVES.iter().position(|known| *known == operation) else {
            written.left_out.push(format!("{operation}: Open MPI's rules do not have it"));
            continue;
        };
        match rules(target.world, entry) {
            Ok(rules) => {
                all.entry(number).or_default().insert(entry.ranks, rules);
            }
            Err(why) => written.left_out.push(why),
        }
    }
    if all.is_empty() {
        return written;
    }
    // The first size holds for smaller communicators, too, and the last one for larger ones.
    let own = || vec![(0, 0, 0, 0)];
    for by_ranks in all.values_mut() {
        let sizes: Vec<u32> = by_ranks.keys().copied().collect();
        sizes.iter().for_each(|ranks| {
            by_ranks.entry(ranks + 1).or_insert_with(own);
        });
        by_ranks.entry(0).or_insert_with(own);
    }
    let is_json =
        target.world.release().and_then(Release::version).is_some_and(|version| is_since(JSON_SINCE, version));
    let (file, text) =
        if is_json { (format!("{name}.json"), json(&all)) } else { (format!("{name}.conf"), text(&all)) };
    written.environment = vec![
        ("OMPI_MCA_coll_tuned_use_dynamic_rules".to_owned(), "1".to_owned()),
        ("OMPI_MCA_coll_tuned_dynamic_rules_filename".to_owned(), folder.join(&file).display().to_string()),
    ];
    if entries.iter().any(|entry| hides(target.world, entry.collective)) {
        written.environment.push(("OMPI_MCA_coll_han_priority".to_owned(), "0".to_owned()));
        if target.hosts > 1 {
            written.left_out.push(
                "coll/han is switched off, which would carry out operations between hosts before the table does: barrier, bcast, \
                 reduce, allreduce, allgather, gather and scatter without an entry lose it, too"
                    .to_owned(),
            );
        }
    }
    let reorders = |entry: &Entry| entry.pieces.iter().any(|piece| reorders(entry.collective, &piece.algorithm));
    if entries.iter().any(reorders) {
        written.left_out.push("algorithms of reductions are right only for operators that commute".to_owned());
    }
    written.files.push((file, text));
    written
}

/// First version whose coll/han goes before the rules.
const HAN_SINCE: &str = "5.0";
/// First version that reads JSON. Its reader of the older form gives the rules of a size to other ones.
const JSON_SINCE: &str = "6.0";

/// Returns the rules as JSON. What no rule names is the library's own choice.
fn json(all: &BTreeMap<usize, BTreeMap<u32, Vec<Rule>>>) -> String {
    let of_ranks = |(ranks, rules): (&u32, &Vec<Rule>)| {
        let last = rules.iter().skip(1).map(|(bytes, ..)| Some(bytes - 1)).chain([None]);
        let each = rules.iter().zip(last).filter(|((_, algorithm, ..), _)| *algorithm != 0);
        let each = each.map(|((from, algorithm, fanout, segment), last)| {
            let most = last.map(|last| format!("\"msg_size_max\": {last}, ")).unwrap_or_default();
            format!(
                "        {{\"msg_size_min\": {from}, {most}\"alg\": {algorithm}, \"faninout\": {fanout}, \"seg_size\": {segment}}}"
            )
        });
        let each = each.collect::<Vec<_>>().join(",\n");
        format!("      {{\"comm_size_min\": {ranks}, \"comm_size_max\": {ranks}, \"rules\": [\n{each}\n      ]}}")
    };
    let of_collective = |(number, by_ranks): (&usize, &BTreeMap<u32, Vec<Rule>>)| {
        let tuned = by_ranks.iter().filter(|(_, rules)| rules.iter().any(|(_, algorithm, ..)| *algorithm != 0));
        let sizes = tuned.map(of_ranks).collect::<Vec<_>>().join(",\n");
        format!("    \"{}\": [\n{sizes}\n    ]", COLLECTIVES[*number])
    };
    let collectives = all.iter().map(of_collective).collect::<Vec<_>>().join(",\n");
    format!(
        "{{\n  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n  \"collectives\": {{\n{collectives}\n  }}\n}}\n"
    )
}

fn text(all: &BTreeMap<usize, BTreeMap<u32, Vec<Rule>>>) -> String {
    let mut text = String::new();
    let mut line = |said: String, about: String| {
        let _ = writeln!(text, "{said:<24}# {about}");
    };
    line(all.len().to_string(), "number of collectives".to_owned());
    for (number, by_ranks) in all {
        line(number.to_string(), format!("MPI_{}", COLLECTIVES[*number]));
        line(by_ranks.len().to_string(), "number of communicator sizes".to_owned());
        for (ranks, rules) in by_ranks {
            line(ranks.to_string(), "ranks, and more up to the next size".to_owned());
            line(rules.len().to_string(), "number of lengths".to_owned());
            for (bytes, algorithm, fanout, segment) in rules {
                line(
                    format!("{bytes} {algorithm} {fanout} {segment}"),
                    "bytes from which, algorithm (0: its own choice), fanout, bytes of a segment".to_owned(),
                );
            }
        }
    }
    text
}

fn rules(world: World, entry: &Entry) -> Result<Vec<Rule>, String> {
    let number = |name: &str| {
        let found = models::forced::number(world, entry.collective, &entry.call, name);
        found.ok_or_else(|| format!("{}: {name} is no algorithm of a rule", operation(entry)))
    };
    if along_lengths(entry.collective, &entry.call) == Split::Nowhere {
        return match &entry.pieces[..] {
            [one] => Ok(vec![(0, number(&one.algorithm)?, fanout(&one.algorithm), one.segment_bytes)]),
            _ => Err(format!("{}: rules cannot tell its lengths apart", operation(entry))),
        };
    }
    let mut rules: Vec<Rule> = vec![(0, 0, 0, 0)];
    for piece in &entry.pieces {
        let from = message_bytes(entry, piece.from_bytes);
        rules.retain(|(bytes, ..)| *bytes < from);
        rules.push((from, number(&piece.algorithm)?, fanout(&piece.algorithm), piece.segment_bytes));
        if let Some(below) = piece.below_bytes {
            rules.push((message_bytes(entry, below), 0, 0, 0));
        }
    }
    Ok(rules)
}

/// Returns the length that the library compares with a rule's.
fn message_bytes(entry: &Entry, bytes: u64) -> u64 {
    match entry.collective {
        // Of `MPI_Allgatherv` the mean over ranks.
        Collective::Allgather if entry.call.form == LengthForm::Vector => bytes,
        Collective::Allgather
        | Collective::Alltoall
        | Collective::Gather
        | Collective::Scatter
        | Collective::ReduceScatter => of_all_ranks(bytes, entry.ranks),
        Collective::Bcast
        | Collective::Reduce
        | Collective::Allreduce
        | Collective::Scan
        | Collective::Exscan
        | Collective::Barrier => bytes,
    }
}

/// Returns the fanout that the library gives the algorithm where it is forced by its name alone: only that of chains is read
/// from a rule.
fn fanout(algorithm: &str) -> u32 {
    if algorithm == "chain" { 4 } else { 0 }
}
