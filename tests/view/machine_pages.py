# SPDX-License-Identifier: Apache-2.0
"""machine_pages.py PSIM SOURCE CHROMIUM: the machine as drawn on pages of `psim net`, in a browser.

Links, loads, histories and sources are compared with the result and with the CSV files of the same run."""
import base64
import csv
import json
import os
import sys

psim, source, browser = sys.argv[1:4]
sys.path[:0] = [os.path.join(source, "tests"), os.path.join(source, "tests/view")]
from browser import Browser
from commands import Place, expect
from page_checks import check_page

if not os.path.exists(browser):
    print("skipped: chromium is not installed")
    sys.exit(77)
place = Place("machine_pages")
run = lambda *words, status=0: place.call(psim, *words, status=status)
chromium = Browser(browser)
machine = lambda key: chromium.run(f"document.querySelector('.machine-box').dataset.{key}")
status = lambda: chromium.run("document.querySelector('#machine-map [role=status]').textContent")
details = lambda: chromium.run("(() => { const e = document.querySelector('.machine-link'); return e.hidden ? '' : e.innerText; })()")


def numbers(text, bytes_each=1):
    raw = base64.b64decode(text)
    return [int.from_bytes(raw[i:i + bytes_each], "little") for i in range(0, len(raw), bytes_each)]


def goal(name, ranks, *messages):
    """Writes a replay in which `messages` are (from, to, bytes), one after the other at each rank."""
    parts = {rank: [] for rank in range(ranks)}
    for tag, (source_rank, target, size) in enumerate(messages):
        parts[source_rank].append(f"send {size}b to {target} tag {tag}")
        parts[target].append(f"recv {size}b from {source_rank} tag {tag}")
    lines = [f"num_ranks {ranks}"]
    for rank, operations in parts.items():
        lines += [f"rank {rank} {{", *(f"l{i}: {operation}" for i, operation in enumerate(operations)),
                  *(f"l{i} requires l{i - 1}" for i in range(1, len(operations))), "}"]
    place.write(name, "\n".join(lines) + "\n")


