# simtlab query and diff: groups, means, intervals, formats; what changed between two databases.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# Runs whose counters are known: x is a product of lanes, size and seed.
cat >known.yaml <<'YAML'
study: known
machines: [simtight, simtight-fp]
keys: {lanes: [4, 16]}
programs:
  - command: "case '{machine} {set}' in *lanes=4) l=4;; *) l=16;; esac; case {machine} in *-fp) f=2;; *) f=1;; esac; f=$((f * FACTOR)); echo \"{\\\"cycles\\\": $((l * {size} * {seed} * f)), \\\"x_y\\\": 7}\" >{result}"
    name: "p|q_1"
    sizes: [1, 10]
    seeds: [1, 3]
metrics: {rate: x_y / cycles, twice: 2 * rate}
YAML
FACTOR=1 expect 0 "$SIMTLAB" sweep -d a.db known.yaml
query() { expect 0 "$SIMTLAB" query a.db --format csv "$@"; }
# is LINE...: the output has these lines.
is() {
  printf '%s\n' "$@" >expected
  cmp -s expected out || complain "$(cat out)"
}

query --by lanes --metric cycles --where 'machine == "simtight" && size == 1'
is "lanes,runs,cycles,cycles low,cycles high" "4,2,8,-42.824,58.824" "16,2,32,-171.296,235.296"
query --by lanes --metric cycles --geomean --where 'machine == "simtight" && seed == 1'
[ "$(sed 1d out | cut -d, -f1-3)" = "4,2,12.6491
16,2,50.5964" ] || complain "$(cat out)"
query --by machine --metric cycles --normalise simtight --geomean
is "machine,runs,cycles,cycles low,cycles high" "simtight,8,1,1,1" "simtight-fp,8,2,2,2"
query --by lanes,size --metric cycles --normalise lanes=4
is "lanes,size,runs,cycles,cycles low,cycles high" "4,1,4,1,1,1" "4,10,4,1,1,1" "16,1,4,4,4,4" "16,10,4,4,4,4"
query --by pipeline --metric twice --where 'machine == "simtight" && lanes == 4 && size == 1 && seed == 1'
is "pipeline,runs,twice,twice low,twice high" "simtight,1,3.5,,"
query --by seed,program --metric 'max(cycles, 100)' --where 'size == 1 && lanes == 4'
is 'seed,program,runs,"max(cycles, 100)","max(cycles, 100) low","max(cycles, 100) high"' \
  '1,p|q_1,2,100,100,100' '3,p|q_1,2,100,100,100'

# Formats.
expect 0 "$SIMTLAB" query a.db --by program --metric x_y
prints "95 % interval"
prints "7 to 7"
expect 0 "$SIMTLAB" query a.db --by program --metric x_y --format markdown
is '| program | runs | x_y | x_y low | x_y high |' '|---|--:|--:|--:|--:|' '| p\|q_1 | 16 | 7 | 7 | 7 |'
expect 0 "$SIMTLAB" query a.db --by program --metric x_y --format latex
prints 'p|q\_1 & 16 & 7 & 7 & 7 \\'
expect 0 "$SIMTLAB" query a.db --by lanes --metric x_y --format json
python3 -c "import json
rows = json.load(open('out'))
assert rows[0] == {'lanes': 4, 'runs': 8, 'x_y': 7, 'x_y low': 7, 'x_y high': 7}, rows" || complain "JSON differs"
query --sql "SELECT count(*) AS n, 'a,b' AS t FROM run"
is 'n,t' '16,"a,b"'
expect 2 "$SIMTLAB" query a.db --sql "DELETE FROM run"
says "--sql takes a statement that returns rows"
expect 2 "$SIMTLAB" query a.db --sql "DELETE FROM run RETURNING id"
says "readonly database"
expect 0 "$SIMTLAB" query a.db --check
prints "a.db: ok"

# What is wrong.
expect 2 "$SIMTLAB" query a.db --by lames
says "unknown name 'lames'; did you mean 'lanes'?"
expect 2 "$SIMTLAB" query a.db --by cycles
says "runs cannot be grouped by 'cycles'"
expect 2 "$SIMTLAB" query a.db --metric 'cycles +'
says "column 9 of 'cycles +'"
expect 2 "$SIMTLAB" query a.db --normalise lanes=5
says "--normalise: no run has lanes 5"
expect 2 "$SIMTLAB" query a.db --format xml
says "unknown format 'xml'"
expect 2 "$SIMTLAB" query a.db --sql "SELECT * FROM run"
says "a text table has at most 12 columns, not 19; choose another --format"
expect 2 "$SIMTLAB" query none.db
says "none.db: cannot be opened"
expect 2 "$SIMTLAB" query known.yaml
says "known.yaml: "

# Differences. The program counts otherwise in the second database: its text has not changed, its surroundings have.
FACTOR=1 expect 0 "$SIMTLAB" sweep -d b.db known.yaml
expect 0 "$SIMTLAB" diff a.db b.db
prints "16 runs compared, 0 differ in cycles; geometric mean of B/A 1; only in A 0, only in B 0"
sed -i 's/seeds: .*/seeds: [1]/' known.yaml
FACTOR=3 expect 0 "$SIMTLAB" sweep -d c.db known.yaml
expect 1 "$SIMTLAB" diff a.db c.db
prints "8 runs compared, 8 differ in cycles; geometric mean of B/A 3; only in A 8, only in B 0"
prints "+200"
expect 0 "$SIMTLAB" diff --threshold 200 a.db c.db
expect 1 "$SIMTLAB" diff --threshold 199.9% a.db c.db
expect 0 "$SIMTLAB" diff --metric x_y a.db c.db
expect 2 "$SIMTLAB" diff --threshold x a.db c.db
says "--threshold takes a number of per cent"
sed -i 's/command: "/command: "exit 1; /' known.yaml
FACTOR=1 expect 1 "$SIMTLAB" sweep -q -d d.db known.yaml
expect 1 "$SIMTLAB" diff --format csv --metric seconds --threshold 1000000 a.db d.db
prints ",\"passed, then check failed\""
finish
