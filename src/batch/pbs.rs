//! Job scripts for PBS (PBS Professional, OpenPBS): `qsub FILE`.

use super::Script;

/// What PBS reads: chunks of one node each; jobs may be run again.
pub fn directives(script: &Script) -> String {
    let Script { nodes, time, .. } = script;
    // PBS takes names of at most 15 characters.
    let name: String = script.name.chars().take(15).collect();
    let per_node = script.ranks_per_node();
    let time = time.map(|time| format!("#PBS -l walltime={time}\n")).unwrap_or_default();
    format!(
        "#PBS -N {name}\n\
         #PBS -l select={nodes}:ncpus={per_node}:mpiprocs={per_node}\n\
         #PBS -l place=scatter:excl\n\
         {time}\
         #PBS -r y\n\
         #PBS -j oe\n"
    )
}

/// PBS lists the hosts itself, one line for each rank.
pub fn hosts(script: &Script) -> String {
    let folder = &script.folder;
    format!(
        "cd \"$PBS_O_WORKDIR\"\n\
         folder={folder}\n\
         mkdir -p \"$folder\"\n\
         export PARALLAX_HOSTS=$PBS_NODEFILE\n"
    )
}
