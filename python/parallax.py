"""Parallax from Python: its files as pandas data frames, and its command.

    import parallax
    frame = parallax.read("results/measure-001/measured.csv")
    lines = parallax.read_campaign("results/measure-001")["measured"]
    times = parallax.sweep(["bcast", "barrier"], ranks=[4, 8], bytes="8..64K", set={"L": "2us", "o": "500ns"})
    machine = parallax.read("mine.toml")

What the columns mean is in the data dictionary, docs/guide/data.md.
"""

import json
import os
import subprocess
import sysconfig
from io import StringIO
from pathlib import Path

import pandas

try:
    import tomllib
except ModuleNotFoundError:
    # Before Python 3.11.
    import tomli as tomllib

__version__ = "0.1.0"
__all__ = ["Error", "command", "measure", "read", "read_campaign", "run", "simulate", "sweep", "table"]

# What the lines of a campaign call the coordinates of tables. The tables' operation is the name of the call: of a
# non-blocking allreduce "iallreduce", where a campaign's lines say the collective, and the rest in "call".
COORDINATES = {
    "carrier": "transport",
    "implementation": "algorithm",
}


class Error(RuntimeError):
    """The command refused something, or failed; the text is what it said."""


def command():
    """The program `parallax`: the one that the variable PARALLAX names, that a wheel put beside Python's own, or the one on the path."""
    beside = Path(sysconfig.get_path("scripts"), "parallax")
    return os.environ.get("PARALLAX") or (str(beside) if beside.is_file() else "parallax")


def run(*arguments):
    """Runs the command with these words, and returns what it prints.

    Exit code 1 is an answer, too, where something was printed: points that fail, numbers that cannot be corrected.
    """
    words = [command(), *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8")
    if done.returncode > 1 or (done.returncode == 1 and not done.stdout):
        raise Error(done.stderr.strip() or f"{' '.join(words)}: exit code {done.returncode}")
    return done.stdout


def _plain(value):
    """A value as the command reads it: lists, arrays and series with commas, a dictionary as KEY=VALUE,…"""
    if isinstance(value, dict):
        return ",".join(f"{key}={_plain(one)}" for key, one in value.items())
    if isinstance(value, (str, Path)) or not hasattr(value, "__iter__"):
        return str(value)
    return ",".join(map(_plain, value))


def _flags(flags):
    """Keywords as flags: hold_out=True is --hold-out, ranks=[2, 4] is --ranks 2,4; None and False are left out."""
    words = []
    for name, value in flags.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        # A single value of numpy becomes Python's.
        value = value.item() if getattr(value, "shape", None) == () else value
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            words += [flag, _plain(value)]
    return words


def _frame(text):
    # Only what is empty is unknown: "none" and "NA" are words.
    return pandas.read_csv(StringIO(text), keep_default_na=False, na_values=[""])


def _rows(text):
    """Rows as JSON lines: a frame with the types of the same rows as CSV."""
    return _frame(pandas.DataFrame([json.loads(line) for line in text.splitlines()], dtype=object).to_csv(index=False))


def table(*arguments, **flags):
    """What a command prints with --format csv: table("compare", "before", "after")."""
    return _frame(run(*arguments, *_flags(flags), "--format", "csv"))


def measure(operations, **flags):
    """Measures, as `parallax measure`: a row for each number. The campaign lies in `results/`, or where out="..." says."""
    return table("measure", _plain(operations), quiet=True, **flags)


def simulate(operation, **flags):
    """Simulates one call, as `parallax simulate`: one row, times in ps; or a row for each number that a method or a benchmark prints, in µs."""
    return table("simulate", operation, **flags)


def sweep(what, **flags):
    """Simulates a sweep, of operations with flags or of a file, as `parallax sweep`: a row for each point."""
    return _rows(run("sweep", _plain(what), *_flags(flags), "--format", "json", "--quiet"))


def read(path):
    """What a file holds: a frame of CSV and of rows as JSON lines, a dictionary of JSON and of a machine's TOML. Of a folder all of its CSV files, by
    their names there."""
    path = Path(path)
    if path.is_dir():
        files = sorted(path.rglob("*.csv"))
        return {str(file.relative_to(path)): read(file) for file in files}
    if path.suffix == ".csv":
        return _frame(path.read_text(encoding="utf-8"))
    if path.name == "campaign.jsonl":
        return read_campaign(path)
    if path.suffix == ".jsonl":
        return _rows(path.read_text(encoding="utf-8"))
    if path.suffix == ".json":
        return json.loads(path.read_text(encoding="utf-8"))
    if path.suffix == ".toml":
        return tomllib.loads(path.read_text(encoding="utf-8"))
    raise Error(f"{path}: expected a folder, or a file that ends in .csv, .jsonl, .json or .toml")


def read_campaign(path):
    """The lines of a campaign's file or folder: for each kind of line ("measured", "memory", ...) a frame with a row for each line,
    coordinates named as in tables, and whence it is."""
    path = Path(path)
    path = path / "campaign.jsonl" if path.is_dir() else path
    lines = path.read_bytes().split(b"\n")
    # A killed run may have left half a line at the end.
    whole = [json.loads(line) for line in lines[:-1]]
    if not whole or "campaign" not in whole[0]:
        raise Error(f"{path}: expected the campaign.jsonl of a run")
    kinds = {}
    for line in whole:
        (kind, body), = line.items()
        kinds.setdefault(kind, []).append(body)
    facts = dict(map(tuple, kinds["campaign"][-1]["environment"]))
    whence = {
        "campaign": f"{whole[0]['campaign']['name']}-{_fnv1a(lines[0]):016x}",
        "date": facts.get("started"),
        "host": facts.get("host"),
    }
    return {kind: _lines(bodies).assign(**whence) for kind, bodies in kinds.items()}


def _lines(bodies):
    frame = pandas.json_normalize(bodies, max_level=1)
    names = {}
    for column in frame.columns:
        head, _, key = column.partition(".")
        if head == "case" and key:
            names[column] = COORDINATES.get(key, key)
    if "case.ranks" in frame and "ranks" in frame:
        # What each rank recorded; how many there were is a coordinate.
        names["ranks"] = "records"
    if "case.implementation" in frame or "case.implementation.own" in frame:
        algorithms = [_algorithm(body["case"]["implementation"]) for body in bodies]
        frame = frame.drop(columns=[column for column in frame.columns if column.startswith("case.implementation")])
        frame.insert(0, "algorithm", algorithms)
    if any("case" in body for body in bodies):
        launches = [body.get("occasion", {}).get("launch", 0) + 1 for body in bodies]
        frame = frame.drop(columns=[column for column in frame.columns if column.startswith("occasion")])
        frame.insert(0, "launch", launches)
    return frame.rename(columns=names)


def _algorithm(implementation):
    """As tables write it: a name, `library`, `library:NAME`."""
    if isinstance(implementation, str):
        return implementation
    (kind, name), = implementation.items()
    return f"library:{name}" if kind == "forced" else name


def _fnv1a(text):
    found = 0xCBF29CE484222325
    for byte in text:
        found = (found ^ byte) * 0x100000001B3 % 2**64
    return found
