#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""outputs_test.py PSIM SOURCE PART: what becomes of psim's outputs, and what it does with inputs that are no files.

No part needs root, and none is dangerous to it: devices are reached by links of our own, which a psim that replaces
instead of following would replace. Exit status 77 (skipped) without the cross compiler."""
import json
import os
import pathlib
import pty
import select
import shutil
import stat
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, source, part = sys.argv[1:4]
tools = os.path.dirname(psim)
own = os.path.dirname(os.path.abspath(__file__))
place = Place("outputs", timeout=120)
at = place.at
cross = "sparc64-linux-gnu-gcc"


def run(*words, **more):
    return place.call(psim, *words, **more)


def one_line(done, *says):
    """A mistake of the user's is one line that says what."""
    expect(done.stderr.startswith("psim: ") and done.stderr.count("\n") == 1, done.args, done.stderr)
    for words in says:
        expect(words in done.stderr, done.args, words, done.stderr)


def guest(name):
    if not shutil.which(cross):
        print(f"skipped: no {cross}")
        sys.exit(77)
    subprocess.run([cross, "-static", "-O1", "-w", os.path.join(own, name + ".c"), "-o", at(name)], check=True)
    return "./" + name


def ranks(path="workloads/mgen/random_ring.c"):
    program = at("ring")
    subprocess.run([os.path.join(tools, "psim-cc"), "-O1", "-o", program, os.path.join(source, path)], check=True, cwd=place.name)
    return "./ring"


def write(name, text):
    pathlib.Path(at(name)).write_text(text)
    return name


def assembled():
    """A program, its dump, its trace and two results, made without a compiler."""
    run("asm", "-o", "program", write("program.s", ".globl _start\n_start:\n  mov 1, %g1\n  mov 0, %o0\n  ta 0x6d\n"))
    run("run", "--quiet", "--energy", "--json", "one.json", "--kanata", "one.kanata", "--record-trace", "one.trace", "./program")
    run("exec", "--json", "two.json", "./program")
    run("exec", "--json", "three.json", "--seed", 2, "./program")
    return "./program"


def links():
    program, ring = assembled(), ranks()
    outputs = [(["exec", "--json"], [program]), (["run", "--json"], [program]), (["run", "--kanata"], [program]),
               (["run", "--o3"], [program]), (["run", "--statistics"], [program]), (["run", "--report"], [program]), (["run", "--record-trace"], [program]),
               (["trace", "record", "-o"], [program]), (["trace", "record", "-o", "x.trace", "--json"], [program]),
               (["replay", "--json"], ["one.trace"]), (["asm", "-o"], ["program.s"]), (["view", "--html"], ["one.kanata"]),
               (["net", "-n", 4, "--json"], [ring, 1000, 1]), (["net", "-n", 4, "--report"], [ring, 1000, 1]),
               (["net", "-n", 4, "--order"], [ring, 1000, 1]), (["net", "-n", 4, "--timeline"], [ring, 1000, 1]),
               (["net", "--traffic", "uniform", "-n", 4, "--load", 0.1, "--csv"], []),
               (["net", "--traffic", "uniform", "-n", 4, "--load", 0.1, "--report"], []),
               (["net", "--traffic", "uniform", "-n", 4, "--load", 0.1, "--statistics"], [])]
    for before, after in outputs:
        # A link to a file: the file is written, the link stays.
        os.symlink("target.json", at("link.json"))
        run(*before, "link.json", *after)
        expect(os.path.islink(at("link.json")) and os.path.getsize(at("target.json")) > 0, before, "link")
        expect(not os.path.islink(at("target.json")), before)
        os.remove(at("link.json")), os.remove(at("target.json"))
        # A link to a device.
        os.symlink("/dev/null", at("null.json"))
        run(*before, "null.json", *after)
        expect(os.readlink(at("null.json")) == "/dev/null" and stat.S_ISCHR(os.stat("/dev/null").st_mode), before, "device")
        os.remove(at("null.json"))
        os.symlink("/dev/full", at("full.json"))
        one_line_at_the_end = run(*before, "full.json", *after, status=2).stderr.strip().splitlines()[-1]
        expect("No space left on device" in one_line_at_the_end, before, one_line_at_the_end)
        os.remove(at("full.json"))
        # A pipe with a name, read by another process.
        os.mkfifo(at("pipe.json"))
        read = []
        reader = threading.Thread(target=lambda: read.append(pathlib.Path(at("pipe.json")).read_bytes()))
        reader.start()
        run(*before, "pipe.json", *after)
        reader.join(60)
        expect(read and read[0] and stat.S_ISFIFO(os.stat(at("pipe.json")).st_mode), before, "pipe")
        os.remove(at("pipe.json"))
        expect(not [name for name in os.listdir(place.name) if name.startswith(".psim")], before, os.listdir(place.name))
    # Standard output and standard error by links to their names in /dev: the file that they are is continued.
    os.symlink("/dev/stdout", at("stdout")), os.symlink("/dev/stderr", at("stderr"))
    for name, stream in (("stdout", "stdout"), ("/dev/fd/1", "stdout"), ("-", "stdout"), ("stderr", "stderr")):
        with open(at("stream"), "w+") as file:
            file.write("before\n"), file.flush()
            run("exec", "--json", name, program, capture_output=False, **{stream: file})
        text = pathlib.Path(at("stream")).read_text()
        expect(text.startswith("before\n{") and json.loads(text[7:])["command"] == "exec", name, text)
    expect(os.readlink(at("stdout")) == "/dev/stdout" and os.readlink(at("stderr")) == "/dev/stderr")
    # A folder of an OTF2 archive by a link, and tables in a folder by a link.
    os.mkdir(at("folder")), os.symlink("folder", at("linked"))
    run("net", "-n", 4, "--quiet", "--csv", "linked", "--timeline", "linked/run.otf2", ring, 1000, 1)
    expect(os.path.islink(at("linked")) and "traces.otf2" in os.listdir(at("folder/run.otf2")), os.listdir(at("folder")))
    expect({"time.csv", "links.csv", "ranks.csv", "latency.csv"} <= set(os.listdir(at("folder"))))


