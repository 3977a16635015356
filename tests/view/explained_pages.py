# SPDX-License-Identifier: Apache-2.0
"""explained_pages.py PSIM SOURCE CHROMIUM: pages of `psim net --efficiency` and of the comparison of two networks, in a browser.

Charts and rows are counted, and values compared with the results."""
import base64
import os
import re
import shutil
import sys

psim, source, browser = sys.argv[1:4]
sys.path[:0] = [os.path.join(source, "tests"), os.path.join(source, "tests/view")]
from browser import Browser
from commands import Place, expect
from page_checks import check_page

if not os.path.exists(browser):
    print("skipped: chromium is not installed")
    sys.exit(77)
place = Place("explained")
run = lambda *words, status=0: place.call(psim, *words, status=status)
place.call(os.path.join(os.path.dirname(psim), "psim-cc"), "-O1", "-o", "program", os.path.join(source, "tests/net/programs/efficiency.c"))
chromium = Browser(browser)
charts = lambda: chromium.run("[...document.querySelectorAll('figure[data-chart] h3')].map((e) => e.textContent)")
drawn = lambda: chromium.run("[...document.querySelectorAll('figure[data-chart]')].map((e) => JSON.parse(e.dataset.chart))")
rows = lambda title: chromium.run(f"[...document.querySelectorAll('table')].filter((e) => e.caption?.textContent === '{title}').map((e) => "
                                  "[...e.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.querySelector('data')?.value ?? cell.textContent)))")
close = lambda a, b: abs(float(a) - b) <= 1e-5 * abs(b) + 1e-15


def both(name, *words):
    """Makes the result and its page; that of the saved result is the same."""
    run(*words[:1], "--quiet", "--json", f"{name}.json", "--report", f"{name}.html", *words[1:])
    run("report", f"{name}.json", "-o", "again.html")
    expect(place.read(f"{name}.html") == place.read("again.html"), name, "the page of the saved result differs")
    check_page(chromium, place.at(f"{name}.html"), expect, keyboard=False)
    shown = run("show", f"{name}.json").stdout
    expect(4 <= shown.count("\n") <= 60, name, shown)
    return place.result(f"{name}.json"), shown


net = ("net", "-n", "4", "--efficiency", "--set", "topology.shape=4")
result, shown = both("stages", *net, "./program", "pipeline", "1000")
(job,) = result["efficiency"]["jobs"]
expect(charts() == ["Efficiencies", "The critical path through the ranks"], charts())
bars, path = drawn()
expect([point[1] for point in bars["series"][0]["points"]] == [job[key] for key in ("parallel", "load_balance", "serialisation", "transfer", "communication")] and
       [point[2] for point in bars["series"][0]["points"]] == ["Parallel", "Load balance", "Serialisation", "Transfer", "Communication"], bars)
expect(chromium.run("document.querySelectorAll('figure[data-chart] svg [aria-label=bar] rect').length") == 5, "a bar for each efficiency")
steps = result["page"]["critical_paths"][0]
expect(sum(len(series["points"]) for series in path["series"]) == len(steps) and
       chromium.run("document.querySelectorAll('figure[data-chart] svg [aria-label=line] path').length") == len(steps), len(steps))
(causes,) = rows("The critical path by cause")
expect(len(causes) == len(job["critical_path"]["causes"]) and all(close(row[1], cause["seconds"]) for row, cause in
                                                                  zip(causes, job["critical_path"]["causes"])), causes)
(changes,) = rows("What if")
expect([row[0] for row in changes] == ["network twice as fast", "no contention (analytic network)", "region stage twice as fast"] and
       all(close(row[1], change["seconds"]) for row, change in zip(changes, job["what_if"])), changes)
for words in ("Why it takes this long", "Load balance", "computing in stage"):
    expect(words in shown, words, shown)

# A program without computing has a path, and no efficiencies.
both("nothing", *net, "./program", "nothing")
expect(charts() == ["The critical path through the ranks"] and "no simulated time" in chromium.run("document.body.innerText"), charts())

