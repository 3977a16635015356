#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles programs with psim-sparc-cc, psim-sparc-cxx and psim-sparc-f90, runs them under psim exec, and makes mistakes.

wrappers.py PSIM"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

psim = pathlib.Path(sys.argv[1]).resolve()
WRAPPERS = {".c": "psim-sparc-cc", ".cpp": "psim-sparc-cxx", ".f90": "psim-sparc-f90"}
COMPILERS = {".c": "sparc64-linux-gnu-gcc", ".cpp": "sparc64-linux-gnu-g++", ".f90": "sparc64-linux-gnu-gfortran"}

# Headers, modules and SIMD functions work without OpenMP: 16 PEs each add up their quarter of 64 numbers.
PLAIN = {".c": r"""
#include <psim.h>
#include <psim_simd.h>
#include <stdio.h>
static void sum(double *x, long n) {
  for (long i = 1; i < n; i++) x[0] += x[i];
}
static double memory[64];
int main(void) {
  for (int i = 0; i < 64; i++) memory[i] = i;
  PSIM_REGION_BEGIN("sums", 64);
  psim_simd_get(0, memory, 32, 32, 0);
  psim_simd_sync(1);
  psim_simd_call(sum, (double *)psim_simd_data(0), 4l);
  psim_simd_put(0, memory, 32, 32, 0);
  psim_simd_sync(1);
  PSIM_REGION_END("sums");
  printf("%g %g\n", memory[0], memory[60]);
}
""", ".cpp": r"""
#include <psim_simd.h>
#include <iostream>
#include <stdexcept>
#include <vector>
static void sum(double *x, long n) {
  for (long i = 1; i < n; i++) x[0] += x[i];
}
int main() {
  std::vector<double> memory;
  for (int i = 0; i < 64; i++) memory.push_back(i);
  psim_simd_get(0, memory.data(), 32, 32, 0);
  psim_simd_sync(1);
  psim_simd_call(sum, (double *)psim_simd_data(0), 4l);
  psim_simd_put(0, memory.data(), 32, 32, 0);
  psim_simd_sync(1);
  try {
    memory.at(64) = 0;
  } catch (const std::out_of_range&) {
    std::cout << memory[0] << ' ' << memory[60] << '\n';
  }
}
""", ".f90": r"""
module sums
contains
  subroutine add(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer :: i
    do i = 2, n
      x(1) = x(1) + x(i)
    end do
  end subroutine
end module
program plain
  use, intrinsic :: iso_c_binding
  use psim
  use psim_simd
  use sums
  real(8), target :: memory(0:63)
  real(8), pointer :: x(:)
  integer :: i
  memory = [(i, i=0, 63)]
  call psim_region_begin("sums", 64)
  call psim_simd_get(0, memory, 32, 32, tag=0)
  call psim_simd_sync(1)
  call c_f_pointer(psim_simd_data(0), x, [4])
  call psim_simd_call(add, x, 4)
  call psim_simd_put(0, memory, 32, 32, tag=0)
  call psim_simd_sync(1)
  call psim_region_end("sums")
  print '(i0, " ", i0)', int(memory(0)), int(memory(60))
end program
"""}

