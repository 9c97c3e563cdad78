/* A host program without CUDA: host_launches MODULE.ptx LAUNCH... opens the device that SIMTLAB_HOST_* variables
 * describe and performs launches KERNEL:BLOCKS:THREADS. A kernel has parameters {u64 a, u64 b, u32 n} in a struct; a is
 * a buffer of 4,096 words 0, 1, 2, ..., b one of zeros. `kill` kills the program, `exit` ends it at once, `set:N`
 * writes the module's variable `v`. The end prints the sum of b. Exit status: that of the last failure. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/script.h"
#include "host/host_device.h"
#include "program/program.h"

enum { WORDS = 4096, BYTES = 4 * WORDS, SPARE = 4 };

struct program {
  struct sl_host_device device;
  struct sl_queue *queue;
  struct sl_gpu_module *module;
  struct {
    uint64_t a, b;
    uint32_t n;
  } arguments;
};

static void say(void *context, const char *sentence)
{
  (void)context;
  fprintf(stderr, "warning: %s\n", sentence);
}

static enum sl_status start(struct program *p, const char *path, struct sl_error *err)
{
  struct sl_host_options options;
  uint32_t *words = calloc(1, BYTES);
  char *text;
  size_t size;
  if (words == NULL)
    return SL_INTERNAL;
  for (uint32_t i = 0; i < WORDS; i++)
    words[i] = i;
  p->arguments.n = WORDS;
  enum sl_status code = sl_host_options_read(&options, "SIMTLAB_HOST_", say, NULL, err);
  if (code == SL_OK)
    code = sl_host_open(&p->device, &options, "sm7-4", 1 << 20, err);
  if (code == SL_OK)
    code = sl_queue_open(p->device.timeline, &p->queue, err);
  if (code == SL_OK && (code = sl_file_bytes_read(path, &text, &size, err)) == SL_OK) {
    code = sl_host_load(&p->device, path, &(struct sl_host_code){text, size, NULL}, &p->module, err);
    free(text);
  }
  if (code == SL_OK)
    code = sl_gpu_alloc(p->device.gpu, BYTES + SPARE, &p->arguments.a, err);
  if (code == SL_OK)
    code = sl_gpu_alloc(p->device.gpu, BYTES, &p->arguments.b, err);
  if (code == SL_OK)
    code = sl_gpu_write(p->device.gpu, SL_GPU_GLOBAL, p->arguments.a, words, BYTES, err);
  free(words);
  return code;
}

static enum sl_status perform(struct program *p, const char *what, struct sl_error *err)
{
  char kernel[64] = "";
  uint32_t value = 0;
  struct sl_gpu_symbol v;
  struct sl_gpu_launch launch = {
      .module = p->module, .kernel = kernel, .arguments = &p->arguments, .argument_bytes = sizeof p->arguments};
  if (strcmp(what, "kill") == 0)
    raise(SIGKILL);
  if (strcmp(what, "exit") == 0)
    _Exit(0);
  if (sscanf(what, "set:%" SCNu32, &value) == 1 && sl_gpu_symbol(p->module, "v", &v))
    return sl_gpu_write(p->device.gpu, v.space, v.address, &value, sizeof value, err);
  if (sscanf(what, "%63[^:]:%" SCNu32 ":%" SCNu32, kernel, &launch.grid[0], &launch.block[0]) != 3)
    return sl_fail(err, SL_USAGE, "%s is no launch", what);
  return sl_host_launch(&p->device, p->queue, &launch, NULL, 0, NULL, err);
}

int main(int argc, char **argv)
{
  struct program p = {.queue = NULL};
  struct sl_error err = {.code = SL_OK};
  static uint8_t back[BYTES];
  if (argc < 2)
    return SL_USAGE;
  enum sl_status last = start(&p, argv[1], &err);
  if (last != SL_OK)
    fprintf(stderr, "%s\n", err.text);
  for (int i = 2; i < argc && p.arguments.b != 0; i++) {
    const enum sl_status code = perform(&p, argv[i], &err);
    if (code != SL_OK)
      fprintf(stderr, "%s\n", err.text);
    last = code != SL_OK ? code : last;
  }
  if (p.arguments.b != 0 && sl_gpu_read(p.device.gpu, SL_GPU_GLOBAL, p.arguments.b, back, BYTES, &err) == SL_OK)
    printf("sum %016" PRIx64 "\n", sl_script_sum(back, BYTES));
  sl_host_close(&p.device);
  return (int)last;
}
