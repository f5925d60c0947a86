//! Job scripts for Flux, submitted by `flux batch FILE`. Within the job `flux run` starts ranks.

use super::{Dialect, Script};
use crate::launch::Starter;
use scenario::BadInput;

/// Dialect of flux batch (flux-batch(1)).
pub(super) const DIALECT: Dialect = Dialect {
    name: "flux",
    title: "Flux",
    prefix: "# flux:",
    directives,
    hosts,
    short: &[
        ("-n", "--nslots"),
        ("-N", "--nodes"),
        ("-x", "--exclusive"),
        ("-t", "--time-limit"),
        ("-q", "--queue"),
        ("-B", "--bank"),
    ],
    launchers: &[Starter::Flux, Starter::Mpirun],
    allocation: |ranks, nodes| format!("flux alloc --nslots={ranks} --nodes={nodes}"),
};

/// Returns the directives. A partition is a queue, an account is a bank (flux-accounting), and a constraint is a
/// requirement on nodes.
fn directives(script: &Script) -> Result<Vec<String>, BadInput> {
    let Script { name, ranks, nodes, request, .. } = script;
    let mut lines = vec![
        format!("--job-name={name}"),
        format!("--nslots={ranks}"),
        format!("--nodes={nodes}"),
        "--exclusive".to_owned(),
    ];
    lines.extend(request.time.map(|time| format!("--time-limit={}s", time.seconds)));
    lines.extend(request.partition.as_ref().map(|queue| format!("--queue={queue}")));
    lines.extend(request.account.as_ref().map(|bank| format!("--bank={bank}")));
    lines.extend(request.constraint.as_ref().map(|text| format!("--requires={text}")));
    lines.push(format!("--output={name}.out"));
    Ok(lines)
}

/// Returns the lines that write the hosts, one line for each rank. Flux starts the script in the folder of its
/// submission.
fn hosts(script: &Script) -> String {
    let Script { folder, ranks, .. } = script;
    format!(
        "folder={folder}\n\
         mkdir -p \"$folder\"\n\
         flux run --ntasks={ranks} hostname >\"$folder/hosts\"\n\
         export PARALLAX_HOSTS=$folder/hosts\n"
    )
}
