#!/bin/sh
# Builds the script of `simtlab report`: tools/charts.sh BUILD. The packages of tools/charts/package-lock.json become
# BUILD/charts/charts.js, with their licenses in BUILD/charts/LICENSES. Needs npm and a network.
set -eu
source=$(cd "$(dirname "$0")/charts" && pwd)
mkdir -p "$1/charts"
build=$(cd "$1/charts" && pwd)
# Nothing to do if the script is newer than all that it is made of.
[ ! -s "$build/charts.js" ] || [ -n "$(find "$source" "$source.sh" -newer "$build/charts.js")" ] || exit 0
command -v npm >/dev/null || { echo "charts: npm is not installed; the Debian package npm has it" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$source"/*.js "$source"/*.json "$work"
cd "$work"
timeout 300 npm ci --silent --no-audit --no-fund --ignore-scripts
node_modules/.bin/esbuild charts.js --bundle --minify --format=iife --global-name=simtlabCharts \
  --footer:js='if(typeof module!=="undefined")module.exports=simtlabCharts;' --legal-comments=none --log-level=warning \
  --metafile=meta.json --outfile=charts.js.new --allow-overwrite
# The licenses of the packages that the bundle holds.
for package in $(grep -o '"node_modules/[^"]*"' meta.json | sed 's|"node_modules/\([^/"]*\).*|\1|' | sort -u); do
  echo "== $package $(sed -n 's/^ *"version": "\(.*\)",*/\1/p' "node_modules/$package/package.json" | head -1)"
  cat "node_modules/$package"/LICEN[SC]E* 2>/dev/null || sed -n 's/^ *"license": /license: /p' "node_modules/$package/package.json"
done >"$build/LICENSES"
cp svg.js "$source/charts.css" "$build"
mv charts.js.new "$build/charts.js"
