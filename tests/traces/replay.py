#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces of real programs, against the live runs they were recorded from.

    replay.py PSIM SOURCE_DIR kernels|programs|simd|windows|damage      status 77: a tool is not installed
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

psim, source, part = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
SAME = ("instructions", "cycles", "seconds", "ipc", "flops", "cpi_stack", "regions", "energy", "fma")
COMPILERS = {".c": "gcc", ".cpp": "g++", ".f90": "gfortran"}


SIMD_FLAGS = "-O3 -mcpu=niagara3 -fno-tree-vectorize -fno-tree-loop-distribute-patterns -fcx-limited-range".split()


def compiled(path, *flags):
    compiler = shutil.which("sparc64-linux-gnu-" + COMPILERS[path.suffix])
    if compiler is None:
        print(f"sparc64-linux-gnu-{COMPILERS[path.suffix]} is not installed")
        sys.exit(77)
    subprocess.run([compiler, "-O2", *flags, "-static", f"-I{source}/workloads/include", str(path), "-o", path.stem,
                    *(["-lm"] if path.suffix == ".c" else [])], check=True)
    return "./" + path.stem


def run(*words, status=None):
    done = subprocess.run([str(psim), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=250, errors="replace")
    if status is not None:
        assert done.returncode == status, f"psim {' '.join(words)}: status {done.returncode}\n{done.stderr}"
    return done


def written(recording):
    """Waits until the recording process has written frames to its file, which has no name until it is complete."""
    folder = f"/proc/{recording.pid}/fd"
    for _ in range(600):
        assert recording.poll() is None, "the recording ended by itself"
        for each in os.listdir(folder):
            try:
                target = os.readlink(f"{folder}/{each}")
                unfinished = target.startswith(os.getcwd() + "/") and target != os.path.abspath(recording.args[-3])
                if unfinished and os.stat(f"{folder}/{each}").st_size > 100_000:
                    return
            except FileNotFoundError:  # closed in the meantime
                pass
        time.sleep(0.1)
    raise AssertionError("nothing was written")


def result(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


def same(one, other, what):
    for key in SAME:
        assert one.get(key) == other.get(key), f"{what}: {key}: {one.get(key)} and {other.get(key)}"


def compare(program, *arguments, clock=False, machine=()):
    """Live, recorded and replayed; recorded functionally and replayed, for programs that do not read the time."""
    live = run("run", "--quiet", *machine, "--json", "live.json", program, *arguments)
    recorded = run("run", "--quiet", *machine, "--record-trace", "run.trace", "--json", "recorded.json", program, *arguments)
    assert recorded.returncode == live.returncode, recorded.stderr
    run("replay", "--quiet", *machine, "--json", "replayed.json", "run.trace", status=0)
    same(result("live.json"), result("recorded.json"), f"{program}: live and recorded")
    same(result("live.json"), result("replayed.json"), f"{program}: live and replayed")
    assert "has the arguments" not in run("compare", "live.json", "replayed.json", status=0).stdout, program
    executed = run("trace", "record", "--quiet", *machine[:2], "-o", "exec.trace", program, *arguments)
    assert clock or executed.returncode == live.returncode, executed.stderr
    run("trace", "verify", "exec.trace", status=0)
    if not clock:
        run("replay", "--quiet", *machine, "--json", "replayed.json", "exec.trace", status=0)
        same(result("live.json"), result("replayed.json"), f"{program}: live and replayed from exec")
    print(f"{program} {' '.join(arguments)}: {result('live.json')['cycles']} cycles, each time")


def kernels():
    for name, arguments in (("dgemm", ["32"]), ("sieve", ["20000"]), ("pointer_chase", ["4096", "20000"])):
        compare(compiled(source / "workloads/kernels" / f"{name}.c", "-mcpu=v9"), *arguments)


def programs():
    compare(compiled(source / "tests/traces/modify.c"))
    compare(compiled(source / "tests/view/marked.c"))
    tests = source / "tests/exec/programs"
    compare(compiled(tests / "overflow_handled.c"))
    compare(compiled(tests / "nested.c"))
    compare(compiled(tests / "numbers.f90"))
    # The prefetchers see the addresses of the right path and the text alone, which a trace has too.
    compare("./numbers", machine=("--set", "l1d.prefetch=stream"))
    compare("./numbers", machine=("--set", "l1i.prefetch=none"))
    compare(compiled(tests / "signals.c"), clock=True)


def simd():
    """Trampolines, window accesses, transfers, cross operations and signals in SIMD state, with the energy of each
    run; and the machines that a trace of PEs is refused on."""
    programs = source / "tests/simd/programs"
    for name in ("dgemm", "complex", "locals", "stencil"):
        program = compiled(programs / f"{name}.c", *SIMD_FLAGS)
        compare(program, machine=("--machine", "simd16", "--energy"))
    compare(compiled(programs / "errors.c", *SIMD_FLAGS), "signal", machine=("--machine", "simd16", "--energy"))
    compare("./errors", "crowd", machine=("--machine", "simd16", "--energy"))  # ends in PE divergence
    compare(compiled(source / "workloads/kernels/paper/fft.c", *SIMD_FLAGS), "simd", "256",
            machine=("--machine", "simd16", "--energy"))
    compare(compiled(source / "workloads/kernels/paper/dgemm.c", *SIMD_FLAGS), "simd", "64",
            machine=("--machine", "simd16", "--energy", "--set", "l1d.prefetch=perfect"))
    compare("./dgemm", "simd", "128", machine=("--machine", "simd32", "--energy"))
    compare("./dgemm", "simd", "64", machine=("--machine", "simd16", "--energy"))
    assert result("replayed.json")["cpi_stack"]["transfer"] > 0 and result("replayed.json")["energy"]["total_joules"] > 0
    for refused, pes in ((("--machine", "sparc64v"), 0), (("--machine", "simd16", "--set", "simd.pes=8"), 8)):
        for trace in ("exec.trace", "run.trace"):
            message = run("replay", *refused, trace, status=2).stderr
            assert message == (f"psim: {trace}: uses 16 SIMD-PEs, and machine {refused[1]} has {pes}; expected a "
                               "machine such as --machine simd16\n"), message
    # A trace that leaves the PEs out needs none.
    run("trace", "record", "--quiet", "--count", "1000", "-o", "scalar.trace", "./dgemm", status=0)
    run("replay", "--quiet", "scalar.trace", status=0)


def windows():
    program = compiled(source / "tests/view/marked.c")
    # A region's first execution, from marker to marker.
    run("trace", "record", "-o", "all.trace", program, status=5)
    text = subprocess.run([str(psim), "trace", "text", "all.trace"], capture_output=True, text=True, check=True).stdout
    lines = [line for line in text.splitlines() if line[:2] == "0x"]
    names = [line.split('"')[1] for line in text.splitlines() if line.startswith("begin ")]
    run("trace", "record", "-o", "region.trace", "--region", names[0], program, status=0)
    region = subprocess.run([str(psim), "trace", "text", "region.trace"], capture_output=True, text=True, check=True).stdout
    assert region.count("begin ") >= 1 and region.splitlines()[-2].startswith("end ") and names[0] in region.splitlines()[-2]
    # Instructions by number; a window of a trace and a trace of the window say the same.
    run("trace", "record", "-o", "part.trace", "--skip", "1000", "--count", "500", program, status=0)
    part_text = subprocess.run([str(psim), "trace", "text", "part.trace"], capture_output=True, text=True, check=True).stdout
    window = [line for line in part_text.splitlines() if line[:2] == "0x"]
    assert window == lines[1000:1500], "the window holds other instructions"
    seek = subprocess.run([str(psim), "trace", "text", "--from", "1000", "--count", "500", "all.trace"], capture_output=True,
                          text=True, check=True).stdout
    assert [line for line in seek.splitlines() if line[:2] == "0x"] == window
    assert "did not begin" in run("trace", "record", "-o", "x", "--region", "nowhere", program, status=2).stderr
    assert not os.path.exists("x"), "a trace of nothing was written"
    # Whole text, and back.
    for name in ("region", "part"):
        with open(name + ".txt", "w", encoding="utf-8") as file:
            subprocess.run([str(psim), "trace", "text", "--whole", name + ".trace"], stdout=file, check=True)
        run("trace", "record", "--from-text", name + ".txt", "-o", "again.trace", status=0)
        run("replay", "--quiet", "--json", "one.json", name + ".trace", status=0)
        run("replay", "--quiet", "--json", "two.json", "again.trace", status=0)
        run("replay", "--quiet", "--json", "three.json", name + ".txt", status=0)
        for other in ("two.json", "three.json"):
            one, two = result("one.json"), result(other)
            one.pop("fma"), two.pop("fma")
            same(one, two, name)


def damage():
    program = compiled(source / "workloads/kernels/sieve.c")
    run("trace", "record", "-o", "good.trace", program, "100000", status=0)
    good = pathlib.Path("good.trace").read_bytes()

    def refused(content, words):
        pathlib.Path("bad.trace").write_bytes(content)
        for command in (["trace", "verify"], ["replay"], ["trace", "text"]):
            done = run(*command, "bad.trace", status=2)
            assert words in done.stderr and done.stderr.count("\n") == 1 and done.stderr.startswith("psim: bad.trace: "), done.stderr

    refused(good[: len(good) // 2], "cut off")
    refused(good[:-1], "frames 0 to")
    refused(good[:-40] + bytes([good[-40] ^ 1]) + good[-39:], "damaged")
    refused(b"", "not a trace")
    refused(b"\x7fELF", "not a trace")
    # Interrupted: a whole trace, of what ran until then.
    # A shell's job in the background ignores SIGINT, and so would psim.
    recording = subprocess.Popen([str(psim), "trace", "record", "-o", "interrupted.trace", program, "50000000", "1000"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        written(recording)
        recording.send_signal(signal.SIGINT)
        assert recording.wait(timeout=60) == -signal.SIGINT
    finally:
        recording.kill()
    run("trace", "verify", "interrupted.trace", status=0)
    # Killed: nothing is left.
    recording = subprocess.Popen([str(psim), "trace", "record", "-o", "killed.trace", program, "50000000", "1000"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    written(recording)
    recording.kill()
    recording.wait()
    assert not [name for name in os.listdir(".") if name.startswith("killed.trace")]


with tempfile.TemporaryDirectory(prefix="psim-traces-") as scratch:
    os.chdir(scratch)
    {"kernels": kernels, "programs": programs, "simd": simd, "windows": windows, "damage": damage}[part]()
