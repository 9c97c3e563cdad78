# Build systems: CMake's CUDA language takes simtlab cuda for its compiler; g++ links objects with the SDK's libraries.
. "$(dirname "$0")/_lib.sh"
programs=$work
cd "$work" || exit 1
if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  echo "no CUDA in this build"
  exit 77
fi
root=$(cat root)
eval "$("$SIMTLAB" cuda --env 2>/dev/null)"
sanitized "$root/lib64/libsimtlab-cudart.so"
export SIMTLAB_CUDA_MODE=fast
cat >kernel.cu <<'END'
__global__ void kernel(int *p) { *p = 42; }
int launch()
{
  int h = 0, *d;
  cudaMalloc(&d, 4);
  kernel<<<1, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  return h;
}
END
echo 'int launch(); int main() { return launch() != 42; }' >main.cpp

# Objects that g++ links with the static library's name
expect 0 "$root/bin/nvcc" -dc -arch=native -o kernel.o kernel.cu
expect 0 "$root/bin/nvcc" -dlink -o linked.o kernel.o -lcudadevrt
expect 0 g++ -o linked main.cpp kernel.o linked.o -L"$root/lib64" -lcudart_static -lcudadevrt -ldl -lrt -lpthread
expect 0 ./linked

# Files for cuModuleLoad, unknown options with permission
expect 0 "$root/bin/nvcc" -cubin -arch=sm_70 kernel.cu
grep -q '^.visible .entry _Z6kernelPi' kernel.cubin || complain "-cubin writes no PTX"
expect 0 "$root/bin/nvcc" --fatbin -o image.bin kernel.cu
grep -q '^.visible .entry _Z6kernelPi' image.bin || complain "-fatbin writes no PTX"
expect 0 "$root/bin/nvcc" -forward-unknown-to-host-compiler -dumpversion -c kernel.cu

# CMake
command -v cmake >/dev/null || finish
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(linked LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_ARCHITECTURES 70 80)
add_library(kernel STATIC kernel.cu)
set_target_properties(kernel PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_executable(whole main.cpp)
target_link_libraries(whole PRIVATE kernel CUDA::cudart)
END
expect 0 cmake -S . -B made -DCMAKE_BUILD_TYPE=Release
expect 0 make -C made
expect 0 made/whole
finish
