#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that run other programs by execve, posix_spawn and vfork do the same under psim exec as natively on the host."""
import json
import os
import subprocess
import tempfile

from guest import build, check, finish, psim, source  # noqa: E402

with tempfile.TemporaryDirectory(prefix="psim-executing-") as work:
    work = os.path.realpath(work)
    native, guest = os.path.join(work, "native"), os.path.join(work, "guest")
    for directory in (native, guest):
        os.mkdir(directory)
        with open(os.path.join(directory, "text"), "w", encoding="utf-8") as file:
            file.write("no program\n")
        for name, line in (("script", f"#!{directory}/program script"), ("script of nothing", "#!  "),
                           ("script of a script", f"#! {directory}/script\t a word "), ("script of none", "#!/absent/program"),
                           *((f"deep{n}", f"#!{directory}/deep{n - 1}" if n > 1 else f"#!{directory}/program script") for n in range(1, 7))):
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(line + "\n")
            os.chmod(os.path.join(directory, name), 0o755)
    build(os.path.join(guest, "program"), "-g", "-pthread")
    subprocess.run(["gcc", "-w", "-O1", "-pthread", source, "-o", os.path.join(native, "program")], check=True)

    def run(directory, *command, words):
        done = subprocess.run([*command, "./program", *words], cwd=directory, capture_output=True, text=True, timeout=120)
        own = [line for line in done.stderr.splitlines() if line.startswith("psim:")]
        rest = [line for line in done.stderr.splitlines() if not line.startswith("psim:")]
        return (done.returncode, done.stdout, rest), own

    for words in (["begin", ""], ["begin", "environment"], ["begin", "thread"], ["begin", "descriptor"], ["failures"],
                  ["children"], ["again", "50"], ["run", "./script", "one", "two"], ["run", "./script of a script", "one"],
                  ["run", "./script of none"], ["run", "./deep5"], ["run", "./deep6"]):
        expected, _ = run(native, words=words)
        os.chmod(os.path.join(native, "text"), 0o644)
        for translated in ("0", "1"):
            actual, own = run(guest, psim, "exec", "--translate-after", translated, words=words)
            os.chmod(os.path.join(guest, "text"), 0o644)
            check(actual == expected, f"{words}: {actual}, expected {expected}")
            reasons = ["text: not an ELF file", "execve"] if words == ["failures"] else []
            check(len(own) <= len(reasons), f"{words}: {own}")

    # A program of the host is none of the guest, which psim reports.
    with open(os.path.join(native, "program"), "rb") as file, open(os.path.join(guest, "host"), "wb") as copy:
        copy.write(file.read())
    os.chmod(os.path.join(guest, "host"), 0o755)
    done, own = run(guest, psim, "exec", words=["run", "./host"])
    check(done[1] == "./host: Exec format error\n" and len(own) == 1 and "/host: " in own[0] and "ENOEXEC" in own[0], f"{done} {own}")

    # A run in cycles stays with its program; children may become others. The same start gives the same result.
    done, own = run(guest, psim, "run", "--quiet", words=["run", "./script"])
    check("Permission denied" in done[1] and any("measured" in line for line in own), f"{done} {own}")
    expected, _ = run(native, words=["children"])
    actual, own = run(guest, psim, "run", "--quiet", words=["children"])
    check(actual == expected or actual[1].replace("./program", "") == expected[1], f"{actual} {own}, expected {expected}")
    hashes = set()
    for number in range(2):
        result = os.path.join(work, f"{number}.json")
        run(guest, psim, "exec", "--clean-env", "--json", result, words=["begin", ""])
        with open(result, encoding="utf-8") as file:
            hashes.add(json.load(file)["result_hash"])
    check(len(hashes) == 1, f"hashes differ: {hashes}")

finish()
