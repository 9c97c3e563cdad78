# The hash of a program covers its loaded contents: it does not depend on the folder of compilation, and changes with
# the code.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
hash_of() { sed -n 's/.*"hash": "\(0x[0-9a-f]*\)".*/\1/p' "$1" | head -1; }

# compile FOLDER WORD
compile() {
  mkdir -p "$1"
  cat >"$1/hello.c" <<END
#include <assert.h>
#include <simt.h>
#include <stdio.h>
int main(int argc, char **argv)
{
  (void)argv;
  assert(argc < 10);
  puts("$2");
  return 0;
}
END
  expect 0 sh -c 'cd "$1" && "$2" cc -o hello.elf hello.c && "$2" run -q --stats hello.json hello.elf' sh "$1" "$SIMTLAB"
}

compile one hello
# Sources with absolute paths, and headers beside them: the program contains __FILE__ of both.
for folder in first second/by/its-name; do
  mkdir -p "$folder"
  printf '#define PLACE __FILE__\nstatic inline const char *here(void) { return __FILE__; }\n' >"$folder/place.h"
  printf '#include <simt.h>\n#include <stdio.h>\n#include "place.h"\nint main(void) { printf("%%s %%s\\n", PLACE, here()); return 0; }\n' \
    >"$folder/main.c"
  for option in --no-marks --clang --marks=auto; do
    expect 0 "$SIMTLAB" cc $option -o "$folder/main.elf" "$PWD/$folder/main.c"
    expect 0 "$SIMTLAB" run -q --stats "$folder/main$option.json" "$folder/main.elf"
    prints "main.c place.h"
  done
done
for option in --no-marks --clang --marks=auto; do
  [ "$(hash_of "first/main$option.json")" = "$(hash_of "second/by/its-name/main$option.json")" ] ||
    complain "with $option the hash depends on the folder of a source with an absolute path"
done
expect 0 "$SIMTLAB" cc "-fmacro-prefix-map=$PWD=/mine" -o main.elf "$PWD/first/main.c"
expect 0 "$SIMTLAB" run -q main.elf
prints "/mine/first/main.c "

# If debugging information renames the source folder, too, the programs are equal bit for bit.
for folder in first second/by/its-name; do
  for option in --no-marks --fp; do
    expect 0 sh -c 'cd "$1" && "$2" cc $3 $4 -o "all$3.elf" "$1/main.c"' sh "$PWD/$folder" "$SIMTLAB" "$option" \
      "-fdebug-prefix-map=$PWD/$folder=/mine"
  done
done
for option in --no-marks --fp; do
  cmp "first/all$option.elf" "second/by/its-name/all$option.elf" || complain "with $option the programs differ"
done
compile another/deeper/folder hello
compile changed Hello
[ -n "$(hash_of one/hello.json)" ] || complain "there is no hash"
[ "$(hash_of one/hello.json)" = "$(hash_of another/deeper/folder/hello.json)" ] || complain "the hash depends on the folder"
[ "$(hash_of one/hello.json)" != "$(hash_of changed/hello.json)" ] || complain "the hash does not depend on the code"

# The hash excludes debugging information, which is not loaded.
riscv64-unknown-elf-strip -g -o stripped.elf one/hello.elf
expect 0 "$SIMTLAB" run -q --stats stripped.json stripped.elf
[ "$(hash_of one/hello.json)" = "$(hash_of stripped.json)" ] || complain "the hash depends on debugging information"
finish
