#!/usr/bin/env bash
# Intel MPI's mpirun from PyPI starts another library's launcher.
#
# One would guess that VENV/bin/mpirun starts the launcher that lies beside it. It is a shell script, which looks for vars.sh in
# VENV/bin and VENV/env, where the wheel has none, and for I_MPI_ROOT, which is unset unless the environment was prepared; then it calls
# mpiexec.hydra by its name alone. With MPICH's programs first on PATH, that is MPICH's: ranks of Intel's library are started by another
# project's launcher, and nothing is said. mpiexec and mpiexec.hydra of the same folder are Intel's in any case.
#
# Seen with the wheels of PyPI, x86-64 Linux: impi-rt 2021.18.0 and mpich 4.3.2. Needs python3 with venv.
# Expected output:
#   mpirun:  HYDRA build details:
#   mpiexec: Intel(R) MPI Library for Linux* OS
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in impi-rt==2021.18.0 mpich==4.3.2; do
    place=$folder/${package%%=*}
    python3 -m venv "$place"
    "$place/bin/pip" install --quiet --disable-pip-version-check "$package"
done
unset I_MPI_ROOT
export PATH=$folder/mpich/bin:$PATH
said() { "$folder/impi-rt/bin/$1" --version 2>&1 | head -n 1 | sed 's/, Version.*//'; }
echo "mpirun:  $(said mpirun)"
echo "mpiexec: $(said mpiexec)"
[ "$(said mpirun)" = "HYDRA build details:" ] && [[ "$(said mpiexec)" == Intel* ]] && exit 0
echo "changed: expected MPICH's words of mpirun, and Intel's of mpiexec" >&2
exit 1
