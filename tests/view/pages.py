# SPDX-License-Identifier: Apache-2.0
"""pages.py PSIM SOURCE CHROMIUM: `psim report` and `psim show` of results of every kind, and the study, in a browser.

The page of a saved result is that of --report, byte by byte. Charts and rows are counted, and values compared with the results."""
import json
import os
import shutil
import sys

psim, source, browser = sys.argv[1:4]
sys.path[:0] = [os.path.join(source, "tests"), os.path.join(source, "tests/view")]
from browser import Browser
from commands import Place, expect
from page_checks import check_page

CROSS = "sparc64-linux-gnu-gcc"
if not os.path.exists(browser) or shutil.which(CROSS) is None:
    print("skipped: chromium or the cross compiler is not installed")
    sys.exit(77)
place = Place("pages")
run = lambda *words, status=0: place.call(psim, *words, status=status)
place.write("sum.c", """#include "psim.h"
#include <stdlib.h>
static double a[4096];
int main(int n, char** v) {
  const int m = atoi(v[1]); volatile double s = 0;
  for (int round = 0; round < 2; ++round) {
    PSIM_REGION_BEGIN("sum", m); for (int i = 0; i < m; ++i) s += a[i * 17 % m] * 1.5; PSIM_REGION_END("sum");
  }
  return 0;
}
""")
place.call(CROSS, "-O2", "-static", "-I", os.path.join(source, "workloads/include"), "-o", "sum", "sum.c")
chromium = Browser(browser)
charts = lambda: chromium.run("document.querySelectorAll('figure[data-chart] svg').length")
values = lambda: chromium.run("[...document.querySelectorAll('data')].map((e) => e.value)")
missing = lambda: chromium.run("[...document.querySelectorAll('section[aria-labelledby=missing] li')].map((e) => e.textContent)")


def both(name, *words, status=0):
    """Runs with --json and --report; the page of the saved result must be the same. Returns the result."""
    run(*words[:1], "--quiet", "--json", f"{name}.json", "--report", f"{name}.html", *words[1:], status=status)
    run("report", f"{name}.json", "-o", f"{name}-again.html")
    expect(place.read(f"{name}.html") == place.read(f"{name}-again.html"), name, "the page of the saved result differs")
    check_page(chromium, place.at(f"{name}.html"), expect, keyboard=name in ("core", "fit"))
    shown = run("show", f"{name}.json").stdout
    expect(4 <= shown.count("\n") <= 45 and "<" not in shown.replace("<tt>", "").replace("<= ", ""), name, shown)
    return place.result(f"{name}.json"), shown


# A run on the core: with --report it has all; from --json alone it has series over time and states what it lacks.
result, shown = both("core", "run", "--energy", "--profile", "./sum", "300")
expect(chromium.run("document.querySelectorAll('.u-wrap').length") == 4 and missing() == [], missing())
for number in (result["cycles"], result["instructions"], result["energy"]["total_joules"]):
    expect(any(abs(float(value) - number) <= 1e-5 * number for value in values()), number)
lines = chromium.run("""(() => { const dd = document.querySelector('.card dd'), range = document.createRange();
  dd.textContent = '12,345,678,901'; range.selectNodeContents(dd); return range.getClientRects().length; })()""")
expect(lines == 1, "a number of eleven digits has several lines in its card", lines)
expect(f"Cycles {result['cycles']:,}" in shown and "Front end" in shown and "[300]" in shown, shown)
run("run", "--quiet", "--json", "alone.json", "./sum", "300")
alone = place.result("alone.json")
run("run", "--quiet", "--energy", "--profile", "--json", "third.json", "./sum", "300")
expect(place.result("third.json")["result_hash"] == result["result_hash"], "a page changes the hash of the result")
expect(sum(alone["page"]["intervals"]["instructions"]) == alone["instructions"] and "stages" not in alone["page"], alone["page"].keys())
run("report", "alone.json", "-o", "alone.html")
check_page(chromium, place.at("alone.html"), expect, keyboard=False)
expect(chromium.run("document.querySelectorAll('.u-wrap').length") == 2 and len(missing()) == 3 and "stage view" in missing()[0], missing())
both("sampled", "run", "--sample", "--sample-period", "3000", "--sample-warmup", "500", "./sum", "4000")
expect("which need every cycle" in missing()[0], missing())
both("chip", "run", "--set", "node.cores=2", "./sum", "300")
expect(chromium.run("document.querySelectorAll('section[aria-labelledby=cores] tbody tr').length") == 2, "cores")

