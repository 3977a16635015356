#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the Debian packages and uses their contents: check_packages.py SOURCES BUILD CMAKE CPACK

The packages are unpacked into a temporary root, from which psim runs and the example project is built.
"""
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
                       "./usr/share/doc/psim/docs/README.md": "psim-doc", "./usr/share/doc/psim/examples/library/curve.cpp": "psim-doc"}.items():
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
    # A project of its own is built with the libraries; its warnings are its own business.
    example = root / "usr/share/doc/psim/examples/library"
    environment = dict(os.environ, CXXFLAGS="-O1 -Wall -Wextra -Werror")
    output(cmake, "-G", "Ninja", "-S", example, "-B", scratch / "example", f"-DCMAKE_PREFIX_PATH={root}/usr", env=environment)
    output(cmake, "--build", scratch / "example")
    curve = output(scratch / "example/curve")
    if "save %sp, -176, %sp" not in curve or len(re.findall(r"(?m)^load 0\.\d: accepted 0\.\d+, mean latency", curve)) != 3:
        fail(f"the example printed:\n{curve}")
print(f"packages {', '.join(sorted(packages))}, {len(owner)} files, {failures} failures")
sys.exit(1 if failures else 0)
