#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A simulation starts its program in the same way whatever surrounds psim: exported variables, the working directory, the
program's path, the kind of standard input and output. Cycles, result hash and output stay the same; what an option
adds is named by `psim diff`."""
import json
import os
import pathlib
import pty
import subprocess
import tempfile

from guest import build, check, finish, psim  # noqa: E402


def start(command, result, program, output, stdin=b"one\ntwo\n", options=(), cwd=None, **more):
    """Runs the program; its standard output goes to `output`: "pipe", "file", "terminal" or "closed"."""
    words = [psim, *command, "--quiet", "--json", result, *options]
    if command[0] == "trace":
        words += ["-o", result + ".trace"]
    words.append(program)
    if output == "closed":
        words = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *words]
    if output == "terminal":
        reader, writer = pty.openpty()
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=writer, stderr=subprocess.DEVNULL, cwd=cwd, **more) as child:
            os.close(writer)
            child.stdin.write(stdin)
            child.stdin.close()
            text = b""
            try:
                while part := os.read(reader, 4096):
                    text += part
            except OSError:  # the terminal's end
                pass
        os.close(reader)
        return child.returncode, text.replace(b"\r\n", b"\n")
    if output == "file":
        with open(result + ".out", "w+b") as file, open(result + ".in", "w+b") as given:
            given.write(stdin)
            given.seek(0)
            status = subprocess.run(words, stdin=given, stdout=file, stderr=subprocess.DEVNULL, cwd=cwd, timeout=120, **more)
            file.seek(0)
            return status.returncode, file.read()
    done = subprocess.run(words, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=cwd, timeout=120, **more)
    return done.returncode, done.stdout


def load(path):
    with open(path) as file:
        return json.load(file)


with tempfile.TemporaryDirectory(prefix="psim-start-") as work:
    work = pathlib.Path(work)
    here, there = work / "here", work / "there" / "deep"
    here.mkdir(), there.mkdir(parents=True)
    program = here / "start"
    build(program)
    plain = {"PATH": os.environ.get("PATH", "")}
    exported = {**plain, "FOO": "1", "LONG_VARIABLE": "x" * 999, "LC_ALL": "C", "GLIBC_TUNABLES": "glibc.malloc.check=0"}

    for command in (["run"], ["trace", "record"]):
        name = command[0]
        first = str(work / f"{name}.json")
        status, expected = start(command, first, "./start", "pipe", cwd=here, env=plain)
        check(status == 0 and b"2 lines" in expected, f"{name} runs: {status} {expected}")
        want = load(first)
        cases = {
            "variables": dict(output="pipe", env=exported, cwd=here, program="./start"),
            "directory": dict(output="pipe", env=plain, cwd=there, program="../../here/start"),
            "path": dict(output="pipe", env=plain, cwd=here, program=str(program)),
            "file": dict(output="file", env=plain, cwd=here, program="./start"),
        }
        if name == "run":
            cases["closed"] = dict(output="closed", env=plain, cwd=here, program="./start")
            if not os.path.exists("/dev/pts/ptmx"):
                print("left out: the terminal, because this host has no pseudo-terminals")
            else:
                cases["terminal"] = dict(output="terminal", env=plain, cwd=here, program="./start")
            cases["umask"] = dict(output="pipe", env=plain, cwd=here, program="./start", umask=0o077)
            cases["descriptors"] = dict(output="pipe", env=plain, cwd=here, program="./start", pass_fds=(os.dup(0),))
        for case, how in cases.items():
            result = str(work / f"{name}.{case}.json")
            status, text = start(command, result, **how)
            lost = 2 if case == "closed" else 0  # the program's output is lost, which psim reports
            check(status == lost, f"{name}, {case}: status {status}")
            got = load(result)
            check(case == "closed" or text == expected, f"{name}, {case}: the output differs:\n{text}\n{expected}")
            for key in ("instructions", "cycles", "result_hash"):
                check(got.get(key) == want.get(key), f"{name}, {case}: {key} {want.get(key)} and {got.get(key)}")

        def differs(options, key, env=exported, stdin=b"one\ntwo\n"):
            result = str(work / f"{name}.different.json")
            start(command, result, "./start", "pipe", options=options, cwd=here, env=env, stdin=stdin)
            got = load(result)
            check(got["result_hash"] != want["result_hash"], f"{name} {options}: the hash is the same")
            diff = subprocess.run([psim, "diff", first, result], capture_output=True, text=True)
            check(diff.returncode == 1 and f"inputs.{key}: " in diff.stdout, f"{name} {options}: {diff.stdout}")
            return got

        got = differs(["--env", "FOO=1"], "start.environment.FOO")
        check(got["instructions"] != want["instructions"], f"{name}: --env changes nothing")
        differs(["--inherit-env"], "start.environment.LONG_VARIABLE")
        differs([], "standard_input.sha256", stdin=b"one\nTWO\n")
        differs(["--stack", "9"], "start.stack_bytes")

    # exec inherits; its inputs say what.
    results = []
    for number, (output, env, cwd) in enumerate((("pipe", plain, here), ("file", exported, there))):
        results.append(str(work / f"exec.{number}.json"))
        start(["exec"], results[-1], str(program), output, env=env, cwd=cwd)
    diff = subprocess.run([psim, "diff", *results], capture_output=True, text=True).stdout
    for key in ("environment.FOO", "working_directory", "standard_output", "standard_input"):
        check(f"inputs.start.{key}: " in diff, f"exec: psim diff names {key}: {diff}")
    clean = []
    for output, env, cwd in (("pipe", plain, here), ("file", exported, there)):
        result = str(work / "clean.json")
        start(["exec"], result, str(program), output, env=env, cwd=cwd, options=["--clean-env"])
        clean.append(load(result)["result_hash"])
    check(clean[0] == clean[1], "exec --clean-env: hashes differ")

    # A shell that is not there is no silent failure.
    build(here / "shell", text='#include <stdlib.h>\nint main() { return system("true") != 127 << 8; }\n')
    for command in (["exec"], ["run", "--quiet"]):
        done = subprocess.run([psim, *command, "./shell"], cwd=here, capture_output=True, text=True)
        check(done.returncode == 0 and "execve: /bin/sh: there is no such program in the sandbox; it returns ENOENT" in done.stderr,
              f"{command}: {done.returncode} {done.stderr}")

finish()
