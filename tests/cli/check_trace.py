"""Checks a trace strictly by the rules of its format. Prints what it has; exits with 1 at the first broken rule."""
import base64
import json
import re
import sys
import zlib
from collections import Counter


def fail(line, text):
    sys.exit(f"line {line}: {text}")


def konata(lines):
    """Kanata 0004: rows ascend, each has one end, stages are closed, time does not go back."""
    rows, open_stage, ended, retired, time = 0, {}, 0, 0, 0
    if next(lines) != "Kanata\t0004":
        fail(1, "no header")
    for n, line in enumerate(lines, 2):
        f = line.split("\t")
        if f[0] == "C=" and len(f) == 2 and n == 2:
            time = int(f[1])
        elif f[0] == "C" and len(f) == 2:
            if int(f[1]) <= 0:
                fail(n, "time does not advance")
            time += int(f[1])
        elif f[0] == "I" and len(f) == 4:
            if int(f[1]) != rows:
                fail(n, "rows are not dense")
            open_stage[rows] = None
            rows += 1
        elif f[0] == "L" and len(f) == 4:
            if int(f[1]) not in open_stage or f[2] not in "012":
                fail(n, "label of no row")
        elif f[0] == "S" and len(f) == 4:
            if int(f[1]) not in open_stage or not f[3]:
                fail(n, "stage of no row")
            open_stage[int(f[1])] = f[3]
        elif f[0] == "E" and len(f) == 4:
            if open_stage.get(int(f[1])) != f[3]:
                fail(n, "end of a stage that is not open")
            open_stage[int(f[1])] = None
        elif f[0] == "R" and len(f) == 4:
            if open_stage.pop(int(f[1]), "") is not None:
                fail(n, "end of no row, or of one with an open stage")
            if f[3] == "0" and int(f[2]) != retired:
                fail(n, "retirements are not dense")
            retired += f[3] == "0"
            ended += 1
        else:
            fail(n, f"unknown command {line!r}")
    if open_stage:
        fail(n, "rows without an end")
    return {"rows": rows, "retired": retired, "cycles": time}


def jsonl(lines):
    """A header, events with the common members, and the number of events."""
    header = json.loads(next(lines))
    if header["simtlab_trace"] != 1:
        fail(1, "no header")
    kinds, waited, n = {}, 0, 1
    for n, line in enumerate(lines, 2):
        event = json.loads(line)
        if event.get("end"):
            if event["events"] != sum(kinds.values()):
                fail(n, "the number of events is wrong")
            break
        kinds[event["event"]] = kinds.get(event["event"], 0) + 1
        waited += event.get("cycles", 0)
        if event["event"] == "waited" and event["reason"] not in header["stall_reasons"]:
            fail(n, "unknown stall reason")
    else:
        fail(n, "no end")
    if next(lines, None) is not None:
        fail(n, "something follows the end")
    return {**kinds, "slots": waited}


def vcd(lines):
    """Signals are declared once and have values of their width; time ascends."""
    widths, time, pulses, defined = {}, -1, {"executed": 0, "switched": 0}, False
    for n, line in enumerate(lines, 1):
        f = line.split()
        if f[0] == "$var":
            if f[3] in widths:
                fail(n, "a code is used twice")
            widths[f[3]] = (int(f[2]), f[4])
        elif f[0] == "$enddefinitions":
            defined = True
        elif f[0].startswith("$"):
            pass
        elif f[0].startswith("#"):
            if int(f[0][1:]) <= time:
                fail(n, "time does not ascend")
            time = int(f[0][1:])
        elif f[0][0] == "b":
            if not defined or len(f[0]) - 1 > widths[f[1]][0] or set(f[0][1:]) - set("01"):
                fail(n, "wrong value")
        else:
            if f[0][0] not in "01" or widths[f[0][1:]][0] != 1:
                fail(n, "wrong bit")
            if f[0][0] == "1" and widths[f[0][1:]][1] in pulses:
                pulses[widths[f[0][1:]][1]] += 1
    return {"signals": len(widths), **pulses, "cycles": time}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def message(data):
    """The fields of a protocol buffer with varints and texts."""
    at, fields = 0, []
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
            if len(value) != size:
                sys.exit("a field is cut")
        else:
            sys.exit(f"wire type {tag & 7}")
        fields.append((tag >> 3, value))
    return fields


def perfetto(data):
    """Names are defined before use; slices of a track are described, balanced and in order of time."""
    tracks, names, busy, slices, last = set(), set(), {}, 0, 0
    for n, (number, packet) in enumerate(message(data)):
        fields = dict(message(packet))
        if number != 1 or fields[10] != 1 or fields[13] != (2 if n else 1):
            fail(n, "no packet of the sequence")
        if 60 in fields:
            track = dict(message(fields[60]))
            if track[1] in tracks or (5 in track and track[5] not in tracks):
                fail(n, "a track is described twice, or its parent is not")
            tracks.add(track[1])
        if 12 in fields:
            names.add(dict(message(dict(message(fields[12]))[2]))[1])
        if 11 in fields:
            event = dict(message(fields[11]))
            if event[11] not in tracks or fields[8] < last:
                fail(n, "an unknown track, or time goes back")
            last = fields[8]
            if (event[9] == 1) != (event[11] not in busy):
                fail(n, "slices of a track overlap")
            if event[9] == 1:
                if event[10] not in names:
                    fail(n, "an undefined name")
                busy[event[11]] = True
                slices += 1
            else:
                del busy[event[11]]
    if busy:
        fail(n, "slices without an end")
    return {"tracks": len(tracks), "names": len(names), "slices": slices, "cycles": last}


