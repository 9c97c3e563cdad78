# simtlab report: a template is checked with lines; the page holds its data, and refers to no other host.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >study.yaml <<'YAML'
study: known
machines: [simtight]
keys: {lanes: [8, 16]}
programs: [{command: 'echo "{\"cycles\": $(({size} * 100))}" >{result} # <b>', sizes: [1, 2, 3, 5], name: known}]
metrics: {speed: 1000 / cycles}
report:
  title: Known </script> counts
  charts:
    - {chart: bars, x: size, y: cycles, colour: lanes, mean: geometric}
    - {chart: box, x: lanes, y: cycles}
    - {chart: scatter, x: cycles, y: speed, where: size > 1}
    - {chart: pareto, x: "abs(size - 2)", y: cycles, facet: lanes}
YAML
expect 0 "$SIMTLAB" sweep -q study.yaml

# wrong SENTENCE SED-COMMAND: the report of the changed study fails with the sentence.
wrong() {
  sed "$2" study.yaml >wrong.yaml
  expect 2 "$SIMTLAB" report wrong.yaml
  says "simtlab: wrong.yaml:$1"
}
wrong "9: no kind of chart is 'bar'; the kinds are bars, lines, box, table, heat map, scatter, pareto, roofline" 's/bars/bar/'
wrong "9: unknown name 'color' in a chart; there are chart, title, x, y, colour" 's/colour/color/'
wrong "10: a chart of kind 'box' needs 'y'" '10s/, y: cycles//'
wrong "10: a chart of kind 'box' has no 'mean'" '10s/y: cycles/y: cycles, mean: geometric/'
wrong "9: the mean is arithmetic or geometric, not 'harmonic'" 's/geometric/harmonic/'
wrong "9: 'cycles' is counted; 'x' takes a key, machine, program or the like" 's/x: size/x: cycles/'
wrong "11: unknown name 'sped'; did you mean 'speed'?" 's/y: speed/y: sped/'
wrong "11: unknown name 'siz'; did you mean 'size'?" 's/size > 1/siz > 1/'
wrong "10: 'peak' is a number above 0, not '-1'" '10s/box/roofline/; 10s/y: cycles/y: cycles, peak: -1, bandwidth: 2/'
wrong "1: the study has no 'report: {charts: [...]}'" '/^report/,$d'

# The script may not be built here; another in its place shows what the page has besides.
mkdir -p home/charts
touch home/charts/charts.css
SIMTLAB_HOME=$work/home expect 2 "$SIMTLAB" report study.yaml
says "the script that draws charts is not built; run 'make charts'"
[ ! -e results/known.html ] || complain "half a page is left"
touch home/charts/charts.js
SIMTLAB_HOME=$work/home expect 0 "$SIMTLAB" report study.yaml
prints "4 charts: results/known.html"
has results/known.html "default-src 'none'"
! grep -Eq '(src|href)="?(https?:)?//' results/known.html || complain "the page refers to another host"
command="the data of the page"
python3 - <<'PYTHON' || complain "wrong data"
import json, re
page = json.loads(re.search(r'id="page">(.*?)</script>', open("results/known.html").read(), re.S).group(1))
bars, box, scatter, pareto = page["charts"]
assert page["title"] == "Known </script> counts" and page["count"] == 8 and len(page["runs"]) == 8, page
assert {(r["x"], r["colour"], round(r["y"])) for r in bars["rows"]} == {(s, l, 100 * s) for s in (1, 2, 3, 5) for l in (8, 16)}, bars
assert [[r[n] for n in ("least", "lower", "y", "upper", "most")] for r in box["rows"]] == [[100, 175, 250, 350, 500]] * 2, box
assert len(scatter["rows"]) == 6 and all(abs(r["x"] * r["y"] - 1000) < 1e-6 for r in scatter["rows"]), scatter
assert sorted((r["facet"], r["x"]) for r in pareto["rows"] if r.get("front")) == [(l, x) for l in (8, 16) for x in (0, 1, 3)], pareto
assert {r["run"] for r in scatter["rows"]} <= {r["run"] for r in page["runs"]}
PYTHON
finish
