#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the notebooks of docs/notebooks and compares what they print: run_notebooks.py ROOT PSIM [--renew] [NOTEBOOK…]

The cells run in one process each notebook, as the notebook's kernel would run them, in a folder with workloads/ and
machines/. Where nbclient and ipykernel are installed, they also run in a real kernel. --renew writes the output into the
notebooks: what cells print, and their figures. Needs python3-pandas and python3-matplotlib; without them the test is
skipped (77).
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

root, psim = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
renew = "--renew" in sys.argv
chosen = [pathlib.Path(word).resolve() for word in sys.argv[3:] if word != "--renew"]
os.environ.update(PSIM=str(psim), PATH=f"{psim.parent}:{os.environ['PATH']}", PYTHONPATH=str(root / "python"), 
                  PYTHONDONTWRITEBYTECODE="1", PYDEVD_DISABLE_FILE_VALIDATION="1", LC_ALL="C.UTF-8")


def has(*modules):
    return subprocess.run([sys.executable, "-c", "import " + ", ".join(modules)], capture_output=True).returncode == 0


if not has("pandas", "matplotlib"):
    debian = "/usr/bin/python3"  # where the python3 of PATH is not Debian's
    if sys.executable != debian and os.path.exists(debian) and "PSIM_NOTEBOOKS" not in os.environ:
        os.environ["PSIM_NOTEBOOKS"] = "again"
        os.execv(debian, [debian, "-B", *sys.argv])
    print("python3-pandas and python3-matplotlib are not installed")
    sys.exit(77)

RUNNER = """
import base64, contextlib, io, json, sys
import matplotlib
matplotlib.use("agg")
cells, shared, outputs = json.load(sys.stdin), {"__name__": "__main__"}, []
from matplotlib import pyplot
for cell in cells:
    printed, figures = io.StringIO(), []
    with contextlib.redirect_stdout(printed):
        exec(compile(cell, "<cell>", "exec"), shared)
    for number in pyplot.get_fignums():
        image = io.BytesIO()
        pyplot.figure(number).savefig(image, format="png", dpi=64, metadata={"Software": None})
        figures.append(base64.b64encode(image.getvalue()).decode())
    pyplot.close("all")
    outputs.append([printed.getvalue(), figures])
json.dump(outputs, sys.stdout)
"""


def source(cell):
    return "".join(cell["source"])


def recorded(cell):
    return "".join("".join(output["text"]) for output in cell["outputs"] if output.get("name") == "stdout")


def in_kernel(notebook, folder):
    """Returns what each code cell prints in a kernel of Jupyter."""
    import nbclient
    import nbformat

    document = nbformat.reads(json.dumps(notebook), as_version=4)
    nbclient.NotebookClient(document, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    return [recorded(cell) for cell in document.cells if cell["cell_type"] == "code"]


def outputs_of(printed, figures):
    outputs = []
    if printed:
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)})
    for figure in figures:
        outputs.append({"output_type": "display_data", "metadata": {}, "data": {"image/png": figure, "text/plain": ["<Figure>"]}})
    return outputs


failures = cells_in_all = 0
kernel = has("nbclient", "nbformat", "ipykernel")
for path in chosen or sorted((root / "docs/notebooks").glob("*.ipynb")):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    cells_in_all += len(cells)
    with tempfile.TemporaryDirectory(prefix="psim-notebook-") as folder:
        for name in ("workloads", "machines"):
            os.symlink(root / name, pathlib.Path(folder, name))
        done = subprocess.run([sys.executable, "-c", RUNNER], input=json.dumps([source(cell) for cell in cells]), text=True,
                              capture_output=True, cwd=folder, timeout=200)
        if done.returncode:
            failures += 1
            print(f"{path.name}: {done.stderr}")
            continue
        outputs = json.loads(done.stdout)
        ways = {"": [printed for printed, _ in outputs]}
    if kernel:
        with tempfile.TemporaryDirectory(prefix="psim-notebook-") as folder:
            for name in ("workloads", "machines"):
                os.symlink(root / name, pathlib.Path(folder, name))
            ways[" in a kernel"] = in_kernel(notebook, folder)
    for number, (cell, (printed, figures)) in enumerate(zip(cells, outputs)):
        if renew:
            cell["outputs"], cell["execution_count"] = outputs_of(printed, figures), number + 1
        drawn = sum("image/png" in output.get("data", {}) for output in cell["outputs"])
        if drawn != len(figures):
            failures += 1
            print(f"{path.name}, code cell {number + 1}: {len(figures)} figures, recorded {drawn}; renew with --renew")
        for way, texts in ways.items():
            if texts[number] != recorded(cell):
                failures += 1
                print(f"{path.name}, code cell {number + 1}{way}: printed\n{texts[number]}recorded\n{recorded(cell)}renew with --renew")
    if renew:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
print(f"{cells_in_all} cells{', also in a kernel' if kernel else ''}, {failures} failures")
sys.exit(1 if failures or not cells_in_all else 0)
