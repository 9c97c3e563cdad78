#include "device/launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "device/device_state.h"
#include "device/engine/sampled_launches.h"
#include "program/kernels.h"

enum {
  PARAMETERS_MOST = 64,
  BLOCK_WORDS = 16, /* before the closure: arguments for a program's start code */
  SHARED_ALIGNMENT = 128,
  SHARED_ALIGNMENT_VORTEX = 64,
  WARPS_PER_BLOCK = 64 /* the host interface's register of that name wraps at this number */
};

/* A kernel's geometry as runtime/simt.h declares it. */
enum {
  GRID = 0,
  BLOCK = 3,
  SLOTS = 6,
  SLOT_SHIFT,
  Y_SHIFT,
  Z_SHIFT,
  STEP,
  ROW_END = STEP + 3,
  X_RECIPROCAL,
  Y_RECIPROCAL,
  SHARED_BYTES,
  SHARED_NEEDED,
  GEOMETRY_WORDS,
  CORE_SLOTS = GEOMETRY_WORDS,
  BLOCK_WARPS,
  GEOMETRY_WORDS_VORTEX
};

/* The same on machines that distribute the blocks in hardware. */
enum { GRID_BYTES = 6, GRID_SHARED_BYTES, GRID_SHARED_NEEDED, GRID_WORDS };

/* Notifies the observer of a buffer, between launches. */
static void tell_buffer(struct sl_device *device, enum sl_probe_kind kind, uint32_t address, uint64_t size)
{
  sl_tell(&device->options.probes,
          &(struct sl_probe){
              .kind = kind, .launch = (unsigned)device->result.launch_count, .buffer = address, .bytes = size});
}

void sl_device_tell_written(struct sl_device *device, uint32_t address, size_t size)
{
  tell_buffer(device, SL_PROBE_WRITTEN, address, size);
}

enum sl_status sl_device_alloc(struct sl_device *device, uint64_t size, uint32_t *address, struct sl_error *err)
{
  uint64_t first;
  const enum sl_status code = sl_allocator_take(&device->buffers, size, &first, err);
  if (code != SL_OK)
    return code;
  *address = (uint32_t)first;
  sl_memory_clear(&device->memory, *address, size);
  tell_buffer(device, SL_PROBE_ALLOCATED, *address, size);
  return SL_OK;
}

enum sl_status sl_device_place_buffer(struct sl_device *device, uint32_t address, uint64_t size, struct sl_error *err)
{
  const enum sl_status code = sl_allocator_place(&device->buffers, address, size, err);
  if (code != SL_OK)
    return code;
  sl_memory_clear(&device->memory, address, size);
  tell_buffer(device, SL_PROBE_ALLOCATED, address, size);
  return SL_OK;
}

enum sl_status sl_device_release(struct sl_device *device, uint32_t address, struct sl_error *err)
{
  uint64_t size;
  const enum sl_status code = sl_allocator_give_back(&device->buffers, address, &size, err);
  if (code != SL_OK)
    return code;
  tell_buffer(device, SL_PROBE_FREED, address, size);
  sl_memory_drop(&device->memory, address, size);
  return SL_OK;
}

bool sl_device_has(const struct sl_device *device, const struct sl_program *program)
{
  size_t i = 0;
  while (i < device->loaded_count && device->loaded[i].program != program)
    i++;
  return i < device->loaded_count;
}

const struct sl_range *sl_device_buffer_at(const struct sl_device *device, uint64_t address)
{
  return sl_allocator_buffer(&device->buffers, address);
}

/* ---- which kernel ------------------------------------------------------------------------------------------------ */

static bool is_program(const struct sl_device *device, const struct sl_launch_order *order, size_t i)
{
  return order->program == NULL || order->program == device->loaded[i].program;
}

