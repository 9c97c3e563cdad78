# simtlab gdb on a launch script of PTX: registers by name, watchpoints, and what the user changes.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_ptx.sh"

for options in --fast "-m sm7-1"; do
  # $rd6 is the address of y[1], which gets 64 * 64 + 2016 = 6112, or else what the user puts into %r15.
  session $options <<'END'
break sum.cu:13 if $block == 1
continue
stepi 4
printf "sum %d, predicate %d\n", $r15, $p3
watch -l *(int *)$rd6
set var $r15 = 41
continue
printf "now %d\n", *(int *)$rd6
reverse-continue
printf "before %d, register %d\n", *(int *)$rd6, $r15
set var *(int *)$rd6 = 7
printf "set %d\n", *(int *)$rd6
continue
printf "then %d\n", *(int *)$rd6
delete
break sum.cu:7 if $block == 1
reverse-continue
tbreak sum.cu:14 if $block == 1 && $tid == 0 && $p3 == 0
continue
printf "repeated %d %d\n", *(int *)$rd6, $r15
kill
END
  in_order "sum 6112, predicate 0" "Hardware watchpoint" "Old value = 0" "New value = 41" "now 41" "Old value = 41" \
    "New value = 0" "before 0, register 41" "set 7" "Old value = 7" "New value = 41" "then 41" "repeated 41 41"

  # A watchpoint on shared memory is of the block that was selected. Its lane is told. Word 1 of block 2 is number 129.
  session $options <<'END'
break sum.cu:4 if $block == 2
continue
delete
watch *(int *)0x90000004
continue
printf "lane %d of block %d, %d\n", $tid, $block, *(int *)0x90000004
delete
rwatch *(int *)0x90000008
continue
printf "lane %d of block %d reads %d\n", $tid, $block, *(int *)0x90000008
delete
awatch *(int *)0x9000000c
continue
printf "lane %d of block %d accesses\n", $tid, $block
kill
END
  in_order "lane 1 of block 2, 129" "lane 2 of block 2 reads 130" "Old value = 131" "New value = 294" "lane 3 of block 2 accesses"

  # The condition is on registers of PTX: thread 4 of block 2 has number 132, and the third round has n = 8.
  # With the predicate set by hand, the lane skips the addition.
  session $options <<'END'
break sum.cu:8 if $r4 == 132 && $r9 == 8
continue
printf "tid %d of block %d, %d\n", $tid, $block, $r9
stepi
printf "predicate %d\n", $p1
set var $p1 = 1
printf "predicate %d\n", $p1
delete
tbreak sum.cu:9 if $block == 2 && $tid == 4
tbreak sum.cu:10 if $block == 2 && $tid == 4
continue
kill
END
  in_order "tid 4 of block 2, 8" "predicate 0" "predicate 1" "Temporary breakpoint 3, sum () at sum.cu:10"

  # x[70] is read by lane 6 of block 1; y[3] is written by lane 0 of block 3: 64 * 192 + 2016 = 14304.
  session $options <<'END'
rwatch *(int *)(0xc0000000 + 4 * 70)
continue
printf "lane %d of block %d reads\n", $tid, $block
delete
watch *(int *)(0xc0000400 + 12)
continue
printf "lane %d of block %d writes %d\n", $tid, $block, *(int *)(0xc0000400 + 12)
kill
END
  in_order "Value = 70" "lane 6 of block 1 reads" "New value = 14304" "lane 0 of block 3 writes 14304"
done

# What cannot be changed or watched.
session --fast <<'END'
python
for what in ("set var $pc = 0x1000008", "set var $tid = 3", "set var *(int *)0x80000000 = 1", "set var *(int *)8 = 1",
             "print *(int *)0x90000100"):
    try:
        gdb.execute(what)
        print("accepts", what)
    except gdb.error as error:
        print("refuses", what)
end
watch *(int *)0x10
python
try:
    gdb.execute("continue")
except gdb.error as error:
    print("refuses the watchpoint")
end
kill
END
! grep -q "^accepts" out || complain "$(grep '^accepts' out)"
prints "refuses print *(int *)0x90000100"
prints "refuses the watchpoint"
finish