# A target region for the PEs, and a parallel region outside, which stays libgomp's.
OPENMP = {".c": r"""
#include <omp.h>
#include <stdio.h>
int main(void) {
  static double x[100];
  int threads = 0;
#pragma omp target teams distribute parallel for map(from: x)
  for (int i = 0; i < 100; i++) x[i] = 2.5;
#pragma omp parallel num_threads(1) reduction(+ : threads)
  threads += omp_get_num_threads();
  printf("%g %g %d\n", x[0], x[99], threads);
}
""", ".cpp": r"""
#include <omp.h>
#include <iostream>
#include <stdexcept>
#include <vector>
int main() {
  std::vector<double> values(100);
  double* const x = values.data();
  int threads = 0;
#pragma omp target teams distribute parallel for map(from: x[0:100])
  for (int i = 0; i < 100; i++) x[i] = 2.5;
#pragma omp parallel num_threads(1) reduction(+ : threads)
  try {
    throw omp_get_num_threads();
  } catch (int number) {
    threads += number;
  }
  std::cout << x[0] << ' ' << x[99] << ' ' << threads << '\n';
}
""", ".f90": r"""
program openmp
  use omp_lib
  real(8) :: x(100)
  integer :: i, threads
  threads = 0
  !$omp target teams distribute parallel do map(from: x)
  do i = 1, 100
    x(i) = 2.5d0
  end do
  !$omp parallel num_threads(1) reduction(+: threads)
  threads = threads + omp_get_num_threads()
  !$omp end parallel
  print '(f3.1, " ", f3.1, " ", i0)', x(1), x(100), threads
end program
"""}

failures = 0


def check(good, what, *details):
    global failures
    if not good:
        failures += 1
        print(what, *details, sep="\n  ")