# Ranks on cycle-level nodes: load balance and communication follow from their computing.
if shutil.which("sparc64-linux-gnu-gcc"):
    place.call(os.path.join(os.path.dirname(psim), "psim-sparc-cc"), "-O2", "-o", "halo", os.path.join(source, "workloads/predict/halo.c"))
    result, shown = both("nodes", "cosim", "-n", "2", "--energy", "./halo", "20", "2")
    computed = [sum(part["compute"] for part in [*node["regions"], node["outside"]]) for node in result["nodes"]]
    (table,) = rows("Efficiencies")
    wanted = {"Parallel": sum(computed) / 2 / result["seconds"], "Load balance": sum(computed) / 2 / max(computed),
              "Communication": max(computed) / result["seconds"]}
    expect({row[0]: row[1] for row in table} == {name: f"{value:.4f}" for name, value in wanted.items()}, table, wanted)
    expect("Why it takes this long" in shown and "Load balance" in shown, shown)
    expect(charts().count("Efficiencies") == 0 and "run with --efficiency" in chromium.run("document.body.innerText"), charts())
    # With further runs, the same component as for ranks of psim net.
    result, shown = both("explained-nodes", "cosim", "-n", "2", "--efficiency", "./halo", "20", "2")
    (job,) = result["efficiency"]["jobs"]
    expect(charts()[:2] == ["Efficiencies", "The critical path through the ranks"], charts())
    bars, path = drawn()[:2]
    factors = ("parallel", "load_balance", "serialisation", "transfer", "communication")
    expect([point[1] for point in bars["series"][0]["points"]] == [job[key] for key in factors], bars)
    steps = result["page"]["critical_paths"][0]
    expect(0 < sum(len(series["points"]) for series in path["series"]) == len(steps) and
           chromium.run("document.querySelectorAll('figure[data-chart] svg [aria-label=line] path').length") == len(steps), len(steps))
    (table,), (found,), (changes,) = rows("Efficiencies"), rows("The critical path by cause"), rows("What if")
    expect([row[1] for row in table] == [f"{job[key]:.4f}" for key in factors], table)
    expect(len(found) == len(job["critical_path"]["causes"]) and
           all(close(row[1], cause["seconds"]) for row, cause in zip(found, job["critical_path"]["causes"])), found)
    expect([row[0] for row in changes] == ["network twice as fast", "no contention (analytic network)"] and
           all(close(row[1], change["seconds"]) for row, change in zip(changes, job["what_if"])), changes)
    said = chromium.run("document.body.innerText")
    for words in ("interfaces, DMA and the instructions of the MPI library keep their times", "MPI library", "computing in product"):
        expect(words in said, words)
    for words in ("Serialisation", "The path leads to the end of rank", "network twice as fast"):
        expect(words in shown, words, shown)

    # A prediction: the time by number of ranks with its interval, the regions' parts in it, and what the interval rests on.
    result, shown = both("prediction", "predict", "--ranks", "4,8", os.path.join(source, "workloads/predict/halo.c"), "20", "2")
    expect(charts() == ["Predicted time", "Time of the mean rank by region"], charts())
    times, parts = drawn()
    expect([series["points"] for series in times["series"]] == [[[one["ranks"], one["low_seconds"], one["high_seconds"]] for one in result["predictions"]],
                                                                [[one["ranks"], one["seconds"]] for one in result["predictions"]]], times)
    expect(chromium.run("[...document.querySelectorAll('figure[data-chart] [aria-label=\"x-axis tick label\"] text')].map((e) => e.textContent)")[:2] == ["4", "8"], "ticks")
    lengths = {(point[2], series["name"]): point[1] - point[0] for series in parts["series"] for point in series["points"]}
    expect(len(lengths) == len(result["regions"]) and all(close(lengths[f"{row['ranks']} ranks", row["name"]], row["seconds"]) for row in result["regions"]), lengths)
    expect(len(rows("Regions, of the mean rank")[0]) == len(result["regions"]), "rows")
    expect(chromium.run("[...document.querySelectorAll('th')].map((e) => e.textContent)").count("Arguments") == 1, "measured arguments, not ranks")
    said = chromium.run("document.body.innerText")
    for words in ["computing was measured on cycle-level nodes 0,2 of 4", *result["assumptions"]]:
        expect(words in said, words)

    # Two runs on nodes: the cause is that of two networks, with the cycles and the energy of the nodes.
    run("cosim", "--quiet", "-n", "2", "--energy", "--set", "link.bandwidth=20 MB/s", "--json", "slow-nodes.json", "--report", "slow-nodes.html", "./halo", "20", "2")
    first, second = place.result("nodes.json"), place.result("slow-nodes.json")
    shown = run("compare", "--json", "two.json", "--report", "two.html", "nodes.json", "slow-nodes.json").stdout
    check_page(chromium, place.at("two.html"), expect, keyboard=False)
    difference = place.result("two.json")["differences"][0]["net"]
    (line,) = [line.strip() for line in shown.splitlines() if line.strip().startswith("the run takes ")]
    expect(line in chromium.run("document.body.innerText") and " more: a mean rank is " in line and "all messages together take " in line, line)
    spent = lambda result, key: sum(part[key] for part in [*result["compute"]["regions"], result["compute"]["outside"]]) / 2
    keys = {"computing": "compute", "work in calls and polls": "overhead", "waiting": "wait"}
    expect(difference["nodes"] and all(close(state["seconds"], spent(second, keys[state["name"]]) - spent(first, keys[state["name"]]))
                                       for state in difference["states"]), difference["states"])
    way = lambda result, pair: 1e-12 * sum(one["way"] for one in result["page"]["messages"]["messages"] if [one["from"], one["to"]] == pair)
    expect(len(difference["messages"]) >= 2 and all(close(one["seconds"], way(second, [one["from"], one["to"]]) - way(first, [one["from"], one["to"]]))
                                                    and one["seconds"] > 0 for one in difference["messages"]), difference["messages"])
    joules = lambda result, part: result["energy"]["parts"][part]["joules"]
    expect(difference["energy"] and all(close(one["joules"], joules(second, one["name"]) - joules(first, one["name"])) for one in difference["energy"]), difference["energy"])
    expect(difference["parts"] and difference["functions"] and len(rows("Mean rank by function")[0]) == len(difference["functions"]), difference)
    expect(charts() == ["Difference of a mean rank by state", "Difference of energy", "Change of the load of links"], charts())

