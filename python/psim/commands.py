# SPDX-License-Identifier: Apache-2.0
"""Runs psim. Keyword arguments are its options: machine="simd16", energy=True, n=64, set={"l1d.ways": 4}."""
import csv
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

from psim import spread
from psim.results import Result


class Error(Exception):
    """psim refused the command or failed; the text is its messages."""


def program():
    """The path of psim: $PSIM, the one that is installed with this module, or the one in PATH. Raises Error."""
    above = pathlib.Path(__file__).resolve().parents
    installed = above[4] / "bin/psim" if len(above) > 4 else None  # of lib/python3/dist-packages/psim
    found = os.environ.get("PSIM") or (str(installed) if installed and installed.exists() else shutil.which("psim"))
    if not found:
        raise Error("psim: not found; expected it in PATH, or its path in the variable PSIM")
    return found


def _options(options):
    words = []
    for name, value in options.items():
        option = f"-{name}" if len(name) == 1 else "--" + name.rstrip("_").replace("_", "-")
        if isinstance(value, dict):
            value = [f"{key}={inner}" for key, inner in value.items()]
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                words.append(option)
            elif one is not None and one is not False:
                words += [option, str(one)]
    return words


def _shows_progress():
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def _show(line):
    """Writes one line over the last one; an empty line removes it."""
    sys.stderr.write("\r" + line[:100].ljust(100) + ("\r" + " " * 100 + "\r" if not line else ""))
    sys.stderr.flush()


