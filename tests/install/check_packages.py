#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the Debian packages and uses their contents: check_packages.py SOURCES BUILD CMAKE CPACK

The packages are unpacked into a temporary root, from which psim runs and the example projects are built.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sources, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
cmake, cpack = sys.argv[3:5]
failures = 0


def fail(text):
    global failures
    failures += 1
    print(text)


def output(*words, **how):
    done = subprocess.run(words, text=True, capture_output=True, **how)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def fields(package):
    return dict(re.findall(r"(?m)^([A-Z][\w-]*): (.*)$", output("dpkg-deb", "-f", package)))


with tempfile.TemporaryDirectory(prefix="psim-packages-") as scratch:
    scratch = pathlib.Path(scratch)
    output(cpack, "--config", build / "CPackConfig.cmake", "-B", scratch / "cpack")
    packages = {path.name.split("_")[0]: path for path in (scratch / "cpack").glob("*.deb")}
    if sorted(packages) != ["psim", "psim-dev", "psim-doc"]:
        sys.exit(f"cpack made {sorted(packages)}")
    about = {name: fields(path) for name, path in packages.items()}
    version = about["psim"]["Version"]

    # The dependences of the program: libraries that dpkg-shlibdeps found, and the compiler that psim-cc calls.
    depends = about["psim"]["Depends"]
    for name in ("libc6 (>=", "libstdc++6 (>=", "libsystemc (>=", "libfmt9 (>=", "libopen-trace-format2-10", "g++"):
        if name not in depends:
            fail(f"psim: Depends: {depends}: lacks {name}")
    if f"psim (= {version})" not in about["psim-dev"]["Depends"]:
        fail(f"psim-dev: Depends: {about['psim-dev']['Depends']}: lacks psim of the same version")
    if about["psim-doc"]["Architecture"] != "all" or "Depends" in about["psim-doc"]:
        fail(f"psim-doc: {about['psim-doc']}")
    # Everything that find_package(psim) searches has its package.
    wanted = set(re.findall(r"(?m)^(?:lib\S+-dev|nettle-dev|nlohmann-json3-dev)$", (sources / "scripts/packages").read_text()))
    wanted = {name for name in wanted if not re.search("gtest|gmock|benchmark|cli11|openmpi|clang", name)}
    if missing := [name for name in wanted if name not in about["psim-dev"]["Depends"]]:
        fail(f"psim-dev: Depends lacks {missing}")

    owner = {}
    for name, path in packages.items():
        for line in output("dpkg-deb", "-c", path).splitlines():
            mode, user, *_, file = line.split(" -> ")[0].split()
            if user != "root/root":
                fail(f"{name}: {file} belongs to {user}")
            if not mode.startswith("d") and owner.setdefault(file, name) != name:
                fail(f"{file} is in {owner[file]} and {name}")
    for file, name in {"./usr/bin/psim": "psim", "./usr/share/man/man1/psim-run.1": "psim", "./usr/share/doc/psim/copyright": "psim",
                       "./usr/share/bash-completion/completions/psim": "psim", "./usr/share/psim/machines/tofu.toml": "psim",
                       "./usr/lib/python3/dist-packages/psim/__init__.py": "psim", "./usr/lib/libpsim_isa.a": "psim-dev", "./usr/lib/cmake/psim/psim-config.cmake": "psim-dev",
                       "./usr/include/psim/libraries/netsim/simulation.h": "psim-dev", "./usr/include/psim/mpi.h": "psim",
                       "./usr/share/doc/psim/docs/README.md": "psim-doc", "./usr/share/doc/psim/examples/library/curve.cpp": "psim-doc",
                       "./usr/share/doc/psim/examples/memory/main.cpp": "psim-doc",
                       "./usr/share/doc/psim/workloads/kernels/dgemm_blocked.c": "psim-doc"}.items():
        if owner.get(file, owner.get(file + ".gz")) != name:
            fail(f"{file} is in {owner.get(file)}, expected {name}")

    root = scratch / "root"
    for path in packages.values():
        output("dpkg-deb", "-x", path, root)
    if f"psim {version}" not in output(root / "usr/bin/psim", "--version"):
        fail("psim --version is not that of the package")
    if "tofu" not in output(root / "usr/bin/psim", "config", "list"):
        fail("psim config list lacks shipped machines")
    ring = scratch / "ring"
    output(root / "usr/bin/psim-cc", "-O1", "-o", ring, root / "usr/share/doc/psim/workloads/mgen/random_ring.c")
    if "random ring of 4 ranks" not in output(root / "usr/bin/psim", "net", "-n", "4", ring, "1000", "1"):
        fail("psim net did not run the ring")

    script = "import psim, sys; print(psim.net(sys.argv[1:], n=4)['messages'], psim.program())"
    told = output(sys.executable, "-B", "-c", script, ring, "1000", "1",
                  env=dict(os.environ, PYTHONPATH=f"{root}/usr/lib/python3/dist-packages", PSIM=""))
    if str(root / "usr/bin/psim") not in told:
        fail(f"import psim from the package: {told}")

    # Headers include only headers that are installed.
    headers = root / "usr/include/psim/libraries"
    for header in headers.rglob("*.h"):
        for name in re.findall(r'(?m)^#include "([^"]+)"', header.read_text()):
            if not (headers / name).exists():
                fail(f"{header.relative_to(headers)} includes {name}, which is not installed")
    # Projects of their own are built with the libraries; their warnings are their own business.
    environment = dict(os.environ, CXXFLAGS="-O1 -Wall -Wextra -Werror")

    def built(example):
        folder = scratch / example
        output(cmake, "-G", "Ninja", "-S", root / "usr/share/doc/psim/examples" / example, "-B", folder,
               f"-DCMAKE_PREFIX_PATH={root}/usr", env=environment)
        output(cmake, "--build", folder)
        return folder

    curve = output(built("library") / "curve")
    if "save %sp, -176, %sp" not in curve or len(re.findall(r"(?m)^load 0\.\d: accepted 0\.\d+, mean latency", curve)) != 3:
        fail(f"the example printed:\n{curve}")
    # A memory model outside psim's tree, behind a core and behind two nodes. The library counts the cycles that psim counts.
    memory = built("memory") / "stacked_memory"
    put = root / "usr/share/psim/cosim/put"
    if put.exists():  # else there is no sparc64 compiler
        kernel = [root / "usr/share/psim/kernels/paper/dgemm", "scalar", "64"]
        output(root / "usr/bin/psim", "run", "--quiet", "--machine", "sparc64v", "--json", scratch / "run.json", *kernel)
        wanted = json.loads((scratch / "run.json").read_text())["cycles"]
        for nodes, program in ((0, kernel), (2, [put])):
            told = {model: output(memory, model, str(nodes), *program) for model in ("built-in", "stacked")}
            cycles = {model: [int(word) for word in re.findall(r"(?m)^(\d+) cycles$", text)] for model, text in told.items()}
            if len(cycles["stacked"]) != max(nodes, 1) or cycles["stacked"] == cycles["built-in"]:
                fail(f"{program[0].name} with two models of memory: {told}")
            if nodes == 0 and cycles["built-in"] != [wanted]:
                fail(f"{program[0].name}: {cycles['built-in']} cycles with the library, {wanted} under psim run")
            if not re.search(r"(?m)^  row_hits +[1-9]", told["stacked"]) or "bus_busy" not in told["built-in"]:
                fail(f"statistics of memory: {told}")
print(f"packages {', '.join(sorted(packages))}, {len(owner)} files, {failures} failures")
sys.exit(1 if failures else 0)
