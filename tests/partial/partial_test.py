# SPDX-License-Identifier: Apache-2.0
"""partial_test.py PSIM SOURCE PART [CHROMIUM]: results that are written while their run goes on, and the run's own result, which they
must not change. Programs are long enough for several requests; each waits until the one before was answered."""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import OPEN_MPI, Place, expect

psim, source, part = sys.argv[1:4]
place = Place("partial")
at = place.at
tools = os.path.dirname(psim)


def build(path, *options, wrapper="psim-cc"):
    program = at(os.path.splitext(os.path.basename(path))[0])
    place.call(os.path.join(tools, wrapper), "-O1", *options, "-o", program, os.path.join(source, path))
    return program


def build_sparc(path, *options):
    program = at(os.path.splitext(os.path.basename(path))[0])
    place.call("sparc64-linux-gnu-gcc", "-O2", "-static", *options, "-o", program, os.path.join(source, path))
    return program


def read(name):
    return place.result(name)


def started(*words, **more):
    return subprocess.Popen([psim, *map(str, words)], cwd=place.name, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **more)


def takes_requests(process):
    """Returns once the process catches SIGUSR1, or has ended."""
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
                if next(int(line.split()[1], 16) for line in file if line.startswith("SigCgt")) & 1 << (signal.SIGUSR1 - 1):
                    return
        except (FileNotFoundError, ProcessLookupError, StopIteration):
            pass


def new_file(name, before, process):
    """Requests another file of this name than that with the inode `before`; returns whether it came before the end."""
    asked = 0
    while True:
        if time.monotonic() - asked > 0.3 and process.poll() is None:
            process.send_signal(signal.SIGUSR1)
            asked = time.monotonic()
        try:
            if os.stat(at(name)).st_ino != before:
                return True
        except FileNotFoundError:
            pass
        if process.poll() is not None:
            return False
        time.sleep(0.01)


def ask(process, name, most=3):
    """Requests results while the process runs. Returns those that came, each as it was read."""
    found, before = [], None
    while len(found) < most:
        if not new_file(name, before, process):
            break
        before = os.stat(at(name)).st_ino
        result = read(name)  # each file is complete
        if result.get("partial") != "running":
            break
        found.append(result)
        shutil.copy(at(name), at(f"partial{len(found)}.json"))
    return found


def checked(words, seconds=lambda result: result["seconds"], outputs=("out.json",), least=2):
    """Runs a command undisturbed, and with requests: the results are equal, and the partial ones are steps to them. Returns both."""
    for name in outputs:
        if os.path.exists(at(name)):
            os.remove(at(name))
    alone = place.call(psim, words[0], "--json", "alone.json", *words[1:])
    whole = read("alone.json")
    process = started(words[0], "--json", "out.json", *words[1:])
    takes_requests(process)
    found = ask(process, "out.json")
    out, errors = process.communicate(timeout=250)
    expect(process.returncode == 0 and out == alone.stdout, process.returncode, errors)
    expect(read("out.json")["result_hash"] == whole["result_hash"], "the result has changed")
    expect(len(found) >= least, "the run is too short for requests", len(found))
    expect(errors.count("psim: partial result (") >= len(found), errors)
    times = [seconds(result) for result in found]
    expect(times == sorted(times) and 0 <= times[0] and times[-1] <= seconds(whole), times, seconds(whole))
    for result in found:
        expect(result["partial"] == "running" and "exit_status" not in result, result.get("exit_status"))
        expect(result["host"]["cpu_seconds"] > 0, result["host"])
    shown = place.call(psim, "show", "partial1.json").stdout
    expect("Partial result, written while the run went on: " in shown, shown)
    place.call(psim, "report", "partial1.json", "-o", "partial.html")
    return found, whole


def partial_page():
    """Checks the page of the last partial result in headless Chromium, if that is installed."""
    if len(sys.argv) < 5 or "NOTFOUND" in sys.argv[4]:
        return
    sys.path.insert(0, os.path.join(source, "tests/view"))
    from browser import Browser
    from page_checks import check_page
    browser = Browser(sys.argv[4])
    check_page(browser, at("partial.html"), expect, keyboard=False)
    flag = browser.run("[...document.querySelectorAll('header .flag')].map((e) => e.textContent)")
    expect(any("Partial result, written while the run went on: " in text for text in flag), flag)
    expect(browser.run("document.querySelectorAll('.u-wrap').length") > 0, "charts")
    browser.close()


