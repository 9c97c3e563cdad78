# tools/soak.sh finds nothing wrong in a moment, and does where a restored run comes to something else.
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
# In every round there is a checkpoint to go on from unless the kill comes first.
expect 1 env BUILD="$work/build" "$SOURCE/tools/soak.sh" 6 7
prints "another outcome from kept-"
finish
