# Manual pages and completions are generated from the option tables. Lint accepts the pages, and they list every option.
# The scripts complete commands, options and values.
. "$(dirname "$0")/_lib.sh"
commands=$("$SIMTLAB" help --list commands)
[ "$(echo "$commands" | wc -l)" -ge 12 ] || complain "too few commands"

# Prints the option names of a help text.
options_of() { grep -oE '^ +(-[a-zA-Z], )?--[a-z0-9_-]+' "$1" | grep -oE -e '--[a-z0-9_-]+'; }

for name in '' $commands; do
  expect 0 "$SIMTLAB" help --man $name
  cp "$work/out" "$work/page.1"
  cmp -s "$work/page.1" "$BUILD/man/man1/simtlab${name:+-}$name.1" || complain "differs from the installed page"
  groff -man -ww -z "$work/page.1" >"$work/err" 2>&1
  [ ! -s "$work/err" ] || complain "groff reports errors in the page"
  if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$work/page.1" | grep -v 'missing date' >"$work/err"
    [ ! -s "$work/err" ] || complain "mandoc reports errors in the page"
  fi
  [ -n "$name" ] || continue
  groff -man -Tascii -P-c -P-b -P-u "$work/page.1" >"$work/page" 2>/dev/null
  "$SIMTLAB" "$name" --help >"$work/help"
  "$SIMTLAB" help --complete -- "$name" -- >"$work/options"
  for option in $(options_of "$work/help"); do
    grep -q -e "$option" "$work/page" || complain "the page lacks $option"
    grep -q -e "^$option	" "$work/options" || complain "no shell completes $option"
  done
done

# The command accepts each option of the table.
for option in $("$SIMTLAB" cc --help >"$work/help"; options_of "$work/help"); do
  "$SIMTLAB" cc "$option" x 2>"$work/err" >"$work/out"
  ! grep -q 'unknown option' "$work/err" || complain "cc rejects $option, which its table has"
done

# completes LINE WORD...: bash offers these words for the last word of LINE; readline splits words at '='.
cat >"$work/complete.bash" <<'END'
compopt() { :; }
source "$BUILD/completion/simtlab"
line=$1
[ "${line% }" = "$line" ] && line=${line//=/ = } || line="${line//=/ = }x"
read -ra COMP_WORDS <<<"${line}"
[ "${1% }" = "$1" ] || COMP_WORDS[-1]=
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_simtlab "$SIMTLAB" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
END
completes() {
  command="completion of '$1'"
  BUILD=$BUILD SIMTLAB=$SIMTLAB bash "$work/complete.bash" "$1" >"$work/out" 2>"$work/err"
  silent
  shift
  for word; do
    grep -qxF -e "$word" "$work/out" || complain "does not offer $word but $(tr '\n' ' ' <"$work/out")"
  done
}
only() { [ "$(wc -l <"$work/out")" -eq "$1" ] || complain "offers $(wc -l <"$work/out") words instead of $1"; }

cd "$work" || exit 1
touch prog.elf
mkdir folder
completes 'simtlab pr' profile
only 1
completes 'simtlab ' run cc help
completes 'simtlab run --mach' --machine
only 1
completes 'simtlab run --machine simty-' simty-plus simty-16x32
completes 'simtlab run --machine=simtight-rfc-pp-' simtight-rfc-pp-fp
completes 'simtlab run -m ' vortex prog.elf
completes 'simtlab run -s dram.lat' dram.latency=
only 1
completes 'simtlab bench -z ' small paper
only 2
completes 'simtlab bench --only VecAdd,MatV' VecAdd,MatVecMul
completes 'simtlab verify --jobs 2 simtight-f' simtight-fp
completes 'simtlab show vortex dcache.ba' dcache.banks
completes 'simtlab paper cf' cfm-dmsl
only 1
completes 'simtlab paper -d fo' folder
only 1
completes 'simtlab diff-commits -i re' register
completes 'simtlab run -m simtight --quiet pro' prog.elf
completes 'simtlab help ver' verify
completes 'simtlab run --max-cycles 1' ''

if command -v zsh >/dev/null; then
  expect 0 zsh -n "$BUILD/completion/_simtlab"
fi
if command -v fish >/dev/null; then
  expect 0 fish --no-config -n "$BUILD/completion/simtlab.fish"
  fished() {
    command="fish: $1"
    PATH=$(dirname "$SIMTLAB"):$PATH HOME=$work fish --no-config -c "source $BUILD/completion/simtlab.fish; complete -C '$1'" \
      >"$work/out" 2>"$work/err"
    cut -f 1 "$work/out" | grep -qxF -e "$2" || complain "does not offer $2 but $(head -3 "$work/out" | tr '\n' ' ')"
  }
  fished 'simtlab prof' profile
  fished 'simtlab run --mach' --machine
  fished 'simtlab run --machine simty-p' simty-plus
  fished 'simtlab bench --size ' paper
  fished 'simtlab bench --only VecAdd,MatV' VecAdd,MatVecMul
  fished 'simtlab verify simtight-f' simtight-fp
fi
finish
