# Helpers of the tests of the checker in CUDA programs.
. "$(dirname "$0")/_checker.sh"

# checked NAME...: builds programs of tests/check/cuda and compares their findings with the marks.
checked() {
  for name in "$@"; do
    expect 0 "$SIMTLAB" cuda -lineinfo --checkable -o $name "$programs/cuda/$name.cu"
    expect "$(status "$programs/cuda/$name.cu" 9)" env SIMTLAB_CUDA_CHECK=2 SIMTLAB_CUDA_CHECK_EXIT=9 ./$name
    found "$programs/cuda/$name.cu"
  done
}

if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  finish
fi
export LD_LIBRARY_PATH="$(cat root)/lib64"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"
