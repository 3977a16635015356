# SPDX-License-Identifier: Apache-2.0
"""Spreads the simulations of a command over an executor of concurrent.futures: a pool of processes, mpi4py, Dask."""
import concurrent.futures
import os
import subprocess


# Variables by which a program under mpirun finds its peers.
_OF_PEERS = ("OMPI_", "PMIX_", "PMI_", "ORTE_", "PRTE_", "MPI_LOCAL")


def environment():
    """The environment of a psim that Python starts: it is no peer of Python's own processes under mpirun."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_OF_PEERS)}


class Failed(Exception):
    """A part could not run; the text says why."""


def part(words, folder):
    """Runs a part where the executor places it: `words` begin with the path of psim, `folder` is the caller's. Returns the status
    and the messages."""
    done = subprocess.run(words, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, errors="replace")
    return done.returncode, done.stderr.strip()


def spread(executor, program, parts, show):
    """Runs the commands `parts` (lists of words) of the psim at the path `program`, and shows their number as they end.

    A status of 1 is that of a point that failed, which the caller's own command reports. Raises Failed for any other, and if the
    executor fails; parts that have not begun are then cancelled, and the results of those that have ended stay in their folder.
    """
    tasks, ended = [], 0
    try:
        for words in parts:
            tasks.append(executor.submit(part, [program, *map(str, words)], os.getcwd()))
        for task in concurrent.futures.as_completed(tasks):
            status, messages = task.result()
            if status not in (0, 1):
                raise Failed(messages or f"psim {parts[0][0]}: status {status}")
            ended += 1
            show(f"psim {parts[0][0]}: {ended} of {len(parts)} parts have ended")
    except Failed:
        raise
    except Exception as error:  # each executor has its own: BrokenProcessPool, KilledWorker, TimeoutError, OSError …
        reason = " ".join(str(error).split()) or "no reason given"
        raise Failed(f"psim {parts[0][0]}: the executor failed with {type(error).__name__}: {reason}; {ended} of {len(parts)} parts had "
                     "ended, and the same call continues with the others") from error
    finally:
        for task in tasks:
            task.cancel()
        show("")