def core():
    sieve = build_sparc("workloads/kernels/sieve.c")
    words = ["run", "--energy", "--report", "out.html", "--statistics", "statistics.csv", "--kanata", "dump.kanata",
             "--window", "cycles=1000:2000", sieve, "100000", "3"]
    found, whole = checked(words)
    partial_page()
    expect(all(sum(result["cpi_stack"].values()) == result["cycles"] for result in found), "CPI stack")
    expect(all(result["statistics"].keys() == whole["statistics"].keys() for result in found), "statistics")
    expect("progress" in found[0] and "fraction" not in found[0]["progress"], found[0]["progress"])
    # Other files are those of the whole run alone.
    for name in ("statistics.csv", "dump.kanata"):
        with open(at(name), "rb") as file:
            disturbed = file.read()
        place.call(psim, *words)
        with open(at(name), "rb") as file:
            expect(file.read() == disturbed and disturbed, name)
    # The share is known with a limit, and of a trace.
    process = started("run", "--quiet", "--json", "out.json", "--max-instructions", "20000000", sieve, "600000", "30")
    takes_requests(process)
    new_file("out.json", os.stat(at("out.json")).st_ino, process)
    limited = read("out.json")
    expect(process.wait() == 124 and 0 < limited["progress"]["fraction"] < 1 and limited["progress"]["of"] == "instructions of --max-instructions",
           limited.get("progress"))
    place.call(psim, "run", "--quiet", "--record-trace", "sieve.trace", sieve, "100000", "24")
    found, whole = checked(["replay", "sieve.trace"])
    expect([0 < result["progress"]["fraction"] < 1 and result["progress"]["of"] == "instructions of the trace" for result in found], "share")
    expect(abs(found[0]["progress"]["fraction"] - found[0]["instructions"] / whole["instructions"]) < 1e-6, found[0]["progress"])
    # A signal ends a replay with the result so far.
    process = started("replay", "--json", "out.json", "sieve.trace")
    takes_requests(process)
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    errors = process.communicate(timeout=60)[1]
    ended = read("out.json")
    expect(process.returncode == 128 + signal.SIGTERM and ended["partial"] == "interrupted" and 0 < ended["instructions"] < whole["instructions"],
           process.returncode, errors)
    expect(f"psim: interrupted after {ended['instructions']} of {whole['instructions']} instructions\n" in errors, errors)
    # Results at intervals, without a request.
    errors = place.call(psim, "replay", "--json", "out.json", "--partial-every", "0.1", "sieve.trace").stderr
    expect(errors.count("psim: partial result (") > 1 and read("out.json")["result_hash"] == whole["result_hash"], errors)


def chip():
    program = build_sparc("tests/partial/threads.c", "-pthread")
    found, whole = checked(["run", "--report", "out.html", "--set", "node.cores=4", program, "150"])
    for result in found:
        expect(len(result["cores"]) == 4 and all(sum(one["cpi_stack"].values()) == result["cores"][0]["cycles"] for one in result["cores"]),
               [sum(one["cpi_stack"].values()) for one in result["cores"]], [one["cycles"] for one in result["cores"]])
        expect("deadlock" not in result, result.get("deadlock"))


def sample():
    sieve = build_sparc("workloads/kernels/sieve.c")
    found, whole = checked(["run", "--sample", sieve, "1000000", "4"])
    expect(all(result["sample"]["units"] <= whole["sample"]["units"] for result in found), "units")
    # A state that is saved meanwhile is that of the whole run.
    place.call(psim, "run", "--sample", "--save-warm", "alone.warm", sieve, "1000000", "2")
    place.call(psim, "run", "--json", "out.json", "--sample", "--partial-every", "0.2", "--save-warm", "asked.warm", sieve, "1000000", "2")
    for name in ("alone", "asked"):
        place.call(psim, "run", "--json", name + ".json", "--from-warm", name + ".warm", sieve, "1000000", "2")
    expect(read("alone.json")["result_hash"] == read("asked.json")["result_hash"], "the saved state has changed")
    errors = place.call(psim, "run", "--json", "out.json", "--partial-every", "1", "--from-warm", "alone.warm", sieve, "1000000", "2", status=2).stderr
    expect(errors.count("\n") == 1 and "--from-warm" in errors, errors)


