# simtlab cuda takes nvcc's options, compiles both sides of a file, rewrites separated launch brackets, and refuses in
# sentences.
. "$SOURCE/tests/cli/_lib.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
cd "$work" || exit 1
root=$BUILD/cuda

cat >k.cu <<'END'
#include "part.h"
#include <stdio.h>
__device__ int counter;
template <class T> __global__ void k(T *p) { p[threadIdx.x] = (T)erf((float)p[threadIdx.x]) + PART; }
int main() {
  k<float> << <1, 32>> >((float *)0);
  const char *text = "a << <b>> >c";
  printf("%s %d\n", text, __LINE__);
  return 0;
}
END
echo '#define PART 1' >part.h
echo 'int helper(void) { return 3; }' >h.c

# row WORDS OPTION...: the dry run with the options has the words in the line of the side (device, host, link).
row() {
  side=$1
  words=$2
  shift 2
  expect 0 "$SIMTLAB" cuda --dry-run "$@"
  case $side in
  device) grep -e --cuda-device-only "$work/out" ;;
  host) grep -e --cuda-host-only "$work/out" ;;
  link) grep -v -e ' -x cuda ' "$work/out" ;;
  esac >line
  grep -qF -e " $words " line || complain "the $side line lacks: $words"
}
# free WORD OPTION...: no line of the dry run has the word.
free() {
  word=$1
  shift
  expect 0 "$SIMTLAB" cuda --dry-run "$@"
  ! grep -qF -e "$word" "$work/out" || complain "the commands have: $word"
}
row device "-I inc" -I inc -c k.cu
row host "-I inc" -Iinc -c k.cu
row device "-D A=1" --define-macro=A=1 -c k.cu
row host "-U A" -U A -c k.cu
row device "-include part.h" -include part.h -c k.cu
row device "-isystem sys" -isystem sys -c k.cu
row device "-std=gnu++11" -std=c++11 -c k.cu
row host "-std=gnu++17" --std c++17 -c k.cu
row host "-std=gnu++14" -c k.cu
row host "-O2" -O2 -c k.cu
row device "-O3" -O2 -c k.cu
row device "-O1" -O0 -c k.cu
row device "-O1" -G -c k.cu
row device "-gline-tables-only" -lineinfo -c k.cu
row host "-g" -g -c k.cu
row host "-pg" -pg -c k.cu
row host "-w" -w -c k.cu
row host "-Wall" -Xcompiler -Wall,-funroll-loops -c k.cu
row host "-funroll-loops" --compiler-options=-Wall,-funroll-loops -c k.cu
row host "-fno-strict-aliasing" -Xcompiler "-Wall -fno-strict-aliasing" -c k.cu
row host "-march=native" -march=native -c k.cu
row host "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1" --default-stream per-thread -c k.cu
free PER_THREAD -default-stream legacy -c k.cu
row device "-fcuda-flush-denormals-to-zero" -use_fast_math -c k.cu
row device "-fgpu-approx-transcendentals" --use_fast_math -c k.cu
row device "-ffp-contract=fast-honor-pragmas" -c k.cu
row link "-Xlinker -z" -Xlinker -z,now k.cu
row link "-Wl,-rpath,here" -Xcompiler -Wl,-rpath,here k.cu
row link "-L here" -L here k.cu
row link "-lm" -lm k.cu
row link "-lgomp" -Xcompiler -fopenmp k.cu
row link "-shared" -shared -Xcompiler -fPIC k.cu
row link "-xc" -x c k.cu
grep -q -e "-lcudart$" line || complain "the program is not linked with the runtime library"
free -fopenmp -Xcompiler -fopenmp k.cu
free sm_35 -arch=sm_35 -gencode arch=compute_35,code=sm_35 -code sm_35 --gpu-architecture=sm_35 -c k.cu
free ptxas -Xptxas -v --ptxas-options=-v -dlcm=cg -Xcudafe --display -ccbin g++ -cudart static -keep --expt-relaxed-constexpr -rdc=true -m64 -fmad=false -prec-div=true --default-stream per-thread -c k.cu
free cudart_static -lcudart_static -lcudadevrt -lcuda -lcutil_x86_64 -c k.cu
free -lcutil -lcutil_x86_64 k.cu

# An SDK's headers and libraries do not come before simtlab's.
mkdir -p sdk/include sdk/lib64
echo '#error "the headers of an SDK"' >sdk/include/cuda_runtime_api.h
cp sdk/include/cuda_runtime_api.h sdk/include/cuda_runtime.h
echo '#include <cuda_runtime.h>' >s.cu
expect 0 "$SIMTLAB" cuda -I sdk/include -isystem sdk/include -Xcompiler -Isdk/include -c s.cu
row link "-L$root/lib64 -o" -L sdk/lib64 -lcudart k.cu
row host "-I $root/include" -I "$root/include" -c k.cu

# What has no effect is said when asked for.
expect 0 "$SIMTLAB" cuda --dry-run -arch=sm_35 -c k.cu
silent
expect 0 env SIMTLAB_CUDA_LOG=1 "$SIMTLAB" cuda --dry-run -arch=sm_35 -c k.cu
says "-arch=sm_35 has no effect: kernels are always compiled for compute capability 7.0"

