/* Checkpoints: a device's state in a file (gpu/checkpoint_file.h).
 *
 * A checkpoint contains the device's own fields, the launches so far, the SM's state as its machine saves it, and the
 * pages of memory. Structs are written as they are in memory, so a checkpoint belongs to one build; the header ensures
 * this. A checkpoint is read and validated completely before the device changes. */
#include "gpu/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "base/validate.h"
#include "gpu/device_state.h"
#include "machine/machine_state.h"

/* The device's fields that are state. */
struct fields {
  uint32_t x[SL_HOST_SINK + 1];
  uint32_t pc, reserved;
  uint64_t instructions, sm_cycles;
  struct sl_host_interface interface;
  struct sl_console_input input;
  struct sl_spans spans;
  int status, exit_status;
  bool ended, failed_line, passed_line;
  size_t line_length;
  char line[sizeof((struct sl_device *)0)->line];
};

/* The header of a checkpoint of this device. */
static struct sl_checkpoint_header header_of(const struct sl_device *device)
{
  struct sl_checkpoint_header h = {.device_bytes = sizeof *device,
                                   .sm_bytes = sl_state_bytes(device->sm),
                                   .configuration = device->configuration,
                                   .program = sl_program_hash(device->program),
                                   .launches = device->result.launch_count,
                                   .fast = device->options.fast};
  for (unsigned i = 0; i < SL_PAGE_COUNT; i++)
    h.pages += device->memory.pages[i] != NULL;
  return h;
}

static void put_fields(const struct sl_device *device, struct sl_checkpoint *to)
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
  f.ended = device->ended;
  f.failed_line = device->failed_line;
  f.passed_line = device->passed_line;
  f.line_length = device->line_length;
  memcpy(f.line, device->line, sizeof f.line);
  sl_checkpoint_put(to, &f, sizeof f);
}

static void put_sm(const struct sl_device *device, size_t size, struct sl_checkpoint *to)
{
  uint8_t *bytes = malloc(size);
  to->lost = to->lost || bytes == NULL;
  if (bytes == NULL)
    return;
  sl_state_save(device->sm, bytes);
  sl_checkpoint_put(to, bytes, size);
  free(bytes);
}

static void put_memory(const struct sl_device *device, struct sl_checkpoint *to)
{
  for (uint32_t i = 0; i < SL_PAGE_COUNT; i++)
    if (device->memory.pages[i] != NULL) {
      sl_checkpoint_put(to, &i, sizeof i);
      sl_checkpoint_put(to, device->memory.pages[i], SL_PAGE_BYTES);
    }
}

/* Rejects states that a checkpoint cannot hold. */
static enum sl_status check_whole(const struct sl_device *device, struct sl_error *err)
{
  if (device->machine->state.walk == NULL)
    return sl_fail(err, SL_USAGE, "%s: programs on this machine have no checkpoints; run them in one go", device->name);
  if (device->program == NULL)
    return sl_fail(err, SL_USAGE, "%s: a checkpoint needs a loaded program; load one first", device->name);
  if (device->direct.under_way || sl_allocator_buffers(&device->buffers) > 0)
    return sl_fail(err, SL_USAGE,
                   "%s: a checkpoint cannot contain launches without a host program and their buffers. Release them",
                   device->name);
  if (device->machine->view.fault(device->sm)->kind != SL_FAULT_NONE)
    return sl_fail(err, SL_USAGE, "%s: cannot save a checkpoint: the run has ended with a fault", device->name);
  return SL_OK;
}

enum sl_status sl_checkpoint_fill(const struct sl_device *device, struct sl_checkpoint *checkpoint,
                                  struct sl_error *err)
{
  if (check_whole(device, err) != SL_OK)
    return SL_USAGE;
  *checkpoint = (struct sl_checkpoint){.header = header_of(device)};
  put_fields(device, checkpoint);
  sl_checkpoint_put(checkpoint, device->launches, checkpoint->header.launches * sizeof *device->launches);
  put_sm(device, checkpoint->header.sm_bytes, checkpoint);
  put_memory(device, checkpoint);
  return checkpoint->lost ? sl_no_memory(err, checkpoint->size) : SL_OK;
}

