/* Two host threads with one context of the CUDA driver interface: each has a stream, memory and launches of its own,
 * and both add to one counter. The thread sanitizer watches this test. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <cuda.h>

enum { THREADS = 2, TURNS = 20, ITEMS = 64 };

static const char text[] = ".version 6.4\n.target sm_70\n.address_size 64\n"
                           ".visible .entry step(.param .u64 items, .param .u64 counter)\n"
                           "{\n"
                           ".reg .u32 %r<4>; .reg .u64 %d<5>;\n"
                           "ld.param.u64 %d1, [items];\n"
                           "ld.param.u64 %d2, [counter];\n"
                           "mov.u32 %r1, %tid.x;\n"
                           "mul.wide.u32 %d3, %r1, 4;\n"
                           "add.u64 %d4, %d1, %d3;\n"
                           "ld.global.u32 %r2, [%d4];\n"
                           "add.u32 %r2, %r2, %r1;\n"
                           "st.global.u32 [%d4], %r2;\n"
                           "red.global.add.u32 [%d2], 1;\n"
                           "ret;\n"
                           "}\n";

struct job {
  CUcontext context;
  CUfunction step;
  CUdeviceptr counter;
  uint32_t items[ITEMS];
  unsigned errors;
};

static void *work(void *argument)
{
  struct job *job = argument;
  CUstream stream = NULL;
  CUdeviceptr items = 0;
  void *parameters[] = {&items, &job->counter};
  unsigned errors = 0;
  errors += cuCtxSetCurrent(job->context) != CUDA_SUCCESS;
  errors += cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS;
  for (unsigned turn = 0; turn < TURNS; turn++) {
    errors += cuMemAlloc(&items, sizeof job->items) != CUDA_SUCCESS;
    errors += cuMemcpyHtoDAsync(items, job->items, sizeof job->items, stream) != CUDA_SUCCESS;
    errors += cuLaunchKernel(job->step, 1, 1, 1, ITEMS, 1, 1, 0, stream, parameters, NULL) != CUDA_SUCCESS;
    errors += cuMemcpyDtoHAsync(job->items, items, sizeof job->items, stream) != CUDA_SUCCESS;
    errors += cuStreamSynchronize(stream) != CUDA_SUCCESS;
    errors += cuMemFree(items) != CUDA_SUCCESS;
  }
  errors += cuStreamDestroy(stream) != CUDA_SUCCESS;
  job->errors = errors;
  return NULL;
}

static void two_threads_share_a_context(void **state)
{
  (void)state;
  static struct job jobs[THREADS];
  pthread_t thread[THREADS];
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction step;
  CUdeviceptr counter;
  uint32_t count = 0;
  assert_int_equal(cuInit(0), CUDA_SUCCESS);
  assert_int_equal(cuDeviceGet(&device, 0), CUDA_SUCCESS);
  assert_int_equal(cuCtxCreate(&context, 0, device), CUDA_SUCCESS);
  assert_int_equal(cuModuleLoadData(&module, text), CUDA_SUCCESS);
  assert_int_equal(cuModuleGetFunction(&step, module, "step"), CUDA_SUCCESS);
  assert_int_equal(cuMemAlloc(&counter, sizeof count), CUDA_SUCCESS);
  assert_int_equal(cuMemsetD32(counter, 0, 1), CUDA_SUCCESS);
  for (unsigned i = 0; i < THREADS; i++) {
    jobs[i] = (struct job){.context = context, .step = step, .counter = counter};
    assert_int_equal(pthread_create(&thread[i], NULL, work, &jobs[i]), 0);
  }
  for (unsigned i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    assert_int_equal(jobs[i].errors, 0);
    for (unsigned k = 0; k < ITEMS; k++)
      assert_int_equal(jobs[i].items[k], TURNS * k);
  }
  assert_int_equal(cuMemcpyDtoH(&count, counter, sizeof count), CUDA_SUCCESS);
  assert_int_equal(count, THREADS * TURNS * ITEMS);
  assert_int_equal(cuCtxDestroy(context), CUDA_SUCCESS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_threads_share_a_context)};
  setenv("SIMTLAB_CUDA_MACHINE", "sm7-1", 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