# Refusals
refused() {
  sentence=$1
  shift
  expect 2 "$SIMTLAB" cuda "$@"
  says "$sentence"
}
refused "kernels run on simulated hardware only" -deviceemu k.cu
refused "addresses have 64 bits" -m32 k.cu
refused "the library cublas (linear algebra) is not part of simtlab" k.cu -lcublas
refused "the library curand (random numbers) is not part of simtlab" k.cu -Xcompiler -lcurand
refused "'--optimise'" --optimise k.cu
echo '__global__ void a(); __global__ void b() { a<<<1, 1>>>(); }' >nested.cu
expect 1 "$SIMTLAB" cuda -ptx nested.cu
says "nested.cu: a kernel launches a kernel (dynamic parallelism)"
refused "-o needs a value" k.cu -o
refused "no input files" -c
refused "-maxrregcount 300" -maxrregcount 300 k.cu
refused "one output cannot hold" -c -o x.o k.cu h.c k.cu
refused "would overwrite this input" -c -o k.cu k.cu
refused "absent.cu cannot be read" -c absent.cu
expect 2 env PATH=/nonexistent "$SIMTLAB" cuda -c k.cu
says "clang-19 is not installed; install the Debian package clang-19"
[ ! -e k.o ] || complain "an output is there after an error"
echo '#include <cublas_v2.h>' >b.cu
expect 1 "$SIMTLAB" cuda -c b.cu
says "cublas_v2.h (linear algebra) is not part of simtlab"
echo '__device__ int other(int); __global__ void k(int *p) { *p = other(1); }' >u.cu
expect 1 "$SIMTLAB" cuda -c u.cu
says "u.cu: the device function _Z5otheri is called but not defined"
expect 0 "$SIMTLAB" cuda -dc u.cu
echo '__global__ void k(int *p) { *p = nothing(1); }' >w.cu
expect 1 "$SIMTLAB" cuda -c w.cu
says "undeclared identifier 'nothing'"
[ ! -e w.o ] || complain "an object is there after an error"

# Outputs: objects with an image, PTX, dependencies, archives; no temporary file remains.
mkdir tmp
TMPDIR=$work/tmp expect 0 "$SIMTLAB" cuda -maxrregcount=40 -MMD -c k.cu h.c
silent
grep -q "SIMTPTX1" k.o || complain "k.o has no image"
LC_ALL=C grep -aq "$(printf 'SIMTPTX1..[^a-z]*\050')" k.o || complain "the image has no register bound of 40"
has k.d "k.o:"
has k.d part.h
[ -s h.o ] || complain "there is no h.o"
TMPDIR=$work/tmp expect 1 "$SIMTLAB" cuda -c w.cu
[ -z "$(ls tmp)" ] || complain "temporary files remain: $(ls tmp)"
expect 0 "$SIMTLAB" cuda -ptx k.cu
has k.ptx ".visible .entry _Z1kIfEvPT_"
! grep -q "__nv_erff" k.ptx || complain "the device library is not inlined"
expect 0 "$SIMTLAB" cuda -MM k.cu
prints part.h
expect 0 "$SIMTLAB" cuda --lib -o libk.a k.cu h.c
[ "$(ar t libk.a | wc -l)" -eq 2 ] || complain "the archive has $(ar t libk.a)"
expect 0 "$SIMTLAB" cuda -cuda k.cu
expect 0 "$SIMTLAB" cuda -E k.cu
prints '"a << <b>> >c"'
expect 0 "$SIMTLAB" cuda --version
prints "release 11.8"
expect 0 "$SIMTLAB" cuda --root
prints cuda
expect 0 "$SIMTLAB" cuda --env
prints "export CUDA_HOME="
expect 0 sh -c "eval \"\$('$SIMTLAB' cuda --env 2>/dev/null)\"; nvcc --version"
prints "release 11.8"

# Brackets of launches are joined in code only; the line numbers stay.
cat >j.cu <<'END'
#include <iostream>
#include <vector>
struct s { std::vector<std::vector<std::vector<int>> > v; };
template <class T> struct w { T t; };
template <class T> std::ostream &operator<< (std::ostream &o, const w<T> &x) { return o << x.t; }
template std::ostream &operator<< <int>(std::ostream &, const w<int> &);
__global__ void k(int *p) { *p = 1 << (*p >> 1); }
void f(int *p, dim3 g) {
  k< < <g, 32 >> >(p);
  k<<<g, dim3(1, 2) > >>(p);
  k << < dim3(g.x, 1),
         std::vector<std::vector<int>>(1).size() >> > (p);
  /* k << <1, 1>> >(p) */ // k << <1
  int line[__LINE__ == 14 ? 1 : -1];
  (void)line;
}
END
expect 0 "$SIMTLAB" cuda -c j.cu

# A percent sign before a name in assembly with operands, as nvcc takes it; doubled ones and other texts stay.
cat >a.cu <<'END'
// asm("%x" : )
__global__ void k(unsigned *o)
{
  unsigned a, b, c;
  asm volatile("mov.u32 %0, %laneid;" : "=r"(a));
  asm("mov.u32 %0, %%laneid;\n\t"
      "add.u32 %0, %0, %1;" : "=r"(b) : "r"(a));
  __asm__ __volatile__ ("{ .reg .u32 t; mov.u32 t, %tid.x; add.u32 %[sum], t, 1; }" : [sum] "=r"(c));
  asm("// no operands: %laneid");
  o[__LINE__ == 10 ? 0 : -1] = a + b + c;
}
END
expect 0 "$SIMTLAB" cuda -ptx -o a.ptx a.cu
[ "$(grep -c '%laneid;' a.ptx)" -eq 2 ] || complain "the assembly is not as written"
has a.ptx "mov.u32 t, %tid.x"
finish
