#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command has a manual page with each of its options, and groff formats it without a warning (if it is
installed): check_manual_pages.py PSIM"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

psim = pathlib.Path(sys.argv[1]).resolve()
failures = options = 0


def output(*words):
    return subprocess.run([psim, *words], text=True, check=True, capture_output=True).stdout


def fail(text):
    global failures
    failures += 1
    print(text)


commands = re.findall(r"(?m)^  ([a-z]+) ", output("--help"))
with tempfile.TemporaryDirectory(prefix="psim-manual-") as scratch:
    output("manual", "--into", f"{scratch}/man1")
    pages = {page.name: page.read_text() for page in pathlib.Path(scratch, "man1").iterdir()}
    wanted = {"psim.1", *(f"psim-{command}.1" for command in commands)}
    if set(pages) != wanted:
        fail(f"pages {sorted(pages)}, expected {sorted(wanted)}")
    for command in commands:
        page = pages[f"psim-{command}.1"]
        if page != output("manual", command):
            fail(f"psim manual {command} differs from the page of --into")
        plain = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "")
        for option in re.findall(r"(?m)^  (-[-\w,]+)", output(command, "--help")):
            options += 1
            if not re.search(rf"(?m)^{re.escape(option.split(',')[-1])}\b|, {re.escape(option.split(',')[-1])}\b", plain):
                fail(f"psim-{command}.1 lacks {option}")
        if "\n.SH EXAMPLES\n" not in page:
            fail(f"psim-{command}.1 has no examples")
    if shutil.which("groff"):
        for name, page in pages.items():
            done = subprocess.run(["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-P-c"], input=page, text=True,
                                  capture_output=True)
            if done.returncode or done.stderr.strip():
                fail(f"{name}: groff: {done.stderr}")
print(f"{len(pages)} pages, {options} options, {failures} failures")
sys.exit(1 if failures or options < 100 else 0)
