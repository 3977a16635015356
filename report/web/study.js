// SPDX-License-Identifier: Apache-2.0
// The study: the filter leaves runs; the plane, the map, the lines and the table show them, and two of them can be picked.
"use strict";
(() => {
  const { data, si, gradient, grouped, draw, legend, scale } = window.psim;
  const study = data.study, at = (id) => document.getElementById("study-" + id);
  const columns = study.columns.map((column) => ({ ...column, text: Boolean(column.texts),
    values: column.texts ? column.values.map((i) => i === null ? null : column.texts[i]) : column.values }));
  const named = new Map(columns.map((column) => [column.key, column]));
  const all = study.runs.map((_, run) => run);
  // Names of files, without the folder that they share.
  const folder = study.runs.reduce((shared, name) => { let i = 0; while (i < shared.length && shared[i] === name[i]) ++i; return shared.slice(0, i); }, study.runs[0]).lastIndexOf("/") + 1;
  const names = study.runs.map((name) => name.slice(folder).replace(/\.json$/, ""));
  const ROWS = 200, HEADS = 8;
  const UNITS = [[/(seconds|_s)$/, "s"], [/joules$/, "J"], [/watts$/, "W"], [/bytes$/, "B"]];
  const unit = (key) => (UNITS.find(([end]) => end.test(key)) || [, ""])[1];
  const plain = (value) => Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6 ? grouped(value, 6) : si(value, "", 6).trim();
  const shown = (column, value) => value === null || value === undefined ? "" : column.text ? value
    : unit(column.key) ? si(value, unit(column.key), 5) : Number.isInteger(value) ? value.toLocaleString("en-US") : plain(value);
  // Texts such as "64 KiB" and "512 KiB" stand in the order of their quantities.
  const PREFIX = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, m: 1e-3, u: 1e-6, n: 1e-9, p: 1e-12 };
  const size = (text) => {
    const found = /^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*([kKMGTunpm]i?)?(?=[a-zA-Z/]|$)/.exec(text);
    return found ? Number(found[1]) * (PREFIX[found[2]] || 1) : NaN;
  };
  const before = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    const x = size(String(a)), y = size(String(b));
    return Number.isNaN(x) || Number.isNaN(y) || x === y ? String(a).localeCompare(String(b), "en") : x - y;
  };
  const distinct = (column, runs = all) => [...new Set(runs.map((run) => column.values[run]).filter((value) => value !== null))].sort(before);
  const keys = columns.filter(({ group }) => group === "key");
  const numbers = columns.filter(({ text }) => !text);
  const inputs = keys.filter((column) => !["command", "program", "partial"].includes(column.key) && distinct(column).length > 1);

  // Choices.
  const GROUPS = { key: "Keys that vary", result: "Results", statistic: "Statistics", host: "Of the host" };
  const fill = (id, list, chosen, none) => {
    const select = at(id);
    if (none) select.add(new Option(none, ""));
    for (const [group, label] of Object.entries(GROUPS)) {
      const of = list.filter((column) => column.group === group);
      if (!of.length) continue;
      const box = document.createElement("optgroup");
      box.label = label;
      of.forEach(({ key }) => box.append(new Option(key, key)));
      select.append(box);
    }
    if (chosen) select.value = chosen;
  };
  const first = (...wanted) => wanted.find((key) => named.has(key) && distinct(named.get(key)).length > 1) || (numbers.find(({ group }) => group === "result") || columns[0] || {}).key;
  const time = first("cycles", "seconds");
  const second = named.has("energy.total_joules") ? "energy.total_joules" : (inputs[0] || numbers.find(({ key, group }) => group === "result" && key !== time) || columns[0] || {}).key;
  fill("x", columns, second);
  fill("y", columns, time);
  fill("colour", columns, (inputs.find(({ key }) => key !== second) || {}).key, "none");
  for (const id of ["x-best", "y-best"]) ["lower", "higher"].forEach((way) => at(id).add(new Option(way, way)));
  fill("map-x", inputs, (inputs[0] || {}).key);
  fill("map-y", inputs, (inputs[1] || {}).key);
  fill("map-value", numbers, time);
  at("y-best").value = at("x-best").value = "lower";

  // Runs that the filter leaves: every word is in a key's value or the name, or is a comparison that holds.
  const TESTS = { "<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b, ">=": (a, b) => a >= b, "=": (a, b) => a === b, "!=": (a, b) => a !== b };
  const test = (word) => {
    const found = /^([^<>=!]+)(<=|>=|!=|<|>|=)(.*)$/.exec(word), column = found && named.get(found[1]);
    if (!column) return (run) => study.runs[run].toLowerCase().includes(word.toLowerCase()) || keys.some(({ values }) => String(values[run]).toLowerCase().includes(word.toLowerCase()));
    const [, , operator, text] = found;
    return (run) => {
      const value = column.values[run];
      if (value === null) return false;
      if (!column.text) return TESTS[operator](value, Number(text));
      const plain = value.replace(/\s/g, ""), order = before(plain, text);
      return operator === "=" ? plain === text : operator === "!=" ? plain !== text : TESTS[operator](order, 0);
    };
  };
  let runs = all, picked = [], sorted = { key: "", down: false }, whole = false;
  const filter = () => {
    const tests = at("filter").value.split(/\s+/).filter(Boolean).map(test);
    runs = all.filter((run) => tests.every((holds) => holds(run)));
    at("count").textContent = tests.length ? `${grouped(runs.length)} of ${grouped(all.length)} runs` : `${grouped(all.length)} runs`;
  };

  // Pareto front: of the runs that came to their end, no other is at least as good in both and better in one.
  const ending = (run) => named.get("ending")?.values[run] ?? "finished"; // runs on a core have none
  const finished = (run) => ending(run) === "finished";
  const front = () => {
    const x = named.get(at("x").value), y = named.get(at("y").value);
    if (!x || !y || x.text || y.text || x === y) return [];
    const sign = (id) => at(id).value === "lower" ? 1 : -1, [sx, sy] = [sign("x-best"), sign("y-best")];
    const points = runs.filter((run) => finished(run) && x.values[run] !== null && y.values[run] !== null)
      .map((run) => [sx * x.values[run], sy * y.values[run], run]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const best = [];
    let least = Infinity, of = NaN;
    for (const [a, b, run] of points) {
      if (b < least || (b === least && a === of)) best.push(run);
      if (b < least) { least = b; of = a; }
    }
    return best;
  };
  const label = (run) => (inputs.length ? inputs.slice(0, 6).map((column) => `${column.key} ${shown(column, column.values[run])}`).join("\n") : study.runs[run]) +
    (finished(run) ? "" : `\nending ${ending(run)}`);
  // The colour of each run by a column, and the legend: a swatch for each of a few values, or the ends of a scale.
  const colours = (column) => {
    if (!column) return { of: () => "var(--series-0)", items: [] };
    const values = distinct(column, runs);
    if (values.length <= 8) {
      const paint = new Map(values.map((value, k) => [value, window.psim.paint(k)]));
      return { of: (run) => paint.get(column.values[run]) || "var(--dim)", items: values.map((value) => ({ name: `${column.key} ${shown(column, value)}`, paint: paint.get(value) })) };
    }
    const place = new Map(values.map((value, k) => [value, k / (values.length - 1)])), low = values[0], high = values[values.length - 1];
    const part = column.text ? (value) => place.get(value) : (value) => (value - low) / (high - low || 1);
    return { of: (run) => column.values[run] === null ? "var(--dim)" : gradient(part(column.values[run])),
      items: [0, 0.5, 1].map((at) => ({ name: at === 0 ? `${column.key} ${shown(column, low)}` : at === 1 ? shown(column, high) : "…", paint: gradient(at) })) };
  };
  const axis = (column, log, up) => {
    if (column.text) return { type: "point", domain: distinct(column, runs), label: column.key, labelArrow: "none", ...(up ? { labelAnchor: "top" } : {}) };
    const values = runs.map((run) => column.values[run]).filter((value) => value !== null && (!log || value > 0));
    return scale({ name: column.key, unit: unit(column.key), log }, values);
  };
  const plane = () => {
    const x = named.get(at("x").value), y = named.get(at("y").value), paint = colours(named.get(at("colour").value));
    const logs = [at("x-log").checked, at("y-log").checked];
    const good = (run) => [x, y].every((column, i) => column.values[run] !== null && (column.text || !logs[i] || column.values[run] > 0));
    const best = new Set(front()), rows = runs.filter(good).map((run) => ({ run, x: x.values[run], y: y.values[run], paint: paint.of(run), best: best.has(run),
      reads: `${label(run)}\n${x.key} ${shown(x, x.values[run])}\n${y.key} ${shown(y, y.values[run])}` }));
    const line = rows.filter((row) => row.best);
    at("legend").replaceChildren(legend([...paint.items, ...(line.length ? [{ name: "Pareto front", paint: "var(--flag)" }] : [])]));
    const others = runs.length - runs.filter(finished).length;
    at("front").textContent = [...(line.length ? [`Pareto front: ${line.length} of ${runs.length} runs, where nothing is better in both.`] : []),
      ...(others ? [`${others} ${others === 1 ? "run" : "runs"} did not finish (ending): neither on the front nor on the map below.`] : [])].join(" ");
    return { height: 400, marginLeft: y.text ? 110 : 64, x: axis(x, logs[0]), y: axis(y, logs[1], true), marks: [
      Plot.line([...line].sort((a, b) => a.x - b.x || a.y - b.y), { x: "x", y: "y", stroke: "var(--flag)", strokeWidth: 1.5, className: "front" }),
      Plot.dot(rows, { x: "x", y: "y", r: (row) => row.best ? 5 : 3.5, fill: "paint", stroke: (row) => picked.includes(row.run) ? "var(--ink)" : row.best ? "var(--flag)" : "var(--paper)",
        strokeWidth: (row) => picked.includes(row.run) ? 3 : 1, tip: true, title: "reads", className: "runs" })] };
  };
  const short = (text, most) => text.length > most ? "…" + text.slice(1 - most) : text;
  const map = (width) => {
    const x = named.get(at("map-x").value), y = named.get(at("map-y").value), value = named.get(at("map-value").value);
    const cells = new Map();
    for (const run of runs.some(finished) ? runs.filter(finished) : runs) {
      if ([x, y, value].some((column) => column.values[run] === null)) continue;
      const key = JSON.stringify([x.values[run], y.values[run]]);
      (cells.get(key) || cells.set(key, { x: x.values[run], y: y.values[run], sum: 0, n: 0 }).get(key)).sum += value.values[run];
      ++cells.get(key).n;
    }
    const rows = [...cells.values()].map((cell) => ({ ...cell, mean: cell.sum / cell.n }));
    const means = rows.map(({ mean }) => mean), low = Math.min(...means), high = Math.max(...means);
    rows.forEach((row) => { row.part = (row.mean - low) / (high - low || 1); row.paint = gradient(row.part); row.text = si(row.mean, unit(value.key), 3).trim(); });
    const most = Math.max(0, ...rows.map(({ n }) => n));
    at("map-note").textContent = `${value.key} from ${shown(value, low)} (dark) to ${shown(value, high)} (bright)` + (most > 1 ? `; a cell is the mean of up to ${most} runs.` : ".");
    const across = distinct(x, runs).length, down = distinct(y, runs).length, longest = Math.max(...distinct(y, runs).map((text) => shown(y, text).length));
    const margin = Math.min(160, 0.4 * width, 24 + 7 * longest), room = (pixels) => Math.max(3, Math.floor(pixels / 7));
    return { height: 76 + Math.min(560, 34 * down), marginTop: 26, marginLeft: margin,
      x: { type: "band", domain: distinct(x, runs), label: x.key, labelArrow: "none", tickFormat: (v) => short(shown(x, v), room((width - margin) / across)) },
      y: { type: "band", domain: distinct(y, runs), label: y.key, labelArrow: "none", labelAnchor: "top", tickFormat: (v) => short(shown(y, v), room(margin - 24)) },
      marks: [Plot.cell(rows, { x: "x", y: "y", fill: "paint", inset: 0.5, tip: true, title: (row) => `${x.key} ${shown(x, row.x)}\n${y.key} ${shown(y, row.y)}\n${value.key} ${shown(value, row.mean)}\n${row.n} ${row.n === 1 ? "run" : "runs"}` }),
        ...(width / across > 56 ? [Plot.text(rows, { x: "x", y: "y", text: "text", fill: (row) => row.part > 0.435 ? "#000000" : "#ffffff", pointerEvents: "none", className: "cells" })] : [])] };
  };
  // Each axis runs from its least to its largest value, texts at equal steps.
  const parallel = (width) => {
    const chosen = [at("x").value, at("y").value].map((key) => named.get(key));
    const most = Math.max(3, Math.min(8, Math.floor(width / 95)));
    const axes = [...new Set([...inputs.slice(0, most - 2), ...chosen])], paint = colours(named.get(at("colour").value)), best = new Set(front());
    const places = axes.map((column) => {
      const values = distinct(column, runs), low = values[0], high = values[values.length - 1];
      return { column, values, part: column.text ? (value) => values.length < 2 ? 0.5 : values.indexOf(value) / (values.length - 1) : (value) => high > low ? (value - low) / (high - low) : 0.5 };
    });
    const order = [...runs].sort((a, b) => picked.includes(a) - picked.includes(b) || best.has(a) - best.has(b));
    const rows = order.flatMap((run) => places.map(({ column, part }, k) => ({ run, k, y: column.values[run] === null ? NaN : part(column.values[run]), paint: picked.includes(run) ? "var(--ink)" : paint.of(run), wide: picked.includes(run) || best.has(run) ? 2.5 : 1 })));
    const ticks = places.flatMap(({ column, values, part }, k) => (column.text && values.length <= 8 ? values : [values[0], values[values.length - 1]]).filter((value) => value !== undefined)
      .map((value) => ({ k, y: part(value), text: shown(column, value) })));
    const room = Math.max(6, Math.floor(width / axes.length / 7.5));
    return { height: 360, marginLeft: 50, marginRight: 90, marginTop: 40, x: { type: "linear", domain: [0, Math.max(1, axes.length - 1)], axis: null }, y: { domain: [0, 1], axis: null },
      marks: [Plot.ruleX(places.map((_, k) => k), { stroke: "var(--line)" }),
        Plot.line(rows, { x: "k", y: "y", z: "run", stroke: "paint", strokeWidth: "wide", strokeOpacity: 0.7, className: "runs" }),
        Plot.text(ticks, { x: "k", y: "y", text: (row) => short(row.text, room), dx: 5, textAnchor: "start", fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 8 }),
        Plot.text(places.map(({ column }, k) => ({ k, key: column.key })), { x: "k", y: 1, text: (row) => short(row.key, room), title: "key", dy: -18, fill: "var(--dim)" })] };
  };

  // The table.
  const cell = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text, ...more });
  const heads = () => {
    const wanted = [...inputs.slice(0, HEADS).map(({ key }) => key), "partial", "ending", "cycles", "seconds", "ipc", "energy.total_joules", at("x").value, at("y").value];
    const list = [...new Set(wanted)].map((key) => named.get(key)).filter(Boolean);
    return list.length ? list : columns.slice(0, HEADS);
  };
  const table = () => {
    const list = heads(), place = at("table"), head = document.createElement("tr"), best = new Set(front());
    const named_ = { key: "", text: true, values: study.runs };
    const by = list.find(({ key }) => key === sorted.key) || (sorted.key === "run" ? named_ : null);
    const order = by ? [...runs].sort((a, b) => (by.values[a] === null) - (by.values[b] === null) || (sorted.down ? -1 : 1) * before(by.values[a], by.values[b])) : runs;
    head.append(cell("th", "Pick", { scope: "col" }));
    for (const [key, name, number] of [["run", "Run", false], ...list.map((column) => [column.key, column.key, !column.text])]) {
      const th = cell("th", "", { scope: "col", className: number ? "n" : "" });
      const button = cell("button", name, { type: "button", className: "head" });
      button.addEventListener("click", () => { sorted = { key, down: sorted.key === key && !sorted.down }; table(); at("table").querySelectorAll("button.head").forEach((one) => one.textContent === name && one.focus()); });
      if (sorted.key === key) th.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      th.append(button);
      head.append(th);
    }
    place.tHead.replaceChildren(head);
    const shownRuns = whole ? order : order.slice(0, ROWS);
    place.tBodies[0].replaceChildren(...shownRuns.map((run) => {
      const row = document.createElement("tr"), pick = document.createElement("td");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: picked.includes(run), ariaLabel: `pick ${study.runs[run]}` });
      box.addEventListener("change", () => { picked = box.checked ? [...picked, run].slice(-2) : picked.filter((one) => one !== run); again(true); });
      pick.append(box);
      row.append(pick, cell("td", names[run].length > 28 ? "…" + names[run].slice(-27) : names[run], { title: study.runs[run], className: "mono name" }));
      row.className = best.has(run) ? "front" : "";
      row.dataset.run = run;
      list.forEach((column) => {
        const value = column.values[run], td = cell("td", "", { className: column.text ? "" : "n" });
        if (value !== null) td.append(column.text ? value : Object.assign(cell("data", shown(column, value)), { value }));
        row.append(td);
      });
      return row;
    }));
    at("more").hidden = whole || order.length <= ROWS;
    at("more").textContent = `Show all ${grouped(order.length)} runs`;
  };
  at("more").addEventListener("click", () => { whole = true; table(); });

  // Two runs: every value that differs, the largest change first.
  const pair = () => {
    const place = at("pair");
    if (picked.length < 2) {
      place.replaceChildren(cell("p", "Pick two runs in the table.", { className: "dim" }));
      return;
    }
    const [a, b] = picked, rows = [];
    for (const column of columns) {
      const x = column.values[a], y = column.values[b];
      if (x === y) continue;
      const numeric = typeof x === "number" && typeof y === "number";
      const change = numeric && x !== 0 ? y / x - 1 : null;
      rows.push({ column, x, y, change, weight: column.group === "key" ? Infinity : change === null ? (numeric ? 1e6 : -1) : Math.abs(Math.log(Math.max(1e-9, Math.abs(y / x)))) });
    }
    rows.sort((p, q) => q.weight - p.weight);
    const made = document.createElement("table"), body = document.createElement("tbody"), head = document.createElement("thead"), line = document.createElement("tr");
    made.append(cell("caption", `${rows.length} values differ`), head, body);
    ["Value", names[a].slice(-24), names[b].slice(-24), "Change"].forEach((text, i) => line.append(cell("th", text, { scope: "col", className: i ? "n" : "" })));
    head.append(line);
    rows.slice(0, 300).forEach(({ column, x, y, change }) => {
      const row = document.createElement("tr");
      row.append(cell("td", column.key, { className: "mono" }), cell("td", shown(column, x), { className: "n" }), cell("td", shown(column, y), { className: "n" }),
        cell("td", change === null ? "" : `${change > 0 ? "+" : ""}${grouped(100 * change, 4)} %`, { className: "n" }));
      body.append(row);
    });
    const box = document.createElement("div");
    box.className = "scroll tall";
    box.append(made);
    place.replaceChildren(stacks(a, b), box);
  };
  // The CPI stacks of the two, on one scale.
  const stacks = (a, b) => {
    const parts = columns.filter(({ key, text }) => key.startsWith("cpi_stack.") && !text), box = document.createElement("div");
    const total = (run) => parts.reduce((sum, { values }) => sum + (values[run] || 0), 0), most = Math.max(total(a), total(b));
    if (!(most > 0)) return box;
    box.append(cell("h3", "Where the cycles go"));
    for (const run of [a, b]) {
      const bar = Object.assign(document.createElement("div"), { className: "stack" });
      bar.setAttribute("role", "img");
      bar.setAttribute("aria-label", `cycles of ${study.runs[run]} by cause; the table below has the numbers`);
      bar.style.width = `${100 * total(run) / most}%`;
      parts.forEach(({ key, values }) => {
        const name = key.slice("cpi_stack.".length), share = (values[run] || 0) / total(run);
        if (share <= 0) return;
        const part = cell("span", share > 0.08 ? name.replace(/_/g, " ") : "", { title: `${name}: ${grouped(values[run])} cycles, ${(100 * share).toFixed(1)} %` });
        part.style.width = `${100 * share}%`;
        part.style.background = `var(--${name})`;
        bar.append(part);
      });
      box.append(bar);
    }
    return box;
  };

  const hide = (id, what) => { document.getElementById(id + "-section").hidden = what; };
  hide("plane", columns.length < 1);
  hide("map", inputs.length < 2 || !numbers.length);
  hide("parallel", inputs.length < 1 || all.length < 2);
  const nothing = (what, make) => (width) => runs.length ? make(width) : { height: 40, marks: [] };
  const charts = [];
  const again = () => { charts.forEach((redraw) => redraw()); table(); pair(); };
  filter();
  if (columns.length) charts.push(draw(at("plane"), "runs by two values; the table below has them all", nothing("plane", plane)));
  if (inputs.length >= 2 && numbers.length) charts.push(draw(at("map"), "a value over two keys", nothing("map", map)));
  if (inputs.length >= 1 && all.length > 1) charts.push(draw(at("parallel"), "all keys of all runs as lines", nothing("parallel", parallel)));
  table();
  pair();
  for (const id of ["x", "y", "colour", "x-best", "y-best", "x-log", "y-log", "map-x", "map-y", "map-value"]) at(id).addEventListener("change", again);
  let waiting = 0;
  at("filter").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { filter(); again(); }, 120);
  });
})();
