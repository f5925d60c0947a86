//! Job scripts for Slurm: `sbatch FILE`.

use super::Script;

/// What Slurm reads. A minute before the time is up the run is asked to end: what is under way ends in order.
pub fn directives(script: &Script) -> String {
    let Script { name, ranks, nodes, time, .. } = script;
    let per_node = script.ranks_per_node();
    let time = time.map(|time| format!("#SBATCH --time={time}\n")).unwrap_or_default();
    format!(
        "#SBATCH --job-name={name}\n\
         #SBATCH --ntasks={ranks}\n\
         #SBATCH --nodes={nodes}\n\
         #SBATCH --ntasks-per-node={per_node}\n\
         #SBATCH --exclusive\n\
         {time}\
         #SBATCH --signal=B:TERM@60\n\
         #SBATCH --requeue\n\
         #SBATCH --open-mode=append\n\
         #SBATCH --output=%x.out\n"
    )
}

/// One line for each rank, from which `parallax` knows how many each host has room for.
pub fn hosts(script: &Script) -> String {
    let folder = &script.folder;
    format!(
        "cd \"$SLURM_SUBMIT_DIR\"\n\
         folder={folder}\n\
         mkdir -p \"$folder\"\n\
         srun --ntasks=\"$SLURM_NTASKS\" hostname >\"$folder/hosts\"\n\
         export PARALLAX_HOSTS=$folder/hosts\n"
    )
}
