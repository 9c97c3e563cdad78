#!/bin/sh
# Renews the pictures of docs/gallery.md: gallery.sh [BUILD]. Runs the studies of examples/studies and draws their charts.
# Needs the benchmarks, the script of the charts (tools/charts.sh) and node.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build}")
tools/charts.sh "$build"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p docs/images/gallery
for study in lanes latency report; do
  sed "s#\.\./\.\./build/#$build/#" "examples/studies/$study.yaml" >"$work/$study.yaml"
  (cd "$work" && "$build/simtlab" sweep -q "$study.yaml" &&
    SIMTLAB_HOME=$build timeout 60 "$build/simtlab" report --svg "$study" "$study.yaml" >/dev/null)
done
# NAME STUDY CHART. Links to runs lead nowhere outside of the page, and a picture has a background for dark readers.
while read -r name study chart; do
  sed -E 's# xlink:href="[^"]*"# #g; s#(<svg [^>]*>)#\1<rect width="100%" height="100%" fill="white"/>#' \
    "$work/$study/chart-$chart.svg" >"docs/images/gallery/$name.svg"
done <<'TABLE'
lanes-speedup lanes 1
lanes-utilisation lanes 2
latency-lines latency 1
latency-map latency 2
report-pareto report 5
report-roofline report 7
TABLE
ls -l docs/images/gallery
