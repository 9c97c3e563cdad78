# Helpers of the tests of the checker in CUDA programs.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/check
cd "$work" || exit 1

# found SOURCE: the last command's findings are the marked lines of the source.
found() { python3 "$programs/compare.py" "$1" err >said || complain "$(python3 "$programs/compare.py" "$1" err 2>&1)"; }

# checked NAME...: builds programs of tests/check/cuda and compares their findings with the marks.
checked() {
  for name in "$@"; do
    expect 0 "$SIMTLAB" cuda -lineinfo --checkable -o $name "$programs/cuda/$name.cu"
    status=9
    grep -q '// [a-z]' "$programs/cuda/$name.cu" || status=0
    expect $status env SIMTLAB_CUDA_CHECK=2 SIMTLAB_CUDA_CHECK_EXIT=9 ./$name
    found "$programs/cuda/$name.cu"
  done
}

if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  finish
fi
export LD_LIBRARY_PATH="$(cat root)/lib64"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"
