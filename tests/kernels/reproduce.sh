#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# psim reproduce: lists, refuses bad names, compares, and ends with the status that its own result states:
# reproduce.sh PSIM
set -euo pipefail
psim=$(realpath "$1")
tests=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "$*"; exit 1; }
expect() {  # STATUS TEXT COMMAND…
  local status=0 wanted=$1 text=$2
  shift 2
  "$@" >out.txt 2>&1 </dev/null || status=$?
  ((status == wanted)) || { cat out.txt; fail "$*: status $status, expected $wanted"; }
  grep -qF -- "$text" out.txt || { cat out.txt; fail "$*: expected '$text'"; }
}
expect 0 "table2 " "$psim" reproduce
expect 2 "psim: reproduce: unknown experiment tabel2; did you mean table2?" "$psim" reproduce tabel2
expect 2 "did you mean --quick?" "$psim" reproduce table2 --quik
expect 2 "--fit-to" "$psim" reproduce table2 --quick --fit-to 100
expect 2 "psim: " "$psim" reproduce table2 --quick --json /nowhere/table2.json

# A psim without its kernels says what to install.
mkdir -p bare/bin bare/share/psim
cp "$psim" bare/bin/psim
cp -r "$tests/../../machines" bare/share/psim/machines
cp -r "$tests/../../papers/data" bare/share/psim/papers
expect 2 "gcc-sparc64-linux-gnu" bare/bin/psim reproduce table2 --quick

# A psim without its data files ends before it simulates.
rm -r bare/share/psim/papers
expect 2 "psim: reproduce: reviriego: its data file is missing" bare/bin/psim reproduce reviriego --into unused
[[ -z $(ls unused) ]] || fail "simulated without a data file: $(ls unused)"

# Every form of --sensitivity computes what it should.
kernels=$(realpath "$(dirname "$psim")/../share/psim/kernels")
while read -r name kernel modes _; do
  for mode in scalar simd; do
    [[ $modes == both || $modes == "$mode" ]] || continue
    expect 0 "wrong=0" "$psim" exec "$kernels/variants/$name" $mode $([[ $kernel == fft ]] && echo 1024 || echo 64)
  done
done < <(grep '^[a-z]' "$kernels/variants/list")

# All published results: here a list of its own, so that every status occurs.
mkdir -p own/bin own/share/psim/papers
cp "$psim" own/bin/psim
cp -r "$tests/../../machines" own/share/psim/machines
cat >own/share/psim/papers/uniform.toml <<'END'
format = 1
paper = "003"
title = "Uniform traffic"
source = "figure 1, p. 2"
command = "net -n 8 --traffic uniform --load 0.1"
quick = "net -n 4 --traffic uniform --load 0.1"
[value.nodes]
paper = 8
tolerance = 0
find = "topology.nodes"
figure = "sizes"
x = "nodes"
[value.other]
text = "another number, which a decision explains"
paper = 4
tolerance = 0.1
find = "topology.nodes"
explained = "0018-paper-kernels.md"
[value.none]
find = "no.such[key=1].number"
[figure.sizes]
title = "Sizes"
kind = "bars"
END
printf 'format = 1\npaper = "003"\ntitle = "Refused"\nsource = "p. 3"\ncommand = "net -n 0"\n[value.a]\nfind = "a"\n' >own/share/psim/papers/wrong.toml
expect 1 "1 values agree, 1 differ and are explained, 0 differ, 1 failed, 1 were not run" \
  own/bin/psim reproduce --all --json all.json --csv all.csv --report all.html --into kept
