//! Job scripts for Flux: `flux batch FILE`. Within the job `flux run` starts ranks.

use super::Script;

/// What Flux reads.
pub fn directives(script: &Script) -> String {
    let Script { name, ranks, nodes, time, .. } = script;
    let time = time.map(|time| format!("# flux: --time-limit={}s\n", time.seconds)).unwrap_or_default();
    format!(
        "# flux: --job-name={name}\n\
         # flux: --nslots={ranks}\n\
         # flux: --nodes={nodes}\n\
         # flux: --exclusive\n\
         {time}\
         # flux: --output={name}.out\n"
    )
}

/// One line for each rank. Flux starts the script where it was submitted.
pub fn hosts(script: &Script) -> String {
    let Script { folder, ranks, .. } = script;
    format!(
        "folder={folder}\n\
         mkdir -p \"$folder\"\n\
         flux run --ntasks={ranks} hostname >\"$folder/hosts\"\n\
         export PARALLAX_HOSTS=$folder/hosts\n"
    )
}
