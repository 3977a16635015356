#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""golden.py finds what changed, appeared and disappeared, names statistics by their path, and has a record for each run."""
import pathlib
import sys
import tomllib

import golden  # noqa: E402


def equal(found, expected):
    if found != expected:
        sys.exit(f"found    {found}\nexpected {expected}")


result = {"cycles": 1200, "ipc": 1 / 3, "regions": [{"name": "a", "cycles": 5}, {"name": "b", "cycles": 6}, {"name": "b", "cycles": 7}],
          "links": {"kinds": {"+X": {"count": 2}}}, "pair": [1, 2], "histogram": list(range(10)), "rows": [{"x": 1}, {"x": 2}],
          "statistics": {"l1d": {"misses": 3}}, "none": []}
equal(golden.flat(result), {
    "cycles": "1200", "ipc": "0.333333333333", "regions.a.cycles": "5", "regions.b.1.cycles": "6", "regions.b.2.cycles": "7",
    "links.kinds.+X.count": "2", "pair": "[1, 2]", "histogram": "10 values, sum 45, sha256 " + golden.sha(list(range(10)))[:16],
    "rows.0.x": "1", "rows.1.x": "2", "statistics.l1d.misses": "3", "none": "[]"})

old = {"same": "1", "more": "100", "gone": "7", "text": "a", "was_zero": "0"}
new = {"same": "1", "more": "103", "text": "b", "was_zero": "2", "came": "9"}
rows = golden.differences(old, new)
equal(rows, [("more", "100", "103", "+3 %"), ("text", "a", "b", ""), ("was_zero", "0", "2", ""), ("came", "-", "9", "appeared"),
             ("gone", "7", "-", "disappeared")])
equal(golden.differences(old, old), [])
equal(golden.table("run", rows[:1]), "run: 1 statistics changed\n  statistic  old  new  change\n  more       100  103  +3 %")

here = pathlib.Path(__file__).parent
equal(sorted(path.stem for path in (here / "records").iterdir()), sorted(tomllib.loads((here / "programs.toml").read_text())))
