/* Checkpoints: a device's state in a file.
 *
 * A header that says what may read it, the device's own fields, the launches so far, the SM as its machine saves it,
 * and the pages of memory. Structs are written as they are in memory, so a checkpoint belongs to one build; the header
 * sees to it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "gpu/device_state.h"

enum { FORMAT = 4 };

struct header {
  char magic[8];
  uint32_t format, byte_order;
  uint64_t device_bytes, sm_bytes; /* sizes of the structs in this build */
  uint64_t configuration, program;
  uint64_t launches, pages;
};

/* The fields of a device that are state. */
struct fields {
  uint32_t x[SL_HOST_SINK + 1];
  uint32_t pc, reserved;
  uint64_t instructions, sm_cycles;
  struct sl_host_interface interface;
  struct sl_console_input input;
  struct sl_spans spans;
  int status, exit_status;
  bool fast, ended, failed_line, passed_line;
  size_t line_length;
  char line[sizeof((struct sl_device *)0)->line];
};

static struct header make_header(const struct sl_device *device)
{
  struct header h = {.format = FORMAT,
                     .byte_order = 0x01020304,
                     .device_bytes = sizeof *device,
                     .sm_bytes = device->machine->state.bytes(device->sm),
                     .configuration = device->configuration,
                     .program = sl_program_hash(device->program),
                     .launches = device->result.launch_count};
  memcpy(h.magic, "simtlab", sizeof h.magic);
  for (unsigned i = 0; i < SL_PAGE_COUNT; i++)
    h.pages += device->memory.pages[i] != NULL;
  return h;
}

static bool write_all(FILE *file, const void *bytes, size_t size)
{
  return size == 0 || fwrite(bytes, size, 1, file) == 1;
}

static bool read_all(FILE *file, void *bytes, size_t size)
{
  return size == 0 || fread(bytes, size, 1, file) == 1;
}

static bool write_fields(const struct sl_device *device, FILE *file)
{
  struct fields f;
  memset(&f, 0, sizeof f);
  memcpy(f.x, device->host.x, sizeof f.x);
  f.pc = device->host.pc;
  f.reserved = device->host.reserved;
  f.instructions = device->host.instructions;
  f.sm_cycles = device->sm_cycles;
  f.interface = device->interface;
  f.input = device->input;
  f.spans = device->spans;
  f.status = device->result.status;
  f.exit_status = device->exit_status;
  f.fast = device->options.fast;
  f.ended = device->ended;
  f.failed_line = device->failed_line;
  f.passed_line = device->passed_line;
  f.line_length = device->line_length;
  memcpy(f.line, device->line, sizeof f.line);
  return write_all(file, &f, sizeof f);
}

static bool read_fields(struct sl_device *device, FILE *file)
{
  struct fields f;
  if (!read_all(file, &f, sizeof f) || f.fast != device->options.fast)
    return false;
  memcpy(device->host.x, f.x, sizeof f.x);
  device->host.pc = f.pc;
  device->host.reserved = f.reserved;
  device->host.instructions = device->result.host_instructions = f.instructions;
  device->sm_cycles = f.sm_cycles;
  device->interface = f.interface;
  device->input = f.input;
  device->spans = f.spans;
  device->result.status = f.status;
  device->exit_status = f.exit_status;
  device->ended = f.ended;
  device->failed_line = f.failed_line;
  device->passed_line = f.passed_line;
  device->line_length = f.line_length <= sizeof f.line ? f.line_length : 0;
  memcpy(device->line, f.line, sizeof f.line);
  return true;
}

static bool write_sm(const struct sl_device *device, FILE *file, size_t size)
{
  uint8_t *bytes = malloc(size);
  if (bytes == NULL)
    return false;
  device->machine->state.save(device->sm, bytes);
  bool written = write_all(file, bytes, size);
  free(bytes);
  return written;
}

static bool read_sm(struct sl_device *device, FILE *file, size_t size)
{
  uint8_t *bytes = malloc(size);
  bool read = bytes != NULL && read_all(file, bytes, size);
  if (read && device->machine->state.fits != NULL)
    read = device->machine->state.fits(device->sm, bytes, size);
  if (read)
    device->machine->state.restore(device->sm, bytes);
  free(bytes);
  return read;
}

static bool write_memory(const struct sl_device *device, FILE *file)
{
  for (uint32_t i = 0; i < SL_PAGE_COUNT; i++)
    if (device->memory.pages[i] != NULL &&
        (!write_all(file, &i, sizeof i) || !write_all(file, device->memory.pages[i], SL_PAGE_BYTES)))
      return false;
  return true;
}

