// Lanes as columns of pixels: each column is a stack of what the wave did in its cycles, so that nothing is lost at low zoom.

const SLOTS = ["#e2571e", "#6b1f3f", "#f7a65a", "#b23a6b", "#8a3b12", "#f2b8c6", "#c98a2b", "#4a1430"];
const LANE = 22, PIPE = 30, GAP = 10, HEAD = 22, AXIS = 20, LEFT = 92, REGION = 13;
const REGIONS = ["#dbe8ff", "#ffe3c2", "#d9f2d0", "#f6d6ea", "#e5dcfa", "#fff0a8", "#d0f0ee", "#f3d3cd"];

// A colour as canvases keep it.
function rgb(hex) {
  const value = parseInt(hex.slice(1), 16);
  return (255 << 24 | (value & 255) << 16 | ((value >> 8) & 255) << 8 | value >> 16) >>> 0;
}

// Two colours of each kind, issue and stall, as red, green, blue; `fade` where something else is marked.
function palette(kinds, fade = 0) {
  const paler = (hex, by) => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) * (1 - by) + 255 * by);
  return kinds.map(kind => {
    const flat = ["waitcnt", "barrier", "idle"].includes(kind.label);
    return [paler(kind.colour, fade), paler(kind.colour, fade ? fade + 0.05 : flat ? 0 : 0.45)];
  });
}

function addSpan(sums, width, bins, first, scale, from, to, what) {
  let a = Math.max(0, (from - first) * scale), b = Math.min(width, (to - first) * scale);
  if (b <= a) return;
  let x = a | 0;
  for (const last = b | 0; x < last; x++) {
    sums[x * bins + what] += x + 1 - a;
    a = x + 1;
  }
  if (b > a) sums[x * bins + what] += b - a;
}

function laneSums(trace, lane, bins, width, first, scale, mark) {
  const sums = new Float32Array(width * bins), stop = first + width / scale, idle = 4 * (bins / 4 - 1);
  for (const wave of lane.waves) {
    if (wave.end <= first || wave.begin >= stop) continue;
    let i = Math.max(wave.first, after(trace.time, first, wave.first, wave.last) - 1);
    let now = i > wave.first ? trace.time[i] : wave.begin;
    for (; i < wave.last && trace.time[i] < stop; i++) {
      const time = trace.time[i], end = time + trace.duration[i], code = trace.code[trace.number[i]];
      // A product behind another of its own wave goes at the pipe's pace: only what is longer is a stall
      const stalled = time + Math.max(0, trace.stall[i] - Math.max(0, code.matrix - 4));
      const what = 4 * code.kind + (mark && !mark(trace, trace.number[i]) ? 2 : 0);
      if (time > now) addSpan(sums, width, bins, first, scale, now, time, idle + (mark ? 2 : 0));
      if (stalled > time) addSpan(sums, width, bins, first, scale, time, stalled, what + 1);
      addSpan(sums, width, bins, first, scale, stalled, end, what);
      now = Math.max(now, end);
    }
    if (i === wave.last && wave.end > now) addSpan(sums, width, bins, first, scale, now, wave.end, idle + (mark ? 2 : 0));
  }
  return sums;
}

function pipeSums(pipe, bins, width, first, scale) {
  const sums = new Float32Array(width * bins), stop = first + width / scale;
  for (let i = after(pipe.end, first, 0, pipe.end.length); i < pipe.begin.length && pipe.begin[i] < stop; i++)
    addSpan(sums, width, bins, first, scale, pipe.begin[i], pipe.end[i], pipe.place[i] % bins);
  return sums;
}

// A row of pixels' columns, from below, each of the bins with a colour of its own.
function paintStack(context, x, y, width, height, sums, bins, colours, ground) {
  const image = context.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
  for (let column = 0; column < width; column++) {
    let filled = 0, row = height - 1;
    for (let bin = 0; bin < bins; bin++) {
      const part = sums[column * bins + bin];
      if (!part) continue;
      filled += part;
      row = fillDown(pixels, width, height, column, row, filled, colours[bin]);
    }
    for (; row >= 0; row--) pixels[row * width + column] = ground;
  }
  context.putImageData(image, x, y);
}

