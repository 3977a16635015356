// SPDX-License-Identifier: Apache-2.0
// Every link as a map: one row per direction, routers from left to right, the use of each as a colour.
"use strict";
(() => {
  const { colour, gradient, grouped, onTheme, scaleEnd } = window.psim;
  const canvas = document.getElementById("link-map");
  if (!canvas) return;
  const row = 18, label = 64;
  let map = { rows: [], routers_a_column: 1 }, top = 1;
  const mostBusy = (rows) => rows.reduce((most, { busy }) => busy.reduce((a, b) => Math.max(a, b), most), 0);
  const scale = document.getElementById("link-scale");
  const drawScale = () => {
    if (!scale) return;
    const colours = document.createElement("div"), numbers = document.createElement("div");
    colours.className = "colours";
    colours.style.background = `linear-gradient(to right, ${[0, 0.2, 0.4, 0.6, 0.8, 1].map(gradient).join(", ")})`;
    numbers.className = "numbers";
    for (let i = 0; i <= 4; ++i) {
      const number = document.createElement("span");
      number.textContent = `${grouped(25 * i * top, 3)} %`;
      numbers.append(number);
    }
    scale.replaceChildren(colours, numbers);
    scale.setAttribute("aria-label", `scale of the map: from dark, never busy, to bright, busy ${grouped(100 * top, 3)} % of the time`);
  };
  const draw = () => {
    const rows = map.rows, width = canvas.parentElement.clientWidth;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = rows.length * row * ratio;
    canvas.style.width = width + "px";
    canvas.style.height = rows.length * row + "px";
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = "12px sans-serif";
    pen.textBaseline = "middle";
    rows.forEach(({ name, busy }, y) => {
      pen.fillStyle = colour("dim");
      pen.fillText(name, 0, (y + 0.5) * row);
      const step = (width - label) / busy.length;
      busy.forEach((share, i) => {
        pen.fillStyle = gradient(share / top);
        pen.fillRect(label + i * step, y * row + 1, Math.max(1, step), row - 2);
      });
    });
  };
  canvas.addEventListener("mousemove", (event) => {
    const y = Math.floor(event.offsetY / row), busy = map.rows[y] && map.rows[y].busy, group = map.routers_a_column;
    if (!busy) return;
    const i = Math.floor((event.offsetX - label) / ((canvas.clientWidth - label) / busy.length));
    if (i < 0 || i >= busy.length) return;
    const who = group === 1 ? `router ${i}` : `routers ${i * group}–${(i + 1) * group - 1}`;
    canvas.title = `${who}, ${map.rows[y].name}: busy ${(100 * busy[i]).toFixed(1)} %`;
  });
  new ResizeObserver(draw).observe(canvas.parentElement);
  onTheme(draw);
  window.psim.mostBusy = mostBusy;
  window.psim.showLinks = (next, most = mostBusy(next.rows)) => {
    map = next;
    top = scaleEnd(most);
    drawScale();
    draw();
  };
})();
