# Modules as written by current compilers: cache hints, memory orders and scopes, unused results, block shapes, struct
# parameters. Functional and timed.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

head='.version 8.4\n.target sm_80\n.address_size 64\n'
# gives NAME WORDS: the kernel k of NAME.ptx, run with one block of 32 threads, writes these words at the start of o.
gives() {
  for how in --fast "-m sm7-1"; do
    rm -f o.bin
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q $how "$1.launch"
    [ "$(od -An -v -tu4 -N64 o.bin | tr -s ' \n' ' ')" = " $2 " ] || complain "$how: leaves $(od -An -v -tu4 -N64 o.bin | tr -s ' \n' ' ')"
  done
}
body() {
  printf "$head"
  printf '.extern .shared .align 16 .b8 tile[];\n.visible .entry k(.param .u64 .ptr .global .align 1 o)\n{\n.reg .pred %%p<6>; .reg .b16 %%h<4>; .reg .b32 %%r<20>; .reg .b64 %%rd<10>;\nld.param::entry.u64 %%rd1, [o];\nmov.u32 %%r1, %%tid.x;\n'
  cat
  echo 'ret; }'
}
plain() { printf 'ptx %s.ptx\nbuffer o 64 iota\nlaunch k 1 1 1 32 1 1 256 buf:o\ndump o o.bin\n' "$1" >"$1.launch"; }

# Hints change no value, for any hint and access width; a vector may have one element.
body >hints.ptx <<'P'
createpolicy.fractional.L2::evict_last.b64 %rd2, 1.0;
createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd3;
ld.global.L1::evict_last.v4.b32 { %r2, %r3, %r4, %r5 }, [ %rd1 + 0 ];
ld.global.nc.L1::no_allocate.L2::128B.b32 { %r6 }, [ %rd1 + 16 ];
ld.global.L1::evict_first.L2::cache_hint.v2.b32 { %r7, %r8 }, [ %rd1 + 24 ], %rd2;
ld.weak.global.L1::evict_normal.L2::256B.b64 %rd4, [%rd1+32];
ld.relaxed.cluster.global.L1::evict_unchanged.u32 %r9, [%rd1+40];
st.shared::cta.b32 [tile], { %r9 };
ld.shared::cta.b32 %r10, [tile];
cvta.shared::cta.u64 %rd5, 0;
ld.b32 %r11, [%rd5];
bar.sync 0;
st.global.L1::no_allocate.v4.b32 [ %rd1 + 0 ], { %r5, %r4, %r3, %r2 };
st.global.L2::cache_hint.b32 [ %rd1 + 16 ], { %r10 }, %rd3;
st.global.wt.L1::evict_first.L2::cache_hint.v4.b32 [%rd1+32], {%r11, %r8, %r7, %r6}, %rd2;
atom.global.L2::cache_hint.exch.b32 %r12, [%rd1+20], 77, %rd2;
red.relaxed.gpu.global.L2::cache_hint.max.u32 [%rd1+24], 66, %rd3;
st.global.b64 [%rd1+48], %rd4;
P
plain hints
gives hints "3 2 1 0 10 77 66 7 10 7 6 4 8 9 14 15"

# Atomics with orders and scopes give the same values.
body >orders.ptx <<'P'
atom.acq_rel.gpu.global.add.u32 %r2, [%rd1], 2;
atom.acquire.cta.max.s32 %r3, [%rd1+4], %r1;
atom.release.sys.global.or.b32 %r4, [%rd1+8], 32;
atom.relaxed.cluster.global.add.u64 %rd2, [%rd1+16], 1;
red.release.gpu.global.add.s32 [%rd1+12], 1;
red.acq_rel.cta.global.min.u32 [%rd1+32], 3;
atom.acq_rel.gpu.global.cas.b32 %r5, [%rd1+36], 9, 90;
st.shared.b32 [tile], 5;
bar.sync 0;
atom.acq_rel.cta.shared.inc.u32 %r6, [tile], 1000;
bar.sync 0;
ld.acquire.gpu.global.u32 %r7, [%rd1+40];
fence.acq_rel.cluster;
ld.shared.u32 %r8, [tile];
st.release.gpu.global.u32 [%rd1+44], %r8;
P
plain orders
gives orders "64 31 34 35 36 5 6 7 3 90 10 37 12 13 14 15"

