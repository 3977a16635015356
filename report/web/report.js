// SPDX-License-Identifier: Apache-2.0
// The moving parts of a report: the theme button and the charts over time. Everything said here in a picture is
// also in the page as text, so the report reads without scripts.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("psim-data").textContent);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  const redraws = [];
  // Stages have the colour of their part of the pipeline, every other one paler.
  const stageColour = (name, k) => {
    const stage = name.replace("PE ", "");
    const part = /^I.$/.test(stage) ? "fetch" : /^[ED]$/.test(stage) ? "issue" : /^[PBCX]$/.test(stage) ? "execute" :
      /^.s$/.test(stage) ? "cache" : "complete";
    return colour(part) + (k % 2 ? "aa" : "");
  };
  // Numbers for people: 1,234,567 and 0.0000123 as 12.3 µ, at most `digits` significant digits.
  const grouped = (value, digits = 6) => value.toLocaleString("en-US", { maximumSignificantDigits: digits });
  const PREFIXES = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];
  const si = (value, unit, digits = 4) => {
    const size = Math.abs(value), [factor, prefix] = size === 0 ? [1, ""] : PREFIXES.find(([least]) => size >= least) || [1e-12, "p"];
    return `${grouped(value / factor, digits)} ${prefix}${unit}`;
  };
  // A chart is a picture with a name for those who do not see it.
  const describe = (plot, text) => {
    const picture = plot.root.querySelector(".u-wrap");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", text);
    const legend = plot.root.querySelector(".u-legend");
    if (legend) legend.setAttribute("aria-label", text + ": what its colours mean");
  };
  // Viridis, from 0 to 1: brighter is more, for eyes with any colour deficiency and on grey paper too.
  const VIRIDIS = [[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]];
  const gradient = (part) => {
    const at = Math.max(0, Math.min(1, part)) * (VIRIDIS.length - 1), i = Math.min(VIRIDIS.length - 2, Math.floor(at));
    return `rgb(${VIRIDIS[i].map((from, c) => Math.round(from + (VIRIDIS[i + 1][c] - from) * (at - i))).join(" ")})`;
  };
  // The end of a scale of shares: 1, 2 or 5 times a power of ten, and no more than all.
  const scaleEnd = (most) => {
    if (!(most > 0)) return 1;
    const ten = 10 ** Math.floor(Math.log10(most));
    return Math.min(1, [1, 2, 5, 10].map((k) => k * ten).find((end) => end >= most * 0.999));
  };
  // The colour of the k-th series of any chart.
  const SERIES = 8;
  const seriesColour = (k) => colour(`series-${k % SERIES}`);
  window.psim = { data, gradient, scaleEnd, seriesColour, colour, stageColour, grouped, si, describe, onTheme: (redraw) => redraws.push(redraw) };

  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  document.getElementById("theme").addEventListener("click", () => {
    const now = root.dataset.theme || (dark.matches ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
    redraws.forEach((redraw) => redraw());
  });
  dark.addEventListener("change", () => redraws.forEach((redraw) => redraw()));
  // Paper is white: canvases, too, are printed in light colours.
  let chosen = null;
  window.addEventListener("beforeprint", () => { chosen = root.dataset.theme; root.dataset.theme = "light"; redraws.forEach((redraw) => redraw()); });
  window.addEventListener("afterprint", () => {
    if (chosen) root.dataset.theme = chosen; else delete root.dataset.theme;
    redraws.forEach((redraw) => redraw());
  });

  const over = data.intervals;
  const place = document.getElementById("over-time");
  if (!over || over.begin.length === 0 || !place || !window.uPlot) return;

  const middle = over.begin.map((begin, i) => (begin + over.end[i]) / 2);
  const cycles = over.begin.map((begin, i) => over.end[i] - begin);
  const short = (n) => si(n, "", 6).trim();

  // The program's regions, shaded on every chart, with a name where there is room for it.
  const regions = data.regions || [];
  const markRegions = (plot) => {
    const { ctx: pen, bbox } = plot, size = 11 * (window.devicePixelRatio || 1);
    let drawn = 0;
    pen.save();
    pen.beginPath();
    pen.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    pen.clip();
    pen.font = `${size}px system-ui, sans-serif`;
    pen.textAlign = "left";
    pen.textBaseline = "top";
    regions.forEach(({ name, spans }, k) => {
      const top = bbox.top + 2 + (k % 6) * (size + 2);
      spans.forEach(([begin, end, times]) => {
        const left = plot.valToPos(begin, "x", true), right = plot.valToPos(end, "x", true);
        if (right < bbox.left || left > bbox.left + bbox.width) return;
        const width = Math.max(1, right - left), text = times > 1 ? `${name} × ${grouped(times)}` : name;
        pen.fillStyle = seriesColour(k);
        pen.globalAlpha = 0.12;
        pen.fillRect(left, bbox.top, width, bbox.height);
        pen.globalAlpha = 1;
        pen.fillRect(left, bbox.top, 1.5, bbox.height);
        pen.fillRect(right - 1.5, bbox.top, 1.5, bbox.height);
        ++drawn;
        const wide = pen.measureText(text).width;
        if (width < wide + 8) return;
        pen.globalAlpha = 0.8;
        pen.fillStyle = colour("paper");
        pen.fillRect(left + 3, top - 1, wide + 4, size + 2);
        pen.globalAlpha = 1;
        pen.fillStyle = colour("ink");
        pen.fillText(text, left + 5, top);
      });
    });
    pen.restore();
    plot.root.dataset.regions = drawn;
  };
  if (regions.length) {
    const key = document.createElement("div");
    key.className = "legend";
    key.id = "time-regions";
    regions.forEach(({ name, spans }, k) => {
      const item = document.createElement("span"), swatch = document.createElement("i");
      swatch.className = "swatch";
      swatch.style.background = `var(--series-${k % SERIES})`;
      const times = spans.reduce((sum, [, , n]) => sum + n, 0);
      item.append(swatch, `region ${name}, ${grouped(times)} ${times === 1 ? "execution" : "executions"}`);
      key.append(item);
    });
    place.append(key);
  }
  const axes = (unit) => [
    { stroke: () => colour("dim"), grid: { stroke: () => colour("line") }, ticks: { stroke: () => colour("line") },
      values: (_, ticks) => ticks.map(short), label: "cycle", labelSize: 20, size: 34 },
    { stroke: () => colour("dim"), grid: { stroke: () => colour("line") }, ticks: { stroke: () => colour("line") },
      size: 56, values: (_, ticks) => ticks.map((tick) => grouped(tick) + unit) },
  ];
  const x = { label: "cycle", value: (_, value) => value == null ? "" : Math.round(value).toLocaleString("en-US") };
  const points = { show: middle.length < 40 };
  const charts = [];
  const chart = (title, height, options, rows) => {
    const holder = document.createElement("div");
    holder.className = "chart";
    const heading = document.createElement("h3");
    heading.textContent = title;
    holder.append(heading);
    place.append(holder);
    const plot = new uPlot({ width: place.clientWidth, height, cursor: { sync: { key: "psim" } }, scales: { x: { time: false } },
                             hooks: { draw: [markRegions] }, ...options }, rows, holder);
    describe(plot, `${title}, over cycles` + (regions.length ? `; regions ${regions.map(({ name }) => name).join(", ")} are marked` : ""));
    charts.push([plot, height]);
  };

  chart("Instructions per cycle", 190, {
    series: [x, { label: "IPC", stroke: () => colour("accent"), width: 1.5, points,
                  value: (_, value) => value == null ? "" : value.toFixed(3) }],
    axes: axes(""),
    scales: { x: { time: false }, y: { range: (_, low, high) => [0, Math.max(1, high || 0) * 1.05] } },
  }, [middle, over.instructions.map((n, i) => cycles[i] ? n / cycles[i] : null)]);

  // Stacked: each series is the sum of its part and all before it; the largest is drawn first.
  const used = data.parts.map((part, i) => i).filter((i) => over.cpi[i].some((n) => n > 0));
  const share = (part, at) => cycles[at] ? 100 * over.cpi[part][at] / cycles[at] : 0;
  const sums = [];
  used.forEach((part, k) => sums.push(middle.map((_, at) => share(part, at) + (k ? sums[k - 1][at] : 0))));
  const drawn = used.map((part, k) => [part, sums[k]]).reverse();
  chart("Where the cycles go", 260, {
    series: [x, ...drawn.map(([part]) => ({
      label: data.part_labels[part], stroke: () => colour(data.parts[part]), fill: () => colour(data.parts[part]), width: 0.5,
      points: { show: false }, value: (plot, _, __, at) => at == null ? "" : share(part, at).toFixed(1) + " %" }))],
    axes: axes(" %"),
    scales: { x: { time: false }, y: { range: [0, 100] } },
  }, [middle, ...drawn.map(([, sum]) => sum)]);

  // Power, stacked as above; an interval of energy may span several of the other charts.
  const energy = data.energy;
  if (energy && energy.end_cycle.length) {
    const begins = [0, ...energy.end_cycle.slice(0, -1)];
    const seconds = energy.end_cycle.map((end, i) => (end - begins[i]) * energy.seconds_per_cycle);
    const middles = begins.map((begin, i) => (begin + energy.end_cycle[i]) / 2);
    // Parts of [label, joules of each interval, colour].
    const stack = (title, height, parts) => {
      const power = (part, at) => seconds[at] > 0 ? parts[part][1][at] / seconds[at] : 0;
      const totals = [];
      parts.forEach((_, k) => totals.push(begins.map((__, at) => power(k, at) + (k ? totals[k - 1][at] : 0))));
      const layers = parts.map((part, k) => [k, ...part]).reverse();
      chart(title, height, {
        series: [x, ...layers.map(([k, label, , paint]) => ({
          label, stroke: paint, fill: paint, width: 0.5, points: { show: false },
          value: (_, __, ___, at) => at == null ? "" : si(power(k, at), "W") }))],
        axes: axes(" W"),
        scales: { x: { time: false }, y: { range: (_, low, high) => [0, (high || 1) * 1.05] } },
      }, [middles, ...layers.map(([k]) => totals[k])]);
    };
    stack("Power", 220, ["stages", "structures", "execution", "leakage"].map((group) =>
      [group[0].toUpperCase() + group.slice(1), energy[group], () => colour("energy_" + group)]));
    const stages = Object.keys(energy.by_stage || {});
    if (stages.length) stack("Power of the stages", 260, stages.map((stage, k) => [stage, energy.by_stage[stage], () => window.psim.stageColour(stage, k)]));
  }

  new ResizeObserver(() => charts.forEach(([plot, height]) => plot.setSize({ width: place.clientWidth, height }))).observe(place);
  redraws.push(() => charts.forEach(([plot]) => plot.redraw(false, true)));
})();
