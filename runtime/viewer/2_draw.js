// Drawing: the picture of the whole run from levels of detail, single instructions when few cycles are in view.
const GUTTER = 74, AXIS = 20, MOST_RECORDS = 80000;
const view = {from: 0, to: 1, top: 0, warp: 0, selected: null, plane: 'stage', matches: null};
let palette, rowHeight = 12, frame = 0;

// Stages: one hue, from light to dark, so that a warp's progress can be read without names.
const STAGES = {
  light: ['#d5e3f2', '#9cc3e6', '#4f93ce', '#1f5f9e', '#7a6bb0', '#c98bb9', '#a4a4a4', '#777777'],
  dark: ['#25364a', '#2f5a86', '#4b8ac4', '#8fbfe8', '#9384cf', '#cf8fbe', '#8a8a8a', '#6a6a6a']};

const isDark = () => document.documentElement.dataset.theme
  ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const packed = (hex) => (255 << 24 | parseInt(hex.slice(5, 7), 16) << 16 | parseInt(hex.slice(3, 5), 16) << 8 |
  parseInt(hex.slice(1, 3), 16)) >>> 0;

function makePalette() {
  const dark = isDark(), paper = css('--paper'), full = (text) => text.length === 4
    ? '#' + [...text.slice(1)].map((c) => c + c).join('') : text;
  const stages = about.stages.map((stage, i) => ({name: stage.name, meaning: stage.meaning,
    colour: STAGES[dark ? 'dark' : 'light'][i % 8], striped: false}));
  stages.push({name: 'barrier', meaning: 'the warp waits at a barrier', colour: dark ? '#4c7fd4' : '#146fbf', striped: true});
  const reasons = about.reasons.map((reason) => ({name: reason.name, meaning: reason.meaning,
    colour: dark ? reason.dark : reason.light, striped: reason.striped}));
  for (const entry of [...stages, ...reasons]) entry.bits = packed(entry.colour);
  palette = {stage: stages, reason: reasons, slot: reasons, paper: packed(full(paper)), ink: css('--ink'),
    faint: css('--faint'), rule: css('--rule'), mark: css('--mark'), background: paper};
}

function showLegend() {
  const entries = [...(view.plane === 'stage' ? palette.stage.map((e) => ({...e, of: 'warps'})) : []),
    ...palette.reason.map((e) => ({...e, of: 'issue slots'}))];
  $('legend').replaceChildren(...entries.map((entry) => {
    const item = document.createElement('li'), box = document.createElement('i');
    box.style.background = entry.striped
      ? `repeating-linear-gradient(135deg,transparent 0 2px,${palette.background} 2px 4px) ${entry.colour}` : entry.colour;
    item.title = `${entry.meaning} (${entry.of})`;
    item.append(box, entry.name);
    return item;
  }));
  if (pieces.switches.length) {
    const item = document.createElement('li');
    item.title = 'other lanes of the warp run next; shown with single instructions';
    item.append('\u25bc lanes change');
    $('legend').append(item);
  }
}

// Rows: issue slots of the cores, then warps.
const slotRows = () => Math.min(about.cores, 32);
const rowCount = () => slotRows() + about.warps.length;
const shownRows = () => Math.floor(($('picture').clientHeight - AXIS) / rowHeight);
const rowName = (row) => row < slotRows() ? `slot ${row}` : `warp ${row - slotRows()}`;

function size(canvas, height) {
  const scale = devicePixelRatio || 1;
  canvas.style.height = `${height}px`;
  const wide = Math.round(canvas.clientWidth * scale), high = Math.round(height * scale);
  if (canvas.width !== wide || canvas.height !== high) { canvas.width = wide; canvas.height = high; }
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = palette.background;
  context.fillRect(0, 0, canvas.clientWidth, height);
  context.font = '11px system-ui,sans-serif';
  return context;
}

const width = () => $('picture').clientWidth - GUTTER;
const xOf = (time) => GUTTER + (time - view.from) / (view.to - view.from) * width();
const timeOf = (x) => view.from + (x - GUTTER) / width() * (view.to - view.from);

function drawAxis(context) {
  const span = view.to - view.from, step = 10 ** Math.floor(Math.log10(span / 4));
  const nice = [1, 2, 5, 10].map((k) => k * step).find((s) => span / s <= width() / 90) || 10 * step;
  context.fillStyle = palette.faint;
  context.strokeStyle = palette.rule;
  for (let time = Math.ceil(view.from / nice) * nice; time < view.to; time += nice) {
    const x = xOf(time);
    context.fillText(time.toLocaleString('en'), x + 3, 13);
    context.beginPath();
    context.moveTo(x, 4);
    context.lineTo(x, AXIS);
    context.stroke();
  }
  context.strokeStyle = palette.mark;
  for (const launch of about.launches) {
    if (launch.time < view.from || launch.time > view.to) continue;
    context.beginPath();
    context.moveTo(xOf(launch.time), 0);
    context.lineTo(xOf(launch.time), $('picture').clientHeight);
    context.stroke();
  }
}