def net():
    program = build("workloads/mgen/halo_exchange.c")
    halo = ["net", "-n", "64", "--report", "out.html", "--csv", "tables", "--timeline", "time.json", program, "3", "64", "250", "1"]
    found, whole = checked(halo)
    partial_page()
    for result in found:
        expect(result["ending"] == "running" and result["packets"] <= whole["packets"] and "history" in result["page"], result["ending"])
    expect(os.path.exists(at("tables/links.csv")), "tables of the run")
    # A replay knows its share.
    place.write("ring.goal", "num_ranks 8\n" + "".join(
        f"rank {r} {{\n" + "".join(f"s{i}: send 4096b to {(r + 1) % 8}\nr{i}: recv 4096b from {(r + 7) % 8}\n" +
                                   (f"s{i} requires r{i - 1}\n" if i else "") for i in range(3000)) + "}\n" for r in range(8)))
    found, whole = checked(["net", "--replay", "ring.goal"])
    expect(all(0 <= result["progress"]["fraction"] <= 1 and result["progress"]["of"] == "operations of the trace" for result in found),
           found[0]["progress"])


def ranks():
    # Ranks that share memory with a copy, or swap their stacks and globals.
    program = build("workloads/mgen/halo_exchange.c")
    for options in (["--globals", "remapped"], ["--globals", "swapped"], ["--stacks", "swapped"], ["--globals", "copies"]):
        found, _ = checked(["net", "-n", "64", *options, program, "3", "64", "200", "1"])
        expect(found[0]["ranks"] == 64, found[0]["ranks"])
    # Jobs: those that have ended say so.
    job = build("tests/net/programs/job.c")
    place.write("jobs.toml", f'[short]\nprogram = "{job}"\narguments = "run 2 500"\nranks = 4\n'
                             f'[long]\nprogram = "{job}"\narguments = "run 30000 5000"\nranks = 8\n')
    found, _ = checked(["net", "--jobs", "jobs.toml"])
    expect([one["ending"] for one in found[-1]["jobs"]] == ["finished", "running"], found[-1]["jobs"])
    expect("exit_status" in found[-1]["jobs"][0] and "exit_status" not in found[-1]["jobs"][1], found[-1]["jobs"])


def traffic():
    words = ["net", "--traffic", "uniform", "-n", "64", "--load", "0.1:0.9:0.1", "--measure", "900 us"]
    found, whole = checked(words, seconds=lambda result: len(result["points"]) + 1e-9)
    expect(all(abs(result["progress"]["fraction"] - len(result["points"]) / 9) < 1e-9 and result["progress"]["of"] == "loads" for result in found),
           found[0]["progress"])


def nodes():
    program = build("workloads/predict/halo.c", wrapper="psim-sparc-cc")
    found, whole = checked(["cosim", "-n", "2", "--energy", "--report", "out.html", program, "64", "6"])
    partial_page()
    for result in found:
        expect(len(result["nodes"]) == 2 and all("exit_status" not in node and 0 < node["instructions"] for node in result["nodes"]), result["nodes"])
        expect("ranks" in result["page"] and result["energy"]["total_joules"] > 0, "page")


def mixed():
    place.write("mixed.toml", 'nodes = 4\nat = "0:3"\nprogram = "ring"\narguments = "4096 2 6000"\n[topology]\nshape = "4x4x2"\n'
                              '[job.ring]\nprogram = "random_ring"\narguments = "4096 1200"\nranks = 16\n')
    found, whole = checked(["cosim", "--report", "out.html", "mixed.toml"])
    expect(all(result["net"]["ending"] == "running" for result in found), found[0]["net"]["ending"])


