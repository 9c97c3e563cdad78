# tools/soak.sh passes in a short run, and fails if a restored run gives other results.
. "$(dirname "$0")/_lib.sh"
expect 0 env BUILD="$BUILD" "$SOURCE/tools/soak.sh" 3 7
prints " 0 failures"

mkdir "$work/build"
ln -s "$BUILD/bench" "$BUILD/bench-vortex" "$work/build"
cat >"$work/build/simtlab" <<END
#!/bin/sh
case "\$*" in
*--restore*) ;;
*) exec "$SIMTLAB" "\$@" ;;
esac
"$SIMTLAB" "\$@" || exit
sed -i 's/"outcome": "passed"/"outcome": "changed"/' "\$(printf '%s\n' "\$@" | sed -n '/^--stats$/{n;p}')"
END
chmod +x "$work/build/simtlab"
# Each round has a checkpoint to resume from, unless the kill comes first, as on a busy computer.
command="soak.sh on a simtlab that restores otherwise"
for seconds in 6 20 60; do
  env BUILD="$work/build" "$SOURCE/tools/soak.sh" $seconds 7 >"$work/out" 2>"$work/err"
  status=$?
  [ $status -eq 0 ] || break
done
[ $status -eq 1 ] || complain "exit status $status instead of 1"
prints "another outcome from kept-"
finish
