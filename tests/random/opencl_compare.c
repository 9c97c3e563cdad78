/* Runs random OpenCL kernels on the host and on all devices and compares what they store, bit for bit:
 * opencl_compare BATCH... For each batch, BATCH.cl has the kernels (opencl_kernels.py), BATCH.so the same compiled for
 * the host (opencl_kernels.sh). A work-item of the host is a context of its own, and barriers change between them. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum {
  DEVICES = 16,
  KERNELS = 64,
  INPUTS = 256,
  BINS = 24,
  ITEMS = 256,
  STACK = 1 << 18,
  ARGUMENTS = 4,
  LARGEST = 128
};

struct kernel {
  char name[32];
  unsigned dims, size[3], local[3], offset[3], bytes, arguments, argument_bytes[ARGUMENTS];
};

struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  char name[64];
  bool has_double;
};

static struct device device[DEVICES];
static cl_uint devices;
static struct kernel kernel[KERNELS];
static unsigned kernels;
static uint32_t in[INPUTS];
static _Alignas(LARGEST) uint8_t argument[ARGUMENTS][LARGEST];
static const uint32_t uniform = 13;

/* ---- the host's work-items --------------------------------------------------------------------------------------- */

typedef void host_kernel(uint8_t *out, const uint32_t *in, uint32_t *bins, uint32_t *scratch, uint32_t u, uint8_t **a);

static struct {
  ucontext_t main, item[ITEMS];
  bool done[ITEMS];
  unsigned current, group[3];
  const struct kernel *kernel;
  host_kernel *function;
  uint8_t *out;
  uint32_t *bins, scratch[ITEMS];
} host;

static unsigned items_of(const struct kernel *k)
{
  return k->local[0] * k->local[1] * k->local[2];
}

unsigned long simtlab_host_id(int which, unsigned d);
unsigned long simtlab_host_id(int which, unsigned d)
{
  const struct kernel *k = host.kernel;
  const unsigned flat = host.current, x = k->local[0], y = k->local[1];
  const unsigned id[] = {flat % x, flat / x % y, flat / x / y};
  switch (which) {
  case 0: return d < 3 ? id[d] : 0;
  case 1: return d < 3 ? host.group[d] : 0;
  case 2: return d < 3 ? k->local[d] : 1;
  case 3: return d < 3 ? k->size[d] / k->local[d] : 1;
  default: return d < 3 ? k->offset[d] : 0;
  }
}

void simtlab_host_barrier(void);
void simtlab_host_barrier(void)
{
  swapcontext(&host.item[host.current], &host.main);
}

static void run_item(void)
{
  static uint8_t *pointer[ARGUMENTS];
  for (unsigned i = 0; i < ARGUMENTS; i++)
    pointer[i] = argument[i];
  host.function(host.out, in, host.bins, host.scratch, uniform, pointer);
  host.done[host.current] = true;
}

/* All items to their next barrier, until all have ended. */
static void run_group(char *stacks)
{
  const unsigned items = items_of(host.kernel);
  for (unsigned i = 0; i < items; i++) {
    getcontext(&host.item[i]);
    host.item[i].uc_stack.ss_sp = stacks + (size_t)i * STACK;
    host.item[i].uc_stack.ss_size = STACK;
    host.item[i].uc_link = &host.main;
    makecontext(&host.item[i], run_item, 0);
    host.done[i] = false;
  }
  for (bool more = true; more;) {
    more = false;
    for (host.current = 0; host.current < items; host.current++)
      if (!host.done[host.current]) {
        swapcontext(&host.main, &host.item[host.current]);
        more |= !host.done[host.current];
      }
  }
}

