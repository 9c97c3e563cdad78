# Helpers of the tests of simtlab gdb on host programs: a program, and gdb-multiarch on its kernels.
command -v gdb-multiarch >/dev/null || exit 77
cd "$work" || exit 1

# debugged STATUS PROGRAM [ARGUMENT...]: runs the program with $options, and gdb, which does what the standard input
# says. What the program prints is in `program`, what simtlab says in `told`, what gdb prints in `out`.
debugged() {
  wanted=$1 name=$2
  shift 2
  command="gdb on $name $*"
  rm -f told
  (
    timeout 60 "$SIMTLAB" gdb $options "./$name" "$@" >program 2>told
    echo $? >status
  ) &
  for try in $(seq 300); do
    grep -q 'waiting for gdb' told 2>/dev/null && break
    sleep 0.1
  done
  port=$(sed -n "s/.*remote :\([0-9]*\)'.*/\1/p" told)
  {
    printf '%s\n' 'set pagination off' 'set confirm off' 'set width 0' 'set print thread-events off'
    echo "file $name.gdb/${symbols-kernels.sym}"
    echo "target remote :$port"
    cat
  } >script.gdb
  LD_PRELOAD= timeout 60 gdb-multiarch -nx -batch -x script.gdb >out 2>&1 </dev/null || complain "gdb fails"
  ! grep -q 'Error in sourced' out || complain "$(grep -A1 'Error in sourced' out)"
  wait
  [ "$(cat status)" -eq "$wanted" ] || complain "the program ends with $(cat status): $(cat told)"
}

# in_order TEXT...: the last session prints them in this order, each after the one before.
in_order() {
  printf '%s\n' "$@" >wanted
  awk 'NR == FNR { want[++n] = $0; next } at < n && index($0, want[at + 1]) { at++ } END { if (at < n) print want[at + 1]; exit at < n }' \
    wanted out >missing || complain "does not print in this order: $(cat missing)"
}
