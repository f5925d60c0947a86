//! The k-ary fat tree (Al-Fares, Loukissas, Vahdat 2008): k pods of k/2 edge and k/2 aggregation switches, (k/2)² core
//! switches, k/2 hosts on every edge switch.
//!
//! Nodes: hosts, then edge, aggregation and core switches. Aggregation switch j of a pod is linked to the core
//! switches j·k/2 … j·k/2 + k/2 − 1.

use petgraph::graph::{NodeIndex, UnGraph};

pub(super) fn hosts(ports: u32) -> u64 {
    let ports = u64::from(ports);
    ports.saturating_mul(ports).saturating_mul(ports) / 4
}

pub(super) fn graph(ports: u32) -> UnGraph<(), ()> {
    let (pods, half) = (ports as usize, ports as usize / 2);
    let hosts = pods * half * half;
    let edge = |pod: usize, index: usize| NodeIndex::new(hosts + pod * half + index);
    let aggregation = |pod: usize, index: usize| NodeIndex::new(hosts + pods * half + pod * half + index);
    let core = |index: usize| NodeIndex::new(hosts + 2 * pods * half + index);
    let mut graph = UnGraph::default();
    for _ in 0..hosts + 2 * pods * half + half * half {
        graph.add_node(());
    }
    for host in 0..hosts {
        let switch = host / half;
        graph.add_edge(NodeIndex::new(host), edge(switch / half, switch % half), ());
    }
    for pod in 0..pods {
        for lower in 0..half {
            for upper in 0..half {
                graph.add_edge(edge(pod, lower), aggregation(pod, upper), ());
            }
        }
        for upper in 0..half {
            for port in 0..half {
                graph.add_edge(aggregation(pod, upper), core(upper * half + port), ());
            }
        }
    }
    graph
}
