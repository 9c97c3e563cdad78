#!/bin/sh
# The library has no mutable global state: no symbol of its own is in .data, .bss or common storage.
set -eu
library=$BUILD/libsimtlab.so
# completed.0, __dso_handle and __TMC_END__ are the linker's, __cpu_model and __cpu_features2 the compiler's runtime.
found=$(objdump -t "$library" | awk '/[ \t]\.(data|bss)[ \t]|\*COM\*/ { print $NF }' | sort -u |
  grep -Ev '^(\.data|\.bss|completed\..*|__dso_handle|__TMC_END__|_edata|_end|__bss_start|__cpu_model|__cpu_features2)$' ||
  true)
if [ -n "$found" ]; then
  echo "writable symbols in $library:" >&2
  echo "$found" >&2
  exit 1
fi
# The check must detect one.
objdump -t "$library" | grep -q 'completed' || { echo "$library has no symbol table to check" >&2; exit 1; }
echo "no writable global symbol"
