//! Dependencies in circles: strongly connected components of one rank's graph.

use super::Problem;
use crate::Schedule;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::VecDeque;

/// Number of operations of one circle that are named.
const NAMED: usize = 8;

pub(super) fn find(schedule: &Schedule) -> Vec<Problem> {
    let mut problems = Vec::new();
    for rank in 0..schedule.ranks() {
        let stuck = never_reached(schedule, rank);
        if !stuck.is_empty() {
            circles(schedule, rank, &stuck, &mut problems);
        }
    }
    problems
}

/// Returns the operations of a rank that no order reaches, ascending: those in circles and those behind them.
fn never_reached(schedule: &Schedule, rank: u32) -> Vec<u32> {
    let ops = schedule.ops_of(rank);
    let local = |op: u32| (op - ops.start) as usize;
    let mut pending = vec![0u32; ops.len()];
    for edge in ops.clone().flat_map(|op| schedule.dependents(op)) {
        pending[local(edge.dependent())] += 1;
    }
    let mut free: Vec<u32> = ops.clone().filter(|&op| pending[local(op)] == 0).collect();
    while let Some(op) = free.pop() {
        for edge in schedule.dependents(op) {
            pending[local(edge.dependent())] -= 1;
            if pending[local(edge.dependent())] == 0 {
                free.push(edge.dependent());
            }
        }
    }
    ops.clone().filter(|&op| pending[local(op)] > 0).collect()
}

/// Adds one problem for each circle among these operations.
fn circles(schedule: &Schedule, rank: u32, stuck: &[u32], problems: &mut Vec<Problem>) {
    let node = |op: u32| stuck.binary_search(&op).map(NodeIndex::new);
    let mut graph: DiGraph<u32, ()> = DiGraph::new();
    for &op in stuck {
        graph.add_node(op);
    }
    for &op in stuck {
        for edge in schedule.dependents(op) {
            if let (Ok(from), Ok(to)) = (node(op), node(edge.dependent())) {
                graph.add_edge(from, to, ());
            }
        }
    }
    let mut found: Vec<Vec<u32>> = Vec::new();
    for component in tarjan_scc(&graph) {
        let waits_for_itself = graph.contains_edge(component[0], component[0]);
        if component.len() > 1 || waits_for_itself {
            found.push(one_circle(&graph, &component));
        }
    }
    found.sort();
    problems.extend(found.iter().map(|circle| describe(schedule, rank, circle)));
}

/// Returns the shortest way from a component's first operation back to itself, each waiting for the next.
fn one_circle(graph: &DiGraph<u32, ()>, component: &[NodeIndex]) -> Vec<u32> {
    let Some(start) = component.iter().copied().min() else { return Vec::new() };
    let mut came_from = vec![None; graph.node_count()];
    let mut is_inside = vec![false; graph.node_count()];
    component.iter().for_each(|node| is_inside[node.index()] = true);
    let mut queue = VecDeque::from([start]);
    while let Some(here) = queue.pop_front() {
        // Against the edges: from an operation that waits to the one that it waits for.
        for earlier in graph.neighbors_directed(here, petgraph::Incoming) {
            if earlier == start {
                let mut circle = vec![here];
                while let Some(before) = came_from[circle[circle.len() - 1].index()] {
                    circle.push(before);
                }
                return circle.into_iter().rev().map(|node| graph[node]).collect();
            }
            if came_from[earlier.index()].is_none() && is_inside[earlier.index()] {
                came_from[earlier.index()] = Some(here);
                queue.push_back(earlier);
            }
        }
    }
    Vec::new()
}

fn describe(schedule: &Schedule, rank: u32, circle: &[u32]) -> Problem {
    let name = |op: &u32| format!("line {} ({})", schedule.ops()[*op as usize].line, schedule.ops()[*op as usize]);
    if let [own] = circle {
        return Problem::Cycle(format!("rank {rank} {} waits for itself", name(own)));
    }
    let mut names: Vec<String> = circle.iter().take(NAMED).map(name).collect();
    if circle.len() > NAMED {
        names.push(format!("{} more", circle.len() - NAMED));
    }
    let first = name(&circle[0]);
    Problem::Cycle(format!(
        "rank {rank}: {} wait for each other in a circle: {} → {first}",
        circle.len(),
        names.join(" → ")
    ))
}
