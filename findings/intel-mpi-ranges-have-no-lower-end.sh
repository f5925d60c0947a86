#!/usr/bin/env bash
# Intel MPI takes an algorithm that is asked for from 1024 to 4095 bytes at 64 bytes and at 64 KiB too.
#
# The reference says of I_MPI_ADJUST_<opname>="<presetid>:<l>-<m>" that it means messages of size from l to m, so one would guess that all other
# lengths stay with the library's own choice. Lower ends are not looked at: of several ranges the first holds whose upper end is not
# below the length, and above all of them the last one holds. One range alone is every length; what is written for 8192 bytes
# and more is taken in the gap below too. An exception at some lengths needs ranges for all the others, before and behind it, and no number in
# them stands for the choice of the unset variable: 0 is what the reference calls basic logic, and -1 is refused.
#
# The algorithm is told by calls of a user's operation, over all of 4 ranks: recursive doubling (1) makes 8, a ring (8) 12, trees 3.
# Seen with the wheels of PyPI, x86-64 Linux: impi-devel and impi-rt 2021.18.0. Needs python3 with venv, and a C compiler.
# Expected output (calls in MPI_Allreduce of 64, 2048, 6144 and 65536 bytes; those of the unset variable and of 0 may differ):
#   unset: 3 8 8 8
#   8:1024-4095: 12 12 12 12
#   1:1024-4095;8:8192-16383: 8 8 12 12
#   0:0-1023;8:1024-4095;0:4096-2147483647: 8 12 8 8
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/calls.c" <<'C'
#include <mpi.h>
#include <stdio.h>
enum { MOST = 16384 };
static int calls, ones[MOST], sums[MOST];
static void add(void *in, void *out, int *count, MPI_Datatype *type) {
    (void)type;
    calls++;
    for (int i = 0; i < *count; i++) ((int *)out)[i] += ((int *)in)[i];
}
int main(void) {
    static const int counts[4] = {16, 512, 1536, MOST};
    int rank, right = 1, mine[4], all[4];
    MPI_Op op;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < MOST; i++) ones[i] = 1;
    for (int i = 0; i < 4; i++) {
        calls = 0;
        MPI_Allreduce(ones, sums, counts[i], MPI_INT, op, MPI_COMM_WORLD);
        mine[i] = calls;
        right = right && sums[0] == 4 && sums[counts[i] - 1] == 4;
    }
    MPI_Reduce(mine, all, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < 4; i++) printf(" %d", right ? all[i] : -1);
    if (rank == 0) puts("");
    MPI_Finalize();
    return 0;
}
C
python3 -m venv "$folder/place"
"$folder/place/bin/pip" install --quiet --disable-pip-version-check impi-devel==2021.18.0 impi-rt==2021.18.0
export I_MPI_ROOT="$folder/place" LD_LIBRARY_PATH="$folder/place/lib" PATH="$folder/place/bin:$PATH"
unset I_MPI_ADJUST_ALLREDUCE
mpigcc -o "$folder/calls" "$folder/calls.c"
try() { timeout 60 mpiexec -n 4 "$folder/calls"; }
own=$(try)
one=$(I_MPI_ADJUST_ALLREDUCE="8:1024-4095" try)
two=$(I_MPI_ADJUST_ALLREDUCE="1:1024-4095;8:8192-16383" try)
all=$(I_MPI_ADJUST_ALLREDUCE="0:0-1023;8:1024-4095;0:4096-2147483647" try)
echo "unset:$own"
echo "8:1024-4095:$one"
echo "1:1024-4095;8:8192-16383:$two"
echo "0:0-1023;8:1024-4095;0:4096-2147483647:$all"
# Of the library's own choices it only counts that they are not the ring.
seen=$(echo "$one;$two;$(echo "$own;$all" | sed -E 's/ 12\b/ ring/g; s/ [0-9]+/ other/g')")
[ "$seen" = " 12 12 12 12; 8 8 12 12; other other other other; other ring other other" ] && exit 0
echo "changed: expected no ring, the ring at every length, 8 8 12 12, and the ring at the second length" >&2
exit 1
