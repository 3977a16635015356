#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs escape.c under psim exec in a working directory beside a directory it must not reach, and checks that
nothing there was read or changed. Exit status 77 (skipped) without the cross compiler."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def main():
    psim, source = sys.argv[1:]
    compiler = "sparc64-linux-gnu-gcc"
    if not shutil.which(compiler):
        print(f"skipped: no {compiler}")
        return 77
    with tempfile.TemporaryDirectory(prefix="psim-escape-") as work:
        outside, inside = pathlib.Path(work, "outside"), pathlib.Path(work, "inside")
        outside.mkdir(), inside.mkdir()
        secret = outside / "secret"
        secret.write_text("secret")
        secret.chmod(0o640)
        before = secret.stat()
        program = os.path.join(work, "escape")
        subprocess.run([compiler, "-static", "-O1", "-w", source, "-o", program], check=True)
        failed = 0
        for options in ([], ["--root", str(inside)]):
            done = subprocess.run([psim, "exec", *options, program, str(outside)], cwd=inside, capture_output=True,
                                  text=True, timeout=120)
            after = secret.stat()
            good = (done.returncode == 0 and done.stdout == "" and sorted(os.listdir(outside)) == ["secret"]
                    and secret.read_text() == "secret" and before.st_mode == after.st_mode
                    and before.st_mtime_ns == after.st_mtime_ns and before.st_nlink == after.st_nlink)
            if not good:
                print("options", options, "status", done.returncode, done.stdout, done.stderr, os.listdir(outside))
                failed = 1
            shutil.rmtree(inside)
            inside.mkdir()
        return failed


if __name__ == "__main__":
    sys.exit(main())
