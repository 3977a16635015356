// SPDX-License-Identifier: Apache-2.0
// A machine as people draw it: routers as points, each direction of a link as a line from its router. drawMachine() draws
// it in any place with any colours; showMachine() is the picture of a run, with time, jobs, low power and one link's history.
"use strict";
(() => {
  const { colour, gradient, grouped, onTheme, scaleEnd, seriesColour, si } = window.psim;
  const unpack = (text, bytes = 1) => {
    const raw = Uint8Array.from(atob(text), (digit) => digit.charCodeAt(0));
    return bytes === 1 ? raw : Uint16Array.from({ length: raw.length / 2 }, (_, i) => raw[2 * i] | raw[2 * i + 1] << 8);
  };
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const button = (text, act) => {
    const one = make("button", { type: "button" }, text);
    one.addEventListener("click", act);
    return one;
  };
  const isDark = () => { const [r, g, b] = colour("paper").match(/\w\w/g).map((two) => parseInt(two, 16)); return r + g + b < 384; };
  // A line stands out from the paper, the more the busier it is.
  const loadColour = (part) => gradient(isDark() ? 0.4 + 0.6 * part : 0.6 * (1 - part));

  // ── the picture ───────────────────────────────────────────────────────────────────────────────────────────────────────
  // Draws `machine` (the key `machine` of a result's page) in `place`. `name` is for those who do not see it; `read(link)` returns the
  // text of a link, `onPick(link)` is called with the link that is chosen by pointer or keyboard, or -1. show() takes the colours.
  const drawMachine = (place, machine, { name, read, onPick = () => {} }) => {
    const count = machine.links, from = unpack(machine.from, 2), to = unpack(machine.to, 2), kind = unpack(machine.kind);
    const places = (text, length) => Float32Array.from(unpack(text, 2), (part) => part / 65535 * length);
    const x = places(machine.x, machine.width), y = places(machine.y, machine.height);
    const nameOf = (point) => point < machine.points ? `router ${machine.names[point]}` : `node ${point - machine.points}`;
    const linkName = (link) => `${nameOf(from[link])} → ${nameOf(to[link])}, ${machine.kinds[kind[link]].name}` +
      (machine.channels && machine.channels[link] > 1 ? `, ${grouped(machine.channels[link])} links` : "");
    // Where each line ends; parallel cables lie side by side.
    const endX = new Float32Array(count), endY = new Float32Array(count), side = new Float32Array(count), seen = new Map();
    for (let i = 0; i < count; ++i) {
      const a = from[i], b = to[i], line = machine.kinds[kind[i]].line;
      if (a === b) {
        endX[i] = x[a] + 0.25 * Math.cos(kind[i]), endY[i] = y[a] + 0.25 * Math.sin(kind[i]);
      } else if (line) {
        endX[i] = x[a] + line[0], endY[i] = y[a] + line[1];
      } else {
        const part = b >= machine.points ? 1 : 0.5, pair = a * 65536 + b, before = seen.get(pair) || 0;
        endX[i] = x[a] + part * (x[b] - x[a]), endY[i] = y[a] + part * (y[b] - y[a]);
        side[i] = (before % 2 ? -1 : 1) * Math.ceil(before / 2) * (a < b ? 1 : -1);
        seen.set(pair, before + 1);
      }
    }
    let levels = new Uint8Array(count), colours = ["gray"], widths = [1], order = [0], pointColour = () => colour("dim");
    let picked = -1, factor = 1, middleX = machine.width / 2, middleY = machine.height / 2;
    const canvas = make("canvas", { tabIndex: 0, className: "machine" }), tip = make("div", { className: "tip" });
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-label", `${name}. Left and right arrow choose a link, + and - zoom, shift and arrows move.`);
    const box = make("div", { className: "machine-box" }, canvas);
    place.append(box, tip);
    const pad = 24;
    let wide = 0, high = 0, scale = 1;
    const toX = (value) => (value - middleX) * scale + wide / 2, toY = (value) => (value - middleY) * scale + high / 2;

    const draw = () => {
      wide = box.clientWidth;
      if (!wide) return;
      high = Math.round(Math.max(130, Math.min(620, 90 * machine.height + 2 * pad, (wide - 2 * pad) * machine.height / machine.width + 2 * pad)));
      const fit = Math.min((wide - 2 * pad) / machine.width, (high - 2 * pad) / machine.height, 90), ratio = window.devicePixelRatio || 1;
      scale = fit * factor;
      canvas.width = wide * ratio, canvas.height = high * ratio;
      canvas.style.width = wide + "px", canvas.style.height = high + "px";
      const pen = canvas.getContext("2d");
      pen.scale(ratio, ratio);
      pen.fillStyle = colour("paper");
      pen.fillRect(0, 0, wide, high);
      pen.font = "11px system-ui, sans-serif";
      pen.lineWidth = 1;
      pen.strokeStyle = colour("line");
      machine.frames.forEach(([left, top, width, height, label, round]) => {
        pen.beginPath();
        pen.roundRect(toX(left), toY(top), width * scale, height * scale, round ? width * scale / 2 : 4);
        pen.stroke();
        if (!label || width * scale < pen.measureText(label).width - 2) return;
        pen.fillStyle = colour("dim");
        pen.textAlign = round ? "center" : "left";
        pen.textBaseline = "bottom";
        pen.fillText(label, toX(round ? left + width / 2 : left) + (round ? 0 : 2), toY(top) - 2);
      });
      const drawn = new Map(order.map((level) => [level, []]));
      for (let i = 0; i < count; ++i) drawn.get(levels[i]).push(i);
      const thick = Math.max(0.5, Math.min(2.2, scale / 14));
      drawn.forEach((links, level) => {
        if (!links.length) return;
        pen.strokeStyle = colours[level];
        pen.lineWidth = widths[level] * thick;
        pen.beginPath();
        links.forEach((i) => trace(pen, i));
        pen.stroke();
      });
      if (picked >= 0) {
        pen.strokeStyle = colour("paper"), pen.lineWidth = 9;
        pen.beginPath(), trace(pen, picked), pen.stroke();
        pen.strokeStyle = colour("flag"), pen.lineWidth = 5;
        pen.beginPath(), trace(pen, picked), pen.stroke();
      }
      const radius = Math.max(0.8, Math.min(6, 0.13 * scale));
      for (let i = 0; i < x.length; ++i) {
        const left = toX(x[i]), top = toY(y[i]);
        if (left < -9 || top < -9 || left > wide + 9 || top > high + 9) continue;
        pen.fillStyle = pointColour(i);
        pen.beginPath();
        if (i < machine.points) pen.arc(left, top, radius, 0, 7);
        else pen.rect(left - radius * 0.6, top - radius * 0.6, radius * 1.2, radius * 1.2);
        pen.fill();
      }
      if (scale < 76) return;
      pen.fillStyle = colour("ink"), pen.textAlign = "left", pen.textBaseline = "bottom";
      for (let i = 0; i < machine.points; ++i) pen.fillText(machine.names[i].replace(/^\d+ /, "").slice(0, 16), toX(x[i]) + 5, toY(y[i]) - 4);
    };
    const trace = (pen, i) => {
      let ax = toX(x[from[i]]), ay = toY(y[from[i]]), bx = toX(endX[i]), by = toY(endY[i]);
      if (side[i]) {
        const length = Math.hypot(bx - ax, by - ay) || 1, aside = side[i] * Math.min(6, 0.12 * scale);
        const dx = -(by - ay) / length * aside, dy = (bx - ax) / length * aside;
        ax += dx, bx += dx, ay += dy, by += dy;
      }
      pen.moveTo(ax, ay), pen.lineTo(bx, by);
    };
    // The link whose line is nearest to a place of the canvas, within reach; -1: none.
    const nearest = (px, py) => {
      let best = -1, least = 9 * 9;
      for (let i = 0; i < count; ++i) {
        const ax = toX(x[from[i]]), ay = toY(y[from[i]]), bx = toX(endX[i]) - ax, by = toY(endY[i]) - ay;
        const part = Math.max(0, Math.min(1, ((px - ax) * bx + (py - ay) * by) / (bx * bx + by * by || 1)));
        const away = (px - ax - part * bx) ** 2 + (py - ay - part * by) ** 2;
        if (away < least) least = away, best = i;
      }
      return best;
    };
    const pick = (link) => {
      picked = link;
      box.dataset.picked = link;
      draw();
      onPick(link);
    };
    const zoom = (by, px = wide / 2, py = high / 2) => {
      const next = Math.max(1, Math.min(400, factor * by)), change = scale * (next / factor);
      middleX += (px - wide / 2) * (1 / scale - 1 / change), middleY += (py - high / 2) * (1 / scale - 1 / change);
      factor = next;
      if (factor === 1) middleX = machine.width / 2, middleY = machine.height / 2;
      draw();
    };
    const move = (dx, dy) => {
      middleX = Math.max(0, Math.min(machine.width, middleX + dx / scale)), middleY = Math.max(0, Math.min(machine.height, middleY + dy / scale));
      draw();
    };
    let grip = null, dragged = false;
    canvas.addEventListener("pointerdown", (event) => { grip = [event.clientX, event.clientY], dragged = false; });
    window.addEventListener("pointerup", () => { grip = null; });
    canvas.addEventListener("pointermove", (event) => {
      if (grip && event.buttons && factor > 1 && (dragged || Math.hypot(event.clientX - grip[0], event.clientY - grip[1]) > 4)) {
        move(grip[0] - event.clientX, grip[1] - event.clientY);
        grip = [event.clientX, event.clientY], dragged = true;
        return;
      }
      const link = nearest(event.offsetX, event.offsetY);
      tip.style.display = link < 0 ? "none" : "block";
      if (link < 0) return;
      tip.textContent = `${linkName(link)}\n${read(link)}`;
      tip.style.left = Math.max(4, Math.min(event.clientX + 14, window.innerWidth - 300)) + "px";
      tip.style.top = event.clientY + 14 + "px";
    });
    canvas.addEventListener("pointerleave", () => { tip.style.display = "none"; });
    canvas.addEventListener("click", (event) => { const link = nearest(event.offsetX, event.offsetY); if (!dragged && (link >= 0 || picked >= 0)) pick(link); });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      zoom(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
      event.preventDefault();
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] }[event.key] : null;
      if (step) move(...step);
      else if (event.key === "ArrowRight") pick((picked + 1) % count);
      else if (event.key === "ArrowLeft") pick((picked + count - (picked < 0 ? 0 : 1)) % count);
      else if (event.key === "+" || event.key === "=") zoom(1.5);
      else if (event.key === "-") zoom(1 / 1.5);
      else if (event.key === "Escape") pick(-1);
      else return;
      event.preventDefault();
    });
    new ResizeObserver(draw).observe(box);
    box.dataset.links = count;
    return {
      linkName, pick, redraw: draw, picked: () => picked,
      // `next` has a number for each link, an index into the colours and widths; `sequence` are these indices, the last drawn on top.
      show: (next, paints, lines = paints.map(() => 1.5), sequence = paints.map((_, i) => i), points = pointColour) => {
        levels = next, colours = paints, widths = lines, order = sequence, pointColour = points;
        draw();
      },
      buttons: () => [button("Zoom in", () => zoom(1.6)), button("Zoom out", () => zoom(1 / 1.6)), button("All", () => zoom(0))],
    };
  };

  // The scale of a picture: 0 to `most` of the time.
  const drawScale = (scale, most, paint, what) => {
    const stripe = make("div", { className: "colours" }), numbers = make("div", { className: "numbers" });
    stripe.style.background = `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map(paint).join(", ")})`;
    for (let i = 0; i <= 4; ++i) numbers.append(make("span", {}, `${grouped(25 * i * most, 3)} %`));
    scale.replaceChildren(stripe, numbers);
    scale.setAttribute("role", "img");
    scale.setAttribute("aria-label", `scale: ${what}, 0 to ${grouped(100 * most, 3)} % of the time`);
  };

  // ── a run ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
  const LEVELS = 32, IDLE = LEVELS, LOW = LEVELS + 1;
  // Draws a run's machine with the loads `totals` and, if the result has them, `history` over time. Returns a function that shows
  // other totals, as of another load. `scaleTo` is the end of the scale; 0: the highest load.
  const showMachine = (place, machine, totals, history, scaleTo = 0) => {
    let whole, most, end;
    const take = (next) => { whole = unpack(next.total, 2), most = next.most, end = scaleEnd(scaleTo || most); };
    take(totals);
    const slices = history ? history.slices : 0, busy = history && unpack(history.busy), low = history && history.low && unpack(history.low);
    const owner = history && history.owner && unpack(history.owner), jobOf = history && history.job_of_point && unpack(history.job_of_point);
    const load = (link, slice) => slice < 0 ? whole[link] / 65535 * most : busy[link * slices + slice] / 255 * history.most;
    const asleep = (link, slice) => {
      if (slice >= 0) return low[link * slices + slice] / 255;
      let sum = 0;
      for (let i = 0; i < slices; ++i) sum += low[link * slices + i] * (Math.min(history.end_ps, (i + 1) * history.slice_ps) - i * history.slice_ps);
      return sum / 255 / history.end_ps;
    };
    const percent = (share) => `${grouped(100 * share, 3)} %`;
    let slice = -1, mode = "load";
    const begin = jobOf && unpack(machine.from, 2);
    const read = (link) => `busy ${percent(load(link, slice))}` + (low ? `, in low power ${percent(asleep(link, slice))}` : "") +
      (owner && owner[link] ? `, most bytes of ${history.names[owner[link] - 1]}` : "") +
      (begin && jobOf[begin[link]] ? `, from a router of ${history.jobs[jobOf[begin[link]] - 1]}` : "");
    const bar = make("div", { className: "bar" }), scale = make("div", { className: "scale" }), legend = make("div", { className: "legend" });
    const details = make("div", { className: "machine-link", hidden: true }), status = make("p", { className: "note" });
    status.setAttribute("role", "status");
    place.append(bar);
    const picture = drawMachine(place, machine, { name: `picture of the machine: ${machine.form} of ${grouped(machine.routers)} routers`, read,
      onPick: (link) => showLink(link) });
    place.append(scale, legend, status, details);

    const repaint = () => {
      const levels = new Uint8Array(machine.links), top = slice < 0 ? end : scaleEnd(history.most);
      const paints = [], widths = [];
      for (let i = 0; i < LEVELS; ++i) paints.push(loadColour((i + 1) / LEVELS)), widths.push(1 + 2.4 * i / LEVELS);
      const idle = colour("line");
      let shown = [IDLE, LOW, ...paints.keys()];
      paints.push(idle, colour("rank-2"));
      widths.push(1, 1.4);
      for (let i = 0; i < machine.links; ++i) {
        if (mode === "job") { levels[i] = owner[i] ? (owner[i] - 1) % 8 : IDLE; continue; }
        const share = mode === "load" ? load(i, slice) / top : asleep(i, slice);
        levels[i] = share > 0 ? Math.min(LEVELS - 1, Math.floor(share * LEVELS)) : IDLE;
        if (mode === "load" && share === 0 && low && asleep(i, slice) > 0.5) levels[i] = LOW;
      }
      if (mode === "job") shown.forEach((_, k) => { if (k < 8) paints[k] = seriesColour(k), widths[k] = 2; });
      const points = jobOf ? (i) => jobOf[i] ? seriesColour((jobOf[i] - 1) % 8) : colour("dim") : () => colour("dim");
      picture.show(levels, paints, widths, shown, points);
      scale.hidden = mode === "job";
      if (mode !== "job") drawScale(scale, mode === "load" ? top : 1, loadColour, mode === "load" ? "busy" : "in low power");
      const items = [[mode === "low" ? "never in low power" : "idle", idle]];
      if (mode === "load" && low) items.push(["idle, in low power for more than half of the time", colour("rank-2")]);
      const jobs = mode === "job" ? history.names : jobOf ? history.jobs : [];
      for (let k = 0; k < Math.min(8, jobs.length); ++k) {
        const same = jobs.filter((_, i) => i % 8 === k), shown = same.slice(0, 3).join(", "), rest = same.length - 3;
        items.push([(mode === "job" ? "" : "routers of ") + shown + (rest > 0 ? ` and ${grouped(rest)} more` : ""), seriesColour(k)]);
      }
      legend.replaceChildren(...items.map(([text, paint]) => {
        const swatch = make("i", { className: "swatch" });
        swatch.style.background = paint;
        return make("span", {}, swatch, text);
      }), ...(jobs.length > 8 ? [make("span", {}, `${grouped(jobs.length)} jobs share 8 colours; point at a link to read its job.`)] : []));
      place.dataset.slice = slice;
    };

    // ── time and colours ──
    const time = (ps) => si(ps / 1e12, "s", 4);
    if (history && slices > 1) {
      const range = make("input", { type: "range", min: 0, max: slices, value: 0, step: 1 }), shown = make("output");
      const say = () => {
        const text = slice < 0 ? `all ${time(history.end_ps)}` : `${time(slice * history.slice_ps)} to ${time(Math.min(history.end_ps, (slice + 1) * history.slice_ps))}`;
        shown.textContent = text;
        range.setAttribute("aria-valuetext", text);
      };
      const go = () => { slice = Number(range.value) - 1; say(); repaint(); if (picture.picked() >= 0) tell(picture.picked()); };
      range.addEventListener("input", go);
      let playing = 0;
      const play = button("Play", () => {
        if (playing) { clearInterval(playing), playing = 0, play.textContent = "Play"; return; }
        play.textContent = "Stop";
        playing = setInterval(() => {
          range.value = Number(range.value) >= slices ? 1 : Number(range.value) + 1;
          go();
          if (Number(range.value) === slices) play.click();
        }, 150);
      });
      bar.append(make("label", {}, "Time ", range), play, shown);
      say();
    }
    const modes = [["load", "load"], ...(low ? [["low", "low power"]] : []), ...(owner ? [["job", "job with most bytes"]] : [])];
    if (modes.length > 1) {
      const choice = make("select", {}, ...modes.map(([value, text]) => make("option", { value }, text)));
      choice.addEventListener("change", () => { mode = choice.value; repaint(); });
      bar.append(make("label", {}, "Colour by ", choice));
    }
    bar.append(...picture.buttons());

    // ── one link ──
    let plot = null;
    const picked = new Map(history ? history.picked.map((one) => [one.link, one]) : []);
    const tell = (link) => { status.textContent = link < 0 ? "" : `${picture.linkName(link)}: ${read(link)}`; };
    const showLink = (link) => {
      tell(link);
      details.hidden = link < 0 || !history;
      if (details.hidden) return;
      const known = picked.get(link), heading = make("h3", {}, picture.linkName(link)), facts = make("p", {});
      facts.textContent = `Busy ${percent(load(link, -1))} of the run` + (low ? `, in low power ${percent(asleep(link, -1))}` : "") +
        (known ? `; ${grouped(known.packets, 15)} packets, ${si(known.bytes, "B")}.` : load(link, -1) ? "; its sources are not kept: others carried more." : "; it carried no packet.");
      const over = make("div", {}), table = make("table", {}, make("caption", {}, "Sources of its packets, most bytes first"));
      details.replaceChildren(heading, facts, over);
      if (known && known.sources.length) {
        const head = make("tr"), body = make("tbody");
        for (const [text, number] of [["Node"], ["Ranks there"], ["Bytes", true], ["Share", true]]) head.append(make("th", { scope: "col", className: number ? "n" : "" }, text));
        known.sources.forEach(([node, bytes, least]) => {
          const row = make("tr");
          row.append(make("td", {}, `node ${node}`), make("td", {}, history.ranks[node] || ""),
            make("td", { className: "n" }, `${least ? "at least " : ""}${si(bytes - least, "B")}`), make("td", { className: "n" }, percent((bytes - least) / known.bytes)));
          body.append(row);
        });
        table.append(make("thead", {}, head), body);
        details.append(make("div", { className: "scroll" }, table));
        const listed = known.sources.reduce((sum, [, bytes, least]) => sum + bytes - least, 0);
        if (listed < known.bytes) details.append(make("p", { className: "note" }, `${si(known.bytes - listed, "B")} are of further sources.`));
      }
      const middles = [], loads = [], lows = [];
      for (let i = 0; i < slices; ++i) {
        middles.push((i + 0.5) * history.slice_ps / 1e6), loads.push(100 * load(link, i));
        if (low) lows.push(100 * asleep(link, i));
      }
      if (plot) plot.destroy();
      const series = (label, k) => ({ label, stroke: () => seriesColour(k), width: 1.5, points: { show: slices < 3 }, value: (_, value) => value == null ? "" : grouped(value, 3) + " %" });
      plot = window.psim.chart(over, "Load of this link", 170, {
        series: [window.psim.along("time", " µs"), series("busy", 0), ...(low ? [series("in low power", 1)] : [])],
        axes: window.psim.axes("time, µs", " %"), scales: { x: { time: false }, y: { range: (_, __, high) => [0, Math.max(1e-6, high || 0) * 1.05] } },
      }, [middles, loads, ...(low ? [lows] : [])]);
      place.dataset.history = loads.map((value) => value.toFixed(3)).join(",");
    };
    // Ranks in the table of links are buttons that choose them.
    for (const rank of document.querySelectorAll("[data-link]")) {
      rank.replaceWith(button(rank.textContent, () => { picture.pick(Number(rank.dataset.link)); place.scrollIntoView({ block: "nearest" }); }));
    }
    onTheme(repaint);
    repaint();
    return (next) => { take(next); repaint(); if (picture.picked() >= 0) tell(picture.picked()); };
  };
  // ── two runs ──────────────────────────────────────────────────────────────────────────────────────────────────────────
  // Draws by how much the load of each link changes from the first of `loads` to the second: blue for less, red for more.
  const showChange = (place, { machine, loads }) => {
    const [before, after] = loads.map(({ total, most }) => Float64Array.from(unpack(total, 2), (part) => part / 65535 * most));
    const half = 12, top = scaleEnd(after.reduce((most, load, i) => Math.max(most, Math.abs(load - before[i])), 0));
    const points = (share) => `${share > 0 ? "+" : ""}${grouped(100 * share, 3)} points`, percent = (share) => `${grouped(100 * share, 3)} %`;
    const read = (link) => `busy ${percent(before[link])}, then ${percent(after[link])}: ${points(after[link] - before[link])}`;
    const bar = make("div", { className: "bar" }), legend = make("div", { className: "legend" }), status = make("p", { className: "note" });
    status.setAttribute("role", "status");
    place.append(bar);
    const picture = drawMachine(place, machine, { name: "picture of the machine: change of the load of each link", read,
      onPick: (link) => { status.textContent = link < 0 ? "" : `${picture.linkName(link)}: ${read(link)}`; } });
    bar.append(...picture.buttons());
    place.append(legend, status);
    const rgb = (name) => colour(name).match(/\w\w/g).map((two) => parseInt(two, 16));
    const repaint = () => {
      const still = rgb("line"), paints = [], widths = [], sequence = [];
      for (let level = -half; level <= half; ++level) {
        const full = rgb(level < 0 ? "series-0" : "series-6"), part = level === 0 ? 0 : 0.35 + 0.65 * Math.abs(level) / half;
        paints.push(`rgb(${still.map((from, c) => Math.round(from + (full[c] - from) * part)).join(" ")})`);
        widths.push(1 + 2.4 * Math.abs(level) / half);
        sequence.push(level + half);
      }
      sequence.sort((a, b) => Math.abs(a - half) - Math.abs(b - half));
      const levels = Uint8Array.from(after, (load, i) => {
        const change = (load - before[i]) / top * half;
        return half + Math.sign(change) * Math.min(half, Math.ceil(Math.abs(change) - 2e-3));
      });
      picture.show(levels, paints, widths, sequence, () => colour("dim"));
      legend.replaceChildren(...[[`less, to ${points(-top)}`, paints[0]], ["equal", paints[half]], [`more, to ${points(top)}`, paints[2 * half]]].map(([text, paint]) => {
        const swatch = make("i", { className: "swatch" });
        swatch.style.background = paint;
        return make("span", {}, swatch, text);
      }));
    };
    onTheme(repaint);
    repaint();
  };
  Object.assign(window.psim, { drawMachine, showMachine, showChange, unpack });
  for (const one of document.querySelectorAll("[data-machine]")) showChange(one, window.psim.data.machines[Number(one.dataset.machine)]);
  // Of several loads, the page of traffic shows the chosen one.
  const place = document.getElementById("machine-map"), { data } = window.psim;
  if (place && data.machine && !Array.isArray(data.loads)) showMachine(place, data.machine, data.loads, data.history);
})();
