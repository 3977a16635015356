#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the documentation as HTML with search: build.py ROOT FOLDER [--psim PSIM]

The pages are the Markdown of the source tree, and the notebooks with their recorded output. With --psim, a gallery has the
reports of runs that are made now. Links to sources, which are not in the site, become plain text. Needs Debian's
python3-sphinx and python3-myst-parser.
"""
import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/**/*.md", "tests/golden/README.md")

# File of the report, title, what it shows, and the commands that make it, in a folder that sees workloads/.
GALLERY = (
    ("core.html", "A kernel on the core", "CPI stack, IPC over time, regions, energy, and the stages of each instruction",
     ("psim-sparc-cc -O2 -o dgemm workloads/kernels/dgemm_blocked.c",
      "psim run --quiet --energy --profile --report core.html ./dgemm 48")),
    ("simd.html", "A kernel on 16 SIMD-PEs", "the same page for a machine with processing elements",
     ("psim-sparc-cc -O3 -fopenmp -o triad workloads/openmp/triad.c", "psim run --quiet --machine simd16 --energy --report simd.html ./triad")),
    ("network.html", "Ranks on a torus", "links and buffers over time, every link, ranks, latencies",
     ("psim-cc -O2 -o ring workloads/mgen/random_ring.c", "psim net -n 64 --quiet --report network.html ./ring 65536 2")),
    ("sleep.html", "Links that sleep", "the energy of links, in comparison with links that are always on",
     ("psim-cc -O2 -o ring workloads/mgen/random_ring.c",
      "psim net -n 64 --quiet --set link.sleep.policy=fixed --set link.sleep.after='50 us' --compare always-on --report sleep.html ./ring 65536 2")),
    ("nodes.html", "Cycle-level nodes on a torus", "nodes over time with messages as arrows, CPI stacks of stretches, the network's load, power",
     ("psim-sparc-cc -O2 -o halo workloads/mgen/halo_exchange.c",
      "psim cosim -n 8 --quiet --energy --report nodes.html ./halo 3 16 2 1")),
    ("traffic.html", "Synthetic traffic", "the latency-throughput curve, and the links at each load",
     ("psim net -n 64 --quiet --traffic uniform --load 0.1:0.9:0.2 --report traffic.html",)),
    ("solver.html", "A solver with models of its regions", "the time of each region, with the interval of the models",
     ("psim-cc -O2 -o solver workloads/predict/solver.c -lm",
      "psim net -n 8 --quiet --compute model:workloads/predict/solver.toml --report solver.html ./solver 64 4")),
    ("fit.html", "A model of a region", "measured points, the fitted curve and its band, predictions",
     ("psim-sparc-cc -O2 -o dgemm workloads/kernels/dgemm_blocked.c",
      "psim fit --quiet --args '16 24 32 48 64' --predict 96 --report fit.html ./dgemm {}")),
    ("barrier.html", "A published result", "the paper's numbers, psim's, and the figure drawn again",
     ("psim reproduce barrier --quick --report barrier.html",)),
    ("study.html", "A study of a sweep", "48 runs: any two values, the Pareto front, a map of two keys, and two runs side by side",
     ("psim-sparc-cc -O2 -o dgemm workloads/kernels/dgemm_blocked.c",
      "psim run --quiet --energy --sweep l1d.bytes='16 KB,32 KB,64 KB,128 KB' --sweep core.window.commit_stack=16,32,48,64 --sweep argument.1=16,24,32 "
      "--into study --report study.html ./dgemm 16")),
)


def notebook_page(path, pictures):
    """The Markdown of a notebook; its figures become files."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        parts.append(f"```python\n{text}\n```")
        for output in cell["outputs"]:
            if "text" in output:
                parts.append("```text\n" + "".join(output["text"]).rstrip() + "\n```")
            elif "image/png" in output.get("data", {}):
                picture = pictures / f"{path.stem}-{len(parts)}.png"
                picture.write_bytes(base64.b64decode(output["data"]["image/png"]))
                parts.append(f"![figure]({picture.name})")
    return "\n\n".join(parts) + "\n"


# The lines of a report, and the columns of a study, about the host that simulated: they differ each time, and a release has the same bytes twice.
HOST = re.compile(r'<tr><th scope="row">Host: .*?</tr>\n?|<div class="card"><dt>Simulation speed</dt>.*?</div>\n?'
                  r'|,\{"key":"host\.[^"]*","group":"host","values":\[[^]]*\]\}', re.S)


def gallery(root, psim, source):
    """Makes the reports in source/docs/reports, and the page that links to them."""
    reports = source / "docs/reports"
    reports.mkdir(parents=True)
    lines = ["# Gallery", "", "Pages of real runs, made when this site was built. Each is one file that `--report` writes.", ""]
    environment = dict(os.environ, PATH=f"{psim.parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    with tempfile.TemporaryDirectory(prefix="psim-gallery-") as folder:
        os.symlink(root / "workloads", pathlib.Path(folder, "workloads"))
        for name, title, text, commands in GALLERY:
            for command in commands:
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, capture_output=True)
                if done.returncode:
                    sys.exit(f"gallery: {command}: status {done.returncode}\n{done.stderr}")
            page = pathlib.Path(folder, name).read_text(encoding="utf-8")
            (reports / name).write_text(HOST.sub("", page), encoding="utf-8")
            shown = "\n".join(f"$ {command}" for command in commands)
            lines += [f"## {title}", "", f'<a href="reports/{name}">Open the report</a>: {text}.', "", f"```text\n{shown}\n```", ""]
    (source / "docs/gallery.md").write_text("\n".join(lines), encoding="utf-8")
    return [f"docs/reports/{name}" for name, *_ in GALLERY]


