// SPDX-License-Identifier: Apache-2.0
// What the charts of a network's pages share: axes, colours, and following the window and the theme.
"use strict";
(() => {
  const { colour, grouped, describe, onTheme } = window.psim;
  if (!window.uPlot) return;
  const grid = { stroke: () => colour("dim"), grid: { stroke: () => colour("line") }, ticks: { stroke: () => colour("line") } };
  const charts = [], present = () => charts.filter(([plot]) => plot.root.isConnected);
  window.psim.axes = (label, unit) => [
    { ...grid, label, labelSize: 20, size: 34 },
    { ...grid, size: 66, values: (_, ticks) => ticks.map((tick) => tick == null ? "" : grouped(tick) + unit) },  // null: between decades
  ];
  window.psim.along = (label, unit) => ({ label, value: (_, value) => value == null ? "" : grouped(value) + unit });
  window.psim.chart = (holder, title, height, options, rows) => {
    const box = document.createElement("div");
    box.className = "chart";
    const heading = document.createElement("h3");
    heading.textContent = title;
    box.append(heading);
    holder.append(box);
    const plot = new uPlot({ width: holder.clientWidth, height, ...options }, rows, box);
    describe(plot, title);
    charts.splice(0, charts.length, ...present(), [plot, holder, height]);  // without those that were replaced
    return plot;
  };
  new ResizeObserver(() => present().forEach(([plot, holder, height]) => plot.setSize({ width: holder.clientWidth, height })))
    .observe(document.querySelector("main"));
  onTheme(() => present().forEach(([plot]) => plot.redraw(false, true)));
})();
