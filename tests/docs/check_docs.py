#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what the documentation tells a reader to type, and follows its links.

    check_docs.py ROOT PSIM FILE.md… [--then SCRIPT.py]

In a ```console block, a line "$ command" must succeed ("$ command  # exit N": must end with N). Lines "> more" right
below continue it; lines below those, if any, are its output: "..." or "…" in a line stands for anything, and such a line alone for any lines. All
blocks of one file share a scratch directory that sees workloads/, machines/ and psim. scripts/* are not run, but
must exist. Relative links must lead to files. A page in a folder tutorials/ has at most ten commands, after the one that gets the programs, and
runs as with an installed package: psim is in usr/bin, workloads/ in usr/share/doc/psim and not in the scratch directory. SCRIPT.py runs last, in
the scratch directory, where printed.N has the output of command N.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root, psim = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
names, _, then = " ".join(sys.argv[3:]).partition(" --then ")
files = [pathlib.Path(name) for name in names.split()]

MOST_IN_A_TUTORIAL = 11  # ten, and the one that gets the programs


def as_installed(folder):
    """Makes FOLDER look like the prefix of an installed psim with its documentation; returns the folder of the programs."""
    (folder / "bin").mkdir(parents=True)
    for program in psim.parent.iterdir():
        os.symlink(program, folder / "bin" / program.name)
    (folder / "share/doc/psim").mkdir(parents=True)
    os.symlink(root / "workloads", folder / "share/doc/psim/workloads")
    return folder / "bin"


def blocks(text):
    """(line number, command, expected output lines) of every command of a file."""
    inside, command = False, None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if inside and command:
                yield command
            inside, command = line.strip() == "```console", None
        elif inside and line.startswith("$ "):
            if command:
                yield command
            command = (number, line[2:], [])
        elif inside and line.startswith("> ") and command and not command[2]:
            command = (command[0], command[1] + "\n" + line[2:], [])
        elif inside and command:
            command[2].append(line)
    return


def matches(expected, actual):
    wanted = "\n".join(line.rstrip() for line in expected).strip("\n")
    pattern = re.escape(wanted)  # which puts a backslash before each end of line too
    pattern = re.sub(r"(?m)^(\\\.\\\.\\\.|…)(?=\\?$)", r"(?s:.*)", pattern)
    pattern = re.sub(r"\\\.\\\.\\\.|…", r".*", pattern)
    got = "\n".join(line.rstrip() for line in actual.splitlines()).strip("\n")
    return re.fullmatch(pattern, got) is not None


failures = commands = links = 0
for path in files:
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            links += 1
            if not (path.parent / target).exists():
                failures += 1
                print(f"{path}: link to {target}, which is not there")
    with tempfile.TemporaryDirectory(prefix="psim-docs-") as scratch:
        tutorial = path.parent.name == "tutorials"
        programs = as_installed(pathlib.Path(scratch, "usr")) if tutorial else psim.parent
        for name in ("machines",) if tutorial else ("workloads", "machines"):
            os.symlink(root / name, pathlib.Path(scratch) / name)
        os.makedirs(pathlib.Path(scratch) / "build/release")
        os.symlink(psim.parent, pathlib.Path(scratch) / "build/release/bin")
        environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", LC_ALL="C.UTF-8",
                           PYTHONPATH=str(root / "python"), PYTHONDONTWRITEBYTECODE="1")
        environment.pop("PAGER", None)
        typed = list(blocks(text))
        if "```console" in text and not typed:
            failures += 1
            print(f"{path}: no command was found in its ```console blocks")
        if tutorial and len(typed) > MOST_IN_A_TUTORIAL:
            failures += 1
            print(f"{path}: {len(typed)} commands; expected at most {MOST_IN_A_TUTORIAL}")
        for number, command, expected in typed:
            status = 0
            if found := re.search(r"\s+# exit (\d+)$", command):
                status, command = int(found[1]), command[: found.start()]
            script = re.match(r"(?:sudo )?((?:\./)?scripts/\S+)", command)
            if script or command.startswith(("git ", "cmake ", "ctest ", "cpack ", "sudo ", "cd ")):
                if script and not (root / script[1]).exists():
                    failures += 1
                    print(f"{path}:{number}: {script[1]} is not there")
                continue
            commands += 1
            done = subprocess.run(["bash", "-c", command], cwd=scratch, env=environment, text=True, timeout=120,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  errors="replace")
            if done.returncode != status:
                failures += 1
                print(f"{path}:{number}: $ {command}\n  ended with {done.returncode}, expected {status}:\n{done.stdout}")
            elif any(line.strip() for line in expected) and not matches(expected, done.stdout):
                failures += 1
                print(f"{path}:{number}: $ {command}\n  printed\n{done.stdout}\n  expected\n" + "\n".join(expected))
            if then:
                pathlib.Path(scratch, f"printed.{commands}").write_text(done.stdout, encoding="utf-8")
        if then and subprocess.run([sys.executable, then], cwd=scratch).returncode:
            failures += 1
            print(f"{path}: {then} failed")
print(f"{len(files)} files, {commands} commands, {links} links, {failures} failures")
sys.exit(1 if failures else 0)
