# simtlab gdb on every pipeline with RISC-V, with and without timing: each lane reaches a breakpoint, and time runs back.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb.sh"

expect 0 "$SIMTLAB" cc -g -O1 -o scale.elf scale.c
on_machine() { # on_machine PROGRAM OPTION...
  session "$@" <<'END'
break twice if $warp == 1 && $lane == 2
continue
printf "lane %d of warp %d\n", $lane, $warp
stepi
delete
watch *(int *)((char *)&data + 400)
continue
printf "new %d\n", *(int *)((char *)&data + 400)
reverse-continue
printf "old %d\n", *(int *)((char *)&data + 400)
delete
continue
END
  prints "lane 2 of warp 1"
  prints "new 200"
  prints "old 100"
  prints "total "
  prints "exited normally"
  session "$@" <<'END'
break twice
ignore 1 100000
continue
info breakpoints
END
  prints "already hit 256 times" # each lane once
}
for machine in simtight-rfc-pp-sb simty-plus; do
  on_machine scale.elf -m $machine
  on_machine scale.elf -m $machine --fast
done
expect 0 "$SIMTLAB" cc -g -O1 --target sm7 -o scale-sm7.elf scale.c
on_machine scale-sm7.elf -m sm7-1
on_machine scale-sm7.elf -m sm7-1 --fast
for target in vortex vortex64; do
  "$SIMTLAB" cc -g -O1 --target $target -o $target.elf scale.c 2>err || continue # without LLVM
  on_machine $target.elf -m $target
  on_machine $target.elf -m $target --fast
done
finish
