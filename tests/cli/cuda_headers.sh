# The CUDA headers are valid C and C++ without the CUDA language, and valid CUDA of these standards.
. "$SOURCE/tests/cli/_lib.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
cd "$work" || exit 1
root=$BUILD/cuda

echo '#include <cuda_runtime.h>' >all.h
for header in cuda nvrtc cuda_runtime_api vector_types vector_functions driver_types texture_types math_constants \
  cuComplex cuda_profiler_api driver_functions nvToolsExt omp device_launch_parameters cufft; do
  echo "#include <$header.h>" >>all.h
done
cp all.h all.c
{ cat all.h; echo '#include <helper_cuda.h>'; echo '#include <helper_math.h>'; echo '#include <cutil_inline.h>'; echo '#include <shrUtils.h>'; echo '#include <shrQATest.h>'; } >all.cpp
{ cat all.cpp; echo '#include <cuda_fp16.h>'; echo '#include <cuda_bf16.h>'; echo '#include <cooperative_groups.h>'; } >new.cpp
for compiler in gcc clang-19; do
  for standard in c89 c99 c11; do
    expect 0 "$compiler" -std=$standard -Wall -Werror -isystem "$root/include" -fsyntax-only all.c
  done
done
for compiler in g++ clang-19; do
  for standard in c++98 c++17; do
    expect 0 "$compiler" -x c++ -std=$standard -Wall -Werror -isystem "$root/include" -fsyntax-only all.cpp
  done
  expect 0 "$compiler" -x c++ -std=c++17 -Wall -Werror -isystem "$root/include" -fsyntax-only new.cpp
done
cat all.cpp >all.cu

# Programs take fixed-width types from cuda.h, as from CUDA's. Helpers of old samples name types of cuFFT.
echo '#include <cuda.h>' >widths.c
echo 'uint64_t wide(uint32_t x); uint64_t wide(uint32_t x) { return x; }' >>widths.c
expect 0 gcc -std=c99 -Wall -Werror -isystem "$root/include" -fsyntax-only widths.c
echo '__global__ void k(uint32_t *p) { *p = 1; }' >widths.cu
expect 0 "$SIMTLAB" cuda -c widths.cu
echo '#include <cufft.h>' >fft.cu
echo 'static bool good(cufftResult r) { return r == CUFFT_SUCCESS; }' >>fft.cu
echo 'int main() { cufftHandle plan; return good(cufftPlan1d(&plan, 8, CUFFT_C2C, 1)); }' >>fft.cu
expect 1 "$SIMTLAB" cuda -c fft.cu
says "'cufftPlan1d' is unavailable: cuFFT (Fourier transforms) is not part of simtlab"
cat >functions.cu <<'END'
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_occupancy.h>
#include <cuda_pipeline.h>
#include <exception.h>
#include <nvfunctional>
__global__ void k(half2 *p) { nvstd::function<half(half)> f = [](half x) { return x + half(1); }; *p = make_half2(f(p->x), f(p->y)); }
END
expect 0 "$SIMTLAB" cuda -std=c++11 -Xcompiler -Wall,-Wextra,-Werror -c functions.cu
for standard in c++98 c++11 c++17 c++20; do
  expect 0 "$SIMTLAB" cuda -std=$standard -Xcompiler -Wall,-Wextra,-Werror -c all.cu
done
finish
