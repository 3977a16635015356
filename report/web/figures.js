// SPDX-License-Identifier: Apache-2.0
// Charts that the page describes as data, drawn with Observable Plot: see report/figure.h. Each is a picture with a name
// for those who do not see it; point at a mark, or move to it with Tab, to read its numbers.
"use strict";
(() => {
  const { si, grouped } = window.psim;
  const PALETTE = 8;
  const paint = (k) => `var(--series-${k % PALETTE})`;
  const painted = (series, k) => series.colour ? `var(--${series.colour})` : paint(k);
  // Units that take prefixes stand at the ticks, others beside the name.
  const prefixed = (unit) => /^(s|J|W|B|Hz|(flop|B)\/s)$/.test(unit) ? unit : "";
  const named = (axis) => axis.unit && !prefixed(axis.unit) ? `${axis.name}, ${axis.unit}` : axis.name;
  const short = (value, unit) => unit ? si(value, unit, 4) : value !== 0 && (Math.abs(value) >= 1e4 || Math.abs(value) < 1e-4) ? si(value, "", 4).trim() : grouped(value, 4);
  // Labels of a logarithmic axis: each decade of a long one, 1, 2 and 5 of a shorter one. D3 hides more if there are more.
  const ticks = (axis, values) => {
    const tickFormat = (value) => short(value, prefixed(axis.unit)), given = [...new Set(values)];
    if (axis.each && given.length <= 8) return { ticks: given, tickFormat, base: 2, domain: [Math.min(...given) / 1.5, Math.max(...given) * 1.5] };
    if (!axis.log || !values.length) return { ticks: 6, tickFormat, nice: true };
    const low = Math.min(...values) / 1.15, high = Math.max(...values) * 1.15, decades = Math.log10(high / low), all = [];
    const steps = decades > 5 ? [1] : decades > 2 ? [1, 2] : decades > 1 ? [1, 2, 5] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
    for (let ten = Math.floor(Math.log10(low)); ten <= Math.ceil(Math.log10(high)); ++ten) {
      steps.forEach((step) => { const tick = step * 10 ** ten; if (tick >= low && tick <= high) all.push(tick); });
    }
    return { ticks: all.length < 2 ? [...new Set(values)].slice(0, 6) : all, tickFormat, domain: [low, high] };
  };
  const scale = (axis, values) => ({ type: axis.log ? "log" : "linear", label: named(axis), labelArrow: "none", grid: true, ...ticks(axis, values) });
  const isRange = ({ mark }) => mark === "band" || mark === "interval";
  const reads = (spec, series, [x, y, more]) => {
    const at = typeof x === "number" ? `${spec.x.name} ${si(x, spec.x.unit, 5)}` : x;
    const value = isRange(series) ? `${si(y, spec.y.unit, 5)} to ${si(more, spec.y.unit, 5)}` : si(y, spec.y.unit, 5);
    return `${series.name}\n${at}\n${spec.y.name}: ${value}${typeof more === "string" && more !== x ? `\n${more}` : ""}`;
  };

  const lines = (spec) => {
    const xs = [], ys = [];
    const good = ([x, y]) => (!spec.x.log || x > 0) && (!spec.y.log || y > 0) && Number.isFinite(x) && Number.isFinite(y);
    const marks = spec.series.flatMap((series, k) => {
      const points = series.points.filter(good);
      points.forEach(([x, y, high]) => { xs.push(x); ys.push(y); if (isRange(series)) ys.push(high); });
      const rows = points.map((point) => ({ x: point[0], y: point[1], high: point[2], reads: reads(spec, series, point) }));
      const drawn = { x: "x", stroke: painted(series, k), strokeDasharray: series.dashed ? "6 4" : undefined, strokeWidth: 2 };
      if (series.mark === "band") return [Plot.areaY(rows, { x: "x", y1: "y", y2: "high", fill: painted(series, k), fillOpacity: 0.22, clip: true })];
      if (series.mark === "interval") return [Plot.ruleX(rows, { x: "x", y1: "y", y2: "high", stroke: painted(series, k), strokeWidth: 12, strokeOpacity: 0.3, tip: true, title: "reads" })];
      if (series.mark === "rule") return [Plot.line(rows, { ...drawn, y: "y", clip: true })];
      const dots = Plot.dot(rows, { x: "x", y: "y", r: 4, fill: painted(series, k), stroke: "var(--paper)", tip: true, title: "reads", className: "point" });
      return series.mark === "dot" ? [dots] : [Plot.line(rows, { ...drawn, y: "y", clip: true }), ...(rows.length <= 80 ? [dots] : [])];
    });
    return { x: scale(spec.x, xs), y: scale(spec.y, ys), marks };
  };
  const bars = (spec, width) => {
    const rows = spec.series.flatMap((series, k) => series.points.map((point) => (
      { group: point[2] ?? String(point[0]), name: series.name, y: point[1], paint: painted(series, k), reads: reads(spec, series, point) })));
    const groups = [...new Set(rows.map(({ group }) => group))], y = scale(spec.y, rows.map((row) => row.y)), least = spec.y.log ? y.domain[0] : 0;
    // Names of groups have the width of their group, in lines of some letters of 12 pixels, or are turned where a word is wider.
    const letters = (width - 84) / groups.length / 6.6, turned = groups.some((group) => group.split(" ").some((word) => word.length > letters));
    const lines = Math.min(4, Math.max(...groups.map((group) => Math.ceil(group.length / letters)))), short = (group) => group.length > 18 ? group.slice(0, 17) + "…" : group;
    const below = turned ? 16 + 4.4 * Math.max(...groups.map((group) => short(group).length)) : 12 + 14 * lines;
    const names = turned ? { text: ({ group }) => short(group), rotate: -40, textAnchor: "end" } : { text: "group", lineWidth: letters * 0.55 };
    return { height: 222 + below, marginTop: 28, marginBottom: below, fx: { domain: groups, axis: null },
      x: { axis: null, domain: spec.series.map(({ name }) => name) },
      y, marks: [Plot.text(groups.map((group) => ({ group })), { fx: "group", frameAnchor: "bottom", lineAnchor: "top", dy: 8, ...names }), Plot.barY(rows, { fx: "group", x: "name", y1: () => least, y2: "y", fill: "paint", tip: true, title: "reads" }), Plot.ruleY([least])] };
  };
  const timeline = (spec) => {
    const rows = spec.series.flatMap((series, k) => series.points.map(([end, computed, label], i) => ({ row: `${series.name} ${label ?? i}`, end, computed, paint: painted(series, k),
      reads: `${series.name} ${label ?? i}\ncomputing until ${si(computed, spec.x.unit)}\nend ${si(end, spec.x.unit)}` })));
    return { height: 40 + Math.min(560, 12 * rows.length), x: scale(spec.x, rows.map(({ end }) => end)), y: { axis: null, domain: rows.map(({ row }) => row) },
      marks: [Plot.barX(rows, { y: "row", x1: 0, x2: "computed", fill: "paint", tip: true, title: "reads" }),
        Plot.barX(rows, { y: "row", x1: "computed", x2: "end", fill: "paint", fillOpacity: 0.4 })] };
  };
  const path = (spec) => {
    const rows = spec.series.flatMap((series, k) => series.points.map(([x1, y1, x2, y2, label]) => ({ x1, y1, x2, y2, middle: (x1 + x2) / 2, level: (y1 + y2) / 2, paint: painted(series, k),
      reads: `${series.name}${label ? ` ${label}` : ""}\n${spec.y.name} ${y1 === y2 ? y1 : `${y1} to ${y2}`}\n${si(x1, spec.x.unit, 5)} to ${si(x2, spec.x.unit, 5)}` })));
    const ys = rows.flatMap(({ y1, y2 }) => [y1, y2]);
    return { x: scale(spec.x, rows.flatMap(({ x1, x2 }) => [x1, x2])), y: { ...scale(spec.y, ys), interval: 1, reverse: true, tickFormat: "d" },
      marks: [Plot.line(rows.flatMap(({ x1, y1, x2, y2, paint }, step) => [{ x: x1, y: y1, step, paint }, { x: x2, y: y2, step, paint }]),
        { x: "x", y: "y", z: "step", stroke: "paint", strokeWidth: 3 }),
        Plot.dot(rows, { x: "middle", y: "level", r: 3, fill: "paint", fillOpacity: 0, tip: true, title: "reads" })] };
  };
  // Colours of a change: blue for less, red for more, none in the middle, so that it fits light and dark paper.
  const map = (spec) => {
    const cells = spec.series.flatMap((series) => series.points.map(([x, value, columns]) => ({ row: series.name, x1: x - 0.5, x2: x + columns - 0.5, value,
      reads: `${series.name}\n${spec.x.name} ${columns > 1 ? `${x} to ${x + columns - 1}` : x}\n${value > 0 ? "+" : ""}${(100 * value).toFixed(2)} points` })));
    const top = Math.max(1e-9, ...cells.map(({ value }) => Math.abs(value)));
    return { height: 60 + 26 * spec.series.length, marginLeft: 72, padding: 0.1, x: { label: named(spec.x), labelArrow: "none", ticks: 6, tickFormat: (tick) => Number.isInteger(tick) ? grouped(tick) : "", domain: [-0.5, Math.max(...cells.map(({ x2 }) => x2))] },
      y: { label: null, domain: spec.series.map(({ name }) => name) },
      marks: [Plot.barX(cells, { y: "row", x1: "x1", x2: "x2", fill: ({ value }) => value < 0 ? "var(--series-0)" : "var(--series-6)", fillOpacity: ({ value }) => Math.abs(value) / top,
        tip: true, title: "reads" })] };
  };
  // Parts of a time on named rows; what continues beyond the axis has an arrow.
  const spans = (spec, width) => {
    // Names of rows have up to two fifths of the width, and end with an ellipsis where they are longer.
    const margin = Math.min(Math.max(124, 12 + 6.6 * Math.max(...spec.rows.map((name) => name.length))), Math.max(124, 0.4 * width)), letters = Math.floor((margin - 12) / 6.6);
    const cut = (name) => name.length > letters ? name.slice(0, letters - 1) + "…" : name;
    const end = spec.x.end ?? Infinity, all = spec.series.flatMap((series, k) => series.points.map(([begin, until, row, text, opacity, thin]) => (
      { begin, until: Math.min(until, end), row, opacity, thin, paint: painted(series, k), goes: until > end, reads: `${row}: ${text}${spec.kind === "parts" ? "" : `\n${si(begin, spec.x.unit, 6)} to ${si(until, spec.x.unit, 6)}`}` })));
    const shown = all.filter(({ begin }) => begin < end), bars = (rows, inset) => Plot.barX(rows, { y: "row", x1: "begin", x2: "until", fill: "paint",
      fillOpacity: "opacity", stroke: "var(--paper)", strokeWidth: 0.6, ...inset, title: "reads", tip: true });
    return { height: 62 + 26 * spec.rows.length, marginLeft: margin, opacity: { type: "identity" }, color: { type: "identity" }, x: { ...scale(spec.x, shown.flatMap(({ begin, until }) => [begin, until])), ticks: Math.max(2, Math.min(6, Math.floor((width - margin) / 80))) },
      y: { domain: spec.rows, label: null, padding: 0, tickSize: 0, tickFormat: cut }, marks: [
        bars(shown.filter(({ thin }) => thin), { insetTop: 17, insetBottom: 3 }), bars(shown.filter(({ thin }) => !thin), { insetTop: 4, insetBottom: 10 }),
        Plot.text(shown.filter(({ goes }) => goes), { x: "until", y: "row", text: () => "→", dx: 8, fill: "currentColor" })] };
  };
  const KINDS = { lines, bars, timeline, map, path, spans, parts: spans };

  const legend = (items) => {
    const box = document.createElement("div");
    box.className = "legend";
    items.forEach(({ name, paint: colour }) => {
      const item = document.createElement("span"), swatch = document.createElement("i");
      swatch.className = "swatch";
      swatch.style.background = colour;
      item.append(swatch, name);
      box.append(item);
    });
    return box;
  };
  // Draws a chart in its place, again whenever the width changes. `make` returns options of Plot.
  const draw = (place, name, make) => {
    let last = 0;
    const again = (force) => {
      const width = Math.floor(place.clientWidth);
      if (!width || (width === last && !force)) return;
      last = width;
      const drawn = Plot.plot({ width, height: Math.round(Math.min(360, Math.max(220, width * 0.42))), marginLeft: 64, marginRight: 20, marginBottom: 42,
        style: { background: "transparent", fontSize: "12px", overflow: "visible" }, ...make(width) });
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", name);
      place.replaceChildren(drawn);
    };
    new ResizeObserver(() => again(false)).observe(place);
    again(true);
    return () => again(true);
  };
  Object.assign(window.psim, { draw, legend, paint, scale });

  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    const spec = JSON.parse(figure.dataset.chart), place = figure.querySelector(".plot");
    if (spec.kind === "map") place.before(legend([{ name: "less", paint: paint(0) }, { name: "more", paint: paint(6) }]));
    else if (spec.series.length > 1) place.before(legend(spec.series.map((series, k) => ({ name: series.name, paint: painted(series, k) }))));
    draw(place, `${spec.title}: ${named(spec.y)} over ${named(spec.x)}`, (width) => KINDS[spec.kind](spec, width));
  }
})();
