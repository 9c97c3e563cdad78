# simtlab new: folders whose `make test` works at once; nothing is overwritten.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
for kind in kernel study; do
  expect 0 "$SIMTLAB" new $kind first_$kind
  prints "next: make -C first_$kind test"
  ! grep -rq NAME first_$kind || complain "a NAME is left in first_$kind"
  command="make -C first_$kind test"
  make -s -C first_$kind SIMTLAB="$SIMTLAB" test >out 2>&1 || complain "$(cat out)"
  grep -q "all passed" out || complain "$(cat out)"
  find first_$kind -type f | sort >before
  expect 2 "$SIMTLAB" new $kind first_$kind
  says "first_$kind exists; choose another name"
  find first_$kind -type f | sort | cmp -s - before || complain "the folder has changed"
done
command="make study and table"
make -s -C first_kernel SIMTLAB="$SIMTLAB" study >out 2>&1 || complain "$(cat out)"
make -s -C first_study SIMTLAB="$SIMTLAB" table >out 2>&1 || complain "$(cat out)"
for name in 1a a-b a/b '' ../a "$(printf 'x%.0s' $(seq 61))"; do
  expect 2 "$SIMTLAB" new kernel "$name"
  says "cannot be the name"
done
expect 0 "$SIMTLAB" new kernel "$(printf 'x%.0s' $(seq 60))"
expect 2 "$SIMTLAB" new program a
says "new makes a kernel or a study, not 'program'"
expect 2 "$SIMTLAB" new kernel
says "new takes a kind and a name"
mkdir closed && chmod 555 closed
[ "$(id -u)" = 0 ] || (cd closed && expect 2 "$SIMTLAB" new kernel a && says "cannot be made") || exit 1
command="new on a full disk"
(ulimit -f 0; "$SIMTLAB" new kernel full >out 2>err)
[ $? -eq 2 ] || complain "a full disk is not told"
[ ! -e full ] || complain "a part of a folder is left over"
finish
