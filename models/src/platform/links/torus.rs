//! The torus of any number of dimensions: every host is linked to the next along each, the last to the first.
//!
//! Host numbers: the first dimension varies fastest. Links of the first dimension are added first, so that ties are
//! resolved in dimension order; half-way round, the two directions tie and the lower link wins.

use petgraph::graph::{NodeIndex, UnGraph};

pub(super) fn hosts(extents: &[u32]) -> u64 {
    extents.iter().fold(1, |product: u64, &extent| product.saturating_mul(u64::from(extent)))
}

pub(super) fn graph(extents: &[u32]) -> UnGraph<(), ()> {
    let hosts = hosts(extents) as usize;
    let mut graph = UnGraph::default();
    for _ in 0..hosts {
        graph.add_node(());
    }
    let mut stride = 1;
    for extent in extents.iter().map(|&extent| extent as usize) {
        for host in 0..hosts {
            let here = host / stride % extent;
            // Two hosts in a row have one link between them instead of two.
            if here + 1 < extent {
                graph.add_edge(NodeIndex::new(host), NodeIndex::new(host + stride), ());
            } else if extent > 2 {
                graph.add_edge(NodeIndex::new(host), NodeIndex::new(host - here * stride), ());
            }
        }
        stride *= extent;
    }
    graph
}