static void run_on_host(const struct kernel *k, void *library, uint8_t *out, uint32_t *bins)
{
  static char *stacks;
  char name[64];
  if (stacks == NULL)
    stacks = malloc((size_t)ITEMS * STACK);
  snprintf(name, sizeof name, "%.31s_host", k->name);
  host.kernel = k;
  *(void **)&host.function = dlsym(library, name);
  if (host.function == NULL || stacks == NULL) {
    fprintf(stderr, "%s is not in the host's library\n", name);
    exit(2);
  }
  host.out = out;
  host.bins = bins;
  for (host.group[2] = 0; host.group[2] < k->size[2] / k->local[2]; host.group[2]++)
    for (host.group[1] = 0; host.group[1] < k->size[1] / k->local[1]; host.group[1]++)
      for (host.group[0] = 0; host.group[0] < k->size[0] / k->local[0]; host.group[0]++)
        run_group(stacks);
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

static void start_bins(uint32_t *bins)
{
  for (uint32_t i = 0; i < BINS; i++)
    bins[i] = i < 16 ? (i + 1) * 2654435761u : 0;
}

static cl_int run_on_device(const struct device *d, cl_program program, const struct kernel *k, uint8_t *out,
                            uint32_t *bins)
{
  size_t size[3], local[3], offset[3];
  cl_int error;
  cl_kernel function = clCreateKernel(program, k->name, &error);
  if (error != CL_SUCCESS)
    return error;
  for (unsigned i = 0; i < 3; i++) {
    size[i] = k->size[i];
    local[i] = k->local[i];
    offset[i] = k->offset[i];
  }
  cl_mem mout = clCreateBuffer(d->context, CL_MEM_COPY_HOST_PTR, k->bytes, out, &error);
  cl_mem min = clCreateBuffer(d->context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &error);
  cl_mem mbins = clCreateBuffer(d->context, CL_MEM_COPY_HOST_PTR, BINS * sizeof *bins, bins, &error);
  error = clSetKernelArg(function, 0, sizeof mout, &mout);
  error |= clSetKernelArg(function, 1, sizeof min, &min);
  error |= clSetKernelArg(function, 2, sizeof mbins, &mbins);
  error |= clSetKernelArg(function, 3, items_of(k) * sizeof(uint32_t), NULL);
  error |= clSetKernelArg(function, 4, sizeof uniform, &uniform);
  for (unsigned i = 0; i < k->arguments; i++)
    error |= clSetKernelArg(function, 5 + i, k->argument_bytes[i], argument[i]);
  if (error == CL_SUCCESS)
    error = clEnqueueNDRangeKernel(d->queue, function, k->dims, offset, size, local, 0, NULL, NULL);
  if (error == CL_SUCCESS)
    error = clEnqueueReadBuffer(d->queue, mout, CL_TRUE, 0, k->bytes, out, 0, NULL, NULL);
  if (error == CL_SUCCESS)
    error = clEnqueueReadBuffer(d->queue, mbins, CL_TRUE, 0, BINS * sizeof *bins, bins, 0, NULL, NULL);
  clReleaseMemObject(mout);
  clReleaseMemObject(min);
  clReleaseMemObject(mbins);
  clReleaseKernel(function);
  return error;
}

static unsigned compare(const struct device *d, cl_program program, const struct kernel *k, const uint8_t *wanted,
                        const uint32_t *wanted_bins)
{
  uint8_t *out = calloc(1, k->bytes);
  uint32_t bins[BINS];
  start_bins(bins);
  const cl_int error = out == NULL ? CL_OUT_OF_HOST_MEMORY : run_on_device(d, program, k, out, bins);
  unsigned at = 0, bin = 0;
  while (error == CL_SUCCESS && at < k->bytes && out[at] == wanted[at])
    at++;
  while (error == CL_SUCCESS && bin < BINS && bins[bin] == wanted_bins[bin])
    bin++;
  if (error != CL_SUCCESS)
    printf("%s: %s: error %d\n", k->name, d->name, error);
  else if (at < k->bytes)
    printf("%s: %s: byte %u is %#x, %#x on the host\n", k->name, d->name, at, out[at], wanted[at]);
  else if (bin < BINS)
    printf("%s: %s: atomics: word %u is %#x, %#x on the host\n", k->name, d->name, bin, bins[bin], wanted_bins[bin]);
  free(out);
  return error != CL_SUCCESS || at < k->bytes || bin < BINS;
}

static unsigned compare_all(const struct device *d, const char *text, uint8_t **wanted, uint32_t (*bins)[BINS])
{
  static char log[20000];
  unsigned bad = 0;
  cl_int error;
  if (strstr(text, "double") != NULL && !d->has_double)
    return 0;
  cl_program program = clCreateProgramWithSource(d->context, 1, &text, NULL, &error);
  error = clBuildProgram(program, 1, &d->id, "-w", NULL, NULL);
  log[0] = '\0';
  clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
  if (error != CL_SUCCESS || strstr(log, "annotation") != NULL) {
    printf("%s to %s: %s: build: %d %s\n", kernel[0].name, kernel[kernels - 1].name, d->name, error, log);
    bad++;
  }
  for (unsigned i = 0; i < kernels && error == CL_SUCCESS; i++)
    bad += compare(d, program, &kernel[i], wanted[i], bins[i]);
  clReleaseProgram(program);
  return bad;
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

static void read_kernels(const char *text)
{
  kernels = 0;
  for (const char *at = strstr(text, "//@ "); at != NULL && kernels < KERNELS; at = strstr(at + 1, "//@ ")) {
    struct kernel *k = &kernel[kernels++];
    char *end;
    sscanf(at + 4, "%31s", k->name);
    const char *numbers = at + 4 + strlen(k->name);
    unsigned *const field[] = {&k->dims,     k->size,   k->size + 1,   k->size + 2,   k->local,  k->local + 1,
                               k->local + 2, k->offset, k->offset + 1, k->offset + 2, &k->bytes, &k->arguments};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++, numbers = end)
      *field[i] = (unsigned)strtoul(numbers, &end, 10);
    for (unsigned i = 0; i < k->arguments && i < ARGUMENTS; i++, numbers = end)
      k->argument_bytes[i] = (unsigned)strtoul(numbers, &end, 10);
  }
}

static char *read_text(const char *path)
{
  FILE *file = fopen(path, "r");
  char *text = NULL;
  long length;
  if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0 && fseek(file, 0, SEEK_SET) == 0 &&
      (text = calloc(1, (size_t)length + 1)) != NULL && fread(text, 1, (size_t)length, file) != (size_t)length)
    *text = '\0';
  if (file != NULL)
    fclose(file);
  return text;
}