/* Reports an unknown kernel with the nearest name, or with the only names. */
static enum sl_status unknown_kernel(const struct sl_device *device, const struct sl_launch_order *order,
                                     struct sl_error *err)
{
  struct sl_nearest nearest;
  char all[300] = "";
  sl_nearest_begin(&nearest, order->kernel);
  for (size_t i = 0; i < device->loaded_count; i++)
    for (size_t k = 0; is_program(device, order, i) && k < sl_program_kernel_count(device->loaded[i].program); k++) {
      const char *name = sl_program_kernel(device->loaded[i].program, k).name;
      const size_t used = strlen(all);
      sl_nearest_offer(&nearest, name);
      if (used + strlen(name) + 3 < sizeof all) {
        strcat(all, used > 0 ? ", " : "");
        strcat(all, name);
      }
    }
  if (nearest.name != NULL)
    return sl_fail(err, SL_USAGE, "no kernel is called '%.100s'; did you mean '%.100s'?", order->kernel, nearest.name);
  return all[0] != '\0'
             ? sl_fail(err, SL_USAGE, "no kernel is called '%.100s'; there are %s", order->kernel, all)
             : sl_fail(err, SL_USAGE,
                       "no kernel is called '%.100s', and no program describes kernels: define them with SIMT_KERNEL, "
                       "or launch a function by its address",
                       order->kernel);
}

/* The resolved order: program, address, and what is known of the parameters. */
struct found {
  const struct sl_program *program;
  uint32_t address;
  struct sl_kernel kernel; /* name is NULL if the program does not describe it */
};

static enum sl_status find_kernel(const struct sl_device *device, const struct sl_launch_order *order,
                                  struct found *found, struct sl_error *err)
{
  *found = (struct found){.address = order->entry};
  if (device->loaded_count == 0)
    return sl_fail(err, SL_USAGE, "%s: no program has been loaded", device->name);
  if (order->kernel == NULL) {
    found->program = sl_device_program_at(device, order->entry);
    return found->program != NULL && order->entry % 4 == 0
               ? SL_OK
               : sl_fail(err, SL_USAGE, "no loaded program has code at 0x%08" PRIx32, order->entry);
  }
  for (size_t i = 0; i < device->loaded_count; i++) {
    const struct sl_program *program = device->loaded[i].program;
    if (!is_program(device, order, i) || !sl_program_symbol(program, order->kernel, &found->address))
      continue;
    found->program = program;
    if (sl_program_find_kernel(program, order->kernel, &found->kernel))
      return SL_OK;
    found->kernel = (struct sl_kernel){0};
    if (sl_program_kernel_count(program) == 0)
      return SL_OK;
  }
  return unknown_kernel(device, order, err);
}

/* Size of a C struct of the parameters; 0 if the size of one is unknown. */
static size_t struct_bytes(const struct sl_parameter *parameter, size_t count)
{
  size_t at = 0, widest = 1;
  for (size_t i = 0; i < count; i++) {
    const size_t size = parameter[i].size;
    if (size == 0)
      return 0;
    widest = size > widest ? size : widest;
    at = (at + size - 1) / size * size + size;
  }
  return (at + widest - 1) / widest * widest;
}

static enum sl_status check_arguments(const struct found *found, const struct sl_launch_order *order,
                                      struct sl_error *err)
{
  struct sl_parameter parameter[PARAMETERS_MOST];
  if (found->kernel.name == NULL)
    return SL_OK;
  const size_t count = sl_kernel_parameters(&found->kernel, parameter, PARAMETERS_MOST);
  const size_t bytes = count <= PARAMETERS_MOST ? struct_bytes(parameter, count) : 0;
  if (bytes == order->argument_bytes || (bytes == 0 && count > 0))
    return SL_OK;
  return sl_fail(err, SL_USAGE, "kernel %.100s takes %zu argument%s, %zu bytes, but %zu bytes were given: %.400s",
                 order->kernel, count, count == 1 ? "" : "s", bytes, order->argument_bytes,
                 count > 0 ? found->kernel.parameters : "it has none");
}

/* ---- geometry ---------------------------------------------------------------------------------------------------- */

static uint64_t volume(const uint32_t size[3])
{
  return (uint64_t)size[0] * size[1] * size[2];
}

