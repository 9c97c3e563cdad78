# Tables are coloured on a terminal, elsewhere only with --color=always. NO_COLOR and a dumb terminal disable colours.
. "$(dirname "$0")/_lib.sh"
escape=$(printf '\033')
unset NO_COLOR SIMTLAB_COLOR
program=$BUILD/bench/VecAdd.elf

coloured() { grep -aqF "${escape}[" "$work/out" || complain "has no colour"; }
plain() { ! grep -aqF "${escape}[" "$work/out" || complain "has colour"; }

for line in "machines" "bench --only VecAdd" "compare -m simtight,simty-plus $program" "profile -n 1 $program" \
  "verify simtight --only empty*" "paper simtight --size small --only VecAdd --out $work/report"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" $line
  plain
  cp "$work/out" "$work/wanted"
  for when in "--color=always" "--color always"; do
    # shellcheck disable=SC2086
    expect 0 env NO_COLOR=1 TERM=dumb "$SIMTLAB" $line $when
    coloured
  done
  # Colours change nothing else. (Speeds and reused runs differ between runs.)
  sed "s/$escape\[[0-9;]*m//g" "$work/out" | grep -v ' reused' >"$work/stripped"
  [ "${line%% *}" = bench ] || [ "${line%% *}" = paper ] || cmp -s "$work/stripped" "$work/wanted" ||
    complain "the coloured text differs"
done
expect 0 env SIMTLAB_COLOR=always "$SIMTLAB" machines
coloured
expect 0 env SIMTLAB_COLOR=always "$SIMTLAB" machines --color=auto
plain
expect 2 "$SIMTLAB" machines --color=sometimes
says "unknown time for --color 'sometimes'; there are auto, always, never"
expect 2 "$SIMTLAB" machines --colour
says "did you mean '--color'?"
# Output of the simulated program stays unchanged.
expect 0 "$SIMTLAB" run -q --color=always "$program"
plain

if command -v script >/dev/null; then
  on_terminal() { # VARIABLE=VALUE ARGUMENT...
    command="simtlab $2 with $1, on a terminal"
    env "$1" script -qec "$SIMTLAB $2" /dev/null >"$work/out" 2>"$work/err" </dev/null
  }
  on_terminal TERM=xterm "bench --only VecAdd -q"
  coloured
  on_terminal TERM=dumb "bench --only VecAdd -q"
  plain
  on_terminal TERM=xterm "bench --only VecAdd -q --color=never"
  plain
  export TERM=xterm
  on_terminal NO_COLOR=1 "bench --only VecAdd -q"
  plain
  on_terminal NO_COLOR= "bench --only VecAdd -q" # empty is not set
  coloured
  on_terminal SIMTLAB_COLOR=never "machines"
  plain
fi
finish
