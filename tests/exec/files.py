#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two copies of the same files give the same run, whatever their inodes, times, places and file systems: output, cycles and
result hash. A file with other contents is named by `psim diff`."""
import json
import os
import pathlib
import subprocess
import tempfile

from guest import build, check, finish, psim  # noqa: E402


def copy_of_files(place, first):
    """The same two files, made in one order or the other, with times and inodes of their own."""
    place.mkdir()
    for name in ("data.txt", "mapped.bin") if first else ("mapped.bin", "unused", "data.txt"):
        (place / name).write_bytes(b"some text\n" * 1000)
    if not first:
        (place / "unused").unlink()
        os.utime(place / "data.txt", (1e9, 1.1e9))


with tempfile.TemporaryDirectory(prefix="psim-files-") as work, \
        tempfile.TemporaryDirectory(prefix="psim-files-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as other:
    program = build(os.path.join(work, "files"))
    copies = [pathlib.Path(work, "copy"), pathlib.Path(other, "of", "it")]
    copies[1].parent.mkdir()
    for number, place in enumerate(copies):
        copy_of_files(place, number == 0)

    def run(command, place):
        """Output and result."""
        result = os.path.join(work, f"{command[0]}.{copies.index(place)}.json")
        more = ["-o", os.path.join(work, "trace")] if command[0] == "trace" else []
        done = subprocess.run([psim, *command, "--quiet", "--json", result, *more, program], cwd=place, capture_output=True, text=True, timeout=120)
        check(done.returncode == 0 and (command == ["exec"] or "WRONG" not in done.stdout), f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
        check(sorted(os.listdir(place)) == ["data.txt", "mapped.bin"], os.listdir(place))
        with open(result) as file:
            return done.stdout, json.load(file), result

    for command in (["run"], ["trace", "record"]):
        (text, one, _), (again, two, _) = (run(command, place) for place in copies)
        check(text == again, f"{command}: the output differs:\n{text}\n{again}")
        check(one["result_hash"] == two["result_hash"], f"{command}: the hash differs")
        files = one["inputs"]["files"]
        check(sorted(files) == ["/psim/data.txt", "/psim/mapped.bin"], f"{command}: {files}")
        check(files["/psim/data.txt"]["bytes"] == 10_000, f"{command}: {files}")
    inherited = run(["exec"], copies[0])[1]["inputs"]["files"]
    check(sorted(inherited) == [str(copies[0].resolve() / name) for name in ("data.txt", "mapped.bin")], f"exec: {inherited}")

    (copies[1] / "mapped.bin").write_bytes(b"sOme text\n" * 1000)
    before, after = run(["run"], copies[0])[2], run(["run"], copies[1])[2]
    diff = subprocess.run([psim, "diff", before, after], capture_output=True, text=True)
    check(diff.returncode == 1 and "inputs.files./psim/mapped.bin.sha256: " in diff.stdout, diff.stdout + diff.stderr)

finish()
