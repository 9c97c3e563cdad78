# A function of a warp's lanes gives the same results as a C kernel, on machines of every kind, and as a CUDA kernel.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs
cd "$work" || exit 1
if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  echo "no CUDA in this build"
  exit 77
fi
for target in simt sm7; do
  expect 0 "$SIMTLAB" cc --target $target -o $target.elf "$programs/lanes_body.c"
  silent
done
export LD_LIBRARY_PATH="$(cat root)/lib64"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"
expect 0 "$SIMTLAB" cuda -O1 -o lanes "$programs/cuda/lanes.cu"
expect 0 env SIMTLAB_CUDA_MODE=fast ./lanes
mv out cuda.out
[ "$(wc -l <cuda.out)" -eq 64 ] || complain "does not print 64 threads"
unset LD_PRELOAD
for run in "simtight simt" "simtight-rfc-pp simt" "sm7-1 sm7"; do
  set -- $run
  expect 0 "$SIMTLAB" run -q -m "$1" "$2.elf"
  same out cuda.out || complain "differs from the CUDA kernel"
done
finish
