//! Job scripts for PBS (PBS Professional, OpenPBS), submitted by `qsub FILE`.

use super::{Dialect, Script};
use crate::launch::Starter;
use scenario::BadInput;

/// Dialect of qsub (qsub(1B), pbs_resources(7B)).
pub(super) const DIALECT: Dialect = Dialect {
    name: "pbs",
    title: "PBS",
    prefix: "#PBS",
    directives,
    hosts,
    short: &[],
    launchers: &[Starter::Mpirun],
    allocation: |ranks, nodes| {
        let per_node = ranks.div_ceil(nodes);
        format!("qsub -I -l select={nodes}:ncpus={per_node}:mpiprocs={per_node}")
    },
};

/// Returns the directives: chunks of one node each, in a job that may be rerun. PBS has no constraints, so that nodes
/// are selected by resources of a chunk.
fn directives(script: &Script) -> Result<Vec<String>, BadInput> {
    let Script { nodes, request, .. } = script;
    // PBS takes names of at most 15 characters.
    let name: String = script.name.chars().take(15).collect();
    let per_node = script.ranks_per_node();
    let mut select = format!("-l select={nodes}:ncpus={per_node}:mpiprocs={per_node}");
    if let Some(constraint) = &request.constraint {
        if !constraint.split(':').all(is_resource) {
            return Err(BadInput(format!(
                "--constraint: PBS has no constraints but resources of nodes; expected NAME=VALUE, like model=rome \
                 (pbsnodes -a lists them), found '{constraint}'"
            )));
        }
        select.push_str(&format!(":{constraint}"));
    }
    let mut lines = vec![format!("-N {name}"), select, "-l place=scatter:excl".to_owned()];
    lines.extend(request.time.map(|time| format!("-l walltime={time}")));
    lines.extend(request.partition.as_ref().map(|queue| format!("-q {queue}")));
    lines.extend(request.account.as_ref().map(|account| format!("-A {account}")));
    lines.extend(["-r y", "-j oe"].map(str::to_owned));
    Ok(lines)
}

/// Whether a text is a resource with its value, as in `model=rome`.
fn is_resource(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, value)| !name.is_empty() && !value.is_empty())
}

/// Returns the lines that name the hosts. PBS itself lists them, one line for each rank.
fn hosts(script: &Script) -> String {
    let folder = &script.folder;
    format!(
        "cd \"$PBS_O_WORKDIR\"\n\
         folder={folder}\n\
         mkdir -p \"$folder\"\n\
         export PARALLAX_HOSTS=$PBS_NODEFILE\n"
    )
}
