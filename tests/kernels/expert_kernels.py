#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""expert_kernels.py PSIM: compiles workloads/kernels/expert and runs each kernel of its list at its small size, scalar
and on PEs, by psim exec and psim run. A kernel compares its result with a reference itself; here, that both ways of
running it count the flops that its result needs, that the CPI stack adds up and that PEs are of use."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

psim = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "benches"))
from measure import FLAGS, compile_kernel, expert_kernels  # noqa: E402

# Flops of size n; the FFT's depend on its radix and are not checked.
FLOPS = {"dgemm": lambda n: 2 * n**3, "zgemm": lambda n: 8 * n**3, "daxpy": lambda n: 2 * n,
         "triad": lambda n: 2 * n, "stencil": lambda n: 8 * n**3}
FEWER_PES = {"stencil": 8}  # else 2: its planes must fit the SBMs

os.chdir(scratch := tempfile.mkdtemp(prefix="psim-kernels-"))


def call(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    if done.returncode or "wrong=0" not in done.stdout:
        sys.exit(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")


for kernel in expert_kernels():
    compile_kernel("expert/" + kernel.name, [*FLAGS, "-Wall", "-Wextra", "-Werror"], kernel.name)
    fewer = ["--machine", "simd16", "--set", f"simd.pes={FEWER_PES.get(kernel.name, 2)}"]
    for mode, machines in (("scalar", [["--machine", "sparc64v"]]), ("simd", [["--machine", "simd16"], fewer])):
        program = (f"./{kernel.name}", mode, str(kernel.test_size))
        call(psim, "exec", *program)  # on 16 PEs
        for machine in machines:
            call(psim, "run", "--quiet", *machine, "--set", "l1d.prefetch=perfect", "--json", "r.json", *program)
            region = json.loads(pathlib.Path("r.json").read_text())["regions"][0]
            assert (region["name"], region["args"][0]) == (kernel.name, kernel.test_size), region
            assert sum(region["cpi_stack"].values()) == region["cycles"], region
            flops = FLOPS.get(kernel.name)
            if flops and region["flops"] != flops(kernel.test_size):
                sys.exit(f"{program} on {machine}: {region['flops']} flops, expected {flops(kernel.test_size)}")
            print(f"{' '.join(program)} on {' '.join(machine[1:])}: {region['cycles']} cycles")
