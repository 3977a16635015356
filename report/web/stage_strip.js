// SPDX-License-Identifier: Apache-2.0
// The strip beneath a stage view: power over time, of all parts or of the stages, if the page has a run's energy, else
// instructions per cycle, over all cycles of the view. A frame marks the cycles in sight; a click goes to a cycle.
"use strict";
(() => {
  const { data, colour, stageColour, onTheme, stageView } = window.psim;
  const canvas = document.getElementById("strip-canvas");
  if (!stageView || !canvas) return;
  const { rows } = stageView, title = document.getElementById("strip-title"), read = document.getElementById("strip-read");
  const legend = document.getElementById("strip-legend"), choice = document.getElementById("strip-by");
  let begin = Infinity, end = 0;
  for (let i = 0; i < rows.count; ++i) {
    begin = Math.min(begin, rows.begin[i]);
    end = Math.max(end, rows.end[i]);
  }
  // The stacked parts, [label, colour, joules of each slice of the run]: groups of components, or stages.
  const energy = data.energy, kinds = {};
  if (energy) {
    kinds.groups = ["stages", "structures", "execution", "leakage"].map((key) => [key, () => colour("energy_" + key), energy[key]]);
    const stages = Object.keys(energy.by_stage || {});
    kinds.stages = stages.map((name, k) => [name, () => stageColour(name, k), energy.by_stage[name]]);
    if (stages.length) choice.hidden = false;
  }
  const unit = energy ? " W" : "", digits = (value) => value.toPrecision(3);
  const sum = (step) => step.parts.reduce((a, b) => a + b, 0);
  const cycles = (n) => Math.round(n).toLocaleString("en-US");
  let parts = kinds.groups || [["", () => colour("accent")]];

  // Steps in time: [begin, end) in cycles, and the value of each part.
  let steps = [], highest = 0;
  function measure() {
    steps = [];
    if (energy) {
      energy.end_cycle.forEach((to, i) => {
        const from = i ? energy.end_cycle[i - 1] : 0;
        if (to <= begin || from >= end || to === from) return;
        steps.push({ from, to, parts: parts.map(([, , joules]) => joules[i] / ((to - from) * energy.seconds_per_cycle)) });
      });
    } else {
      // Whole cycles a step, at most 600 steps.
      const width = Math.max(1, Math.ceil((end - begin) / 600)), many = Math.ceil((end - begin) / width);
      const retired = new Float64Array(many);
      for (let i = 0; i < rows.count; ++i)
        if (rows.retired[i] >= 0) ++retired[Math.min(many - 1, Math.floor((Math.max(begin, rows.end[i] - 1) - begin) / width))];
      retired.forEach((n, i) => {
        const from = begin + i * width, to = Math.min(end, from + width);
        steps.push({ from, to, parts: [n / (to - from)] });
      });
    }
    highest = Math.max(...steps.map(sum), 1e-9);
    title.textContent = (parts === kinds.stages ? "Power of the stages over time" : energy ? "Power over time" : "Instructions per cycle over time") +
      ", cycles " + cycles(begin) + " to " + cycles(end) + ", highest " + digits(highest) + unit;
    legend.textContent = "";
    if (energy) {
      for (const [name, paint] of parts) {
        const entry = document.createElement("span"), mark = document.createElement("i");
        mark.className = "swatch";
        mark.style.background = paint();
        entry.append(mark, name);
        legend.append(entry);
      }
    }
  }

  const LEFT = 4;
  const width = () => canvas.parentElement.clientWidth;
  const x = (cycle) => LEFT + (Math.min(end, Math.max(begin, cycle)) - begin) / Math.max(1, end - begin) * (width() - 2 * LEFT);
  const HEIGHT = 72;
  const picture = document.createElement("canvas");  // the curve, drawn once a size and theme
  const fit = (target) => {
    const scale = window.devicePixelRatio || 1;
    target.width = Math.round(width() * scale);
    target.height = Math.round(HEIGHT * scale);
    const context = target.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    return context;
  };
  function curve() {
    const context = fit(picture);
    const colours = parts.map(([, paint]) => paint());
    for (const step of steps) {
      let low = HEIGHT - 1;
      step.parts.forEach((value, part) => {
        const high = value / highest * (HEIGHT - 8);
        context.fillStyle = colours[part];
        context.fillRect(x(step.from), low - high, Math.max(1, x(step.to) - x(step.from)), high);
        low -= high;
      });
    }
    frame();
  }
  function frame() {
    const context = fit(canvas);
    context.drawImage(picture, 0, 0, width(), HEIGHT);
    const [from, to] = stageView.inSight();
    context.fillStyle = colour("ink");
    context.globalAlpha = 0.12;
    context.fillRect(x(from), 0, Math.max(3, x(to) - x(from)), HEIGHT);
    context.globalAlpha = 1;
    context.strokeStyle = colour("ink");
    context.strokeRect(x(from) + 0.5, 0.5, Math.max(3, x(to) - x(from)), HEIGHT - 1);
  }
  const cycleOf = (event) => begin + (event.offsetX - LEFT) / (width() - 2 * LEFT) * (end - begin);
  canvas.addEventListener("click", (event) => stageView.goToCycle(Math.min(end - 1, Math.max(begin, cycleOf(event)))));
  canvas.addEventListener("mousemove", (event) => {
    const cycle = cycleOf(event), step = steps.find((each) => cycle >= each.from && cycle < each.to);
    read.textContent = step === undefined ? "" : "cycles " + cycles(step.from) + " to " + cycles(step.to) + ": " + digits(sum(step)) + (unit || " IPC") +
      (energy ? " (" + parts.map(([key], part) => [key, step.parts[part]]).filter(([, watts]) => parts.length < 5 || watts > 0.02 * sum(step))
        .map(([key, watts]) => key + " " + digits(watts)).join(", ") + ")" : "");
  });
  canvas.addEventListener("mouseleave", () => { read.textContent = ""; });
  choice.addEventListener("change", () => {
    parts = kinds[choice.value];
    measure();
    curve();
  });
  stageView.onDraw(frame);
  onTheme(() => { measure(); curve(); });
  measure();
  new ResizeObserver(curve).observe(canvas.parentElement);
})();
