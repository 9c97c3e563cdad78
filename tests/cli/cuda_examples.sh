# The CUDA examples build from their Makefile with nvcc of simtlab's tree, and agree with the CPU, timed and fast.
. "$SOURCE/tests/cli/_lib.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] && [ -f "$BUILD/libsimtlab-cudart.so" ] || { echo "skipped: no CUDA"; exit 77; }
sanitized "$BUILD/libsimtlab-cudart.so"
mkdir "$work/suite" && cp -r "$SOURCE/examples/cuda" "$work/suite/" && cd "$work/suite/cuda" || exit 1
PATH=$BUILD/cuda/bin:$PATH
programs="reduce sparse"
brief || programs="reduce sparse options"
# shellcheck disable=SC2086
expect 0 make -s -j2 $programs
silent
for program in $programs; do
  expect 0 "./$program"
  prints "PASSED (0 of"
  expect 0 env SIMTLAB_CUDA_MODE=fast "./$program"
  prints "PASSED (0 of"
done

# The suite tool finds programs that compile, that do not, and that are wrong.
mkdir "$work/tree" "$work/tree/right" "$work/tree/wrong" "$work/tree/broken"
cp "$SOURCE/examples/cuda/vector_add.cu" "$SOURCE/examples/cuda/check.h" "$work/tree/right"
sed 's/a\[i\] + b\[i\];$/a[i] - b[i];/;t' "$work/tree/right/vector_add.cu" >"$work/tree/wrong/minus.cu"
cp "$SOURCE/examples/cuda/check.h" "$work/tree/wrong"
sed -i '0,/a\[i\] - b\[i\]/s//a[i] + b[i]/' "$work/tree/wrong/minus.cu"
echo 'int main() { return nothing(); }' >"$work/tree/broken/broken.cu"
expect 1 env SIMTLAB="$SIMTLAB" sh "$SOURCE/tools/cuda-suite.sh" "$work/tree"
prints "3 programs: 2 compiled, 2 ran, 1 right"
grep -q "right/vector_add *yes *yes *yes" "$work/out" || complain "the right program is not right"
grep -q "wrong/minus *yes *yes *no" "$work/out" || complain "the wrong program is not wrong"
grep -q "broken/broken *no" "$work/out" || complain "the broken program compiled"
finish
