#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the documentation as HTML and follows its links: check_site.py ROOT PSIM

Needs python3-sphinx and python3-myst-parser; without them the test is skipped (77).
"""
import html.parser
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

root, psim = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
python = next((one for one in (sys.executable, "/usr/bin/python3") if os.path.exists(one) and subprocess.run(
    [one, "-c", "import sphinx, myst_parser"], capture_output=True).returncode == 0), None)
if python is None:
    print("python3-sphinx and python3-myst-parser are not installed")
    sys.exit(77)
failures = links = 0


def fail(text):
    global failures
    failures += 1
    print(text)


class Page(html.parser.HTMLParser):
    """The names and the targets of a page."""

    def __init__(self, path):
        super().__init__()
        self.names, self.targets = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.names.add(given.get("id"))
        for key in ("href", "src"):
            if given.get(key):
                self.targets.append(given[key])


with tempfile.TemporaryDirectory(prefix="psim-site-test-") as scratch:
    site = pathlib.Path(scratch, "site")
    done = subprocess.run([python, "-B", root / "docs/site/build.py", root, site, "--psim", psim], text=True, capture_output=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    for page in [*root.glob("docs/**/*.md"), *root.glob("docs/notebooks/*.ipynb")]:
        if not (site / page.relative_to(root)).with_suffix(".html").exists():
            fail(f"{page.relative_to(root)} has no page")
    reports = [path for path in (site / "docs/reports").glob("*.html")]
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html") if path not in reports}
    for path, page in pages.items():
        for target in page.targets:
            link = urllib.parse.urlsplit(target)
            if link.scheme or link.netloc:
                continue
            links += 1
            to = (path.parent / urllib.parse.unquote(link.path)).resolve() if link.path else path
            if not to.exists():
                fail(f"{path.relative_to(site)}: {target} is not there")
            elif link.fragment and to in pages and urllib.parse.unquote(link.fragment) not in pages[to].names:
                fail(f"{path.relative_to(site)}: {target}: no such place on the page")
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    for word in ("dragonfli", "roofline", "notebook"):  # stems, as Sphinx keeps them
        if word not in index:
            fail(f"the search does not know {word}")
    if len(reports) < 5:
        fail(f"the gallery has {len(reports)} reports")
    for report in reports:
        if f"reports/{report.name}" not in (site / "docs/gallery.html").read_text(encoding="utf-8") or report.stat().st_size < 2000:
            fail(f"{report.name}: is not linked, or empty")
    # A release has the same bytes twice, so its reports have no times of the host.
    for report in reports:
        text = report.read_text(encoding="utf-8")
        for found in ('"key":"host.', "Simulation speed</dt>", ">Host: "):
            if found in text:
                fail(f"{report.name} has {found}, which differs each time")
print(f"{len(pages)} pages, {len(reports)} reports, {links} links, {failures} failures")
sys.exit(1 if failures else 0)
