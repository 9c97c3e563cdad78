# Output fits the terminal's columns, or 80 in a pipe. Multi-byte and double-width characters count by their columns.
. "$(dirname "$0")/_lib.sh"
export LC_ALL=C.UTF-8
escape=$(printf '\033')
cd "$work" || exit 1
mkdir größe
cp "$BUILD/bench/VecAdd.elf" größe/加算.elf

# Excludes lines of the simulated program.
widest() { grep -av '^#0: saxpy' "$1" | sed "s/$escape\[[0-9;]*[mK]//g; s/.*\r\(.\)/\1/" | wc -L; }

# fits COLUMNS: the last command's output fits.
fits() {
  got=$(widest "$work/out")
  [ "$got" -le "$1" ] || complain "has a line of $got columns: $(awk -v most="$1" 'length > most' "$work/out" | head -1)"
}

widths="80 132"
! brief || widths=

# both STATUS ARGUMENT...: runs simtlab in a pipe and on terminals.
both() {
  status=$1
  shift
  env -u COLUMNS "$SIMTLAB" "$@" >"$work/out" 2>&1 </dev/null
  got=$?
  command="simtlab $*, in a pipe"
  [ "$got" -eq "$status" ] || complain "exit status $got instead of $status"
  fits 80
  if [ -n "$widths" ] && command -v script >/dev/null; then
    printf '"%s"' "$SIMTLAB" >line
    for word; do printf " '%s'" "$word" >>line; done
    for columns in $widths; do
      TERM=xterm script -qec "stty cols $columns; $(cat line)" /dev/null >"$work/out" 2>"$work/err" </dev/null
      command="simtlab $*, on a terminal of $columns columns"
      fits $columns
    done
  fi
}

both 0 --help
for name in $("$SIMTLAB" help --list commands); do
  both 0 "$name" --help
done
both 0 machines
for machine in simtight simty-plus vortex-simx-cfm-dmsl; do
  both 0 show $machine
done
both 0 show simtight convergence
both 0 run größe/加算.elf
both 0 run -m simtight-rfc-pp-sb "$BUILD/bench/Scan.elf"
both 0 profile -a größe/加算.elf
both 0 profile -m simtight-rfc-pp-sb "$BUILD/bench/MatMul.elf"
both 0 profile -m vortex "$BUILD/bench-vortex/saxpy-plain.elf"
both 0 compare -m simtight,simty-plus,simtight:lanes=16:warps=32 größe/加算.elf "$BUILD/bench/VecAdd.elf"
# A path that fills the line by itself.
long=$work/$(printf 'ordner%.0s' 1 2 3 4 5 6)
mkdir "$long"
cp größe/加算.elf "$long/VecAdd.elf"
both 0 compare -m simtight,simtight:lanes=16:warps=32 größe/加算.elf "$long/VecAdd.elf"
tr -d '\n' <"$work/out" | grep -q 'ordner/VecAdd.elf' || complain "does not print the whole path"
both 0 bench --only VecAdd,BitonicSortSmall,MatMul_Float
both 0 bench --fast --only VecAdd
both 0 verify simtight --only 'sram_ld*'
both 0 verify vortex --only 'saxpy*'
both 0 disasm größe/加算.elf
both 0 paper simtight --size small --only VecAdd --out report
both 0 paper cfm-dmsl --size small --only saxpy --out report-cfm
"$SIMTLAB" run -q --trace-commits ours größe/加算.elf >/dev/null
sed '20s/[0-8]$/9/; 21s/00000/12345/' ours >theirs
both 1 diff-commits ours theirs

# Wider terminals are used.
command="profile with COLUMNS=120"
COLUMNS=120 "$SIMTLAB" profile größe/加算.elf >"$work/out" 2>&1
fits 120
[ "$(widest "$work/out")" -gt 90 ] || complain "does not use 120 columns"
grep -q 'without room' "$work/out" && complain "omits columns"
finish
