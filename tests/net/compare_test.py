# SPDX-License-Identifier: Apache-2.0
"""compare_test.py PSIM SOURCE: psim compare lays runs of one program side by side, by region and rank, and explains two networks."""
import hashlib
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, source = sys.argv[1:3]
tools = os.path.dirname(psim)
place = Place("compare")
at, call = place.at, place.call


call(os.path.join(tools, "psim-cc"), "-O1", "-o", at("solver"), os.path.join(source, "workloads/predict/solver.c"), "-lm")
model = os.path.join(source, "workloads/predict/solver.toml")
for name, factor in (("one", "product=1"), ("two", "product=2")):
    call(psim, "net", "-n", 4, "--quiet", "--compute", f"model:{model}", "--compute-factor", factor, "--json", f"{name}.json",
         "--csv", name, "./solver")

shown = call(psim, "compare", "--ranks", "one", "--ranks", "two", "--json", "c.json", "--report", "c.html", "one.json", "two.json").stdout
result = place.result("c.json")
# The factor doubles the time of one region, and nothing else.
product = result["differences"][0]["regions"][0]
expect(product["name"] == "product" and product["part"] == "compute" and product["share"] > 0.99, product)
before = result["results"][0]["regions"]["product"]["compute"]
expect(abs(product["seconds"] / before - 1) < 1e-9, product, before)
expect(len(result["differences"][0]["ranks"]) == 4, result["differences"][0]["ranks"])
expect(all(one["region"] == "product" for one in result["differences"][0]["ranks"]), "ranks")
for text in ("product", "+100.0 %", "Ranks with the largest differences", "the largest difference is in product"):
    expect(text in shown, text, shown)
page = place.read("c.html")
expect("<table" in page and "product" in page and "+100.0 %" in page, "page")

# A result and itself: no region has a part that differs.
shown = call(psim, "compare", "one.json", "one.json").stdout
expect("the runs take the same time" in shown and "+0.0 %" in shown and "compute" not in shown, shown)

# Parts of a region that cancel each other: one run polls while the other one waits.
place.write("late.c", """#include <mpi.h>
#include <unistd.h>
int main(int argc, char** argv) {
  int rank, there = argc == 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) usleep(1000), MPI_Send(0, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
  while (rank == 1 && !there) MPI_Iprobe(0, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Recv(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
""")
call(os.path.join(tools, "psim-cc"), "-o", at("late"), at("late.c"))
for name, words in (("waits", ()), ("polls", ("polls",))):
    call(psim, "net", "-n", 2, "--quiet", "--json", f"{name}.json", "--csv", name, "./late", *words)
shown = call(psim, "compare", "waits.json", "polls.json").stdout
expect("(outside)" in shown and "of it" not in shown and " alone differs by " in shown, shown)
refused = call(psim, "compare", "--ranks", "waits", "--ranks", "polls", "waits.json", "polls.json", status=2).stderr
expect("waits/regions.csv" in refused and "--csv writes it for programs with marked regions" in refused, refused)

# Results of other work are compared, and a line states it.
call(os.path.join(tools, "psim-cc"), "-O2", "-o", at("other"), os.path.join(source, "workloads/predict/solver.c"), "-lm")
call(psim, "net", "-n", 4, "--quiet", "--compute", f"model:{model}", "--json", "other.json", "./other", "32")
done = call(psim, "compare", "one.json", "other.json")
shown = done.stdout
expect(done.stderr == "", done.stderr)
expect("one.json and other.json are of two program files, which may do other work.\n" in shown, shown)
expect('one.json has the arguments [], other.json ["32"].\n' in shown, shown)
expect("program files" not in call(psim, "compare", "one.json", "two.json").stdout, "one program")
# A page is not written over a result.
before = open(at("one.json")).read()
for words in (("compare", "--report", "one.json", "one.json", "two.json"), ("report", "one.json", "-o", "one.json"),
              ("report", "two.json", ".", "-o", "one.json"), ("roofline", "--report", "one.json", "two.json", "--measured-node", "one.json")):
    refused = call(psim, *words, status=2).stderr
    reads = "is a result that is read" if words[0] == "report" else "is a file that this command reads"
    expect(f"one.json: {reads}" in refused and refused.count("\n") == 1 and open(at("one.json")).read() == before, words, refused)

place.write("changed.json", open(at("one.json")).read().replace('"ranks": 4', '"ranks": 5', 1))
for words, said in ((["one.json"], "expected at least two results"),
                    (["one.json", "absent.json"], "absent.json"),
                    (["one.json", "c.json"], "c.json: is a result of `psim compare`"),
                    (["one.json", "changed.json"], "result_hash"),
                    (["--ranks", "one", "one.json", "two.json"], "--ranks: 1 folders for 2 results"),
                    (["--ranks", "one", "--ranks", "none", "one.json", "two.json"], "none/regions.csv")):
    refused = call(psim, "compare", "--json", "r.json", *words, status=2)
    expect(said in refused.stderr, words, refused.stderr)
    expect(not os.path.exists(at("r.json")), words)

# Two networks: three messages to rank 0 wait for each other, five times as long if all channels have a fifth of the bandwidth.
call(os.path.join(tools, "psim-cc"), "-O1", "-o", at("program"), os.path.join(source, "tests/net/programs/efficiency.c"))
slow = ("--set", "link.bandwidth=1 GB/s", "--set", "nic.bandwidth=1 GB/s")
for name, options in (("fast", ()), ("slow", slow)):
    call(psim, "net", "-n", 4, "--quiet", "--set", "topology.shape=4", *options, "--efficiency", "--report", f"{name}.html", "--json",
         f"{name}.json", "./program", "contention", "60000")
    call(psim, "net", "-n", 4, "--quiet", "--set", "topology.shape=4", *options, "--json", f"bare-{name}.json", "./program", "contention", "60000")
