# simtlab gdb on a launch script of PTX: a breakpoint misses no warp, and gdb can refuse lanes.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_ptx.sh"

# Two launches, four blocks, two warps, and six rounds of the loop: 96 times a warp comes to the breakpoint. With timing,
# the others run while gdb steps one over it.
for options in --fast "-m sm7-1"; do
  session $options <<'END'
break *0x1000038
python
hits = 0
gdb.execute("continue", to_string=True)
while gdb.selected_inferior().threads():
    hits += int(gdb.parse_and_eval("$pc")) == 0x1000038
    gdb.execute("continue", to_string=True)
print("%d hits" % hits)
end
END
  prints "96 hits"
done

# gdb evaluates conditions on floats itself, and compares threads: simtlab offers one lane after another.
sed -e 's/.reg .pred %p<4>;/.reg .f32 %f<2>; &/' -e 's/mov.u32 %r9, 32;/cvt.rn.f32.u32 %f1, %r4; &/' sum.ptx >float.ptx
sed 's/ptx sum.ptx/ptx float.ptx/' sum.launch >float.launch
expect 0 "$SIMTLAB" gdb --symbols float.sym float.launch
script=float.launch
for options in --fast "-m sm7-1"; do
  session $options <<'END'
file float.sym
break *0x100003c if $f1 == 111.0
continue
printf "thread %d of block %d\n", $tid, $block
delete
python
number = [thread for thread in gdb.selected_inferior().threads() if thread.name == "w0l9"][0].num
gdb.execute("break *0x100003c thread %d" % number)
for i in range(3):
    gdb.execute("continue")
    print("lane %s with %s" % (gdb.parse_and_eval("$tid"), gdb.parse_and_eval("$r9")))
end
kill
END
  prints "thread 47 of block 1"
  in_order "lane 9 with" "lane 9 with" "lane 9 with 4"
done
finish