def unpack(text):
    """The bytes of a piece of a page."""
    packed = base64.b64decode(text)
    return zlib.decompress(packed) if packed[0] else packed[1:]


OTHER_SERIES = 3  # than those of stages


class Reader:
    """Bytes and integers of 7 bits a byte."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def word(self):
        """An integer whose first byte tells its length."""
        head = self.data[self.at]
        size = (head & -head).bit_length() or 9
        self.at += size
        value = int.from_bytes(self.data[self.at - min(size, 8):self.at], "little")
        return value if size == 9 else value >> size

    def signed(self):
        return signed(self.number())

    def done(self):
        return self.at == len(self.data)


def numbers(data):
    """All integers of a piece."""
    reader = Reader(data)
    while not reader.done():
        yield reader.number()


def signed(value):
    return -(value + 1) // 2 if value % 2 else value // 2


def rows(reader, count, stages):
    """Instructions: start, warp, code, mask, end, row, cycles in each stage. Each has what its prediction has not."""
    last, follows, mask, how, spent, before = {}, {}, {}, {}, {}, {}
    for _ in range(count):
        flags, warp = reader.byte(), reader.number()
        came = last.get(warp, 0)
        if flags & 1:
            follows[came] = reader.number()
        code = last[warp] = follows.get(came, 0)
        predicted = spent.get(code, [0] * stages)
        length = min(sum(predicted).bit_length(), 31)
        start, row = before.get(length, (0, 0))
        later = signed(flags >> 5 if flags >> 5 < 7 else reader.number())
        start += later
        row += reader.signed() if flags & 16 else later
        before[length] = start, row
        if flags & 2:
            mask[code] = reader.number()
        if flags & 4:
            how[code] = reader.number()
        changed = reader.byte() if flags & 8 else 0
        cycles = [reader.number() if changed >> i & 1 else predicted[i] for i in range(stages)]
        spent[code] = cycles
        yield start, warp, code, mask.get(code, 0), how.get(code, 0), row, cycles


def slots(reader, count):
    """Waits of issue slots: end, core, warp + 1, code, reason, cycles."""
    end = core = warp = 0
    last, follows, reason, cycles = {}, {}, {}, {}
    for _ in range(count):
        flags = reader.byte()
        core = reader.number() if flags & 1 else core
        warp = reader.number() if flags & 2 else warp
        later = reader.signed() if flags >> 6 == 2 else 0
        before = last.get(warp, 0)
        if flags & 4:
            follows[before] = reader.number()
        code = last[warp] = follows.get(before, 0)
        if flags & 8:
            reason[code] = reader.number()
        if flags & 16:
            cycles[code] = reader.number()
        end += later if flags >> 6 else cycles.get(code, 0)
        yield end, core, warp, code, reason.get(code, 0), cycles.get(code, 0)


def differences(reader, lanes):
    """Differences of lanes to the first one, or the place of the same ones."""
    begin, bits = reader.at, reader.byte()
    if bits == 0:
        return differences(Reader(reader.data, begin - reader.word()), lanes)
    size = (lanes * bits + 7) // 8
    packed = int.from_bytes(reader.data[reader.at:reader.at + size], "little")
    reader.at += size
    return [signed(packed >> i * bits & (1 << bits) - 1) for i in range(lanes)]


def lane_values(reader, shape, lanes, bits):
    if shape == 0:
        return None
    first = reader.word()
    step = signed(reader.word()) if shape == 2 else 0
    more = differences(reader, lanes) if shape == 3 else [step * i for i in range(lanes)]
    return [first + difference & (1 << bits) - 1 for difference in more]


def executions(reader, count, about):
    """Executions with data: row, mask, results, addresses."""
    row = mask = 0
    for _ in range(count):
        head = reader.byte()
        row += head >> 5 or reader.signed()
        mask = reader.number() if head & 16 else mask
        lanes = bin(int(about["masks"][mask], 16)).count("1")
        results = lane_values(reader, head & 3, lanes, about["bits"])
        yield row, mask, results, lane_values(reader, head >> 2 & 3, lanes, about["bits"])


def switches(values):
    """Changes of lanes of a piece: time, warp, row of the cause + 1, masks' number, code's number."""
    time = 0
    for i in range(0, len(values), 5):
        time += signed(values[i])
        yield (time, *values[i + 1:i + 5])


def bins_of(begin, end, shift):
    """The bins of cycles, each with how many."""
    while begin < end:
        until = min(end, (begin >> shift) + 1 << shift)
        yield begin >> shift, until - begin
        begin = until


def picture(about, records, level, series):
    """The picture of the stages follows from all records of rows: amounts of the series are exact, and if a warp has one
    instruction at a time, a bin has the category of more than half of its cycles."""
    stages, (shift, categories) = len(about["stages"]), level
    bins, votes, amounts = len(categories) // max(1, len(about["warps"])), {}, Counter()
    for start, warp, _, _, _, _, cycles in records:
        for stage, spent in enumerate(cycles):
            for at, some in bins_of(start, start + spent, shift):
                votes.setdefault((warp, at), [0] * stages)[stage] += some
            if spent:
                for at, some in bins_of(start, start + spent, series[stage + OTHER_SERIES][0]):
                    amounts[stage + OTHER_SERIES, at] += some
            start += spent
    for number, (_, shown) in series.items():
        for at, amount in enumerate(shown):
            if number >= OTHER_SERIES and amount != amounts[number, at]:
                fail(number, f"the series has {amount} in bin {at}, the rows have {amounts[number, at]}")
    left, overlap = {}, set()
    for start, warp, _, _, _, _, cycles in sorted(records):
        overlap |= {warp} if start < left.get(warp, 0) else set()
        left[warp] = start + sum(cycles)
    for (warp, at), vote in votes.items():
        most = max(vote)
        if warp not in overlap and 2 * most > 1 << shift and categories[warp * bins + at] != vote.index(most) + 1:
            fail(warp, f"bin {at} has category {categories[warp * bins + at]}, the rows have {vote}")


def page(text):
    """A page: pieces unpack to their records, within their ranges; the picture has a category per row and bin."""
    about = json.loads(re.search(r'id="description">([^<]*)</script>', text)[1])
    about["masks"] = about["masks"].split(" ")
    stages, found = len(about["stages"]), {"rows": 0, "slots": 0, "valued": 0, "switched": 0}
    levels, finest, all_rows, series = {}, None, [], {}
    for kind, name, rows_in, first, last, data in re.findall(
            r'data-kind="(\w+)" data-name="(\w*)" data-rows="(\d+)" data-first="(\d+)" data-last="(\d+)">([^<]*)<', text):
        raw, rows_in, first, last = unpack(data), int(rows_in), int(first), int(last)
        if kind == "level":
            categories, *runs = numbers(raw)
            most = len(about["reasons"]) if name != "stage" else stages + 1
            if sum(run // categories + 1 for run in runs) % rows_in or categories != most + 1:
                fail(name, "a level has no whole rows, or an unknown category")
            if rows_in != (about["cycles"] - 1 >> first) + 1:
                fail(name, "a level has not a bin per 2^shift cycles")
            levels.setdefault(name, []).append(rows_in)
            if name == "stage" and not finest:
                finest = first, [category for run in runs
                                 for category in [run % categories] * (run // categories + 1)]
            continue
        reader = Reader(raw)
        if kind == "series":
            series[int(name)] = first, list(numbers(raw))
            if len(series[int(name)][1]) != rows_in:
                fail(name, "a series has not a number per bin")
            continue
        if kind == "values":
            found["valued"] += len(list(executions(reader, rows_in, about)))
            times, codes = [], []
        elif kind == "switches":
            changes = list(switches(list(numbers(raw))))
            reader.at = len(raw) if len(changes) == rows_in else 0
            times, codes = [(change[0], change[0]) for change in changes], [change[4] for change in changes]
            if any(change[1] >= len(about["warps"]) for change in changes):
                fail(kind, "a record of no warp")
            found["switched"] += rows_in
        elif kind == "rows":
            records = list(rows(reader, rows_in, stages))
            times, codes = [(r[0], r[0] + sum(r[6])) for r in records], [r[2] for r in records]
            found["rows"] += rows_in
            all_rows += records
        else:
            records = list(slots(reader, rows_in))
            times, codes = [(r[0] - r[5], r[0]) for r in records], [r[3] for r in records]
        if not reader.done():
            fail(kind, "a record has another length")
        if any(not first <= begin <= end <= last for begin, end in times):
            fail(kind, "a record is not in its piece's range")
        if any(code >= len(about["code"]) for code in codes):
            fail(kind, "a record of no code")
    if sorted(levels) != ["reason", "slot", "stage"]:
        fail(sorted(levels), "a plane of the picture is missing")
    if about["details"] == about["cycles"]:
        picture(about, all_rows, finest, series)
    found["executed"] = sum(code[5] for code in about["code"])
    found["slots"] = sum(sum(code[7]) for code in about["code"])
    found["cycles"] = about["cycles"]
    return found


def main():
    form, path = sys.argv[1:]
    if form == "perfetto":
        with open(path, "rb") as file:
            found = perfetto(file.read())
    elif form == "html":
        with open(path, encoding="utf-8") as file:
            found = page(file.read())
    else:
        with open(path, encoding="utf-8") as file:
            found = {"konata": konata, "json": jsonl, "vcd": vcd}[form](line.rstrip("\n") for line in file)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
