// Tables below the picture: cycles by instruction, source line and kind of what is in view, and differences of two traces.

const element = (tag, props = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), props);
  made.append(...children);
  return made;
};
const number = (value, digits = 0) => value === null || Number.isNaN(value) ? "" : value.toLocaleString("en", {maximumFractionDigits: digits, minimumFractionDigits: digits});

const SUMS = [["executions", r => r.sums[0]], ["cycles", r => r.sums[1]], ["stall", r => r.sums[2]],
  ["with the pipe idle", r => r.sums[3]], ["cycles each", r => r.sums[1] / r.sums[0], 1], ["stall each", r => r.sums[2] / r.sums[0], 1]];

function add(into, from) {
  for (let i = 0; i < 4; i++) into[i] += from[i];
}

function grouped(trace, sums, keyOf, rowOf) {
  const groups = new Map();
  sums.forEach((own, i) => {
    const key = own[0] ? keyOf(trace.code[i]) : null;
    if (key === null) return;
    if (!groups.has(key)) groups.set(key, {...rowOf(trace.code[i]), sums: [0, 0, 0, 0]});
    add(groups.get(key).sums, own);
  });
  return [...groups.values()];
}

// What a tab lists, rows with `sums`, a mark to pick and words.
function rowsOf(trace, sums, by) {
  const label = code => trace.kinds[code.kind].label;
  if (by === "kind")
    return grouped(trace, sums, code => code.kind, code => ({kind: code.kind, words: [label(code)], mark: {trace, kind: code.kind}}));
  if (by === "line")
    return grouped(trace, sums, code => code.place || null, code => ({kind: null, words: [code.place.split("/").slice(-2).join("/"), trace.lines[code.place] || ""], mark: {trace, place: code.place}}));
  return sums.map((own, i) => ({kind: trace.code[i].kind, words: [`${i}`, trace.code[i].text, trace.code[i].place.split("/").slice(-2).join("/")], sums: own, mark: {trace, instruction: i}})).filter(r => r.sums[0]);
}

function sumTable(trace, by, state) {
  const sums = sumsBetween(trace, state.start + trace.shift, state.stop + trace.shift), rows = rowsOf(trace, sums, by);
  const key = SUMS[state.order][1], most = Math.max(1, ...rows.map(r => r.sums[2])), total = rows.reduce((n, r) => n + r.sums[1], 0);
  rows.sort((a, b) => key(b) - key(a));
  const heads = {instruction: ["number", "instruction", "source"], line: ["source line", ""], kind: ["kind"]}[by];
  if (!trace.code.some(code => code.place)) heads.splice(2);
  const head = element("tr", {}, ...heads.map(text => element("th", {className: "text", textContent: text})),
    ...SUMS.map(([name], i) => element("th", {textContent: name + (state.order === i ? " ▾" : ""), onclick: () => state.sort(i)})), element("th", {textContent: "of all"}));
  const body = rows.slice(0, 80).map(row => {
    const cells = row.words.slice(0, heads.length).map((word, i) => element("td", {className: "code", textContent: word, title: word}));
    if (row.kind !== null) cells.at(heads.length > 1 ? 1 : 0).prepend(element("i", {style: `background:${trace.kinds[row.kind].colour}`}));
    SUMS.forEach(([name, value, digits], i) => {
      const cell = element("td", {textContent: number(value(row), digits)});
      if (name === "stall") cell.append(element("span", {className: "bar", style: `width:${60 * row.sums[2] / most}px; margin-right:${60 - 60 * row.sums[2] / most}px`}));
      cells.push(cell);
    });
    cells.push(element("td", {textContent: total ? `${(100 * row.sums[1] / total).toFixed(1)}%` : ""}));
    return element("tr", {className: "pick" + (sameMark(row.mark, state.marked) ? " marked" : ""), onclick: () => state.pick(row.mark)}, ...cells);
  });
  return element("table", {}, head, ...body);
}

function differenceTable(table) {
  const head = element("tr", {}, ...table.columns.map((name, i) => element("th", {textContent: name, className: i ? "" : "text"})));
  const body = table.rows.map(row => element("tr", {}, ...row.map((value, i) => {
    if (typeof value === "string") return element("td", {className: "code", textContent: value, title: value});
    const difference = table.columns[i].includes("-");
    const text = (difference && value > 0 ? "+" : "") + number(value, table.digits[i]);
    return element("td", {textContent: text, className: difference && value ? value > 0 ? "more" : "less" : ""});
  })));
  return element("table", {}, head, ...body);
}

// Stays of the waves in each region, of those that begin in view.
function regionTable(trace, state) {
  const low = state.start + trace.shift, high = state.stop + trace.shift, waves = trace.simds.flatMap(simd => simd.lanes.flatMap(lane => lane.waves));
  const rows = trace.regions.map((name, region) => ({name, lengths: waves.flatMap(wave => wave.spans.filter(span => span[0] === region && span[1] >= low && span[1] < high).map(span => span[2] - span[1])).sort((a, b) => a - b)}));
  const head = element("tr", {}, ...["region", "times", "cycles", "cycles each (median)"].map((name, i) => element("th", {textContent: name, className: i ? "" : "text"})));
  return element("table", {}, head, ...rows.filter(row => row.lengths.length).map(row => element("tr", {}, element("td", {className: "code", textContent: row.name}),
    ...[row.lengths.length, row.lengths.reduce((a, b) => a + b, 0), row.lengths[row.lengths.length >> 1]].map(value => element("td", {textContent: number(value)})))));
}

function sameMark(a, b) {
  return Boolean(a && b) && ["trace", "kind", "place", "instruction"].every(key => a[key] === b[key]);
}

// Whether an instruction is of what was marked; a kind and a text are the same in all traces.
function markTest(mark) {
  if (!mark) return null;
  if (mark.kind !== undefined) return (trace, i) => trace.code[i].kind === mark.kind;
  if (mark.place !== undefined) return (trace, i) => trace.code[i].place === mark.place;
  const text = mark.trace.code[mark.instruction].text;
  return (trace, i) => trace === mark.trace ? i === mark.instruction : trace.code[i].text === text;
}

function drawPanel(panel, state) {
  const tabs = [];
  for (const trace of state.traces)
    for (const by of ["instruction", "line", "kind"]) {
      if (by === "line" && !trace.code.some(code => code.place)) continue;
      const name = `by ${by === "line" ? "source line" : by}` + (state.traces.length > 1 ? ` (${trace.label})` : "");
      tabs.push([name, () => sumTable(trace, by, state)]);
    }
  for (const trace of state.traces)
    if (trace.regions.length) tabs.push(["by region" + (state.traces.length > 1 ? ` (${trace.label})` : ""), () => regionTable(trace, state)]);
  for (const table of state.tables) tabs.unshift([table.title, () => differenceTable(table)]);
  state.tab = Math.min(state.tab, tabs.length - 1);
  const buttons = tabs.map(([name], i) => element("button", {textContent: name, className: i === state.tab ? "on" : "", onclick: () => { state.tab = i; drawPanel(panel, state); }}));
  panel.replaceChildren(element("div", {className: "tabs"}, ...buttons), tabs[state.tab][1]());
}
