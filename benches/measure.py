# SPDX-License-Identifier: Apache-2.0
"""Functions that the benchmarks of this folder share."""
import collections
import pathlib
import resource
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Of the kernels of table 2.
FLAGS = (ROOT / "workloads/kernels/flags.txt").read_text().split()
PSIM = str(ROOT / "build/release/bin/psim")


def cpu_seconds(command, check=True):
    """CPU time of one run of `command`, which reads nothing and whose output is dropped."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=check, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compile_kernel(name, flags, binary, source=None, compiler="gcc"):
    """workloads/kernels/NAME.c, or `source` below the root, for sparc64."""
    subprocess.run([f"sparc64-linux-gnu-{compiler}", *flags, "-static", "-I", ROOT / "workloads/include", "-o", binary,
                    ROOT / (source or f"workloads/kernels/{name}.c"), "-lm"], check=True)


ExpertKernel = collections.namedtuple("ExpertKernel", "name test_size size traffic")


def expert_kernels():
    """The kernels of workloads/kernels/expert/kernels.txt, which says what its columns are."""
    for line in open(ROOT / "workloads/kernels/expert/kernels.txt"):
        if line.startswith("#"):
            continue
        name, test_size, size, bytes_, power = line.split()
        yield ExpertKernel(name, int(test_size), int(size), int(bytes_) * int(size) ** int(power))
