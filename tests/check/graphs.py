"""graphs.py FOLDER COUNT: writes CUDA programs that update the vertices of a graph in CSR form.

They differ in the type of the data, in what processes a vertex (a thread, a warp or a block), in the order of the
edges, and in whether threads take several vertices. Programs *_racy.cu have a planted bug: a missing atomic operation,
barrier or __syncwarp, a test outside of the atomic operation, or one vertex or edge too many. *_ok.cu have none."""
import os
import random
import sys

random.seed(7)
HEAD = r'''
#include <cstdio>
#include <cstdlib>
typedef %(T)s data_t;
static const int numv = 61;
#if %(size)d == 4 || %(size)d == 8
typedef %(W)s word_t;
union both { data_t d; word_t w; };
__device__ data_t a_max(data_t *a, data_t v)
{
%(max)s
}
__device__ data_t a_add(data_t *a, data_t v)
{
%(add)s
}
#else
__device__ data_t a_upd(data_t *a, data_t v, int op)
{
  unsigned *base = (unsigned *)((size_t)a & ~(size_t)3);
  const unsigned shift = ((size_t)a & 3) * 8, mask = (%(size)d == 1 ? 0xffu : 0xffffu) << shift;
  unsigned old = *base, seen;
  data_t now;
  do {
    seen = old;
    now = (data_t)((seen & mask) >> shift);
    data_t next = op ? (now > v ? now : v) : (data_t)(now + v);
    if (next == now) return now;
    old = atomicCAS(base, seen, (seen & ~mask) | (((unsigned)next << shift) & mask));
  } while (old != seen);
  return now;
}
__device__ data_t a_max(data_t *a, data_t v) { return a_upd(a, v, 1); }
__device__ data_t a_add(data_t *a, data_t v) { return a_upd(a, v, 0); }
#endif
'''
CASMAX = '''  word_t old = *(word_t *)a, seen; both b, n;
  do { seen = old; b.w = seen; if (!(b.d < v)) return b.d; n.d = v; old = atomicCAS((word_t *)a, seen, n.w); } while (old != seen);
  b.w = old; return b.d;'''
TYPES = {
 'char':   ('signed char', 1, 'int', '', ''),
 'short':  ('short', 2, 'int', '', ''),
 'int':    ('int', 4, 'int', '  return atomicMax(a, v);', '  return atomicAdd(a, v);'),
 'uint':   ('unsigned', 4, 'unsigned', '  return atomicMax(a, v);', '  return atomicAdd(a, v);'),
 'long':   ('long long', 8, 'unsigned long long', '  return atomicMax(a, v);', '  return (data_t)atomicAdd((unsigned long long *)a, (unsigned long long)v);'),
 'float':  ('float', 4, 'unsigned', CASMAX, '  return atomicAdd(a, v);'),
 'double': ('double', 8, 'unsigned long long', CASMAX, '  return atomicAdd(a, v);'),
}
HOST = r'''
int main()
{
  int *hi = (int *)malloc((numv + 1) * 4), *hl = (int *)malloc(numv * 8 * 4), m = 0;
  unsigned seed = 12345;
  for (int v = 0; v < numv; v++) {
    hi[v] = m;
    hl[m++] = (v + 1) %% numv; hl[m++] = (v + numv - 1) %% numv;
    for (int k = v %% 4; k > 0; k--) { seed = seed * 1103515245u + 12345u; hl[m++] = (seed >> 16) %% numv; }
  }
  hi[numv] = m;
  int *nindex, *nlist, *cnt, *wl;
  data_t *data1, *data2, *h = (data_t *)malloc(numv * sizeof(data_t));
  cudaMalloc(&nindex, (numv + 1) * 4); cudaMalloc(&nlist, m * 4); cudaMalloc(&cnt, 4); cudaMalloc(&wl, numv * 4);
  cudaMalloc(&data1, numv * sizeof(data_t)); cudaMalloc(&data2, numv * sizeof(data_t));
  cudaMemcpy(nindex, hi, (numv + 1) * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(nlist, hl, m * 4, cudaMemcpyHostToDevice);
  for (int v = 0; v < numv; v++) h[v] = (data_t)((v * 37) %% 50);
  cudaMemcpy(data2, h, numv * sizeof(data_t), cudaMemcpyHostToDevice);
  for (int v = 0; v < numv; v++) h[v] = %(init)s;
  cudaMemcpy(data1, h, numv * sizeof(data_t), cudaMemcpyHostToDevice);
  cudaMemset(cnt, 0, 4); cudaMemset(wl, 255, numv * 4);
  kernel<<<%(blocks)s, %(threads)s>>>(nindex, nlist, data1, data2, cnt, wl);
  cudaDeviceSynchronize();
  cudaMemcpy(h, data1, numv * sizeof(data_t), cudaMemcpyDeviceToHost);
  cudaFree(nindex); cudaFree(nlist); cudaFree(cnt); cudaFree(wl); cudaFree(data1); cudaFree(data2);
}
'''
# granularity: (loop over v, start of edges, step of edges, leader)
def wrap(gran, persistent, body, pre='', bound='<', trav='fwd', brk=''):
    if gran == 'thread':
        idx, num, first, step = 'threadIdx.x + blockIdx.x * blockDim.x', 'gridDim.x * blockDim.x', '0', '1'
    elif gran == 'warp':
        idx, num, first, step = '(threadIdx.x + blockIdx.x * blockDim.x) / 32', 'gridDim.x * blockDim.x / 32', 'lane', '32'
    else:
        idx, num, first, step = 'blockIdx.x', 'gridDim.x', 'threadIdx.x', 'blockDim.x'
    s = '__global__ void kernel(const int *nindex, const int *nlist, data_t *data1, const data_t *data2, int *cnt, int *wl)\n{\n'
    s += '  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32; (void)lane; (void)warp;\n' + pre
    s += f'  int v = {idx};\n'
    s += f'  for (; v {bound} numv; v += {num}) {{\n' if persistent else f'  if (v {bound} numv) {{\n'
    s += '    const int beg = nindex[v], end = nindex[v + 1];\n'
    loop = {'fwd': f'for (int j = beg + {first}; j < end; j += {step})', 'rev': f'for (int j = end - 1 - {first}; j >= beg; j -= {step})'}[trav]
    s += body.replace('LOOP', loop)
    s += '  }\n}\n'
    return s
