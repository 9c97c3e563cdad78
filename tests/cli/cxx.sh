# C++ kernels: templates and lambdas on all machines, constructors and destructors around main, and features that are
# not supported.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs
cd "$work" || exit 1
auto="--marks=auto"
[ -x "$BUILD/simtlab-marks" ] || auto=

# same OPTIONS RUN: compiles and runs the kernel, which reports no error; output is the same on every machine.
same() {
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc $1 -o templates.elf "$programs/templates.cc"
  silent
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $2 templates.elf
  prints "0 rows wrong"
  silent
  sed 's/^#0: //' "$work/out" >this
  [ -e first ] || cp this first
  cmp -s first this || complain "prints $(cat this) instead of $(cat first)"
}
same "" "-m simtight"
same --clang "-m simtight-rfc-pp"
same "--fp -std=c++14" "-m simtight-fp"
same --rv32e "-m simtight --fast"
same --no-marks "-m simty-plus"
if [ -n "$auto" ]; then
  same $auto "-m simtight"
  same "--target vortex" "-m vortex --set divergent_branch.faults=true"
  same "--target vortex" "-m vortex --fast --set lanes=32 --set warps=4 --set cores=2 --set divergent_branch.faults=true"
fi

# Constructors run before main, by priority and then in source order; destructors run after main in reverse order.
# Separate compilation does not change this.
cat >life.h <<'C'
#include <stdio.h>
struct Life {
  int n;
  Life(int number) : n(number) { printf("in %d\n", n); }
  ~Life() { printf("out %d\n", n); }
};
C
cat >life.cc <<'C'
#include "life.h"
struct Shape {
  virtual int area() const = 0;
  virtual ~Shape() {}
};
struct Square : Shape {
  int a[3];
  Square(int n) : a{n, n, n} {}
  int area() const override { return a[0] * a[2]; }
};
struct alignas(64) Wide {
  int words[16];
};
Life late(2), later(3);
Life early __attribute__((init_priority(200)))(1);
int other();
int main()
{
  static Life in_main(4);
  Shape *shape = new Square(5);
  Wide *wide = new Wide;
  int *several = new int[9];
  printf("main %d %d\n", shape->area() + other(), static_cast<int>(reinterpret_cast<unsigned long>(wide) % 64));
  delete shape;
  delete wide;
  delete[] several;
  return 0;
}
C
echo 'int other() { int n = 3; return [&] { return n; }(); }' >other.cpp
printf 'in %s\n' 1 2 3 4 >wanted
printf 'main 28 0\n' >>wanted
printf 'out %s\n' 4 3 2 1 >>wanted
for options in "" --clang $auto "${auto:+--target vortex}"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc $options -c life.cc
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc $options -c other.cpp -o other.o
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc $options life.o other.o -o life.elf
  case $options in *vortex) machine=vortex ;; *) machine=simtight ;; esac
  expect 0 "$SIMTLAB" run -q -m $machine life.elf
  sed 's/^#0: //' "$work/out" | cmp -s - wanted || complain "constructors and destructors run in another order: $(cat "$work/out")"
done

# Mixed programs: C files compile as C and call the functions that C++ declares extern "C".
cat >part.c <<'C'
#include "simt.h"
int part(void);
SIMT_KERNEL(none, (int *, to)) { to[threadIdx.x] = threadIdx.x; }
int part(void)
{
  int *to = simt_alloc(128);
  return simt_launch(none, dim3(1), dim3(32), .to = to) == SIMT_OK ? to[31] : -1;
}
C
printf 'extern "C" int part();\nint main() { return part() == 31 ? 0 : 1; }\n' >whole.cxx
expect 0 "$SIMTLAB" cc part.c whole.cxx -o mixed.elf
silent
expect 0 "$SIMTLAB" run -q mixed.elf

echo 'int main() { throw 1; }' >throws.cc
expect 1 "$SIMTLAB" cc -c throws.cc
says "exception handling disabled"
echo 'struct A { virtual ~A() {} }; int main() { A a; return dynamic_cast<void *>(&a) == &a ? 0 : typeid(a) == typeid(A); }' >types.cc
expect 1 "$SIMTLAB" cc -c types.cc
says "typeid"
finish
