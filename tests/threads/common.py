# SPDX-License-Identifier: Apache-2.0
"""Compiles the programs of this folder for sparc64 and runs them."""
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "workloads" / "include"


def build(name, directory):
    """Returns the program of HERE/name."""
    compiler = "sparc64-linux-gnu-g++" if name.endswith(".cpp") else "sparc64-linux-gnu-gcc"
    program = pathlib.Path(directory, pathlib.Path(name).stem)
    # -w: the linker warns of dlopen in libgomp.
    subprocess.run([compiler, "-O2", "-g", "-w", "-static", "-fopenmp", "-I", INCLUDE, "-o", program, HERE / name],
                   check=True, stderr=subprocess.DEVNULL)
    return program


def run(command, directory, **options):
    return subprocess.run([str(word) for word in command], cwd=directory, capture_output=True, text=True, timeout=200, **options)
