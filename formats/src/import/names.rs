//! Names that tools give to collectives.

use models::collective::Collective;

/// Returns a name in small letters, without the words that tools put around the collective's name.
fn bare(name: &str) -> String {
    let name = name.strip_prefix("MPI_").unwrap_or(name).to_ascii_lowercase();
    let name = name.strip_prefix("multi-").unwrap_or(&name);
    name.strip_suffix(" latency").unwrap_or(name).to_owned()
}

/// Returns the blocking collective of a name: `MPI_Bcast`, `Broadcast Latency`, `All-to-All Personalized Exchange
/// Latency`, `Multi-Reduce_scatter`. Others (v-variants, non-blocking, neighbourhood) are unknown to Parallax.
pub(super) fn collective(name: &str) -> Option<Collective> {
    Some(match bare(name).as_str() {
        "bcast" | "broadcast" => Collective::Bcast,
        "reduce" => Collective::Reduce,
        "barrier" => Collective::Barrier,
        "allreduce" => Collective::Allreduce,
        "gather" => Collective::Gather,
        "scatter" => Collective::Scatter,
        "allgather" => Collective::Allgather,
        "alltoall" | "all-to-all" | "all-to-all personalized exchange" => Collective::Alltoall,
        "reduce_scatter" | "reduce_scatter_block" => Collective::ReduceScatter,
        "scan" => Collective::Scan,
        "exscan" => Collective::Exscan,
        _ => return None,
    })
}

/// Returns the first valid reason why a benchmark's name is none of the collectives that Parallax knows.
pub fn why_none(name: &str) -> &'static str {
    let (name, call) = (name.to_ascii_lowercase(), bare(name));
    let call = call.as_str();
    let is_collective = |call: &str| collective(call).is_some() || VARIANTS.contains(&call);
    let devices = ["-cuda", "-rocm", "-openacc", "-sycl"].iter().any(|device| name.contains(device));
    if devices {
        ON_DEVICES
    } else if name.contains("non-blocking") || call.strip_prefix('i').is_some_and(is_collective) {
        "it is not blocking"
    } else if name.contains("persistent") || call.ends_with("_init") {
        "it is a persistent call"
    } else if name.contains("neighbor") {
        "ranks exchange with their neighbours, not with all"
    } else if VARIANTS.contains(&call) {
        "each rank may have a block of another length"
    } else if call.strip_suffix("mt").is_some_and(is_collective) {
        "several threads of each rank call it at once"
    } else {
        "it is no collective, or none that is known by this name"
    }
}

/// Reason for calls whose buffers are in devices' memory.
pub const ON_DEVICES: &str = "its buffers lie in the memory of accelerators";

/// Collectives whose blocks may differ, by the names that tools give them.
const VARIANTS: [&str; 8] = [
    "gatherv",
    "scatterv",
    "allgatherv",
    "alltoallv",
    "alltoallw",
    "all-to-allv",
    "all-to-allv personalized exchange",
    "all-to-allw personalized exchange",
];

/// Whether a collective combines elements: tools give those another type.
pub(super) fn combines(name: &str) -> bool {
    let name = name.strip_prefix("MPI_").unwrap_or(name).to_ascii_lowercase();
    let name = name.strip_prefix('i').unwrap_or(&name);
    ["reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_call_collectives_by_many_names() {
        for (name, expected) in [
            ("MPI_Bcast", Some(Collective::Bcast)),
            ("Broadcast Latency", Some(Collective::Bcast)),
            ("All-to-All Personalized Exchange Latency", Some(Collective::Alltoall)),
            ("Multi-Reduce_scatter", Some(Collective::ReduceScatter)),
            ("MPI_Allgatherv", None),
            ("Ibcast", None),
            ("Latency", None),
        ] {
            assert_eq!(collective(name), expected, "{name}");
        }
    }

    #[test]
    fn what_is_none_is_so_for_a_reason() {
        for (name, part) in [
            ("MPI_Allgatherv", "length"),
            ("All-to-Allv Personalized Exchange Latency", "length"),
            ("Ibcast", "blocking"),
            ("Ialltoallv", "blocking"),
            ("Non-blocking Allreduce Latency", "blocking"),
            ("Allreduce_init", "persistent"),
            ("Neighbor Allgather Latency", "neighbours"),
            ("MPI-CUDA Broadcast Latency", "accelerators"),
            ("MPI-ROCM Non-blocking Broadcast Latency", "accelerators"),
            ("Latency", "no collective"),
            ("AllReduceMT", "threads"),
            ("PingPongMT", "no collective"),
            ("Init", "no collective"),
            ("PingPong", "no collective"),
        ] {
            assert_eq!(collective(name), None, "{name}");
            assert!(why_none(name).contains(part), "{name}: {}", why_none(name));
        }
    }
}
