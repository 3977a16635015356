# SPDX-License-Identifier: Apache-2.0
"""Plots of results with matplotlib. Each function draws on `axes`, or on new ones, and returns them."""


def _axes(axes, **how):
    if axes is not None:
        return axes
    from matplotlib import pyplot

    return pyplot.subplots(**how)[1]


def _named(results):
    if hasattr(results, "items") and "result_hash" not in results:
        return list(results.items())
    results = [results] if "result_hash" in results else results
    return [(one.source or one.get("machine", {}).get("name", ""), one) for one in results]


def cpi_stack(results, region=None, per_instruction=True, axes=None):
    """Stacked bars of the cycles by cause. `results`: one result, a list, or a dictionary by label."""
    axes = _axes(axes, figsize=(8, 4.5), layout="constrained")
    named = _named(results)
    stacks = [one.cpi_stack(region) for _, one in named]
    if per_instruction:
        counts = [one if region is None else next(row for row in one["regions"] if row["name"] == region) for _, one in named]
        stacks = [stack / count["instructions"] for stack, count in zip(stacks, counts)]
    from matplotlib import colormaps

    colours = colormaps["tab20"].colors  # one for each cause, the same in every plot
    bottom = [0.0] * len(named)
    for number, cause in enumerate(stacks[0].index):
        heights = [stack[cause] for stack in stacks]
        if any(heights):
            axes.bar([name for name, _ in named], heights, bottom=bottom, label=cause, width=0.6,
                     color=colours[number % len(colours)])
            bottom = [low + height for low, height in zip(bottom, heights)]
    axes.set_ylabel("cycles per instruction" if per_instruction else "cycles")
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], loc="center left", bbox_to_anchor=(1, 0.5))  # in the order of the bars
    return axes


def energy(results, part="stages", most=12, axes=None):
    """Bars of the joules of the largest parts, side by side for several results."""
    axes = _axes(axes, figsize=(8, 4.5), layout="constrained")
    named = _named(results)
    parts = named[0][1].energy(part).sort_values(ascending=False).index[:most]
    width = 0.8 / len(named)
    for number, (name, one) in enumerate(named):
        axes.bar([i + width * (number - (len(named) - 1) / 2) for i in range(len(parts))], one.energy(part)[parts], width, label=name)
    axes.set_xticks(range(len(parts)), parts, rotation=45, ha="right")
    axes.set_ylabel("J")
    if len(named) > 1:
        axes.legend()
    return axes


def curve(results, axes=None):
    """Latency against accepted load of `net --traffic`, a line for each result."""
    axes = _axes(axes, layout="constrained")
    for name, one in _named(results):
        points = one.points()
        carried = points[~points["saturated"].astype(bool)]
        axes.plot(carried["accepted"], carried["latency.mean"] * 1e6, marker="o", label=name)
    axes.set_xlabel("accepted load, share of the interface's bandwidth")
    axes.set_ylabel("mean latency, us")
    axes.legend()
    return axes


def fit(result, region=None, axes=None):
    """Measured and fitted cycles of a region with one varying argument, and its predictions with their intervals."""
    axes = _axes(axes, layout="constrained")
    one = next(row for row in result["regions"] if region in (None, row["name"]))
    points = result.points(one["name"])
    varying = [name for name in one["parameters"] if points[name].nunique() > 1]
    x = varying[0] if len(varying) == 1 else "fitted"
    points = points.sort_values(x)
    axes.plot(points[x], points["cycles"], "o", label="measured")
    axes.plot(points[x], points["fitted"], "-", label="model")
    predicted = result.predictions()
    if len(varying) == 1 and len(predicted):
        predicted = predicted[(predicted["unit"] == "cycles") & (predicted["region"] == one["name"])]
        spread = [predicted["value"] - predicted["low"], predicted["high"] - predicted["value"]]
        axes.errorbar(predicted[x], predicted["value"], yerr=spread, fmt="s", capsize=4, label="predicted, 95 %")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(x if x != "fitted" else "fitted cycles")
    axes.set_ylabel("cycles")
    axes.set_title(one["name"])
    axes.legend()
    return axes


def roofline(results, peak_flops, memory_bandwidth, regions=True, axes=None):
    """Points of `psim run` results below the roofs of a node: `peak_flops` per second and bytes per second of memory.

    Parts that moved no bytes of memory have no point.

    `psim roofline` derives the roofs from the machine, has those of links too, and names remedies (docs/roofline.md).
    """
    axes = _axes(axes, layout="constrained")
    intensities = []
    for name, one in _named(results):
        parts = [(name, one)]
        if regions:
            clock = one["cycles"] / one["seconds"]
            parts += [(f"{name}: {row['name']}", {**row, "seconds": row["cycles"] / clock}) for row in one["regions"]
                      if "statistics" in row]
        for label, part in parts:
            memory = part["statistics"]["memory"]
            moved = memory["bytes_read"] + memory["bytes_written"]
            if moved and part["flops"]:
                intensities.append(part["flops"] / moved)
                axes.plot(intensities[-1], part["flops"] / part["seconds"], "o", label=label)
    ridge = peak_flops / memory_bandwidth
    low, high = min(intensities + [ridge]) / 4, max(intensities + [ridge]) * 4
    steps = [low * (high / low) ** (i / 200) for i in range(201)]
    axes.plot(steps, [min(peak_flops, memory_bandwidth * step) for step in steps], "k-", label="roof")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("flops per byte of memory")
    axes.set_ylabel("flops per second")
    axes.legend()
    return axes


def sweep(frame, x, y, by=None, axes=None):
    """A line of column `y` over column `x` of a table of points, one for each value of column `by`."""
    axes = _axes(axes, layout="constrained")
    for value, rows in frame.groupby(by) if by else [(None, frame)]:
        axes.plot(rows[x].astype(str), rows[y], marker="o", label=None if by is None else f"{by} = {value}")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if by:
        axes.legend()
    return axes
