# SPDX-License-Identifier: Apache-2.0
"""roofline_test.py PSIM SOURCE: psim roofline counts the work of ranks and cores exactly, and refuses results without counts."""
import csv
import html
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, source = sys.argv[1:3]
tools = os.path.dirname(psim)
place = Place("roofline")
at, call, read = place.at, place.call, place.result


call(os.path.join(tools, "psim-cc"), "-O1", "-o", at("products"), os.path.join(source, "workloads/roofline/products.c"))
place.write("model.toml", 'format = 1\n[region.product]\nparameters = "n"\nseconds = "2e-12 * n^3"\n')
run = [psim, "net", "-n", 4, "--quiet", "--machine", "sx9", "--skeleton", "--compute", "model:model.toml"]

# By hand: 3 rounds of two products of order 100 are 12e6 operations and 3 * 2 * 4e4 * 8 bytes of memory on each rank, and
# 3 * 1e6 bytes each way. The products take 12 us, the messages 23.4 us at 128 GB/s: 4 flop/B allow 512 GFlop/s.
call(*run, "--json", "both.json", "./products", 100, 2, 1_000_000, 3)
result = read("both.json")
work = {region["name"]: region["work"] for region in result["compute"]["regions"]}["round"]
# The barrier before the region and the reduction after it may leave a few bytes in it.
expect(work["flops"] == 4 * 12_000_000 and work["memory_bytes"] == 4 * 1_920_000, work)
expect(12_000_000 <= work["sent_bytes"] < 12_000_100 and 12_000_000 <= work["received_bytes"] < 12_000_100, work)
expect(len(work["classes"]) == 1 and work["classes"][0]["ranks"] == 4, work)

shown = call(psim, "roofline", "--csv", "points.csv", "--json", "roof.json", "--report", "roof.html", "both.json").stdout
roof = read("roof.json")
point = next(one for one in roof["points"] if one["region"] == "round")
expect(abs(point["flops_per_message_byte"] / 4 - 1) < 1e-4, point)
expect(0.9 * 512e9 < point["flops_per_second"] < 512e9, point)
expect(abs(point["attainable_flops_per_second"] / 512e9 - 1) < 1e-4 and point["remedy"] == "fewer message bytes", point)
expect(roof["counting"] == "one-way" and re.search(r"IXS +messages +128 GB/s +13\.1$", shown, re.M), shown)
rows = list(csv.DictReader(open(at("points.csv"))))
expect(rows and rows[1]["region"] == "round", rows)
page = open(at("roof.html")).read()
(chart,) = [json.loads(html.unescape(text)) for text in re.findall('data-chart="([^"]*)"', page)]
(dots,) = [series for series in chart["series"] if series["name"] == "runs"]
expect([point["flops_per_message_byte"], point["flops_per_second"]] in [one[:2] for one in dots["points"]] and "NaN" not in re.sub("(?s)<script.*?</script>", "", page), chart)

# Both directions count: half the intensity, twice the bandwidth, the same rate.
both = call(psim, "roofline", "--counting", "both", "--json", "two.json", "both.json").stdout
other = next(one for one in read("two.json")["points"] if one["region"] == "round")
expect(abs(other["flops_per_message_byte"] / 2 - 1) < 1e-4 and re.search(r"IXS +messages +256 GB/s +6\.55$", both, re.M), other)
expect(abs(other["attainable_flops_per_second"] / point["attainable_flops_per_second"] - 1) < 1e-4, other)

# Ranks of one node: their work is the node's, and their messages stay inside it.
call(*run, "--set", "node.ranks=2", "--json", "node.json", "./products", 100, 2, 1_000_000, 3, 2)
call(*run, "--set", "node.ranks=2", "--json", "inside.json", "./products", 100, 2, 1_000_000, 3, 4)
call(psim, "roofline", "--json", "roof.json", "node.json", "inside.json")
points = [one for one in read("roof.json")["points"] if one["region"] == "round"]
expect(abs(points[0]["flops"] / 24e6 - 1) < 1e-9 and points[0]["sent_bytes"] >= 6e6, points[0])
expect(points[1]["sent_bytes"] < 100, points[1])

