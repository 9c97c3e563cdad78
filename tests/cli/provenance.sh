# Results state their provenance: sources, compiler, build type, host, command line, and date, which SOURCE_DATE_EPOCH
# overrides.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
expect 0 "$SIMTLAB" --version
prints "commit "
prints "compiler "
prints "build "
cp "$BUILD/bench/VecAdd.elf" .
expect 0 env SOURCE_DATE_EPOCH=86400 "$SIMTLAB" run -q --stats stats.json VecAdd.elf small
has stats.json '"date": "1970-01-02T00:00:00Z"'
has stats.json 'run -q --stats stats.json VecAdd.elf small"'
has stats.json "\"system\": \"$(uname -s) $(uname -r) $(uname -m)\""
commit=$("$SIMTLAB" --version | sed -n 's/.*commit \([^,]*\),.*/\1/p')
[ -n "$commit" ] || complain "--version has no commit"
has stats.json "\"commit\": \"$commit\""

# An invalid SOURCE_DATE_EPOCH is ignored.
year=$(date -u +%Y)
expect 0 env SOURCE_DATE_EPOCH=yesterday "$SIMTLAB" run -q --stats stats.json VecAdd.elf small
grep -q "\"date\": \"$year\|\"date\": \"$((year + 1))" stats.json || complain "SOURCE_DATE_EPOCH=yesterday gives another date than today's"

# Every result states it, not only statistics.
says_where_from() {
  for key in version commit compiler build system command date; do
    sed -n '/"host": {/,/}/p' "$1" | grep -q "\"$key\": \"." || complain "$1 has no $key"
  done
}
cat >k.ptx <<'END'
.version 6.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 to)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
  ret;
}
END
expect 0 "$SIMTLAB" bench --only VecAdd --json bench.json
expect 0 "$SIMTLAB" profile -q --json profile.json VecAdd.elf small
expect 0 "$SIMTLAB" compare VecAdd.elf -m simtight,simty-plus --json compare.json -- small
expect 0 "$SIMTLAB" verify simtight -q --only empty_1w_r1 --json verify.json
expect 0 "$SIMTLAB" linear --json linear.json k.ptx
for result in stats bench profile compare verify linear; do
  says_where_from "$result.json"
done

# Pages state it in their last line, traces in their second; markup in the command line is escaped.
origin="$("$SIMTLAB" --version), $(uname -s) $(uname -r) $(uname -m), 1970-01-02T00:00:00Z: $SIMTLAB"
export SOURCE_DATE_EPOCH=86400
expect 0 "$SIMTLAB" profile -q --html 'a<b>.html' VecAdd.elf small
has 'a<b>.html' "<p class=\"faint origin\">$origin profile -q --html a&lt;b&gt;.html VecAdd.elf small</p>"
expect 0 "$SIMTLAB" compare -q VecAdd.elf -m simtight,simty-plus --html page.html -- small
has page.html "$origin compare -q "
expect 0 "$SIMTLAB" linear --html page.html k.ptx
has page.html "$origin linear --html page.html k.ptx"
expect 0 "$SIMTLAB" paper simtight --size small --only VecAdd,MatMul_Float --out report
has report/index.html "$origin paper simtight --size small"
expect 0 "$SIMTLAB" run -q --trace-commits trace VecAdd.elf small
[ "$(sed -n 2p trace)" = "# made by $origin run -q --trace-commits trace VecAdd.elf small" ] || complain "wrong second line of the trace: $(sed -n 2p trace)"
finish