// The same for a lane: a kind's stall makes its colour paler, so that a burst of short instructions is one even block.
function paintLane(context, x, y, width, height, sums, kinds, colours, faded) {
  const image = context.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
  for (let column = 0; column < width; column++) {
    let filled = 0, row = height - 1;
    for (let kind = 0; kind < kinds; kind++)
      for (const [table, bin] of [[colours, 4 * kind], [faded, 4 * kind + 2]]) {
        const issue = sums[column * kinds * 4 + bin], stall = sums[column * kinds * 4 + bin + 1], both = issue + stall;
        if (!both) continue;
        filled += both;
        const mix = i => Math.round((table[kind][0][i] * issue + table[kind][1][i] * stall) / both);
        row = fillDown(pixels, width, height, column, row, filled, (255 << 24 | mix(2) << 16 | mix(1) << 8 | mix(0)) >>> 0);
      }
    for (; row >= 0; row--) pixels[row * width + column] = 0xffffffff;
  }
  context.putImageData(image, x, y);
}

function fillDown(pixels, width, height, column, row, filled, colour) {
  const stop = height - 1 - Math.round(Math.min(1, filled) * height);
  for (; row > stop; row--) pixels[row * width + column] = colour;
  return row;
}

// Where each row of a picture is: bands with a trace's name, pipes and lanes, in CSS pixels.
function layout(traces) {
  const rows = [];
  let y = AXIS;
  for (const trace of traces) {
    if (traces.length > 1) {
      rows.push({what: "band", trace, y, height: HEAD});
      y += HEAD;
    }
    for (const simd of trace.simds) {
      rows.push({what: "pipe", trace, simd, y, height: PIPE});
      y += PIPE + 2;
      for (const lane of simd.lanes) {
        rows.push({what: "lane", trace, simd, lane, place: simd.lanes.indexOf(lane), y, height: LANE});
        y += LANE + 2;
        const deep = 1 + Math.max(-1, ...lane.waves.flatMap(wave => wave.spans.map(span => span[3])));
        if (deep > 0) {
          rows.push({what: "regions", trace, simd, lane, y: y - 2, height: deep * REGION});
          y += deep * REGION + 2;
        }
      }
      y += GAP;
    }
  }
  return {rows, height: y};
}

function ticks(span, width) {
  const raw = span / Math.max(2, width / 110), power = 10 ** Math.floor(Math.log10(raw));
  return Math.max(4, power * [1, 2, 5, 10].find(n => n * power >= raw));
}

function fitCanvas(canvas, height) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth;
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  return ratio;
}

function drawView(canvas, state) {
  const {rows, height} = state.layout, ratio = fitCanvas(canvas, height), context = canvas.getContext("2d");
  const width = canvas.width - Math.round(LEFT * ratio), scale = width / (state.stop - state.start);
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const row of rows) {
    const first = state.start + row.trace.shift, x = Math.round(LEFT * ratio), y = Math.round(row.y * ratio), tall = Math.round(row.height * ratio);
    if (row.what === "pipe")
      paintStack(context, x, y, width, tall, pipeSums(row.simd.pipe, SLOTS.length, width, first, scale), SLOTS.length, state.slots, rgb("#f4f5f8"));
    if (row.what === "lane") {
      const bins = 4 * row.trace.kinds.length;
      paintLane(context, x, y, width, tall, laneSums(row.trace, row.lane, bins, width, first, scale, state.mark), row.trace.kinds.length, state.colours, state.faded);
    }
  }
  context.scale(ratio, ratio);
  drawAxis(context, state, canvas.width / ratio, height);
  for (const row of rows) drawWords(context, row, state, scale / ratio, canvas.width / ratio);
}

