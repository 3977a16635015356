# SPDX-License-Identifier: Apache-2.0
"""compare_test.py PSIM SOURCE: psim compare lays runs of one program side by side, by region and rank."""
import json
import os
import sys

sys.dont_write_bytecode = True  # leaves no __pycache__ in the source tree
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim, source = sys.argv[1:3]
tools = os.path.dirname(psim)
place = Place("compare")
at, call = place.at, place.call


call(os.path.join(tools, "psim-cc"), "-O1", "-o", at("solver"), os.path.join(source, "workloads/predict/solver.c"), "-lm")
model = os.path.join(source, "workloads/predict/solver.toml")
for name, factor in (("one", "product=1"), ("two", "product=2")):
    call(psim, "net", "-n", 4, "--quiet", "--compute", f"model:{model}", "--compute-factor", factor, "--json", f"{name}.json",
         "--csv", name, "./solver")

shown = call(psim, "compare", "--ranks", "one", "--ranks", "two", "--json", "c.json", "--report", "c.html", "one.json", "two.json").stdout
with open(at("c.json")) as file:
    result = json.load(file)
# The factor doubles the time of one region, and nothing else.
product = result["differences"][0]["regions"][0]
expect(product["name"] == "product" and product["part"] == "compute" and product["share"] > 0.99, product)
before = result["results"][0]["regions"]["product"]["compute"]
expect(abs(product["seconds"] / before - 1) < 1e-9, product, before)
expect(len(result["differences"][0]["ranks"]) == 4, result["differences"][0]["ranks"])
expect(all(one["region"] == "product" for one in result["differences"][0]["ranks"]), "ranks")
for text in ("product", "+100.0 %", "whole run", "mostly compute of product", "the largest difference is in product"):
    expect(text in shown, text, shown)
with open(at("c.html")) as file:
    page = file.read()
expect("<table" in page and "product" in page and "+100.0 %" in page, "page")

# A result and itself.
expect("equal" in call(psim, "compare", "one.json", "one.json").stdout or
       "+0.0 %" in call(psim, "compare", "one.json", "one.json").stdout, "equal")

with open(at("changed.json"), "w") as file:
    file.write(open(at("one.json")).read().replace('"ranks": 4', '"ranks": 5', 1))
for words, said in ((["one.json"], "expected at least two results"),
                    (["one.json", "absent.json"], "absent.json"),
                    (["one.json", "c.json"], "c.json: is a result of `psim compare`"),
                    (["one.json", "changed.json"], "result_hash"),
                    (["--ranks", "one", "one.json", "two.json"], "--ranks: 1 folders for 2 results"),
                    (["--ranks", "one", "--ranks", "none", "one.json", "two.json"], "none/regions.csv")):
    refused = call(psim, "compare", "--json", "r.json", *words, status=2)
    expect(said in refused.stderr, words, refused.stderr)
    expect(not os.path.exists(at("r.json")), words)