static bool read_memory(struct sl_device *device, FILE *file, uint64_t pages)
{
  for (uint32_t i = 0; i < SL_PAGE_COUNT; i++)
    if (device->memory.pages[i] != NULL)
      memset(device->memory.pages[i], 0, SL_PAGE_BYTES);
  for (uint64_t n = 0; n < pages; n++) {
    uint32_t i;
    if (!read_all(file, &i, sizeof i) || i >= SL_PAGE_COUNT)
      return false;
    if (!read_all(file, sl_memory_at(&device->memory, i << SL_PAGE_BITS), SL_PAGE_BYTES))
      return false;
  }
  return !device->memory.exhausted;
}

static bool read_launches(struct sl_device *device, FILE *file, uint64_t count)
{
  struct sl_launch *launches = calloc(count + 1, sizeof *launches);
  if (launches == NULL || !read_all(file, launches, count * sizeof *launches)) {
    free(launches);
    return false;
  }
  free(device->launches);
  device->launches = launches;
  device->launch_capacity = count + 1;
  device->result.launches = launches;
  device->result.launch_count = count;
  return count > 0 || !device->spans.under_way;
}

/* What a checkpoint does not hold. */
static enum sl_status check_whole(const struct sl_device *device, struct sl_error *err)
{
  if (device->program == NULL)
    return sl_fail(err, SL_USAGE, "%s: a checkpoint is of a program that is run, and none has been loaded",
                   device->name);
  if (device->direct.under_way || sl_allocator_buffers(&device->buffers) > 0)
    return sl_fail(err, SL_USAGE,
                   "%s: a checkpoint does not hold launches without a host program and their buffers. Release them",
                   device->name);
  if (device->machine->view.fault(device->sm)->kind != SL_FAULT_NONE)
    return sl_fail(err, SL_USAGE, "%s: no checkpoint is made: the run has ended with a fault", device->name);
  return SL_OK;
}

enum sl_status sl_device_save(const struct sl_device *device, const char *path, struct sl_error *err)
{
  if (check_whole(device, err) != SL_OK)
    return SL_USAGE;
  struct sl_whole_file whole;
  enum sl_status code = sl_whole_file_open(&whole, path, err);
  if (code != SL_OK)
    return code;
  FILE *file = whole.file;
  const struct header h = make_header(device);
  const bool written = write_all(file, &h, sizeof h) && write_fields(device, file) &&
                       write_all(file, device->launches, h.launches * sizeof *device->launches) &&
                       write_sm(device, file, h.sm_bytes) && write_memory(device, file);
  if (written || ferror(file))
    return sl_whole_file_close(&whole, true, err);
  sl_whole_file_drop(&whole);
  return sl_no_memory(err, h.sm_bytes);
}

/* Why a checkpoint is none of this device's, or NULL. */
static const char *mismatch(const struct sl_device *device, const struct header *h, const struct header *own)
{
  const bool any_size = device->machine->state.fits != NULL;
  if (memcmp(h->magic, own->magic, sizeof h->magic) != 0)
    return "it is no checkpoint of simtlab";
  if (h->format != own->format || h->byte_order != own->byte_order || h->device_bytes != own->device_bytes)
    return "it was saved by another build of simtlab";
  if (h->configuration != own->configuration)
    return "it was saved on a machine with other keys";
  if (h->sm_bytes != own->sm_bytes && !any_size)
    return "it was saved by another build of simtlab";
  if (h->program != own->program)
    return "it was saved with another program";
  return h->pages > SL_PAGE_COUNT || h->launches > UINT32_MAX ? "it is damaged" : NULL;
}

enum sl_status sl_device_restore(struct sl_device *device, const char *path, struct sl_error *err)
{
  if (check_whole(device, err) != SL_OK)
    return SL_USAGE;
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return sl_fail(err, SL_USAGE, "%s: the checkpoint cannot be read: %s", path, strerror(errno));
  struct header h;
  const struct header own = make_header(device);
  const char *wrong = "it is truncated";
  if (read_all(file, &h, sizeof h)) {
    wrong = mismatch(device, &h, &own);
    if (wrong == NULL && !(read_fields(device, file) && read_launches(device, file, h.launches) &&
                           read_sm(device, file, h.sm_bytes) && read_memory(device, file, h.pages)))
      wrong = "it is truncated, or was saved in the other mode (fast or not)";
  }
  fclose(file);
  return wrong ? sl_fail(err, SL_USAGE, "%s: the checkpoint cannot be used: %s", path, wrong) : SL_OK;
}
