// Kernels of faults that were found, in the form of opencl_kernels.py. opencl_kernels.sh runs them first.
#pragma OPENCL FP_CONTRACT OFF

// Conversions with rounding modes at the ends of the integers' ranges
//@ convert 1 16 1 1 8 1 1 0 0 0 4096 0
kernel void convert(global uchar *out, global const uint *in, volatile global uint *bins, local uint *scratch, uint u)
{
  const uint i = get_global_id(0);
  const long a = i < 8 ? (long)i - 4 : (long)(0x7fffffffffffffff - (i - 8) * 0x70000000ul);
  const ulong b = (ulong)a * 2 + 1;
  const int c = i < 8 ? 0x7fffffff - i : (int)(0x80000000 + i);
  float f = ((float)i - 8) * 0.5f;
  global ulong *o = (global ulong *)out + i * 32;
  o[0] = as_uint(convert_float_rtz(a));
  o[1] = as_uint(convert_float_rtp(a));
  o[2] = as_uint(convert_float_rtn(a));
  o[3] = as_uint(convert_float_rtz(b));
  o[4] = as_uint(convert_float_rtp(b));
  o[5] = as_uint(convert_float_rtn(b));
  o[6] = as_uint(convert_float_rtz(c));
  o[7] = as_uint(convert_float_rtp(c));
  o[8] = as_uint(convert_float_rtn((uint)c));
  o[9] = convert_long_sat_rtz(f);
  o[10] = convert_ulong_sat_rtp(f);
  o[11] = convert_int_sat_rtn(f);
  o[12] = convert_uint_sat_rte(f);
  f *= i % 2 ? 0x1p61f : 0x1p30f;
  o[13] = convert_long_sat(f);
  o[14] = convert_ulong_sat_rtn(f);
  o[15] = convert_int_sat_rte(f);
  o[16] = convert_uint_sat_rtp(f);
  o[17] = sub_sat((int)(i & 1), INT_MIN);
  o[18] = sub_sat((long)(i & 1), LONG_MIN);
}

