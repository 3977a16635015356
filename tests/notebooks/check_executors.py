#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sweeps, fits and experiments on executors of concurrent.futures: check_executors.py ROOT PSIM processes|dask|mpi

Needs Python with pandas, and with distributed or mpi4py; without them it is skipped (77)."""
import concurrent.futures
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

root, program, kind = pathlib.Path(sys.argv[-3]).resolve(), pathlib.Path(sys.argv[-2]).resolve(), sys.argv[-1]  # workers of MPI have more words
needed = {"processes": ["pandas"], "dask": ["pandas", "distributed"], "mpi": ["pandas", "mpi4py"]}[kind]
if any(importlib.util.find_spec(name) is None for name in needed):
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv])
    print("skipped: needs", *needed)
    sys.exit(77)
sys.path.insert(0, f"{root}/tests")
from commands import OPEN_MPI  # noqa: E402

if kind == "mpi" and "OMPI_COMM_WORLD_SIZE" not in os.environ:
    own = dict(os.environ, **OPEN_MPI, PYTHONPATH=f"{root}/python", PYTHONDONTWRITEBYTECODE="1")
    sys.exit(subprocess.run(["mpirun", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", *sys.argv], env=own).returncode)
sys.path.insert(0, f"{root}/python")
os.environ.update(PSIM=str(program), PYTHONPATH=f"{root}/python", PYTHONDONTWRITEBYTECODE="1")
import psim  # noqa: E402

AXES = {"argument.1": [1000, 2000, 3000], "link.bandwidth": ["1 GB/s", "2 GB/s"]}
words = ["./ring", 1000, 1]


def expect(good, *more):
    if not good:
        sys.exit(" ".join(map(str, more)))


def files(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).glob("*.json")}


def hashes(folder):
    return {name: psim.load(f"{folder}/{name}").get("result_hash") for name in files(folder)}


def check(executor):
    lines = []
    frame = psim.sweep("net", words, AXES, into="spread", n=4, executor=executor, progress=lines.append)
    plain = psim.sweep("net", words, AXES, into="alone", n=4, progress=False)
    same = [column for column in plain.columns if column not in ("result", "host_cpu_seconds")]
    expect(frame[same].equals(plain[same]) and len(frame) == 6, frame, plain)
    expect(hashes("spread") == hashes("alone") and len(hashes("alone")) == 6, hashes("spread"), hashes("alone"))
    expect("psim net: 6 of 6 parts have ended" in lines, lines)
    # A second call runs no point again.
    before = files("spread")
    psim.sweep("net", words, AXES, into="spread", n=4, executor=executor, progress=False)
    expect(files("spread") == before, "points ran again")
    # A point that fails is a row without numbers, and a mistake of the call is psim's own message.
    failed = psim.sweep("net", words, {"link.bandwith": ["1 GB/s"]}, into="failed", n=4, executor=executor, progress=False)
    expect(list(failed["ending"]) == ["failed"], failed)
    try:
        psim.sweep("net", words, AXES, into="spread", n=4, executor=executor, progress=False, nonsense=1)
        sys.exit("a mistake is accepted")
    except psim.Error as error:
        expect("--nonsense" in str(error), error)
    # Experiments, and a fit.
    few = psim.reproduce(["reviriego", "machines"], into="kept", executor=executor, progress=False)
    expect([one["experiment"] for one in few] == ["reviriego", "machines"] and few[0]["exit_status"] == 0, few)
    if (program.parent / "psim-sparc-cc").exists() and subprocess.run(["which", "sparc64-linux-gnu-gcc"], capture_output=True).returncode == 0:
        subprocess.run(["sparc64-linux-gnu-gcc", "-O2", "-static", f"-I{root}/workloads/include", "-o", "product", root / "workloads/kernels/dgemm_blocked.c"], check=True)
        how = {"args": [8, 12, 16, 20], "predict": [24], "progress": False}
        one, other = psim.fit(["./product", "{}"], into="a", executor=executor, **how), psim.fit(["./product", "{}"], into="b", **how)
        expect(one["result_hash"] == other["result_hash"] and hashes("a") == hashes("b"), "fit")


def dies(executor, kill):
    """An executor that dies: one line, and the points that had ended stay."""
    psim.sweep("net", words, {"argument.1": [1000]}, into="left", n=4, progress=False)
    kept = files("left")
    pathlib.Path("deadly").write_text(f"#!/bin/sh\n{kill}\n")
    os.chmod("deadly", 0o755)
    os.environ["PSIM"] = os.path.abspath("deadly")
    try:
        psim.sweep("net", words, {"argument.1": [1000, 2000]}, into="left", n=4, executor=executor, progress=False)
        sys.exit("an executor that died is not reported")
    except psim.Error as error:
        expect("the executor failed with " in str(error) and "0 of 2 parts had ended" in str(error) and "\n" not in str(error), error)
    finally:
        os.environ["PSIM"] = str(program)
    expect(files("left") == kept, "what had ended has changed")
    expect(len(psim.sweep("net", words, {"argument.1": [1000, 2000]}, into="left", n=4, progress=False)) == 2, "it does not continue")


def main():
    with tempfile.TemporaryDirectory(prefix="psim-executors-") as scratch:
        os.chdir(scratch)
        subprocess.run([program.parent / "psim-cc", "-O1", "-o", "ring", root / "workloads/mgen/random_ring.c"], check=True)
        if kind == "processes":
            with concurrent.futures.ProcessPoolExecutor(2) as executor:
                check(executor)
            with concurrent.futures.ProcessPoolExecutor(1) as executor:
                dies(executor, "kill -9 $PPID")
        elif kind == "dask":
            from distributed import Client, LocalCluster
            with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster, Client(cluster) as client:
                check(client.get_executor())
        else:
            from mpi4py.futures import MPIPoolExecutor
            with MPIPoolExecutor() as executor:
                check(executor)
        os.chdir("/")
    print("good:", kind)


if __name__ == "__main__":
    main()