# Two networks: the cause is in a sentence; the map has a cell for each link, and the tables the numbers of the result.
for name, speed in (("fast", "5 GB/s"), ("slow", "1 GB/s")):
    run(*net, "--quiet", "--set", f"link.bandwidth={speed}", "--json", f"{name}.json", "--report", f"{name}.html", "./program", "contention", "60000")
shown = run("compare", "--json", "two.json", "--report", "two.html", "fast.json", "slow.json").stdout
run("report", "two.json", "-o", "again.html")
expect(place.read("two.html") == place.read("again.html"), "the page of the saved comparison differs")
check_page(chromium, place.at("two.html"), expect, keyboard=False)
difference = place.result("two.json")["differences"][0]["net"]
(line,) = [line.strip() for line in shown.splitlines() if line.strip().startswith("the run takes ")]
expect(line in chromium.run("document.body.innerText"), line)
expect(charts() == ["Difference of a mean rank by state", "Change of the load of links"], charts())
links = drawn()[1]
expect([series["name"] for series in links["series"]] == [link["direction"] for link in difference["links"]] and
       [[point[1] for point in series["points"]] for series in links["series"]] == [link["change"] for link in difference["links"]], links)
cells = sum(len(link["change"]) for link in difference["links"])
expect(cells == 8 and chromium.run("document.querySelectorAll('figure[data-chart] svg [aria-label=bar] rect').length") >= cells, cells)
(messages,) = rows("Messages whose waits for others change most")
expect(len(messages) == len(difference["messages"]) and all(close(row[5], change["seconds"]) for row, change in
                                                            zip(messages, difference["messages"])), messages)
(states,) = rows("Mean rank by state")
expect(all(close(row[3], change["seconds"]) for row, change in zip(states, difference["states"])), states)
# The same changes on the machine: the first link in the picture has the loads of both results.
expect(chromium.run("document.querySelector('[data-machine] .machine-box').dataset.links") == str(cells), "the machine")
chromium.run("document.querySelector('canvas.machine').focus()")
chromium.press("ArrowRight", 39)
loads = [place.result(f"{name}.json")["page"]["loads"] for name in ("fast", "slow")]
first, second = (100 * int.from_bytes(base64.b64decode(one["total"])[:2], "little") / 65535 * one["most"] for one in loads)
numbers = [float(number) for number in re.findall(r"([\d.]+) %", chromium.run("document.querySelector('[data-machine] [role=status]').textContent"))]
expect(len(numbers) == 2 and abs(numbers[0] - first) <= 0.005 * first + 1e-9 and abs(numbers[1] - second) <= 0.005 * second + 1e-9, numbers, first, second)
expect(not chromium.errors, chromium.errors)
chromium.close()