def lost():
    program, ring = assembled(), ranks()
    os.symlink("/dev/stdout", at("stdout"))
    shown = [["--help"], ["--version"], ["exec", "--help"], ["config", "show"], ["config", "show", "--json"], ["config", "check", "sparc64v"],
             ["config", "explain"], ["config", "explain", "--markdown"], ["config", "explain", "core"], ["diff", "two.json", "three.json"],
             ["energy", "one.json"], ["trace", "text", "one.trace"], ["trace", "info", "one.trace"], ["trace", "verify", "one.trace"],
             ["asm", "--list", "program.s"], ["dis", "program"], ["dis", "--words", "01000000"], ["view", "one.kanata"],
             ["view", "--check", "one.kanata"], ["exec", "--json", "-", program], ["run", "--json", "stdout", program],
             ["net", "-n", 4, ring, 1000, 1], ["net", "--traffic", "uniform", "-n", 4, "--load", 0.1], ["net", "--topologies"],
             ["net", "--collectives"], ["reproduce"]]
    for words in shown:
        with open("/dev/full", "w") as full:
            done = run(*words, status=2, capture_output=False, stdout=full, stderr=subprocess.PIPE)
            expect("cannot" in done.stderr and "No space left on device" in done.stderr, words, done.stderr)
        done = run(*words, status=2, capture_output=False, stderr=subprocess.PIPE, preexec_fn=lambda: os.close(1))
        expect("Bad file descriptor" in done.stderr, words, done.stderr)
    # Diagnostics: full, closed or without a reader, standard error changes nothing.
    for words in (["exec", program], ["run", program], ["net", "-n", 4, ring, 1000, 1], ["trace", "record", "-o", "y.trace", program],
                  ["replay", "one.trace"]):
        good = run(*words).stdout
        with open("/dev/full", "w") as full:
            expect(run(*words, capture_output=False, stdout=subprocess.PIPE, stderr=full).stdout == good, words)
        expect(run(*words, capture_output=False, stdout=subprocess.PIPE, preexec_fn=lambda: os.close(2)).stdout == good, words)
        reading, writing = os.pipe()
        os.close(reading)
        expect(run(*words, capture_output=False, stdout=subprocess.PIPE, stderr=writing, restore_signals=True).stdout == good, words)
        os.close(writing)
    with open("/dev/full", "w") as full:
        run("exec", "./absent", status=2, capture_output=False, stderr=full)


