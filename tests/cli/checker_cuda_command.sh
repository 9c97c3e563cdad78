# simtlab check with CUDA programs and sources: its options, JSON and errors.
. "$(dirname "$0")/_checked.sh"

checked shared_no_barrier barrier_early_lanes_ok
expect 0 "$SIMTLAB" cuda -lineinfo -o equal "$programs/cuda/global_equal_values_ok.cu"
expect 0 "$SIMTLAB" check -q ./equal
expect 1 "$SIMTLAB" check -q --equal-stores ./equal
says "race: "
expect 1 "$SIMTLAB" check -q --strict-barriers ./barrier_early_lanes_ok
says "barrier divergence: "
says "has ended at"
cat >order.cu <<'C'
__device__ int flag;
__global__ void k(int *data)
{
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    atomicExch(&flag, 1);
    data[0] = 2;
  }
  if (threadIdx.x == 0 && blockIdx.x == 1 && atomicAdd(&flag, 0) == 0)
    data[0] = 1;
}
int main()
{
  int *data;
  cudaMalloc(&data, 4);
  k<<<2, 32>>>(data);
  cudaDeviceSynchronize();
}
C
expect 0 "$SIMTLAB" cuda -lineinfo -o order order.cu
expect 0 "$SIMTLAB" check ./order
says "no findings"
expect 1 "$SIMTLAB" check -q --schedules 2 order
says "; schedule 1; "
says "order: findings in "
expect 1 "$SIMTLAB" check -q --schedules 2 --json several.json ./order
python3 - <<'END' || complain "the JSON of several runs is wrong"
import json
findings = json.load(open("several.json"))
assert findings["findings"] == len(findings["list"]) >= 1, findings
assert all(finding["schedule"] in (1, 2) for finding in findings["list"]), findings
END
expect 1 "$SIMTLAB" check -q --json host.json ./shared_no_barrier
has host.json '"kind": "race"'
expect 2 "$SIMTLAB" check -m nothing ./order
says "no machine named 'nothing'"
expect 2 "$SIMTLAB" check -m simtight ./order
says "does not execute PTX"
# A source: it is built with lines, further words are those of simtlab cuda, and the program's arguments come after it.
cat >source.cu <<'C'
#include <cstdio>
__global__ void k(int *data)
{
  __shared__ int tile[64];
  tile[threadIdx.x] = 1;
  data[threadIdx.x] = tile[63 - threadIdx.x];
}
int main(int count, char **words)
{
  int *data;
  cudaMalloc(&data, 256);
  if (count == VALUE)
    k<<<1, 64>>>(data);
  cudaDeviceSynchronize();
  puts(words[count - 1]);
}
C
expect 1 env TMPDIR="$work" "$SIMTLAB" check --json source.json --build -DVALUE=2 source.cu argument
grep -q "race: .*source.cu:5: .*source.cu:6: no barrier" err || complain "not the lines of the source"
says "source.cu: findings in 1 of 1 run"
prints argument
has source.json '"line": 5'
[ -z "$(ls -d simtlab-cc-* 2>/dev/null)" ] || complain "files remain"
expect 0 "$SIMTLAB" check --build "-O1 -DVALUE=2" source.cu
says "no findings"
expect 2 "$SIMTLAB" check source.cu
says "source.cu: it does not compile"
expect 2 "$SIMTLAB" check --build -O1 ./order
says "is no CUDA source"
printf '#!/bin/sh\nexec ./shared_no_barrier\n' >script
chmod +x script
expect 1 "$SIMTLAB" check -q ./script
found "$programs/cuda/shared_no_barrier.cu"
finish
