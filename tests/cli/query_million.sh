# simtlab query: a database of 1,000,000 runs stays below 400 MB and is summarised exactly. Prints the time of a query.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

expect 0 "$SIMTLAB" cc -o idle.elf "$SOURCE/templates/study/vectors.c"
cat >m.yaml <<'YAML'
study: m
machines: [simtight, simty-plus]
keys: {dram.latency: [30, 100, 300]}
programs: [{elf: idle.elf, name: idle, sizes: [100, 1000]}]
YAML
expect 0 "$SIMTLAB" sweep -q -d m.db m.yaml
# Copies of the recorded runs with other seeds; copy n of a run takes n more cycles, so that means are known.
cat >copies.py <<'PYTHON'
import hashlib, sqlite3, sys
RUNS = int(sys.argv[1])
db = sqlite3.connect("m.db")
names = [row[1] for row in db.execute("PRAGMA table_info(run)")]
at = {name: i for i, name in enumerate(names)}
first = db.execute("SELECT * FROM run ORDER BY id").fetchall()
rows = [list(row) for row in first]
tables = {}
for (table,) in db.execute("SELECT name FROM sqlite_master WHERE name LIKE 'counters_%'").fetchall():
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    for row in db.execute(f"SELECT * FROM {table}"):
        tables[row[0]] = (table, columns.index("cycles"), row)
def put(table, batch):
    if batch:
        db.executemany(f"INSERT INTO {table} VALUES({','.join('?' * len(batch[0]))})", batch)
runs, counters = [], {}
for i in range(len(first), RUNS):
    source, copy = first[i % len(first)], i // len(first)
    row = list(source)
    row[at["id"]], row[at["hash"]] = 1000 + i, hashlib.sha256(b"%d" % i).digest()
    row[at["seed"]], row[at["task"]], row[at["cycles"]] = str(copy), i, source[at["cycles"]] + copy
    runs.append(row)
    table, cycles, counted = tables[source[0]]
    counted = list(counted)
    counted[0], counted[cycles] = 1000 + i, counted[cycles] + copy
    counters.setdefault(table, []).append(counted)
    if len(runs) == 50000 or i == RUNS - 1:
        put("run", runs)
        for table, batch in counters.items():
            put(table, batch)
        runs, counters = [], {}
db.commit()
# The expected means, by SQLite's own arithmetic.
config = dict(db.execute("SELECT id, name FROM machine_config"))
sums = {}
for number, total, count in db.execute("SELECT config, sum(cycles), count(*) FROM run GROUP BY config"):
    entry = sums.setdefault(config[number], [0, 0])
    entry[0] += total
    entry[1] += count
with open("expected", "w") as out:
    for name in sorted(sums):
        out.write("%s,%d,%.6g\n" % (name, sums[name][1], sums[name][0] / sums[name][1]))
PYTHON
runs=1000000
brief && runs=20000
expect 0 python3 copies.py $runs
bytes=$(wc -c <m.db)
[ "$bytes" -lt 400000000 ] || complain "the database takes $bytes bytes"
began=$(date +%s%N)
expect 0 "$SIMTLAB" query m.db --by machine --metric cycles --format csv
echo "a query over $runs runs took $((($(date +%s%N) - began) / 1000000)) ms; the database has $((bytes / 1000000)) MB"
sed 1d out | cut -d, -f1-3 >rows
# Runs of two builds of simtlab, of which none was made twice: --any-build looks at all and changes nothing.
python3 -c "import sqlite3; db = sqlite3.connect('m.db'); db.execute('INSERT INTO build(hash, host) VALUES(0, 0)'); db.commit()"
cp out once
began=$(date +%s%N)
expect 0 "$SIMTLAB" query m.db --any-build --by machine --metric cycles --format csv
echo "with --any-build it took $((($(date +%s%N) - began) / 1000000)) ms"
silent
cmp -s out once || complain "--any-build changes means"
cmp -s expected rows || complain "means differ: $(cat rows)"
expect 0 "$SIMTLAB" query m.db --by machine --normalise simtight --geomean --format csv
[ "$(sed -n 2p out | cut -d, -f1-3)" = "$(sed -n 1p expected | cut -d, -f1,2),1" ] || complain "$(cat out)"
finish
