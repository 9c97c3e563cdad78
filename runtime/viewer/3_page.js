// What the user does: zoom, selection, search, keys; details, source and table.
const ENDS = ['retired', 'retried later', 'flushed', 'moved to the vector pipeline', 'in the pipeline at the end'];

const element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
const tableOf = (titles, rows) => {
  const table = element('table'), head = element('tr'), body = element('tbody');
  head.append(...titles.map((title) => element('th', title, {scope: 'col'})));
  const top = element('thead');
  top.append(head);
  body.append(...rows);
  table.append(top, body);
  return table;
};
const rowOf = (cells) => {
  const row = element('tr');
  row.append(...cells.map((cell) => cell instanceof Node ? cell : element('td', cell)));
  return row;
};
const placeOf = (code) => {
  const [, , name, file, line] = about.code[code];
  return (file >= 0 ? `${about.files[file].name}:${line}` : '') + (name ? ` in ${name}` : '');
};

// Lanes as text: 0-3, 7.
const lanesText = (lanes) => lanes.filter((lane, k) => lanes[k - 1] !== lane - 1).map((first) => {
  let last = first;
  while (lanes.includes(last + 1)) last++;
  return last > first ? `${first}-${last}` : `${first}`;
}).join(', ');

function look(from, to) {
  const span = Math.max(8, Math.min(to - from, about.cycles));
  view.from = Math.max(0, Math.min(from, about.cycles - span));
  view.to = view.from + span;
  return draw();
}
const zoom = (factor, at = (view.from + view.to) / 2) =>
  look(at - (at - view.from) * factor, at + (view.to - at) * factor);
const pan = (share) => look(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));

function number(value) {
  const low = BigInt.asUintN(32, value), hex = `0x${value.toString(16)}`;
  const float = new Float32Array(new Uint32Array([Number(low)]).buffer)[0];
  return value < 10000n ? `${value}` : `${hex} = ${BigInt.asIntN(value >> 32n ? 64 : 32, value)}` +
    (Math.abs(float) > 1e-6 && Math.abs(float) < 1e9 ? ` = ${float.toPrecision(6)}f` : '');
}

async function select(found) {
  const rows = await load(found.piece), i = found.i, stages = about.stages.length, code = about.code[rows.code[i]];
  const s = view.selected = {warp: rows.warp[i], start: rows.start[i], end: rows.end[i], row: rows.row[i]};
  view.warp = s.warp;
  const lanes = new Set(lanesOf(rows.mask[i])), picture = element('div', undefined, {class: 'lanes', role: 'img',
    'aria-label': `${lanes.size} of ${about.lanes} lanes active`});
  for (let lane = 0; lane < about.lanes; lane++) picture.append(element('i', undefined, lanes.has(lane) ? {class: 'on'} : {}));
  const times = [];
  let at = s.start;
  for (let k = 0; k < stages; k++) {
    const spent = rows.spent[i * stages + k];
    if (spent > 0) times.push(rowOf([element('td', about.stages[k].name, {class: 't'}), at.toLocaleString('en'),
      spent.toLocaleString('en')]));
    at += spent;
  }
  const parts = [element('h2', code[1] || 'not executed'),
    element('p', `pc 0x${code[0].toString(16)}, warp ${s.warp}, core ${about.warps[s.warp]}; ${ENDS[rows.how[i]]}`),
    element('p', placeOf(rows.code[i])), picture, tableOf(['stage', 'from cycle', 'cycles'], times)];
  for (const {mask, code: next} of await switchesOf(s.row, s.start, s.end)) {
    const after = lanesOf(mask), place = placeOf(next);
    parts.push(element('p', `Then lane${after.length > 1 ? 's' : ''} ${lanesText(after)} run${after.length > 1 ? '' : 's'} ` +
      `at pc 0x${about.code[next][0].toString(16)}${place ? `, ${place}` : ''}`, {class: 'switch'}));
  }
  const values = await valuesOf(s.row, s.start, s.end);
  if (values) {
    const titles = ['lane', ...(values.results ? ['result'] : []), ...(values.addresses ? ['address'] : [])];
    parts.push(tableOf(titles, values.lanes.map((lane, k) => rowOf([`${lane}`,
      ...(values.results ? [number(values.results[k])] : []),
      ...(values.addresses ? [`0x${values.addresses[k].toString(16)}`] : [])]))));
  }
  $('detail').replaceChildren(...parts);
  if (s.start < view.from || s.end > view.to) {
    const span = view.to - view.from;
    return look(s.start - span / 3, s.start - span / 3 + span);
  }
  return draw();
}

// The instruction of a warp at a time: the last that began; or the first, or the last, for which test holds.
async function find(test, time, direction) {
  const ordered = direction < 0 ? [...pieces.rows].reverse() : pieces.rows;
  let best = null;
  for (const piece of ordered) {
    if (direction < 0 ? piece.first >= time : piece.last < time) continue;
    if (best && (direction < 0 ? piece.last < best.start : piece.first > best.start)) continue;
    const rows = await load(piece);
    for (let i = 0; i < rows.count; i++) {
      const start = rows.start[i];
      if ((direction < 0 ? start >= time : start <= time) || !test(rows, i)) continue;
      if (!best || (direction < 0 ? start > best.start : start < best.start)) best = {piece, i, start};
    }
  }
  return best;
}

