#include "observe/trace/trace_relay.h"

#include <stdlib.h>
#include <string.h>

#include "base/background.h"

enum {
  BUFFER = 1 << 19, /* half of a usual second-level cache */
  CODE = 1,         /* parts of a record, in their order */
  VALUES = 2,
  ADDRESSES = 4,
  WIDE_VALUES = 8,
  WIDE_ADDRESSES = 16,
  ANY_WARP = 1u << 7 /* in `more` */
};

/* Kinds with pointers into the machine, which the thread may not read later. */
enum { AT_ONCE = SL_PROBE_LAUNCHED | SL_PROBE_ALLOCATED | SL_PROBE_FREED | SL_PROBE_WRITTEN };

struct record {
  uint64_t cycle, id, pc;
  sl_lanes active;
  int64_t count;  /* ACCESSED: the width */
  uint64_t other; /* BANKED: the least; EXECUTED: the line; else the holder */
  uint32_t warp, launch;
  uint16_t core;
  uint8_t kind; /* number of its bit */
  uint8_t stage, lanes, parts, cause;
  uint8_t more; /* WAITED: idle, and ANY_WARP; else the access */
};

_Static_assert(sizeof(struct record) == 64, "a cache line");

enum { LARGEST = sizeof(struct record) + sizeof(struct sl_insn) + 2 * SL_MAX_LANES * (4 + 8) };

struct sl_relay {
  uint8_t *filling, *heard; /* buffers of the run and of the thread */
  size_t filled, hearing;   /* bytes in them */
  unsigned arrays;
  uint64_t base;                 /* of the module's pcs */
  bool going;                    /* known to the run; false: hear has returned false */
  uint64_t told[SL_RELAY_CODES]; /* pc + 1 of instructions that the thread knows; 0: none */
  /* Of the thread, or of the run while it waits. */
  bool (*hear)(void *context, const struct sl_probe *probe);
  void *context;
  bool stopped;
  struct sl_background *thread;
};

/* ---- of the run -------------------------------------------------------------------------------------------------- */

static void append(struct sl_relay *relay, const void *bytes, size_t size)
{
  memcpy(relay->filling + relay->filled, bytes, size);
  relay->filled += size;
}

/* Gives the buffer to the thread, and takes the other one. */
static void hand_over(struct sl_relay *relay)
{
  sl_background_wait(relay->thread);
  uint8_t *const emptied = relay->heard;
  relay->going = !relay->stopped;
  relay->heard = relay->filling;
  relay->hearing = relay->filled;
  relay->filling = emptied;
  relay->filled = 0;
  sl_background_start(relay->thread);
}

/* The thread needs the instruction at a pc once. */
static bool is_new(struct sl_relay *relay, const struct sl_probe *p)
{
  const uint64_t pc = p->pc + relay->base;
  uint64_t *told = &relay->told[sl_relay_code(pc)];
  const bool is = p->kind == SL_PROBE_EXECUTED && p->insn != NULL && *told != pc + 1;
  if (is)
    *told = pc + 1;
  return is;
}

static unsigned parts_of(struct sl_relay *relay, const struct sl_probe *p)
{
  const unsigned code = is_new(relay, p) ? CODE : 0;
  if ((p->kind & relay->arrays) == 0)
    return code;
  return code | (p->values != NULL ? VALUES : 0) | (p->address != NULL ? ADDRESSES : 0) |
         (p->wide_values != NULL ? WIDE_VALUES : 0) | (p->wide_address != NULL ? WIDE_ADDRESSES : 0);
}

static void append_parts(struct sl_relay *relay, const struct sl_probe *p, unsigned parts)
{
  if (parts & CODE)
    append(relay, p->insn, sizeof *p->insn);
  if (parts & WIDE_VALUES)
    append(relay, p->wide_values, p->lanes * sizeof *p->wide_values);
  if (parts & WIDE_ADDRESSES)
    append(relay, p->wide_address, p->lanes * sizeof *p->wide_address);
  if (parts & VALUES)
    append(relay, p->values, p->lanes * sizeof *p->values);
  if (parts & ADDRESSES)
    append(relay, p->address, p->lanes * sizeof *p->address);
  relay->filled = (relay->filled + 7) / 8 * 8;
}

