# SPDX-License-Identifier: Apache-2.0
"""compute_test.py PSIM SOURCE PART: regions of rank programs, and the sources of their computing time (psim net --compute)."""
import csv
import json
import math
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import OPEN_MPI, Place, expect

psim, source, part = sys.argv[1:4]
tools = os.path.dirname(psim)
place = Place("compute")
at, call, write = place.at, place.call, place.write
US = 1e-6


def net(*words, status=0):
    return call(psim, "net", "-n", 2, *words, status=status)


def result(*words, status=0):
    net("--quiet", "--json", "result.json", *words, status=status)
    return place.result("result.json")


def close(value, wanted, *what):
    expect(abs(value - wanted) < 2e-12, value, wanted, *what)


def build(name, wrapper="psim-cc", *options):
    program = at(name.split(".")[0])
    call(os.path.join(tools, wrapper), "-g", "-O1", *options, "-o", program, os.path.join(source, "tests/net/programs", name))
    return program


def region(json_, name):
    return next(one for one in json_["compute"]["regions"] if one["name"] == name)


def table(name):
    with open(at(name)) as file:
        return list(csv.DictReader(file))


PRODUCT = """format = 1
[region.product]
parameters = "n m"
cycles = "2 * ceil(n / 32) * n^2 * m"
clock = "2 GHz"
ranges = "32..64 1..8"
"""
# 1e-9 s * n^2 with a standard error of 1 %, from which follow 10 degrees of freedom.
INTERVAL = """format = 1
[region.product]
parameters = "n m"
seconds = "1e-9 * n^2"
points = 11
terms = "n^2"
coefficients = "1e-9"
covariance = "1e-22"
residual_variance = 0
degrees_of_freedom = 10
"""
STUDENT_T = 2.2281388520  # 97.5 % quantile for 10 degrees of freedom


