"""usage: same_trace.py PART ALL KIND. Both have the same events; KIND part: but for the first and last cycles of PART."""

import json, sys

lines = [[json.loads(line) for line in open(path)] for path in sys.argv[1:3]]
part, whole = [[e for e in of if e.get("event") in ("fetched", "executed", "retired")] for of in lines]
assert part, "no events"
if sys.argv[3] == "whole":
    waits = [sum(e["cycles"] for e in of if e.get("event") == "waited") for of in lines]
    assert part == whole and waits[0] == waits[1] > 0, (len(part), len(whole), waits)
else:
    time = lambda e: (e["launch"], e["cycle"])
    first, last = time(part[0]), time(part[-1])
    within = [e for e in whole if first < time(e) < last]
    assert 0 < len(within) < len(whole)
    assert [e for e in part if first < time(e) < last] == within, (first, last, len(part), len(within))
