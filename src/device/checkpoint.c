/* Checkpoints: a device's state in a file (device/checkpoint.h). Devices for PTX: checkpoint_ptx.c.
 *
 * A checkpoint contains the device's own fields, the launches so far, the SM's state as its machine saves it, and the
 * pages of memory. Structs are written as they are in memory, so a checkpoint belongs to one build; the header ensures
 * this. A checkpoint is read and validated completely before the device changes. */
#include "device/checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/whole_file.h"
#include "device/device_state.h"
#include "machine/machine_state.h"
#include "program/program.h"

/* ---- tables: the device's own fields, and a launch --------------------------------------------------------------- */

static SL_SCHEMA(interface_schema, struct sl_host_interface, NULL, SL_ANY(code_address, closure, warps_per_block),
                 SL_ANY(kernel_started, kernel_running, kernel_entry, answer), SL_BELOW(SL_ANSWERS_MAX, first_answer),
                 SL_MOST(SL_ANSWERS_MAX, answer_count));
static SL_SCHEMA(input_schema, struct sl_console_input, NULL, SL_RANGE(SL_INPUT_UNREAD, SL_LIMIT_NONE, UINT8_MAX, next),
                 SL_ANY(polls_after_end));
static SL_SCHEMA(spans_schema, struct sl_spans, NULL, SL_KEYS(watched), SL_ANY(under_way, before), SL_DERIVED(since));

static SL_CHECKED_SCHEMA(device_schema, struct sl_device, self->host.x[0] == 0, SL_ANY(host.x, host.pc, host.reserved),
                         SL_ANY(host.instructions, sm_cycles), SL_STRUCTS(interface_schema, interface),
                         SL_STRUCTS(input_schema, input), SL_STRUCTS(spans_schema, spans),
                         SL_ANY(result.status, exit_status, ended, failed_line, passed_line, line),
                         SL_MOST(sizeof((struct sl_device *)0)->line, line_length));

SL_SCHEMA(sl_launch_schema, struct sl_launch, NULL, SL_ANY(number, entry, warps_per_block, finished, succeeded),
          SL_ANY(host_seconds, counters, estimated, untimed, stratum_rate));

static void walk(struct sl_archive *t, const struct sl_device *device, const struct sl_launch *launches, uint64_t count)
{
  sl_archive_structs(t, "device", device_schema, device, 1);
  sl_archive_structs(t, "launch", sl_launch_schema, launches, count);
}

/* The header of a checkpoint of this device. */
static struct sl_checkpoint_header header_of(const struct sl_device *device)
{
  struct sl_checkpoint_header h = {.device_bytes = sizeof *device,
                                   .sm_bytes = sl_state_bytes(device->sm),
                                   .configuration = device->configuration,
                                   .program = device->program != NULL ? sl_program_hash(device->program) : 0,
                                   .launches = device->result.launch_count,
                                   .fast = device->options.fast};
  for (unsigned i = 0; i < SL_PAGE_COUNT; i++)
    h.pages += device->memory.pages[i] != NULL;
  return h;
}

