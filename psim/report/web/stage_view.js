// SPDX-License-Identifier: Apache-2.0
// The stage view: one instruction a row, one cycle a cell. Only the rows in sight are drawn, so a hundred
// thousand instructions scroll as quickly as ten. The view follows the top row in time; panning adds to that.
"use strict";
(() => {
  const { data, colour, onTheme } = window.psim;
  const view = data.stages;
  const scroll = document.getElementById("stage-scroll");
  if (!view || !scroll || view.rows.length === 0) return;

  const SEQUENCE = 0, RETIRED = 1, BEGIN = 2, END = 3, TEXT = 4, ADDRESS = 5, STAGES = 6, STALLS = 7, WAKEUPS = 8;
  const rows = view.rows;
  const canvas = document.getElementById("stage-canvas");
  const tip = document.getElementById("stage-tip");
  const filler = document.getElementById("stage-filler");
  const context = canvas.getContext("2d");
  const LEFT = 330, RULER = 22;
  let cell = 16, row = 18, pan = 0, hovered = -1, asked = false;

  // Spans of over IDLE cycles in which no instruction changes take LEFT_IN cells: a miss does not push all out of sight.
  const IDLE = 12, LEFT_IN = 4;
  let squeezed = true;
  const gaps = { begin: [], end: [], before: [] };  // cycles [begin, end); before: cycles left out by earlier gaps
  {
    const changes = [];
    for (const r of rows) {
      changes.push(r[END]);
      for (let i = 0, at = r[BEGIN]; i < r[STAGES].length; i += 2) changes.push(at += r[STAGES][i + 1]);
      for (let i = 0; i < r[STALLS].length; i += 3)
        changes.push(r[BEGIN] + r[STALLS][i + 1], r[BEGIN] + r[STALLS][i + 1] + r[STALLS][i + 2]);
    }
    const sorted = Float64Array.from(changes).sort();
    for (let i = 1, out = 0; i < sorted.length; ++i) {
      if (sorted[i] - sorted[i - 1] <= IDLE) continue;
      gaps.begin.push(sorted[i - 1] + 1);
      gaps.end.push(sorted[i] - 1);
      gaps.before.push(out);
      out += sorted[i] - sorted[i - 1] - 2 - LEFT_IN;
    }
  }
  // The last gap that begins at or before `cycle`, or -1.
  const gapOf = (cycle) => {
    let low = 0, high = squeezed ? gaps.begin.length : 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (gaps.begin[middle] <= cycle) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  // Where a cycle stands, in cells, and back.
  const place = (cycle) => {
    const gap = gapOf(cycle);
    if (gap < 0) return cycle;
    const begin = gaps.begin[gap], end = gaps.end[gap];
    const inside = Math.min(cycle, end) - begin;
    return begin - gaps.before[gap] + inside * LEFT_IN / (end - begin) + Math.max(0, cycle - end);
  };
  const cycleAt = (position) => {
    let low = 0, high = squeezed ? gaps.begin.length : 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (gaps.begin[middle] - gaps.before[middle] <= position) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return position;
    const begin = gaps.begin[low - 1], end = gaps.end[low - 1], inside = position - (begin - gaps.before[low - 1]);
    return inside < LEFT_IN ? begin + inside * (end - begin) / LEFT_IN : end + inside - LEFT_IN;
  };

  const rowOf = new Map(rows.map((r, i) => [r[SEQUENCE], i]));
  const topRow = () => Math.min(rows.length - 1, scroll.scrollTop / row);
  const leftPlace = () => {
    const top = topRow(), i = Math.floor(top), next = Math.min(i + 1, rows.length - 1);
    const here = place(rows[i][BEGIN]);
    return here + (place(rows[next][BEGIN]) - here) * (top - i) - 1 + pan;
  };
  // [name, begin, end] of each stage, [cause, begin, end] of each stall.
  const stagesOf = (r) => {
    const list = r[STAGES], out = [];
    for (let i = 0, at = r[BEGIN]; i < list.length; i += 2) {
      at += list[i + 1];
      if (out.length) out[out.length - 1][2] = at;
      out.push([list[i], at, r[END]]);
    }
    return out;
  };
  const stallsOf = (r) => {
    const list = r[STALLS], out = [];
    for (let i = 0; i < list.length; i += 3) out.push([list[i], r[BEGIN] + list[i + 1], r[BEGIN] + list[i + 1] + list[i + 2]]);
    return out;
  };
  const STALL_COLOURS = {
    instruction_cache: "front_end", branch_redirect: "branch", instruction_buffer_full: "front_end", serialise: "serial",
    reservation_station_full: "reservation_station", reorder_buffer_full: "reorder_buffer", rename_full: "reorder_buffer",
    store_queue_full: "store_queue", load_queue_full: "store_queue", operand: "int_latency", pipe_busy: "fp_latency",
    cancelled: "memory", l1_miss: "l1", l2_miss: "l2", store_forward: "l1", commit_width: "drain", window_trap: "window_trap",
    transfer_queue_full: "transfer", transfer: "transfer",
  };
  const stallColour = (cause) => colour(STALL_COLOURS[view.causes[cause]] || "serial");

  function draw() {
    asked = false;
    const width = scroll.clientWidth, height = scroll.clientHeight, scale = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.width = width + "px";
      canvas.style.height = height + "px";
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const palette = { ink: colour("ink"), dim: colour("dim"), line: colour("line"), paper: colour("paper"), panel: colour("panel"),
                      accent: colour("accent"), flag: colour("flag") };
    const groups = view.groups.map(colour), stalls = view.causes.map((_, i) => stallColour(i));
    const from = leftPlace(), top = topRow();
    const x = (cycle) => LEFT + (place(cycle) - from) * cell;
    const y = (index) => RULER + (index - top) * row;
    const first = Math.floor(top), last = Math.min(rows.length, Math.ceil(top + (height - RULER) / row) + 1);
    const letters = cell >= 11 && row >= 12, texts = row >= 11;
    context.textBaseline = "middle";

    context.save();
    context.beginPath();
    context.rect(LEFT, RULER, width - LEFT, height - RULER);
    context.clip();
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 100000, 1000000].find((n) => n * cell >= 60) || 1e7;
    context.strokeStyle = palette.line;
    context.beginPath();
    const ticks = [];
    for (let cycle = Math.ceil(Math.max(0, cycleAt(from)) / step) * step; x(cycle) < width; cycle += step) {
      const gap = gapOf(cycle);
      if (gap >= 0 && cycle < gaps.end[gap]) cycle = Math.ceil(gaps.end[gap] / step) * step;
      ticks.push(cycle);
      context.moveTo(x(cycle) + 0.5, RULER);
      context.lineTo(x(cycle) + 0.5, height);
    }
    context.stroke();
    const bands = [];  // the gaps in sight
    for (let gap = Math.max(0, gapOf(cycleAt(from))); squeezed && gap < gaps.begin.length && x(gaps.begin[gap]) < width; ++gap)
      bands.push(gap);
    for (let i = first; i < last; ++i) {
      const r = rows[i], at = y(i);
      if (i === hovered) {
        context.fillStyle = palette.panel;
        context.fillRect(LEFT, at, width - LEFT, row);
      }
      context.globalAlpha = r[RETIRED] < 0 ? 0.4 : 1;
      const gap = row >= 8 ? 1 : 0;
      for (const [stage, begin, end] of stagesOf(r)) {
        if (x(end) < LEFT || x(begin) > width) continue;
        context.fillStyle = groups[stage];
        context.fillRect(x(begin), at + gap, Math.max(1, x(end) - x(begin) - (cell >= 6 ? 1 : 0)), row - 2 * gap);
      }
      for (const [cause, begin, end] of stallsOf(r)) {
        context.fillStyle = stalls[cause];
        context.fillRect(x(begin), at + row * 0.62, Math.max(1, x(end) - x(begin) - (cell >= 6 ? 1 : 0)), row * 0.38 - gap);
      }
      if (letters) {
        context.fillStyle = palette.ink;
        context.font = Math.min(11, row - 6) + "px system-ui, sans-serif";
        context.textAlign = "center";
        for (const [stage, begin] of stagesOf(r)) context.fillText(view.stages[stage], x(begin) + cell / 2, at + row / 2 - 0.5);
      }
      context.globalAlpha = 1;
    }
    for (const gap of bands) {
      context.fillStyle = palette.paper;
      context.globalAlpha = 0.75;
      context.fillRect(x(gaps.begin[gap]) + cell, RULER, (LEFT_IN - 2) * cell, height - RULER);
      context.globalAlpha = 1;
    }
    if (hovered >= 0) arrows(hovered, x, y, palette);
    context.restore();

    context.fillStyle = palette.paper;
    context.fillRect(0, 0, LEFT - 1, height);
    context.textAlign = "left";
    context.font = "12px ui-monospace, 'DejaVu Sans Mono', monospace";
    context.save();
    context.beginPath();
    context.rect(0, RULER, LEFT - 8, height - RULER);
    context.clip();
    for (let i = first; texts && i < last; ++i) {
      const r = rows[i], at = y(i);
      if (i === hovered) {
        context.fillStyle = palette.panel;
        context.fillRect(0, at, LEFT - 1, row);
      }
      context.fillStyle = palette.dim;
      context.fillText(r[SEQUENCE] + (r[RETIRED] < 0 ? " x" : ""), 8, at + row / 2);
      context.fillStyle = r[RETIRED] < 0 ? palette.dim : palette.ink;
      context.fillText(view.texts[r[TEXT]], 78, at + row / 2);
    }
    context.restore();
    context.fillStyle = palette.panel;
    context.fillRect(0, 0, width, RULER);
    context.fillStyle = palette.dim;
    context.font = "11px system-ui, sans-serif";
    context.fillText("instruction", 8, RULER / 2);
    let free = LEFT;
    const label = (text, at) => {
      if (at < free) return;
      context.fillText(text, at, RULER / 2);
      free = at + context.measureText(text).width + 6;
    };
    const marks = ticks.map((cycle) => [x(cycle) + 3, cycle.toLocaleString("en-US")]);
    for (const gap of bands) marks.push([x(gaps.begin[gap]) + 3, "\u2026 " + (gaps.end[gap] - gaps.begin[gap]).toLocaleString("en-US")]);
    marks.sort((a, b) => a[0] - b[0]).forEach(([at, text]) => label(text, at));
    context.fillStyle = palette.line;
    context.fillRect(LEFT - 1, 0, 1, height);
    context.fillRect(0, RULER - 1, width, 1);
  }

  // Wake-ups of and by the row under the pointer.
  function arrows(index, x, y, palette) {
    const arrow = (producer, consumer, cycle) => {
      const fromX = x(cycle), fromY = y(producer) + row, toY = y(consumer) + row / 2;
      context.strokeStyle = context.fillStyle = palette.accent;
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(fromX, fromY);
      context.lineTo(fromX, toY);
      context.stroke();
      context.beginPath();
      context.moveTo(fromX + 5, toY);
      context.lineTo(fromX - 3, toY - 4);
      context.lineTo(fromX - 3, toY + 4);
      context.fill();
      context.lineWidth = 1;
    };
    const each = (consumer, wanted) => {
      const list = rows[consumer][WAKEUPS];
      for (let i = 0; i < list.length; i += 2) {
        const producer = rowOf.get(rows[consumer][SEQUENCE] - list[i]);
        if (producer !== undefined && wanted(producer)) arrow(producer, consumer, rows[consumer][BEGIN] + list[i + 1]);
      }
    };
    each(index, () => true);
    for (let i = index + 1; i < Math.min(rows.length, index + 130); ++i) each(i, (producer) => producer === index);
  }

  const ask = () => {
    if (!asked) requestAnimationFrame(draw);
    asked = true;
  };
  const resize = () => {
    filler.style.height = rows.length * row + Math.max(0, scroll.clientHeight - RULER - 3 * row) + "px";
    ask();
  };

  function describe(index, cycle) {
    const r = rows[index], lines = [view.texts[r[TEXT]]];
    lines.push("sequence " + r[SEQUENCE] + (r[RETIRED] < 0 ? ", flushed (wrong path)" : ", retired as " + r[RETIRED]) +
               ", cycles " + r[BEGIN] + " to " + (r[END] - 1));
    if (r[ADDRESS]) lines.push("address " + r[ADDRESS]);
    if (cycle >= r[BEGIN] && cycle < r[END]) {
      const stage = stagesOf(r).filter(([, begin, end]) => begin <= cycle && cycle < end).pop();
      const stall = stallsOf(r).find(([, begin, end]) => begin <= cycle && cycle < end);
      lines.push("cycle " + cycle + ": " + (stage ? "in " + view.stages[stage[0]] : "") +
                 (stall ? ", waits: " + view.causes[stall[0]].replaceAll("_", " ") : ""));
    }
    const waited = new Map();
    for (const [cause, begin, end] of stallsOf(r)) waited.set(cause, (waited.get(cause) || 0) + end - begin);
    if (waited.size)
      lines.push("waited " + [...waited].map(([cause, n]) => view.causes[cause].replaceAll("_", " ") + " " + n).join(", "));
    return lines.join("\n");
  }

  function hover(event) {
    const box = scroll.getBoundingClientRect();
    const px = event.clientX - box.left, py = event.clientY - box.top;
    const index = Math.floor(topRow() + (py - RULER) / row);
    const inside = py > RULER && index >= 0 && index < rows.length;
    hovered = inside ? index : -1;
    tip.style.display = inside ? "block" : "none";
    if (inside) {
      tip.textContent = describe(index, Math.floor(cycleAt(leftPlace() + (px - LEFT) / cell)));
      tip.style.left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 12) + "px";
      tip.style.top = Math.min(event.clientY + 16, window.innerHeight - tip.offsetHeight - 12) + "px";
    }
    ask();
  }

  function zoom(factor) {
    const top = topRow(), middle = (scroll.clientWidth - LEFT) / 2 / cell;
    cell = Math.min(40, Math.max(0.05, cell * factor));
    row = Math.min(22, Math.max(2, row * Math.sqrt(factor)));
    if (cell >= 16) row = 18;
    pan += middle - (scroll.clientWidth - LEFT) / 2 / cell;
    resize();
    scroll.scrollTop = top * row;
  }
  const align = () => { pan = 0; ask(); };
  function goTo(text) {
    text = text.trim().toLowerCase();
    if (text === "") return;
    let index = -1;
    if (text.startsWith("0x")) {
      const digits = text.slice(2).replace(/^0+/, "");
      const from = Math.floor(topRow()) + 1;
      const here = (r) => view.texts[r[TEXT]].replace(/^0x0*/, "").startsWith(digits + ":");
      index = rows.findIndex((r, i) => i >= from && here(r));
      if (index < 0) index = rows.findIndex(here);
    } else if (/^\d+$/.test(text)) {
      index = rows.findIndex((r) => r[END] > Number(text));
    } else {
      const from = Math.floor(topRow()) + 1;
      const here = (r) => view.texts[r[TEXT]].toLowerCase().includes(text);
      index = rows.findIndex((r, i) => i >= from && here(r));
      if (index < 0) index = rows.findIndex(here);
    }
    document.getElementById("stage-found").textContent = index < 0 ? "not in this view" : "";
    if (index < 0) return;
    pan = 0;
    hovered = index;
    scroll.scrollTop = index * row;
    ask();
  }

  scroll.addEventListener("scroll", ask);
  scroll.addEventListener("mousemove", hover);
  scroll.addEventListener("mouseleave", () => { hovered = -1; tip.style.display = "none"; ask(); });
  scroll.addEventListener("wheel", (event) => {
    if (event.ctrlKey) zoom(event.deltaY < 0 ? 1.25 : 0.8);
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan += (event.deltaX || event.deltaY) / cell;
    else return;
    event.preventDefault();
    ask();
  }, { passive: false });
  let dragged = null;
  scroll.addEventListener("pointerdown", (event) => { if (event.offsetX < scroll.clientWidth) dragged = event.clientX; });
  window.addEventListener("pointerup", () => { dragged = null; });
  window.addEventListener("pointermove", (event) => {
    if (dragged === null) return;
    pan -= (event.clientX - dragged) / cell;
    dragged = event.clientX;
    ask();
  });
  scroll.addEventListener("keydown", (event) => {
    const page = Math.floor((scroll.clientHeight - RULER) / row) * row;
    const keys = { ArrowLeft: () => { pan -= 80 / cell; }, ArrowRight: () => { pan += 80 / cell; }, "+": () => zoom(1.25), "-": () => zoom(0.8),
                   ArrowUp: () => { scroll.scrollTop -= row; }, ArrowDown: () => { scroll.scrollTop += row; },
                   PageUp: () => { scroll.scrollTop -= page; }, PageDown: () => { scroll.scrollTop += page; },
                   Home: () => { scroll.scrollTop = 0; pan = 0; }, End: () => { scroll.scrollTop = rows.length * row; pan = 0; } };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
    ask();
  });
  document.getElementById("stage-in").addEventListener("click", () => zoom(1.4));
  document.getElementById("stage-out").addEventListener("click", () => zoom(1 / 1.4));
  document.getElementById("stage-squeeze").addEventListener("change", (event) => { squeezed = event.target.checked; align(); });
  document.getElementById("stage-align").addEventListener("click", align);
  document.getElementById("stage-go").addEventListener("keydown", (event) => { if (event.key === "Enter") goTo(event.target.value); });

  const legend = document.getElementById("stage-legend");
  const met = new Set();
  for (const r of rows) for (let i = 0; i < r[STALLS].length; i += 3) met.add(r[STALLS][i]);
  const swatch = (text, variable) => {
    const entry = document.createElement("span"), mark = document.createElement("i");
    mark.className = "swatch";
    mark.style.background = "var(--" + variable + ")";
    entry.append(mark, text);
    legend.append(entry);
  };
  [["fetch (IA IT IM IB IR)", "fetch"], ["issue (E D)", "issue"], ["execute (P B X)", "execute"],
   ["cache (Ps Ts Ms Bs Rs)", "cache"], ["complete (U W)", "complete"]].forEach(([text, name]) => swatch(text, name));
  [...met].sort((a, b) => a - b).forEach((cause) =>
    swatch("waits: " + view.causes[cause].replaceAll("_", " "), STALL_COLOURS[view.causes[cause]] || "serial"));

  onTheme(ask);
  new ResizeObserver(resize).observe(scroll);
  resize();
})();
