// Data of the page: pieces that are unpacked when they are needed. trace_html.c writes them and describes the records.
const $ = (id) => document.getElementById(id);
let about, pieces, levels, series;

async function unpack(element) {
  const text = atob(element.textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  if (bytes[0] === 0) return bytes.subarray(1); // else deflated
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Integers of 7 bits a byte, and words.
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
  signed() { return zigzag(this.number()); }
  // A word (trace_values.h), as BigInt.
  word() {
    const size = this.wordSize(), end = this.at += size;
    let value = 0n;
    for (let k = 1; k <= Math.min(size, 8); k++) value = value << 8n | BigInt(this.bytes[end - k]);
    return size > 8 ? value : value >> BigInt(size);
  }
  signedWord() {
    const value = this.word();
    return value & 1n ? ~(value >> 1n) : value >> 1n;
  }
  wordSize() {
    const first = this.bytes[this.at];
    return first ? 32 - Math.clz32(first & -first) : 9;
  }
  skipWords(count) {
    for (; count > 0; count--) this.at += this.wordSize();
  }
}

const zigzag = (value) => value % 2 ? -(value + 1) / 2 : value / 2;

// How an instruction ends (enum sl_trace_end).
const RETRIED = 1;

// Records have what differs from the last record of the warp and code (trace_rows.h).
// slot: 1 + the reason of the cycle after the first stage in its core's issue slot; 0: that has a record of its own.
function decodeRows(bytes, count) {
  const stages = about.stages.length, reader = new Reader(bytes);
  const rows = {
    count, start: new Float64Array(count), warp: new Uint32Array(count), code: new Uint32Array(count),
    mask: new Uint32Array(count), how: new Uint8Array(count), slot: new Uint8Array(count), row: new Float64Array(count),
    spent: new Uint32Array(count * stages), end: new Float64Array(count)};
  const codes = about.code.length, next = new Uint32Array(codes), mask = new Uint32Array(codes);
  const how = new Uint8Array(codes), spent = new Uint32Array(codes * stages), last = [];
  const length = new Uint8Array(codes), starts = new Float64Array(32), numbers = new Float64Array(32);
  for (let i = 0; i < count; i++) {
    const flags = bytes[reader.at++], warp = reader.number();
    const before = last[warp] ?? 0;
    if (flags & 1) next[before] = reader.number();
    const code = next[before], same = length[code];
    last[warp] = code;
    const later = zigzag(flags >> 5 < 7 ? flags >> 5 : reader.number());
    const start = starts[same] += later;
    const row = numbers[same] += flags & 16 ? reader.signed() : later;
    if (flags & 2) mask[code] = reader.number();
    if (flags & 4) how[code] = reader.number();
    const changed = flags & 8 ? bytes[reader.at++] : 0;
    let end = start;
    for (let s = 0; s < stages; s++) {
      if (changed >> s & 1) spent[code * stages + s] = reader.number();
      end += rows.spent[i * stages + s] = spent[code * stages + s];
    }
    length[code] = Math.min(32 - Math.clz32(Math.min(end - start, 2 ** 31)), 31);
    rows.start[i] = start;
    rows.end[i] = end;
    rows.row[i] = row;
    rows.warp[i] = warp;
    rows.code[i] = code;
    rows.mask[i] = mask[code];
    rows.how[i] = how[code] & 7;
    if (how[code] & 8) rows.slot[i] = (rows.how[i] === RETRIED ? about.retried : 0) + 1;
  }
  return rows;
}

function decodeSlots(bytes, count) {
  const reader = new Reader(bytes);
  const slots = {count, end: new Float64Array(count), core: new Uint32Array(count), warp: new Uint32Array(count),
    code: new Uint32Array(count), reason: new Uint8Array(count), cycles: new Float64Array(count)};
  const codes = about.code.length, next = new Uint32Array(codes), reason = new Uint8Array(codes);
  const cycles = new Float64Array(codes), last = [];
  let end = 0, core = 0, warp = 0;
  for (let i = 0; i < count; i++) {
    const flags = bytes[reader.at++];
    if (flags & 1) core = reader.number();
    if (flags & 2) warp = reader.number();
    const later = flags >> 6 === 2 ? reader.signed() : 0;
    const before = last[warp] ?? 0;
    if (flags & 4) next[before] = reader.number();
    const code = next[before];
    last[warp] = code;
    if (flags & 8) reason[code] = reader.number();
    if (flags & 16) cycles[code] = reader.number();
    end += flags >> 6 === 0 ? cycles[code] : later;
    slots.end[i] = end;
    slots.core[i] = core;
    slots.warp[i] = warp;
    slots.code[i] = code;
    slots.reason[i] = reason[code];
    slots.cycles[i] = cycles[code];
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

const bytesOf = (bits, count) => Math.ceil(count * bits / 8);

// The lanes' differences to the first value, or the place of the same ones.
function readDifferences(reader, count) {
  const from = reader.at, bits = reader.bytes[reader.at++];
  if (bits === 0) {
    const again = new Reader(reader.bytes);
    again.at = from - Number(reader.word());
    return readDifferences(again, count);
  }
  const mask = (1n << BigInt(bits)) - 1n, differences = [];
  for (let i = 0; i < count; i++) {
    const at = reader.at + Math.floor(i * bits / 8), end = reader.at + bytesOf(bits, i + 1);
    let value = 0n;
    for (let k = end; k-- > at;) value = value << 8n | BigInt(reader.bytes[k]);
    value = value >> BigInt(i * bits % 8) & mask;
    differences.push(value & 1n ? ~(value >> 1n) : value >> 1n);
  }
  reader.at += bytesOf(bits, count);
  return differences;
}

// Values of the active lanes, of a shape of trace_values.h.
function readValues(reader, shape, count) {
  if (shape === 0) return null;
  const first = reader.word(), step = shape === 2 ? reader.signedWord() : 0n;
  const differences = shape === 3 ? readDifferences(reader, count)
    : Array.from({length: count}, (_, i) => step * BigInt(i));
  return differences.map((difference) => BigInt.asUintN(about.bits, first + difference));
}

function skipValues(reader, shape, count) {
  reader.skipWords(shape < 3 ? shape : 1);
  if (shape < 3) return;
  const bits = reader.bytes[reader.at++];
  if (bits === 0) reader.skipWords(1);
  else reader.at += bytesOf(bits, count);
}

// The results and addresses of an instruction; null: the trace has none.
async function valuesOf(row, start, end) {
  for (const piece of inRange('values', start, end + 1)) {
    const reader = new Reader(await load(piece));
    let at = 0, mask = 0;
    for (let i = 0; i < piece.rows; i++) {
      const head = reader.bytes[reader.at++], results = head & 3, addresses = head >> 2 & 3;
      at += head >> 5 || reader.signed();
      if (head & 16) mask = reader.number();
      const count = about.laneCount[mask];
      if (at === row)
        return {lanes: lanesOf(mask), results: readValues(reader, results, count), addresses: readValues(reader, addresses, count)};
      skipValues(reader, results, count);
      skipValues(reader, addresses, count);
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
  about.masks = about.masks.split(' ').filter((mask) => mask);
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

// A category per bin, a row after another.
async function loadLevel(level) {
  if (level.data) return level.data;
  const reader = new Reader(await unpack(level.element)), categories = reader.number(), runs = [];
  let bins = 0;
  while (reader.at < reader.bytes.length) {
    const run = reader.number();
    runs.push(run);
    bins += Math.floor(run / categories) + 1;
  }
  level.data = new Uint8Array(bins);
  let at = 0;
  for (const run of runs) level.data.fill(run % categories, at, at += Math.floor(run / categories) + 1);
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