static enum sl_status check_size(const struct sl_device *device, const char *name, const uint32_t grid[3],
                                 const uint32_t block[3], uint32_t shared, struct sl_error *err)
{
  const struct sl_soc *soc = &device->soc;
  const uint64_t threads = volume(block), most = (uint64_t)soc->lanes * soc->warps;
  if (volume(grid) == 0)
    return sl_fail(err, SL_USAGE, "kernel %s: a grid of 0 blocks; it takes at least 1", name);
  if (threads == 0)
    return sl_fail(err, SL_USAGE, "kernel %s: a block of 0 threads; it takes at least %" PRIu32, name, soc->lanes);
  if (volume(grid) > UINT32_MAX || threads > UINT32_MAX)
    return sl_fail(err, SL_USAGE, "kernel %s: more than 2^32 - 1 blocks, or threads of a block", name);
  if (soc->launches != SL_LAUNCH_GRID && !(sl_is_pow2(block[0]) && sl_is_pow2(block[1]) && sl_is_pow2(block[2])))
    return sl_fail(err, SL_USAGE,
                   "kernel %s: a block of %" PRIu32 " x %" PRIu32 " x %" PRIu32
                   " threads; its dimensions must be powers of two",
                   name, block[0], block[1], block[2]);
  if (soc->launches != SL_LAUNCH_GRID && threads < soc->lanes)
    return sl_fail(err, SL_USAGE,
                   "kernel %s: a block of %" PRIu64 " threads is smaller than a warp of %" PRIu32
                   ". Make it that large, or set lanes lower",
                   name, threads, soc->lanes);
  if (threads > most && soc->launches != SL_LAUNCH_PROGRAM) /* a block may run in rounds there */
    return sl_fail(err, SL_USAGE,
                   "kernel %s: a block of %" PRIu64 " threads exceeds the %" PRIu64
                   " that %s has. Launch more blocks of fewer threads",
                   name, threads, most, device->name);
  if (shared > soc->scratchpad_bytes)
    return sl_fail(err, SL_USAGE,
                   "kernel %s: %" PRIu32 " bytes of shared memory exceed the %" PRIu32 " that %s has. Make it smaller",
                   name, shared, soc->scratchpad_bytes, device->name);
  return SL_OK;
}

/* Only slots below 64 are divided by a grid's width. For greater widths the quotient is 0. */
static uint32_t reciprocal(uint32_t n)
{
  return n > 64 ? 0 : (0x10000 + n - 1) / n;
}

/* Blocks that hardware distributes have whole warps, and a share of shared memory that is not empty. */
static uint32_t slots_of(const struct sl_soc *soc, uint32_t threads, uint32_t alignment)
{
  if (soc->launches != SL_LAUNCH_GRID)
    return soc->lanes * soc->warps / threads;
  const uint32_t slots = soc->warps / ((threads + soc->lanes - 1) / soc->lanes);
  return slots < soc->scratchpad_bytes / alignment ? slots : soc->scratchpad_bytes / alignment;
}

