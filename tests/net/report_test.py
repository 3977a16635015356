# SPDX-License-Identifier: Apache-2.0
"""report_test.py PSIM SOURCE PART CHROMIUM: reports of `psim net` in a browser."""
import os
import re
import subprocess
import sys

from runs import at, build, expect, part, run, source, two_jobs

browser = sys.argv[4]


def report():
    if not os.path.exists(browser):
        print("skipped: chromium is not installed")
        sys.exit(77)
    program = build("workloads/mgen/random_ring.c")
    page = at("report.html")
    run("-n", 64, "--report", page, program, 100000, 2)
    text = open(page).read()
    expect("http://" not in text.replace("http://www.w3.org", "") and "<script src" not in text, "the page stands alone")
    # Scripts draw the charts: each leaves a canvas, and the machine has its links.
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={at('profile')}",
                           "--virtual-time-budget=3000", "--dump-dom", "file://" + page], capture_output=True, text=True,
                          timeout=120)
    dom = done.stdout
    for title in ("Links busy, by direction", "Buffers of virtual channels", "Share of packets by latency"):
        expect(f"{title}" in dom, title)
    expect(dom.count("<canvas") >= 4 and "+X" in dom and 'data-links="384"' in dom, dom.count("<canvas"))
    expect("Ranks over time" in dom and 'data-rows="64"' in dom and "receiving" in dom, "the rows of ranks")
    picture = subprocess.run([sys.executable, os.path.join(source, "report/testing/browser_check.py"), browser, page,
                              at("report.png"), "4x4x4"], capture_output=True, text=True, timeout=120)
    expect(picture.returncode == 0, picture.stdout)
    # The scale ends at the largest share, rounded up; the list begins with it.
    ranked = re.findall(r'<td class="n">([\d.]+) %</td>', dom[dom.index("The most used links"):])
    scale = [float(number) for number in re.findall(r"<span>([\d.]+) %</span>", dom[dom.index('class="numbers"'):])[:5]]
    busiest = float(ranked[0])
    expect(ranked == sorted(ranked, key=float, reverse=True) and len(ranked) == 20, ranked)
    expect(scale[0] == 0 and busiest <= scale[4] <= max(2.5 * busiest, busiest + 0.01) and scale[4] <= 100, scale, busiest)

    # Jobs with sleeping links: the tables are text, the charts are drawn, and no script fails.
    sys.path.insert(0, os.path.join(source, "tests/view"))
    from browser import Browser
    chromium = Browser(browser)
    build("tests/net/programs/job.c")
    sleeping = ("--set", "link.sleep.policy=fixed", "--set", "link.sleep.after=2 us", "--set", "link.sleep.wake=200 ns")
    run("--set", "topology.shape=4x4", *sleeping, "--compare", "always-on", "--compare", "alone", "--report", page, "--jobs",
        two_jobs())
    chromium.open(page)
    text = chromium.run("document.body.innerText")
    for words in ("Energy of links", "if always on", "Against the same run with links always on", "Links kept awake, by job",
                  "no job, or in low power", "In low power", "Slow-down", "Power of links", "Links busy, by direction"):
        expect(words in text, words, text)
    rows = lambda section: chromium.run(f"document.querySelectorAll('section[aria-labelledby={section}] .scroll tbody tr').length")
    expect(rows("jobs") == 2 and rows("link-energy") == 4 + 2 + 1 + 3, rows("jobs"), rows("link-energy"))
    expect(chromium.run("document.getElementById('ranks-box').dataset.names") == "a: rank 0, b: rank 5", "names of ranks")
    expect(chromium.run("[...document.querySelectorAll('.chart h3')].map((h) => h.textContent).includes('Power of links')"), "chart")

    # Traffic: curves over the load, and the links at the selected load.
    run("--traffic", "uniform", "-n", 16, "--load", "0.05,0.2,0.9", *sleeping, "--report", page)
    chromium.open(page)
    titles = chromium.run("[...document.querySelectorAll('.chart h3')].map((h) => h.textContent)")
    expect(titles == ["Latency of messages", "Throughput, as a share of nic.bandwidth", "Power of links"], titles)
    expect(chromium.run("window.psim.axes('load', ' W')[1].values(null, [null, 1500])") == ["", "1,500 W"], "labels of an axis")
    expect(rows("load") == 3 and chromium.run("document.getElementById('map-load').options.length") == 3, "points")
    shown = lambda: chromium.run("document.querySelector('canvas.machine').toDataURL()")
    first = shown()
    chromium.run("(() => { const s = document.getElementById('map-load'); s.selectedIndex = 2; s.dispatchEvent(new Event('change')); })()")
    expect(len(first) > 1000 and shown() != first, "the map of another load")
    tables = chromium.run("[...document.querySelectorAll('.ranked')].map((table) => table.hidden)")
    expect(tables == [True, True, False], "the links of that load", tables)
    numbers = chromium.run("[80, 1234567, 0.5, 1.2e-5, 0].map((n) => window.psim.si(n, 'W'))")
    expect(numbers == ["80 W", "1.235 MW", "500 mW", "12 µW", "0 W"], numbers)
    chromium.picture(at("traffic.png"))
    expect(not chromium.errors, chromium.errors)
    chromium.close()


globals()[part]()
