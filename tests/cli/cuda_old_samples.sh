# Samples of SDK 4 find their helpers: log, timers, flags, comparison, and the words that end a run.
. "$SOURCE/tests/cli/_lib.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
sanitized "$BUILD/libsimtlab-cudart.so"
cd "$work" || exit 1

cat >sample.cu <<'END'
#include <sdkHelper.h>
#include <shrQATest.h>
#include <shrUtils.h>

__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

int main(int argc, char **argv)
{
  shrQAStart(argc, argv);
  shrSetLogFileName("sample.txt");
  int n = 32;
  shrGetCmdLineArgumenti(argc, (const char **)argv, "n", &n);
  shrLog("%d numbers, rounded to %d\n", n, (int)shrRoundUp(32, n));
  float *x, *h = (float *)malloc(n * sizeof(float)), *right = (float *)malloc(n * sizeof(float));
  shrFillArray(h, n);
  for (int i = 0; i < n; i++)
    right[i] = 2 * h[i];
  StopWatchInterface *timer = 0;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  shrDeltaT(0);
  cudaMalloc((void **)&x, n * sizeof(float));
  cudaMemcpy(x, h, n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<1, n>>>(x);
  cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  sdkStopTimer(&timer);
  if (shrDeltaT(0) < 0 || sdkGetTimerValue(&timer) <= 0)
    shrLogEx(LOGBOTH | ERRORMSG, -1, "no time has passed\n");
  if (checkCmdLineFlag(argc, (const char **)argv, "wrong"))
    h[n - 1] += 1;
  const bool good = shrCompareL2fe(right, h, n, 1e-6f) == shrTRUE;
  shrQAFinishExit(argc, (const char **)argv, good ? QA_PASSED : QA_FAILED);
}
END
expect 0 "$SIMTLAB" cuda -o sample sample.cu
expect 0 ./sample --n=40
prints "40 numbers, rounded to 64"
prints PASSED
expect 1 ./sample -wrong
prints FAILED
finish
