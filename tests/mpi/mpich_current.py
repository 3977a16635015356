#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mpich_current.py SUITE BIN WORK [FOLDER…]: builds the C programs of MPICH's current test suite (SUITE is test/mpi of its repository) with BIN/psim-cc
and runs each line of its lists with BIN/psim net; with --nodes, with psim-sparc-cc and psim cosim where at most 4 ranks are needed. Lines that
differ only in environment variables of MPICH count once. A program must print "No Errors" and end with 0. Neither autoconf nor make is
needed: sources and definitions are read from the lists of programs in Makefile.am. Prints each line that is not good, then a table.
  --nodes        on cycle-level nodes, with the machine of --machine
  --each N       only each N-th line
  --only REGEX   only lines that it matches: FOLDER/PROGRAM -n RANKS ARGUMENTS
  --seconds N    time limit of a program (60)
  --jobs N       programs at the same time (2)
  --memory N     lines whose list says that they need more than N GB are left out (4)
  --results FILE outcomes are appended to FILE; a line that has one there, other than late, is not run again, and WORK's library is used as it is
  --large        copies of the programs whose calls with counts by value were changed to those with large counts (names end with +c)"""
import argparse
import concurrent.futures
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDERS = ("attr coll comm datatype errhan group info init io mpi_t part pt2pt rma session topo perf threads/coll threads/comm threads/init "
           "threads/mpi_t threads/part threads/perf threads/pt2pt threads/rma errors/attr errors/coll errors/comm errors/datatype errors/group errors/io errors/pt2pt errors/rma errors/session errors/topo").split()
# Not run, and why.
APART = {"init/timeout": "meant to be ended by the harness", "init/exitst1": "must fail", "init/exitst2": "must fail", "init/exitst3": "must fail"}
CONFIGURATION = """#define ENABLE_STRICTMPI 1
#define USE_STRICT_MPI 1
#define HAVE_ATOMIC 1
#define HAVE_FORTRAN_BINDING 1
#define HAVE_GETRUSAGE 1
#define HAVE_INTTYPES_H 1
#define HAVE_LONG_DOUBLE 1
#define HAVE_LONG_DOUBLE__COMPLEX 1
#define HAVE_DOUBLE__COMPLEX 1
#define HAVE_FLOAT__COMPLEX 1
#define USE_LONG_DOUBLE_COMPLEX 1
#define HAVE_LONG_LONG 1
#define HAVE_LONG_LONG_INT 1
#define HAVE_MPI2_COMBINERS 1
#define HAVE_MPI_COMPLEX32 1
#define HAVE_MPI_INTEGER16 1
#define HAVE_MPI_IO 1
#define HAVE_MPI_REAL16 1
#define HAVE_MPI_TYPE_CREATE_STRUCT 1
#define HAVE_MPI_WIN_CREATE 1
#define HAVE_MPI_INIT_THREAD 1
#define HAVE_PTHREAD_H 1
#define HAVE_PTHREAD_BARRIER_INIT 1
#define HAVE_STDARG_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDIO_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRDUP 1
#define HAVE_STRINGS_H 1
#define HAVE_STRING_H 1
#define HAVE_SYS_RESOURCE_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
#define HAVE_USLEEP 1
#define HAVE_WCHAR_H 1
#define HAVE__BOOL 1
#define STDC_HEADERS 1
#define POINTERINT_t long
#define SIZEOF_INT 4
#define SIZEOF_LONG 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF_SHORT 2
#define SIZEOF_VOID_P 8
#define THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX
"""


def run(command, seconds=120, **more):
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds, stdin=subprocess.DEVNULL, **more)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return -1, f"still running after {seconds} s"


def makefile(folder):
    """Returns {program: (sources, definitions)} of a folder."""
    text = (folder / "Makefile.am").read_text().replace("\\\n", " ") if (folder / "Makefile.am").exists() else ""
    sources = dict(re.findall(r"^(\w+)_SOURCES\s*=\s*(.*)$", text, re.M))
    flags = dict(re.findall(r"^(\w+)_CPPFLAGS\s*=\s*(.*)$", text, re.M))
    definitions = {name: re.findall(r"-D\S+", value) for name, value in flags.items()}
    return lambda name: (sources.get(name, name + ".c").split(), definitions.get(name, []))


def lines(folder, memory):
    """Yields (program, ranks, arguments, must fail) of a folder's list, each once. Marks of lines that configure may disable (@name@) are dropped."""
    seen = set()
    for name in ("testlist", "testlist.in"):
        if not (folder / name).exists():
            continue
        for line in (folder / name).read_text().splitlines():
            words = re.sub(r"^@\w+@", "", line).split()
            if len(words) < 2 or line.startswith(("#", "!")) or "/" in words[0] or not words[1].isdigit():
                continue
            arguments = tuple(w[4:] for w in words[2:] if w.startswith("arg="))
            item = (words[0], int(words[1]), arguments, any(w.startswith("resultTest=") and w != "resultTest=TestAllowWarnings" for w in words[2:]))
            large = any(w.startswith("mem=") and float(w[4:]) > memory for w in words[2:])
            if item not in seen and not large:
                seen.add(item)
                yield item
        return


