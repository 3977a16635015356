// SPDX-License-Identifier: Apache-2.0
// The charts of a network's report: links and buffers over time, latencies, power.
"use strict";
(() => {
  const { data, colour, gradient, seriesColour, axes, chart } = window.psim;
  const place = document.getElementById("network-time");
  if (data.links) window.psim.showLinks(data.links);
  if (!place || !window.uPlot || !data.timeline) return;
  const x = window.psim.along("time", " µs");

  const kinds = Object.entries(data.timeline.link_utilization || {});
  if (kinds.length) {
    const bin = data.timeline.bin_seconds * 1e6;
    const middle = kinds[0][1].map((_, i) => (i + 0.5) * bin);
    chart(place, "Links busy, by direction", 240, {
      series: [x, ...kinds.map(([name], k) => ({ label: name, stroke: () => seriesColour(k), width: 1.5,
        points: { show: middle.length < 40 }, value: (_, value) => value == null ? "" : value.toFixed(1) + " %" }))],
      axes: axes("time, µs", " %"), scales: { x: { time: false }, y: { range: [0, 100] } },
    }, [middle, ...kinds.map(([, series]) => series.map((share) => 100 * share))]);
  }

  // Stacked: each series is the sum of its class and all fuller ones; the largest is drawn first. Class 0 is the rest.
  const samples = data.timeline.buffer_occupancy || [];
  if (samples.length > 1) {
    const share = (sample, c) => 100 * sample.channels[c] / sample.channels.reduce((a, b) => a + b, 0);
    const from = (sample, c) => { let sum = 0; for (let k = c; k < 10; ++k) sum += share(sample, k); return sum; };
    const classes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    chart(place, "Buffers of virtual channels, by how full they are", 240, {
      series: [x, ...classes.map((c) => ({ label: c * 10 + "–" + (c + 1) * 10 + " %", stroke: gradient(c / 9), fill: gradient(c / 9),
        width: 0.5, points: { show: false }, value: (_, __, ___, at) => at == null ? "" : share(samples[at], c).toFixed(1) + " %" }))],
      axes: axes("time, µs", " %"), scales: { x: { time: false }, y: { range: (_, low, high) => [0, Math.max(1, high || 0) * 1.05] } },
    }, [samples.map((sample) => sample.seconds * 1e6), ...classes.map((c) => samples.map((sample) => from(sample, c)))]);
  }

  const watts = (data.power || {}).watts || [];
  if (watts.length) {
    const bin = data.power.bin_seconds * 1e6;
    chart(place, "Power of links", 200, {
      series: [x, { label: "power", stroke: () => colour("accent"), width: 1.5, points: { show: watts.length < 40 },
        value: (_, value) => value == null ? "" : window.psim.si(value, "W") }],
      axes: axes("time, µs", " W"), scales: { x: { time: false }, y: { range: (_, low, high) => [0, (high || 1) * 1.05] } },
    }, [watts.map((_, i) => (i + 0.5) * bin), watts]);
  }

  const latency = document.getElementById("latency-chart");
  if (latency && data.latency.length) {
    const total = data.latency.reduce((sum, [, count]) => sum + count, 0);
    chart(latency, "Share of packets by latency", 200, {
      series: [window.psim.along("latency", " µs"), { label: "packets", stroke: () => colour("accent"), fill: () => colour("accent") + "55",
        paths: uPlot.paths.stepped({ align: -1 }), points: { show: data.latency.length < 3 },
        value: (_, value) => value == null ? "" : value.toFixed(2) + " %" }],
      axes: axes("latency, µs", " %"), scales: { x: { time: false, distr: 3 }, y: { range: (_, low, high) => [0, (high || 1) * 1.05] } },
    }, [data.latency.map(([end]) => end * 1e6), data.latency.map(([, count]) => 100 * count / total)]);
  }
})();
