# SPDX-License-Identifier: Apache-2.0
"""node_pages.py PSIM SOURCE CHROMIUM: nodes of `psim cosim` over time, and ranks of `psim net`, in a browser.

Times, CPI stacks and messages of the rows are compared with the numbers of the result."""
import base64
import os
import sys

psim, source, browser = sys.argv[1:4]
sys.path[:0] = [os.path.join(source, "tests"), os.path.join(source, "tests/view")]
from browser import Browser
from commands import Place, expect
from page_checks import check_page

tools = os.path.dirname(psim)
if not os.path.exists(browser) or not os.path.exists(os.path.join(tools, "../lib/psim/sparc64/libpsim_mpi.a")):
    print("skipped: chromium is not installed, or this psim was built without MPI for sparc64")
    sys.exit(77)
place = Place("node_pages")
run = lambda *words, status=0: place.call(psim, *words, status=status)
place.write("pair.c", r"""#include <mpi.h>
#include "psim.h"
static double a[4096];
static char data[3000];
int main(int argc, char** argv) {
  int rank;
  volatile double sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int step = 0; step < 3; ++step) {
    if (rank == 0) {
      PSIM_REGION_BEGIN("<b>work</b>", step);
      for (int i = 0; i < 20000; ++i) sum += a[i * 17 % 4096];
      PSIM_REGION_END("<b>work</b>");
      MPI_Send(data, sizeof data, MPI_CHAR, 1, 5, MPI_COMM_WORLD);
    } else if (rank == 1) {
      MPI_Recv(data, sizeof data, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
""")
place.call(os.path.join(tools, "psim-sparc-cc"), "-O2", "-g", "-I", os.path.join(source, "workloads/include"), "-o", "pair", "pair.c")
chromium = Browser(browser)
panel = lambda key: chromium.run(f"document.getElementById('ranks-row').dataset.{key}")
settled = "new Promise((done) => setTimeout(done, 120))"
common = ("-n", 2, "--network", "torus3d")

# The page changes nothing; its parts are there.
run("cosim", "--quiet", "--json", "alone.json", *common, "./pair")
run("cosim", "--quiet", "--json", "pair.json", "--report", "pair.html", *common, "./pair")
result, alone = place.result("pair.json"), place.result("alone.json")
expect(result["result_hash"] == alone["result_hash"], "a page changes the hash of the result")
expect("ranks" not in alone["page"] and {"ranks", "machine", "history", "timeline", "messages"} <= set(result["page"]), result["page"].keys())
run("report", "pair.json", "-o", "again.html")
expect(place.read("pair.html") == place.read("again.html"), "the page of the saved result differs")
rows, messages = result["page"]["ranks"], result["page"]["messages"]["messages"]
expect(rows["names"] == ["node 0", "node 1"] and [kind["name"] for kind in rows["kinds"]][:2] == ["computing", "in MPI calls"] or
       {"computing", "in MPI calls", "region <b>work</b>"} <= {kind["name"] for kind in rows["kinds"]}, rows["kinds"])

# The slices of a row sum to the cycles of its node, by part of the CPI stack and asleep.
stacks, period = rows["stacks"], rows["end_ps"] / max(node["cycles"] for node in result["nodes"])
for number, node in enumerate(result["nodes"]):
    raw = base64.b64decode(stacks["shares"][number])
    shares = [int.from_bytes(raw[i:i + 2], "little") / 65535 for i in range(0, len(raw), 2)]
    parts = len(stacks["parts"])
    total = sum(shares) * stacks["slice_ps"] / period
    expect(abs(total - node["cycles"]) < 0.002 * node["cycles"] + 50, number, total, node["cycles"])
    expect(abs(sum(stacks["instructions"][number]) - node["instructions"]) <= stacks["slices"], sum(stacks["instructions"][number]), node["instructions"])

check_page(chromium, place.at("pair.html"), expect)
chromium.run(settled)
expect(chromium.run("document.getElementById('ranks-box').dataset.rows") == "2", "rows")
expect(chromium.run("document.querySelectorAll('b').length") == 0, "names of regions stay text")
# The row of node 0: its time in the region is that of the result, its messages are listed and lead to their timelines.
names = [kind["name"] for kind in rows["kinds"]]
times = dict(zip(names, map(float, panel("times").split(","))))
(region,) = [one for one in result["compute"]["regions"] if one["name"] == "<b>work</b>"] if "compute" in result else [None]
seconds = rows["end_ps"] / 1e12
if region:
    expect(abs(times["region <b>work</b>"] * seconds - region["seconds"]) < 0.02 * region["seconds"], times, region)
