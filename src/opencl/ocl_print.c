/* printf on machines with RISC-V instructions: kernels put records into a buffer, which the host formats after the
 * launch (src/compiler/opencl/clc_print.c, runtime/opencl/riscv.cl). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/ocl_riscv.h"

/* The buffer: bytes in use, capacity, two free words, the records, and a place for those that find no room. */
enum { CAPACITY = 1 << 20, HEADER = 16, RECORD_MOST = 1024, FORMAT_MOST = 4096, TEXT_MOST = 1 << 16 };

struct record {
  const struct sl_gpu *gpu;
  const uint8_t *bytes; /* after its header */
  size_t size;
};

static bool read_argument(void *context, uint64_t offset, void *to, size_t bytes)
{
  const struct record *r = context;
  if (offset > r->size || bytes > r->size - offset)
    return false;
  memcpy(to, r->bytes + offset, bytes);
  return true;
}

static bool read_character(void *context, uint64_t address, uint64_t offset, char *to)
{
  const struct record *r = context;
  return sl_gpu_read(r->gpu, SL_GPU_GLOBAL, address + offset, to, 1, NULL) == SL_OK;
}

static void print_record(cl_device_id device, const uint8_t *bytes, uint32_t size)
{
  struct record r = {device->host.gpu, bytes + HEADER, size - HEADER};
  const struct sl_host_arguments arguments = {&r, read_argument, read_character};
  char format[FORMAT_MOST];
  uint32_t address;
  size_t n = 0;
  memcpy(&address, bytes + 4, sizeof address);
  while (n < sizeof format - 1 && read_character(&r, address, n, &format[n]) && format[n] != '\0')
    n++;
  format[n] = '\0';
  char *text = malloc(TEXT_MOST);
  if (text == NULL)
    return;
  const size_t length = sl_host_format(format, &arguments, text, TEXT_MOST);
  device->host.print(text, length < TEXT_MOST ? length : TEXT_MOST);
  free(text);
}

enum sl_status sl_ocl_print_open(cl_device_id device, struct sl_error *err)
{
  const uint32_t begin[4] = {0, CAPACITY, 0, 0};
  struct sl_gpu *gpu = device->host.gpu;
  if (device->print_buffer != 0)
    return SL_OK;
  const enum sl_status code = sl_gpu_alloc(gpu, HEADER + CAPACITY + RECORD_MOST, &device->print_buffer, err);
  return code == SL_OK ? sl_gpu_write(gpu, SL_GPU_GLOBAL, device->print_buffer, begin, sizeof begin, err) : code;
}

/* What is read is set to 0, so that a record that does not fit leaves no size behind. */
static void empty(cl_device_id device, uint32_t used, struct sl_error *err)
{
  const uint8_t zero = 0;
  const uint32_t none = 0;
  sl_gpu_fill(device->host.gpu, device->print_buffer + HEADER, &zero, 1, used, err);
  sl_gpu_write(device->host.gpu, SL_GPU_GLOBAL, device->print_buffer, &none, sizeof none, err);
}

void sl_ocl_print_records(cl_device_id device)
{
  struct sl_error err = {.text = ""};
  uint32_t used = 0, at = 0, size = 0;
  if (sl_gpu_read(device->host.gpu, SL_GPU_GLOBAL, device->print_buffer, &used, sizeof used, &err) != SL_OK ||
      used == 0)
    return;
  const bool full = used > CAPACITY;
  used = full ? CAPACITY : used;
  uint8_t *bytes = malloc(used);
  if (bytes != NULL && device->host.print != NULL &&
      sl_gpu_read(device->host.gpu, SL_GPU_GLOBAL, device->print_buffer + HEADER, bytes, used, &err) == SL_OK)
    for (; at + HEADER <= used; at += size) {
      memcpy(&size, bytes + at, sizeof size);
      if (size < HEADER || size > RECORD_MOST || size > used - at)
        break;
      print_record(device, bytes + at, size);
    }
  free(bytes);
  if (full)
    sl_ocl_say("calls of printf are not shown: a launch prints at most %d bytes of arguments", CAPACITY);
  empty(device, used, &err);
}
