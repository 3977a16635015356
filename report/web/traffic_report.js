// SPDX-License-Identifier: Apache-2.0
// The page of psim net --traffic: latency, throughput and power over the load; of the load that is chosen, every link.
"use strict";
(() => {
  const { data, seriesColour, axes, chart } = window.psim;
  const place = document.getElementById("traffic-curves"), choice = document.getElementById("map-load");
  if (!place || !window.uPlot || !data.points.length) return;
  const points = data.points, loads = points.map((point) => point.load), x = window.psim.along("load", "");
  const line = (label, k, unit) => ({ label, stroke: () => seriesColour(k), width: 1.5, points: { show: true },
    value: (_, value) => value == null ? "" : window.psim.grouped(value, 4) + unit });
  const draw = (title, unit, series, scale = {}) => chart(place, title, 240, {
    series: [x, ...series.map(([label], k) => line(label, k, unit))],
    axes: axes("load", unit), scales: { x: { time: false }, y: scale },
  }, [loads, ...series.map(([, values]) => values)]);
  const above = { range: (_, low, high) => [0, (high || 1) * 1.05] };

  const times = [["mean", "mean"], ["median", "median"], ["p99", "99 %"], ["max", "most"]];
  draw("Latency of messages", " µs", times.map(([key, label]) => [label, points.map((point) => point.latency[key] * 1e6)]), { distr: 3 });
  draw("Throughput, as a share of nic.bandwidth", "", [["accepted", points.map((point) => point.accepted)],
    ["offered", points.map((point) => point.offered)]], above);
  if (points.every((point) => point.link_energy)) {
    draw("Power of links", " W", [["power", points.map((point) => point.link_energy.watts)],
      ["always on", points.map((point) => point.link_energy.always_on_watts)]], above);
  }

  if (!choice) return;
  // One scale for all loads, so that pictures can be compared.
  const ranked = document.querySelectorAll(".ranked"), machine = data.machine;
  const most = machine ? Math.max(...data.loads.map((one) => one.most)) : Math.max(...data.maps.map(({ rows }) => window.psim.mostBusy(rows)));
  const redraw = machine ? window.psim.showMachine(document.getElementById("machine-map"), machine, data.loads[0], null, most) : null;
  const show = () => {
    if (redraw) redraw(data.loads[choice.selectedIndex]);
    else window.psim.showLinks(data.maps[choice.selectedIndex], most);
    ranked.forEach((table, i) => { table.hidden = i !== choice.selectedIndex; });
  };
  choice.addEventListener("change", show);
  show();
})();