def models():
    """A run takes the time of the models, computed here by hand, in addition to that of its messages."""
    program = build("regions.c")
    stated = result(program, "plain")
    expect("seconds_interval" not in stated and region(stated, "product")["modelled"] == 0, stated["compute"])
    predicted = result("--csv", "tables", "--compute", "model:" + write("fits.toml", PRODUCT), program, "plain")
    # At 2 GHz ceil(n / 32) n^2 m ns: twice 2 * 64^2 * 3 ns, once 4 * 100^2 * 3 ns. Both ranks compute at once.
    computed = (2 * 2 * 64**2 * 3 + 4 * 100**2 * 3) * 1e-9
    close(predicted["seconds"] - stated["seconds"], computed, "the program's time")
    close(region(predicted, "product")["compute"], 2 * computed, "of both ranks")
    for rank in ("min", "mean", "max"):
        close(region(predicted, "product")["per_rank"]["compute"][rank], computed, rank)
    product = region(predicted, "product")
    expect(product["arguments"] == [[64, 100], [3, 3]] and product["count"] == product["modelled"] == 6, product)
    expect(product["extrapolated"] == 2, "n = 100 is outside of 32..64", product)
    expect(region(predicted, "exchange")["modelled"] == 0 and region(predicted, "exchange")["transfer"] > 0, "no model")
    for words in ("region product: 2 of 6 times are extrapolated", "region exchange: without a model",
                  "code outside of regions took no", "the models state no errors"):
        expect(any(words in one for one in predicted["assumptions"]), words, predicted["assumptions"])
    expect("model" in predicted["inputs"], predicted["inputs"])

    # Regions and the rest sum to the time of each rank, by part.
    rows, ranks = table("tables/regions.csv"), table("tables/ranks.csv")
    expect([row["region"] for row in rows] == 2 * ["exchange", "product", "(outside)"], rows)
    for rank in ranks:
        own = [row for row in rows if row["rank"] == rank["rank"]]
        for column, sums in (("compute_s", "compute_s"), ("overhead_s", "overhead_s"), ("transfer_s", "transfer_s"),
                             ("wait_s", "wait_s"), ("seconds_s", "end_s")):
            close(sum(float(row[column]) for row in own), float(rank[sums]), column)
    total = predicted["compute"]["total"]
    close(sum(total[each] for each in ("compute", "overhead", "transfer", "wait")), total["seconds"], total)
    expect(result("--compute", "model:fits.toml", program, "plain")["result_hash"] == predicted["result_hash"], "repeats")

    # Waiting for a slower rank counts outside: 2 * 64^2 ns against 4 * 128^2 ns, on a barrier.
    uneven = result("--compute", "model:fits.toml", program, "uneven")
    close(uneven["seconds"] - result(program, "uneven")["seconds"], 4 * 128**2 * 1e-9, "the slower rank")
    expect(uneven["compute"]["outside"]["wait"] > 57 * US, uneven["compute"]["outside"])

    # A factor of one region.
    half = result("--compute", "model:fits.toml", "--compute-factor", "product=0.5", program, "plain")
    close(half["seconds"] - stated["seconds"], computed / 2, "a factor")
    expect(half["compute"]["factors"] == {"product": 0.5}, half["compute"])
    other = result("--compute", "model:fits.toml", "--compute-factor", "sum=0.5", program, "plain")
    expect(any("sum=0.5: no rank has marked" in one for one in other["assumptions"]), other["assumptions"])
    said = net("--compute", "model:fits.toml", "--compute-factor", "sum=0.5", program, "plain").stderr
    expect("sum=0.5: no rank has marked" in said, said)

    # The model of a region includes its inner regions: solve(10) takes 100 us, of which product has 8.192.
    write("nested.toml", PRODUCT + '[region.solve]\nparameters = "n"\nseconds = "1e-6 * n^2"\n')
    nested = result("--compute", "model:nested.toml", program, "nested")
    close(region(nested, "solve")["compute"], 2 * (100 - 8.192) * US)
    close(region(nested, "solve")["inclusive_seconds"], 2 * 100 * US)
    expect(region(nested, "inner")["count"] == 2, nested["compute"])
    write("nested.toml", PRODUCT + '[region.solve]\nparameters = "n"\nseconds = "1e-8 * n^2"\n')
    nested = result("--compute", "model:nested.toml", program, "nested")
    close(region(nested, "solve")["inclusive_seconds"], 2 * 8.192 * US)
    expect(region(nested, "solve")["exceeded"] == 2, nested["compute"])
    expect(any("region solve: in 2 of 2 executions" in one for one in nested["assumptions"]), nested["assumptions"])
    thread = result("--compute", "model:fits.toml", program, "thread")
    expect(region(thread, "product")["count"] == 2, "marks of other threads", thread["compute"])
    expect(any("2 marks" in one or "4 marks" in one for one in thread["assumptions"]), thread["assumptions"])

    said = net("--compute", "model:fits.toml", "--report", "page.html", program, "plain").stderr
    for words in ("predicted: ", "without an interval; extrapolated", "product ", "model, extrapolated", "(outside)"):
        expect(words in said, words, said)
    page = open(at("page.html")).read()
    expect('id="regions"' in page and "model, extrapolated" in page and "without a model" in page, "the report")

    # Two jobs: each has its own regions.
    write("jobs.toml", f'[a]\nprogram = "{program}"\narguments = "plain"\nranks = 2\n'
          f'[b]\nprogram = "{program}"\narguments = "nested"\nranks = 2\n')
    call(psim, "net", "--quiet", "--json", "jobs.json", "--jobs", "jobs.toml", "--compute", "model:fits.toml")
    both = json.load(open(at("jobs.json")))
    expect(region(both, "product")["count"] == 8, both["compute"])
    expect([region(job, "product")["count"] for job in both["jobs"]] == [6, 2], both["jobs"])

    # A sweep runs its points again after a change of the models.
    for factor, points in (("1", 1), ("1", 1), ("2", 2)):
        write("swept.toml", f'format = 1\n[region.product]\nparameters = "n m"\nseconds = "{factor}e-6"\n')
        call(psim, "net", "--sweep", "ranks=2", "--into", "points", "--compute", "model:swept.toml", program, "plain")
        results = [name for name in os.listdir(at("points")) if name.endswith(".json")]
        expect(len(results) == points, factor, results)


