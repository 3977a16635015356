#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs mappings.c, which checks itself; then psim under a limit of virtual memory, and under the host's loss of a page
that another process causes."""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

from guest import build, check, finish, psim, sanitized  # noqa: E402

OTHER = """
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
static sigjmp_buf after;
static void on_bus(int number) { siglongjmp(after, number); }
int main(void) {
  const int fd = open("shared", O_RDWR);
  volatile char* at = mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  char byte = at[0];
  struct sigaction action = {.sa_handler = on_bus};
  sigaction(SIGBUS, &action, 0);
  puts("ready"), fflush(stdout);
  if (read(0, &byte, 1) != 1) return 1;
  if (sigsetjmp(after, 1) != 0) return 7;
  for (long i = 0; i < 100000000; ++i) (void)at[40000];
  return 0;
}
"""

with tempfile.TemporaryDirectory(prefix="psim-mappings-") as work:
    program, inside = os.path.join(work, "mappings"), os.path.join(work, "inside")
    os.mkdir(inside)
    build(program, "-g")

    def run(*words, **more):
        done = subprocess.run([psim, *words], cwd=inside, capture_output=True, text=True, timeout=300, **more)
        shutil.rmtree(inside)
        os.mkdir(inside)
        return done

    done = run("exec", program)
    check(done.returncode == 0 and done.stdout == "", f"exec: {done.returncode}\n{done.stdout}{done.stderr}")
    for command in (("exec",), ("run", "--quiet")):
        done = run(*command, program, "cut")
        check(done.returncode in (-7, -10) and "psim: SIGBUS: store to address " in done.stderr
              and ", beyond the end of its file at PC" in done.stderr and "in main at " in done.stderr,
              f"{command}: {done.returncode} {done.stderr}")
    if not sanitized:
        limit = 1 << 30
        done = run("exec", program, "cut", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        check(done.returncode in (-7, -10) and "SIGBUS: store" in done.stderr, f"ulimit -v: {done.returncode} {done.stderr}")

    other = build(os.path.join(work, "other"), text=OTHER)
    shared = os.path.join(inside, "shared")
    pathlib.Path(shared).write_bytes(bytes(65536))
    child = subprocess.Popen([psim, "exec", other], cwd=inside, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    check(child.stdout.readline() == "ready\n", "the other program starts")
    os.truncate(shared, 0)
    child.communicate("x", timeout=120)
    check(child.returncode == 7, f"another process cuts the file: {child.returncode}")

finish()