LEADER = {'thread': '', 'warp': 'if (lane == 0) ', 'block': 'if (threadIdx.x == 0) '}
progs = []
def add(name, T, kernel, racy, gran, blocks=None, threads=None, init='0'):
    t = TYPES[T]
    d = dict(T=t[0], size=t[1], W=t[2], max=t[3], add=t[4], init=init)
    d['blocks'] = blocks or {'thread': 2, 'warp': 16, 'block': 61}[gran]
    d['threads'] = threads or {'thread': 32, 'warp': 128, 'block': 64}[gran]
    src = HEAD % d + kernel + HOST % d
    progs.append((name + '_' + T + '_' + gran + ('_racy' if racy else '_ok'), src, racy))
def dims(persistent, gran):
    if persistent:
        return {'thread': (2, 16), 'warp': (5, 64), 'block': (7, 64)}[gran]
    return {'thread': (2, 32), 'warp': (16, 128), 'block': (61, 64)}[gran]
types = list(TYPES)
n = 0
def nt():
    global n
    n += 1
    return types[n % len(types)]
for gran in ('thread', 'warp', 'block'):
  for persistent in (False, True):
    for trav in ('fwd', 'rev'):
      b, th = dims(persistent, gran)
      p = ('p' if persistent else '') + trav
      k = dict(gran=gran, persistent=persistent, trav=trav)
      def A(name, body, racy, T=None, pre='', bound='<', init='0'):
        add(name + '_' + p, T or nt(), wrap(gran, persistent, body, pre, bound, trav), racy, gran, b, th, init)
      T = nt()
      A('pushadd', '    LOOP { a_add(&data1[nlist[j]], data2[v]); }\n', False, T)
      A('pushadd_atomic', '    LOOP { data1[nlist[j]] += data2[v]; }\n', True, T)
      T = nt()
      A('pushmax', '    LOOP { a_max(&data1[nlist[j]], data2[v]); }\n', False, T)
      A('pushmax_guard', '    LOOP { if (data1[nlist[j]] < data2[v]) a_max(&data1[nlist[j]], data2[v]); }\n', True, T)
      A('pushmax_plain', '    LOOP { if (data1[nlist[j]] < data2[v]) data1[nlist[j]] = data2[v]; }\n', True, nt())
      T = nt()
      if gran == 'thread':
        A('pull', '    data_t x = 0; LOOP { if (x < data2[nlist[j]]) x = data2[nlist[j]]; }\n    data1[v] = x;\n', False, T)
        A('pull_inplace', '    data_t x = 0; LOOP { if (x < data1[nlist[j]]) x = data1[nlist[j]]; }\n    data1[v] = x + 1;\n', True, T, init='(data_t)(v * 7 % 50)')
        A('pull_until', '    LOOP { if (data2[nlist[j]] > 30) { data1[v] = data2[nlist[j]]; break; } }\n', False, nt())
        A('pull_self', '    LOOP { data1[v] += data2[nlist[j]]; }\n', False, nt())
      elif gran == 'warp':
        red = '''    int x = 0; LOOP { x += (int)data2[nlist[j]]; }
    __shared__ %s int s[32 * 4];
    s[threadIdx.x] = x;
    %s
    for (int d = 16; d > 0; d /= 2) { if (lane < d) s[threadIdx.x] += s[threadIdx.x + d]; %s }
    if (lane == 0) data1[v] = (data_t)s[threadIdx.x];
'''
        A('pullwarp', red % ('', '__syncwarp();', '__syncwarp();') + '    __syncwarp();\n', False, T)
        A('pullwarp_nosync', red % ('', '', '__syncwarp();') + '    __syncwarp();\n', True, T)
        A('pullwarp_nosync2', red % ('volatile', '__syncwarp();', '') + '    __syncwarp();\n', True, nt())
        A('pullshfl', '    int x = 0; LOOP { x += (int)data2[nlist[j]]; }\n    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(~0u, x, d);\n    if (lane == 0) data1[v] = (data_t)x;\n', False, nt())
        A('pullwarp_all', '    int x = 0; LOOP { x += (int)data2[nlist[j]]; }\n    data1[v] = (data_t)x;\n', True, nt())
      else:
        red = '''    __shared__ int total; __shared__ data_t carry[64 / 32];
    if (threadIdx.x == 0) total = 0;
    %s
    int x = 0; LOOP { x += (int)data2[nlist[j]]; }
    atomicAdd(&total, x);
    %s
    if (threadIdx.x == 0) data1[v] = (data_t)total;
    %s
    if (lane == 0) carry[warp] = data2[(v + warp) %% numv];
    %s
    if (threadIdx.x == 0) a_max(&data1[v], carry[1]);
    %s
'''
        S = '__syncthreads();'
        A('pullblock', red % (S, S, '', S, S), False, T if TYPES[T][1] >= 4 else 'int')  # else mixed sizes
        A('pullblock_nosync1', red % ('', S, '', S, S), True, nt())
        A('pullblock_nosync2', red % (S, '', '', S, S), True, nt())
        A('pullblock_nosync3', red % (S, S, '', '', S), True, nt())
        A('pullblock_all', '    LOOP { data1[v] = data2[nlist[j]]; }\n', True, nt())
      L = LEADER[gran]
      T = nt()
      A('cond', f'    {L}if (data2[v] > 20) a_add(&data1[0], 1);\n', False, T)
      A('cond_atomic', f'    {L}if (data2[v] > 20) data1[0]++;\n', True, T)
      A('cond_guard', f'    {L}{{ data_t d = data2[v]; if (d > data1[0]) a_max(&data1[0], d); }}\n', True, nt())
      A('cond_peek', f'    {L}{{ data_t d = data2[v]; a_max(&data1[0], d); if (v == 7) wl[0] = (int)data1[0]; }}\n', True, nt())
      T = nt()
      A('edge', '    LOOP { if (nlist[j] > v) atomicAdd(cnt, 1); }\n', False, T)
      A('edge_atomic', '    LOOP { if (nlist[j] > v) cnt[0] = cnt[0] + 1; }\n', True, T)
      A('edge_volatile', '    volatile int *c = cnt; LOOP { if (nlist[j] > v) *c = nlist[j]; }\n', True, nt())
      T = nt()
      A('wlist', f'    {L}if (data2[v] > 10) wl[atomicAdd(cnt, 1)] = v;\n', False, T)
      A('wlist_atomic', f'    {L}if (data2[v] > 10) {{ int at = *cnt; *cnt = at + 1; wl[at] = v; }}\n', True, T)
      A('flag', '    LOOP { if (data2[nlist[j]] > 5) *cnt = 1; }\n', False, nt())
      if gran != 'block' or persistent: A('bounds', f'    {L}a_max(&data1[0], data2[v]);\n', True, nt(), bound='<=')
      T = nt()
      if trav == 'fwd':
        A('bounds_edge', '    for (int j = beg; j <= end; j++) { a_max(&data1[0], data2[nlist[j]]); }\n', True, T)
random.shuffle(progs)
for name, source, _ in progs[:int(sys.argv[2])]:
    with open(os.path.join(sys.argv[1], name + '.cu'), 'w') as out:
        out.write(source)
