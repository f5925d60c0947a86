#!/usr/bin/env bash
# MPICH gives the algorithms of a collective other numbers from version to version.
#
# One would guess that the number of an algorithm, once it is documented by a release, stays: tools write numbers through MPI_T, since the
# control variables are plain integers there. Between 4.0 and 4.1 k_brucks was put in the middle of the lists of alltoall and
# allgather, and everything behind it moved by one. So 3, which is pairwise in 4.0, is the nonblocking fallback from 4.1 on; the write
# succeeds, and 3 is read back.
#
# Seen with the wheels of PyPI, x86-64 Linux: mpich 4.0.3 and 5.0.2. Needs python3 with venv, and a C compiler.
# Expected output:
#   4.0.3 pairwise is 3
#   5.0.2 pairwise is 4
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/number.c" <<'C'
#include <mpi.h>
#include <stdio.h>
int main(void) {
    int provided, index, count, number[4] = {-1};
    MPI_T_cvar_handle handle;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Init(NULL, NULL);
    if (MPI_T_cvar_get_index("MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM", &index) != MPI_SUCCESS) return 1;
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    MPI_T_cvar_read(handle, number);
    printf("%d\n", number[0]);
    MPI_Finalize();
    return 0;
}
C
status=0
for wanted in 4.0.3:3 5.0.2:4; do
    version=${wanted%:*}
    python3 -m venv "$folder/$version"
    "$folder/$version/bin/pip" install --quiet --disable-pip-version-check "mpich==$version"
    "$folder/$version/bin/mpicc" -o "$folder/number" "$folder/number.c"
    number=$(MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=pairwise "$folder/$version/bin/mpiexec" -n 1 "$folder/number")
    echo "$version pairwise is $number"
    [ "$number" = "${wanted#*:}" ] || status=1
done
[ "$status" = 0 ] || echo "changed: expected 3 and 4" >&2
exit "$status"
