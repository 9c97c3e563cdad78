# The hash of a program is that of what is loaded: the same wherever it is compiled, another when its code is.
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
compile another/deeper/folder hello
compile changed Hello
[ -n "$(hash_of one/hello.json)" ] || complain "there is no hash"
[ "$(hash_of one/hello.json)" = "$(hash_of another/deeper/folder/hello.json)" ] || complain "the hash depends on the folder"
[ "$(hash_of one/hello.json)" != "$(hash_of changed/hello.json)" ] || complain "the hash does not depend on the code"

# Debugging information is not loaded.
riscv64-unknown-elf-strip -g -o stripped.elf one/hello.elf
expect 0 "$SIMTLAB" run -q --stats stripped.json stripped.elf
[ "$(hash_of one/hello.json)" = "$(hash_of stripped.json)" ] || complain "the hash depends on debugging information"
finish