def sums():
    """The parts of all regions and of the time outside sum to each rank's time, whatever the regions contain."""
    program = build("regions.c")
    write("fits.toml", PRODUCT + '[region.solve]\nparameters = "n"\nseconds = "1e-6 * n"\n')
    parts = ("compute_s", "overhead_s", "transfer_s", "wait_s")
    for case, ranks in (("plain", 4), ("uneven", 4), ("nested", 4), ("calls", 5), ("thread", 4), ("thread-calls", 5)):
        for how in (("--compute", "model:fits.toml"), ()):
            call(psim, "net", "-n", ranks, "--quiet", "--json", "sums.json", "--csv", "sums", *how, program, case)
            rows = table("sums/regions.csv")
            for rank in table("sums/ranks.csv"):
                own = [row for row in rows if row["rank"] == rank["rank"]]
                for column in parts:
                    close(sum(float(row[column]) for row in own), float(rank[column]), case, column, rank)
                close(sum(float(row["seconds_s"]) for row in own), float(rank["end_s"]), case, rank)
                for row in own:
                    close(sum(float(row[column]) for column in parts), float(row["seconds_s"]), case, row)
            document = place.result("sums.json")["compute"]
            for one in (*document["regions"], document["outside"], document["total"]):
                close(sum(one[part] for part in ("compute", "overhead", "transfer", "wait")), one["seconds"], case, one)
            for part in ("compute", "overhead", "transfer", "wait", "seconds"):
                close(sum(one[part] for one in (*document["regions"], document["outside"])), document["total"][part], case, part)
            if case == "calls":
                solve, exchange = (next(one for one in document["regions"] if one["name"] == name) for name in ("solve", "exchange"))
                expect(solve["count"] == exchange["count"] == 15 and solve["transfer"] > 0 and exchange["transfer"] > 0, document)
                expect(not how or exchange["wait"] > 0, "slower ranks", document)


def intervals():
    """Two more runs, with the ends of all models' intervals, give the interval of the predicted time."""
    program = build("regions.c")
    write("fits.toml", INTERVAL)
    predicted = result("--compute", "model:fits.toml", program, "plain")
    messages = result(program, "plain")["seconds"]
    computed = (2 * 64**2 + 100**2) * 1e-9
    half = STUDENT_T * 0.01 * computed
    low, high = predicted["seconds_interval"]
    close(predicted["seconds"], messages + computed)
    close(low, messages + computed - half, "lower end")
    close(high, messages + computed + half, "upper end")
    for end, wanted in zip(region(predicted, "product")["compute_interval"], (computed - half, computed + half)):
        close(end, 2 * wanted, "of the region")
    said = net("--compute", "model:fits.toml", program, "plain").stderr
    expect("95 % interval of the models)\n" in said, said)
    expect(not any("no error" in one for one in predicted["assumptions"]), predicted["assumptions"])
    mixed = write("mixed.toml", INTERVAL + '[region.exchange]\nparameters = "n"\nseconds = "1e-9 * n"\n')
    predicted = result("--compute", "model:" + mixed, program, "plain")
    close(predicted["seconds_interval"][1] - predicted["seconds_interval"][0], 2 * half, "exchange adds none")
    expect(any("region exchange: the model states no error" in one for one in predicted["assumptions"]), predicted["assumptions"])


