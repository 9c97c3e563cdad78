# The CUDA headers are valid C and C++ without the CUDA language, and valid CUDA of each standard.
. "$SOURCE/tests/cli/_lib.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
cd "$work" || exit 1
root=$BUILD/cuda

echo '#include <cuda_runtime.h>' >all.h
for header in cuda nvrtc cuda_runtime_api vector_types vector_functions driver_types texture_types math_constants \
  cuComplex cuda_profiler_api driver_functions nvToolsExt omp device_launch_parameters; do
  echo "#include <$header.h>" >>all.h
done
cp all.h all.c
{ cat all.h; echo '#include <helper_cuda.h>'; echo '#include <helper_math.h>'; echo '#include <cutil_inline.h>'; } >all.cpp
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
for standard in c++98 c++11 c++14 c++17 c++20; do
  expect 0 "$SIMTLAB" cuda -std=$standard -Xcompiler -Wall,-Wextra,-Werror -c all.cu
done
finish