function drawAxis(context, state, width, height) {
  const step = ticks(state.stop - state.start, width - LEFT), scale = (width - LEFT) / (state.stop - state.start);
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "center";
  for (let time = Math.ceil(state.start / step) * step; time < state.stop; time += step) {
    const x = LEFT + (time - state.start) * scale;
    context.fillStyle = "rgba(29,36,51,.10)";
    context.fillRect(x, AXIS - 4, 1, height - AXIS);
    context.fillStyle = "#67718a";
    if (x > LEFT + 20 && x < width - 30) context.fillText(time.toLocaleString("en"), x, 12);
  }
  context.textAlign = "left";
  context.fillText("cycle", LEFT - 40, 12);
}

function drawWords(context, row, state, scale, width) {
  context.textBaseline = "middle";
  context.textAlign = "left";
  const middle = row.y + row.height / 2 + 0.5, name = row.simd && (row.trace.engines > 1 ? `SE${row.simd.engine} ` : "") + `SIMD ${row.simd.simd}`;
  if (row.what === "band") {
    context.fillStyle = "#33415c";
    context.fillRect(0, row.y + 2, width, row.height - 6);
    context.fillStyle = "#fff";
    context.font = "600 12px system-ui, sans-serif";
    context.fillText(`${row.trace.label}  ${row.trace.source}, ${row.trace.name}: ${row.trace.summary}`, 10, middle - 1);
    return;
  }
  if (row.what === "regions") return drawRegions(context, row, state, scale, width);
  context.font = row.what === "pipe" ? "600 12px system-ui, sans-serif" : "11px system-ui, sans-serif";
  context.fillStyle = "#1d2433";
  if (row.what === "pipe") {
    const share = busyShare(row.simd.pipe, state.start + row.trace.shift, state.stop + row.trace.shift);
    context.fillText(name, 8, middle - 7);
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = "#67718a";
    context.fillText(`MFMA ${(100 * share).toFixed(0)}%`, 8, middle + 7);
    return;
  }
  context.fillStyle = SLOTS[row.place % SLOTS.length];
  context.fillRect(12, middle - 5, 9, 9);
  context.fillStyle = "#67718a";
  context.fillText(`slot ${row.lane.slot}`, 27, middle);
  drawMarks(context, row, state, scale, width);
}

// Named regions below their lane, inner ones below outer ones.
function drawRegions(context, row, state, scale, width) {
  const {trace, lane} = row, start = state.start + trace.shift, at = time => LEFT + (time - start) * scale;
  context.font = "10px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const wave of lane.waves)
    for (const [region, begin, end, depth] of wave.spans) {
      const left = Math.max(LEFT, at(begin)), right = Math.min(width, at(end)), y = row.y + depth * REGION;
      if (right <= LEFT || left >= width) continue;
      context.fillStyle = REGIONS[region % REGIONS.length];
      context.fillRect(left, y, Math.max(1, right - left), REGION - 1);
      context.fillStyle = "#67718a";
      if (right - left > 3) context.fillRect(left, y, 1, REGION - 1);
      const room = Math.floor((right - left - 6) / 5.6), name = trace.regions[region];
      context.fillStyle = "#1d2433";
      if (room >= Math.min(4, name.length)) context.fillText(name.slice(0, room), left + 4, y + REGION / 2);
    }
}

