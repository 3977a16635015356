// SPDX-License-Identifier: Apache-2.0
// The stage view: one instruction a row, one cycle a cell. Only the rows in sight are drawn, so a hundred
// thousand instructions scroll as quickly as ten; rows thinner than a pixel are sampled. The view follows the top row in
// time; panning adds to that. stage_data.js reads the rows; a report and `psim view --html` show them with this.
"use strict";
(() => {
  const { data, colour, onTheme, unpackStages, squeezedCycles } = window.psim;
  const scroll = document.getElementById("stage-scroll");
  if (!data.stages || !scroll || data.stages.rows === 0) return;

  const rows = unpackStages(data.stages);
  const axis = squeezedCycles(rows.changes);
  const { LEFT_IN, gaps, gapOf, place, cycleAt } = axis;
  const canvas = document.getElementById("stage-canvas");
  const tip = document.getElementById("stage-tip");
  const filler = document.getElementById("stage-filler");
  const context = canvas.getContext("2d");
  const LEFT = 330, RULER = 22;
  let cell = 16, row = 18, pan = 0, hovered = -1, asked = false;
  const drawn = [];

  // The row at each position down the page.
  let shown = Uint32Array.from({ length: rows.count }, (_, i) => i);
  const positionOf = Int32Array.from(shown);  // -1: hidden
  // Browsers limit how high a page may be; beyond HIGHEST pixels a pixel of scrolling is more than a pixel of rows.
  const HIGHEST = 15e6;
  const scrolled = () => Math.max(1, shown.length * row / HIGHEST);
  const topRow = () => Math.max(0, Math.min(shown.length - 1, scroll.scrollTop * scrolled() / row));
  const setTop = (position) => { scroll.scrollTop = position * row / scrolled(); };
  const leftPlace = () => {
    const top = topRow(), i = Math.floor(top), next = Math.min(i + 1, shown.length - 1);
    const here = place(rows.begin[shown[i]]);
    return here + (place(rows.begin[shown[next]]) - here) * (top - i) - 1 + pan;
  };
  const STALL_COLOURS = {
    instruction_cache: "front_end", branch_redirect: "branch", instruction_buffer_full: "front_end", serialise: "serial",
    reservation_station_full: "reservation_station", reorder_buffer_full: "reorder_buffer", rename_full: "reorder_buffer",
    store_queue_full: "store_queue", load_queue_full: "store_queue", operand: "int_latency", pipe_busy: "fp_latency",
    cancelled: "memory", l1_miss: "l1", l2_miss: "l2", store_forward: "l1", commit_width: "drain", window_trap: "window_trap",
    transfer_queue_full: "transfer", transfer: "transfer",
  };
  // Stages and stalls of other tools take the next of these.
  const OTHERS = ["fetch", "issue", "execute", "cache", "complete"], OTHER_STALLS = ["memory", "l2", "reservation_station", "window_trap",
    "front_end", "int_latency", "transfer", "l1"];
  const inOrder = (met) => [...met].sort((a, b) => a - b);
  const groupOf = rows.groups.slice(), stallOf = rows.causes.map((cause) => STALL_COLOURS[cause]);
  inOrder(rows.metStages).filter((i) => !groupOf[i]).forEach((i, k) => { groupOf[i] = OTHERS[k % OTHERS.length]; });
  inOrder(rows.metCauses).filter((i) => !stallOf[i]).forEach((i, k) => { stallOf[i] = OTHER_STALLS[k % OTHER_STALLS.length]; });
  const readable = (cause) => rows.causes[cause].replaceAll("_", " ");
  let palette, groups, stalls;
  const mix = () => {
    palette = Object.fromEntries(["ink", "dim", "line", "paper", "panel", "accent", "flag", "sbm"].map((name) => [name, colour(name)]));
    groups = groupOf.map((name) => name ? colour(name) : "");
    stalls = stallOf.map((name) => colour(name || "serial"));
  };
  mix();

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
    const from = leftPlace(), top = topRow();
    const x = (cycle) => LEFT + (place(cycle) - from) * cell;
    const y = (index) => RULER + (index - top) * row;
    // Of rows thinner than a pixel, one a pixel.
    const every = Math.max(1, Math.floor(1 / row)), thick = Math.max(1, row);
    const first = Math.floor(top / every) * every, last = Math.min(shown.length, Math.ceil(top + (height - RULER) / row) + 1);
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
    for (let gap = Math.max(0, gapOf(cycleAt(from))); axis.squeezed && gap < gaps.begin.length && x(gaps.begin[gap]) < width; ++gap)
      bands.push(gap);
    for (let i = first; i < last; i += every) {
      const r = shown[i], at = y(i), spans = rows.spans(r);
      if (i === hovered) {
        context.fillStyle = palette.panel;
        context.fillRect(LEFT, at, width - LEFT, thick);
      }
      context.globalAlpha = rows.retired[r] === -1 ? 0.4 : 1;
      const gap = row >= 8 ? 1 : 0;
      for (const [stage, begin, end] of spans.stages) {
        if (x(end) < LEFT || x(begin) > width) continue;
        context.fillStyle = groups[stage];
        context.fillRect(x(begin), at + gap, Math.max(1, x(end) - x(begin) - (cell >= 6 ? 1 : 0)), thick - 2 * gap);
      }
      for (const [cause, begin, end] of spans.stalls) {
        if (x(end) < LEFT || x(begin) > width) continue;
        context.fillStyle = stalls[cause];
        const low = row >= 4 ? 0.38 : 1;  // a stripe below the stage, or all of a thin row
        context.fillRect(x(begin), at + thick * (1 - low), Math.max(1, x(end) - x(begin) - (cell >= 6 ? 1 : 0)), thick * low - gap);
      }
      if (letters) {
        context.fillStyle = palette.ink;
        context.font = Math.min(11, row - 6) + "px system-ui, sans-serif";
        context.textAlign = "center";
        for (const [stage, begin] of spans.stages) context.fillText(rows.stages[stage], x(begin) + cell / 2, at + row / 2 - 0.5);
      }
      context.globalAlpha = 1;
    }
    for (const gap of bands) {
      context.fillStyle = palette.paper;
      context.globalAlpha = 0.75;
      context.fillRect(x(gaps.begin[gap]) + cell, RULER, (LEFT_IN - 2) * cell, height - RULER);
      context.globalAlpha = 1;
    }
    if (hovered >= 0) arrows(hovered, x, y);
    context.restore();

    context.fillStyle = palette.paper;
    context.fillRect(0, 0, LEFT - 1, height);
    context.textAlign = "left";
    context.font = "12px ui-monospace, 'DejaVu Sans Mono', monospace";
    context.save();
    context.beginPath();
    context.rect(0, RULER, LEFT - 8, height - RULER);
    context.clip();
    for (let i = first; i < last; i += every) {
      const r = shown[i], at = y(i);
      if (i === hovered) {
        context.fillStyle = palette.panel;
        context.fillRect(0, at, LEFT - 1, thick);
      }
      if (rows.onPes[r]) {
        context.fillStyle = palette.sbm;
        context.fillRect(0, at, 4, thick);
      }
      if (!texts) continue;
      context.fillStyle = palette.dim;
      context.fillText(rows.number[r] + (rows.retired[r] === -1 ? " x" : ""), 8, at + row / 2);
      context.fillStyle = rows.retired[r] === -1 ? palette.dim : palette.ink;
      context.fillText(rows.label(r), 78, at + row / 2);
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
    for (const gap of LEFT_IN * cell > 24 ? bands : [])
      marks.push([x(gaps.begin[gap]) + 3, "\u2026 " + (gaps.end[gap] - gaps.begin[gap]).toLocaleString("en-US")]);
    marks.sort((a, b) => a[0] - b[0]).forEach(([at, text]) => label(text, at));
    context.fillStyle = palette.line;
    context.fillRect(LEFT - 1, 0, 1, height);
    context.fillRect(0, RULER - 1, width, 1);
    drawn.forEach((tell) => tell());
  }

  // Wake-ups of and by the row under the pointer.
  function arrows(position, x, y) {
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
    const r = shown[position];
    for (const [producer, consumer, cycle] of [...rows.wokenBy(r), ...rows.wakes(r)])
      if (positionOf[producer] >= 0 && positionOf[consumer] >= 0) arrow(positionOf[producer], positionOf[consumer], cycle);
  }

  const ask = () => {
    if (!asked) requestAnimationFrame(draw);
    asked = true;
  };
  const resize = () => {
    filler.style.height = Math.min(HIGHEST, shown.length * row) + Math.max(0, scroll.clientHeight - row) + "px";
    ask();
  };

  function describe(r, cycle) {
    const { stages, stalls: waits } = rows.spans(r), lines = [rows.label(r)];
    const retired = rows.retired[r];
    lines.push("instruction " + rows.number[r] + (retired === -1 ? ", flushed (wrong path)" : retired === -2 ? ", cut off by the dump's end" :
               ", retired as " + retired) + ", cycles " + rows.begin[r] + " to " + (rows.end[r] - 1) + (rows.onPes[r] ? ", on the PEs" : ""));
    if (rows.details(r)) lines.push(rows.details(r));
    if (cycle >= rows.begin[r] && cycle < rows.end[r]) {
      const stage = stages.filter(([, begin, end]) => begin <= cycle && cycle < end).pop();
      const stall = waits.find(([, begin, end]) => begin <= cycle && cycle < end);
      lines.push("cycle " + cycle + ": " + (stage ? "in " + rows.stages[stage[0]] : "") + (stall ? ", waits: " + readable(stall[0]) : ""));
    }
    const MOST = 24;  // stages told: an instruction of another tool may have thousands
    lines.push("stages: " + stages.slice(0, MOST).map(([stage, begin, end]) =>
      rows.stages[stage] + " " + begin + (end > begin + 1 ? "\u2013" + (end - 1) : "")).join(", ") + (stages.length > MOST ? ", \u2026" : ""));
    const waited = new Map();
    for (const [cause, begin, end] of waits) waited.set(cause, (waited.get(cause) || 0) + end - begin);
    if (waited.size) lines.push("waited " + [...waited].map(([cause, n]) => readable(cause) + " " + n).join(", "));
    return lines.join("\n");
  }

  function hover(event) {
    const box = scroll.getBoundingClientRect();
    const px = event.clientX - box.left, py = event.clientY - box.top;
    const index = Math.floor(topRow() + (py - RULER) / row);
    const inside = py > RULER && index >= 0 && index < shown.length;
    hovered = inside ? index : -1;
    tip.style.display = inside ? "block" : "none";
    if (inside) {
      tip.textContent = describe(shown[index], Math.floor(cycleAt(leftPlace() + (px - LEFT) / cell)));
      tip.style.left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 12) + "px";
      tip.style.top = Math.min(event.clientY + 16, window.innerHeight - tip.offsetHeight - 12) + "px";
    }
    ask();
  }

  // A row shrinks with the root of a cell down to TEXTURE pixels, then with it, until all is in sight.
  const TEXTURE = 2;
  function zoom(factor) {
    const top = topRow(), middle = (scroll.clientWidth - LEFT) / 2 / cell;
    const span = place(rows.end[rows.count - 1]) - place(rows.begin[0]) + 2;
    cell = Math.min(40, Math.max(Math.min(0.05, (scroll.clientWidth - LEFT) / span), cell * factor));
    if (factor < 1 ? row <= TEXTURE : row * factor <= TEXTURE) row *= factor;
    else row = Math.max(TEXTURE, row * Math.sqrt(factor));
    row = Math.min(22, Math.max(Math.min(TEXTURE, (scroll.clientHeight - RULER) / shown.length), row));
    if (cell >= 16) row = 18;
    pan += middle - (scroll.clientWidth - LEFT) / 2 / cell;
    if (row < TEXTURE) pan = 0;
    resize();
    setTop(top);
    moved();
  }
  const align = () => { pan = 0; ask(); };
  const found = document.getElementById("stage-found");
  function show(position) {
    pan = 0;
    hovered = position;
    setTop(position);
    ask();
  }
  // The first position after the top, or else of all, whose row is wanted.
  function next(wanted) {
    const from = Math.floor(topRow()) + 1;
    for (let i = 0; i < shown.length; ++i) {
      const position = (from + i) % shown.length;
      if (wanted(shown[position])) return position;
    }
    return -1;
  }
  const first = (wanted) => shown.findIndex(wanted);
  function goTo(text) {
    text = text.trim().toLowerCase();
    if (text === "") return;
    const labels = rows.texts.map((label) => label.toLowerCase());
    const having = (test) => {
      const fits = labels.map(test);
      return next((r) => fits[rows.text[r]]);
    };
    let position;
    if (text.startsWith("0x")) {
      const digits = text.slice(2).replace(/^0+/, "");
      position = having((label) => new RegExp("^(0x)?0*" + digits.replace(/[^0-9a-f]/g, "?") + "(:| |$)").test(label));
    } else if (/^#\d+$/.test(text)) {
      position = first((r) => rows.number[r] === Number(text.slice(1)));
    } else if (/^[\d,]+$/.test(text)) {
      const cycle = Number(text.replaceAll(",", ""));
      position = first((r) => rows.end[r] > cycle);
    } else {
      position = having((label) => label.includes(text));
    }
    found.textContent = position < 0 ? "not in this view" : "";
    if (position >= 0) show(position);
  }

  // Both, the scalar part's only, or the PEs' only; the top row stays, or the next one that is shown.
  const lane = document.getElementById("stage-lane");
  if (lane && !rows.onPes.includes(1)) lane.closest("label").hidden = true;
  if (lane) lane.addEventListener("change", () => {
    const top = shown[Math.floor(topRow())];
    const wanted = { both: () => true, scalar: (r) => !rows.onPes[r], pes: (r) => rows.onPes[r] }[lane.value];
    const chosen = Uint32Array.from({ length: rows.count }, (_, r) => r).filter(wanted);
    found.textContent = chosen.length ? "" : "no such instruction";
    if (!chosen.length) return;
    shown = chosen;
    positionOf.fill(-1);
    shown.forEach((r, position) => { positionOf[r] = position; });
    hovered = -1;
    pan = 0;
    resize();
    const from = shown.findIndex((r) => r >= top);
    setTop(from < 0 ? shown.length - 1 : from);
  });

  // The pointer stays and the rows move: what it points at is another row.
  let pointer = null;
  const moved = () => {
    if (pointer) hover(pointer);
    ask();
  };
  scroll.addEventListener("scroll", moved);
  scroll.addEventListener("mousemove", (event) => { pointer = event; hover(event); });
  scroll.addEventListener("mouseleave", () => { pointer = null; hovered = -1; tip.style.display = "none"; ask(); });
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
    const page = Math.floor((scroll.clientHeight - RULER) / row), step = Math.max(1, 1 / row);
    const keys = { ArrowLeft: () => { pan -= 80 / cell; }, ArrowRight: () => { pan += 80 / cell; }, "+": () => zoom(1.25), "-": () => zoom(0.8),
                   ArrowUp: () => setTop(topRow() - step), ArrowDown: () => setTop(topRow() + step),
                   PageUp: () => setTop(topRow() - page), PageDown: () => setTop(topRow() + page),
                   Home: () => { setTop(0); pan = 0; }, End: () => { setTop(shown.length - page + 2); pan = 0; } };
    if (!keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
    ask();
  });
  document.getElementById("stage-in").addEventListener("click", () => zoom(1.4));
  document.getElementById("stage-out").addEventListener("click", () => zoom(1 / 1.4));
  document.getElementById("stage-squeeze").addEventListener("change", (event) => { axis.squeezed = event.target.checked; align(); });
  document.getElementById("stage-align").addEventListener("click", align);
  document.getElementById("stage-go").addEventListener("keydown", (event) => { if (event.key === "Enter") goTo(event.target.value); });

  const legend = document.getElementById("stage-legend");
  const swatch = (text, variable) => {
    const entry = document.createElement("span"), mark = document.createElement("i");
    mark.className = "swatch";
    mark.style.background = "var(--" + variable + ")";
    entry.append(mark, text);
    legend.append(entry);
  };
  for (const group of OTHERS) {
    const names = inOrder(rows.metStages).filter((i) => groupOf[i] === group).map((i) => rows.stages[i]);
    if (names.length) swatch((rows.metStages.has(rows.stages.indexOf("IA")) ? group + " (" + names.join(" ") + ")" : names.join(", ")), group);
  }
  for (const cause of inOrder(rows.metCauses)) swatch("waits: " + readable(cause), stallOf[cause] || "serial");
  if (rows.onPes.includes(1)) swatch("on the PEs (mark at the left)", "sbm");

  // For what is drawn beside the view: the cycles in sight, and a way to others.
  window.psim.stageView = {
    rows, onDraw: (tell) => drawn.push(tell),
    inSight: () => [cycleAt(leftPlace()), cycleAt(leftPlace() + (scroll.clientWidth - LEFT) / cell)],
    goToCycle: (cycle) => goTo(String(Math.round(cycle))),
  };
  onTheme(() => { mix(); ask(); });
  new ResizeObserver(resize).observe(scroll);
  resize();
})();
