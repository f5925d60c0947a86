#!/bin/bash
#PBS -N question
#PBS -l select=2:ncpus=2:mpiprocs=2
#PBS -l place=scatter:excl
#PBS -l walltime=01:30:00
#PBS -q short
#PBS -r y
#PBS -j oe

# Where software comes as modules: Open MPI's.
# module load openmpi
# Where parallax and parallax-mpi-openmpi are, if not on the PATH:
# export PATH=$HOME/parallax/target/release:$PATH

set -euo pipefail
cd "$PBS_O_WORKDIR"
folder='runs/it'\''s one'
mkdir -p "$folder"
export PARALLAX_HOSTS=$PBS_NODEFILE
export PARALLAX_LAUNCHER=mpirun

# A job that was killed kept every case it had finished: submitted again, it goes on from there.
if [ -e "$folder/campaign.jsonl" ]; then
    exec parallax run question.toml --timeout 120 --resume --out "$folder"
fi
exec parallax run question.toml --timeout 120 --out "$folder"