// Begins of waves with their workgroups, begins of steps, and where there is room the instructions' names.
function drawMarks(context, row, state, scale, width) {
  const {trace, lane} = row, start = state.start + trace.shift, stop = state.stop + trace.shift, at = time => LEFT + (time - start) * scale;
  for (const wave of lane.waves) {
    if (wave.end <= start || wave.begin >= stop) continue;
    const left = Math.max(LEFT, at(wave.begin)), right = Math.min(width, at(wave.end));
    if (scale > 0.9) drawNames(context, row, state, wave, start, stop, at);
    if (trace.step && trace.step * scale > 14) {
      context.fillStyle = "#1d2433";
      for (let i = after(trace.time, start - 1, wave.first, wave.last); i < wave.last && trace.time[i] < stop; i++)
        if (trace.number[i] === trace.head && at(trace.time[i]) >= LEFT) context.fillRect(at(trace.time[i]), row.y - 2, 1.5, row.height + 3);
    }
    context.fillStyle = "#1d2433";
    if (wave.begin >= start) context.fillRect(left, row.y - 1, 1.5, row.height + 2);
    if (wave.end <= stop && row.height > 4) context.fillRect(right - 1.5, row.y - 1, 1.5, row.height + 2);
    if (scale < 0.02 && right - left > 60) {
      const text = `workgroup ${wave.group}`;
      context.font = "10px system-ui, sans-serif";
      context.fillStyle = "rgba(255,255,255,.82)";
      context.fillRect(left + 4, row.y + 3, context.measureText(text).width + 6, 13);
      context.fillStyle = "#1d2433";
      context.fillText(text, left + 7, row.y + 10);
    }
  }
}

function drawNames(context, row, state, wave, start, stop, at) {
  const {trace} = row;
  context.font = "10px ui-monospace, monospace";
  for (let i = Math.max(wave.first, after(trace.time, start, wave.first, wave.last) - 1); i < wave.last && trace.time[i] < stop; i++) {
    const left = Math.max(LEFT, at(trace.time[i])), right = at(trace.time[i] + trace.duration[i]);
    context.fillStyle = "rgba(255,255,255,.9)";
    context.fillRect(left, row.y, 1, row.height);
    const room = Math.floor((right - left - 6) / 6.1);
    let text = trace.code[trace.number[i]].text.split(" ")[0];
    if (room < 3) continue;
    if (room < text.length) text = text.replace(/^(v|s|ds|buffer|global|flat)_/, "");
    const pale = ["waitcnt", "barrier"].includes(trace.kinds[trace.code[trace.number[i]].kind].label) || (state.mark && !state.mark(trace, trace.number[i]));
    context.fillStyle = pale ? "#1d2433" : "#fff";
    context.fillText(text.slice(0, room), left + 4, row.y + row.height / 2 + 0.5);
  }
}

function busyShare(pipe, start, stop) {
  let busy = 0;
  for (let i = after(pipe.end, start, 0, pipe.end.length); i < pipe.begin.length && pipe.begin[i] < stop; i++)
    busy += Math.min(stop, pipe.end[i]) - Math.max(start, pipe.begin[i]);
  return busy / (stop - start);
}

function drawOverview(canvas, state) {
  const strips = state.traces.flatMap(trace => trace.simds.map(simd => ({trace, simd}))), tall = strips.length > 8 ? 5 : 9;
  const ratio = fitCanvas(canvas, strips.length * (tall + 1) + 6 + 4 * (state.traces.length - 1)), context = canvas.getContext("2d");
  const x = Math.round(LEFT * ratio), width = canvas.width - x, scale = width / state.whole;
  let y = 2;
  strips.forEach(({trace, simd}, i) => {
    if (i && strips[i - 1].trace !== trace) y += 4;
    paintStack(context, x, Math.round(y * ratio), width, Math.round(tall * ratio), pipeSums(simd.pipe, SLOTS.length, width, state.low + trace.shift, scale), SLOTS.length, state.slots, rgb("#f4f5f8"));
    y += tall + 1;
  });
  context.scale(ratio, ratio);
  context.font = "11px system-ui, sans-serif";
  context.fillStyle = "#67718a";
  context.textBaseline = "middle";
  context.fillText("whole trace", 8, y / 2);
  const left = LEFT + (state.start - state.low) * scale / ratio, right = LEFT + (state.stop - state.low) * scale / ratio;
  context.fillStyle = "rgba(29,36,51,.16)";
  context.fillRect(left, 0, Math.max(2, right - left), y + 2);
  context.strokeStyle = "#1d2433";
  context.strokeRect(left, 0.5, Math.max(2, right - left), y + 1);
}