/* Fills in the words of the geometry and returns their number. */
static unsigned fill_geometry(const struct sl_device *device, const uint32_t grid[3], const uint32_t block[3],
                              uint32_t shared, uint32_t word[GEOMETRY_WORDS_VORTEX])
{
  const struct sl_soc *soc = &device->soc;
  const bool vortex = soc->launches == SL_LAUNCH_PROGRAM;
  const uint32_t alignment = vortex ? SHARED_ALIGNMENT_VORTEX : SHARED_ALIGNMENT;
  const uint32_t threads = (uint32_t)volume(block), slice = (shared + alignment - 1) & -alignment;
  uint32_t core_slots = slots_of(soc, threads, alignment);
  if (slice != 0 && core_slots > soc->scratchpad_bytes / slice)
    core_slots = soc->scratchpad_bytes >= slice ? soc->scratchpad_bytes / slice : 1;
  if (core_slots == 0)
    core_slots = 1;
  const uint32_t all = core_slots * (vortex && soc->cores ? soc->cores : 1);
  const uint32_t slots = all > volume(grid) ? (uint32_t)volume(grid) : all;
  memset(word, 0, GEOMETRY_WORDS_VORTEX * sizeof *word);
  memcpy(word + GRID, grid, 3 * sizeof *word);
  memcpy(word + BLOCK, block, 3 * sizeof *word);
  if (soc->launches == SL_LAUNCH_GRID) {
    word[GRID_SHARED_BYTES] = slice ? slice : (soc->scratchpad_bytes / core_slots) & -alignment;
    return GRID_WORDS;
  }
  word[SLOTS] = slots;
  word[SLOT_SHIFT] = sl_log2(threads);
  word[Y_SHIFT] = sl_log2(block[0]);
  word[Z_SHIFT] = sl_log2((uint64_t)block[0] * block[1]);
  word[STEP] = slots % grid[0];
  word[STEP + 1] = slots / grid[0] % grid[1];
  word[STEP + 2] = slots / grid[0] / grid[1];
  word[ROW_END] = slots < grid[0] ? grid[0] : 0;
  word[X_RECIPROCAL] = vortex ? 0 : reciprocal(grid[0]);
  word[Y_RECIPROCAL] = vortex ? 0 : reciprocal(grid[1]);
  word[SHARED_BYTES] = slice ? slice : (soc->scratchpad_bytes / (vortex ? core_slots : slots)) & -alignment;
  word[CORE_SLOTS] = core_slots;
  word[BLOCK_WARPS] = threads > soc->lanes * soc->warps ? 0 : threads / soc->lanes;
  return vortex ? GEOMETRY_WORDS_VORTEX : GEOMETRY_WORDS;
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

static enum sl_status check_idle(const struct sl_device *device, struct sl_error *err)
{
  if (device->soc.launches == SL_LAUNCH_NONE)
    return sl_fail(err, SL_USAGE, "%s runs whole programs only and cannot launch a kernel. Run the program",
                   device->name);
  if (device->interface.kernel_started)
    return sl_fail(err, SL_USAGE, "%s: a kernel is still running; wait for its end, or abandon it", device->name);
  return SL_OK;
}

static void begin(struct sl_device *device, uint32_t entry, uint32_t closure, uint32_t warps_per_block)
{
  device->direct.under_way = true;
  device->direct.program_ended = device->ended;
  device->direct.first = device->result.launch_count;
  device->direct.before = device->interface;
  device->last_fault = (struct sl_fault){0};
  device->ended = false;
  device->exit_status = 0;
  device->interface.kernel_started = true;
  device->interface.kernel_running = false;
  device->interface.kernel_entry = entry;
  device->interface.closure = closure;
  device->interface.warps_per_block = warps_per_block;
}

enum sl_status sl_device_start_entry(struct sl_device *device, uint32_t entry, uint32_t closure,
                                     uint32_t warps_per_block, struct sl_error *err)
{
  if (check_idle(device, err) != SL_OK)
    return SL_USAGE;
  const struct sl_program *program = sl_device_program_at(device, entry);
  if (program == NULL || entry % 4 != 0)
    return sl_fail(err, SL_USAGE, "no loaded program has code at 0x%08" PRIx32, entry);
  device->direct = (struct sl_direct){.function = entry, .program = program};
  begin(device, entry, closure, warps_per_block);
  return SL_OK;
}

/* Writes the closure. On a machine whose programs launch kernels themselves, it also writes the start code's
 * arguments. */
static enum sl_status write_closure(struct sl_device *device, const struct sl_launch_order *order, const uint32_t *word,
                                    unsigned words, struct sl_error *err)
{
  const uint32_t told[BLOCK_WORDS] = {0, device->direct.function, 0};
  uint32_t address;
  const size_t size = sizeof told + words * sizeof *word + order->argument_bytes;
  if (sl_device_alloc(device, size, &address, err) != SL_OK)
    return err->code;
  device->direct.closure = address;
  uint32_t object = address;
  if (device->soc.launches == SL_LAUNCH_PROGRAM) {
    sl_memory_write(&device->memory, address, told, sizeof told);
    object += sizeof told;
    sl_memory_store(&device->memory, address + 8, 4, object);
  }
  sl_memory_write(&device->memory, object, word, words * sizeof *word);
  if (order->argument_bytes > 0)
    sl_memory_write(&device->memory, object + words * (uint32_t)sizeof *word, order->arguments, order->argument_bytes);
  sl_device_tell_written(device, address, size);
  return SL_OK;
}

/* Resets a program that launches its kernels itself to its state after loading. */
static enum sl_status prepare_program(struct sl_device *device, const struct found *found, struct sl_error *err)
{
  static const char *const counters[] = {"vortex_launches", "vortex_stopped"};
  for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
    uint32_t address;
    if (!sl_program_symbol(found->program, counters[i], &address))
      return sl_fail(err, SL_USAGE,
                     "%.200s: its start code cannot launch a kernel. Link it by simtlab cc --target vortex",
                     sl_program_name(found->program));
    sl_memory_store(&device->memory, address, 4, 0);
  }
  return SL_OK;
}

