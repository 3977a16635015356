# SPDX-License-Identifier: Apache-2.0
"""real_machine_test.py PSIM SOURCE: psim reproduce real-machine calibrates, runs and compares a small set, and refuses what is wrong."""
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, source = sys.argv[1:3]
place = Place("real-machine")
at, call = place.at, place.call

# A set whose measurements are those of a message of 1 us + 0.1 us per KB, on a crossbar.
HEAD = 'format = 1\npaper = "small"\ntitle = "A small cluster"\nsource = "made up"\ncommand = "reproduce real-machine small"\n'
ROWS = (("allreduce", "", 4, 8, 64, "us", 3), ("pairs-bandwidth", "", 2, 4, 4096, "MB/s", 8000),
        ("two-way-bandwidth", "", 2, 2, 65536, "MB/s", 19000), ("bcast", "linear", 4, 4, 8, "us", 2))


def write_set(name, rows=ROWS, machine='[topology]\nkind = "crossbar"\nshape = "8"\n'):
    os.makedirs(at(name), exist_ok=True)
    with open(at(f"{name}/machine.toml"), "w") as file:
        file.write(machine)
    with open(at(f"{name}/point-to-point.txt"), "w") as file:
        file.write("# OSU MPI Latency Test\n# Size          Latency (us)\n")
        for power in range(0, 23):
            file.write(f"{2 ** power} {1 + 1e-4 * 2 ** power:.3f}\n")
    with open(at(f"{name}/data.toml"), "w") as file:
        file.write(HEAD)
    with open(at(f"{name}/measured.csv"), "w") as file:
        file.write("benchmark,algorithm,nodes,ranks,bytes,unit,measured,judged,source\n")
        for row in rows:
            file.write(",".join(map(str, row)) + ",yes,made up\n")