def mistakes():
    """A mistake on one rank names the rank, the place and the region, and ends the run with status 2."""
    program = build("regions.c")
    write("fits.toml", PRODUCT)
    lines = open(os.path.join(source, "tests/net/programs/regions.c")).read().splitlines()
    # Other ranks execute the same code as the one at fault; only the first report is printed.
    for case, mark, words in (
            ("twice", 'BEGIN("solve", 2)', "region solve: begins again; expected its end first (begun: "),
            ("never-ends", 'BEGIN("solve", 1)', "region solve: never ends; expected its end before that of the rank"),
            ("never-begins", 'END("solve")', "region solve: ends; expected its begin before"),
            ("crossed", 'END("solve")', "region solve: ends; expected the end of region inner first (begun: "),
            ("arguments", 'BEGIN("product", 1)', "fits.toml: region product: 1 arguments; the model has 2 (n, m)")):
        first = next(i for i, line in enumerate(lines) if f'"{case}"' in line)
        number = next(i for i in range(first, len(lines)) if "PSIM_REGION_" + mark in lines[i]) + 1
        said = net("--quiet", "--compute", "model:fits.toml", program, case, status=2).stderr
        expect(said.startswith("psim: rank 1: ") and f"regions.c:{number}: {words}" in said and said.count("\n") == 1, case, said)
        if case != "arguments":
            expect(net("--quiet", program, case, status=2).stderr == said, "also without models", case)
    for case in ("never-ends", "twice", "crossed"):
        many = call(psim, "net", "-n", 1000, "--quiet", program, case, status=2).stderr
        expect(many == net("--quiet", program, case, status=2).stderr, "one rank of many", many)
    expect("never ends" not in net("--quiet", program, "exits", status=3).stderr, "exit in a region")

    for text, words in (('seconds = "1 / (n - 64)"', "fits.toml:3: region product(64, 3): division by zero"),
                        ('seconds = "1 - n"', "region product(64, 3): negative: -63"),
                        ('seconds = "1e300 * n"', "expected at most 1e+06 s")):
        write("fits.toml", f'format = 1\n[region.product]\nparameters = "n m"\n{text}\n')
        said = net("--quiet", "--compute", "model:fits.toml", program, "plain", status=2).stderr
        expect(words in said and "regions.c:" in said and "rank 0: " in said, words, said)
    write("fits.toml", "format = 1\n[region.product]\n")
    write("times", "psim compute 1\nranks 2\n0: x\n")
    write("three", "psim compute 1\nranks 3\n0:\n1:\n2:\n")
    for words, said in ((("--compute", "model:fits.toml"), "fits.toml: no models"), (("--compute", "model:none"), "--compute: none: No such file"),
                        (("--compute", "recorded:times"), "times:3: 0: x: expected nanoseconds"),
                        (("--compute", "recorded:three"), "three: has times of 3 ranks; expected those of the 2 ranks"),
                        (("--compute", "modelled"), "expected stated, measured, measured*K"),
                        (("--compute-factor", "product=2"), "--compute-factor: needs --compute"),
                        (("--compute", "measured", "--compute-factor", "product"), "expected REGION=FACTOR"),
                        (("--compute", "measured", "--compute-factor", "product=0"), "expected REGION=FACTOR"),
                        (("--compute", "measured", "--compute-factor", "a=1", "--compute-factor", "a=2"), "has a factor already"),
                        (("--record-compute", "new"), "needs --compute measured")):
        expect(said in net("--quiet", *words, program, "plain", status=2).stderr, words, said)


def recorded():
    """Times measured once are used again, and the run then repeats to the byte."""
    program = build("regions.c")
    measured = result("--compute", "measured", "--record-compute", "times", program, "plain")
    expect("measured" in measured["not_repeatable"] and region(measured, "product")["compute"] > 0, measured["compute"])
    again, twice = (result("--compute", "recorded:times", program, "plain") for _ in range(2))
    expect("not_repeatable" not in again and again["result_hash"] == twice["result_hash"], again)
    for key in ("seconds", "per_rank", "packet_latency"):
        expect(again[key] == measured[key], key, again[key], measured[key])
    expect(again["compute"]["regions"] == measured["compute"]["regions"], again["compute"])
    # A record written by hand: code before each mark and call in turn. Between both marks of product 1000, 2000 and
    # 4000 ns pass, and 10 ns before each of the other calls.
    counts = [len(line.split()) - 1 for line in place.read("times").splitlines()[2:]]
    expect(counts[0] == counts[1], counts)
    stated = result(program, "plain")
    # Init, Comm_rank, Barrier and Wtime; for each step product's begin and end, exchange's begin, Allreduce, end of
    # exchange; Wtime, Finalize.
    times = 4 * [10] + sum(([10, code, 10, 10, 10] for code in (1000, 2000, 4000)), []) + 2 * [10]
    expect(counts[0] == len(times), counts, len(times))
    text = " ".join(map(str, times))
    write("hand", f"psim compute 1\nranks 2\n0: {text}\n1: {text}\n")
    hand = result("--compute", "recorded:hand", program, "plain")
    close(hand["seconds"] - stated["seconds"], sum(times) * 1e-9, "sum of the record")
    close(region(hand, "product")["compute"], 2 * 7 * US)
    close(region(hand, "exchange")["compute"], 2 * 3 * 20e-9)
    hand = result("--compute", "recorded:hand", "--compute-factor", "product=3", program, "plain")
    close(hand["seconds"] - stated["seconds"], (sum(times) + 2 * 7000) * 1e-9, "a factor for product alone")
    write("short", f"psim compute 1\nranks 2\n0: {text}\n1: 10 10\n")
    said = net("--quiet", "--compute", "recorded:short", program, "plain", status=2).stderr
    expect("psim: rank 1: short has its computing up to call 2, and the program calls again" in said, said)
    write("long", f"psim compute 1\nranks 2\n0: {text}\n1: {text} 10\n")
    said = net("--quiet", "--compute", "recorded:long", program, "plain", status=2).stderr
    expect(f"psim: rank 1: long has its computing up to call {len(times) + 1}, and the program ends after {len(times)}" in said, said)


