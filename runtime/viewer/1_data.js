// Data of the page: pieces that are unpacked when they are needed. trace_html.c writes them and describes the records.
const $ = (id) => document.getElementById(id);
let about, pieces, levels, series;

async function unpack(element) {
  const text = atob(element.textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Integers of 7 bits a byte. Numbers above 2^53 are read as BigInt.
class Reader {
  constructor(bytes) { this.bytes = bytes; this.at = 0; }
  number() {
    let value = 0, factor = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  }
  signed() {
    const value = this.number();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
  big() {
    let value = 0n, shift = 0n, byte;
    do {
      byte = this.bytes[this.at++];
      value |= BigInt(byte & 127) << shift;
      shift += 7n;
    } while (byte > 127);
    return value;
  }
  bigSigned() {
    const value = this.big();
    return value & 1n ? ~(value >> 1n) : value >> 1n;
  }
  skip(count) {
    while (count > 0) if (this.bytes[this.at++] < 128) count--;
  }
}

function decodeRows(bytes, count) {
  const stages = about.stages.length, reader = new Reader(bytes);
  const rows = {
    count, start: new Float64Array(count), warp: new Uint32Array(count), code: new Uint32Array(count),
    mask: new Uint32Array(count), how: new Uint8Array(count), row: new Float64Array(count),
    spent: new Uint32Array(count * stages), end: new Float64Array(count)};
  let start = 0, row = 0;
  for (let i = 0; i < count; i++) {
    start += reader.signed();
    rows.start[i] = start;
    rows.warp[i] = reader.number();
    rows.code[i] = reader.number();
    rows.mask[i] = reader.number();
    rows.how[i] = reader.number();
    row += reader.signed();
    rows.row[i] = row;
    let end = start;
    for (let s = 0; s < stages; s++) end += rows.spent[i * stages + s] = reader.number();
    rows.end[i] = end;
  }
  return rows;
}

function decodeSlots(bytes, count) {
  const reader = new Reader(bytes);
  const slots = {count, end: new Float64Array(count), core: new Uint32Array(count), warp: new Uint32Array(count),
    code: new Uint32Array(count), reason: new Uint8Array(count), cycles: new Float64Array(count)};
  let end = 0;
  for (let i = 0; i < count; i++) {
    end += reader.signed();
    slots.end[i] = end;
    slots.core[i] = reader.number();
    slots.warp[i] = reader.number();
    slots.code[i] = reader.number();
    slots.reason[i] = reader.number();
    slots.cycles[i] = reader.number();
  }
  return slots;
}

function decodeSwitches(bytes, count) {
  const reader = new Reader(bytes);
  const switches = {count, time: new Float64Array(count), warp: new Uint32Array(count), row: new Float64Array(count),
    mask: new Uint32Array(count), code: new Uint32Array(count)};
  let time = 0;
  for (let i = 0; i < count; i++) {
    time += reader.signed();
    switches.time[i] = time;
    switches.warp[i] = reader.number();
    switches.row[i] = reader.number() - 1; // -1: no instruction causes it
    switches.mask[i] = reader.number();
    switches.code[i] = reader.number();
  }
  return switches;
}

const decoders = {rows: decodeRows, slots: decodeSlots, switches: decodeSwitches, values: (bytes) => bytes};
const KEPT = 24; // unpacked pieces; the oldest goes first
const kept = [];

async function load(piece) {
  if (!piece.data) {
    piece.data = decoders[piece.kind](await unpack(piece.element), piece.rows);
    kept.push(piece);
    if (kept.length > KEPT) kept.shift().data = null;
  }
  return piece.data;
}

const inRange = (kind, from, to) => pieces[kind].filter((piece) => piece.first < to && piece.last >= from);

const lanesOf = (mask) => {
  const lanes = [], bits = BigInt('0x' + about.masks[mask]);
  for (let i = 0; i < 64; i++) if (bits >> BigInt(i) & 1n) lanes.push(i);
  return lanes;
};

function readValues(reader, lanes) {
  const kind = reader.number(), values = [];
  if (kind === 0) return null;
  if (kind === 3) {
    let value = 0n;
    for (const lane of lanes) values.push(value = BigInt.asUintN(64, value + reader.bigSigned()));
    return values;
  }
  const first = reader.big(), step = kind === 2 ? reader.bigSigned() : 0n;
  for (const lane of lanes) values.push(BigInt.asUintN(64, first + step * BigInt(lane - lanes[0])));
  return values;
}

function skipValues(reader, lanes) {
  const kind = reader.number();
  reader.skip(kind === 3 ? lanes : kind);
}

// The results and addresses of an instruction; null: the trace has none.
async function valuesOf(row, start, end) {
  for (const piece of inRange('values', start, end + 1)) {
    const reader = new Reader(await load(piece));
    let at = 0;
    for (let i = 0; i < piece.rows; i++) {
      at += reader.signed();
      const mask = reader.number();
      if (at === row) {
        const lanes = lanesOf(mask);
        return {lanes, results: readValues(reader, lanes), addresses: readValues(reader, lanes)};
      }
      const count = about.laneCount[mask];
      skipValues(reader, count);
      skipValues(reader, count);
    }
  }
  return null;
}

// The changes of lanes that an instruction causes.
async function switchesOf(row, start, end) {
  const found = [];
  for (const piece of inRange('switches', start, end + 1)) {
    const switches = await load(piece);
    for (let i = 0; i < switches.count; i++)
      if (switches.row[i] === row) found.push({mask: switches.mask[i], code: switches.code[i]});
  }
  return found;
}

function readPage() {
  about = JSON.parse($('description').textContent);
  about.laneCount = about.masks.map((mask) => [...BigInt('0x' + mask).toString(2)].filter((bit) => bit === '1').length);
  pieces = {rows: [], values: [], slots: [], switches: []};
  levels = {stage: [], reason: [], slot: []};
  series = [];
  for (const element of document.querySelectorAll('script[data-kind]')) {
    const data = element.dataset;
    const piece = {element, kind: data.kind, rows: Number(data.rows), first: Number(data.first), last: Number(data.last)};
    if (piece.kind === 'level') levels[data.name].push({...piece, shift: piece.first});
    else if (piece.kind === 'series') series.push({...piece, shift: piece.first, ...about.series[Number(data.name)]});
    else pieces[piece.kind].push(piece);
  }
}

async function loadLevel(level) {
  if (!level.data) level.data = await unpack(level.element);
  return level.data;
}

async function loadSeries(one) {
  if (one.data) return one;
  const reader = new Reader(await unpack(one.element));
  one.data = new Float64Array(one.rows);
  for (let i = 0; i < one.rows; i++) one.data[i] = reader.number();
  one.total = one.data.reduce((sum, value) => sum + value, 0);
  return one;
}