def faults():
    program = build("workloads/mgen/halo_exchange.c")
    command = ["net", "-n", "64", "--json", "out.json", program, "3", "64", "250", "1"]
    whole = None
    place.call(psim, *command)
    whole = read("out.json")["result_hash"]
    # Killed copies: the run reports it and goes on.
    os.remove(at("out.json"))
    process = started("net", "--partial-every", "0.1", *command[1:])
    killed = set()  # each once: one that has written its result may stay in the list for a while
    children = f"/proc/{process.pid}/task/{process.pid}/children"
    while process.poll() is None and len(killed) < 40:
        try:
            with open(children, encoding="ascii") as file:
                for child in set(file.read().split()) - killed:
                    os.kill(int(child), signal.SIGKILL)
                    killed.add(child)
        except (FileNotFoundError, ProcessLookupError):
            pass
    errors = process.communicate(timeout=250)[1]
    expect(process.returncode == 0 and read("out.json")["result_hash"] == whole, process.returncode, errors)
    expect(killed and "psim: no partial result: the process that writes it was ended by signal 9" in errors, killed, errors)
    expect(sorted(os.listdir(place.name)) == ["halo_exchange", "out.json"], os.listdir(place.name))
    # No room for files: the run goes on to its end, where it reports the same.
    os.remove(at("out.json"))

    def no_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))  # the program fits, but not the result
    process = started("net", "--partial-every", "0.3", "--report", "out.html", *command[1:], preexec_fn=no_room)
    errors = process.communicate(timeout=250)[1]
    expect(process.returncode == 2 and "psim: no partial result: --json out.json: cannot write it: File too large\n" in errors, process.returncode, errors)
    expect(errors.splitlines()[-1] == "psim: --json out.json: cannot write it: File too large", errors)
    expect(sorted(os.listdir(place.name)) == ["halo_exchange"], os.listdir(place.name))
    # Without a file a request is answered by a line; the option is refused.
    process = started(*[word for word in command if word not in ("--json", "out.json")])
    takes_requests(process)
    process.send_signal(signal.SIGUSR1)
    errors = process.communicate(timeout=250)[1]
    expect(process.returncode == 0 and "psim: SIGUSR1: a partial result needs a file: expected --json FILE" in errors, process.returncode, errors)
    for words in (["--partial-every", "1"], ["--partial-every", "1", "--json", "-"]):
        errors = place.call(psim, "net", "-n", "2", *words, program, status=2).stderr
        expect(errors.startswith("psim: --partial-every: a partial result needs a file") and errors.count("\n") == 1, errors)
    errors = place.call(psim, "net", "-n", "2", "--json", "x.json", "--partial-every", "0", program, status=2).stderr
    expect("--partial-every" in errors and not os.path.exists(at("x.json")), errors)
    # Two requests at once are one; one at the end, after the run, does no harm; one before the first window is answered there.
    process = started(*command)
    takes_requests(process)
    for _ in range(2):
        process.send_signal(signal.SIGUSR1)
    out = ""
    while process.poll() is None:  # until the end, and beyond
        process.send_signal(signal.SIGUSR1)
        time.sleep(0.02)
    errors = process.communicate(timeout=250)[1]
    expect(process.returncode == 0 and read("out.json")["result_hash"] == whole, process.returncode, out, errors[-500:])
    # A pipe cannot be replaced: the request is answered by a line.
    taken, given = os.pipe()
    process = started("net", "-n", "64", "--json", f"/dev/fd/{given}", *command[5:], pass_fds=[given])
    os.close(given)
    takes_requests(process)
    process.send_signal(signal.SIGUSR1)
    with os.fdopen(taken) as file:
        text = file.read()
    errors = process.communicate(timeout=250)[1]
    expect("partial" not in json.loads(text) and "psim: no partial result: --json and --report are no files that can be replaced" in errors, errors)
    # The signal of a program stays the program's.
    own = build("tests/partial/own_signal.c")
    for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGALRM, signal.SIGINT):
        done = place.call(psim, "net", "-n", "2", "--json", "own.json", own, "handler", int(number))
        expect("handled 1" in done.stdout and "partial" not in done.stderr, done)
        done = place.call(psim, "net", "-n", "2", "--json", "own.json", own, "ignore", int(number))
        expect("handled 0" in done.stdout and "partial" not in done.stderr, done)
        # One that ends the program is named with the rank and the place, as a crash is, and the result is written.
        for how in ("raise", "kill", "pthread_kill"):
            done = place.call(psim, "net", "-n", "2", "--quiet", "--json", "own.json", own, how, int(number), status=128 + number)
            expect(re.fullmatch(rf"psim: rank 0: {number.name} in .*, called from main.*\n", done.stderr), done.stderr)
            result = place.result("own.json")
            expect(result["ending"] == "failed" and result["exit_status"] == 128 + number, number, result["ending"])
    for how in ("raise", "kill", "pthread_kill"):  # a signal that no process can handle
        done = place.call(psim, "net", "-n", "2", "--quiet", own, how, int(signal.SIGKILL), status=128 + signal.SIGKILL)
        expect(re.fullmatch(r"psim: rank 0: SIGKILL in .*, called from main.*\n", done.stderr), done.stderr)
    # The timer of a rank ends the run in order; that of its child ends the child.
    done = place.call(psim, "net", "-n", "2", "--quiet", "--json", "own.json", own, "timer", status=128 + signal.SIGALRM)
    expect(done.stderr.startswith("psim: SIGALRM ends the run: ") and done.stderr.count("\n") == 1, done.stderr)
    expect(place.result("own.json")["partial"] == "interrupted", "timer")
    done = place.call(psim, "net", "-n", "2", "--quiet", own, "child")
    expect(done.stdout == f"child {int(signal.SIGALRM)}\n" and done.stderr == "", done)


