# The page of simtlab trace in a browser: it loads, zooms, selects, searches and moves by mouse and keys, on every kind
# of machine.
. "$(dirname "$0")/_lib.sh"
! brief || { echo "skipped: the page is looked at in the other build"; exit 77; }
command -v chromium >/dev/null || { echo "skipped: no chromium"; exit 77; }
cd "$work" || exit 1

# use MACHINE PROGRAM WORD [SWITCHES]: traces the program, and uses the page, in which WORD finds an instruction with
# values. SWITCHES: true if lanes of a warp change.
use() {
  expect 0 "$SIMTLAB" trace -q -m "$1" -o "$1.html" "$2"
  {
    cat "$1.html"
    echo "<script>const SEARCHED = '$3', SWITCHES = ${4:-false};"
    cat "$SOURCE/tests/cli/trace_page.js"
    echo "</script>"
  } >"$1.checked.html"
  command="the page of $1"
  timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --window-size=1500,1000 \
    --virtual-time-budget=60000 --dump-dom "file://$work/$1.checked.html" >"$work/dom" 2>"$work/err" </dev/null ||
    complain "the browser failed"
  sed 's/<[^>]*>//g' "$work/dom" >"$work/verdict"
  grep -qx 'all right' "$work/verdict" || complain "$(grep '^ *wrong' "$work/verdict" || tail -c 300 "$work/verdict")"
}

use simtight "$BUILD/bench/VecAdd.elf" lw
use simty-plus "$BUILD/bench/VecAdd.elf" lw
use vortex "$BUILD/bench-vortex/saxpy-plain.elf" lw
expect 0 "$SIMTLAB" cc -g --target vortex -o waits.elf "$SOURCE/tests/cli/programs/lane_waits.c"
use vortex-its waits.elf lw true
use sm7-1 "$BUILD/bench-r2d2/atax.launch" ld.global
finish