def command(*words, progress=None, check=True):
    """Runs psim with these words and returns subprocess.CompletedProcess with texts.

    `progress`: a function that gets each line of progress, True for a line on standard error, False for none, None for
    a line in a terminal or a notebook. Raises Error for a status other than 0 if `check`.
    """
    if progress is None:
        progress = _shows_progress()
    show = _show if progress is True else progress or (lambda line: None)
    reader, writer = os.pipe()
    process = subprocess.Popen([program(), *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, pass_fds=[writer], env=dict(spread.environment(), PSIM_PROGRESS_FD=str(writer)))
    os.close(writer)
    shown = []

    def follow():
        with os.fdopen(reader, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                shown.append(True)
                show(line.rstrip("\n"))

    thread = threading.Thread(target=follow)
    thread.start()
    try:
        output, messages = (text.decode(errors="replace") for text in process.communicate())
    except BaseException:
        process.terminate()  # an interrupted notebook: psim ends its run
        process.wait()
        raise
    finally:
        thread.join()
    if shown and progress is True:
        _show("")
    if check and process.returncode:
        raise Error(messages.strip() or f"psim {words[0]}: status {process.returncode}")
    return subprocess.CompletedProcess(words, process.returncode, output, messages)


def _result(name, words, options, progress):
    """Runs a command with --json. A program's own exit status is in the result."""
    keep = options.pop("json", None)
    with tempfile.TemporaryDirectory(prefix="psim-") as folder:
        path = pathlib.Path(keep or pathlib.Path(folder, "result.json"))
        before = path.stat().st_mtime_ns if path.exists() else None
        done = command(name, *_options(options), "--json", path, *words, progress=progress, check=False)
        if not path.exists() or path.stat().st_mtime_ns == before:
            raise Error(done.stderr.strip() or f"psim {name}: status {done.returncode}, and no result")
        return Result(json.loads(path.read_text(encoding="utf-8")), str(keep or ""), done.stdout, done.stderr)


def exec(words, progress=None, **options):
    """psim exec: a sparc64 program, functionally. `words` is the program and its arguments."""
    return _result("exec", words, options, progress)


def run(words, progress=None, **options):
    """psim run: a sparc64 program on the cycle-level core."""
    return _result("run", words, options, progress)


def replay(trace, progress=None, **options):
    """psim replay: a recorded trace on the cycle-level core."""
    return _result("replay", [trace], options, progress)


def net(words=(), progress=None, **options):
    """psim net: a program's ranks, synthetic traffic (traffic="uniform", load="0.1:0.9:0.2"), or jobs."""
    return _result("net", words, options, progress)


def _spread(executor, parts, progress):
    if progress is None:
        progress = _shows_progress()
    try:
        spread.spread(executor, program(), parts, _show if progress is True else progress or (lambda line: None))
    except spread.Failed as failure:
        raise Error(str(failure)) from failure.__cause__


def _shards(name, words, options, count):
    """The commands that run one point each of a grid of `count` points."""
    own = {key: value for key, value in options.items() if key not in ("json", "report", "csv", "parallel", "out", "o", "header", "module")}
    return [[name, *_options({**own, "parallel": 1, "shard": f"{i}/{count}", "quiet": True}), *words] for i in range(1, count + 1)]


def fit(words, progress=None, executor=None, **options):
    """psim fit: models of regions. The option --args is the argument `args`, a list of values or "n=16 32".

    With an `executor` of concurrent.futures, its workers run the points of `args` into the folder `into`, which they share with this
    process; points that psim adds itself run here.
    """
    arguments = options.pop("args", None)
    if isinstance(arguments, (list, tuple)) and all(isinstance(one, int) for one in arguments):
        arguments = " ".join(map(str, arguments))
    options = {"args": arguments, **options}
    if executor is not None:
        grid = [arguments] if isinstance(arguments, str) else arguments or []
        if not grid:
            raise Error("psim fit: an executor needs the values of args; expected them here, and not in a file")
        count = math.prod(len(one.split("=", 1)[-1].split()) for one in grid)
        _spread(executor, _shards("fit", words, options, count), progress)
    return _result("fit", words, options, progress)


def reproduce(experiment, progress=None, executor=None, **options):
    """psim reproduce: an experiment, a list of them, or "all" of `psim reproduce`. Returns a result, or a list of results.

    With an `executor` of concurrent.futures, each experiment is a part of its own; its simulations are kept in the folder `into`,
    which the workers share with this process.
    """
    names = [experiment] if isinstance(experiment, str) else list(experiment)
    if names == ["all"]:
        names = [line.split()[0] for line in command("reproduce", progress=False).stdout.splitlines()]
    if executor is not None:
        if "into" not in options:
            raise Error("psim reproduce: an executor needs the folder that keeps the simulations; expected into=FOLDER")
        own = {key: value for key, value in options.items() if key != "json"}
        _spread(executor, [["reproduce", *_options({**own, "quiet": True}), name] for name in names], progress)
    results = [_result("reproduce", [name], dict(options), progress) for name in names]
    return results[0] if isinstance(experiment, str) and experiment != "all" else results


def roofline(results=(), progress=None, **options):
    """psim roofline: roofs of a machine with the points of results, which are results of this module or paths of files."""
    if isinstance(results, (Result, str, pathlib.Path)):
        results = [results]
    with tempfile.TemporaryDirectory(prefix="psim-") as folder:
        paths = []
        for number, one in enumerate(results):
            if isinstance(one, Result) and not one.source:
                path = pathlib.Path(folder, f"result-{number}.json")
                path.write_text(json.dumps(one), encoding="utf-8")
                paths.append(path)
            else:
                paths.append(one.source if isinstance(one, Result) else one)
        return _result("roofline", paths, options, progress)


def sweep(name, words, axes, into="sweep", progress=None, executor=None, **options):
    """psim run|net --sweep: a frame with a row for each point of a grid.

    `axes` is {"l1d.bytes": ["16 KB", "32 KB"], "argument.1": [32, 64]}; points in the folder `into` are not run again.
    With an `executor` of concurrent.futures, its workers run the points; they share the folder with this process.
    """
    import pandas

    grid = [f"{key}={','.join(map(str, values))}" for key, values in axes.items()]
    if executor is not None:
        count = math.prod(len(values) for values in axes.values())
        _spread(executor, _shards(name, words, {**options, "sweep": grid, "into": into}, count), progress)
    with tempfile.TemporaryDirectory(prefix="psim-") as folder:
        path = pathlib.Path(folder, "table.csv")
        done = command(name, *_options(options), *_options({"sweep": grid, "into": into}), "--csv", path, *words,
                       progress=progress, check=False)
        if not path.exists():
            raise Error(done.stderr.strip() or f"psim {name}: status {done.returncode}, and no table")
        with path.open(encoding="utf-8") as file:
            return pandas.DataFrame(list(csv.DictReader(file))).apply(_numbers)


def _numbers(column):
    import pandas

    numbers = pandas.to_numeric(column, errors="coerce")
    return numbers if numbers.notna().all() else column