// Words: warp:N, line:FILE:N or line:N, pc:N; others are in the text, the function or the place of an instruction. Only
// executed instructions match.
function parse(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  const warp = words.map((word) => /^warp:(\d+)$/.exec(word)).find(Boolean);
  const codes = new Set();
  about.code.forEach((code, i) => {
    const place = code[3] >= 0 ? `${about.files[code[3]].name}:${code[4]}`.toLowerCase() : '';
    const fits = words.every((word) => {
      if (/^warp:/.test(word)) return true;
      if (/^line:/.test(word)) return place.endsWith(word.slice(5).includes(':') ? word.slice(5) : `:${word.slice(5)}`);
      if (/^pc:/.test(word)) return Number(word.slice(3)) === code[0];
      return `${code[1]} ${code[2]} ${place}`.toLowerCase().includes(word);
    });
    if (fits) codes.add(i);
  });
  return (rows, i) => codes.has(rows.code[i]) && about.laneCount[rows.mask[i]] > 0 && (!warp || rows.warp[i] === Number(warp[1]));
}

async function search(direction) {
  view.matches = parse($('query').value);
  if (!view.matches) return draw();
  const from = view.selected ? view.selected.start : direction < 0 ? view.to : view.from - 1;
  const found = await find(view.matches, from, direction);
  if (!found) {
    await draw();
    $('status').textContent = `Nothing ${direction < 0 ? 'before' : 'after'} cycle ${Math.max(0, from).toLocaleString('en')} matches`;
    return null;
  }
  if (view.to - view.from > 4000) {
    view.from = found.start - 200;
    view.to = found.start + 800;
  }
  const slots = slotRows(), rows = await load(found.piece), row = slots + rows.warp[found.i];
  if (row < view.top || row >= view.top + shownRows()) view.top = Math.max(0, row - Math.floor(shownRows() / 2));
  return select(found);
}

async function pick(warp, time) {
  const close = Math.max(1, (view.to - view.from) / width());
  const ours = (rows, i) => rows.warp[i] === warp;
  const found = await find((rows, i) => ours(rows, i) && rows.end[i] + close >= time, time + close, -1) ||
    await find(ours, time, -1) || await find(ours, time, 1);
  return found && select(found);
}

function showTable(shown) {
  if (!$('visible').open) return;
  const rows = shown.slice(0, 500).filter(({piece}) => piece.data).map(({piece, i}) => {
    const r = piece.data, link = element('button', about.code[r.code[i]][1] || 'not executed', {class: 'link', type: 'button'});
    link.addEventListener('click', () => select({piece, i}));
    const cell = element('td', undefined, {class: 'code'});
    cell.append(link);
    return rowOf([r.start[i].toLocaleString('en'), r.end[i].toLocaleString('en'), `${r.warp[i]}`, cell,
      element('td', placeOf(r.code[i]), {class: 't'}), ENDS[r.how[i]]]);
  });
  $('table').replaceChildren(rows.length ? tableOf(['from cycle', 'to cycle', 'warp', 'instruction', 'place', 'end'], rows)
    : element('p', 'Zoom in to see single instructions.'));
}

// Source lines, coloured by the cycles that issue slots spent on them. PTX has the lines of its text.
function showSource() {
  const lines = new Map();
  let most = 1, all = 0;
  for (const [, , , file, line, executed, threads, cycles] of about.code) {
    if (file < 0) continue;
    const key = `${file}:${line}`, sum = lines.get(key) || {executed: 0, threads: 0, cycles: cycles.map(() => 0), total: 0};
    sum.executed += executed;
    sum.threads += threads;
    cycles.forEach((c, k) => { sum.cycles[k] += c; sum.total += c; });
    most = Math.max(most, sum.total);
    lines.set(key, sum);
  }
  for (const sum of lines.values()) all += sum.total;
  const parts = [];
  about.files.forEach((file, f) => {
    const last = Math.max(file.first + file.lines.length - 1, ...[...lines.keys()].filter((key) => key.startsWith(`${f}:`))
      .map((key) => Number(key.split(':')[1])));
    const rows = [];
    for (let line = file.first; line <= last; line++) {
      const sum = lines.get(`${f}:${line}`), text = file.lines[line - file.first];
      if (!sum && text === undefined) continue;
      const code = element('td', undefined, {class: 'code'});
      code.append(sum ? element('button', text || `line ${line}`, {class: 'link', type: 'button'}) : text || '');
      const worst = sum ? sum.cycles.indexOf(Math.max(...sum.cycles)) : -1;
      const row = rowOf([`${line}`, sum ? `${(100 * sum.total / Math.max(1, all)).toFixed(1)} %` : '',
        sum ? sum.executed.toLocaleString('en') : '', element('td', sum && sum.total ? about.reasons[worst].name : '', {class: 't'}), code]);
      if (sum) {
        row.dataset.line = `line:${file.name}:${line}`;
        row.style.background = `rgb(var(--heat) / ${(0.55 * sum.total / most).toFixed(3)})`;
        row.addEventListener('click', () => {
          for (const other of document.querySelectorAll('#source tr.chosen')) other.classList.remove('chosen');
          row.classList.add('chosen');
          $('query').value = row.dataset.line;
          view.selected = null;
          search(1);
        });
      }
      rows.push(row);
    }
    parts.push(element('h3', file.name), tableOf(['line', 'slot cycles', 'executions', 'most for', 'text'], rows));
  });
  $('source').replaceChildren(...parts.length ? parts : [element('p', 'The program has no line information.')]);
}

