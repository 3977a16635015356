// SPDX-License-Identifier: Apache-2.0
// Every link as a map: a row a direction, routers from left to right, how busy each was as a colour.
"use strict";
(() => {
  const { colour, onTheme } = window.psim;
  const canvas = document.getElementById("link-map");
  if (!canvas) return;
  const row = 18, label = 64;
  let map = { rows: [], routers_a_column: 1 };
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
        pen.fillStyle = `hsl(${Math.round(220 - 220 * share)} 70% ${Math.round(25 + 30 * share)}%)`;
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
  window.psim.showLinks = (next) => { map = next; draw(); };
})();
