# SPDX-License-Identifier: Apache-2.0
"""psim in Python: run it, read its results, plot them (docs/python.md).

    import psim
    base = psim.run(["./dgemm", 64], energy=True)
    base["cycles"], base.regions(), base.energy("stages")
    psim.plot.cpi_stack({"base": base, "small": psim.load("small.json")})

The module needs Python alone. Tables are frames of pandas and plots axes of matplotlib: Debian's python3-pandas and
python3-matplotlib.
"""
from psim import plot
from psim.commands import Error, command, exec, fit, net, program, replay, reproduce, roofline, run, sweep
from psim.results import Result, load, table

__all__ = ["Error", "Result", "command", "exec", "fit", "load", "net", "plot", "program", "replay", "reproduce", "roofline", "run",
           "sweep", "table"]
