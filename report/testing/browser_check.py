#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens a report in headless chromium, finds texts in the page as scripts left it, and takes a picture.

usage: browser_check.py CHROMIUM PAGE.html PICTURE.png [--dark] TEXT...

Ends with 0 if every TEXT stands in the page, the scripts drew their charts and stage view, and the picture is not
blank; else says what is missing and ends with 1.
"""
import re
import subprocess
import sys
import tempfile

try:
    from PIL import Image
except ImportError:
    sys.path.append("/usr/lib/python3/dist-packages")  # where the python3 of PATH is not Debian's
    from PIL import Image

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--virtual-time-budget=3000"]


def chromium(program, *options):
    with tempfile.TemporaryDirectory() as profile:
        command = [program, *FLAGS, f"--user-data-dir={profile}", *options]
        return subprocess.run(command, capture_output=True, timeout=120)


def pixels(path):
    """Rows of the picture `path` as bytes, and the bytes a pixel (red, green, blue)."""
    with Image.open(path) as picture:
        data, stride = picture.convert("RGB").tobytes(), 3 * picture.width
    return [data[at:at + stride] for at in range(0, len(data), stride)], 3


def main():
    program, page, picture, *texts = sys.argv[1:]
    problems = []
    dark = "--dark" in texts
    texts = [text for text in texts if text != "--dark"]
    options = ["--blink-settings=preferredColorScheme=0"] if dark else []

    dom = chromium(program, *options, "--dump-dom", f"file://{page}").stdout.decode("utf-8", "replace")
    visible = re.sub(r"<(script|style)\b.*?</\1>", "", dom, flags=re.S)
    problems += [f"not in the page: {text}" for text in texts if text not in visible]
    charts = 4 if 'id="energy"' in visible else 2
    if "over-time" in visible and visible.count('class="u-wrap"') != charts:
        problems.append("the charts over time are not drawn")
    problems += [f"no caption: {table[:80]}" for table in re.findall(r'<table(?! class="u-legend).*?</table>', visible, re.S)
                 if "<caption>" not in table]
    problems += [f"a head without scope: {head}" for head in re.findall(r"<th\b[^>]*>", re.sub(
        r'<table class="u-legend.*?</table>', "", visible, flags=re.S)) if "scope=" not in head]
    problems += [f"a chart without a name: {chart}" for chart in re.findall(r'<div[^>]*class="u-wrap"[^>]*>', visible)
                 if 'role="img"' not in chart or not re.search('aria-label="[^"]+"', chart)]
    problems += [f"a picture without a name: {canvas}" for canvas in
                 re.findall(r"<canvas[^>]*>", re.sub(r'<div[^>]*class="u-wrap".*?</canvas>', "", visible, flags=re.S))
                 if "aria-" not in canvas]
    problems += [f"a button without a name: {button}" for button in re.findall(r"<button\b.*?</button>", visible, re.S)
                 if not re.sub("<[^>]*>", "", button).strip() and "aria-label=" not in button]
    problems += [f"an unreadable number: {number}" for number in
                 re.findall(r">[^<>]*?(\d\.\d{9,}|\d\.\d+e[+-]\d+|\d{8,}\.\d)[^<>]*<", visible)]
    if 'id="link-map"' in visible and not re.search(r'class="numbers">(<span>[^<]+%</span>){5}', visible):
        problems.append("the map of links has no scale")
    if 'id="link-map"' in visible and "The most used links" not in visible:
        problems.append("the most used links are not listed")
    if "print-color-adjust: exact" not in dom:
        problems.append("printers may leave the swatches out")
    if 'id="stages"' in visible and 'id="stage-legend" class="legend"><span' not in visible:
        problems.append("the stage view did not start")
    if re.search(r'(src|href)="(?!#)', visible):
        problems.append("the page points outside itself")

    taken = chromium(program, *options, f"--screenshot={picture}", "--window-size=1280,2300", f"file://{page}")
    try:
        rows, size = pixels(picture)
        colours = {row[x:x + size] for row in rows[::7] for x in range(0, len(row), 5 * size)}
        if len(colours) < 12:
            problems.append(f"the picture has only {len(colours)} colours")
    except OSError as error:
        problems.append(f"no picture: {error}; {taken.stderr.decode('utf-8', 'replace')[-400:]}")
    print("\n".join(problems) or "good")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