def title(folder, item):
    return " ".join((f"{folder}/{item[0]} -n {item[1]}", *item[2]))


LARGE = ("Send Recv Bsend Ssend Rsend Isend Ibsend Issend Irsend Irecv Send_init Recv_init Bcast Gather Scatter Allgather Alltoall Reduce Allreduce "
         "Reduce_local Reduce_scatter_block Scan Exscan Ibcast Igather Iscatter Iallgather Ialltoall Ireduce Iallreduce Ireduce_scatter_block Iscan "
         "Iexscan Sendrecv Sendrecv_replace Put Get Accumulate Rput Rget Raccumulate Get_accumulate Rget_accumulate File_read File_write "
         "File_read_at File_write_at File_read_all File_write_all File_read_at_all File_write_at_all File_iread File_iwrite Mrecv Imrecv "
         "Type_contiguous Type_vector").split()


def enlarged(text):
    """Changes calls whose counts are passed by value to the form with large counts. Constructors of datatypes stay where the program reads
    their contents, which only functions with large counts could return then."""
    names = [name for name in LARGE if not name.startswith("Type_") or "MPI_Type_get_" not in text]
    return re.sub(r"\bMPI_(" + "|".join(names) + r")\(", r"MPI_\1_c(", text)


class Suite:
    def __init__(self, options):
        self.o = options
        self.known = {}
        if options.results and Path(options.results).exists():
            rows = [line.split("\t", 2) for line in Path(options.results).read_text().splitlines()]
            self.known = {name: (outcome, said) for outcome, name, said in rows if outcome != "late"}
        self.suite = Path(options.suite).absolute()
        self.work = Path(options.work).absolute()
        self.bin = Path(options.bin).absolute()
        self.work.mkdir(parents=True, exist_ok=True)
        (self.work / "include").mkdir(exist_ok=True)
        (self.work / "include/mpitestconf.h").write_text(CONFIGURATION)
        (self.work / "include/mtest_mpix.h").write_text("")
        (self.work / "dtpoolsconf.h").write_text(CONFIGURATION)
        self.cc = [self.bin / ("psim-sparc-cc" if options.nodes else "psim-cc"), "-O2" if options.nodes else "-O0", "-w", "-g", "-pthread"]
        self.include = [f"-I{self.work}/include", f"-I{self.suite}/include", f"-I{self.suite}/dtpools/include", f"-I{self.work}"]
        self.archive = self.work / "libsuite.a"
        if self.known and self.archive.exists():
            return
        parts = [self.suite / "util" / n for n in ("mtest.c", "mtest_common.c", "dtypes.c", "run_mpitests.c", "mtest_thread.c")]
        parts += sorted((self.suite / "dtpools/src").glob("*.c"))
        objects = []
        for part in parts:
            # dtpools names its configuration relative to its own folder.
            text = part.read_text()
            copy = self.work / part.name
            copy.write_text(text)
            code, said = run(self.cc + self.include + [f"-I{part.parent}", "-fPIC", "-c", part, "-o", copy.with_suffix(".o")])
            if code == 0:
                objects.append(copy.with_suffix(".o"))
            else:
                sys.exit(f"{part.name}: {said[:800]}")
        self.archive.unlink(missing_ok=True)
        subprocess.run(["sparc64-linux-gnu-ar" if options.nodes else "ar", "rcs", self.archive, *objects], check=True)

    def build(self, folder, name):
        """Returns the program, or the first message of the compiler."""
        base = name.removesuffix("+c")
        out = self.work / folder.replace("/", "_")
        out.mkdir(exist_ok=True)
        sources, definitions = makefile(self.suite / folder)(base)
        paths = [self.suite / folder / s for s in sources if s.endswith(".c")]
        if name.endswith("+c"):
            paths = [self.copy(out, p, name) for p in paths]
        code, said = run(self.cc + self.include + [f"-I{self.suite / folder}"] + definitions + paths + ["-o", out / name, self.archive, "-lm"])
        found = re.search(r"undefined reference to .*|error: .*", said)
        return (out / name, "") if code == 0 else (None, found[0] if found else said[:200])

    def copy(self, out, path, name):
        target = out / (name.replace("+", "_") + "_" + path.name)
        target.write_text(enlarged(path.read_text()))
        return target

    def outcome(self, folder, item, built):
        name = title(folder, item)
        if name in self.known:
            return self.known[name]
        program, said = built[item[0]]
        outcome, said = self.one(item, program) if program else ("unbuilt", said)
        if self.o.results:
            with open(self.o.results, "a") as file:
                file.write(f"{outcome}\t{name}\t{said}\n")
        return outcome, said

    def one(self, item, program):
        _, ranks, arguments, must_fail = item
        with tempfile.TemporaryDirectory() as apart:
            shutil.copy(program, apart)  # on nodes it has the name ./NAME, and io/zero_count reads itself
            if self.o.nodes:
                command = [self.bin / "psim", "cosim", "--quiet", *(["--machine", self.o.machine] if self.o.machine else []), "-n", str(ranks), program, *arguments]
            else:
                command = [self.bin / "psim", "net", "--quiet", "-n", str(ranks), program, *arguments]
            code, said = run(command, self.o.seconds, cwd=apart)
        good = code != 0 if must_fail else code == 0 and "no errors" in said.lower()
        return "good" if good else "late" if code == -1 else "bad", " ".join(said.split())[:160]


