"""compare.py SOURCE SENTENCES: the findings name exactly the lines of the source that end in '// KIND'.

For a race all lines must be named and no others; other kinds may name further lines, which explain them."""
import os
import re
import sys

KINDS = ('race|uninitialised read|uninitialised register|out of bounds|null pointer|misaligned access|use after free|'
         'barrier divergence|barrier mismatch|barrier deadlock|wrong mask|SIMT deadlock|leak|fault')

source, sentences = sys.argv[1:]
wanted, found = {}, {}
with open(source) as lines:
    for number, line in enumerate(lines, 1):
        if mark := re.search(rf'// ({KINDS})$', line.rstrip()):
            wanted.setdefault(mark[1], set()).add(number)
place = re.escape(os.path.basename(source)) + r':(\d+)'
with open(sentences) as lines:
    for line in lines:
        if finding := re.match(rf'simtlab: ({KINDS}): (.*)', line):
            found.setdefault(finding[1], set()).update(int(n) for n in re.findall(place, finding[2]))
wrong = set(wanted) ^ set(found)
wrong |= {kind for kind in wanted if kind in found and not wanted[kind] <= found[kind]}
wrong |= {'race'} if wanted.get('race', set()) != found.get('race', set()) else set()
if wrong:
    sys.exit(f'{os.path.basename(source)}: wanted {wanted}, found {found}')
