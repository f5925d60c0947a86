#!/usr/bin/env bash
# MPICH 5.0 leaves a file in /dev/shm whenever a rank dies; 4.3 did not.
#
# Ranks of one host share memory by files of /dev/shm. MPICH 4.3 removes their names as soon as all ranks have opened them, so that the
# memory is gone with the last rank, however that ends. From a later release of the same library one would guess no less. MPICH 5.0 keeps
# the name mpich_shm_… until MPI_Finalize: a job of which a rank is killed leaves some 2 MB of memory behind, for good, and a
# machine that runs many such jobs fills up.
#
# Seen with the wheels of PyPI, x86-64 Linux: mpich 5.0.2 and 4.3.2, mpi4py 4.1.1. Needs python3 with venv. What is left behind is removed.
# Expected output:
#   4.3.2: 0 files left
#   5.0.2: 1 files left
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/end.py" <<'PYTHON'
import os, signal
from mpi4py import MPI
MPI.COMM_WORLD.Barrier()
if MPI.COMM_WORLD.rank == 0:
    mapped = [line.split("/dev/shm/", 1)[1].split()[0] for line in open("/proc/self/maps") if "/dev/shm/mpich" in line]
    print(*sorted(set(mapped)), flush=True)
MPI.COMM_WORLD.Barrier()
if MPI.COMM_WORLD.rank == 1:
    os.kill(os.getpid(), signal.SIGKILL)
MPI.COMM_WORLD.Barrier()
PYTHON
seen=
for version in 4.3.2 5.0.2; do
    place=$folder/$version
    python3 -m venv "$place"
    "$place/bin/pip" install --quiet --disable-pip-version-check "mpich==$version" mpi4py==4.1.1
    "$place/bin/mpiexec" -n 2 "$place/bin/python" "$folder/end.py" >"$folder/said" 2>/dev/null || true
    left=0
    for name in $(grep -o 'mpich[A-Za-z0-9_]*' "$folder/said"); do
        if [ -e "/dev/shm/$name" ]; then left=$((left + 1)) && rm "/dev/shm/$name"; fi
    done
    echo "$version: $left files left"
    seen+="$left "
done
[ "$seen" = "0 1 " ] && exit 0
echo "changed: expected none of 4.3.2, and one of 5.0.2" >&2
exit 1