# Networks.
place.write("two.goal", "num_ranks 2\nrank 0 {\nl1: calc 100\nl2: send 4096b to 1 tag 1\nl2 requires l1\n}\nrank 1 {\nl1: recv 4096b from 0 tag 1\n}\n")
result, shown = both("net", "net", "--replay", "two.goal")
expect(str(result["packets"]) in values() and chromium.run("document.getElementById('ranks-box').dataset.rows") == "2", values())
run("net", "--quiet", "--json", "bare.json", "--replay", "two.goal")
run("report", "bare.json", "-o", "bare.html")
chromium.open(place.at("bare.html"))
expect(missing() == ["efficiencies and the critical path: run with --efficiency", "ranks over time: run with --report",
                     "the load of links over time: run with --report"], missing())
expect(chromium.run("document.querySelector('.machine-box').dataset.links") == "4", "the total load of a small machine")
result, shown = both("traffic", "net", "-n", "8", "--traffic", "uniform", "--load", "0.1,0.3")
expect(chromium.run("document.querySelectorAll('section[aria-labelledby=load] .scroll tbody tr').length") == 2, "loads")
expect([str(point["load"]) for point in result["points"]] == [value for value in values() if value in ("0.1", "0.3")][:2], values())

# Fits, rooflines, and results without a page of their own.
result, shown = both("fit", "fit", "--args", "100 200 300 500 800", "--predict", "2000", "./sum", "{}")
(region,) = result["regions"]
drawn = chromium.run("[...document.querySelectorAll('figure[data-chart]')].map((e) => JSON.parse(e.dataset.chart))")
expect(charts() == 2 and [point[:2] for point in drawn[0]["series"][2]["points"]] == [[one["args"][0], one["cycles"]] for one in region["points"]], drawn)
expect(chromium.run("document.querySelectorAll('figure[data-chart] circle').length") >= 10, "a circle for each point")
ticks = chromium.run("[...document.querySelectorAll('[aria-label=\"x-axis tick label\"] text')].map((e) => e.textContent)")
expect(ticks and all(len(tick) <= 6 for tick in ticks), ticks)
result, shown = both("roof", "roofline", "core.json")
expect(charts() == 1 and "Points 2" in shown, charts(), shown)
expect(str(result["points"][0]["flops_per_second"])[:4] in place.read("roof.html"), result["points"][0])
place.write("few.c", "int main() { volatile double s = 1; for (volatile int i = 0; i < 300000; ++i); s *= 1.5; }\n")
place.call(CROSS, "-O2", "-static", "-o", "few", "few.c")
run("run", "--quiet", "--json", "few.json", "./few")
shown = run("roofline", "few.json").stdout
share = json.loads(run("roofline", "--quiet", "--json", "-", "few.json").stdout)["points"][0]["share_of_bound"]
expect(0.0001 < share < 0.01 and f" {100 * share:.2f} %" in shown, "a share of the roof below one per cent", share, shown)
# A published result: each value next to the paper's with its status, the differences as bars over the tolerances, and the figure.
result, shown = both("barrier", "reproduce", "barrier", "--quick")
(experiment,) = result["page"]["experiments"]
listed = chromium.run("[...document.querySelectorAll('#barrier tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
expect([row[1:4] + row[6:7] for row in listed] == [[row["text"], row["paper"], row["ours"], row["status"]] for row in experiment["rows"]], listed)
bars, figure = chromium.run("[...document.querySelectorAll('figure[data-chart]')].map((e) => JSON.parse(e.dataset.chart))")
goal, agrees = bars["series"]
differences = [100 * row["difference"] for row in experiment["rows"] if row["difference"] is not None]
expect([max(point[:2], key=abs) for point in agrees["points"]] == differences and len(goal["points"]) == len(differences) == 2, bars)
expect(abs(differences[1] - 100 * (result["ratio_at_32"] / 200 - 1)) < 1e-9, differences, result["ratio_at_32"])
expect("Agrees 8" in shown and "agrees" in shown, shown)
run("exec", "--quiet", "--json", "exec.json", "./sum", "10")
run("report", "exec.json", "-o", "exec.html")
check_page(chromium, place.at("exec.html"), expect, keyboard=False)

# Two cores: the cause of the difference is in a sentence, with its line; memory is slower, and only loads of one line miss.
place.write("chase.c", """static struct { long next, more[15]; } list[16384];
static long __attribute__((noinline)) chase(long n) {
  long at = 0;
  while (n--)
    at = list[at].next;
  return at;
}
int main(void) {
  for (long i = 0; i < 16384; ++i) list[i].next = (i * 7919 + 13) % 16384;
  return chase(20000) < 0;
}
""")
place.call(CROSS, "-O1", "-g", "-static", "-o", "chase", "chase.c")
for name, cycles in (("near", 100), ("far", 400)):
    run("run", "--quiet", "--profile", "--energy", "--set", "l2.bytes=192 KB", "--set", f"memory.latency={cycles} cycles", "--json", f"{name}.json", "./chase")
shown = run("compare", "--json", "cores.json", "--report", "cores.html", "near.json", "far.json").stdout
run("report", "cores.json", "-o", "cores-again.html")
expect(place.read("cores.html") == place.read("cores-again.html"), "the page of the saved comparison differs")
check_page(chromium, place.at("cores.html"), expect, keyboard=False)
near, far = place.result("near.json"), place.result("far.json")
core = place.result("cores.json")["differences"][0]["core"]
expect(core["parts"][0]["name"] == "memory" and core["functions"][0]["name"] == "chase" and core["lines"][0]["name"].startswith("chase.c:"), core)
more = (far["cpi_stack"]["memory"] - near["cpi_stack"]["memory"]) * near["seconds"] / near["cycles"]
expect(abs(core["parts"][0]["seconds"] / more - 1) < 1e-9, core["parts"][0], more)
(line,) = [line.strip() for line in shown.splitlines() if line.strip().startswith("the run takes ")]
expect("more: Memory " in line and f" more, nearly all in {core['lines'][0]['name']}" in line, line)
expect(line in chromium.run("document.body.innerText") and charts() == 2 and chromium.run("document.querySelectorAll('.stack').length") == 2, line)

# No statistic explains more than the difference of the runs, though latencies of misses that overlap have a larger sum.
expect(core["statistics"] and all(abs(one["seconds"]) <= abs(far["seconds"] - near["seconds"]) * (1 + 1e-9) for one in core["statistics"]), core["statistics"])
joules = lambda result, name: result["energy"][name.split(".")[0]][name.split(".")[1]]
expect(len(core["energy"]) > 3 and all(abs(one["joules"] - joules(far, one["name"]) + joules(near, one["name"])) < 1e-15 for one in core["energy"]), core["energy"])
mean = lambda result, name: result["statistics"][name.split(".")[0]][name.split(".")[1]]["mean"]
expect(core["occupancy"] and all([one["first"], one["second"]] == [mean(near, one["name"]), mean(far, one["name"])] for one in core["occupancy"]), core["occupancy"])
expect("entries of the commit stack in use" in chromium.run("document.body.innerText") and "Energy by structure" in shown and "Mean occupancy" in shown, shown)

# The study of a sweep: rows, points, filter, front, map, and two runs side by side.
sweep = ("run", "--quiet", "--energy", "--sweep", "l1d.bytes=16 KB,64 KB", "--sweep", "argument.1=100,200,400", "--into", "points")
run(*sweep, "--report", "sweep.html", "./sum", "1")
place.write("points/notes.json", "{}")
place.write("points/cut.json", place.read("core.json")[:5000])
place.write("points/edited.json", place.read("alone.json").replace('"cycles": ', '"cycles": 1', 1))
place.write("points/read me.txt", "not a result")
done = run("report", "points", "--title", "<b>L1</b> & n", "-o", "study.html")
lines = done.stderr.splitlines()
expect(len(lines) == 3 and all(line.startswith("psim: points/") for line in lines) and "not JSON" in lines[0] and "changed after" in lines[1], lines)
points = {name: place.result(f"points/{name}") for name in os.listdir(place.at("points")) if name.endswith(".json") and len(name) == 21}
expect(len(points) == 6, points.keys())
for page in ("sweep.html", "study.html"):
    check_page(chromium, place.at(page), expect)
    rows = "document.querySelectorAll('#study-table tbody tr').length"
    expect(chromium.run(rows) == 6 and chromium.run("document.querySelectorAll('#study-plane .runs circle').length") == 6, page)
expect(chromium.run("document.querySelector('h1').textContent") == "<b>L1</b> & n" and
       chromium.run("document.querySelectorAll('#left-out-section li').length") == 3, "title and files left out")
table = chromium.run("[...document.querySelectorAll('#study-table tbody tr')].map((row) => [row.cells[1].title, [...row.querySelectorAll('data')].map((e) => Number(e.value))])")
for name, numbers in table:
    document = points[name]
    expect(document["cycles"] in numbers and any(abs(number - document["energy"]["total_joules"]) < 1e-7 * number for number in numbers), name, numbers)
choose = lambda name, value: chromium.run(f"(() => {{ const e = document.getElementById('study-{name}'); e.value = {json.dumps(value)}; e.dispatchEvent(new Event('change')); }})()")
choose("x", "l1d.bytes")
expect(chromium.run("document.querySelectorAll('#study-plane .runs circle').length") == 6, "texts as an axis")
expect(chromium.run("[...document.querySelectorAll('#study-plane [aria-label=\"x-axis tick label\"] text')].map((e) => e.textContent)") == ["16 KiB", "64 KiB"], "order of sizes")
choose("x", "cycles")
choose("y", "energy.total_joules")
dominated = lambda a, b: b["cycles"] <= a["cycles"] and b["energy"]["total_joules"] <= a["energy"]["total_joules"] and (b["cycles"], b["energy"]["total_joules"]) != (a["cycles"], a["energy"]["total_joules"])
front = sum(not any(dominated(a, b) for b in points.values()) for a in points.values())
expect(chromium.run("document.querySelectorAll('#study-table tr.front').length") == front, "front", front)
choose("map-x", "argument.1")
choose("map-y", "l1d.bytes")
cells = chromium.run("[...document.querySelectorAll('#study-map [aria-label=cell] rect')].length")
expect(cells == 6, "cells of the map", cells)
expect(chromium.run("document.querySelectorAll('#study-parallel .runs path').length") == 6, "lines")
chromium.run("document.querySelector('#study-filter').focus()")
chromium("Input.insertText", text="argument.1=400")
chromium.run("new Promise((done) => setTimeout(done, 300))")
expect(chromium.run(rows) == 2 and chromium.run("document.getElementById('study-count').textContent") == "2 of 6 runs", "filter")
chromium.run("document.querySelectorAll('#study-table .head')[0].focus()")
chromium.press("Enter", 13, "\r")
expect(chromium.run("document.querySelector('#study-table th[aria-sort]').textContent") == "Run", "sorted by keyboard")
for at in (0, 1):
    chromium.run(f"document.querySelectorAll('#study-table tbody input')[{at}].focus()")
    chromium.press(" ", 32, " ")
expect(chromium.run("document.querySelectorAll('#study-pair .stack').length") == 2, "two CPI stacks")
pair = chromium.run("[...document.querySelectorAll('#study-pair tbody tr')].map((row) => row.cells[0].textContent)")
expect(pair[0] == "l1d.bytes" and "argument.1" not in pair, pair)
chromium.picture(place.at("study.png"))
expect(not chromium.errors, chromium.errors)

# 500 runs in one file, usable at once. The results differ in a few keys; their hashes are right.
bench = place.at("many")
os.mkdir(bench)
import hashlib
def shortened(value):
    """The value with numbers of three digits, which psim and Python write alike."""
    if isinstance(value, dict):
        return {key: shortened(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shortened(each) for each in value]
    return float(f"{value:.3g}") if isinstance(value, float) else value


document = shortened(points[sorted(points)[0]])
document.pop("page")
for i in range(500):
    document["machine"]["l1d"]["bytes"] = f"{2 ** (i % 8)} KiB"
    document["machine"]["core"]["commit_width"] = 1 + i // 8
    document["cycles"] = 100000 + 37 * i % 9973
    for component in document["statistics"].values():
        for name, value in component.items():
            if isinstance(value, int):
                component[name] = value + i
    hashed = {key: value for key, value in document.items() if key not in ("host", "result_hash")}
    document["result_hash"] = hashlib.sha256(json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()
    with open(os.path.join(bench, f"{i:03}.json"), "w", encoding="utf-8") as file:
        json.dump(document, file)
run("report", "many", "-o", "many.html")
expect(os.path.getsize(place.at("many.html")) < 2_000_000, os.path.getsize(place.at("many.html")))
chromium.resize(1400)
seconds = chromium.open(place.at("many.html"))
print(f"500 runs: {os.path.getsize(place.at('many.html'))} bytes, first frame after {seconds:.2f} s")
expect(chromium.run("document.querySelectorAll('#study-plane .runs circle').length") == 500, "a point for each run")
expect(chromium.run("document.querySelectorAll('#study-parallel .runs path').length") == 500 and chromium.run(rows) == 200, "lines and rows")
chromium.run("document.getElementById('study-more').click()")
expect(chromium.run(rows) == 500 and not chromium.errors, chromium.errors)

# Runs that did not finish are marked, and are neither on the front nor on the map.
place.call(os.path.join(os.path.dirname(psim), "psim-cc"), "-o", "endings", os.path.join(source, "tests/net/programs/endings.c"))
run("net", "--quiet", "--sweep", "ranks=2,3", "--sweep", "argument.1=finish,abort", "--report", "ended.html", "./endings", "x", status=1)
chromium.open(place.at("ended.html"))
ends = chromium.run("[...document.querySelectorAll('#study-table tbody tr')].map((row) => [row.innerText.includes('aborted'), row.className])")
expect(sorted(aborted for aborted, _ in ends) == [False, False, True, True] and not any(aborted and front for aborted, front in ends), ends)
expect("2 runs did not finish" in chromium.run("document.getElementById('study-front').textContent"), "note")
expect(chromium.run("document.querySelectorAll('#study-map [aria-label=cell] rect').length") == 2, "map")

# Bad input: one clear line, status 2 and no page where nothing remains.
for words, message in ((["core.txt"], "core.txt: cannot be read: "), (["points/notes.json"], "points/notes.json: expected a result of psim"),
                       (["points/cut.json"], "points/cut.json: not JSON"), (["empty"], "empty: no result of psim is there")):
    os.makedirs(place.at("empty"), exist_ok=True)
    done = run("report", *words, "-o", "bad.html", status=2)
    expect(len(done.stderr.splitlines()) == 1 and done.stderr.startswith("psim: " + message) and not os.path.exists(place.at("bad.html")), words, done.stderr)
other = place.result("alone.json")
other["schema"] = 1
place.write("other.json", json.dumps(other))
expect("written by another version of psim" in run("show", "other.json", status=2).stderr, "schema")
paged = place.result("alone.json")
paged["page"]["intervals"]["begin"][0] = 7
place.write("paged.json", json.dumps(paged))
expect("was changed after" in run("report", "paged.json", "-o", "bad.html", status=2).stderr, "the key page")
for page in ([], 7, {"sha256": []}):
    place.write("paged.json", json.dumps({**paged, "page": page}))
    done = run("report", "paged.json", "-o", "bad.html", status=2).stderr
    expect("was changed after" in done and done.count("\n") == 1, page, done)
few = {key: value for key, value in place.result("fit.json").items() if key not in ("host", "page", "result_hash", "regions")}
few["result_hash"] = hashlib.sha256(json.dumps(few, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()
place.write("few.json", json.dumps(few))
expect("few.json: not as this version of psim writes it" in run("report", "few.json", "-o", "bad.html", status=2).stderr, "missing keys")

# The folder of psim reproduce --into has results together with the output of their programs.
os.mkdir(place.at("kept"))
place.write("kept/one.json", json.dumps({"result": place.result("alone.json"), "output": "text"}))
expect(run("show", "kept/one.json").stdout == run("show", "alone.json").stdout, "a kept result")

# A dark page is printed in light colours.
chromium.open(place.at("core.html"), dark=True)
paper = "getComputedStyle(document.body).backgroundColor"
before = chromium.run(paper)
chromium.run("window.dispatchEvent(new Event('beforeprint'))")
expect(before != "rgb(255, 255, 255)" == chromium.run(paper), before, chromium.run(paper))
chromium.run("window.dispatchEvent(new Event('afterprint'))")
expect(chromium.run(paper) == before and not chromium.errors, chromium.errors)

# Names stay text.
os.symlink(place.at("sum"), place.at("<img src=x onerror=alert(1)>"))
run("run", "--quiet", "--json", "hostile.json", "./<img src=x onerror=alert(1)>", "100")
run("report", "hostile.json", "-o", "hostile.html")
run("report", "hostile.json", "alone.json", "-o", "hostiles.html")
for page in ("hostile.html", "hostiles.html"):
    chromium.open(place.at(page))
    expect(chromium.run("document.querySelectorAll('img').length") == 0 and not chromium.errors, page, chromium.errors)
expect("<img src=x onerror=alert(1)> 100" in run("show", "hostile.json").stdout, "show")
chromium.close()
print("good")
