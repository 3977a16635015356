# SPDX-License-Identifier: Apache-2.0
"""sweep_test.py PSIM SOURCE: psim net --sweep, and comparisons of two runs (--order, psim diff)."""
import csv
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, source = sys.argv[1:3]
tools = os.path.dirname(psim)
place = Place("sweep")


def run(*words, status=0):
    return place.call(psim, *words, status=status)


def table(name):
    with open(os.path.join(place.name, name), newline="") as file:
        return list(csv.DictReader(file))


subprocess.run([os.path.join(tools, "psim-cc"), "-O1", "-o", os.path.join(place.name, "ring"),
                os.path.join(source, "workloads/mgen/random_ring.c")], check=True)

grid = ["net", "--sweep", "ranks=4,8", "--sweep", "argument.1=1000,20000", "--into", "points", "--csv", "table.csv",
        "--seed", 3, "./ring", 1, 1]
done = run(*grid)
expect("already" not in done.stderr, done.stderr)
rows = table("table.csv")
# The file has all digits of a fraction, the terminal six.
exact = [row["seconds"] for row in rows]
expect(any(f"{float(number):.6g}" != number for number in exact), exact)
expect(all(f"{float(number):.6g}" in done.stdout.split() for number in exact), done.stdout)
expect([(row["ranks"], row["argument.1"]) for row in rows] ==
       [("4", "1000"), ("4", "20000"), ("8", "1000"), ("8", "20000")], rows)
expect(all(row["ending"] == "finished" for row in rows), rows)
expect(float(rows[1]["seconds"]) > float(rows[0]["seconds"]), rows)
# Two messages per rank, of one packet or ten; three barriers of two or three rounds.
expect([int(row["packets"]) for row in rows] == [8 + 3 * 8, 80 + 3 * 8, 16 + 3 * 24, 160 + 3 * 24], rows)
one = os.path.join(place.name, rows[2]["result"])
before = os.stat(os.path.join(place.name, rows[0]["result"])).st_mtime_ns
os.remove(one)
expect("3 of 4 points are in points already" in run(*grid).stderr)
expect(os.path.exists(one) and os.stat(os.path.join(place.name, rows[0]["result"])).st_mtime_ns == before)
same = table("table.csv")
for row in rows + same:
    del row["host_cpu_seconds"]
expect(same == rows, same)

# Shards run parts of a grid in one folder; the last one writes the table.
shards = ["net", "--sweep", "ranks=4,8,16", "--into", "shared", "--csv", "shared.csv", "--seed", 3]
said = run(*shards, "--shard", "2/2", "./ring", 1, 1).stderr
expect("shard 2/2: 1 of 3 points are in shared" in said and not os.path.exists(os.path.join(place.name, "shared.csv")), said)
run(*shards, "--shard", "1/2", "./ring", 1, 1)
expect([(row["ranks"], row["ending"]) for row in table("shared.csv")] == [("4", "finished"), ("8", "finished"), ("16", "finished")])

# A failed point is reported and shown in the table; the other points are complete.
said = run("net", "-n", 4, "--sweep", "node.ranks=2,0", "--csv", "bad.csv", "./ring", 1000, 1, status=1).stderr
expect("node.ranks=0: failed: psim: " in said, said)
expect([row["ending"] for row in table("bad.csv")] == ["finished", "failed"])
# A run that aborts, or ends with another status than 0, has a result, and a line: scripts see that something went wrong.
with open(os.path.join(place.name, "abort.c"), "w") as file:
    file.write("""#include <mpi.h>
#include <stdlib.h>
int main(int count, char** words) {
  MPI_Init(&count, &words);
  if (words[1][0] != '0') MPI_Abort(MPI_COMM_WORLD, atoi(words[1]));
  MPI_Finalize();
}
""")
place.call(os.path.join(tools, "psim-cc"), "-o", "abort", "abort.c")
done = run("net", "-n", 2, "--sweep", "argument.1=0,3,x", "--into", "aborted", "--csv", "aborted.csv", "./abort", 0, status=1)
expect("psim: argument.1=3: failed: the run ended with status 3; its ending is aborted" in done.stderr, done.stderr)
expect("psim: argument.1=x: failed: the run ended with status 0; its ending is aborted" in done.stderr, done.stderr)
expect("argument.1=0" not in done.stderr, done.stderr)
expect([row["ending"] for row in table("aborted.csv")] == ["finished", "aborted", "aborted"])
# A reason is printed once, with the number of its points: of machines before any point runs, of programs at the end.
done = run("net", "-n", 4, "--sweep", "node.ranks=0,1", "--sweep", "argument.1=10,20,30", "--into", "reasons", "./ring", 1, 1, status=1)
(line,) = [line for line in done.stderr.splitlines() if "failed" in line]
expect(line.startswith("psim: node.ranks=0 argument.1=10, and 2 more of the points: failed: psim: --set: node.ranks = \"0\""), done.stderr)
expect(done.stdout.count("failed") == done.stdout.count("finished") == 3, done.stdout)
done = run("net", "-n", 4, "--sweep", "node.ranks=1,2", "--into", "reasons", "./absent", status=1)
(line,) = [line for line in done.stderr.splitlines() if "failed" in line]
expect(line.startswith("psim: node.ranks=1, and 1 more of the points: failed: psim: ./absent: "), done.stderr)
for wrong in ("node.ranks", "argument.3=1", "=1"):
    said = run("net", "-n", 4, "--sweep", wrong, "--into", "unused", "./ring", 1000, 1, status=2).stderr
    expect(said.startswith("psim: --sweep ") and said.count("\n") == 1, said)
expect(not os.path.exists(os.path.join(place.name, "unused")), "a folder without points")

# A run that is refused leaves no folder of tables that it has made, and those that were there.
os.mkdir(os.path.join(place.name, "there"))
for folder in ("made/for/tables", "there"):
    said = run("net", "-n", 4, "--csv", folder, "--compare", "always-on", "./ring", 1000, 1, status=2).stderr
    expect("links never sleep" in said, said)
expect(not os.path.exists(os.path.join(place.name, "made")) and os.path.isdir(os.path.join(place.name, "there")), os.listdir(place.name))

# The option takes one value; the program follows it.
run("net", "--sweep", "ranks=2,4", "--into", "last", "--csv", "last.csv", "--quiet", "--sweep", "argument.1=1000", "./ring", 1, 1)
expect([(row["ranks"], row["ending"]) for row in table("last.csv")] == [("2", "finished"), ("4", "finished")])

# The packets have the same order, or the first difference is reported.
for name, settings in (("a", []), ("b", []), ("c", ["--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=1 us"])):
    run("net", "-n", 27, "--quiet", "--order", name + ".order", *settings, "./ring", 20000, 2)
said = run("diff", "a.order", "b.order").stdout
expect("time: the same on all" in said and "order: the same on all" in said, said)
said = run("diff", "a.order", "c.order", status=1).stdout
expect("time: different on" in said and "first from router" in said and "  B: at " in said, said)
with open(os.path.join(place.name, "a.order"), "rb") as file:
    whole = file.read()
with open(os.path.join(place.name, "torn.order"), "wb") as file:
    file.write(whole[:-5])
expect("truncated" in run("diff", "a.order", "torn.order", status=2).stderr)
for command in (("diff", place.name, place.name), ("energy", place.name)):
    expect("cannot be read: is a directory" in run(*command, status=2).stderr, command)
run("net", "-n", 8, "--quiet", "--order", "small.order", "./ring", 1000, 1)
expect("different networks" in run("diff", "a.order", "small.order", status=2).stderr)
