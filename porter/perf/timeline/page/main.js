// The state of the page: which cycles are in view, what is marked; and what the mouse and keys do to it.

const byId = id => document.getElementById(id);

function describe(data, traces) {
  byId("head").replaceChildren(...traces.map(trace => {
    const heading = element("h1", {}, element("span", {className: `tag ${trace.source}`, textContent: trace.source}), (trace.label ? `${trace.label}: ` : "") + trace.kernel);
    return element("div", {}, heading, element("p", {textContent: [trace.name, trace.summary, trace.clock].filter(Boolean).join(" · ")}));
  }));
}

function buildBar(state, redraw) {
  const bar = byId("bar"), button = (text, title, onclick) => element("button", {textContent: text, title, onclick});
  bar.append(button("steps", "A few steps of the main loop, in the middle of the trace", () => state.show(...state.home)),
    button("whole", "All cycles", () => state.show(state.low, state.high)), button("+", "Closer", () => state.zoom(0.5)), button("−", "Further away", () => state.zoom(2)));
  state.kindButtons = state.traces[0].kinds.map((kind, i) => {
    const made = element("button", {className: "kind", title: "Mark this kind", onclick: () => state.pick({trace: state.traces[0], kind: i})}, element("i", {style: `background:${kind.colour}`}), kind.label);
    bar.append(made);
    return made;
  });
  state.range = element("span", {className: "range"});
  bar.append(state.range);
}

function rowAt(state, event) {
  const box = byId("view").getBoundingClientRect(), y = event.clientY - box.top;
  const row = state.layout.rows.find(r => y >= r.y && y < r.y + r.height), time = state.timeAt(event.clientX - box.left);
  return row && event.clientX - box.left >= LEFT ? {row, time: time + row.trace.shift} : null;
}

function tipFor(found) {
  const {row, time} = found, {trace} = row;
  if (row.what === "pipe") {
    const pipe = row.simd.pipe, i = after(pipe.end, time, 0, pipe.end.length);
    if (pipe.begin[i] <= time) return ["matrix pipe", `slot ${row.simd.lanes[pipe.place[i]].slot}, ${pipe.end[i] - pipe.begin[i]} cycles from ${number(pipe.begin[i])}`];
    return ["matrix pipe idle", i && i < pipe.begin.length ? `${number(pipe.begin[i] - pipe.end[i - 1])} cycles from ${number(pipe.end[i - 1])}` : ""];
  }
  const at = row.what === "lane" && eventAt(trace, row.lane, time);
  if (!at) return null;
  const [wave, i] = at, who = `SIMD ${wave.simd} slot ${wave.slot}, workgroup ${wave.group}`;
  if (i < 0) return ["idle", who];
  const code = trace.code[trace.number[i]];
  return [code.text, `${trace.kinds[code.kind].label}, from cycle ${number(trace.time[i])}: ${trace.duration[i]} cycles, ${trace.stall[i]} of them stalled`, [code.place, trace.lines[code.place]].filter(Boolean).join("  "), code.inlined && `inlined: ${code.inlined}`, who];
}

