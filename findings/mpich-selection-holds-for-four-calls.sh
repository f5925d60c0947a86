#!/usr/bin/env bash
# MPICH on one host uses the algorithm that its selection file, or its variable, names for four calls; then another one.
#
# One would guess that MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring, or a file of MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE with the ring in it, holds
# for each call or for none. Where all ranks share a host, a communicator's first four calls (of MPI_Bcast, MPI_Reduce, MPI_Allreduce and
# MPI_Barrier together: MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD) are made by the named algorithm. From the fifth on the library takes its
# own algorithm over shared memory, and nothing is said. Who measures "ring" and "recursive doubling" on one host, with a few calls
# before to warm up, measures the same thing twice. MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE=0 keeps the name in force.
#
# The algorithm is told by calls of a user's operation, over all of 4 ranks: recursive doubling, the library's choice for the first calls,
# makes 8, a ring 12, the algorithm over shared memory 3.
# Seen with the wheel of PyPI, x86-64 Linux: mpich 5.0.2. Needs python3 with venv, and a C compiler.
# Expected output (calls of the operation in each of 8 calls of MPI_Allreduce):
#   nothing named: 8 8 8 8 3 3 3 3
#   variable: 12 12 12 12 3 3 3 3
#   file: 12 12 12 12 3 3 3 3
#   file, not over shared memory: 12 12 12 12 12 12 12 12
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/calls.c" <<'C'
#include <mpi.h>
#include <stdio.h>
enum { ROUNDS = 8, LENGTH = 64 };
static int calls;
static void add(void *in, void *out, int *count, MPI_Datatype *type) {
    (void)type;
    calls++;
    for (int i = 0; i < *count; i++) ((int *)out)[i] += ((int *)in)[i];
}
int main(void) {
    int rank, right = 1, ones[LENGTH], sums[LENGTH], mine[ROUNDS], all[ROUNDS];
    MPI_Op op;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < LENGTH; i++) ones[i] = 1;
    for (int round = 0; round < ROUNDS; round++) {
        calls = 0;
        MPI_Allreduce(ones, sums, LENGTH, MPI_INT, op, MPI_COMM_WORLD);
        mine[round] = calls;
        right = right && sums[0] == 4 && sums[LENGTH - 1] == 4;
    }
    MPI_Reduce(mine, all, ROUNDS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int round = 0; rank == 0 && round < ROUNDS; round++) printf(" %d", right ? all[round] : -1);
    if (rank == 0) puts("");
    MPI_Finalize();
    return 0;
}
C
python3 -m venv "$folder/place"
"$folder/place/bin/pip" install --quiet --disable-pip-version-check mpich==5.0.2
"$folder/place/bin/mpicc" -o "$folder/calls" "$folder/calls.c"
# The file is the selection that lies in the library itself, with one name changed.
LC_ALL=C grep -ao '{"collective=[ -~]*' "$folder/place/lib/libmpi.so.12" | grep MPIR_Allreduce_intra_ |
    sed 's/\("is_op_built_in=no":{"algorithm=MPIR_Allreduce_intra_\)recursive_doubling/\1ring/' >"$folder/ring.json"
seen=
try() {
    local name=$1
    shift
    calls=$(timeout 60 env "$@" "$folder/place/bin/mpiexec" -n 4 "$folder/calls")
    echo "$name:$calls"
    seen+="$calls;"
}
try "nothing named"
try "variable" MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring
try "file" MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$folder/ring.json"
try "file, not over shared memory" MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$folder/ring.json" MPIR_CVAR_ALLREDUCE_DEVICE_COLLECTIVE=0
[ "$seen" = " 8 8 8 8 3 3 3 3; 12 12 12 12 3 3 3 3; 12 12 12 12 3 3 3 3; 12 12 12 12 12 12 12 12;" ] && exit 0
echo "changed: expected the counts above" >&2
exit 1
