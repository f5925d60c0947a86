#!/bin/bash
# flux: --job-name=question
# flux: --nslots=4
# flux: --nodes=2
# flux: --exclusive
# flux: --time-limit=5400s
# flux: --queue=short
# flux: --output=question.out

# Where software comes as modules: Open MPI's.
# module load openmpi
# Where parallax and parallax-mpi-openmpi are, if not on the PATH:
# export PATH=$HOME/parallax/target/release:$PATH

set -euo pipefail
folder='runs/it'\''s one'
mkdir -p "$folder"
flux run --ntasks=4 hostname >"$folder/hosts"
export PARALLAX_HOSTS=$folder/hosts
export PARALLAX_LAUNCHER=flux

# A job that was killed kept every case it had finished: submitted again, it goes on from there.
if [ -e "$folder/campaign.jsonl" ]; then
    exec parallax run question.toml --timeout 120 --resume --out "$folder"
fi
exec parallax run question.toml --timeout 120 --out "$folder"
