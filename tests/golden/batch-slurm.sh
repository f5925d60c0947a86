#!/bin/bash
#SBATCH --job-name=question
#SBATCH --ntasks=4
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --exclusive
#SBATCH --time=01:30:00
#SBATCH --partition=short
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x.out

# Where software comes as modules: Open MPI's.
# module load openmpi
# Where parallax and parallax-mpi-openmpi are, if not on the PATH:
# export PATH=$HOME/parallax/target/release:$PATH

set -euo pipefail
cd "$SLURM_SUBMIT_DIR"
folder='runs/it'\''s one'
mkdir -p "$folder"
srun --ntasks="$SLURM_NTASKS" hostname >"$folder/hosts"
export PARALLAX_HOSTS=$folder/hosts
export PARALLAX_LAUNCHER=mpirun

# A job that was killed kept every case it had finished: submitted again, it goes on from there.
if [ -e "$folder/campaign.jsonl" ]; then
    exec parallax run question.toml --timeout 120 --resume --out "$folder"
fi
exec parallax run question.toml --timeout 120 --out "$folder"