// Shifts, comparisons, saturation and zeros of 64 bits while lanes are apart, with barriers of a group that does not fill
// its warp
//@ wide 1 60 1 1 20 1 1 0 0 0 8192 0
kernel void wide(global uchar *out, global const uint *in, volatile global uint *bins, local uint *scratch, uint u)
{
  const uint i = get_global_id(0), l = get_local_id(0);
  long a = (long)in[i] * in[i + 1] - in[i + 2], b = (long)i << (l * 3);
  for (uint k = 0; k < 2; k++) {
    if (i & 1) {
      a = (a >> (l & 63)) ^ ((ulong)b << (a & 63));
      if (a < b)
        b += popcount(a) + clz(b) + (long)convert_float(a >> 40);
      else
        a = add_sat(a, (long)(b - rotate(a, b))) + (long)abs_diff(a, b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[l] = (uint)a;
    barrier(CLK_LOCAL_MEM_FENCE);
    b ^= scratch[(l + 7) % 20];
  }
  ((global long2 *)out)[i] = (long2)(a, mad_sat((long)(l & 1), b, a));
}

// Absolute values of the least integers, known to the compiler or not
//@ least 1 8 1 1 8 1 1 0 0 0 1024 0
kernel void least(global uchar *out, global const uint *in, volatile global uint *bins, local uint *scratch, uint u)
{
  const uint i = get_global_id(0), none = u & i & ~u;
  global ulong *o = (global ulong *)out + i * 16;
  o[0] = abs(LONG_MIN) + in[i];
  o[1] = abs(INT_MIN) / 3;
  o[2] = (abs((short)SHRT_MIN) ^ i) + abs((char)CHAR_MIN);
  o[3] = abs(LONG_MIN + (long)none) >> 1;
  o[4] = abs((int)(INT_MIN + none)) >> 1;
  o[5] = (ulong)abs((short)(SHRT_MIN + (short)none)) << 32 | abs((char)(CHAR_MIN + (char)none));
  o[6] = abs((long3)(LONG_MIN, none, -1)).x;
  o[7] = as_ulong(abs((char8)(CHAR_MIN, i, -1, 5, CHAR_MIN, CHAR_MAX, none, -(char)i)));
  o[8] = as_ulong(abs((int2)(INT_MIN + (int)none, -5)));
  o[9] = as_ulong(abs((short16)(SHRT_MIN + (short)none)).s0123);
}

// Vectors in private memory, at indices that differ
//@ private_vectors 1 32 1 1 32 1 1 0 0 0 8192 2 8 16
kernel void private_vectors(global uchar *out, global const uint *in, volatile global uint *bins, local uint *scratch,
                            uint u, int2 e, uint4 v)
{
  const uint i = get_global_id(0);
  long16 w = (long16)(i);
  for (uint k = 0; k < 4; k++) {
    uint *p = (uint *)&v;
    p[(~v.w + i) % 4u] = v.x + e.x;
    vstore3(v.wwy & v.yzz, 0, p + v.x % 2u);
    ((long *)&w)[(v.y + k) % 16u] += v.z;
  }
  ((global uint4 *)out)[i] = v;
  ((global long16 *)(out + 1024))[i] = w;
}

// Arguments of small and of large vectors
//@ arguments 1 8 1 1 8 1 1 0 0 0 2048 4 128 8 4 2
kernel void arguments(global uchar *out, global const uint *in, volatile global uint *bins, local uint *scratch, uint u,
                      ulong16 a, uchar8 b, uchar4 c, short d)
{
  const uint i = get_global_id(0);
  ((global ulong16 *)out)[i] = a;
  ((global uchar8 *)(out + 1024))[i] = b;
  ((global uchar4 *)(out + 1152))[i] = c;
  ((global short *)(out + 1280))[i] = d;
}

// Barriers of a group whose last warp has items for some lanes, and bytes of local memory
//@ partial 1 200 1 1 100 1 1 0 0 0 2048 0
kernel void partial(global uchar *out, global const uint *in, volatile global uint *bins, local uint *scratch, uint u)
{
  local char8 s[100];
  const uint i = get_global_id(0), l = get_local_id(0);
  char8 v = (char8)(convert_char(i & 127));
  for (uint k = 0; k < (u & 3u); k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v ^= s[(l + 9u) % 100u].s70123456;
  }
  ((global char8 *)out)[i] = v;
}

// Divergent loops and statements with conditions of several comparisons
//@ conditions 1 64 1 1 32 1 1 0 0 0 1024 1 8
kernel void conditions(global uchar *out, global const uint *in, volatile global uint *bins, local uint *scratch,
                       uint u, long n)
{
  const uint i = get_global_id(0);
  uint x = i;
  for (long k = in[i] % 50; k < (n & 63); k += 3 + (i & 3))
    x = x * 5 + (uint)k;
  for (uint k = i; (k & 7) != 5 || in[k % 100] % 3 == 0; k++)
    x ^= in[k % 100] >> (k & 3);
  if ((x & 3) == 2 || ((x >> 4) > u && i % 5 < 3))
    x += in[x % 100];
  ((global uint *)out)[i] = x;
  while (x > 9 && in[x % 100] % 7 != 0 && i != 3)
    x /= 3;
  ((global uint *)(out + 512))[i] = x;
}

// A fused multiply and add, in software on some machines, while lanes are apart
//@ fused 1 64 1 1 64 1 1 0 0 0 256 0
kernel void fused(global uchar *out, global const uint *in, volatile global uint *bins, local uint *scratch, uint u)
{
  const uint i = get_global_id(0);
  float x = convert_float(in[i]);
  if (i & 5)
    x = i & 1 ? fma(x, 1.5f + i, -x * 3) : fma(x, -0.0f, 0.0f);
  ((global float *)out)[i] = x;
}

#ifdef SIMTLAB_HOST
#define PARAMETERS                                                                                                     \
  global uchar *out, global const uint *in, volatile global uint *bins, local uint *scratch, uint u, private uchar *private *a
#define PLAIN(name)                                                                                                    \
  void name##_host(PARAMETERS)                                                                                         \
  {                                                                                                                    \
    name(out, in, bins, scratch, u);                                                                                   \
  }
PLAIN(convert)
PLAIN(wide)
PLAIN(least)
PLAIN(partial)
PLAIN(fused)
void private_vectors_host(PARAMETERS)
{
  private_vectors(out, in, bins, scratch, u, *(int2 *)a[0], *(uint4 *)a[1]);
}
void conditions_host(PARAMETERS)
{
  conditions(out, in, bins, scratch, u, *(long *)a[0]);
}
void arguments_host(PARAMETERS)
{
  arguments(out, in, bins, scratch, u, *(ulong16 *)a[0], *(uchar8 *)a[1], *(uchar4 *)a[2], *(short *)a[3]);
}
#endif
