# simtlab cc writes outputs atomically. After a compiler or linker error the old file stays and no temporary file
# remains. Dependency files name the final output.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
echo 'int main(void) { extern int nobody(void); return nobody(); }' >unlinked.c
echo 'int main(void) { return nobody; }' >wrong.c
echo '__device__ int f() { return nobody; }' >wrong.cu
echo '#include "one.h"' >good.c
echo 'int main(void) { return ONE - 1; }' >>good.c
echo '#define ONE 1' >one.h

# keeps WORD...: cc fails with these words and -o keep, and does not change keep.
keeps() {
  echo old >keep
  "$SIMTLAB" cc "$@" -o keep >out 2>err && complain "cc $*: no error"
  [ "$(cat keep 2>/dev/null)" = old ] || complain "the output has changed"
  for beside in keep.*; do
    [ ! -e "$beside" ] || complain "leaves $beside"
  done
  rm -f keep
  "$SIMTLAB" cc "$@" -o keep >out 2>err
  [ ! -e keep ] || complain "leaves an incomplete output"
}
for target in simt vortex vortex64 sm7; do
  keeps --target $target unlinked.c
done
keeps wrong.c
keeps -c wrong.c
keeps -S wrong.c
keeps --target vortex -c wrong.c
keeps --target vortex64 -c wrong.c
keeps --target ptx wrong.cu

# A successful compilation replaces the file, also through a symbolic link. Programs are executable. An output that is
# not a regular file is written in place.
echo old >kept
ln -s kept link
expect 0 "$SIMTLAB" cc -MMD good.c -o link
[ -L link ] || complain "replaces a symbolic link"
[ "$(head -c 4 kept | tail -c 3)" = ELF ] || complain "is not a program"
has link.d 'link: good.c one.h'
expect 0 "$SIMTLAB" cc -c -MMD good.c -o good.o
has good.d 'good.o: good.c one.h'
expect 0 "$SIMTLAB" cc -c good.c -o /dev/null
mkdir -p nowhere && rmdir nowhere
expect 2 "$SIMTLAB" cc good.c -o nowhere/good.elf
says 'nowhere/good.elf: cannot be opened for writing'
finish
