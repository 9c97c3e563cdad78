/* Checkpoint state contains no pointers: the test walks the debugging information of this program for every struct
 * whose name ends in _state, with all its members. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gpu/device_state.h"
#include "machine/simtight/simtight_sm.h"
#include "machine/simty/simty_sm.h"
#include "machine/vortex/vortex_gpu.h"
#include "warp/extensions/streams.h"

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

enum { STRUCTS = 15 }; /* at least these: the test would skip a renamed one */

int main(void)
{
  unsigned found = 0, wrong = 0, bad = 0;
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
  dwarf_end(dwarf);
  if (file >= 0)
    close(file);
  printf("%u structs of state, %u with pointers\n", found, wrong);
  if (bad != 1)
    printf("the test does not see the pointer it should see\n");
  return wrong != 0 || bad != 1 || found < STRUCTS;
}
