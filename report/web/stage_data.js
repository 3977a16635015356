// SPDX-License-Identifier: Apache-2.0
// Reads the instructions that stage_pack.cpp packed. One pass makes an index of flat arrays; the stages and stalls of an
// instruction are read from the bytes when it is drawn. squeezedCycles() leaves out cycles without changes.
"use strict";
(() => {
  const bytesOf = (text) => {
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
    return bytes;
  };
  const RETIRED = 0, FLUSHED = 1;

  window.psim.unpackStages = (packed) => {
    const n = packed.rows, bytes = bytesOf(packed.row_bytes);
    let at = 0;
    let source = bytes;
    const number = () => {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = source[at++];
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    };
    const signed = () => {
      const value = number();
      return value % 2 ? -(value + 1) / 2 : value / 2;
    };
    const rows = {
      count: n, stages: packed.stages, groups: packed.groups, causes: packed.causes, texts: packed.texts,
      number: new Float64Array(n), retired: new Float64Array(n),  // retired: -1 flushed, -2 cut off
      begin: new Float64Array(n), end: new Float64Array(n), text: new Uint32Array(n), onPes: new Uint8Array(n),
      metStages: new Set(), metCauses: new Set(), changes: [],
    };
    const details = new Uint32Array(n), where = new Uint32Array(n);
    const C = packed.stages.indexOf("C"), W1 = packed.stages.indexOf("W1"), IA = packed.stages.indexOf("IA");
    const sawC = new Uint8Array(n);
    let changes = new Float64Array(16 * n + 16), changed = 0;
    const change = (cycle) => {
      if (changed === changes.length) {
        const larger = new Float64Array(2 * changed);
        larger.set(changes);
        changes = larger;
      }
      changes[changed++] = cycle;
    };
    for (let i = 0, lastNumber = 0, lastRetired = 0, lastBegin = 0; i < n; ++i) {
      const fate = number();
      if (fate === RETIRED) lastRetired += signed();
      rows.retired[i] = fate === RETIRED ? lastRetired : fate === FLUSHED ? -1 : -2;
      rows.number[i] = lastNumber += signed();
      rows.begin[i] = lastBegin += signed();
      rows.end[i] = lastBegin + number();
      rows.text[i] = number();
      details[i] = number();
      where[i] = at;
      change(rows.end[i]);
      for (const met of [rows.metStages, rows.metCauses]) {
        let cycle = lastBegin;
        for (let k = number(); k > 0; --k) {
          const name = number();
          met.add(name);
          change(cycle += signed());
          cycle += number();
          if (met === rows.metCauses) change(cycle);
          else if (name === W1) rows.onPes[i] = 1;
          else if (name === C) sawC[i] = 1;
        }
      }
    }
    // A stage C is one of the PEs where the other stages are psim's.
    if (rows.metStages.has(IA)) for (let i = 0; i < n; ++i) rows.onPes[i] |= sawC[i];
    else rows.onPes.fill(0);
    rows.changes = changes.subarray(0, changed).sort();

    // Wake-ups by consumer, and the same by producer: lists of [producer, consumer, cycle].
    const wakeups = bytesOf(packed.wakeup_bytes), many = packed.wakeups;
    const producer = new Uint32Array(many), consumer = new Uint32Array(many), cycleOf = new Float64Array(many);
    const byConsumer = new Uint32Array(n + 2), byProducer = new Uint32Array(n + 2), order = new Uint32Array(many);
    source = wakeups;
    at = 0;
    for (let k = 0, row = 0; k < many; ++k) {
      consumer[k] = row += number();
      producer[k] = row - signed();
      cycleOf[k] = rows.begin[row] + signed();
      ++byConsumer[consumer[k] + 1];
      ++byProducer[producer[k] + 2];
    }
    for (let i = 1; i < n + 2; ++i) byConsumer[i] += byConsumer[i - 1], byProducer[i] += byProducer[i - 1];
    for (let k = 0; k < many; ++k) order[byProducer[producer[k] + 1]++] = k;
    const wakeup = (k) => [producer[k], consumer[k], cycleOf[k]];
    rows.wokenBy = (i) => {
      const out = [];
      for (let k = byConsumer[i]; k < byConsumer[i + 1]; ++k) out.push(wakeup(k));
      return out;
    };
    rows.wakes = (i) => {
      const out = [];
      for (let k = byProducer[i]; k < byProducer[i + 1]; ++k) out.push(wakeup(order[k]));
      return out;
    };

    // {stages, stalls} of a row: lists of [name, begin, end].
    rows.spans = (i) => {
      const both = [];
      source = bytes;
      at = where[i];
      for (let list = 0; list < 2; ++list) {
        const out = [];
        let cycle = rows.begin[i];
        for (let k = number(); k > 0; --k) {
          const name = number(), begin = cycle + signed();
          out.push([name, begin, cycle = begin + number()]);
        }
        both.push(out);
      }
      return { stages: both[0], stalls: both[1] };
    };
    rows.details = (i) => details[i] ? packed.details[details[i] - 1] : "";
    rows.label = (i) => packed.texts[rows.text[i]];
    packed.row_bytes = packed.wakeup_bytes = "";
    return rows;
  };

  // Where cycles stand in the view, in cells. Spans of over IDLE cycles in which no instruction changes take LEFT_IN cells: a miss
  // does not push all out of sight.
  const IDLE = 12, LEFT_IN = 4;
  window.psim.squeezedCycles = (sorted) => {
    const gaps = { begin: [], end: [], before: [] };  // cycles [begin, end); before: cycles left out by earlier gaps
    for (let i = 1, out = 0; i < sorted.length; ++i) {
      if (sorted[i] - sorted[i - 1] <= IDLE) continue;
      gaps.begin.push(sorted[i - 1] + 1);
      gaps.end.push(sorted[i] - 1);
      gaps.before.push(out);
      out += sorted[i] - sorted[i - 1] - 2 - LEFT_IN;
    }
    const axis = { squeezed: true, LEFT_IN, gaps };
    // The last gap that begins at or before `at`, or -1.
    const last = (at, begin) => {
      let low = 0, high = axis.squeezed ? gaps.begin.length : 0;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (begin(middle) <= at) low = middle + 1;
        else high = middle;
      }
      return low - 1;
    };
    axis.gapOf = (cycle) => last(cycle, (gap) => gaps.begin[gap]);
    axis.place = (cycle) => {
      const gap = axis.gapOf(cycle);
      if (gap < 0) return cycle;
      const begin = gaps.begin[gap], end = gaps.end[gap];
      const inside = Math.min(cycle, end) - begin;
      return begin - gaps.before[gap] + inside * LEFT_IN / (end - begin) + Math.max(0, cycle - end);
    };
    axis.cycleAt = (position) => {
      const start = (gap) => gaps.begin[gap] - gaps.before[gap], gap = last(position, start);
      if (gap < 0) return position;
      const begin = gaps.begin[gap], end = gaps.end[gap], inside = position - start(gap);
      return inside < LEFT_IN ? begin + inside * (end - begin) / LEFT_IN : end + inside - LEFT_IN;
    };
    return axis;
  };
})();
