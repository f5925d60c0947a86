#!/usr/bin/env bash
# MPICH's selection of algorithms: comm_size<8 is true of 8 ranks in MPI_Alltoall, and false of them in MPI_Bcast.
#
# The library has its choices as a text of conditions, which a file of MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE can replace. One would guess that
# comm_size<8 and comm_size<=7 are the same. Conditions that a communicator alone decides are settled when it is made, and there < means
# less than. What stands below a condition of a call (in place, or a length) is decided by each call, and there < means at most. So 8
# ranks exchange blocks of 64 bytes by 7 sends of each, though the text has Bruck's algorithm, 3 sends, for 8 and up; with <=7 written instead
# of <8 all over the library's own text they are 3. In MPI_Bcast of 64 KiB, where the same condition is the first, nothing changes.
#
# The algorithm is told by sends of UCX, over all ranks, with ranks of one host kept from shared memory.
# Seen with the wheel of PyPI, x86-64 Linux: mpich 5.0.2. Needs python3 with venv, and a C compiler.
# Expected output:
#   7 ranks, comm_size<8:  alltoall 42, bcast 6
#   8 ranks, comm_size<8:  alltoall 56, bcast 31
#   8 ranks, comm_size<=7: alltoall 24, bcast 31
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/sends.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
static int sends;
/* The library's calls of UCX come here first, since this program exports its functions. */
void *ucp_tag_send_nbx(void *to, const void *data, size_t count, uint64_t tag, const void *how) {
    static void *(*real)(void *, const void *, size_t, uint64_t, const void *);
    if (!real) real = (void *(*)(void *, const void *, size_t, uint64_t, const void *))dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
    sends++;
    return real(to, data, count, tag, how);
}
int main(void) {
    int rank, mine[2], all[2];
    static char in[1 << 16], out[1 << 16];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sends = 0;
    MPI_Alltoall(in, 64, MPI_BYTE, out, 64, MPI_BYTE, MPI_COMM_WORLD);
    mine[0] = sends;
    sends = 0;
    MPI_Bcast(in, 1 << 16, MPI_BYTE, 0, MPI_COMM_WORLD);
    mine[1] = sends;
    MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("alltoall %d, bcast %d\n", all[0], all[1]);
    MPI_Finalize();
    return 0;
}
C
python3 -m venv "$folder/place"
"$folder/place/bin/pip" install --quiet --disable-pip-version-check mpich==5.0.2
"$folder/place/bin/mpicc" -rdynamic -o "$folder/sends" "$folder/sends.c" -ldl
# The text lies in the library itself.
LC_ALL=C grep -ao '{"collective=[ -~]*' "$folder/place/lib/libmpi.so.12" | grep MPIR_Alltoall_intra_ |
    sed 's/"comm_size<8"/"comm_size<=7"/g' >"$folder/seven.json"
grep -q '"comm_size<=7"' "$folder/seven.json"
export MPIR_CVAR_NOLOCAL=1
seen=
try() {
    sends=$(timeout 60 "$folder/place/bin/mpiexec" -n "$1" "$folder/sends")
    echo "$1 ranks, $2 $sends"
    seen+="$sends;"
}
try 7 "comm_size<8: "
try 8 "comm_size<8: "
export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$folder/seven.json"
try 8 "comm_size<=7:"
[ "$seen" = "alltoall 42, bcast 6;alltoall 56, bcast 31;alltoall 24, bcast 31;" ] && exit 0
echo "changed: expected the counts above" >&2
exit 1
