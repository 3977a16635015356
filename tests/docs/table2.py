# SPDX-License-Identifier: Apache-2.0
"""Checks the result of `psim reproduce table2 --quick --fit-to 192`, the second command of docs/reproduce.md, in its folder."""
import json
import re

text, result = open("printed.2").read(), json.load(open("table2.json"))
for key in ("schema", "version", "machine", "inputs", "seed", "result_hash", "host", "fits", "measurements"):
    assert key in result, key
assert (result["command"], result["experiment"], result["quick"]) == ("reproduce", "table2", True), result
assert result["machine"]["scalar"]["name"] == "sparc64v" and result["machine"]["simd"]["simd"]["pes"] == 16
assert result["machine"]["simd"]["l1d"]["prefetch"] == "perfect"
rows = result["times"] + result["energy"]
values = {value["text"]: value for value in result["values"]}
names = {"dgemm": "dgemm, order 1024", "zgemm": "zgemm, order 1024", "fft": "fft, 1024 points x 8"}
kinds = {"scalar": ", scalar", "SIMD": ", 16 SIMD-PEs"}


def value_of(row):
    """The value of the data file that compares this row."""
    kernel, kind = row["quantity"].split(" ", 1)
    return values[names[kernel] + kinds[kind] if kind in kinds else
                  kernel + (", speed-up" if kind == "ratio" else ", energy with SIMD-PEs / scalar")]


assert [value_of(row)["paper"] for row in rows] == [368.9, 53.12, 6.9, 1114.6, 185.82, 6.0, 0.1764, 0.0668, 2.6, 0.47, 0.37, 0.54]
# The results of this machine: a change of more than 2 % either way fails. If it is meant, renew the values here and give the reason in
# the commit; README.md and docs state those of the full run.
recorded = {"dgemm scalar": 353.4, "dgemm SIMD": 51.62, "dgemm ratio": 6.846, "zgemm scalar": 1311, "zgemm SIMD": 184,
            "zgemm ratio": 7.123, "fft scalar": 0.1801, "fft SIMD": 0.05755, "fft ratio": 3.13,
            "dgemm energy ratio": 0.4645, "zgemm energy ratio": 0.4786, "fft energy ratio": 0.5607}
changed = []
for row in rows:
    ours = row["run"] if row["run"] is not None else row["fit"]
    value = value_of(row)
    within = abs(ours / value["paper"] - 1) <= value["tolerance"]
    assert value["ours"] == ours and value["status"] == ("agrees" if within else "differs, explained"), (row, value)
    assert re.search(rf"^  {re.escape(value['text'])} .* {value['paper']:g}.*  {value['status']}(: docs/decisions/{value['decision']})?$",
                     text, re.M), (value, text)
    assert (row["fit"] is None) == row["quantity"].startswith("fft"), row
    change = ours / recorded[row["quantity"]] - 1
    if abs(change) > 0.02:
        changed.append(f"{row['quantity']}: {ours:.4g}, recorded {recorded[row['quantity']]:g}: {change:+.1%}")
assert not changed, "\n".join(["table 2 has changed:", *changed])
missed = [value["text"] for value in values.values() if value["status"].startswith("differs")]
assert missed and result["exit_status"] == 0 and not result["within_goal"], (missed, result["exit_status"])  # all are explained
others = {(row["kernel"], row["assumption"]): row for row in result["other_assumptions"]}
assert {kernel for kernel, assumption in others if assumption == "memory of 10.667 GB/s"} == {"dgemm", "zgemm", "fft"}, others
for row in others.values():
    assert abs(row["change"] - (row["seconds"] / row["chosen_seconds"] - 1)) < 1e-9, row
    assert row["assumption"] == "OpenMP form" or 0 < row["change"] < 0.25, row  # a slower memory costs time
times = {(m["kernel"], m["mode"], m["order"]): m["seconds"] for m in result["measurements"]}
assert len(times) == 14, sorted(times)
for fit in result["fits"]:  # three orders: the curve meets each
    for order in fit["orders"]:
        curve = sum(c * order ** (power + 1) for power, c in enumerate(fit["milliseconds"]))
        assert abs(curve / times["paper/" + fit["kernel"], fit["mode"], order] / 1e3 - 1) < 1e-9, fit
