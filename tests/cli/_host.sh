# A module for the host program tests/probes/host_launches.c, in host.ptx.
host=$BUILD/tests/probes/host_launches
cat >host.ptx <<'P'
.version 6.4
.target sm_70
.address_size 64
.global .align 4 .u32 v = 3;
.const .align 4 .u32 c = 4;
.visible .entry work(.param .align 8 .b8 p[24])
{
  .reg .b32 %r<12>;
  .reg .b64 %d<8>;
  ld.param.u64 %d1, [p];
  ld.param.u64 %d2, [p+8];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.s32 %r4, %r2, %r3, %r1;
  mul.wide.s32 %d3, %r4, 4;
  add.s64 %d4, %d1, %d3;
  add.s64 %d5, %d2, %d3;
  ld.global.u32 %r5, [%d4];
  ld.global.u32 %r6, [v];
  ld.const.u32 %r7, [c];
  ld.global.u32 %r8, [%d5];
  mad.lo.u32 %r9, %r5, %r6, %r7;
  add.u32 %r9, %r9, %r8;
  st.global.u32 [%d5], %r9;
  ret;
}
.visible .entry beyond(.param .align 8 .b8 p[24])
{
  .reg .b32 %r<3>;
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [p];
  st.global.u32 [%d1+16388], 1;
  ret;
}
.visible .entry wild(.param .align 8 .b8 p[24])
{
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [p];
  st.global.u32 [%d1+67108864], 1;
  ret;
}
.visible .entry spin(.param .align 8 .b8 p[24])
{
  .reg .b32 %r<3>;
again:
  add.u32 %r1, %r1, 1;
  bra again;
}
P