static unsigned run_batch(const char *batch)
{
  static uint32_t bins[KERNELS][BINS];
  uint8_t *wanted[KERNELS];
  char path[4096];
  unsigned bad = 0;
  snprintf(path, sizeof path, "%s.cl", batch);
  char *text = read_text(path);
  snprintf(path, sizeof path, "%s.so", batch);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (text == NULL || library == NULL) {
    fprintf(stderr, "%s: %s\n", batch, text == NULL ? "no kernels" : dlerror());
    exit(2);
  }
  read_kernels(text);
  for (unsigned i = 0; i < kernels; i++) {
    wanted[i] = calloc(1, kernel[i].bytes);
    if (wanted[i] == NULL)
      exit(2);
    start_bins(bins[i]);
    run_on_host(&kernel[i], library, wanted[i], bins[i]);
  }
  for (cl_uint d = 0; d < devices; d++)
    bad += compare_all(&device[d], text, wanted, bins);
  for (unsigned i = 0; i < kernels; i++)
    free(wanted[i]);
  dlclose(library);
  free(text);
  fflush(stdout);
  return bad;
}

int main(int argc, char **argv)
{
  cl_platform_id platform;
  cl_device_id ids[DEVICES];
  unsigned bad = 0, count = 0;
  cl_int error = clGetPlatformIDs(1, &platform, NULL);
  if (error != CL_SUCCESS || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, ids, &devices) != CL_SUCCESS)
    return 2;
  for (cl_uint i = 0; i < devices; i++) {
    struct device *d = &device[i];
    cl_device_fp_config config = 0;
    d->id = ids[i];
    d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &error);
    d->queue = clCreateCommandQueue(d->context, d->id, 0, &error);
    clGetDeviceInfo(d->id, CL_DEVICE_NAME, sizeof d->name, d->name, NULL);
    clGetDeviceInfo(d->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL);
    d->has_double = config != 0;
  }
  for (uint32_t i = 0; i < INPUTS; i++)
    in[i] = i * 2654435761u >> i % 5 * 6;
  for (unsigned i = 0; i < ARGUMENTS * LARGEST; i++)
    argument[i / LARGEST][i % LARGEST] = (uint8_t)(i * 2654435761u >> 24);
  for (int i = 1; i < argc; i++) {
    bad += run_batch(argv[i]);
    count += kernels;
  }
  printf("%u kernels on %u devices: %u differences\n", count, devices, bad);
  return bad > 0;
}