def page_of(name, *words):
    """Runs with a page and a result; returns the result and the rows of links.csv."""
    run("net", "--quiet", "--json", f"{name}.json", "--report", f"{name}.html", "--csv", f"{name}-csv", *words)
    run("report", f"{name}.json", "-o", f"{name}-again.html")
    expect(place.read(f"{name}.html") == place.read(f"{name}-again.html"), name, "the page of the saved result differs")
    with open(place.at(f"{name}-csv/links.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return place.result(f"{name}.json"), rows


# A mesh: each number of the picture is that of the run. Ranks 0 and 1 send to rank 2 over the link from router 1.
goal("row.goal", 6, (0, 2, 40960), (1, 2, 20480), (3, 5, 4096))
result, rows = page_of("row", "--set", "topology.kind=mesh", "--set", "topology.shape=3x2", "--replay", "row.goal")
page = result["page"]
between = [row for row in rows if row["to_router"]]
drawn, loads, history = page["machine"], page["loads"], page["history"]
expect(drawn["form"] == "planes" and drawn["links"] == len(between) == 14 and drawn["points"] == 6, drawn["form"], drawn["links"])
sources, targets, kinds, total = numbers(drawn["from"], 2), numbers(drawn["to"], 2), numbers(drawn["kind"]), numbers(loads["total"], 2)
found = {}
for row in between:
    (link,) = [i for i in range(14) if (sources[i], targets[i], drawn["kinds"][kinds[i]]["name"]) == (int(row["router"]), int(row["to_router"]), row["direction"])]
    found[link] = row
    busy = float(row["busy_s"]) / result["seconds"]
    expect(abs(total[link] / 65535 * loads["most"] - busy) <= loads["most"] / 65535, row, total[link])
slices, busy = history["slices"], numbers(history["busy"])
for link, row in found.items():
    expect((int(row["packets"]) > 0) == (sum(busy[link * slices:(link + 1) * slices]) > 0), row)
    length = lambda i: min(history["end_ps"], (i + 1) * history["slice_ps"]) - i * history["slice_ps"]
    over_time = sum(busy[link * slices + i] / 255 * history["most"] * length(i) for i in range(slices))
    expect(abs(over_time - 1e12 * float(row["busy_s"])) <= history["most"] / 255 * history["end_ps"], row, over_time)
picked = {one["link"]: one for one in history["picked"]}
for link, row in found.items():
    expect((link in picked) == (int(row["packets"]) > 0), row)
    if link in picked:
        expect([picked[link]["packets"], picked[link]["bytes"]] == [int(row["packets"]), int(row["bytes"])], picked[link], row)
        expect(sum(number - over for _, number, over in picked[link]["sources"]) == picked[link]["bytes"], "sources", picked[link])
(shared,) = [link for link in picked if (sources[link], targets[link]) == (1, 2)]
expect([node for node, _, _ in picked[shared]["sources"]] == [0, 1], picked[shared])

check_page(chromium, place.at("row.html"), expect)
expect(machine("links") == "14", machine("links"))
# By keyboard: the picture is chosen, and the arrow keys go through the links.
chromium.run("document.querySelector('canvas.machine').focus()")
for _ in range(shared + 1):
    chromium.press("ArrowRight", 39)
expect(machine("picked") == str(shared) and "router 1 (1,0) → router 2 (2,0), +X" in status(), machine("picked"), status())
text = details()
expect("rank 0" in text and "rank 1" in text and f"{picked[shared]['packets']} packets" in text, text)
shown = chromium.run("document.getElementById('machine-map').dataset.history").split(",")
expect([float(number) for number in shown] == [round(100 * busy[shared * slices + i] / 255 * history["most"], 3) for i in range(slices)], shown)
chromium.press("Escape", 27)
expect(machine("picked") == "-1" and details() == "", details())
# The slider through time, by keyboard: the texts are those of the slice, the picture changes.
picture = lambda: chromium.run("document.querySelector('canvas.machine').toDataURL()")
whole = picture()
chromium.run("document.querySelector('#machine-map input[type=range]').focus()")
chromium.press("ArrowRight", 39)
first = chromium.run("document.querySelector('#machine-map output').textContent")
expect(chromium.run("document.getElementById('machine-map').dataset.slice") == "0" and first.startswith("0 s to "), first)
chromium.press("End", 35)
expect(chromium.run("document.getElementById('machine-map').dataset.slice") == str(slices - 1) and picture() != whole, "the last slice")
# By pointer, and from the table of links.
chromium.run("document.querySelector('#machine-map ~ div tbody button').click()")
busiest = max(picked, key=lambda link: total[link])
expect(machine("picked") == str(history["picked"][0]["link"]) and total[int(machine("picked"))] == total[busiest], machine("picked"))
chromium.run("document.querySelector('canvas.machine').scrollIntoView({ block: 'center' })")
box = chromium.run("(() => { const b = document.querySelector('canvas.machine').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()")
scale = min((box[2] - 32) / drawn["width"], (box[3] - 32) / drawn["height"], 90)
at = [box[0] + box[2] / 2 + (0.25 - drawn["width"] / 2) * scale, box[1] + box[3] / 2 - drawn["height"] / 2 * scale]
for kind in ("mousePressed", "mouseReleased"):
    chromium.mouse(kind, *at, button="left", clickCount=1, buttons=1 if kind == "mousePressed" else 0)
expect("router 0 (0,0) → router 1 (1,0), +X" in status(), status())
chromium.picture(place.at("row.png"))

# Every topology: one line for each link, the same number as in the CSV; light and dark, narrow and wide.
place.write("net.dot", """graph n {
  node [nodes=2]; a -- s [cables=2]; b -- s; c -- t; s -- t [kind="<b>long</b>"]; s [nodes=0]; t [nodes=0];
}
""")
place.write("ring.dot", "graph r { a -- b; b -- c; c -- d; d -- e; e -- a; a -- c }\n")
for name, form, nodes, *words in (("torus", "planes", 0, "torus", "4x3x2"), ("four", "planes", 0, "mesh", "3x2x2x2"), ("ring", "ring", 0, "torus", "9"),
                                  ("tofu", "units", 0, "tofu", "2x1x1"), ("tree", "levels", 16, "fat-tree", "4x4"), ("dragonfly", "groups", 0, "dragonfly", "4x1x1"),
                                  ("full", "groups", 0, "full", "4x4:2"), ("hyperx", "planes", 0, "hyperx", "4x4"), ("hypercube", "planes", 0, "hypercube", "5"),
                                  ("slim-fly", "groups", 0, "slim-fly", "5:1"), ("dragonfly-plus", "groups", 0, "dragonfly+", "2x2x2x1"),
                                  ("express", "planes", 0, "express-mesh", "9x5:4"), ("star", "switch", 8, "crossbar", "8"),
                                  ("levels", "levels", 6, "file", "net.dot"), ("graph", "graph", 0, "file", "ring.dot")):
    goal("all.goal", 4, (0, 1, 4096), (1, 2, 4096), (2, 3, 4096), (3, 0, 4096))
    result, rows = page_of(name, "--set", f"topology.kind={words[0]}", "--set", f"topology.shape={words[1]}", "--set", "router.virtual_channels=8",
                           "--replay", "all.goal")
    drawn = result["page"]["machine"]
    links = [row for row in rows if row["direction"] != "from-node" and (row["to_router"] or nodes)]
    expect(drawn["form"] == form and drawn["links"] == len(links) and len(numbers(drawn["x"], 2)) == drawn["points"] + nodes, name, drawn["form"], drawn["links"], len(links))
    if name in ("tofu", "levels"):
        check_page(chromium, place.at(f"{name}.html"), expect, keyboard=False)
    else:
        chromium.open(place.at(f"{name}.html"), dark=name in ("tree", "graph"))
        expect(not chromium.errors, name, chromium.errors)
    expect(machine("links") == str(len(links)), name, machine("links"))
    expect(chromium.run("(() => { const c = document.querySelector('canvas.machine'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, seen = new Set();"
                        "for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return seen.size; })()") > 12, name, "is drawn")
    chromium.run("document.querySelector('canvas.machine').scrollIntoView()")
    chromium.picture(place.at(f"{name}.png"))
expect("<b>long</b>" in json.dumps(place.result("levels.json")["page"]["machine"]), "names of kinds")

# Jobs and sleeping links.
goal("two.goal", 2, (0, 1, 65536), (1, 0, 65536))
place.write("<i>jobs.toml", '["<b>one</b>"]\nreplay = "two.goal"\n[other]\nreplay = "two.goal"\n')
result, rows = page_of("jobs", "--set", "topology.kind=mesh", "--set", "topology.shape=4", "--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=2 us",
                       "--set", "link.sleep.wake=200 ns", "--jobs", "<i>jobs.toml")
history = result["page"]["history"]
low, slices = numbers(history["low"]), history["slices"]
owners, drawn = numbers(history["owner"]), result["page"]["machine"]
expect(history["names"] == ["<b>one</b>", "other"] and numbers(history["job_of_point"]) == [1, 1, 2, 2], history["names"])
of_link = {(a, b): owner for a, b, owner in zip(numbers(drawn["from"], 2), numbers(drawn["to"], 2), owners)}
expect(of_link[0, 1] == of_link[1, 0] == 1 and of_link[2, 3] == of_link[3, 2] == 2 and of_link[1, 2] == 0, of_link)
idle = [i for i, owner in enumerate(owners) if owner == 0][0]
sleeping = [low[idle * slices + i] for i in range(slices) if i * history["slice_ps"] >= 2_000_000]
expect(sleeping and all(part == 255 for part in sleeping) and low[idle * slices] == 0, "a link without packets sleeps after 2 us", low[idle * slices:(idle + 1) * slices])
check_page(chromium, place.at("jobs.html"), expect)
expect(chromium.run("document.querySelectorAll('b, i.swatch b').length") == 0 and chromium.run("document.querySelectorAll('#machine-map select option').length") == 3, "names stay text")
for choice in ("low", "job"):
    before = picture()
    chromium.run(f"(() => {{ const s = document.querySelector('#machine-map select'); s.value = '{choice}'; s.dispatchEvent(new Event('change')); }})()")
    expect(picture() != before, choice)
expect("<b>one</b>" in chromium.run("document.querySelector('#machine-map .legend').textContent"), "legend of jobs")

# Many routers are aggregated, and the page stays below its limit.
run("net", "--quiet", "--json", "many.json", "--report", "many.html", "--set", "topology.shape=40x30x20", "--replay", "all.goal")
result = place.result("many.json")
drawn = result["page"]["machine"]
expect(drawn["routers"] == 24000 and 2500 < drawn["points"] <= 10000 and sum(drawn["channels"]) == 6 * 24000, drawn["points"])
expect(os.path.getsize(place.at("many.html")) < 2_500_000, os.path.getsize(place.at("many.html")))
seconds = chromium.open(place.at("many.html"))
print(f"24,000 routers: {os.path.getsize(place.at('many.html'))} bytes, first frame after {seconds:.2f} s")
expect(machine("links") == str(drawn["links"]) and not chromium.errors, chromium.errors)

# More links than a picture has lines: fewer points, and the page states it.
run("net", "--quiet", "--json", "full.json", "--report", "full.html", "--set", "topology.kind=full", "--set", "topology.shape=400", "--replay", "row.goal")
drawn = place.result("full.json")["page"]["machine"]
expect(drawn["points"] < 400 and drawn["links"] <= 100_000 and sum(drawn["channels"]) == 400 * 399, drawn["points"], drawn["links"])
expect(os.path.getsize(place.at("full.html")) < 2_500_000, os.path.getsize(place.at("full.html")))
chromium.open(place.at("full.html"))
expect(f"159,600 directions of links are drawn as {drawn['links']:,} lines: up to" in chromium.run("document.body.innerText"), "note")

# More jobs than colours: each colour names its jobs, and a link its job.
place.write("ten.toml", "".join(f'[job{i}]\nreplay = "two.goal"\n' for i in range(10)))
run("net", "--quiet", "--report", "ten.html", "--set", "topology.shape=20", "--jobs", "ten.toml")
check_page(chromium, place.at("ten.html"), expect, keyboard=False)
legend = chromium.run("document.querySelector('#machine-map .legend').textContent")
expect("routers of job0, job8" in legend and "10 jobs share 8 colours; point at a link to read its job." in legend, legend)
chromium.run("document.querySelector('#machine-map canvas').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }))")
expect("from a router of job0" in status(), status())

# Results of --json alone: the total load of a small machine, and a line about what is missing.
run("net", "--quiet", "--json", "bare.json", "--set", "topology.kind=mesh", "--set", "topology.shape=3x2", "--replay", "row.goal")
bare = place.result("bare.json")["page"]
expect("history" not in bare and bare["loads"]["total"] == loads["total"], bare.keys())
run("report", "bare.json", "-o", "bare.html")
chromium.open(place.at("bare.html"))
expect(machine("links") == "14" and "the load of links over time: run with --report" in chromium.run("document.body.innerText"), "missing")
chromium.close()
print("good")
