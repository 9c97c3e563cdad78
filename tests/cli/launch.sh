# simtlab run --launch runs kernels without their host program, with the counters of a launch by that program, on every
# machine, timed and functional. Also: input and output buffers; errors with a remedy.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >k.c <<'C'
#include <simt.h>
#define N 1000
#define WIDTH 32
SIMT_KERNEL(saxpy, (int, n), (int, a), (const int *, x), (int *, y))
{
  SIMT_FOR (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), i < n, i += (int)(gridDim.x * blockDim.x))
    y[i] = a * x[i] + y[i];
}
SIMT_KERNEL(transpose, (unsigned, width), (int *, in), (int *, out))
{
  SIMT_SHARED(int[8], tile, 8);
  const unsigned x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  out[(blockIdx.x * 8 + threadIdx.y) * width + blockIdx.y * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
SIMT_KERNEL(fields, (char, c), (short, s), (float, f), (long long, wide), (unsigned char, u), (int *, out))
{
  union {
    float f;
    int i;
  } bits = {.f = f};
  out[threadIdx.x % 8] = (int[]){c, s, bits.i, (int)wide, (int)(wide >> 32), u, (int)gridDim.x, (int)blockDim.x}[threadIdx.x % 8];
}
static int calls;
SIMT_KERNEL(counts, (int *, out))
{
  SIMT_IF (blockIdx.x == 0 && threadIdx.x == 0)
    out[0] = ++calls;
  SIMT_ENDIF
}
SIMT_KERNEL(wild, (int *, p))
{
  p[threadIdx.x] = 1;
}
SIMT_KERNEL(gives_up)
{
  simt_fail();
}
SIMT_KERNEL(greedy)
{
  SIMT_SHARED(int, all, 30000);
  all[threadIdx.x] = 1;
}
int main(void)
{
  int *const x = simt_alloc(4 * N), *const y = simt_alloc(4 * N);
  for (int i = 0; i < N; i++)
    x[i] = i;
  return simt_launch(saxpy, dim3(4), dim3(64), .n = N, .a = 3, .x = x, .y = y) != SIMT_OK ||
         simt_launch(transpose, dim3(4, 4), dim3(8, 8), .width = WIDTH, .in = x, .out = y) != SIMT_OK;
}
C
command="making expected results"
awk 'BEGIN { for (i = 0; i < 1000; i++) printf "%08x\n", 3 * i }' >saxpy.expected
awk 'BEGIN { for (y = 0; y < 32; y++) for (x = 0; x < 32; x++) printf "%08x\n", 32 * x + y }' >transpose.expected
expect 0 "$SIMTLAB" cc -o simt.elf k.c
expect 0 "$SIMTLAB" cc --target vortex -o vortex.elf k.c
words() { od -An -v -tx4 -w4 "$1" | tr -d ' '; }
counters() { python3 -c 'import json,sys; print([l["counters"] for l in json.load(open(sys.argv[1]))["launches"]])' "$1"; }

saxpy="kernel=saxpy,grid=4,block=64,args=1000:3:x=iota(1000):y=zero(4000)"
transpose="kernel=transpose,grid=4x4,block=8x8,args=32:matrix=iota(1024):t=zero(4096)"

# Machines with a host CPU: results and counters equal those of launches by the host program.
for machine in simtight simtight-rfc simtight-rfc-pp simtight-rfc-pp-sb simty-plus "simty-plus --set warps=8"; do
  for mode in "-q" "-qf"; do
    expect 0 "$SIMTLAB" run $mode -m $machine --stats host.json simt.elf
    expect 0 "$SIMTLAB" run $mode -m $machine --stats direct.json --launch "$saxpy" --launch "$transpose" \
      --dump y=y.bin --dump t=t.bin simt.elf
    silent
    words y.bin | cmp -s - saxpy.expected || complain "wrong result of saxpy"
    words t.bin | cmp -s - transpose.expected || complain "wrong result of transpose"
    [ "$(counters host.json)" = "$(counters direct.json)" ] || complain "counters differ from those of the launch by the host program"
  done
done

# Vortex, with one and more cores. The configuration of the authors' simulator has a quarter of the local memory that it
# reports.
transpose="$transpose,shared=256"
for machine in vortex "vortex --set cores=4 --threads 2" vortex-simx; do
  for mode in "-q" "-qf"; do
    expect 0 "$SIMTLAB" run $mode -m $machine --launch "$saxpy" --launch "$transpose" --launch "$saxpy" \
      --dump y=y.bin --dump t=t.bin vortex.elf
    words y.bin | cmp -s - saxpy.expected || complain "wrong result of saxpy"
    words t.bin | cmp -s - transpose.expected || complain "wrong result of transpose"
  done
done

# Types, a buffer from a file, one buffer in two launches, variables that keep their values, a listing.
seq 1 8 | while read -r i; do printf "\\$(printf %03o "$i")\\0\\0\\0"; done >in.bin
for program in simt vortex; do
  machine=$([ $program = simt ] && echo simtight || echo vortex)
  for mode in "-q" "-qf"; do
    expect 0 "$SIMTLAB" run $mode -m $machine --dump out=- \
      --launch "kernel=fields,grid=2,block=32,args=-3:0x7fff:2:-5000000000:255:zero(32)" $program.elf
    prints ": 000000fd 00007fff 40000000 d5fa0e00 fffffffe 000000ff 00000002 00000020"
    expect 0 "$SIMTLAB" run $mode -m $machine --dump b=out.bin \
      --launch "kernel=saxpy,grid=1,block=32,args=8:10:a=file(in.bin):b=file(in.bin)" \
      --launch "kernel=saxpy,grid=1,block=32,args=8:-1:a:b" $program.elf
    [ "$(words out.bin | tr '\n' ' ')" = "0000000a 00000014 0000001e 00000028 00000032 0000003c 00000046 00000050 " ] ||
      complain "a buffer is not passed to the next launch"
    expect 0 "$SIMTLAB" run $mode -m $machine --dump o=- --launch "kernel=counts,grid=1,block=32,args=o=zero(4)" \
      --launch "kernel=counts,grid=1,block=32,args=o" --launch "kernel=counts,grid=2,block=32,args=o" $program.elf
    prints ": 00000003"
  done
done
# A buffer given by address has no type: it holds words.
address=$(riscv64-unknown-elf-nm simt.elf | sed -n 's/ [tT] saxpy$//p')
expect 0 "$SIMTLAB" run -q --launch "kernel=0x$address,grid=4,block=64,args=1000:3:iota(1000):y=zero(4000)" --dump y=y.bin simt.elf
words y.bin | cmp -s - saxpy.expected || complain "wrong result by address"

# The summary names the kernel. After a fault or a failure simtlab reports it and still writes the buffers.
expect 0 "$SIMTLAB" run -m vortex --launch "$saxpy" vortex.elf
says saxpy
for program in simt vortex; do
  machine=$([ $program = simt ] && echo simtight || echo vortex)
  for mode in "-q" "-qf"; do
    rm -f y.bin
    expect 3 "$SIMTLAB" run $mode -m $machine --launch "$saxpy" --launch "kernel=wild,grid=1,block=32,args=2" \
      --dump y=y.bin $program.elf
    says "lanes 0-"
    says "wild"
    says "k.c:"
    words y.bin | cmp -s - saxpy.expected || complain "no dump after a fault"
    expect 1 "$SIMTLAB" run $mode -m $machine --launch "kernel=gives_up,grid=1,block=32" $program.elf
    says "kernel gives_up"
    says "reported failure"
  done
done
expect 1 "$SIMTLAB" run -q --launch "kernel=greedy,grid=1,block=2048" simt.elf
says "needs at least 120000 bytes of shared memory per block, it has 65536"
expect 4 "$SIMTLAB" run -q --max-cycles 50 --launch "$saxpy" simt.elf
says "the limit of 50 cycles was reached and the kernel still runs"

# Invalid launches: an error with a remedy, before anything runs.
wrong() {
  sentence=$1
  shift
  expect 2 "$SIMTLAB" run -q "$@" simt.elf
  says "$sentence"
}
wrong "no kernel is called 'saxpi'; did you mean 'saxpy'?" --launch "kernel=saxpi,grid=1,block=32"
wrong "no kernel is called 'main'; there are saxpy, transpose" --launch "kernel=main,grid=1,block=32"
wrong "no loaded program has code at 0x00000010" --launch "kernel=0x10,grid=1,block=32"
wrong "kernel saxpy takes 4 arguments and is given 2: (int, n), (int, a)" --launch "kernel=saxpy,grid=1,block=32,args=1:2"
wrong "grid=0: a size of 0" --launch "kernel=saxpy,grid=0,block=32"
wrong "grid=1x2x3x4: a size is X, XxY or XxYxZ" --launch "kernel=saxpy,grid=1x2x3x4,block=32"
wrong "block= is missing" --launch "kernel=saxpy,grid=1"
wrong "unknown key of a launch 'blok'; did you mean 'block'?" --launch "kernel=saxpy,grid=1,blok=32"
wrong "must be powers of two" --launch "kernel=gives_up,grid=1,block=33"
wrong "is smaller than a warp of 32" --launch "kernel=gives_up,grid=1,block=16"
wrong "a block of 4096 threads exceeds the 2048 that simtight has. Launch more blocks of fewer threads" --launch "kernel=gives_up,grid=1,block=4096"
wrong "bytes of shared memory exceed the 65536" --launch "kernel=gives_up,grid=1,block=32,shared=70000"
wrong "no room for a buffer of 4000000000 bytes: the largest free piece" --launch "kernel=wild,grid=1,block=32,args=zero(4000000000)"
wrong "none.bin: cannot be opened" --launch "kernel=wild,grid=1,block=32,args=file(none.bin)"
wrong "must be written without a dot" --launch "kernel=saxpy,grid=1,block=32,args=1.5:3:0:0"
wrong "is of type char, which cannot hold 300" --launch "kernel=fields,grid=1,block=32,args=300:1:1:1:1:0"
wrong "is of type char, not a buffer" --launch "kernel=fields,grid=1,block=32,args=zero(4):1:1:1:1:0"
wrong "'zer(4)' is no argument of a kernel" --launch "kernel=wild,grid=1,block=32,args=zer(4)"
wrong "no buffer is called 'q': make one by" --launch "kernel=wild,grid=1,block=32,args=q"
wrong "unknown buffer 'pp'; there are p" --launch "kernel=wild,grid=1,block=32,args=zero(128)" --dump pp=x.bin
wrong "write NAME=FILE" --launch "kernel=wild,grid=1,block=32,args=zero(128)" --dump p
wrong "--dump writes a buffer of a launch" --dump p=x.bin
expect 2 "$SIMTLAB" run -q --launch "$saxpy" simt.elf small
says "'small' is for the host program, which --launch does not run"
expect 2 "$SIMTLAB" run -q -m simty --launch "$saxpy" simt.elf
expect 0 "$SIMTLAB" run --help
prints "--launch"

finish
