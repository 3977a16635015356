#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs outside.c with files, pipes, terminals and sockets of the test's own as standard input, and checks that nothing of
them has changed."""
import fcntl
import os
import pathlib
import pty
import socket
import subprocess
import tempfile

from guest import build, check, finish, psim  # noqa: E402

with tempfile.TemporaryDirectory(prefix="psim-outside-") as work:
    work = pathlib.Path(work)
    inside = work / "inside"
    inside.mkdir()
    program = work / "outside"
    build(program)

    def run(stdin, *arguments, command=("exec",)):
        done = subprocess.run([psim, *command, program, *arguments], stdin=stdin, capture_output=True, text=True,
                              cwd=inside, timeout=120)
        check(done.returncode == 0 and done.stdout == "", f"{arguments}: status {done.returncode}\n{done.stdout}{done.stderr}")

    for command in (("exec",), ("run", "--quiet")):
        file = work / "file"
        file.write_text("some text")
        file.chmod(0o640)
        before = file.stat()
        with open(file, "r+b") as stdin:
            flags = fcntl.fcntl(stdin, fcntl.F_GETFL)
            run(stdin, "/dev/null", "/dev/zero", "/proc/self/exe", command=command)
            check(fcntl.fcntl(stdin, fcntl.F_GETFL) == flags, "flags of the description have changed")
            fcntl.flock(stdin, fcntl.LOCK_EX | fcntl.LOCK_NB)
        after = file.stat()
        for name in ("st_mode", "st_uid", "st_gid", "st_mtime_ns", "st_size", "st_nlink", "st_blocks"):
            check(getattr(before, name) == getattr(after, name), f"{name} has changed")
        check(file.read_text() == "some text", "the text has changed")

    reader, writer = os.pipe()
    size = fcntl.fcntl(reader, fcntl.F_GETPIPE_SZ)
    run(reader, "-empty")
    check(fcntl.fcntl(reader, fcntl.F_GETPIPE_SZ) == size, "the pipe's size has changed")
    check(not fcntl.fcntl(reader, fcntl.F_GETFL) & os.O_NONBLOCK, "the pipe does not wait any more")

    if not os.path.exists("/dev/pts/ptmx"):
        print("left out: the terminal, because this host has no pseudo-terminals")
    else:
        master, terminal = pty.openpty()
        run(terminal, "-empty")
        check(not fcntl.fcntl(terminal, fcntl.F_GETFL) & os.O_NONBLOCK, "the terminal does not wait any more")
        check(fcntl.fcntl(terminal, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDWR, "the terminal's access")

    ours, theirs = socket.socketpair()
    run(theirs)
    ours.send(b"still open")
    check(theirs.recv(100) == b"still open", "the socket has been shut down")

    directory = os.open(work, os.O_RDONLY)
    mode = work.stat().st_mode
    run(directory)
    check(work.stat().st_mode == mode and not (work / "x").exists(), "the directory has changed")
    check(list(inside.iterdir()) == [], f"{list(inside.iterdir())} are left over")

finish()