def fortran():
    """A Fortran program with three regions, with psim's module and with the module compiled by the user."""
    if not shutil.which("gfortran"):
        print("skipped: gfortran is not installed")
        sys.exit(77)
    program = build("three_regions.f90", "psim-f90")
    write("fits.toml", """format = 1
[region.assemble]
parameters = "n"
seconds = "1e-9 * n"
[region.solve]
parameters = "n steps"
seconds = "2e-9 * n * log2(n) * steps"
[region.output]
parameters = ""
seconds = "5e-6"
""")
    stated = result(program)
    predicted = result("--compute", "model:fits.toml", program)
    # assemble 96 ns, solve 2 * 96 * log2(96) * 4 ns in addition to four allreduces, output 5 us.
    parts = {"assemble": 96e-9, "solve": 2e-9 * 96 * math.log2(96) * 4, "output": 5e-6}
    for name, seconds in parts.items():
        close(region(predicted, name)["compute"], 2 * seconds, name)
    close(predicted["seconds"] - stated["seconds"], sum(parts.values()), "the sum of three regions")
    expect(region(predicted, "solve")["arguments"] == [[96, 96], [4, 4]], predicted["compute"])
    expect(region(predicted, "solve")["transfer"] > 0, "the allreduces are in solve", predicted["compute"])
    said = net("--quiet", program, "twice", status=2).stderr
    expect(said.startswith("psim: rank 1: in MAIN__ (three_regions.f90:") and "region solve: begins again" in said, said)
    include = os.path.join(source, "workloads/include")
    os.makedirs(at("own"))
    call(os.path.join(tools, "psim-f90"), "-g", "-J", at("own"), "-o", "own_module", f"{include}/psim.f90",
         f"{include}/psim_fortran.c", os.path.join(source, "tests/net/programs/three_regions.f90"))
    same = result("--compute", "model:fits.toml", at("own_module"))
    expect(same["compute"] == predicted["compute"], same["compute"])
    expect("in MAIN__ (three_regions.f90:" in net("--quiet", at("own_module"), "twice", status=2).stderr, "the caller's line")


def native():
    """Without psim a mark is no code."""
    text = open(os.path.join(source, "workloads/include/psim.h")).read()
    write("psim.h", text)
    write("with.c", '#include "psim.h"\nint f(int n) { PSIM_REGION_BEGIN("f", n); n *= 3; PSIM_REGION_END("f"); return n; }\n')
    write("without.c", "int f(int n) { n *= 3; return n; }\n")
    # Labels count the functions of the file, unused ones too.
    code = [re.sub(r"\.LF([BE])\d+", r".LF\1", call("cc", "-O2", "-S", "-o", "-", name).stdout.replace(name, "")) for name in ("with.c", "without.c")]
    expect(code[0] == code[1], *code)


def processes():
    """Several host processes give the same result, with models, intervals and recorded times."""
    if not shutil.which("mpirun"):
        sys.exit(77)
    os.environ.update(OPEN_MPI)
    program = build("regions.c")
    write("fits.toml", INTERVAL + '[region.exchange]\nparameters = "n"\nseconds = "1e-9 * n"\n')

    def outcome(count, *words, status=0):
        launcher = ["mpirun", "--oversubscribe", "-n", count] if count > 1 else []
        done = call(*launcher, psim, "net", "-n", 8, "--quiet", "--json", "result.json", *words, status=status)
        json_ = json.load(open(at("result.json")))
        expect(json_["host"]["processes"] == count, json_["host"])
        return json_, [line for line in done.stderr.splitlines() if line.startswith("psim: ")]

    for words, status in (("plain", 0), ("uneven", 0), ("nested", 0), ("never-ends", 2), ("twice", 2)):
        (one, said), (three, also) = (outcome(count, "--compute", "model:fits.toml", program, words, status=status)
                                      for count in (1, 3))
        expect(one["result_hash"] == three["result_hash"] and said == also, words, one["compute"], three["compute"], said, also)
    outcome(3, "--compute", "measured", "--record-compute", "times", program, "plain")
    one, three = (outcome(count, "--compute", "recorded:times", program, "plain")[0] for count in (1, 3))
    expect(one["result_hash"] == three["result_hash"], "recorded times")


{one.__name__: one for one in (models, sums, intervals, mistakes, recorded, fortran, native, processes)}[part]()
