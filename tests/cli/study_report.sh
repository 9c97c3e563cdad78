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

# Tables: rows, expressions over the runs, published numbers, scales, counts, printed numbers.
cat >tables.yaml <<'YAML'
study: tables
scale: large
machines: [{name: one, base: simtight, about: of eight, keys: {lanes: 8}}, {name: two, base: simtight, compare: one}]
programs:
  - {name: a, sizes: {large: [1, 2, 4], small: 1}, command: 'echo "{\"cycles\": $(({size} * 100 + 50)), \"work\": {size}}" >{result}'}
  - {name: b, sizes: {large: [1, 2], small: 1}, command: 'echo "{\"cycles\": $(({size} * 300)), \"work\": {size}}" >{result}'}
report:
  title: Derived <numbers>
  published: {paper: paper.csv}
  define: {per-work: "mean(size, cycles@{own} / work@{own})", share: 100 *}
  tables:
    - name: derived
      each: program
      rows: [{own: one}, {own: two, only: b}]
      totals: [{label: mean, own: one}]
      where: '"{only}" == "none" || program == "{only}"'
      print: true
      columns:
        - {title: program, text: "{program}{label}"}
        - {title: cycles, count: "sum(size, cycles@{own})"}
        - {title: per work, value: "geomean(program, {per-work})", decimals: 1}
        - {title: slope, value: "slope(size, work@{with}, cycles@{with})", with: one}
        - {title: start, value: "start(size, work@one, cycles@one)"}
        - {title: most, value: "most(size, cycles@two)", in: file}
        - {title: paper, value: "{share} paper.share", unit: " %", decimals: 0}
    - {name: machines, each: machine, columns: [{title: m, text: "{machine} {machine.about} {machine.keys}"}, {title: ratio, value: "mean(program, mean(size, cycles / cycles@compare))"}]}
    - {name: bars, each: program, chart: Bars, columns: [{title: p, text: "{program}"}, {title: c, value: "mean(size, cycles@one)"}]}
  sections:
    - {heading: First, text: "{=count(program)} programs, **{scale}**, `x < y`, [numbers](derived.csv)", table: "derived, machines", chart: bars, print: true}
    - {heading: Never, if: scale == "small"}
YAML
printf 'program,share\na,0.25\nb,\n' >paper.csv
expect 0 "$SIMTLAB" sweep -q tables.yaml
expect 0 "$SIMTLAB" report tables.yaml
prints "report: results/tables/index.html"
prints "2 programs, **large**"
has results/tables/derived.csv 'a,850,129.166667,100,50,450,25'
[ "$(grep -c '^b,900,300,300,0,600,$' results/tables/derived.csv)" -eq 2 ] || complain "rows of a program are not those of its texts"
grep -q '^mean,1100,196.85' results/tables/derived.csv || complain "no row over all programs"
has results/tables/machines.csv '"one of eight lanes=8",1'
has results/tables/machines.csv '"two  ",1'
has results/tables/bars.csv '"a",283.333333'
[ -s results/tables/bars.svg ] || complain "no drawing"
page=results/tables/index.html
has $page "Derived &lt;numbers&gt;"
has $page "2 programs, <b>large</b>, <code>x &lt; y</code>, <a href=\"derived.csv\">numbers</a>"
has $page "25 %"
! grep -q Never $page || complain "a section is shown whose condition does not hold"
expect 0 "$SIMTLAB" report --scale small --only a tables.yaml
has results/tables/derived.csv "a,150,150,150,0,150,25"
has $page Never

# mistaken SENTENCE SED-COMMAND: the report of the changed study fails with the sentence.
mistaken() {
  sed "$2" tables.yaml >wrong.yaml
  expect 2 "$SIMTLAB" report wrong.yaml
  says "simtlab: wrong.yaml:$1"
  [ "$(wc -l <"$work/err")" -eq 1 ] || complain "not one sentence"
}
mistaken "23: the study has no machine 'on'; did you mean 'one'?" 's/start(size, work@one/start(size, work@on/'
mistaken "19: unknown name 'labl'" 's/{label}/{labl}/'
mistaken "23: start takes a dimension, as program or size, and 2 expressions" 's/start(size, work@one, cycles@one)/start(size, work@one)/'
mistaken "24: unknown name 'cicles'; did you mean 'cycles'?" 's/cycles@two/cicles@two/'
mistaken "25: the published numbers have no column 'part'" 's/paper.share/paper.part/'
mistaken "24: unknown name 'titel' in a column; did you mean 'title'?" 's/title: most/titel: most/'
mistaken "27: a table needs 'name' and 'columns'" 's/name: bars, //'
mistaken "29: the report has no table 'machine'" 's/derived, machines"/derived, machine"/'
mistaken "25: '{share}' stands for itself, or for too long a text" 's/share: 100 \*/share: "{share}"/'
mistaken "5: there are no sizes of scale 'huge', but of large, small" 's/^scale: large/scale: huge/'
printf 'program,share\na\n' >paper.csv
expect 2 "$SIMTLAB" report tables.yaml
says "paper.csv:2: 1 cells; the first line has 2"

# Numbers that a program prints, and counts of each launch.
cat >counts.yaml <<YAML
study: counts
machines: [simtight]
counts: {kilo: floor(cycles / 1000)}
prints: "VecAdd{odd}"
programs: [{elf: $BUILD/bench/VecAdd.elf, sizes: small}]
YAML
expect 1 "$SIMTLAB" sweep counts.yaml
prints "the program does not print 'VecAdd{odd}'"
sed -i '/prints/d' counts.yaml
expect 0 "$SIMTLAB" sweep counts.yaml
expect 0 "$SIMTLAB" query results/counts.db --where 'outcome == "passed"' --by program --metric 'kilo == floor(cycles / 1000)'
prints "1"
finish