def sweep():
    sieve = build_sparc("workloads/kernels/sieve.c")
    command = ["run", "--quiet", "--into", "points", "--parallel", "1", "--sweep", "argument.1=1000,2000,4000000,4000001", sieve, "1000", "3"]
    process = started(*command)
    while len([name for name in (os.listdir(at("points")) if os.path.isdir(at("points")) else []) if name.endswith(".json")]) < 2:
        time.sleep(0.02)
        expect(process.poll() is None, "too fast")
    process.send_signal(signal.SIGUSR1)
    time.sleep(0.2)
    expect(process.poll() is None, "a request must not end a sweep")
    done = place.call(psim, "report", "points", "-o", "study.html")
    expect("psim: points: 2 of 4 points have results, 0 failed, 2 are missing\n" in done.stderr, done.stderr)
    page = place.read("study.html")
    expect(page.count("Runs without a result") == 2 and "<li>argument.1=4000001</li>" in page and "argument.1=1000<" not in page, "page")
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    expect("psim: SIGUSR1: psim report points -o PAGE.html shows the points that have ended" in errors, errors)
    place.call(psim, "run", "--quiet", "--into", "points", "--sweep", "argument.1=1000,2000", sieve, "1000", "3")
    done = place.call(psim, "report", "points", "-o", "study.html")
    expect("missing" not in done.stderr and "Runs without a result" not in place.read("study.html"), done.stderr)
    # A failed point, and a list that was edited.
    place.call(psim, "run", "--quiet", "--into", "points", "--sweep", "l1d.bytes=64 KB,63 KB", sieve, "1000", "3", status=1)
    done = place.call(psim, "report", "points", "-o", "study.html")
    expect("psim: points: 1 of 2 points have results, 1 failed, 0 are missing\n" in done.stderr, done.stderr)
    place.write("points/.psim-points", "points of psim 1\n../x\tevil\n")
    expect(place.call(psim, "report", "points", "-o", "study.html").stderr == "", "an edited list is ignored")
    errors = place.call(psim, *command[:1], "--partial-every", "1", *command[1:], status=2).stderr
    expect("--partial-every: not with --sweep" in errors, errors)


def processes():
    if not shutil.which("mpirun"):
        sys.exit(77)
    program = build("workloads/mgen/halo_exchange.c")
    words = ["mpirun", "--oversubscribe", "-n", "2", psim, "net", "-n", "64", "--json", "out.json", program, "3", "64", "3000", "1"]
    environment = dict(os.environ, **OPEN_MPI)
    process = subprocess.Popen(words, cwd=place.name, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    process.send_signal(signal.SIGUSR1)  # mpirun passes it on to all
    errors = process.communicate(timeout=250)[1]
    expect(process.returncode == 0 and errors.count("the run has several host processes, which cannot be copied; expected one") == 1,
           process.returncode, errors)
    expect("partial" not in read("out.json"), "result")
    words.insert(words.index("--json"), "--partial-every=1")
    done = subprocess.run(words, cwd=place.name, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=250)
    expect(done.returncode == 2 and "psim: --partial-every: no partial result: the run has several host processes" in done.stderr, done)


globals()[part]()