/* A checked order. */
struct checked {
  struct found found;
  uint32_t grid[3], block[3];
};

static enum sl_status check(const struct sl_device *device, const struct sl_launch_order *order,
                            struct checked *checked, struct sl_error *err)
{
  char name[112];
  for (unsigned i = 0; i < 3; i++) {
    checked->grid[i] = i > 0 && order->grid[i] == 0 ? 1 : order->grid[i];
    checked->block[i] = i > 0 && order->block[i] == 0 ? 1 : order->block[i];
  }
  if (order->kernel != NULL)
    snprintf(name, sizeof name, "%.100s", order->kernel);
  else
    snprintf(name, sizeof name, "at 0x%08" PRIx32, order->entry);
  enum sl_status code = check_idle(device, err);
  if (code == SL_OK)
    code = find_kernel(device, order, &checked->found, err);
  if (code == SL_OK)
    code = check_size(device, name, checked->grid, checked->block, order->shared, err);
  return code == SL_OK ? check_arguments(&checked->found, order, err) : code;
}

enum sl_status sl_device_check_order(const struct sl_device *device, const struct sl_launch_order *order,
                                     struct sl_error *err)
{
  struct checked checked;
  return check(device, order, &checked, err);
}

enum sl_status sl_device_start_kernel(struct sl_device *device, const struct sl_launch_order *order,
                                      struct sl_error *err)
{
  struct sl_error own;
  struct checked c;
  uint32_t word[GEOMETRY_WORDS_VORTEX];
  err = err != NULL ? err : &own;
  const bool whole = device->soc.launches == SL_LAUNCH_PROGRAM;
  enum sl_status code = check(device, order, &c, err);
  if (code == SL_OK)
    code = sl_device_make_resident(device, c.found.program, err);
  if (code == SL_OK && whole)
    code = prepare_program(device, &c.found, err);
  if (code != SL_OK)
    return code;
  device->direct = (struct sl_direct){.function = c.found.address, .program = c.found.program};
  const unsigned words = fill_geometry(device, c.grid, c.block, order->shared, word);
  if (device->soc.launches == SL_LAUNCH_GRID)
    word[GRID_BYTES] = words * (uint32_t)sizeof *word + (uint32_t)order->argument_bytes;
  code = write_closure(device, order, word, words, err);
  if (code == SL_OK)
    code = sl_spans_watch(device, c.found.program, err);
  if (code == SL_OK)
    begin(device, whole ? sl_program_entry(c.found.program) : c.found.address, device->direct.closure,
          (uint32_t)(volume(c.block) / device->soc.lanes) % WARPS_PER_BLOCK);
  return code;
}

/* ---- end --------------------------------------------------------------------------------------------------------- */

static void finish(struct sl_device *device)
{
  device->direct.under_way = false;
  device->interface = device->direct.before;
  device->ended = device->direct.program_ended;
  if (device->direct.closure != 0)
    sl_device_release(device, device->direct.closure, NULL);
  device->direct.closure = 0;
}

void sl_device_forget_launches(struct sl_device *device)
{
  if (!device->direct.under_way)
    device->result.launch_count = 0;
}

bool sl_device_under_way(const struct sl_device *device)
{
  return device->direct.under_way;
}

void sl_device_abandon(struct sl_device *device)
{
  if (device->direct.under_way)
    finish(device);
}

/* Reports a kernel that has signalled failure. */
static enum sl_status failed(const struct sl_device *device, struct sl_error *err)
{
  const struct sl_direct *d = &device->direct;
  const bool told = device->soc.launches == SL_LAUNCH_PROGRAM;
  const uint32_t shared = device->soc.launches == SL_LAUNCH_GRID ? GRID_SHARED_BYTES : SHARED_BYTES;
  uint32_t bytes[2] = {0, 0};
  char name[200];
  if (d->closure != 0)
    sl_memory_read(&device->memory, d->closure + (told ? 4 * BLOCK_WORDS : 0) + 4 * shared, bytes, sizeof bytes);
  sl_location_format(d->program, d->function, name, sizeof name);
  return bytes[1] != 0 ? sl_fail(err, SL_CHECK_FAILED,
                                 "kernel %s needs at least %" PRIu32
                                 " bytes of shared memory per block, it has %" PRIu32 ". Launch it with that much",
                                 name, bytes[1], bytes[0])
                       : sl_fail(err, SL_CHECK_FAILED, "kernel %s reported failure", name);
}

