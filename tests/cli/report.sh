# The report of simtlab paper in a browser: it draws what it should, in light and dark, and needs nothing else.
. "$(dirname "$0")/_lib.sh"
command -v chromium >/dev/null || { echo "skipped: no chromium"; exit 77; }
expect 0 "$SIMTLAB" paper simtight --size small --out "$work/report"
page=$work/report/index.html

for file in $(grep -o 'href="[^#"]*"' "$page" | sed 's/href="\(.*\)"/\1/'); do
  [ -s "$work/report/$file" ] || complain "the page refers to $file, which is not there"
done

# The page with a script at its end that looks at it and leaves what it finds in the document.
{
  cat "$page"
  echo "<script>"
  cat "$SOURCE/tests/cli/report.js"
  echo "</script>"
} >"$work/report/checked.html"

# look SCHEME SETTING...: the page's verdict, with the browser's own messages in $work/err.
look() {
  scheme=$1
  command="the report in a browser, $scheme"
  shift
  timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" --enable-logging=stderr \
    --window-size=1120,900 "$@" --dump-dom "file://$work/report/checked.html" >"$work/dom" 2>"$work/err" </dev/null ||
    complain "the browser failed"
  sed -n '/<pre id="verdict">/,/<\/pre>/p' "$work/dom" | sed 's/<[^>]*>//g' >"$work/verdict"
  grep -qF "scheme: $scheme" "$work/verdict" || complain "the page is not shown so: $(cat "$work/verdict")"
  grep -qxF "charts: 6, bars: 272, tables: 4" "$work/verdict" || complain "not what should be there: $(cat "$work/verdict")"
  grep -q '^wrong: ' "$work/verdict" && complain "$(grep '^wrong: ' "$work/verdict")"
  grep -q 'CONSOLE' "$work/err" && complain "the console has messages: $(grep CONSOLE "$work/err")"
}

look light --blink-settings=preferredColorScheme=1
look dark --blink-settings=preferredColorScheme=0
finish
