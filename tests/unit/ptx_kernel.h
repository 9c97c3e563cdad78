/* Runs a kernel k(in, out) of PTX without timing on one host thread, with timing on one and two, and without timing on
 * two; all must give the same. */
#ifndef PTX_KERNEL_H
#define PTX_KERNEL_H

#include <stdlib.h>
#include <string.h>

#include "device/gpu.h"
#include "ptx/run/ptx_execute.h"

enum { WAYS = 4 };

struct ptx_kernel {
  const char *text;
  unsigned blocks, threads; /* 0: one block of a warp */
  unsigned shared;
  const void *in;
  size_t in_bytes;
  void *out; /* zeros at first */
  size_t out_bytes;
  const struct sl_ptx_services *services;
};

/* Loads the module into an open GPU and runs it. Returns the outcome of the launch. */
static inline enum sl_status ptx_kernel_on(struct sl_gpu *gpu, const struct ptx_kernel *k, void *out,
                                           struct sl_error *err)
{
  struct sl_gpu_module *module;
  uint64_t buffer[2];
  if (sl_gpu_load_bytes(gpu, "kernel.ptx", k->text, strlen(k->text), &module, err) != SL_OK)
    fail_msg("%s", err->text);
  assert_int_equal(sl_gpu_alloc(gpu, k->in_bytes + 8, &buffer[0], err), SL_OK);
  assert_int_equal(sl_gpu_alloc(gpu, k->out_bytes + 8, &buffer[1], err), SL_OK);
  if (k->in_bytes > 0)
    assert_int_equal(sl_gpu_write(gpu, SL_GPU_GLOBAL, buffer[0], k->in, k->in_bytes, err), SL_OK);
  const struct sl_gpu_launch launch = {.module = module,
                                       .kernel = "k",
                                       .grid = {k->blocks ? k->blocks : 1, 1, 1},
                                       .block = {k->threads ? k->threads : 32, 1, 1},
                                       .shared = k->shared,
                                       .arguments = buffer,
                                       .argument_bytes = sizeof buffer};
  const enum sl_status code = sl_gpu_run(gpu, &launch, err);
  if (code == SL_OK)
    assert_int_equal(sl_gpu_read(gpu, SL_GPU_GLOBAL, buffer[1], out, k->out_bytes, err), SL_OK);
  return code;
}

static inline enum sl_status ptx_kernel_try(const struct ptx_kernel *k, unsigned way, void *out, struct sl_error *err)
{
  struct sl_config config;
  struct sl_gpu *gpu = NULL;
  const struct sl_gpu_options options = {
      .fast = way == 0 || way == WAYS - 1, .threads = way < 2 ? way : 2, .services = k->services};
  assert_int_equal(sl_config_open(&config, "sm7-4", err), SL_OK);
  assert_int_equal(sl_gpu_open(&gpu, &config, &options, err), SL_OK);
  const enum sl_status code = ptx_kernel_on(gpu, k, out, err);
  sl_gpu_close(gpu);
  sl_config_close(&config);
  return code;
}

static inline void ptx_kernel_run(const struct ptx_kernel *k)
{
  struct sl_error err = {0};
  uint8_t *again = malloc(k->out_bytes + 1);
  assert_non_null(again);
  for (unsigned way = 0; way < WAYS; way++) {
    if (ptx_kernel_try(k, way, way == 0 ? k->out : again, &err) != SL_OK)
      fail_msg("%s", err.text);
    if (way > 0 && memcmp(again, k->out, k->out_bytes) != 0)
      fail_msg("way %u: another result than without timing on one thread", way);
  }
  free(again);
}

/* The launch faults in all ways, and the message contains the text. */
static inline void ptx_kernel_faults(const struct ptx_kernel *k, const char *text)
{
  for (unsigned way = 0; way < WAYS; way++) {
    struct sl_error err = {0};
    assert_int_equal(ptx_kernel_try(k, way, k->out, &err), SL_FAULT);
    if (strstr(err.text, text) == NULL)
      fail_msg("%s\ndoes not say: %s", err.text, text);
  }
}

#define PTX_HEAD ".version 7.0\n.target sm_80\n.address_size 64\n"
/* Registers and addresses that the bodies use: %i and %o, each advanced by `step` bytes per thread. */
#define PTX_ENTRY(step)                                                                                                \
  ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"                                                            \
  ".reg .pred %p<9>; .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .f32 %f<9>; .reg .b64 %d<40>; .reg .f64 %g<9>;\n"        \
  ".reg .b64 %i, %o, %n; .reg .b32 %t;\n"                                                                              \
  "mov.u32 %t, %tid.x;\nld.param.u64 %i, [in];\nld.param.u64 %o, [out];\n"                                             \
  "mul.wide.u32 %n, %t, " #step ";\nadd.s64 %i, %i, %n;\nadd.s64 %o, %o, %n;\n"

#endif
