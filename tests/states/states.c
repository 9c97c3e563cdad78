/* Checkpoint state contains no pointers, and its tables (base/schema.h) are complete. The test walks the debugging
 * information of this program: for every struct whose name ends in _state, with all its members, it looks for pointers.
 * For every table that the machines' walks meet, it looks for bytes of the struct that no row covers. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device/device_state.h"
#include "device/gpu_kind.h"
#include "func/extensions/streams.h"
#include "grid_program.h"
#include "machine/cyclotron/cyclotron_core.h"
#include "machine/simtight/simtight_sm.h"
#include "machine/simty/simty_sm.h"
#include "machine/sm7/sm7_gpu.h"
#include "machine/vortex/vortex_gpu.h"

/* The compiler only describes the types that a program uses. */
struct used {
  struct sl_simtight_sm simtight;
  struct sl_simty_core simty;
  struct sl_vortex_gpu vortex;
  struct sl_vortex_core vortex_core;
  struct sl_vortex_pipeline vortex_pipeline;
  struct sl_vortex_socket vortex_socket;
  struct sl_vortex_memory vortex_memory;
  struct sl_streams streams;
  struct sl_cyclotron_core cyclotron;
  struct sl_sm7_device sm7;
  struct sl_sm7_gpu sm7_gpu;
  struct sl_sm7_rv_warp sm7_warp;
  struct sl_sm7_sm sm7_sm;
  struct sl_sm7_slice sm7_slice;
  struct sl_sm7_dram sm7_dram;
};

/* The element types of the arrays beside these, unless they are numbers. */
struct elements_state {
  struct sl_cache_bank cache_bank;
  struct sl_cache_way cache_way;
  struct sl_cache_pending cache_pending;
  struct sl_cache_answer cache_answer;
  struct sl_cache_miss cache_miss;
  struct sl_memory_entry memory_entry;
  struct sl_vortex_return vortex_return;
  struct sl_vortex_io vortex_io;
  struct sl_vortex_op vortex_op;
  struct sl_vortex_entry vortex_entry;
  struct sl_ipdom_warp ipdom_warp;
  struct sl_reservation reservation;
  struct sl_warp_loops loops;
  struct sl_warp_streams warp_streams;
  struct sl_stream stream;
  struct sl_stream_epoch stream_epoch;
  struct sl_stream_read stream_read;
  struct sl_stream_write stream_write;
};

struct used *states_of(struct used *u);
struct elements_state *elements_of(struct elements_state *e);

struct used *states_of(struct used *u)
{
  return u;
}

struct elements_state *elements_of(struct elements_state *e)
{
  return e;
}

/* A struct that the test must reject. */
struct sl_bad_state {
  struct {
    unsigned harmless;
    struct {
      const char *deep[2];
    } inner[3];
  } outer;
};

struct sl_bad_state *bad_state_of(struct sl_bad_state *u);

struct sl_bad_state *bad_state_of(struct sl_bad_state *u)
{
  return u;
}

