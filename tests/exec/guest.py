# SPDX-License-Identifier: Apache-2.0
"""Set-up of the tests of guest programs: `TEST.py PSIM SOURCE [SANITIZED]`. Ends with status 77 (skipped) without the cross
compiler."""
import os
import shutil
import subprocess
import sys

psim, source = os.path.abspath(sys.argv[1]), sys.argv[2]
sanitized = sys.argv[3:] == ["ON"]
compiler = "sparc64-linux-gnu-gcc"
if not shutil.which(compiler):
    print(f"skipped: no {compiler}")
    sys.exit(77)
failed = []


def check(condition, text):
    """Notes a failure and goes on."""
    if not condition:
        failed.append(text)
        print("FAILED:", text)


def build(output, *flags, text=None):
    """Compiles the test's program, or `text`, and returns the path of the executable."""
    given = ["-x", "c", "-"] if text else [source]
    subprocess.run([compiler, "-static", "-O1", "-w", *flags, *given, "-o", output], input=text, text=True, check=True)
    return output


def finish():
    sys.exit(1 if failed else 0)
