"""Long CUDA programs, whole and sampled: sampled_long.py SIMTLAB [MACHINE [SEEDS [PROGRAMS]]].

Prints a row for each program and seed: cycles of the whole run, the error and the interval of the sampled one, and the
user time of both. Programs: searches, relaxation (1,000 launches or a little more) and product (10^11 thread
instructions). It fails if a memory sum or a count of instructions differs, or an interval does not contain the whole
run's cycles.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

SEARCHES = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
// Breadth-first searches by levels from several sources in a random graph.
__global__ void expand(const int *first, const int *edge, int *distance, int level, int nodes, int *more)
{
  int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || distance[node] != level)
    return;
  for (int i = first[node]; i < first[node + 1]; i++)
    if (distance[edge[i]] < 0) {
      distance[edge[i]] = level + 1;
      *more = 1;
    }
}
int main()
{
  const int nodes = 65536, sources = 100;
  int *first = (int *)malloc((nodes + 1) * sizeof(int)), *edge = (int *)malloc(nodes * 16 * sizeof(int)), edges = 0;
  unsigned seed = 1;
  for (int n = 0; n < nodes; n++) {
    first[n] = edges;
    seed = seed * 1664525u + 1013904223u;
    for (unsigned i = 0, degree = seed >> 28; i < degree; i++) {
      seed = seed * 1664525u + 1013904223u;
      edge[edges++] = seed >> 16;
    }
  }
  first[nodes] = edges;
  int *f, *e, *d, *m;
  cudaMalloc(&f, (nodes + 1) * sizeof(int));
  cudaMalloc(&e, edges * sizeof(int));
  cudaMalloc(&d, nodes * sizeof(int));
  cudaMalloc(&m, sizeof(int));
  cudaMemcpy(f, first, (nodes + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(e, edge, edges * sizeof(int), cudaMemcpyHostToDevice);
  int *distance = (int *)malloc(nodes * sizeof(int));
  long sum = 0;
  for (int s = 0; s < sources; s++) {
    cudaMemset(d, -1, nodes * sizeof(int));
    const int zero = 0;
    cudaMemcpy(d + s * 601, &zero, sizeof(int), cudaMemcpyHostToDevice);
    for (int level = 0, more = 1; more; level++) {
      more = 0;
      cudaMemcpy(m, &more, sizeof(int), cudaMemcpyHostToDevice);
      expand<<<nodes / 256, 256>>>(f, e, d, level, nodes, m);
      cudaMemcpy(&more, m, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(distance, d, nodes * sizeof(int), cudaMemcpyDeviceToHost);
    for (int n = 0; n < nodes; n++)
      sum += distance[n] * (n % 31 + 1);
  }
  printf("%ld\n", sum);
}
"""

RELAXATION = r"""
#include <cstdio>
#include <utility>
// Jacobi's relaxation of a square, and the residual after each step.
__global__ void relax(const float *from, float *to, int n)
{
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = y * n + x;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n]);
}
__global__ void residual(const float *a, const float *b, float *sums)
{
  __shared__ float part[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = fabsf(a[i] - b[i]);
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}
int main()
{
  const int n = 512;
  static float square[n * n], sums[n * n / 256];
  for (int i = 0; i < n; i++)
    square[i] = 100;
  float *a, *b, *s;
  cudaMalloc(&a, sizeof square);
  cudaMalloc(&b, sizeof square);
  cudaMalloc(&s, sizeof sums);
  cudaMemcpy(a, square, sizeof square, cudaMemcpyHostToDevice);
  cudaMemcpy(b, square, sizeof square, cudaMemcpyHostToDevice);
  double sum = 0;
  for (int step = 0; step < 500; step++, std::swap(a, b)) {
    relax<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, n);
    residual<<<n * n / 256, 256>>>(a, b, s);
    cudaMemcpy(sums, s, sizeof sums, cudaMemcpyDeviceToHost);
    sum = 0;
    for (float part : sums)
      sum += part;
  }
  printf("%.6f\n", sum);
}
"""

PRODUCT = r"""
#include <cstdio>
// Product of matrices by tiles of 16 x 16 in shared memory.
__global__ void product(const float *a, const float *b, float *c, int n)
{
  __shared__ float p[16][16], q[16][16];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    p[y][x] = a[row * n + k + x];
    q[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      sum += p[y][i] * q[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
int main()
{
  const int n = 2816;
  static float x[n * n];
  for (int i = 0; i < n * n; i++)
    x[i] = i % 7;
  float *a, *b, *c;
  cudaMalloc(&a, sizeof x);
  cudaMalloc(&b, sizeof x);
  cudaMalloc(&c, sizeof x);
  cudaMemcpy(a, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(b, x, sizeof x, cudaMemcpyHostToDevice);
  product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
  cudaMemcpy(x, c, sizeof x, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : x)
    sum += value;
  printf("%.6f\n", sum);
}
"""

PROGRAMS = {"searches": SEARCHES, "relaxation": RELAXATION, "product": PRODUCT}


def run(program, machine, sample):
    """The output, totals of the statistics and user time of a run."""
    environment = dict(os.environ, SIMTLAB_CUDA_MACHINE=machine, SIMTLAB_CUDA_STATS="stats.jsonl", SIMTLAB_CUDA_THREADS="1")
    if sample is not None:
        environment["SIMTLAB_CUDA_SAMPLE"] = sample
    if os.path.exists("stats.jsonl"):
        os.remove("stats.jsonl")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(["./" + program], env=environment, capture_output=True, text=True)
    user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if done.returncode != 0:
        sys.exit(f"{program}: status {done.returncode}: {done.stderr}")
    with open("stats.jsonl") as file:
        return done.stdout, json.loads(file.read().splitlines()[-1]), user


def main():
    simtlab = os.path.abspath(sys.argv[1])
    machine = sys.argv[2] if len(sys.argv) > 2 else "v100"
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    names = sys.argv[4].split(",") if len(sys.argv) > 4 else list(PROGRAMS)
    bad = 0
    print(f"{'program':11} {'seed':>4} {'launches':>8} {'timed':>6} {'cycles':>13} {'error':>8} {'interval':>8} {'whole':>8} {'sampled':>8}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in names:
            with open(name + ".cu", "w") as file:
                file.write(PROGRAMS[name])
            subprocess.run([simtlab, "cuda", "-O2", "-o", name, name + ".cu"], check=True)
            output, whole, user = run(name, machine, None)
            cycles = whole["counters"]["cycles"]
            for seed in range(1, seeds + 1):
                sampled_output, sampled, sampled_user = run(name, machine, f"auto,{seed}")
                estimate, interval = sampled["sample"]["cycles"], sampled["sample"]["interval"]
                error = (estimate - cycles) / cycles
                same = output == sampled_output
                bad += not same or interval is None or abs(estimate - cycles) > interval
                print(f"{name:11} {seed:4} {whole['launches']:8,} {sampled['timed']:6,} {cycles:13,} {100 * error:+7.2f}% "
                      f"{100 * interval / cycles:7.2f}% {user:6.1f} s {sampled_user:6.1f} s{'' if same else ' other output'}", flush=True)
                for count in ("thread_instrs", "warp_instrs"):
                    if count in whole["counters"]:
                        print(f"{'':11} {count}: {whole['counters'][count]:,}, sampled {sampled['counters'].get(count, 0):,}", flush=True)
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