def closed():
    talk = guest("talk")
    for descriptors in ([0], [1], [2], [0, 1], [0, 1, 2]):
        def close(which=tuple(descriptors)):
            for descriptor in which:
                os.close(descriptor)
        done = run("exec", "--json", "r.json", talk, preexec_fn=close)
        expect(json.loads(pathlib.Path(at("r.json")).read_text())["exit_status"] == 0, descriptors)
        expect(done.stdout == ("" if 1 in descriptors else "from the guest\n"), descriptors, done.stdout)
    # A run on the core is the same whatever standard output is, so psim itself must say that the output is lost.
    done = run("run", "--quiet", "--json", "r.json", talk, status=2, preexec_fn=lambda: os.close(1))
    one_line(done, "standard output: cannot be written")
    expect(json.loads(pathlib.Path(at("r.json")).read_text())["exit_status"] == 0)


def limits():
    """Limits of the host end a run with a line, not with a signal."""
    import resource
    program = assembled()
    before = set(os.listdir(place.name))

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))

    for words in (["run", "--json", "big.json", program], ["run", "--quiet", "--report", "big.html", program],
                  ["run", "--quiet", "--kanata", "big.kanata", program], ["report", "-o", "big.html", "one.json"],
                  ["net", "--traffic", "uniform", "-n", 4, "--load", 0.1, "--json", "big.json"], ["replay", "--json", "big.json", "one.trace"]):
        last = run(*words, status=2, preexec_fn=small_files).stderr.splitlines()[-1]
        expect("File too large" in last, words, last)
        expect(set(os.listdir(place.name)) == before, words, os.listdir(place.name))
    done = run("run", "--sweep", "l1d.bytes=64 KiB,128 KiB", program, status=2, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6)))
    one_line(done, "Too many open files")
    # A point that is killed, as by a host without memory, has a reason.
    write("long.s", ".globl _start\n_start:\n  ba _start\n  nop\n")
    run("asm", "-o", "long", "long.s")
    running = subprocess.Popen([psim, "run", "--sweep", "l1d.bytes=64 KiB", "--into", "killed", "./long"], cwd=place.name, preexec_fn=limited,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    def child(process):
        while True:
            found = subprocess.run(["ps", "--ppid", str(process), "-o", "pid="], capture_output=True, text=True).stdout.split()
            if found:
                return int(found[0])

    os.kill(child(child(running.pid)), 9)
    said = running.communicate(timeout=60)[1]
    expect("failed: ended by signal 9 (Killed)" in said, said)


def overwritten():
    """No output replaces a file that the command reads, or that another option names."""
    program = assembled()
    latency = "# OSU MPI Latency Test\n# Size Latency (us)\n" + "".join(f"{2 ** i} {2 + 2 ** i / 9000:.2f}\n" for i in range(21))
    write("latency.txt", latency), write("ring.goal", "num_ranks 1\nrank 0 {\ncalc 5\n}\n"), write("matrix", "0 1 1\n")
    os.symlink("program", at("linked"))
    for words, path in ((["exec", "--json", "program", program], "program"), (["run", "--report", "linked", program], "program"),
                        (["run", "--record-trace", at("program"), "--", program], "program"), (["trace", "record", "-o", "program", program], "program"),
                        (["replay", "--json", "./one.trace", "one.trace"], "one.trace"), (["asm", "-o", "program.s", "./program.s"], "program.s"),
                        (["calibrate", "-o", "latency.txt", "latency.txt"], "latency.txt"),
                        (["view", "--html", "one.kanata", "one.kanata"], "one.kanata"), (["compare", "--json", "one.json", "one.json", "one.json"], "one.json"),
                        (["roofline", "--csv", "one.json", "one.json"], "one.json"), (["net", "--replay", "ring.goal", "--json", "ring.goal"], "ring.goal"),
                        (["net", "-n", 2, "--traffic", "matrix", "--matrix", "matrix", "--csv", "matrix"], "matrix"),
                        (["fit", "-o", "program", "--args", "1 2 3", program, "{}"], "program")):
        before = pathlib.Path(at(path)).read_bytes()
        one_line(run(*words, status=2), "is a file that this command reads")
        expect(pathlib.Path(at(path)).read_bytes() == before, words)
    for words in (["run", "--json", "new.json", "--kanata", "./new.json", program], ["replay", "--json", "one.json", "--o3", at("one.json"), "one.trace"],
                  ["fit", "--args", "1 2 3", "--header", "new", "--module", "./new", program, "{}"]):
        one_line(run(*words, status=2), "name the same file")
    # Devices and standard output are no files that would be lost.
    run("run", "--quiet", "--json", "/dev/null", "--report", "/dev/null", program)
    run("run", "--quiet", "--json", "same", program, "same")


def forged():
    forge = guest("forge")
    write("victim", "untouched")
    for command, option in (("exec", "--json"), ("run", "--json"), ("run", "--kanata"), ("run", "--report"), ("run", "--record-trace"),
                            ("trace record", "-o"), ("trace record -o z.trace", "--json")):
        shutil.rmtree(at("inside"), ignore_errors=True)
        os.mkdir(at("inside"))
        shutil.copy(at("victim"), at("inside/victim"))
        os.chmod(at("inside/victim"), 0o400)
        done = run(*command.split(), option, "out.json", at("forge"), "out.json", cwd=at("inside"))
        expect(done.stdout == "victim\n", command, option, "found", done.stdout)
        expect(not os.path.islink(at("inside/out.json")), command, option, "the planted link is there")
        text = pathlib.Path(at("inside/out.json")).read_bytes()
        expect(len(text) > 100 and b"forged" not in text, command, option, text[:100])
    # A folder in the way is an error, and leaves nothing behind.
    shutil.rmtree(at("inside")), os.mkdir(at("inside"))
    done = run("exec", "--quiet", "--json", "out.json", at("forge"), "other", "out.json", cwd=at("inside"), status=2)
    one_line(done, "--json out.json: cannot replace it")
    expect(sorted(os.listdir(at("inside"))) == ["other", "out.json"], os.listdir(at("inside")))


def endless():
    assembled()
    os.mkdir(at("folder")), os.mkfifo(at("pipe"))
    with open(at("huge"), "wb") as file:
        file.truncate(1 << 42)  # sparse
    takes = [["energy"], ["diff", "one.json"], ["dis"], ["asm", "-o", "x"], ["exec"], ["run"], ["trace", "info"], ["trace", "verify"], ["replay"],
             ["view"], ["view", "--check"], ["view", "--html", "x.html"], ["view", "--html", "x.html", "one.kanata", "--energy"],
             ["config", "check"], ["config", "show", "--machine"], ["cosim"], ["net", "-n", 4], ["net", "--replay"], ["net", "--jobs"],
             ["trace", "record", "-o", "x", "--from-text"]]
    for words in takes:
        for path in ("/dev/zero", at("folder"), at("huge")):
            one_line(run(*words, path, status=2, preexec_fn=limited))
    # Commands whose input must be a file do not wait for the other end of a pipe.
    for words in (["dis"], ["exec"], ["run"], ["trace", "info"], ["replay"], ["net", "-n", 4]):
        one_line(run(*words, at("pipe"), status=2))
    # The others wait for it, and report that.
    for words in (["energy"], ["view", "--check"]):
        waiting = subprocess.Popen([psim, *words, at("pipe")], cwd=place.name, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = waiting.stderr.readline()
        expect("pipe: this pipe has no data; waiting for a program that writes to it" in said, words, said)
        place.write("pipe", "no result")
        said = waiting.communicate(timeout=60)[1]
        expect(waiting.returncode == 2 and said.startswith("psim: "), words, waiting.returncode, said)
    # They read pipes to their end.
    for words in (["diff", "one.json"], ["energy"]):
        done = subprocess.run(["bash", "-c", '"$0" "$@" <(cat one.json)', psim, *words], cwd=place.name, capture_output=True, text=True, timeout=60)
        expect(done.returncode == 0, words, done.stderr)


# A run that should have ended ends.
def limited():
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def hashes():
    assembled()
    genuine = pathlib.Path(at("one.json")).read_text()
    document = json.loads(genuine)
    for name, text in (("edited", genuine.replace('"cycles": ', '"cycles": 1', 1)), ("empty", "{}"),
                       ("unsigned", json.dumps({key: value for key, value in document.items() if key != "result_hash"})),
                       ("later", genuine.replace('"schema": 2', '"schema": 3')), ("half", genuine[:200])):
        write(name + ".json", text)
        for command in (["diff", "one.json", name + ".json"], ["diff", name + ".json", "one.json"], ["energy", name + ".json"],
                        ["view", "--html", "x.html", "one.kanata", "--energy", name + ".json"]):
            one_line(run(*command, status=2), name + ".json")
    # The hash does not cover the values of host, the order of keys and the spaces.
    document["host"]["wall_seconds"] = 0
    write("again.json", json.dumps(document, sort_keys=True, ensure_ascii=True))
    run("diff", "one.json", "again.json")
    # Points of a sweep that are there already.
    ring = ranks()
    grid = ["net", "--sweep", "ranks=4,8", "--into", "points", "--csv", "table.csv", "--quiet", ring, 1000, 1]
    run(*grid)
    point = sorted(name for name in os.listdir(at("points")) if name.endswith(".json"))[0]
    good = pathlib.Path(at("points"), point).read_text()
    for text in ("{}", good.replace('"packets": ', '"packets": 1', 1), ""):
        write("points/" + point, text)
        one_line(run(*grid, status=2), point, "remove it")
    os.remove(at("points/" + point))
    run(*grid)
    expect(pathlib.Path(at("points"), point).read_text().count('"result_hash"') == 1)


def archive():
    ring = ranks()
    words = ["net", "-n", 4, "--quiet", "--timeline", "run.otf2", ring, 1000, 1]
    run(*words)
    before = os.stat(at("run.otf2/traces.otf2")).st_ino
    run(*words)
    expect(os.stat(at("run.otf2/traces.otf2")).st_ino != before, "an archive of psim's is replaced")
    for path in ("run.otf2/notes.txt", "run.otf2/traces/notes.txt"):
        write(path, "mine")
        one_line(run(*words, status=2), "notes.txt", "not replaced")
        expect(pathlib.Path(at(path)).read_text() == "mine")
        os.remove(at(path))
    anchor = pathlib.Path(at("run.otf2/traces.otf2"))
    kept = anchor.read_bytes()
    anchor.write_bytes(kept.replace(b"psim ", b"Scor "))
    one_line(run(*words, status=2), "psim did not write")
    anchor.write_bytes(kept)
    os.rename(at("run.otf2"), at("real.otf2")), os.symlink("real.otf2", at("run.otf2"))
    run(*words)
    expect(os.path.islink(at("run.otf2")))
    expect(sorted(name for name in os.listdir(place.name) if name.startswith(".")) == [], os.listdir(place.name))


def killed():
    talk = guest("talk")
    os.mkdir(at("tmp"))
    environment = {**os.environ, "TMPDIR": at("tmp")}

    def start():
        running = subprocess.Popen([psim, "exec", "--json", "r.json", talk, "for-ever"], cwd=place.name, env=environment, preexec_fn=limited,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        expect(running.stdout.readline() == b"from the guest\n")
        return running

    first, second = start(), start()
    expect(len(os.listdir(at("tmp"))) == 2, os.listdir(at("tmp")))
    first.kill(), first.communicate()
    left = set(os.listdir(at("tmp")))
    expect(len(left) == 2, left)
    third = start()
    expect(len(os.listdir(at("tmp"))) == 2, "the folder of the killed process is gone, that of the living stays")
    for running in (second, third):
        running.terminate(), running.communicate()
    expect(os.listdir(at("tmp")) == [] and not [name for name in os.listdir(place.name) if name.startswith(".")],
           os.listdir(at("tmp")), os.listdir(place.name))


def terminal():
    talk = guest("talk")
    try:
        ours, theirs = pty.openpty()
    except OSError:
        print("skipped: no terminal")
        sys.exit(77)
    # Standard output and standard error are the same terminal: the progress line comes after the program's.
    for words, says in ((["exec", talk, "x"], "M instructions/s"), (["exec", "--max-instructions", 10**12, talk, "x"], "left"),
                        (["run", talk, "x"], "M cycles")):
        running = subprocess.Popen([psim, *map(str, words)], stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL, cwd=place.name,
                                   preexec_fn=limited)
        seen = ""
        while says not in seen and running.poll() is None:
            if select.select([ours], [], [], 1)[0]:
                seen += os.read(ours, 1 << 16).decode()
        running.terminate(), running.wait()
        expect("from the guest\r\n" in seen and says in seen, words, seen)
        while select.select([ours], [], [], 0.2)[0]:
            os.read(ours, 1 << 16)
    running = subprocess.Popen([psim, "exec", "--quiet", "--max-instructions", "300000000", talk, "x"], stdout=theirs, stderr=theirs, cwd=place.name)
    running.wait()
    seen = os.read(ours, 1 << 16).decode()
    expect("\x1b" not in seen, seen)


def escapes():
    assembled()
    evil = "\x1b]0;owned\x07\x9b31m\x1b[2J"
    write("evil.toml", 'base = "sparc64v"\ndescription = "\\u001b]0;owned\\u0007 \\u009b31m"\n')
    write("evil.s", f'.globl _start\n_start:\n"{evil}":\n  mov 1, %g1\n  mov 0, %o0\n  ta 0x6d\n')
    write("evil.kanata", f"Kanata\t0004\nC=\t0\nI\t0\t0\t0\nL\t0\t0\t{evil}\nS\t0\t0\t{evil}\nC\t1\nE\t0\t0\t{evil}\nR\t0\t0\t0\n")
    write("broken.kanata", f"Kanata\t0004\nC=\t0\n{evil}\n")
    write("evil.json", json.dumps({"schema": evil}))
    shutil.copy(at("program"), at("evil" + evil.replace("/", "")))
    named = "evil" + evil
    tried = [["config", "show", "--machine", "evil.toml"], ["config", "show", "--json", "--machine", "evil.toml"],
             ["config", "explain", "description", "--machine", "evil.toml"], ["config", "check", "--set", f"{evil}=1", "sparc64v"],
             ["config", "check", named], ["asm", "--list", "evil.s"], ["asm", "-o", "evil.out", "evil.s"], ["dis", named], ["dis", "--start", evil, named],
             ["view", "--no-color", "evil.kanata"], ["view", "broken.kanata"], ["view", evil], ["diff", "one.json", "evil.json"],
             ["energy", evil], ["exec", evil], ["exec", "--json", "-", named, evil], ["net", "-n", 4, evil], ["net", evil], [evil],
             ["exec", f"--{evil}", named], ["net", "--replay", evil], ["net", "-n", 4, "--set", f"topology.kind={evil}", "--traffic", "uniform"],
             ["trace", "info", evil], ["exec", "--bind", evil, named], ["reproduce", evil], ["run", "--window", evil, named], ["cosim", evil]]
    for words in tried:
        done = subprocess.run([psim, *map(str, words)], cwd=place.name, capture_output=True, timeout=60)
        for stream in (done.stdout, done.stderr):
            # C0 but tab and line end, DEL, and C1 as UTF-8 or as a byte outside of it.
            text = stream.decode("utf-8", "surrogateescape")
            expect(not [c for c in text if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 or 0xdc80 <= ord(c) <= 0xdcff], words, stream)
    shown = run("config", "show", "--machine", "evil.toml").stdout
    write("round.toml", shown)
    expect(run("config", "show", "--json", "--machine", "round.toml").stdout == run("config", "show", "--json", "--machine", "evil.toml").stdout)
    expect(json.loads(run("config", "show", "--json", "--machine", "evil.toml").stdout)["description"] == "\x1b]0;owned\x07 \x9b31m")


globals()[part]()