# Measured lines: products alone, messages alone.
call(*run, "--json", "one.json", "./products", 100, 2, 0, 3)
call(*run, "--json", "messages.json", "./products", 100, 0, 1_000_000, 3)
call(psim, "roofline", "--json", "roof.json", "--measured-node", "one.json", "--measured-links", "messages.json", "both.json")
lines = {line["name"]: line for line in read("roof.json")["lines"]}
expect(0.9e12 < lines["measured in one.json"]["flops_per_second"] <= 1e12, lines)
expect(100e9 < lines["measured in messages.json"]["bytes_per_second"] <= 128e9, lines)
point = next(one for one in read("roof.json")["points"] if one["region"] == "round")
expect(point["remedy"] == "auxiliary line" and point["bound"] == "measured in messages.json", point)

# No operations: no point, no NaN.
nothing = call(psim, "roofline", "--json", "roof.json", "messages.json")
expect(read("roof.json")["points"] == [] and "no floating-point operations" in nothing.stderr, nothing.stderr)
expect("Points 0" in nothing.stdout and "nan" not in nothing.stdout.lower(), nothing.stdout)

# A core: a triad of 2e5 operations reads both arrays from memory.
place.write("triad.c", """#include "psim.h"
static double a[100000], b[100000];
int main(void) {
  PSIM_REGION_BEGIN("triad", 100000);
  for (int i = 0; i < 100000; ++i) a[i] = a[i] * 2.0 + b[i];
  PSIM_REGION_END("triad");
  return a[5] > 0;
}
""")
call("sparc64-linux-gnu-gcc", "-O2", "-static", "-I", os.path.join(source, "workloads/include"), "-o", "triad", "triad.c")
call(psim, "run", "--quiet", "--json", "core.json", "./triad")
call(psim, "roofline", "--json", "roof.json", "core.json")
core = read("core.json")
roof = read("roof.json")
lines = {line["name"]: line for line in roof["lines"]}
expect(lines["peak"]["flops_per_second"] == 8e9 and lines["memory"]["ridge_flops_per_byte"] == 0.5, lines)
triad = next(one for one in roof["points"] if one["region"] == "triad(100000)")
expect(triad["flops"] == 200_000 and triad["flops_per_memory_byte"] == 0.25, triad)
expect(triad["memory_bytes"] == core["regions"][0]["statistics"]["memory"]["bytes_read"], triad)

# The roofs alone.
expect("inside" not in call(psim, "roofline", "--machine", "fx10").stdout, "roofs")

call(psim, "exec", "--quiet", "--json", "exec.json", "./triad")
place.write("plain.c", '#include <mpi.h>\nint main(void) { MPI_Init(0, 0); MPI_Finalize(); return 0; }\n')
call(os.path.join(tools, "psim-cc"), "-o", at("plain"), at("plain.c"))
call(psim, "net", "-n", 2, "--quiet", "--machine", "sx9", "--json", "plain.json", "./plain")
expect("work" not in read("plain.json"), "results of programs that state no work do not change")
call(psim, "net", "-n", 4, "--quiet", "--json", "torus.json", "./products", 4, 1, 100, 1)
place.write("edited.json", open(at("both.json")).read().replace("48000000", "48000001", 1))
for words, said in (([], "no result and no machine"), (["exec.json"], 'exec.json: command = "exec": has no counts'),
                    (["plain.json"], "plain.json: work: missing; expected a run of a program that states its operations"),
                    (["torus.json"], "torus.json: machine torus3d: roofline.peak: not stated"),
                    (["both.json", "core.json"], "core.json: its machine has other roofs than that of both.json"),
                    (["--measured-node", "messages.json", "both.json"], "messages.json: has no floating-point operations"),
                    (["--machine", "sx9", "--set", "roofline.links=IXS 5 GB/s", "both.json"], "roofline.links"),
                    (["--counting", "three", "both.json"], "--counting"),
                    (["edited.json"], "edited.json: result_hash"), (["absent.json"], "absent.json")):
    said_now = call(psim, "roofline", *words, status=2).stderr
    expect(said in said_now, words, said_now)
