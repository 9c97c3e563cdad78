# Names of files, symbols and sources: simtlab prints no control characters of names to a terminal, and all output
# formats stay valid.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
esc=$(printf '\033')
name=$(printf 'k\033[31m\377\302\233.c')
cat >plain.c <<'C'
#include <simt.h>
SIMT_KERNEL(red, (int *, a))
{
  a[threadIdx.x] = (int)threadIdx.x; /* ESC[31m */
}
int main(void)
{
  int *a = simt_alloc(128 * sizeof *a);
  return simt_launch(red, dim3(1), dim3(128), .a = a) != SIMT_OK;
}
C
sed "s/ESC/$esc/" plain.c >"$name"
expect 0 "$SIMTLAB" cc -o named.elf "$name"
# A symbol that no compiler makes: a changed kernel name in the string table.
python3 -c "
data = open('named.elf', 'rb').read()
open('named.elf', 'wb').write(data.replace(b'red\0', b'\x1b[m\0').replace(b'red_kernel', b'\x1b[m_kernel'))"
mv named.elf "$(printf 'n\033]0;x\007.elf')"
program=$(printf 'n\033]0;x\007.elf')

# clean FILE: FILE has no control characters except newlines and tabs, and is valid UTF-8.
clean() {
  python3 - "$1" <<'P' || complain "$1 has control characters or invalid UTF-8"
import sys
text = open(sys.argv[1], 'rb').read().decode()
assert not [c for c in text if (ord(c) < 32 and c not in '\n\t') or 127 <= ord(c) < 160]
P
}

for how in "run" "profile --all" "compare -n 5 -m simtight" "disasm" "run -c 1" "run -m vortex" "linear" "run --stast"; do
  command="$how"
  # shellcheck disable=SC2086
  "$SIMTLAB" $how "$program" >out 2>err </dev/null
  clean out
  clean err
done
for how in "run -S" "profile -J" "compare -m simtight -J"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" $how j.json "$program"
  python3 -c "import json; json.load(open('j.json'))" || complain "$how writes invalid JSON"
done
for how in profile "compare -m simtight"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" $how -H h.html "$program"
  clean h.html
done
expect 2 "$SIMTLAB" run "$(printf 'no\033[2Jne.elf')"
says 'no\x1b[2Jne.elf'
cp "$SOURCE/machines/simtight.yaml" "$(printf 'm\377.yaml')"
expect 0 "$SIMTLAB" run -q -m "./$(printf 'm\377.yaml')" -S j.json "$program"
expect 0 python3 -c "import json; json.load(open('j.json'))"
finish