enum sl_status sl_device_save(const struct sl_device *device, const char *path, struct sl_error *err)
{
  struct sl_checkpoint checkpoint = {0};
  if (device->options.forward.wanted)
    return sl_fail(err, SL_USAGE, "%s: runs with fast forward have no checkpoints", device->name);
  enum sl_status code = sl_checkpoint_fill(device, &checkpoint, err);
  if (code == SL_OK)
    code = sl_checkpoint_write(&checkpoint, path, err);
  sl_checkpoint_free(&checkpoint);
  return code;
}

static bool are_fields(const struct sl_device *device, const struct fields *f)
{
  return f->x[0] == 0 && f->interface.first_answer < SL_ANSWERS_MAX && f->interface.answer_count <= SL_ANSWERS_MAX &&
         sl_bool_valid(&f->interface.kernel_started) && sl_bool_valid(&f->interface.kernel_running) &&
         sl_bool_valid(&f->spans.watched) && f->spans.watched == device->spans.watched &&
         sl_bool_valid(&f->spans.under_way) && sl_bool_valid(&f->ended) && sl_bool_valid(&f->failed_line) &&
         sl_bool_valid(&f->passed_line) && f->input.next >= SL_INPUT_UNREAD && f->input.next <= UINT8_MAX &&
         f->line_length <= sizeof f->line;
}

/* The contents of a checkpoint, in place. */
struct contents {
  struct fields fields;
  struct sl_launch *launches; /* with room for one more */
  uint8_t *sm;                /* an aligned copy, for validation */
  const uint8_t *pages;       /* number and bytes of each page */
};

enum { PAGE = sizeof(uint32_t) + SL_PAGE_BYTES };

static uint32_t page_number(const struct contents *c, uint64_t index)
{
  uint32_t number;
  memcpy(&number, c->pages + index * PAGE, sizeof number);
  return number;
}

static bool are_launches(const struct contents *c, uint64_t count)
{
  for (uint64_t i = 0; i < count; i++)
    if (c->launches[i].number != i || !sl_bool_valid(&c->launches[i].finished) ||
        !sl_bool_valid(&c->launches[i].succeeded))
      return false;
  return count > 0 || (!c->fields.spans.under_way && (!c->fields.interface.kernel_running || c->fields.spans.watched));
}

/* Checks that page numbers are in ascending order. */
static bool are_pages(const struct contents *c, uint64_t count)
{
  for (uint64_t i = 0; i < count; i++)
    if (page_number(c, i) >= SL_PAGE_COUNT || (i > 0 && page_number(c, i) <= page_number(c, i - 1)))
      return false;
  return true;
}

static const char no_memory[] = "out of memory";

/* Returns NULL, or why the contents are invalid. */
static const char *find_contents(struct sl_device *device, struct sl_checkpoint *from, struct contents *c)
{
  static const char damaged[] = "it is damaged";
  const struct sl_checkpoint_header *h = &from->header;
  if (h->launches > from->size / sizeof *c->launches || h->pages > SL_PAGE_COUNT || h->sm_bytes > from->size)
    return damaged;
  c->launches = calloc(h->launches + 1, sizeof *c->launches);
  if (c->launches == NULL)
    return no_memory;
  if (!sl_checkpoint_take(from, &c->fields, sizeof c->fields) || !are_fields(device, &c->fields) ||
      !sl_checkpoint_take(from, c->launches, h->launches * sizeof *c->launches) || !are_launches(c, h->launches))
    return damaged;
  const uint8_t *sm = sl_checkpoint_next(from, h->sm_bytes);
  c->pages = sl_checkpoint_next(from, h->pages * PAGE);
  if (sm == NULL || c->pages == NULL || from->taken != from->size || !are_pages(c, h->pages))
    return damaged;
  c->sm = aligned_alloc(SL_CACHE_LINE, (h->sm_bytes / SL_CACHE_LINE + 1) * SL_CACHE_LINE);
  if (c->sm == NULL)
    return no_memory;
  memcpy(c->sm, sm, h->sm_bytes);
  const enum sl_status code = sl_state_fits(device->sm, !h->fast, c->sm, h->sm_bytes);
  return code == SL_OK ? NULL : code == SL_INTERNAL ? no_memory : damaged;
}

