# monitor trace on a launch script of PTX: the trace of the whole run is that of simtlab trace; that of a part has its
# cycles, and the session goes on as without it.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_ptx.sh"
tools=$SOURCE/tests/cli

expect 0 "$SIMTLAB" trace -q -m sm7-1 -o all.json sum.launch
session -m sm7-1 <<'END'
monitor trace off
monitor trace
monitor trace on missing/whole.json
monitor trace on first.json
monitor trace on other.json
break sum.cu:7 if $block == 1
continue
monitor trace off
delete
monitor trace on part.json
break sum.cu:13 if $block == 2
continue
monitor cycle
monitor trace off
monitor cycle
printf "at block %d\n", $block
monitor trace on back.kanata
reverse-stepi
reverse-stepi
monitor cycle
monitor trace off
monitor cycle
monitor trace on rest.json
delete
continue
END
in_order "no trace is on" "monitor trace takes on FILE or off" "no trace: missing/whole.json" "a trace is on since place 1" \
  "trace of " "at block 2" "trace of " "exited normally"
[ "$(grep '^place' out | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" = "2 2 " ] || complain "is elsewhere after a trace"
[ "$(grep -c '^sum y' out)" -eq 2 ] || complain "prints the checksums not once"
python3 "$tools/same_trace.py" part.json all.json part 2>err || complain "the part: $(tail -1 err)"
python3 "$tools/same_trace.py" first.json all.json part 2>err || complain "the first part: $(tail -1 err)"
expect 0 python3 "$tools/check_trace.py" json rest.json
expect 0 python3 "$tools/check_trace.py" konata back.kanata

# The end of the script, and of gdb, writes the trace.
session -m sm7-1 <<'END'
monitor trace on whole.json
continue
END
python3 "$tools/same_trace.py" whole.json all.json whole 2>err || complain "the whole: $(tail -1 err)"
session -m sm7-1 <<'END'
monitor trace on killed.json
break sum.cu:13 if $block == 2
continue
kill
END
python3 "$tools/same_trace.py" killed.json all.json part 2>err || complain "the end of gdb: $(tail -1 err)"
session --fast <<'END'
monitor trace on fast.json
kill
END
prints "a trace needs timing"
finish