function onKey(event) {
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.altKey || event.metaKey) {
    if (event.key === 'Enter' && event.target === $('query')) search(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') $('picture').focus();
    return;
  }
  const near = (direction) => find((rows, i) => rows.warp[i] === view.warp,
    view.selected ? view.selected.start : view.from, direction).then((found) => found && select(found));
  const actions = {ArrowLeft: () => pan(-0.125), ArrowRight: () => pan(0.125), '+': () => zoom(0.5), '=': () => zoom(0.5),
    '-': () => zoom(2), f: () => look(0, about.cycles), Home: () => look(0, view.to - view.from),
    End: () => look(about.cycles, about.cycles + view.to - view.from), '/': () => $('query').focus(), n: () => search(1),
    p: () => search(-1), '.': () => near(1), ',': () => near(-1),
    ArrowDown: () => row(1), ArrowUp: () => row(-1), PageDown: () => row(shownRows()), PageUp: () => row(-shownRows())};
  const row = (by) => {
    view.warp = Math.max(0, Math.min(about.warps.length - 1, view.warp + by));
    const at = view.warp + slotRows();
    if (at < view.top || at >= view.top + shownRows()) view.top = Math.max(0, Math.min(rowCount() - shownRows(), at));
    return pick(view.warp, (view.from + view.to) / 2).then((found) => found || draw());
  };
  if (event.key === 'Enter' && event.target === $('picture')) { event.preventDefault(); pick(view.warp, (view.from + view.to) / 2); }
  if (!actions[event.key] || (event.target.tagName === 'BUTTON' && event.key.length > 1)) return;
  event.preventDefault();
  actions[event.key]();
}

function listen() {
  const canvas = $('picture');
  let drag = null;
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    if (event.shiftKey) view.top = Math.max(0, Math.min(rowCount() - shownRows(), view.top + Math.sign(event.deltaY) * 3)), draw();
    else zoom(event.deltaY > 0 ? 1.25 : 0.8, timeOf(event.offsetX));
  }, {passive: false});
  canvas.addEventListener('pointerdown', (event) => {
    drag = {x: event.offsetX, from: view.from, to: view.to, moved: false};
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!drag || (!drag.moved && Math.abs(event.offsetX - drag.x) < 4)) return;
    drag.moved = true;
    const by = (drag.x - event.offsetX) / width() * (drag.to - drag.from);
    look(drag.from + by, drag.to + by);
  });
  canvas.addEventListener('pointerup', (event) => {
    const row = view.top + Math.floor((event.offsetY - AXIS) / rowHeight) - slotRows();
    if (drag && !drag.moved && row >= 0 && row < about.warps.length) pick(row, timeOf(event.offsetX));
    drag = null;
  });
  document.addEventListener('keydown', onKey);
  $('plane').addEventListener('change', () => { view.plane = $('plane').value; showLegend(); draw(); });
  $('next').addEventListener('click', () => search(1));
  $('previous').addEventListener('click', () => search(-1));
  $('in').addEventListener('click', () => zoom(0.5));
  $('out').addEventListener('click', () => zoom(2));
  $('fit').addEventListener('click', () => look(0, about.cycles));
  $('theme').addEventListener('click', () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    makePalette(); showLegend(); draw();
  });
  $('visible').addEventListener('toggle', () => draw());
  addEventListener('resize', () => draw());
}

addEventListener('DOMContentLoaded', async () => {
  readPage();
  about.cores = Math.max(1, ...about.warps.map((core) => core + 1));
  document.title = `${about.title.replace(/.*\//, '')} on ${about.machine}`;
  $('title').textContent = document.title;
  $('about').textContent = `${about.cycles.toLocaleString('en')} cycles, ${about.warps.length.toLocaleString('en')} warps, ` +
    `${about.launches.length} launch${about.launches.length === 1 ? '' : 'es'}: ` +
    `${[...new Set(about.launches.map((launch) => launch.kernel))].slice(0, 6).join(', ')}. ${about.made_by}`;
  makePalette();
  showLegend();
  showSource();
  listen();
  await look(0, about.cycles);
  document.documentElement.dataset.ready = Math.round(performance.now());
});
