# SPDX-License-Identifier: Apache-2.0
"""open_inputs_test.py PSIM SOURCE: whose time psim reproduce barrier reports, and what bluegene-alltoall compares static routes with."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from commands import Place, expect

psim = sys.argv[1]
place = Place("open-inputs")


def reproduce(*words):
    place.call(psim, "reproduce", *words, "--into", "kept", "--json", "out.json")
    return place.result("out.json")


# On two nodes the mean is that of node 0, which sends the broadcast and leaves, and of the other, which is the slowest.
def bcast(*words):
    curves = reproduce("barrier", "--quick", *words)["curves"]
    return next(c["from_scc"] for c in curves if (c["collective"], c["bytes"], c["nodes"]) == ("MPI_Bcast", 4, 2))


slowest, root, mean = bcast(), bcast("--set", "barrier.time=root"), bcast("--set", "barrier.time=mean")
expect(root < mean < slowest and abs(2 * mean - root - slowest) < 5e-10, (root, mean, slowest))
expect(bcast("--set", "barrier.time=slowest") == slowest, "the default")

# With adaptive routes as the reference, the part alone runs them, too.
for words, named in (((), False), (("--only", "dimension-order", "--set", "static.reference=adaptive"), True)):
    found = reproduce("bluegene-alltoall", "--quick", *words)
    for adaptive, static in zip(found["runs"], found["dimension_order"], strict=True):
        reference = adaptive["simulated_seconds"] if named else static["closed_form_seconds"]
        expect(abs(static["error"] - (static["simulated_seconds"] / reference - 1)) < 1e-12, static)
        expect(abs(adaptive["error"] - (adaptive["simulated_seconds"] / adaptive["closed_form_seconds"] - 1)) < 1e-12, adaptive)

for words, expected in ((("barrier", "--set", "barrier.time=fast"), "slowest"), (("bluegene-alltoall", "--set", "static.reference=x"), "closed-form"),
                        (("bluegene-alltoall", "--set", "topology.routing=fastest"), "dimension-order")):
    told = place.call(psim, "reproduce", *words, "--quick", status=2).stderr
    expect(told.count("\n") == 1 and words[2].split("=")[0] in told and expected in told, told)
