"""usage: page_events.py PAGE EVENTS: the page has the instructions, values and slots of the events (JSON) of one run of
one launch. Machines may tell a page more than an event at a time, and late; events come one by one."""

import json, re, sys
from collections import Counter

import check_trace

ENDS = {"retired": 0, "retried": 1, "flushed": 2, "aborted": 3}
CUT = 4


def of_events(lines):
    """Instructions as (begin, warp, pc, mask, end, cycles in each stage), and cycles of slots."""
    head, *lines = [json.loads(line) for line in lines]
    insn, slots, last = {}, Counter(), 0
    for e in lines[:-1]:
        last = max(last, e["cycle"])
        if e["event"] == "waited" and e["cycles"] > 0:
            for cycle in range(e["cycle"] - e["cycles"] + 1, e["cycle"] + 1):
                slots[cycle, e["core"], head["stall_reasons"].index(e["reason"])] += 1
        if not e.get("id"):
            continue
        if e["event"] == "fetched":
            insn[e["id"]] = {"at": e, "stages": [(0, e["cycle"])], "mask": 0, "end": CUT, "left": None}
        elif e["id"] in insn:
            one = insn[e["id"]]
            if e["event"] in ("issued", "staged") and e["stage"] > one["stages"][-1][0]:
                one["stages"].append((e["stage"], e["cycle"]))
            elif e["event"] == "executed":
                one["mask"] = int(e["active"], 16)
            elif e["event"] in ENDS:
                one["end"], one["left"] = ENDS[e["event"]], e["cycle"]
    found = Counter()
    for one in insn.values():
        spent = [0] * len(head["stages"])
        times = one["stages"] + [(None, last if one["left"] is None else one["left"])]
        for (stage, begin), (_, end) in zip(times, times[1:]):
            spent[stage] = end - begin
        found[one["at"]["cycle"], one["at"]["warp"], one["at"]["pc"], one["mask"], one["end"], tuple(spent)] += 1
    return found, slots


def of_page(text):
    about = json.loads(re.search(r'id="description">([^<]*)</script>', text)[1])
    stages, masks = len(about["stages"]), [int(mask, 16) for mask in about["masks"].split()]
    found, slots, rows, valued = Counter(), Counter(), set(), set()
    for kind, count, data in re.findall(r'data-kind="(\w+)" data-name="" data-rows="(\d+)"[^>]*>([^<]*)<', text):
        reader = check_trace.Reader(check_trace.unpack(data))
        if kind == "rows":
            for start, warp, code, mask, how, row, cycles in check_trace.rows(reader, int(count), stages):
                found[start, warp, about["code"][code][0], masks[mask], how & 7, tuple(cycles)] += 1
                rows.add(row)
                if how & 8:  # the cycle after its first stage, in its core's slot
                    slots[start + cycles[0], about["warps"][warp], about["retried"] if how & 7 == 1 else 0] += 1
        elif kind == "slots":
            for end, core, _, _, reason, cycles in check_trace.slots(reader, int(count)):
                for cycle in range(end - cycles, end):
                    slots[cycle, core, reason] += 1
        elif kind == "values":
            about["masks"] = about["masks"] if isinstance(about["masks"], list) else about["masks"].split()
            valued |= {record[0] for record in check_trace.executions(reader, int(count), about)}
    assert len(rows) == sum(found.values()), "two instructions have one number"
    assert valued <= rows, "values of no instruction"
    return found, slots


def main():
    page, events = of_page(open(sys.argv[1]).read()), of_events(open(sys.argv[2]).read().splitlines())
    for name, a, b in zip(("instructions", "slots"), page, events):
        more, less = sorted((a - b).items())[:3], sorted((b - a).items())[:3]
        assert not more and not less, f"{name}: only the page has {more}, only the events have {less}"
        assert sum(a.values()) > 500, f"only {sum(a.values())} {name}"


main()
