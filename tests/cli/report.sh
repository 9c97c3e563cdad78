# Pages of simtlab paper, profile and compare in a browser: they display correctly in light and dark, on narrow and wide
# displays, and load no other files.
. "$(dirname "$0")/_lib.sh"
# Pages do not depend on the build type of simtlab.
! brief || { echo "skipped: the pages are looked at in the other build"; exit 77; }
command -v chromium >/dev/null || { echo "skipped: no chromium"; exit 77; }
expect 0 "$SIMTLAB" paper simtight --size small --out "$work/report"
page=$work/report/index.html
for file in $(grep -o 'href="[^#"]*"' "$page" | sed 's/href="\(.*\)"/\1/'); do
  [ -s "$work/report/$file" ] || complain "the page refers to $file, which is missing"
done
expect 0 "$SIMTLAB" profile -q -m simtight-rfc-pp --html "$work/profile.html" "$BUILD/bench/BitonicSortLarge-variant.elf"
expect 0 "$SIMTLAB" profile -q -m vortex --html "$work/vortex.html" "$BUILD/bench-vortex/sgemm-plain.elf"
expect 0 "$SIMTLAB" compare -q -m simtight,simtight-rfc-pp,simty-plus --html "$work/compare.html" "$BUILD/bench/MatMul.elf"

# look PAGE WIDTH SCHEME LINE...: the verdict on the page contains these lines; $work/err has the browser's messages. A
# script at the end of the page inspects it and writes its findings into the document.
look() {
  looked=$1 width=$2 scheme=$3
  command="$looked in a browser, $width pixels wide, $scheme"
  shift 3
  {
    cat "$looked"
    echo "<script>"
    cat "$SOURCE/tests/cli/report.js"
    echo "</script>"
  } >"${looked%.html}.checked.html"
  # A browser window has a minimum width; a frame has none.
  printf '<!DOCTYPE html><title>frame</title><style>*{margin:0;border:0}iframe{width:%spx;height:900px}</style>
<iframe src="%s"></iframe><script>addEventListener("load",()=>{document.body.textContent=
document.querySelector("iframe").contentDocument.getElementById("verdict").textContent})</script>\n' \
    "$width" "$(basename "${looked%.html}").checked.html" >"${looked%.html}.frame.html"
  timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --enable-logging=stderr \
    --allow-file-access-from-files --window-size=2700,1000 \
    --blink-settings=preferredColorScheme=$([ "$scheme" = light ] && echo 1 || echo 0) \
    --dump-dom "file://${looked%.html}.frame.html" >"$work/dom" 2>"$work/err" </dev/null || complain "the browser failed"
  sed 's/<[^>]*>//g' "$work/dom" >"$work/verdict"
  for line in "scheme: $scheme" "width: $width" "$@"; do
    grep -qxF "$line" "$work/verdict" || complain "wrong contents: $line instead of $(cat "$work/verdict")"
  done
  grep -q '^wrong: ' "$work/verdict" && complain "$(grep '^wrong: ' "$work/verdict")"
  grep -q 'CONSOLE' "$work/err" && complain "the console has messages: $(grep CONSOLE "$work/err")"
}

for where in '400 light' '1280 dark' '2560 light' '400 dark'; do
  look "$page" $where "charts: 6, bars: 272, tables: 10"
  look "$work/profile.html" $where "plots: 2, launches: 10"
  look "$work/compare.html" $where "charts: 2, bars: 6, tables: 3"
  brief && break
done
if [ -s "$BUILD/bench-r2d2/lps.ptx" ]; then
  expect 0 "$SIMTLAB" paper r2d2 --size small --only stencil,lps --out "$work/r2d2"
  look "$work/r2d2/index.html" 400 light "charts: 6, bars: 66, tables: 10"
fi
look "$work/vortex.html" 1280 light "plots: 1, launches: 0"
finish
