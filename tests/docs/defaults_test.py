#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""defaults_test.py PSIM SOURCES: the help of commands agrees with what they do.

- A run with a default of the help, [DEFAULT] or =DEFAULT, has the same result as a run without the option.
- Examples have options that exist, and --set and --sweep have keys that exist.
- Defaults of keys in tables of docs/*.md are those of the JSON schemas; defaults of options are those of the help.
"""
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place

psim, sources = sys.argv[1], pathlib.Path(sys.argv[2])
place = Place("defaults", timeout=60)
problems = []


@functools.lru_cache
def help_of(command):
    return place.call(psim, *command.split(), "--help").stdout


def options_of(command):
    """(name, kind of value, description) of each option in the help of a command."""
    found = []
    for line in help_of(command).splitlines():
        if re.match("  -", line):
            # The description begins in column 34, or on the next line.
            split = len(line) > COLUMN and line[COLUMN - 1] == " " and line[:COLUMN].count("[") == line[:COLUMN].count("]")
            head, description = (line[:COLUMN], line[COLUMN:]) if split else (line, "")
            names, _, kind = head.strip().partition(" ")
            found.append([names.split(",")[-1], kind, description])
        elif found and line.startswith(" " * COLUMN):
            found[-1][2] += (" " if found[-1][2] else "") + line.strip()
        elif not line.startswith(" "):
            found.append(["", "", ""])  # a heading
    return [option for option in found if option[0]]


def defaults_of(command):
    """The default of each option that states one as a value. Other defaults are in words, such as [all]."""
    found = {}
    for name, kind, description in options_of(command):
        captured = re.search(r"=(?![A-Z])(\S+( [KM]iB)?)", kind)  # not NAME=VALUE
        stated = re.findall(r"(?:^|\s)\[([^\]]*)\]", description)
        text = captured[1] if captured else stated[-1].partition(";")[0] if stated else ""
        value = re.fullmatch(r"-?[\w.%:/+=-]+( [KM]iB| u?s)?", text) and text not in ("all", "everything", "energy")
        if value or name == "--machine" and text:
            found[name] = text
    return found


COLUMN = 34
# Defaults of these show only in hours of simulation, in names of files, or as other options.
NOT_RUN = {"reproduce": {"--fit-to", "--most-ranks", "--loops", "--cause"}, "asm": {"--output"}, "run": {"--into"}, "net": {"--into"},
           "fit": {"--into", "--add-points", "--budget", "--machine"}, "predict": {"--into", "--flags", "--budget", "--machine", "--network", "--core"},
           "trace record": {"--region"}, "config show": {"--machine"}, "config explain": {"--machine"}, "roofline": {"--machine"}}

LOOP = """.globl _start
_start:
  set 60000, %l0
1: subcc %l0, 1, %l0
  bne 1b
  nop
  mov 1, %g1
  mov 0, %o0
  ta 0x6d
"""
# Its exit status is the number of SIMD-PEs.
PES = """.globl _start
_start:
  rd %simd, %o0
  srl %o0, 8, %o0
  and %o0, 63, %o0
  mov 1, %g1
  ta 0x6d
"""
RING = "num_ranks 2\nrank 0 {\nsend 100b to 1 tag 5\n}\nrank 1 {\nrecv 100b from 0 tag 5\n}\n"
LATENCY = "# OSU MPI Latency Test\n# Size Latency (us)\n" + "".join(f"{2 ** i} {2 + 2 ** i / 9000:.2f}\n" for i in range(21))


def prepare():
    place.write("loop.s", LOOP), place.write("ring.goal", RING), place.write("latency.txt", LATENCY)
    place.write("two.s", LOOP.replace("60000", "2"))
    place.write("pes.s", PES)
    for name in ("loop", "two", "pes"):
        place.call(psim, "asm", "-o", name, f"{name}.s")
    place.call(psim, "run", "--quiet", "--json", "run.json", "--o3", "two.o3", "--record-trace", "two.trace", "two")
    place.call(psim, "net", "--quiet", "--replay", "ring.goal", "--json", "net.json")


# Commands whose outcome depends on an option: the words before the option and those after it.
TRAFFIC = (["net", "-n", "4", "--traffic", "uniform", "--measure", "20 us", "--load", "0.2", "--json", "o.json"], [])
CASES = {
    "exec": (["exec", "--json", "o.json"], ["./pes"]),
    "run": (["run", "--json", "o.json"], ["./two"]),
    "run --sample": (["run", "--sample", "--json", "o.json"], ["./loop"]),
    "replay": (["replay", "--json", "o.json"], ["two.trace"]),
    "trace record": (["trace", "record", "-o", "o.trace", "--json", "o.json"], ["./pes"]),
    "trace text": (["trace", "text"], ["two.trace"]),
    "net": (["net", "--replay", "ring.goal", "--json", "o.json"], []),
    "cosim": (["cosim", "--json", "o.json"], ["./two"]),
    "calibrate": (["calibrate", "--json", "o.json"], ["latency.txt"]),
    "view": (["view"], ["two.o3"]),
    "diff": (["diff"], ["run.json", "run.json"]),
    "compare": (["compare"], ["net.json", "net.json"]),
    "roofline": (["roofline", "--machine", "sparc64v"], []),
    "dis": (["dis", "--words", "01000000"], []),
}
# Options that need other words than their command's.
SPECIAL = {("net", "--table-bytes"): (["net", "-n", "2", "--table", "o.table"], []),
           ("net", "--message"): TRAFFIC, ("net", "--arrivals"): TRAFFIC,
           ("net", "--observe-from"): (["net", "--replay", "ring.goal", "--timeline", "o.trace.json"], []),
           ("net", "--observe-every"): (["net", "--replay", "ring.goal", "--csv", "o", "--observe-routers", "0"], []),
           ("net", "--load"): (TRAFFIC[0][:5] + ["--measure", "25 us", "--json", "o.json"], []),
           ("net", "--hot"): (["hotspot" if word == "uniform" else word for word in TRAFFIC[0]], []),
           ("net", "--shift"): (["adversarial" if word == "uniform" else word for word in TRAFFIC[0]] + ["--group", "2"], []),
           ("net", "--tolerance"): (["net", "-n", "2", "--traffic", "uniform", "--saturation", "--measure", "25 us", "--json", "o.json"], []),
           ("cosim", "--message"): (["cosim", "--messages", "o.messages.json"], ["./two"])}


def outcome(words):
    """The status, the output and the documents of a command, without the host's part."""
    for name in os.listdir(place.name):
        if name.startswith("o."):
            os.remove(place.at(name))
    done = subprocess.run([psim, *words], cwd=place.name, text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    files = {}
    for name in sorted(os.listdir(place.name)):
        if name.startswith("o."):
            files[name] = place.read(name) if name != "o.trace" else os.path.getsize(place.at(name))
            if name == "o.json":
                files[name] = {key: value for key, value in json.loads(files[name]).items() if key not in ("host", "page")}
    return done.returncode, done.stdout, files


def defaults_are_those_of_runs(commands):
    usual = functools.lru_cache(lambda words: outcome(words))
    for command in commands:
        for name, value in defaults_of(command).items():
            if name in NOT_RUN.get(command, ()):
                continue
            case = SPECIAL.get((command, name)) or CASES.get(f"{command} --sample" if name.startswith("--sample-") else command)
            if case is None:
                problems.append(f"{command}: {name} [{value}]: this test has no case for it")
                continue
            before, after = case
            expected, found = usual((*before, *after)), outcome((*before, name, value, *after))
            if expected[0] in (2, 70) or found != expected:
                problems.append(f"{command}: {name} [{value}]: a run without it differs, or fails: {found[0]}, {expected[0]}")


def limits_have_their_status():
    """A run that --max-instructions ends has the status that the help states."""
    for command, program in (("exec", "./loop"), ("run", "./loop"), ("replay", "two.trace")):
        stated = dict((name, text) for name, _, text in options_of(command))["--max-instructions"]
        status = re.search(r"status (\d+)", stated)
        ended = outcome([command, "--quiet", "--max-instructions", "3", program])[0]
        if ended != (int(status[1]) if status else 0):
            problems.append(f"{command}: --max-instructions: {stated}; it ended with status {ended}")


def keys_exist():
    """Keys of machines, scenarios and the rest that examples may set."""
    keys = set()
    for words in (["config", "explain"], ["config", "explain", "--network"]):
        keys |= {line.split()[0] for line in place.call(psim, *words).stdout.splitlines() if line and not line.startswith(" ")}
    return keys | {"machine", "ranks", "network", "arguments", "program", "nodes"}


def examples_are_right(commands):
    keys = keys_exist()
    for command in commands:
        for line in help_of(command).splitlines():
            for words in re.findall(r"(?:^  |&& |\| |<\()(psim .*?)(?=$| && | \| |\)$| &$)", line.partition("   #")[0]):
                try:
                    typed = shlex.split(words)[1:]
                except ValueError as error:
                    problems.append(f"{command}: {words}: {error}")
                    continue
                of = " ".join(typed[:2]) if " ".join(typed[:2]) in commands else typed[0]
                names = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", help_of(of))) if of in commands else None
                if names is None:
                    problems.append(f"{command}: {words}: no such command")
                    continue
                for at, word in enumerate(typed):
                    if word == "--" or word.startswith("./"):
                        break  # the program
                    if re.fullmatch("--?[a-z][-a-z]*", word) and word not in names:
                        problems.append(f"{command}: {words}: {of} has no {word}")
                    if word in ("--set", "--sweep"):
                        key = typed[at + 1].partition("=")[0]
                        if key not in keys and not key.startswith("argument."):
                            problems.append(f"{command}: {words}: {key} is no key")


def tables_of(page):
    """(names in the first column, second column, line) of tables whose header is `key | default` or `option | default`."""
    inside = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) >= 2 and cells[0] in ("key", "option") and cells[1] == "default":
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and len(cells) >= 2:
            yield re.findall(r"`([^`]*)`", cells[0]), cells[1].strip("`"), number


def documented_defaults(commands):
    keys = {}
    for subject in ("core", "network", "scenario"):
        def walk(node, path):
            for name, value in node.get("properties", {}).items():
                if "default" in value:
                    keys.setdefault(path + name, set()).add(str(value["default"]).lower())
                walk(value, path + name + ".")
        walk(json.loads(place.call(psim, "schema", subject).stdout), "")
    stated = {}
    for command in commands:
        for name, value in defaults_of(command).items():
            stated.setdefault(name, set()).add(value)
    compared = 0
    for page in sorted((sources / "docs").glob("*.md")):
        for names, value, number in tables_of(page):
            for name in names[:1]:
                known = stated.get(name.split()[0]) if name.startswith("--") else keys.get(name)
                if known is None or not value or value == "none" or " " in value.removesuffix("iB") and not re.match(r"[\d.]+ \S+$", value):
                    continue  # in words
                compared += 1
                if value.split(" (")[0].lower() not in {one.lower() for one in known}:
                    problems.append(f"{page.name}:{number}: {name}: default {value}; psim has {sorted(known)}")
    if compared < 20:
        problems.append(f"only {compared} defaults of docs/*.md were compared")


def main():
    commands = re.findall(r"^  ([a-z]+)  ", place.call(psim, "--help").stdout, re.M)
    for command in list(commands):
        under = re.search(r"^Subcommands:\n((?:  .*\n)+)", help_of(command), re.M)
        commands += [f"{command} {name}" for name in re.findall(r"^  (\w+)", under[1], re.M)] if under else []
    prepare()
    defaults_are_those_of_runs(commands)
    limits_have_their_status()
    examples_are_right(commands)
    documented_defaults(commands)
    print("\n".join(problems) or f"{len(commands)} commands agree with their help")
    sys.exit(1 if problems else 0)


main()
