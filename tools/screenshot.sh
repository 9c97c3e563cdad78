#!/bin/sh
# Pictures the top of a report for the documentation: tools/screenshot.sh [REPORT.html [PICTURE.png]].
# Without arguments: the report of `simtlab paper simtight` at the paper's sizes.
set -eu
cd "$(dirname "$0")/.."
report=${1:-results/paper-simtight-paper/index.html}
picture=${2:-docs/images/paper-simtight.png}
most=500000 # bytes

[ -r "$report" ] || { echo "screenshot: no $report; simtlab paper simtight makes it" >&2; exit 1; }
command -v chromium >/dev/null || { echo "screenshot: chromium is not installed; tools/setup.sh installs it" >&2; exit 1; }
report=$(realpath "$report")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/browser" \
  --blink-settings=preferredColorScheme=1 --window-size=1120,1700 --screenshot="$work/picture.png" \
  "file://$report" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
size=$(wc -c <"$work/picture.png")
[ "$size" -lt "$most" ] || { echo "screenshot: $size bytes, more than $most" >&2; exit 1; }
mkdir -p "$(dirname "$picture")"
cp "$work/picture.png" "$picture"
echo "screenshot: $picture, $size bytes"