def without_dead_links(text, page, known):
    """Links to files that are not in the site become plain text."""

    def one(found):
        target = found[2].split("#")[0]
        if "://" in found[2] or not target or (page.parent / target).resolve() in known:
            return found[0]
        return found[1]

    return re.sub(r"\[([^][]*)\]\(([^)\s]+)\)", one, text)


def contents(source, pages):
    """Adds the tree of pages, which the side bar shows, to the start page; decisions are below their list."""
    def tree(caption, names):
        return f"\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {caption}\n" + "\n".join(
            f"/{name.removesuffix('.md')}" for name in names) + "\n```\n"

    def below(prefix):
        return [name for name in pages if name.startswith(prefix)]

    decisions = "docs/decisions/README.md"
    apart = below("docs/tutorials/") + below("docs/notebooks/") + below("docs/decisions/") + ["docs/README.md", "docs/gallery.md"]
    groups = (("Begin", below("docs/gallery") + below("docs/tutorials/")), ("Notebooks", below("docs/notebooks/")),
              ("Pages", [name for name in pages if name not in apart] + [decisions]))
    for page, text in (("docs/README.md", "".join(tree(caption, names) for caption, names in groups if names)),
                       (decisions, tree("Decisions", [name for name in below("docs/decisions/") if name != decisions]))):
        path = source / page
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def python_with_sphinx():
    """A Python that has Sphinx and MyST: this one, or Debian's where that of PATH is another."""
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and not subprocess.run([python, "-c", "import sphinx, myst_parser"], capture_output=True).returncode:
            return python
    sys.exit("Sphinx is missing; expected Debian's python3-sphinx and python3-myst-parser")


def build(root, folder, psim):
    python = python_with_sphinx()
    with tempfile.TemporaryDirectory(prefix="psim-site-") as scratch:
        source = pathlib.Path(scratch, "source")
        source.mkdir()
        pages = []
        for pattern in PAGES:
            for page in sorted(root.glob(pattern)):
                copy = source / page.relative_to(root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(page.read_text(encoding="utf-8"), encoding="utf-8")
                pages.append(str(page.relative_to(root)))
        shutil.copytree(root / "docs/pictures", source / "docs/pictures", dirs_exist_ok=True)
        (source / "docs/notebooks").mkdir(exist_ok=True)
        for path in sorted((root / "docs/notebooks").glob("*.ipynb")):
            page = source / f"docs/notebooks/{path.stem}.md"
            page.write_text(notebook_page(path, page.parent), encoding="utf-8")
            pages.append(str(page.relative_to(source)))
        reports = []
        if psim:
            reports = gallery(root, psim, source)
            pages.insert(0, "docs/gallery.md")
        known = {(source / name).resolve() for name in pages} | {path.resolve() for path in source.rglob("*.png")}
        for name in pages:
            page = source / name
            text = page.read_text(encoding="utf-8").replace(".ipynb)", ".md)")
            page.write_text(without_dead_links(text, page, known), encoding="utf-8")
        contents(source, pages)
        shutil.copy(root / "docs/site/conf.py", source / "conf.py")
        # Two processes put pages into the index of the search in the order in which they end.
        jobs = "1" if "SOURCE_DATE_EPOCH" in os.environ else "2"
        done = subprocess.run([python, "-B", "-m", "sphinx", "-q", "-W", "--keep-going", "-j", jobs, "-b", "html", "-d",
                               f"{scratch}/doctrees", source, f"{scratch}/html"], text=True, capture_output=True)
        if done.returncode:
            sys.exit(f"sphinx: status {done.returncode}\n{done.stdout}{done.stderr}")
        html = pathlib.Path(scratch, "html")
        for report in reports:
            (html / report).parent.mkdir(exist_ok=True)
            shutil.copy(source / report, html / report)
        (html / "index.html").write_text('<!DOCTYPE html><meta charset="utf-8"><title>psim</title>'
                                         '<meta http-equiv="refresh" content="0; url=docs/README.html">'
                                         '<a href="docs/README.html">psim</a>\n', encoding="utf-8")
        if folder.exists():
            shutil.rmtree(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(html, folder)
    return len(pages), len(reports)


def main():
    words = argparse.ArgumentParser(description="builds the documentation as HTML with search")
    words.add_argument("root", type=pathlib.Path)
    words.add_argument("folder", type=pathlib.Path, help="the folder of the site; it is replaced")
    words.add_argument("--psim", type=pathlib.Path, help="a built psim, for the gallery of reports")
    given = words.parse_args()
    pages, reports = build(given.root.resolve(), given.folder.resolve(), given.psim and given.psim.resolve())
    print(f"{given.folder}/index.html: {pages} pages, {reports} reports")


if __name__ == "__main__":
    main()
