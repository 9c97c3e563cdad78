#!/bin/sh
# Takes a screenshot of the top of an HTML page for the documentation: tools/screenshot.sh [PAGE.html [PICTURE.png
# [HEIGHT]]]. Without arguments: the report of `simtlab paper simtight` at the paper's sizes. The README's picture,
# docs/images/profile.png:
#   build/simtlab profile -q --html results/profile.html build/bench/Histogram.elf
#   tools/screenshot.sh results/profile.html docs/images/profile.png 1350
set -eu
cd "$(dirname "$0")/.."
report=${1:-results/paper-simtight-paper/index.html}
picture=${2:-docs/images/paper-simtight.png}
height=${3:-1700}
most=500000 # bytes

[ -r "$report" ] || { echo "screenshot: no $report; simtlab paper simtight makes it" >&2; exit 1; }
command -v chromium >/dev/null || { echo "screenshot: chromium is not installed; tools/setup.sh installs it" >&2; exit 1; }
report=$(realpath "$report")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/browser" \
  --blink-settings=preferredColorScheme=1 --window-size=1120,"$height" --screenshot="$work/picture.png" \
  "file://$report" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
size=$(wc -c <"$work/picture.png")
[ "$size" -lt "$most" ] || { echo "screenshot: $size bytes, more than $most" >&2; exit 1; }
mkdir -p "$(dirname "$picture")"
cp "$work/picture.png" "$picture"
echo "screenshot: $picture, $size bytes"
