# SPDX-License-Identifier: Apache-2.0
"""Results of psim (--json) as dictionaries with tables."""
import json
import pathlib


def load(path):
    """Reads the JSON result of any command. Raises ValueError for another file."""
    try:
        document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: not JSON: {error}; expected the file of --json") from None
    if not isinstance(document, dict) or "result_hash" not in document:
        raise ValueError(f"{path}: is no result of psim; expected the file of --json")
    return Result(document, source=str(path))


def _frame(rows, **how):
    import pandas

    return pandas.DataFrame(rows, **how)


def _flat(value, prefix=""):
    """The values below a dictionary, by dotted path. Lists stay as they are."""
    if not isinstance(value, dict):
        return {prefix: value}
    flat = {}
    for key, inner in value.items():
        flat.update(_flat(inner, f"{prefix}.{key}" if prefix else str(key)))
    return flat


class Result(dict):
    """A result. Keys are those of docs/results.md and docs/result-keys.md: times in seconds, sizes in bytes, energies in joules.

    `output` and `messages` are the program's standard output and psim's messages, if this process ran it.
    """

    def __init__(self, document, source="", output="", messages=""):
        super().__init__(document)
        self.source, self.output, self.messages = source, output, messages

    def __repr__(self):
        return f"<psim {self.get('command')} {self.get('machine', {}).get('name', '')} {self['result_hash'][:12]}>"

    def __missing__(self, key):
        raise KeyError(f"{key}: not in a result of psim {self.get('command')}, as made by these options; flat() lists its values")

    def flat(self):
        """All values by dotted path, such as "statistics.l1d.misses", in a Series."""
        import pandas

        return pandas.Series(_flat(dict(self)), dtype=object)

    def statistics(self, region=None):
        """A row for each statistic: component, statistic, value (the mean of a distribution) and samples."""
        of = self if region is None else next(row for row in self["regions"] if row["name"] == region)
        rows = []
        for component, values in of.get("statistics", {}).items():
            for name, value in values.items():
                shared = isinstance(value, dict)
                rows.append({"component": component, "statistic": name, "value": value["mean"] if shared else value,
                             "samples": value["samples"] if shared else None})
        return _frame(rows, columns=["component", "statistic", "value", "samples"]).set_index(["component", "statistic"])

    def cpi_stack(self, region=None):
        """Cycles by cause, of the run or of a region, in a Series."""
        import pandas

        of = self if region is None else next(row for row in self["regions"] if row["name"] == region)
        return pandas.Series(of["cpi_stack"], name="cycles")

    def energy(self, part="stages"):
        """Joules by `stages`, `structures`, `execution`, `leakage`, `classes` or `by_coefficient`, in a Series."""
        import pandas

        return pandas.Series(self["energy"][part], name="joules")

    def regions(self):
        """A row for each region, without its statistics; of `net`, the regions of its ranks."""
        rows = self["compute"]["regions"] if "compute" in self else self.get("regions", [])
        return _frame([{key: value for key, value in row.items() if key not in ("statistics", "points", "predictions")}
                       for row in rows])

    def points(self, region=None):
        """A row for each point: loads of `net --traffic`, points of a fitted region, or points of a roofline."""
        if self["command"] == "fit":
            rows = [{"region": one["name"], **dict(zip(one["parameters"], point["args"])),
                     **{key: value for key, value in point.items() if key != "args"}}
                    for one in self["regions"] if region in (None, one["name"]) for point in one["points"]]
            return _frame(rows)
        return _frame([_flat(row) for row in self["points"]])

    def predictions(self):
        """A row for each prediction of `fit`, with the ends of its 95 % interval."""
        rows = []
        for one in self["regions"]:
            for row in one.get("predictions", []):
                for unit in ("cycles", "seconds", "joules"):
                    if unit in row:
                        low, high = row[unit]["interval"]
                        rows.append({"region": one["name"], **dict(zip(one["parameters"], row["args"])), "unit": unit,
                                     "value": row[unit]["value"], "low": low, "high": high,
                                     "extrapolated": row[unit]["extrapolated"]})
        return _frame(rows)

    def jobs(self):
        """A row for each job of `net --jobs`."""
        return _frame([{key: value for key, value in _flat(row).items() if not key.startswith("statistics.")}
                       for row in self["jobs"]])


def table(results, machine=True):
    """A row for each result, of a dictionary by label or of a list: its numbers, and the machine's keys that differ."""
    named = results.items() if hasattr(results, "items") else [(one.source or str(i), one) for i, one in enumerate(results)]
    rows, machines = {}, {}
    for name, one in named:
        rows[name] = {"command": one["command"],
                      **{key: value for key, value in one.items()
                         if isinstance(value, (int, float)) and key not in ("schema", "seed")}}
        machines[name] = _flat(one["machine"])
    if machine:
        keys = {key: None for values in machines.values() for key in values}
        for key in keys:
            values = {name: values.get(key) for name, values in machines.items()}
            if key != "description" and len({str(value) for value in values.values()}) > 1:
                for name, value in values.items():
                    rows[name][f"machine.{key}"] = value
    return _frame(list(rows.values()), index=list(rows))
