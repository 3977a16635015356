# SPDX-License-Identifier: Apache-2.0
"""Store buffering: after membar #StoreLoad two threads never both miss the other's store. TSO allows it without; a core of psim executes
when it fetches, which is sequentially consistent (docs/decisions/0059-several-cores.md), so it does not happen there either."""
import re
import sys
import tempfile

from common import build, run  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    program = build("store_buffers.c", folder)
    said = run([sys.argv[1], "run", "--quiet", "--set", "node.cores=2", program], folder).stdout
counts = dict((name, (int(both), int(one))) for name, both, one in re.findall(r"(?m)^(.+): both old (\d+), one old (\d+)$", said))
if set(counts) != {"no barrier", "membar #StoreLoad"}:
    sys.exit(f"printed: {said!r}")
if any(both != 0 for both, one in counts.values()):
    sys.exit(f"both threads missed the other's store: {counts}")
if any(one == 0 for both, one in counts.values()):
    sys.exit(f"the threads never met: {counts}")
