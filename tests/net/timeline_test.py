# SPDX-License-Identifier: Apache-2.0
"""timeline_test.py PSIM SOURCE PART: timelines of `psim net`."""
import json
import os
import signal
import subprocess
import time

from runs import at, build, events, expect, part, psim, result, run


def timeline():
    program = build("tests/net/programs/calls.c")
    path, archive = at("calls.json"), at("calls.otf2")
    seconds = result("-n", 4, "--timeline", path, program)["seconds"]
    slices, arrows = events(path)
    names = [s["name"] for s in slices if s["tid"] == 1]
    expect(names[0] == "MPI_Init" and names[-1] == "MPI_Finalize" and names.count("MPI_Recv") == 2, names)
    expect(all(a["ts"] + a["dur"] <= b["ts"] + 1e-9 for rank in range(4) for own in [[s for s in slices if s["tid"] == rank]]
               for a, b in zip(own, own[1:])), "calls of a rank follow each other")
    expect(abs(max(s["ts"] + s["dur"] for s in slices) - seconds * 1e6) < 1e-3, "the last call ends with the run")
    big = [s["args"]["from"] for s in slices if "1048576" in s["args"].get("from", "")]
    expect(big == ["rank 0, tag 12, 1048576 bytes, communicator 0"], big)
    expect(arrows["s"].keys() == arrows["f"].keys() and len(arrows["s"]) == 2 + 4, arrows)
    expect(all(arrows["s"][i]["ts"] < arrows["f"][i]["ts"] for i in arrows["s"]), "messages take time")

    run("-n", 4, "--timeline", archive, program)
    anchor = os.path.join(archive, "traces.otf2")
    printed = subprocess.run(["otf2-print", anchor], capture_output=True, text=True, timeout=60)
    expect(printed.returncode == 0 and not printed.stderr, printed.stderr)
    rows = [line.split(None, 3) for line in printed.stdout.splitlines() if line[:1].isupper() and len(line.split()) > 2]
    kinds = [row[0] for row in rows]
    expect(kinds.count("ENTER") == kinds.count("LEAVE") == len(slices), kinds.count("ENTER"), len(slices))
    for kind, count in (("MPI_SEND", 2), ("MPI_RECV", 2), ("MPI_ISEND", 4), ("MPI_ISEND_COMPLETE", 4), ("MPI_IRECV", 4),
                        ("MPI_IRECV_REQUEST", 8), ("MPI_REQUEST_CANCELLED", 4), ("MPI_COLLECTIVE_BEGIN", 8),
                        ("MPI_COLLECTIVE_END", 8), ("NON_BLOCKING_COLLECTIVE_COMPLETE", 4)):
        expect(kinds.count(kind) == count, kind, kinds.count(kind), count)
    sends = [row for row in rows if row[0] == "MPI_SEND"]
    expect("Tag: 12" in sends[1][3] and "Length: 1048576" in sends[1][3] and "MPI_COMM_WORLD" in sends[1][3], sends)
    # Rank 1 sends to rank 2, which is rank 1 of the reversed communicator.
    turned = [row[3] for row in rows if row[0] == "MPI_ISEND" and row[1] == "1"]
    expect("Receiver: 1" in turned[0] and "Tag: 21" in turned[0], turned)
    ends = [row[3] for row in rows if row[0] == "MPI_COLLECTIVE_END" and "BCAST" in row[3]]
    expect(len(ends) == 4 and all("Root: 2" in end for end in ends), ends)

    # A window of time and of ranks, and another run in the same file.
    third = f"{seconds / 3 * 1e6:.3f} us"
    run("-n", 4, "--timeline", path, "--observe-ranks", "1:2", "--observe-from", third, program)
    fewer = [s for s in json.load(open(path))["traceEvents"] if s["ph"] == "X"]
    expect({s["tid"] for s in fewer} == {1, 2} and min(s["ts"] for s in fewer) >= seconds / 3 * 1e6 - 1e-3, fewer[:3])
    run("-n", 4, "--timeline", archive, "--observe-ranks", 3, program)
    again = subprocess.run(["otf2-print", anchor], capture_output=True, text=True, timeout=60)
    expect(again.returncode == 0 and {line.split()[1] for line in again.stdout.splitlines() if line.startswith("ENTER")} == {"3"},
           again.stderr)
    # Operations cut by the window are complete.
    endless = build("tests/net/programs/endings.c")
    running = subprocess.Popen([psim, "net", "-n", "2", "--timeline", path, "--observe-to", "1 ms", endless, "forever"],
                               stderr=subprocess.PIPE)
    time.sleep(2)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=60)
    expect(running.returncode == 128 + signal.SIGINT and len(json.load(open(path))["traceEvents"]) > 100, running.returncode)


globals()[part]()
