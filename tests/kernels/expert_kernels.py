#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""expert_kernels.py PSIM: compiles workloads/kernels/expert and runs each kernel of its list at its small size, scalar
and on PEs, by psim exec and psim run. A kernel compares its result with a reference itself; here, that both ways of
running it count the flops that its result needs, that the CPI stack adds up and that its schedule holds."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

psim = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True  # leaves no __pycache__ in the source tree
sys.path.insert(0, str(root / "benches"))
from measure import FLAGS, compile_kernel, expert_kernels  # noqa: E402

# Flops of size n; the FFT's depend on its radix and are not checked.
FLOPS = {"dgemm": lambda n: 2 * n**3, "zgemm": lambda n: 8 * n**3, "daxpy": lambda n: 2 * n,
         "triad": lambda n: 2 * n, "stencil": lambda n: 8 * n**3}
# Part of the peak of sparc64v (4 flops a cycle) and simd16 (32) that the small sizes reach, less a little: what a change of
# the core or of the compiler that spoils a schedule would cost.
REACHES = {"dgemm": (0.88, 0.48), "zgemm": (0.93, 0.65), "daxpy": (0.26, 0.02), "triad": (0.26, 0.02),
           "fft": (0.35, 0.10), "stencil": (0.46, 0.09)}
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
            part = region["flops"] / region["cycles"] / (4 if mode == "scalar" else 32)
            if machine != fewer and part < REACHES[kernel.name][mode == "simd"]:
                sys.exit(f"{program} on {machine}: {part:.1%} of peak, expected {REACHES[kernel.name][mode == 'simd']:.0%}")
            print(f"{' '.join(program)} on {' '.join(machine[1:])}: {region['cycles']} cycles")
