#!/usr/bin/env bash
# MPICH 5.0 takes an allreduce that its build does not have, though it is told to fail rather than fall back.
#
# MPIR_CVAR_COLLECTIVE_FALLBACK=error says that a named algorithm which cannot be used ends the program. The wheel is built without any
# of the libraries that the algorithm "ccl" stands for (NVIDIA's, AMD's, Intel's), so one would guess that naming it is such an error. The
# program runs, with the right sum and without a word, by whatever the library would have chosen. In 4.3 the same name is refused in
# MPI_Init, as an unknown one is by both. So a measurement "of ccl" measures something else, and only counting messages shows it.
#
# Seen with the wheels of PyPI, x86-64 Linux: mpich 5.0.2 and 4.3.2, mpi4py 4.1.1. Needs python3 with venv.
# Expected output:
#   5.0.2 ccl: right
#   5.0.2 nonsense: refused
#   4.3.2 ccl: refused
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/sum.py" <<'PYTHON'
from array import array
from mpi4py import MPI
ones, sums = array("d", [1.0] * 1024), array("d", [0.0] * 1024)
MPI.COMM_WORLD.Allreduce(ones, sums)
if MPI.COMM_WORLD.rank == 0 and list(sums) == [2.0] * 1024:
    print("right")
PYTHON
export MPIR_CVAR_COLLECTIVE_FALLBACK=error MPIR_CVAR_DEVICE_COLLECTIVES=none
seen=
for case in "5.0.2 ccl" "5.0.2 nonsense" "4.3.2 ccl"; do
    read -r version name <<<"$case"
    place=$folder/$version
    if [ ! -d "$place" ]; then
        python3 -m venv "$place"
        "$place/bin/pip" install --quiet --disable-pip-version-check "mpich==$version" mpi4py==4.1.1
    fi
    said=$(MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=$name timeout 60 "$place/bin/mpiexec" -n 2 "$place/bin/python" "$folder/sum.py" 2>/dev/null) || said=refused
    echo "$case: $said"
    seen+="$said,"
done
[ "$seen" = right,refused,refused, ] && exit 0
echo "changed: expected right, refused, refused" >&2
exit 1
