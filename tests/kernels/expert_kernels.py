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
sys.path.insert(0, str(root / "benches"))
from measure import FLAGS, compile_kernel, expert_kernels  # noqa: E402

# Flops of size n; the FFT's depend on its radix and are not checked.
FLOPS = {"dgemm": lambda n: 2 * n**3, "zgemm": lambda n: 8 * n**3, "daxpy": lambda n: 2 * n,
         "triad": lambda n: 2 * n, "stencil": lambda n: 8 * n**3}
# Cycles of the small sizes on sparc64v, simd16 and simd16 with fewer PEs. A change of more than 2 % either way fails: a change of
# the core or of the compiler that spoils a schedule. If it is meant, renew them and give the reason in the commit.
CYCLES = {"dgemm": (144415, 30039, 143943), "zgemm": (554467, 92879, 579656), "daxpy": (14544, 24851, 24949),
          "triad": (14547, 24789, 24887), "fft": (31448, 11689, 48205), "stencil": (1116002, 693773, 621965)}
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
            recorded = CYCLES[kernel.name][0 if mode == "scalar" else 2 if machine is fewer else 1]
            change = region["cycles"] / recorded - 1
            if abs(change) > 0.02:
                sys.exit(f"{program} on {machine}: {region['cycles']} cycles, recorded {recorded}: {change:+.1%}")
            print(f"{' '.join(program)} on {' '.join(machine[1:])}: {region['cycles']} cycles")
