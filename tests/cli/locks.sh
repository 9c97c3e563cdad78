# Livelock on the machines with a stack of diverged lanes: Vortex, Cyclotron, and sm7 with RISC-V and PTX, with timing
# and without. Loops that end are not reported, however long they are. (SIMTight and Simty: livelock.sh.)
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
source=$SOURCE/tests/cli/programs/locks.c
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }

# line NAME: the source line that is marked NAME.
line() { grep -n "// $1\\b" "$source" | cut -d: -f1; }

# waits MACHINE PROGRAM LANES [OPTION...]: the lanes spin while lane 0 waits.
waits() {
  machine=$1 program=$2 spinning=$3
  shift 3
  for mode in -q -qf; do
    expect 3 timeout 20 "$SIMTLAB" run $mode -m "$machine" "$@" "$program"
    says "lanes $spinning, "
    says "(locks.c:$(line SPIN)), \`"
    says "livelock: these lanes loop forever"
    says "; lane 0 of this warp waits "
    says "(locks.c:$HOLDER), never selected while the others run. "
  done
}

# ends MACHINE PROGRAM: it runs through several checks.
ends() {
  expect 0 timeout 20 "$SIMTLAB" run -q -m "$1" "$2" 90000
  silent
  expect 0 timeout 20 "$SIMTLAB" run -qf -m "$1" "$2" 400000
  silent
}

for target in vortex vortex64 sm7; do
  expect 0 "$SIMTLAB" cc -g --target $target -o $target.elf "$source"
done
HOLDER=$(line SPIN) # where the sides of the loop meet
waits vortex vortex.elf 1-15
waits vortex-simx vortex.elf 1-15 -s cores=2
waits vortex-simx-cfm-dmsl vortex.elf 1-15
waits vortex64 vortex64.elf 1-15
waits cyclotron vortex64.elf 1-3
HOLDER=$(line HOLDER)
waits sm7-1 sm7.elf 1-31
ends vortex vortex.elf
ends sm7-1 sm7.elf

# Each thread changes a word of its own while it waits.
for target in vortex:vortex vortex64:cyclotron sm7:sm7-1; do
  expect 0 "$SIMTLAB" cc -g -DDEFAULT=spilled --target ${target%:*} -o own.elf "$SOURCE/tests/cli/programs/livelock.c"
  for mode in -q -qf; do
    expect 3 timeout 20 "$SIMTLAB" run $mode -m ${target#*:} own.elf
    says "livelock: these lanes loop forever"
  done
done

# At a limit: the same verdict. Without a proof, since these lanes count in a register, the sentence names the lanes that wait.
expect 3 "$SIMTLAB" run -q -c 200000 -m vortex vortex.elf
says "livelock: these lanes loop forever"
cat >counts.c <<'C'
#include "simt.h"
SIMT_KERNEL(counts, (volatile int *, word))
{
  int i = 0;
  while (threadIdx.x != 0 && *word == 0)
    i++;
  *word = i;
}
int main(void)
{
  return simt_launch(counts, dim3(1), dim3(simt_shape().lanes), .word = simt_alloc(256)) != SIMT_OK;
}
C
for target in simt:simtight simt:simty-plus sm7:sm7-1; do
  expect 0 "$SIMTLAB" cc -g --target ${target%:*} -o counts.elf counts.c
  for mode in -q -qf; do
    expect 4 "$SIMTLAB" run $mode -c 200000 -m ${target#*:} counts.elf
    says "; lane 0 of warp 0 waits at pc 0x"
    says "), while others of the warp run. Raise --max-cycles"
  done
done

# kernel NAME BODY: %r1 is the thread, %p1 holds in all threads but the first, %rd1 is a buffer.
kernel() {
  cat <<P
.visible .entry $1(.param .u64 o)
{
  .reg .pred %p<4>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  .shared .b32 lock;
  ld.param.u64 %rd1, [o];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 1;
  setp.ne.u32 %p1, %r1, 0;
$2
}
P
}
{
  printf '.version 7.0\n.target sm_60\n.address_size 64\n'
  kernel lanes '@!%p1 bra held;
spin:
  ld.volatile.global.u32 %r3, [%rd1];
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra spin;
held:
  st.global.u32 [%rd1], %r2;
  ret;'
  kernel lock 'st.shared.u32 [lock], 0;
spin:
  atom.shared.exch.b32 %r3, [lock], 1;
  setp.ne.u32 %p2, %r3, 0;
  @%p2 bra spin;
  st.shared.u32 [lock], 0;
  ret;'
  # A count in memory only; a count in a register; time.
  kernel ends '
l:
  ld.global.u32 %r3, [%rd1];
  add.u32 %r3, %r3, 1;
  st.global.u32 [%rd1], %r3;
  setp.lt.u32 %p2, %r3, 90000;
  mov.u32 %r3, 0;
  @%p2 bra l;
  mov.u32 %r4, %clock;
m:
  mov.u32 %r3, %clock;
  sub.u32 %r3, %r3, %r4;
  setp.lt.u32 %p2, %r3, 600000;
  mov.u32 %r3, 0;
  @%p2 bra m;
  ret;'
  # Each lane changes a word of its own in global and in shared memory.
  kernel own '
  .reg .b32 %a<3>;
  .shared .b32 words[32];
  shl.b32 %a1, %r1, 2;
  mov.u32 %a2, words;
  add.u32 %a1, %a1, %a2;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd2, %rd1;
own:
  ld.shared.u32 %r3, [%a1];
  xor.b32 %r3, %r3, 1;
  st.shared.u32 [%a1], %r3;
  st.global.u32 [%rd2+128], %r3;
  ld.volatile.global.u32 %r3, [%rd1];
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra own;
  ret;'
} >locks.ptx
for how in --fast "-m sm7-1" "-m sm7-4 --threads 2"; do
  for kernel in lanes lock own ends; do
    shape="2 1 1 32"
    [ $kernel = ends ] && shape="1 1 1 1"
    [ $kernel = own ] && shape="1 1 1 32"
    printf 'ptx locks.ptx\nbuffer o 256 zero\nlaunch %s %s 1 1 0 buf:o\n' $kernel "$shape" >$kernel.launch
  done
  # shellcheck disable=SC2086
  expect 3 timeout 20 "$SIMTLAB" run -q $how lanes.launch
  says "locks.ptx:$(awk '/@%p2 bra spin/ { print NR; exit }' locks.ptx): lanes block (0,0,0) thread (1,0,0), warp 0, lanes 1-31: livelock"
  says "; lane 0 of this warp waits at locks.ptx:$(awk '/^held/ { print NR + 1; exit }' locks.ptx), never selected while"
  # shellcheck disable=SC2086
  expect 3 timeout 20 "$SIMTLAB" run -q $how lock.launch
  says "lanes 1-31: livelock: these lanes loop forever"
  # shellcheck disable=SC2086
  expect 3 timeout 20 "$SIMTLAB" run -q $how own.launch
  says "lanes 0-31: livelock: these lanes loop forever"
  # From sm_70 on the lanes of a warp take a lock in turn.
  sed 's/sm_60/sm_70/' locks.ptx >fair.ptx
  sed 's/locks.ptx/fair.ptx/' lock.launch >fair.launch
  # shellcheck disable=SC2086
  expect 0 timeout 20 "$SIMTLAB" run -q $how fair.launch
  # shellcheck disable=SC2086
  expect 0 timeout 20 "$SIMTLAB" run -q $how ends.launch
  silent
done
finish
