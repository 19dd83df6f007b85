// One timeline as arrays: its events, the lanes of its slots, and when each SIMD's matrix pipe is busy.

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Four planes of bytes to 32-bit numbers.
function unplane(bytes, at, count) {
  const out = new Int32Array(count);
  for (let i = 0; i < count; i++)
    out[i] = bytes[at + i] | bytes[at + count + i] << 8 | bytes[at + 2 * count + i] << 16 | bytes[at + 3 * count + i] << 24;
  return out;
}

async function loadTrace(meta) {
  const bytes = await inflate(meta.events), count = meta.waves.reduce((n, w) => n + w.count, 0);
  const [gap, stall, duration, number] = [0, 1, 2, 3].map(i => unplane(bytes, 4 * i * count, count));
  const trace = {...meta, stall, duration, number, time: new Int32Array(count), lanes: [], simds: []};
  let at = 0;
  for (const wave of meta.waves) {
    wave.first = at;
    wave.last = at + wave.count;
    let now = wave.begin;
    for (; at < wave.last; at++) {
      trace.time[at] = now + gap[at];
      now = trace.time[at] + duration[at];
    }
  }
  placeLanes(trace);
  return trace;
}

function placeLanes(trace) {
  for (const wave of trace.waves) {
    let simd = trace.simds.find(s => s.engine === wave.engine && s.simd === wave.simd);
    if (!simd) trace.simds.push(simd = {engine: wave.engine, simd: wave.simd, lanes: []});
    let lane = simd.lanes.find(l => l.slot === wave.slot);
    if (!lane) {
      simd.lanes.push(lane = {slot: wave.slot, waves: [], simd});
      trace.lanes.push(lane);
    }
    lane.waves.push(wave);
  }
  for (const simd of trace.simds) simd.pipe = pipeOf(trace, simd);
}

// The products of a SIMD as a queue: each begins when it is issued and the pipe is free.
function pipeOf(trace, simd) {
  const keys = [];
  simd.lanes.forEach((lane, place) => {
    for (const wave of lane.waves)
      for (let i = wave.first; i < wave.last; i++)
        if (trace.code[trace.number[i]].matrix) keys.push((trace.time[i] + trace.stall[i]) * 64 + place, trace.code[trace.number[i]].matrix);
  });
  const order = new Float64Array(keys.length / 2);
  for (let i = 0; i < order.length; i++) order[i] = keys[2 * i] * 256 + keys[2 * i + 1];
  order.sort();
  const pipe = {begin: new Int32Array(order.length), end: new Int32Array(order.length), place: new Uint8Array(order.length)};
  let free = -Infinity;
  order.forEach((key, i) => {
    const cycles = key % 256, rest = (key - cycles) / 256, place = rest % 64;
    pipe.begin[i] = Math.max(free, (rest - place) / 64);
    free = pipe.end[i] = pipe.begin[i] + cycles;
    pipe.place[i] = place;
  });
  return pipe;
}

// The first index from low to high where array[index] > value.
function after(array, value, low, high) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (array[middle] > value) high = middle; else low = middle + 1;
  }
  return low;
}

// What a lane's wave does at a time: [wave, event], the event -1 between two.
function eventAt(trace, lane, time) {
  const wave = lane.waves.find(w => w.begin <= time && time < w.end);
  if (!wave) return null;
  const i = after(trace.time, time, wave.first, wave.last) - 1;
  return [wave, i >= wave.first && time < trace.time[i] + trace.duration[i] ? i : -1];
}

// The pipe's busy cycles before a time; the times asked for must not fall.
function busyBefore(pipe) {
  let next = 0, done = 0;
  return time => {
    for (; next < pipe.end.length && pipe.end[next] <= time; next++) done += pipe.end[next] - pipe.begin[next];
    return done + (next < pipe.end.length ? Math.max(0, time - pipe.begin[next]) : 0);
  };
}

// Executions, cycles, stalls and cycles with the matrix pipe idle, by instruction, of what begins between two times.
function sumsBetween(trace, low, high) {
  const sums = trace.code.map(() => [0, 0, 0, 0]);
  for (const simd of trace.simds)
    for (const wave of simd.lanes.flatMap(lane => lane.waves)) {
      if (wave.end <= low || wave.begin >= high) continue;
      const busy = busyBefore(simd.pipe);
      for (let i = after(trace.time, low - 1, wave.first, wave.last); i < wave.last && trace.time[i] < high; i++) {
        const row = sums[trace.number[i]], before = busy(trace.time[i]);
        row[0]++;
        row[1] += trace.duration[i];
        row[2] += trace.stall[i];
        row[3] += trace.duration[i] - busy(trace.time[i] + trace.duration[i]) + before;
      }
    }
  return sums;
}
