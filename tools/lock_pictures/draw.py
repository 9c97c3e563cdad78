"""Draws which lanes of a warp run while they take a lock: draw.py TRACE.json SOURCE.c LANES TITLE >PICTURE.svg

A column is an instruction of the lines of SOURCE.c from TAKE to RELEASE, a row a lane. The trace is one of `simtlab trace`.
"""
import json
import re
import sys

STEP, ROW, LEFT, TOP, COLUMNS = 8, 18, 62, 30, 88
KINDS = {"TAKE": ("take", "tries to take the lock"), "HOLD": ("hold", "has it"), "RELEASE": ("free", "releases it")}
STYLE = """
.paper { fill: #ffffff } text { fill: #1a1a1a; font: 12px sans-serif } .title { font-weight: bold } .line { stroke: #999999 }
.take { fill: #6f9bd8 } .hold { fill: #d98200 } .free { fill: #2e8b3d } .yield { fill: #7a4fb5 }
@media (prefers-color-scheme: dark) {
  .paper { fill: #161616 } text { fill: #e6e6e6 } .line { stroke: #666666 }
  .take { fill: #7fb5ff } .hold { fill: #ffb562 } .free { fill: #7fd98b } .yield { fill: #c9a6ff }
}
"""


def lines_of(source):
    kinds = {}
    for number, line in enumerate(open(source), 1):
        mark = re.search(r"// (TAKE|HOLD|RELEASE)\b", line)
        if mark:
            kinds[number] = KINDS[mark.group(1)][0]
    return kinds


def steps_of(trace, kinds, name):
    """The instructions of the marked lines, and the lane masks that execute them."""
    steps = []
    for line in open(trace):
        event = json.loads(line)
        place = re.search(re.escape(name) + r":(\d+)", event.get("source", ""))
        if event.get("event") != "executed" or not place or int(place.group(1)) not in kinds:
            continue
        yields = event["instruction"].startswith("vx_yield")
        steps.append((int(event["active"], 16), "yield" if yields else kinds[int(place.group(1))]))
    return steps


def row(lane, steps):
    top = TOP + lane * ROW
    last = max((i for i, (mask, _) in enumerate(steps) if mask >> lane & 1), default=-1)
    ends = last >= 0 and steps[last][1] == "free"
    end = last + 1 if ends else len(steps)
    yield f'<text x="8" y="{top + 13}">lane {lane}</text>'
    yield f'<path class="line" d="M{LEFT} {top + 9}h{end * STEP}"/>'
    for i, (mask, kind) in enumerate(steps):
        if mask >> lane & 1:
            yield f'<rect class="{kind}" x="{LEFT + i * STEP}" y="{top + 2}" width="{STEP - 1}" height="{ROW - 4}"/>'


def legend(top, steps):
    x = LEFT
    used = {kind for _, kind in steps}
    for kind, words in [*KINDS.values(), ("yield", "yields")]:
        if kind in used:
            yield f'<rect class="{kind}" x="{x}" y="{top + 4}" width="{STEP}" height="12"/>'
            yield f'<text x="{x + 14}" y="{top + 14}">{words}</text>'
            x += 34 + 6.4 * len(words)
    yield f'<path class="line" d="M{x} {top + 10}h14"/><text x="{x + 20}" y="{top + 14}">waits</text>'


def main():
    trace, source, lanes, title = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    steps = steps_of(trace, lines_of(source), source.rsplit("/", 1)[-1])
    if not steps:
        sys.exit(f"{trace}: no instruction of the marked lines of {source}; compile it with -g")
    more = len(steps) > COLUMNS
    steps = steps[:COLUMNS]
    width, height = LEFT + COLUMNS * STEP + 20, TOP + lanes * ROW + 28
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">')
    print(f"<title>{title}</title><style>{STYLE}</style>")
    print(f'<rect class="paper" width="{width}" height="{height}"/><text class="title" x="8" y="18">{title}</text>')
    for lane in range(lanes):
        print("\n".join(row(lane, steps)))
    if more:
        print(f'<text x="{LEFT + COLUMNS * STEP + 3}" y="{TOP + lanes * ROW // 2 + 4}">…</text>')
    print("\n".join(legend(TOP + lanes * ROW + 4, steps)))
    print("</svg>")


main()