// The coarsest level whose bins are at most a pixel wide; the finest if all are wider.
function levelFor(plane) {
  const cycles = (view.to - view.from) / width();
  const sorted = [...levels[plane]].sort((a, b) => b.shift - a.shift);
  return sorted.find((level) => 2 ** level.shift <= cycles) || sorted[sorted.length - 1];
}

async function drawLevel(context, plane, firstRow, rows, y) {
  const level = levelFor(plane);
  if (!level || rows <= 0) return;
  const data = await loadLevel(level), bins = level.rows, wide = Math.floor(width());
  const image = context.createImageData(wide, rows * rowHeight), out = new Uint32Array(image.data.buffer);
  const cycles = (view.to - view.from) / wide, bin = 2 ** level.shift, colours = palette[plane];
  out.fill(palette.paper);
  for (let r = 0; r < rows; r++) {
    const base = (firstRow + r) * bins;
    for (let x = 0; x < wide; x++) {
      const at = Math.floor((view.from + (x + 0.5) * cycles) / bin);
      const category = at < bins ? data[base + at] : 0;
      if (!category) continue;
      const entry = colours[category - 1];
      for (let y = 0; y < rowHeight - (rowHeight > 3 ? 1 : 0); y++)
        if (!entry.striped || (x + y & 3) > 1) out[(r * rowHeight + y) * wide + x] = entry.bits;
    }
  }
  const scale = devicePixelRatio || 1, bitmap = await createImageBitmap(image);
  context.drawImage(bitmap, GUTTER, y);
}

function bar(context, x0, x1, y, entry) {
  const left = Math.max(x0, GUTTER), right = Math.min(Math.max(x1, x0 + 1), GUTTER + width());
  if (right <= left) return;
  context.fillStyle = entry.colour;
  context.fillRect(left, y, right - left, rowHeight - 1);
  if (entry.striped) {
    context.fillStyle = palette.background;
    for (let x = left; x < right; x += 4) context.fillRect(x, y, 1.5, rowHeight - 1);
  }
}

// Whether few enough instructions are in view to draw each of them.
function detailed() {
  if (view.from >= about.details) return false;
  let records = 0;
  for (const kind of ['rows', 'slots', 'switches'])
    for (const piece of inRange(kind, view.from, view.to))
      records += piece.rows * Math.min(1, (view.to - view.from) / (piece.last - piece.first + 1));
  return records <= MOST_RECORDS;
}

async function drawInstructions(context) {
  const stages = about.stages.length, slots = slotRows(), shown = [];
  const y = (row) => AXIS + (row - view.top) * rowHeight;
  const visible = (row) => row >= view.top && row < view.top + shownRows();
  const drawSlot = (core, row, start, end, entry) => {
    if (end < view.from || start >= view.to) return;
    if (visible(core) && core < slots) bar(context, xOf(start), xOf(end), y(core), entry);
    if (view.plane === 'reason' && row >= slots && visible(row)) bar(context, xOf(start), xOf(end), y(row), entry);
  };
  for (const piece of inRange('rows', view.from, view.to)) {
    const rows = await load(piece);
    for (let i = 0; i < rows.count; i++) {
      const row = slots + rows.warp[i];
      if (rows.end[i] < view.from || rows.start[i] >= view.to) continue;
      if (rows.slot[i]) {
        const issued = rows.start[i] + rows.spent[i * stages];
        drawSlot(about.warps[rows.warp[i]], row, issued, issued + 1, palette.reason[rows.slot[i] - 1]);
      }
      if (!visible(row)) continue;
      shown.push({piece, i});
      if (view.plane !== 'stage') continue;
      let at = rows.start[i];
      for (let s = 0; s < stages; s++) {
        const spent = rows.spent[i * stages + s];
        if (spent > 0) bar(context, xOf(at), xOf(at + spent), y(row), palette.stage[s]);
        at += spent;
      }
    }
  }
  for (const piece of inRange('slots', view.from, view.to)) {
    const waits = await load(piece);
    for (let i = 0; i < waits.count; i++)
      drawSlot(waits.core[i], slots + waits.warp[i] - 1, waits.end[i] - waits.cycles[i], waits.end[i], palette.reason[waits.reason[i]]);
  }
  const written = new Map(); // right end of the last text of each row
  for (const {piece, i} of shown) {
    const rows = piece.data;
    if (!rows) continue;
    const x0 = xOf(rows.start[i]), x1 = xOf(rows.end[i]);
    const row = y(slots + rows.warp[i]);
    if (view.matches && view.matches(rows, i)) {
      context.strokeStyle = palette.mark;
      context.strokeRect(x0, row, Math.max(2, x1 - x0), rowHeight - 1);
    }
    if (x1 - x0 > 60 && rowHeight >= 11 && x0 >= Math.max(GUTTER, written.get(row) || 0)) {
      written.set(row, x1);
      context.fillStyle = palette.ink;
      context.fillText(about.code[rows.code[i]][1].slice(0, (x1 - x0) / 6), x0 + 2, row + 10);
    }
  }
  for (const piece of inRange('switches', view.from, view.to)) {
    const switches = await load(piece);
    for (let i = 0; i < switches.count; i++) {
      const row = slots + switches.warp[i], x = xOf(switches.time[i]);
      if (switches.time[i] >= view.from && switches.time[i] < view.to && visible(row)) drawSwitch(context, x, y(row));
    }
  }
  return shown;
}