bool sl_relay_tell(void *context, const struct sl_probe *p)
{
  struct sl_relay *relay = context;
  if ((p->kind & AT_ONCE) != 0) {
    struct sl_probe own = *p;
    own.pc += relay->base;
    sl_relay_drain(relay);
    relay->stopped = !relay->hear(relay->context, &own) || relay->stopped;
    relay->going = !relay->stopped;
    return relay->going;
  }
  if (relay->filled + LARGEST > BUFFER)
    hand_over(relay);
  const unsigned parts = parts_of(relay, p);
  struct record *r = (void *)(relay->filling + relay->filled);
  *r = (struct record){
      .cycle = p->cycle,
      .id = p->id,
      .pc = p->pc + relay->base,
      .active = p->active,
      .count = p->kind == SL_PROBE_ACCESSED ? (int64_t)p->width : p->count,
      .other = p->kind == SL_PROBE_BANKED     ? (uint64_t)p->least
               : p->kind == SL_PROBE_EXECUTED ? p->line
                                              : p->holder,
      .warp = p->warp,
      .launch = p->launch,
      .core = (uint16_t)p->core,
      .kind = (uint8_t)__builtin_ctz(p->kind),
      .stage = (uint8_t)p->stage,
      .lanes = (uint8_t)p->lanes,
      .parts = (uint8_t)parts,
      .cause = (uint8_t)p->cause,
      .more = (uint8_t)(p->kind == SL_PROBE_WAITED ? p->idle | (p->any_warp ? ANY_WARP : 0u) : p->access),
  };
  relay->filled += sizeof *r;
  if (parts != 0)
    append_parts(relay, p, parts);
  return relay->going;
}

void sl_relay_rebase(struct sl_relay *relay, uint64_t base)
{
  sl_relay_drain(relay);
  relay->base = base;
}

void sl_relay_drain(struct sl_relay *relay)
{
  if (relay->filled > 0)
    hand_over(relay);
  sl_background_wait(relay->thread);
}

/* ---- of the thread ----------------------------------------------------------------------------------------------- */

/* Points to an array behind a record, if it is there, and goes beyond it. */
static const void *next_part(const uint8_t **at, bool there, size_t size)
{
  const void *const part = there ? *at : NULL;
  *at += there ? size : 0;
  return part;
}

/* Turns a record into an event again. Returns the bytes behind it. */
static const uint8_t *read_record(const uint8_t *at, struct sl_probe *p)
{
  const struct record *r = (const void *)at;
  const unsigned parts = r->parts;
  p->kind = (enum sl_probe_kind)(1 << r->kind);
  p->stage = r->stage;
  p->id = r->id;
  p->cycle = r->cycle;
  p->launch = r->launch;
  p->core = r->core;
  p->pc = r->pc;
  p->warp = r->warp;
  p->active = r->active;
  p->lanes = r->lanes;
  p->line = (uint32_t)r->other;
  p->holder = r->other;
  p->least = (int64_t)r->other;
  p->count = r->count;
  p->width = (unsigned)r->count;
  p->cause = r->cause;
  p->idle = (enum sl_probe_idle)(r->more & ~ANY_WARP);
  p->any_warp = (r->more & ANY_WARP) != 0;
  p->access = (enum sl_probe_access)(r->more & ~ANY_WARP);
  at += sizeof *r;
  p->insn = next_part(&at, parts & CODE, sizeof *p->insn);
  p->wide_values = next_part(&at, parts & WIDE_VALUES, r->lanes * sizeof *p->wide_values);
  p->wide_address = next_part(&at, parts & WIDE_ADDRESSES, r->lanes * sizeof *p->wide_address);
  p->values = next_part(&at, parts & VALUES, r->lanes * sizeof *p->values);
  p->address = next_part(&at, parts & ADDRESSES, r->lanes * sizeof *p->address);
  return parts != 0 ? at + (-(uintptr_t)at & 7) : at; /* records are aligned */
}

static void hear_all(void *context)
{
  struct sl_relay *relay = context;
  struct sl_probe probe = {.kind = SL_PROBE_LAUNCHED};
  const uint8_t *at = relay->heard, *const end = relay->heard + relay->hearing;
  while (at < end && !relay->stopped) {
    at = read_record(at, &probe);
    relay->stopped = !relay->hear(relay->context, &probe);
  }
}

struct sl_relay *sl_relay_create(unsigned arrays, bool (*hear)(void *context, const struct sl_probe *probe),
                                 void *context)
{
  struct sl_relay *relay = calloc(1, sizeof *relay);
  if (relay == NULL)
    return NULL;
  relay->filling = malloc(BUFFER);
  relay->heard = malloc(BUFFER);
  relay->arrays = arrays;
  relay->going = true;
  relay->hear = hear;
  relay->context = context;
  relay->thread = relay->filling != NULL && relay->heard != NULL ? sl_background_create(hear_all, relay) : NULL;
  if (relay->thread != NULL)
    return relay;
  sl_relay_free(relay);
  return NULL;
}

void sl_relay_free(struct sl_relay *relay)
{
  if (relay == NULL)
    return;
  sl_background_free(relay->thread);
  free(relay->filling);
  free(relay->heard);
  free(relay);
}