def reproduce(*words, status=(0, 1)):
    found = subprocess.run([psim, "reproduce", "real-machine", *words], cwd=place.name, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    expect(found.returncode in status, words, found)
    return found


write_set("small")
shown = reproduce("./small", "--json", "one.json", "--into", "kept", "--report", "one.html").stdout
for text in ("bcast, linear, 4 nodes x 1 ranks, 8 bytes", "median |error|", "latencies and bandwidths", "collectives and load", "goal of the median"):
    expect(text in shown, text, shown)
one = place.result("one.json")
expect([run["benchmark"] for run in one["runs"]].count("allreduce") == 1 and len(one["runs"]) == 4, one["runs"])
expect(one["set"] == "small" and one["calibration"]["machine"]["nic.bandwidth"]["value"], one)
expect(all(value["ours"] for value in one["values"]), one["values"])
expect([kind["goal"] for kind in one["summary"]] == [0.1, 0.15], one["summary"])
for kind in one["summary"]:
    expect(kind["within"] == (kind["median_error"] <= kind["goal"]), kind)
expect(one["exit_status"] == (0 if all(kind["within"] for kind in one["summary"]) else 1), one)
# Two ways carry at most twice the rate of the link, and more than one way.
rates = {run["benchmark"]: run.get("mb_per_second") for run in one["runs"]}
expect(10000 < rates["two-way-bandwidth"] <= 20001, rates)
expect("A small cluster" in open(at("one.html")).read(), "page")

# The calibrated machine stays in the folder; a second run takes what is kept, with the same result.
expect(call(psim, "config", "check", "kept/small.toml").stdout == "kept/small.toml: good\n", "machine")
kept = sorted(os.listdir(at("kept")))
times = {name: os.stat(at(f"kept/{name}")).st_mtime_ns for name in kept if name != "small.toml"}
reproduce("./small", "--json", "two.json", "--into", "kept")
expect(place.result("two.json")["result_hash"] == one["result_hash"], "hash")
expect(times == {name: os.stat(at(f"kept/{name}")).st_mtime_ns for name in kept if name != "small.toml"}, "simulated again")

# One benchmark, another algorithm: an experiment on a cause. Other values are not run.
reproduce("./small", "--only", "bcast", "--json", "bcast.json")
reproduce("./small", "--only", "bcast", "--set", "mpi.algorithms=bcast=binomial", "--json", "other.json")
times = [place.result(name)["runs"][0]["us"] for name in ("bcast.json", "other.json")]
expect(times[0] != times[1], times)
result = place.result("other.json")
expect(result["settings"] == ["mpi.algorithms=bcast=binomial"] and len(result["runs"]) == 1, result)
expect([value["status"] for value in result["values"]].count("not run") == 3, result["values"])

# A machine as it is, without a calibration: a message takes 105 ns (two node cables of 5, a router's 95) instead of the table's 1 us.
reproduce("./small", "--only", "bcast", "--machine", "./small/machine.toml", "--json", "bare.json")
result = place.result("bare.json")
expect(result["uncalibrated"] == "./small/machine.toml" and "calibration" not in result, result)
expect(0.105 < result["runs"][0]["us"] < 0.2 and times[0] > 1, result["runs"], times)

# Published power and rates without a network are shown only.
shown = reproduce("sparc64v", status=(0,)).stdout
expect("SPECint2000" in shown and "median" not in shown, shown)

# Larger jobs are left out, and a command without the option continues with what is kept.
reproduce("./small", "--most-ranks", "4", "--json", "few.json", "--into", "parts")
few = place.result("few.json")
expect([run["ranks"] for run in few["runs"]] and max(run["ranks"] for run in few["runs"]) == 4, few["runs"])
expect([value["status"] for value in few["values"]].count("not run") == 1, few["values"])
first = {name for name in os.listdir(at("parts"))}
reproduce("./small", "--json", "all.json", "--into", "parts")
expect(len(set(os.listdir(at("parts"))) - first) == 1, "only the larger job is simulated", os.listdir(at("parts")), first)
expect(place.result("all.json")["result_hash"] == one["result_hash"], "the same result as at once")

# Refusals: one line.
write_set("wrong", (("allreduce", "", 4, 6, 64, "us", 3),))
write_set("odd", (("allreduce", "", 4, 8, 64, "us", 3),), '[topology]\nkind = "crosbar"\n')
shutil.copytree(at("small"), at("bare"))
os.remove(at("bare/point-to-point.txt"))
for words, said in (([], "the set is missing; there are alaska-ib, "), (["deep-es"], "unknown set deep-es; did you mean deep-est?"),
                    (["qqqq"], "there are alaska-ib, "), (["./absent"], "absent/data.toml: cannot be read: No such file"),
                    (["./wrong"], "wrong/measured.csv:2: ranks = 6 on nodes = 4"),
                    (["./small", "--only", "bcats"], "small has no such benchmark; did you mean bcast?"),
                    (["./small", "--machine", "tofudd"], "tofudd"),
                    (["./small", "--most-ranks", "2", "--only", "bcast"], "--most-ranks 2: small has no number of at most this many ranks"),
                    (["./small", "--fit-to", "200"], "--fit-to: real-machine does not have this option")):
    refused = reproduce(*words, status=(2,))
    expect(said in refused.stderr and refused.stderr.count("\n") == 1, words, refused.stderr)
for words, said in (("./odd", "did you mean crossbar?"), ("./bare", "point-to-point.txt: cannot be read")):
    refused = reproduce(words, status=(2,))
    expect(said in refused.stderr and refused.stderr.count("\n") == 1, words, refused)
refused = call(psim, "reproduce", "machines", "small", status=2).stderr
expect("SET: machines does not have this option" in refused, refused)

# An interruption keeps what is finished; the same command continues.
write_set("long", ROWS + tuple(("alltoall", "", 64, 64, size, "us", 1) for size in (262144, 131072, 65536)),
          '[topology]\nkind = "crossbar"\nshape = "64"\n')
running = subprocess.Popen([psim, "reproduce", "real-machine", "./long", "--into", "long-kept", "--jobs", "1"], cwd=place.name,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
end = time.monotonic() + 200
while time.monotonic() < end and running.poll() is None:
    if os.path.isdir(at("long-kept")) and any(name.endswith(".json") for name in os.listdir(at("long-kept"))):
        running.send_signal(signal.SIGINT)
        break
    time.sleep(0.02)
_, errors = running.communicate()
if running.returncode not in (0, 1):  # it had not ended before
    expect(running.returncode == -signal.SIGINT and "continues with the results in long-kept" in errors, running.returncode, errors)
expect(any(name.endswith(".json") for name in os.listdir(at("long-kept"))), "kept")