# The result _ (discarded): of vectors, comparisons, matches and atomics. %gridid has 64 or 32 bits.
body >sinks.ptx <<'P'
mov.u64 %rd2, 0x1122334455667788;
mov.b64 {%r2, _}, %rd2;
mov.b64 {_, %r3}, %rd2;
mov.b64 {_, _, %h1, _}, %rd2;
cvt.u32.u16 %r4, %h1;
ld.global.v4.u32 {_, %r5, _, _}, [%rd1+16];
ld.global.v2.u64 {_, %rd3}, [%rd1+32];
ld.global.v2.u32 {_, _}, [%rd1];
bar.sync 0;
setp.lt.u32 _|%p1, %r1, 9;
setp.lt.u32 %p2|_, %r1, 9;
match.all.sync.b32 _|%p3, %r5, -1;
atom.global.add.u32 _, [%rd1+24], 1;
mov.u64 %rd4, %gridid;
mov.b64 %rd5, %gridid;
mov.u32 %r6, %gridid;
selp.u32 %r7, 1, 2, %p1;
selp.u32 %r8, 1, 2, %p2;
selp.u32 %r9, 1, 2, %p3;
setp.eq.u32 %p4, %r1, 31;
@!%p4 ret;
st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};
st.global.v2.u32 [%rd1+16], {%r7, %r8};
st.global.u32 [%rd1+28], %r9;
st.global.u64 [%rd1+32], %rd3;
P
plain sinks
gives sinks "1432778632 287454020 13124 5 1 2 38 1 10 11 10 11 12 13 14 15"
while IFS= read -r wrong; do
  echo "$wrong" | body >wrong.ptx
  plain wrong
  expect 2 "$SIMTLAB" run -q --fast wrong.launch
done <<'P'
add.u32 _, %r1, 1;
ld.global.u32 _, [%rd1];
st.global.u32 [%rd1], _;
ld.global.L1::evict_always.u32 %r2, [%rd1];
ld.global.L2::cache_hint.u32 %r2, [%rd1];
mov.u64 %rd2, %laneid;
P

# .reqntid is the shape of every block, .maxntid the greatest number of threads.
for limit in 'reqntid 64' 'reqntid 8, 4' 'reqntid 2, 2, 8' 'maxntid 64' 'maxntid 8, 8, 1'; do
  { printf "$head"; echo ".visible .entry k() .$limit { ret; }"; } >shape.ptx
  for block in '64 1 1' '8 4 1' '2 2 8' '8 8 1' '32 1 1' '65 1 1' '8 8 2'; do
    printf 'ptx shape.ptx\nlaunch k 1 1 1 %s 0\n' "$block" >shape.launch
    case "$limit/$block" in
    'reqntid 64/64 1 1' | 'reqntid 8, 4/8 4 1' | 'reqntid 2, 2, 8/2 2 8') wanted=0 ;;
    req* | */65* | *'8 2') wanted=2 ;;
    *) wanted=0 ;;
    esac
    expect $wanted "$SIMTLAB" run -q --fast shape.launch
    case "$wanted$limit" in 2req*) says 'threads (.reqntid), but the launch has' ;; esac
  done
done

# A struct: its members, with or without braces, at the offsets of C.
{
  printf "$head"
  cat <<'P'
.visible .entry k(.param .u32 a, .param .align 8 .b8 s[32], .param .u64 o)
{
.reg .b32 %r<9>; .reg .b64 %rd<4>;
ld.param.u64 %rd1, [o]; ld.param.u32 %r1, [a]; ld.param.u8 %r2, [s]; ld.param.u16 %r3, [s+2]; ld.param.u64 %rd2, [s+8];
ld.param.f32 %r4, [s+16]; ld.param.u8 %r5, [s+20]; ld.param.u64 %rd3, [s+24]; st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};
st.global.u32 [%rd1+16], %r5; st.global.u64 [%rd1+24], %rd3; ld.global.u32 %r6, [%rd2]; st.global.u32 [%rd1+32], %r6; ret;
}
P
} | sed 's/ld.param.f32 %r4/ld.param.b32 %r4/' >struct.ptx
members() { printf 'ptx struct.ptx\nbuffer o 64 iota\nlaunch k 1 1 1 32 1 1 0 u32:3 %s buf:o\ndump o o.bin\n' "$1" >struct.launch; }
for braces in '{u8:4 u16:5 buf:o+40 u32:6 u8:7 s64:-1}' '{ u8:4 u16:5 buf:o+40 u32:6 u8:7 s64:-1 }' 'u8:4 u16:5 buf:o+40 u32:6 u8:7 s64:-1'; do
  members "$braces"
  gives struct "3 4 5 6 7 5 4294967295 4294967295 10 9 10 11 12 13 14 15"
done
while IFS='/' read -r braces sentence; do
  members "$braces"
  expect 2 "$SIMTLAB" run -q --fast struct.launch
  says "$sentence"
done <<'P'
u8:4 u16:5/name each member, in order
u8:4/write the members of a struct in braces
{u8:4 u16:5}/name each member, in order
{u64:1 u64:1 u64:1 u64:1 u8:1}/name each member, in order
{u8:4 {u16:5}}/write a struct within a struct as its members
u8:4}/'}' has no matching '{'
{u8:4/the struct's '}' is missing
P

# Templates have kernels of long names; two of them differ in the last character only.
long=$(printf 'n%.0s' $(seq 2000))
{
  printf "$head"
  for k in 1 2; do
    printf '.visible .entry %s%s(.param .u64 o) { .reg .b64 %%rd1; ld.param.u64 %%rd1, [o]; st.global.u32 [%%rd1], %s; ret; }\n' "$long" $k $k
  done
} >long.ptx
printf 'ptx long.ptx\nbuffer o 64 iota\nregs %s2 20\nlaunch %s2 1 1 1 1 1 1 0 buf:o\ndump o o.bin\n' "$long" "$long" >long.launch
gives long "2 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
finish
