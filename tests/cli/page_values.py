"""usage: page_values.py PAGE COMMITS: the page of a run on SIMTight has the results of the run's commit trace, and the
addresses that follow from the registers in it. The stacks of a warp's lanes are interleaved, so addresses above STACKS
are others."""

import json, re, sys

import check_trace

STACKS = 0xf0000000


def of_page(text):
    """Executions by (cycle, warp): pc, lanes, results and addresses of active lanes."""
    about = json.loads(re.search(r'id="description">([^<]*)</script>', text)[1])
    about["masks"] = about["masks"].split()
    place, data = {}, {}
    for kind, count, piece in re.findall(r'data-kind="(\w+)" data-name="" data-rows="(\d+)"[^>]*>([^<]*)<', text):
        reader = check_trace.Reader(check_trace.unpack(piece))
        if kind == "rows":
            for start, warp, code, _, _, row, cycles in check_trace.rows(reader, int(count), len(about["stages"])):
                place[row] = start + cycles[0], warp, about["code"][code][0]
        elif kind == "values":
            for row, mask, results, addresses in check_trace.executions(reader, int(count), about):
                data[row] = int(about["masks"][mask], 16), results, addresses
    return {place[row][:2]: (place[row][2], *data[row]) for row in data}


def main():
    page, registers, results, addresses = of_page(open(sys.argv[1]).read()), {}, 0, 0
    for line in open(sys.argv[2]):
        field = re.match(r"(\d+) (\d+) (\w+) (\w+) ([^=]*?)(?: (\w+)=(\S+))?$", line)
        if not field:
            continue
        cycle, warp, lanes, pc = int(field[1]), int(field[2]), int(field[3], 16), int(field[4], 16)
        active = [lane for lane in range(64) if lanes >> lane & 1]
        shown = page.pop((cycle, warp), (pc, lanes, None, None))
        assert shown[:2] == (pc, lanes), f"{line[:60]}: the page has {shown[:2]}"
        access = re.search(r"(-?\d+)\((\w+)\)", field[5])
        if access:
            known = [0 if access[2] == "zero" else registers.get((warp, lane, access[2])) for lane in active]
            expected = [base if base is None else base + int(access[1]) & 0xffffffff for base in known]
            expected = [None if address is None or address >= STACKS else address for address in expected]
            assert len(shown[3]) == len(active), f"{line[:60]}: the page has {shown[3]}"
            assert all(b in (a, None) for a, b in zip(shown[3], expected)), f"{line[:60]}: the page has {shown[3]}"
            addresses += sum(address is not None for address in expected)
        else:
            assert shown[3] is None, f"{line[:60]}: the page has addresses"
        values = [int(value, 16) for value in field[7].split(",")] if field[7] else None
        assert shown[2] == values, f"{line[:60]}: the page has {shown[2]}"
        registers.update({(warp, lane, field[6]): value for lane, value in zip(active, values or [])})
        results += values is not None
    assert not page, f"only the page has {list(page.items())[:3]}"
    assert results > 1000 and addresses > 1000, (results, addresses)


main()