def main():
    p = argparse.ArgumentParser()
    for name in ("suite", "bin", "work"):
        p.add_argument(name)
    p.add_argument("folders", nargs="*")
    p.add_argument("--nodes", action="store_true")
    p.add_argument("--large", action="store_true")
    p.add_argument("--machine", default="")
    p.add_argument("--only", default="")
    p.add_argument("--results", default="")
    p.add_argument("--each", type=int, default=1)
    p.add_argument("--memory", type=float, default=4)
    p.add_argument("--seconds", type=int, default=60)
    p.add_argument("--jobs", type=int, default=2)
    o = p.parse_args()
    suite = Suite(o)
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for folder in o.folders or FOLDERS:
            items = [i for i in lines(suite.suite / folder, o.memory) if f"{folder}/{i[0]}" not in APART and (not o.nodes or i[1] <= 4)]
            if o.large:
                items = [(i[0] + "+c", *i[1:]) for i in items]
                changed = {i[0]: enlarged(text) != text for i in items
                           for text in ["".join((suite.suite / folder / s).read_text() for s in makefile(suite.suite / folder)(i[0][:-2])[0]
                                                if (suite.suite / folder / s).exists())]}
                items = [i for i in items if changed[i[0]]]
            items = [i for i in items if re.search(o.only, title(folder, i))][::o.each]
            names = list(dict.fromkeys(i[0] for i in items if title(folder, i) not in suite.known))
            built = dict(zip(names, pool.map(lambda n: suite.build(folder, n), names)))
            outcomes = pool.map(lambda i: suite.outcome(folder, i, built), items)
            row = counts.setdefault(folder, {})
            for item, (outcome, said) in zip(items, outcomes):
                row[outcome] = row.get(outcome, 0) + 1
                if outcome != "good":
                    print(f"{title(folder, item)}: {outcome}: {said}", flush=True)
            print(f"| {folder} | " + " | ".join(str(row.get(k, 0)) for k in ("good", "bad", "late", "unbuilt")) + " |", flush=True)
    total = {k: sum(row.get(k, 0) for row in counts.values()) for k in ("good", "bad", "late", "unbuilt")}
    print("| all | " + " | ".join(map(str, total.values())) + " |")


main()
