//! Job scripts for Slurm, submitted by `sbatch FILE`.

use super::{Dialect, Script};
use crate::launch::Starter;
use scenario::BadInput;

/// Dialect of sbatch (sbatch(1)).
pub(super) const DIALECT: Dialect = Dialect {
    name: "slurm",
    title: "Slurm",
    prefix: "#SBATCH",
    directives,
    hosts,
    short: &[
        ("-J", "--job-name"),
        ("-n", "--ntasks"),
        ("-N", "--nodes"),
        ("-t", "--time"),
        ("-p", "--partition"),
        ("-A", "--account"),
        ("-C", "--constraint"),
        ("-o", "--output"),
    ],
    launchers: &[Starter::Mpirun, Starter::Srun],
    allocation: |ranks, nodes| format!("salloc --ntasks={ranks} --nodes={nodes}"),
};

/// Returns the directives. A minute before the time limit the run receives a signal, so that running work ends in
/// order.
fn directives(script: &Script) -> Result<Vec<String>, BadInput> {
    let Script { name, ranks, nodes, request, .. } = script;
    let per_node = script.ranks_per_node();
    let mut lines = vec![
        format!("--job-name={name}"),
        format!("--ntasks={ranks}"),
        format!("--nodes={nodes}"),
        format!("--ntasks-per-node={per_node}"),
        "--exclusive".to_owned(),
    ];
    lines.extend(request.time.map(|time| format!("--time={time}")));
    lines.extend(request.partition.as_ref().map(|name| format!("--partition={name}")));
    lines.extend(request.account.as_ref().map(|name| format!("--account={name}")));
    lines.extend(request.constraint.as_ref().map(|text| format!("--constraint={text}")));
    lines.extend(["--signal=B:TERM@60", "--requeue", "--open-mode=append", "--output=%x.out"].map(str::to_owned));
    Ok(lines)
}

/// Returns the lines that write the hosts, one line for each rank, from which `parallax` knows the number of ranks for
/// each host.
fn hosts(script: &Script) -> String {
    let folder = &script.folder;
    format!(
        "cd \"$SLURM_SUBMIT_DIR\"\n\
         folder={folder}\n\
         mkdir -p \"$folder\"\n\
         srun --ntasks=\"$SLURM_NTASKS\" hostname >\"$folder/hosts\"\n\
         export PARALLAX_HOSTS=$folder/hosts\n"
    )
}