def run(*command, cwd=None, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=100, cwd=cwd,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def expect(status, output, errors, *command, **options):
    """Runs the command. `output` is all of its output, `errors` a part of its messages or "" for none; None: anything."""
    done = run(*command, **options)
    check(done[0] == status and output in (None, done[1]) and (errors is None or (errors in done[2] if errors else not done[2])),
          f"{shlex.join(str(word) for word in command)}: status {done[0]}, expected {status}",
          f"printed {done[1]!r}, expected {output!r}", f"messages {done[2]!r}, expected {errors!r}")
    return done[1]


def programs(place):
    """Each language without and with -fopenmp, in one step and in two, in a folder with a space in its name."""
    for ending, wrapper in WRAPPERS.items():
        folder = place / f"with {ending[1:]}"
        folder.mkdir()
        (folder / f"plain{ending}").write_text(PLAIN[ending])
        (folder / f"omp{ending}").write_text(OPENMP[ending])
        tool = psim.parent / wrapper
        expect(0, "", "", tool, "-O2", "-Wall", "-Wextra", "-Werror", "-o", "plain", f"plain{ending}", cwd=folder)
        expect(0, "6 246\n", "", psim, "exec", "--quiet", "plain", cwd=folder)
        expect(0, "", "", tool, "-fopenmp", "-Wall", "-Wextra", "-Werror", "-c", f"omp{ending}", cwd=folder)
        expect(0, "", "", tool, "omp.o", "-fopenmp", "-o", "omp", cwd=folder)
        expect(0, "2.5 2.5 1\n", "", psim, "exec", "--quiet", "--machine", "simd16", "omp", cwd=folder, PSIM_OMP_VERIFY="1")
        expect(0, "2.5 2.5 1\n", "this core has no SIMD-PEs", psim, "exec", "--quiet", "--machine", "sparc64v", "omp", cwd=folder)
        expect(0, "", "", tool, "-o", place / f"whole{ending}.out", f"omp{ending}", "-O3", "-fopenmp", cwd=folder)
        expect(0, "2.5 2.5 1\n", "", psim, "exec", "--quiet", place / f"whole{ending}.out")
        expect(0, "2.5 2.5 1\n", "", psim, "run", "--quiet", "--machine", "simd16", "--env", "PSIM_OMP_LOOPS=pes", place / f"whole{ending}.out")


def options(place):
    """The compilers' options work, the user's precede, and --show prints what runs."""
    for ending, wrapper in WRAPPERS.items():
        tool, source = psim.parent / wrapper, place / f"with {ending[1:]}" / f"omp{ending}"
        assembly = expect(0, None, "", tool, "-fopenmp", "-S", "-o", "-", source)
        check("__psim_omp_iterations" in assembly, f"{wrapper} -fopenmp -S: no call of the runtime")
        expect(0, None, "", tool, "-fopenmp", "-E", "-cpp" if ending == ".f90" else "-P", source)
        expect(0, run(COMPILERS[ending], "--version")[1], "", tool, "--version")
        text = expect(0, None, "", tool, "--help")
        check(text.startswith(f"Usage: {wrapper} ") and f"  {wrapper} -O3 -fopenmp -o app app{ending} && " in text, f"{wrapper} --help", text)

        shown = expect(0, None, "", tool, "--show", "-fopenmp", "-mcpu=niagara4", "-o", place / "shown one", source).strip()
        words = shlex.split(shown)
        check(words[0] == COMPILERS[ending] and "-O2" in words and words.index("-mcpu=niagara3") < words.index("-mcpu=niagara4"), shown)
        check("\n" not in shown and not (place / "shown one").exists(), f"{wrapper} --show: runs", shown)
        expect(0, "", "", "sh", "-c", shown)
        expect(0, "2.5 2.5 1\n", "", psim, "exec", "--quiet", place / "shown one")
        (place / "shown one").unlink()
        for level in "-O0", "-O", "-O3", "-Os", "-Ofast":
            words = shlex.split(expect(0, None, "", tool, "--show", level, "-fopenmp", source))
            check([word for word in words if word.startswith("-O")] == [level], f"{wrapper} {level}: {words}")
        words = shlex.split(expect(0, None, "", tool, "--show", "-fopenmp", "-fno-openmp", source))
        check("-O2" not in words and not any("psim_omp" in word or "wrap=" in word for word in words), f"{wrapper} -fno-openmp: {words}")
        words = shlex.split(expect(0, None, "", tool, "--show", "-c", "-fopenmp", source))
        check(not any(word.startswith(("-l", "-L", "-Wl,")) for word in words), f"{wrapper} -c: {words}")
        words = shlex.split(expect(0, None, "", tool, "--show", "-print-search-dirs"))
        check(not any(word.startswith("-l") for word in words), f"{wrapper} without files: {words}")
    # Options in a file count, too.
    (place / "options").write_text("-fopenmp -c\n'-o' file\\ d.o\n")
    expect(0, "", "", psim.parent / "psim-sparc-cc", "@options", "with c/omp.c", cwd=place)
    expect(0, "", "", psim.parent / "psim-sparc-cc", "-fopenmp", "-o", "filed", "file d.o", cwd=place)
    expect(0, "2.5 2.5 1\n", "", psim, "exec", "--quiet", "filed", cwd=place)
    expect(1, "", "nosuch", psim.parent / "psim-sparc-cc", "@nosuch", cwd=place)
    # A header of the user precedes psim's.
    (place / "psim.h").write_text("#error mine\n")
    (place / "mine.c").write_text("#include <psim.h>\n")
    expect(1, "", "#error mine", psim.parent / "psim-sparc-cc", "-I", place, "-c", place / "mine.c")
    # From standard input, which a build system's checks use.
    done = subprocess.run([psim.parent / "psim-sparc-cc", "-x", "c", "-o", place / "piped", "-"], text=True, capture_output=True,
                          input="int main(void) { return 7; }\n")
    check(done.returncode == 0, "from standard input", done.stderr)
    expect(7, "", "", psim, "exec", "--quiet", place / "piped")


def linker(place):
    """The linker's warnings of libgomp are hidden, those of the program are not."""
    (place / "user.c").write_text('#include <pwd.h>\n#include <stdio.h>\nint main(void) { puts(getpwnam("nosuch") ? "" : "none"); }\n')
    tool = psim.parent / "psim-sparc-cc"
    for words in [], ["-fopenmp"]:
        status, _, errors = run(tool, *words, "-o", "user", "user.c", cwd=place)
        check(status == 0 and "Using 'getpwnam' in statically linked" in errors and "dlopen" not in errors, f"linker, {words}: {errors}")
    (place / "load.c").write_text('#include <dlfcn.h>\n#include <stdio.h>\nint main(void) { puts(dlopen("a.so", 1) ? "" : "none"); }\n')
    expect(0, "", "", tool, "-fopenmp", "-o", "load", "load.c", cwd=place)
    expect(0, "none\n", "psim_omp: dlopen a.so: programs for psim's cores are static", psim, "exec", "--quiet", "load", cwd=place)


# The compilers refuse sections that are not contiguous, and sections outside of their array. LINE: a part of the message.
SECTIONS = {".c": (r"""static double a[10][20];
void f(double **p) {
#pragma omp target parallel for map(tofrom : a[0:10][2:3])
  for (int i = 0; i < 10; i++) a[i][2] = 1;
#pragma omp target parallel for map(tofrom : p[0:10][0:3])
  for (int i = 0; i < 10; i++) p[i][2] = 1;
#pragma omp target update from(a[0:10][2:3])
#pragma omp target enter data map(to : a[5:10])
#pragma omp target enter data map(to : a[0:-1])
}
""", {3: "array section is not contiguous", 5: "array section is not contiguous", 7: "array section is not contiguous",
      8: "high bound '15' above array section size", 9: "negative length in array section"}), ".f90": (r"""subroutine s(a, b, n)
  integer :: n, i
  real(8) :: a(n), b(10, 20)
  !$omp target parallel do map(tofrom: a(1:n:2))
  do i = 1, n, 2
    a(i) = a(i) + 1
  end do
  !$omp target enter data map(to: b(2:5, 3:9))
  !$omp target update from(a(1:n:2))
end subroutine
""", {4: "Stride should not be specified for array section", 8: "Array is not contiguous",
      9: "Stride should not be specified for array section"})}


def sections(place):
    for ending, (text, lines) in SECTIONS.items():
        (place / f"sections{ending}").write_text(text)
        status, _, errors = run(psim.parent / WRAPPERS[ending], "-fopenmp", "-c", f"sections{ending}", cwd=place, LC_ALL="C")
        found = re.findall(r"^sections\.\w+:(\d+):\d+:(?:\n\n.*\n.*\n)?\s*[Ee]rror: (.*)", errors, re.M)
        check(status == 1 and all(any(int(number) == line and message in text for number, text in found) for line, message in lines.items()),
              f"sections{ending}: {status}", *found)


def places(place):
    """The wrappers work through PATH and a symbolic link."""
    source = place / "with c" / "omp.c"
    expect(0, "", "", "psim-sparc-cc", "-fopenmp", "-o", "found", source, cwd=place, PATH=f"{psim.parent}:{os.environ['PATH']}")
    expect(0, "2.5 2.5 1\n", "", psim, "exec", "--quiet", place / "found")
    (place / "my cc").symlink_to(psim.parent / "psim-sparc-cc")
    expect(0, "", "", "./my cc", "-fopenmp", "-o", "linked", source, cwd=place)
    expect(0, "2.5 2.5 1\n", "", psim, "exec", "--quiet", place / "linked")


def refusals(place):
    """Each mistake ends with status 2 and one line; what the compiler refuses with the compiler's status and messages."""
    lone = place / "lone" / "bin"  # wrappers without libraries: a psim that was built without the plug-in
    lone.mkdir(parents=True)
    for ending, wrapper in WRAPPERS.items():
        tool, source = psim.parent / wrapper, place / f"with {ending[1:]}" / f"omp{ending}"
        package = COMPILERS[ending].rpartition("-")[2] + "-sparc64-linux-gnu"
        variable = {".c": "PSIM_SPARC_CC", ".cpp": "PSIM_SPARC_CXX", ".f90": "PSIM_SPARC_FC"}[ending]
        for word in "-shared", "-pie":
            expect(2, "", f"{wrapper}: {word}: programs for psim's cores are static", tool, word, source)
        missing = f"{wrapper}: the compiler nosuch is missing; install it (Debian: apt-get install {package}"
        expect(2, "", missing, tool, "-c", source, **{variable: "nosuch"})
        (place / f"wrong{ending}").write_text("neither C nor Fortran\n")
        expect(1, "", "rror", tool, "-c", place / f"wrong{ending}")
        shutil.copy(tool, lone)
        need = "apt-get install " + ("gfortran-sparc64-linux-gnu)" if ending == ".f90" else "gcc-12-plugin-dev-sparc64-linux-gnu)")
        status, output, errors = run(lone / wrapper, "-fopenmp", "-c", source, cwd=place)
        check(status == 2 and not output and errors.count("\n") == 1 and errors.startswith(f"{wrapper}: ") and need in errors,
              f"{wrapper} without its libraries: {status}, {output}, {errors}, expected {need}")
    expect(0, "", "", lone / "psim-sparc-cc", "-c", place / "with c/omp.c", cwd=place)


def verification(place):
    """A loop whose int overflows is named with the bytes of both results, which are no double."""
    (place / "overflow.c").write_text(r"""
int x[100];
int main(void) {
  for (int i = 0; i < 100; i++) x[i] = 2147483600 + i % 9;
  #pragma omp target parallel for map(tofrom: x)
  for (int i = 0; i < 100; i++) x[i] += 100;
}
""")
    expect(0, "", "", psim.parent / "psim-sparc-cc", "-fopenmp", "-o", "overflow", "overflow.c", cwd=place)
    for part in ("main at overflow.c:5: bytes 0 to 7 of the part of x that it writes are 7fffffff7fffffff (",
                 " as a double) on the PEs and 8000003480000035 (", "an int overflows, or this is a fault of psim"):
        expect(2, "", part, psim, "exec", "--quiet", "overflow", cwd=place)
    # -Ofast lets gcc add in another order for the PEs than for the scalar core.
    (place / "fast.c").write_text(r"""
double x[100], y[100];
int main(void) {
  for (int i = 0; i < 100; i++) x[i] = i * 0.37;
  #pragma omp target teams distribute parallel for map(to: x) map(from: y)
  for (int i = 0; i < 100; i++) y[i] = x[i] * x[i] - 2 * x[i] + 0.5 + (i % 3 == 0 ? 1.0 : -1.0);
}
""")
    for more, status, part in ([], 2, "gcc has ordered operations differently (-fno-associative-math"), (["-fno-associative-math"], 0, ""):
        expect(0, "", "", psim.parent / "psim-sparc-cc", "-Ofast", *more, "-fopenmp", "-o", "fast", "fast.c", cwd=place)
        expect(status, "", part, psim, "exec", "--quiet", "fast", cwd=place)


def divisions(place):
    """A loop that stays on the scalar core divides by its instruction, and one that can run on PEs by their function."""
    for index, dividing in ("order[i]", r"\tfdivd\t"), ("i", r"\tcall\t__psim_simd_divd"):
        (place / "divide.c").write_text(f"""
double x[100], y[100];
int order[100];
void divide(void) {{
  #pragma omp target parallel for map(tofrom: x) map(to: y, order)
  for (int i = 0; i < 100; i++) x[i] = x[i] / y[{index}];
}}
""")
        assembly = expect(0, None, None, psim.parent / "psim-sparc-cc", "-O3", "-fopenmp", "-S", "-o", "-", "divide.c", cwd=place)
        found = set(re.findall(r"\tfdivd\t|\tcall\t__psim_simd_divd", assembly))
        check(len(found) == 1 and re.fullmatch(dividing, *found), f"y[{index}]: divided by {found}, expected {dividing}")


with tempfile.TemporaryDirectory(prefix="psim wrappers ") as scratch:
    for part in programs, options, linker, sections, places, refusals, verification, divisions:
        part(pathlib.Path(scratch))
print(f"{failures} failures")
sys.exit(1 if failures else 0)
