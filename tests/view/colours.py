# SPDX-License-Identifier: Apache-2.0
"""colours.py SOURCE: parts of stacked bars in report.css differ for every eye, on light and on dark paper.

A colour is seen as Machado, Oliveira and Fernandes (2009) simulate it, at full severity; distances are Euclidean in OKLab,
where 0.02 can just be seen by side and 1 is from black to white."""
import itertools
import math
import re
import sys

source = sys.argv[1]
css = open(f"{source}/report/web/report.css").read()
names = re.search(r"kCpiNames\{(.*?)\};", open(f"{source}/pipeline/observer.cpp").read(), re.S).group(1)
PARTS = re.findall(r'"(\w+)"', names)
ENERGY = ["energy_stages", "energy_structures", "energy_execution", "energy_leakage"]
SERIES = [f"series-{k}" for k in range(8)]
EYES = {
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(text):
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (int(text[i:i + 2], 16) / 255 for i in (1, 3, 5))]


def oklab(rgb, eye):
    r, g, b = (min(1, max(0, sum(x * y for x, y in zip(row, rgb)))) for row in EYES[eye])
    l, m, s = ((a * r + c * g + d * b) ** (1 / 3) for a, c, d in (
        (0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
        (0.0883024619, 0.2817188376, 0.6299787005)))
    return (0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)


def distance(a, b, eye):
    return math.dist(oklab(linear(colour[a]), eye), oklab(linear(colour[b]), eye))


def expect(condition, *what):
    if not condition:
        sys.exit(f"not so: {what}")


colour = {}
for name, value in re.findall(r"--([\w-]+): (#[0-9a-f]{6});", css):
    expect(name not in PARTS + ENERGY or name not in colour, name, "has two colours")
    colour.setdefault(name, value)
colour["dark paper"] = re.search(r'data-theme="dark"\] \{\s*--paper: (#[0-9a-f]{6});', css).group(1)
expect(len(PARTS) == 17 and set(PARTS) <= set(colour), PARTS)
for eye in EYES:
    for a, b in itertools.pairwise(PARTS):
        expect(distance(a, b, eye) > 0.12, a, b, "stand side by side", eye, distance(a, b, eye))
    for a, b in zip(PARTS, PARTS[2:]):
        expect(distance(a, b, eye) > 0.08, a, b, "stand side by side where the part between is empty", eye)
    for a, b in itertools.combinations(PARTS, 2):
        expect(distance(a, b, eye) > (0.06 if eye == "all cones" else 0.035), a, b, eye, distance(a, b, eye))
    for a, b in itertools.combinations(ENERGY, 2):
        expect(distance(a, b, eye) > 0.06, a, b, eye, distance(a, b, eye))
    for a, b in itertools.combinations(SERIES, 2):
        expect(distance(a, b, eye) > 0.09, a, b, eye, distance(a, b, eye))
    for part in PARTS + ENERGY + SERIES:
        for paper in ("paper", "dark paper"):
            expect(distance(part, paper, eye) > 0.1, part, paper, eye, distance(part, paper, eye))
# The names in the bar are dark: WCAG 2.1 requires a contrast of 4.5.
luminance = lambda text: sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(text)))
for series in SERIES:  # lines and points: WCAG 2.1 requires a contrast of 3
    for paper in ("paper", "dark paper"):
        low, high = sorted((luminance(colour[series]), luminance(colour[paper])))
        expect((high + 0.05) / (low + 0.05) > 3, series, paper)
for part in PARTS + ENERGY:
    expect((luminance(colour[part]) + 0.05) / (luminance("#10151b") + 0.05) > 4.5, part)
print("good")