# The outcome of a plain command is kept, a failed one is not: the next run simulates only the latter.
[[ $(ls kept/*.json | wc -l) == 1 ]] || fail "kept: $(ls kept)"
touch -d @1 kept/*.json
expect 1 "1 values agree, 1 differ and are explained" own/bin/psim reproduce --all --json kept.json --into kept
[[ -z $(find kept -name '*.json' -newermt @2) ]] || fail "simulated again: $(ls -l kept)"
[[ $(grep -o '"result_hash": "[^"]*"' all.json) == $(grep -o '"result_hash": "[^"]*"' kept.json) ]] || fail "other results"
grep -q "differs, explained: docs/decisions/0018-paper-kernels.md" out.txt || { cat out.txt; fail "no link to the decision"; }
expect 1 "1 values agree, 0 differ and are explained, 1 differ, 1 failed" own/bin/psim reproduce --all --quick
rm own/share/psim/papers/wrong.toml
expect 0 "1 values agree" own/bin/psim reproduce --all --json again.json
python3 - <<'END'
import csv, json
result, again = json.load(open("all.json")), json.load(open("again.json"))
assert [one["name"] for one in result["experiments"]] == ["uniform", "wrong"], result
values = {value["name"]: value for value in result["experiments"][0]["values"]}
assert values["nodes"]["ours"] == 8 and values["nodes"]["status"] == "agrees", values
assert values["other"]["status"] == "differs, explained" and values["other"]["error"] == 1, values
assert values["none"]["status"] == "not run" and values["none"]["ours"] is None, values
assert result["host"]["exit_status"] == 1 and again["host"]["exit_status"] == 0
rows = list(csv.DictReader(open("all.csv")))
assert [row["status"] for row in rows] == ["agrees", "differs, explained", "not run", "failed"], rows
page = open("all.html").read()
assert page.count("<section") == 4 and "data-chart=" in page and "another number, which a decision explains" in page, page[-3000:]
END

# Explanations are runs: a number that one run meets, and one that none reaches.
expect 2 "psim: reproduce: --explain uniform: its data file has no causes" own/bin/psim reproduce uniform --explain
cat >own/share/psim/papers/channels.toml <<'END'
format = 1
paper = "003"
title = "Virtual channels"
source = "p. 4"
command = "net -n 4 --traffic uniform --load 0.1"
[cause.channels]
text = "virtual channels"
source = "a data sheet"
set = "router.virtual_channels"
values = "8 | none | 4"
[value.eight]
paper = 8
tolerance = 0.1
find = "machine.router.virtual_channels"
explained = "0018-paper-kernels.md"
cause = "channels"
[value.many]
paper = 32
tolerance = 0.1
find = "machine.router.virtual_channels"
explained = "0018-paper-kernels.md"
cause = "channels"
END
expect 1 "0 values agree, 1 are explained by a run, 1 are not explained by any, 0 differ and are explained, 0 differ, 0 failed" \
  own/bin/psim reproduce channels --explain --json explained.json --csv explained.csv --report explained.html
grep -qF "explained by a run: psim net -n 4 --traffic uniform --load 0.1 --set router.virtual_channels=8; 2 … 8" out.txt || { cat out.txt; fail "no command"; }
grep -qF "not explained: no run of router.virtual_channels reaches it, the nearest is psim net -n 4 --traffic uniform --load 0.1 --set router.virtual_channels=8; 2 … 8" out.txt || { cat out.txt; fail "no nearest run"; }
grep -qF "router.virtual_channels = none: failed: psim: " out.txt || { cat out.txt; fail "the failed run is not stated"; }
grep -qF "router.virtual_channels = 8: 1 of 2 values agree, before 0" out.txt || { cat out.txt; fail "no count of a run"; }
grep -q "explained by a run" explained.html || fail "the page lacks the status"
python3 - <<'END'
import csv, json
values = {value["name"]: value for value in json.load(open("explained.json"))["experiments"][0]["values"]}
assert values["eight"]["status"] == "explained by a run" and (values["eight"]["tried_least"], values["eight"]["tried_most"]) == (2, 8), values
assert values["many"]["status"] == "not explained" and values["many"]["decision"] and values["many"]["tried"].endswith("router.virtual_channels=8"), values
assert [row["status"] for row in csv.DictReader(open("explained.csv"))] == ["explained by a run", "not explained"]
END
rm own/share/psim/papers/channels.toml
expect 2 "psim: reproduce: --explain tabel2: expected --all, or one of" "$psim" reproduce tabel2 --explain
expect 2 "psim: reproduce: --only figure6: tracerp has no such part; did you mean figure2?" "$psim" reproduce tracerp --explain --only figure6
expect 2 "psim: reproduce: --cause nodez: barrier has nodes, allreduce, jitter" "$psim" reproduce barrier --explain --cause nodez
expect 2 "psim: reproduce: --cause: expected together with --explain and one experiment" "$psim" reproduce barrier --cause nodes
expect 2 "psim: reproduce: --only: barrier does not have this option" "$psim" reproduce barrier --explain --only figure2
expect 2 "psim: reproduce: --set fx1: expected KEY=VALUE" "$psim" reproduce roofline --set fx1
expect 2 "psim: reproduce: --set fx2.roofline.peak=1: expected figure-11.routing, or a key of a ridge's machine" "$psim" reproduce roofline --set fx2.roofline.peak=1
expect 2 "psim: reproduce: --set eri.repetition=1: eri-timeline has only eri.repetitions" "$psim" reproduce eri-timeline --set eri.repetition=1
expect 2 "psim: reproduce: --only figure6: tracerp has no such part; did you mean figure2?" "$psim" reproduce tracerp --only figure6
expect 2 "psim: reproduce: --set phase.rows = 3: expected a divisor" "$psim" reproduce pq580 --quick --set phase.rows=3
for wrong in "--all table2" "--all --fit-to 192" "table2 --csv x.csv"; do
  expect 2 "psim: reproduce: " "$psim" reproduce $wrong
done

# A folder keeps the simulations: the second run starts none, and a changed one is refused.
expect 0 "  agrees; " "$psim" reproduce reviriego --json first.json --into runs
count=$(ls runs | wc -l)
touch -d @1 runs/*
expect 0 "  agrees; " "$psim" reproduce reviriego --json second.json --into runs
[[ $(ls runs | wc -l) == "$count" && -z $(find runs -newermt @2 -type f) ]] || fail "the second run simulated again"
[[ $(grep -o '"result_hash": "[^"]*"' first.json) == $(grep -o '"result_hash": "[^"]*"' second.json) ]] || fail "other results"
sed -i 's/"packets": [0-9]*/"packets": 1/' runs/*
expect 2 "is not an unchanged outcome of psim; remove it" "$psim" reproduce reviriego --into runs

# The rooflines, too, keep their simulations; a few nodes have no curves of barriers.
expect 0 "differs, explained: docs/decisions/0055-rooflines.md" "$psim" reproduce roofline --quick --jobs 2 --json two.json --into roofs
expect 0 "differs, explained: docs/decisions/0055-rooflines.md" "$psim" reproduce roofline --quick --jobs 1 --json one.json
[[ $(grep -o '"result_hash": "[^"]*"' two.json) == $(grep -o '"result_hash": "[^"]*"' one.json) ]] || fail "roofline depends on --jobs"
for one in eri-timeline machines; do
  expect 2 "psim: reproduce: --jobs: $one runs one simulation at a time; expected no --jobs" "$psim" reproduce $one --jobs 2
done
count=$(find roofs -type f | wc -l)
expect 0 "differs, explained: docs/decisions/0055-rooflines.md" "$psim" reproduce roofline --quick --into roofs
((count > 20)) && [[ $(find roofs -type f | wc -l) == "$count" ]] || fail "roofline simulated again"
expect 0 "  agrees; " "$psim" reproduce barrier --quick
grep -q "MPI_Barrier takes longer with more nodes  *so  *so  *agrees" out.txt || { cat out.txt; fail "no statement"; }
! grep -q "follow log(n)" out.txt || { cat out.txt; fail "barrier --quick judges curves"; }

# Inputs of single ridges, and parts of experiments, which state nothing about the others.
expect 0 "42.67" "$psim" reproduce roofline --quick --into roofs --set 'nehalem-ex-text.roofline.peak=341.4 GFlop/s'
grep -q "36.2 flop/B  *36.24[0-9]* flop/B" out.txt || { cat out.txt; fail "the key of a ridge changes another"; }
expect 0 "FMO-ERI, lysozyme" "$psim" reproduce pq580 --only fmo-eri --json part.json
! grep -q "waves" out.txt part.json || { cat out.txt; fail "PHASE was not run"; }
expect 0 "FMO-ERI, lysozyme" "$psim" reproduce pq580 --only fmo-eri --set computing.factor=1.05 --json more.json
python3 - <<'END'
import json
one, more = ([run for run in json.load(open(file))["runs"]][0] for file in ("part.json", "more.json"))
assert abs(more["computing_seconds"] / one["computing_seconds"] - 1.05) < 1e-9, more
assert 1.04 < more["predicted_seconds"] / one["predicted_seconds"] < 1.06 and more["paper_computing_seconds"] == one["paper_computing_seconds"], more
END
expect 0 "in static dimension order" "$psim" reproduce bluegene-alltoall --quick --only dimension-order
! grep -q "below 5 %" out.txt || { cat out.txt; fail "the other part is judged"; }
expect 0 "fft, 1024 points x 8, 16 SIMD-PEs" "$psim" reproduce table2 --quick --only fft
! grep -q gemm out.txt || { cat out.txt; fail "table2 --only fft runs other kernels"; }

# The original against its skeleton. The times are the host's, so only their form is checked.
status=0
"$psim" reproduce eri-timeline --quick --json eri.json >out.txt 2>&1 </dev/null || status=$?
python3 - "$status" <<'END'
import json, sys
result = json.load(open("eri.json"))
host = result["host"]
statuses = {value["status"] for value in result["values"] + host["values"]}
assert host["exit_status"] == int(sys.argv[1]) == int(bool(statuses & {"differs", "not explained", "failed"})), (host["exit_status"], statuses)
assert host["within_goal"] == (host["exit_status"] == 0 and "differs, explained" not in statuses), (host["within_goal"], statuses)
assert len(host["repeated_seconds"]) == 2 and host["original"]["seconds"] <= min(host["repeated_seconds"]), host["repeated_seconds"]
assert result["original"] == [{"glycines": 3, "functions": 217.0, "ranks": 64}], result["original"]
for one in ("original", "skeleton"):
    ranks = host[one]["ranks"]
    assert [rank["rank"] for rank in ranks] == list(range(64))
    assert all(0 < rank["computed_seconds"] <= rank["seconds"] for rank in ranks), one
assert abs(host["error"] - (host["skeleton"]["seconds"] / host["original"]["seconds"] - 1)) < 1e-9
END
# The other experiments are validated in tests/schemas. Without python3-jsonschema the status is 77.
status=0
python3 "$tests/../schemas/validation.py" "$psim" eri.json >out.txt || status=$?
((status == 0 || status == 77)) || { cat out.txt; fail "psim schema result refuses eri.json"; }

# An interrupt ends every simulation and leaves no file.
setsid "$psim" reproduce table2 --json interrupted.json >out.txt 2>&1 &
running=$!
for _ in $(seq 100); do
  mapfile -t children < <(pgrep -P "$running" || true)
  ((${#children[@]})) && break
  sleep 0.1
done
((${#children[@]})) || fail "no simulation was begun"
kill -INT "$running"
status=0
wait "$running" || status=$?
((status == 130)) || { cat out.txt; fail "interrupted: status $status, expected 130"; }
for child in "${children[@]}"; do [[ ! -e /proc/$child ]] || fail "simulation $child still runs"; done
[[ -z $(ls -A | grep interrupted || true) ]] || fail "an interrupted run left $(ls -A)"