/* Writes the place of the first pointer, if there is one, to path and returns true. */
static bool points(Dwarf_Die *type, char *path, size_t size, unsigned depth)
{
  Dwarf_Attribute attribute;
  Dwarf_Die of, member;
  const size_t length = strlen(path);
  if (depth > 40)
    return false;
  switch (dwarf_tag(type)) {
  case DW_TAG_pointer_type: return true;
  case DW_TAG_typedef:
  case DW_TAG_const_type:
  case DW_TAG_volatile_type:
  case DW_TAG_array_type:
    return dwarf_attr(type, DW_AT_type, &attribute) != NULL && dwarf_formref_die(&attribute, &of) != NULL &&
           points(&of, path, size, depth + 1);
  case DW_TAG_structure_type:
  case DW_TAG_union_type:
    if (dwarf_child(type, &member) != 0)
      return false;
    do {
      const char *name = dwarf_diename(&member);
      if (dwarf_tag(&member) != DW_TAG_member || dwarf_attr(&member, DW_AT_type, &attribute) == NULL ||
          dwarf_formref_die(&attribute, &of) == NULL)
        continue;
      snprintf(path + length, size - length, ".%s", name != NULL ? name : "(unnamed)");
      if (points(&of, path, size, depth + 1))
        return true;
      path[length] = '\0';
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
  default: return false;
  }
}

static bool is_state(const char *name)
{
  const size_t length = name != NULL ? strlen(name) : 0;
  return length > 6 && strcmp(name + length - 6, "_state") == 0;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* A table without a row for `forgotten`, which the test must reject. */
struct sl_gap {
  unsigned a;
  bool forgotten;
};

static SL_SCHEMA(gap_schema, struct sl_gap, NULL, SL_ANY(a));

struct sl_gap *gap_of(struct sl_gap *u);

struct sl_gap *gap_of(struct sl_gap *u)
{
  return u;
}

enum { TABLES_MOST = 400, BYTES_MOST = 1 << 20 };

struct tables {
  const struct sl_schema *table[TABLES_MOST];
  Dwarf_Off described[TABLES_MOST]; /* the struct's place in the debugging information; 0: not found */
  unsigned count;
};

static int put_byte(void *context, uint8_t byte)
{
  (void)context, (void)byte;
  return 0;
}

static void meet(void *context, const char *name, const struct sl_schema *schema, const void *object)
{
  struct tables *t = context;
  (void)name, (void)object;
  for (unsigned i = 0; i < t->count; i++)
    if (t->table[i] == schema)
      return;
  if (t->count < TABLES_MOST)
    t->table[t->count++] = schema;
}

/* Runs a program of random instructions on an SM7 machine, so that tables of operations in flight are met, too. */
static bool run_grid(struct tables *t, struct sl_device *device)
{
  enum { BYTES = 512, MOMENTS = 60, CYCLES = 20 };
  static struct sl_grid_program image;
  uint8_t data[BYTES];
  uint32_t random = 13;
  struct sl_program *program;
  struct sl_error err;
  const char *const argv[] = {"states"};
  for (unsigned i = 0; i < BYTES; i++)
    data[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
  data[0] = SL_WHOLE_ROWS;
  data[1] = 0;
  sl_grid_program(&image, data, BYTES);
  if (sl_program_parse("states.elf", &image, sizeof image, &program, &err) != SL_OK ||
      sl_device_load(device, program, 1, argv, &err) != SL_OK) {
    printf("%s\n", err.text);
    return false;
  }
  for (unsigned i = 0; i < MOMENTS && sl_device_run_for(device, CYCLES, &err) == SL_PAUSED; i++)
    device->machine->state.walk(device->sm, &(struct sl_archive){.meet = meet, .context = t});
  sl_device_destroy(device);
  sl_program_free(program);
  return true;
}

/* Collects the tables of a machine. */
static bool meet_all(struct tables *t, const char *preset)
{
  struct sl_config config;
  struct sl_error err;
  struct sl_device *device;
  const struct sl_device_options options = {.console = {NULL, NULL, put_byte}};
  const bool grid = strncmp(preset, "sm7", 3) == 0;
  if (sl_config_open(&config, preset, &err) != SL_OK ||
      (grid && sl_config_set(&config, "launch.cycles=20", &err) != SL_OK) || sl_config_check(&config, &err) != SL_OK ||
      sl_device_create(&config, &options, &device, &err) != SL_OK) {
    printf("%s: %s\n", preset, err.text);
    return false;
  }
  bool met = true;
  device->machine->state.walk(device->sm, &(struct sl_archive){.meet = meet, .context = t});
  if (grid)
    met = run_grid(t, device);
  else
    sl_device_destroy(device);
  sl_config_close(&config);
  return met;
}

/* Collects the tables of a GPU for PTX that executes nothing. */
static bool meet_ptx(struct tables *t)
{
  struct sl_config config;
  struct sl_error err;
  struct sl_gpu *gpu = NULL;
  bool met = sl_config_open(&config, "sm7-1", &err) == SL_OK;
  if (met && (met = sl_gpu_open(&gpu, &config, &(struct sl_gpu_options){.fast = true}, &err) == SL_OK))
    sl_gpu_past_archive(&(struct sl_archive){.meet = meet, .context = t}, gpu);
  if (!met)
    printf("sm7-1: %s\n", err.text);
  sl_gpu_close(gpu);
  sl_config_close(&config);
  return met;
}

static Dwarf_Word size_of(Dwarf_Die *type)
{
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

/* Writes the place of the first byte from `at` on that no row covers to path and returns true. */
static bool has_gap(Dwarf_Die *type, const bool *covered, Dwarf_Word at, char *path, size_t size)
{
  Dwarf_Attribute attribute;
  Dwarf_Die of, member;
  const size_t length = strlen(path);
  const int tag = dwarf_tag(type);
  if (tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_array_type) {
    if (dwarf_attr(type, DW_AT_type, &attribute) == NULL || dwarf_formref_die(&attribute, &of) == NULL)
      return true;
    const Dwarf_Word all = size_of(type), one = size_of(&of);
    bool gap = one == 0;
    for (Dwarf_Word i = 0; !gap && i < all; i += one)
      gap = has_gap(&of, covered, at + i, path, size);
    return gap;
  }
  if (tag != DW_TAG_structure_type) {
    for (Dwarf_Word i = 0; i < size_of(type); i++)
      if (!covered[at + i])
        return true;
    return false;
  }
  for (bool more = dwarf_child(type, &member) == 0; more; more = dwarf_siblingof(&member, &member) == 0) {
    Dwarf_Word offset = 0;
    if (dwarf_tag(&member) != DW_TAG_member || dwarf_attr(&member, DW_AT_type, &attribute) == NULL ||
        dwarf_formref_die(&attribute, &of) == NULL ||
        dwarf_formudata(dwarf_attr(&member, DW_AT_data_member_location, &attribute), &offset) != 0)
      continue;
    const char *name = dwarf_diename(&member);
    snprintf(path + length, size - length, ".%s", name != NULL ? name : "(unnamed)");
    if (has_gap(&of, covered, at + offset, path, size))
      return true;
    path[length] = '\0';
  }
  return false;
}

/* Whether every byte of the struct's members is in one row. */
static bool is_complete(Dwarf *dwarf, const struct sl_schema *schema, Dwarf_Off described)
{
  static bool covered[BYTES_MOST];
  char path[512];
  Dwarf_Die die;
  snprintf(path, sizeof path, "%s", schema->name);
  if (described == 0 || schema->bytes > BYTES_MOST || dwarf_offdie(dwarf, described, &die) == NULL ||
      size_of(&die) != schema->bytes) {
    printf("%s has a table, but this program does not describe it: add it to struct used\n", path);
    return false;
  }
  memset(covered, 0, schema->bytes);
  for (uint32_t i = 0; i < schema->fields; i++)
    for (uint32_t b = 0; b < schema->field[i].bytes; b++) {
      if (covered[schema->field[i].offset + b] || schema->field[i].bytes % sl_field_element(&schema->field[i]) != 0) {
        printf("%s.%s: two rows cover a byte, or the row has another struct's table\n", path, schema->field[i].name);
        return false;
      }
      covered[schema->field[i].offset + b] = true;
    }
  if (has_gap(&die, covered, 0, path, sizeof path)) {
    if (schema != gap_schema())
      printf("%s is in no row of its table\n", path);
    return false;
  }
  return true;
}

/* A declaration has no members. */
static void describe(struct tables *t, Dwarf_Die *die)
{
  const char *name = dwarf_hasattr(die, DW_AT_declaration) ? NULL : dwarf_diename(die);
  for (unsigned i = 0; name != NULL && i < t->count; i++)
    if (strncmp(t->table[i]->name, "struct ", 7) == 0 && strcmp(t->table[i]->name + 7, name) == 0)
      t->described[i] = dwarf_dieoffset(die);
}

enum { STRUCTS = 15, TABLES = 153 }; /* at least these: the test would skip a renamed one */

int main(void)
{
  static const char *const presets[] = {"simtight-rfc-pp-sb-fp", "simty-plus", "vortex-cfm-dmsl",
                                        "vortex-simx",           "cyclotron",  "sm7-1"};
  static struct tables tables;
  unsigned found = 0, wrong = 0, bad = 0, incomplete = 0;
  for (unsigned i = 0; i < sizeof presets / sizeof *presets; i++)
    if (!meet_all(&tables, presets[i]))
      return 1;
  if (!meet_ptx(&tables))
    return 1;
  meet(&tables, NULL, gap_schema(), NULL);
  const int file = open("/proc/self/exe", O_RDONLY);
  Dwarf *dwarf = file >= 0 ? dwarf_begin(file, DWARF_C_READ) : NULL;
  Dwarf_Off offset = 0, next;
  size_t header;
  for (; dwarf != NULL && dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0; offset = next) {
    Dwarf_Die unit, die;
    if (dwarf_offdie(dwarf, offset + header, &unit) == NULL || dwarf_child(&unit, &die) != 0)
      continue;
    do {
      char path[512];
      if (dwarf_tag(&die) == DW_TAG_structure_type)
        describe(&tables, &die);
      if (dwarf_tag(&die) != DW_TAG_structure_type || !is_state(dwarf_diename(&die)))
        continue;
      snprintf(path, sizeof path, "%s", dwarf_diename(&die));
      const bool expected = strcmp(path, "sl_bad_state") == 0;
      found++;
      if (!points(&die, path, sizeof path, 0))
        continue;
      bad += expected;
      wrong += !expected;
      if (!expected)
        printf("struct %s is a pointer: it belongs with the wiring\n", path);
    } while (dwarf_siblingof(&die, &die) == 0);
  }
  for (unsigned i = 0; i < tables.count; i++)
    incomplete += !is_complete(dwarf, tables.table[i], tables.described[i]);
  dwarf_end(dwarf);
  if (file >= 0)
    close(file);
  printf("%u structs of state, %u with pointers\n", found, wrong);
  if (bad != 1)
    printf("the test does not see the pointer it should see\n");
  printf("%u tables, %u incomplete\n", tables.count - 1, incomplete - 1);
  return wrong != 0 || bad != 1 || found < STRUCTS || incomplete != 1 || tables.count < TABLES;
}
