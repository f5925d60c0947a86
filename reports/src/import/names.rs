//! Which collective a tool means.

use models::collective::Collective;

/// The blocking collective of a name: `MPI_Bcast`, `Broadcast Latency`, `All-to-All Personalized Exchange Latency`,
/// `Multi-Reduce_scatter`. Others (v-variants, non-blocking, neighbourhood) are none that Parallax knows.
pub(super) fn collective(name: &str) -> Option<Collective> {
    let name = name.strip_prefix("MPI_").unwrap_or(name).to_ascii_lowercase();
    let name = name.strip_prefix("multi-").unwrap_or(&name);
    let name = name.strip_suffix(" latency").unwrap_or(name);
    Some(match name {
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

/// Whether a collective's elements are combined: tools give those another type.
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
}