enum sl_status sl_device_wait_for(struct sl_device *device, uint64_t cycles, struct sl_error *err)
{
  if (!device->direct.under_way)
    return sl_fail(err, SL_USAGE, "%s: no kernel was started", device->name);
  const double started = sl_device_seconds();
  const uint64_t now = sl_device_elapsed(device);
  device->pause_at = cycles > UINT64_MAX - now ? UINT64_MAX : now + cycles;
  enum sl_status code = sl_device_run_kernel(device, err);
  device->result.host_seconds += sl_device_seconds() - started;
  if (device->result.launch_count > device->direct.first && code != SL_INTERNAL) {
    struct sl_launch *launch = &device->launches[device->direct.first];
    launch->entry = device->direct.function;
    launch->succeeded = launch->succeeded && device->exit_status == 0;
    if (code == SL_OK && !launch->succeeded)
      code = failed(device, err);
    if (device->program == NULL && code == SL_CHECK_FAILED)
      device->result.status = 1;
  }
  if (code != SL_PAUSED && code != SL_STOPPED)
    finish(device);
  return code;
}

enum sl_status sl_device_run_launch(struct sl_device *device, uint64_t cycles, struct sl_error *err)
{
  device->pause_at = sl_device_elapsed(device) + cycles;
  return sl_device_run_kernel(device, err);
}

enum sl_status sl_device_wait(struct sl_device *device, struct sl_error *err)
{
  return sl_device_wait_for(device, UINT64_MAX, err);
}

struct sl_fault sl_device_last_fault(const struct sl_device *device)
{
  return device->last_fault;
}

void sl_device_last_kernel(const struct sl_device *device, char *text, size_t size)
{
  if (device->direct.program != NULL)
    sl_location_format(device->direct.program, device->direct.function, text, size);
  else
    snprintf(text, size, "no kernel");
}

/* Where the geometry of the kernel that begins is; 0: not known. */
static uint32_t geometry_of(const struct sl_device *device)
{
  const struct sl_program *program = device->direct.under_way ? device->direct.program : device->program;
  uint32_t at = 0;
  if (program == NULL)
    return 0;
  if (device->soc.launches == SL_LAUNCH_KERNEL)
    return device->soc.no_host || sl_program_target(program) == NULL ? 0 : device->interface.closure;
  if (sl_program_symbol(program, "vortex_geometry", &at))
    sl_memory_read(&device->memory, at, &at, sizeof at);
  return at;
}

bool sl_device_occupancy(const struct sl_device *device, struct sl_occupancy *occupancy)
{
  const struct sl_soc *soc = &device->soc;
  const bool vortex = soc->launches == SL_LAUNCH_PROGRAM;
  if (device->machine->view.occupancy != NULL)
    return (*occupancy = device->machine->view.occupancy(device->sm)).blocks > 0;
  uint32_t word[GEOMETRY_WORDS_VORTEX], address = geometry_of(device);
  if (address == 0)
    return false;
  sl_memory_read(&device->memory, address, word, sizeof word);
  const uint64_t grid = volume(word + GRID), threads = volume(word + BLOCK), all = (uint64_t)soc->lanes * soc->warps;
  const uint64_t slots = vortex ? word[CORE_SLOTS] : word[SLOTS], cores = vortex && soc->cores ? soc->cores : 1;
  if (threads == 0 || slots == 0 || grid == 0 || slots > all)
    return false;
  const uint64_t each = (grid + cores - 1) / cores, blocks = slots < each ? slots : each;
  const uint64_t warps = (blocks * threads + soc->lanes - 1) / soc->lanes;
  *occupancy = (struct sl_occupancy){.blocks = (uint32_t)blocks,
                                     .warps = warps < soc->warps ? (uint32_t)warps : soc->warps,
                                     .most_warps = soc->warps,
                                     .limits = blocks * threads > all - threads ? SL_OCCUPANCY_WARPS
                                               : blocks == each                 ? SL_OCCUPANCY_GRID
                                                                                : SL_OCCUPANCY_SHARED};
  return true;
}
