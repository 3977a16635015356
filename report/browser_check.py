#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens a report in headless chromium, finds texts in the page as scripts left it, and takes a picture.

usage: browser_check.py CHROMIUM PAGE.html PICTURE.png [--dark] TEXT...

Ends with 0 if every TEXT stands in the page, the scripts drew their charts and stage view, and the picture is not
blank; else says what is missing and ends with 1.
"""
import re
import struct
import subprocess
import sys
import tempfile
import zlib

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--virtual-time-budget=3000"]


def chromium(program, *options):
    with tempfile.TemporaryDirectory() as profile:
        command = [program, *FLAGS, f"--user-data-dir={profile}", *options]
        return subprocess.run(command, capture_output=True, timeout=120)


def pixels(path):
    """Rows of an 8-bit RGB or RGBA PNG, as bytes, and the bytes a pixel."""
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and colour in (2, 6), "an unexpected kind of PNG"
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    size = 3 if colour == 2 else 4
    raw, stride = zlib.decompress(packed), width * size
    above, rows = bytearray(stride), []
    for y in range(height):
        filter_type, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        if filter_type == 2:
            for x in range(stride):
                line[x] = (line[x] + above[x]) & 255
        elif filter_type:
            for x in range(stride):
                left = line[x - size] if x >= size else 0
                corner = above[x - size] if x >= size else 0
                if filter_type == 1:
                    guess = left
                elif filter_type == 3:
                    guess = (left + above[x]) // 2
                else:
                    p = left + above[x] - corner
                    guess = min((abs(p - left), 0, left), (abs(p - above[x]), 1, above[x]), (abs(p - corner), 2, corner))[2]
                line[x] = (line[x] + guess) & 255
        rows.append(bytes(line))
        above = line
    return rows, size


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
    except (OSError, AssertionError) as error:
        problems.append(f"no picture: {error}; {taken.stderr.decode('utf-8', 'replace')[-400:]}")
    print("\n".join(problems) or "good")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
