"""Checks a trace strictly by the rules of its format. Prints what it has; exits with 1 at the first broken rule."""
import base64
import json
import re
import sys
import zlib


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


def numbers(data):
    """Integers of 7 bits a byte."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def signed(value):
    return -(value + 1) // 2 if value % 2 else value // 2


def switches(values):
    """Changes of lanes of a piece: time, warp, row of the cause + 1, masks' number, code's number."""
    time = 0
    for i in range(0, len(values), 5):
        time += signed(values[i])
        yield (time, *values[i + 1:i + 5])


def page(text):
    """A page: pieces unpack to their records, within their ranges; the picture has a category per row and bin."""
    about = json.loads(re.search(r'id="description">([^<]*)</script>', text)[1])
    stages, found = len(about["stages"]), {"rows": 0, "slots": 0, "valued": 0, "switched": 0}
    levels = {}
    for kind, name, rows, first, last, data in re.findall(
            r'data-kind="(\w+)" data-name="(\w*)" data-rows="(\d+)" data-first="(\d+)" data-last="(\d+)">([^<]*)<', text):
        raw, rows, first, last = zlib.decompress(base64.b64decode(data)), int(rows), int(first), int(last)
        if kind == "level":
            if len(raw) % rows or max(raw, default=0) > max(stages + 1, len(about["reasons"])):
                fail(name, "a level has no whole rows, or an unknown category")
            if rows != (about["cycles"] - 1 >> first) + 1:
                fail(name, "a level has not a bin per 2^shift cycles")
            levels.setdefault(name, []).append(rows)
            continue
        values = list(numbers(raw))
        if kind == "series":
            if len(values) != rows:
                fail(name, "a series has not a number per bin")
        elif kind == "values":
            found["valued"] += rows
        elif kind == "switches":
            changes = list(switches(values))
            if len(values) != 5 * rows or any(not first <= change[0] <= last for change in changes):
                fail(kind, "a record has another length, or is not in its piece's range")
            if any(change[1] >= len(about["warps"]) for change in changes):
                fail(kind, "a record of no warp")
            found["switched"] += rows
        else:
            width = 6 + stages if kind == "rows" else 6
            if len(values) != rows * width:
                fail(kind, "a record has another length")
            time = 0
            for i in range(0, len(values), width):
                time += signed(values[i])
                end = time + sum(values[i + 6:i + width]) if kind == "rows" else time
                begin = time if kind == "rows" else time - values[i + 5]
                if not first <= begin <= end <= last:
                    fail(kind, "a record is not in its piece's range")
                if values[i + 3 if kind == "slots" else i + 2] >= len(about["code"]):
                    fail(kind, "a record of no code")
            found["rows"] += rows if kind == "rows" else 0
    if sorted(levels) != ["reason", "slot", "stage"]:
        fail(sorted(levels), "a plane of the picture is missing")
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
