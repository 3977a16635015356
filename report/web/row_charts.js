// SPDX-License-Identifier: Apache-2.0
// What stands beneath the rows of ranks or cores, on their time axis: the network's load, power, and what the chosen row did in the
// time that is in view, with its CPI stack and its messages.
"use strict";
(() => {
  const { data, rows, seriesColour, grouped, si, along, axes, chart, colour } = window.psim;
  const under = document.getElementById("ranks-under"), panel = document.getElementById("ranks-row"), choice = document.getElementById("ranks-pick");
  if (!rows || !panel) return;
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // ── charts ────────────────────────────────────────────────────────────────────────────────────────────────────────────
  const plots = [];
  const draw = (title, height, unit, series, table) => {
    const [time, power] = axes("", unit);
    plots.push(chart(under, title, height, {
      series, padding: [8, rows.right, 0, 0], axes: [{ ...time, label: undefined, size: 24 }, { ...power, size: rows.label }],
      scales: { x: { time: false, range: () => rows.view().map((ps) => ps / 1e6) }, y: { range: (_, low, high) => [0, (high || 1) * 1.05] } },
      cursor: { drag: { x: true, y: false, setScale: false } },
      hooks: { setSelect: [(plot) => {
        const { left, width } = plot.select;
        if (width > 3) rows.look(plot.posToVal(left, "x") * 1e6, plot.posToVal(left + width, "x") * 1e6);
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      }], ready: [(plot) => plot.over.addEventListener("dblclick", () => rows.look(0, rows.end))] },
    }, table));
  };
  const x = along("time", " µs");
  const kinds = Object.entries((data.timeline || {}).link_utilization || {});
  if (under && window.uPlot && kinds.length) {
    const bin = data.timeline.bin_seconds * 1e6, middle = kinds[0][1].map((_, i) => (i + 0.5) * bin);
    draw("Links busy, on the time axis of the rows, µs", 150, " %", [x, ...kinds.map(([name], k) => ({ label: name, stroke: () => seriesColour(k), width: 1.5,
      points: { show: false }, value: (_, value) => value == null ? "" : grouped(value, 3) + " %" }))], [middle, ...kinds.map(([, series]) => series.map((share) => 100 * share))]);
  }
  const watts = (data.power || {}).watts || [];
  if (under && window.uPlot && watts.length) {
    const bin = data.power.bin_seconds * 1e6;
    draw("Power of links, on the same axis", 130, " W", [x, { label: "power", stroke: () => colour("accent"), width: 1.5, points: { show: false },
      value: (_, value) => value == null ? "" : si(value, "W") }], [watts.map((_, i) => (i + 0.5) * bin), watts]);
  }
  const energy = data.energy_over_time;
  if (under && window.uPlot && energy && energy.end_seconds.length) {
    const parts = Object.entries(energy).filter(([name, values]) => !["end_seconds", "joules"].includes(name) && values.some((joules) => joules > 0));
    const begins = [0, ...energy.end_seconds.slice(0, -1)];
    draw("Power, on the same axis", 150, " W", [x, ...parts.map(([name], k) => ({ label: name.replaceAll("_", " "), stroke: () => seriesColour(k), width: 1.5,
      points: { show: false }, value: (_, value) => value == null ? "" : si(value, "W") }))],
      [begins.map((begin, i) => (begin + energy.end_seconds[i]) / 2 * 1e6), ...parts.map(([, joules]) => joules.map((one, i) => one / (energy.end_seconds[i] - begins[i])))]);
  }

  // ── the chosen row ────────────────────────────────────────────────────────────────────────────────────────────────────
  const percent = (share) => `${grouped(100 * share, 3)} %`;
  // A bar of parts [name, colour, share], with its legend; parts below a thousandth are in neither.
  const bar = (name, parts) => {
    const good = parts.filter(([, , share]) => share >= 1e-3), all = make("div", { className: "stack" }), legend = make("div", { className: "legend" });
    all.setAttribute("role", "img");
    all.setAttribute("aria-label", `${name}: ${good.map(([part, , share]) => `${part} ${percent(share)}`).join(", ")}`);
    good.forEach(([part, paint, share]) => {
      const piece = make("span", { title: `${part} ${percent(share)}` }), swatch = make("i", { className: "swatch" });
      piece.style.width = `${100 * share}%`;
      piece.style.background = swatch.style.background = `var(--${paint})`;
      all.append(piece);
      legend.append(make("span", {}, swatch, `${part} ${percent(share)}`));
    });
    return make("div", {}, make("p", { className: "note" }, name), all, legend);
  };
  const stacks = (data.ranks || {}).stacks, shares = [];
  const unpacked = (row) => {
    if (!shares[row]) {
      const raw = atob(stacks.shares[row]);
      shares[row] = Uint16Array.from({ length: raw.length / 2 }, (_, i) => raw.charCodeAt(2 * i) | raw.charCodeAt(2 * i + 1) << 8);
    }
    return shares[row];
  };
  // The share of each part, and the sums of the counts, of a row from `from` to `to`.
  const stackOf = (row, from, to) => {
    const n = stacks.parts.length, sums = new Float64Array(n), counts = { instructions: 0, sent: 0, received: 0 }, all = unpacked(row);
    for (let slice = Math.floor(from / stacks.slice_ps); slice < stacks.slices && slice * stacks.slice_ps < to; ++slice) {
      // The last slice with time in it ends with the run.
      const begin = slice * stacks.slice_ps, until = Math.min(rows.end, begin + stacks.slice_ps);
      const part = (Math.min(to, until) - Math.max(from, begin)) / (until - begin);
      if (!(part > 0)) continue;
      for (let i = 0; i < n; ++i) sums[i] += all[slice * n + i] * part;
      for (const key of Object.keys(counts)) counts[key] += stacks[key][row][slice] * part;
    }
    const total = sums.reduce((a, b) => a + b, 0) || 1;
    return [sums.map((sum) => sum / total), counts];
  };
  const kindsOf = (row, from, to) => {
    const sums = rows.kinds.map(() => 0), rank = rows.decode(row);
    for (let i = rows.firstAfter(rank, from); i < rank.calls && rank.begin[i] < to; ++i) {
      sums[rows.functionKind[rank.what[i]]] += Math.min(to, rank.until[i]) - Math.max(from, rank.begin[i]);
    }
    return sums.map((sum) => sum / (to - from));
  };
  const show = () => {
    const row = rows.picked(), [from, to] = rows.view();
    if (Number(choice.value) !== row) choice.value = row;
    const times = kindsOf(row, from, to), parts = [make("h3", {}, `${rows.name(row)}, ${rows.nice(from)} to ${rows.nice(to)}`),
      bar("Time in view", [...times.map((share, k) => [rows.kinds[k], rows.kindColour(k), share]),
        ...(rows.functionKind.includes(0) ? [] : [["outside calls", "panel", Math.max(0, 1 - times.reduce((a, b) => a + b, 0))]])])];
    panel.dataset.times = times.map((share) => share.toFixed(5)).join(",");
    if (stacks) {
      const [stack, counts] = stackOf(row, from, to);
      parts.push(bar("CPI stack in view, with sleep", stacks.parts.map((part, i) => [data.part_labels[i], part === "asleep" ? "rank-6" : part, stack[i]])),
        make("p", {}, `${grouped(Math.round(counts.instructions), 4)} instructions; ${si(counts.sent, "B")} sent, ${si(counts.received, "B")} received.`));
      panel.dataset.stack = [...stack].map((share) => share.toFixed(5)).join(",");
      panel.dataset.instructions = Math.round(counts.instructions);
    }
    const rank = rows.decode(row), list = make("ul");
    let more = 0;
    for (let m = rows.above(rank.when, rank.messages, from - 1); m < rank.messages && rank.when[m] <= to; ++m) {
      if (list.children.length >= 12) { ++more; continue; }
      const line = make("li", {}, `${rows.nice(rank.when[m])}: ${rank.receives[m] ? "from" : "to"} ${rows.peer(rank.peers[m])}, ${grouped(rank.sizes[m], 15)} bytes`);
      const name = data.ranks.messages && data.ranks.messages[rank.serials[m] - 1];
      if (name) {
        const target = document.getElementById(`message-${name}`);
        line.append(`, message ${name} `);
        if (target) {
          const link = make("a", { href: `#message-${name}` }, "its timeline");
          link.addEventListener("click", () => { target.open = true; });
          line.append(link);
        }
        if (document.getElementById("stage-view") && data.stages_of === name) line.append(" ", make("a", { href: "#stage-view" }, "the instructions around it"));
      }
      list.append(line);
    }
    if (list.children.length) parts.push(make("p", { className: "note" }, "Messages in view"), list);
    if (more) parts.push(make("p", { className: "note" }, `${grouped(more)} further messages: zoom in to read them.`));
    panel.replaceChildren(...parts);
    panel.dataset.row = row;
    panel.dataset.messages = list.children.length + more;
  };
  choice.max = rows.count - 1;
  choice.addEventListener("input", () => rows.pick(Math.floor(Number(choice.value))));
  let waiting = false;
  rows.follow(() => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      show();
      const [from, to] = rows.view();
      plots.forEach((plot) => plot.setScale("x", { min: from / 1e6, max: to / 1e6 }));
    });
  });
})();