shown = call(psim, "compare", "--json", "c.json", "fast.json", "slow.json").stdout
expect("the machines differ: link.bandwidth is 5 GB/s and 1 GB/s, nic.bandwidth is 5 GB/s and 1 GB/s." in shown, shown)
fast, slower, net = place.result("fast.json"), place.result("slow.json"), place.result("c.json")["differences"][0]["net"]
of = lambda result, cause: next((row["seconds"] for row in result["efficiency"]["jobs"][0]["critical_path"]["causes"] if row["cause"] == cause), 0)
for row in net["path"]:
    for key, result in (("first", fast), ("second", slower)):
        expect(abs(row[key] - of(result, row["name"])) < 1e-12, row)
expect({row["name"] for row in net["path"][:2]} == {"contention", "bandwidth"}, net["path"])
expect(abs(of(slower, "bandwidth") / of(fast, "bandwidth") - 5) < 1e-3, net["path"])
transfer = next(row for row in net["states"] if row["name"] == "in transfers")
for key, result in (("first", fast), ("second", slower)):
    expect(abs(transfer[key] - result["per_rank"]["transfer"]["mean"]) < 1e-12, transfer)
expect(net["ranks"][0]["first_rank"] == net["ranks"][0]["last_rank"] == 0 and net["ranks"][0]["state"] == "in transfers", net["ranks"])
expect({(row["from"], row["to"]) for row in net["messages"]} <= {(rank, other) for rank in range(4) for other in range(4)} and
       net["messages"][0]["to"] == 0 and net["messages"][0]["seconds"] > 1e-5, net["messages"])
waited = [result["page"]["messages"]["waited"] for result in (fast, slower)]
expect(net["waited"] == waited and waited[1] > 4 * waited[0], waited)
rows = [result["page"]["links"]["rows"] for result in (fast, slower)]
expect([link["direction"] for link in net["links"]] == [row["name"] for row in rows[0]], net["links"])
for link, one, two in zip(net["links"], *rows):
    expect(all(abs(change - (b - a)) < 1e-9 for change, a, b in zip(link["change"], one["busy"], two["busy"])), link)
(sentence,) = [line for line in shown.splitlines() if line.strip().startswith("the run takes ")]
for words in ("more: on the critical path, ", "contention", "all messages together wait", "of it from rank "):
    expect(words in sentence, words, sentence)
expect("Isend" in shown or "Recv" in shown, "by function", shown)

# The terminal has the first rows of each table, and a line that states it; the page has all.
(left,) = re.findall(r"Links whose load changes most\n.*\n(?:.*\n){3}  … (\d+) more\n", shown)
expect(shown.endswith("Long tables end early here; --report FILE.html has all of their rows.\n"), shown)
call(psim, "compare", "--quiet", "--report", "c.html", "fast.json", "slow.json")
table = re.search(r"Links whose load changes most</caption>.*?</table>", place.read("c.html"), re.DOTALL)
expect(table.group(0).count("<tr") == 1 + 3 + int(left), table.group(0))

# Only rank 1 is observed: the mean of its functions is its own time, of which all but 10 us of computing is in calls.
for name, options in (("fast", ()), ("slow", slow)):
    call(psim, "net", "-n", 4, "--quiet", "--set", "topology.shape=4", *options, "--observe-ranks", 1, "--report", "one.html", "--json",
         f"one-{name}.json", "./program", "contention", "60000")
call(psim, "compare", "--json", "c.json", "one-fast.json", "one-slow.json")
functions = place.result("c.json")["differences"][0]["net"]["functions"]
expect(abs(sum(row["second"] for row in functions) / place.result("one-slow.json")["seconds"] - 1) < 0.3, functions)

# Without pages: states and links; a result and itself; other networks; other numbers of ranks.
shown = call(psim, "compare", "--json", "c.json", "bare-fast.json", "bare-slow.json").stdout
net = place.result("c.json")["differences"][0]["net"]
expect("the run takes" in shown and "a mean rank is in transfers" in shown and not net["messages"] and not net["path"] and net["links"], shown)
expect("Not compared: functions, and waits of messages: run both with --report" in shown and "--efficiency" in shown, shown)
shown = call(psim, "compare", "fast.json", "fast.json").stdout
expect("the runs take the same time, and ranks spend it alike" in shown and "machines differ" not in shown, shown)
for ranks, topology in ((4, "crossbar"), (5, "torus")):
    call(psim, "net", "-n", ranks, "--quiet", "--set", f"topology.kind={topology}", "--json", "other.json", "./program", "contention", "60000")
    shown = call(psim, "compare", "--json", "c.json", "fast.json", "other.json").stdout
    expect(("links: the networks differ" in shown) == (ranks == 4), shown)
    expect(("net" in place.result("c.json")["differences"][0]) == (ranks == 4), ranks)

# A page that was edited and hashed again: one line.
forged = place.result("fast.json")
forged["page"] = {"links": {}, "sha256": hashlib.sha256(b'{"links":{}}').hexdigest()}
place.write("forged.json", json.dumps(forged))
for pair in (("fast.json", "forged.json"), ("forged.json", "fast.json")):
    refused = call(psim, "compare", *pair, status=2).stderr
    expect(refused.startswith(f"psim: {pair[0]} or {pair[1]}: not as this version of psim writes it") and refused.count("\n") == 1, refused)