expect(0.9 < sum(times.values()) < 1.01, times)  # a node may end before the others
stack = dict(zip(stacks["parts"], map(float, panel("stack").split(","))))
expect(abs(sum(stack.values()) - 1) < 1e-3 and stack["base"] > 0.05, stack)
sent = [one for one in messages if one["from"] == 0 and one["operation"].startswith("send")]
received = [one for one in messages if one["to"] == 0]
expect(int(panel("messages")) >= len(sent), panel("messages"), len(sent))
links = chromium.run("[...document.querySelectorAll('#ranks-row a')].map((a) => a.getAttribute('href'))")
expect(links and all(link.startswith("#message-") for link in links) and chromium.run(f"!!document.getElementById('{links[0][1:]}')"), links)
# Another row and another stretch, by keyboard: node 1 waits, mostly asleep, for the first message.
chromium.run("document.getElementById('ranks-pick').focus()")
chromium.press("ArrowUp", 38)
chromium.run(settled)
expect(panel("row") == "1" and "node 1" in chromium.run("document.querySelector('#ranks-row h3').textContent"), panel("row"))
whole = panel("times")
chromium.run("document.getElementById('ranks-scroll').focus()")
for _ in range(3):
    chromium.key("+")
chromium.run(settled)
zoomed = dict(zip(names, map(float, panel("times").split(","))))
expect(panel("times") != whole and abs(sum(zoomed.values()) - 1) < 0.02, zoomed)
scales = chromium.run("[...document.querySelectorAll('#ranks-under .chart h3')].map((h) => h.textContent)")
expect(scales[0].startswith("Links busy") and len(scales) == 1, scales)
chromium.picture(place.at("pair.png"))

expect(chromium.run("document.getElementById('ranks-box').dataset.heads") == "true", "messages are arrows")

# With energy and the stage view of a message; the rows show when a message was on its way.
name = sent[0]["name"]
run("cosim", "--quiet", "--energy", "--json", "full.json", "--report", "full.html", "--window", f"message={name}:60", *common, "./pair")
result = place.result("full.json")
expect(result["page"]["stages_of"] == name and result["page"]["stages"]["shown"] >= 60, result["page"].get("stages_of"))
check_page(chromium, place.at("full.html"), expect, keyboard=False)
chromium.run(settled)
scales = chromium.run("[...document.querySelectorAll('#ranks-under .chart h3')].map((h) => h.textContent)")
expect([title.split(",")[0] for title in scales] == ["Links busy", "Power"], scales)
expect(chromium.run("[...document.querySelectorAll('#ranks-row a')].some((a) => a.getAttribute('href') === '#stage-view')"), "stage view of the message")
expect(chromium.run("document.getElementById('stage-legend').children.length") > 3, "the stage view is drawn")
expect("asleep, a message on its way" in [kind["name"] for kind in result["page"]["ranks"]["kinds"]], result["page"]["ranks"]["kinds"])
chart = chromium.run("document.querySelectorAll('#message-" + name.replace(".", "\\\\.") + " figure rect').length")
expect(chart > 5, "the chart of a message", chart)
expect("needs --kanata" in run("cosim", "--quiet", "--window", "message=0.0", *common, "./pair", status=2).stderr, "--window")

# Several cores and ranks on a node have rows of their own.
run("cosim", "--quiet", "--json", "cores.json", "--report", "cores.html", "-n", 2, "--set", "node.cores=2", "--set", "node.ranks=2", "--network", "torus3d", "./pair")
expect(place.result("cores.json")["page"]["ranks"]["names"] == ["rank 0", "rank 1", "rank 2", "rank 3"], "rows of ranks")
chromium.open(place.at("cores.html"))
expect(chromium.run("document.getElementById('ranks-box').dataset.rows") == "4" and not chromium.errors, chromium.errors)

# An analytic network has no links: none are drawn, and the page states it.
run("cosim", "--quiet", "--json", "analytic.json", "--report", "analytic.html", "-n", "2", "--set", "network.model=analytic", "./pair")
expect(not {"machine", "history", "links", "timeline"} & place.result("analytic.json")["page"].keys(), place.result("analytic.json")["page"].keys())
check_page(chromium, place.at("analytic.html"), expect, keyboard=False)
expect("links: this network has none" in chromium.run("document.body.innerText"), "missing")
expect(chromium.run("document.getElementById('ranks-box').dataset.rows") == "2" and not chromium.run("!!document.querySelector('canvas.machine')"), "rows")

# Ranks of psim net are rows of the same picture.
place.write("two.goal", "num_ranks 2\nrank 0 {\nl1: calc 100000\nl2: send 4096b to 1 tag 1\nl2 requires l1\n}\nrank 1 {\nl1: recv 4096b from 0 tag 1\n}\n")
run("net", "--quiet", "--json", "two.json", "--report", "two.html", "--replay", "two.goal")
check_page(chromium, place.at("two.html"), expect, keyboard=False)
chromium.run(settled)
expect(panel("messages") == "1" and "to rank 1, 4,096 bytes" in chromium.run("document.getElementById('ranks-row').innerText"), "the message of rank 0")
times = list(map(float, panel("times").split(",")))
expect(times[0] > 0.9, "computing", times)
chromium.close()
print("good")
