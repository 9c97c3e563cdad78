# simtlab gdb on a launch script of PTX: registers by name, and what the user changes.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_ptx.sh"

for options in --fast "-m sm7-1"; do
  # $rd6 is the address of y[1], which gets 64 * 64 + 2016 = 6112, or else what the user puts into %r15.
  session $options <<'END'
break sum.cu:13 if $block == 1
continue
stepi 4
printf "sum %d, predicate %d\n", $r15, $p3
set var $r15 = 41
stepi
printf "stored %d\n", *(int *)$rd6
set var *(int *)0x90000004 = -9
printf "shared %d\n", *(int *)0x90000004
set var *(int *)$rd6 = 7
printf "set %d\n", *(int *)$rd6
kill
END
  in_order "sum 6112, predicate 0" "stored 41" "shared -9" "set 7"

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
done

# What cannot be changed.
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
kill
END
! grep -q "^accepts" out || complain "$(grep '^accepts' out)"
prints "refuses print *(int *)0x90000100"
finish
