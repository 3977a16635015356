// SPDX-License-Identifier: Apache-2.0
// The timeline of ranks: one row per rank, time from left to right, calls coloured by kind. Rows are decoded
// when they come into sight. Far out, each pixel shows what most of its time went to, from bins made once per row; close
// up, calls are drawn one by one, with arrows for messages.
"use strict";
(() => {
  const { data, colour, grouped, si, onTheme } = window.psim;
  const rows = data.ranks, box = document.getElementById("ranks-box");
  if (!rows || !box) return;
  const scroll = document.getElementById("ranks-scroll"), filler = document.getElementById("ranks-filler");
  const canvas = document.getElementById("ranks-canvas"), tip = document.getElementById("ranks-tip");
  const pen = canvas.getContext("2d");
  const kinds = rows.kinds ? rows.kinds.map(({ name }) => name) : ["computing", "sending", "receiving", "waiting", "collective", "one-sided", "other"];
  const kindColour = (k) => rows.kinds ? rows.kinds[k].colour : "rank-" + k;
  const kindOf = (name) => name === "MGEN_Comp" ? 0 : /^MPI_(I?[bsr]?send|Sendrecv)/i.test(name) ? 1 :
    /recv|probe/i.test(name) ? 2 : /^MPI_(Wait|Test)/.test(name) ? 3 :
    /^MPI_(I?(barrier|bcast|gather|scatter|all|reduce|scan|exscan|neighbor)|Finalize|Comm_(dup|split|create|free))/i.test(name) ? 4 :
    /^MPI_(Win_|R?put|R?get$|R?get_acc|R?acc|Fetch|Compare)/i.test(name) ? 5 : 6;
  const functionKind = rows.kind_of || rows.functions.map(kindOf);
  const end = Math.max(1, rows.end_ps), kBins = 16384;
  // Ranks are counted over all jobs; people count them in theirs.
  const jobs = rows.jobs || [];
  const nameOf = (rank) => {
    if (rows.names) return rows.names[rank];
    let job = null;
    for (const one of jobs) if (one.first <= rank) job = one;
    return job ? `${job.name}: rank ${rank - job.first}` : `rank ${rank}`;
  };

  // ── one rank ──────────────────────────────────────────────────────────────────────────────────────────────────────
  class Column {  // a typed array that grows
    constructor(kind) { this.kind = kind, this.at = new kind(256); }
    set(i, value) {
      if (i >= this.at.length) {
        const more = new this.kind(Math.max(i + 1, 2 * this.at.length));
        more.set(this.at);
        this.at = more;
      }
      this.at[i] = value;
    }
  }
  const decoded = new Map();
  const decode = (row) => {
    const known = decoded.get(row);
    if (known) return known;
    const bytes = atob(rows.logs[row]), length = bytes.length;
    let at = 0, time = 0;
    const number = () => {
      let value = 0, scale = 1;
      for (;;) {
        const byte = bytes.charCodeAt(at++);
        value += (byte & 127) * scale;
        if (byte < 128) return value;
        scale *= 128;
      }
    };
    let calls = 0, messages = 0;
    const begin = new Column(Float64Array), until = new Column(Float64Array), what = new Column(Uint16Array);
    const call = new Column(Uint32Array), when = new Column(Float64Array), receives = new Column(Uint8Array);
    const peers = new Column(Uint32Array), tags = new Column(Uint32Array), sizes = new Column(Float64Array);
    const serials = new Column(Uint32Array), sent = new Column(Float64Array);  // by serial
    while (at < length) {
      const kind = number();
      time += number();
      if (kind >= 8) {
        begin.set(calls, time), until.set(calls, end), what.set(calls, kind - 8);
        ++calls;
      } else if (kind === 0) {
        until.set(calls - 1, time);
      } else if (kind === 1 || kind === 4) {
        const peer = number(); number(); number();
        const tag = number(), size = number(), serial = number();
        if (kind === 4) number();
        else sent.set(serial, time + 1);  // 0: not known
        call.set(messages, calls - 1), when.set(messages, time), receives.set(messages, kind === 4 ? 1 : 0);
        peers.set(messages, peer), tags.set(messages, tag), sizes.set(messages, size), serials.set(messages, serial);
        ++messages;
      } else if (kind === 7) {
        for (let i = 0; i < 5; ++i) number();
      } else {
        number();
      }
    }
    // The kind of call with most of each bin's time, plus 1; 0 for nothing.
    const bins = new Uint8Array(kBins), share = new Float64Array(kinds.length), width = end / kBins;
    let bin = 0;
    const settle = () => {
      let most = 0;
      for (let k = 0; k < kinds.length; ++k) { if (share[k] > most) most = share[k], bins[bin] = k + 1; share[k] = 0; }
    };
    for (let i = 0; i < calls; ++i) {
      const k = functionKind[what.at[i]], stops = until.at[i];
      let from = begin.at[i];
      for (;;) {
        const here = Math.min(kBins - 1, Math.floor(from / width));
        if (here !== bin) settle(), bin = here;
        const stop = Math.min(stops, (here + 1) * width);
        share[k] += Math.max(stop - from, 1e-3);
        if (stop >= stops || here === kBins - 1) break;
        from = stop;
      }
    }
    settle();
    const rank = { begin: begin.at, until: until.at, what: what.at, calls, bins, messages, call: call.at, when: when.at,
      receives: receives.at, peers: peers.at, tags: tags.at, sizes: sizes.at, serials: serials.at, sent: sent.at };
    decoded.set(row, rank);
    return rank;
  };
  /// The first of `count` ascending values that is above `value`.
  const above = (values, count, value) => {
    let low = 0, high = count;
    while (low < high) { const middle = (low + high) >> 1; if (values[middle] <= value) low = middle + 1; else high = middle; }
    return low;
  };
  const firstAfter = (rank, time) => above(rank.until, rank.calls, time);

  // ── the picture ───────────────────────────────────────────────────────────────────────────────────────────────────
  let from = 0, to = end, rowHeight = Math.max(4, Math.min(18, Math.floor(420 / rows.ranks.length)));
  const label = 74 + Math.min(140, rows.names ? 6 * Math.max(0, ...rows.names.slice(-9).map((name) => name.length - 9)) :
    6 * jobs.reduce((most, job) => Math.max(most, job.name.length + 2), 0)), head = 20;
  let palette;
  const readPalette = () => {
    const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const number = (css) => {
      probe.fillStyle = css; probe.fillRect(0, 0, 1, 1);
      const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
      return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
    };
    palette = new Uint32Array([number(colour("panel")), ...kinds.map((_, k) => number(colour(kindColour(k))))]);
  };
  const line = (rank, out, width) => {
    const a = palette, counts = new Uint32Array(kinds.length + 1), scale = (to - from) / width, bin = end / kBins;
    out.fill(a[0]);
    if (scale >= bin) {
      for (let x = 0; x < width; ++x) {
        const first = Math.floor((from + x * scale) / bin), last = Math.max(first + 1, Math.floor((from + (x + 1) * scale) / bin));
        counts.fill(0);
        for (let b = first; b < last && b < kBins; ++b) ++counts[rank.bins[b]];
        let best = 0;
        for (let k = 1; k <= kinds.length; ++k) if (counts[k] > (best ? counts[best] : 0)) best = k;
        if (best && counts[best] * 4 >= counts[0]) out[x] = a[best];
      }
      return;
    }
    for (let i = firstAfter(rank, from); i < rank.calls && rank.begin[i] < to; ++i) {
      const left = Math.max(0, Math.floor((rank.begin[i] - from) / scale));
      const right = Math.min(width, Math.max(left + 1, Math.floor((rank.until[i] - from) / scale)));
      out.fill(a[1 + functionKind[rank.what[i]]], left, right);
    }
  };
  const nice = (time) => time >= 1e15 ? grouped(time / 1e12) + " s" : si(time / 1e12, "s", 6);
  const draw = () => {
    const width = Math.max(50, box.clientWidth - label - 14), height = scroll.clientHeight, ratio = 1;
    if (canvas.width !== box.clientWidth || canvas.height !== height) canvas.width = box.clientWidth, canvas.height = height;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const first = Math.floor(scroll.scrollTop / rowHeight), offset = first * rowHeight - scroll.scrollTop + head;
    const shown = Math.min(rows.ranks.length - first, Math.ceil((height - offset) / rowHeight));
    if (shown <= 0) return;
    const image = pen.createImageData(width * ratio, shown * rowHeight), pixels = new Uint32Array(image.data.buffer);
    const one = new Uint32Array(width), gap = rowHeight > 5 ? 1 : 0;
    for (let i = 0; i < shown; ++i) {
      line(decode(first + i), one, width);
      for (let y = 0; y < rowHeight - gap; ++y) pixels.set(one, (i * rowHeight + y) * width);
    }
    pen.putImageData(image, label, offset);
    pen.clearRect(0, 0, canvas.width, head);
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = colour("dim");
    pen.textBaseline = "middle";
    const every = Math.ceil(12 / rowHeight);
    for (let i = 0; i < shown; ++i)
      if ((first + i) % every === 0) pen.fillText(nameOf(rows.ranks[first + i]), 6, offset + (i + 0.5) * rowHeight, label - 10);
    // Round times, some 100 pixels or more from each other.
    const least = (to - from) * Math.min(1, 100 / width), power = 10 ** Math.floor(Math.log10(least));
    const step = power * [1, 2, 5, 10].find((k) => k * power >= least);
    for (let i = Math.ceil(from / step); i * step <= to; ++i) {
      const x = label + width * (i * step - from) / (to - from), half = pen.measureText(nice(i * step)).width / 2;
      pen.textAlign = "center";
      if (x - half >= label && x + half <= label + width) pen.fillText(nice(i * step), x, head / 2);
    }
    pen.textAlign = "left";
    drawMessages(first, shown, offset, width);
  };
  const rowOf = new Map(rows.ranks.map((rank, row) => [rank, row]));
  const drawMessages = (first, shown, offset, width) => {
    const lines = [];
    box.dataset.messages = "many";
    const late = to + 4 * (to - from);  // what arrives later is hardly to be seen
    let inSight = 0;
    for (let row = first; row < first + shown; ++row) {
      const rank = decode(row);
      inSight += above(rank.when, rank.messages, to) - above(rank.when, rank.messages, from - 1);
    }
    if (inSight > 6000) return;
    for (let row = first; row < first + shown; ++row) {
      const rank = decode(row);
      for (let m = above(rank.when, rank.messages, from - 1); m < rank.messages && rank.when[m] < late; ++m) {
        if (!rank.receives[m] || !rank.serials[m] || !rowOf.has(rank.peers[m])) continue;
        const source = rowOf.get(rank.peers[m]), sent = decode(source).sent[rank.serials[m]];
        if (!sent || sent - 1 > to) continue;
        lines.push([sent - 1, source, rank.when[m], row]);
        if (lines.length > 3000) return;  // too many to tell apart: zoom in to see them
      }
    }
    const x = (time) => label + (time - from) / (to - from) * width, y = (row) => offset + (row - first + 0.5) * rowHeight;
    pen.save();
    pen.beginPath();
    pen.rect(label, head, width, canvas.height);
    pen.clip();
    pen.strokeStyle = colour("ink");
    pen.globalAlpha = lines.length > 400 ? 0.25 : 0.6;
    pen.beginPath();
    for (const [sent, source, time, row] of lines) pen.moveTo(x(sent), y(source)), pen.lineTo(x(time), y(row));
    pen.stroke();
    pen.fillStyle = colour("ink");
    const heads = lines.length <= 400;
    pen.globalAlpha = heads ? 1 : 0.25;
    pen.beginPath();
    for (const [sent, source, time, row] of lines) {
      const tipX = x(time), tipY = y(row), wide = tipX - x(sent), high = tipY - y(source), long = Math.hypot(wide, high);
      if (!heads || long < 10) { pen.rect(tipX - 1.5, tipY - 1.5, 3, 3); continue; }
      const alongX = 9 * wide / long, alongY = 9 * high / long;  // the head is 9 pixels long, and 7 wide
      pen.moveTo(tipX, tipY);
      pen.lineTo(tipX - alongX + 0.4 * alongY, tipY - alongY - 0.4 * alongX);
      pen.lineTo(tipX - alongX - 0.4 * alongY, tipY - alongY + 0.4 * alongX);
      pen.closePath();
    }
    pen.fill();
    box.dataset.heads = heads;
    pen.restore();
    box.dataset.messages = lines.length;
  };

  // ── moving about ──────────────────────────────────────────────────────────────────────────────────────────────────
  let waiting = false;
  const refresh = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  };
  const look = (a, b) => {
    const span = Math.max(1000 * (box.clientWidth / 1000), Math.min(end, b - a));
    from = Math.max(0, Math.min(end - span, a));
    to = from + span;
    refresh();
    lookers.forEach((follow) => follow());
  };
  const lookers = [];
  const timeAt = (x) => from + (x - canvas.getBoundingClientRect().left - label) / Math.max(50, box.clientWidth - label - 14) * (to - from);
  const zoom = (factor, about = (from + to) / 2) => look(about - (about - from) * factor, about + (to - about) * factor);
  scroll.addEventListener("scroll", refresh);
  scroll.addEventListener("wheel", (event) => {
    if (event.ctrlKey) zoom(Math.exp(event.deltaY / 300), timeAt(event.clientX));
    else if (event.shiftKey || event.deltaX) {
      const by = (event.deltaX || event.deltaY) / 800 * (to - from);
      look(from + by, to + by);
    } else return;
    event.preventDefault();
  }, { passive: false });
  let grip = null, dragged = false, picked = 0;
  const pick = (row) => {
    if (!(row >= 0 && row < rows.ranks.length)) return;
    picked = row;
    lookers.forEach((follow) => follow());
  };
  const rowAt = (y) => Math.floor((y - canvas.getBoundingClientRect().top - head + scroll.scrollTop) / rowHeight);
  scroll.addEventListener("pointerdown", (event) => { grip = [event.clientX, from, to], dragged = false; });
  scroll.addEventListener("click", (event) => { if (!dragged) pick(rowAt(event.clientY)); });
  window.addEventListener("pointerup", () => { grip = null; });
  scroll.addEventListener("pointermove", (event) => {
    if (grip && event.buttons) {
      if (Math.abs(event.clientX - grip[0]) > 4) dragged = true;
      const by = (grip[0] - event.clientX) / Math.max(50, box.clientWidth - label - 14) * (grip[2] - grip[1]);
      look(grip[1] + by, grip[2] + by);
    }
    hover(event.clientX, event.clientY);
  });
  scroll.addEventListener("pointerleave", () => { tip.style.display = "none"; });
  scroll.addEventListener("keydown", (event) => {
    const step = (to - from) / 4;
    const act = { ArrowLeft: () => look(from - step, to - step), ArrowRight: () => look(from + step, to + step), "+": () => zoom(0.5),
                  "=": () => zoom(0.5), "-": () => zoom(2), Home: () => look(0, end) }[event.key];
    if (act) act(), event.preventDefault();
  });
  document.getElementById("ranks-in").addEventListener("click", () => zoom(0.5));
  document.getElementById("ranks-out").addEventListener("click", () => zoom(2));
  document.getElementById("ranks-all").addEventListener("click", () => look(0, end));
  document.getElementById("ranks-taller").addEventListener("click", () => setHeight(rowHeight * 1.5));
  document.getElementById("ranks-flatter").addEventListener("click", () => setHeight(rowHeight / 1.5));
  const setHeight = (height) => {
    rowHeight = Math.max(2, Math.min(60, Math.round(height)));
    filler.style.height = rows.ranks.length * rowHeight + head + "px";
    scroll.style.height = Math.min(460, rows.ranks.length * rowHeight + head + 24) + "px";
    refresh();
  };

  const hover = (x, y) => {
    const row = rowAt(y), time = timeAt(x);
    const rank = row >= 0 && row < rows.ranks.length ? decode(row) : null;
    const i = rank ? firstAfter(rank, time) : 0;
    // A call that takes no time is found within a pixel's reach.
    const reach = (to - from) / box.clientWidth * 2;
    if (!rank || i >= rank.calls || rank.begin[i] > time + reach) { tip.style.display = "none"; return; }
    const told = [];
    for (let m = above(rank.call, rank.messages, i - 1); m < rank.messages && rank.call[m] === i && told.length < 8; ++m)
      told.push(`${rank.receives[m] ? "from" : "to"} ${nameOf(rank.peers[m])}, tag ${rank.tags[m]}, ${rank.sizes[m].toLocaleString("en-US")} bytes`);
    tip.textContent = [`${nameOf(rows.ranks[row])}: ${rows.functions[rank.what[i]]}`,
      `${nice(rank.begin[i])}, for ${nice(rank.until[i] - rank.begin[i])}`, ...told].join("\n");
    tip.style.display = "block";
    tip.style.left = Math.min(x + 14, window.innerWidth - 300) + "px";
    tip.style.top = y + 14 + "px";
  };

  const legend = document.getElementById("ranks-legend");
  kinds.forEach((kind, k) => {
    if (!functionKind.includes(k)) return;
    const item = document.createElement("span"), swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = `var(--${kindColour(k)})`;
    item.append(swatch, kind);
    legend.append(item);
  });
  if (!functionKind.includes(0)) legend.append("blank: outside calls");
  if (rows.merged_ps) {
    const note = document.createElement("span");
    note.textContent = `calls shorter than ${nice(rows.merged_ps)} are put together, their messages left out`;
    legend.append(note);
  }
  onTheme(() => { readPalette(); refresh(); });
  new ResizeObserver(refresh).observe(box);
  readPalette();
  setHeight(rowHeight);
  // #ranks=FROM:TO in ps opens the page there.
  // For row_charts.js: the charts and the chosen row beneath, on the same axis.
  window.psim.rows = { label, right: 14, end, kinds, kindColour, functionKind, count: rows.ranks.length, look, pick, decode, firstAfter, above, nice,
    name: (row) => nameOf(rows.ranks[row]), peer: nameOf, view: () => [from, to], picked: () => picked, follow: (act) => { lookers.push(act); act(); } };
  const asked = /ranks=(\d+):(\d+)/.exec(location.hash);
  if (asked) look(Number(asked[1]), Number(asked[2]));
  draw();
  box.dataset.rows = rows.ranks.length;
  box.dataset.names = [nameOf(rows.ranks[0]), nameOf(rows.ranks[rows.ranks.length - 1])].join(", ");
  // Measures the time of a picture, for developers of this page.
  window.psim.timeRankView = () => {
    const times = [];
    for (const span of [1, 0.3, 0.1, 0.03, 0.01]) {
      from = 0.4 * end, to = from + span * 0.6 * end;
      const start = performance.now();
      draw();
      times.push(Math.round((performance.now() - start) * 10) / 10);
    }
    look(0, end);
    return times;
  };
})();