static void restore_fields(struct sl_device *device, const struct fields *f)
{
  memcpy(device->host.x, f->x, sizeof f->x);
  device->host.pc = f->pc;
  device->host.reserved = f->reserved;
  device->host.instructions = device->result.host_instructions = f->instructions;
  device->sm_cycles = f->sm_cycles;
  device->interface = f->interface;
  device->input = f->input;
  device->spans = f->spans;
  device->result.status = f->status;
  device->exit_status = f->exit_status;
  device->ended = f->ended;
  device->failed_line = f->failed_line;
  device->passed_line = f->passed_line;
  device->line_length = f->line_length;
  memcpy(device->line, f->line, sizeof f->line);
}

static void restore_launches(struct sl_device *device, struct contents *c, uint64_t count)
{
  free(device->launches);
  device->launches = c->launches;
  device->launch_capacity = count + 1;
  device->result.launches = device->launches;
  device->result.launch_count = count;
  c->launches = NULL;
}

/* Allocates the pages before anything changes. */
static bool make_room(struct sl_device *device, const struct contents *c, uint64_t count)
{
  for (uint64_t i = 0; i < count && !device->memory.exhausted; i++)
    sl_memory_at(&device->memory, page_number(c, i) << SL_PAGE_BITS);
  const bool room = !device->memory.exhausted;
  device->memory.exhausted = false;
  return room;
}

static void restore_memory(struct sl_device *device, const struct contents *c, uint64_t count)
{
  for (uint32_t i = 0; i < SL_PAGE_COUNT; i++)
    if (device->memory.pages[i] != NULL)
      memcpy(device->memory.pages[i], device->memory.blank, SL_PAGE_BYTES);
  for (uint64_t i = 0; i < count; i++)
    memcpy(sl_memory_at(&device->memory, page_number(c, i) << SL_PAGE_BITS), c->pages + i * PAGE + sizeof(uint32_t),
           SL_PAGE_BYTES);
  sl_stored_code_note_all(&device->memory.code);
}

static const char *restore(struct sl_device *device, struct sl_checkpoint *from, struct contents *c)
{
  const uint64_t pages = from->header.pages;
  const struct sl_checkpoint_header own = header_of(device);
  const char *wrong = sl_checkpoint_mismatch(&from->header, &own);
  if (wrong == NULL)
    wrong = find_contents(device, from, c);
  if (wrong == NULL && !make_room(device, c, pages))
    wrong = no_memory;
  if (wrong != NULL)
    return wrong;
  restore_fields(device, &c->fields);
  restore_launches(device, c, from->header.launches);
  sl_state_restore(device->sm, c->sm, from->header.sm_bytes);
  restore_memory(device, c, pages);
  return NULL;
}

enum sl_status sl_checkpoint_apply(struct sl_device *device, struct sl_checkpoint *checkpoint, const char *name,
                                   struct sl_error *err)
{
  struct contents contents = {0};
  if (check_whole(device, err) != SL_OK)
    return SL_USAGE;
  const char *wrong = restore(device, checkpoint, &contents);
  free(contents.launches);
  free(contents.sm);
  return wrong == NULL ? SL_OK
                       : sl_fail(err, wrong == no_memory ? SL_INTERNAL : SL_USAGE,
                                 "%.500s: the checkpoint cannot be used: %s", name, wrong);
}

enum sl_status sl_device_restore(struct sl_device *device, const char *path, struct sl_error *err)
{
  enum { MOST_BESIDE_MEMORY = 1 << 30 };
  struct sl_checkpoint checkpoint;
  if (check_whole(device, err) != SL_OK)
    return SL_USAGE;
  enum sl_status code = sl_checkpoint_read(&checkpoint, path, (size_t)SL_PAGE_COUNT * PAGE + MOST_BESIDE_MEMORY, err);
  if (code == SL_OK)
    code = sl_checkpoint_apply(device, &checkpoint, path, err);
  sl_checkpoint_free(&checkpoint);
  return code;
}