function showTip(state, event) {
  const found = rowAt(state, event), words = found && tipFor(found), tip = byId("tip");
  tip.hidden = !words;
  if (!words) return;
  tip.replaceChildren(element("b", {textContent: words[0]}), ...words.slice(1).filter(Boolean).flatMap(text => [element("br"), element("span", {textContent: text})]));
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${event.clientY + 16}px`;
}

function listen(state) {
  const view = byId("view"), overview = byId("overview");
  let held = null, moved = false;
  view.addEventListener("wheel", event => {
    event.preventDefault();
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX, per = (state.stop - state.start) / (view.clientWidth - LEFT);
    if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) state.move(sideways * per);
    else state.zoom(1.0016 ** event.deltaY, state.timeAt(event.offsetX));
  }, {passive: false});
  view.addEventListener("mousedown", event => { held = event.clientX; moved = false; });
  window.addEventListener("mouseup", () => { held = null; });
  window.addEventListener("mousemove", event => {
    if (held !== null && event.buttons) {
      moved ||= Math.abs(event.clientX - held) > 3;
      if (moved) {
        state.move((held - event.clientX) * (state.stop - state.start) / (view.clientWidth - LEFT));
        held = event.clientX;
      }
    }
    if (event.target === view) showTip(state, event); else byId("tip").hidden = true;
  });
  view.addEventListener("click", event => {
    const found = !moved && rowAt(state, event), at = found && found.row.what === "lane" && eventAt(found.row.trace, found.row.lane, found.time);
    if (at && at[1] >= 0) state.pick({trace: found.row.trace, instruction: found.row.trace.number[at[1]]});
  });
  view.addEventListener("dblclick", event => {
    const found = rowAt(state, event), at = found && found.row.what === "lane" && eventAt(found.row.trace, found.row.lane, found.time);
    if (at) state.show(at[0].begin - found.row.trace.shift, at[0].end - found.row.trace.shift);
  });
  const jump = event => {
    const middle = state.low + (event.offsetX - LEFT) / (overview.clientWidth - LEFT) * state.whole, half = (state.stop - state.start) / 2;
    state.show(middle - half, middle + half);
  };
  overview.addEventListener("mousedown", jump);
  overview.addEventListener("mousemove", event => { if (event.buttons) jump(event); });
  window.addEventListener("keydown", event => {
    const part = (state.stop - state.start) / 8, act = {ArrowLeft: () => state.move(-part), ArrowRight: () => state.move(part), "+": () => state.zoom(0.5), "-": () => state.zoom(2), Escape: () => state.pick(null)}[event.key];
    if (act) { act(); event.preventDefault(); }
  });
  window.addEventListener("resize", () => state.redraw());
}

function makeState(data, traces) {
  const state = {traces, tables: data.tables, layout: layout(traces), marked: null, mark: null, tab: 0, order: 2, slots: SLOTS.map(colour => rgb(colour)), colours: palette(traces[0].kinds), faded: palette(traces[0].kinds, 0.8)};
  state.low = Math.min(...traces.map(trace => -trace.shift));
  state.high = Math.max(...traces.map(trace => trace.end - trace.shift));
  state.whole = state.high - state.low;
  const asked = location.hash.match(/^#(-?\d+):(\d+)$/);
  state.home = data.home;
  [state.start, state.stop] = asked ? [+asked[1], +asked[2]] : data.home;
  state.timeAt = x => state.start + (x - LEFT) / (byId("view").clientWidth - LEFT) * (state.stop - state.start);
  state.show = (start, stop) => {
    const span = Math.min(Math.max(stop - start, 40), 1.04 * state.whole), first = Math.min(Math.max(start, state.low - 0.02 * state.whole), state.high + 0.02 * state.whole - span);
    [state.start, state.stop] = [first, first + span];
    state.redraw();
  };
  state.move = by => state.show(state.start + by, state.stop + by);
  state.zoom = (factor, about = (state.start + state.stop) / 2) => state.show(about - (about - state.start) * factor, about + (state.stop - about) * factor);
  state.pick = mark => {
    state.marked = mark && !sameMark(mark, state.marked) ? mark : null;
    state.mark = markTest(state.marked);
    state.redraw();
  };
  state.sort = column => { state.order = column; drawPanel(byId("panel"), state); };
  return state;
}

function redrawer(state) {
  let asked = false, later = 0;
  return () => {
    if (!asked) requestAnimationFrame(() => {
      asked = false;
      drawView(byId("view"), state);
      drawOverview(byId("overview"), state);
      state.kindButtons.forEach((made, i) => made.classList.toggle("marked", Boolean(state.marked) && state.marked.kind === i));
      state.range.textContent = `cycles ${number(state.start)} to ${number(state.stop)}: ${number(state.stop - state.start)}`;
    });
    asked = true;
    clearTimeout(later);
    later = setTimeout(() => {
      drawPanel(byId("panel"), state);
      history.replaceState(null, "", `#${Math.round(state.start)}:${Math.round(state.stop)}`);
    }, 150);
  };
}

(async () => {
  const data = JSON.parse(byId("data").textContent), traces = [];
  for (const meta of data.traces) traces.push(await loadTrace({...meta, kinds: data.kinds}));
  const state = makeState(data, traces);
  describe(data, traces);
  state.redraw = redrawer(state);
  buildBar(state);
  listen(state);
  state.redraw();
})().catch(error => { byId("help").textContent = `This page cannot be drawn: ${error.message}. A browser of 2023 or later is needed.`; });
