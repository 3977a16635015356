#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens pages of `psim view --html` in headless chromium, moves through them and holds what they say against the dump.

usage: dump_page.py PSIM SOURCE_DIR WORK_DIR [CHROMIUM]; status 77: a tool is not installed.
"""
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

from browser import Browser  # noqa: E402

psim, source, work = sys.argv[1:4]
chromium = sys.argv[4] if len(sys.argv) > 4 else ""
compiler = shutil.which("sparc64-linux-gnu-gcc")
sys.path.insert(0, f"{source}/report/testing")
from browser_check import pixels  # noqa: E402

shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
os.chdir(work)


def run(*words, status=0):
    done = subprocess.run([psim, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == status, f"psim {' '.join(words)}: status {done.returncode}\n{done.stderr}"
    return done


def synthetic(path, instructions):
    """A lawful dump, every fourth instruction on the PEs, with misses and wake-ups."""
    chance = random.Random(7)
    events, fetch, commit = {}, 100, 0

    def at(cycle, line):
        events.setdefault(cycle, []).append(line)

    for i in range(instructions):
        fetch += chance.random() < 0.3
        pes = i % 4 == 3
        cycle = fetch
        at(cycle, f"I\t{i}\t{i}\t0\nL\t{i}\t0\t0x{0x10000 + 4 * (i % 5000):08x}: {'fmaddd' if pes else 'add'} %f{i % 32}")
        for stage in ["IA", "IT", "IM", "IB", "IR", "E", "D", "P", "B", *(["C"] if pes else []), "X"]:
            at(cycle, f"S\t{i}\t0\t{stage}")
            if stage == "D" and i and i % 3 == 0:
                at(cycle + 1, f"S\t{i}\t1\toperand")
                at(cycle + 3, f"E\t{i}\t1\toperand\nW\t{i}\t{i - 1}\t0")
                cycle += 2
            cycle += 1
        at(cycle, f"S\t{i}\t0\tU")
        if i % 1000 == 500:
            at(cycle, f"S\t{i}\t1\tl2_miss")
            at(cycle + 150, f"E\t{i}\t1\tl2_miss")
            cycle += 150
        commit = max(commit, cycle + 1)
        if pes:
            at(commit, f"S\t{i}\t0\tW1")
            commit += 1
        at(commit, f"S\t{i}\t0\tW")
        at(commit + 1, f"R\t{i}\t{i}\t0")
        if i % 60 == 59:
            fetch = max(fetch, commit - 40)
    with open(path, "w") as out:
        last = min(events)
        out.write(f"Kanata\t0004\nC=\t{last}\n")
        for cycle in sorted(events):
            if cycle != last:
                out.write(f"C\t{cycle - last}\n")
            out.write("\n".join(events[cycle]) + "\n")
            last = cycle


def earliest_fetch(path, from_cycle):
    """The first cycle of the instructions of a dump that are in flight at `from_cycle` or later."""
    cycle, fetched, ended = 0, {}, {}
    for line in open(path):
        words = line.split("\t")
        if words[0] == "C=":
            cycle = int(words[1])
        elif words[0] == "C":
            cycle += int(words[1])
        elif words[0] == "I":
            fetched[words[1]] = cycle
        elif words[0] == "R":
            ended[words[1]] = cycle
    return min(fetched[each] for each, end in ended.items() if end > from_cycle)


# An input that cannot become a page is reported in one line, and no file is left.
MANY = 100_000
synthetic("many.kanata", MANY)
whole = open("many.kanata").read()
open("cut.kanata", "w").write(whole[:20003])  # within a line
open("empty.kanata", "w").write("Kanata\t0004\nC=\t0\n")
result = {"schema": 2, "cycles": 5}
signed = json.dumps(result, sort_keys=True, separators=(",", ":")).encode()
open("result.json", "w").write(json.dumps({**result, "result_hash": hashlib.sha256(signed).hexdigest()}))
for words, expected in ((["cut.kanata", "--html", "x.html"], r"psim: cut.kanata:\d+: .*truncated\?"),
                        (["gone.kanata", "--html", "x.html"], r"psim: gone.kanata: .*"),
                        (["empty.kanata", "--html", "x.html"], r"psim: empty.kanata: the dump holds no instruction"),
                        (["many.kanata", "--html", "/nonexistent/x.html"], r"psim: --html /nonexistent/x.html: .*"),
                        (["many.kanata", "--html", "x.html", "--energy", "result.json"], r"psim: --energy result.json: no energy .*"),
                        (["many.kanata", "--html", "x.html", "--energy", "many.kanata"], r"psim: many.kanata: not JSON: .*"),
                        (["many.kanata", "--html", "x.html", "--width", "80"], r"psim: .*--html.*--width.*|psim: .*--width.*--html.*"),
                        (["many.kanata", "--energy", "result.json"], r"psim: .*--energy.*--html.*")):
    said = run("view", *words, status=2)
    assert re.fullmatch(expected + r"\n", said.stderr), (words, said.stderr)
assert not [name for name in os.listdir(".") if name.startswith("x.html") or name.startswith(".")], os.listdir(".")

run("view", "--check", "many.kanata")
run("view", "many.kanata", "--html", "many.html")
run("view", "cut.kanata", "--partial", "--html", "partial.html")
size = os.path.getsize("many.html")
assert size < 20e6, f"a page of {MANY} instructions takes {size} bytes"
assert not re.search(r'(src|href)\s*=\s*"(?!#)|https?://', open("many.html").read()), "the page points outside itself"
if not (chromium and os.path.exists(chromium)):
    print("chromium is not installed: the pages are not looked at")
    sys.exit(77)

browser = Browser(chromium)


def text(element):
    return browser.run(f"document.getElementById('{element}').textContent")


def go_to(place):
    browser.run(f"(() => {{ const go = document.getElementById('stage-go'); go.value = '{place}';"
                "go.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' })); })()")
    browser.frame()
    return text("stage-found")


def box(element):
    return browser.run(f"(() => {{ const b = document.getElementById('{element}').getBoundingClientRect();"
                       "return [b.left, b.top, b.width, b.height]; })()")


def hover(down, right=400):
    """Returns the text that the page shows for the row `down` pixels below the ruler."""
    left, top, _, _ = box("stage-scroll")
    browser.mouse("mouseMoved", left + right, top + 22 + down)
    return text("stage-tip")


def colours(name):
    """Returns the number of colours that the stage view shows."""
    left, top, width, height = (int(n) for n in box("stage-scroll"))
    browser.picture(name)
    rows, size = pixels(name)
    return len({row[x:x + size] for row in rows[top:top + height:3] for x in range((left + 340) * size, (left + width - 20) * size, 2 * size)})


def blue(name):
    """Pixels of the stage view that are as blue as only an arrow is."""
    left, top, width, height = (int(n) for n in box("stage-scroll"))
    browser.picture(name)
    rows, size = pixels(name)
    return sum(row[x + 2] - row[x] > 160 for row in rows[top + 22:top + height]
               for x in range((left + 340) * size, (left + width - 20) * size, size))


def choose(lane):
    browser.run(f"(() => {{ const lane = document.getElementById('stage-lane'); lane.value = '{lane}';"
                "lane.dispatchEvent(new Event('change')); })()")
    browser.frame()


# Milliseconds that drawing takes in each of 60 frames, all of which change; reading a pixel waits for the drawing.
FRAMES = """new Promise((done) => {
  const scroll = document.getElementById("stage-scroll"), canvas = document.getElementById("stage-canvas"), times = [];
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const step = () => {
    let began;
    requestAnimationFrame(() => { began = performance.now(); });
    scroll.scrollTop = (scroll.scrollTop + %s) %% (scroll.scrollHeight - scroll.clientHeight);
    scroll.dispatchEvent(new Event("scroll"));
    requestAnimationFrame(() => {
      pixel.drawImage(canvas, 500, 100, 1, 1, 0, 0, 1, 1);
      pixel.getImageData(0, 0, 1, 1);
      times.push(performance.now() - began);
      times.length < 60 ? setTimeout(step, 0) : done(times.sort((a, b) => a - b));
    });
  };
  step();
})"""


def frames(what, pixels_a_frame):
    times = browser.run(FRAMES % pixels_a_frame)
    print(f"{what}: {times[30]:.1f} ms to draw a frame, 95 % below {times[56]:.1f} ms")
    return times[30]


try:
    # The synthetic dump.
    opened = browser.open(f"{work}/many.html")
    print(f"{MANY} instructions: {size / 1e6:.1f} MB, opened in {opened:.2f} s")
    assert opened < 20, opened
    assert f"{MANY:,} instructions" in browser.run("document.querySelector('header').textContent")
    assert "waits: operand" in text("stage-legend") and "waits: l2 miss" in text("stage-legend")
    assert text("strip-title").startswith("Instructions per cycle over time, cycles 100 to "), text("strip-title")
    assert colours("many.png") >= 8
    lines = whole.splitlines()

    def told(number):
        """Text of an instruction and where its stages begin, read from the dump here."""
        cycle, begins, label = 0, {}, ""
        for line in lines:
            words = line.split("\t")
            if words[0] == "C=":
                cycle = int(words[1])
            elif words[0] == "C":
                cycle += int(words[1])
            elif words[1:2] == [str(number)]:
                if words[0] == "L" and words[2] == "0":
                    label = words[3]
                elif words[0] == "S" and words[2] == "0":
                    begins[words[3]] = cycle
                elif words[0] == "R":
                    return label, begins, cycle
        raise AssertionError(number)

    for number in (0, 70_503, MANY - 1):
        assert go_to(f"#{number}") == ""
        label, begins, end = told(number)
        said = hover(4)
        assert said.startswith(label + "\n") and f"instruction {number}, retired as {number}, cycles {begins['IA']} to {end - 1}" in said, said
        for stage, begin in begins.items():
            assert re.search(rf"\b{stage} {begin}\b", said), (stage, begin, said)
        assert (", on the PEs" in said) == (number % 4 == 3), said
    # A waiting instruction; its arrows go with the pointer.
    go_to("#70503")
    assert "waited operand 2" in hover(4), hover(4)
    arrow = blue("arrow.png")
    browser.mouse("mouseMoved", 5, 5)
    assert blue("arrow.png") == 0 and arrow > 20, arrow
    _, begins, _ = told(50_000)
    go_to(str(begins["X"]))
    first = hover(4)
    assert begins["X"] < int(re.search(r"cycles \d+ to (\d+)", first)[1]) + 1, first
    assert go_to("0x10010") == "" and hover(4).startswith("0x00010010: "), hover(4)
    assert go_to("0xdead0000") == "not in this view"

    # The lanes.
    go_to("#4000")
    choose("pes")
    assert "instruction 4003," in hover(4) and "instruction 4007," in hover(4 + 18), hover(4)
    choose("scalar")
    assert all(", on the PEs" not in hover(4 + 18 * row) for row in range(8))
    choose("both")

    # Keys and wheel move the view; both zooms keep something in sight, down to the whole dump.
    browser.run("document.getElementById('stage-scroll').focus()")
    go_to("#500")
    browser.key("ArrowDown")
    assert "instruction 501," in hover(4), hover(4)
    left, top, _, _ = box("stage-scroll")
    browser.mouse("mouseWheel", left + 500, top + 100, deltaX=0, deltaY=1800)
    for _ in range(100):  # a wheel's scrolling takes its time
        if "instruction 601," in hover(4):
            break
        time.sleep(0.1)
    assert "instruction 601," in hover(4), hover(4)
    scrolling = frames("scrolling, letters in sight", 331)
    go_to("#50000")
    for _ in range(12):
        browser.mouse("mouseWheel", left + 500, top + 100, deltaX=0, deltaY=100, modifiers=2)
    assert colours("texture.png") >= 5
    scrolling = max(scrolling, frames("scrolling, zoomed out to a texture", 97))
    for _ in range(40):
        browser.run("document.getElementById('stage-out').click()")
    browser.run("document.getElementById('stage-scroll').scrollTop = 0")
    browser.frame()
    assert colours("all.png") >= 5
    scrolling = max(scrolling, frames("all in sight", 3))
    assert scrolling < 250, "a frame takes too long even for a busy machine"
    for _ in range(60):
        browser.run("document.getElementById('stage-in').click()")
    assert colours("near.png") >= 5

    # A click on the strip goes there.
    go_to("#0")
    left, top, width, _ = box("strip-canvas")
    x, y = left + width / 2, top + 30
    browser.run("document.getElementById('strip-canvas').scrollIntoView()")
    left, top, width, _ = box("strip-canvas")
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        browser.mouse(kind, left + width / 2, top + 30, button="left", clickCount=1)
    assert re.match(r"cycles [\d,]+ to [\d,]+: [\d.]+ IPC", text("strip-read")), text("strip-read")
    browser.run("window.scrollTo(0, 0)")
    assert 40_000 < int(re.search(r"instruction (\d+)", hover(4))[1]) < 60_000, hover(4)

    # Truncated instructions are marked.
    browser.open(f"{work}/partial.html")
    go_to("#0")
    assert "retired as 0" in hover(4), hover(4)
    browser.run("document.getElementById('stage-scroll').scrollTop = 1e9")
    browser.frame()
    assert "cut off by the dump's end" in hover(4), hover(4)

    # A real run with its energy, in both themes.
    if compiler:
        subprocess.run([compiler, "-O2", "-static", f"-I{source}/workloads/include", f"{source}/tests/view/marked.c", "-o", "marked"],
                       check=True)
        run("run", "--energy", "--kanata", "run.kanata", "--json", "run.json", "./marked", status=5)
        run("view", "run.kanata", "--energy", "run.json", "--html", "run.html", "--from", "20000")
        over = json.load(open("run.json"))["energy"]["over_time"]
        clock = 2e9
        ends = [0, *over["end_cycle"]]
        power = [joules / (end - begin) * clock for joules, begin, end in zip(over["joules"], ends, ends[1:])]
        # The strip begins with the earliest fetch of what is in flight at cycle 20,000 or later.
        began = earliest_fetch("run.kanata", 20_000)
        left_out = sum(end <= began for end in over["end_cycle"])
        for dark in (False, True):
            browser.open(f"{work}/run.html", dark)
            assert f"cycles {began:,} to" in text("strip-title"), (began, text("strip-title"))
            highest = float(re.search(r"highest ([\d.]+) W", text("strip-title"))[1])
            assert abs(highest - max(power[left_out:])) < 0.01 * highest, (highest, power)
            assert colours("run.png") >= 8
            assert go_to("fdivd") == "" and "fdivd" in hover(4), hover(4)
            alone = float(re.search(r"\benergy ([\d.]+) nJ", hover(4))[1])
            assert 2 < alone < 100, hover(4)
            # The strip by stage.
            assert browser.run("document.getElementById('strip-by').hidden") is False
            browser.run("""{ const by = document.getElementById('strip-by'); by.value = 'stages';
                            by.dispatchEvent(new Event('change')); }""")
            stages = [sum(each) / (end - begin) * clock for *each, begin, end in
                      zip(*over["by_stage"].values(), ends, ends[1:])]
            assert text("strip-title").startswith("Power of the stages over time"), text("strip-title")
            highest = float(re.search(r"highest ([\d.]+) W", text("strip-title"))[1])
            assert abs(highest - max(stages[left_out:])) < 0.01 * highest, (highest, stages)
            assert text("strip-legend").startswith("IA"), text("strip-legend")
            assert browser.run("document.getElementById('stage-lane').closest('label').offsetWidth") == 0, "no PEs in this run"
            paper = browser.run("getComputedStyle(document.body).backgroundColor")
            assert (paper == "rgb(20, 23, 28)") == dark, paper

        # A kernel on the PEs.
        sys.path.insert(0, f"{source}/benches")
        from measure import FLAGS, compile_kernel
        compile_kernel("paper/dgemm", FLAGS, "dgemm")
        run("run", "--machine", "simd16", "--energy", "--kanata", "simd.kanata", "--window", "region=dgemm", "./dgemm", "simd", "64")
        run("view", "--check", "simd.kanata")
        run("view", "simd.kanata", "--html", "simd.html")
        browser.open(f"{work}/simd.html")
        choose("pes")
        assert go_to("fmaddd") == ""
        said = hover(4)
        assert "fmaddd" in said and ", on the PEs" in said and re.search(r"B \d+, C \d+, X [\d\u2013]+, U [\d\u2013]+, W1 \d+", said), said
        # 16 PEs, each with B, six cycles of X and U: more than 16 × 2.9 nJ; a scalar multiply-add about 7 nJ.
        assert 46 < float(re.search(r"\benergy ([\d.]+) nJ", said)[1]) < 100, said
        choose("scalar")
        if go_to("fmaddd") == "":  # one of a wrong path, which did not come as far as C
            assert "flushed" in hover(4) and not re.search(r" C \d", hover(4)), hover(4)
    assert not browser.errors, browser.errors
finally:
    browser.close()
print("good")