// Other lanes of the warp run next: a triangle at the cycle's start.
function drawSwitch(context, x, y) {
  const half = Math.min(4, rowHeight / 2);
  context.fillStyle = palette.ink;
  context.beginPath();
  context.moveTo(x - half, y);
  context.lineTo(x + half, y);
  context.lineTo(x, y + Math.max(2, rowHeight - 3));
  context.fill();
}

async function draw() {
  const mine = ++frame, canvas = $('picture');
  const room = Math.max(160, Math.min(560, innerHeight - 330));
  rowHeight = Math.max(2, Math.min(14, Math.floor((room - AXIS) / rowCount())));
  const context = size(canvas, AXIS + Math.min(rowCount(), Math.floor((room - AXIS) / rowHeight)) * rowHeight + 2);
  const slots = slotRows(), rows = Math.min(shownRows(), rowCount() - view.top);
  let shown = [];
  if (detailed()) {
    shown = await drawInstructions(context);
  } else {
    const above = Math.max(0, Math.min(slots - view.top, rows));
    await drawLevel(context, 'slot', view.top, above, AXIS);
    await drawLevel(context, view.plane, Math.max(0, view.top - slots), rows - above, AXIS + above * rowHeight);
  }
  if (mine !== frame) return;
  drawAxis(context);
  context.fillStyle = palette.faint;
  const every = Math.ceil(12 / rowHeight);
  for (let r = 0; r < rows; r++)
    if ((view.top + r) % every === 0) context.fillText(rowName(view.top + r), 2, AXIS + r * rowHeight + Math.min(10, rowHeight + 2));
  if (view.selected) {
    const s = view.selected, y = AXIS + (slots + s.warp - view.top) * rowHeight;
    context.strokeStyle = palette.ink;
    context.lineWidth = 2;
    context.strokeRect(xOf(s.start), y - 1, Math.max(3, xOf(s.end) - xOf(s.start)), rowHeight + 1);
    context.lineWidth = 1;
  }
  await drawMemory();
  showTable(shown);
  $('status').textContent = `Cycles ${Math.floor(view.from).toLocaleString('en')} to ` +
    `${Math.ceil(view.to).toLocaleString('en')} of ${about.cycles.toLocaleString('en')}` +
    (shown.length ? `, ${shown.length.toLocaleString('en')} instructions` : '') +
    (view.to > about.details ? `. Single instructions end at cycle ${about.details.toLocaleString('en')}` : '');
}

// Amounts per cycle of each series that the run has.
async function drawMemory() {
  const all = await Promise.all(series.map(loadSeries)), some = all.filter((one) => one.total > 0);
  const high = 34, context = size($('memory'), some.length * high + 2);
  some.forEach((one, k) => {
    const bin = 2 ** one.shift, wide = Math.floor(width()), cycles = (view.to - view.from) / wide, sums = [];
    for (let x = 0; x < wide; x++) {
      const first = Math.floor((view.from + x * cycles) / bin);
      const last = Math.max(first + 1, Math.floor((view.from + (x + 1) * cycles) / bin));
      let sum = 0;
      for (let b = first; b < last && b < one.rows; b++) sum += one.data[b];
      sums.push(sum / ((last - first) * bin));
    }
    const most = Math.max(...sums, 1e-9), y = (k + 1) * high;
    context.fillStyle = STAGES[isDark() ? 'dark' : 'light'][2];
    sums.forEach((sum, x) => context.fillRect(GUTTER + x, y - sum / most * (high - 14), 1, sum / most * (high - 14)));
    context.fillStyle = palette.ink;
    context.fillText(`${one.name}: at most ${most < 10 ? most.toFixed(2) : Math.round(most)} per cycle`, GUTTER + 4, y - high + 11);
  });
}
