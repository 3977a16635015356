#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles programs for the SIMD-PEs with the stock compilers and runs them under psim exec.

run.py PSIM SOURCES_ROOT NAME
"""
import os
import shutil
import subprocess
import sys
import tempfile

FLAGS = ("-O3 -mcpu=niagara3 -fno-tree-vectorize -fno-tree-loop-distribute-patterns -fcx-limited-range -static -Wall "
         "-Wextra -Werror").split()
FORTRAN = ("fortran", "selects_fortran", "errors_fortran")
# Quotients and roots, which are exact only with multiply-adds of one rounding.
EXACT = ("math", "selects_fortran", "pe_math")
SKIPPED = 77

# Case of errors.c: options of psim, exit status or signal, text of standard output or error; each text of a tuple is there once.
ERRORS = {
    "divide": ([], -4, ("SIGILL: no division or square root in SIMD state: PEs have no divider at PC ", "; use psim_simd_div")),
    "branch": ([], -4, ('is "greater" in PE 0, "equal" in PE 1, not alike in PEs 0–15 at PC ',
                           "; PEs cannot branch on their own data")),
    # Three divisions at one place are one line.
    "handled": ([], 0, ("4 handled\n", "psim: SIGILL: no division or square root in SIMD state", "psim: SIGILL: SIMD divergence: ",
                        "cannot branch")),
    "branch ": (["--set", "simd.divergence=pe0"], 0, "1\n"),
    "alone": ([], 0, "13736\n"),
    "crowd": ([], -4, "an integer register has one value for all PEs, but this is 0x"),
    "crowd ": (["--set", "simd.divergence=pe0"], 0, "17096\n"),
    "copy": ([], -4, ("but this is 0x0 in PE 0, 0x3ff0000000000000 in PE 1, not alike in PEs 0–15 at PC ", "; load it into a "
                     "floating-point register (gcc: copy the members of structures, not the whole, or -mno-vis3)")),
    "alike": ([], 0, "1\n"),
    "members": ([], 0, "5\n"),
    "element": ([], -4, "not alike in PEs 0, 2–15"),
    "same": ([], 0, "1\n"),
    "chosen": ([], 0, "1\n"),
    "store": ([], -11, "outside the data window (0xf0000000, 65536 bytes)"),
    "deep": ([], -11, "SIMD stack overflow: store of PE registers to"),
    "shallow": ([], 0, "7\n"),
    "race": ([], -11, "SBM offset 0x8 is part of a block transfer with tag 5"),
    "race ": (["--set", "simd.transfer_race=ignore"], 0, "1\n"),
    "descriptor": ([], -4, "row length is 0 or not a multiple of 8 (0xc)"),
    "beyond": ([], -4, "transfer reaches beyond the end of SBM (0x10020)"),
    "unmapped": ([], -11, "load from unmapped address 0x40"),
    "cross": ([], -4, "cross operation in scalar state"),
    "scalar": ([], -11, "load from unmapped address 0xf0000000"),
    "pe": ([], -11, "SBM access at 0x1000000"),
    "divide ": (["--set", "simd.pes=0"], -4, ("this core has no SIMD-PEs at PC ", "; machine simd16 has")),
    # There: 16 times 1 + 7. Here: the numbers of 16 PEs 1 + … + 8 times, and 0.5 in each of 8 registers.
    "busy": ([], 0, "1 handled, 128 there, 4384 here\n"),
    # 64 times 0.5 times the sum of the numbers of 16 PEs, which the handler's array does not disturb.
    "locals": ([], 0, "1 handled, 1007 there, 3840 here\n"),
    "small": ([], -11, "no stack for the handler of SIGUSR1"),
    "signal": ([], 0, "1 handled, 2, PE 0 0.5\n"),
}
FORTRAN_ERRORS = {
    "divide": ([], -4, ("psim: SIGILL: no division or square root in SIMD state", "errors_fortran.f90:9; use psim_simd_div",
                        "; the program's handler gets the signal")),
    "branch": ([], -4, ("SIMD divergence: %fcc", "errors_fortran.f90:13; PEs cannot branch on their own data",
                        "; the program's handler gets the signal")),
    "store": ([], -11, ("psim: SIGSEGV: SIMD store of PE registers to 0x", "the program's handler gets the signal")),
}
# The same with -mno-vis3. With simd.divergence=pe0 above, the sum is another: what gcc kept in integer registers was PE 0's.
WITHOUT_VIS3 = {"alone": ([], 0, "13736\n"), "crowd": ([], 0, "18476\n")}


def compile_program(root, name, directory, *flags):
    include = os.path.join(root, "workloads/include")
    program = os.path.join(directory, name)
    if name in FORTRAN:
        subprocess.run(["sparc64-linux-gnu-gcc", *FLAGS, *flags, "-c", "-o", program + ".o",
                        os.path.join(include, "psim_simd_fortran.c")], check=True)
        subprocess.run(["sparc64-linux-gnu-gfortran", *FLAGS, *flags, "-Wno-compare-reals", "-J", directory, "-o", program,
                        os.path.join(include, "psim_simd.f90"), os.path.join(root, "tests/simd/programs", name + ".f90"),
                        program + ".o"], check=True)
        return program
    compiler = ["sparc64-linux-gnu-gcc"]
    source = name
    if name.endswith("++"):
        compiler, source = ["sparc64-linux-gnu-g++", "-x", "c++"], name[:-2]
    sources = [os.path.join(root, "tests/simd/programs", source + ".c")]
    if name == "pe_math":
        sources.append(os.path.join(root, "omp/runtime/pe_math.c"))
    subprocess.run([*compiler, *FLAGS, *flags, "-I", include, "-o", program, *sources], check=True)
    return program


def run(psim, program, options, arguments):
    result = subprocess.run([psim, "exec", *options, program, *arguments], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def wrong_cases(psim, program, cases):
    wrong = 0
    for case, (options, status, text) in cases.items():
        got, output = run(psim, program, options, case.split())
        found = text in output if isinstance(text, str) else all(output.count(part) == 1 for part in text)
        if got != status or not found or "or set simd.divergence" in output:
            wrong += 1
            print(f"{program} {case}: status {got}, expected {status}; output, expected to have {text!r}:\n{output}")
    return wrong


def main():
    psim, root, name = sys.argv[1:]
    if not all(shutil.which(tool) for tool in ("sparc64-linux-gnu-gcc", "sparc64-linux-gnu-g++", "sparc64-linux-gnu-gfortran")):
        return SKIPPED
    with tempfile.TemporaryDirectory() as directory:
        flags = ["-mno-vis3"] if name in EXACT else ["-g"] if name == "errors_fortran" else []
        program = compile_program(root, name, directory, *flags)
        cases = {"": ([], 0, "0 wrong")}
        if name == "errors":
            cases = ERRORS
        elif name == "errors_fortran":
            cases = FORTRAN_ERRORS
        elif name not in EXACT:
            cases[" "] = (["--fma", "unfused"], 0, "0 wrong") if name != "locals" else cases[""]
        failures = wrong_cases(psim, program, cases)
        if name == "errors":
            failures += wrong_cases(psim, compile_program(root, name, directory, "-mno-vis3"), WITHOUT_VIS3)
    return failures != 0


sys.exit(main())
