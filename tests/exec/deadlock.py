#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A simulated program that waits for something that nothing can bring is ended and reported with its position; under
psim exec a signal from outside may still come."""
import json
import os
import signal
import subprocess
import tempfile
import time

from guest import build, check, finish, psim  # noqa: E402

with tempfile.TemporaryDirectory(prefix="psim-deadlock-") as work:
    program, result = os.path.join(work, "deadlock"), os.path.join(work, "result.json")
    build(program, "-g")
    commands = {"run": ["run", "--quiet", "--json", result], "trace": ["trace", "record", "-o", os.path.join(work, "trace"),
                                                                      "--json", result]}
    for how in ("pause", "rt_sigsuspend", "rt_sigtimedwait", "futex", "poll", "poll-pipe", "read", "write", "recvfrom"):
        done = subprocess.run([psim, *commands["run" if how in ("pause", "read") else "trace"], program, how],
                              capture_output=True, text=True, timeout=120)
        call = "ppoll" if how == "pause" else how.split("-")[0]  # which is how glibc pauses
        where = "in syscall" if how == "futex" else "in main at "
        check(done.returncode == 2 and f"psim: deadlock: the program waits in {call}() at PC 0x" in done.stderr
              and where in done.stderr, f"{how}: {done.returncode} {done.stderr}")
        with open(result) as file:
            document = json.load(file)
        check(document["partial"] == "deadlock" and document["deadlock"].startswith(call), f"{how}: {document.get('deadlock')}")
        os.unlink(result)
    for how in ("timer", "child"):
        done = subprocess.run([psim, *commands["trace"], program, how], capture_output=True, text=True, timeout=120)
        check(done.returncode == 0 and done.stdout == "woken\n", f"{how}: {done.returncode} {done.stdout} {done.stderr}")

    # Children that have ended bring nothing more, but what their ends bring comes first.
    done = subprocess.run([psim, *commands["trace"], program, "ended"], capture_output=True, text=True, timeout=120)
    check(done.returncode == 2 and "no " not in done.stdout and "psim: deadlock: " in done.stderr,
          f"ended: {done.returncode} {done.stdout} {done.stderr}")

    child = subprocess.Popen([psim, "exec", program, "pause"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = child.stderr.readline()
    check(line.startswith("psim: the program waits in ppoll() at PC 0x") and "only a signal from outside" in line, line)
    child.send_signal(signal.SIGUSR1)
    check(child.communicate(timeout=60)[0] == "woken\n" and child.returncode == 0, f"exec: {child.returncode}")

    # No deadlock: a thread waits for standard input through two epolls.
    build(program, "-pthread", text=r"""#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
static void* waits(void* epoll) {
  struct epoll_event event;
  return printf("%d\n", epoll_wait(*(int*)epoll, &event, 1, -1)), (void*)0;
}
int main(void) {
  int outer = epoll_create1(0), inner = epoll_create1(0);
  struct epoll_event event = {EPOLLIN};
  pthread_t thread;
  epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event);
  epoll_ctl(inner, EPOLL_CTL_ADD, 0, &event);
  pthread_create(&thread, 0, waits, &outer);
  return pthread_join(thread, 0);
}
""")
    child = subprocess.Popen([psim, "exec", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    text, error = child.communicate("a line\n", timeout=60)
    check(text == "1\n" and child.returncode == 0, f"nested: {child.returncode} {text} {error}")

finish()