/* The device's own fields, its launches, the SM's state, and the pages of memory. */
static void save_all(const struct sl_device *device, struct sl_archive *t)
{
  walk(t, device, device->launches, device->result.launch_count);
  device->machine->state.walk(device->sm, t);
  for (uint32_t i = 0; i < SL_PAGE_COUNT; i++)
    if (device->memory.pages[i] != NULL) {
      SL_ARCHIVE(t, i);
      sl_archive_bytes(t, device->memory.pages[i], SL_PAGE_BYTES);
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

static enum sl_status fill(const struct sl_device *device, struct sl_checkpoint *checkpoint, struct sl_error *err)
{
  struct sl_archive t = {.to = NULL};
  save_all(device, &t);
  *checkpoint = (struct sl_checkpoint){.header = header_of(device)};
  if (sl_checkpoint_put(checkpoint, NULL, t.at) == NULL)
    return sl_no_memory(err, t.at);
  save_all(device, &(struct sl_archive){.to = checkpoint->bytes});
  return SL_OK;
}

enum sl_status sl_checkpoint_fill(const struct sl_device *device, struct sl_checkpoint *checkpoint,
                                  struct sl_error *err)
{
  return check_whole(device, err) == SL_OK ? fill(device, checkpoint, err) : SL_USAGE;
}

/* Writes a checkpoint to a file, or without a path to new memory. */
static enum sl_status save(const struct sl_device *device, const char *path, void **bytes, size_t *size,
                           struct sl_error *err)
{
  struct sl_checkpoint checkpoint = {0};
  if (device->options.forward.wanted)
    return sl_fail(err, SL_USAGE, "%s: runs with fast forward have no checkpoints", device->name);
  enum sl_status code = sl_checkpoint_fill(device, &checkpoint, err);
  if (code == SL_OK)
    code =
        path != NULL ? sl_checkpoint_write(&checkpoint, path, err) : sl_checkpoint_pack(&checkpoint, bytes, size, err);
  sl_checkpoint_free(&checkpoint);
  return code;
}

enum sl_status sl_device_save_bytes(const struct sl_device *device, void **bytes, size_t *size, struct sl_error *err)
{
  *bytes = NULL;
  return save(device, NULL, bytes, size, err);
}

enum sl_status sl_device_save(const struct sl_device *device, const char *path, struct sl_error *err)
{
  return save(device, path, NULL, NULL, err);
}

/* The contents of a checkpoint, in place. */
struct contents {
  struct sl_device *device;   /* a copy with the restored fields */
  struct sl_launch *launches; /* with room for one more */
  const uint8_t *sm, *pages;  /* pages: number and bytes of each */
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
  const struct sl_device *d = c->device;
  for (uint64_t i = 0; i < count; i++)
    if (c->launches[i].number != i)
      return false;
  return count > 0 || (!d->spans.under_way && (!d->interface.kernel_running || d->spans.watched));
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
  if (h->launches > from->size / sizeof *c->launches * 2 || h->pages > SL_PAGE_COUNT || h->sm_bytes > from->size)
    return damaged;
  c->device = malloc(sizeof *c->device);
  c->launches = calloc(h->launches + 1, sizeof *c->launches);
  if (c->device == NULL || c->launches == NULL)
    return no_memory;
  *c->device = *device;
  struct sl_archive t = {.from = from->bytes, .size = from->size};
  walk(&t, c->device, c->launches, h->launches);
  if (t.bad || !are_launches(c, h->launches))
    return damaged;
  from->taken = t.at;
  c->sm = sl_checkpoint_next(from, h->sm_bytes);
  c->pages = sl_checkpoint_next(from, h->pages * PAGE);
  if (c->sm == NULL || c->pages == NULL || from->taken != from->size || !are_pages(c, h->pages))
    return damaged;
  const enum sl_status code = sl_state_fits(device->sm, !h->fast, c->sm, h->sm_bytes);
  return code == SL_OK ? NULL : code == SL_INTERNAL ? no_memory : damaged;
}

static void restore_launches(struct sl_device *device, struct contents *c, uint64_t count)
{
  free(device->launches);
  device->launches = c->launches;
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
  walk(&(struct sl_archive){.from = from->bytes, .size = from->size, .trusted = true}, device, NULL, 0);
  device->result.host_instructions = device->host.instructions;
  device->spans.since = sl_device_seconds();
  restore_launches(device, c, from->header.launches);
  sl_state_restore(device->sm, c->sm, from->header.sm_bytes);
  restore_memory(device, c, pages);
  return NULL;
}

static enum sl_status apply(struct sl_device *device, struct sl_checkpoint *checkpoint, const char *name,
                            struct sl_error *err)
{
  struct contents contents = {0};
  const char *wrong = restore(device, checkpoint, &contents);
  free(contents.launches);
  free(contents.device);
  return wrong == NULL ? SL_OK
                       : sl_fail(err, wrong == no_memory ? SL_INTERNAL : SL_USAGE,
                                 "%.500s: the checkpoint cannot be used: %s", name, wrong);
}

enum sl_status sl_checkpoint_apply(struct sl_device *device, struct sl_checkpoint *checkpoint, const char *name,
                                   struct sl_error *err)
{
  return check_whole(device, err) == SL_OK ? apply(device, checkpoint, name, err) : SL_USAGE;
}

enum sl_status sl_device_restore(struct sl_device *device, const char *path, struct sl_error *err)
{
  enum { MOST_BESIDE_MEMORY = 1 << 30 };
  struct sl_checkpoint checkpoint = {0};
  enum sl_status code = check_whole(device, err);
  if (code == SL_OK)
    code = sl_checkpoint_read(&checkpoint, path, (size_t)SL_PAGE_COUNT * PAGE + MOST_BESIDE_MEMORY, err);
  if (code == SL_OK)
    code = sl_checkpoint_apply(device, &checkpoint, path, err);
  sl_checkpoint_free(&checkpoint);
  return code;
}

enum sl_status sl_device_restore_bytes(struct sl_device *device, const void *bytes, size_t size, struct sl_error *err)
{
  struct sl_checkpoint checkpoint = {0};
  enum sl_status code = check_whole(device, err);
  if (code == SL_OK)
    code = sl_checkpoint_unpack(&checkpoint, bytes, size, err);
  if (code == SL_OK)
    code = sl_checkpoint_apply(device, &checkpoint, "the checkpoint in memory", err);
  sl_checkpoint_free(&checkpoint);
  return code;
}

/* ---- within a launch --------------------------------------------------------------------------------------------- */

enum sl_status sl_device_save_launch(const struct sl_device *device, void **bytes, size_t *size, struct sl_error *err)
{
  struct sl_checkpoint checkpoint = {0};
  *bytes = NULL;
  if (device->machine->state.walk == NULL)
    return sl_fail(err, SL_USAGE, "%s: launches on this machine have no checkpoints", device->name);
  enum sl_status code = fill(device, &checkpoint, err);
  if (code == SL_OK)
    code = sl_checkpoint_pack(&checkpoint, bytes, size, err);
  sl_checkpoint_free(&checkpoint);
  return code;
}

enum sl_status sl_device_restore_launch(struct sl_device *device, const void *bytes, size_t size, struct sl_error *err)
{
  struct sl_checkpoint checkpoint = {0};
  const struct sl_host_interface *i = &device->interface;
  if (device->machine->view.fault(device->sm)->kind != SL_FAULT_NONE)
    device->machine->life.start(device->sm, i->kernel_entry, i->closure, i->warps_per_block);
  device->last_fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  enum sl_status code = sl_checkpoint_unpack(&checkpoint, bytes, size, err);
  if (code == SL_OK)
    code = apply(device, &checkpoint, "the launch's checkpoint", err);
  sl_checkpoint_free(&checkpoint);
  return code;
}

/* ---- the file -------------------------------------------------------------------------------------------------- */

enum { FORMAT = 14, BYTE_ORDER_MARK = 0x01020304 };

static const char magic[8] = "simtlab";

const char *sl_checkpoint_mismatch(const struct sl_checkpoint_header *header, const struct sl_checkpoint_header *own)
{
  if (header->kind != own->kind)
    return "it holds a run of another kind (a RISC-V program, a launch script of PTX, or a device for PTX)";
  if (header->device_bytes != own->device_bytes)
    return "it was saved by another build of simtlab";
  if (header->configuration != own->configuration)
    return "it was saved on a machine with different keys";
  if (header->program != own->program)
    return "it was saved with another program";
  return header->fast != own->fast ? "it was saved in the other mode (fast or not)" : NULL;
}

uint8_t *sl_checkpoint_put(struct sl_checkpoint *checkpoint, const void *bytes, size_t size)
{
  uint8_t *grown = realloc(checkpoint->bytes, checkpoint->size + size + 1);
  if (grown == NULL)
    return NULL;
  checkpoint->bytes = grown;
  grown += checkpoint->size;
  if (bytes != NULL)
    memcpy(grown, bytes, size);
  checkpoint->size += size;
  return grown;
}

const uint8_t *sl_checkpoint_next(struct sl_checkpoint *checkpoint, size_t size)
{
  if (checkpoint->size - checkpoint->taken < size)
    return NULL;
  const uint8_t *next = checkpoint->bytes + checkpoint->taken;
  checkpoint->taken += size;
  return next;
}

bool sl_checkpoint_take(struct sl_checkpoint *checkpoint, void *bytes, size_t size)
{
  const uint8_t *next = sl_checkpoint_next(checkpoint, size);
  if (next != NULL && size > 0)
    memcpy(bytes, next, size);
  return next != NULL;
}

void sl_checkpoint_free(struct sl_checkpoint *checkpoint)
{
  free(checkpoint->bytes);
  checkpoint->bytes = NULL;
}

static bool checksum_of(const struct sl_checkpoint_header *header, const void *packed, size_t size, uint64_t sum[2])
{
  struct sl_checkpoint_header without = *header;
  XXH3_state_t *state = XXH3_createState();
  if (state == NULL)
    return false;
  memset(without.checksum, 0, sizeof without.checksum);
  XXH3_128bits_reset(state);
  XXH3_128bits_update(state, &without, sizeof without);
  XXH3_128bits_update(state, packed, size);
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  sum[0] = hash.low64;
  sum[1] = hash.high64;
  return true;
}

static void complete(struct sl_checkpoint_header *header, uint64_t size, uint64_t packed)
{
  memcpy(header->magic, magic, sizeof magic);
  header->format = FORMAT;
  header->byte_order = BYTE_ORDER_MARK;
  header->size = size;
  header->packed = packed;
}

static enum sl_status write_packed(struct sl_checkpoint_header *header, const void *packed, const char *path,
                                   struct sl_error *err)
{
  struct sl_whole_file whole;
  if (!checksum_of(header, packed, header->packed, header->checksum))
    return sl_no_memory(err, sizeof *header);
  if (sl_whole_file_open(&whole, path, err) != SL_OK) {
    sl_error_prefix(err, "the checkpoint: ");
    return err->code;
  }
  fwrite(header, sizeof *header, 1, whole.file); /* a failure is reported at the close */
  fwrite(packed, 1, header->packed, whole.file);
  const enum sl_status code = sl_whole_file_close(&whole, true, err);
  if (code != SL_OK)
    sl_error_prefix(err, "the checkpoint: ");
  return code;
}

enum sl_status sl_checkpoint_write(struct sl_checkpoint *checkpoint, const char *path, struct sl_error *err)
{
  struct sl_checkpoint_header *header = &checkpoint->header;
  const size_t bound = ZSTD_compressBound(checkpoint->size);
  void *packed = malloc(bound);
  const size_t size = packed != NULL ? ZSTD_compress(packed, bound, checkpoint->bytes, checkpoint->size, 1) : 0;
  enum sl_status code;
  if (packed == NULL || ZSTD_isError(size)) {
    code = sl_no_memory(err, bound);
  } else {
    complete(header, checkpoint->size, size);
    code = write_packed(header, packed, path, err);
  }
  free(packed);
  return code;
}

static enum sl_status wrong(const char *path, const char *what, struct sl_error *err)
{
  return sl_fail(err, SL_USAGE, "%.500s: the checkpoint cannot be used: %s", path, what);
}

static enum sl_status check_header(const struct sl_checkpoint_header *header, const char *path, size_t size,
                                   struct sl_error *err)
{
  if (size < sizeof magic || memcmp(header->magic, magic, sizeof magic) != 0)
    return wrong(path, "it is not a checkpoint of simtlab", err);
  if (size >= sizeof magic + 8 && (header->format != FORMAT || header->byte_order != BYTE_ORDER_MARK))
    return wrong(path, "it was saved by another build of simtlab", err);
  if (size < sizeof *header || size - sizeof *header < header->packed)
    return wrong(path, "it is truncated", err);
  return size - sizeof *header > header->packed ? wrong(path, "it is damaged: it is longer than its header says", err)
                                                : SL_OK;
}

static enum sl_status unpack(struct sl_checkpoint *checkpoint, const char *path, const char *packed, size_t most,
                             struct sl_error *err)
{
  const struct sl_checkpoint_header *header = &checkpoint->header;
  uint64_t sum[2];
  char *bytes;
  size_t size;
  if (!checksum_of(header, packed, header->packed, sum))
    return sl_no_memory(err, sizeof *header);
  if (memcmp(sum, header->checksum, sizeof sum) != 0)
    return wrong(path, "it is damaged: its checksum differs", err);
  const enum sl_status code = sl_unpack(path, packed, header->packed, most, &bytes, &size, err);
  if (code != SL_OK)
    return code;
  checkpoint->bytes = (uint8_t *)bytes;
  checkpoint->size = size;
  return size == header->size ? SL_OK
                              : wrong(path, "it is damaged: its contents have another size than its header says", err);
}

enum sl_status sl_checkpoint_read(struct sl_checkpoint *checkpoint, const char *path, size_t most, struct sl_error *err)
{
  char *file;
  size_t size;
  *checkpoint = (struct sl_checkpoint){0};
  enum sl_status code = sl_file_bytes_read(path, &file, &size, err);
  if (code != SL_OK) {
    sl_error_prefix(err, "the checkpoint: ");
    return code;
  }
  memcpy(&checkpoint->header, file, size < sizeof checkpoint->header ? size : sizeof checkpoint->header);
  code = check_header(&checkpoint->header, path, size, err);
  if (code == SL_OK)
    code = unpack(checkpoint, path, file + sizeof checkpoint->header, most, err);
  free(file);
  return code;
}

enum sl_status sl_checkpoint_pack(const struct sl_checkpoint *checkpoint, void **bytes, size_t *size,
                                  struct sl_error *err)
{
  struct sl_checkpoint_header header = checkpoint->header;
  const size_t all = sizeof header + checkpoint->size;
  uint8_t *to = *bytes = malloc(all);
  if (to == NULL)
    return sl_no_memory(err, all);
  complete(&header, checkpoint->size, 0);
  if (!checksum_of(&header, checkpoint->bytes, checkpoint->size, header.checksum)) {
    free(to);
    *bytes = NULL;
    return sl_no_memory(err, sizeof header);
  }
  memcpy(to, &header, sizeof header);
  memcpy(to + sizeof header, checkpoint->bytes, checkpoint->size);
  *size = all;
  return SL_OK;
}

enum sl_status sl_checkpoint_unpack(struct sl_checkpoint *checkpoint, const void *bytes, size_t size,
                                    struct sl_error *err)
{
  struct sl_checkpoint_header header;
  const uint8_t *contents = (const uint8_t *)bytes + sizeof header;
  uint64_t sum[2];
  *checkpoint = (struct sl_checkpoint){.bytes = NULL};
  if (size < sizeof header)
    return sl_fail(err, SL_USAGE, "the checkpoint in memory cannot be used: it has only %zu bytes", size);
  memcpy(&header, bytes, sizeof header);
  if (memcmp(header.magic, magic, sizeof magic) != 0 || header.format != FORMAT ||
      header.byte_order != BYTE_ORDER_MARK || header.packed != 0 || header.size != size - sizeof header)
    return sl_fail(err, SL_USAGE, "the checkpoint in memory cannot be used: it is damaged, or of another build");
  if (!checksum_of(&header, contents, header.size, sum))
    return sl_no_memory(err, sizeof header);
  if (memcmp(sum, header.checksum, sizeof sum) != 0)
    return sl_fail(err, SL_USAGE, "the checkpoint in memory cannot be used: it is damaged: its checksum differs");
  checkpoint->header = header;
  checkpoint->size = size - sizeof header;
  checkpoint->bytes = malloc(checkpoint->size + 1);
  if (checkpoint->bytes == NULL)
    return sl_no_memory(err, checkpoint->size);
  memcpy(checkpoint->bytes, contents, checkpoint->size);
  return SL_OK;
}
