# Colours of stall reasons on pages: the colours of every machine are distinguishable for normal, protanopic and
# deuteranopic vision, from each other and from the background, on light and dark displays.
. "$(dirname "$0")/_lib.sh"
expect 0 "$SIMTLAB" profile -q --html "$work/p.html" "$BUILD/bench/VecAdd.elf"
python3 - "$work/p.html" "$SOURCE" >"$work/out" 2>"$work/err" <<'P' || complain "$(cat "$work/out")"
import itertools, math, re, sys
page, source = open(sys.argv[1]).read(), sys.argv[2]
style = page[page.index('<style>'):page.index('</style>')]
kinds = re.search(r'enum sl_stall_reason_kind \{(.*?)SL_STALL_REASON_KINDS', open(source + '/src/machine/machine.h').read(), re.S)[1]
kinds = re.findall(r'SL_STALL_REASON_(\w+),', kinds)
striped = {int(k) for k in re.findall(r'\.k(\d+)\{background:repeating', style)}

# Linear RGB as a dichromat has it: Machado, Oliveira, Fernandes, "A physiologically-based model for simulation of color
# vision deficiency", 2009, severity 1.
vision = {
    'full': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    'protanope': [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    'deuteranope': [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]}
def linear(colour):
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for c in (int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5))]
def lab(rgb):
    f = lambda t: t ** (1 / 3) if t > 216 / 24389 else t * 841 / 108 + 4 / 29
    x, y, z = (f(sum(a * b for a, b in zip(row, rgb)) / white) for row, white in (
        ((0.4124, 0.3576, 0.1805), 0.9505), ((0.2126, 0.7152, 0.0722), 1), ((0.0193, 0.1192, 0.9505), 1.089)))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
def seen(colour, how):
    return lab([min(1, max(0, sum(a * b for a, b in zip(row, linear(colour))))) for row in vision[how]])
def luminance(colour):
    return sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear(colour)))

roots = re.findall(r':root\{(--k0[^}]*)\}', style)
papers = re.findall(r'--paper:(#[0-9a-f]+)', style)
assert len(roots) == len(papers) == 2
themes = {theme: dict(re.findall(r'--([kr]\d+):(#[0-9a-f]{6})', root)) for theme, root in zip(('light', 'dark'), roots)}
for theme, paper in zip(themes, papers):
    themes[theme]['paper'] = paper if len(paper) == 7 else '#' + ''.join(2 * c for c in paper[1:])
wrong = []
for theme, colours in themes.items():
    assert len([k for k in colours if k[0] == 'k']) == len(kinds) and len([k for k in colours if k[0] == 'r']) == 3, colours
    for machine in 'simtight', 'simty', 'vortex':
        rows = open('%s/src/machine/%s/%s_stall_reasons.def' % (source, machine, machine)).read()
        own = [kinds.index(k) for k in re.findall(r'^CAUSE\(\w+, "\w+", (\w+),', rows, re.M)]
        assert len(own) > 8 and len(set(own)) == len(own), own
        for a, b in itertools.combinations(own, 2):
            if (a in striped) != (b in striped):
                continue
            for how in vision:
                apart = math.dist(seen(colours['k%d' % a], how), seen(colours['k%d' % b], how))
                if apart < 20:
                    wrong.append('%s, %s: %s and %s are %.1f apart to a %s' % (machine, theme, kinds[a], kinds[b], apart, how))
    for name, colour in colours.items():
        low, high = sorted((luminance(colour), luminance(colours['paper'])))
        if name != 'paper' and (high + 0.05) / (low + 0.05) < 1.3:
            wrong.append('%s: %s does not stand out' % (theme, name))
print('\n'.join(wrong))
sys.exit(bool(wrong))
P
finish
